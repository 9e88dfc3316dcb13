"""The changes that a GM may make by hand in War Chest: implements `protocol.Edits`.

Coins are neither made nor lost: each goes from one of its side's zones, or from the board, to another.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, assert_never, get_args

from games.language import join_list
from games.messages import sentence
from games.protocol import Advice, Edit, Edits, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields
from games.war_chest import model
from games.war_chest.board import HEX_ORDER, HEXES, Hex
from games.war_chest.components import ROYAL_COIN, Coin, name, sorted_coins
from games.war_chest.model import AUTOMATON, Side, Stack, State, with_one, without
from games.war_chest.phrases import capital

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
            return _advice("war_chest.edits.draft", "war_chest.edits.wait_for_deal")
        if state.agenda:
            return _advice("war_chest.edits.half_played", "war_chest.edits.play_turn")
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
            return _advice("war_chest.edits.no_unit", hex=edit.at)
        if isinstance(edit, TakeCoin):
            return _arriving(state, stack.seat, stack.card, None, edit.end)
        if isinstance(edit, MoveUnit):
            return _advice("war_chest.edits.occupied", hex=edit.to) if state.stack_at(edit.to) else None
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
            slug = "war_chest.edits.coin_moved_openly" if seen else "war_chest.edits.coin_moved"
            coin, side = name(edit.coin), _side(edit.seat)
            return sentence(slug, side=side, start=edit.start, end=edit.end, coin=coin)
        if isinstance(edit, PlaceCoin):
            side, coin = _side(edit.seat), name(edit.coin)
            slug = "war_chest.edits.coin_placed"
            return sentence(slug, side=side, hex=edit.at, coin=coin, start=edit.start)
        if isinstance(edit, TakeCoin):
            return sentence("war_chest.edits.coin_taken", hex=edit.at, end=edit.end)
        if isinstance(edit, MoveUnit):
            return sentence("war_chest.edits.unit_moved", start=edit.at, hex=edit.to)
        if isinstance(edit, SetControl):
            if edit.seat is None:
                return sentence("war_chest.edits.freed", hex=edit.at)
            return sentence("war_chest.edits.controlled", side=capital(_side(edit.seat)), hex=edit.at)
        assert_never(edit)


def _side(seat: Seat) -> str:
    return sentence(f"war_chest.edit_sides.{seat}")


def _advice(problem: str, instead: str | None = None, **values: object) -> Advice:
    """Return the sentences of two slugs as advice."""
    return Advice(
        problem=sentence(problem, **values), instead=sentence(instead, **values) if instead else None
    )


def _zone(text: str) -> Zone:
    return text  # type: ignore[return-value]  # a term of that sort


def _leaving(state: State, seat: Seat, coin: Coin, start: Zone) -> Advice | None:
    """Return why a coin cannot leave a zone."""
    side = state.sides[seat]
    there = _coins(side, start)
    if coin not in there:
        problem = "war_chest.edits.no_royal_coin" if coin == ROYAL_COIN else "war_chest.edits.no_coin"
        instead = "war_chest.edits.coins_there" if there else "war_chest.edits.no_coins_there"
        coins = join_list(map(name, dict.fromkeys(there)))
        return _advice(problem, instead, side=_side(seat), coin=name(coin), zone=start, coins=coins)
    if start == "hand" and state.mover == seat and len(side.hand) == 1:
        return _advice("war_chest.edits.last_in_hand", side=_side(seat))
    return None


def _arriving(state: State, seat: Seat, coin: Coin, start: Zone | None, end: Zone) -> Advice | None:
    """Return why a coin cannot come into a zone."""
    if start == end:
        return _advice("war_chest.edits.there_already")
    if end in CARD_ZONES and coin == ROYAL_COIN:
        return _advice("war_chest.edits.never_royal", "war_chest.edits.royal_zones", zone=end)
    if end == "hand" and seat == AUTOMATON:
        return _advice("war_chest.edits.no_hand", "war_chest.edits.into_bag")
    most = state.box.board.hand
    if end == "hand" and len(state.sides[seat].hand) >= most:
        return _advice("war_chest.edits.hand_full", "war_chest.edits.take_out", side=_side(seat), count=most)
    return None


def _placing(state: State, edit: PlaceCoin) -> Advice | None:
    there = state.stack_at(edit.at)
    if there is not None and (there.seat, there.card) != (edit.seat, edit.coin):
        return _advice("war_chest.edits.occupied", "war_chest.edits.move_first", hex=edit.at)
    units = state.units(edit.seat, edit.coin)
    if there is None and len(units) >= state.box.units[edit.coin].most_on_board:
        hexes = join_list(stack.at for stack in units)
        side, unit = _side(edit.seat), name(edit.coin)
        return _advice("war_chest.edits.on_board", side=side, unit=unit, hexes=hexes)
    return None


def _controlling(state: State, edit: SetControl) -> Advice | None:
    if edit.at not in state.box.locations:
        hexes = join_list(state.box.locations)
        return _advice("war_chest.edits.no_location", "war_chest.edits.locations", hex=edit.at, hexes=hexes)
    gains = edit.seat is not None and state.control.get(edit.at) != edit.seat
    if edit.seat is not None and gains and state.markers(edit.seat) + 1 >= state.box.board.markers:
        return _advice("war_chest.edits.would_win", "war_chest.edits.free_one", side=_side(edit.seat))
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
