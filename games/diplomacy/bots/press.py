"""What a bot writes to other nations: answers by a stated rule, and proposals of its own.

Rule 1: between two nations there is one exchange a turn. A bot proposes one thing at most to a nation, and
        only where neither has written to the other in that turn; answers are never answered.
Rule 2: it tells nothing of what it agreed to with others, nor what others wrote.
Rule 3: everything follows from the view and from the letters of the seat itself; nothing is thrown for.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from games.diplomacy.board import Board
from games.diplomacy.bots.accords import BROKEN, EXPLANATION, IN_VAIN, pact, season
from games.diplomacy.bots.consent import AGAIN, Consent, standings
from games.diplomacy.bots.leanings import Pact
from games.diplomacy.bots.situation import Situation
from games.diplomacy.bots.wording import TRUCE, Matter, Utterance, wording
from games.diplomacy.model import Province
from games.diplomacy.phrases import counted
from games.diplomacy.survivors import neighbours, survivors
from games.protocol import Seat
from games.protocol.bot_skills import Correspondence, Missive, Said
from games.record import changed

_BREACHES = ("took", "stands")
"""Causes that end a truce by which the other has not kept to it."""

ANSWERS = 3
"""So many proposals of one nation are answered in a turn."""

FORMS = """\
{explanation} It understands these lines, and nothing else:

  propose truce
  propose attack on {example}
  propose demilitarised {land}
  accept
  refuse

The last two answer what it has proposed in this turn; refuse ends what was agreed, too."""


ASKING = "Press to us that says accept or refuse, and no more, answers it until the turn is played."


def press(situation: Situation, heard: Correspondence) -> tuple[Said, ...]:
    """What the nation writes now, one letter to each nation at most, in the order of the board."""
    said: dict[Seat, list[str]] = {}
    for other, text in _spoken(situation, heard):
        said.setdefault(other, []).append(text)
    order, words = list(situation.board.powers), wording(situation.board)

    def accepted(texts: list[str]) -> tuple[str, ...]:
        read = (one for text in texts for one in words.read(text) if one.act == "accept")
        return tuple(words.called(one.matter) for one in read if one.matter is not None)

    return tuple(
        Said(to=other, text="\n\n".join(said[other]), accepts=accepted(said[other]))
        for other in sorted(said, key=order.index)
    )


def agreed(board: Board, heard: Correspondence) -> Pact:
    """All that the nation is bound to now."""
    return pact(standings(board, heard).values(), heard.turn)


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
        while (notice := desk.notice(other)) is not None:
            yield other, notice
            desk = _Desk(situation, _with(desk.heard, other, notice))
    for other, matter in desk.proposals():
        proposed = Utterance(act="propose", matter=matter)
        yield other, f"{wording(situation.board).write(proposed)}\n{ASKING}"


def _with(heard: Correspondence, other: Seat, text: str) -> Correspondence:
    ours = Missive(turn=heard.turn, writer=heard.seat, to=(other,), text=text)
    return changed(heard, missives=(*heard.missives, ours))


@dataclass(frozen=True)
class _Desk(Consent):
    """The letters of a nation as they lie there, and what it has to say."""

    def answer(self, other: Seat) -> str | None:
        """The answer to the first thing that a nation said and that has none; None where all is answered."""
        found = self.dealings[other]
        asked = [one for one in found.standing if one.by == other]
        if asked and found.answers < ANSWERS:
            matter = asked[0].matter
            why_not = self.refused(other, matter)
            answer = Utterance(act="accept" if why_not is None else "refuse", matter=matter)
            return f"{wording(self.board).write(answer)}\n{why_not or self._kept(matter)}"
        if found.in_vain == self.heard.turn:
            return f"{IN_VAIN}\nA proposal stands until its turn is played; propose it anew."
        if found.puzzled and not found.explained and not found.answers:
            return FORMS.format(
                explanation=EXPLANATION,
                example=wording(self.board).called(Matter(place=self.board.centres[0])).rpartition(" on ")[2],
                land=self.board.name(self.bare[0]),
            )
        return None

    def notice(self, other: Seat) -> str | None:
        """That something agreed with a nation ends, where a cause is there; None where all of it lasts."""
        for matter in self.dealings[other].agreed:
            why = self._why_no_truce(other) if matter.is_truce else self._why_not_empty(other, matter)
            if why is not None:
                refused = wording(self.board).write(Utterance(act="refuse", matter=matter))
                return f"{refused}\n{why}"
        return None

    def _why_no_truce(self, other: Seat) -> str | None:
        """Why a truce ends, None while it lasts: a cause is there, or all that is left to win is friends'."""
        ended = self.ended(other)
        if ended is not None:
            return f"{self.why_over(ended)} {BROKEN if ended in _BREACHES else 'Our truce is over.'}"
        bound = replace(self.situation, pact=self.pact)
        theirs = [one for one in bound.prizes if self.whose(one) == other]
        if theirs and other in bound.friends and all(bound.is_spared(one) for one in bound.prizes):
            return "Nothing is left for us to win but from friends. Our truce is over."
        return None

    def _why_not_empty(self, other: Seat, matter: Matter) -> str | None:
        """Why a place is no longer left empty, None while it is."""
        assert matter.place is not None, "a place was agreed on"
        unit = self.situation.standing.get(matter.place)
        if unit is not None:
            whose = {other: "You stand", self.seat: "We stand"}.get(unit.power, "Somebody else stands")
            return f"{whose} there. {BROKEN if unit.power == other else 'We are free to go there again.'}"
        ended = self.ended(other)
        if ended in (None, "last"):
            return None
        return f"{self.why_over(ended)} {BROKEN if ended in _BREACHES else 'We are free to go there again.'}"

    def proposals(self) -> Iterator[tuple[Seat, Matter]]:
        """What the nation proposes: before moves, one thing of each sort at most, to different nations."""
        if self.situation.view.phase.kind != "M" or self.seat not in survivors(
            self.board, self.situation.view
        ):
            return
        offers = [one for one in self.situation.temper.offers if one not in self._offered]
        asked: list[Seat] = []
        for sort, find in (("attack", self._attack), ("truce", self._truce), ("empty", self._empty)):
            found = find(asked) if sort in offers else None
            if found is not None:
                asked.append(found[0])
                yield found

    @property
    def _offered(self) -> set[str]:
        """What it has proposed to anybody in this turn."""
        ours = [one for one in self.heard.missives if (one.writer, one.turn) == (self.seat, self.heard.turn)]
        forms = [said for one in ours for said in wording(self.board).read(one.text)]
        matters = [said.matter for said in forms if said.act == "propose" and said.matter is not None]
        return {"truce" if one.is_truce else "empty" if one.empty else "attack" for one in matters}

    def _attack(self, but: Collection[Seat]) -> tuple[Seat, Matter] | None:
        """A centre that a friend and it can both come to: most units first, then who kept his word."""
        situation = self.situation
        found: list[tuple[int, int, int, Seat, Matter]] = []
        for other in self.friends:
            faithful = self.dealings[other].kept(self.heard.turn)
            for goal in situation.prizes:
                matter = Matter(place=goal)
                ours, theirs = self.near(goal, self.seat), self.near(goal, other)
                if ours and theirs and self._is_foes(goal, other) and self._may_ask(other, matter, but):
                    found.append((-ours - theirs, -faithful, self.board.index[goal], other, matter))
        return min(found)[3:] if found else None

    def _truce(self, but: Collection[Seat]) -> tuple[Seat, Matter] | None:
        """The neighbour who can come to our centres with most units, if it would be a friend."""
        found = [
            (-self._danger(other), list(self.board.powers).index(other), other)
            for other in neighbours(self.board, self.situation.view, self.seat)
            if other not in self.friends
            and self._danger(other)
            and self._may_ask(other, TRUCE, but)
            and self.refused(other, TRUCE) is None
        ]
        return (min(found)[2], TRUCE) if found else None

    def _empty(self, but: Collection[Seat]) -> tuple[Seat, Matter] | None:
        """A place from which a neighbour could come to our centres, to the most of them."""
        found: list[tuple[int, int, Seat, Matter]] = []
        for other in neighbours(self.board, self.situation.view, self.seat):
            for place in self.bare:
                matter = Matter(place=place, empty=True)
                guarded = len(self.situation.owned & self._beside(place))
                if guarded and self._may_ask(other, matter, but) and self.refused(other, matter) is None:
                    found.append((-guarded, self.board.index[place], other, matter))
        return min(found)[2:] if found else None

    def _beside(self, place: Province) -> frozenset[Province]:
        return frozenset([*self.board.army[place], *self.board.fleet[place]])

    def _may_ask(self, other: Seat, matter: Matter, but: Collection[Seat]) -> bool:
        """Whether somebody may be asked for something: he is asked nothing else, and his word is good."""
        return other not in but and self._is_news(other, matter) and self.doubt(other) is None

    def _is_news(self, other: Seat, matter: Matter) -> bool:
        """Whether a thing may be proposed: nothing was written in this turn, nor that of late."""
        found = self.dealings[other]
        last = found.proposed.get(matter)
        return not found.wrote and (last is None or season(self.heard.turn) - last >= AGAIN)

    def _kept(self, matter: Matter) -> str:
        """How long an agreement is kept, and what it comes to."""
        if matter.is_truce:
            lead = counted(self.situation.temper.lead, "centre")
            return (
                "We attack you last of all, until you own a centre that was ours from the start, stand in "
                f"one of ours, or have {lead} more than we; and as long as somebody else is left to win from."
            )
        if matter.empty:
            return (
                "We order nobody there, and a beaten unit goes there only where it has no other way, until "
                "somebody stands there, or what would end a truce with you has come about."
            )
        return "It counts two steps nearer for us, in the moves of this season and of the next."

    def _is_foes(self, goal: Province, friend: Seat) -> bool:
        """Whether a place is neither ours nor a friend's."""
        return self.whose(goal) not in (self.seat, friend, *self.friends)

    def _danger(self, other: Seat) -> int:
        return sum(self.near(centre, other) for centre in self.situation.owned)
