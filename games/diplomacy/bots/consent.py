"""The consent of a nation: what it agrees to, is bound to, and what ends that, each with its reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from games.diplomacy.adjudication.survivors import neighbours, survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.bots.accords import Relationship, pact, read_relationship, season_number
from games.diplomacy.bots.alliances import Ending, Pact, leanings
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.wording import Matter, wording
from games.diplomacy.model import NEUTRAL, Province, Unit
from games.diplomacy.phrases import count_noun
from games.protocol import Seat
from games.protocol.bot_skills import Correspondence
from games.record import replace_fields

REPROPOSAL_SEASONS = 6
"""So many seasons pass before the same is proposed to the same nation again, and for each time that it broke
its word before it is believed again: three years."""


def read_relationships(board: Board, heard: Correspondence) -> Mapping[Seat, Relationship]:
    """Return the relations of the nation whose press this is with each other one."""
    words = wording(board)
    return {other: read_relationship(words, heard, other) for other in board.powers if other != heard.seat}


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
        """The seat whose press it is."""
        return self.situation.seat

    @cached_property
    def pact(self) -> Pact:
        """All that the nation is bound to now."""
        return pact(self.relationships.values(), self.heard.turn)

    @cached_property
    def friends(self) -> tuple[Seat, ...]:
        """Towards whom it leans, with what it is bound to."""
        return self.situation.friends_by(self.pact)

    @cached_property
    def relationships(self) -> Mapping[Seat, Relationship]:
        """The nation's relations with each other one."""
        return read_relationships(self.board, self.heard)

    @property
    def others(self) -> tuple[Seat, ...]:
        """All other nations, in the order of the board."""
        return tuple(self.relationships)

    def refusal(self, other: Seat, matter: Matter) -> str | None:
        """Return why a proposal of a nation is refused; None where it is accepted."""
        if other not in survivors(self.board, self.situation.view):
            return "Your nation is no longer in the game."
        if matter.unknown is not None:
            return f"There is no place or nation called {matter.unknown.title()} here."
        doubt = self.doubt(other)
        if doubt is not None:
            return doubt
        if matter.is_truce:
            return self._truce_refusal(other)
        return (
            self._demilitarisation_refusal(other, matter)
            if matter.empty
            else self._attack_refusal(other, matter)
        )

    def doubt(self, other: Seat) -> str | None:
        """Why a nation is not believed, so long after each time that it broke its word; None where it is."""
        broken = self.relationships[other].broken_turns
        if not broken or season_number(self.heard.turn) - season_number(
            broken[-1]
        ) >= REPROPOSAL_SEASONS * len(broken):
            return None
        times = f"{count_noun(len(broken), 'time')}, the last one" if len(broken) > 1 else "once"
        return f"By our count you have broken your word {times} in {broken[-1]}."

    def _truce_refusal(self, other: Seat) -> str | None:
        if other in self.pact.foes or any(self.holder(target) == other for target in self.pact.targets):
            return "Our plans are made for the moment."
        ended = self.ending_cause(other)
        if ended is not None:
            return self.why_over(ended)
        others = [
            survivor for survivor in survivors(self.board, self.situation.view) if survivor != self.seat
        ]
        if other not in self.friends and len(self.friends) >= max(1, len(others) // 2):
            return "We have friends enough among those who are left."
        return None

    def _attack_refusal(self, other: Seat, matter: Matter) -> str | None:
        whose = matter.foe or self.holder(matter.place)
        if whose in (self.seat, other):
            return f"That is {'ours' if whose == self.seat else 'yours'}."
        if whose in self.friends:
            return "We do not attack there."
        if matter.place is not None:
            if matter.place not in self.board.centres:
                return "There is no supply centre to win."
            return None if self.count_near(matter.place, self.seat) else "None of our units is next to it."
        near = neighbours(self.board, self.situation.view, self.seat)
        return None if matter.foe in near else "That nation is too far from us."

    def _demilitarisation_refusal(self, other: Seat, matter: Matter) -> str | None:
        """Return why a place is not left empty: with each nation only one, between the two."""
        place, agreed = matter.place, self.relationships[other].agreed_matters
        if place not in self.bare:
            return "There is a supply centre, or nobody goes there anyway."
        if place in self.situation.standing:
            return "Somebody stands there."
        if not (self.count_near(place, self.seat) and self.count_near(place, other)):
            return "It does not lie between our units and yours."
        if any(promise.empty and promise != matter for promise in agreed):
            return "We leave one place empty with you already."
        ended = self.ending_cause(other)
        return None if ended in (None, "last") else self.why_over(ended)

    def ending_cause(self, other: Seat) -> Ending | None:
        """Return the cause that ends, or would end, a leaning towards a nation; None where there is none."""
        bound = replace_fields(self.pact, truces=tuple(dict.fromkeys((*self.pact.truces, other))))
        read = self.situation
        all_leanings = leanings(self.board, read.view, self.seat, bound, read.temper.lead, read.partners)
        return next((leaning.ended for leaning in all_leanings if leaning.towards == other), None)

    def why_over(self, ended: Ending) -> str:
        """A cause that ends an agreement, as the other nation is told it: a fact of the position.

        That a partner has grown is none: it ends what was never agreed.
        """
        return {
            "took": "You own a centre that was ours from the start.",
            "stands": "You stand in a centre of ours.",
            "wins": "You are about to win, and then everybody has to stand against you.",
            "leads": f"You have {count_noun(self.situation.temper.lead, 'centre')} more than we, or better.",
            "last": "All who are left would be our friends then, and somebody has to win.",
        }[ended]

    def holder(self, place: Province | None) -> Seat | None:
        """Return the owner of a centre, or else the nation whose unit stands in a place."""
        view = self.situation.view
        standing: Unit | None = self.situation.standing.get(place) if place else None
        holder = standing.power if standing is not None and standing.power != NEUTRAL else None
        return view.centres.get(place, holder) if place else None

    def count_near(self, place: Province, seat: Seat) -> int:
        """Return how many units of a seat can come to a place with their next orders."""
        return sum(unit.power == seat for unit in self.situation.arrivals.get(place, ()))

    @cached_property
    def bare(self) -> tuple[Province, ...]:
        """Land and water without a supply centre, and without a taboo, in board order."""
        return tuple(
            place
            for place in self.board.places
            if place not in self.board.centres and place != self.situation.taboo_province
        )
