"""Benchmark of letters: from the mailbox to their replies, and from there to a server."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import aiosmtplib
import imapclient

import games
from adjudicator.admin import game_admin
from adjudicator.bench import dovecot
from adjudicator.bench.figures import Figure, ratio
from adjudicator.bench.sink import sink
from adjudicator.clock import WallClock, datetime_of
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal
from adjudicator.inbound.dry_run import opening_of
from adjudicator.kinds import find_kind
from adjudicator.mail.maildir import make_maildir, write_letter
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.filed_orders import order_of
from adjudicator.model.game_acts import TakeSeat
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import LetterDraft, OutgoingMessage
from adjudicator.model.solo_games import is_solo
from adjudicator.outbound.composer import draw_map
from adjudicator.reports.order_sheet import sheet_lines
from adjudicator.reports.picture import Drawing
from adjudicator.service import Service, open_service
from adjudicator.storage import acts, inbox, outbox
from games.dice import SealedDice
from games.protocol import Game, Seat
from orders.mail.body import SHEET_TITLE

LETTERS_A_SEAT = 6
"""So nobody writes more often than he is answered."""

MAIL_AIM_MS = 2.5
"""Of processor time, for a letter kept, read and answered into the outbox."""

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
    """A letter of a player's, with what it orders: one text for each order."""

    raw: bytes
    game: str
    seat: Seat
    orders: Sequence[str]


def measure(kind: str, letters: int) -> tuple[Figure, ...]:
    """Take letters in, answer them, send the answers; in a folder that goes again afterwards.

    kind: of the games to which they belong. Raises Refusal for a kind that is not there, or is for one, and
    OSError where Dovecot is there and does not start.
    """
    with _folder() as folder, sink() as smtp:
        _configure(folder, smtp, 'url = "maildir:./in"')
        with _house(folder) as house:
            written = _make_letters(house, kind, letters)
        raw = [letter.raw for letter in written]
        parse = _time_per_letter(
            "to parse, by the bare library",
            letters,
            lambda: [_parse_with_library(raw_letter) for raw_letter in raw],
        )
        if not dovecot.is_installed():
            _drop(folder / "in", raw)
            why = "from a Maildir: Dovecot is not installed (apt-get install dovecot-imapd)"
            return (parse, *_through(folder, smtp, written, why, parse))
        with dovecot.dovecot(folder / "dovecot", raw) as port:
            login = f'url = "imap://{dovecot.USER}@127.0.0.1:{port}"\npassword = "{dovecot.PASSWORD}"'
            _configure(folder, smtp, login)
            fetch = _time_per_letter("to fetch, by the bare library", letters, lambda: _fetch_all(port))
            return (fetch, parse, *_through(folder, smtp, written, "from Dovecot", parse))


def _through(
    folder: Path, smtp: int, written: Sequence[PlayerLetter], source: str, parse: Figure
) -> Iterator[Figure]:
    count = len(written)
    with _house(folder) as house:
        kept = _time_per_letter("fetched and kept", count, house.poll, source)
        answered = _time_per_letter("read and answered into the outbox", count, house.process)
        answers = [posted.sealed for posted in outbox.list_posted(house.database, count, ("ready",))]
        assert len(answers) == count, f"{len(answers)} answers to {count} letters"
        check_orders_filed(house, written)
        through = kept.value + answered.value
        yield kept
        yield answered
        yield Figure("from the mailbox to the answer", through, "ms", _aim_text(through))
        yield Figure("of that, against parsing alone", through / parse.value, "times")
        bare = _time_per_letter(
            "to send, by the bare library", count, lambda: asyncio.run(_sent_bare(answers, smtp))
        )
        sent = _time_per_letter("sent, each with a copy to ourselves", count, house.send)
        assert outbox.counts(house.database)["ready"] == 0, "the sink takes everything"
        yield bare
        yield sent
        yield ratio("sending against the bare library", sent, bare)


def check_orders_filed(house: Service, written: Sequence[PlayerLetter]) -> None:
    """Check that all these letters were read, and that each seat has on file what it wrote last.

    Raises AssertionError: to turn a letter away takes less time than to answer it.
    """
    decided = [letter.disposition for letter in inbox.list_letters(house.database, len(written))]
    assert decided.count("read") == len(written), f"{decided.count('read')} of {len(written)} were read"
    last = {(letter.game, letter.seat): letter.orders for letter in written}
    for (name, seat), orders in last.items():
        position = game_admin.position_of(house, name)
        write = games.kinds()[position.kind].notation.write
        filed = {write(order_of(item)) for item in position.filed.get(seat, ()) if order_of(item) is not None}
        is_taken = bool(orders) and filed >= set(orders)
        assert is_taken, f"{seat} of {name} wrote {orders}, on file is {filed}"


def _time_per_letter(what: str, count: int, work: Callable[[], object], note: str = "") -> Figure:
    """Return milliseconds of processor time a letter, with those that passed on the wall as a note."""
    began, processor = time.perf_counter(), time.process_time()
    work()
    took, busy = (
        (end - start) * 1000 / count
        for end, start in ((time.perf_counter(), began), (time.process_time(), processor))
    )
    return Figure(what, busy, "ms", "; ".join(filter(None, (note, f"{took:.2f} on the wall"))))


def _aim_text(through: float) -> str:
    return f"the aim is {MAIL_AIM_MS:g}: " + ("met" if through <= MAIL_AIM_MS else "missed")


# What is measured beside ours.


def _fetch_all(port: int) -> None:
    client = imapclient.IMAPClient("127.0.0.1", port=port, ssl=False, timeout=60)
    client.login(dovecot.USER, dovecot.PASSWORD)
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


# The service, its games, its people, and what they write.


@contextmanager
def _folder() -> Iterator[Path]:
    # One that Dovecot may enter, whoever runs it.
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
    house = open_service(load_settings(folder / "gm.toml"))
    try:
        yield house
    finally:
        house.database.close()


def _make_letters(house: Service, kind: str, count: int) -> list[PlayerLetter]:
    """Begin the games, write to everybody once, and have everybody answer until there are enough letters."""
    now = house.clock.now()
    game = find_kind(kind)
    seats = list(dict.fromkeys(due.seat for due in game.rules.due(opening_of(game))))
    names = [f"g{number}" for number in range(1 + count // (LETTERS_A_SEAT * len(seats)))]
    for name in names:
        request = game_admin.GameRequest(kind, name, terms={"early": "no"})
        game_admin.new_game(house, request, secret=b"bench" * 8)
    position = game_admin.position_of(house, names[0])
    drawn = draw_map(game, position.state, (), None)
    for name in names:
        reports = [house.composer.seal(_report_letter(house, game, name, seat, drawn), now) for seat in seats]
        taken = [
            TakeSeat(game=name, by="gm", seat=seat, address=_address(name, seat)) for seat in position.chairs
        ]
        acts.perform(house.database, taken, reports, now)
        for letter in outbox.claim(house.database, now, len(reports)):
            outbox.confirm(house.database, [letter.message_id], now)
    if is_solo(game_admin.position_of(house, names[0])):
        why = "is for one person, whose letter plays the turn, so that none of it is on file"
        raise Refusal(f"kind {kind}", why, "gm bench mail")
    people = [(name, seat) for seat in seats for name in names]
    # Who writes again orders something else, so that each letter changes what is on file.
    turns = (divmod(number, len(people)) for number in range(count))
    return [
        _letter(house, game, *people[who], number, bold=round_ % 2 == 0)
        for number, (round_, who) in enumerate(turns)
    ]


def _address(game: str, seat: Seat) -> str:
    return f"{seat.lower()}.{game}@example.net"


def _sheet(game: Game, house: Service, name: str, seat: Seat) -> tuple[str, ...]:
    state = game_admin.position_of(house, name).state
    return sheet_lines(game, state, game.rules.due(state), (), seat)


def _report_letter(house: Service, game: Game, name: str, seat: Seat, drawn: Drawing | None) -> LetterDraft:
    """Return a letter such as players answer: with a map, and their order sheet at its end."""
    story = "".join(f"Of what happened this turn, this is line {number}.\n" for number in range(30))
    sheet = "\n".join(_sheet(game, house, name, seat))
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
        turn=_turn(game, house, name),
        token=_token(game, house, name, seat),
    )


def _turn(game: Game, house: Service, name: str) -> str:
    return game.rules.turn(game_admin.position_of(house, name).state).short


def _token(game: Game, house: Service, name: str, seat: Seat) -> str:
    return reply_token(house.office.key, name, seat, 1, _turn(game, house, name))


def _orders(house: Service, game: Game, name: str, seat: Seat, bold: bool) -> list[str]:
    """Orders, all but one where there are several: what a bot would do, or what the sheet says."""
    state = game_admin.position_of(house, name).state
    if not bold:
        return _all_but_one(_sheet(game, house, name, seat))
    bot, view = next(iter(game.bots.values())), game.rules.view(state, seat)
    dues = [due for due in game.rules.due(state) if due.seat == seat]
    choices = [choice for due in dues for choice in bot.orders(view, due, SealedDice(b"bench", name, 0))]
    return _all_but_one([game.notation.write(choice.order) for choice in choices])


def _all_but_one(orders: Sequence[str]) -> list[str]:
    return list(orders[:-1] or orders)


def _letter(house: Service, game: Game, name: str, seat: Seat, number: int, bold: bool) -> PlayerLetter:
    """A player's letter: his orders above what he was told."""
    report = house.composer.seal(_report_letter(house, game, name, seat, None), 0)
    quoted = message_from_bytes(report.raw, policy=policy.default).get_body(("plain",))
    assert quoted is not None
    lines = str(quoted.get_content()).splitlines()
    letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    letter["From"] = _address(name, seat)
    letter["To"] = reply_address(BENCH_ADDRESS, name, seat, _token(game, house, name, seat))
    letter["Date"] = format_datetime(datetime_of(house.clock.now()))
    letter["Subject"] = f"Re: [{name} {_turn(game, house, name)} {seat}] Spring, year 1"
    letter["In-Reply-To"] = letter["References"] = report.message_id
    letter["Message-ID"] = f"<bench.{number}@example.net>"
    orders = _orders(house, game, name, seat, bold)
    above = "\n".join(orders)
    quote = "".join(f"> {line}\n" for line in lines)
    letter.set_content(f"{above}\n\nbest wishes\n\nOn Monday, 5 January 2026, Turnpost wrote:\n{quote}")
    return PlayerLetter(letter.as_bytes(), name, seat, orders)


def _drop(maildir: Path, letters: Sequence[bytes]) -> None:
    make_maildir(maildir)
    begin = WallClock().now() - len(letters)
    for number, raw in enumerate(letters):
        write_letter(maildir, f"{begin + number:013d}.{number}.bench", raw)
