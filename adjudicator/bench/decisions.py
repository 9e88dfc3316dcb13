"""Benchmark of dense seasons: decided, varied by an order, and answered, beside another package."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.bench import peer
from adjudicator.bench.figures import Figure, late, middle, ratio, time_actions
from adjudicator.errors import Refusal
from adjudicator.judge import Ask, answer_question, build_order_reader, find_judge, format_json
from adjudicator.kinds import find_kind
from games.protocol import Game
from games.protocol.optional import BenchmarkPhase, OrderTextParser, SupportsDecisionBenchmark

_DECIDED, _ANSWERED = "decided", "from JSON to JSON"
_VARIED, _SINGLY = "with another order for a unit", "with another order for a unit, one by one"


@dataclass
class DenseSeason:
    """A dense season: the question, its orders ready to be decided, and others, each made ready."""

    question: bytes
    rehearsal: BenchmarkPhase
    others: Sequence[Any]

    def vary(self) -> None:
        """Decide it with each of the other orders."""
        vary = self.rehearsal.vary
        for other in self.others:
            vary(other)


@dataclass
class TimesTaken:
    """Milliseconds that each thing took, over all rounds, by what it is."""

    ours: dict[str, list[float]] = field(default_factory=dict)
    theirs: dict[str, list[float]] = field(default_factory=dict)


def measure(kind: str, rounds: int, beside: str) -> tuple[Figure, ...]:
    """Medians and 95th percentiles over the dense seasons of a kind.

    beside: another package; where it is installed and plays the same game, it is measured in turn with us.
    Raises Refusal for a kind of which there are no dense seasons.
    """
    file = Path(__file__).with_name(f"dense_{kind}.json")
    game = find_kind(kind)
    if not file.exists() or not isinstance(game.rules, SupportsDecisionBenchmark):
        dense = sorted(
            file_found.stem.removeprefix("dense_") for file_found in file.parent.glob("dense_*.json")
        )
        raise Refusal(f"kind {kind}", "has no dense seasons to be decided", f"there are: {', '.join(dense)}")
    asked = json.loads(file.read_text(encoding="utf-8"))
    ask, hear = find_judge(kind), build_order_reader(game)
    seasons = [_season(game, hear, season_data) for season_data in asked]
    questions = [season_data["question"] for season_data in asked]
    taken = TimesTaken()
    for number in range(rounds + 1):
        kept = taken if number else TimesTaken()
        for what, more in _ours(seasons, ask):
            kept.ours.setdefault(what, []).extend(more)
        for what, several in peer.measure_package(beside, kind, questions).items():
            kept.theirs.setdefault(what, []).extend(several)
    return tuple(_figures(taken, beside, f"{len(seasons)} seasons of 34 orders, {rounds} rounds"))


def _season(game: Game, hear: OrderTextParser[Any], asked: Mapping[str, Any]) -> DenseSeason:
    assert isinstance(game.rules, SupportsDecisionBenchmark)
    question = asked["question"]
    assert game.whatif is not None
    state = game.whatif.position({**question, "orders": {}})
    view = game.rules.view(state, None)
    texts = [(seat, text) for seat, several in question["orders"].items() for text in several]
    orders = [hear(view, seat, text).order for seat, text in texts]
    seat = texts[0][0]
    rehearsal = game.rules.benchmark_phase(state, orders)
    others = [rehearsal.prepare(hear(view, seat, text).order) for text in asked["others"]]
    return DenseSeason(json.dumps(question).encode(), rehearsal, others)


def _ours(seasons: Sequence[DenseSeason], ask: Ask) -> Iterator[tuple[str, list[float]]]:
    """Yield what was done, and how many milliseconds it took each time."""
    yield _DECIDED, time_actions(season.rehearsal.decide for season in seasons)
    together = time_actions(season.vary for season in seasons)
    yield _VARIED, [taken / len(season.others) for taken, season in zip(together, seasons, strict=True)]
    singly = (partial(season.rehearsal.vary, other) for season in seasons for other in season.others)
    yield _SINGLY, time_actions(singly)
    yield _ANSWERED, time_actions(partial(_answer_question, ask, season.question) for season in seasons)


def _answer_question(ask: Ask, question: bytes) -> str:
    reply, _ = answer_question(ask, question)
    return format_json(reply, on_a_line=True)


def _figures(taken: TimesTaken, beside: str, note: str) -> Iterator[Figure]:
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
