"""What two nations have agreed to, read off their letters to each other each time anew.

A proposal stands until the turn in which it was made has been played. A truce lasts until one of the two
refuses it, an attack for the moves of a season and of the next.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from games.diplomacy.bots.leanings import Pact
from games.diplomacy.bots.wording import TRUCE, Matter, Utterance, Wording
from games.protocol import Seat
from games.protocol.optional import Correspondence, Missive

EXPLANATION = "This nation is played by a bot."
"""How the letter begins in which a bot says what it understands."""

IN_VAIN = "There is nothing to accept."
"""How one begins that answers an acceptance of nothing, or of what has lapsed."""

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
class Dealings:
    """How one nation stands with another, after all letters between them.

    standing: proposals that nobody has answered, and that still may be; truce: whether there is one; attacks:
    what was agreed to be attacked, with the number of the season; proposed: the season in which it was last
    proposed by either. wrote: whether one of them wrote to the other in the present turn; answers: how often
    the first has accepted or refused in it; explained: whether the first ever said what it understands;
    puzzled: whether it got a letter to it alone, in the present turn, in which there is no form; in_vain: in
    which turn the other last accepted what was not proposed, None: never, or it has been told.
    """

    other: Seat
    standing: list[Proposal] = field(default_factory=list)
    truce: bool = False
    attacks: list[tuple[int, Matter]] = field(default_factory=list)
    proposed: dict[Matter, int] = field(default_factory=dict)
    wrote: bool = False
    answers: int = 0
    explained: bool = False
    puzzled: bool = False
    in_vain: str | None = None

    def hear(self, by: Seat, turn: str, said: Utterance) -> None:
        """One more form, said by one of the two."""
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
        elif said.act == "accept" and by == self.other and not self.truce:
            self.in_vain = turn
        elif said.act == "refuse" and not answered:
            self._end(said.matter)

    def _agree(self, turn: str, matter: Matter) -> None:
        if matter.is_truce:
            self.truce = True
        else:
            self.attacks.append((season(turn), matter))

    def _end(self, matter: Matter | None) -> None:
        """Nothing is agreed any more, or nothing of that."""
        self.truce = self.truce and matter not in (None, TRUCE)
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
                found.hear(missive.writer, missive.turn, said)
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
