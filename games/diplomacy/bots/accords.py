"""The agreements of two nations, read from their press to each other each time from the beginning.

A proposal stands until the turn in which it was made has been played. A truce lasts until one of the two
refuses it, and so does a place that both leave empty; an attack for the moves of a season and of the next.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from games.diplomacy.bots.alliances import Pact
from games.diplomacy.bots.wording import TRUCE, Matter, Utterance, Wording
from games.protocol import Seat
from games.protocol.bot_skills import Correspondence, Missive

EXPLANATION = "This nation is played by a bot."
"""How the letter begins in which a bot says what it understands."""

IN_VAIN = "There is nothing to accept."
"""How one begins that answers an acceptance of nothing, or of what has lapsed."""

BROKEN_WORD_PHRASE = "We count your word as broken."
"""What one says in which a bot ends what was agreed, since the other has not kept to it."""

ATTACK_SEASONS = 2
"""For the moves of so many seasons an attack is agreed."""

_TURN_PATTERN = re.compile(r"([SUFW])(\d+)([MRA])")


def season_number(turn: str) -> int:
    """Return the number of the season whose moves come next in a turn, by its short name: two a year.

    What is written after the moves of a season belongs to the next one.
    """
    match = _TURN_PATTERN.fullmatch(turn)
    assert match, turn
    name, year, kind = match.groups()
    passed = {"S": 0, "U": 1, "F": 1, "W": 2}[name] + (name in "SF" and kind != "M")
    return 2 * int(year) + passed


@dataclass(frozen=True)
class Proposal:
    """A proposal of a nation. by: the nation; turn: the short name of its turn."""

    by: Seat
    turn: str
    matter: Matter


@dataclass
class Accord:
    """A truce, or a place that was to stay empty, from its acceptance to its end.

    since, until: the turns, by their short names; by: who ended it. All of these None: it stands. letter: by
    which the first of the two said that; "" where the other ended it.
    """

    matter: Matter
    since: str
    until: str | None = None
    by: Seat | None = None
    letter: str = ""

    @property
    def is_broken(self) -> bool:
        """True if it was ended because the other nation had not kept to it."""
        return BROKEN_WORD_PHRASE in self.letter


@dataclass
class Relationship:
    """The relations of one nation with another, after all their press to each other.

    standing: proposals that nobody has answered, and that still may be; accords: what was ever agreed and
    lasts until it is ended, oldest first; attacks: what was agreed to be attacked, with the number of the
    season; proposed: the season in which it was last proposed by either. wrote: whether one of them wrote
    to the other in the present turn; answers: how often the first has accepted or refused in it;
    explained: whether the first ever said what it understands; puzzled: whether it got a letter to it
    alone, in the present turn, in which there is no form; in_vain: in which turn the other last accepted
    what was not proposed, None: never, or it has been told.
    """

    other: Seat
    standing: list[Proposal] = field(default_factory=list)
    accords: list[Accord] = field(default_factory=list)
    attacks: list[tuple[int, Matter]] = field(default_factory=list)
    proposed: dict[Matter, int] = field(default_factory=dict)
    wrote: bool = False
    answers: int = 0
    explained: bool = False
    puzzled: bool = False
    in_vain: str | None = None

    @property
    def agreed_matters(self) -> tuple[Matter, ...]:
        """The agreements that last: a truce, places that stay empty."""
        return tuple(accord.matter for accord in self.accords if accord.until is None)

    @property
    def has_truce(self) -> bool:
        """True if there is a truce."""
        return TRUCE in self.agreed_matters

    @property
    def broken_turns(self) -> tuple[str, ...]:
        """The turns in which the first counted the other's word as broken; once for each turn."""
        return tuple(
            dict.fromkeys(accord.until for accord in self.accords if accord.until and accord.is_broken)
        )

    def seasons_kept(self, turn: str) -> int:
        """Return for how many seasons until a turn the other has kept its agreements, all together."""
        return sum(
            season_number(accord.until or turn) - season_number(accord.since)
            for accord in self.accords
            if not accord.is_broken
        )

    def add_utterance(self, by: Seat, turn: str, utterance: Utterance, letter: str = "") -> None:
        """Take in one more form that one of the two wrote in an email."""
        if utterance.act == "propose":
            assert utterance.matter is not None, "something is proposed"
            self.standing.append(Proposal(by, turn, utterance.matter))
            self.proposed[utterance.matter] = season_number(turn)
            return
        answered = [
            proposal
            for proposal in self.standing
            if proposal.by != by and utterance.matter in (None, proposal.matter)
        ]
        if answered:
            self.standing.remove(answered[-1])
        if utterance.act == "accept" and answered:
            self._agree(turn, answered[-1].matter)
        elif (
            utterance.act == "accept"
            and by == self.other
            and not self.has_truce
            and utterance.matter not in self.agreed_matters
        ):
            self.in_vain = turn
        elif utterance.act == "refuse" and not answered:
            self._end(by, turn, utterance.matter, letter)

    def _agree(self, turn: str, matter: Matter) -> None:
        if not (matter.is_truce or matter.empty):
            self.attacks.append((season_number(turn), matter))
        elif matter not in self.agreed_matters:
            self.accords.append(Accord(matter, turn))

    def _end(self, by: Seat, turn: str, matter: Matter | None, letter: str) -> None:
        """End all agreements, or those on one matter."""
        for accord in self.accords:
            if accord.until is None and matter in (None, accord.matter):
                # What the other wrote of us says nothing of its own word.
                accord.until, accord.by, accord.letter = turn, by, letter if by != self.other else ""
        self.attacks = [(when, target) for when, target in self.attacks if matter not in (None, target)]


def read_relationship(words: Wording, heard: Correspondence, other: Seat) -> Relationship:
    """Return the relations of the seat that the press belongs to with another."""
    relation = Relationship(other)
    for missive in heard.missives:
        if _is_between(missive, heard.seat, other):
            assert missive.writer is not None, "one of the two wrote it"
            relation.standing = [proposal for proposal in relation.standing if proposal.turn == missive.turn]
            forms = words.read(missive.text)
            for utterance in forms:
                relation.add_utterance(missive.writer, missive.turn, utterance, missive.text)
            _note_letter(relation, heard, missive, forms)
    relation.standing = [proposal for proposal in relation.standing if proposal.turn == heard.turn]
    return relation


def pact(relations: Iterable[Relationship], turn: str) -> Pact:
    """Return all that a nation is bound to in a turn, from its relations with each other one."""
    relations, now = tuple(relations), season_number(turn)
    attacked = [
        matter
        for relation in relations
        for when, matter in relation.attacks
        if when <= now < when + ATTACK_SEASONS
    ]
    return Pact(
        truces=tuple(relation.other for relation in relations if relation.has_truce),
        foes=tuple(dict.fromkeys(matter.foe for matter in attacked if matter.foe)),
        targets=tuple(dict.fromkeys(matter.place for matter in attacked if matter.place)),
        empty=tuple(
            dict.fromkeys(
                matter.place for each in relations for matter in each.agreed_matters if matter.place
            )
        ),
    )


def _note_letter(
    relation: Relationship, heard: Correspondence, missive: Missive, forms: tuple[Utterance, ...]
) -> None:
    ours, now = missive.writer == heard.seat, missive.turn == heard.turn
    relation.wrote |= now and missive.to is not None
    if ours:
        relation.explained |= EXPLANATION in missive.text
        relation.in_vain = None if IN_VAIN in missive.text else relation.in_vain
        relation.answers += sum(utterance.act != "propose" for utterance in forms) if now else 0
    elif now and not forms and missive.to is not None:
        relation.puzzled = True


def _is_between(missive: Missive, seat: Seat, other: Seat) -> bool:
    if missive.writer == seat:
        return missive.to is None or other in missive.to
    return missive.writer == other and (missive.to is None or seat in missive.to)
