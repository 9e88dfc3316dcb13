"""The words of the family: why an order failed or may not be given, and what to write instead.

The codes are those of reasons.py, legality.py and of retreats and adjustments.
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
    "no-such-move": "{first} was not ordered to move there",
    "tries-to-move": "{first} was ordered to move and could not be supported where it stood",
    "own-unit": "{first} stayed there, and nobody dislodges his own",
    "own-support": "{first} would have fallen only with support of its own nation",
    "swap": "it met {first} coming the other way, equally strong",
    "beaten": "{first} came the other way and was stronger",
    "held-off": "held off by {by}",
    "kept-out": "kept out by the stronger {first}",
    "stood-off": "stood off with {by}",
    "walkers-aim": "{by} went there on foot",
    "canoes-aim": "{by} aimed there in canoe-fleets too",
    "met": "it met {first} coming the other way",
    "occupied": "{first} stayed there",
    "attacked": "attacked by {by}",
    "goes-by-canoe": "{first} went by canoe-fleet, and such a move has no support",
    "taboo": "it broke the taboo and was gone at once",
    "one-a-season": "one canoe-fleet a season is destroyed in a province",
    "carried-off": "the only canoe-fleet there was ordered to be carried",
    "canoe-destroyed": "the only canoe-fleet there was destroyed",
    "no-such-convoy": "{first} was not ordered to go there",
    "no-convoy": "no fleets convoyed it all the way",
    "convoy-broken": "its convoy was broken by {by}",
    "paradox": "its convoy hung on its own success, and was given up",
    "knotted": "it hung on a convoy that hung on its own success, and was given up with it",
    "replaced": "replaced by another order for the same unit",
    "collided": "{by} retreated there too",
    "no-order": "no order came",
    "more-than-due": "more orders than were due",
    "not-due": "such an order was not wanted",
    "no-place": "the board has no such province",
    "no-unit": "nobody stood there",
    "not-yours": "the unit is another nation's",
    "wrong-kind": "a unit of another kind",
    "stays-put": "it stands there already",
    "needs-canoe": "water cannot be entered on foot",
    "not-adjacent": "the two do not border on each other",
    "supports-itself": "no unit supports itself",
    "no-unit-there": "there was nobody to support",
    "neutral-stays": "a neutral War Party never moves",
    "support-too-far": "a unit supports only where it could go itself",
    "other-not-adjacent": "the supported unit cannot go there",
    "say-canoe": "water is entered in a canoe-fleet only, and the word canoe was missing",
    "afloat": "a War Party afloat only moves or stays",
    "supports-canoe": "no support helps a move by canoe-fleet",
    "no-canoe": "no canoe-fleet lay there",
    "inland": "canoe-fleets never go inland",
    "other-water": "that shore is on another water",
    "still-crossing": "the water takes a whole year to cross",
    "same-shore": "one comes off the water on another shore than one came from",
    "no-shore": "it is no shore",
    "none-there": "no canoe-fleet lay there",
    "on-foot": "a retreat is on foot",
    "banned": "the taboo was broken",
    "no-wading": "armies never go on water",
    "inland-fleet": "fleets never go inland",
    "which-coast": "it could have gone to several coasts, and none was named",
    "wrong-coast": "it cannot reach that coast",
    "no-route": "no fleets were there to carry it",
    "not-at-sea": "only fleets on open water convoy",
    "only-armies": "no army stood there to be carried",
    "off-route": "it was not needed on any way between the two shores",
    "inland-build": "a fleet is built on a coast",
    "which-berth": "there are several coasts, and none was named",
    "not-beaten": "it was not dislodged",
    "no-retreat": "no retreat is open there",
    "no-builds": "no builds were due",
    "no-removals": "no removals were due",
    "not-home": "no starting centre of its nation",
    "home-lost": "the starting centre is not its nation's any more",
    "home-occupied": "the starting centre was not empty",
}
"""Each reason as the end of a sentence about an order."""

_ALIKE = 0.7
"""Names of provinces that are spelt so much alike are taken one for the other."""

# What is wrong, and what to write instead ("" for nothing); {near} is the legal province that may be meant.
OBJECTION_PHRASES: Mapping[str, tuple[str, str]] = {
    "not-due": ("this is no time for such an order", ""),
    "no-place": ("the board has no province {to}", ""),
    "no-unit": ("nobody stands in {unit}", ""),
    "not-yours": ("the unit in {unit} belongs to {power}", ""),
    "wrong-kind": ("the unit in {unit} is another kind of unit: {kind}", ""),
    "stays-put": ("{unit} is where it stands already", "{W} H"),
    "needs-canoe": ("{to} is water, and nobody walks on it{choice}", "{W} - {near}"),
    "not-adjacent": ("{unit} does not border {to}{choice}", "{W} - {near}"),
    "supports-itself": ("{unit} cannot support itself", "{W} H"),
    "no-unit-there": ("there is no such unit in {other} to support", ""),
    "neutral-stays": ("the neutral War Party in {other} never moves", "{W} S {O}"),
    "support-too-far": ("{unit} does not border {to}{choice}", "{W} S {O} - {near}"),
    "other-not-adjacent": ("{other} cannot go to {to}: they are no neighbours{choice}", "{W} S {O} - {near}"),
    "say-canoe": ("{to} is water: say that {unit} takes its canoe-fleet", "{W} - {T} CANOE"),
    "afloat": ("{unit} is water, and a War Party there only moves or stays", "{W} H"),
    "supports-canoe": ("a move by canoe-fleet cannot be supported", ""),
    "no-canoe": ("no canoe-fleet lies in {unit}", "{W} B CANOE"),
    "inland": ("a canoe-fleet cannot go inland to {to}{choice}", "{W} - {near} CANOE"),
    "other-water": ("{to} is on another water than {unit}{choice}", "{W} - {near} CANOE"),
    "still-crossing": ("{unit} takes a whole year to cross, and it went in in {since}", "{W} H"),
    "same-shore": ("one comes off {unit} on another shore than one came from{choice}", "{W} - {near}"),
    "no-shore": ("{unit} touches no water on which canoe-fleets go", ""),
    "none-there": ("no canoe-fleet lies in {unit}{choice}", "DESTROY {near}"),
    "on-foot": ("a retreat is on foot, without a canoe-fleet", "{W} - {T}"),
    "banned": ("you broke the taboo and build nothing before the Winter of year {year} is over", ""),
    "no-wading": ("{to} is water, and armies never go there{choice}", "{W} - {near}"),
    "inland-fleet": ("{to} has no coast, and fleets never go inland{choice}", "{W} - {near}"),
    "which-coast": ("say to which coast{choice}", "{W} - {near}"),
    "wrong-coast": ("{unit} cannot reach that coast{choice}", "{W} - {near}"),
    "no-route": ("no fleets are there that could carry an army to {to}{choice}", ""),
    "not-at-sea": ("only a fleet on open water convoys", "{W} H"),
    "only-armies": ("no army stands in {other} to be carried{choice}", ""),
    "off-route": ("{unit} is not needed on any way from {other} to {to}{choice}", "{W} H"),
    "inland-build": ("{unit} has no coast, and a fleet is built on one", "A {W_place} B"),
    "which-berth": ("say on which coast{choice}", "F {near} B"),
    "not-beaten": ("the unit in {unit} was not dislodged and stays where it is", ""),
    "no-retreat": ("{unit} may not retreat to {to}{choice}", "{W} - {near}"),
    "no-builds": ("you have nothing to build", ""),
    "no-removals": ("you have nothing to remove", ""),
    "not-home": ("{unit} is none of your starting centres{choice}", "{near_unit} B"),
    "home-lost": ("you do not own {unit} any more{choice}", "{near_unit} B"),
    "home-occupied": ("a unit stands in {unit}{choice}", "{near_unit} B"),
    "unmatched-support": ("{other} is not ordered to {to}, so that the support is for nothing", "{O} - {T}"),
    "supports-a-mover": ("{other} is ordered to move, so that the support is for nothing", "{O} H"),
    "two-to-one": ("{unit} and {other} both go to {to} and keep each other out", "{W} S {O} - {T}"),
    "attacks-own": ("your own unit in {to} stays there, and {unit} will not get in", "{W} S {T_unit}"),
    "helps-against-own": ("it helps an attack on your own unit in {to}", ""),
    "swaps": ("{unit} and {other} cannot change places", ""),
    "walker-first": ("{other} walks to {to}, and the canoe-fleet from {unit} will draw back", "{W} H"),
    "supports-a-carrier": ("{other} goes to {to} in a canoe-fleet, and such a move has no support", ""),
    "destroys-carried": ("the only canoe-fleet in {unit} is both to be carried and to be destroyed", ""),
    "leaves-centre": ("{unit} is a centre that would be yours now if the unit stayed there", "{W} H"),
    "enters-taboo": (
        "{to} is taboo: {unit} would be lost at once, and you would build nothing for two Winters",
        "{W} H",
    ),
    "enters-storms": ("{to} takes a year to cross: two storms at least, and a 1 or a 6 sinks", ""),
}
"""Each objection and concern: what is wrong, and a written order that would do instead."""


SMALL_NUMBER_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Numbers in words, from none upwards."""


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence: "Huron, Erie and Oneida"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun, small ones in words: "two canoe-fleets"."""
    return f"{small(number)} {noun}{'s' * (number != 1)}"


def small(number: int) -> str:
    """A number, in words where it is small."""
    return SMALL_NUMBER_WORDS[number] if number < len(SMALL_NUMBER_WORDS) else str(number)


def unit_nouns(board: Board) -> tuple[str, str]:
    """Return the nouns for one unit of a board, and for several: units, where there are several kinds."""
    return ("War Party", "War Parties") if board.kinds == ("W",) else ("unit", "units")


def nation(power: str) -> str:
    """A nation as a report names it; those in civil disorder are neutral."""
    return "neutral" if power == NEUTRAL else power


def troop(unit: Unit) -> str:
    """A unit by its kind and its nation: "a War Party of Iroquois", "an army of Austria"."""
    if unit.power == NEUTRAL:
        return f"a neutral {UNIT_KIND_NAMES[unit.kind]}"
    return f"a{'n' * (unit.kind == 'A')} {UNIT_KIND_NAMES[unit.kind]} of {unit.power}"


def unit_at(board: Board, piece: Piece | Unit) -> str:
    """A unit by its kind and place, "Fleet Spain (south coast)"; by its place where all are of one kind."""
    if len(board.kinds) == 1:
        return board.name(piece.spot)
    return f"{UNIT_KIND_NAMES[piece.kind].capitalize()} {board.name(piece.spot)}"


def unit_title(board: Board, power: Seat, piece: Piece | Unit) -> str:
    """Return the title of a unit on the map, for readers that point at it: "fleet of England, North Sea"."""
    return f"{UNIT_KIND_NAMES[piece.kind]} of {power}, {board.name(piece.spot)}"


def order_title(board: Board, power: Seat, piece: Piece | Unit) -> str:
    """Return the title of the line of an order on the map."""
    return f"order of the {unit_title(board, power, piece)}"


def unit_row(board: Board, pieces: Iterable[Piece | Unit]) -> str:
    """Units as a list names them, in board order: "A BUD, F SPA/SC"; by place where all are of one kind."""
    ordered = sorted(pieces, key=lambda piece: board.index[piece.at])
    kinds = len(board.kinds) > 1
    names = [
        f"{piece.kind} {board.abbr(piece.spot)}" if kinds else board.abbr(piece.spot) for piece in ordered
    ]
    return ", ".join(names)


def whose(board: Board, unit: Unit) -> str:
    """A unit by its kind, place and nation: "Fleet Holland (Germany)", "Huron (Dakota)"."""
    return f"{unit_at(board, unit)} ({nation(unit.power)})"


def why(board: Board, reason: Reason, named: Callable[[Unit], str] | None = None) -> str:
    """A reason as the end of a sentence: "stood off with Huron (Dakota)". named: else than by `whose`."""
    by = [named(unit) if named else whose(board, unit) for unit in reason.by]
    return REASON_PHRASES[reason.code].format(by=join_words(by), first=by[0] if by else "")


def advise(
    board: Board, remark: Objection | Concern, kinds: Mapping[Province, Kind], default: Kind
) -> Advice:
    """Return an objection or a concern in words.

    kinds: what sort of unit stands where; default: the sort that stands nowhere yet. Raises KeyError for a
    code that has no words.
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
    """Return which of some provinces may be meant by one that is not possible; None: nobody can say.

    It is the only one, another coast of the same province, or one that is spelt like it.
    """
    if len(near) == 1 or not wanted:
        return near[0] if near else None
    place = split_spot(Province(wanted))[0]
    return next(
        (spot for spot in near if split_spot(spot)[0] == place or _is_spelt_like(board, spot, place)), None
    )


def _is_spelt_like(board: Board, spot: Province, other: Province) -> bool:
    """Return whether somebody may have written one province for another by a slip."""
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
    """The event in a sentence. Source: Indianomacy §5, §8, §9."""
    if isinstance(event, CanoesTaken):
        booty = count_noun(event.count, "canoe-fleet")
        text = f"{nation(event.now.power)} took {booty} in {board.name(event.at)}"
        return ReportLine(heading="Canoe-fleets", text=f"{text} from {whose(board, event.was)}.")
    if isinstance(event, TabooBroken):
        return ReportLine(heading="The taboo", text=_taboo(board, event), failed=True)
    return ReportLine(heading="Storms", text=_storm(board, event), failed=event.sunk)


def news(board: Board, event: TabooBroken | StormThrown) -> str:
    """The event as part of a headline."""
    if isinstance(event, TabooBroken):
        return f"{event.unit.power} broke the taboo of {board.name(event.at)}"
    where, power = board.name(event.unit.at), nation(event.unit.power)
    return f"a storm on {where} sank {power}" if event.sunk else f"{power} weathered a storm on {where}"


def _taboo(board: Board, event: TabooBroken) -> str:
    years = [str(year) for year in range(event.last_ban - WINTERS + 1, event.last_ban + 1)]
    whence, where = board.name(event.unit.at), board.name(event.at)
    gone = f"{nation(event.unit.power)} came from {whence} and set foot in {where}: its War Party is no more"
    return f"{gone}, and it builds nothing in the Winters of the years {join_words(years)}."


def _storm(board: Board, event: StormThrown) -> str:
    who = f"{nation(event.unit.power)} on {board.name(event.unit.at)}"
    die = f"the die showed {event.number}"
    numbers = join_words([f"a {number}" for number in SINKS], "or")
    if event.sunk:
        return f"{who} went down, canoe-fleet and War Party: {die}, and {numbers} sinks."
    return f"{who} came through: {die}, and only {numbers} sinks."
