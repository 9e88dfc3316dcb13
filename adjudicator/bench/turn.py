"""Benchmark of a turn, from its deadline until a server has the last report."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from adjudicator.admin import game_admin
from adjudicator.bench.figures import Figure, time_actions
from adjudicator.bench.sink import sink
from adjudicator.clock import ManualClock, Millis
from adjudicator.config.service import load_settings
from adjudicator.kinds import find_kind
from adjudicator.model.filed_orders import pack_items
from adjudicator.model.game_acts import FileOrders, TakeSeat
from adjudicator.model.games import GamePosition
from adjudicator.outbound.composer import draw_map
from adjudicator.service import Service, open_service
from adjudicator.storage import acts
from adjudicator.turns.runner import play_turns
from games.dice import SealedDice
from games.protocol import Event, Game

BENCH_GAME = "bench"
_TURN_SECRET = b"bench" * 8
_TURN_START: Millis = 1_784_000_000_000
_TURN_CONFIG = """
[service]
address = "gm@example.org"
[inbox]
url = "maildir:./in"
[outbox]
url = "smtp://127.0.0.1:{smtp}"
[deadlines]
moves = "72h"
grace = "0h"
"""


@dataclass
class _StepTimes:
    """Notes how far the service got when: processor time and time on the wall, in seconds."""

    marks: list[tuple[str, float, float]] = field(default_factory=list)

    def note_step(self, step: str) -> None:
        """Note that the service has reached a step."""
        self.marks.append((step, process_time(), perf_counter()))

    def between(self, first: str, last: str) -> tuple[float, float]:
        """Milliseconds of both between two steps, the last of each name."""
        at = {step: (busy, wall) for step, busy, wall in self.marks}
        (busy, wall), (busy_then, wall_then) = at[first], at[last]
        return (busy_then - busy) * 1000, (wall_then - wall) * 1000


def measure(kind: str, turns: int) -> tuple[Figure, ...]:
    """Medians and 95th percentiles over the first turns of a game with a person in every seat.

    What they order a bot has chosen beforehand. Raises Refusal for a kind that is not there.
    """
    game, watch = find_kind(kind), _StepTimes()
    taken: dict[str, list[tuple[float, float]]] = {}
    with (
        TemporaryDirectory(prefix="turnpost-bench-") as folder,
        sink() as smtp,
        _house(Path(folder), smtp, watch) as house,
    ):
        position = _new_bench_game(house, game)
        seats = len(position.chairs)
        while turns > 0 and position.is_running:
            _file(house, game, position)
            for what, part in _time_turn(house, game, watch):
                taken.setdefault(what, []).append(part)
            position, turns = game_admin.position_of(house, BENCH_GAME), turns - 1
    return tuple(_figures(taken, seats))


def _time_turn(house: Service, game: Game, watch: _StepTimes) -> Iterator[tuple[str, tuple[float, float]]]:
    """Play one turn by its deadline, and yield how long each part of it took."""
    before = game_admin.position_of(house, BENCH_GAME)
    assert before.deadline is not None, "the clock runs"
    assert isinstance(house.clock, ManualClock)
    house.clock.set(before.deadline + 1000)
    house.poll()
    house.clock.advance(1000)
    watch.note_step("the deadline")
    house.process()
    house.send()
    watch.note_step("the end")
    yield "from the deadline to the last report", watch.between("the deadline", "the end")
    yield "decided, and all reports written", watch.between("the deadline", "turn played")
    yield "entered in the books", watch.between("turn played", "turn committed")
    yield "handed to the server, with copies to ourselves", watch.between("turn committed", "the end")
    yield from _time_parts(game, before)


def _time_parts(game: Game, before: GamePosition) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield what a turn's greatest parts take by themselves."""
    (deciding,) = time_actions([lambda: play_turns(game, before, before.deadline or 0, ripe=True)])
    yield "of it: to decide", (deciding, deciding)
    played = play_turns(game, before, before.deadline or 0, ripe=True)
    assert played is not None, "nobody is waited for"
    events: tuple[Event, ...] = tuple(event for step in played.steps for event in step.events)
    (drawing,) = time_actions([lambda: draw_map(game, played.state, events, None)])
    yield "of it: to draw the map, once for all", (drawing, drawing)


def _figures(taken: Mapping[str, Sequence[tuple[float, float]]], seats: int) -> Iterator[Figure]:
    for what, parts in taken.items():
        busy, wall = ([part[which] for part in parts] for which in (0, 1))
        most = quantiles(busy, n=20)[-1] if len(busy) > 1 else busy[0]
        note = f"95th percentile {most:.3g}; {median(wall):.3g} on the wall"
        yield Figure(what, median(busy), "ms", f"{seats} seats; {note}" if what.startswith("from") else note)


@contextmanager
def _house(folder: Path, smtp: int, watch: _StepTimes) -> Iterator[Service]:
    (folder / "gm.toml").write_text(_TURN_CONFIG.format(smtp=smtp))
    house = open_service(load_settings(folder / "gm.toml"), ManualClock(_TURN_START), watch.note_step)
    try:
        yield house
    finally:
        house.database.close()


def _new_bench_game(house: Service, game: Game) -> GamePosition:
    request = game_admin.GameRequest(game.about.kind, BENCH_GAME, terms={"early": "no"})
    position = game_admin.new_game(house, request, secret=_TURN_SECRET)
    people = [
        TakeSeat(game=BENCH_GAME, by="gm", seat=seat, address=f"p{place}@example.net")
        for place, seat in enumerate(position.chairs)
    ]
    acts.perform(house.database, people, (), house.clock.now())
    return game_admin.position_of(house, BENCH_GAME)


def _file(house: Service, game: Game, position: GamePosition) -> None:
    bot, turn = next(iter(game.bots.values())), game.rules.turn(position.state).short
    filed = []
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_TURN_SECRET, str(due.seat), position.entries)
        orders = pack_items([choice.order for choice in bot.orders(view, due, dice)])
        filed.append(FileOrders(game=BENCH_GAME, by=due.seat, seat=due.seat, turn=turn, orders=orders))
    acts.perform(house.database, filed, (), house.clock.now())
