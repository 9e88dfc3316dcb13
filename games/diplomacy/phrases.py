"""The texts of the Diplomacy family: why an order failed or is illegal, and what to write instead.

The codes come from reasons.py, legality.py, retreats.py and adjustments.py.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from games.diplomacy.adjudication.canoes import SINKS, WINTERS
from games.diplomacy.boards.board import Board
from games.diplomacy.events import CanoesTaken, Reason, StormThrown, TabooBroken
from games.diplomacy.model import NEUTRAL, Kind, Piece, Province, Unit, split_spot
from games.protocol import Advice, Concern, Objection, ReportLine, Seat, list_possible

UNIT_KIND_NAMES: Mapping[Kind, str] = {"W": "War Party", "A": "army", "F": "fleet"}

REASON_PHRASES: Mapping[str, str] = {
    "dislodged": "dislodged by {by}",
    "cut": "attacked by {by}",
    "no-such-move": "{first} wasn't ordered to move there",
    "tries-to-move": "{first} was ordered to move, so it couldn't be supported in place",
    "own-unit": "{first} stayed there, and a unit can't dislodge another of its own side",
    "own-support": "only support from its own side would have dislodged {first}, and that doesn't count",
    "swap": "it met {first} coming the other way, equally strong",
    "beaten": "{first} came the other way and was stronger",
    "held-off": "held off by {by}",
    "kept-out": "{first} was stronger and moved in",
    "stood-off": "stand-off with {by}",
    "walkers-aim": "{by} moved there on foot",
    "canoes-aim": "{by} headed there by canoe-fleet too",
    "met": "it met {first} coming the other way",
    "occupied": "{first} stayed there",
    "attacked": "attacked by {by}",
    "goes-by-canoe": "{first} went by canoe-fleet, and such a move can't be supported",
    "taboo": "it broke the taboo and was removed at once",
    "one-a-season": "only one canoe-fleet a season can be destroyed in a province",
    "carried-off": "the only canoe-fleet there was ordered to carry a unit",
    "canoe-destroyed": "the only canoe-fleet there was destroyed",
    "no-such-convoy": "{first} wasn't ordered to go there",
    "no-convoy": "no fleets convoyed it all the way",
    "convoy-broken": "{by} broke its convoy",
    "paradox": "its convoy depended on its own success, so it failed",
    "knotted": "it depended on a convoy that depended on its own success, so both failed",
    "replaced": "replaced by another order for the same unit",
    "collided": "{by} retreated there too",
    "no-order": "no order received",
    "more-than-due": "more orders than were due",
    "not-due": "no such order was due",
    "no-place": "the board has no such province",
    "no-unit": "there wasn't a unit",
    "not-yours": "the unit belongs to another player",
    "wrong-kind": "the unit is of another type",
    "stays-put": "it is already there",
    "needs-canoe": "a unit can't enter water on foot",
    "not-adjacent": "the two provinces don't border each other",
    "supports-itself": "a unit can't support itself",
    "no-unit-there": "there wasn't a unit to support",
    "neutral-stays": "a neutral War Party never moves",
    "support-too-far": "a unit can only support where it could move itself",
    "other-not-adjacent": "the supported unit can't move there",
    "say-canoe": "a unit needs a canoe-fleet to enter water, and the order didn't say CANOE",
    "afloat": "a War Party afloat can only move or stay",
    "supports-canoe": "a move by canoe-fleet can't be supported",
    "no-canoe": "there wasn't a canoe-fleet",
    "inland": "canoe-fleets can't go inland",
    "other-water": "that shore is on another water",
    "still-crossing": "crossing the water takes a whole year",
    "same-shore": "a unit can't land on the shore that it came from",
    "no-shore": "the province has no shore",
    "none-there": "there wasn't a canoe-fleet",
    "on-foot": "units retreat on foot",
    "banned": "the taboo was broken",
    "no-wading": "armies can't enter water",
    "inland-fleet": "fleets can't go inland",
    "which-coast": "it could have gone to several coasts, and the order named none",
    "wrong-coast": "it can't reach that coast",
    "no-route": "there were no fleets to carry it",
    "not-at-sea": "only fleets on open water can convoy",
    "only-armies": "there wasn't an army to carry",
    "off-route": "the fleet isn't on any route between the two shores",
    "inland-build": "a fleet can only be built on a coast",
    "which-berth": "there are several coasts, and the order named none",
    "not-beaten": "it wasn't dislodged",
    "no-retreat": "it can't retreat there",
    "no-builds": "no builds were due",
    "no-removals": "no disbands were due",
    "not-home": "it isn't a home centre of the player",
    "home-lost": "the player no longer owns that home centre",
    "home-occupied": "the home centre wasn't empty",
}
"""Each reason as the end of a sentence about an order."""

_ALIKE = 0.7
"""If two province names are at least this similar, one may be a misspelling of the other."""

# The problem, and what to write instead ("" for nothing); {near} is the legal province that may be meant.
OBJECTION_PHRASES: Mapping[str, tuple[str, str]] = {
    "not-due": ("no such order is due in this phase", ""),
    "no-place": ("the board has no province called {to}", ""),
    "no-unit": ("there's no unit in {unit}", ""),
    "not-yours": ("the unit in {unit} belongs to {power}", ""),
    "wrong-kind": ("the unit in {unit} is of another type: {kind}", ""),
    "stays-put": ("{unit} is already there", "{W} H"),
    "needs-canoe": ("{to} is water, and a unit can't enter it on foot{choice}", "{W} - {near}"),
    "not-adjacent": ("{unit} doesn't border {to}{choice}", "{W} - {near}"),
    "supports-itself": ("{unit} can't support itself", "{W} H"),
    "no-unit-there": ("there's no such unit in {other} to support", ""),
    "neutral-stays": ("the neutral War Party in {other} never moves", "{W} S {O}"),
    "support-too-far": ("{unit} doesn't border {to}{choice}", "{W} S {O} - {near}"),
    "other-not-adjacent": (
        "{other} can't move to {to}, because they don't border each other{choice}",
        "{W} S {O} - {near}",
    ),
    "say-canoe": (
        "{to} is water, so {unit} needs its canoe-fleet. Add CANOE",
        "{W} - {T} CANOE",
    ),
    "afloat": ("{unit} is water, and a War Party there can only move or stay", "{W} H"),
    "supports-canoe": ("a move by canoe-fleet can't be supported", ""),
    "no-canoe": ("there's no canoe-fleet in {unit}", "{W} B CANOE"),
    "inland": ("a canoe-fleet can't go inland to {to}{choice}", "{W} - {near} CANOE"),
    "other-water": ("{to} and {unit} are on different waters{choice}", "{W} - {near} CANOE"),
    "still-crossing": (
        "crossing {unit} takes a whole year, and the unit only entered in {since}",
        "{W} H",
    ),
    "same-shore": ("a unit can't leave {unit} by the shore that it came from{choice}", "{W} - {near}"),
    "no-shore": ("{unit} has no shore on water that canoe-fleets use", ""),
    "none-there": ("there's no canoe-fleet in {unit}{choice}", "DESTROY {near}"),
    "on-foot": ("units retreat on foot, without a canoe-fleet", "{W} - {T}"),
    "banned": ("you broke the taboo, so you can't build until the Winter of year {year} is over", ""),
    "no-wading": ("{to} is water, and armies can't enter it{choice}", "{W} - {near}"),
    "inland-fleet": ("{to} has no coast, and fleets can't go inland{choice}", "{W} - {near}"),
    "which-coast": ("say which coast{choice}", "{W} - {near}"),
    "wrong-coast": ("{unit} can't reach that coast{choice}", "{W} - {near}"),
    "no-route": ("there are no fleets that could carry an army to {to}{choice}", ""),
    "not-at-sea": ("only a fleet on open water can convoy", "{W} H"),
    "only-armies": ("there's no army in {other} to carry{choice}", ""),
    "off-route": ("{unit} isn't on any convoy route from {other} to {to}{choice}", "{W} H"),
    "inland-build": ("{unit} has no coast, and a fleet can only be built on one", "A {W_place} B"),
    "which-berth": ("say which coast{choice}", "F {near} B"),
    "not-beaten": ("the unit in {unit} wasn't dislodged, so it stays there", ""),
    "no-retreat": ("{unit} can't retreat to {to}{choice}", "{W} - {near}"),
    "no-builds": ("you have nothing to build", ""),
    "no-removals": ("you have nothing to disband", ""),
    "not-home": ("{unit} isn't one of your home centres{choice}", "{near_unit} B"),
    "home-lost": ("you no longer own {unit}{choice}", "{near_unit} B"),
    "home-occupied": ("there is already a unit in {unit}{choice}", "{near_unit} B"),
    "unmatched-support": ("{other} isn't ordered to {to}, so the support does nothing", "{O} - {T}"),
    "supports-a-mover": ("{other} is ordered to move, so the support does nothing", "{O} H"),
    "two-to-one": ("{unit} and {other} both move to {to}, so they keep each other out", "{W} S {O} - {T}"),
    "attacks-own": ("your own unit in {to} stays there, so {unit} can't move in", "{W} S {T_unit}"),
    "helps-against-own": ("it supports an attack on your own unit in {to}", ""),
    "swaps": ("{unit} and {other} can't swap places", ""),
    "walker-first": ("{other} moves to {to} on foot, so the canoe-fleet from {unit} will turn back", "{W} H"),
    "supports-a-carrier": (
        "{other} goes to {to} by canoe-fleet, and such a move can't be supported",
        "",
    ),
    "destroys-carried": (
        "the only canoe-fleet in {unit} is ordered both to carry a unit and to be destroyed",
        "",
    ),
    "leaves-centre": ("you would gain {unit} this season if the unit stayed there", "{W} H"),
    "enters-taboo": (
        "{to} is taboo: you would lose the unit from {unit} at once and build nothing for two Winters",
        "{W} H",
    ),
    "enters-storms": (
        "crossing {to} takes a year, so at least two storms hit the unit. A roll of 1 or 6 sinks it",
        "",
    ),
}
"""Each objection and concern: the problem, and an order that you could write instead."""


SMALL_NUMBER_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Numbers in words, from 0 upwards."""


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence: "Huron, Erie and Oneida"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun, small ones in words: "two canoe-fleets"."""
    return f"{small(number)} {noun}{'s' * (number != 1)}"


def count_times(number: int) -> str:
    """Return a number of times in words: "once", "twice", "three times"."""
    return {1: "once", 2: "twice"}.get(number, f"{small(number)} times")


def small(number: int) -> str:
    """Return a number, in words if it is small."""
    return SMALL_NUMBER_WORDS[number] if number < len(SMALL_NUMBER_WORDS) else str(number)


def unit_nouns(board: Board) -> tuple[str, str]:
    """Return the singular and plural noun for the units of a board: "unit" if it has several kinds."""
    return ("War Party", "War Parties") if board.kinds == ("W",) else ("unit", "units")


def power_nouns(board: Board) -> tuple[str, str]:
    """Return the singular and plural noun for those who play a board: nations or powers."""
    return ("nation", "nations") if board.kinds == ("W",) else ("power", "powers")


def nation(power: str) -> str:
    """Return a power's name for a report. Units in civil disorder are neutral."""
    return "neutral" if power == NEUTRAL else power


def troop(unit: Unit) -> str:
    """Return a unit with its kind and power: "a War Party of Iroquois", "an army of Austria"."""
    if unit.power == NEUTRAL:
        return f"a neutral {UNIT_KIND_NAMES[unit.kind]}"
    return f"a{'n' * (unit.kind == 'A')} {UNIT_KIND_NAMES[unit.kind]} of {unit.power}"


def unit_at(board: Board, piece: Piece | Unit) -> str:
    """Return a unit with its kind and place ("Fleet Spain (south coast)"), or only its place."""
    if len(board.kinds) == 1:
        return board.name(piece.spot)
    return f"{UNIT_KIND_NAMES[piece.kind].capitalize()} {board.name(piece.spot)}"


def unit_title(board: Board, power: Seat, piece: Piece | Unit) -> str:
    """Return the tooltip of a unit on the map: "fleet of England, North Sea"."""
    return f"{UNIT_KIND_NAMES[piece.kind]} of {power}, {board.name(piece.spot)}"


def order_title(board: Board, power: Seat, piece: Piece | Unit) -> str:
    """Return the tooltip of an order's line on the map."""
    return f"order of the {unit_title(board, power, piece)}"


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
    return f"{unit_at(board, unit)} ({nation(unit.power)})"


def why(board: Board, reason: Reason, named: Callable[[Unit], str] | None = None) -> str:
    """Return a reason as the end of a sentence: "stand-off with Huron (Dakota)".

    named: how to name a unit, `whose` by default.
    """
    by = [named(unit) if named else whose(board, unit) for unit in reason.by]
    return REASON_PHRASES[reason.code].format(by=join_words(by), first=by[0] if by else "")


def advise(
    board: Board, remark: Objection | Concern, kinds: Mapping[Province, Kind], default: Kind
) -> Advice:
    """Return an objection or a concern in words.

    kinds: the kind of unit in each province; default: the kind to assume elsewhere. Raises KeyError for a
    code without a text.
    """
    problem, instead = OBJECTION_PHRASES[remark.code]
    near = [Province(place) for place in remark.detail.get("near", "").split()]
    words = _words(board, remark.detail, kinds, default)
    words["choice"] = list_possible([board.name(place) for place in near])
    meant = _likeliest(board, remark.detail.get("to", remark.detail.get("unit", "")), near)
    if meant is not None:
        words["near"] = board.abbr(meant)
        words["near_unit"] = f"{kinds.get(split_spot(meant)[0], default)} {board.abbr(meant)}"
    lacking = "{near" in instead and meant is None
    return Advice(
        problem=problem.format(**words), instead=instead.format(**words) if instead and not lacking else None
    )


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
    """Return whether a player may have written one province for another by a slip."""
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
        booty = count_noun(event.count, "canoe-fleet")
        text = f"{nation(event.now.power)} captured {booty} in {board.name(event.at)}"
        return ReportLine(heading="Canoe-fleets", text=f"{text} from {whose(board, event.was)}.")
    if isinstance(event, TabooBroken):
        return ReportLine(heading="The taboo", text=_taboo(board, event), failed=True)
    return ReportLine(heading="Storms", text=_storm(board, event), failed=event.sunk)


def news(board: Board, event: TabooBroken | StormThrown) -> str:
    """Return the event as part of a headline."""
    if isinstance(event, TabooBroken):
        return f"{event.unit.power} broke the taboo of {board.name(event.at)}"
    where, power = board.name(event.unit.at), nation(event.unit.power)
    return f"a storm on {where} sank {power}" if event.sunk else f"{power} survived a storm on {where}"


def _taboo(board: Board, event: TabooBroken) -> str:
    years = [str(year) for year in range(event.last_ban - WINTERS + 1, event.last_ban + 1)]
    whence, where = board.name(event.unit.at), board.name(event.at)
    entered = f"{nation(event.unit.power)} entered {where} from {whence} and broke the taboo"
    banned = f"it can't build in the Winters of years {join_words(years)}"
    return f"{entered}. Its War Party is removed, and {banned}."


def _storm(board: Board, event: StormThrown) -> str:
    who = f"{nation(event.unit.power)} on {board.name(event.unit.at)}"
    rolled = f"the roll was {event.number}"
    numbers = join_words([f"a {number}" for number in SINKS], "or")
    if event.sunk:
        return f"{who} sank with its canoe-fleet: {rolled}, and {numbers} sinks it."
    return f"{who} survived: {rolled}, and only {numbers} sinks it."
