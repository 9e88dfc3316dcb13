"""The sender of a SIGNON: what is checked, what is counted, and what nobody learns."""

from dataclasses import replace

import pytest

from adjudicator.auth import passwords
from adjudicator.auth.sender import NOT_CHECKED, REFUSED, AuthenticatedSeat, IdentityProof, find_lock
from adjudicator.clock import HOUR
from adjudicator.context import RequestContext as At
from adjudicator.inbound.signon import find_speakers
from adjudicator.messages import sentence
from adjudicator.model.people import FIRST_REST, MAX_FREE_GUESSES, Guesses, lock_name
from games.protocol import Seat
from orders.commands import Command
from tests.adjudicator.inbound.conftest import PASSWORD, MemoryPipeline, sealed_password
from tests.kit.mail import letter
from tests.kit.memory_repository import OFFICE, with_changed_seat
from tests.kit.passwords import restore_full_cost

SEAT = Seat("Iroquois")
RIGHT = f"SIGNON demo Iroquois {PASSWORD}\nW MHK - DEL\n"


def wrong(count: int, *, seat: str = "Iroquois") -> str:
    return "".join(f"SIGNON demo {seat} guess{n}\nW MHK H\n" for n in range(count))


def misses(context: MemoryPipeline, count: int, sealed: str = "", **fields: int) -> None:
    """Record so many earlier wrong guesses. sealed: the seat's password, if it differs from the usual one."""
    lock = lock_name(sealed or sealed_password())
    context.repository.people.guessed["demo", SEAT] = Guesses(
        lock=lock, misses=count, at=context.now, **fields
    )


def counted(context: MemoryPipeline, seat: str = "Iroquois") -> Guesses:
    return context.repository.people.guesses("demo", Seat(seat))


def mails(context: MemoryPipeline, text: str, sender: str = "cafe@example.com") -> list[str]:
    """Return the saved orders of the Iroquois after an email without a token."""
    context.takes(letter(text, sender=sender, number=context.number))
    return context.filed()


def test_the_last_that_is_free_begins_a_rest_within_a_letter(context: MemoryPipeline) -> None:
    """A correct password after it isn't checked."""
    misses(context, MAX_FREE_GUESSES - 2)
    assert mails(context, wrong(2) + RIGHT) == []
    assert (counted(context).misses, counted(context).until) == (0, context.now + FIRST_REST)


def test_one_less_and_the_right_one_is_obeyed(context: MemoryPipeline) -> None:
    misses(context, MAX_FREE_GUESSES - 3)
    assert mails(context, wrong(2) + RIGHT) == ["W MHK - DEL"]
    assert counted(context) == Guesses(), "it begins anew"


def test_while_they_rest_nothing_is_counted(context: MemoryPipeline) -> None:
    """So nobody can extend a wait or begin another."""
    misses(context, 0, rests=1, until=context.now + HOUR)
    before = counted(context)
    assert mails(context, wrong(3)) == mails(context, RIGHT) == []
    assert counted(context) == before
    context.now += HOUR
    assert mails(context, RIGHT) == ["W MHK - DEL"]


def test_who_holds_the_seat_is_never_locked_out(context: MemoryPipeline) -> None:
    """A token speaks for it all the while, and so does an address that is vouched for."""
    misses(context, 0, rests=1, until=context.now + HOUR)
    context.writes("W MHK - DEL")
    assert context.filed() == ["W MHK - DEL"]
    every = frozenset({"token", "password", "verified-from"})
    context.service_context = replace(OFFICE, accept=every, authserv_id="mx.example.org")
    results = "dmarc=pass header.from=example.net; spf=pass smtp.mailfrom=iroquois@example.net"
    agreed = {"Authentication-Results": f"mx.example.org; {results}"}
    context.takes(letter("SIGNON demo Iroquois never-mind\nW ONE H", headers=agreed))
    assert context.filed() == ["W MHK - DEL", "W ONE H"]


def test_a_repetition_is_one_guess(context: MemoryPipeline) -> None:
    """It is checked once; three others can be in the same email."""
    position = context.repository.positions["demo"]
    context.repository.positions["demo"] = with_changed_seat(
        position, "Muskhogean", password=sealed_password()
    )
    text = wrong(1) * 20 + f"SIGNON demo Muskhogean {PASSWORD}\nW CHO H\n" + RIGHT
    assert mails(context, text) == ["W MHK - DEL"]
    assert context.filed("Muskhogean") == ["W CHO H"]


def test_three_are_looked_at_and_no_more(context: MemoryPipeline) -> None:
    assert mails(context, wrong(3) + RIGHT) == []
    assert counted(context).misses == 3


def test_seats_are_counted_apart(context: MemoryPipeline) -> None:
    position = context.repository.positions["demo"]
    context.repository.positions["demo"] = with_changed_seat(
        position, "Muskhogean", password=sealed_password()
    )
    mails(context, wrong(2, seat="Muskhogean"))
    assert (counted(context).misses, counted(context, "Muskhogean").misses) == (0, 2)


def test_guesses_in_a_letter_that_is_read_count_too(context: MemoryPipeline) -> None:
    """The reply names the commands that were left out."""
    misses(context, 0)
    handled = context.writes("W CHO H\nSIGNON demo Iroquois guess\nW MHK - DEL", seat="Muskhogean")
    assert (context.filed("Muskhogean"), context.filed(), counted(context).misses) == (["W CHO H"], [], 1)
    (answer,) = handled.answers
    said = " ".join(answer.text.split())
    why = sentence("inbound.sender.refused")
    left_out = sentence("inbound.signon.left_out", lines="SIGNON demo Iroquois ***", why=why)
    assert " ".join(left_out.split()) in said
    assert "guess" not in said


def test_guesses_of_a_letter_that_may_be_a_robots_count_too(context: MemoryPipeline) -> None:
    handled = context.takes(letter(wrong(3), sender="thief@example.com", headers={"Precedence": "bulk"}))
    assert (handled.disposition, counted(context).misses) == ("quarantined", 3)


@pytest.mark.parametrize(
    ("game", "seat"), [("demo", "Nobody"), ("nowhere", "Iroquois"), ("demo", "Dakota"), ("demo", "Iroquois")]
)
def test_what_does_not_fit_costs_one_scrypt_whatever_is_wrong(
    context: MemoryPipeline, monkeypatch: pytest.MonkeyPatch, game: str, seat: str
) -> None:
    """A game that there is not, a seat that nobody holds, passwords that rest: the same work and words."""
    restore_full_cost(monkeypatch)
    sealed = passwords.seal(PASSWORD)
    context.repository.positions["demo"] = with_changed_seat(
        context.repository.positions["demo"], "Iroquois", password=sealed
    )
    misses(context, 0, sealed, rests=1, until=context.now + HOUR)
    worked: list[tuple[int, int]] = []
    scrypt = passwords.hashlib.scrypt

    def counting(text: bytes, *, n: int, r: int, **rest: int) -> bytes:
        worked.append((n, r))
        return scrypt(text, n=n, r=r, **rest)

    monkeypatch.setattr(passwords.hashlib, "scrypt", counting)
    found = said(context, *(f"guess{n}" for n in (1, 1, 2, 3, 4)), game=game, seat=seat)
    assert found == (REFUSED, REFUSED, REFUSED, REFUSED, NOT_CHECKED)
    assert worked == [(1 << 14, 8)] * 3


def said(
    context: MemoryPipeline, *words: str, game: str = "demo", seat: str = "Iroquois"
) -> tuple[object, ...]:
    """Return the outcome of some SIGNONs."""
    lines = [Command(line="", verb="SIGNON", args=(game, seat, word)) for word in words]
    return find_speakers(
        lines,
        IdentityProof(),
        "cafe@example.com",
        At(context.repository, context.service_context, context.now),
    ).speakers


def test_the_lock_of_nobody_opens_to_nothing(context: MemoryPipeline) -> None:
    lock = find_lock("demo", "Dakota", context.repository)
    assert lock.seated is None
    assert not lock.opens("")
    assert not lock.opens(PASSWORD)
    assert said(context, PASSWORD) == (
        AuthenticatedSeat(context.repository.positions["demo"], SEAT, "password"),
    )


def test_a_password_as_long_as_a_book_is_not_hashed_as_such(context: MemoryPipeline) -> None:
    """The text beyond the limit still counts."""
    word = "x" * passwords.MAX_PASSWORD_CHARS
    position = context.repository.positions["demo"]
    context.repository.positions["demo"] = with_changed_seat(
        position, "Iroquois", password=passwords.seal(word)
    )
    assert said(context, word + "y" * 100_000, word) == (
        REFUSED,
        AuthenticatedSeat(context.repository.positions["demo"], SEAT, "password"),
    )
    handled = context.writes(f"PASSWORD {word}y")
    assert "A password has at most 1,000 characters." in " ".join(handled.answers[0].text.split())
