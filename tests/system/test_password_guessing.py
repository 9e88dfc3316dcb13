"""Guessed passwords: hundreds in an email, and one per email from any address."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, seats
from adjudicator.messages import sentence
from adjudicator.model.people import MAX_FREE_GUESSES
from adjudicator.storage import outbox
from adjudicator.storage.inbox import ShownLetter
from games.protocol import Seat
from tests.kit.attack_service import AttackedService, attacked_service
from tests.kit.mail import letter
from tests.kit.service_harness import text_of
from tests.kit.toy import toy_found

PLAYER = "player@example.net"
ORDER = "rest"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[AttackedService]:
    """A service at which nobody has guessed, with one person's game."""
    with toy_found(), attacked_service(tmp_path) as it:
        game_admin.new_game(it.service, game_admin.GameRequest("cairn", "demo"), secret=b"s" * 32)
        game_admin.assign(it.service, "demo", Seat("player"), PLAYER)
        yield it


def password(it: AttackedService) -> str:
    """Return the password in a player's first email."""
    found = re.search(r"SIGNON demo player (\S+)", text_of(it.ours(PLAYER)))
    assert found is not None
    return found[1]


def guess(it: AttackedService, *words: str, number: int) -> ShownLetter:
    """Send an email with some guesses, each email from an address of its own."""
    text = "".join(f"SIGNON demo player {word}\n{ORDER}\n" for word in words)
    return it.arrives(letter(text, sender=f"thief{number}@example.com", number=number))


def reply(it: AttackedService) -> str:
    return str(it.ours(PLAYER)["Reply-To"])


def test_hundreds_of_guesses_in_a_letter(fresh: AttackedService) -> None:
    """No more are looked at than three; the rest, the right one among them, is named as left out."""
    shown = guess(fresh, *(f"guess{n}" for n in range(200)), password(fresh), number=1)
    assert (shown.disposition, shown.seat, fresh.position().entries) == ("read", None, 1)
    (answer,) = fresh.answers(shown)
    text = " ".join(fresh.text(answer).split())
    refused, not_read = (
        sentence("inbound.sender.refused"),
        sentence("inbound.sender.not_looked_at", most=3),
    )
    for times, why in ((3, refused), (198, not_read)):
        line = "SIGNON demo player ***"
        left_out = sentence("inbound.signon.left_out_often", lines=line, times=times, why=why)
        assert " ".join(left_out.split()) in text
    assert fresh.service.repository.people.guesses("demo", Seat("player")).misses == 3


def test_guesses_from_many_addresses_are_counted_together(fresh: AttackedService) -> None:
    """After five no password of that seat is checked for a while; its player is told once, and can go on with
    a token.
    """
    for number in range(MAX_FREE_GUESSES):
        guess(fresh, f"guess{number}", number=number)
    refused = guess(fresh, password(fresh), "another", number=20)
    assert (refused.why, fresh.position().entries) == (
        sentence("inbound.unknown_senders.signon_does_not_fit"),
        1,
    )
    (told,) = [one for one in outbox.list_posted(fresh.service.database) if "/guessed/" in one.sealed.key]
    ours = message_from_bytes(told.sealed.raw, policy=policy.default)
    assert told.sealed.to == PLAYER
    assert sentence("outbound.notifications.guessed_subject", seat="player") in str(ours["Subject"])
    guessed = sentence(
        "outbound.notifications.guessed",
        times=MAX_FREE_GUESSES,
        game="demo",
        seat="player",
        until="Monday 5 January 2026, 19:00 UTC",
    )
    assert " ".join(guessed.split()) in " ".join(text_of(ours).split())
    answered = fresh.arrives(letter(ORDER, sender=PLAYER, to=str(ours["Reply-To"]), number=21))
    assert (answered.seat, fresh.position().entries > 1) == ("player", True)


def test_a_new_password_is_a_new_lock(fresh: AttackedService) -> None:
    """The rest was that of the old one, whether the player chose another or the gamesmaster drew one."""
    guess(fresh, "one", "two", "three", number=1)
    guess(fresh, "four", "five", number=2)
    fresh.arrives(letter("PASSWORD four-beavers", sender=PLAYER, to=reply(fresh), number=3))
    assert guess(fresh, "four-beavers", number=4).seat == "player"
    guess(fresh, "one", "two", "three", number=5)
    word = seats.rekey(fresh.service, "demo", "player", "it was shown around")
    assert guess(fresh, word, number=6).seat == "player"
    assert fresh.service.repository.people.guesses("demo", Seat("player")).misses == 0
