"""The honest bot: it goes to the nearest centre that is not its own, and says so."""

from collections import Counter

from games.dice import Dice
from games.diplomacy.adjustments import free_homes
from games.diplomacy.boards import Variant
from games.diplomacy.bots.campaign import best, plan
from games.diplomacy.bots.terrain import FAR, Situation, Terrain
from games.diplomacy.model import (
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Move,
    Piece,
    Province,
    State,
    Unit,
    Waive,
    parted,
)
from games.protocol import Choice, Due, Rules, Seat


class Honest:
    """Plays a nation from the view alone: implements `protocol.Bot`."""

    def __init__(self, variant: Variant, rules: Rules[State, AnyOrder]) -> None:
        self._variant = variant
        self._rules = rules
        self._terrains: dict[int, Terrain] = {}

    def orders(self, view: State, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due, each with its reason in a phrase."""
        situation = self.situation(view, due.seat)
        if due.kind == "moves":
            return plan(situation, dice)
        if due.kind == "retreats":
            return self._retreats(situation, due, dice)
        if Build.__name__ in due.accepts:
            return self._builds(situation, due, dice)
        return self._removals(situation, due, dice)

    def situation(self, view: State, seat: Seat) -> Situation:
        """What the bot reads off a position, on the board that the options of the game make."""
        variant = self._variant.under(view.options)
        # A variant keeps its boards for good, so that one is known by its identity.
        terrain = self._terrains.get(id(variant.board))
        if terrain is None:
            terrain = self._terrains[id(variant.board)] = Terrain(
                variant.board, canoes=variant.rulebook.canoes
            )
        return Situation(variant, terrain, view, seat)

    def _retreats(self, situation: Situation, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        wanted = {owed.slot for owed in due.owes}
        taken: set[Province] = set()
        choices = []
        for beaten in situation.view.beaten:
            if beaten.unit.power == due.seat and Disband(unit=beaten.unit.piece).slot in wanted:
                choice = self._retreat(situation, beaten, taken, dice)
                choices.append(choice)
                if isinstance(choice.order, Move):
                    taken.add(choice.order.to)
        return tuple(choices)

    def _retreat(
        self, situation: Situation, beaten: Beaten, taken: set[Province], dice: Dice
    ) -> Choice[AnyOrder]:
        unit = beaten.unit
        open_places = [
            place for place in beaten.retreats if parted(place)[0] not in taken and place != situation.shunned
        ]
        if not open_places:
            reason = "every way out is taken by its own, or taboo"
            return Choice(order=Disband(unit=unit.piece), reason=reason)
        centres = situation.view.centres
        unowned = [one for one in situation.board.centres if centres.get(one) in (None, unit.power)]
        home = situation.steps_to_any(unowned)
        spots = {spot: home.get(parted(spot)[0], FAR) for spot in open_places}
        to, coast = parted(best(open_places, lambda spot: (spots[spot],), dice, f"retreat/{unit.at}"))
        reason = (
            "retreats to a centre" if to in unowned else "retreats towards the nearest own or unowned centre"
        )
        return Choice(order=Move(unit=unit.piece, to=to, coast=coast), reason=reason)

    def _builds(self, situation: Situation, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        front = situation.steps_to_any(situation.prizes)
        sites = self._sites(situation, due.seat)
        choices: list[Choice[AnyOrder]] = []
        for number in range(due.takes or 0):
            if not sites:
                choices.append(Choice(order=Waive(), reason="no home centre is free"))
                continue
            site = best(sites, lambda piece: (front.get(piece.at, FAR),), dice, f"build/{number}")
            sites = [piece for piece in sites if piece.at != site.at]
            reason = "the free home centre nearest to the front"
            choices.append(Choice(order=Build(unit=site), reason=reason))
        return tuple(choices)

    def _sites(self, situation: Situation, seat: Seat) -> list[Piece]:
        """What could be built where: one piece a free centre.

        Of the kinds that can stand there it is the one of which the seat has fewer; armies when even.
        """
        board, book = situation.board, situation.variant.rulebook
        count = Counter(unit.kind for unit in situation.mine)
        found = []
        for place in free_homes(board, book, situation.view, seat):
            pieces = [Piece(kind=kind, at=place) for kind in book.builds_of if kind != "F"]
            for at, coast in map(parted, board.spots[place] if "F" in book.builds_of else ()):
                pieces.append(Piece(kind="F", at=at, coast=coast))
            found.append(min(pieces, key=lambda piece: count[piece.kind]))
        return found

    def _removals(self, situation: Situation, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        front = situation.steps_to_any(situation.prizes)
        left = list(situation.mine)
        choices: list[Choice[AnyOrder]] = []

        def dispensable(unit: Unit) -> tuple[int, ...]:
            return (unit.at in situation.owned, -front.get(unit.at, FAR))

        for number in range(min(due.takes or 0, len(left))):
            unit = best(left, dispensable, dice, f"remove/{number}")
            left.remove(unit)
            choices.append(
                Choice(order=Disband(unit=unit.piece), reason="farthest from the next centre to win")
            )
        return tuple(choices)
