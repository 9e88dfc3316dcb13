"""The press of a bot to other nations: replies by a stated rule, and proposals of its own.

Rule 1: between two nations there is one exchange a turn. A bot proposes one thing at most to a nation, and
        only where neither has written to the other in that turn; answers are never answered.
Rule 2: it tells nothing of what it agreed to with others, nor what others wrote.
Rule 3: everything follows from the view and from the letters of the seat itself; nothing is thrown for.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from games.diplomacy.adjudication.survivors import neighbours, survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.bots.accords import BROKEN_WORD_PHRASE, EXPLANATION, IN_VAIN, pact, season_number
from games.diplomacy.bots.alliances import Pact
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.consent import REPROPOSAL_SEASONS, Consent, read_relationships
from games.diplomacy.bots.wording import TRUCE, Matter, Utterance, wording
from games.diplomacy.model import Province
from games.diplomacy.phrases import count_noun
from games.protocol import Seat
from games.protocol.bot_skills import BotMessage, Correspondence, Missive
from games.record import replace_fields

_BREACHES = ("took", "stands")
"""Causes that end a truce by which the other has not kept to it."""

MAX_ANSWERS_PER_TURN = 3
"""So many proposals of one nation are answered in a turn."""

PRESS_HELP = """\
{explanation} It understands these lines, and nothing else:

  propose truce
  propose attack on {example}
  propose demilitarised {land}
  accept
  refuse

The last two answer what it has proposed in this turn; refuse ends what was agreed, too."""


PROPOSAL_FOOTER = "Press to us that says accept or refuse, and no more, answers it until the turn is played."


def write_press(situation: Situation, heard: Correspondence) -> tuple[BotMessage, ...]:
    """Return the nation's press now, one email to each nation at most, in the order of the board."""
    texts: dict[Seat, list[str]] = {}
    for other, text in _compose_press(situation, heard):
        texts.setdefault(other, []).append(text)
    order, words = list(situation.board.powers), wording(situation.board)

    def accepted(texts: list[str]) -> tuple[str, ...]:
        read = (one for text in texts for one in words.read(text) if one.act == "accept")
        return tuple(words.describe(one.matter) for one in read if one.matter is not None)

    return tuple(
        BotMessage(to=other, text="\n\n".join(texts[other]), accepts=accepted(texts[other]))
        for other in sorted(texts, key=order.index)
    )


def current_pact(board: Board, heard: Correspondence) -> Pact:
    """Return all that the nation is bound to now."""
    return pact(read_relationships(board, heard).values(), heard.turn)


def _compose_press(situation: Situation, heard: Correspondence) -> Iterator[tuple[Seat, str]]:
    """Yield what is written to which nation; each text takes into account what was written before it."""
    desk = _PressWriter(situation, heard)
    for other in desk.others:
        for _ in range(MAX_ANSWERS_PER_TURN + 1):
            answer = desk.answer(other)
            if answer is None:
                break
            yield other, answer
            desk = _PressWriter(situation, _with(desk.heard, other, answer))
    for other in desk.others:
        while (notice := desk.notice(other)) is not None:
            yield other, notice
            desk = _PressWriter(situation, _with(desk.heard, other, notice))
    for other, matter in desk.proposals():
        proposed = Utterance(act="propose", matter=matter)
        yield other, f"{wording(situation.board).write(proposed)}\n{PROPOSAL_FOOTER}"


def _with(heard: Correspondence, other: Seat, text: str) -> Correspondence:
    ours = Missive(turn=heard.turn, writer=heard.seat, to=(other,), text=text)
    return replace_fields(heard, missives=(*heard.missives, ours))


@dataclass(frozen=True)
class _PressWriter(Consent):
    """The press of a nation, and what it has to write."""

    def answer(self, other: Seat) -> str | None:
        """Return the reply to a nation's first unanswered proposal; None where all are answered."""
        relation = self.relationships[other]
        asked = [proposal for proposal in relation.standing if proposal.by == other]
        if asked and relation.answers < MAX_ANSWERS_PER_TURN:
            matter = asked[0].matter
            why_not = self.refusal(other, matter)
            answer = Utterance(act="accept" if why_not is None else "refuse", matter=matter)
            return f"{wording(self.board).write(answer)}\n{why_not or self._terms_in_words(matter)}"
        if relation.in_vain == self.heard.turn:
            return f"{IN_VAIN}\nA proposal stands until its turn is played; propose it anew."
        if relation.puzzled and not relation.explained and not relation.answers:
            return PRESS_HELP.format(
                explanation=EXPLANATION,
                example=wording(self.board)
                .describe(Matter(place=self.board.centres[0]))
                .rpartition(" on ")[2],
                land=self.board.name(self.bare[0]),
            )
        return None

    def notice(self, other: Seat) -> str | None:
        """That something agreed with a nation ends, where a cause is there; None where all of it lasts."""
        for matter in self.relationships[other].agreed_matters:
            why = self._why_no_truce(other) if matter.is_truce else self._why_not_empty(other, matter)
            if why is not None:
                refused = wording(self.board).write(Utterance(act="refuse", matter=matter))
                return f"{refused}\n{why}"
        return None

    def _why_no_truce(self, other: Seat) -> str | None:
        """Why a truce ends, None while it lasts: a cause is there, or all that is left to win is friends'."""
        ended = self.ending_cause(other)
        if ended is not None:
            return (
                f"{self.why_over(ended)} {BROKEN_WORD_PHRASE if ended in _BREACHES else 'Our truce is over.'}"
            )
        bound = replace(self.situation, pact=self.pact)
        theirs = [prize for prize in bound.prizes if self.holder(prize) == other]
        if theirs and other in bound.friends and all(bound.is_spared(prize) for prize in bound.prizes):
            return "Nothing is left for us to win but from friends. Our truce is over."
        return None

    def _why_not_empty(self, other: Seat, matter: Matter) -> str | None:
        """Why a place is no longer left empty, None while it is."""
        assert matter.place is not None, "a place was agreed on"
        unit = self.situation.standing.get(matter.place)
        if unit is not None:
            whose = {other: "You stand", self.seat: "We stand"}.get(unit.power, "Somebody else stands")
            return (
                f"{whose} there. "
                f"{BROKEN_WORD_PHRASE if unit.power == other else 'We are free to go there again.'}"
            )
        ended = self.ending_cause(other)
        if ended in (None, "last"):
            return None
        return (
            f"{self.why_over(ended)} "
            f"{BROKEN_WORD_PHRASE if ended in _BREACHES else 'We are free to go there again.'}"
        )

    def proposals(self) -> Iterator[tuple[Seat, Matter]]:
        """Yield the nation's proposals: before moves, one of each sort at most, to different nations."""
        if self.situation.view.phase.kind != "M" or self.seat not in survivors(
            self.board, self.situation.view
        ):
            return
        offers = [offer for offer in self.situation.temper.offers if offer not in self._sorts_offered]
        asked: list[Seat] = []
        for sort, find in (("attack", self._attack), ("truce", self._truce), ("empty", self._empty)):
            proposal = find(asked) if sort in offers else None
            if proposal is not None:
                asked.append(proposal[0])
                yield proposal

    @property
    def _sorts_offered(self) -> set[str]:
        """The sorts of things that it has proposed to anybody in this turn."""
        ours = [
            missive
            for missive in self.heard.missives
            if (missive.writer, missive.turn) == (self.seat, self.heard.turn)
        ]
        forms = [utterance for missive in ours for utterance in wording(self.board).read(missive.text)]
        matters = [
            utterance.matter
            for utterance in forms
            if utterance.act == "propose" and utterance.matter is not None
        ]
        return {"truce" if matter.is_truce else "empty" if matter.empty else "attack" for matter in matters}

    def _attack(self, but: Collection[Seat]) -> tuple[Seat, Matter] | None:
        """Return a centre that a friend and it can both come to: most units first, then faith kept."""
        situation = self.situation
        options: list[tuple[int, int, int, Seat, Matter]] = []
        for other in self.friends:
            faithful = self.relationships[other].seasons_kept(self.heard.turn)
            for goal in situation.prizes:
                matter = Matter(place=goal)
                ours, theirs = self.count_near(goal, self.seat), self.count_near(goal, other)
                if (
                    ours
                    and theirs
                    and self._is_contestable(goal, other)
                    and self._may_ask(other, matter, but)
                ):
                    options.append((-ours - theirs, -faithful, self.board.index[goal], other, matter))
        return min(options)[3:] if options else None

    def _truce(self, but: Collection[Seat]) -> tuple[Seat, Matter] | None:
        """Return the neighbour that can come to our centres with most units, if it would be a friend."""
        options = [
            (-self._danger(other), list(self.board.powers).index(other), other)
            for other in neighbours(self.board, self.situation.view, self.seat)
            if other not in self.friends
            and self._danger(other)
            and self._may_ask(other, TRUCE, but)
            and self.refusal(other, TRUCE) is None
        ]
        return (min(options)[2], TRUCE) if options else None

    def _empty(self, but: Collection[Seat]) -> tuple[Seat, Matter] | None:
        """A place from which a neighbour could come to our centres, to the most of them."""
        options: list[tuple[int, int, Seat, Matter]] = []
        for other in neighbours(self.board, self.situation.view, self.seat):
            for place in self.bare:
                matter = Matter(place=place, empty=True)
                guarded = len(self.situation.own_centres & self._beside(place))
                if guarded and self._may_ask(other, matter, but) and self.refusal(other, matter) is None:
                    options.append((-guarded, self.board.index[place], other, matter))
        return min(options)[2:] if options else None

    def _beside(self, place: Province) -> frozenset[Province]:
        return frozenset([*self.board.army[place], *self.board.fleet[place]])

    def _may_ask(self, other: Seat, matter: Matter, but: Collection[Seat]) -> bool:
        """Return whether a nation may be asked for it: it is asked nothing else, and its word is good."""
        return other not in but and self._is_news(other, matter) and self.doubt(other) is None

    def _is_news(self, other: Seat, matter: Matter) -> bool:
        """Return whether a thing may be proposed: nothing was written in this turn, nor that of late."""
        relation = self.relationships[other]
        last = relation.proposed.get(matter)
        return not relation.wrote and (
            last is None or season_number(self.heard.turn) - last >= REPROPOSAL_SEASONS
        )

    def _terms_in_words(self, matter: Matter) -> str:
        """Return the terms of an agreement: how long it is kept, and what it comes to."""
        if matter.is_truce:
            lead = count_noun(self.situation.temper.lead, "centre")
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

    def _is_contestable(self, goal: Province, friend: Seat) -> bool:
        """Return whether a place is neither ours nor a friend's."""
        return self.holder(goal) not in (self.seat, friend, *self.friends)

    def _danger(self, other: Seat) -> int:
        return sum(self.count_near(centre, other) for centre in self.situation.own_centres)
