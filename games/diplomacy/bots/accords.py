"""What two nations have agreed to, read off their letters to each other each time anew.

A proposal stands until the turn in which it was made has been played. A truce lasts until one of the two
refuses it, and so does a place that both leave empty; an attack for the moves of a season and of the next.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from games.diplomacy.bots.leanings import Pact
from games.diplomacy.bots.wording import TRUCE, Matter, Utterance, Wording
from games.protocol import Seat
from games.protocol.bot_skills import Correspondence, Missive

EXPLANATION = "This nation is played by a bot."
"""How the letter begins in which a bot says what it understands."""

IN_VAIN = "There is nothing to accept."
"""How one begins that answers an acceptance of nothing, or of what has lapsed."""

BROKEN = "We count your word as broken."
"""What one says in which a bot ends what was agreed, since the other has not kept to it."""

SEASONS = 2
"""For the moves of so many seasons an attack is agreed."""

_TURN = re.compile(r"([SUFW])(\d+)([MRA])")


def season(turn: str) -> int:
    """The number of the season whose moves come next in a turn, by its short name: two a year.

    What is written after the moves of a season belongs to the next one.
    """
    found = _TURN.fullmatch(turn)
    assert found, turn
    name, year, kind = found.groups()
    passed = {"S": 0, "U": 1, "F": 1, "W": 2}[name] + (name in "SF" and kind != "M")
    return 2 * int(year) + passed


@dataclass(frozen=True)
class Proposal:
    """What somebody proposed. by: who; turn: when, by its short name."""

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
        """Whether it was ended because the other had not kept to it."""
        return BROKEN in self.letter


@dataclass
class Dealings:
    """How one nation stands with another, after all letters between them.

    standing: proposals that nobody has answered, and that still may be; accords: what was ever agreed and
    lasts until it is ended, oldest first; attacks: what was agreed to be attacked, with the number of the
    season; proposed: the season in which it was last proposed by either. wrote: whether one of them wrote to
    the other in the present turn; answers: how often the first has accepted or refused in it; explained:
    whether the first ever said what it understands; puzzled: whether it got a letter to it alone, in the
    present turn, in which there is no form; in_vain: in which turn the other last accepted what was not
    proposed, None: never, or it has been told.
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
    def agreed(self) -> tuple[Matter, ...]:
        """What is agreed and lasts: a truce, places that stay empty."""
        return tuple(one.matter for one in self.accords if one.until is None)

    @property
    def truce(self) -> bool:
        """Whether there is a truce."""
        return TRUCE in self.agreed

    @property
    def broken(self) -> tuple[str, ...]:
        """The turns in which the first counted the word of the other as broken; once for each turn."""
        return tuple(dict.fromkeys(one.until for one in self.accords if one.until and one.is_broken))

    def kept(self, turn: str) -> int:
        """For how many seasons until a turn the other has kept what was agreed, all of it together."""
        return sum(season(one.until or turn) - season(one.since) for one in self.accords if not one.is_broken)

    def hear(self, by: Seat, turn: str, said: Utterance, letter: str = "") -> None:
        """One more form, said by one of the two in a letter."""
        if said.act == "propose":
            assert said.matter is not None, "something is proposed"
            self.standing.append(Proposal(by, turn, said.matter))
            self.proposed[said.matter] = season(turn)
            return
        answered = [one for one in self.standing if one.by != by and said.matter in (None, one.matter)]
        if answered:
            self.standing.remove(answered[-1])
        if said.act == "accept" and answered:
            self._agree(turn, answered[-1].matter)
        elif said.act == "accept" and by == self.other and not self.truce and said.matter not in self.agreed:
            self.in_vain = turn
        elif said.act == "refuse" and not answered:
            self._end(by, turn, said.matter, letter)

    def _agree(self, turn: str, matter: Matter) -> None:
        if not (matter.is_truce or matter.empty):
            self.attacks.append((season(turn), matter))
        elif matter not in self.agreed:
            self.accords.append(Accord(matter, turn))

    def _end(self, by: Seat, turn: str, matter: Matter | None, letter: str) -> None:
        """Nothing is agreed any more, or nothing of that."""
        for one in self.accords:
            if one.until is None and matter in (None, one.matter):
                # What the other wrote of us says nothing of its own word.
                one.until, one.by, one.letter = turn, by, letter if by != self.other else ""
        self.attacks = [(when, one) for when, one in self.attacks if matter not in (None, one)]


def dealings(words: Wording, heard: Correspondence, other: Seat) -> Dealings:
    """How the seat whose letters these are stands with another."""
    found = Dealings(other)
    for missive in heard.missives:
        if _is_between(missive, heard.seat, other):
            assert missive.writer is not None, "one of the two wrote it"
            found.standing = [one for one in found.standing if one.turn == missive.turn]
            forms = words.read(missive.text)
            for said in forms:
                found.hear(missive.writer, missive.turn, said, missive.text)
            _note(found, heard, missive, forms)
    found.standing = [one for one in found.standing if one.turn == heard.turn]
    return found


def pact(found: Iterable[Dealings], turn: str) -> Pact:
    """All that a nation is bound to in a turn, by how it stands with each other one."""
    found, now = tuple(found), season(turn)
    attacked = [matter for one in found for when, matter in one.attacks if when <= now < when + SEASONS]
    return Pact(
        truces=tuple(one.other for one in found if one.truce),
        foes=tuple(dict.fromkeys(matter.foe for matter in attacked if matter.foe)),
        targets=tuple(dict.fromkeys(matter.place for matter in attacked if matter.place)),
        empty=tuple(dict.fromkeys(one.place for each in found for one in each.agreed if one.place)),
    )


def _note(found: Dealings, heard: Correspondence, missive: Missive, forms: tuple[Utterance, ...]) -> None:
    ours, now = missive.writer == heard.seat, missive.turn == heard.turn
    found.wrote |= now and missive.to is not None
    if ours:
        found.explained |= EXPLANATION in missive.text
        found.in_vain = None if IN_VAIN in missive.text else found.in_vain
        found.answers += sum(said.act != "propose" for said in forms) if now else 0
    elif now and not forms and missive.to is not None:
        found.puzzled = True


def _is_between(missive: Missive, one: Seat, other: Seat) -> bool:
    if missive.writer == one:
        return missive.to is None or other in missive.to
    return missive.writer == other and (missive.to is None or one in missive.to)
