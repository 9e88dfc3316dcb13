"""Plays the demonstration: a service in a folder, a clock of its own, letters really sent."""

import hashlib
import shutil
import smtplib
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import games
from adjudicator.clock import HOUR, HandClock, Millis
from adjudicator.demo import players
from adjudicator.demo.album import leave_behind
from adjudicator.demo.players import DAKOTA, IROQUOIS, MUSKHOGEAN, PLAYERS, Player
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.house import House, open_house
from adjudicator.ledger.positions import Position
from adjudicator.post.local import LocalServer
from adjudicator.settings.service import load_settings
from games.dice import SealedDice
from games.protocol import Game

GAME = "demo"
KIND = "indianomacy"
YEARS = 2
TURNS = 11
"""About how many turns two years have; the progress bar is measured by it."""
START: Millis = 1_767_636_000_000
"""Monday 5 January 2026, 18:00 UTC: the demonstration's own clock begins here, so that each run is alike."""
SECRET = hashlib.sha256(b"the demonstration keeps no secrets").digest()
MARK = ".turnpost-demo"


@dataclass
class Stage:
    """What the demonstration runs on while it runs. played: how many turns of each kind there were."""

    folder: Path
    house: House
    clock: HandClock
    port: int
    game: Game
    turn_number: int = 0
    silent: bool = field(default=False)

    @property
    def position(self) -> Position:
        """The game as it stands."""
        return conduct.position_of(self.house, GAME)

    def mail_of(self, player: Player) -> Path:
        """The Maildir of a player."""
        return self.folder / "mail" / player.address

    def post(self, player: Player, raw: bytes) -> None:
        """Really send a letter: by SMTP, to the embedded server."""
        letter = raw.split(b"\r\n\r\n", 1)[0]
        to = next(line for line in letter.splitlines() if line.lower().startswith(b"to: "))[4:].decode()
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20, local_hostname="localhost") as server:
            server.sendmail(player.address, [to], raw)

    def work(self) -> None:
        """Let the service do what it would do by its ticks."""
        self.house.poll()
        self.house.process()
        self.house.send()


def run(folder: str | Path, console: Console | None = None) -> int:
    """Play two years into a folder, which is emptied first if it is a demonstration's. Returns 0.

    Raises Refusal if the folder holds anything else.
    """
    console = console or Console()
    there = Path(folder).resolve()
    _clear(there)
    with ExitStack() as open_things:
        stage = _set_up(there, open_things)
        bar = open_things.enter_context(
            Progress(TextColumn("{task.description:<34}"), BarColumn(), TimeElapsedColumn(), console=console)
        )
        task = bar.add_task("Seating three players", total=TURNS + 2)

        def tell(what: str, done: int) -> None:
            bar.update(task, description=what, completed=done)
            if not console.is_terminal:  # a bar is drawn on screens only: elsewhere each step is a line
                console.print(what)

        while stage.position.running and _year(stage) <= YEARS:
            turn = stage.game.rules.turn(stage.position.state)
            tell(f"Playing {turn.name}", stage.turn_number)
            _play_turn(stage)
        tell("Writing the album", TURNS + 1)
        first = leave_behind(stage.house, GAME, there)
        bar.update(task, description="Done", completed=TURNS + 2)
    _say(console, there, first)
    return 0


def _clear(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise Refusal(
                str(folder), "is not empty, and not of our making", "name another one with --folder"
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).write_text("This folder is rewritten by each demonstration.\n", encoding="utf-8")


def _set_up(folder: Path, open_things: ExitStack) -> Stage:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (folder / "gm.toml").write_text(CONFIG.format(port=port), encoding="utf-8")
    settings = load_settings(folder / "gm.toml")
    clock = HandClock(START)
    house = open_house(settings, clock)
    assert settings.local is not None
    server = LocalServer(
        "127.0.0.1", port, settings.address, settings.local.inbox, settings.local.folder, clock
    )
    server.start()
    open_things.callback(server.stop)
    open_things.callback(house.database.close)
    conduct.new_game(house, conduct.GameRequest(KIND, GAME, level="beginner"), secret=SECRET)
    for player in PLAYERS:
        conduct.assign(house, GAME, player.seat, player.address)
    return Stage(folder, house, clock, port, games.kinds()[KIND])


CONFIG = """\
# Written by `gm demo`. Everything stays on this machine.
[service]
address  = "gm@example.org"
timezone = "Europe/Amsterdam"
[inbox]
url = "maildir:./mail/in"
[outbox]
url = "smtp://127.0.0.1:{port}"
[local]
listen = "127.0.0.1:{port}"
folder = "mail"
"""


def _year(stage: Stage) -> int:
    return int("".join(c for c in stage.game.rules.turn(stage.position.state).short if c.isdigit()))


def _play_turn(stage: Stage) -> None:
    """One turn: reports arrive, players answer when they get to it, and in the end the deadline falls."""
    stage.work()
    before = stage.position
    began = stage.clock.now()
    for at, write in sorted(_letters(stage, before, began), key=lambda pair: pair[0]):
        if stage.position.entries != before.entries:
            break
        stage.clock.set(max(at, stage.clock.now()))
        write()
        stage.work()
    if stage.position.entries == before.entries:
        assert before.deadline is not None
        end = before.deadline + before.deadlines.grace + 60_000
        stage.clock.set(max(end, stage.clock.now()))
        stage.work()
    if stage.game.rules.turn(before.state).kind == "moves":
        stage.turn_number += 1


Letter = tuple[Millis, Callable[[], None]]


def _letters(stage: Stage, position: Position, began: Millis) -> list[Letter]:
    """Who will write what, and when."""
    letters: list[Letter] = []
    for player in PLAYERS:
        orders = _wishes(stage, position, player)
        if orders:
            letters += _MANNERS[player](stage, position, player, orders, began + player.hours * HOUR)
    return letters


def _wishes(stage: Stage, position: Position, player: Player) -> list[str]:
    """What a player wants to order, in canonical words; nothing if nothing is due."""
    game = stage.game
    view = game.rules.view(position.state, player.seat)
    bot = next(iter(game.bots.values()))
    dice = SealedDice(SECRET, f"{player.seat} thinks", position.entries)
    return [
        game.notation.write(choice.order)
        for due in game.rules.due(position.state)
        if due.seat == player.seat
        for choice in bot.orders(view, due, dice)
    ]


def _iroquois(
    stage: Stage, position: Position, player: Player, orders: list[str], at: Millis
) -> list[Letter]:
    def write() -> None:
        report = players.latest(stage.mail_of(player))
        stage.post(player, players.terse(player, report, orders, at))

    return [(at, write)]


def _dakota(stage: Stage, position: Position, player: Player, orders: list[str], at: Millis) -> list[Letter]:
    def write() -> None:
        report = players.latest(stage.mail_of(player))
        view = stage.game.rules.view(position.state, player.seat)
        full = [players.in_full(order, stage.game, view) for order in orders]
        stage.post(player, players.from_phone(player, report, full, at))

    return [(at, write)]


def _muskhogean(
    stage: Stage, position: Position, player: Player, orders: list[str], at: Millis
) -> list[Letter]:
    kind = stage.game.rules.turn(position.state).kind
    if kind != "moves":
        manner = players.from_office
    elif stage.turn_number == 0:
        return _with_slips(stage, position, player, orders, at)
    else:
        manner = players.from_office if stage.turn_number == 1 else players.on_the_sheet
    if kind == "moves" and stage.turn_number == 1:
        assert position.deadline is not None
        at = position.deadline + position.deadlines.grace + HOUR  # the one late letter

    def write() -> None:
        report = players.latest(stage.mail_of(player))
        stage.post(player, manner(player, report, orders, at))

    return [(at, write)]


def _with_slips(
    stage: Stage, position: Position, player: Player, orders: list[str], at: Millis
) -> list[Letter]:
    """A first letter with a name misspelt and an order that cannot be; mended when the answer has come."""
    view = stage.game.rules.view(position.state, player.seat)
    full = [players.in_full(order, stage.game, view) for order in orders]
    misspelt = [full[0].replace("Chickasaw", "Chikasaw").replace("Choctaw", "Chocktaw"), *full[1:]]
    first = [*misspelt[:-1], " ".join([*orders[-1].split()[:2], "-", "Mohawk"])]

    def write() -> None:
        report = players.latest(stage.mail_of(player))
        stage.post(player, players.from_office(player, report, first, at))

    def mend() -> None:
        word = players.password_in(stage.mail_of(player))
        address = stage.house.office.address
        stage.post(player, players.by_password(player, address, GAME, word, full[-1:], at + 4 * HOUR))

    return [(at, write), (at + 4 * HOUR, mend)]


_MANNERS = {IROQUOIS: _iroquois, DAKOTA: _dakota, MUSKHOGEAN: _muskhogean}


def _say(console: Console, folder: Path, first: list[tuple[Path, str]]) -> None:
    console.print(f"\nTwo game-years were played by mail. Everything is in {folder.name}/. Open first:\n")
    for path, why in first:
        console.print(f"  {folder.name}/{path.relative_to(folder)}", style="bold", end="")
        console.print(f"\n      {why}")
    console.print("\n  .venv/bin/gm demo --check   replays the game and compares every letter.\n")
