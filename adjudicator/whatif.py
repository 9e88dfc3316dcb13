"""Stateless questions in JSON, answered: what `gm judge` and `gm bot` do. Nothing is stored or sent."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import games
from adjudicator.clerk.parse_contexts import wording
from adjudicator.errors import Refusal
from adjudicator.kinds import kind_named
from games.protocol import Form, Game, Invalid, Seat, Steady, View
from games.protocol.optional import Attentive, Hear, Heard, Judge
from games.record import json_line, read_json
from orders.parsing.forms import Match
from orders.parsing.lost_letters import LOST, read_lost
from orders.parsing.readers import reader_of
from orders.verdict import Verdict

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
    """What reads single orders of a kind of game as emails are read: by the same words, with no less help.

    It may be asked thousands of times: texts that were read are remembered.
    """
    # By what holds in a season alone: texts that say one thing as they stand, whoever writes them.
    plain: dict[tuple[str, int], Match] = {}
    seen: dict[int, dict[str, list[Match]]] = {}
    # What texts said last, and the seasons that were met, by which the others are known.
    said: dict[str, Heard] = {}
    seasons: dict[int, tuple[Form, ...]] = {}
    steady = game.notation if isinstance(game.notation, Steady) else None
    attentive = game.notation if isinstance(game.notation, Attentive) else None

    def remembered(view: View, text: str, season: int) -> Heard | None:
        """What a text says that was read before, if it says the same in this position."""
        match = plain.get((text, season))
        if match is None or (attentive and attentive.doubt(view, match.form.name, match.slots)):
            return None
        order = game.notation.build(view, match.form.name, match.slots)
        order, slip = attentive.fitted(view, order, text) if attentive else (order, None)
        return None if slip else Heard(order=order)

    def hear(view: View, seat: Seat, text: str) -> Heard:
        """What the text says."""
        heard = said.get(text)
        if heard is not None and steady is not None and steady.means_again(view, heard.order):
            return heard
        brief = attentive.brief(view, seat) if attentive is not None else ()
        season = id(brief)
        if (heard := remembered(view, text, season)) is not None:
            said[text] = heard
            return heard
        if len(plain) + sum(map(len, seen.values())) > _MOST_KEPT:
            for memory in (seen, plain, said, seasons):
                memory.clear()
        seasons[season] = brief
        known = seen.setdefault(season, {})
        reader = reader_of(wording(game, view, seat), rests=False, seen=known)
        verdicts = (LOST in text and read_lost(reader, text, "body")) or reader.read(text, "body")
        meanings = known.get(text, ())
        if len(meanings) == len(verdicts) == 1 and verdicts[0].grade == "taken":
            plain[text, season] = meanings[0]
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
