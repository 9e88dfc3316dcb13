"""The check of a variant: its census, and findings that are odd but not wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import dist
from typing import Any

from games import language
from games.colour_vision import seen_colour
from games.diplomacy.adjudication.victory import judge_victory
from games.diplomacy.boards.board import Board, Victory
from games.diplomacy.boards.folders import OUTLINE_FILE, names
from games.diplomacy.boards.variants import Variant
from games.diplomacy.map.outlines import atlas, check_outline, is_drawn
from games.diplomacy.model import Move, Province, State, Unit, spot
from games.messages import sentence
from games.protocol import Invalid, ReportTable, Seat


def check_new_outline(board: Board) -> None:
    """Raise Invalid for an outline that can't be drawn. A board without one has a schematic picture."""
    chart = board.chart
    if chart.outline and chart.outline not in names():
        why = sentence("diplomacy.variants.no_variant", name=chart.outline)
        remedy = sentence("diplomacy.judge.known", names=language.join_list(names()))
        raise Invalid("map.json: outline", why, remedy)
    if is_drawn(board):
        check_outline(board)


def check_new_victory(variant: Variant) -> None:
    """Raise Invalid if a power has won before the first turn."""
    board, victory = variant.board, variant.board.chart.victory
    units = tuple(
        Unit(power=power, kind=piece.kind, at=piece.at)
        for power, pieces in board.starts.items()
        for piece in pieces
    )
    # No year is over at the start, so the first one doesn't count yet.
    before = variant.rulebook.beginning(board.chart.first_year - 1)
    state = State(options={}, phase=before, units=units, centres=dict(board.owners_at_start))
    ended = judge_victory(board, state)
    if ended is None:
        return
    if isinstance(victory, Victory) and ended.winners:
        number = Counter(board.owners_at_start.values())[ended.winners[0]]
        why = sentence("diplomacy.variants.won_at_once", power=ended.winners[0], number=number)
        remedy = sentence("diplomacy.variants.write_more", number=number)
        raise Invalid(f"map.json: victory: {ended.reason}", why, remedy)
    slug = "diplomacy.variants.won_from_start" if ended.winners else "diplomacy.variants.tied_from_start"
    why = sentence(slug, power=language.join_list(ended.winners))
    raise Invalid("map.json: victory", why, sentence("diplomacy.variants.ask_for_more"))


def census(board: Board) -> tuple[ReportTable, ...]:
    """Return the numbers of provinces, centres and borders, and the neighbours of each province."""
    lands = [at for at in board.places if board.is_land(at)]
    counts = (
        (sentence("diplomacy.survey.land"), len(lands)),
        (sentence("diplomacy.survey.inland"), sum(not board.spots[at] for at in lands)),
        (sentence("diplomacy.survey.several_coasts"), sum(len(board.spots[at]) > 1 for at in lands)),
        (sentence("diplomacy.survey.seas"), len(board.places) - len(lands)),
        (sentence("diplomacy.survey.centres"), len(board.centres)),
        (sentence("diplomacy.survey.powers"), len(board.powers)),
        (sentence("diplomacy.survey.units"), sum(map(len, board.starts.values()))),
        (sentence("diplomacy.survey.borders_on_foot"), _count_pairs(board.army)),
        (sentence("diplomacy.survey.borders_by_water"), _count_pairs(board.sailing)),
    )
    borders = tuple((board.abbr(at), *_neighbours(board, at)) for at in board.places)
    return (
        ReportTable(
            title=sentence("diplomacy.survey.census"),
            columns=(sentence("diplomacy.survey.sort"), sentence("diplomacy.survey.number")),
            rows=tuple((what, str(n)) for what, n in counts),
        ),
        ReportTable(
            title=sentence("diplomacy.survey.borders"),
            columns=(
                sentence("diplomacy.survey.province"),
                sentence("diplomacy.survey.on_foot"),
                sentence("diplomacy.survey.by_water"),
            ),
            rows=borders,
        ),
    )


def _count_pairs(near: Mapping[Province, tuple[Province, ...]]) -> int:
    return len({frozenset((here, there)) for here, several in near.items() for there in several})


def _neighbours(board: Board, at: Province) -> tuple[str, str]:
    several = len(board.spots[at]) > 1
    waters = [
        (f"{here.partition('/')[2]}: " if several else "") + " ".join(map(board.abbr, board.sailing[here]))
        for here in board.spots[at]
    ]
    return " ".join(map(board.abbr, board.army[at])), "; ".join(waters)


_MAX_POWERS_BY_COLOUR = 12
"""The most powers that the map tells apart by colour. With more of them, it writes their letters."""
_MIN_COLOUR_DISTANCE = 15.0
"""The least distance of two colours in CIE Lab that a map should have."""
_CORNER_SHARE = 0.005
"""Shapes that share a shorter line, relative to the width of the sheet, meet in a corner."""
_LOOK_ALIKE = str.maketrans("0Oo1Iil5Ss8Bb2Zz", "OOOIIIISSSBBBZZZ")


def findings(variant: Variant) -> tuple[str, ...]:
    """Return what is odd: idle units, places out of reach, victory, look-alikes, and the drawing."""
    board = variant.board
    return (*_lonely(board), *_idle(variant), *_victory(board), *_look_alikes(board), *_shapes(board))


def _lonely(board: Board) -> Iterator[str]:
    standing = [piece.at for pieces in board.starts.values() for piece in pieces]
    built = [home for power in board.chart.powers for home in (*power.centres, *power.owned_at_start)]
    entered = board.steps(dict.fromkeys((*standing, *built)))
    reached = board.steps(board.centres[:1])
    for at in board.places:
        if at in board.centres and at not in entered:
            yield sentence("diplomacy.survey.centre_unreachable", place=board.name(at))
        elif at not in reached:
            origin = board.name(board.centres[0])
            yield sentence("diplomacy.survey.unreachable", place=board.name(at), origin=origin)


def _idle(variant: Variant) -> Iterator[str]:
    """Yield the units that can never move, and the powers without a unit or a place to build one."""
    board, is_afloat = variant.board, "F" in (*variant.board.kinds, *variant.rulebook.builds_of)
    for power, pieces in board.starts.items():
        for piece in pieces:
            at = spot(piece.at, piece.coast)
            on_foot, by_water = board.army[piece.at], board.sailing[at]
            goes = by_water if piece.kind == "F" else (*on_foot, *by_water)
            if piece.kind == "A" and not on_foot and not is_afloat:
                goes = ()
            if not goes:
                yield sentence(
                    "diplomacy.survey.never_moves", unit=f"{piece.kind} {board.abbr(at)}", power=power
                )
        if not pieces and not board.powers[power].owned_at_start:
            yield sentence("diplomacy.survey.out_at_once", power=power)
        elif not board.powers[power].centres and (
            variant.rulebook.builds_in == "starting" or not board.powers[power].owned_at_start
        ):
            yield sentence("diplomacy.survey.never_builds", power=power)


def _look_alikes(board: Board) -> Iterator[str]:
    """Yield the powers whose letters or colours look alike, and names that are the letter of a unit."""
    powers = board.chart.powers
    for one, other in combinations(powers, 2):
        if one.letter.translate(_LOOK_ALIKE).upper() == other.letter.translate(_LOOK_ALIKE).upper():
            yield sentence(
                "diplomacy.survey.letters_alike",
                power=one.id,
                letter=one.letter,
                other=other.id,
                other_letter=other.letter,
            )
        if (
            len(powers) <= _MAX_POWERS_BY_COLOUR
            and dist(seen_colour(one.colour, "normal"), seen_colour(other.colour, "normal"))
            < _MIN_COLOUR_DISTANCE
        ):
            yield sentence(
                "diplomacy.survey.colours_alike",
                power=one.id,
                colour=one.colour,
                other=other.id,
                other_colour=other.colour,
            )
    kinds = ("W",) if board.walker == "W" else ("A", "F")
    for place in board.places.values():
        for kind in kinds:
            if kind in (place.id.upper(), place.abbr.upper()):
                yield sentence("diplomacy.survey.named_like_unit", place=place.name, letter=kind)


def _victory(board: Board) -> Iterator[str]:
    every = len(board.centres)
    for condition in board.winning_conditions:
        wanted = condition.centres
        if wanted is not None and wanted > every:
            yield sentence("diplomacy.survey.too_few_centres", number=wanted, total=every)
        elif (
            wanted is not None
            and wanted <= every / 2
            and board.chart.tie == "shared"
            and not (condition.power or condition.lead or condition.provinces)
        ):
            yield sentence("diplomacy.survey.two_winners", number=wanted)


def _shapes(board: Board) -> Iterator[str]:
    if not is_drawn(board):
        yield sentence("diplomacy.survey.schematic", file=OUTLINE_FILE)
        return
    width, height = board.chart.size
    for place in board.places.values():
        for entry, points in (("label", (place.label,)), ("anchors", place.anchors.values())):
            if any(not (0 <= x <= width and 0 <= y <= height) for x, y in points):
                yield sentence("diplomacy.survey.off_sheet", entry=entry, place=place.name)
    try:
        shapes = atlas(board)
    except Invalid as fault:
        file = fault.what.rpartition("/")[2]
        yield sentence("diplomacy.survey.not_drawn", file=file, reason=fault.why)
        return
    lengths: dict[frozenset[Province], float] = {}
    for line in shapes.borders:
        if len(set(line.sides)) == 2:
            pair = frozenset(line.sides)
            lengths[pair] = lengths.get(pair, 0.0) + sum(map(dist, line.points, line.points[1:]))
    # Shapes that meet in a corner alone need not border each other.
    touching = {pair for pair, length in lengths.items() if length > _CORNER_SHARE * width}
    meant = {frozenset((at, other)) for at in board.places for other in (*board.army[at], *board.fleet[at])}
    for first, second in sorted(map(sorted, touching - meant)):
        yield sentence("diplomacy.survey.touch_only_drawn", province=first, other=second)
    for first, second in sorted(map(sorted, meant - lengths.keys())):
        yield sentence("diplomacy.survey.border_not_drawn", province=first, other=second)


class UnusedParts:
    """The centres that changed hands and the borders that units were ordered across, in games of bots."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._taken: set[Province] = set()
        self._crossed: set[frozenset[Province]] = set()

    def note(self, state: Any, orders: Mapping[Seat, Sequence[Any]]) -> None:
        """Take note of a position and its orders."""
        before = self._board.owners_at_start
        self._taken |= {at for at, owner in state.centres.items() if before.get(at) != owner}
        moves = (order for several in orders.values() for order in several if isinstance(order, Move))
        self._crossed |= {frozenset((move.unit.at, move.to)) for move in moves}

    def findings(self) -> tuple[str, ...]:
        """Return sentences about the centres and borders that no game made use of."""
        board = self._board
        idle = [at for at in board.centres if at not in self._taken]
        pairs = {
            frozenset((here, there)): (here, there)
            for near in (board.army, board.fleet)
            for here, others in near.items()
            for there in others
        }
        unused = [f"{here} {there}" for pair, (here, there) in pairs.items() if pair not in self._crossed]
        lists = (("centres_never_taken", idle), ("borders_never_used", unused))
        return tuple(
            sentence(f"diplomacy.survey.{slug}", places=language.join_list(list(map(str, names))))
            for slug, names in lists
            if names
        )
