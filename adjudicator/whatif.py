"""Stateless questions in JSON, answered: what `gm judge` and `gm bot` do. Nothing is stored or sent."""

import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import games
from adjudicator.errors import Refusal
from adjudicator.kinds import kind_named
from games.protocol import Game, Invalid, Lexicon, Seat, Steady, View
from games.protocol.optional import Hear, Heard, Judge
from games.record import json_line, read_json
from orders.parsing.forms import Match, compiled
from orders.parsing.lexicon import Names
from orders.parsing.span import Reader
from orders.verdict import Verdict
from orders.words import keys

Ask = Callable[[Any], Any]
"""Answers a question. Raises Invalid whose `what` is the path at fault."""

_MOST_KEPT = 20_000
"""So many texts are remembered with what they say; then the memory begins anew."""


def judge_of(kind: str) -> Ask:
    """What answers positions with orders in a kind of game. Raises Refusal for a kind that is not judged."""
    game = kind_named(kind)
    if not isinstance(game.whatif, Judge):
        judged = [name for name, other in games.kinds().items() if isinstance(other.whatif, Judge)]
        raise Refusal(f"kind {kind}", "has no judge", "there is one for: " + ", ".join(judged))
    return partial(game.whatif.judge, hear=hearing(game))


def bot_of(kind: str) -> Ask:
    """What answers positions with a bot's orders. Raises Refusal for a kind whose bots are not asked so."""
    game = kind_named(kind)
    if game.whatif is None:
        asked = [name for name, other in games.kinds().items() if other.whatif is not None]
        raise Refusal(f"kind {kind}", "has no bot to be asked", "there is one for: " + ", ".join(asked))
    return game.whatif.bot


def answer(ask: Ask, raw: bytes) -> tuple[Any, bool]:
    """The answer to a question in bytes, and whether it is one: else it has the keys `error` and `at`."""
    try:
        return ask(read_json(raw)), True
    except Invalid as fault:
        said = f"{fault.why}; {fault.instead}" if fault.instead else fault.why
        return {"error": said, "at": fault.what}, False
    except (ValueError, RecursionError) as fault:
        return {"error": f"it is no JSON: {fault}", "at": ""}, False


def written(value: Any, *, on_a_line: bool) -> str:
    """A JSON document to print: on a line in ASCII, else indented, with the letters as they are.

    What letters cannot be printed (halves of pairs) are escaped in any case. Floats do not occur in answers.
    """
    if not on_a_line:
        text = json.dumps(value, ensure_ascii=False, indent=2)
        if text.encode(errors="ignore").decode() == text:
            return text
        return json.dumps(value, indent=2)
    return json_line(value)


def hearing(game: Game) -> Hear[View]:
    """What reads single orders of a kind of game, by its forms and names, as letters are read.

    It may be asked thousands of times: names are made ready once, and texts that were read are remembered.
    """
    forms = compiled(game.notation.forms)
    seen: dict[str, list[Match]] = {}
    # Texts that say one thing as they stand, whoever writes them and wherever the units are.
    plain: dict[str, Match] = {}
    # What these said last.
    said: dict[str, Heard] = {}
    steady = game.notation if isinstance(game.notation, Steady) else None
    book: list[tuple[Lexicon, Names]] = []

    def names_of(lexicon: Lexicon) -> Names:
        if not book or book[0][0] is not lexicon:
            book[:] = [(lexicon, Names(lexicon))]
        return book[0][1]

    @cache
    def title(seat: Seat) -> frozenset[tuple[str, ...]]:
        return frozenset({keys(seat)})

    def hear(view: View, seat: Seat, text: str) -> Heard:
        """What the text says."""
        heard = said.get(text)
        if heard is not None and steady is not None and steady.means_again(view, heard.order):
            return heard
        match = plain.get(text)
        if match is not None:
            heard = said[text] = Heard(order=game.notation.build(view, match.form.name, match.slots))
            return heard
        if len(seen) > _MOST_KEPT:
            seen.clear()
            plain.clear()
            said.clear()
        reader = Reader(
            grammar=forms,
            names=names_of(game.notation.lexicon(view)),
            build=partial(game.notation.build, view),
            write=game.notation.write,
            titles=title(seat),
            seen=seen,
        )
        verdicts = reader.read(text, "body")
        meanings = seen.get(text, ())
        if len(meanings) == len(verdicts) == 1 and verdicts[0].grade == "taken":
            plain[text] = meanings[0]
        return _heard(verdicts)

    return hear


def _heard(verdicts: list[Verdict]) -> Heard:
    if not verdicts:
        return Heard(problem="it is no order")
    if len(verdicts) > 1:
        return Heard(problem="more than one order stands there")
    verdict = verdicts[0]
    if verdict.in_force:
        return Heard(order=verdict.order)
    problem = verdict.problem
    if verdict.candidates:
        problem = f"{problem}: {' or '.join(verdict.candidates)}"
    return Heard(order=verdict.order, problem=problem or "it is no order")
