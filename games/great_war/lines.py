"""A line of cards and signs, taken apart and written."""

from collections.abc import Iterable, Iterator, Mapping

from games.great_war.components import CardId
from games.great_war.model import BEST, NOTHING, Play
from games.record import Record, changed


class Line(Record, frozen=True, kw_only=True):
    """What the cards of a line are: the first, what is laid with a leader, what he leads, what is added."""

    base: Play | None = None
    helper: CardId | None = None
    led: tuple[Play, ...] = ()
    plus: tuple[Play, ...] = ()


def parsed(slots: Mapping[str, str]) -> Line:
    """The line in the places c0, s1, c1, s2, c2 and so on of a form.

    A comma goes on with the list that it stands in: what is led after LEADS, else what is added.
    """
    line = Line(base=Play(card=CardId(slots["c0"])) if "c0" in slots else None)
    into = "base"
    for sign, one in _steps(slots):
        if sign in (">", "as"):
            line = _aimed(line, into, one)
            continue
        into = {"leads": "led", "with": "helper", "+": "plus"}.get(sign, "led" if into == "led" else "plus")
        if into == "helper":
            line = changed(line, helper=CardId(one))
        else:
            line = changed(line, **{into: (*getattr(line, into), Play(card=CardId(one)))})
    return line


def _steps(slots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    number = 1
    while f"s{number}" in slots:
        yield slots[f"s{number}"], slots[f"c{number}"]
        number += 1


def _aimed(line: Line, into: str, aim: str) -> Line:
    """The line with a target for its last card, or that card as a wild one."""
    if into == "base":
        return changed(line, base=_with(line.base, aim)) if line.base else line
    plays: tuple[Play, ...] = getattr(line, into) if into in ("led", "plus") else ()
    last = _with(plays[-1], aim) if plays else None
    return changed(line, **{into: (*plays[:-1], last)}) if last else line


def _with(play: Play, aim: str) -> Play:
    return changed(play, wild=True) if aim == "wild" else changed(play, aims=(*play.aims, aim))


def sentence(plays: Iterable[Play], joint: str) -> str:
    """Cards with their targets, as they are written."""
    return joint.join(_said(play) for play in plays)


def _said(play: Play) -> str:
    aims = [aim.upper() if aim in (BEST, NOTHING) else aim for aim in play.aims]
    return f"{play.card}{' AS WILD' if play.wild else ''}" + "".join(f" > {aim}" for aim in aims)
