"""Replies to stateless questions in JSON, for `gm judge` and `gm bot`. Nothing is stored or sent."""

import json
import logging
from collections.abc import Callable
from functools import partial
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
from games.record import json_line, read_json
from orders.reading.careful_lines import REPLACEMENT_CHARACTER, read_damaged
from orders.reading.forms import FormMatch
from orders.reading.letter_reader import make_reader
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
    return partial(game.whatif.judge, hear=build_order_reader(game))


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


def build_order_reader(game: Game) -> OrderTextParser[View]:
    """Return a reader of single orders that reads them exactly as orders in emails are read.

    It accepts the same words and gives the same help. It caches texts, because it can be called thousands of
    times.
    """
    # By season: texts with the same meaning for every seat in any position of the season.
    plain: dict[tuple[str, int], FormMatch] = {}
    seen: dict[int, dict[str, list[FormMatch]]] = {}
    # The latest meanings of texts, and the numbers of the seasons seen so far.
    last_heard: dict[str, ParsedOrderText] = {}
    seasons: dict[int, tuple[Form, ...]] = {}
    notation = game.notation

    def recall(view: View, text: str, season: int) -> ParsedOrderText | None:
        """Return the cached meaning of a text, if it is still valid in this position."""
        match = plain.get((text, season))
        if match is None or notation.doubt(view, match.form.name, match.slots):
            return None
        order, slip = notation.fit_order(view, notation.build(view, match.form.name, match.slots), text)
        return None if slip else ParsedOrderText(order=order)

    def read_order(view: View, seat: Seat, text: str) -> ParsedOrderText:
        """Return the meaning of a text."""
        heard = last_heard.get(text)
        if heard is not None and notation.means_the_same(view, heard.order):
            return heard
        brief = notation.short_forms(view, seat)
        season = id(brief)
        if (heard := recall(view, text, season)) is not None:
            last_heard[text] = heard
            return heard
        if len(plain) + sum(map(len, seen.values())) > _MAX_REMEMBERED_TEXTS:
            for memory in (seen, plain, last_heard, seasons):
                memory.clear()
        seasons[season] = brief
        known = seen.setdefault(season, {})
        reader = make_reader(order_context(game, view, seat), rests=False, seen=known)
        verdicts = (REPLACEMENT_CHARACTER in text and read_damaged(reader, text, "body")) or reader.read(
            text, "body"
        )
        meanings = known.get(text, ())
        if len(meanings) == len(verdicts) == 1 and verdicts[0].grade == "taken":
            plain[text, season] = meanings[0]
        return _read_verdicts(verdicts)

    return read_order


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
