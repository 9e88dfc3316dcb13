"""Replies to stateless questions in JSON, for `gm judge` and `gm bot`. Nothing is stored or sent."""

import json
import logging
from collections.abc import Callable
from typing import Any

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
from orders.reading.forms import FormMatch
from orders.reading.letter_reader import make_reader
from orders.reading.lexicon import NameIndex, index_lexicon
from orders.reading.spans import SpanReader
from orders.reading.text_shapes import TextShapes
from orders.verdict import LineVerdict

log = logging.getLogger(__name__)

Ask = Callable[[Any], Any]
"""Returns the reply to a question. Raises Invalid, and its `what` is the path of the error."""

_MAX_REMEMBERED_TEXTS = 20_000
"""The maximum number of cached texts. When it is reached, the cache is cleared."""


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
