"""After a game by email, its log and its database are searched for every secret."""

import io
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator import logs, service
from adjudicator.admin import game_admin, seats
from adjudicator.model.addresses import reply_token
from adjudicator.model.mail import LetterOutcome
from adjudicator.service import Service
from adjudicator.storage import attachments, outbox
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service
from tests.kit.bounce_reports import bounce_report
from tests.kit.mail import letter

CHOSEN, GUESSED = "three-canoes-42", "four-canoes-43"


@pytest.fixture
def logged() -> Iterator[dict[str, io.StringIO]]:
    """Both forms of the log, at the level at which a service writes it."""
    root = logging.getLogger()
    streams = {"text": io.StringIO(), "json": io.StringIO()}
    handlers = []
    for form, stream in streams.items():
        handler = logging.StreamHandler(stream)
        handler.setFormatter(logs.JsonFormatter() if form == "json" else logs.TextFormatter())
        handlers.append(handler)
        root.addHandler(handler)
    before = root.level
    # Not by the attribute alone: loggers remember what they were asked.
    root.setLevel(logging.INFO)
    yield streams
    root.setLevel(before)
    for handler in handlers:
        root.removeHandler(handler)


def columns(it: Service) -> dict[str, bytes]:
    """Return all values in the database, by table and column; broken lines are joined."""
    library: Any = it.database._library
    found: dict[str, list[bytes]] = {}
    with it.database.session():
        for table in library.get_tables():
            cursor = library.execute_sql(f'select * from "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    data = value if isinstance(value, bytes) else str(value).encode()
                    if f"{table}.{name}" == "outbox.data":
                        data = attachments.join_available(it.database, data)
                    found.setdefault(f"{table}.{name}", []).append(data)
    joined = {name: b"\0".join(values) for name, values in found.items()}
    return {name: data + data.replace(b"=\r\n", b"") for name, data in joined.items()}


def among(secrets: Iterable[str], data: bytes) -> list[str]:
    """Return the secrets that are there."""
    return [secret for secret in secrets if secret.encode() in data]


def tokens(it: AttackedService) -> set[str]:
    """Every reply token that there was."""
    key, found = it.service.service_context.key, set()
    for game in it.service.repository.games():
        for seat, assignment in it.position(game).assignments.items():
            for generation in range(1, assignment.generation + 1):
                for turn in it.service.repository.turns(game):
                    found.add(reply_token(key, game, seat, generation, turn))
    return found


def live(it: AttackedService, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A game's life: letters of every kind, with passwords, a fault in our reader. Returns the passwords."""
    game_admin.new_game(it.service, game_admin.GameRequest("indianomacy", "demo"), secret=b"s" * 32)
    passwords = {CHOSEN, GUESSED}
    for seat, address in (("Iroquois", IROQUOIS), ("Dakota", DAKOTA)):
        password = game_admin.assign(it.service, "demo", seat, address)
        assert password is not None
        passwords.add(password)
    it.service.send()
    told = [it.ours(IROQUOIS), it.ours(DAKOTA)]
    reply = [str(one["Reply-To"]) for one in told]
    own = next(iter(passwords - {CHOSEN, GUESSED}))
    for number, text in enumerate(
        (
            f"PASSWORD {CHOSEN}\nMohawk - Delaware",
            f"SIGNON demo Iroquois {CHOSEN}\nSTATUS",
            f"SIGNON demo Iroquois {GUESSED}\nMohawk - Delaware",
            f"singon demo Iroquois {CHOSEN}\nHELP",
            f"SIGNON demo Iroquois {own}\nHISTORY",
            f"Mohawk H\n\n> SIGNON demo Iroquois {CHOSEN}\n> {told[0]['Subject']}",
            "PRESS TO Dakota\nhello\nENDPRESS\nREADY",
        )
    ):
        sender = "phone@example.com" if "SIGNON" in text else IROQUOIS
        subject = str(told[0]["Subject"])
        it.arrives(letter(text, sender=sender, to=reply[0], subject=f"Re: {subject}", number=number))
        it.service.send()
    handle = service.handle_letter

    def fails(*given: Any) -> LetterOutcome:
        raise ValueError(f"cannot read {reply[1]} and SIGNON demo Dakota {CHOSEN}")

    monkeypatch.setattr(service, "handle_letter", fails)
    it.arrives(letter("READY", sender=DAKOTA, to=reply[1], number=20))
    monkeypatch.setattr(service, "handle_letter", handle)
    it.arrives(letter("READY", sender=DAKOTA, to=reply[1], number=21))
    posted = outbox.list_posted(it.service.database, 1)[0]
    it.arrives(bounce_report(posted.sealed.sender))
    passwords.add(seats.rekey(it.service, "demo", "Iroquois", "lost"))
    it.service.send()
    return passwords


def test_no_token_and_no_password_is_left(
    tmp_path: Path, logged: dict[str, io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No password anywhere; no token but in the letters, of whose addresses and Message-IDs it is a part."""
    with attacked_service(tmp_path) as it:
        passwords = live(it, monkeypatch)
        assert it.position().entries == 2, "the turn was played"
        secret = tokens(it)
        assert len(secret) >= 16
        for stream in logged.values():
            text = stream.getvalue()
            assert len(text.splitlines()) > 20
            assert among((*passwords, *secret), text.encode()) == []
        letters = {"letter.data", "outbox.data", "outbox.message_id"}
        for column, data in columns(it.service).items():
            assert among(passwords, data) == [], column
            assert bool(among(secret, data)) == (column in letters), column


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    """Before the welcome is sent, it has its password."""
    with attacked_service(tmp_path) as it:
        game_admin.new_game(it.service, game_admin.GameRequest("indianomacy", "demo"), secret=b"s" * 32)
        password = game_admin.assign(it.service, "demo", "Iroquois", IROQUOIS)
        assert password is not None
        assert among([password], columns(it.service)["outbox.data"])
        it.service.send()
        assert not among([password], columns(it.service)["outbox.data"])
