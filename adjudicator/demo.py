"""The demonstration: two game-years of Indianomacy by real email, three scripted players, five bots.

It runs a service in a folder with its own clock.
"""

import hashlib
import re
import shutil
import smtplib
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

import games
from adjudicator.admin import game_admin, website
from adjudicator.auth.tokens import redact_letter
from adjudicator.clock import HOUR, ManualClock, Millis, datetime_of
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal
from adjudicator.mail import local_server
from adjudicator.model.games import GamePosition
from adjudicator.reports.maps import MAP_PX, png
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox, stored_games
from games.dice import SealedDice
from games.protocol import Game, Seat, View

# The scripted players. They know only the emails in their Maildir and the game's rules. They give the orders
# of the bots' first level. Their style and their mistakes are written here.


@dataclass(frozen=True)
class ScriptedPlayer:
    """One scripted player. hours: the time between a report and the player's reply."""

    seat: Seat
    address: str
    name: str
    hours: int


IROQUOIS = ScriptedPlayer(Seat("Iroquois"), "iroquois@example.org", "The Iroquois", 5)
DAKOTA = ScriptedPlayer(Seat("Dakota"), "dakota@example.org", "The Dakota", 20)
MUSKHOGEAN = ScriptedPlayer(Seat("Muskhogean"), "muskhogean@example.org", "The Muskhogean", 26)
PLAYERS = (IROQUOIS, DAKOTA, MUSKHOGEAN)


def latest_letter(maildir: Path) -> EmailMessage:
    """Return the latest email that can be replied to. Raises StopIteration if there is none."""
    files = sorted((maildir / "new").iterdir(), key=lambda file: file.name, reverse=True)
    letters = (message_from_bytes(file.read_bytes(), policy=policy.default) for file in files)
    return next(letter for letter in letters if letter["Reply-To"])


def plain_text(letter: EmailMessage) -> str:
    """Return the text of an email as its reader sees it."""
    body = letter.get_body(("plain",))
    return str(body.get_content()) if body else ""


def find_password(maildir: Path) -> str:
    """Return the password from a player's welcome email."""
    for file in sorted((maildir / "new").iterdir(), key=lambda file: file.name):
        text = plain_text(message_from_bytes(file.read_bytes(), policy=policy.default))
        match = re.search(r"SIGNON \S+ \S+ (\S+)", text)
        if match:
            return match[1]
    raise LookupError("no email with a password arrived")


def write_in_full(order: str, game: Game, view: View) -> str:
    """Return a canonical order with the full names of the provinces, as players write them."""
    names = {
        name: term.names[0] for term in game.notation.lexicon(view) for name in term.names if len(name) == 3
    }
    return re.sub(r"\b[A-Z]{3}\b", lambda match: names.get(match[0], match[0]), order)


def write_terse_letter(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Write like a terminal user: lower case, abbreviations, the report quoted below, a signature."""
    quoted = "".join(f"> {line}\n" for line in plain_text(to).splitlines())
    lines = [order.lower().removeprefix("w ") for order in orders]
    text = "\n".join(lines) + f"\n\n{_attribution(to)}\n{quoted}\n-- \n{player.name}\nSent with mutt\n"
    return _answer(player, to, text, at).as_bytes(policy=policy.SMTP)


def write_phone_letter(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Write like a phone: full names, typographic arrows and dashes, and an HTML version."""
    lines = [
        order.removeprefix("W ").replace(" - ", " → ").replace(" S W ", " supports ") for order in orders
    ]
    text = "Hi,\n\nhere are my orders:\n\n" + "\n".join(lines) + "\n\nSent from my phone\n"
    letter = _answer(player, to, f"{text}\n{_attribution(to)}\n> …\n", at)
    page = "".join(_div(line) for line in ("Hi,", "here are my orders:", *lines, "", "Sent from my phone"))
    quoted = "<br>".join(_escape_html(line) for line in plain_text(to).splitlines())
    quote = f'{_div(_attribution(to))}<blockquote class="gmail_quote">{quoted}</blockquote>'
    letter.add_alternative(
        f'<html><body>{page}<div class="gmail_quote">{quote}</div></body></html>', subtype="html"
    )
    return letter.as_bytes(policy=policy.SMTP)


def write_office_letter(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Write like an office program: the report and its headers below, without quote marks."""
    head = f"From: {to['From']}\nSent: {to['Date']}\nTo: {player.address}\nSubject: {to['Subject']}\n"
    text = (
        "\n".join(orders) + f"\n\n{player.name}\n\n________________________________\n{head}\n{plain_text(to)}"
    )
    return _answer(player, to, text, at).as_bytes(policy=policy.SMTP)


def write_changed_sheet(player: ScriptedPlayer, to: EmailMessage, orders: list[str], at: Millis) -> bytes:
    """Quote the whole report and change the order sheet in it, which saves typing."""
    ordered = {" ".join(order.split()[:2]): order for order in orders}
    lines = []
    for line in plain_text(to).splitlines():
        mine = ordered.get(" ".join(line.split()[:2])) if re.match(r"W [A-Z]{3} ", line) else None
        lines.append(f"> {mine or line}")
    return _answer(player, to, f"{_attribution(to)}\n" + "\n".join(lines) + "\n", at).as_bytes(
        policy=policy.SMTP
    )


def write_password_letter(
    player: ScriptedPlayer, service: str, game: str, password: str, orders: list[str], at: Millis
) -> bytes:
    """Write a new email instead of a reply. It starts with the seat and its password."""
    letter = _letter(player, service, "Orders, corrected", at)
    letter.set_content(f"SIGNON {game} {player.seat} {password}\n" + "\n".join(orders) + "\n")
    return letter.as_bytes(policy=policy.SMTP)


def _answer(player: ScriptedPlayer, to: EmailMessage, text: str, at: Millis) -> EmailMessage:
    letter = _letter(player, str(to["Reply-To"]), f"Re: {to['Subject']}", at)
    letter["In-Reply-To"] = str(to["Message-ID"])
    letter["References"] = str(to["Message-ID"])
    letter.set_content(text, cte="quoted-printable")
    return letter


def _letter(player: ScriptedPlayer, to: str, subject: str, at: Millis) -> EmailMessage:
    letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    letter["From"] = f"{player.name} <{player.address}>"
    letter["To"] = to
    letter["Subject"] = subject
    letter["Date"] = format_datetime(datetime_of(at))
    mark = sha256(f"{player.address}|{at}|{subject}".encode()).hexdigest()[:16]
    letter["Message-ID"] = f"<{mark}@example.org>"
    return letter


def _attribution(to: EmailMessage) -> str:
    return f"On {to['Date']}, {to['From']} wrote:"


def _div(line: str) -> str:
    return f"<div>{_escape_html(line) or '<br>'}</div>"


def _escape_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


DEMO_GAME = "demo"
DEMO_KIND = "indianomacy"
DEMO_YEARS = 2
DEMO_TURNS = 11
"""The approximate number of turns in two years, for the progress bar."""
DEMO_START: Millis = 1_767_636_000_000
"""Monday 5 January 2026, 18:00 UTC.

The demonstration starts its own clock here, so that every run is the same.
"""
DEMO_SECRET = hashlib.sha256(b"the demonstration keeps no secrets").digest()
DEMO_MARKER_FILE = ".turnpost-demo"


@dataclass
class DemoService:
    """The service and the clock of a running demonstration.

    turn_number: the number of movement turns played.
    """

    folder: Path
    service: Service
    clock: ManualClock
    port: int
    game: Game
    turn_number: int = 0
    silent: bool = field(default=False)

    @property
    def position(self) -> GamePosition:
        """Return the game's current position."""
        return game_admin.position_of(self.service, DEMO_GAME)

    def mail_of(self, player: ScriptedPlayer) -> Path:
        """Return a player's Maildir."""
        return self.folder / "mail" / player.address

    def post(self, player: ScriptedPlayer, raw: bytes) -> None:
        """Send an email over SMTP to the built-in mail server."""
        letter = raw.split(b"\r\n\r\n", 1)[0]
        to = next(line for line in letter.splitlines() if line.lower().startswith(b"to: "))[4:].decode()
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20, local_hostname="localhost") as server:
            server.sendmail(player.address, [to], raw)

    def work(self) -> None:
        """Run the service's regular work once."""
        self.service.poll()
        self.service.process()
        self.service.send()


def play_demo(folder: str | Path, console: Console) -> int:
    """Play two years in a folder, after deleting an earlier demonstration in it. Return 0.

    Raises Refusal if the folder holds anything else.
    """
    there = Path(folder).resolve()
    _clear_folder(there)
    with ExitStack() as open_things:
        stage = _set_up(there, open_things)
        bar = open_things.enter_context(
            Progress(TextColumn("{task.description:<34}"), BarColumn(), TimeElapsedColumn(), console=console)
        )
        task = bar.add_task("Adding three players", total=DEMO_TURNS + 2)

        def tell(what: str, done: int) -> None:
            bar.update(task, description=what, completed=done)
            if not console.is_terminal:  # the bar appears only on a terminal; elsewhere each step is a line
                console.print(what)

        while stage.position.is_running and _year(stage) <= DEMO_YEARS:
            turn = stage.game.rules.turn(stage.position.state)
            tell(f"Playing {turn.name}", stage.turn_number)
            _play_turn(stage)
        tell("Writing emails, maps and the archive", DEMO_TURNS + 1)
        first = write_album(stage.service, DEMO_GAME, there)
        bar.update(task, description="Done", completed=DEMO_TURNS + 2)
    _print_summary(console, there, first)
    return 0


def _clear_folder(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / DEMO_MARKER_FILE).exists():
            raise Refusal(
                f"Can't use folder {folder}",
                "it isn't empty and wasn't written by \"gm demo\"",
                "Name another folder with --folder",
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DEMO_MARKER_FILE).write_text("Every run of gm demo rewrites this folder.\n", encoding="utf-8")


def _set_up(folder: Path, open_things: ExitStack) -> DemoService:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    (folder / "gm.toml").write_text(DEMO_CONFIG.format(port=port), encoding="utf-8")
    settings = load_settings(folder / "gm.toml")
    clock = ManualClock(DEMO_START)
    service = open_service(settings, clock)
    assert settings.local is not None
    server = local_server.LocalServer(
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
    """Play one turn: reports arrive, players reply after their usual delay, then the deadline passes."""
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
    """Return the emails that players will write in this turn, with their times."""
    letters: list[Letter] = []
    for player in PLAYERS:
        orders = _choose_orders(stage, position, player)
        if orders:
            letters += _WRITERS[player](stage, position, player, orders, began + player.hours * HOUR)
    return letters


def _choose_orders(stage: DemoService, position: GamePosition, player: ScriptedPlayer) -> list[str]:
    """Return a player's orders in canonical notation, or none if nothing is due."""
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
    stage: DemoService, _position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    def write() -> None:
        report = latest_letter(stage.mail_of(player))
        stage.post(player, write_terse_letter(player, report, orders, at))

    return [(at, write)]


def _dakota(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    def write() -> None:
        report = latest_letter(stage.mail_of(player))
        view = stage.game.rules.view(position.state, player.seat)
        full = [write_in_full(order, stage.game, view) for order in orders]
        stage.post(player, write_phone_letter(player, report, full, at))

    return [(at, write)]


def _muskhogean(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    kind = stage.game.rules.turn(position.state).kind
    if kind != "moves":
        manner = write_office_letter
    elif stage.turn_number == 0:
        return _write_with_mistakes(stage, position, player, orders, at)
    else:
        manner = write_office_letter if stage.turn_number == 1 else write_changed_sheet
    if kind == "moves" and stage.turn_number == 1:
        assert position.deadline is not None
        at = position.deadline + position.deadlines.grace + HOUR  # the one late email

    def write() -> None:
        report = latest_letter(stage.mail_of(player))
        stage.post(player, manner(player, report, orders, at))

    return [(at, write)]


def _write_with_mistakes(
    stage: DemoService, position: GamePosition, player: ScriptedPlayer, orders: list[str], at: Millis
) -> list[Letter]:
    """Write an email with a misspelt name and an illegal order, then correct it after the reply."""
    view = stage.game.rules.view(position.state, player.seat)
    full = [write_in_full(order, stage.game, view) for order in orders]
    misspelt = [full[0].replace("Chickasaw", "Chikasaw").replace("Choctaw", "Chocktaw"), *full[1:]]
    first = [*misspelt[:-1], " ".join([*orders[-1].split()[:2], "-", "Mohawk"])]

    def write() -> None:
        report = latest_letter(stage.mail_of(player))
        stage.post(player, write_office_letter(player, report, first, at))

    def send_with_password() -> None:
        word = find_password(stage.mail_of(player))
        address = stage.service.service_context.address
        stage.post(player, write_password_letter(player, address, DEMO_GAME, word, full[-1:], at + 4 * HOUR))

    return [(at, write), (at + 4 * HOUR, send_with_password)]


_WRITERS = {IROQUOIS: _iroquois, DAKOTA: _dakota, MUSKHOGEAN: _muskhogean}


def _print_summary(console: Console, folder: Path, first: list[tuple[Path, str]]) -> None:
    console.print(
        f"\nTwo game-years were played by email. Everything is in {folder.name}/. Open first:\n",
        soft_wrap=True,
    )
    for path, why in first:
        console.print(f"  {folder.name}/{path.relative_to(folder)}", style="bold", end="", soft_wrap=True)
        console.print(f"\n      {why}", soft_wrap=True)
    console.print("\n  .venv/bin/gm demo --check   replays the game and compares every email.\n")


# The output of the demonstration: all emails in both directions, maps, a report, the archive.


MAX_ALBUM_LETTERS = 1_000_000


@dataclass(frozen=True)
class AlbumLetter:
    """One email of the output: its time, its direction ("in", "out"), the correspondent, and its bytes."""

    at: Millis
    way: str
    number: int
    who: str
    raw: bytes

    @property
    def name(self) -> str:
        """Return the file name without the extension."""
        return f"{self.way}-{self.who.partition('@')[0]}"


def write_album(service: Service, name: str, folder: Path) -> list[tuple[Path, str]]:
    """Write emails, maps, the last report and the archive. Return what to open first, with the reasons."""
    written = _write_letters(service, folder / "letters")
    maps = _write_maps(service, name, folder / "maps")
    report = _write_report([leaf for _, leaf in written], folder)
    slips = next(path for path, leaf in written if leaf.way == "out" and "\n✗" in _render_letter(leaf.raw))
    website.build(service, folder / "site")
    return [
        (report, "the last report as a player sees it, with the map"),
        (folder / "site" / "games" / name / "index.html", "the game's page in the archive, turn by turn"),
        (maps[-1], f"the map alone, {MAP_PX:,} pixels wide"),
        (slips.with_suffix(".txt"), "the reply to an email with a mistake and a misspelt name"),
        (written[0][0].with_suffix(".txt"), "the first email; all later emails follow in order"),
    ]


def album_letters(service: Service) -> list[AlbumLetter]:
    """Return every incoming and outgoing email in the database, ordered by time."""
    with service.database.session():
        came = inbox.list_letters(service.database, MAX_ALBUM_LETTERS)
        whole = [inbox.show(service.database, letter.number) for letter in came]
        went = outbox.list_posted(service.database, MAX_ALBUM_LETTERS)
    letters = [
        AlbumLetter(letter.received, "in", letter.number, letter.speaker or "unknown", letter.raw)
        for letter in whole
        if letter is not None
    ]
    letters += [
        AlbumLetter(outgoing.created, "out", outgoing.number, outgoing.sealed.to, outgoing.sealed.raw)
        for outgoing in went
    ]
    return sorted(letters, key=lambda leaf: (leaf.at, leaf.way, leaf.number))


def _write_letters(service: Service, folder: Path) -> list[tuple[Path, AlbumLetter]]:
    folder.mkdir()
    written = []
    for number, leaf in enumerate(album_letters(service), 1):
        path = folder / f"{number:03}-{leaf.name}.eml"
        path.write_bytes(leaf.raw)
        path.with_suffix(".txt").write_text(_render_letter(leaf.raw), encoding="utf-8")
        written.append((path, leaf))
    return written


def _render_letter(raw: bytes) -> str:
    letter = message_from_bytes(raw, policy=policy.default)
    head = "".join(f"{name}: {letter[name]}\n" for name in ("From", "To", "Date", "Subject"))
    return f"{head}\n{plain_text(letter)}"


def _write_maps(service: Service, name: str, folder: Path) -> list[Path]:
    """Write the map after each turn as SVG and PNG."""
    folder.mkdir()
    written = []
    for place, (entry, _) in enumerate(stored_games.log(service.database, name)):
        drawn = game_admin.drawing(service, name, place)
        path = folder / f"{place:02}-{entry.turn if place else 'opening'}.png"
        path.with_suffix(".svg").write_text(drawn, encoding="utf-8")
        path.write_bytes(png(drawn))
        written.append(path)
    return written


def _write_report(written: list[AlbumLetter], folder: Path) -> Path:
    """Write the HTML of the last report, with its pictures next to it."""
    reports = [leaf for leaf in written if leaf.way == "out" and b"Content-ID" in leaf.raw]
    letter = message_from_bytes(reports[-1].raw, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    body = letter.get_body(("html",))
    assert body is not None, "reports have HTML"
    page = str(body.get_content())
    for part in letter.walk():
        if content_id := part.get("Content-ID"):
            assert isinstance(part, EmailMessage)
            name = str(content_id).strip("<>")
            picture = folder / f"report-{name.partition('.')[0]}.png"
            picture.write_bytes(part.get_content())
            page = page.replace(f"cid:{name}", picture.name)
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path


# Checking a demonstration: its log must replay to the same states, and every email must have been sent.


def check_demo(folder: str | Path, console: Console) -> int:
    """Check a demonstration. Return 0 if everything matches, otherwise print the differences and return 1."""
    there = Path(folder).resolve()
    if not (there / "gm.toml").is_file():
        raise Refusal(f"Can't check {there}", "it doesn't hold a demonstration", 'Play one with "gm demo"')
    service = open_service(load_settings(there / "gm.toml"))
    proof = game_admin.prove(service, DEMO_GAME)
    faults = [proof.fault] if proof.fault else []
    faults += _find_strange_letters(there, [leaf.raw for leaf in album_letters(service)])
    faults += _find_undelivered_letters(
        there, [leaf.raw for leaf in album_letters(service) if leaf.way == "out"]
    )
    service.database.close()
    for fault in faults:
        console.print(f"differs: {fault}")
    if not faults:
        count = len(list((there / "letters").glob("*.eml")))
        console.print(f"{proof.agreed} log entries replayed: every roll and every position is the same.")
        console.print(f"{count} emails in {there.name}/letters: each matches an email that was sent.")
    return 1 if faults else 0


def _find_strange_letters(folder: Path, on_books: list[bytes]) -> list[str]:
    shown = {path.name: path.read_bytes() for path in sorted((folder / "letters").glob("*.eml"))}
    strange = [f"{name}: this email was never sent" for name, raw in shown.items() if raw not in on_books]
    if len(shown) != len(on_books):
        strange.append(f"{len(on_books)} emails were sent, but the folder holds {len(shown)}")
    return strange


def _find_undelivered_letters(folder: Path, sent: list[bytes]) -> list[str]:
    """Name each outgoing email that is missing from its reader's Maildir.

    Lines added by servers don't count.
    """
    there = [file.read_bytes() for file in (folder / "mail").glob("*@*/new/*")]
    # The database keeps no passwords of emails that were sent.
    bodies = {_below_trace(raw) for raw in there} | {_below_trace(redact_letter(raw)) for raw in there}
    return [
        f"an email that was sent never arrived: {raw[:60]!r}"
        for raw in sent
        if _below_trace(raw) not in bodies
    ]


def _below_trace(raw: bytes) -> bytes:
    text = raw.replace(b"\r\n", b"\n")
    return text[text.index(b"Message-ID:") :]
