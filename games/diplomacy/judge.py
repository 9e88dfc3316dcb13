"""Answers `gm judge`: reads a position as JSON with orders and dice, and returns the results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from games import language
from games.diplomacy.adjudication.retreats import refuges
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import RULINGS, Variant
from games.diplomacy.events import AnyEvent, Resolved, StormThrown
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Beaten,
    Destroy,
    Phase,
    Province,
    State,
    Unit,
    View,
    split_spot,
    stored_options,
)
from games.diplomacy.notation import DiplomacyNotation, PositionNames
from games.diplomacy.phrases import nation, why
from games.json_reader import JsonReader, read_at, read_each
from games.judging import DieNumber, FirstDice, GivenDice, JudgeKeys
from games.messages import sentence
from games.options import read_options
from games.protocol import Bot, GameOption, Invalid, Options, OrderTextParser, ParsedOrderText, Rules, Seat
from games.record import Bounds, Value


class _DrivenOut(Value, frozen=True):
    unit: str
    by_from: str | None = None
    retreats: tuple[str, ...] | None = None


class _Position(Value, frozen=True):
    """A question. Orders belong to it, and a bot's answer ignores them."""

    phase: str
    units: dict[str, tuple[str, ...]]
    centres: dict[str, tuple[str, ...]] | None = None
    orders: dict[str, tuple[str, ...]] = {}
    dislodged: dict[str, tuple[_DrivenOut, ...]] = {}
    contested: tuple[str, ...] = ()
    options: dict[str, str | int | bool] = {}


class _Canoes(Value, frozen=True):
    canoes: dict[str, int] = {}


class _Storms(Value, frozen=True):
    bay_entered: dict[str, str] = {}
    bay_from: dict[str, str] = {}
    dice: dict[str, DieNumber | tuple[DieNumber, ...]] = {}
    seed: int | str | None = None


class _Taboo(Value, frozen=True):
    taboo: bool = True
    build_ban: dict[str, Annotated[int, Bounds(ge=-9999)]] = {}


Values = Mapping[str, Any]


def make_reader(variant: Variant) -> JsonReader:
    """Return a reader of questions. Canoes, storms and the taboo have keys on boards that have them."""
    chart = variant.board.chart
    kinds = ((_Canoes, variant.rulebook.canoes), (_Storms, chart.stormy), (_Taboo, chart.taboo))
    return JsonReader(_Position, *(kind for kind, exists in kinds if exists), names={})


def read_orders(names: PositionNames, values: Values) -> Mapping[Seat, Sequence[str]]:
    """Return the orders' texts by power, in the order given. Raises Invalid."""
    entries = names.read_by_power("orders", values.get("orders", {}), neutral=True)
    return {power: texts for power, _, texts in entries}


@dataclass(frozen=True)
class JudgePositionReader:
    """Reads the state of a question, on one board under the options of the game."""

    variant: Variant
    names: PositionNames
    values: Values

    @property
    def board(self) -> Board:
        """Return the board under the options."""
        return self.variant.board

    def state(self, options: Options) -> State:
        """Return the position. Raises Invalid for an entry that is impossible or missing."""
        phase = read_at("phase", self.names.phase, self.values["phase"])
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
            bay_from={
                place: read_at(path, self.names.place, name)
                for place, path, name in self._on_stormy_water("bay_from", units)
            },
            taboo=self._taboo(units),
            build_ban=self._build_ban(),
        )

    def _units(self) -> tuple[Unit, ...]:
        index, count = self.board.index, 0
        units_by_index: dict[int, Unit] = {}
        for power, path, texts in self.names.read_by_power("units", self.values["units"], neutral=True):
            units = self.names.units(path, texts, power)
            count += len(units)
            for unit in units:
                units_by_index[index[unit.at]] = unit
        if len(units_by_index) < count:
            raise self._double_occupation()
        return tuple([units_by_index[place] for place in sorted(units_by_index)])

    def _double_occupation(self) -> Invalid:
        """Return the error of the first unit in a province with another unit."""
        seen: set[Province] = set()
        for power, path, texts in self.names.read_by_power("units", self.values["units"], neutral=True):
            for number, unit in enumerate(self.names.units(path, texts, power)):
                if unit.at in seen:
                    where = self.board.name(unit.at)
                    return Invalid(f"{path}[{number}]", sentence("diplomacy.judge.occupied", place=where))
                seen.add(unit.at)
        raise AssertionError("no two units are in one province")

    def _centres(self) -> dict[Province, Seat]:
        """Return the owners in board order. If the question has none, they are those of the start."""
        owners: dict[Province, Seat] = {}
        if "centres" not in self.values:
            owners = dict(self.board.owners_at_start)
        for power, path, names in self.names.read_by_power("centres", self.values.get("centres", {})):
            for number, centre in enumerate(self.names.places(path, names)):
                name = self.board.name(centre)
                if self.board.places[centre].centre is None:
                    why = sentence("diplomacy.places.not_a_centre", place=name)
                    raise Invalid(f"{path}[{number}]", why)
                if centre in owners:
                    owned = sentence("diplomacy.judge.owned", power=owners[centre], place=name)
                    raise Invalid(f"{path}[{number}]", owned)
                owners[centre] = power
        return {centre: owners[centre] for centre in self.board.centres if centre in owners}

    def _read_contested(self, phase: Phase) -> tuple[Province, ...]:
        names = self.values.get("contested", ())
        if names and phase.kind != "R":
            raise Invalid("contested", sentence("diplomacy.judge.not_retreats", phase=phase.short))
        return self.board.in_board_order(self.names.places("contested", names))

    def _read_dislodged(
        self, phase: Phase, standing: Mapping[Province, Unit], contested: tuple[Province, ...]
    ) -> tuple[Beaten, ...]:
        dislodged: Mapping[str, Sequence[Values]] = self.values.get("dislodged", {})
        beaten_units: dict[Province, Beaten] = {}
        for power, path, entries in self.names.read_by_power("dislodged", dislodged):
            for number, entry in enumerate(entries):
                at = f"{path}[{number}]"
                if phase.kind != "R":
                    raise Invalid(at, sentence("diplomacy.judge.not_retreats", phase=phase.short))
                beaten_unit = self._driven_out(at, entry, power, standing, contested)
                if beaten_unit.unit.at in beaten_units:
                    where = self.board.name(beaten_unit.unit.at)
                    raise Invalid(at, sentence("diplomacy.judge.dislodged_twice", place=where))
                beaten_units[beaten_unit.unit.at] = beaten_unit
        return tuple(
            sorted(beaten_units.values(), key=lambda beaten_unit: self.board.index[beaten_unit.unit.at])
        )

    def _driven_out(
        self,
        path: str,
        entry: Values,
        power: Seat,
        standing: Mapping[Province, Unit],
        contested: tuple[Province, ...],
    ) -> Beaten:
        unit = read_at(f"{path}.unit", self.names.unit, entry["unit"], power)
        named = entry.get("retreats")
        if "by_from" in entry:
            by_from = read_at(f"{path}.by_from", self.names.place, entry["by_from"])
        elif named is None:
            raise Invalid(f"{path}.by_from", sentence("diplomacy.judge.missing_origin"))
        else:
            # Without this key the attack may have come from anywhere.
            by_from = unit.at
        if named is None:
            allowed = refuges(self.board, unit, by_from, standing, contested)
            return Beaten(unit=unit, by_from=by_from, retreats=allowed)
        whence = None if self._may_be_overseas(unit, by_from, standing) else by_from
        allowed = refuges(self.board, unit, whence, standing, contested)
        retreats = self._retreats(f"{path}.retreats", named, unit, allowed)
        return Beaten(unit=unit, by_from=by_from, retreats=retreats)

    def _may_be_overseas(self, unit: Unit, by_from: Province, standing: Mapping[Province, Unit]) -> bool:
        """Return whether the attacker may have come by convoy, so that its origin is a possible retreat.

        Source: DATC 4.A.5 (Rulebook.retreat_overseas).
        """
        attacker = standing.get(unit.at)
        return (
            self.variant.rulebook.retreat_overseas == "allowed"
            and "F" in self.board.kinds
            and (attacker is None or attacker.kind == "A")
            and {unit.at, by_from} <= self.board.shores
        )

    def _retreats(
        self, path: str, named: Sequence[str], unit: Unit, allowed: tuple[Province, ...]
    ) -> tuple[Province, ...]:
        """Return the spots that a question names, in board order. Raises Invalid for an impossible one."""
        retreats: dict[Province, None] = {}
        for number, spot in enumerate(read_each(path, self.names.spot, named)):
            # A province without a coast means any coast that the fleet reaches.
            spots = [
                allowed_spot
                for allowed_spot in allowed
                if spot in (allowed_spot, split_spot(allowed_spot)[0])
            ]
            if not spots:
                there = language.join_list(map(self.board.name, allowed), "or")
                slug = "diplomacy.judge.can_retreat" if allowed else "diplomacy.judge.retreats_nowhere"
                name = f"{unit.kind} {self.board.name(unit.spot)}"
                raise Invalid(
                    f"{path}[{number}]",
                    sentence("diplomacy.judge.no_retreat", unit=name, place=self.board.name(spot)),
                    sentence(slug, places=there),
                )
            retreats |= dict.fromkeys(spots)
        return tuple(sorted(retreats, key=self._rank))

    def _rank(self, spot: Province) -> tuple[int, str]:
        at, coast = split_spot(spot)
        return self.board.index[at], coast

    def _canoes(self) -> dict[Province, int]:
        counts: dict[Province, int] = {}
        for place, path, count in self.names.read_by_place("canoes", self.values.get("canoes", {})):
            if place not in self.board.shores:
                raise Invalid(path, sentence("diplomacy.places.not_a_shore", place=self.board.name(place)))
            counts[place] = count
        return {place: counts[place] for place in self.board.in_board_order(counts) if counts[place]}

    def _bay_entered(self, phase: Phase, units: Sequence[Unit]) -> dict[Province, str]:
        """Return when each unit on stormy water went in. Raises Invalid if the question doesn't say it."""
        entered: dict[Province, str] = {}
        for place, path, text in self._on_stormy_water("bay_entered", units):
            when = read_at(path, self.names.phase, text)
            if when.kind != "M" or self._when(when) > self._when(phase):
                why = sentence("diplomacy.judge.not_moves", phase=when.short, until=phase.short)
                raise Invalid(path, why)
            entered[place] = when.short
        stormy = self.board.chart.stormy
        for unit in units if stormy else ():
            if unit.at in stormy and unit.at not in entered:
                raise Invalid(f"bay_entered.{unit.at}", sentence("diplomacy.judge.missing_entry"))
        return entered

    def _on_stormy_water(self, key: str, units: Sequence[Unit]) -> list[tuple[Province, str, str]]:
        entries = list(self.names.read_by_place(key, self.values.get(key, {})))
        afloat = {unit.at for unit in units} & set(self.board.chart.stormy) if entries else set()
        for place, path, _ in entries:
            if place not in afloat:
                raise Invalid(path, sentence("diplomacy.judge.nobody_afloat", place=self.board.name(place)))
        return entries

    def _when(self, phase: Phase) -> tuple[int, int]:
        book = self.variant.rulebook
        return phase.year, book.year.index(book.step(phase))

    def _taboo(self, units: Sequence[Unit]) -> bool:
        sacred = self.board.chart.taboo
        if sacred is None:
            return False
        taboo: bool = self.values.get("taboo", True)
        if taboo and any(unit.at == sacred for unit in units):
            entered = sentence("diplomacy.judge.taboo_entered", place=self.board.name(sacred))
            raise Invalid("taboo", entered, sentence("diplomacy.judge.write_false"))
        return taboo

    def _build_ban(self) -> dict[Seat, int]:
        entries = self.names.read_by_power("build_ban", self.values.get("build_ban", {}))
        bans = {power: year for power, _, year in entries}
        return {power: bans[power] for power in self.board.powers if power in bans}


# Answers as plain JSON values: the outcome of each order, and the next position.


_MAX_RESULTS_KEPT = 20_000
"""The most results that are remembered in words. A full memory is cleared."""


class GivenOrder(NamedTuple):
    """One order as it was given and as it was read. order: the order to process, or None."""

    seat: Seat
    text: str
    parsed: ParsedOrderText
    order: AnyOrder | None


@dataclass(frozen=True)
class JudgeAnswer:
    """Turns the events on one board into plain values.

    results_by_event: a cache of the results in words.
    """

    variant: Variant
    notation: DiplomacyNotation
    results_by_event: dict[Resolved, dict[str, Any]] = field(default_factory=dict)

    def results(
        self, before: State, given: Sequence[GivenOrder], events: Sequence[AnyEvent]
    ) -> list[dict[str, Any]]:
        """Return an entry for each order given, in that order.

        Entries for units without an order and for units lost in storms follow.
        """
        resolved = [event for event in events if isinstance(event, Resolved)]
        ordered = [event for event in resolved if event.order is not None]
        events_by_order = {event.order: event for event in ordered}
        queues = self._queues(before, ordered) if len(events_by_order) < len(ordered) else None
        rows = []
        for given_order in given:
            order = given_order.order
            if order is None:
                rows.append(self._unread_row(given_order))
            else:
                event = events_by_order[order] if queues is None else queues[given_order.seat, order].pop(0)
                rows.append(self._row(event, given_order.text))
        rows += [self._row(event) for event in resolved if event.order is None and event.unit is not None]
        return [*rows, *self._sunk(events)] if len(resolved) < len(events) else rows

    def _queues(
        self, before: State, events: Sequence[Resolved]
    ) -> dict[tuple[Seat, AnyOrder], list[Resolved]]:
        """Return the outcomes of equal orders in a list, in their order."""
        queues: dict[tuple[Seat, AnyOrder], list[Resolved]] = {}
        for event in events:
            assert event.order is not None, "these events have orders"
            queues.setdefault((event.power, event.order), []).append(event)
        for (_, order), queue in queues.items():
            if len(queue) > 1:
                queue.sort(key=_is_overridden, reverse=not self._first_stands(before, order))
        return queues

    def position(self, state: State) -> dict[str, Any]:
        """Return a state as a question about it. Its phase is None when the game is over."""
        chart, rulebook, abbr = self.variant.board.chart, self.variant.rulebook, self.notation.abbr
        position: dict[str, Any] = {
            "phase": None if state.ended is not None else state.phase.short,
            "units": self._units(state),
            "dislodged": self._dislodged_entries(state.beaten),
            "contested": sorted(map(abbr, state.contested)),
            "centres": self._by_power([(owner, abbr(centre)) for centre, owner in state.centres.items()]),
        }
        if rulebook.canoes:
            position["canoes"] = {abbr(place): count for place, count in state.canoes.items()}
        if chart.stormy:
            position["bay_entered"] = {abbr(place): when for place, when in state.bay_entered.items()}
            if rulebook.bay_exit == "other-shore":
                position["bay_from"] = {abbr(at): abbr(shore) for at, shore in state.bay_from.items()}
        if chart.taboo:
            position |= {"taboo": state.taboo, "build_ban": dict(state.build_ban)}
        return position

    def _unread_row(self, given: GivenOrder) -> dict[str, Any]:
        order = given.parsed.order
        return {
            "power": given.seat,
            "order": given.text,
            "read_as": None if order is None else self.notation.write(order),
            "unit": None,
            "outcome": "void",
            "reason": given.parsed.problem,
        }

    def _row(self, event: Resolved, text: str | None = None) -> dict[str, Any]:
        entry = self.results_by_event.get(event)
        if entry is None:
            if len(self.results_by_event) > _MAX_RESULTS_KEPT:
                self.results_by_event.clear()
            entry = self.results_by_event[event] = self._tell(event)
        row = entry.copy()
        row["order"] = text
        return row

    def _tell(self, event: Resolved) -> dict[str, Any]:
        order, unit, reason = event.order, event.unit, event.reason
        row: dict[str, Any] = {
            "power": event.power,
            "order": None,
            "read_as": None if order is None else self.notation.write(order),
            "unit": None if unit is None else self.notation.write_piece(unit),
            "outcome": event.outcome,
            "reason": None if reason is None else why(self.variant.board, reason, self._unit_in_words),
        }
        if event.dislodged:
            row["dislodged"] = True
        return row

    def _sunk(self, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
        for event in events:
            if isinstance(event, StormThrown) and event.sunk:
                yield {
                    "power": event.unit.power,
                    "order": None,
                    "read_as": None,
                    "unit": self.notation.write_piece(event.unit.piece),
                    "outcome": "lost",
                    "reason": sentence("diplomacy.judge.sunk", number=event.number),
                    "phase": event.phase,
                }

    def _first_stands(self, state: State, order: AnyOrder) -> bool:
        """Return whether the first of two equal orders is the one that counts.

        Source: Indianomacy, rulings V6 and V7.
        """
        if state.phase.kind == "A" or isinstance(order, Destroy):
            return True
        return self.variant.rulebook.twice == "first"

    def _units(self, state: State) -> dict[str, list[str]]:
        write = self.notation.write_piece
        return self._by_power([(unit.power, write(unit)) for unit in state.units])

    def _dislodged_entries(self, beaten: Sequence[Beaten]) -> dict[str, list[dict[str, Any]]]:
        entries: dict[str, list[dict[str, Any]]] = {}
        for beaten_unit in beaten:
            entry = {
                "unit": self.notation.write_piece(beaten_unit.unit.piece),
                "by_from": self.notation.abbr(beaten_unit.by_from),
                "retreats": sorted(map(self.notation.abbr, beaten_unit.retreats)),
            }
            entries.setdefault(beaten_unit.unit.power, []).append(entry)
        return {power: entries[power] for power in self._powers() if power in entries}

    def _by_power(self, pairs: Sequence[tuple[Seat, str]]) -> dict[str, list[str]]:
        texts_by_power: dict[str, list[str]] = {power: [] for power in self._powers()}
        for power, text in pairs:
            texts_by_power[power].append(text)
        return {power: sorted(texts) for power, texts in texts_by_power.items() if texts}

    def _powers(self) -> tuple[str, ...]:
        return (*self.variant.board.powers, NEUTRAL)

    def _unit_in_words(self, unit: Unit) -> str:
        piece = self.notation.write_piece(unit)
        return sentence("diplomacy.units.owned", unit=piece, power=nation(unit.power))


def _is_overridden(event: Resolved) -> bool:
    """Return whether an order doesn't count because of another one."""
    return event.reason is not None and event.reason.code in ("replaced", "one-a-season", "more-than-due")


# Questions about positions in JSON.


class _BotKeys(Value, frozen=True):
    seat: str | None = None
    level: str | None = None
    temperament: str | None = None


_ECHOED = ("options", "seed")
"""Entries about the whole game. The next position repeats them."""


class DiplomacyWhatIf:
    """The questions about positions of one variant: implements `protocol.Judge`."""

    def __init__(
        self,
        variant: Variant,
        options: Sequence[GameOption],
        rules: Rules[State, View, AnyOrder, AnyEvent],
        notation: DiplomacyNotation,
        bots: Mapping[str, Bot[View, AnyOrder]],
    ) -> None:
        self._variant = variant
        self._options = options
        self._rules = rules
        self._notation = notation
        self._bots = bots
        self._names = PositionNames(variant.board, variant.rulebook)
        self._reader = make_reader(variant)
        self._told: dict[Resolved, dict[str, Any]] = {}

    def position(self, question: Any) -> State:
        """Return the state of a position. Raises Invalid with the path at fault."""
        return self._state(self._reader.read(question))

    def judge(self, question: Any, parse_order: OrderTextParser[View]) -> dict[str, Any]:
        """Return the outcome of each order and the next position: the keys `phase`, `results`, `next`.

        When the game is over, there's also the key `winners`. Raises Invalid as `position` does.
        """
        values = self._reader.read(question)
        state = self._state(values)
        dice = GivenDice(JudgeKeys(dice=values.get("dice", {}), seed=values.get("seed")), "judge")
        given: list[GivenOrder] = []
        orders: dict[Seat, list[AnyOrder]] = {}
        for seat, texts in read_orders(self._names, values).items():
            view = self._rules.view(state, seat)
            counting: list[AnyOrder] = []
            for text in texts:
                parsed = parse_order(view, seat, text)
                order = parsed.order if parsed.problem is None else None
                given.append(GivenOrder(seat, text, parsed, order))
                if order is not None:
                    counting.append(order)
            if counting:
                orders[seat] = counting
        outcome = self._rules.adjudicate(state, orders, dice)
        answer = JudgeAnswer(self._variant.under(state.options), self._notation, self._told)
        after = answer.position(outcome.state)
        response: dict[str, Any] = {
            "phase": state.phase.short,
            "results": answer.results(state, given, outcome.events),
            "next": after | {key: values[key] for key in _ECHOED if key in values},
        }
        result = self._rules.result(outcome.state)
        return response | {"winners": list(result.winners)} if result else response

    def question(self, state: State) -> dict[str, Any]:
        """Return a state as a question about it. The phase is None when the game is over."""
        options = {**self._former(state), **state.options}
        chosen = {"options": options} if options else {}
        return JudgeAnswer(self._variant.under(state.options), self._notation).position(state) | chosen

    def bot(self, question: Any) -> dict[str, Any]:
        """Return a bot's orders for a seat with its reasons: the keys `orders` and `reasons`.

        The bot takes the first of several equal choices. Raises Invalid as `position` does.
        """
        values, asked = self._reader.read_with(question, _BotKeys)
        state = self._state(values)
        read_orders(self._names, values)
        if asked.seat is None:
            raise Invalid("seat", sentence("diplomacy.judge.missing"))
        seat = read_at("seat", self._names.power, asked.seat)
        bot = self._bot(asked)
        choices = [
            choice
            for due in self._rules.due(state)
            if due.seat == seat
            for choice in bot.orders(self._rules.view(state, seat), due, FirstDice())
        ]
        texts = [self._notation.write(choice.order) for choice in choices]
        reasons = {text: choice.reason for text, choice in zip(texts, choices, strict=True)}
        return {"orders": texts, "reasons": reasons}

    def _former(self, state: State) -> dict[str, Any]:
        """Return the rulings of a game that is older than their options, if they differ from the defaults."""
        book = self._variant.rulebook
        missing = (option for option in book.options if option.name not in state.options)
        return {
            option.name: getattr(book, option.name)
            for option in missing
            if option.name in RULINGS and option.default != getattr(book, option.name)
        }

    def _bot(self, asked: _BotKeys) -> Bot[View, AnyOrder]:
        level = next(iter(self._bots)) if asked.level is None else asked.level
        if level not in self._bots:
            raise Invalid(
                "level",
                sentence("diplomacy.judge.no_bot", name=level),
                sentence("diplomacy.judge.known", names=language.join_list(self._bots)),
            )
        bot = self._bots[level]
        if asked.temperament is None:
            return bot
        known = bot.temperaments
        if asked.temperament not in known:
            problem = sentence("diplomacy.judge.no_temperament", level=level, name=asked.temperament)
            instead = sentence("diplomacy.judge.known", names=language.join_list(known)) if known else None
            raise Invalid("temperament", problem, instead)
        return bot.with_temperament(asked.temperament)

    def _state(self, values: Values) -> State:
        options = read_options(self._options, values.get("options", {}))
        return JudgePositionReader(self._variant.under(options), self._names, values).state(options)
