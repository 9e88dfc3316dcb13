"""The fault campaign: a service that dies at every step, with a real Dovecot and a failing mail server.

Players send email after email, some twice. Meanwhile the service is killed, its connections are cut, its
mailbox is renumbered, its database can't grow, and its emails are rejected, delayed or unanswered. At the end
each order is in force once, each turn ran once, and Dovecot has the right number of emails.

Nothing depends on the speed of the machine: connections are cut while the service waits at a step, and its
clock advances with its rounds.
"""

import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import chain, pairwise
from pathlib import Path
from random import Random

import pytest

import games
from adjudicator.admin import game_admin
from adjudicator.clock import WallClock
from adjudicator.config.service import load_settings
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.service import SERVICE_STEPS, Service, open_service
from adjudicator.storage import inbox, outbox, stored_games
from adjudicator.turns.log import orders_of
from games.protocol import Seat
from tests.kit.crashing_service import SEEN, FileClock, ServiceForker, ServiceRun
from tests.kit.dice import any_dice
from tests.kit.failing_mail_server import LETTER_FAILURES, READER_FAILURES, Failures, Relay
from tests.kit.servers import DOMAIN, PASSWORD, Dovecot

SHORT = 8
"""So many rounds a service lives that is not killed: it may have something left to do."""

NOT_HANGING = pytest.mark.timeout(1800)
"""Far longer than a campaign lasts on any machine; it stands against one that never ends."""

CONFIG = """\
[service]
address = "{gm}@{domain}"
database = "{database}"
[inbox]
url = "imap://{gm}@127.0.0.1:{imap}"
password = "{password}"
[outbox]
url = "smtp://127.0.0.1:{smtp}"
probe = {probe}
probe_wait = "5m"
timeout = "{timeout}"
[deadlines]
moves = "90d"
retreats = "90d"
builds = "90d"
"""

Event = tuple[str, object]
HANDS = "hands"


@dataclass
class Campaign:
    """A service, its servers, its games, and what was done to it. owed: what each seat's orders should be."""

    folder: Path
    dovecot: Dovecot
    relay: Relay
    forker: ServiceForker
    lot: Random
    gm: str
    clock: FileClock
    sent: Counter[bytes] = field(default_factory=Counter)
    deaths: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    owed: dict[tuple[str, int, Seat], set[str]] = field(default_factory=dict)

    def service(self) -> Service:
        """The service's own books, looked at while no service lives."""
        return open_service(load_settings(self.folder / "gm.toml"), self.clock)

    def life(self, **wishes: object) -> ServiceRun:
        return ServiceRun(str(self.folder), self.clock, str(self.folder / HANDS), **wishes)

    def work(self) -> None:
        """Let a service live until nothing is left to do."""
        assert self.forker.live(self.life()) == 0

    def found(self, names: Sequence[str], seats: Sequence[str]) -> None:
        """Begin games with people in some seats, and one seat whose player nobody can reach."""
        service = self.service()
        for name in names:
            game_admin.new_game(service, game_admin.GameRequest("indianomacy", name), secret=b"c" * 32)
            for seat in seats:
                game_admin.assign(service, name, seat, self.address(name, seat))
        game_admin.new_game(service, game_admin.GameRequest("indianomacy", "lost"), secret=b"c" * 32)
        game_admin.assign(service, "lost", "Apache", self.relay.moods.gone)
        service.database.close()
        self.work()

    def address(self, game: str, seat: str) -> str:
        return f"{self.gm}-{game}-{seat.lower()}@{DOMAIN}"

    def letters(self, names: Sequence[str]) -> tuple[list[bytes], list[bytes]]:
        """Return the players' emails of this turn: one per order, with the first one replaced, and those that
        complete the orders.
        """
        service, first, last = self.service(), [], []
        for name in names:
            position = game_admin.position_of(service, name)
            for seat, assignment in position.assignments.items():
                orders = _orders(position, seat) if assignment.is_person else []
                if orders:
                    self.owed[name, position.entries, seat] = set(orders)
                    hold = " ".join(orders[0].split()[:2]) + " H"
                    texts = [hold, *orders] if len(orders) > 1 else orders
                    own = [self.letter(service, name, seat, text) for text in texts]
                    first.append(own[:-1])
                    last.append(own[-1])
        service.database.close()
        return _dealt(first, self.lot), last

    def letter(self, service: Service, name: str, seat: Seat, text: str) -> bytes:
        """Return a player's reply to the last email."""
        told = next(
            one.sealed
            for one in outbox.list_posted(service.database, 10_000)
            if (one.sealed.game, one.sealed.seat) == (name, seat)
        )
        answered = message_from_bytes(told.raw, policy=policy.default)
        letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
        letter["From"], letter["To"] = self.address(name, seat), str(answered["Reply-To"])
        letter["Subject"] = "orders"
        letter["In-Reply-To"] = told.message_id
        letter["Message-ID"] = f"<{len(self.sent)}.{self.lot.random()}@{DOMAIN}>"
        letter.set_content(f"{text}\n\nbest wishes\n")
        return letter.as_bytes()

    def deliver(self, letters: Sequence[bytes]) -> None:
        """Put letters into the mailbox; each seventh comes twice."""
        for letter in letters:
            to = str(message_from_bytes(letter)["To"])
            for _ in range(2 if len(self.sent) % 7 == 6 else 1):
                self.dovecot.deliver(self.gm, letter, to)
            self.sent[letter] += 1

    def suffer(self, event: Event) -> None:
        """One thing that happens to the service."""
        what, how = event
        self.events[what] += 1
        if what == "die at":
            step, when = how
            ended = self.forker.live(self.life(at=step, time=when))
            self.deaths[step] += ended == -signal.SIGKILL
        elif what == "die at call":
            ended = self.forker.live(self.life(calls=how))
            self.deaths["any moment"] += ended == -signal.SIGKILL
        elif what == "cut":
            self.forker.begin_run(self.life(at=how, held=True, rounds=SHORT))
            if self.forker.is_held():
                self.events["connections cut"] += self.dovecot.hang_up()
                self.forker.let_go()
            assert self.forker.end() == 0
        elif what == "rest":
            assert self.forker.live(self.life(rounds=SHORT)) == 0
        elif what == "number afresh":
            self.dovecot.forget_numbers(self.gm)
        else:
            assert self.forker.live(self.life(full_rounds=how, rounds=how + SHORT)) == 0

    def play(self, names: Sequence[str], early: Sequence[Event], late: Sequence[Event]) -> None:
        """A turn: letters come in between the early events, what completes them between the late ones."""
        for letters, events in zip(self.letters(names), (early, late), strict=True):
            for chunk, event in zip(_chunks(letters, len(events)), events, strict=True):
                # Numbered afresh, unread letters of one second would have no order any more.
                if event[0] == "number afresh":
                    self.suffer(event)
                    self.deliver(chunk)
                else:
                    self.deliver(chunk)
                    self.suffer(event)
        self.work()


def _orders(position: GamePosition, seat: Seat) -> list[str]:
    """Orders that a seat could give now, as it would write them."""
    game = position.game
    bot = next(iter(game.bots.values()))
    dues = [due for due in game.rules.due(position.state) if due.seat == seat]
    view = game.rules.view(position.state, seat)
    choices = chain.from_iterable(bot.orders(view, due, any_dice(position.entries)) for due in dues)
    return [game.notation.write(choice.order) for choice in choices]


def _dealt(stacks: list[list[bytes]], lot: Random) -> list[bytes]:
    """All letters in one heap, those of each stack in their order."""
    turns = [number for number, stack in enumerate(stacks) for _ in stack]
    lot.shuffle(turns)
    heads = [iter(stack) for stack in stacks]
    return [next(heads[number]) for number in turns]


def _chunks(letters: Sequence[bytes], count: int) -> Iterator[Sequence[bytes]]:
    edges = [len(letters) * number // count for number in range(count + 1)]
    return (letters[begin:end] for begin, end in pairwise(edges))


@contextmanager
def campaign(
    folder: Path,
    dovecot: Dovecot,
    forker: ServiceForker,
    moods: Failures,
    *,
    probe: bool,
    seed: int,
    database: str = "turnpost.db",
) -> Iterator[Campaign]:
    """Servers and a service that nothing has happened to yet."""
    gm = dovecot.somebody()
    relay = Relay(dovecot.lmtp, moods, folder / HANDS)
    text = CONFIG.format(
        gm=gm,
        domain=DOMAIN,
        database=database,
        imap=dovecot.imap,
        smtp=relay.port,
        password=PASSWORD,
        probe=str(probe).lower(),
        # Short only where it is met with silence, since each silence costs as much.
        timeout="1s" if moods.every else "10m",
    )
    (folder / "gm.toml").write_text(text)
    with relay:
        # Dovecot dates letters by the machine's clock, so that is where ours begins.
        clock = FileClock(str(folder / "clock"))
        clock.set(WallClock().now())
        yield Campaign(folder, dovecot, relay, forker, Random(seed), gm, clock)


EARLY: tuple[Event, ...] = (
    *(("die at", (step, 2)) for step in SERVICE_STEPS[:4]),
    ("number afresh", None),
    ("die at", ("report sending", 2)),
    ("cut", SEEN),
    ("die at", ("report delivered", 1)),
    ("full", 5),
    ("die at", ("report sent", 1)),
    ("die at call", 10_000),
)
# Of four letters that complete two games' orders, the second comes before the fourth event.
LATE: tuple[Event, ...] = (
    ("die at", ("letter kept", 1)),
    ("number afresh", None),
    ("full", 5),
    ("die at", ("turn played", 1)),
    ("die at", ("report sending", 1)),
    ("die at call", 20_000),
    ("die at", ("turn committed", 1)),
)


@NOT_HANGING
def test_nothing_is_lost_or_doubled(dovecot, forker, tmp_path, capsys):
    """The short form; the long one is `make soak`."""
    moods = Failures(Random(11))
    with campaign(tmp_path, dovecot, forker, moods, probe=True, seed=11) as it:
        it.found(["alder", "birch"], ["Iroquois", "Caddoan"])
        it.play(["alder", "birch"], EARLY, LATE)
        check(it, capsys)
        assert {step for step in SERVICE_STEPS if it.deaths[step]} == set(SERVICE_STEPS), (
            "each was a point of death"
        )
        assert it.deaths["any moment"] == it.events["die at call"] == 2
        assert set(moods.counts) == {*LETTER_FAILURES, *READER_FAILURES, "550 to the reader"}, "each was met"


IN_BRIEF: tuple[Event, ...] = (
    ("die at", ("letter kept", 1)),
    ("die at", ("letter handled", 1)),
    ("cut", SEEN),
    ("full", 3),
    ("die at", ("report sending", 1)),
)


@NOT_HANGING
def test_nothing_is_lost_or_doubled_on_postgresql(dovecot, forker, postgresql, tmp_path, capsys):
    """The same on a database server, in brief; where SQLite's file is full, this one takes nothing new."""
    moods = Failures(Random(21), every=0)
    with campaign(tmp_path, dovecot, forker, moods, probe=True, seed=21, database=postgresql.fresh()) as it:
        it.found(["alder"], ["Iroquois", "Caddoan"])
        it.play(["alder"], IN_BRIEF, [("die at", ("turn committed", 1))])
        check(it, capsys)
        assert it.deaths.total() == 4


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_nothing_is_lost_or_doubled_in_two_hundred_letters(dovecot, forker, tmp_path, capsys):
    moods = Failures(Random(12))
    lot = Random(13)
    with campaign(tmp_path, dovecot, forker, moods, probe=True, seed=12) as it:
        names = ["alder", "birch", "cedar", "dogwood", "elm"]
        it.found(names, ["Iroquois", "Caddoan", "Dakota", "Illinois"])
        while sum(it.sent.values()) < 200:
            randomly = [("die at call", lot.randint(1_000, 100_000)) for _ in range(20)]
            steps = [
                ("die at", (step, lot.randint(1, 6))) for step in SERVICE_STEPS if not step.startswith("turn")
            ]
            early = [*EARLY, *steps, *randomly]
            lot.shuffle(early)
            # Of twenty letters that complete the orders of five games, the sixteenth is before the eleventh.
            late = [*randomly[:5], *LATE[:5], ("die at", ("turn played", 1)), *LATE[5:]]
            it.play(names, _with_rests(early), late)
        check(it, capsys)
        assert {step for step in SERVICE_STEPS if it.deaths[step]} == set(SERVICE_STEPS)
        assert sum(it.deaths.values()) >= 36


def _with_rests(events: Sequence[Event]) -> list[Event]:
    """After each fourth a life that nothing ends: a letter over which it died five times is set aside."""
    fours = [events[begin : begin + 4] for begin in range(0, len(events), 4)]
    return [event for four in fours for event in (*four, ("rest", None))]


@NOT_HANGING
def test_without_copies_each_letter_comes_once_or_twice_and_says_so(dovecot, forker, tmp_path):
    """Probe off: at least once, at most once more, and marked."""
    moods = Failures(Random(0), every=0)
    with campaign(tmp_path, dovecot, forker, moods, probe=False, seed=5) as it:
        it.found(["alder"], ["Iroquois"])
        early: list[Event] = [("die at", ("report sending", 1)), ("die at", ("report delivered", 1))]
        it.play(["alder"], early, [("die at", ("report sending", 1))])
        arrived, twice = delivered(it), 0
        for address, letters in arrived.items():
            for message_id, count in letters.items():
                assert count in (1, 2), (address, message_id)
                twice += count == 2
        assert set(chain.from_iterable(arrived.values())) == set(list_sent_emails(it)) - {None}
        marked = [raw for raw in all_letters(it) if outbox.REPEATED.split(b":")[0] in raw]
        assert twice >= 1
        assert len(marked) >= twice


def all_letters(it: Campaign) -> list[bytes]:
    """Everything that lies in the players' mailboxes."""
    return [raw for user in players(it) for raw in it.dovecot.letters(user)]


def players(it: Campaign) -> list[str]:
    users = (place.name for place in (it.dovecot.folder / "mail").iterdir())
    return sorted(user for user in users if user.startswith(f"{it.gm}-"))


def delivered(it: Campaign) -> dict[str, Counter[str]]:
    """Return how often each Message-ID is in each player's mailbox, counted in Dovecot's files."""
    return {
        user: Counter(str(message_from_bytes(raw)["Message-ID"]) for raw in it.dovecot.letters(user))
        for user in players(it)
    }


def list_sent_emails(it: Campaign) -> dict[str, outbox.OutboxLetter]:
    """Return the emails to people by Message-ID, except those to the unknown person."""
    service = it.service()
    posted = outbox.list_posted(service.database, 10_000)
    service.database.close()
    aside = (it.relay.moods.gone, service.service_context.address)
    return {one.sealed.message_id: one for one in posted if one.sealed.to not in aside}


def check(it: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    """All that must hold at the end, and what was counted."""
    service = it.service()
    arrived, wrote = delivered(it), list_sent_emails(it)
    letters = inbox.list_letters(service.database, 10_000)
    faults = Counter(line.partition(":")[0] for line in (it.folder / "faults.txt").read_text().splitlines())
    times = Counter(chain.from_iterable(letters_.values() for letters_ in arrived.values()))
    lost = set(wrote) - set(chain.from_iterable(arrived.values()))
    with capsys.disabled():
        print(
            f"\n  letters in: {sum(it.sent.values())} sent, {len(letters)} kept; "
            f"out: {len(wrote)} written, {times[1]} delivered once, {times.total() - times[1]} more often, "
            f"{len(lost)} lost"
            f"\n  killed {it.deaths.total()} times: {dict(it.deaths)}"
            f"\n  what else happened: {dict(it.events)}; faults met: {dict(faults)}"
            f"\n  moods of the mail server: {dict(it.relay.moods.counts)}"
        )
    _check_letters_in(service, it, letters)
    _check_turns(service, it)
    assert all(count == 1 for letters_ in arrived.values() for count in letters_.values())
    assert set(chain.from_iterable(arrived.values())) == set(wrote)
    assert {one.state for one in wrote.values()} == {"sent"}
    assert faults["StoreFault"] > 0
    assert it.events["connections cut"] > 0
    assert faults["PostFault"] > 0, "they were in use"
    _check_the_unreachable(service, it)
    service.database.close()


def _check_letters_in(service: Service, it: Campaign, letters: Sequence[inbox.ShownLetter]) -> None:
    """Check that each email is stored once, was read, and was answered once."""
    assert len(letters) == len(it.sent)
    assert {letter.disposition for letter in letters} == {"read"}
    for letter in letters:
        assert len(outbox.answers_to(service.database, letter.number)) == 1, letter.number


def _check_turns(service: Service, it: Campaign) -> None:
    """Each turn was played once, from just the orders that were sent, and told once to each reader."""
    reports = Counter(
        key for key in (one.sealed.key for one in list_sent_emails(it).values()) if "/report/" in key
    )
    wanted: Counter[str] = Counter()
    for name in {name for name, _, _ in it.owed}:
        log = stored_games.log(service.database, name)
        game = games.kinds()["indianomacy"]
        assert len({entry.number for entry, _ in log}) == len(log)
        assert game_admin.prove(service, name).fault is None
        for entry, _ in log:
            for seat, orders in orders_of(game, entry).items():
                told = {game.notation.write(order) for order in orders}
                assert it.owed.get((name, entry.number, seat), told) == told
            assert not entry.silent
        position = game_admin.position_of(service, name)
        played = {number for owner, number, _ in it.owed if owner == name}
        assert played <= {entry.number for entry, _ in log}
        seats = [seat for seat, assignment in position.assignments.items() if assignment.is_person]
        wanted.update(f"{name}/{entry.number}/report/{seat}" for entry, _ in log[1:] for seat in seats)
    assert reports == wanted


def _check_the_unreachable(service: Service, it: Campaign) -> None:
    """Check that permanent rejections are recorded at the seat, and that the GM is told once."""
    assignment = game_admin.position_of(service, "lost").assignments[Seat("Apache")]
    assert assignment.trouble == "550 no such user"
    own = [*it.dovecot.letters(it.gm), *it.dovecot.letters(it.gm, "Turnpost")]
    subject = sentence("service.mail.undelivered_subject", to=it.relay.moods.gone)
    told = [
        raw
        for raw in own
        if str(message_from_bytes(raw, policy=policy.default)["Subject"]).startswith(subject)
        and b"+sent@" not in raw
    ]
    assert len(told) == 1
    copies = Counter(str(message_from_bytes(raw)["Message-ID"]) for raw in own if b"+sent@" in raw)
    assert set(copies.values()) == {1}
