"""Tokens that end in the middle of IDLE, of a poll and of a sending, and renewals that fail for an hour.

Nothing is lost, nothing is sent twice, and the gamesmaster gets one alert.
"""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.clock import MINUTE, Clock, ManualClock, WallClock
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import serve
from adjudicator.errors import PostFault
from adjudicator.mail import imap, oauth
from adjudicator.mail.oauth import SignIn
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox, workers
from adjudicator.storage.database import open_database
from games.record import canonical
from tests.kit.oauth_server import CLIENT_ID, TENANT, IssuedToken
from tests.kit.servers import DOMAIN, Dovecot
from tests.kit.token_mail import TokenMail, settings_file, token_mail_servers, without_tokens_yet

pytestmark = pytest.mark.usefixtures("many_logins", "undrawn")

SECONDS = 300.0
ELSEWHERE = f"boss@{DOMAIN}"
CHANNEL = """
[[channel]]
name = "chat"
kind = "webhook"
url = "http://127.0.0.1:1/hook"
local = true
"""


@pytest.fixture(scope="module")
def mail_of_module(dovecot: Dovecot) -> Iterator[TokenMail]:
    """The servers."""
    yield from token_mail_servers(dovecot)


@pytest.fixture
def mail(mail_of_module: TokenMail, monkeypatch: pytest.MonkeyPatch) -> TokenMail:
    """The servers, before anybody has logged in."""
    return without_tokens_yet(mail_of_module, monkeypatch)


def logged_in(folder: Path, mail: TokenMail) -> Path:
    """Return a gm.toml for a mailbox whose owner has logged in."""
    it = mail.giver
    it.refresh["refresh-1"] = IssuedToken("refresh-1", it.user, CLIENT_ID, "mail", time.monotonic() + 1e9)
    url = f"{it.url}/{TENANT}/oauth2/v2.0/token"
    kept = SignIn(flow="microsoft", url=url, client_id=CLIENT_ID, refresh_token="refresh-1", scope="mail")
    (folder / "mail-login").write_bytes(canonical(kept))
    (folder / "mail-login").chmod(0o600)
    place = settings_file(folder, mail)
    text = place.read_text() + CHANNEL
    place.write_text(
        text.replace("[inbox]", f'alert = "{ELSEWHERE}"\n[inbox]', 1).replace(
            "[outbox]", "[outbox]\nprobe = false"
        )
    )
    return place


def opened(place: Path, clock: Clock, reached: Callable[[str], None] = lambda _step: None) -> Service:
    """Return the service with an empty database."""
    settings = load_settings(place)
    open_database(settings.database, may_be_empty=True).close()
    return open_service(settings, clock, reached)


def help_mail(number: int, sender: str) -> bytes:
    """An email that gets a reply."""
    text = f"From: {sender}@{DOMAIN}\r\nTo: gm@{DOMAIN}\r\nSubject: HELP {number}\r\n"
    return f"{text}Message-ID: <{number}.{sender}@{DOMAIN}>\r\n\r\nHELP\r\n".encode()


def replies(mail: TokenMail, *users: str) -> list[int]:
    """Return the number of each person's emails."""
    return [len(mail.dovecot.letters(user)) for user in users]


def strangers(mail: TokenMail, count: int) -> list[str]:
    """Return so many people. Each gets one reply a day."""
    return [mail.dovecot.somebody("player") for _ in range(count)]


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "it didn't happen"
        time.sleep(0.05)


def test_a_token_that_ends_in_the_middle_of_idle(tmp_path: Path, mail: TokenMail) -> None:
    """The server cuts the connection, as large providers do, and the next login gets another token."""
    players, gm = strangers(mail, 3), mail.giver.user
    service = opened(logged_in(tmp_path, mail), WallClock())
    stop, is_ready = threading.Event(), threading.Event()
    thread = threading.Thread(target=serve, args=(service, stop, is_ready.set), daemon=True)
    thread.start()
    try:
        assert is_ready.wait(SECONDS)
        for number, player in enumerate(players):
            mail.dovecot.deliver(gm, help_mail(number, player))
            wait_until(lambda player=player: replies(mail, player) == [1])
            renewals = mail.giver.renewals
            mail.giver.expire()
            mail.dovecot.hang_up()
        wait_until(lambda: mail.giver.renewals > renewals)
    finally:
        stop.set()
        thread.join(SECONDS)
        service.database.close()
    assert replies(mail, *players) == [1, 1, 1]
    assert replies(mail, "boss") == [0]


def test_tokens_that_last_seconds(tmp_path: Path, mail: TokenMail) -> None:
    """Each connection gets its own."""
    mail.giver.lasts = 2
    players = strangers(mail, 2)
    service = opened(logged_in(tmp_path, mail), WallClock())
    for number, player in enumerate(players):
        mail.dovecot.deliver(mail.giver.user, help_mail(number, player))
        service.poll()
        service.process()
        service.send()
    service.database.close()
    wait_until(lambda: replies(mail, *players) == [1, 1])
    assert mail.giver.renewals >= 4


def test_a_token_that_ends_in_the_middle_of_a_poll(
    tmp_path: Path, mail: TokenMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first batch is kept, the connection breaks, and the rest comes with the next poll."""
    monkeypatch.setattr(imap, "BATCH", 2)
    monkeypatch.setattr(inbox, "BATCH_LETTERS", 2)
    monkeypatch.setattr(imap, "FIRST_SECONDS", 0.01)
    players, gm, cuts = strangers(mail, 5), mail.giver.user, []

    def cut(step: str) -> None:
        if step == "letter kept" and not cuts:
            cuts.append(step)
            mail.giver.expire()
            mail.dovecot.hang_up()

    service = opened(logged_in(tmp_path, mail), WallClock(), cut)
    for number, player in enumerate(players):
        mail.dovecot.deliver(gm, help_mail(number, player))
    with pytest.raises(PostFault):
        service.poll()
    wait_until(lambda: polls(service))
    service.process()
    service.send()
    service.database.close()
    assert cuts
    wait_until(lambda: sum(replies(mail, *players)) >= 5)
    assert replies(mail, *players) == [1] * 5


def polls(service: Service) -> bool:
    """Return whether the mailbox can be polled."""
    try:
        service.poll()
    except PostFault:
        return False
    return True


def test_a_token_that_ends_in_the_middle_of_a_sending(tmp_path: Path, mail: TokenMail) -> None:
    """The emails after the break go over another connection, with another token."""
    players, gm, ended = strangers(mail, 4), mail.giver.user, []

    def end(step: str) -> None:
        if step == "report sending" and not ended:
            ended.append(step)
            mail.giver.expire()
            oauth.forget_token(service.settings.outbox.token)

    service = opened(logged_in(tmp_path, mail), WallClock(), end)
    for number, player in enumerate(players):
        mail.dovecot.deliver(gm, help_mail(number, player))
    service.poll()
    service.process()
    service.send()
    service.database.close()
    assert ended
    wait_until(lambda: sum(replies(mail, *players)) >= 4)
    assert replies(mail, *players) == [1] * 4


def test_renewals_that_fail_for_an_hour(
    tmp_path: Path, mail: TokenMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Incoming and outgoing mail fail for one cause, and one alert goes to the address elsewhere."""
    monkeypatch.setattr(imap, "LONGEST_SECONDS", 2.0)
    players, gm = strangers(mail, 2), mail.giver.user
    clock = ManualClock(WallClock().now())
    service = opened(logged_in(tmp_path, mail), clock)
    mail.dovecot.deliver(gm, help_mail(1, players[0]))
    service.poll()
    service.process()
    mail.giver.broken = 503
    mail.giver.expire()
    oauth._fetched.clear()
    mail.dovecot.deliver(gm, help_mail(2, players[1]))
    for _ in range(20):
        clock.advance(3 * MINUTE)
        assert not polls(service)
        service.process()
        service.send()
    assert replies(mail, *players) == [0, 0]
    told = [key for trouble in workers.current_incidents(service.database) for key in trouble.told]
    assert len(told) == 1
    mail.giver.broken = None
    clock.advance(5 * MINUTE)
    wait_until(lambda: polls(service))
    service.process()
    service.send()
    posts = [each.sealed for each in outbox.list_posted(service.database) if "@" not in each.sealed.to]
    assert [post.to for post in posts] == ["channel:chat"]
    assert b"Nothing is lost" in posts[0].raw
    assert b"localhost" not in posts[0].raw, "a public post names no server"
    service.database.close()
    wait_until(lambda: sum(replies(mail, *players, "boss")) >= 3)
    assert replies(mail, *players, "boss") == [1, 1, 1]


def test_a_token_that_is_revoked_waits_for_gm_login(tmp_path: Path, mail: TokenMail) -> None:
    """One alert at once, and the service goes on as soon as the file changes."""
    player, gm = mail.dovecot.somebody("player"), mail.giver.user
    place = logged_in(tmp_path, mail)
    service = opened(place, WallClock())
    mail.dovecot.deliver(gm, help_mail(1, player))
    mail.giver.revoke_all()
    for _ in range(3):
        assert not polls(service)
    (trouble,) = workers.current_incidents(service.database)
    assert len(trouble.told) == 1
    assert "rejected it: 400 invalid_grant" in trouble.why
    logged_in(tmp_path, mail)
    assert polls(service), "it went on at once"
    service.process()
    service.send()
    service.database.close()
    wait_until(lambda: replies(mail, player) == [1])
