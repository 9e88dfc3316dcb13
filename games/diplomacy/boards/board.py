"""A board, compiled once from a variant's map.json. Errors name the entry of the file.

Provinces have a board order, as the file lists them. Everything that players may read is sorted by it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, Literal, Protocol, get_args

from games import language
from games.diplomacy.boards.misfits import read_entry, refuse_feature, unplayed_feature
from games.diplomacy.model import Kind, Piece, Province, split_spot, spot
from games.messages import sentence
from games.protocol import Invalid, Seat
from games.record import Bounds, Record, Value, canonical, replace_fields


class ProvinceEntry(Record, frozen=True, kw_only=True):
    """One province of the file.

    army, fleet: the neighbours on foot and by water (a neighbour's coast as ``STP/NC``); coasts: the
    neighbours by water of each coast if there are several, and then `fleet` is empty; centre: how we know
    that it is a supply centre, or None; label: x and y of the name in board units; radius: the radius of the
    largest circle around it, in board units; anchors: the place of a fleet on each of several coasts;
    convoys: whether fleets on this land can convoy, as at sea they can.
    """

    id: Province
    name: str
    abbr: str
    kind: Literal["land", "sea"]
    army: tuple[Province, ...]
    fleet: tuple[Province, ...]
    label: tuple[float, float]
    radius: float
    coasts: dict[str, tuple[Province, ...]] = {}
    anchors: dict[str, tuple[float, float]] = {}
    aliases: tuple[str, ...] = ()
    convoys: bool = False
    centre: Literal["sourced", "deduced", "assumed"] | None = None


_Level = Literal["beginner", "intermediate", "intermediate-2026", "advanced"]


class Power(Record, frozen=True, kw_only=True):
    """One power.

    aliases: other names, such as "French"; letter: its mark on the map; colour: the colour of its land; ink:
    the colour of its counters and lines, "" for a dark shade of its colour; hatch: the number of the pattern
    of its land, 0 for the next in turn; starts: its units at the start, such as ``W 10``; centres: its home
    centres, where it builds; owns: the centres that it owns at the start, None for its home centres;
    partners: the powers that a bot prefers as allies; danger: for bots of each level, the number of steps by
    which its centres count as nearer. It is below 0 for a power that wins few games with such bots.
    """

    id: Seat
    name: str
    aliases: tuple[str, ...] = ()
    letter: str
    colour: str
    ink: str = ""
    hatch: int = 0
    homes: tuple[Province, ...]
    starts: tuple[str, ...]
    centres: tuple[Province, ...]
    owns: tuple[Province, ...] | None = None
    partners: tuple[Seat, ...] = ()
    danger: dict[_Level, Annotated[float, Bounds(ge=-9, le=9)]] = {}

    @property
    def owned_at_start(self) -> tuple[Province, ...]:
        """Return the centres that it owns at the start."""
        return self.centres if self.owns is None else self.owns


class FlippableBorder(Record, frozen=True, kw_only=True):
    """A border that may have run the other way.

    parts: the two lands that meet at it; ends: the two lands at its ends, which would meet instead.
    """

    parts: tuple[Province, Province]
    ends: tuple[Province, Province]


class Victory(Record, frozen=True, kw_only=True):
    """The usual condition of victory: a number of supply centres or of units (None if units don't win)."""

    centres: int
    units: int | None = None


class WinningCondition(Record, frozen=True, kw_only=True):
    """One condition of victory. A power meets it if it meets all that it says.

    power: the power that it is for, None for all; centres: it owns so many supply centres; units: it has so
    many units; lead: it owns so many centres more than each other power; lead_from: from these years on, a
    lead of that many is enough; provinces: it owns these centres; most_from: no other power owns more, from
    the end of that year on.
    """

    power: Seat | None = None
    centres: int | None = None
    units: int | None = None
    lead: int | None = None
    lead_from: tuple[tuple[int, int], ...] = ()
    provinces: tuple[Province, ...] = ()
    most_from: int | None = None

    @property
    def sort(self) -> Literal["centres", "units", "lead", "provinces", "most"]:
        """Return what decides, as the reason of a victory."""
        if self.most_from is not None:
            return "most"
        if self.lead is not None:
            return "lead"
        if self.provinces:
            return "provinces"
        return "centres" if self.centres is not None else "units"


class Chart(Record, frozen=True, kw_only=True):
    """A variant's map.json.

    counts: the numbers that the file claims, which are checked; victory: the usual condition, or a list of
    them; tie: what follows if several powers meet a condition at once: all win ("shared"), the one with the
    most centres wins, and the game goes on if they have as many ("most"), the game is a draw, or it goes on;
    assumed_centres, defended_centres,
    inland_centres, even_centres, rival_centres: different readings of the centres that the source has lost
    (the provinces have the assumed ones); turns: the borders that are so short that they may have run the
    other way; even_turns: those of them that an option flips; turned: the borders that are flipped on this
    chart; coast_names: the names of coasts besides north, east, south and west; one_way: pairs of provinces
    with a border that only leads from the first to the second; crossings: rivers that an option closes;
    taboo: the province with the taboo; stormy: waters with storms, which take a year to cross; outline: the
    variant whose outline is drawn, "" for its own; shapes: the outline itself, if it isn't in a file of this
    package; zoom: the scale of the drawing, which no file sets (see `Board.closer`); year_step: that of the
    rulebook, which `compile_variant` writes here.
    """

    name: str
    title: str
    designer: str
    year: int
    counts: dict[str, int]
    victory: Victory | tuple[WinningCondition, ...]
    tie: Literal["shared", "most", "draw", "goes-on"] = "shared"
    first_year: int
    size: tuple[int, int]
    projection: dict[str, Any] = {}
    powers: tuple[Power, ...]
    neutral: tuple[str, ...]
    provinces: tuple[ProvinceEntry, ...]
    assumed_centres: tuple[Province, ...] = ()
    defended_centres: tuple[Province, ...] = ()
    inland_centres: tuple[Province, ...] = ()
    even_centres: tuple[Province, ...] = ()
    rival_centres: tuple[Province, ...] = ()
    turns: tuple[FlippableBorder, ...] = ()
    even_turns: tuple[FlippableBorder, ...] = ()
    turned: tuple[FlippableBorder, ...] = ()
    coast_names: dict[str, str] = {}
    one_way: tuple[tuple[Province, Province], ...] = ()
    crossings: tuple[tuple[Province, Province, str], ...] = ()
    outline: str = ""
    shapes: dict[str, Any] = {}
    taboo: Province | None = None
    stormy: tuple[Province, ...] = ()
    zoom: float = 1.0
    year_step: int = 1


class Board(Value, frozen=True, dict=True):
    """A compiled, validated board.

    places: the provinces by id, in board order; index: the position of each province in that order; army,
    fleet: the neighbours on foot and by water, in board order; sailing: the neighbouring spots of each spot
    by water; spots: the spots of each province for a fleet; waters: the waters that each province leads to,
    by index, as a set of bits (lands where fleets convoy count as waters); centres: all supply centres;
    starts: the units of each power at the start; neutral: the units in civil disorder; shores: the land
    provinces that touch water.
    """

    chart: Chart
    places: Mapping[Province, ProvinceEntry]
    index: Mapping[Province, int]
    army: Mapping[Province, tuple[Province, ...]]
    fleet: Mapping[Province, tuple[Province, ...]]
    sailing: Mapping[Province, tuple[Province, ...]]
    spots: Mapping[Province, tuple[Province, ...]]
    waters: tuple[int, ...]
    centres: tuple[Province, ...]
    powers: Mapping[Seat, Power]
    starts: Mapping[Seat, tuple[Piece, ...]]
    neutral: tuple[Piece, ...]
    shores: frozenset[Province]

    def closer(self, zoom: float) -> "Board":
        """Return the board for a drawing at a larger scale, with its own sizes of type and units."""
        if zoom not in self._closer:
            self._closer[zoom] = compile_chart(replace_fields(self.chart, zoom=zoom))
        return self._closer[zoom]

    def dangers(self, level: str) -> Mapping[Seat, float]:
        """Return the danger of each seat to bots of a level: the steps by which its centres seem nearer."""
        return {
            power.id: steps
            for power in self.chart.powers
            for name, steps in power.danger.items()
            if name == level
        }

    @cached_property
    def _closer(self) -> dict[float, "Board"]:
        return {}

    @cached_property
    def key(self) -> bytes:
        """Return the part of the board that affects its drawing, in bytes, as a key for caches of shapes.

        Boards that only differ in their powers have the same key, unless units bear codes of several letters.
        """
        chart = self.chart
        return canonical(
            replace_fields(
                chart,
                name=chart.outline or chart.name,
                outline="",
                title="",
                designer="",
                year=0,
                first_year=0,
                counts={},
                victory=Victory(centres=0),
                tie="shared",
                powers=tuple(power for power in chart.powers if len(power.letter) > 1)[:1],
                neutral=(),
                assumed_centres=(),
                defended_centres=(),
                inland_centres=(),
                even_centres=(),
                turns=(),
                even_turns=(),
                rival_centres=(),
                crossings=(),
                taboo=None,
                stormy=(),
                year_step=1,
            )
        )

    @cached_property
    def seal(self) -> str:
        """Return a hash of the whole chart."""
        return sha256(canonical(self.chart)).hexdigest()

    def in_board_order(self, provinces: Iterable[Province]) -> tuple[Province, ...]:
        """Return provinces or spots in board order, each once."""
        return tuple(sorted(set(provinces), key=self.rank))

    def rank(self, spot: Province) -> tuple[int, str]:
        """Return the position of a province or a coast in board order."""
        at, coast = split_spot(spot)
        return self.index[at], coast

    def abbr(self, spot: Province) -> str:
        """Return the abbreviation in capitals, as in canonical orders: ``STP/SC``."""
        at, coast = split_spot(spot)
        return f"{self.places[at].abbr}/{coast}" if coast else self.places[at].abbr

    def name(self, spot: Province) -> str:
        """Return the name in full: "St Petersburg (south coast)"."""
        at, coast = split_spot(spot)
        return f"{self.places[at].name} ({self.coast_names[coast]})" if coast else self.places[at].name

    @cached_property
    def coast_names(self) -> Mapping[str, str]:
        """Return the names of the coasts that a province may have: ``SC`` is the south coast."""
        return {**COASTS, **self.chart.coast_names}

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of units at the start, or armies and fleets if there are no units."""
        pieces = (piece for pieces in self.starts.values() for piece in pieces)
        return tuple(dict.fromkeys(piece.kind for piece in pieces)) or ("A", "F")

    @cached_property
    def winning_conditions(self) -> tuple[WinningCondition, ...]:
        """Return the conditions of victory, in the order in which they decide."""
        victory = self.chart.victory
        if not isinstance(victory, Victory):
            return victory
        by_units = () if victory.units is None else (WinningCondition(units=victory.units),)
        return (WinningCondition(centres=victory.centres), *by_units)

    @cached_property
    def fixed_goals(self) -> Mapping[Seat, int] | None:
        """Return the number of centres that wins for each power, or None if it depends on the position."""
        conditions = self.winning_conditions
        if any(one.sort in ("lead", "provinces", "most") for one in conditions):
            return None
        return {
            power: min(
                [
                    len(self.centres),
                    *(
                        max(one.centres or 0, one.units or 0)
                        for one in conditions
                        if one.power in (None, power)
                    ),
                ]
            )
            for power in self.powers
        }

    @cached_property
    def usual_goal(self) -> int:
        """Return the number of centres that wins for every power, or just over half if no number does."""
        several = (condition.centres for condition in self.winning_conditions if condition.power is None)
        return next((number for number in several if number), len(self.centres) // 2 + 1)

    @cached_property
    def owners_at_start(self) -> Mapping[Province, Seat]:
        """Return the owner of each centre that a power owns at the start, in board order."""
        owners = {centre: power.id for power in self.chart.powers for centre in power.owned_at_start}
        return {centre: owners[centre] for centre in self.centres if centre in owners}

    @cached_property
    def ids(self) -> tuple[Province, ...]:
        """Return the provinces in board order, each at its index."""
        return tuple(self.places)

    @cached_property
    def walker(self) -> Kind:
        """Return the kind of unit that moves on foot: War Parties or armies."""
        return "W" if "W" in self.kinds else "A"

    @cached_property
    def sails(self) -> Mapping[Province, frozenset[Province]]:
        """Return the provinces next to each spot by water, on any coast."""
        return {
            here: frozenset(split_spot(there)[0] for there in near) for here, near in self.sailing.items()
        }

    @cached_property
    def walks(self) -> tuple[int, ...]:
        """Return the provinces next to each province on foot, by index, as a set of bits."""
        return tuple([sum(1 << self.index[there] for there in self.army[here]) for here in self.places])

    @cached_property
    def convoy_places(self) -> int:
        """Return the provinces where fleets can convoy, as a set of bits: the seas and some lands."""
        return sum(1 << number for number, place in enumerate(self.places.values()) if can_convoy(place))

    def has_convoys(self, province: Province) -> bool:
        """Return whether a fleet in a province can convoy."""
        return can_convoy(self.places[province])

    @cached_property
    def army_into(self) -> Mapping[Province, tuple[Province, ...]]:
        """Return the provinces from which one can walk into each province, in board order."""
        return _turn_round(self.army, self.rank) if self.chart.one_way else self.army

    @cached_property
    def sailing_into(self) -> Mapping[Province, tuple[Province, ...]]:
        """Return the spots from which a fleet can sail to each spot, in board order."""
        return _turn_round(self.sailing, self.rank) if self.chart.one_way else self.sailing

    @cached_property
    def fleet_into(self) -> Mapping[Province, tuple[Province, ...]]:
        """Return the provinces from which a fleet can sail to each province, in board order."""
        return water_neighbours(self.sailing_into, self.index) if self.chart.one_way else self.fleet

    @cached_property
    def waters_into(self) -> tuple[int, ...]:
        """Return the waters that lead to each province, by index, as a set of bits."""
        if not self.chart.one_way:
            return self.waters
        return waters(self.chart.provinces, self.sailing_into, self.index)

    @cached_property
    def plainly_lawful(self) -> set[object]:
        """Return the orders known to be legal wherever their units are as they name them (legality.py)."""
        return set()

    def is_land(self, province: Province) -> bool:
        """Return whether units can be there on foot."""
        return self.places[province].kind == "land"

    def nearest(self, wanted: Province, provinces: Iterable[Province]) -> tuple[Province, ...]:
        """Return provinces sorted by their distance from another one, the nearest first."""
        if wanted not in self._distances_by_province:
            self._distances_by_province[wanted] = self.steps([wanted], on_foot=self.is_land(wanted))
        steps, far = self._distances_by_province[wanted], len(self.places)
        return tuple(
            sorted(provinces, key=lambda place: (steps.get(split_spot(place)[0], far), self.rank(place)))
        )

    @cached_property
    def _distances_by_province(self) -> dict[Province, Mapping[Province, int]]:
        """Return the distances from each province that was asked for. Each is computed once."""
        return {}

    def steps(self, sources: Iterable[Province], *, on_foot: bool = False) -> dict[Province, int]:
        """Return the steps of each province from the nearest source, over land and water or over land only.

        Provinces that can't be reached are missing.
        """
        distances = dict.fromkeys(sources, 0)
        front = list(distances)
        while front:
            ahead = []
            for here in front:
                for there in self.army[here] if on_foot else self.army[here] + self.fleet[here]:
                    if there not in distances:
                        distances[there] = distances[here] + 1
                        ahead.append(there)
            front = ahead
        return distances


def compile_board(raw: Any) -> Board:
    """Return the board of a map.json's plain value. Raises Invalid with the entry and the remedy."""
    return compile_chart(read_chart(raw))


def read_chart(raw: Any) -> Chart:
    """Return the chart of a map.json's plain value. Raises Invalid with the entry at fault."""
    chart: Chart = read_entry(Chart, raw, "map.json")
    return chart


def compile_chart(chart: Chart) -> Board:
    """Return the board of a chart. Raises Invalid with the entry and the remedy."""
    places = {place.id: place for place in chart.provinces}
    _check_names(chart)
    _check_edges(chart, places, frozenset(chart.one_way))
    check(chart.provinces, {**COASTS, **chart.coast_names}, frozenset(chart.one_way))
    index = {province: number for number, province in enumerate(places)}

    sailing = sailing_neighbours(chart.provinces, index)

    def in_order(provinces: Iterable[Province]) -> tuple[Province, ...]:
        return tuple(sorted(provinces, key=index.__getitem__))

    board = Board(
        chart=chart,
        places=places,
        index=index,
        army={place.id: in_order(place.army) for place in chart.provinces},
        fleet=water_neighbours(sailing, index),
        sailing=sailing,
        spots=spots(chart.provinces),
        waters=waters(chart.provinces, sailing, index),
        centres=tuple(place.id for place in chart.provinces if place.centre),
        powers={power.id: power for power in chart.powers},
        starts={
            power.id: tuple(_piece(text, f"powers: {power.id}: starts", places) for text in power.starts)
            for power in chart.powers
        },
        neutral=tuple(_piece(text, "neutral", places) for text in chart.neutral),
        shores=frozenset(place.id for place in chart.provinces if place.kind == "land" and berths(place)),
    )
    _check_powers(board)
    _check_starts(board)
    _check_counts(board)
    _check_marks(board)
    return board


def _check_names(chart: Chart) -> None:
    taken: dict[str, str] = {}
    for place in chart.provinces:
        for name in dict.fromkeys((place.id.lower(), place.abbr.lower(), place.name.lower())):
            if name in taken:
                why = sentence("diplomacy.variants.name_taken", name=name, province=taken[name])
                remedy = sentence("diplomacy.variants.another_name")
                raise Invalid(f"map.json: provinces: {place.id}", why, remedy)
            taken[name] = place.id


def _check_edges(
    chart: Chart,
    places: Mapping[Province, ProvinceEntry],
    one_way: frozenset[tuple[Province, Province]],
) -> None:
    for place in chart.provinces:
        for number, other in enumerate(place.army):
            where = f"map.json: provinces: {place.id}: army[{number}]"
            if other not in places:
                raise Invalid(
                    where,
                    sentence("diplomacy.variants.no_province", province=other),
                    sentence("diplomacy.variants.remove_or_add", province=other),
                )
            if other == place.id or place.army.count(other) > 1:
                raise _border_twice(where, other)
            if place.id not in places[other].army and (place.id, other) not in one_way:
                raise _one_sided_border(where, place.id, other)
            if "sea" in (place.kind, places[other].kind):
                raise Invalid(
                    where,
                    sentence("diplomacy.variants.on_water"),
                    sentence("diplomacy.variants.move_to_fleet"),
                )


def _border_twice(where: str, other: Province) -> Invalid:
    why = sentence("diplomacy.variants.border_twice", province=other)
    return Invalid(where, why, sentence("diplomacy.variants.border_once"))


def _one_sided_border(where: str, here: Province, other: Province) -> Invalid:
    return Invalid(
        where,
        sentence("diplomacy.variants.not_named_back", province=here, other=other),
        sentence("diplomacy.variants.name_back", province=here, other=other),
    )


def _piece(text: str, where: str, places: Mapping[Province, ProvinceEntry]) -> Piece:
    kind, _, there = text.partition(" ")
    at, coast = split_spot(Province(there))
    if at in places and kind and kind not in get_args(Kind):
        raise refuse_feature(f"map.json: {where}", unplayed_feature(kind) or "units")
    if kind not in get_args(Kind) or at not in places:
        raise Invalid(
            f"map.json: {where}",
            sentence("diplomacy.variants.not_a_unit", text=text),
            sentence("diplomacy.variants.write_unit"),
        )
    if (coast or kind == "F") and not (kind == "F" and is_berth(places[at], coast)):
        choice = language.join_list((f"F {at}/{coast_name}" for coast_name in places[at].coasts), "or")
        why = sentence("diplomacy.variants.no_place_for_unit", text=text)
        raise Invalid(f"map.json: {where}", why, choice or sentence("diplomacy.variants.army_or_elsewhere"))
    return Piece(kind=kind, at=at, coast=coast)  # type: ignore[arg-type]  # checked above


def _check_starts(board: Board) -> None:
    standing: dict[Province, str] = {}
    everyone = [
        *((power, pieces) for power, pieces in board.starts.items()),
        (Seat("neutral"), board.neutral),
    ]
    for power, pieces in everyone:
        for piece in pieces:
            where = f"map.json: {power}: {piece.kind} {piece.at}"
            if piece.at in standing:
                why = sentence("diplomacy.variants.occupied", power=standing[piece.at])
                raise Invalid(where, why, sentence("diplomacy.variants.one_unit"))
            standing[piece.at] = power


def _check_powers(board: Board) -> None:
    homes: dict[Province, str] = {}
    for nation in board.chart.powers:
        where = f"map.json: powers: {nation.id}"
        for home in nation.homes:
            if home in homes:
                why = sentence("diplomacy.variants.home_of_two", place=home, power=homes[home])
                raise Invalid(f"{where}: homes", why, sentence("diplomacy.variants.one_owner"))
            if home not in board.places:
                raise Invalid(
                    f"{where}: homes",
                    sentence("diplomacy.variants.not_a_province", place=home),
                    sentence("diplomacy.variants.remove_or_add", province=home),
                )
            homes[home] = nation.id
        for entry, centres in (("centres", nation.centres), ("owns", nation.owned_at_start)):
            for centre in centres:
                if centre not in board.centres:
                    raise Invalid(
                        f"{where}: {entry}",
                        sentence("diplomacy.places.not_a_centre", place=centre),
                        sentence("diplomacy.variants.mark_centre", place=centre),
                    )
        for partner in nation.partners:
            if partner not in board.powers or partner == nation.id:
                why = sentence("diplomacy.variants.not_another_power", power=partner)
                others = [power for power in board.powers if power != nation.id]
                remedy = sentence("diplomacy.variants.choose", names=language.join_list(others, "or"))
                raise Invalid(
                    f"{where}: partners", why, remedy if others else sentence("diplomacy.variants.remove_it")
                )


def _check_counts(board: Board) -> None:
    lands = sum(place.kind == "land" for place in board.places.values())
    actual_counts = {
        "land": lands,
        "sea": len(board.places) - lands,
        "centres": len(board.centres),
        "units": sum(map(len, board.starts.values())),
        "neutral": len(board.neutral),
    }
    if len(board.chart.provinces) != len(board.places):
        raise Invalid(
            "map.json: provinces",
            sentence("diplomacy.variants.id_twice"),
            sentence("diplomacy.variants.another_name"),
        )
    for name, count in board.chart.counts.items():
        actual = actual_counts.get(name)
        if actual != count:
            why = sentence("diplomacy.variants.wrong_count", claimed=count, actual=actual)
            remedy = sentence("diplomacy.variants.count_again", actual=actual)
            if actual is None:
                names = language.join_list(actual_counts, "or")
                why, remedy = (
                    sentence("diplomacy.variants.no_such_entry"),
                    sentence("diplomacy.variants.choose", names=names),
                )
            raise Invalid(f"map.json: counts: {name}", why, remedy)


def _check_marks(board: Board) -> None:
    taboo = board.chart.taboo
    if taboo is not None and not (taboo in board.places and board.is_land(taboo)):
        raise Invalid(
            "map.json: taboo",
            sentence("diplomacy.variants.not_land", place=taboo),
            sentence("diplomacy.variants.another_or_none"),
        )
    for number, water in enumerate(board.chart.stormy):
        if water not in board.places or board.is_land(water):
            raise Invalid(
                f"map.json: stormy[{number}]",
                sentence("diplomacy.variants.not_water", place=water),
                sentence("diplomacy.variants.another_or_none"),
            )


# Coasts and spots.
#
# A province with several coasts names the neighbours of each of them, and its neighbours by water name the
# coast (``STP/NC``). Any other province is its only spot.


COASTS: Mapping[str, str] = {
    "NC": "north coast",
    "EC": "east coast",
    "SC": "south coast",
    "WC": "west coast",
}
"""The coasts that a province may have, and their names."""


class Shape(Protocol):
    """The parts of a province that its coasts depend on."""

    @property
    def id(self) -> Province:
        """Return the id of the province."""

    @property
    def kind(self) -> str:
        """Return land or sea."""

    @property
    def fleet(self) -> tuple[Province, ...]:
        """Return the neighbours by water."""

    @property
    def coasts(self) -> dict[str, tuple[Province, ...]]:
        """Return the neighbours by water of each coast, if there are several."""

    @property
    def convoys(self) -> bool:
        """Return whether fleets on this land can convoy."""


def can_convoy(place: Shape) -> bool:
    """Return whether a fleet in a place can convoy: at sea, or on a land that says so."""
    return place.kind == "sea" or place.convoys


def _turn_round(
    leading: Mapping[Province, tuple[Province, ...]], rank: Callable[[Province], tuple[int, str]]
) -> dict[Province, tuple[Province, ...]]:
    """Return for each place the places that lead to it. leading: the places that each one leads to."""
    origins: dict[Province, list[Province]] = {here: [] for here in leading}
    for here, near in leading.items():
        for there in near:
            origins[there].append(here)
    return {here: tuple(sorted(several, key=rank)) for here, several in origins.items()}


def berths(place: Shape) -> dict[Province, tuple[Province, ...]]:
    """Return the spots of a place for a fleet, each with its neighbouring spots. Inland places have none."""
    if place.coasts:
        return {spot(place.id, coast): near for coast, near in place.coasts.items()}
    return {place.id: place.fleet} if place.fleet else {}


def is_berth(place: Shape, coast: str) -> bool:
    """Return whether a fleet can be on that coast, or ("") on the only one."""
    return spot(place.id, coast) in berths(place)


def check(
    places: Iterable[Shape],
    coast_names: Iterable[str] = COASTS,
    one_way: frozenset[tuple[Province, Province]] = frozenset(),
) -> None:
    """Check the borders by water. Raises Invalid with the entry and the remedy."""
    shapes = tuple(places)
    everywhere = {here: near for place in shapes for here, near in berths(place).items()}
    for place in shapes:
        if place.coasts and (place.fleet or place.kind == "sea"):
            why = sentence("diplomacy.variants.coasts_and_fleet")
            remedy = sentence("diplomacy.variants.keep_one")
            raise Invalid(f"map.json: provinces: {place.id}: coasts", why, remedy)
        for coast in place.coasts:
            if coast not in coast_names:
                names = language.join_list(coast_names)
                remedy = sentence("diplomacy.variants.choose_or_name", names=names, coast=coast)
                raise Invalid(
                    f"map.json: provinces: {place.id}: coasts: {coast}",
                    sentence("diplomacy.variants.no_coast"),
                    remedy,
                )
    for here, near in everywhere.items():
        for other in near:
            where = f"map.json: provinces: {here}: fleet: {other}"
            if other not in everywhere:
                remedy = _coasts_of(other, everywhere) or sentence(
                    "diplomacy.variants.add_fleet", province=here, other=other
                )
                raise Invalid(where, sentence("diplomacy.variants.no_fleet"), remedy)
            if split_spot(other)[0] == split_spot(here)[0] or near.count(other) > 1:
                raise _border_twice(where, other)
            pair = split_spot(here)[0], split_spot(other)[0]
            if here not in everywhere[other] and pair not in one_way:
                raise _one_sided_border(where, here, other)


def _coasts_of(other: Province, everywhere: Iterable[Province]) -> str | None:
    named = [here for here in everywhere if split_spot(here)[0] == other]
    return sentence("diplomacy.judge.write_one", choice=language.join_list(named, "or")) if named else None


def sailing_neighbours(
    places: Iterable[Shape], index: Mapping[Province, int]
) -> dict[Province, tuple[Province, ...]]:
    """Return the neighbouring spots of each spot by water, in board order. They may be empty."""

    def rank(there: Province) -> tuple[int, str]:
        return index[split_spot(there)[0]], there

    neighbours_by_spot: dict[Province, tuple[Province, ...]] = {}
    for place in places:
        neighbours_by_spot[place.id] = ()
        neighbours_by_spot |= {here: tuple(sorted(near, key=rank)) for here, near in berths(place).items()}
    return neighbours_by_spot


def water_neighbours(
    sailing: Mapping[Province, tuple[Province, ...]], index: Mapping[Province, int]
) -> dict[Province, tuple[Province, ...]]:
    """Return the provinces next to each province by water, from any of its coasts, in board order."""
    neighbour_sets: dict[Province, set[Province]] = {province: set() for province in index}
    for here, near in sailing.items():
        neighbour_sets[split_spot(here)[0]].update(split_spot(there)[0] for there in near)
    return {
        province: tuple(sorted(several, key=index.__getitem__))
        for province, several in neighbour_sets.items()
    }


def spots(places: Iterable[Shape]) -> dict[Province, tuple[Province, ...]]:
    """Return the spots of each province for a fleet. Inland provinces have none."""
    return {place.id: tuple(berths(place)) for place in places}


def waters(
    places: Iterable[Shape], sailing: Mapping[Province, tuple[Province, ...]], index: Mapping[Province, int]
) -> tuple[int, ...]:
    """Return the waters that each province leads to, by index, as a set of bits."""
    seas = {place.id for place in places if can_convoy(place)}
    near = water_neighbours(sailing, index)
    return tuple(sum(1 << index[there] for there in near[province] if there in seas) for province in index)
