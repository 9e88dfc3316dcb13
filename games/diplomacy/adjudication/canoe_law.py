"""The law of canoe-fleets: where they go, where they are built, which ones are destroyed."""

from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.adjudication.storms import is_held, is_shut
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.model import BuildCanoe, Destroy, Move, Province, State, Unit
from games.protocol import Objection, Seat


def goals(board: Board, rulebook: Rulebook, here: Province) -> tuple[Province, ...]:
    """Where a canoe-fleet can go from a province or a water: water, and shores; never inland.

    Source: Indianomacy §6 (1.13); ruling C6 (Rulebook.portage).
    """
    if not board.is_land(here):
        return board.fleet[here]
    shores = [shore for shore in board.army[here] if shore in board.shores]
    if rulebook.portage == "same-water":
        shores = [shore for shore in shores if not set(board.fleet[here]).isdisjoint(board.fleet[shore])]
    return (*board.fleet[here], *shores)


def going(board: Board, rulebook: Rulebook, state: State, move: Move) -> Objection | None:
    """Why a unit may not make this move in a canoe-fleet, or None.

    Source: Indianomacy §6, §9 (1.13, 1.19); rulings C5, H1, H2, V8.
    """
    here, to = move.unit.at, move.to
    afloat = is_afloat(board, move.unit)
    if not afloat and not state.canoes.get(here):
        return Objection(code="no-canoe", detail={"unit": here, "to": to})
    near = goals(board, rulebook, here)
    if to not in near:
        return _astray(board, here, to, near)
    if afloat and is_held(state, here):
        return Objection(code="still-crossing", detail={"unit": here, "since": state.bay_entered[here]})
    if afloat and is_shut(rulebook, state, here, to):
        others = [shore for shore in near if shore != to]
        return Objection(
            code="same-shore", detail={"unit": here, "to": to, "near": " ".join(board.nearest(to, others))}
        )
    return None


def _astray(board: Board, here: Province, to: Province, near: tuple[Province, ...]) -> Objection:
    if to not in board.places:
        return Objection(code="no-place", detail={"unit": here, "to": to})
    if to == here:
        return Objection(code="stays-put", detail={"unit": here})
    code = "not-adjacent"
    if board.is_land(to) and to not in board.shores:
        code = "inland"
    elif to in board.army[here]:
        code = "other-water"
    return Objection(code=code, detail={"unit": here, "to": to, "near": " ".join(board.nearest(to, near))})


def building(board: Board, order: BuildCanoe) -> Objection | None:
    """Why no canoe-fleet can be built there, or None.

    Source: Indianomacy §6 (1.11); ruling C19.
    """
    at = order.unit.at
    if is_afloat(board, order.unit):
        return Objection(code="afloat", detail={"unit": at})
    return None if at in board.shores else Objection(code="no-shore", detail={"unit": at})


def destroying(
    board: Board, state: State, standing: Unit | None, seat: Seat, order: Destroy
) -> Objection | None:
    """Why a seat may not have a canoe-fleet destroyed there, or None. standing: the unit there.

    Source: Indianomacy §7 (1.17); rulings C4, D4.
    """
    if order.at not in board.places:
        return Objection(code="no-place", detail={"unit": order.at, "to": order.at})
    if standing is None:
        return Objection(code="no-unit", detail={"unit": order.at})
    if standing.power != seat:
        return Objection(code="not-yours", detail={"unit": order.at, "power": standing.power})
    if is_afloat(board, standing.piece):
        return Objection(code="afloat", detail={"unit": order.at})
    if state.canoes.get(order.at):
        return None
    own = [unit.at for unit in state.units if unit.power == seat and state.canoes.get(unit.at)]
    near = " ".join(board.nearest(order.at, own))
    return Objection(code="none-there", detail={"unit": order.at, "near": near})
