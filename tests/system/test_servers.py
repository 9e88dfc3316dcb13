"""The service on real servers: a game-year over IMAP and Postfix, and a failure of each server.

Dovecot and Postfix use certificates of the tests' authority, over STARTTLS. Every address of the domain is a
mailbox, so the players are its users.
"""

import smtplib
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Page

from adjudicator.admin import game_admin, lookup
from adjudicator.clock import Clock, ManualClock, WallClock
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import serve
from adjudicator.errors import LoginFault, PostFault
from adjudicator.messages import sentence
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox, stored_games, workers
from tests.kit import browser
from tests.kit.network_proxy import breakable_proxy
from tests.kit.servers import DOMAIN, PASSWORD, Dovecot, Postfix, running
from tests.kit.service_harness import HOUR, text_of

pytestmark = pytest.mark.usefixtures("many_logins")

CONFIG = """\
[service]
address = "{user}@{domain}"
[inbox]
url = "imap://{user}@localhost:{imap}"
password = {{ env = "TURNPOST_TEST_PASSWORD" }}
ca_file = "{ca}"
[outbox]
url = "smtp://localhost:{smtp}"
ca_file = "{ca}"
probe_wait = "0s"
"""
ORDERS = {
    ("Iroquois", "S1M"): "Mohok S Onondaga - Delaware; Onondaga → Delaware\nOneida holds\nSEN H",
    ("Dakota", "S1M"): "w tet h\nykt h\nsis h\nsnt - poj",
    ("Iroquois", "F1M"): "Delaware H, Mohawk H, Oneida H, Seneca H",
}


@dataclass
class ServiceOnDovecot:
    """A service on the servers, and its players' mailboxes."""

    service: Service
    dovecot: Dovecot
    folder: Path

    def work(self) -> None:
        """Poll, process, send, once each."""
        self.service.poll()
        self.service.process()
        self.service.send()

    def mail(self, user: str, count: int) -> list[EmailMessage]:
        """The letters to a player, oldest first, as soon as there are so many."""
        wait_until(lambda: len(self.dovecot.letters(user)) >= count)
        letters = [message_from_bytes(raw, policy=policy.default) for raw in self.dovecot.letters(user)]
        assert len(letters) == count, [letter["Subject"] for letter in letters]
        return letters

    def answer(self, user: str, to: EmailMessage, text: str, through: Postfix | None = None) -> None:
        """Reply to one of our emails, and wait until it has arrived.

        through: the mail server, otherwise straight into the mailbox.
        """
        quoted = "".join(f"> {line}\n" for line in text_of(to).splitlines())
        letter = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
        letter["To"], letter["Subject"] = str(to["Reply-To"]), f"Re: {to['Subject']}"
        letter.set_content(f"{text}\n\nOn {to['Date']}, {to['From']} wrote:\n{quoted}")
        self.send(user, letter, through)

    def send(self, user: str, letter: EmailMessage, through: Postfix | None = None) -> None:
        """Send a player's letter, and wait until it has come. through: else straight into the mailbox."""
        letter["From"] = f"{user}@{DOMAIN}"
        letter["Message-ID"] = f"<{abs(hash((user, letter.get_content(), str(letter['To']))))}@{DOMAIN}>"
        own_id = str(letter["Message-ID"]).encode()
        if through is None:
            self.dovecot.deliver(self.user, letter.as_bytes(), to=str(letter["To"]))
        else:
            with smtplib.SMTP("localhost", through.port, timeout=300, local_hostname="localhost") as server:
                server.starttls(context=ssl.create_default_context(cafile=through.papers.authority))
                server.send_message(letter)
        wait_until(lambda: any(own_id in raw for raw in self.all_letters()))

    def all_letters(self) -> list[bytes]:
        """Return the emails in the service's mailbox, new or kept."""
        return [raw for folder in ("INBOX", "Turnpost") for raw in self.dovecot.letters(self.user, folder)]

    @property
    def user(self) -> str:
        """The gamesmaster's name on the server."""
        return self.service.service_context.address.partition("@")[0]


def wait_until(done: Callable[[], object], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@contextmanager
def running_service(
    folder: Path, dovecot: Dovecot, smtp_port: int, imap_port: int | None = None, clock: Clock | None = None
) -> Iterator[ServiceOnDovecot]:
    """A service in a folder, as its gm.toml describes it."""
    config = CONFIG.format(
        user=dovecot.somebody(),
        domain=DOMAIN,
        imap=imap_port or dovecot.imap,
        smtp=smtp_port,
        ca=dovecot.papers.authority,
    )
    (folder / "gm.toml").write_text(config)
    service = open_service(load_settings(folder / "gm.toml"), clock)
    try:
        yield ServiceOnDovecot(service, dovecot, folder)
    finally:
        service.database.close()


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands in the environment, as a gamesmaster's would."""
    monkeypatch.setenv("TURNPOST_TEST_PASSWORD", PASSWORD)


def test_a_game_year(dovecot: Dovecot, postfix: Postfix, tmp_path: Path) -> None:
    """Two people and six bots, from the welcome to the second spring; each report once in each mailbox."""
    iroquois, dakota = dovecot.somebody("iroquois"), dovecot.somebody("dakota")
    with running_service(tmp_path, dovecot, postfix.port) as place:
        service = place.service
        game_admin.new_game(
            service,
            game_admin.GameRequest("indianomacy", "beaver", terms={"press": "none"}),
            secret=b"y" * 32,
        )
        game_admin.assign(service, "beaver", "iroquois", f"{iroquois}@{DOMAIN}")
        game_admin.assign(service, "beaver", "dakota", f"{dakota}@{DOMAIN}")
        place.work()
        letters = {iroquois: 1, dakota: 1}
        while (turn := short_of(service)) != "S2M":
            owed = lookup.missing_orders(game_admin.position_of(service, "beaver"))
            for user, seat in ((iroquois, "Iroquois"), (dakota, "Dakota")):
                if seat in owed:
                    orders = ORDERS.get((seat, turn), "READY")
                    # Postfix sends several at a time: the report may have come before the answer.
                    mail = place.mail(user, letters[user])
                    report = [letter for letter in mail if not letter["Subject"].startswith("Re:")][-1]
                    place.answer(user, report, orders, postfix)
                    letters[user] += 1
            place.work()
            letters = {user: count + 1 for user, count in letters.items()}
            assert short_of(service) != turn, "all orders are in, so the turn is played"
        for user, count in letters.items():
            mail = place.mail(user, count)
            assert len({letter["Message-ID"] for letter in mail}) == count
            assert all("using TLSv1" in " ".join(letter.get_all("Received")) for letter in mail)
        answers = inbox.list_letters(service.database)
        assert {letter.disposition for letter in answers} == {"read"}
        counts = outbox.counts(service.database)
        assert counts["sent"] == sum(counts.values()) == sum(letters.values())
        units = game_admin.position_of(service, "beaver").state.units
        assert "61" in {unit.at for unit in units if unit.power == "Iroquois"}
        assert game_admin.prove(service, "beaver").fault is None
        # Of each letter that went out a copy comes in, and not before the letter itself.
        wait_until(lambda: len(place.all_letters()) == len(answers) + counts["sent"])
        service.poll()
        assert dovecot.letters(place.user) == [], "what was kept has moved"


@pytest.fixture
def chromium() -> Iterator[browser.Chromium]:
    """A browser without a window."""
    yield from running(browser.chromium)


def ordered_by_touch(page: Page) -> str:
    """Another choice for the first unit, and all others hold. Returns what opens the mail program."""
    page.locator(".thing").first.tap()
    page.locator(".choices button").nth(1).tap()
    page.locator(".choices button", has_text="for the rest").tap()
    return str(page.locator("#send").get_attribute("href"))


def compose_from_link(link: str) -> EmailMessage:
    """The letter that a mail program makes of a link."""
    parts, letter = urlsplit(link), EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    said = parse_qs(parts.query)
    letter["To"], letter["Subject"] = unquote(parts.path), said["subject"][0]
    letter.set_content(said["body"][0])
    return letter


def test_a_letter_is_answered_as_soon_as_it_comes(
    dovecot: Dovecot, postfix: Postfix, chromium: browser.Chromium, tmp_path: Path
) -> None:
    """The daemon learns of it by IDLE; it would look by itself only once a minute.

    The email of an order sheet, made by touch and sent in the ordinary way, is answered as quickly.
    """
    player, stop, ready = dovecot.somebody("iroquois"), threading.Event(), threading.Event()
    with running_service(tmp_path, dovecot, postfix.port, clock=WallClock()) as place:
        game_admin.new_game(place.service, game_admin.GameRequest("indianomacy", "beaver"))
        game_admin.assign(place.service, "beaver", "iroquois", f"{player}@{DOMAIN}")
        running = threading.Thread(target=serve, args=(place.service, stop, ready.set))
        running.start()
        try:
            assert ready.wait(300)
            (welcome,) = place.mail(player, 1)
            place.answer(player, welcome, "Mohawk H\nSHEET", postfix)
            answer = place.mail(player, 2)[1]
            assert answer["Subject"].startswith("Re:")
            (page,) = [one for one in answer.iter_attachments() if str(one.get_filename()).endswith(".html")]
            (tmp_path / "orders.html").write_bytes(page.get_payload(decode=True))
            link = chromium.visit(tmp_path / "orders.html", ordered_by_touch, width=375).found
            place.send(player, compose_from_link(link), postfix)
            # It was the last that was waited for: the report may come before the answer.
            accepted = sentence("reports.transcript.counts", problems=0, taken=4).encode()
            wait_until(lambda: any(accepted in raw for raw in place.dovecot.letters(player)))
        finally:
            stop.set()
            running.join(300)
        assert not running.is_alive()


def short_of(service: Service) -> str:
    """The short name of the turn that is due."""
    return service.repository.turns("beaver")[-1]


def list_gm_subjects(place: ServiceOnDovecot) -> list[str]:
    """The subjects of what was written to the gamesmaster, oldest first."""
    posted = reversed(outbox.list_posted(place.service.database))
    own = [one.sealed.raw for one in posted if one.sealed.to == place.service.service_context.address]
    return [str(message_from_bytes(raw, policy=policy.default)["Subject"]) for raw in own]


def test_no_turn_before_the_mailbox_was_looked_through(dovecot: Dovecot, tmp_path: Path) -> None:
    """The mailbox with an order in time can't be reached: the turn waits, and the GM is told once."""
    clock = ManualClock(WallClock().now())
    with (
        breakable_proxy(dovecot.imap) as line,
        running_service(tmp_path, dovecot, 1, line.port, clock) as place,
    ):
        service = place.service
        service.mailbox._patience.failed = lambda at_least=0.0: 0.0
        game_admin.new_game(service, game_admin.GameRequest("indianomacy", "beaver", terms={"solo": "clock"}))
        player = dovecot.somebody("iroquois")
        game_admin.assign(service, "beaver", "iroquois", f"{player}@{DOMAIN}")
        (welcome,) = outbox.claim(service.database, clock.now())
        service.poll()
        place.answer(player, message_from_bytes(welcome.raw, policy=policy.default), "Mohawk - Pequot")
        position = game_admin.position_of(service, "beaver")
        clock.set(position.deadline + position.deadlines.grace + HOUR)
        line.close()
        for _ in range(3):
            with pytest.raises(PostFault):
                service.poll()
            service.process()
        assert game_admin.position_of(service, "beaver").entries == 1
        assert list_gm_subjects(place) == [sentence("outbound.alerts.waits_subject", game="beaver")]
        (trouble,) = workers.current_incidents(service.database)
        assert trouble.name == "letters in"
        assert "can't be reached" in trouble.why
        back = open_service(load_settings(config_with_port(place, dovecot.imap)), clock)
        back.poll()
        back.process()
        played = stored_games.log(back.database, "beaver")[1][0]
        assert len(played.orders["Iroquois"]) == 1
        assert played.silent == ()
        assert workers.current_incidents(back.database) == ()
        back.database.close()


def config_with_port(place: ServiceOnDovecot, port: int) -> Path:
    file = place.folder / "gm.toml"
    lines = [
        f'url = "imap://{place.user}@localhost:{port}"' if "imap://" in line else line
        for line in file.read_text().splitlines()
    ]
    file.write_text("\n".join(lines))
    return file


def test_a_refused_login_is_told_once_and_not_hammered(
    dovecot: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNPOST_TEST_PASSWORD", "wrong")
    with breakable_proxy(dovecot.imap) as line, running_service(tmp_path, dovecot, 1, line.port) as place:
        for _ in range(5):
            with pytest.raises(LoginFault):
                place.service.poll()
        assert line.connections == 1
        server = f"imap server localhost:{line.port}"
        assert list_gm_subjects(place) == [
            sentence("outbound.alerts.no_letters_subject", coming=True, what=server)
        ]


def test_a_server_that_takes_nothing_shows(dovecot: Dovecot, tmp_path: Path) -> None:
    with running_service(tmp_path, dovecot, 1) as place:
        game_admin.new_game(place.service, game_admin.GameRequest("indianomacy", "beaver"))
        game_admin.assign(place.service, "beaver", "iroquois", f"iroquois@{DOMAIN}")
        assert place.service.send() == 0
        (trouble,) = workers.current_incidents(place.service.database)
        assert trouble.name == "letters out"
        assert list_gm_subjects(place) == []
