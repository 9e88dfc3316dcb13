"""The press of a bot to other nations: replies by a stated rule, and proposals of its own.

Rule 1: between two nations there is one exchange a turn. A bot proposes one thing at most to a nation, and
        only where neither has written to the other in that turn; answers are never answered.
Rule 2: it tells nothing of what it agreed to with others, nor what others wrote.
Rule 3: everything follows from the view and from the letters of the seat itself; nothing is thrown for.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal

from games.diplomacy.adjudication.retreats import neighbours, survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.bots.alliances import Ending, Pact, leanings
from games.diplomacy.bots.common import Situation
from games.diplomacy.model import NEUTRAL, Province, Unit
from games.diplomacy.phrases import count_noun, join_words
from games.protocol import Seat
from games.protocol.bot_skills import BotMessage, Correspondence, PressMessage
from games.record import Record, replace_fields

# The fixed forms in which bots write and read press: what may be proposed, accepted, refused.


PHRASES = (
    "propose truce",
    "propose attack on PLACE",
    "propose attack on NATION",
    "propose demilitarised PLACE",
    "accept",
    "refuse",
)
"""What a bot understands, as people are to write it."""


class Matter(Record, frozen=True, kw_only=True):
    """The subject of a proposal: an attack on a place, a nation or an unknown name, or else a truce.

    empty: the place is not to be attacked, but left empty by both.
    """

    place: Province | None = None
    foe: Seat | None = None
    unknown: str | None = None
    empty: bool = False

    @property
    def is_truce(self) -> bool:
        """True if nobody is to be attacked."""
        return self == TRUCE


TRUCE = Matter()

Act = Literal["propose", "accept", "refuse"]


class Utterance(Record, frozen=True, kw_only=True):
    """One form. matter None: whatever has been proposed last."""

    act: Act
    matter: Matter | None = None


_ACT_VERBS: Mapping[str, Act] = {
    **dict.fromkeys(("propose", "proposes", "offer", "offers", "suggest", "suggests"), "propose"),
    **dict.fromkeys(("accept", "accepts", "accepted", "agree", "agrees", "agreed"), "accept"),
    **dict.fromkeys(("refuse", "refuses", "refused", "decline", "declines", "declined"), "refuse"),
    **dict.fromkeys(("reject", "rejects", "rejected"), "refuse"),
}
_LEADING_POLITENESS = re.compile(
    "hello|hi|dear|greetings|please|kindly|we|i|our|my|nation|hereby|would|like|to|wish|want|and|also|then|"
    "gladly|happily|sadly|sorry|thanks?|you"
)
"""Politeness that may stand before a form."""
_TRAILING_POLITENESS = re.compile(
    "please|kindly|thanks?|you|with|to|between|us|for|now|together|sir|friends?"
)
"""Politeness that may stand behind it."""
# The dots of "St. Petersburg" and "N. Atlantic" end no sentence.
_SENTENCE_BREAK = re.compile(
    rf"(?<!\bst)(?<!\b\w)[.!?;:]+(?=\s|$)|\band\s+(?=(?:{'|'.join(_ACT_VERBS)})\b)", re.IGNORECASE
)
_PRESS_GREETING = re.compile(r"\s*(?:hello|hi|dear|greetings|good \w+|ok|yes|well)\b[^,]*,", re.IGNORECASE)
_TRUCE_PATTERN = re.compile(r"(?:to )?(?:(?:a|the|your|this|that|our) )?(?:truce|peace)")
_ATTACK_PATTERN = re.compile(
    r"(?:to )?(?:(?:a|an|the|your|this|that|our) )?(?:joint |common )?"
    r"attack (?:on|against|upon) (?:the )?(.+)"
)
_DEMILITARISED_PATTERN = re.compile(
    r"(?:to )?(?:(?:a|the|your|this|that|our) )?demilitari[sz]ed? "
    r"(?:(?:zone|place) (?:in|of|at) )?(?:the )?(.+)"
)
_WHATEVER = re.compile(r"(?:to )?(?:(?:the|your|this|that) )?(?:proposal|offer|it|this|that)?")
_PRESS_WORD = re.compile(r"[^\W_]+")


_OPEN_MATTER = Matter(unknown="")
"""Stands for whatever lies open."""
_MAX_NAME_WORDS = 3
"""In words; what is longer is no name, but a sentence that goes on."""
_LETTERS_KEPT = 4096


class Wording:
    """The forms on one board, with its names; what was read once is kept."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._places = _matters_by_place(board)
        self._targets = _matters_by_target(board, self._places)
        self.read = lru_cache(_LETTERS_KEPT)(self._read_forms)

    def write(self, utterance: Utterance) -> str:
        """A form as bots write it, which `read` reads back."""
        verb = utterance.act.capitalize()
        return f"{verb} {self.describe(utterance.matter)}." if utterance.matter is not None else f"{verb}."

    def describe(self, matter: Matter) -> str:
        """Return a proposal in words: "truce", "attack on Belgium", "demilitarised Burgundy"."""
        if matter.is_truce:
            return "truce"
        what = "demilitarised" if matter.empty else "attack on"
        if matter.place is None:
            return f"{what} {matter.foe or str(matter.unknown).title()}"
        name, abbr = self._board.name(matter.place), self._board.abbr(matter.place)
        # Some nations are called as places are; the nation is meant where the name of an attack is said.
        known = self._places if matter.empty else self._targets
        return f"{what} {name if known[' '.join(_words(name))].place == matter.place else abbr}"

    def _read_forms(self, text: str) -> tuple[Utterance, ...]:
        """The forms in a letter, in order.

        Case, politeness, and sentences that are no form do not matter; a form with anything else in its
        sentence is none. There are none at all where one thing is both accepted and refused.
        """
        rows = [row for row in text.splitlines() if not row.lstrip().startswith((">", "|"))]
        sentences = [
            part for row in rows for part in _SENTENCE_BREAK.split(_PRESS_GREETING.sub("", row, count=1))
        ]
        forms = [form for form in (self._read_form(_words(part)) for part in sentences) if form is not None]
        decided: dict[Matter | None, set[Act]] = {}
        for form in forms:
            if form.act != "propose":
                decided.setdefault(form.matter, set()).add(form.act)
        return () if any(len(acts) > 1 for acts in decided.values()) else tuple(forms)

    def _read_form(self, words: list[str]) -> Utterance | None:
        while words and _LEADING_POLITENESS.fullmatch(words[0]):
            words = words[1:]
        if not words or words[0] not in _ACT_VERBS:
            return None
        act, rest = _ACT_VERBS[words[0]], words[1:]
        for end in range(len(rest), -1, -1):
            matter = self._read_matter(act, " ".join(rest[:end]))
            if matter is not None:
                return Utterance(act=act, matter=None if matter == _OPEN_MATTER else matter)
            if end and not _TRAILING_POLITENESS.fullmatch(rest[end - 1]):
                break
        empty = _DEMILITARISED_PATTERN.fullmatch(" ".join(rest))
        named = empty or _ATTACK_PATTERN.fullmatch(" ".join(rest))
        # What nobody knows is worth an answer, if that can be a name.
        if named is None or len(named[1].split()) > _MAX_NAME_WORDS:
            return None
        return Utterance(act=act, matter=Matter(unknown=named[1], empty=empty is not None))

    def _read_matter(self, act: Act, words: str) -> Matter | None:
        if _TRUCE_PATTERN.fullmatch(words):
            return TRUCE
        if act != "propose" and _WHATEVER.fullmatch(words):
            return _OPEN_MATTER
        empty = _DEMILITARISED_PATTERN.fullmatch(words)
        if empty:
            place_matter = self._places.get(empty[1])
            return replace_fields(place_matter, empty=True) if place_matter else None
        attack = _ATTACK_PATTERN.fullmatch(words)
        return self._targets.get(attack[1]) if attack else None


_FOUND: dict[int, Wording] = {}


def wording(board: Board) -> Wording:
    """The forms on a board; a variant keeps its boards for good, so that one is known by its identity."""
    if id(board) not in _FOUND:
        _FOUND[id(board)] = Wording(board)
    return _FOUND[id(board)]


def _matters_by_place(board: Board) -> Mapping[str, Matter]:
    """The places by all their names."""
    matters: dict[str, Matter] = {}
    for place in board.places.values():
        for name in (place.name, place.abbr, place.id, *place.aliases):
            matters.setdefault(" ".join(_words(name)), Matter(place=place.id))
    return matters


def _matters_by_target(board: Board, places: Mapping[str, Matter]) -> Mapping[str, Matter]:
    """Return what may be attacked by all its names; a nation where a place is called the same."""
    matters = dict(places)
    for seat, power in board.powers.items():
        for name in (str(seat), power.name, *power.aliases):
            matters[" ".join(_words(name))] = Matter(foe=seat)
            matters[" ".join(_words(name)) + "s"] = Matter(foe=seat)
    return matters


def _words(text: str) -> list[str]:
    """The words of a text in small letters, without accents and signs."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("\u2019", ""))
    return _PRESS_WORD.findall("".join(char for char in bare if not unicodedata.combining(char)))


# The agreements of two nations, read from their press to each other each time from the beginning.
#
# A proposal stands until the turn in which it was made has been played. A truce lasts until one of the two
# refuses it, and so does a place that both leave empty; an attack for the moves of a season and of the next.


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
            matter = answered[-1].matter
            if not (matter.is_truce or matter.empty):
                self.attacks.append((season_number(turn), matter))
            elif matter not in self.agreed_matters:
                self.accords.append(Accord(matter, turn))
        elif (
            utterance.act == "accept"
            and by == self.other
            and not self.has_truce
            and utterance.matter not in self.agreed_matters
        ):
            self.in_vain = turn
        elif utterance.act == "refuse" and not answered:
            self._end(by, turn, utterance.matter, letter)

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
    for press_message in heard.missives:
        if _is_between(press_message, heard.seat, other):
            assert press_message.writer is not None, "one of the two wrote it"
            relation.standing = [
                proposal for proposal in relation.standing if proposal.turn == press_message.turn
            ]
            forms = words.read(press_message.text)
            for utterance in forms:
                relation.add_utterance(
                    press_message.writer, press_message.turn, utterance, press_message.text
                )
            _note_letter(relation, heard, press_message, forms)
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
    relation: Relationship, heard: Correspondence, press_message: PressMessage, forms: tuple[Utterance, ...]
) -> None:
    ours, now = press_message.writer == heard.seat, press_message.turn == heard.turn
    relation.wrote |= now and press_message.to is not None
    if ours:
        relation.explained |= EXPLANATION in press_message.text
        relation.in_vain = None if IN_VAIN in press_message.text else relation.in_vain
        relation.answers += sum(utterance.act != "propose" for utterance in forms) if now else 0
    elif now and not forms and press_message.to is not None:
        relation.puzzled = True


def _is_between(press_message: PressMessage, seat: Seat, other: Seat) -> bool:
    if press_message.writer == seat:
        return press_message.to is None or other in press_message.to
    return press_message.writer == other and (press_message.to is None or seat in press_message.to)


# The consent of a nation: what it agrees to, is bound to, and what ends that, each with its reason.


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
        """Return why a nation is not trusted, for a time after it broke its word; None where it is."""
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

    def describe_accepted(texts: list[str]) -> tuple[str, ...]:
        utterances = (utterance for text in texts for utterance in words.read(text))
        matters = (utterance.matter for utterance in utterances if utterance.act == "accept")
        return tuple(words.describe(matter) for matter in matters if matter is not None)

    return tuple(
        BotMessage(to=other, text="\n\n".join(texts[other]), accepts=describe_accepted(texts[other]))
        for other in sorted(texts, key=order.index)
    )


def current_pact(board: Board, heard: Correspondence) -> Pact:
    """Return all that the nation is bound to now."""
    return pact(read_relationships(board, heard).values(), heard.turn)


def _compose_press(situation: Situation, heard: Correspondence) -> Iterator[tuple[Seat, str]]:
    """Yield what is written to which nation; each text takes into account what was written before it."""
    context = _PressWriter(situation, heard)
    for other in context.others:
        for _ in range(MAX_ANSWERS_PER_TURN + 1):
            answer = context.answer(other)
            if answer is None:
                break
            yield other, answer
            context = _PressWriter(situation, _with(context.heard, other, answer))
    for other in context.others:
        while (notice := context.notice(other)) is not None:
            yield other, notice
            context = _PressWriter(situation, _with(context.heard, other, notice))
    for other, matter in context.proposals():
        proposed = Utterance(act="propose", matter=matter)
        yield other, f"{wording(situation.board).write(proposed)}\n{PROPOSAL_FOOTER}"


def _with(heard: Correspondence, other: Seat, text: str) -> Correspondence:
    ours = PressMessage(turn=heard.turn, writer=heard.seat, to=(other,), text=text)
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
        """Return the notice that an agreement with a nation ends; None while there is no cause."""
        for matter in self.relationships[other].agreed_matters:
            why = self._why_no_truce(other) if matter.is_truce else self._why_not_empty(other, matter)
            if why is not None:
                refused = wording(self.board).write(Utterance(act="refuse", matter=matter))
                return f"{refused}\n{why}"
        return None

    def _why_no_truce(self, other: Seat) -> str | None:
        """Return why a truce ends: a cause, or only friends are left to win from. None while it lasts."""
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
        """Return why a place is no longer left empty, None while it is."""
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
            press_message
            for press_message in self.heard.missives
            if (press_message.writer, press_message.turn) == (self.seat, self.heard.turn)
        ]
        forms = [
            utterance for press_message in ours for utterance in wording(self.board).read(press_message.text)
        ]
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
                    and self.holder(goal) not in (self.seat, other, *self.friends)
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
                guarded = len(
                    self.situation.own_centres & {*self.board.army[place], *self.board.fleet[place]}
                )
                if guarded and self._may_ask(other, matter, but) and self.refusal(other, matter) is None:
                    options.append((-guarded, self.board.index[place], other, matter))
        return min(options)[2:] if options else None

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

    def _danger(self, other: Seat) -> int:
        return sum(self.count_near(centre, other) for centre in self.situation.own_centres)


# A bot's account to everybody after a game: what it had agreed to, and what became of it.


BEGINNING = "Now that the game is over, what we had agreed to, and what became of it:"
"""How it begins; what was agreed to be attacked lapsed by itself, and is not told."""


def account(board: Board, heard: Correspondence) -> str:
    """Return an account of the nation's truces and demilitarised places, with its reasons where it ended one.

    "" where all of them stand, or there were none: that breaks no silence.
    """
    relations = [relation for relation in read_relationships(board, heard).values() if relation.accords]
    rows = [row for relation in relations for row in _rows(wording(board), relation)]
    if not rows:
        return ""
    faithful = [
        relation.other for relation in relations if all(accord.until is None for accord in relation.accords)
    ]
    stood = [f"- All that we had agreed to with {join_words(faithful)} stood to the end."] if faithful else []
    return "\n".join((BEGINNING, "", *rows, *stood))


def _rows(words: Wording, relation: Relationship) -> Iterator[str]:
    """Yield a row for each ended accord with one nation, and one on how often it broke its word."""
    for accord in relation.accords:
        if accord.until is not None:
            what = words.describe(accord.matter)
            what = "Truce" if accord.matter.is_truce else f"{what.partition(' ')[2]} left empty"
            yield f"- {what} with {relation.other}, from {accord.since}: {_end(words, relation, accord)}"
    if relation.broken_turns:
        yield (
            f"- By our count {relation.other} broke its word "
            f"{count_noun(len(relation.broken_turns), 'time')}."
        )


def _end(words: Wording, relation: Relationship, accord: Accord) -> str:
    if accord.by == relation.other:
        return f"{relation.other} ended it in {accord.until}."
    why = _why(words, accord)
    quotation = f', and wrote: "{why}"' if why else "."
    return f"we ended it in {accord.until}{quotation}"


def _why(words: Wording, accord: Accord) -> str:
    """The reason in the letter by which it ended, "" for none: a person may have written it."""
    row = words.write(Utterance(act="refuse", matter=accord.matter))
    _, _, rest = f"{accord.letter}\n".partition(f"{row}\n")
    return rest.partition("\n")[0]
