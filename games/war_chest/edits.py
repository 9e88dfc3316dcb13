"""The edits that a GM may make by hand in War Chest.

Coins are neither made nor lost: each goes from one of its side's zones, or from the board, to another.
"""

from typing import Literal, get_args

from games.edit_kinds import EditKind, KindEdits, advice
from games.language import join_list
from games.messages import sentence
from games.protocol import Advice, Form, Lexicon, LexiconEntry, Seat
from games.record import replace_fields
from games.war_chest import model
from games.war_chest.board import HEXES, Hex
from games.war_chest.components import ROYAL_COIN, Coin, name, sorted_coins
from games.war_chest.model import AUTOMATON, Side, Stack, State, with_one, without
from games.war_chest.phrases import capital

Zone = Literal["bag", "hand", "face-up", "face-down", "supply", "removed"]
PUBLIC_ZONES: tuple[Zone, ...] = ("face-up", "supply", "removed")
"""The zones that everybody sees."""

CARD_ZONES: tuple[Zone, ...] = ("supply", "removed")
"""The zones that hold coins of cards only, and no Royal Coin."""


class MoveCoin(EditKind, frozen=True, kw_only=True):
    """``player Archer from bag to hand``"""

    FORMS = (
        Form(
            name="coin",
            pattern="{seat:seat} {coin:unit|coin} [coin] from [the] {start:zone} to [the] {end:zone}",
            example="player Archer from bag to hand",
        ),
    )

    seat: Seat
    coin: Coin
    start: Zone
    end: Zone

    def write(self) -> str:
        return f"{self.seat} {name(self.coin)} from {self.start} to {self.end}"

    def check(self, state: State) -> Advice | None:
        return _leaving(state, self.seat, self.coin, self.start) or _arriving(
            state, self.seat, self.coin, self.start, self.end
        )

    def apply(self, state: State) -> State:
        side = _take_from_zone(state.sides[self.seat], self.coin, self.start)
        return state.with_side(self.seat, _put(side, self.coin, self.end))

    def describe(self, viewer: Seat | None) -> str:
        seen = viewer == self.seat or self.seat == AUTOMATON or {self.start, self.end} & set(PUBLIC_ZONES)
        slug = "war_chest.edits.coin_moved_openly" if seen else "war_chest.edits.coin_moved"
        return sentence(slug, side=_side(self.seat), start=self.start, end=self.end, coin=name(self.coin))


class PlaceCoin(EditKind, frozen=True, kw_only=True):
    """``place player Archer on d4 from supply``: a new unit, or one coin more for the unit there."""

    FORMS = (
        Form(
            name="place",
            pattern="place {seat:seat} {coin:unit} (on|at|in) {at:hex} from [the] {start:zone}",
            example="place player Archer on d4 from supply",
        ),
    )

    seat: Seat
    coin: Coin
    at: Hex
    start: Zone

    def write(self) -> str:
        return f"place {self.seat} {name(self.coin)} on {self.at} from {self.start}"

    def check(self, state: State) -> Advice | None:
        return _leaving(state, self.seat, self.coin, self.start) or self._check_hex(state)

    def _check_hex(self, state: State) -> Advice | None:
        there = state.stack_at(self.at)
        if there is not None and (there.seat, there.card) != (self.seat, self.coin):
            return advice("war_chest.edits.occupied", "war_chest.edits.move_first", hex=self.at)
        units = state.units(self.seat, self.coin)
        if there is None and len(units) >= state.box.units[self.coin].most_on_board:
            hexes = join_list(stack.at for stack in units)
            side, unit = _side(self.seat), name(self.coin)
            return advice("war_chest.edits.on_board", side=side, unit=unit, hexes=hexes)
        return None

    def apply(self, state: State) -> State:
        side = _take_from_zone(state.sides[self.seat], self.coin, self.start)
        return _change_height(state.with_side(self.seat, side), self.at, 1, self.seat, self.coin)

    def describe(self, viewer: Seat | None) -> str:
        side, coin = _side(self.seat), name(self.coin)
        return sentence("war_chest.edits.coin_placed", side=side, hex=self.at, coin=coin, start=self.start)


class TakeCoin(EditKind, frozen=True, kw_only=True):
    """``take d4 to supply``: one coin of the unit there."""

    FORMS = (
        Form(
            name="take",
            pattern="take [a coin] [off|from] {at:hex} to [the] {end:zone}",
            example="take d4 to supply",
        ),
    )
    TEXT = "take {at} to {end}"

    at: Hex
    end: Zone

    def check(self, state: State) -> Advice | None:
        stack = state.stack_at(self.at)
        if stack is None:
            return advice("war_chest.edits.no_unit", hex=self.at)
        return _arriving(state, stack.seat, stack.card, None, self.end)

    def apply(self, state: State) -> State:
        stack = state.stack_at(self.at)
        assert stack is not None, "the edit was checked"
        side = _put(state.sides[stack.seat], stack.card, self.end)
        return _change_height(state.with_side(stack.seat, side), self.at, -1, stack.seat, stack.card)

    def describe(self, viewer: Seat | None) -> str:
        return sentence("war_chest.edits.coin_taken", hex=self.at, end=self.end)


class MoveUnit(EditKind, frozen=True, kw_only=True):
    """``move d4 to e5``"""

    FORMS = (Form(name="move", pattern="move {at:hex} (to|-) {to:hex}", example="move d4 to e5"),)
    TEXT = "move {at} to {to}"

    at: Hex
    to: Hex

    def check(self, state: State) -> Advice | None:
        if state.stack_at(self.at) is None:
            return advice("war_chest.edits.no_unit", hex=self.at)
        return advice("war_chest.edits.occupied", hex=self.to) if state.stack_at(self.to) else None

    def apply(self, state: State) -> State:
        stack = state.stack_at(self.at)
        assert stack is not None, "the edit was checked"
        return state.without_stack(self.at).with_stack(replace_fields(stack, at=self.to))

    def describe(self, viewer: Seat | None) -> str:
        return sentence("war_chest.edits.unit_moved", start=self.at, hex=self.to)


class SetControl(EditKind, frozen=True, kw_only=True):
    """``player controls d4``, ``free d4`` (seat None)"""

    FORMS = (
        Form(name="control", pattern="{seat:seat} controls {at:hex}", example="player controls b3"),
        Form(name="free", pattern="(free|nobody controls) {at:hex}", example="free b3"),
    )

    at: Hex
    seat: Seat | None = None

    def write(self) -> str:
        return f"{self.seat} controls {self.at}" if self.seat else f"free {self.at}"

    def check(self, state: State) -> Advice | None:
        if self.at not in state.box.locations:
            hexes = join_list(state.box.locations)
            return advice(
                "war_chest.edits.no_location", "war_chest.edits.locations", hex=self.at, hexes=hexes
            )
        gains = self.seat is not None and state.control.get(self.at) != self.seat
        if self.seat is not None and gains and state.markers(self.seat) + 1 >= state.box.board.markers:
            return advice("war_chest.edits.would_win", "war_chest.edits.free_one", side=_side(self.seat))
        return None

    def apply(self, state: State) -> State:
        others = {at: owner for at, owner in state.control.items() if at != self.at}
        return replace_fields(state, control={**others, self.at: self.seat} if self.seat else others)

    def describe(self, viewer: Seat | None) -> str:
        if self.seat is None:
            return sentence("war_chest.edits.freed", hex=self.at)
        return sentence("war_chest.edits.controlled", side=capital(_side(self.seat)), hex=self.at)


class WarChestEdits(KindEdits[State]):
    """The edits of War Chest. None is possible during the draft or in the middle of a turn."""

    kinds = (MoveCoin, PlaceCoin, TakeCoin, MoveUnit, SetControl)

    def lexicon(self, state: State) -> Lexicon:
        """Return units, the Royal Coin, hexes, zones and sides. A game of two players has gold and silver."""
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

    def check(self, state: State, edit: EditKind) -> Advice | None:
        if state.picks:
            return advice("war_chest.edits.draft", "war_chest.edits.wait_for_deal")
        if state.agenda:
            return advice("war_chest.edits.half_played", "war_chest.edits.play_turn")
        return super().check(state, edit)


def _side(seat: Seat) -> str:
    return sentence(f"war_chest.edit_sides.{seat}")


def _leaving(state: State, seat: Seat, coin: Coin, start: Zone) -> Advice | None:
    """Return why a coin cannot leave a zone."""
    side = state.sides[seat]
    there = _coins(side, start)
    if coin not in there:
        problem = "war_chest.edits.no_royal_coin" if coin == ROYAL_COIN else "war_chest.edits.no_coin"
        instead = "war_chest.edits.coins_there" if there else "war_chest.edits.no_coins_there"
        coins = join_list(map(name, dict.fromkeys(there)))
        return advice(problem, instead, side=_side(seat), coin=name(coin), zone=start, coins=coins)
    if start == "hand" and state.mover == seat and len(side.hand) == 1:
        return advice("war_chest.edits.last_in_hand", side=_side(seat))
    return None


def _arriving(state: State, seat: Seat, coin: Coin, start: Zone | None, end: Zone) -> Advice | None:
    """Return why a coin cannot come into a zone."""
    if start == end:
        return advice("war_chest.edits.there_already")
    if end in CARD_ZONES and coin == ROYAL_COIN:
        return advice("war_chest.edits.never_royal", "war_chest.edits.royal_zones", zone=end)
    if end == "hand" and seat == AUTOMATON:
        return advice("war_chest.edits.no_hand", "war_chest.edits.into_bag")
    most = state.box.board.hand
    if end == "hand" and len(state.sides[seat].hand) >= most:
        return advice("war_chest.edits.hand_full", "war_chest.edits.take_out", side=_side(seat), count=most)
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
    height = there.height + more
    return state.with_stack(replace_fields(there, height=height)) if height else state.without_stack(at)
