"""Examples of what a power could order now, one of each kind: its own units, and all about one attack."""

from collections.abc import Iterable, Iterator

from games.diplomacy.adjudication.adjustments import adjustments_due
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.candidates import Repertoire, buildable_units
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
    split_spot,
)
from games.protocol import Seat

Row = tuple[str, Iterable[AnyOrder]]


def rows(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    """Names of forms, each with orders of a seat, the plainest first; not all of them need be lawful."""
    if view.phase.kind == "R":
        yield from _retreat_examples(view, seat)
    elif view.phase.kind == "A":
        yield from _adjustment_examples(variant, view, seat)
    else:
        yield from _movement_examples(variant, view, seat)


def _retreat_examples(view: View, seat: Seat) -> Iterator[Row]:
    mine = [beaten_unit for beaten_unit in view.beaten if beaten_unit.unit.power == seat]
    goals = [
        (beaten_unit.unit.piece, *split_spot(spot)) for beaten_unit in mine for spot in beaten_unit.retreats
    ]
    yield "move", [Move(unit=piece, to=to, coast=coast) for piece, to, coast in goals]
    yield "disband", [Disband(unit=beaten_unit.unit.piece) for beaten_unit in mine]


def _adjustment_examples(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    due = adjustments_due(variant.board, variant.rulebook, view, seat)
    if due.removals:
        yield "disband", [Disband(unit=unit.piece) for unit in view.units if unit.power == seat]
        return
    builds = [Build(unit=piece) for piece in buildable_units(variant, view, seat)]
    if "F" in variant.board.kinds:
        yield "build-army", [build for build in builds if build.unit.kind == "A"]
        yield "build-fleet", [build for build in builds if build.unit.kind == "F"]
    else:
        yield "build", builds
    yield "waive", [Waive()]


def _movement_examples(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    able = Repertoire(variant, view)
    mine = able.mine(seat)
    walks = sorted(
        (move for unit in mine for move in able.moves(unit) if not move.canoe),
        key=lambda move: _dullness(able, seat, move),
    )
    yield "move", walks
    yield "hold", [Hold(unit=unit.piece) for unit in reversed(mine)]
    yield "support-move", _supports(able, mine, walks)
    pairs = [(supporter, other) for supporter in mine for other in mine if supporter != other]
    yield "support-hold", [SupportHold(unit=supporter.piece, other=other.piece) for supporter, other in pairs]
    ashore = [unit for unit in mine if able.can_build_canoe(unit)]
    yield "build-canoe", [BuildCanoe(unit=unit.piece) for unit in ashore]
    yield "carry", [move for unit in mine for move in able.moves(unit) if move.canoe]
    yield "destroy", [Destroy(at=unit.at) for unit in mine]
    if "F" in variant.board.kinds:
        crossings = list(_crossings(able, mine))
        yield "convoy", [convoy for convoy, _ in crossings]
        yield "move-via", [move for _, move in crossings]


def _dullness(able: Repertoire, seat: Seat, move: Move) -> tuple[bool, ...]:
    """Return a key for how little a move shows: best is one to a centre that we neither hold nor own."""
    there = able.standing.get(move.to)
    return (
        bool(able.view.taboo and move.to == able.board.chart.taboo),
        there is not None and there.power == seat,
        move.to in able.board.chart.stormy,
        move.unit.kind == "F" and able.board.is_land(move.to),
        not _can_be_supported(able, able.mine(seat), move),
        move.to not in able.board.centres or able.view.centres.get(move.to) == seat,
        there is not None and there.power != NEUTRAL,
    )


def _can_be_supported(able: Repertoire, mine: Iterable[Unit], move: Move) -> bool:
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
        shores = [place for place in map(_province, board.sailing[fleet.spot]) if board.is_land(place)]
        for army in mine:
            if army.kind == "A" and army.at in shores:
                for to in shores:
                    if to != army.at and to not in able.standing:
                        convoy = Convoy(unit=fleet.piece, other=army.piece, to=to)
                        yield convoy, Move(unit=army.piece, to=to, via=True)


def _province(spot: Province) -> Province:
    return split_spot(spot)[0]
