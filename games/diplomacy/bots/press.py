"""What a bot writes to other nations: answers by a stated rule, and proposals of its own.

Rule 1: between two nations there is one exchange a turn. A bot proposes one thing at most to a nation, and
        only where neither has written to the other in that turn; answers are never answered.
Rule 2: it tells nothing of what it agreed to with others, nor what others wrote.
Rule 3: everything follows from the view and from the letters of the seat itself; nothing is thrown for.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.diplomacy.board import Board
from games.diplomacy.bots.accords import EXPLANATION, IN_VAIN, Dealings, dealings, pact, season
from games.diplomacy.bots.leanings import Ending, Leaning, Pact, friends, leanings
from games.diplomacy.bots.situation import Situation
from games.diplomacy.bots.wording import TRUCE, Matter, Utterance, wording
from games.diplomacy.model import NEUTRAL, Province, Unit
from games.diplomacy.phrases import counted
from games.diplomacy.survivors import neighbours, survivors
from games.protocol import Seat
from games.protocol.optional import Correspondence, Missive, Said
from games.record import changed

ANSWERS = 3
"""So many proposals of one nation are answered in a turn."""

AGAIN = 6
"""So many seasons pass before the same is proposed to the same nation again: three years."""

FORMS = """\
{explanation} It understands these lines, and nothing else:

  propose truce
  propose attack on {example}
  accept
  refuse

The last two answer what it has proposed in this turn; refuse ends what was agreed, too."""


ASKING = "Press to us that says accept or refuse, and no more, answers it until the turn is played."


def press(situation: Situation, heard: Correspondence) -> tuple[Said, ...]:
    """What the nation writes now, one letter to each nation at most, in the order of the board."""
    said: dict[Seat, list[str]] = {}
    for other, text in _spoken(situation, heard):
        said.setdefault(other, []).append(text)
    order = list(situation.board.powers)
    return tuple(Said(to=other, text="\n\n".join(said[other])) for other in sorted(said, key=order.index))


def agreed(board: Board, heard: Correspondence) -> Pact:
    """All that the nation is bound to now."""
    return pact(_dealings(board, heard).values(), heard.turn)


def _dealings(board: Board, heard: Correspondence) -> Mapping[Seat, Dealings]:
    """How the nation stands with each other one."""
    words = wording(board)
    return {other: dealings(words, heard, other) for other in board.powers if other != heard.seat}


def _spoken(situation: Situation, heard: Correspondence) -> Iterator[tuple[Seat, str]]:
    """What is said to whom; each thing knows what was said before it."""
    desk = _Desk(situation, heard)
    for other in desk.others:
        for _ in range(ANSWERS + 1):
            answer = desk.answer(other)
            if answer is None:
                break
            yield other, answer
            desk = _Desk(situation, _with(desk.heard, other, answer))
    for other in desk.others:
        notice = desk.notice(other)
        if notice is not None:
            yield other, notice
            desk = _Desk(situation, _with(desk.heard, other, notice))
    for other, matter in desk.proposals():
        proposed = Utterance(act="propose", matter=matter)
        yield other, f"{wording(situation.board).write(proposed)}\n{ASKING}"


def _with(heard: Correspondence, other: Seat, text: str) -> Correspondence:
    ours = Missive(turn=heard.turn, writer=heard.seat, to=(other,), text=text)
    return changed(heard, missives=(*heard.missives, ours))


@dataclass(frozen=True)
class _Desk:
    """The letters of a nation as they lie there, and what it thinks of the position."""

    situation: Situation
    heard: Correspondence

    @property
    def board(self) -> Board:
        return self.situation.board

    @property
    def seat(self) -> Seat:
        return self.situation.seat

    @cached_property
    def pact(self) -> Pact:
        return pact(self.dealings.values(), self.heard.turn)

    @cached_property
    def friends(self) -> tuple[Seat, ...]:
        view, lead = self.situation.view, self.situation.temper.lead
        return friends(self.board, view, self.seat, self.pact, lead)

    @cached_property
    def dealings(self) -> Mapping[Seat, Dealings]:
        return _dealings(self.board, self.heard)

    @property
    def others(self) -> tuple[Seat, ...]:
        return tuple(self.dealings)

    def answer(self, other: Seat) -> str | None:
        """The answer to the first thing that a nation said and that has none; None where all is answered."""
        found = self.dealings[other]
        asked = [one for one in found.standing if one.by == other]
        if asked and found.answers < ANSWERS:
            matter = asked[0].matter
            why_not = self._refused(other, matter)
            answer = Utterance(act="accept" if why_not is None else "refuse", matter=matter)
            return f"{wording(self.board).write(answer)}\n{why_not or self._kept(matter)}"
        if found.in_vain == self.heard.turn:
            return f"{IN_VAIN}\nA proposal stands until its turn is played; propose it anew."
        if found.puzzled and not found.explained and not found.answers:
            example = wording(self.board).called(Matter(place=self.board.centres[0])).rpartition(" on ")[2]
            return FORMS.format(explanation=EXPLANATION, example=example)
        return None

    def notice(self, other: Seat) -> str | None:
        """That a truce ends, where its cause to end is there; None else."""
        if other not in self.pact.truces:
            return None
        leaning = self._leaning(other, self.pact)
        if leaning is None or leaning.ended is None:
            return None
        refused = Utterance(act="refuse", matter=TRUCE)
        return f"{wording(self.board).write(refused)}\n{self._why_over(leaning.ended)} Our truce is over."

    def proposals(self) -> Iterator[tuple[Seat, Matter]]:
        """What the nation proposes: before moves, one attack and one truce at most, to different nations."""
        if self.situation.view.phase.kind != "M" or self.seat not in survivors(
            self.board, self.situation.view
        ):
            return
        offers = [one for one in self.situation.temper.offers if one not in self._offered]
        attack = self._attack() if "attack" in offers else None
        truce = self._truce(attack[0] if attack else None) if "truce" in offers else None
        yield from filter(None, (attack, truce))

    @property
    def _offered(self) -> set[str]:
        """What it has proposed to anybody in this turn."""
        ours = [one for one in self.heard.missives if (one.writer, one.turn) == (self.seat, self.heard.turn)]
        forms = [said for one in ours for said in wording(self.board).read(one.text)]
        return {"truce" if said.matter == TRUCE else "attack" for said in forms if said.act == "propose"}

    def _attack(self) -> tuple[Seat, Matter] | None:
        """A centre that a friend and this nation can both come to, most units first."""
        situation = self.situation
        found: list[tuple[int, int, Seat, Matter]] = []
        for other in self.friends:
            for goal in situation.prizes:
                matter = Matter(place=goal)
                ours, theirs = self._near(goal, self.seat), self._near(goal, other)
                if ours and theirs and self._is_foes(goal, other) and self._is_news(other, matter):
                    found.append((-ours - theirs, self.board.index[goal], other, matter))
        return min(found)[2:] if found else None

    def _truce(self, but: Seat | None) -> tuple[Seat, Matter] | None:
        """The neighbour who can come to our centres with most units, if it would be a friend."""
        found = [
            (-self._danger(other), list(self.board.powers).index(other), other)
            for other in neighbours(self.board, self.situation.view, self.seat)
            if other != but
            and other not in self.friends
            and self._danger(other)
            and self._is_news(other, TRUCE)
            and self._refused(other, TRUCE) is None
        ]
        return (min(found)[2], TRUCE) if found else None

    def _is_news(self, other: Seat, matter: Matter) -> bool:
        """Whether a thing may be proposed: nothing was written in this turn, nor that of late."""
        found = self.dealings[other]
        last = found.proposed.get(matter)
        return not found.wrote and (last is None or season(self.heard.turn) - last >= AGAIN)

    def _refused(self, other: Seat, matter: Matter) -> str | None:
        """Why a proposal of a nation is refused; None where it is accepted."""
        if other not in survivors(self.board, self.situation.view):
            return "Your nation is no longer in the game."
        if matter.unknown is not None:
            return f"There is no place or nation called {matter.unknown.title()} here."
        if matter.is_truce:
            return self._truce_refused(other)
        return self._attack_refused(other, matter)

    def _truce_refused(self, other: Seat) -> str | None:
        if other in self.pact.foes or any(self._whose(one) == other for one in self.pact.targets):
            return "Our plans are made for the moment."
        bound = changed(self.pact, truces=tuple(dict.fromkeys((*self.pact.truces, other))))
        leaning = self._leaning(other, bound)
        assert leaning is not None, "there is a leaning towards whom one has a truce with"
        if leaning.ended is not None:
            return self._why_over(leaning.ended)
        left = [one for one in survivors(self.board, self.situation.view) if one != self.seat]
        if other not in self.friends and len(self.friends) >= max(1, len(left) // 2):
            return "We have friends enough among those who are left."
        return None

    def _attack_refused(self, other: Seat, matter: Matter) -> str | None:
        whose = matter.foe or self._whose(matter.place)
        if whose in (self.seat, other):
            return f"That is {'ours' if whose == self.seat else 'yours'}."
        if whose in self.friends:
            return "We do not attack there."
        if matter.place is not None:
            if matter.place not in self.board.centres:
                return "There is no supply centre to win."
            return None if self._near(matter.place, self.seat) else "None of our units is next to it."
        near = neighbours(self.board, self.situation.view, self.seat)
        return None if matter.foe in near else "That nation is too far from us."

    def _leaning(self, other: Seat, bound: Pact) -> Leaning | None:
        found = leanings(self.board, self.situation.view, self.seat, bound, self.situation.temper.lead)
        return next((one for one in found if one.towards == other), None)

    def _kept(self, matter: Matter) -> str:
        """How long an agreement is kept, and what it comes to."""
        if matter.is_truce:
            lead = counted(self.situation.temper.lead, "centre")
            return (
                "We attack you last of all, until you own a centre that was ours from the start, stand in "
                f"one of ours, or have {lead} more than we; and as long as somebody else is left to win from."
            )
        return "It counts two steps nearer for us, in the moves of this season and of the next."

    def _why_over(self, ended: Ending) -> str:
        return {
            "took": "You own a centre that was ours from the start.",
            "stands": "You stand in a centre of ours.",
            "wins": "You are about to win, and then everybody has to stand against you.",
            "leads": f"You have {counted(self.situation.temper.lead, 'centre')} more than we, or better.",
            "last": "All who are left would be our friends then, and somebody has to win.",
        }[ended]

    def _is_foes(self, goal: Province, friend: Seat) -> bool:
        """Whether a place is neither ours nor a friend's."""
        return self._whose(goal) not in (self.seat, friend, *self.friends)

    def _whose(self, place: Province | None) -> Seat | None:
        """Who owns a centre, or else stands in a place."""
        view = self.situation.view
        standing: Unit | None = self.situation.standing.get(place) if place else None
        holder = standing.power if standing is not None and standing.power != NEUTRAL else None
        return view.centres.get(place, holder) if place else None

    def _near(self, place: Province, seat: Seat) -> int:
        """How many units of a seat can come to a place with their next orders."""
        return sum(unit.power == seat for unit in self.situation.arrivals.get(place, ()))

    def _danger(self, other: Seat) -> int:
        return sum(self._near(centre, other) for centre in self.situation.owned)
