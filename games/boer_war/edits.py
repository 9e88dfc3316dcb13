"""Changes of a position by the GM (`gm edit`)."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from games.boer_war import notation
from games.boer_war.components import LeaderId, Link, Point, Side
from games.boer_war.model import (
    SIDE_NAMES,
    LeaderStanding,
    State,
    capacity,
    enemy_of,
    in_box_order,
    is_held,
    side_of,
    sp_at,
)
from games.boer_war.notation import in_map_order, leader_name, place_name
from games.boer_war.phrases import link_name, number_in_words, the_side
from games.edit_kinds import EditKind, KindEdits
from games.messages import sentence
from games.own_box import DATA
from games.pool import RoundCounters
from games.protocol import Advice, Form, Lexicon, Seat
from games.record import replace_fields

MarkerName = Literal["cut", "blockhouse"]
StockName = Literal["pool", "scattered"]
TallyName = Literal["recruit pool", "R"]

_LINK_PATTERN = "{a1:point} [(-|to|and)] {b1:point}"
_CONTROL_ADJECTIVES: Mapping[Side, str] = {"boers": "Boer", "empire": "Empire"}
_FULL_COUNTERS = RoundCounters()


class BoerWarEdit(EditKind, frozen=True, kw_only=True):
    """An edit of this game. SET_BY_FORM: the fields that the name of a form sets."""

    SET_BY_FORM: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        values = {**slots, **cls.SET_BY_FORM.get(slots["form"], {})}
        return cls(**{name: values[name] for name in cls.__struct_fields__})


class PutLeader(BoerWarEdit, frozen=True, kw_only=True):
    """A leader at a point with SP: ``BUL at DUR with 3``. Boers in a town of the Empire begin a siege."""

    FORMS = (
        Form(
            name="leader",
            pattern="{leader:leader} (at|to|in) {at:point} with {sp:number} [sp]",
            example="BUL at DUR with 3",
        ),
    )
    TEXT = "{leader} at {at} with {sp}"

    leader: LeaderId
    at: Point
    sp: int

    def check(self, state: State) -> Advice | None:
        side, room = side_of(self.leader), capacity(state, self.leader)
        if not 1 <= self.sp <= room:
            instead = f"{self.leader} at {self.at} with {room}"
            return _advice("boer_war.edit_errors.leader_sp", instead, leader=self.leader, most=room)
        foes = enemy_of(side)
        can_begin = side == "boers" and state.board.places[self.at].is_siege_town and not state.is_guerrilla
        if is_held(state, self.at, foes) and not (can_begin or self.at in state.sieges):
            held = "boer_war.edit_errors.held_without_siege"
            return _advice(held, at=place_name(self.at), side=the_side(foes))
        return None

    def apply(self, state: State) -> State:
        leader, side = self.leader, side_of(self.leader)
        there = state.leaders.get(leader)
        before = there.sp if there else 0
        after = replace_fields(
            state,
            leaders={**state.leaders, leader: LeaderStanding(at=self.at, sp=self.sp)},
            boxes={**state.boxes, side: tuple(other for other in state.boxes[side] if other != leader)},
            gone=tuple(other for other in state.gone if other != leader),
            brought=_add_brought(state, side, self.sp - before),
        )
        if side == "boers" and is_held(after, self.at, "empire") and self.at not in after.sieges:
            after = replace_fields(after, sieges={**after.sieges, self.at: 0})
        return _remove_unmanned(after, there.at) if there and there.at != self.at else after

    def describe(self, viewer: Seat | None) -> str:
        leader, at = leader_name(self.leader), place_name(self.at)
        return sentence("boer_war.edits.leader_put", leader=leader, at=at, sp=self.sp)


class DropLeader(BoerWarEdit, frozen=True, kw_only=True):
    """A leader and their SP off the map: ``BUL to the box``, ``BUL out of the game``."""

    FORMS = (
        Form(name="box", pattern="{leader:leader} (to|in|into) [the] box", example="BUL to the box"),
        Form(name="out", pattern="{leader:leader} out [of the game]", example="GAT out of the game"),
    )
    SET_BY_FORM = {"box": {"to": "box"}, "out": {"to": "out"}}

    leader: LeaderId
    to: Literal["box", "out"]

    def write(self) -> str:
        return f"{self.leader} {'to the box' if self.to == 'box' else 'out of the game'}"

    def check(self, state: State) -> Advice | None:
        if self.to == "out" and self.leader in state.gone:
            return _advice("boer_war.edit_errors.out_already", leader=leader_name(self.leader))
        if self.to == "box" and self.leader in state.boxes[side_of(self.leader)]:
            return _advice("boer_war.edit_errors.boxed_already", leader=leader_name(self.leader))
        return None

    def apply(self, state: State) -> State:
        leader, side = self.leader, side_of(self.leader)
        there = state.leaders.get(leader)
        box = [other for other in state.boxes[side] if other != leader]
        gone = tuple(other for other in state.gone if other != leader)
        after = replace_fields(
            state,
            leaders={other: stands for other, stands in state.leaders.items() if other != leader},
            boxes={**state.boxes, side: in_box_order([*box, leader]) if self.to == "box" else tuple(box)},
            gone=(*gone, leader) if self.to == "out" else gone,
            standing=tuple(other for other in state.standing if other != leader),
            shaken=tuple(other for other in state.shaken if other != leader),
            brought=_add_brought(state, side, -there.sp if there else 0),
        )
        return _remove_unmanned(after, there.at) if there else after

    def describe(self, viewer: Seat | None) -> str:
        return sentence(f"boer_war.leader_dropped.{self.to}", leader=leader_name(self.leader))


class SetGarrison(BoerWarEdit, frozen=True, kw_only=True):
    """The SP of a garrison, 0 for none: ``garrison of DUR 2``."""

    FORMS = (
        Form(
            name="garrison",
            pattern="garrison [of|at|in] {at:point} [with] {sp:number} [sp]",
            example="garrison of DUR 2",
        ),
    )
    TEXT = "garrison of {at} {sp}"

    at: Point
    sp: int

    def check(self, state: State) -> Advice | None:
        if is_held(state, self.at, "boers") and self.at not in state.sieges:
            return _advice("boer_war.edit_errors.held", at=place_name(self.at), side=the_side("boers"))
        return None

    def apply(self, state: State) -> State:
        others = {point: sp for point, sp in state.garrisons.items() if point != self.at}
        after = replace_fields(
            state,
            garrisons={**others, self.at: self.sp} if self.sp else others,
            brought=_add_brought(state, "empire", self.sp - state.garrisons.get(self.at, 0)),
        )
        return _remove_unmanned(after, self.at)

    def describe(self, viewer: Seat | None) -> str:
        return sentence("boer_war.edits.garrison_set", at=place_name(self.at), sp=self.sp)


class SetControl(BoerWarEdit, frozen=True, kw_only=True):
    """The control of a point: ``COL is Boer``."""

    FORMS = (
        Form(name="control", pattern="{at:point} (is|to|under) [the] {side:side}", example="COL is Boer"),
    )

    at: Point
    side: Side

    def write(self) -> str:
        return f"{self.at} is {_CONTROL_ADJECTIVES[self.side]}"

    def check(self, state: State) -> Advice | None:
        foe, at = enemy_of(self.side), place_name(self.at)
        if is_held(state, self.at, foe) and self.at not in state.sieges:
            return _advice("boer_war.edit_errors.held", at=at, side=the_side(foe))
        if self.at in state.sieges and self.side == "boers":
            return _advice("boer_war.edit_errors.besieged", at=at)
        if state.control[self.at] == self.side:
            return _advice(f"boer_war.{self.side}.controls_already", at=at)
        return None

    def apply(self, state: State) -> State:
        return replace_fields(state, control={**state.control, self.at: self.side})

    def describe(self, viewer: Seat | None) -> str:
        return sentence(f"boer_war.{self.side}.control_set", at=place_name(self.at))


class SetMark(BoerWarEdit, frozen=True, kw_only=True):
    """A marker on a link: ``cut ORS-MOD``, ``no cut ORS-MOD``, ``blockhouse KRO-VER``.

    lies: true to set the marker, false to remove it.
    """

    FORMS = (
        Form(name="cut", pattern=f"cut {_LINK_PATTERN}", example="cut ORS-MOD"),
        Form(name="no-cut", pattern=f"(no cut|mend|repair) {_LINK_PATTERN}", example="no cut ORS-MOD"),
        Form(name="blockhouse", pattern=f"blockhouse {_LINK_PATTERN}", example="blockhouse KRO-VER"),
        Form(name="no-blockhouse", pattern=f"no blockhouse {_LINK_PATTERN}", example="no blockhouse KRO-VER"),
    )

    mark: MarkerName
    link: Link
    lies: bool

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        mark, link = slots["form"].removeprefix("no-"), Link(f"{slots['a1']}-{slots['b1']}")
        return cls(mark=mark, link=link, lies=not slots["form"].startswith("no-"))

    def write(self) -> str:
        return _with_no(self.lies, f"{self.mark} {self.link}")

    def check(self, state: State) -> Advice | None:
        way = state.board.links.get(self.link)
        if way is None or not way.rail:
            return _advice("boer_war.edit_errors.no_railway", link=self.link)
        there = self.link in (state.cuts if self.mark == "cut" else state.blockhouses)
        if there == self.lies:
            table = "marker_there" if there else "marker_missing"
            return _advice(f"boer_war.{table}.{self.mark}", link=link_name(self.link))
        most = state.box.numbers.markers.blockhouses
        if self.lies and self.mark == "blockhouse" and len(state.blockhouses) >= most:
            return _advice("boer_war.edit_errors.too_many_blockhouses", most=most)
        return None

    def apply(self, state: State) -> State:
        field = "cuts" if self.mark == "cut" else "blockhouses"
        others = tuple(other for other in getattr(state, field) if other != self.link)
        return replace_fields(state, **{field: (*others, self.link) if self.lies else others})

    def describe(self, viewer: Seat | None) -> str:
        table = "marker_set" if self.lies else "marker_removed"
        return sentence(f"boer_war.{table}.{self.mark}", link=link_name(self.link))


class SetCamp(BoerWarEdit, frozen=True, kw_only=True):
    """A camp marker: ``camp KRO``, ``no camp KRO``. lies: true to set it, false to remove it."""

    FORMS = (
        Form(name="camp", pattern="camp [at|in] {at:point}", example="camp KRO"),
        Form(name="no-camp", pattern="no camp [at|in] {at:point}", example="no camp KRO"),
    )
    SET_BY_FORM = {"camp": {"lies": True}, "no-camp": {"lies": False}}

    at: Point
    lies: bool

    def write(self) -> str:
        return _with_no(self.lies, f"camp {self.at}")

    def check(self, state: State) -> Advice | None:
        at = place_name(self.at)
        if "camp site" not in state.board.places[self.at].flags:
            return _advice("boer_war.edit_errors.no_camp_site", at=at)
        if self.lies and not state.is_guerrilla:
            return _advice("boer_war.edit_errors.camps_too_early")
        if (self.at in state.camps) == self.lies:
            slug = "boer_war.edit_errors.camp_there" if self.lies else "boer_war.edit_errors.camp_missing"
            return _advice(slug, at=at)
        most = state.box.numbers.markers.camps
        if self.lies and len(state.camps) >= most:
            return _advice("boer_war.edit_errors.too_many_camps", most=most)
        return None

    def apply(self, state: State) -> State:
        others = tuple(camp for camp in state.camps if camp != self.at)
        return replace_fields(state, camps=(*others, self.at) if self.lies else others)

    def describe(self, viewer: Seat | None) -> str:
        slug = "boer_war.edits.camp_set" if self.lies else "boer_war.edits.camp_removed"
        return sentence(slug, at=place_name(self.at))


class SetTrench(BoerWarEdit, frozen=True, kw_only=True):
    """An entrenchment: ``entrench COS Boers``, ``no entrenchment COS Boers``. lies: true to set it."""

    FORMS = (
        Form(
            name="trench", pattern="entrench {at:point} [for] [the] {side:side}", example="entrench COS Boers"
        ),
        Form(
            name="no-trench",
            pattern="no entrenchment [at|in] {at:point} [for] [the] {side:side}",
            example="no entrenchment COS Boers",
        ),
    )
    SET_BY_FORM = {"trench": {"lies": True}, "no-trench": {"lies": False}}

    at: Point
    side: Side
    lies: bool

    def write(self) -> str:
        return f"{'entrench' if self.lies else 'no entrenchment'} {self.at} {SIDE_NAMES[self.side]}"

    def check(self, state: State) -> Advice | None:
        at = place_name(self.at)
        if not is_held(state, self.at, self.side):
            return _advice("boer_war.edit_errors.no_sp", side=the_side(self.side), at=at)
        if (self.at in state.trenches[self.side]) == self.lies:
            slug = "boer_war.edit_errors.entrenched" if self.lies else "boer_war.edit_errors.not_entrenched"
            return _advice(slug, at=at)
        return None

    def apply(self, state: State) -> State:
        others = tuple(trench for trench in state.trenches[self.side] if trench != self.at)
        dug = (*others, self.at) if self.lies else others
        return replace_fields(state, trenches={**state.trenches, self.side: dug})

    def describe(self, viewer: Seat | None) -> str:
        slug = "boer_war.edits.trench_set" if self.lies else "boer_war.edits.trench_removed"
        return sentence(slug, side=the_side(self.side), at=place_name(self.at))


class SetSiege(BoerWarEdit, frozen=True, kw_only=True):
    """The level of a siege: ``siege LAD 2``."""

    FORMS = (
        Form(name="siege", pattern="siege [of] {at:point} [at|level] {sp:number}", example="siege LAD 2"),
    )
    TEXT = "siege {at} {level}"

    at: Point
    level: int

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        return cls(at=slots["at"], level=slots["sp"])

    def check(self, state: State) -> Advice | None:
        if self.at not in state.sieges:
            return _advice("boer_war.edit_errors.no_siege", at=place_name(self.at))
        falls = state.board.places[self.at].resistance
        if self.level >= falls:
            at, instead = place_name(self.at), f"siege {self.at} {falls - 1}"
            return _advice("boer_war.edit_errors.siege_level", instead, at=at, level=falls)
        return None

    def apply(self, state: State) -> State:
        return replace_fields(state, sieges={**state.sieges, self.at: self.level})

    def describe(self, viewer: Seat | None) -> str:
        return sentence("boer_war.edits.siege_set", at=place_name(self.at), level=self.level)


class SetStock(BoerWarEdit, frozen=True, kw_only=True):
    """The SP of a pool or a Scattered box: ``Empire pool 5``, ``Boers scattered 3``."""

    FORMS = (
        Form(name="pool", pattern="{side:side} pool {sp:number} [sp]", example="Empire pool 5"),
        Form(name="scattered", pattern="{side:side} scattered {sp:number} [sp]", example="Boers scattered 3"),
    )
    SET_BY_FORM = {"pool": {"stock": "pool"}, "scattered": {"stock": "scattered"}}

    stock: StockName
    side: Side
    sp: int

    def write(self) -> str:
        return f"{SIDE_NAMES[self.side]} {self.stock} {self.sp}"

    def check(self, state: State) -> Advice | None:
        if self.stock == "pool" and self.side == "boers" and state.is_guerrilla:
            return _advice("boer_war.edit_errors.boers_recruit", "recruit pool 10")
        return None

    def apply(self, state: State) -> State:
        field = "pools" if self.stock == "pool" else "scattered"
        now = getattr(state, field)
        brought = _add_brought(state, self.side, self.sp - now[self.side])
        return replace_fields(state, brought=brought, **{field: {**now, self.side: self.sp}})

    def describe(self, viewer: Seat | None) -> str:
        return sentence(f"boer_war.stock_set.{self.stock}", side=SIDE_NAMES[self.side], sp=self.sp)


class SetTally(BoerWarEdit, frozen=True, kw_only=True):
    """The recruit pool or the number of recruits: ``recruit pool 10``, ``R 4``."""

    FORMS = (
        Form(name="recruits", pattern="recruit pool {sp:number} [sp]", example="recruit pool 10"),
        Form(name="r", pattern="r {sp:number}", example="R 4"),
    )
    TEXT = "{tally} {number}"

    tally: TallyName
    number: int

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        return cls(tally="R" if slots["form"] == "r" else "recruit pool", number=slots["sp"])

    def check(self, state: State) -> Advice | None:
        if state.is_guerrilla:
            return None
        return _advice("boer_war.edit_errors.tally_too_early", tally=self.tally)

    def apply(self, state: State) -> State:
        if self.tally == "R":
            return replace_fields(state, recruits=self.number)
        more = _add_brought(state, "boers", self.number - state.recruit_pool)
        return replace_fields(state, recruit_pool=self.number, brought=more)

    def describe(self, viewer: Seat | None) -> str:
        slug = "boer_war.edits.recruits_set" if self.tally == "R" else "boer_war.edits.recruit_pool_set"
        return sentence(slug, number=self.number)


class SetCounters(BoerWarEdit, frozen=True, kw_only=True):
    """The face-up counters of one, two and three actions: ``Boers counters 2 3 1``.

    Each number has a limit, and the number of rounds left can't change.
    """

    FORMS = (
        Form(
            name="counters",
            pattern="{side:side} counters {ones:number} {twos:number} {threes:number}",
            example="Boers counters 2 3 1",
        ),
    )

    side: Side
    counters: RoundCounters

    @classmethod
    def from_slots(cls, slots: Mapping[str, Any]) -> Self:
        counters = RoundCounters(ones=slots["ones"], twos=slots["twos"], threes=slots["threes"])
        return cls(side=slots["side"], counters=counters)

    def write(self) -> str:
        counters = self.counters
        return f"{SIDE_NAMES[self.side]} counters {counters.ones} {counters.twos} {counters.threes}"

    def check(self, state: State) -> Advice | None:
        for name, number in (("ones", 1), ("twos", 2), ("threes", 3)):
            most = getattr(_FULL_COUNTERS, name)
            if getattr(self.counters, name) > most:
                word = number_in_words(number)
                return _advice("boer_war.edit_errors.too_many_counters", most=most, number=word)
        rounds, rounds_left = self.counters.rounds, state.counters[self.side].rounds
        if rounds != rounds_left:
            wrong, side = "boer_war.edit_errors.wrong_rounds", the_side(self.side)
            return _advice(wrong, rounds=rounds, side=side, rounds_left=rounds_left)
        if self.side == state.side and state.done == 2 and not self.counters.twos + self.counters.threes:
            return _advice("boer_war.edit_errors.two_or_three_needed")
        return None

    def apply(self, state: State) -> State:
        return replace_fields(state, counters={**state.counters, self.side: self.counters})

    def describe(self, viewer: Seat | None) -> str:
        return sentence(
            "boer_war.edits.counters_set",
            side=SIDE_NAMES[self.side],
            ones=self.counters.ones,
            twos=self.counters.twos,
            threes=self.counters.threes,
        )


class BoerWarEdits(KindEdits[State]):
    """The changes that a GM can make. At the player's own table only the counters can change."""

    kinds = (
        PutLeader,
        DropLeader,
        SetGarrison,
        SetControl,
        SetMark,
        SetCamp,
        SetTrench,
        SetSiege,
        SetStock,
        SetTally,
        SetCounters,
    )

    def lexicon(self, state: State) -> Lexicon:
        """Return the names that orders and changes can contain."""
        return notation.order_lexicon(state.options.get(DATA))

    def build(self, state: State, form: str, slots: Mapping[str, str]) -> EditKind:
        """Return the edit of a matched form. Its class gets numbers as such, and the name of the form."""
        placed = in_map_order(state.board, slots)
        numbers: dict[str, Any] = {name: int(text) for name, text in slots.items() if text.isdecimal()}
        return super().build(state, form, {**placed, **numbers, "form": form})

    def check(self, state: State, edit: EditKind) -> Advice | None:
        if state.ended is not None:
            return _advice("boer_war.edit_errors.game_over")
        if state.mode == "table" and not isinstance(edit, SetCounters):
            return _advice("boer_war.edit_errors.own_table")
        return super().check(state, edit)


def _advice(problem: str, instead: str | None = None, /, **values: object) -> Advice:
    return Advice(problem=sentence(problem, **values), instead=instead)


def _with_no(is_set: bool, text: str) -> str:
    return text if is_set else f"no {text}"


def _add_brought(state: State, side: Side, sp: int) -> dict[Side, int]:
    return {**state.brought, side: state.brought[side] + sp}


def _remove_unmanned(state: State, point: Point) -> State:
    """Return the state without an entrenchment or siege at a point that has no forces for it any more."""
    trenches = {
        side: tuple(trench for trench in dug if trench != point or is_held(state, point, side))
        for side, dug in state.trenches.items()
    }
    after = replace_fields(state, trenches=trenches)
    if point in state.sieges and not all(sp_at(state, point, side) for side in ("boers", "empire")):
        sieges = {town: level for town, level in state.sieges.items() if town != point}
        kept = {event: what for event, what in state.kept.items() if what != point}
        after = replace_fields(after, sieges=sieges, kept=kept)
    return after
