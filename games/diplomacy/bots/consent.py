"""What a nation agrees to, what it is bound to, and what ends that: each with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games.diplomacy.board import Board
from games.diplomacy.bots.accords import Dealings, dealings, pact, season
from games.diplomacy.bots.leanings import Ending, Pact, leanings
from games.diplomacy.bots.situation import Situation
from games.diplomacy.bots.wording import Matter, wording
from games.diplomacy.model import NEUTRAL, Province, Unit
from games.diplomacy.phrases import counted
from games.diplomacy.survivors import neighbours, survivors
from games.protocol import Seat
from games.protocol.bot_skills import Correspondence
from games.record import changed

AGAIN = 6
"""So many seasons pass before the same is proposed to the same nation again, and for each time that it broke
its word before it is believed again: three years."""


def standings(board: Board, heard: Correspondence) -> Mapping[Seat, Dealings]:
    """How the nation whose letters these are stands with each other one."""
    words = wording(board)
    return {other: dealings(words, heard, other) for other in board.powers if other != heard.seat}


@dataclass(frozen=True)
class Consent:
    """A nation's letters beside the position: to what it agrees, and why it does not."""

    situation: Situation
    heard: Correspondence

    @property
    def board(self) -> Board:
        """The board that the game is played on."""
        return self.situation.board

    @property
    def seat(self) -> Seat:
        """Whose letters they are."""
        return self.situation.seat

    @cached_property
    def pact(self) -> Pact:
        """All that the nation is bound to now."""
        return pact(self.dealings.values(), self.heard.turn)

    @cached_property
    def friends(self) -> tuple[Seat, ...]:
        """Towards whom it leans, with what it is bound to."""
        return self.situation.friends_by(self.pact)

    @cached_property
    def dealings(self) -> Mapping[Seat, Dealings]:
        """How it stands with each other nation."""
        return standings(self.board, self.heard)

    @property
    def others(self) -> tuple[Seat, ...]:
        """All other nations, in the order of the board."""
        return tuple(self.dealings)

    def refused(self, other: Seat, matter: Matter) -> str | None:
        """Why a proposal of a nation is refused; None where it is accepted."""
        if other not in survivors(self.board, self.situation.view):
            return "Your nation is no longer in the game."
        if matter.unknown is not None:
            return f"There is no place or nation called {matter.unknown.title()} here."
        doubt = self.doubt(other)
        if doubt is not None:
            return doubt
        if matter.is_truce:
            return self._truce_refused(other)
        return self._empty_refused(other, matter) if matter.empty else self._attack_refused(other, matter)

    def doubt(self, other: Seat) -> str | None:
        """Why a nation is not believed, so long after each time that it broke its word; None where it is."""
        broken = self.dealings[other].broken
        if not broken or season(self.heard.turn) - season(broken[-1]) >= AGAIN * len(broken):
            return None
        times = f"{counted(len(broken), 'time')}, the last one" if len(broken) > 1 else "once"
        return f"By our count you have broken your word {times} in {broken[-1]}."

    def _truce_refused(self, other: Seat) -> str | None:
        if other in self.pact.foes or any(self.whose(one) == other for one in self.pact.targets):
            return "Our plans are made for the moment."
        ended = self.ended(other)
        if ended is not None:
            return self.why_over(ended)
        left = [one for one in survivors(self.board, self.situation.view) if one != self.seat]
        if other not in self.friends and len(self.friends) >= max(1, len(left) // 2):
            return "We have friends enough among those who are left."
        return None

    def _attack_refused(self, other: Seat, matter: Matter) -> str | None:
        whose = matter.foe or self.whose(matter.place)
        if whose in (self.seat, other):
            return f"That is {'ours' if whose == self.seat else 'yours'}."
        if whose in self.friends:
            return "We do not attack there."
        if matter.place is not None:
            if matter.place not in self.board.centres:
                return "There is no supply centre to win."
            return None if self.near(matter.place, self.seat) else "None of our units is next to it."
        near = neighbours(self.board, self.situation.view, self.seat)
        return None if matter.foe in near else "That nation is too far from us."

    def _empty_refused(self, other: Seat, matter: Matter) -> str | None:
        """One place with each nation, between the two: nobody is to be hemmed in by promises."""
        place, agreed = matter.place, self.dealings[other].agreed
        if place not in self.bare:
            return "There is a supply centre, or nobody goes there anyway."
        if place in self.situation.standing:
            return "Somebody stands there."
        if not (self.near(place, self.seat) and self.near(place, other)):
            return "It does not lie between our units and yours."
        if any(one.empty and one != matter for one in agreed):
            return "We leave one place empty with you already."
        ended = self.ended(other)
        return None if ended in (None, "last") else self.why_over(ended)

    def ended(self, other: Seat) -> Ending | None:
        """The cause that ends a leaning towards a nation, or would end one; None where there is none."""
        bound = changed(self.pact, truces=tuple(dict.fromkeys((*self.pact.truces, other))))
        read = self.situation
        found = leanings(self.board, read.view, self.seat, bound, read.temper.lead, read.partners)
        return next((one.ended for one in found if one.towards == other), None)

    def why_over(self, ended: Ending) -> str:
        """A cause that ends an agreement, as the other nation is told it: a fact of the position.

        That a partner has grown is none: it ends what was never agreed.
        """
        return {
            "took": "You own a centre that was ours from the start.",
            "stands": "You stand in a centre of ours.",
            "wins": "You are about to win, and then everybody has to stand against you.",
            "leads": f"You have {counted(self.situation.temper.lead, 'centre')} more than we, or better.",
            "last": "All who are left would be our friends then, and somebody has to win.",
        }[ended]

    def whose(self, place: Province | None) -> Seat | None:
        """Who owns a centre, or else stands in a place."""
        view = self.situation.view
        standing: Unit | None = self.situation.standing.get(place) if place else None
        holder = standing.power if standing is not None and standing.power != NEUTRAL else None
        return view.centres.get(place, holder) if place else None

    def near(self, place: Province, seat: Seat) -> int:
        """How many units of a seat can come to a place with their next orders."""
        return sum(unit.power == seat for unit in self.situation.arrivals.get(place, ()))

    @cached_property
    def bare(self) -> tuple[Province, ...]:
        """Land and water without a supply centre, and without a taboo, in board order."""
        return tuple(
            place
            for place in self.board.places
            if place not in self.board.centres and place != self.situation.shunned
        )
