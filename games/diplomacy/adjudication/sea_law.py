"""The law of armies and fleets: where one sails, who is carried where, who convoys whom."""

from collections.abc import Mapping
from functools import cached_property

from games.diplomacy.adjudication.convoy_routes import at_sea, fleets_on_shortest, is_chain_open, is_wanted
from games.diplomacy.boards.board import Board
from games.diplomacy.model import Convoy, Piece, Province, Unit, split_spot
from games.protocol import Objection


class Seas:
    """The waters of one position: who could sail and who could be carried where, whatever is ordered.

    standing: who stands where.
    """

    def __init__(self, board: Board, standing: Mapping[Province, Unit]) -> None:
        self._board = board
        self._standing = standing
        self._chains: dict[tuple[Province, Province], int] = {}
        self._landings: dict[tuple[Province, Province], tuple[Province, ...]] = {}

    @cached_property
    def _fleets(self) -> int:
        return at_sea(self._board, self._standing.values())

    def reaches(self, piece: Piece | Unit, to: Province) -> bool:
        """Return whether a unit could go to a province in one step, to any coast: what a support asks."""
        if piece.kind != "F":
            return to in self._board.army[piece.at]
        return to in self._board.sails.get(piece.spot, ())

    def is_carried(self, at: Province, to: Province, without: Province | None = None) -> bool:
        """Return whether fleets that are there could carry an army between two shores, one left out."""
        index = self._board.index
        fleets = self._fleets & ~(1 << index[without]) if without is not None else self._fleets
        if at == to or not (self._board.is_land(to) and fleets):
            return False
        if without is None:
            return self._shortest(at, to) != 0
        return is_chain_open(self._board.waters, index[at], index[to], fleets)

    def sailing(self, fleet: Piece | Unit, goal: Province) -> Objection | None:
        """Why a fleet cannot sail to a spot, or None. A goal without its coast is none where it has several.

        Source: DATC 4.B.1, 4.B.3.
        """
        near = self._board.sailing[fleet.spot]
        if goal in near:
            return None
        at, coast = split_spot(goal)
        detail: dict[str, str] = {"unit": fleet.at, "to": goal}
        if at not in self._board.places:
            return Objection(code="no-place", detail=detail)
        if at == fleet.at:
            return Objection(code="stays-put", detail=detail)
        coasts = [there for there in near if split_spot(there)[0] == at]
        if coasts:
            code = "wrong-coast" if coast else "which-coast"
            return Objection(code=code, detail={**detail, "near": " ".join(coasts)})
        code = "not-adjacent" if self._board.spots[at] else "inland-fleet"
        nearest = " ".join(self._board.nearest(at, near))
        return Objection(code=code, detail={**detail, "near": nearest})

    def marching(
        self, at: Province, to: Province, *, via: bool = False, without: Province | None = None
    ) -> Objection | None:
        """Why an army can neither walk nor be carried to its goal, one fleet left out; or None.

        Source: DATC 4.E.1: an order that nobody could ever carry out is none, and the unit holds.
        """
        board = self._board
        if to in board.army[at] and not via:
            return None
        detail: dict[str, str] = {"unit": at, "to": to}
        if to not in board.places:
            return Objection(code="no-place", detail=detail)
        if to == at:
            return Objection(code="stays-put", detail=detail)
        if self.is_carried(at, to, without):
            return None
        near = " ".join(board.nearest(to, board.army[at]))
        if not board.is_land(to):
            return Objection(code="no-wading", detail={**detail, "near": near})
        shores = at in board.shores and to in board.shores
        return Objection(code="no-route" if shores else "not-adjacent", detail={**detail, "near": near})

    def convoying(self, convoy: Convoy) -> Objection | None:
        """Why a fleet cannot be part of a convoy, or None.

        Source: DATC 6.A.7, 6.F.1, 6.F.12, 6.G.19.
        """
        board, at, army, to = self._board, convoy.unit.at, convoy.other.at, convoy.to
        detail: dict[str, str] = {"unit": at, "other": army, "to": to}
        if convoy.unit.kind != "F" or board.is_land(at):
            return Objection(code="not-at-sea", detail=detail)
        standing = self._standing.get(army)
        if standing is None or standing.kind != "A":
            armies = " ".join(there for there in board.fleet[at] if self._is_army(there))
            return Objection(code="only-armies", detail={**detail, "near": armies})
        if to not in board.places:
            return Objection(code="no-place", detail=detail)
        if self._is_needed(at, army, to):
            return None
        near = board.nearest(to, self._shores(at, army))
        code = "off-route" if self.is_carried(army, to) else "no-route"
        return Objection(code=code, detail={**detail, "near": " ".join(near)})

    def _is_army(self, place: Province) -> bool:
        return place in self._standing and self._standing[place].kind == "A"

    def _shores(self, fleet: Province, army: Province) -> tuple[Province, ...]:
        """Where a fleet can help an army to, looked for once."""
        pair = fleet, army
        if pair not in self._landings:
            there = (shore for shore in self._board.shores if self._is_needed(fleet, army, shore))
            self._landings[pair] = tuple(there)
        return self._landings[pair]

    def _is_needed(self, fleet: Province, army: Province, to: Province) -> bool:
        """Return whether a fleet is needed on some way of an army between two shores."""
        if not self.is_carried(army, to):
            return False
        index, waters = self._board.index, self._board.waters
        if self._shortest(army, to) >> index[fleet] & 1:
            return True
        return is_wanted(waters, index[army], index[to], self._fleets, index[fleet])

    def _shortest(self, at: Province, to: Province) -> int:
        """Return the fleets of all shortest ways between two shores, found once for all orders."""
        fleets = self._chains.get((at, to))
        if fleets is None:
            index, waters = self._board.index, self._board.waters
            fleets = self._chains[at, to] = fleets_on_shortest(waters, index[at], index[to], self._fleets)
        return fleets


def landing(board: Board, fleet: Piece | Unit, goal: Province) -> Province:
    """The spot at which a fleet arrives: its goal, or the first coast of it in reach, if it cannot be that.

    Source: DATC 4.B.1, 4.B.3 (Rulebook.unnamed_coast, Rulebook.wrong_coast).
    """
    near = board.sailing[fleet.spot]
    return (
        goal if goal in near else next(there for there in near if split_spot(there)[0] == split_spot(goal)[0])
    )


def complete_coast(board: Board, unit: Unit | Piece, to: Province, coast: str) -> str:
    """Return the coast of a fleet's goal where it can only be one: the only one in reach if none is named.

    Source: DATC 4.B.2; an army has none (4.B.6).
    """
    if unit.kind != "F":
        return ""
    reachable = [
        split_spot(there)[1] for there in board.sailing.get(unit.spot, ()) if split_spot(there)[0] == to
    ]
    return reachable[0] if not coast and len(reachable) == 1 else coast
