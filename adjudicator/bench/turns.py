"""Benchmark of a turn's reports: text and HTML for every seat, and one map for all."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from adjudicator.admin import game_admin, website
from adjudicator.bench import load
from adjudicator.bench.mail import sink
from adjudicator.bench.start import Figure, late, middle, time_actions
from adjudicator.clock import DAY, ManualClock, Millis
from adjudicator.config.service import load_settings
from adjudicator.game_kinds import find_kind
from adjudicator.model.addresses import reply_address
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import AdjudicationResult, FileOrders, GamePosition, SeatAssignment, TakeSeat
from adjudicator.model.mail import LetterDraft
from adjudicator.model.orders_on_file import pack_items
from adjudicator.outbound.composer import draw_map
from adjudicator.reports import messages
from adjudicator.reports.maps import BESIDE_PX, CLOSE_UP_PX, LETTER_PX, MAP_PX, front, has_fronts, png, svg
from adjudicator.reports.messages import LetterReader
from adjudicator.reports.posts import post
from adjudicator.reports.report import compile_report
from adjudicator.service import Service, open_service
from adjudicator.storage import stored_games
from adjudicator.turns.runner import play_turns, position_after
from adjudicator.website.build import Archive
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import Event, Game, Seat

LETTERS_AIM_MS, SKETCH_AIM_MS, MAP_AIM_MS = 40.0, 8.0, 150.0
FRONTS = 3
"""The number of seats whose crowded parts of the map are drawn, per turn."""
_MAP = "its map as PNG, as in an email, once for all"
_FRONT = "a seat's front, from the position to its PNG"
_REPORT_TOKEN = "abcdefghijkl2"
_REPORT_SECRET = b"bench"
_REPORT_ADDRESS = "gm@example.org"
_TURN_MS = 3 * 86_400_000


@dataclass(frozen=True)
class _PlayedTurnOfBots:
    """A played turn, and the position after it."""

    position: GamePosition
    played: AdjudicationResult


def measure_reports(kind: str, turns: int) -> tuple[Figure, ...]:
    """Return the medians over the first turns of a game. Each seat has a player, who orders like a bot.

    Raises Refusal for an unknown kind.
    """
    game = find_kind(kind)
    turns_played = list(_play_turns(game, turns))
    seats = len(turns_played[0].position.assignments)
    # Templates are read, and a board is drawn, once per process.
    drawings = [_draw_map(game, turn) for turn in turns_played]
    list(map(partial(_letters, game), turns_played))
    sets = middle(
        time_actions(partial(_letters, game, turn) for turn in turns_played),
        f"the emails of a turn, text and HTML for {seats} seats",
    )
    sketch = middle(time_actions(partial(_draw_map, game, turn) for turn in turns_played), "its map as SVG")
    figures = [_add_aim(sets, LETTERS_AIM_MS), _add_aim(sketch, SKETCH_AIM_MS)]
    there = [drawing for drawing in drawings if drawing is not None]
    if there:
        figures += _pictures(game, turns_played, there)
    written = [letter for turn in turns_played for letter in _letters(game, turn)]
    figures += [
        Figure(
            "the longest page of HTML",
            max(len((letter.html or "").encode()) for letter in written) / 1000,
            "KB",
        ),
        Figure("the longest text", max(len(letter.text.encode()) for letter in written) / 1000, "KB"),
        middle(time_actions(partial(_forum_post, game, turn) for turn in turns_played), "a post for a forum"),
    ]
    return tuple(figures)


def _pictures(game: Game, turns: Sequence[_PlayedTurnOfBots], maps: Sequence[str]) -> Iterator[Figure]:
    """Yield times for the map in an email, from its SVG, the map for MAP, and the parts of fronts."""
    wide = BESIDE_PX if has_fronts(game) else LETTER_PX
    png(maps[0], wide)  # a board is drawn once per process and cached
    small = time_actions(partial(png, svg, wide) for svg in maps)
    yield _add_aim(middle(small, _MAP), MAP_AIM_MS)
    yield _add_aim(late(small, f"{_MAP}, 95th percentile"), MAP_AIM_MS)
    png(maps[0])
    yield middle(
        time_actions(partial(png, svg) for svg in maps), f"the same {MAP_PX} pixels wide, as MAP brings it"
    )
    yield Figure("the largest map as PNG for MAP", max(len(png(svg)) for svg in maps) / 1000, "KB")
    seats = list(turns[0].position.assignments)[:FRONTS]
    fronts = [partial(_front, game, turn, seat) for turn in turns for seat in seats]
    shown = [draw for draw in fronts if draw() is not None]  # names are laid out once per scale
    taken = time_actions(shown)
    if len(taken) > 1:
        yield _add_aim(middle(taken, _FRONT), MAP_AIM_MS)
        yield _add_aim(late(taken, f"{_FRONT}, 95th percentile"), MAP_AIM_MS)


def _front(game: Game, turn: _PlayedTurnOfBots, seat: Seat) -> bytes | None:
    events = [event for step in turn.played.steps for event in step.events]
    seen = [event for event in events if event.seen_by is None or seat in event.seen_by]
    drawing = front(game, game.rules.view(turn.played.state, seat), seat, seen)
    return None if drawing is None else png(drawing, CLOSE_UP_PX)


def _add_aim(figure: Figure, aim: float) -> Figure:
    return replace(figure, note=f"the aim is {aim:.0f}: {'met' if figure.value <= aim else 'missed'}")


def _play_turns(game: Game, turns: int) -> Iterator[_PlayedTurnOfBots]:
    position = _opening_position(game)
    for _ in range(turns):
        if game.rules.result(position.state) is not None:
            return
        played = play_turns(game, _write_bot_orders(game, position), 0, ripe=True)
        assert played is not None, "no orders are missing"
        position = position_after(position, played)
        yield _PlayedTurnOfBots(position, played)


def _opening_position(game: Game) -> GamePosition:
    options = settle(game.about.options, {})
    state = game.rules.setup(options, SealedDice(_REPORT_SECRET, "bench", 0)).state
    return GamePosition(
        name="bench",
        kind=game.about.kind,
        options=options,
        status="running",
        entries=1,
        rev=1,
        head_sha="",
        state=state,
        filed={},
        assignments={
            seat: SeatAssignment(seat=seat, address=_REPORT_ADDRESS) for seat in game.about.seats(options)
        },
        deadline=_TURN_MS,
        deadlines=Deadlines({"moves": _TURN_MS}, 0),
        early=True,
        secret=_REPORT_SECRET,
    )


def _write_bot_orders(game: Game, position: GamePosition) -> GamePosition:
    bot = next(iter(game.bots.values()))
    filed = {}
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_REPORT_SECRET, str(due.seat), position.entries)
        filed[due.seat] = tuple(choice.order for choice in bot.orders(view, due, dice))
    return replace(position, filed=filed)


def _letters(game: Game, turn: _PlayedTurnOfBots) -> list[LetterDraft]:
    return [_letter(game, turn, seat) for seat in turn.position.assignments]


def _letter(game: Game, turn: _PlayedTurnOfBots, seat: Seat) -> LetterDraft:
    report = compile_report(game, turn.position, turn.played, seat, commitment=commitment(_REPORT_SECRET))
    reader = LetterReader(
        address=_REPORT_ADDRESS,
        game="bench",
        seat=seat,
        turn=game.rules.turn(turn.position.state).short,
        token=_REPORT_TOKEN,
        reply_address=reply_address(_REPORT_ADDRESS, "bench", seat, _REPORT_TOKEN),
    )
    return messages.turn_report(game, report, reader, messages.Enclosed(picture=b"as if there were one"))


def _draw_map(game: Game, turn: _PlayedTurnOfBots) -> str | None:
    events = tuple(event for step in turn.played.steps for event in step.events if event.seen_by is None)
    return svg(game, game.rules.view(turn.played.state, None), events)


def _forum_post(game: Game, turn: _PlayedTurnOfBots) -> str:
    report = compile_report(game, turn.position, turn.played, None, commitment=commitment(_REPORT_SECRET))
    return post(game, report, LetterReader(address=_REPORT_ADDRESS), "bbcode")


# Benchmark of a turn, from its deadline until a server has the last report.


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
    """Notes when the service reached each step: processor time and time on the wall, in seconds."""

    marks: list[tuple[str, float, float]] = field(default_factory=list)

    def note_step(self, step: str) -> None:
        """Note that the service has reached a step."""
        self.marks.append((step, process_time(), perf_counter()))

    def measure_between(self, first: str, last: str) -> tuple[float, float]:
        """Return the milliseconds of both between two steps. Of a repeated step, the last counts."""
        at = {step: (busy, wall) for step, busy, wall in self.marks}
        (busy, wall), (busy_then, wall_then) = at[first], at[last]
        return (busy_then - busy) * 1000, (wall_then - wall) * 1000


def measure_turns(kind: str, turns: int) -> tuple[Figure, ...]:
    """Return medians and 95th percentiles over the first turns of a game with a player on every seat.

    A bot has chosen the orders beforehand. Raises Refusal for an unknown kind.
    """
    game, watch = find_kind(kind), _StepTimes()
    taken: dict[str, list[tuple[float, float]]] = {}
    with (
        TemporaryDirectory(prefix="turnpost-bench-") as folder,
        sink() as smtp,
        _house(Path(folder), smtp, watch) as service,
    ):
        position = _new_bench_game(service, game)
        seats = len(position.assignments)
        while turns > 0 and position.is_running:
            _file(service, game, position)
            for what, part in _time_turn(service, game, watch):
                taken.setdefault(what, []).append(part)
            position, turns = game_admin.position_of(service, BENCH_GAME), turns - 1
    return tuple(_figures(taken, seats))


def _time_turn(service: Service, game: Game, watch: _StepTimes) -> Iterator[tuple[str, tuple[float, float]]]:
    """Run one turn at its deadline, and yield the time of each part."""
    before = game_admin.position_of(service, BENCH_GAME)
    assert before.deadline is not None, "the clock runs"
    assert isinstance(service.clock, ManualClock)
    service.clock.set(before.deadline + 1000)
    service.poll()
    service.clock.advance(1000)
    watch.note_step("the deadline")
    service.process()
    service.send()
    watch.note_step("the end")
    yield "from the deadline to the last report", watch.measure_between("the deadline", "the end")
    yield "adjudicated, and all reports written", watch.measure_between("the deadline", "turn played")
    yield "written to the database", watch.measure_between("turn played", "turn committed")
    yield "sent to the server, with copies to ourselves", watch.measure_between("turn committed", "the end")
    yield from _time_parts(game, before)


def _time_parts(game: Game, before: GamePosition) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the times of a turn's largest parts by themselves."""
    (deciding,) = time_actions([lambda: play_turns(game, before, before.deadline or 0, ripe=True)])
    yield "of it: to adjudicate", (deciding, deciding)
    played = play_turns(game, before, before.deadline or 0, ripe=True)
    assert played is not None, "no orders are missing"
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
    service = open_service(load_settings(folder / "gm.toml"), ManualClock(_TURN_START), watch.note_step)
    try:
        yield service
    finally:
        service.database.close()


def _new_bench_game(service: Service, game: Game) -> GamePosition:
    request = game_admin.GameRequest(game.about.kind, BENCH_GAME, terms={"early": "no"})
    position = game_admin.new_game(service, request, secret=_TURN_SECRET)
    people = [
        TakeSeat(game=BENCH_GAME, by="gm", seat=seat, address=f"p{place}@example.net")
        for place, seat in enumerate(position.assignments)
    ]
    stored_games.perform(service.database, people, (), service.clock.now())
    return game_admin.position_of(service, BENCH_GAME)


def _file(service: Service, game: Game, position: GamePosition) -> None:
    bot, turn = next(iter(game.bots.values())), game.rules.turn(position.state).short
    filed = []
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_TURN_SECRET, str(due.seat), position.entries)
        orders = pack_items([choice.order for choice in bot.orders(view, due, dice)])
        filed.append(FileOrders(game=BENCH_GAME, by=due.seat, seat=due.seat, turn=turn, orders=orders))
    stored_games.perform(service.database, filed, (), service.clock.now())


# Benchmark of the archive: all games, one turn of a game, no news, and the size of a page.


MIN_GAMES_FOR_AIM = 1000
"""The number of games that the aim is for."""
GAMES_PLAYED = 24
"""The number of games that are played. Further games are copies of them."""
LONG_GAME_TURNS = 60
"""The number of turns of a long game."""
ALL_AIM_S, TURN_AIM_MS, PAGE_AIM_KB = 180.0, 300.0, 2000.0
_AIMED = f"at most {TURN_AIM_MS:.0f}"
_ARCHIVE_START = 1_767_636_000_000
_ARCHIVE_CONFIG = """\
[service]
address = "gm@example.org"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


def measure_archive(
    kind: str,
    games: int,
    turns: int,
    long: int = LONG_GAME_TURNS,
    played: int = GAMES_PLAYED,
    jobs: int | None = None,
) -> tuple[Figure, ...]:
    """Return the figures for several games of the weakest bots, and one longer game.

    turns: the number of turns of each. played: the number of games to play. The rest are copies of their rows
    under other names, unless dice depend on the name. jobs: the number of processes that build the archive
    (default: one per core).
    """
    jobs = jobs or os.cpu_count() or 1
    with TemporaryDirectory() as folder:
        there = Path(folder)
        (there / "gm.toml").write_text(_ARCHIVE_CONFIG)
        clock = ManualClock(_ARCHIVE_START)
        service = open_service(load_settings(there / "gm.toml"), clock)
        try:
            names = _play_games(service, clock, kind, games, turns, played)
            whole = _all(service, there / "site", games, turns, jobs)
            kept = website.archive_of(service, there / "site")  # as the service does
            _play_on(service, clock, kept, names[0])  # draws the board once
            short = [_play_on(service, clock, kept, name) * 1000 for name in names]
            _begin(service, kind, "long")
            _play(service, clock, "long", long - 1)
            website.renew(service, kept)
            figures = _long(service, clock, kept, long)
            return (*whole, *_short(short, games, turns), *figures)
        finally:
            service.database.close()


def _play_games(
    service: Service, clock: ManualClock, kind: str, games: int, turns: int, played: int
) -> list[str]:
    """Fill the database with games. Returns the names of those that were played."""
    names = [f"game{number}" for number in range(games)]
    for number, name in enumerate(names):
        if number >= played and not load.has_rules_dice(service, names[0]):
            break
        _begin(service, kind, name)
        _play(service, clock, name, turns)
    else:
        return names[:played]
    for number in range(played):
        load.double(service.database, names[number], names[played + number :: played])
    return names[:played]


def _begin(service: Service, kind: str, name: str) -> None:
    game_admin.new_game(
        service, game_admin.GameRequest(kind, name), secret=f"bench {name}".ljust(32).encode()
    )


def _play(service: Service, clock: ManualClock, name: str, turns: int) -> None:
    for _ in range(turns):
        if game_admin.position_of(service, name).is_running:
            clock.advance(DAY)
            game_admin.play_now(service, name)


def _all(service: Service, site: Path, games: int, turns: int, jobs: int) -> tuple[Figure, ...]:
    """Return the times of a whole archive, on the wall and of the processor."""
    wall, worked = _time_with_children(lambda: website.build(service, site, jobs))
    each, by = f"{games} games with {turns} turns each", f"by {jobs} process{'es' * (jobs > 1)}"
    aimed = f"at most {ALL_AIM_S:.0f}" if games >= MIN_GAMES_FOR_AIM else ""
    return (
        Figure(f"the archive of {each}, {by}", wall, "s", "on the wall"),
        Figure("its processor time, all processes together", worked, "s"),
        Figure("the same for each process", worked / jobs, "s", aimed),
        Figure("for each game", worked * 1000 / games, "ms"),
    )


def _short(taken: list[float], games: int, turns: int) -> tuple[Figure, ...]:
    """Return the times of turns of single games among all games."""
    what = f"a turn after {turns} of one of {games} games"
    return (
        middle(taken, f"{what}, median of {len(taken)}"),
        Figure(f"{what}, the slowest", max(taken), "ms", _AIMED),
    )


def _play_on(service: Service, clock: ManualClock, kept: Archive, name: str) -> float:
    """Return the processor time that the archive takes for a new turn of a game, in seconds."""
    _play(service, clock, name, 1)
    return _time_with_children(lambda: website.renew(service, kept))[1]


def _long(service: Service, clock: ManualClock, kept: Archive, turns: int) -> tuple[Figure, ...]:
    taken = _play_on(service, clock, kept, "long")
    _, idle = _time_with_children(lambda: website.renew(service, kept))
    page, data = (
        (kept.folder / "games" / "long" / name).stat().st_size / 1000 for name in ("index.html", "game.json")
    )
    return (
        Figure(f"turn {turns} of a long game", taken * 1000, "ms", _AIMED),
        Figure("nothing new", idle * 1000, "ms"),
        Figure("the page of the long game", page, "KB"),
        Figure("its game.json", data, "KB", f"both at most {PAGE_AIM_KB:.0f}"),
    )


def _time_with_children(action: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of an action on the wall, and of processor time including its processes."""
    worked, start = _processor_seconds(), perf_counter()
    action()
    return perf_counter() - start, _processor_seconds() - worked


def _processor_seconds() -> float:
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
