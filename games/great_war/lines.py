"""A line of cards and signs, taken apart and written."""

from collections.abc import Iterable, Iterator, Mapping

from games.great_war.components import CardId
from games.great_war.model import BEST, NOTHING, CardPlay
from games.record import Record, replace_fields


class CardLine(Record, frozen=True, kw_only=True):
    """The cards of a line: the first, what is laid with a leader, what he leads, what is added."""

    base: CardPlay | None = None
    helper: CardId | None = None
    led: tuple[CardPlay, ...] = ()
    plus: tuple[CardPlay, ...] = ()


def parse_line(slots: Mapping[str, str]) -> CardLine:
    """Return the line in the places c0, s1, c1, s2, c2 and so on of a form.

    A comma goes on with the list that it stands in: what is led after LEADS, else what is added.
    """
    line = CardLine(base=CardPlay(card=CardId(slots["c0"])) if "c0" in slots else None)
    into = "base"
    for sign, card_text in _steps(slots):
        if sign in (">", "as"):
            line = _with_target(line, into, card_text)
            continue
        into = {"leads": "led", "with": "helper", "+": "plus"}.get(sign, "led" if into == "led" else "plus")
        if into == "helper":
            line = replace_fields(line, helper=CardId(card_text))
        else:
            line = replace_fields(line, **{into: (*getattr(line, into), CardPlay(card=CardId(card_text)))})
    return line


def _steps(slots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    number = 1
    while f"s{number}" in slots:
        yield slots[f"s{number}"], slots[f"c{number}"]
        number += 1


def _with_target(line: CardLine, into: str, aim: str) -> CardLine:
    """Return the line with a target for its last card, or that card as a wild one."""
    if into == "base":
        return replace_fields(line, base=_with(line.base, aim)) if line.base else line
    plays: tuple[CardPlay, ...] = getattr(line, into) if into in ("led", "plus") else ()
    last = _with(plays[-1], aim) if plays else None
    return replace_fields(line, **{into: (*plays[:-1], last)}) if last else line


def _with(play: CardPlay, aim: str) -> CardPlay:
    return replace_fields(play, wild=True) if aim == "wild" else replace_fields(play, aims=(*play.aims, aim))


def plays_text(plays: Iterable[CardPlay], joint: str) -> str:
    """Cards with their targets, as they are written."""
    return joint.join(_play_text(play) for play in plays)


def _play_text(play: CardPlay) -> str:
    aims = [aim.upper() if aim in (BEST, NOTHING) else aim for aim in play.aims]
    return f"{play.card}{' AS WILD' if play.wild else ''}" + "".join(f" > {aim}" for aim in aims)
