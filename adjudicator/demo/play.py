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
from adjudicator.admin import game_admin
from adjudicator.clock import HOUR, ManualClock, Millis
from adjudicator.config.service import load_settings
from adjudicator.demo import players
from adjudicator.demo.album import write_album
from adjudicator.demo.players import DAKOTA, IROQUOIS, MUSKHOGEAN, PLAYERS, ScriptedPlayer
from adjudicator.errors import Refusal
from adjudicator.mail.local_server import LocalServer
from adjudicator.model.games import GamePosition
from adjudicator.service import Service, open_service
from games.dice import SealedDice
from games.protocol import Game

DEMO_GAME = "demo"
DEMO_KIND = "indianomacy"
DEMO_YEARS = 2
DEMO_TURNS = 11
"""About how many turns two years have; the progress bar is measured by it."""
DEMO_START: Millis = 1_767_636_000_000
"""Monday 5 January 2026, 18:00 UTC: the demonstration's own clock begins here, so that each run is alike."""
DEMO_SECRET = hashlib.sha256(b"the demonstration keeps no secrets").digest()
DEMO_MARKER_FILE = ".turnpost-demo"


@dataclass
class DemoService:
    """The service and the clock of a running demonstration.

    played: how many turns of each kind there were.
    """

    folder: Path
    house: Service
    clock: ManualClock
    port: int
    game: Game
    turn_number: int = 0
    silent: bool = field(default=False)

    @property
    def position(self) -> GamePosition:
        """Return the game's present position."""
        return game_admin.position_of(self.house, DEMO_GAME)

    def mail_of(self, player: ScriptedPlayer) -> Path:
        """Return the Maildir of a player."""
        return self.folder / "mail" / player.address

    def post(self, player: ScriptedPlayer, raw: bytes) -> None:
        """Really send a letter: by SMTP, to the embedded server."""
        letter = raw.split(b"\r\n\r\n", 1)[0]
        to = next(line for line in letter.splitlines() if line.lower().startswith(b"to: "))[4:].decode()
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20, local_hostname="localhost") as server:
            server.sendmail(player.address, [to], raw)

    def work(self) -> None:
        """Let the service do the work of its regular ticks."""
        self.house.poll()
        self.house.process()
        self.house.send()


def play_demo(folder: str | Path, console: Console | None = None) -> int:
    """Play two years into a folder, which is emptied first if it is a demonstration's. Returns 0.

    Raises Refusal if the folder holds anything else.
    """
    console = console or Console()
    there = Path(folder).resolve()
    _clear_folder(there)
    with ExitStack() as open_things:
        stage = _set_up(there, open_things)
        bar = open_things.enter_context(
            Progress(TextColumn("{task.description:<34}"), BarColumn(), TimeElapsedColumn(), console=console)
        )
        task = bar.add_task("Seating three players", total=DEMO_TURNS + 2)

        def tell(what: str, done: int) -> None:
            bar.update(task, description=what, completed=done)
            if not console.is_terminal:  # a bar is drawn on screens only: elsewhere each step is a line
                console.print(what)

        while stage.position.is_running and _year(stage) <= DEMO_YEARS:
            turn = stage.game.rules.turn(stage.position.state)
            tell(f"Playing {turn.name}", stage.turn_number)
            _play_turn(stage)
        tell("Writing the album", DEMO_TURNS + 1)
        first = write_album(stage.house, DEMO_GAME, there)
        bar.update(task, description="Done", completed=DEMO_TURNS + 2)
    _print_summary(console, there, first)
    return 0


def _clear_folder(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / DEMO_MARKER_FILE).exists():
            raise Refusal(
                str(folder), "is not empty, and not of our making", "name another one with --folder"
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DEMO_MARKER_FILE).write_text(
        "This folder is rewritten by each demonstration.\n", encoding="utf-8"
    )


def _set_up(folder: Path, open_things: ExitStack) -> DemoService:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (folder / "gm.toml").write_text(DEMO_CONFIG.format(port=port), encoding="utf-8")
    settings = load_settings(folder / "gm.toml")
    clock = ManualClock(DEMO_START)
    service = open_service(settings, clock)
    assert settings.local is not None
    server = LocalServer(
        "127.0.0.1", port, settings.address, settings.local.inbox, settings.local.folder, clock
    )
    server.start()
    open_things.callback(server.stop)
    open_things.callback(service.database.close)
    game_admin.new_game(
        service, game_admin.GameRequest(DEMO_KIND, DEMO_GAME, level="beginner"), secret=DEMO_SECRET
    )
    for player in PLAYERS:
        game_admin.assign(service, DEMO_GAME, player.seat, player.address)
    return DemoService(folder, service, clock, port, games.kinds()[DEMO_KIND])


DEMO_CONFIG = """\
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


def _year(stage: DemoService) -> int:
    return int("".join(c for c in stage.game.rules.turn(stage.position.state).short if c.isdigit()))


def _play_turn(stage: DemoService) -> None:
    """One turn: reports arrive, players answer when they get to it, and in the end the deadline falls."""
    stage.work()
    before = stage.position
    began = stage.clock.now()
    for at, write in sorted(_schedule_letters(stage, before, began), key=lambda pair: pair[0]):
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


def _schedule_letters(stage: DemoService, position: GamePosition, began: Millis) -> list[Letter]:
    """Return the letters that players will write in this turn, with their times."""
    letters: list[Letter] = []
    for player in PLAYERS:
        orders = _choose_orders(stage, position, player)
        if orders:
            letters += _WRITERS[player](stage, position, player, orders, began + player.hours * HOUR)
    return letters


def _choose_orders(stage: DemoService, position: GamePosition, player: ScriptedPlayer) -> list[str]:
    """Return a player's orders, in canonical words; nothing if nothing is due."""
    game = stage.game
    view = game.rules.view(position.state, player.seat)
    bot = next(iter(game.bots.values()))
    dice = SealedDice(DEMO_SECRET, f"{player.seat} thinks", position.entries)
    return [
        game.notation.write(choice.order)
        for due in game.rules.due(position.state)
        if due.seat == player.seat
        for choice in bot.orders(view, due, dice)
    ]


def _iroquois(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    def write() -> None:
        report = players.latest_letter(stage.mail_of(player))
        stage.post(player, players.write_terse_letter(player, report, orders, at))

    return [(at, write)]


def _dakota(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    def write() -> None:
        report = players.latest_letter(stage.mail_of(player))
        view = stage.game.rules.view(position.state, player.seat)
        full = [players.write_in_full(order, stage.game, view) for order in orders]
        stage.post(player, players.write_phone_letter(player, report, full, at))

    return [(at, write)]


def _muskhogean(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    kind = stage.game.rules.turn(position.state).kind
    if kind != "moves":
        manner = players.write_office_letter
    elif stage.turn_number == 0:
        return _with_slips(stage, position, player, orders, at)
    else:
        manner = players.write_office_letter if stage.turn_number == 1 else players.write_changed_sheet
    if kind == "moves" and stage.turn_number == 1:
        assert position.deadline is not None
        at = position.deadline + position.deadlines.grace + HOUR  # the one late letter

    def write() -> None:
        report = players.latest_letter(stage.mail_of(player))
        stage.post(player, manner(player, report, orders, at))

    return [(at, write)]


def _with_slips(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    """Write a first letter with a misspelt name and an illegal order, and correct it after the reply."""
    view = stage.game.rules.view(position.state, player.seat)
    full = [players.write_in_full(order, stage.game, view) for order in orders]
    misspelt = [full[0].replace("Chickasaw", "Chikasaw").replace("Choctaw", "Chocktaw"), *full[1:]]
    first = [*misspelt[:-1], " ".join([*orders[-1].split()[:2], "-", "Mohawk"])]

    def write() -> None:
        report = players.latest_letter(stage.mail_of(player))
        stage.post(player, players.write_office_letter(player, report, first, at))

    def mend() -> None:
        word = players.find_password(stage.mail_of(player))
        address = stage.house.office.address
        stage.post(
            player, players.write_password_letter(player, address, DEMO_GAME, word, full[-1:], at + 4 * HOUR)
        )

    return [(at, write), (at + 4 * HOUR, mend)]


_WRITERS = {IROQUOIS: _iroquois, DAKOTA: _dakota, MUSKHOGEAN: _muskhogean}


def _print_summary(console: Console, folder: Path, first: list[tuple[Path, str]]) -> None:
    console.print(f"\nTwo game-years were played by mail. Everything is in {folder.name}/. Open first:\n")
    for path, why in first:
        console.print(f"  {folder.name}/{path.relative_to(folder)}", style="bold", end="")
        console.print(f"\n      {why}")
    console.print("\n  .venv/bin/gm demo --check   replays the game and compares every letter.\n")
