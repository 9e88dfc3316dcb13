"""The legal orders of a power's units, one by one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from games.diplomacy.adjudication import legality
from games.diplomacy.adjudication.adjustments import adjustments_due, homes
from games.diplomacy.adjudication.convoy_routes import at_sea, is_afloat, shortest
from games.diplomacy.adjudication.legality import OrderChecker, Seas
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.candidates import Repertoire, buildable_units
from games.diplomacy.map.dislodged_places import dislodged_place
from games.diplomacy.map.order_arrows import middle
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
    Piece,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    View,
    Waive,
    split_spot,
    spot,
    units_by_place,
)
from games.diplomacy.phrases import UNIT_KIND_NAMES
from games.messages import sentence
from games.protocol import AdjacentPlace, LegalOrder, Seat, TouchOrder, TouchStep
from games.record import replace_fields

UnitOrdersInWords = Iterator[tuple[AnyOrder, str]]


def legal_orders(variant: Variant, view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Yield the legal orders of each unit of a power, or for builds those of each centre."""
    law = OrderChecker(variant.board, variant.rulebook, view)
    for of, orders in _units(variant, view, seat):
        for order, words in orders:
            if law.objection(seat, order) is None:
                yield LegalOrder(of=of, order=order, words=words)


def _units(variant: Variant, view: View, seat: Seat) -> Iterator[tuple[str, UnitOrdersInWords]]:
    board = variant.board
    if view.phase.kind == "A":
        yield from _adjustment_orders(variant, view, seat)
        return
    if view.phase.kind == "R":
        for beaten_unit in view.beaten:
            if beaten_unit.unit.power == seat:
                yield (
                    _unit_name(board, beaten_unit.unit),
                    _retreat_orders(board, beaten_unit.unit, beaten_unit.retreats),
                )
        return
    seas = Seas(board, units_by_place(view))
    for unit in view.units:
        if unit.power == seat:
            yield _unit_name(board, unit), _movement_orders(variant, view, seas, unit)


def adjacent_places(board: Board, place: Province) -> tuple[AdjacentPlace, ...] | None:
    """Return the places beside a province, or beside a coast of one, or None for an unknown place."""
    at, coast = split_spot(place)
    if at not in board.places:
        return None
    walked = () if coast else board.army[at]
    starts = (place,) if coast else (board.spots[at] or (at,))
    sailed = {there for start in starts for there in board.sailing.get(start, ())}
    afloat = {split_spot(there)[0] for there in sailed} | (set() if coast else set(board.fleet[at]))
    neighbours = board.in_board_order((*walked, *afloat))
    return tuple(
        AdjacentPlace(
            place=f"{board.name(neighbour)} ({board.abbr(neighbour)})",
            how=_way(neighbour in walked, neighbour in afloat),
        )
        for neighbour in neighbours
    )


def _way(walked: bool, sailed: bool) -> str:
    if walked and sailed:
        return sentence("diplomacy.orders.both_ways")
    return sentence("diplomacy.orders.on_foot" if walked else "diplomacy.orders.by_water")


def _unit_name(board: Board, unit: Unit) -> str:
    return f"{unit.kind} {board.name(unit.at)}"


def _movement_orders(variant: Variant, view: View, seas: Seas, unit: Unit) -> UnitOrdersInWords:
    board, piece = variant.board, unit.piece
    yield Hold(unit=piece), sentence("diplomacy.orders.stays")
    for goal in _goals(board, seas, unit):
        to, coast = split_spot(goal)
        carried = unit.kind == "A" and to not in board.army[unit.at]
        slug = "diplomacy.orders.is_carried" if carried else "diplomacy.orders.goes"
        yield Move(unit=piece, to=to, coast=coast), sentence(slug, place=board.name(goal))
        if unit.kind == "A" and not carried and seas.is_carried(unit.at, to):
            by_sea = sentence("diplomacy.orders.is_carried", place=board.name(to))
            yield Move(unit=piece, to=to, via=True), by_sea
    if "W" in board.kinds:
        yield from _paddling(variant, view, unit)
    yield from _helping_orders(board, view, seas, unit)


def _goals(board: Board, seas: Seas, unit: Unit) -> tuple[Province, ...]:
    if unit.kind == "F":
        return board.sailing[unit.spot]
    near = board.army[unit.at]
    if unit.kind == "W":
        return near
    return (
        *near,
        *(place for place in board.places if place not in near and seas.is_carried(unit.at, place)),
    )


def _paddling(variant: Variant, view: View, unit: Unit) -> UnitOrdersInWords:
    board, piece = variant.board, unit.piece
    afloat = is_afloat(board, piece)
    if afloat or view.canoes.get(unit.at):
        for to in legality.goals(board, variant.rulebook, unit.at):
            words = sentence("diplomacy.orders.goes_by_canoe", place=board.name(to))
            yield Move(unit=piece, to=to, canoe=not afloat), words
    yield BuildCanoe(unit=piece), sentence("diplomacy.orders.builds_canoe")
    yield Destroy(at=unit.at), sentence("diplomacy.orders.destroys_canoe")


def _helping_orders(board: Board, view: View, seas: Seas, unit: Unit) -> UnitOrdersInWords:
    near = [place for place in board.places if seas.reaches(unit.piece, place)]
    for other in view.units:
        name = sentence("diplomacy.units.owned", unit=_unit_name(board, other), power=other.power)
        if other.at == unit.at:
            continue
        if other.at in near:
            words = sentence("diplomacy.orders.helps_stay", unit=name)
            yield SupportHold(unit=unit.piece, other=other.piece), words
        for to in near:
            if to != other.at:
                order = SupportMove(unit=unit.piece, other=other.piece, to=to)
                yield order, sentence("diplomacy.orders.helps_move", unit=name, place=board.name(to))
                for goal in board.spots[to] if other.kind == "F" else ():
                    if coast := split_spot(goal)[1]:
                        words = sentence("diplomacy.orders.helps_move", unit=name, place=board.name(goal))
                        yield replace_fields(order, coast=coast), words
        if unit.kind == "F" and other.kind == "A" and board.has_convoys(unit.at):
            for to in board.shores:
                words = sentence("diplomacy.orders.carries", unit=name, place=board.name(to))
                yield Convoy(unit=unit.piece, other=other.piece, to=to), words


def _retreat_orders(board: Board, unit: Unit, retreats: tuple[Province, ...]) -> UnitOrdersInWords:
    for goal in retreats:
        to, coast = split_spot(goal)
        words = sentence("diplomacy.orders.retreats", place=board.name(goal))
        yield Move(unit=unit.piece, to=to, coast=coast), words
    yield Disband(unit=unit.piece), sentence("diplomacy.orders.disbands")


def _adjustment_orders(variant: Variant, view: View, seat: Seat) -> Iterator[tuple[str, UnitOrdersInWords]]:
    board, rulebook = variant.board, variant.rulebook
    due = adjustments_due(board, rulebook, view, seat)
    if due.removals:
        for unit in view.units:
            if unit.power == seat:
                removal = Disband(unit=unit.piece), sentence("diplomacy.orders.disbands")
                yield _unit_name(board, unit), iter([removal])
    if due.builds:
        for home in homes(board, rulebook, view, seat):
            yield board.name(home), _build_orders(board, home)
        yield sentence("diplomacy.orders.build"), iter([(Waive(), sentence("diplomacy.orders.waives"))])


def _build_orders(board: Board, home: Province) -> UnitOrdersInWords:
    for kind in board.kinds:
        spots = board.spots[home] if kind == "F" else (home,)
        for build_spot in spots:
            at, coast = split_spot(build_spot)
            words = sentence("diplomacy.orders.builds", kind=UNIT_KIND_NAMES[kind])
            yield Build(unit=Piece(kind=kind, at=at, coast=coast)), words


# Orders by touches on the map.


def points(board: Board, view: View) -> Mapping[str, tuple[float, float]]:
    """Return the place of a piece in each province. A dislodged unit is beside the unit that dislodged it."""
    positions = {str(at): middle(board, at) for at in board.places}
    positions |= {unit.at: middle(board, unit.spot) for unit in view.units}
    return positions | {
        beaten_unit.unit.at: dislodged_place(board, beaten_unit).at for beaten_unit in view.beaten
    }


def touch_order(board: Board, view: View, seat: Seat, order: AnyOrder) -> TouchOrder:
    """Return an order as touches: the unit, then its goal, or the helped unit and that unit's goal."""
    match order:
        case Waive():
            step = TouchStep(said=sentence("diplomacy.touches.waive"))
            return TouchOrder(thing=sentence("diplomacy.touches.build"), at="", steps=(step,))
        case Destroy():
            step = TouchStep(said=sentence("diplomacy.touches.destroy_canoe"))
            return TouchOrder(thing=_occupant_name(board, view, order.at), at=order.at, steps=(step,))
        case Build():
            kind, at = _kind(order.unit), order.unit.at
            if order.unit.coast:
                coast = board.coast_names[order.unit.coast]
                kind = sentence("diplomacy.touches.build_on_coast", kind=kind, coast=coast)
            step = TouchStep(said=kind)
            return TouchOrder(thing=board.name(at), at=at, steps=(step,), sort="new", ends=at)
        case Hold():
            return _touch_unit(board, order.unit, TouchStep(said=sentence("diplomacy.touches.hold")))
        case BuildCanoe():
            return _touch_unit(board, order.unit, TouchStep(said=sentence("diplomacy.touches.build_canoe")))
        case Disband():
            step = TouchStep(said=sentence("diplomacy.touches.disband"))
            return _touch_unit(board, order.unit, step, sort="off")
        case Move():
            return _touch_move(board, view, seat, order)
        case SupportHold() | SupportMove() | Convoy():
            return _touch_help(board, view, seat, order)
    assert_never(order)


def _touch_help(
    board: Board, view: View, seat: Seat, order: SupportHold | SupportMove | Convoy
) -> TouchOrder:
    other, is_convoy = order.other, isinstance(order, Convoy)
    slug = "diplomacy.touches.convoy" if is_convoy else "diplomacy.touches.support"
    fold = "diplomacy.touches.convoy_others" if is_convoy else "diplomacy.touches.support_others"
    helped = TouchStep(said=sentence(slug, unit=_piece_name(board, other)), at=other.at)
    is_own = any(unit.power == seat and unit.at == other.at for unit in view.units)
    folded = () if is_own else (TouchStep(said=sentence(fold), rare=True),)
    if isinstance(order, SupportHold):
        goal = TouchStep(said=sentence("diplomacy.touches.in_place"), at=other.at)
    else:
        goal = TouchStep(said=sentence("diplomacy.touches.to", place=board.name(order.goal)), at=order.to)
    sort, helps = "convoy" if is_convoy else "support", (other.at, goal.at)
    return _touch_unit(board, order.unit, *folded, helped, goal, sort=sort, helps=helps)


def _touch_unit(
    board: Board, unit: Piece, *steps: TouchStep, sort: str = "stay", **more: object
) -> TouchOrder:
    return TouchOrder(thing=_piece_name(board, unit), at=unit.at, steps=steps, sort=sort, **more)  # type: ignore[arg-type]


def _touch_move(board: Board, view: View, seat: Seat, order: Move) -> TouchOrder:
    label = _place(board, order.to, order.coast)
    carriers = _carriers(board, view, seat, order)
    by_convoy = order.via or carriers is not None
    folded = (TouchStep(said=sentence("diplomacy.touches.by_convoy"), rare=True),) if by_convoy else ()
    if order.canoe:
        label = sentence("diplomacy.touches.with_canoe", place=label)
    along = tuple(Convoy(unit=fleet, other=order.unit, to=order.to) for fleet in carriers or ())
    step = TouchStep(said=label, at=order.to)
    return _touch_unit(board, order.unit, *folded, step, sort="move", ends=str(order.to), along=along)


def _carriers(board: Board, view: View, seat: Seat, order: Move) -> tuple[Piece, ...] | None:
    """Return the seat's own fleets on a shortest route of a move, or None if it needs no fleet.

    A route with only the seat's own fleets is preferred to a shorter one.
    """
    walks = order.to in board.army[order.unit.at] and not order.via
    if view.phase.kind != "M" or order.unit.kind != "A" or walks:
        return None
    start, goal = board.index[order.unit.at], board.index[order.to]
    own = [unit for unit in view.units if unit.power == seat]
    names = list(board.places)
    for fleets in (at_sea(board, own), at_sea(board, view.units)):
        chain = [names[number] for number in shortest(board, start, goal, fleets)]
        if chain:
            standing = {unit.at: unit.piece for unit in own}
            return tuple(standing[at] for at in chain if at in standing)
    return ()


def _occupant_name(board: Board, view: View, at: Province) -> str:
    """Return the name of the unit in a province, or of the province if it is empty."""
    unit = next((candidate for candidate in view.units if candidate.at == at), None)
    return _piece_name(board, unit.piece) if unit else board.name(at)


def _piece_name(board: Board, unit: Piece) -> str:
    return sentence("diplomacy.units.at", kind=_kind(unit), place=board.name(unit.at))


def _kind(unit: Piece) -> str:
    name = UNIT_KIND_NAMES[unit.kind]
    return name[0].upper() + name[1:]


def _place(board: Board, at: Province, coast: str) -> str:
    return board.name(spot(at, coast))


# Examples of orders, one of each kind, most of them about the same attack.


Row = tuple[str, Iterable[AnyOrder]]


def rows(variant: Variant, view: View, seat: Seat) -> Iterator[Row]:
    """Yield names of forms, each with a seat's orders, the plainest first. Some of them may be illegal."""
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
    """Return a sort key of moves. Best is a move to a centre that the seat neither holds nor owns."""
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
    """Yield supports of those moves, in their order."""
    for move in walks:
        for unit in mine:
            if unit.piece != move.unit and unit.at != move.to and move.to in able.reach(unit):
                yield SupportMove(unit=unit.piece, other=move.unit, to=move.to)


def _crossings(able: Repertoire, mine: Iterable[Unit]) -> Iterator[tuple[Convoy, Move]]:
    """Yield convoys by the seat's own fleets, each with the move of the army."""
    board = able.board
    for fleet in mine:
        if fleet.kind != "F" or not board.has_convoys(fleet.at):
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
