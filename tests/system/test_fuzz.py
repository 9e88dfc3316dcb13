"""Randomly damaged emails of the corpus: all are stored, and cost little."""

import resource
from pathlib import Path
from random import Random
from time import process_time

import pytest

from adjudicator.context import ServiceContext
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.mail.dkim import signed_by
from adjudicator.mail.envelope import encode_letter
from orders.mail.letter import message_id_of
from tests.kit.bounce_reports import bounce_report, prose_bounce
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import NOON, OFFICE, MemoryRepository, address_for, new_position
from tests.kit.mutations import mutate
from tests.kit.signing import Signer

LETTERS = sorted((Path(__file__).parents[1] / "letters").glob("*.eml"))
NET = Signer("example.net")
SECONDS, KILOBYTES = 5.0, 300_000
"""What one spoilt letter may cost, and what a thousand may add to the memory of the process."""

TRUSTING = ServiceContext(
    address=OFFICE.address,
    name=OFFICE.name,
    key=OFFICE.key,
    zone=OFFICE.zone,
    accept=frozenset({"token", "password", "verified-from"}),
    authserv_id="mx.example.org",
    signed=lambda raw, domain: signed_by(raw, domain, NET.texts),
)


def corpus(repository: MemoryRepository) -> list[bytes]:
    """Letters as they come, for a seat and for none, and reports of servers."""
    demo = repository.positions["demo"]
    to = address_for(demo, "Iroquois").encode()
    plain = [path.read_bytes() for path in LETTERS]
    seated = [raw.replace(b"\nTo: ", b"\nTo: " + to + b", ", 1) for raw in plain]
    vouched = {"Authentication-Results": "mx.example.org; dkim=pass header.d=example.net"}
    results = "spf=pass (x) smtp.mailfrom=iroquois@example.net; dmarc=pass header.from=example.net"
    sent = {"Authentication-Results": f"mx.example.org; {results}"}
    more = [
        *(letter("Mohawk - Delaware", headers=headers) for headers in (vouched, sent)),
        NET.signed(letter("STATUS\nPRESS TO ALL\nhello")),
    ]
    return [*plain, *seated, *more, bounce_report(to.decode()), prose_bounce(to.decode(), "550 no such user")]


def take_in(count: int, seed: int) -> None:
    """Process so many damaged emails, from their bytes to the sealed reply."""
    repository = MemoryRepository(
        {"demo": new_position("indianomacy", people={"Iroquois": "iroquois@example.net"})}
    )
    letters, lot = corpus(repository), Random(seed)
    for number in range(count):
        raw, began = mutate(letters, lot), process_time()
        assert isinstance(message_id_of(raw), str)
        handled = handle_letter(stored_letter(raw, number=number), repository, TRUSTING, NOON)
        assert handled.disposition in ("read", "ignored", "quarantined")
        for answer in handled.answers:
            service = {"service_address": TRUSTING.address, "service_name": TRUSTING.name}
            sealed = encode_letter(answer, key=TRUSTING.key, now=NOON, **service)
            assert sealed.raw.replace(sealed.to.encode(), b"").isascii()
        assert process_time() - began < SECONDS, (seed, number)


def grown(before: int) -> int:
    """Return by how many kilobytes the process has grown since."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


@pytest.mark.parametrize("seed", range(2))
def test_no_letter_is_too_broken(seed: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    take_in(250, seed)
    assert grown(before) < KILOBYTES


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
def test_no_letter_of_very_many_is_too_broken(seed: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    take_in(1_000, seed)
    assert grown(before) < KILOBYTES
