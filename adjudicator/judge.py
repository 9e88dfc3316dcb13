"""Replies to stateless questions in JSON, for `gm judge` and `gm bot`. Nothing is stored or sent."""

import json
import logging
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import games
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.inbound.parse_contexts import order_context
from games.protocol import (
    Form,
    Game,
    Invalid,
    Judge,
    OrderTextParser,
    ParsedOrderText,
    Seat,
    View,
)
from games.record import json_line, read_json, replace_fields
from orders.reading.budget import ReadingBudget
from orders.reading.careful_lines import REPLACEMENT_CHARACTER, read_damaged
from orders.reading.forms import FormMatch, Grammar
from orders.reading.letter_reader import make_reader
from orders.reading.lexicon import NameIndex, index_lexicon
from orders.reading.spans import SpanReader
from orders.verdict import LineVerdict

log = logging.getLogger(__name__)

Ask = Callable[[Any], Any]
"""Returns the reply to a question. Raises Invalid, and its `what` is the path of the error."""


def find_judge(kind: str) -> Ask:
    """Return the function that adjudicates positions. Raises Refusal if the kind of game has no judge."""
    game = find_kind(kind)
    if not isinstance(game.whatif, Judge):
        judged = [name for name, other in games.kinds().items() if isinstance(other.whatif, Judge)]
        raise Refusal(
            f"Can't adjudicate {kind}",
            "it has no adjudicator for positions",
            "Games that have one: " + ", ".join(judged),
        )
    judge, read = game.whatif.judge, build_order_reader(game)
    return lambda question: judge(question, read)


def find_bot(kind: str) -> Ask:
    """Return the function that gives a bot's orders. Raises Refusal if the kind of game has no bots."""
    game = find_kind(kind)
    if game.whatif is None:
        asked = [name for name, other in games.kinds().items() if other.whatif is not None]
        raise Refusal(
            f"Can't ask a bot of {kind}",
            "it has no bot for positions",
            "Games that have one: " + ", ".join(asked),
        )
    return game.whatif.bot


def answer_question(ask: Ask, raw: bytes) -> tuple[Any, bool]:
    """Return the reply and True; for an invalid question an object with `error` and `at`, and False.

    A position that breaks the game's rules where its reader doesn't check them may end in any exception. The
    exception is logged, and the other questions still get their replies.
    """
    try:
        question = read_json(raw)
    except (ValueError, RecursionError) as fault:
        return {"error": f"it isn't JSON: {fault}", "at": ""}, False
    try:
        return ask(question), True
    except Invalid as fault:
        message = f"{fault.why}; {fault.instead}" if fault.instead else fault.why
        return {"error": message, "at": fault.what}, False
    except Exception as fault:
        log.exception("a question couldn't be answered")
        problem = f"{type(fault).__name__}: {fault}"
        return {
            "error": f"we couldn't answer this ({problem}); does the position follow the game's rules? "
            "If so, please report it to us, with the position",
            "at": "",
        }, False


def format_json(value: Any, *, on_a_line: bool) -> str:
    """Return a JSON document to print: on one line in ASCII, otherwise indented and in Unicode.

    Characters that can't be printed (halves of surrogate pairs) are escaped in both cases. Replies contain no
    floats.
    """
    if not on_a_line:
        text = json.dumps(value, ensure_ascii=False, indent=2)
        if text.encode(errors="ignore").decode() == text:
            return text
        return json.dumps(value, indent=2)
    return json_line(value)


# Texts of orders that differ only in the names of places: what one means, the others mean too.


_NAME = "\0"
_MAX_SHAPES = 20_000


class _Meaning(NamedTuple):
    """The form of a shape, the slot of each of its names in the order of the text, and its other slots."""

    form: Form
    slots: tuple[str, ...]
    others: dict[str, str]


class TextShapes:
    """Remembers what texts mean without their names: ``A PAR - BUR`` is one shape with ``A MUN - TYR``.

    Only names count that are one word and nothing else: not a word of orders, not the name of two places, not
    the beginning of a longer name. A text is read in the same steps whatever such names it has.
    """

    def __init__(self, *readings: tuple[Grammar, NameIndex]) -> None:
        """readings: the forms and names by which a text may be read, the first ones first."""
        self._meanings: dict[str, _Meaning] = {}
        openings = frozenset[str]().union(*(names.openings(names.sorts) for _, names in readings))
        self._words = frozenset.intersection(*(grammar.literals for grammar, _ in readings)) - openings
        lone_names = [names.lone_names(grammar.main_sort, grammar.literals) for grammar, names in readings]
        first, *others = lone_names
        self._names = {
            key: place for key, place in first.items() if all(names.get(key) == place for names in others)
        }

    def learn(self, text: str, match: FormMatch) -> None:
        """Remember the only meaning of a text that was read as it is spelt."""
        shape, *places = self._split(text)
        if not self._is_plain(text, shape) or match.repairs:
            return
        slots = {place: slot for slot, place in match.slots.items()}
        if len(slots) < len(match.slots) or len({*places}) < len(places) or not slots.keys() >= {*places}:
            return
        if len(self._meanings) > _MAX_SHAPES:
            self._meanings.clear()
        named = tuple(slots[place] for place in places)
        others = {slot: place for slot, place in match.slots.items() if slot not in named}
        self._meanings[shape] = _Meaning(match.form, named, others)

    def find(self, text: str) -> tuple[str, ...] | None:
        """Return the shape of a text and its places, if a text of this shape was read; otherwise None."""
        if not text.isascii():
            return None
        found = self._split(text)
        return found if found[0] in self._meanings else None

    def match(self, found: tuple[str, ...]) -> FormMatch:
        """Return what a text means that was found."""
        shape, *places = found
        meaning = self._meanings[shape]
        slots = dict(zip(meaning.slots, places, strict=True))
        return FormMatch(meaning.form, slots | meaning.others if meaning.others else slots)

    def _split(self, text: str) -> tuple[str, ...]:
        """Return a text without its names, and behind it the places that they name."""
        names, parts = self._names, text.lower().split(" ")
        shape = " ".join([_NAME if part in names else part for part in parts])
        return (shape, *[names[part] for part in parts if part in names])

    def _is_plain(self, text: str, shape: str) -> bool:
        """Return whether each name stands alone: in front of a word of orders, or at the end.

        Otherwise what follows may be a part of the name, or the same name once more. A text with = or & may
        have lost characters on its way.
        """
        if not text.isascii() or not text.isprintable() or not text[:1].isalnum():
            return False
        parts = shape.split(" ")
        behind = [after for part, after in pairwise(parts) if part == _NAME]
        return "=" not in text and "&" not in text and all(word in self._words for word in behind)


_MAX_REMEMBERED_TEXTS = 20_000
"""The maximum number of cached texts. When it is reached, the cache is cleared."""


class _SeasonMemory:
    """What texts mean for every seat in any position with the same shorter forms and names.

    kept: these forms and names, so that no others have their identity meanwhile; plain: by text, its only
    meaning; shapes: the same without names; orders: by shape and places, the latest order; seen: by text, all
    its meanings as it is spelt.
    """

    def __init__(self, kept: tuple[object, ...], shapes: TextShapes) -> None:
        self.kept, self.shapes = kept, shapes
        self.plain: dict[str, FormMatch] = {}
        self.orders: dict[tuple[str, ...], ParsedOrderText] = {}
        self.seen: dict[str, list[FormMatch]] = {}


class _OrderReader:
    """Reads single orders. It caches texts, because it can be called thousands of times."""

    def __init__(self, game: Game) -> None:
        self._game, self._notation = game, game.notation
        # By the identities of their forms and names. The latest meanings of texts. The reader used last.
        self._seasons: dict[tuple[int, int], _SeasonMemory] = {}
        self._last_parsed: dict[str, ParsedOrderText] = {}
        self._last_reader: tuple[View, Seat, SpanReader] | None = None

    def read(self, view: View, seat: Seat, text: str) -> ParsedOrderText:
        """Return the meaning of a text."""
        parsed = self._last_parsed.get(text)
        if parsed is not None and self._notation.means_the_same(view, parsed.order):
            return parsed
        brief, names = self._known_words(view, seat)
        season = self._seasons.get((id(brief), id(names)))
        if season is None or (parsed := self._recall(view, season, text)) is None:
            return self._read_anew(view, seat, text)
        if len(self._last_parsed) > _MAX_REMEMBERED_TEXTS:
            self._last_parsed.clear()
        self._last_parsed[text] = parsed
        return parsed

    def _known_words(self, view: View, seat: Seat) -> tuple[tuple[Form, ...], NameIndex]:
        """Return the shorter forms for what a seat has due, and the names that texts may have."""
        return self._notation.short_forms(view, seat), index_lexicon(self._notation.lexicon(view))

    def _recall(self, view: View, season: _SeasonMemory, text: str) -> ParsedOrderText | None:
        """Return the cached meaning of a text, if it is still valid in this position."""
        found = season.shapes.find(text)
        parsed = None if found is None else season.orders.get(found)
        if parsed is not None and self._notation.means_the_same(view, parsed.order):
            return parsed
        match = season.plain.get(text) if found is None else season.shapes.match(found)
        if match is None or self._notation.doubt(view, match.form.name, match.slots):
            return None
        order = self._notation.build(view, match.form.name, match.slots)
        order, slip = self._notation.fit_order(view, order, text)
        if slip:
            return None
        parsed = ParsedOrderText(order=order)
        if found is not None:
            if len(season.orders) > _MAX_REMEMBERED_TEXTS:
                season.orders.clear()
            season.orders[found] = parsed
        return parsed

    def _read_anew(self, view: View, seat: Seat, text: str) -> ParsedOrderText:
        reader, season = self._reader_for(view, seat)
        damaged = REPLACEMENT_CHARACTER in text and read_damaged(reader, text, "body")
        verdicts = damaged or reader.read(text, "body")
        meanings = season.seen.get(text, ())
        if len(meanings) == len(verdicts) == 1 and verdicts[0].grade == "taken":
            season.plain[text] = meanings[0]
            season.shapes.learn(text, meanings[0])
        return _read_verdicts(verdicts)

    def _reader_for(self, view: View, seat: Seat) -> tuple[SpanReader, _SeasonMemory]:
        """Return a reader with a full budget, and the memory of the season."""
        kept = brief, names = self._known_words(view, seat)
        texts = sum(len(season.plain) + len(season.seen) + 1 for season in self._seasons.values())
        if texts > _MAX_REMEMBERED_TEXTS:
            self._seasons.clear()
            self._last_parsed.clear()
            self._last_reader = None
        season, last = self._seasons.get((id(brief), id(names))), self._last_reader
        if season is not None and last is not None and last[0] is view and last[1] == seat:
            return replace_fields(last[2], allowance=ReadingBudget()), season
        reader = make_reader(order_context(self._game, view, seat), rests=False)
        if season is None:
            season = _SeasonMemory(kept, TextShapes(*reader.readings()))
            self._seasons[id(brief), id(names)] = season
        reader = replace_fields(reader, seen=season.seen)
        self._last_reader = view, seat, reader
        return reader, season


def build_order_reader(game: Game) -> OrderTextParser[View]:
    """Return a reader of single orders that reads them exactly as orders in emails are read.

    It accepts the same words and gives the same help.
    """
    return _OrderReader(game).read


def _read_verdicts(verdicts: list[LineVerdict]) -> ParsedOrderText:
    if not verdicts:
        return ParsedOrderText(problem="this isn't an order")
    if len(verdicts) > 1:
        return ParsedOrderText(problem="this is more than one order")
    verdict = verdicts[0]
    if verdict.in_force:
        return ParsedOrderText(order=verdict.order)
    problem = verdict.problem
    if verdict.candidates:
        problem = f"{problem}: {' or '.join(verdict.candidates)}"
    return ParsedOrderText(order=verdict.order, problem=problem or "this isn't an order")
