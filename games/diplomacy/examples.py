"""What a power could order now, an example of each kind: its own units, and all about one attack."""

from collections.abc import Iterable, Iterator

from games.diplomacy.adjustments import claim
from games.diplomacy.boards import Variant
from games.diplomacy.bots.candidates import Repertoire, buildable
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    View,
    Waive,
    parted,
)
from games.protocol import Seat

Row = tuple[str, Iterable[AnyOrder]]


def rows(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    """Names of forms, each with orders of a seat, the plainest first; not all of them need be lawful."""
    if view.phase.kind == "R":
        yield from _retreating(view, seat)
    elif view.phase.kind == "A":
        yield from _adjusting(variant, view, seat)
    else:
        yield from _moving(variant, view, seat)


def _retreating(view: View, seat: Seat) -> Iterator[Row]:
    mine = [one for one in view.beaten if one.unit.power == seat]
    goals = [(one.unit.piece, *parted(spot)) for one in mine for spot in one.retreats]
    yield "move", [Move(unit=piece, to=to, coast=coast) for piece, to, coast in goals]
    yield "disband", [Disband(unit=one.unit.piece) for one in mine]


def _adjusting(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    said = claim(variant.board, variant.rulebook, view, seat)
    if said.removals:
        yield "disband", [Disband(unit=unit.piece) for unit in view.units if unit.power == seat]
        return
    builds = [Build(unit=piece) for piece in buildable(variant, view, seat)]
    if "F" in variant.board.kinds:
        yield "build-army", [one for one in builds if one.unit.kind == "A"]
        yield "build-fleet", [one for one in builds if one.unit.kind == "F"]
    else:
        yield "build", builds
    yield "waive", [Waive()]


def _moving(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    able = Repertoire(variant, view)
    mine = able.mine(seat)
    walks = sorted(
        (move for unit in mine for move in able.moves(unit) if not move.canoe),
        key=lambda move: _dull(able, seat, move),
    )
    yield "move", walks
    yield "hold", [Hold(unit=unit.piece) for unit in reversed(mine)]
    yield "support-move", _supports(able, mine, walks)
    pairs = [(one, other) for one in mine for other in mine if one != other]
    yield "support-hold", [SupportHold(unit=one.piece, other=other.piece) for one, other in pairs]
    ashore = [unit for unit in mine if able.can_build_canoe(unit)]
    yield "build-canoe", [BuildCanoe(unit=unit.piece) for unit in ashore]
    yield "carry", [move for unit in mine for move in able.moves(unit) if move.canoe]
    yield "destroy", [Destroy(at=unit.at) for unit in mine]
    if "F" in variant.board.kinds:
        crossings = list(_crossings(able, mine))
        yield "convoy", [convoy for convoy, _ in crossings]
        yield "move-via", [move for _, move in crossings]


def _dull(able: Repertoire, seat: Seat, move: Move) -> tuple[bool, ...]:
    """How little a move shows: best one to a centre next door that nobody of ours stands in or owns."""
    there = able.standing.get(move.to)
    return (
        bool(able.view.taboo and move.to == able.board.chart.taboo),
        there is not None and there.power == seat,
        move.to in able.board.chart.stormy,
        move.unit.kind == "F" and able.board.is_land(move.to),
        not _supported(able, able.mine(seat), move),
        move.to not in able.board.centres or able.view.centres.get(move.to) == seat,
        there is not None and there.power != NEUTRAL,
    )


def _supported(able: Repertoire, mine: Iterable[Unit], move: Move) -> bool:
    return any(move.to in able.reach(unit) for unit in mine if unit.piece != move.unit and unit.at != move.to)


def _supports(able: Repertoire, mine: Iterable[Unit], walks: Iterable[Move]) -> Iterator[SupportMove]:
    """Supports of those moves, in their order."""
    for move in walks:
        for unit in mine:
            if unit.piece != move.unit and unit.at != move.to and move.to in able.reach(unit):
                yield SupportMove(unit=unit.piece, other=move.unit, to=move.to)


def _crossings(able: Repertoire, mine: Iterable[Unit]) -> Iterator[tuple[Convoy, Move]]:
    """Armies that a fleet of one's own on the water beside them could carry, and what both are told."""
    board = able.board
    for fleet in mine:
        if fleet.kind != "F" or board.is_land(fleet.at):
            continue
        shores = [one for one in map(_province, board.sailing[fleet.spot]) if board.is_land(one)]
        for army in mine:
            if army.kind == "A" and army.at in shores:
                for to in shores:
                    if to != army.at and to not in able.standing:
                        convoy = Convoy(unit=fleet.piece, other=army.piece, to=to)
                        yield convoy, Move(unit=army.piece, to=to, via=True)


def _province(spot: Province) -> Province:
    return parted(spot)[0]
