"""The press of a bot to other powers: replies by fixed rules, and its own proposals.

Rule 1: two powers have at most one exchange a turn. A bot proposes at most one thing to a power, and only if
        neither has written to the other in that turn. It never replies to a reply.
Rule 2: it never reveals what it agreed with others, or what others wrote.
Rule 3: its press depends only on the view and on the press of its own seat. It rolls no dice.
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
from games.diplomacy.phrases import count_times, small
from games.language import join_list
from games.messages import sentence
from games.protocol import BotMessage, Correspondence, PressMessage, Seat
from games.record import Record, replace_fields

# The fixed forms of the bots' press: proposals, acceptances and refusals.


PHRASES = (
    "propose truce",
    "propose attack on PLACE",
    "propose attack on NATION",
    "propose demilitarised PLACE",
    "accept",
    "refuse",
)
"""The lines that a bot understands, as players should write them."""


class Matter(Record, frozen=True, kw_only=True):
    """The subject of a proposal: an attack on a place, a power or an unknown name, or otherwise a truce.

    empty: both powers leave the place empty instead of attacking it.
    """

    place: Province | None = None
    foe: Seat | None = None
    unknown: str | None = None
    empty: bool = False

    @property
    def is_truce(self) -> bool:
        """True if the proposal is a truce."""
        return self == TRUCE


TRUCE = Matter()

Act = Literal["propose", "accept", "refuse"]


class Utterance(Record, frozen=True, kw_only=True):
    """One form. matter None: the latest proposal."""

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
"""Polite words that may come before a form."""
_TRAILING_POLITENESS = re.compile(
    "please|kindly|thanks?|you|with|to|between|us|for|now|together|sir|friends?"
)
"""Polite words that may come after a form."""
# The dots of "St. Petersburg" and "N. Atlantic" don't end a sentence.
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
"""Means any open proposal."""
_MAX_NAME_WORDS = 3
"""A longer text isn't a name but the rest of a sentence."""
_LETTERS_KEPT = 4096


class Wording:
    """The forms on one board, with its names. It caches the texts that it has read."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._places = _matters_by_place(board)
        self._targets = _matters_by_target(board, self._places)
        self.year_step = board.chart.year_step
        self.read = lru_cache(_LETTERS_KEPT)(self._read_forms)

    def write(self, utterance: Utterance) -> str:
        """Return a form as bots write it and as `read` reads it."""
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
        # Some powers share their name with a province. An attack on such a name means the power.
        known = self._places if matter.empty else self._targets
        return f"{what} {name if known[' '.join(_words(name))].place == matter.place else abbr}"

    def _read_forms(self, text: str) -> tuple[Utterance, ...]:
        """Return the forms in a press message, in order.

        Case, polite words and other sentences don't matter. A sentence with a form and anything more isn't a
        form. A message that both accepts and refuses the same thing has no forms.
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
        # An unknown name gets a reply if it can be a name at all.
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
    """Return the forms on a board. A variant keeps its boards forever, so their identity is a safe key."""
    if id(board) not in _FOUND:
        _FOUND[id(board)] = Wording(board)
    return _FOUND[id(board)]


def _matters_by_place(board: Board) -> Mapping[str, Matter]:
    """Return the places by all their names."""
    matters: dict[str, Matter] = {}
    for place in board.places.values():
        for name in (place.name, place.abbr, place.id, *place.aliases):
            matters.setdefault(" ".join(_words(name)), Matter(place=place.id))
    return matters


def _matters_by_target(board: Board, places: Mapping[str, Matter]) -> Mapping[str, Matter]:
    """Return the possible targets by all their names. If a power and a place share one, it is the power."""
    matters = dict(places)
    for seat, power in board.powers.items():
        for name in (str(seat), power.name, *power.aliases):
            matters[" ".join(_words(name))] = Matter(foe=seat)
            matters[" ".join(_words(name)) + "s"] = Matter(foe=seat)
    return matters


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents and punctuation."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("\u2019", ""))
    return _PRESS_WORD.findall("".join(char for char in bare if not unicodedata.combining(char)))


# The agreements of two powers, read again each time from all their press to each other.
#
# A proposal lasts until its turn has been processed. A truce or a demilitarised place lasts until one of the
# two powers refuses it. An attack lasts for the moves of this season and the next.


# A bot recognises some sentences that it has written itself. Running games may have these versions of them.

_EARLIER_EXPLANATIONS = ("You have reached a bot.", "This nation is played by a bot.")
_EARLIER_NOTHING_TO_ACCEPT = ("There is nothing to accept.",)
_EARLIER_BROKEN_WORDS = ("You have broken your word.", "We count your word as broken.")


def _has_sentence(text: str, slug: str, earlier: Iterable[str]) -> bool:
    """Return whether a text contains the sentence of a slug in its present or an earlier version."""
    return any(version in text for version in (sentence(slug), *earlier))


ATTACK_SEASONS = 2
"""An agreed attack lasts for the moves of so many seasons."""

_TURN_PATTERN = re.compile(r"([SUFW])(-?\d+)([MRA])")


def season_number(turn: str, year_step: int = 1) -> int:
    """Return the number of the season whose moves come next in a turn, by its short name: two a year.

    Press after the moves of a season belongs to the next season. year_step: the years from one round of
    phases to the next.
    """
    match = _TURN_PATTERN.fullmatch(turn)
    assert match, turn
    name, year, kind = match.groups()
    passed = {"S": 0, "U": 1, "F": 1, "W": 2}[name] + (name in "SF" and kind != "M")
    return 2 * (int(year) // year_step) + passed


@dataclass(frozen=True)
class Proposal:
    """A proposal. by: the power that made it; turn: the short name of its turn."""

    by: Seat
    turn: str
    matter: Matter


@dataclass
class Accord:
    """A truce or a demilitarised place, from its acceptance to its end.

    since, until: the turns, by their short names; by: the power that ended it. If until and by are None, it
    still holds. letter: the press message that ended it; "" if the other power ended it.
    """

    matter: Matter
    since: str
    until: str | None = None
    by: Seat | None = None
    letter: str = ""

    @property
    def is_broken(self) -> bool:
        """True if it ended because the other power broke it."""
        return _has_sentence(self.letter, "diplomacy.press.broken_word", _EARLIER_BROKEN_WORDS)


@dataclass
class Relationship:
    """The relations of the first power with another, after all their press to each other.

    standing: open proposals; accords: all lasting agreements so far, oldest first; attacks: the agreed
    targets with the number of the season; proposed: for each matter, the season of its latest proposal.
    wrote: whether one wrote to the other in this turn; answers: how often the first has accepted or refused
    in this turn; explained: whether the first has ever explained what it understands; puzzled: whether it got
    private press without a form in this turn; in_vain: the turn when the other last accepted something that
    wasn't proposed, None if it never did or the first has replied.
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
    year_step: int = 1

    @property
    def agreed_matters(self) -> tuple[Matter, ...]:
        """The agreements that hold now: a truce, demilitarised places."""
        return tuple(accord.matter for accord in self.accords if accord.until is None)

    @property
    def broken_turns(self) -> tuple[str, ...]:
        """The turns when the first said that the other broke its word, each once."""
        return tuple(
            dict.fromkeys(accord.until for accord in self.accords if accord.until and accord.is_broken)
        )

    def seasons_kept(self, turn: str) -> int:
        """Return how many seasons the other has kept its agreements up to a turn, added up."""
        return sum(
            season_number(accord.until or turn, self.year_step) - season_number(accord.since, self.year_step)
            for accord in self.accords
            if not accord.is_broken
        )

    def add_utterance(self, by: Seat, turn: str, utterance: Utterance, letter: str = "") -> None:
        """Add one more form that one of the two wrote."""
        if utterance.act == "propose":
            assert utterance.matter is not None, "something is proposed"
            self.standing.append(Proposal(by, turn, utterance.matter))
            self.proposed[utterance.matter] = season_number(turn, self.year_step)
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
                self.attacks.append((season_number(turn, self.year_step), matter))
            elif matter not in self.agreed_matters:
                self.accords.append(Accord(matter, turn))
        elif (
            utterance.act == "accept"
            and by == self.other
            and TRUCE not in self.agreed_matters
            and utterance.matter not in self.agreed_matters
        ):
            self.in_vain = turn
        elif utterance.act == "refuse" and not answered:
            self._end(by, turn, utterance.matter, letter)

    def _end(self, by: Seat, turn: str, matter: Matter | None, letter: str) -> None:
        """End all agreements, or those on one matter."""
        for accord in self.accords:
            if accord.until is None and matter in (None, accord.matter):
                # What the other power wrote about us doesn't show that it broke its own word.
                accord.until, accord.by, accord.letter = turn, by, letter if by != self.other else ""
        self.attacks = [(when, target) for when, target in self.attacks if matter not in (None, target)]


def read_relationship(words: Wording, correspondence: Correspondence, other: Seat) -> Relationship:
    """Return the relations between the seat that has this press and another."""
    relation = Relationship(other, year_step=words.year_step)
    for press_message in correspondence.missives:
        if _is_between(press_message, correspondence.seat, other):
            assert press_message.writer is not None, "one of the two wrote it"
            relation.standing = [
                proposal for proposal in relation.standing if proposal.turn == press_message.turn
            ]
            forms = words.read(press_message.text)
            for utterance in forms:
                relation.add_utterance(
                    press_message.writer, press_message.turn, utterance, press_message.text
                )
            _note_letter(relation, correspondence, press_message, forms)
    relation.standing = [proposal for proposal in relation.standing if proposal.turn == correspondence.turn]
    return relation


def pact(relations: Iterable[Relationship], turn: str) -> Pact:
    """Return all current agreements of a power, from its relations with each other power."""
    relations = tuple(relations)
    now = season_number(turn, next((relation.year_step for relation in relations), 1))
    attacked = [
        matter
        for relation in relations
        for when, matter in relation.attacks
        if when <= now < when + ATTACK_SEASONS
    ]
    return Pact(
        truces=tuple(relation.other for relation in relations if TRUCE in relation.agreed_matters),
        foes=tuple(dict.fromkeys(matter.foe for matter in attacked if matter.foe)),
        targets=tuple(dict.fromkeys(matter.place for matter in attacked if matter.place)),
        empty=tuple(
            dict.fromkeys(
                matter.place for each in relations for matter in each.agreed_matters if matter.place
            )
        ),
    )


def _note_letter(
    relation: Relationship,
    correspondence: Correspondence,
    press_message: PressMessage,
    forms: tuple[Utterance, ...],
) -> None:
    ours, now = press_message.writer == correspondence.seat, press_message.turn == correspondence.turn
    relation.wrote |= now and press_message.to is not None
    if ours:
        text = press_message.text
        relation.explained |= _has_sentence(text, "diplomacy.press.explanation", _EARLIER_EXPLANATIONS)
        if _has_sentence(text, "diplomacy.press.nothing_to_accept", _EARLIER_NOTHING_TO_ACCEPT):
            relation.in_vain = None
        relation.answers += sum(utterance.act != "propose" for utterance in forms) if now else 0
    elif now and not forms and press_message.to is not None:
        relation.puzzled = True


def _is_between(press_message: PressMessage, seat: Seat, other: Seat) -> bool:
    if press_message.writer == seat:
        return press_message.to is None or other in press_message.to
    return press_message.writer == other and (press_message.to is None or seat in press_message.to)


# The decisions of a power: what it accepts, and when it ends an agreement, each with the reason.


REPROPOSAL_SEASONS = 6
"""A bot waits so many seasons (three years) before it repeats a proposal to the same power. It distrusts
a power for as long, times the number of its broken promises."""


def read_relationships(board: Board, correspondence: Correspondence) -> Mapping[Seat, Relationship]:
    """Return the relations of the power that has this press with each other power."""
    words = wording(board)
    return {
        other: read_relationship(words, correspondence, other)
        for other in board.powers
        if other != correspondence.seat
    }


@dataclass(frozen=True)
class Consent:
    """A power's press and position: what it agrees to, and why it refuses."""

    situation: Situation
    correspondence: Correspondence

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
        """All current agreements of the power."""
        return pact(self.relationships.values(), self.correspondence.turn)

    @cached_property
    def friends(self) -> tuple[Seat, ...]:
        """The powers that it treats as friends, given its agreements."""
        return self.situation.friends_by(self.pact)

    @cached_property
    def relationships(self) -> Mapping[Seat, Relationship]:
        """The power's relations with each other power."""
        return read_relationships(self.board, self.correspondence)

    @property
    def others(self) -> tuple[Seat, ...]:
        """All other powers, in the order of the board."""
        return tuple(self.relationships)

    def refusal(self, other: Seat, matter: Matter) -> str | None:
        """Return why it refuses a proposal; None if it accepts."""
        if other not in survivors(self.board, self.situation.view):
            return sentence("diplomacy.press.not_in_the_game")
        if matter.unknown is not None:
            slug = (
                "diplomacy.press.no_such_province_or_nation"
                if self.board.kinds == ("W",)
                else "diplomacy.press.no_such_province_or_power"
            )
            return sentence(slug, name=matter.unknown.title())
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
        """Return why it distrusts a power that broke its word; None if it trusts it."""
        broken, step = self.relationships[other].broken_turns, self.board.chart.year_step
        if not broken or season_number(self.correspondence.turn, step) - season_number(
            broken[-1], step
        ) >= REPROPOSAL_SEASONS * len(broken):
            return None
        if len(broken) == 1:
            return sentence("diplomacy.press.you_broke_your_word", turn=broken[-1])
        times = count_times(len(broken))
        return sentence("diplomacy.press.you_broke_your_word_often", times=times, turn=broken[-1])

    def _truce_refusal(self, other: Seat) -> str | None:
        if other in self.pact.foes or any(self.holder(target) == other for target in self.pact.targets):
            return sentence("diplomacy.press.other_plans")
        ended = self.ending_cause(other)
        if ended is not None:
            return self.why_over(ended)
        others = [
            survivor for survivor in survivors(self.board, self.situation.view) if survivor != self.seat
        ]
        if other not in self.friends and len(self.friends) >= max(1, len(others) // 2):
            return sentence("diplomacy.press.enough_friends")
        return None

    def _attack_refusal(self, other: Seat, matter: Matter) -> str | None:
        target = matter.foe or self.holder(matter.place)
        if target == self.seat:
            return sentence("diplomacy.press.target_is_ours")
        if target == other:
            return sentence("diplomacy.press.target_is_yours")
        if target in self.friends:
            return sentence("diplomacy.press.target_is_a_friend")
        if matter.place is not None:
            if matter.place not in self.board.centres:
                return sentence("diplomacy.press.no_centre_there")
            can_reach = self.count_near(matter.place, self.seat)
            return None if can_reach else sentence("diplomacy.press.out_of_reach")
        near = neighbours(self.board, self.situation.view, self.seat)
        return None if matter.foe in near else sentence("diplomacy.press.too_far_away")

    def _demilitarisation_refusal(self, other: Seat, matter: Matter) -> str | None:
        """Return why it won't leave a place empty. It leaves one place empty with each power."""
        place, agreed = matter.place, self.relationships[other].agreed_matters
        if place not in self.bare:
            has_centre = place in self.board.centres
            return sentence("diplomacy.press.has_centre" if has_centre else "diplomacy.press.is_taboo")
        if place in self.situation.standing:
            return sentence("diplomacy.press.unit_there")
        if not (self.count_near(place, self.seat) and self.count_near(place, other)):
            return sentence("diplomacy.press.not_between_us")
        if any(promise.empty and promise != matter for promise in agreed):
            return sentence("diplomacy.press.another_place_is_empty")
        ended = self.ending_cause(other)
        return None if ended in (None, "last") else self.why_over(ended)

    def ending_cause(self, other: Seat) -> Ending | None:
        """Return the cause that ends, or would end, a friendship with a power; None if there is none."""
        bound = replace_fields(self.pact, truces=tuple(dict.fromkeys((*self.pact.truces, other))))
        read = self.situation
        all_leanings = leanings(self.board, read.view, self.seat, bound, read.temper.lead, read.partners)
        return next((leaning.ended for leaning in all_leanings if leaning.towards == other), None)

    def why_over(self, ended: Ending) -> str:
        """Return the cause that ends an agreement in words for the other power: a fact of the position.

        "grown" has no words, since it only ends a friendship without an agreement.
        """
        lead = self.situation.temper.lead
        return sentence(f"diplomacy.press_endings.{ended}", count=lead, number=small(lead))

    def holder(self, place: Province | None) -> Seat | None:
        """Return the owner of a centre, otherwise the power whose unit is there."""
        view = self.situation.view
        standing: Unit | None = self.situation.standing.get(place) if place else None
        holder = standing.power if standing is not None and standing.power != NEUTRAL else None
        return view.centres.get(place, holder) if place else None

    def count_near(self, place: Province, seat: Seat) -> int:
        """Return how many units of a seat can reach a place with their next orders."""
        return sum(unit.power == seat for unit in self.situation.arrivals.get(place, ()))

    @cached_property
    def bare(self) -> tuple[Province, ...]:
        """All provinces without a supply centre or a taboo, in board order."""
        return tuple(
            place
            for place in self.board.places
            if place not in self.board.centres and place != self.situation.taboo_province
        )


_BREACHES = ("took", "stands")
"""The causes for the end of a truce that mean the other power broke it."""

MAX_ANSWERS_PER_TURN = 3
"""The most proposals of one power that get a reply in a turn."""


def write_press(situation: Situation, correspondence: Correspondence) -> tuple[BotMessage, ...]:
    """Return what the power writes now, at most one message to each power, in board order."""
    texts: dict[Seat, list[str]] = {}
    for other, text in _compose_press(situation, correspondence):
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


def current_pact(board: Board, correspondence: Correspondence) -> Pact:
    """Return all current agreements of the power."""
    return pact(read_relationships(board, correspondence).values(), correspondence.turn)


def _compose_press(situation: Situation, correspondence: Correspondence) -> Iterator[tuple[Seat, str]]:
    """Yield each recipient with a text. Each text takes the earlier ones into account."""
    context = _PressWriter(situation, correspondence)
    for other in context.others:
        for _ in range(MAX_ANSWERS_PER_TURN + 1):
            answer = context.answer(other)
            if answer is None:
                break
            yield other, answer
            context = _PressWriter(situation, _with(context.correspondence, other, answer))
    for other in context.others:
        while (notice := context.notice(other)) is not None:
            yield other, notice
            context = _PressWriter(situation, _with(context.correspondence, other, notice))
    for other, matter in context.proposals():
        proposed = Utterance(act="propose", matter=matter)
        form = wording(situation.board).write(proposed)
        yield other, "\n".join((form, sentence("diplomacy.press.how_to_answer")))


def _with(correspondence: Correspondence, other: Seat, text: str) -> Correspondence:
    ours = PressMessage(turn=correspondence.turn, writer=correspondence.seat, to=(other,), text=text)
    return replace_fields(correspondence, missives=(*correspondence.missives, ours))


@dataclass(frozen=True)
class _PressWriter(Consent):
    """The press of a power and what it has to write."""

    def answer(self, other: Seat) -> str | None:
        """Return the reply to a power's first open proposal; None if there is nothing to reply to."""
        relation = self.relationships[other]
        asked = [proposal for proposal in relation.standing if proposal.by == other]
        if asked and relation.answers < MAX_ANSWERS_PER_TURN:
            matter = asked[0].matter
            why_not = self.refusal(other, matter)
            answer = Utterance(act="accept" if why_not is None else "refuse", matter=matter)
            return f"{wording(self.board).write(answer)}\n{why_not or self._describe_terms(matter)}"
        if relation.in_vain == self.correspondence.turn:
            lines = (
                sentence("diplomacy.press.nothing_to_accept"),
                sentence("diplomacy.press.propose_again"),
            )
            return "\n".join(lines)
        if relation.puzzled and not relation.explained and not relation.answers:
            return self._explain_forms()
        return None

    def _explain_forms(self) -> str:
        """Return the forms that a bot understands, with examples from the board."""
        words = wording(self.board)
        attack = words.describe(Matter(place=self.board.centres[0]))
        demilitarised = words.describe(Matter(place=self.bare[0], empty=True))
        return sentence(
            "diplomacy.press.help",
            explanation=sentence("diplomacy.press.explanation"),
            forms="\n".join(
                f"  {form}"
                for form in (
                    "propose truce",
                    f"propose {attack}",
                    f"propose {demilitarised}",
                    "accept",
                    "refuse",
                )
            ),
        )

    def notice(self, other: Seat) -> str | None:
        """Return the notice that ends an agreement with a power; None if there's no cause."""
        for matter in self.relationships[other].agreed_matters:
            why = self._why_no_truce(other) if matter.is_truce else self._why_not_empty(other, matter)
            if why is not None:
                refused = wording(self.board).write(Utterance(act="refuse", matter=matter))
                return f"{refused}\n{why}"
        return None

    def _why_no_truce(self, other: Seat) -> str | None:
        """Return why a truce ends: for a cause, or if only friends are left. None while it lasts."""
        ended = self.ending_cause(other)
        if ended is not None:
            broken = ended in _BREACHES
            slug = "diplomacy.press.broken_word" if broken else "diplomacy.press.truce_is_over"
            return f"{self.why_over(ended)} {sentence(slug)}"
        bound = replace(self.situation, pact=self.pact)
        theirs = [prize for prize in bound.prizes if self.holder(prize) == other]
        if theirs and other in bound.friends and all(bound.is_spared(prize) for prize in bound.prizes):
            return sentence("diplomacy.press.only_friends_left")
        return None

    def _why_not_empty(self, other: Seat, matter: Matter) -> str | None:
        """Return why it no longer leaves a place empty; None while it does."""
        assert matter.place is not None, "a place was agreed on"
        unit = self.situation.standing.get(matter.place)
        if unit is not None:
            slugs = {
                other: "diplomacy.press.your_unit_there",
                self.seat: "diplomacy.press.our_unit_there",
            }
            cause = sentence(slugs.get(unit.power, "diplomacy.press.other_unit_there"))
            return self._end_emptiness(cause, broken=unit.power == other)
        ended = self.ending_cause(other)
        if ended is None or ended == "last":
            return None
        return self._end_emptiness(self.why_over(ended), broken=ended in _BREACHES)

    def _end_emptiness(self, cause: str, *, broken: bool) -> str:
        slug = "diplomacy.press.broken_word" if broken else "diplomacy.press.free_to_go"
        return f"{cause} {sentence(slug)}"

    def proposals(self) -> Iterator[tuple[Seat, Matter]]:
        """Yield the power's proposals: only before moves, at most one of each sort, to different powers."""
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
        """The sorts of proposals that it has made in this turn."""
        ours = [
            press_message
            for press_message in self.correspondence.missives
            if (press_message.writer, press_message.turn) == (self.seat, self.correspondence.turn)
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
        """Return a centre that it and a friend can both reach: most units first, then most loyal."""
        situation = self.situation
        options: list[tuple[int, int, int, Seat, Matter]] = []
        for other in self.friends:
            faithful = self.relationships[other].seasons_kept(self.correspondence.turn)
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
        """Return the neighbour that can reach our centres with the most units, if it can be a friend."""
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
        """Return the place from which a neighbour could reach most of our centres."""
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
        """Return whether it may propose this to a power: it proposes nothing else to it, and trusts it."""
        return other not in but and self._is_news(other, matter) and self.doubt(other) is None

    def _is_news(self, other: Seat, matter: Matter) -> bool:
        """Return whether a proposal is new: no press was sent this turn, and it wasn't proposed recently."""
        relation = self.relationships[other]
        last = relation.proposed.get(matter)
        return not relation.wrote and (
            last is None
            or season_number(self.correspondence.turn, relation.year_step) - last >= REPROPOSAL_SEASONS
        )

    def _describe_terms(self, matter: Matter) -> str:
        """Return the terms of an agreement: what we will do, and for how long."""
        if matter.is_truce:
            lead = self.situation.temper.lead
            return sentence("diplomacy.press.terms_of_truce", count=lead, number=small(lead))
        if matter.empty:
            return sentence("diplomacy.press.terms_of_demilitarised")
        return sentence("diplomacy.press.terms_of_attack")

    def _danger(self, other: Seat) -> int:
        return sum(self.count_near(centre, other) for centre in self.situation.own_centres)


# A bot's account to all players after a game: its agreements, and how they ended.


def account(board: Board, correspondence: Correspondence) -> str:
    """Return an account of the power's truces and demilitarised places, with its reasons for ending them.

    It leaves out attacks, which lapse by themselves. Return "" if there was nothing to tell.
    """
    relations = [
        relation for relation in read_relationships(board, correspondence).values() if relation.accords
    ]
    rows = [row for relation in relations for row in _rows(wording(board), relation)]
    if not rows:
        return ""
    faithful = [
        relation.other for relation in relations if all(accord.until is None for accord in relation.accords)
    ]
    if faithful:
        rows.append(sentence("diplomacy.press_account.lasted", powers=join_list(faithful)))
    return "\n".join((sentence("diplomacy.press_account.beginning"), "", *rows))


def _rows(words: Wording, relation: Relationship) -> Iterator[str]:
    """Yield a row for each ended agreement with one power, and one for how often it broke its word."""
    for accord in relation.accords:
        if accord.until is not None:
            slug = (
                "diplomacy.press_account.truce"
                if accord.matter.is_truce
                else "diplomacy.press_account.demilitarised"
            )
            yield sentence(
                slug,
                place=words.describe(accord.matter).partition(" ")[2],
                power=relation.other,
                since=accord.since,
                end=_end(words, relation, accord),
            )
    if relation.broken_turns:
        times = count_times(len(relation.broken_turns))
        yield sentence("diplomacy.press_account.broke_its_word", power=relation.other, times=times)


def _end(words: Wording, relation: Relationship, accord: Accord) -> str:
    """Return which power ended an agreement, when, and for what reason if it was this one."""
    if accord.by == relation.other:
        return sentence("diplomacy.press_account.ended_by", power=relation.other, turn=accord.until)
    why = _why(words, accord)
    slug = "diplomacy.press_account.we_ended_with_reason" if why else "diplomacy.press_account.we_ended"
    return sentence(slug, turn=accord.until, reason=why)


def _why(words: Wording, accord: Accord) -> str:
    """Return the reason in the message that ended it; "" for none, since a player may have written it."""
    row = words.write(Utterance(act="refuse", matter=accord.matter))
    _, _, rest = f"{accord.letter}\n".partition(f"{row}\n")
    return rest.partition("\n")[0]
