"""The words of the Diplomacy family for units, for reasons, and for advice about illegal or odd orders.

The codes come from reasons.py, legality.py, retreats.py and adjustments.py, the words from messages.toml.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from games import language
from games.diplomacy.adjudication.canoes import SINKS, WINTERS
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import year_name
from games.diplomacy.events import CanoesTaken, Reason, StormThrown, TabooBroken
from games.diplomacy.model import NEUTRAL, Kind, Piece, Province, Unit, split_spot
from games.messages import sentence
from games.protocol import Advice, Concern, Objection, ReportLine, Seat, list_possible

UNIT_KIND_NAMES: Mapping[Kind, str] = {"W": "War Party", "A": "army", "F": "fleet"}

_ALIKE = 0.7
"""If two province names are at least this similar, one may be a misspelling of the other."""

_ORDER_TO_WRITE: Mapping[str, str] = {
    "stays-put": "{W} H",
    "needs-canoe": "{W} - {near}",
    "not-adjacent": "{W} - {near}",
    "supports-itself": "{W} H",
    "neutral-stays": "{W} S {O}",
    "support-too-far": "{W} S {O} - {near}",
    "other-not-adjacent": "{W} S {O} - {near}",
    "say-canoe": "{W} - {T} CANOE",
    "afloat": "{W} H",
    "no-canoe": "{W} B CANOE",
    "inland": "{W} - {near} CANOE",
    "other-water": "{W} - {near} CANOE",
    "still-crossing": "{W} H",
    "same-shore": "{W} - {near}",
    "none-there": "DESTROY {near}",
    "on-foot": "{W} - {T}",
    "no-wading": "{W} - {near}",
    "inland-fleet": "{W} - {near}",
    "which-coast": "{W} - {near}",
    "wrong-coast": "{W} - {near}",
    "not-at-sea": "{W} H",
    "no-convoy-land": "{W} H",
    "off-route": "{W} H",
    "inland-build": "A {W_place} B",
    "which-berth": "F {near} B",
    "no-retreat": "{W} - {near}",
    "not-home": "{near_unit} B",
    "home-lost": "{near_unit} B",
    "home-occupied": "{near_unit} B",
    "unmatched-support": "{O} - {T}",
    "supports-a-mover": "{O} H",
    "two-to-one": "{W} S {O} - {T}",
    "attacks-own": "{W} S {T_unit}",
    "walker-first": "{W} H",
    "leaves-centre": "{W} H",
    "enters-taboo": "{W} H",
}
"""The order to write instead, by the code of an objection or a concern; {near} is the likeliest place."""


SMALL_NUMBER_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Numbers in words, from 0 upwards."""


def count_times(number: int) -> str:
    """Return a number of times in words: "once", "twice", "three times"."""
    if number == 1:
        return sentence("diplomacy.units.once")
    return sentence("diplomacy.units.twice" if number == 2 else "diplomacy.units.times", number=small(number))


def small(number: int) -> str:
    """Return a number, in words if it is small."""
    return SMALL_NUMBER_WORDS[number] if number < len(SMALL_NUMBER_WORDS) else str(number)


_TROOPS: Mapping[Kind, str] = {
    "W": "diplomacy.units.war_party",
    "A": "diplomacy.units.army",
    "F": "diplomacy.units.fleet",
}


def nation(power: str) -> str:
    """Return a power's name for a report. Units in civil disorder are neutral."""
    return "neutral" if power == NEUTRAL else power


def troop(unit: Unit) -> str:
    """Return a unit with its kind and power: "a War Party of Iroquois", "an army of Austria"."""
    if unit.power == NEUTRAL:
        return sentence("diplomacy.units.neutral", kind=UNIT_KIND_NAMES[unit.kind])
    return sentence(_TROOPS[unit.kind], power=unit.power)


def unit_at(board: Board, piece: Piece | Unit) -> str:
    """Return a unit with its kind and place ("Fleet Spain (south coast)"), or only its place."""
    if len(board.kinds) == 1:
        return board.name(piece.spot)
    kind = UNIT_KIND_NAMES[piece.kind].capitalize()
    return sentence("diplomacy.units.at", kind=kind, place=board.name(piece.spot))


def unit_title(board: Board, power: Seat, piece: Piece | Unit) -> str:
    """Return the tooltip of a unit on the map: "fleet of England, North Sea"."""
    kind, place = UNIT_KIND_NAMES[piece.kind], board.name(piece.spot)
    return sentence("diplomacy.units.title", kind=kind, power=power, place=place)


def order_title(board: Board, power: Seat, piece: Piece | Unit) -> str:
    """Return the tooltip of an order's line on the map."""
    kind, place = UNIT_KIND_NAMES[piece.kind], board.name(piece.spot)
    return sentence("diplomacy.units.order_title", kind=kind, power=power, place=place)


def unit_row(board: Board, pieces: Iterable[Piece | Unit]) -> str:
    """Return units as a list in board order: "A BUD, F SPA/SC"; only the places if all are of one kind."""
    ordered = sorted(pieces, key=lambda piece: board.index[piece.at])
    kinds = len(board.kinds) > 1
    names = [
        f"{piece.kind} {board.abbr(piece.spot)}" if kinds else board.abbr(piece.spot) for piece in ordered
    ]
    return ", ".join(names)


def whose(board: Board, unit: Unit) -> str:
    """Return a unit with its kind, place and power: "Fleet Holland (Germany)", "Huron (Dakota)"."""
    return sentence("diplomacy.units.owned", unit=unit_at(board, unit), power=nation(unit.power))


def why(board: Board, reason: Reason, named: Callable[[Unit], str] | None = None) -> str:
    """Return a reason as the end of a sentence: "stand-off with Huron (Dakota)".

    named: how to name a unit, `whose` by default.
    """
    by = [named(unit) if named else whose(board, unit) for unit in reason.by]
    return sentence(f"diplomacy.reasons.{reason.code}", by=language.join_list(by), first=by[0] if by else "")


def advise(
    board: Board, remark: Objection | Concern, kinds: Mapping[Province, Kind], default: Kind
) -> Advice:
    """Return an objection or a concern in words.

    kinds: the kind of unit in each province; default: the kind in other provinces. Raises KeyError for an
    unknown code.
    """
    near = [Province(place) for place in remark.detail.get("near", "").split()]
    words = _words(board, remark.detail, kinds, default)
    words["choice"] = list_possible([board.name(place) for place in near])
    meant = _likeliest(board, remark.detail.get("to", remark.detail.get("unit", "")), near)
    if meant is not None:
        words["near"] = board.abbr(meant)
        words["near_unit"] = f"{kinds.get(split_spot(meant)[0], default)} {board.abbr(meant)}"
    instead = _ORDER_TO_WRITE.get(remark.code)
    if instead is not None:
        instead = instead.format(**words) if meant is not None or "{near" not in instead else None
    return Advice(problem=sentence(f"diplomacy.advice.{remark.code}", **words), instead=instead)


def _likeliest(board: Board, wanted: str, near: Sequence[Province]) -> Province | None:
    """Return the possible province that the player probably meant; None if that isn't clear.

    It is the only possible one, another coast of the same province, or one with a similar name.
    """
    if len(near) == 1 or not wanted:
        return near[0] if near else None
    place = split_spot(Province(wanted))[0]
    return next(
        (spot for spot in near if split_spot(spot)[0] == place or _is_spelt_like(board, spot, place)), None
    )


def _is_spelt_like(board: Board, spot: Province, other: Province) -> bool:
    """Return whether one province may be a misspelling of the other."""
    shorts = board.abbr(split_spot(spot)[0]), board.abbr(other)
    slips = sum(a != b for a, b in zip(*shorts, strict=False)) if len(shorts[0]) == len(shorts[1]) else 9
    if slips == 1 or sorted(shorts[0]) == sorted(shorts[1]):
        return True
    names = (board.name(split_spot(spot)[0]).lower(), board.name(other).lower())
    return SequenceMatcher(None, *names).ratio() >= _ALIKE


def _words(
    board: Board, detail: Mapping[str, str], kinds: Mapping[Province, Kind], default: Kind
) -> dict[str, str]:
    words = dict(detail)
    for key, short in (("unit", "W"), ("other", "O"), ("to", "T")):
        place = Province(detail.get(key, ""))
        at, _ = split_spot(place)
        if at in board.places:
            piece = f"{kinds.get(at, default)} {board.abbr(place)}"
            words |= {key: board.name(place), short: piece, f"{short}_unit": piece}
            words[f"{short}_place"] = board.abbr(place)
    words["T"] = words.get("T_place", "")
    if "kind" in detail:
        words["kind"] = UNIT_KIND_NAMES.get(detail["kind"], detail["kind"])  # type: ignore[call-overload]  # or another text
    return words


# Storms, the taboo and canoe-fleets in words.


def tell(board: Board, event: CanoesTaken | TabooBroken | StormThrown) -> ReportLine:
    """Return the event in a sentence. Source: Indianomacy §5, §8, §9."""
    if isinstance(event, CanoesTaken):
        text = sentence(
            "diplomacy.events.canoes_captured",
            count=event.count,
            number=small(event.count),
            power=nation(event.now.power),
            place=board.name(event.at),
            unit=whose(board, event.was),
        )
        return ReportLine(heading=sentence("diplomacy.events.canoes"), text=text)
    if isinstance(event, TabooBroken):
        return ReportLine(heading=sentence("diplomacy.events.taboo"), text=_taboo(board, event), failed=True)
    return ReportLine(
        heading=sentence("diplomacy.events.storms"), text=_storm(board, event), failed=event.sunk
    )


def news(board: Board, event: TabooBroken | StormThrown) -> str:
    """Return the event as part of a headline."""
    power = nation(event.unit.power)
    if isinstance(event, TabooBroken):
        return sentence("diplomacy.news.taboo_broken", power=power, place=board.name(event.at))
    water = board.name(event.unit.at)
    if event.sunk:
        return sentence("diplomacy.news.storm_sank", power=power, water=water)
    return sentence("diplomacy.news.storm_survived", power=power, water=water)


def _taboo(board: Board, event: TabooBroken) -> str:
    years = range(event.last_ban - WINTERS + 1, event.last_ban + 1)
    return sentence(
        "diplomacy.events.taboo_broken",
        power=nation(event.unit.power),
        place=board.name(event.at),
        origin=board.name(event.unit.at),
        years=language.join_list(map(year_name, years)),
    )


def _storm(board: Board, event: StormThrown) -> str:
    rolls = (sentence("diplomacy.events.roll", number=number) for number in SINKS)
    return sentence(
        "diplomacy.events.storm_sank" if event.sunk else "diplomacy.events.storm_survived",
        power=nation(event.unit.power),
        water=board.name(event.unit.at),
        number=event.number,
        numbers=language.join_list(rolls, "or"),
    )
