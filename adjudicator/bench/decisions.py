"""How fast dense seasons are decided, varied by an order, and answered, beside a peer.

Rounds alternate: all seasons by us, then all of them by the other package, and again; the first round warms
both up and counts for neither. So neither side works in caches that the other one has just emptied.

A season is what is counted: its variations are timed together, as a search tries them, and told as their
mean; then one by one, which says how much the slow ones of a season take.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.bench import peer
from adjudicator.bench.figures import Figure, late, middle, ratio, stop_watch
from adjudicator.errors import Refusal
from adjudicator.kinds import kind_named
from adjudicator.whatif import Ask, answer, hearing, judge_of, written
from games.protocol import Game
from games.protocol.optional import Hear, Rehearsal, Rehearsing

_DECIDED, _ANSWERED = "decided", "from JSON to JSON"
_VARIED, _SINGLY = "with another order for a unit", "with another order for a unit, one by one"


@dataclass
class Season:
    """A dense season: the question, its orders ready to be decided, and others, each made ready."""

    question: bytes
    rehearsal: Rehearsal
    others: Sequence[Any]

    def vary(self) -> None:
        """Decide it with each of the other orders."""
        vary = self.rehearsal.vary
        for other in self.others:
            vary(other)


@dataclass
class Taken:
    """Milliseconds that each thing took, over all rounds, by what it is."""

    ours: dict[str, list[float]] = field(default_factory=dict)
    theirs: dict[str, list[float]] = field(default_factory=dict)


def measure(kind: str, rounds: int, beside: str) -> tuple[Figure, ...]:
    """Medians and 95th percentiles over the dense seasons of a kind.

    beside: another package; where it is installed and plays the same game, it is measured in turn with us.
    Raises Refusal for a kind of which there are no dense seasons.
    """
    file = Path(__file__).with_name(f"dense_{kind}.json")
    game = kind_named(kind)
    if not file.exists() or not isinstance(game.rules, Rehearsing):
        dense = sorted(one.stem.removeprefix("dense_") for one in file.parent.glob("dense_*.json"))
        raise Refusal(f"kind {kind}", "has no dense seasons to be decided", f"there are: {', '.join(dense)}")
    asked = json.loads(file.read_text(encoding="utf-8"))
    ask, hear = judge_of(kind), hearing(game)
    seasons = [_season(game, hear, one) for one in asked]
    questions = [one["question"] for one in asked]
    taken = Taken()
    for number in range(rounds + 1):
        kept = taken if number else Taken()
        for what, more in _ours(seasons, ask):
            kept.ours.setdefault(what, []).extend(more)
        for what, several in peer.take(beside, kind, questions).items():
            kept.theirs.setdefault(what, []).extend(several)
    return tuple(_figures(taken, beside, f"{len(seasons)} seasons of 34 orders, {rounds} rounds"))


def _season(game: Game, hear: Hear[Any], asked: Mapping[str, Any]) -> Season:
    assert isinstance(game.rules, Rehearsing)
    question = asked["question"]
    assert game.whatif is not None
    state = game.whatif.position({**question, "orders": {}})
    view = game.rules.view(state, None)
    texts = [(seat, text) for seat, several in question["orders"].items() for text in several]
    orders = [hear(view, seat, text).order for seat, text in texts]
    seat = texts[0][0]
    rehearsal = game.rules.rehearse(state, orders)
    others = [rehearsal.ready(hear(view, seat, text).order) for text in asked["others"]]
    return Season(json.dumps(question).encode(), rehearsal, others)


def _ours(seasons: Sequence[Season], ask: Ask) -> Iterator[tuple[str, list[float]]]:
    """What was done, and how many milliseconds it took each time."""
    yield _DECIDED, stop_watch(season.rehearsal.decide for season in seasons)
    together = stop_watch(season.vary for season in seasons)
    yield _VARIED, [taken / len(season.others) for taken, season in zip(together, seasons, strict=True)]
    singly = (partial(season.rehearsal.vary, other) for season in seasons for other in season.others)
    yield _SINGLY, stop_watch(singly)
    yield _ANSWERED, stop_watch(partial(_answered, ask, season.question) for season in seasons)


def _answered(ask: Ask, question: bytes) -> str:
    said, _ = answer(ask, question)
    return written(said, on_a_line=True)


def _figures(taken: Taken, beside: str, note: str) -> Iterator[Figure]:
    for what, several in taken.ours.items():
        yield middle(several, what, note)
        yield late(several, f"{what}, 95th percentile")
        note = ""
    for what, several in taken.theirs.items():
        yield middle(several, f"the {beside} package: {what}")
        yield late(several, f"the {beside} package: {what}, 95th percentile")
    pairs = (
        (_DECIDED, peer.PROCESSED),
        (_VARIED, peer.PROCESSED),
        (_SINGLY, peer.PROCESSED),
        (_ANSWERED, peer.READ_AND_PROCESSED),
    )
    for ours, theirs in pairs if taken.theirs else ():
        for form, which in ((middle, "median"), (late, "95th percentile")):
            other, own = form(taken.theirs[theirs], ""), form(taken.ours[ours], "")
            yield ratio(f"{ours}: as fast as the {beside} package, {which}", other, own)
