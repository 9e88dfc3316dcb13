"""Benchmark of emails: from the mailbox to their replies, and from there to a server."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from functools import partial
from pathlib import Path

import aiosmtplib
import imapclient

from adjudicator.admin import game_admin
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.bench.start import Figure, middle, ratio, time_actions
from adjudicator.clock import WallClock, datetime_of
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.inbound.dry_run import opening_of, position_of
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.mail.maildir import make_maildir, write_letter
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.games import GamePosition, TakeSeat
from adjudicator.model.mail import HeaderText, LetterDraft, OutgoingMessage
from adjudicator.model.orders_on_file import order_of
from adjudicator.outbound.composer import draw_map
from adjudicator.reports.maps import Drawing
from adjudicator.reports.order_sheet import sheet, sheet_lines
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox, stored_games
from games.dice import SealedDice
from games.protocol import Game, Seat
from orders.mail.body import SHEET_TITLE, fresh_lines
from orders.mail.letter import open_letter
from orders.reading.letter_reader import read_lines

LETTERS_A_SEAT = 6
"""The maximum per seat, so that each email gets its reply."""

MAIL_AIM_MS = 2.5
"""The aim in milliseconds of processor time, for an email stored, read and answered into the outbox."""

BENCH_ADDRESS = "gm@example.org"
_MAIL_CONFIG = """
[service]
address = "{address}"
[inbox]
{inbox}
[outbox]
url = "smtp://127.0.0.1:{smtp}"
"""


@dataclass(frozen=True)
class PlayerLetter:
    """An email of a player, with the text of each order in it."""

    raw: bytes
    game: str
    seat: Seat
    orders: Sequence[str]


def measure_mail(kind: str, letters: int) -> tuple[Figure, ...]:
    """Receive emails, answer them, and send the replies, in a temporary folder.

    kind: the kind of the games. Raises Refusal for an unknown kind or one with a single player, and OSError
    if Dovecot is installed but doesn't start.
    """
    with _folder() as folder, sink() as smtp:
        _configure(folder, smtp, 'url = "maildir:./in"')
        with _house(folder) as service:
            written = _make_letters(service, kind, letters)
        raw = [letter.raw for letter in written]
        parse = _time_per_letter(
            "to parse, by the bare library",
            letters,
            lambda: [_parse_with_library(raw_letter) for raw_letter in raw],
        )
        if not is_installed():
            _drop(folder / "in", raw)
            why = "from a Maildir: Dovecot isn't installed (apt-get install dovecot-imapd)"
            return (parse, *_measure_service(folder, smtp, written, why, parse))
        with dovecot(folder / "dovecot", raw) as port:
            login = f'url = "imap://{USER}@127.0.0.1:{port}"\npassword = "{PASSWORD}"'
            _configure(folder, smtp, login)
            fetch = _time_per_letter("to fetch, by the bare library", letters, lambda: _fetch_all(port))
            return (fetch, parse, *_measure_service(folder, smtp, written, "from Dovecot", parse))


def _measure_service(
    folder: Path, smtp: int, written: Sequence[PlayerLetter], source: str, parse: Figure
) -> Iterator[Figure]:
    count = len(written)
    with _house(folder) as service:
        kept = _time_per_letter("fetched and stored", count, service.poll, source)
        answered = _time_per_letter("read and answered into the outbox", count, service.process)
        answers = [posted.sealed for posted in outbox.list_posted(service.database, count, ("ready",))]
        assert len(answers) == count, f"{len(answers)} replies to {count} emails"
        check_orders_filed(service, written)
        through = kept.value + answered.value
        yield kept
        yield answered
        verdict = "met" if through <= MAIL_AIM_MS else "missed"
        yield Figure("from the mailbox to the reply", through, "ms", f"the aim is {MAIL_AIM_MS:g}: {verdict}")
        yield Figure("of that, against parsing alone", through / parse.value, "times")
        bare = _time_per_letter(
            "to send, by the bare library", count, lambda: asyncio.run(_sent_bare(answers, smtp))
        )
        sent = _time_per_letter("sent, each with a copy to ourselves", count, service.send)
        assert outbox.counts(service.database)["ready"] == 0, "the sink accepts everything"
        yield bare
        yield sent
        yield ratio("sending against the bare library", sent, bare)


def check_orders_filed(service: Service, written: Sequence[PlayerLetter]) -> None:
    """Check that all emails were read, and that each seat's saved orders are those of its last email.

    Raises AssertionError. Without this check, rejected emails would make the benchmark look faster.
    """
    decided = [letter.disposition for letter in inbox.list_letters(service.database, len(written))]
    assert decided.count("read") == len(written), f"{decided.count('read')} of {len(written)} were read"
    last = {(letter.game, letter.seat): letter.orders for letter in written}
    for (name, seat), orders in last.items():
        position = game_admin.position_of(service, name)
        write = position.game.notation.write
        filed = {write(order_of(item)) for item in position.filed.get(seat, ()) if order_of(item) is not None}
        is_taken = bool(orders) and filed >= set(orders)
        assert is_taken, f"{seat} of {name} wrote {orders}, but {filed} is saved"


def _time_per_letter(what: str, count: int, work: Callable[[], object], note: str = "") -> Figure:
    """Return milliseconds of processor time per email, with the time on the wall as a note."""
    began, processor = time.perf_counter(), time.process_time()
    work()
    took, busy = (
        (end - start) * 1000 / count
        for end, start in ((time.perf_counter(), began), (time.process_time(), processor))
    )
    return Figure(what, busy, "ms", "; ".join(filter(None, (note, f"{took:.2f} on the wall"))))


# Libraries that are measured for comparison.


def _fetch_all(port: int) -> None:
    client = imapclient.IMAPClient("127.0.0.1", port=port, ssl=False, timeout=60)
    client.login(USER, PASSWORD)
    client.select_folder("INBOX")
    client.fetch(client.search("ALL"), ["BODY.PEEK[]", "INTERNALDATE"])
    client.logout()


def _parse_with_library(raw: bytes) -> tuple[str, str, str]:
    letter = message_from_bytes(raw, policy=policy.default)
    body = letter.get_body(("plain",))
    return str(letter["From"]), str(letter["Subject"]), "" if body is None else str(body.get_content())


async def _sent_bare(letters: Sequence[OutgoingMessage], port: int) -> None:
    async with aiosmtplib.SMTP(
        hostname="127.0.0.1", port=port, start_tls=False, local_hostname="localhost"
    ) as client:
        for letter in letters:
            await client.sendmail(letter.sender, [letter.to], letter.raw)


# The measured service, with its games, people and emails.


@contextmanager
def _folder() -> Iterator[Path]:
    # Dovecot must be able to enter the folder as any user.
    place = Path(tempfile.mkdtemp(prefix="turnpost-bench-"))
    place.chmod(0o755)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _configure(folder: Path, smtp: int, inbox: str) -> None:
    (folder / "gm.toml").write_text(_MAIL_CONFIG.format(address=BENCH_ADDRESS, inbox=inbox, smtp=smtp))


@contextmanager
def _house(folder: Path) -> Iterator[Service]:
    service = open_service(load_settings(folder / "gm.toml"))
    try:
        yield service
    finally:
        service.database.close()


def _make_letters(service: Service, kind: str, count: int) -> list[PlayerLetter]:
    """Start the games, write to each player once, and generate replies until there are enough emails."""
    now = service.clock.now()
    game = find_kind(kind)
    seats = list(dict.fromkeys(due.seat for due in game.rules.due(opening_of(game))))
    names = [f"g{number}" for number in range(1 + count // (LETTERS_A_SEAT * len(seats)))]
    for name in names:
        request = game_admin.GameRequest(kind, name, terms={"early": "no"})
        game_admin.new_game(service, request, secret=b"bench" * 8)
    position = game_admin.position_of(service, names[0])
    drawn = draw_map(game, position.state, (), None)
    for name in names:
        reports = [
            service.composer.seal(_report_letter(service, game, name, seat, drawn), now) for seat in seats
        ]
        taken = [
            TakeSeat(game=name, by="gm", seat=seat, address=_address(name, seat))
            for seat in position.assignments
        ]
        stored_games.perform(service.database, taken, reports, now)
        for letter in outbox.claim(service.database, now, len(reports)):
            outbox.confirm(service.database, [letter.message_id], now)
    if is_solo(game_admin.position_of(service, names[0])):
        why = "this is a solo game: an email runs the turn, so its orders aren't saved"
        raise Refusal(f"Can't measure emails of {kind}", why, 'Use "gm bench mail"')
    people = [(name, seat) for seat in seats for name in names]
    # A player's later emails have other orders, so that each email changes the saved orders.
    turns = (divmod(number, len(people)) for number in range(count))
    return [
        _letter(service, game, *people[who], number, bold=round_ % 2 == 0)
        for number, (round_, who) in enumerate(turns)
    ]


def _address(game: str, seat: Seat) -> str:
    return f"{seat.lower()}.{game}@example.net"


def _sheet(game: Game, service: Service, name: str, seat: Seat) -> tuple[str, ...]:
    state = game_admin.position_of(service, name).state
    return sheet_lines(game, state, game.rules.due(state), (), seat)


def _report_letter(service: Service, game: Game, name: str, seat: Seat, drawn: Drawing | None) -> LetterDraft:
    """Return an email like those that players reply to: with a map, and the order sheet at its end."""
    story = "".join(f"The news of this turn, line {number}.\n" for number in range(30))
    sheet = "\n".join(_sheet(game, service, name, seat))
    text = f"{story}\n{SHEET_TITLE}\n\n{sheet}\n\n"
    return LetterDraft(
        key=f"bench/{name}/{seat}",
        to=HeaderText(_address(name, seat)),
        subject=HeaderText("Spring, year 1"),
        text=text,
        html=f"<pre>{text}</pre><img src='cid:map'>",
        picture=drawn.png if drawn else None,
        game=name,
        seat=seat,
        turn=_turn(game, service, name),
        token=_token(game, service, name, seat),
    )


def _turn(game: Game, service: Service, name: str) -> str:
    return game.rules.turn(game_admin.position_of(service, name).state).short


def _token(game: Game, service: Service, name: str, seat: Seat) -> str:
    return reply_token(service.service_context.key, name, seat, 1, _turn(game, service, name))


def _orders(service: Service, game: Game, name: str, seat: Seat, bold: bool) -> list[str]:
    """Return orders, all but one if there are several: a bot's choice, or those on the sheet."""
    state = game_admin.position_of(service, name).state
    if not bold:
        return _all_but_one(_sheet(game, service, name, seat))
    bot, view = next(iter(game.bots.values())), game.rules.view(state, seat)
    dues = [due for due in game.rules.due(state) if due.seat == seat]
    choices = [choice for due in dues for choice in bot.orders(view, due, SealedDice(b"bench", name, 0))]
    return _all_but_one([game.notation.write(choice.order) for choice in choices])


def _all_but_one(orders: Sequence[str]) -> list[str]:
    return list(orders[:-1] or orders)


def _letter(service: Service, game: Game, name: str, seat: Seat, number: int, bold: bool) -> PlayerLetter:
    """Return a player's email: their orders above the quoted email."""
    report = service.composer.seal(_report_letter(service, game, name, seat, None), 0)
    quoted = message_from_bytes(report.raw, policy=policy.default).get_body(("plain",))
    assert quoted is not None
    lines = str(quoted.get_content()).splitlines()
    letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    letter["From"] = _address(name, seat)
    letter["To"] = reply_address(BENCH_ADDRESS, name, seat, _token(game, service, name, seat))
    letter["Date"] = format_datetime(datetime_of(service.clock.now()))
    letter["Subject"] = f"Re: [{name} {_turn(game, service, name)} {seat}] Spring, year 1"
    letter["In-Reply-To"] = letter["References"] = report.message_id
    letter["Message-ID"] = f"<bench.{number}@example.net>"
    orders = _orders(service, game, name, seat, bold)
    above = "\n".join(orders)
    quote = "".join(f"> {line}\n" for line in lines)
    letter.set_content(f"{above}\n\nbest wishes\n\nOn Monday, 5 January 2026, Turnpost wrote:\n{quote}")
    return PlayerLetter(letter.as_bytes(), name, seat, orders)


def _drop(maildir: Path, letters: Sequence[bytes]) -> None:
    make_maildir(maildir)
    begin = WallClock().now() - len(letters)
    for number, raw in enumerate(letters):
        write_letter(maildir, f"{begin + number:013d}.{number}.bench", raw)


# A temporary Dovecot for a measurement: one mailbox, filled before it starts.


USER, PASSWORD = "gm", "bench"
START_SECONDS = 300
_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])

_COMMON_CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
first_valid_gid = 1
ssl = no
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""

_23 = """
mail_location = maildir:{folder}/mail
disable_plaintext_auth = no
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail
}}
"""

_24 = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
mail_driver = maildir
mail_home = {folder}/mail
mail_path = {folder}/mail
auth_allow_cleartext = yes
passdb static {{
  password = {password}
}}
userdb static {{
  fields {{
    uid = {user}
    gid = {group}
    home = {folder}/mail
  }}
}}
"""


def is_installed() -> bool:
    """Return whether Dovecot is installed."""
    return shutil.which("dovecot", path=_PATH) is not None


@contextmanager
def dovecot(folder: Path, letters: Sequence[bytes]) -> Iterator[int]:
    """Run Dovecot in a folder that everyone may enter, with the emails in its INBOX. Yields its IMAP port.

    Raises OSError if it doesn't start.
    """
    program = shutil.which("dovecot", path=_PATH)
    if program is None:
        raise FileNotFoundError("dovecot is not installed")
    _fill(folder, letters)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    settings = (_24 if _release(version) >= (2, 4) else _23) + _COMMON_CONFIG
    is_root = os.geteuid() == 0
    user, group = ("nobody", "nogroup") if is_root else (str(os.geteuid()), str(os.getegid()))
    config = folder / "dovecot.conf"
    with _port() as port:
        config.write_text(
            settings.format(folder=folder, user=user, group=group, port=port, password=PASSWORD)
        )
        words = [*_give_to_nobody(folder), program, "-F", "-c", str(config)]
        with subprocess.Popen(words, cwd=folder) as process:
            try:
                _wait_for(port, process, folder / "dovecot.log")
                yield port
            finally:
                process.terminate()


@contextmanager
def _port() -> Iterator[int]:
    """Yield a port that the system gives to nobody else: reserved by us, and open for Dovecot."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


def _fill(folder: Path, letters: Sequence[bytes]) -> None:
    for name in ("run", "state", "mail/new", "mail/cur", "mail/tmp"):
        (folder / name).mkdir(parents=True)
    for number, letter in enumerate(letters):
        (folder / "mail" / "new" / f"{1_700_000_000 + number}.{number}.bench").write_bytes(letter)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split()[0].split(".")[:2])


def _give_to_nobody(folder: Path) -> list[str]:
    """Return the command line that starts Dovecot without root rights, which its login process refuses."""
    if os.geteuid() != 0:
        return []
    for place in (folder, *folder.rglob("*")):
        shutil.chown(place, "nobody", "nogroup")
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.02)
    raise ConnectionError(f"Dovecot did not start: {log.read_text() if log.exists() else ''}")


# Benchmark of the steps of reading an email.


READING_AIM_MS = 0.8
"""The aim in milliseconds of processor time, from the bytes of an email to the verdicts."""

SIZE_BYTES = 4_096
"""The size of a typical email: some orders, a greeting, and the quoted report."""

_LETTER_HEAD = (
    "From: player@example.net\r\nTo: gm@example.org\r\nSubject: Re: [bench {turn} {seat}] {name}\r\n"
    "Message-ID: <{number}@example.net>\r\nIn-Reply-To: <0@example.org>\r\n"
    "Date: Mon, 5 Jan 2026 10:00:00 +0100\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
)
_TEXT_ABOVE_ORDERS = ("", "Hello all,\n\nhere are my orders for this turn:\n\n", "1. ")
_TEXT_BELOW_ORDERS = (
    "",
    "\nI hope that nobody attacks me next year. Good luck!\n",
    "\nSent from my iPhone\n",
)


def measure_reading(kind: str, letters: int) -> tuple[Figure, ...]:
    """Return the medians over some emails of every seat, for each step and for all together.

    Raises Refusal for an unknown kind.
    """
    game = find_kind(kind)
    position = position_of(game, opening_of(game))
    seats = list(position.assignments)
    work = [ReadingSteps(game, position, seats[number % len(seats)], number) for number in range(letters)]
    for reading in work[: len(seats)]:
        reading.whole()
    note = f"{letters} emails of {SIZE_BYTES / 1024:.0f} KB"
    whole = middle(time_actions([reading.whole for reading in work]), "an email read and judged", note)
    verdict = "within the aim" if whole.value <= READING_AIM_MS else "above the aim"
    return (
        whole,
        Figure(
            what="of that, against the aim", value=whole.value / READING_AIM_MS, unit="times", note=verdict
        ),
        *(middle(time_actions(steps), what) for what, steps in _steps(work)),
    )


class ReadingSteps:
    """The steps of reading one email. Each step saves its result for the next.

    raw: the bytes of the email. filed: the verdicts on its orders, after the last step.
    """

    def __init__(self, game: Game, position: GamePosition, seat: Seat, number: int) -> None:
        self.game, self.seated = game, AuthenticatedSeat(position, seat, "bench")
        self.sheet = sheet(game, position, seat)
        self.raw = _bot_letter(game, position, seat, self.sheet, number)

    def whole(self) -> None:
        """Run all steps, from the bytes to the verdicts."""
        for step in (self.parse, self.clean, self.match, self.judge):
            step()

    def parse(self) -> None:
        """Parse the email."""
        self.letter = open_letter(self.raw)

    def clean(self) -> None:
        """Extract the new lines from the email."""
        self.lines = fresh_lines(self.letter, self.sheet)

    def match(self) -> None:
        """Match the orders in the new lines."""
        self.reading = read_lines(self.lines, parse_context(self.game, self.seated))

    def judge(self) -> None:
        """Judge the orders."""
        self.filed = file_orders(self.game, self.seated, self.reading.orders, (), 0)


def _steps(work: Sequence[ReadingSteps]) -> Iterator[tuple[str, list[Callable[[], None]]]]:
    yield "its bytes parsed", [reading.parse for reading in work]
    yield "its new lines found", [reading.clean for reading in work]
    yield "its orders matched", [reading.match for reading in work]
    yield "its orders judged", [reading.judge for reading in work]


def _bot_letter(game: Game, position: GamePosition, seat: Seat, printed: Sequence[str], number: int) -> bytes:
    """Return an email with a bot's orders above the quoted report."""
    turn = game.rules.turn(position.state)
    head = _LETTER_HEAD.format(turn=turn.short, seat=seat, name=turn.name, number=number)
    orders = "\n".join(_bot_orders(game, position, seat, number))
    body = (
        f"{_TEXT_ABOVE_ORDERS[number % 3]}{orders}\n{_TEXT_BELOW_ORDERS[number % 3]}\nOn Monday, 5 January "
        f"2026, Turnpost wrote:\n"
    )
    tail = [f"> {SHEET_TITLE}", ">", *(f"> {line}" for line in printed), ">"]
    space = SIZE_BYTES - len(head) - len(body) - sum(len(line) + 1 for line in tail)
    # No two emails share a line except their orders, so that a cache can't help.
    story = [f"> {printed[0] if printed else seat}: line {line} of report {number}" for line in range(199)]
    while sum(len(line) + 1 for line in story) > space:
        story.pop()
    return (head + body + "\n".join((*story, *tail)) + "\n").encode()


def _bot_orders(game: Game, position: GamePosition, seat: Seat, number: int) -> list[str]:
    bot, view = next(iter(game.bots.values())), game.rules.view(position.state, seat)
    dice = SealedDice(b"bench", "reading", number)
    ask = partial(bot.orders, view, dice=dice)
    dues = [due for due in game.rules.due(position.state) if due.seat == seat]
    return [game.notation.write(choice.order) for due in dues for choice in ask(due)]


# A mail server that accepts everything and stores nothing, in its own process.
# python -m adjudicator.bench.mail: prints its port on 127.0.0.1, and runs until its standard input ends.


@contextmanager
def sink() -> Iterator[int]:
    """Run the mail server in its own process, and yield its port."""
    words = [sys.executable, "-m", "adjudicator.bench.mail"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 localhost\r\n")
    try:
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 OK\r\n")
            if verb == b"QUIT":
                break
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, limit=2**24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_main())
