"""The changes that a GM may make by hand in War Chest: implements `protocol.Edits`.

Coins are neither made nor lost: each goes from one of its side's zones, or from the board, to another.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, assert_never, get_args

from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields
from games.war_chest import model
from games.war_chest.board import HEX_ORDER, HEXES, Hex
from games.war_chest.components import ROYAL_COIN, Coin, name, sorted_coins
from games.war_chest.model import AUTOMATON, Side, Stack, State, with_one, without

Zone = Literal["bag", "hand", "face-up", "face-down", "supply", "removed"]
PUBLIC_ZONES: tuple[Zone, ...] = ("face-up", "supply", "removed")
"""The zones that everybody sees."""

CARD_ZONES: tuple[Zone, ...] = ("supply", "removed")
"""The zones that hold coins of cards only, and no Royal Coin."""


class MoveCoin(Edit, frozen=True, kw_only=True):
    """``player Archer from bag to hand``"""

    seat: Seat
    coin: Coin
    start: Zone
    end: Zone


class PlaceCoin(Edit, frozen=True, kw_only=True):
    """``place player Archer on d4 from supply``: a new unit, or one coin more of the unit there."""

    seat: Seat
    coin: Coin
    at: Hex
    start: Zone


class TakeCoin(Edit, frozen=True, kw_only=True):
    """``take d4 to supply``: one coin of the unit there."""

    at: Hex
    end: Zone


class MoveUnit(Edit, frozen=True, kw_only=True):
    """``move d4 to e5``"""

    at: Hex
    to: Hex


class SetControl(Edit, frozen=True, kw_only=True):
    """``player controls d4``, ``free d4`` (seat None)"""

    at: Hex
    seat: Seat | None = None


AnyEdit = MoveCoin | PlaceCoin | TakeCoin | MoveUnit | SetControl

_EDIT_FORMS = tuple(
    Form(name=form, pattern=pattern, example=example)
    for form, pattern, example in (
        (
            "coin",
            "{seat:seat} {coin:unit|coin} [coin] from [the] {start:zone} to [the] {end:zone}",
            "player Archer from bag to hand",
        ),
        (
            "place",
            "place {seat:seat} {coin:unit} (on|at|in) {at:hex} from [the] {start:zone}",
            "place player Archer on d4 from supply",
        ),
        ("take", "take [a coin] [off|from] {at:hex} to [the] {end:zone}", "take d4 to supply"),
        ("move", "move {at:hex} (to|-) {to:hex}", "move d4 to e5"),
        ("control", "{seat:seat} controls {at:hex}", "player controls b3"),
        ("free", "(free|nobody controls) {at:hex}", "free b3"),
    )
)


class WarChestEdits(Edits[State, AnyEdit]):
    """The changes."""

    edit_type: Any = AnyEdit
    forms = _EDIT_FORMS

    def lexicon(self, state: State) -> Lexicon:
        """Units, the Royal Coin, hexes, zones, and the sides; a game of two persons has gold and silver."""
        first, second = state.seats
        return (
            *(
                LexiconEntry(sort="unit", id=unit.id, names=(unit.name, *unit.aliases))
                for unit in state.box.units.values()
            ),
            LexiconEntry(sort="coin", id=ROYAL_COIN, names=("Royal Coin", "royal")),
            *(LexiconEntry(sort="hex", id=hex_name, names=(hex_name,)) for hex_name in HEXES),
            *(
                LexiconEntry(sort="zone", id=zone, names=(zone, zone.replace("-", " ")))
                for zone in get_args(Zone)
            ),
            LexiconEntry(
                sort="seat", id=first, names=(str(first), *(("player",) if not state.is_solo else ()))
            ),
            LexiconEntry(sort="seat", id=second, names=(str(second),)),
        )

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> AnyEdit:
        """The change of a matched form. Raises KeyError for a form that is not ours."""
        seat, at = Seat(slots.get("seat", "")), Hex(slots.get("at", ""))
        makers: dict[str, Callable[[], AnyEdit]] = {
            "coin": lambda: MoveCoin(
                seat=seat, coin=Coin(slots["coin"]), start=_zone(slots["start"]), end=_zone(slots["end"])
            ),
            "place": lambda: PlaceCoin(
                seat=seat, coin=Coin(slots["coin"]), at=at, start=_zone(slots["start"])
            ),
            "take": lambda: TakeCoin(at=at, end=_zone(slots["end"])),
            "move": lambda: MoveUnit(at=at, to=Hex(slots["to"])),
            "control": lambda: SetControl(at=at, seat=seat),
            "free": lambda: SetControl(at=at),
        }
        return makers[form]()

    def write(self, edit: AnyEdit) -> str:
        """The canonical text: ``player Archer from bag to hand``."""
        if isinstance(edit, MoveCoin):
            return f"{edit.seat} {name(edit.coin)} from {edit.start} to {edit.end}"
        if isinstance(edit, PlaceCoin):
            return f"place {edit.seat} {name(edit.coin)} on {edit.at} from {edit.start}"
        if isinstance(edit, TakeCoin):
            return f"take {edit.at} to {edit.end}"
        if isinstance(edit, MoveUnit):
            return f"move {edit.at} to {edit.to}"
        if isinstance(edit, SetControl):
            return f"{edit.seat} controls {edit.at}" if edit.seat else f"free {edit.at}"
        assert_never(edit)

    def check(self, state: State, edit: AnyEdit) -> Advice | None:
        """Return why it cannot be now."""
        if state.picks:
            return Advice(problem="the cards are still being picked", instead="wait until they are dealt")
        if state.agenda:
            return Advice(problem="a turn is half played", instead="play it first with  gm turn process")
        if isinstance(edit, MoveCoin):
            return _leaving(state, edit.seat, edit.coin, edit.start) or _arriving(
                state, edit.seat, edit.coin, edit.start, edit.end
            )
        if isinstance(edit, PlaceCoin):
            return _leaving(state, edit.seat, edit.coin, edit.start) or _placing(state, edit)
        if isinstance(edit, SetControl):
            return _controlling(state, edit)
        stack = state.stack_at(edit.at)
        if stack is None:
            return Advice(problem=f"no unit stands on {edit.at}")
        if isinstance(edit, TakeCoin):
            return _arriving(state, stack.seat, stack.card, None, edit.end)
        if isinstance(edit, MoveUnit):
            there = state.stack_at(edit.to)
            return Advice(problem=f"another unit stands on {edit.to}") if there is not None else None
        assert_never(edit)

    def apply(self, state: State, edit: AnyEdit) -> State:
        """Return the position after the change."""
        if isinstance(edit, MoveCoin):
            side = _put(_take_from_zone(state.sides[edit.seat], edit.coin, edit.start), edit.coin, edit.end)
            return state.with_side(edit.seat, side)
        if isinstance(edit, PlaceCoin):
            side = _take_from_zone(state.sides[edit.seat], edit.coin, edit.start)
            return _change_height(state.with_side(edit.seat, side), edit.at, 1, edit.seat, edit.coin)
        if isinstance(edit, SetControl):
            others = {at: owner for at, owner in state.control.items() if at != edit.at}
            return replace_fields(state, control={**others, edit.at: edit.seat} if edit.seat else others)
        stack = state.stack_at(edit.at)
        assert stack is not None, "what was checked stands there"
        if isinstance(edit, TakeCoin):
            side = _put(state.sides[stack.seat], stack.card, edit.end)
            return _change_height(state.with_side(stack.seat, side), edit.at, -1, stack.seat, stack.card)
        if isinstance(edit, MoveUnit):
            moved = (replace_fields(unit, at=edit.to) if unit == stack else unit for unit in state.stacks)
            return replace_fields(state, stacks=_in_order(moved))
        assert_never(edit)

    def tell(self, edit: AnyEdit, viewer: Seat | None) -> str:
        """The change in a sentence; which coin it was, only who may see it is told."""
        if isinstance(edit, MoveCoin):
            seen = viewer == edit.seat or edit.seat == AUTOMATON or {edit.start, edit.end} & set(PUBLIC_ZONES)
            coin = f"{name(edit.coin)} coin" if seen and edit.coin != ROYAL_COIN else "coin"
            coin = "Royal Coin" if seen and edit.coin == ROYAL_COIN else coin
            return f"A {coin} of {edit.seat} was moved from {edit.start} to {edit.end}."
        if isinstance(edit, PlaceCoin):
            return f"A coin of {edit.seat} was placed on {edit.at}: {name(edit.coin)}, from {edit.start}."
        if isinstance(edit, TakeCoin):
            return f"A coin of the unit on {edit.at} was moved to {edit.end}."
        if isinstance(edit, MoveUnit):
            return f"The unit on {edit.at} was moved to {edit.to}."
        if isinstance(edit, SetControl):
            return f"{(str(edit.seat) if edit.seat else 'nobody').capitalize()} controls {edit.at} now."
        assert_never(edit)


def _zone(text: str) -> Zone:
    return text  # type: ignore[return-value]  # a term of that sort


def _leaving(state: State, seat: Seat, coin: Coin, start: Zone) -> Advice | None:
    """Return why a coin cannot leave a zone."""
    side = state.sides[seat]
    if coin not in _coins(side, start):
        there = ", ".join(name(coin_there) for coin_there in dict.fromkeys(_coins(side, start))) or "nothing"
        return Advice(
            problem=f"{seat} has no {name(coin)} coin in {start}",
            instead=f"{there} is there" if there else None,
        )
    if start == "hand" and state.mover == seat and len(side.hand) == 1:
        return Advice(problem=f"{seat} is to play a coin, and has only this one in hand")
    return None


def _arriving(state: State, seat: Seat, coin: Coin, start: Zone | None, end: Zone) -> Advice | None:
    """Return why a coin cannot come into a zone."""
    if start == end:
        return Advice(problem="it is there already")
    if end in CARD_ZONES and coin == ROYAL_COIN:
        return Advice(problem=f"the Royal Coin is never in {end}", instead="bag, hand, face-up or face-down")
    if end == "hand" and seat == AUTOMATON:
        return Advice(problem="the automaton has no hand", instead="put it into the bag")
    if end == "hand" and len(state.sides[seat].hand) >= state.box.board.hand:
        return Advice(
            problem=f"{seat} has {state.box.board.hand} coins in hand already", instead="take one out first"
        )
    return None


def _placing(state: State, edit: PlaceCoin) -> Advice | None:
    there = state.stack_at(edit.at)
    if there is not None and (there.seat, there.card) != (edit.seat, edit.coin):
        return Advice(
            problem=f"another unit stands on {edit.at}", instead=f"move it first: move {edit.at} to …"
        )
    most = state.box.units[edit.coin].most_on_board
    if there is None and len(state.units(edit.seat, edit.coin)) >= most:
        places = ", ".join(stack.at for stack in state.units(edit.seat, edit.coin))
        return Advice(problem=f"{edit.seat} has {name(edit.coin)} on {places} already")
    return None


def _controlling(state: State, edit: SetControl) -> Advice | None:
    if edit.at not in state.box.locations:
        return Advice(
            problem=f"{edit.at} is no location", instead=f"there are {', '.join(state.box.locations)}"
        )
    gains = edit.seat is not None and state.control.get(edit.at) != edit.seat
    if edit.seat is not None and gains and state.markers(edit.seat) + 1 >= state.box.board.markers:
        problem = f"with one location more {edit.seat} would have won"
        return Advice(problem=problem, instead="free one first")
    return None


def _coins(side: Side, zone: Zone) -> tuple[Coin, ...]:
    """The coins of a zone."""
    return {
        "bag": side.bag,
        "hand": side.hand,
        "face-up": side.face_up,
        "face-down": side.face_down,
        "supply": tuple(card for card, count in side.supply.items() if count),
        "removed": tuple(card for card, count in side.removed.items() if count),
    }[zone]


_FIELD_BY_ZONE: dict[Zone, str] = {
    "bag": "bag",
    "hand": "hand",
    "face-up": "face_up",
    "face-down": "face_down",
}


def _take_from_zone(side: Side, coin: Coin, zone: Zone) -> Side:
    """Return the side with a coin less in a zone."""
    if zone == "supply":
        return replace_fields(side, supply=without(side.supply, coin))
    if zone == "removed":
        return replace_fields(side, removed=without(side.removed, coin))
    return replace_fields(side, **{_FIELD_BY_ZONE[zone]: model.without_one(_coins(side, zone), coin)})


def _put(side: Side, coin: Coin, zone: Zone) -> Side:
    """The side with a coin more in a zone."""
    if zone == "supply":
        return replace_fields(side, supply=with_one(side.supply, coin))
    if zone == "removed":
        return replace_fields(side, removed=with_one(side.removed, coin))
    return replace_fields(side, **{_FIELD_BY_ZONE[zone]: sorted_coins((*_coins(side, zone), coin))})


def _change_height(state: State, at: Hex, more: int, seat: Seat, card: Coin) -> State:
    """Return the state with a unit higher or lower; one without coins is gone."""
    there = state.stack_at(at) or Stack(seat=seat, card=card, at=at, height=0)
    others = [stack for stack in state.stacks if stack.at != at]
    height = there.height + more
    return replace_fields(
        state, stacks=_in_order([*others, replace_fields(there, height=height)] if height else others)
    )


def _in_order(stacks: Any) -> tuple[Stack, ...]:
    return tuple(sorted(stacks, key=lambda stack: HEX_ORDER[stack.at]))
