"""How long a turn takes, from its deadline until a server has the last report."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from adjudicator.bench.figures import Figure, stop_watch
from adjudicator.bench.sink import sink
from adjudicator.clock import HandClock, Millis
from adjudicator.gamesmaster import conduct
from adjudicator.house import House, open_house
from adjudicator.kinds import kind_named
from adjudicator.ledger.filed_orders import packed
from adjudicator.ledger.game_acts import FileOrders, TakeSeat
from adjudicator.ledger.positions import Position
from adjudicator.referee.turn import play
from adjudicator.secretary.writing import map_for
from adjudicator.settings.service import load_settings
from adjudicator.store import acts
from games.dice import SealedDice
from games.protocol import Event, Game

NAME = "bench"
_SECRET = b"bench" * 8
_START: Millis = 1_784_000_000_000
_CONFIG = """
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
class _Watch:
    """Notes how far the service got when: processor time and time on the wall, in seconds."""

    marks: list[tuple[str, float, float]] = field(default_factory=list)

    def reached(self, step: str) -> None:
        """The service has got to a step."""
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
    game, watch = kind_named(kind), _Watch()
    taken: dict[str, list[tuple[float, float]]] = {}
    with (
        TemporaryDirectory(prefix="turnpost-bench-") as folder,
        sink() as smtp,
        _house(Path(folder), smtp, watch) as house,
    ):
        position = _begun(house, game)
        seats = len(position.chairs)
        while turns > 0 and position.running:
            _file(house, game, position)
            for what, part in _played(house, game, watch):
                taken.setdefault(what, []).append(part)
            position, turns = conduct.position_of(house, NAME), turns - 1
    return tuple(_figures(taken, seats))


def _played(house: House, game: Game, watch: _Watch) -> Iterator[tuple[str, tuple[float, float]]]:
    """Play one turn by its deadline, and say how long each part of it took."""
    before = conduct.position_of(house, NAME)
    assert before.deadline is not None, "the clock runs"
    assert isinstance(house.clock, HandClock)
    house.clock.set(before.deadline + 1000)
    house.poll()
    house.clock.forward(1000)
    watch.reached("the deadline")
    house.process()
    house.send()
    watch.reached("the end")
    yield "from the deadline to the last report", watch.between("the deadline", "the end")
    yield "decided, and all reports written", watch.between("the deadline", "turn played")
    yield "entered in the books", watch.between("turn played", "turn committed")
    yield "handed to the server, with copies to ourselves", watch.between("turn committed", "the end")
    yield from _alone(game, before)


def _alone(game: Game, before: Position) -> Iterator[tuple[str, tuple[float, float]]]:
    """What a turn's greatest parts take by themselves."""
    (deciding,) = stop_watch([lambda: play(game, before, before.deadline or 0, ripe=True)])
    yield "of it: to decide", (deciding, deciding)
    played = play(game, before, before.deadline or 0, ripe=True)
    assert played is not None, "nobody is waited for"
    events: tuple[Event, ...] = tuple(event for step in played.steps for event in step.events)
    (drawing,) = stop_watch([lambda: map_for(game, played.state, events, None)])
    yield "of it: to draw the map, once for all", (drawing, drawing)


def _figures(taken: Mapping[str, Sequence[tuple[float, float]]], seats: int) -> Iterator[Figure]:
    for what, parts in taken.items():
        busy, wall = ([part[which] for part in parts] for which in (0, 1))
        most = quantiles(busy, n=20)[-1] if len(busy) > 1 else busy[0]
        note = f"95th percentile {most:.3g}; {median(wall):.3g} on the wall"
        yield Figure(what, median(busy), "ms", f"{seats} seats; {note}" if what.startswith("from") else note)


@contextmanager
def _house(folder: Path, smtp: int, watch: _Watch) -> Iterator[House]:
    (folder / "gm.toml").write_text(_CONFIG.format(smtp=smtp))
    house = open_house(load_settings(folder / "gm.toml"), HandClock(_START), watch.reached)
    try:
        yield house
    finally:
        house.database.close()


def _begun(house: House, game: Game) -> Position:
    request = conduct.GameRequest(game.about.kind, NAME, terms={"early": "no"})
    position = conduct.new_game(house, request, secret=_SECRET)
    people = [
        TakeSeat(game=NAME, by="gm", seat=seat, address=f"p{place}@example.net")
        for place, seat in enumerate(position.chairs)
    ]
    acts.perform(house.database, people, (), house.clock.now())
    return conduct.position_of(house, NAME)


def _file(house: House, game: Game, position: Position) -> None:
    bot, turn = next(iter(game.bots.values())), game.rules.turn(position.state).short
    filed = []
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_SECRET, str(due.seat), position.entries)
        orders = packed([choice.order for choice in bot.orders(view, due, dice)])
        filed.append(FileOrders(game=NAME, by=due.seat, seat=due.seat, turn=turn, orders=orders))
    acts.perform(house.database, filed, (), house.clock.now())
