"""A position as JSON, read: a state, orders in writing, dice, as `gm judge` is asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from games.diplomacy.adjudication.retreats import refuges
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import Beaten, Phase, Province, State, Unit, split_spot, stored_options
from games.diplomacy.phrases import join_words
from games.diplomacy.position_names import PositionNames
from games.fields import Field
from games.protocol import Invalid, Options, Seat

_POSITION_KEYS = ("phase", "units", "centres", "orders", "dislodged", "contested", "options")
_CANOE_KEYS = ("canoes",)
_STORM_KEYS = ("bay_entered", "bay_from", "dice", "seed")
_TABOO_KEYS = ("taboo", "build_ban")

Fields = Mapping[str, Field]


def known_keys(variant: Variant) -> tuple[str, ...]:
    """The keys of a position; canoes, storms and the taboo have theirs on the boards that have them."""
    chart = variant.board.chart
    return (
        *_POSITION_KEYS,
        *(_CANOE_KEYS if variant.rulebook.canoes else ()),
        *(_STORM_KEYS if chart.stormy else ()),
        *(_TABOO_KEYS if chart.taboo else ()),
    )


def fields_of(variant: Variant, question: object, more: Collection[str] = ()) -> Fields:
    """The fields of a question; more: keys that are known beside a position's own. Raises Invalid."""
    fields = Field(question).entries((*known_keys(variant), *more))
    for key in ("phase", "units"):
        if key not in fields:
            raise Invalid(key, "is missing")
    return fields


def read_orders(names: PositionNames, field: Field | None) -> Mapping[Seat, Sequence[str]]:
    """The orders in writing, by power as they were given. Raises Invalid."""
    return {power: texts.texts() for power, texts in names.by_power(field, neutral=True)}


@dataclass(frozen=True)
class JudgePositionReader:
    """Reads the state of a question, on one board under the options of the game."""

    variant: Variant
    names: PositionNames
    fields: Fields

    @property
    def board(self) -> Board:
        """The board that the options make."""
        return self.variant.board

    def state(self, options: Options) -> State:
        """The position. Raises Invalid for whatever cannot be, or is missing."""
        phase = self.names.phase(self.fields["phase"])
        units = self._units()
        contested = self._read_contested(phase)
        return State(
            options=stored_options(options),
            phase=phase,
            units=units,
            centres=self._centres(),
            beaten=self._read_dislodged(phase, {unit.at: unit for unit in units}, contested),
            contested=contested,
            canoes=self._canoes(),
            bay_entered=self._bay_entered(phase, units),
            bay_from=self._bay_from(units),
            taboo=self._taboo(units),
            build_ban=self._build_ban(),
        )

    def _units(self) -> tuple[Unit, ...]:
        index, count = self.board.index, 0
        units_by_index: dict[int, Unit] = {}
        for power, texts in self.names.by_power(self.fields["units"], neutral=True):
            units = self.names.units(texts, power)
            count += len(units)
            for unit in units:
                units_by_index[index[unit.at]] = unit
        if len(units_by_index) < count:
            raise self._double_occupation()
        return tuple([units_by_index[place] for place in sorted(units_by_index)])

    def _double_occupation(self) -> Invalid:
        """Return the fault of the first unit that stands where another does."""
        seen: set[Province] = set()
        for power, texts in self.names.by_power(self.fields["units"], neutral=True):
            for number, unit in enumerate(self.names.units(texts, power)):
                if unit.at in seen:
                    return texts.at(number).wrong(f"another unit stands in {self.board.name(unit.at)}")
                seen.add(unit.at)
        raise AssertionError("nowhere do two units stand")

    def _centres(self) -> dict[Province, Seat]:
        """The owners, in board order; those at the start of a game where nothing is said of them."""
        owners: dict[Province, Seat] = {}
        if "centres" not in self.fields:
            owners = {centre: power.id for power in self.board.powers.values() for centre in power.centres}
        for power, names in self.names.by_power(self.fields.get("centres")):
            for number, centre in enumerate(self.names.places(names)):
                if self.board.places[centre].centre is None:
                    raise names.at(number).wrong(f"{self.board.name(centre)} is no supply centre")
                if centre in owners:
                    raise names.at(number).wrong(f"{owners[centre]} owns {self.board.name(centre)} already")
                owners[centre] = power
        return {centre: owners[centre] for centre in self.board.centres if centre in owners}

    def _read_contested(self, phase: Phase) -> tuple[Province, ...]:
        field = self.fields.get("contested")
        names = list(field.items()) if field else []
        if field and names and phase.kind != "R":
            raise field.wrong(f"{phase.short} is no retreat phase")
        return self.board.in_board_order(self.names.place(name, name.text()) for name in names)

    def _read_dislodged(
        self, phase: Phase, standing: Mapping[Province, Unit], contested: tuple[Province, ...]
    ) -> tuple[Beaten, ...]:
        beaten_units: dict[Province, Beaten] = {}
        for power, entries in self.names.by_power(self.fields.get("dislodged")):
            for entry in entries.items():
                if phase.kind != "R":
                    raise entry.wrong(f"{phase.short} is no retreat phase")
                beaten_unit = self._driven_out(entry, power, standing, contested)
                if beaten_unit.unit.at in beaten_units:
                    raise entry.wrong(
                        f"another unit was driven out of {self.board.name(beaten_unit.unit.at)}"
                    )
                beaten_units[beaten_unit.unit.at] = beaten_unit
        return tuple(
            sorted(beaten_units.values(), key=lambda beaten_unit: self.board.index[beaten_unit.unit.at])
        )

    def _driven_out(
        self, field: Field, power: Seat, standing: Mapping[Province, Unit], contested: tuple[Province, ...]
    ) -> Beaten:
        parts = field.entries(("unit", "by_from", "retreats"))
        if "unit" not in parts:
            raise Invalid(f"{field.path}.unit", "is missing")
        unit = self.names.unit(parts["unit"], power)
        named = parts.get("retreats")
        if "by_from" in parts:
            by_from = self.names.place(parts["by_from"], parts["by_from"].text())
        elif named is None:
            raise Invalid(f"{field.path}.by_from", "is missing, and the retreats are too")
        else:
            # Without it the attack may have come from anywhere.
            by_from = unit.at
        if named is None:
            allowed = refuges(self.board, unit, by_from, standing, contested)
            return Beaten(unit=unit, by_from=by_from, retreats=allowed)
        whence = None if self._may_be_overseas(unit, by_from, standing) else by_from
        allowed = refuges(self.board, unit, whence, standing, contested)
        return Beaten(unit=unit, by_from=by_from, retreats=self._retreats(named, unit, allowed))

    def _may_be_overseas(self, unit: Unit, by_from: Province, standing: Mapping[Province, Unit]) -> bool:
        """Whether a unit may have been beaten by an army that came by convoy, and may retreat to its origin.

        Source: DATC 4.A.5 (Rulebook.retreat_overseas).
        """
        attacker = standing.get(unit.at)
        return (
            self.variant.rulebook.retreat_overseas == "allowed"
            and "F" in self.board.kinds
            and (attacker is None or attacker.kind == "A")
            and {unit.at, by_from} <= self.board.shores
        )

    def _retreats(self, named: Field, unit: Unit, allowed: tuple[Province, ...]) -> tuple[Province, ...]:
        """The spots that a question names, in board order. Raises Invalid for one that is not allowed."""
        found: dict[Province, None] = {}
        for field in named.items():
            spot = self.names.spot(field, field.text())
            # A fleet may be told to a province without its coast: any that it reaches.
            spots = [one for one in allowed if spot in (one, split_spot(one)[0])]
            if not spots:
                there = join_words(list(map(self.board.name, allowed)), "or")
                instead = f"it can retreat to {there}" if allowed else "it can retreat nowhere: write []"
                who = f"{unit.kind} {self.board.name(unit.piece.spot)}"
                raise field.wrong(f"{who} can't retreat to {self.board.name(spot)}", instead)
            found |= dict.fromkeys(spots)
        return tuple(sorted(found, key=self._rank))

    def _rank(self, spot: Province) -> tuple[int, str]:
        at, coast = split_spot(spot)
        return self.board.index[at], coast

    def _canoes(self) -> dict[Province, int]:
        counts: dict[Province, int] = {}
        for place, count in self.names.by_place(self.fields.get("canoes")):
            if place not in self.board.shores:
                raise count.wrong(f"canoe-fleets lie on shores, and {self.board.name(place)} is none")
            counts[place] = count.number(0)
        return {place: counts[place] for place in self.board.in_board_order(counts) if counts[place]}

    def _bay_entered(self, phase: Phase, units: Sequence[Unit]) -> dict[Province, str]:
        """When each unit on stormy water went in. Raises Invalid where that is not said."""
        entered: dict[Province, str] = {}
        for place, text in self._on_stormy_water("bay_entered", units):
            when = self.names.phase(text)
            if when.kind != "M" or self._when(when) > self._when(phase):
                raise text.wrong(f"{when.short} is no movement phase up to {phase.short}")
            entered[place] = when.short
        stormy = self.board.chart.stormy
        for unit in units if stormy else ():
            if unit.at in stormy and unit.at not in entered:
                raise Invalid(f"bay_entered.{unit.at}", "is missing: in which phase did the unit go in?")
        return entered

    def _bay_from(self, units: Sequence[Unit]) -> dict[Province, Province]:
        return {
            place: self.names.place(text, text.text())
            for place, text in self._on_stormy_water("bay_from", units)
        }

    def _on_stormy_water(self, key: str, units: Sequence[Unit]) -> list[tuple[Province, Field]]:
        entries = list(self.names.by_place(self.fields.get(key)))
        afloat = {unit.at for unit in units} & set(self.board.chart.stormy) if entries else set()
        for place, field in entries:
            if place not in afloat:
                raise field.wrong(f"nobody is on stormy water in {self.board.name(place)}")
        return entries

    def _when(self, phase: Phase) -> tuple[int, int]:
        book = self.variant.rulebook
        return phase.year, book.year.index(book.step(phase))

    def _taboo(self, units: Sequence[Unit]) -> bool:
        sacred = self.board.chart.taboo
        if sacred is None:
            return False
        taboo = self.fields["taboo"].flag() if "taboo" in self.fields else True
        if taboo and any(unit.at == sacred for unit in units):
            why = f"a unit stands in {self.board.name(sacred)}, so that the taboo is broken"
            raise Invalid("taboo", why, "write false")
        return taboo

    def _build_ban(self) -> dict[Seat, int]:
        bans = {power: year.number(1) for power, year in self.names.by_power(self.fields.get("build_ban"))}
        return {power: bans[power] for power in self.board.powers if power in bans}
