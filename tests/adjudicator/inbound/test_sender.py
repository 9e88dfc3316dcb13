"""Authentication of senders. The From line proves nothing, and a rejection reveals nothing."""

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.auth.sender import (
    REFUSED,
    AuthenticatedSeat,
    IdentityProof,
    RefusedClaim,
    authenticate_token,
    find_seat_by_name,
    prove_identity,
)
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.inbound.signon import find_speakers as signed_on
from adjudicator.model.addresses import (
    SenderClaim,
    claims,
    message_id,
    reply_token,
    short_seat_name,
    subject_tag,
)
from adjudicator.model.games import GamePosition
from games.protocol import Seat
from orders.commands import Command
from orders.mail.dkim_signatures import READ_HEADERS, Signature
from orders.mail.letter import open_letter
from tests.adjudicator.inbound.conftest import PASSWORD, sealed_password
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import (
    NOON,
    OFFICE,
    MemoryRepository,
    address_for,
    token_of,
    with_changed_seat,
)

SEAT = Seat("Iroquois")


@pytest.fixture
def repository(demo: GamePosition, solo: GamePosition) -> MemoryRepository:
    return MemoryRepository({"demo": demo, "solo": solo}, past={"demo": ("S1M", "F1M")})


def match_token(repository: MemoryRepository, *made: SenderClaim) -> AuthenticatedSeat | None:
    return authenticate_token(made, repository, OFFICE)


def claim(token: str | None, seat: str = "iroquois", game: str = "demo") -> SenderClaim:
    return SenderClaim(game=game, seat=seat, token=token)


def test_a_token_speaks_for_its_seat(repository: MemoryRepository, demo: GamePosition) -> None:
    found = match_token(repository, claim(token_of(demo, SEAT)))
    assert found == AuthenticatedSeat(demo, SEAT, "token")
    assert found.assignment is demo.assignments[SEAT]


@pytest.mark.parametrize("place", ["address", "subject", "thread"])
def test_a_token_may_stand_in_three_places(
    repository: MemoryRepository, demo: GamePosition, place: str
) -> None:
    token = token_of(demo, SEAT)
    said = SenderClaim(game="demo", seat=short_seat_name(SEAT), token=token)
    made = {
        "address": claims((address_for(demo, SEAT),), "", ()),
        "subject": claims((), "Re: " + subject_tag("demo", "S1M", SEAT, token), ()),
        "thread": claims((), "", (message_id(b"k", "demo/0", "example.org", said),)),
    }[place]
    assert match_token(repository, *made) == AuthenticatedSeat(demo, SEAT, "token")


def test_no_token_speaks_for_nobody(repository: MemoryRepository) -> None:
    assert match_token(repository) is None
    assert match_token(repository, claim(None)) is None


def test_a_token_of_an_earlier_turn_is_stale(repository: MemoryRepository, demo: GamePosition) -> None:
    """It still says who speaks; it goes back through all turns, and behind one of the present turn."""
    old = claim(token_of(demo, SEAT, turn="F1M"))
    assert match_token(repository, old) == AuthenticatedSeat(demo, SEAT, "token", stale="F1M")
    assert match_token(repository, old, claim(token_of(demo, SEAT))) == AuthenticatedSeat(demo, SEAT, "token")


@pytest.mark.parametrize("token", ["a" * 13, ""])
def test_a_forged_token_speaks_for_nobody(repository: MemoryRepository, token: str) -> None:
    assert match_token(repository, claim(token)) is None


def test_a_token_of_a_turn_to_come_speaks_for_nobody(
    repository: MemoryRepository, demo: GamePosition
) -> None:
    assert match_token(repository, claim(token_of(demo, SEAT, turn="F9M"))) is None


def test_another_seats_token_speaks_for_nobody(repository: MemoryRepository, demo: GamePosition) -> None:
    assert match_token(repository, claim(token_of(demo, Seat("Muskhogean")))) is None


def test_a_token_of_another_game_speaks_for_nobody(repository: MemoryRepository, demo: GamePosition) -> None:
    repository.positions["beaver"] = replace(demo, name="beaver")
    assert match_token(repository, claim(token_of(repository.positions["beaver"], SEAT))) is None
    assert match_token(repository, claim(token_of(demo, SEAT), game="nowhere")) is None
    assert match_token(repository, claim(token_of(demo, SEAT), seat="nobody")) is None


def test_a_bots_seat_is_nobodys(repository: MemoryRepository, demo: GamePosition) -> None:
    """Though its token can be computed."""
    token = reply_token(OFFICE.key, "demo", Seat("Dakota"), 1, "S1M")
    assert match_token(repository, claim(token, seat="dakota")) is None


def test_a_raised_generation_makes_tokens_void(repository: MemoryRepository, demo: GamePosition) -> None:
    """As when the seat was given to somebody else."""
    token = token_of(demo, SEAT)
    moved = demo.assignments[SEAT].with_player("successor@example.net")
    assert moved.generation == 2
    repository.positions["demo"] = with_changed_seat(
        demo, SEAT, address=moved.address, generation=moved.generation
    )
    assert match_token(repository, claim(token)) is None
    assert match_token(repository, claim(token_of(repository.positions["demo"], SEAT))) is not None


def test_tokens_may_be_refused_altogether(repository: MemoryRepository, demo: GamePosition) -> None:
    strict = replace(OFFICE, accept=frozenset({"password"}))
    assert authenticate_token([claim(token_of(demo, SEAT))], repository, strict) is None


# Passwords.


def by_password(
    game: str, seat: str, password: str, repository: MemoryRepository, service_context: ServiceContext
) -> AuthenticatedSeat | RefusedClaim | None:
    """For whom a letter speaks that proves nothing but by its SIGNON."""
    signon = Command(line="SIGNON", verb="SIGNON", args=(game, seat, password))
    return signed_on(
        [signon], IdentityProof(), "cafe@example.com", RequestContext(repository, service_context, NOON)
    ).speakers[0]


def test_the_right_password_speaks_for_its_seat(repository: MemoryRepository, demo: GamePosition) -> None:
    """With any capitals in game and seat, and any spaces around it."""
    for game, seat in (("demo", "Iroquois"), ("DEMO", "IROQUOIS")):
        assert by_password(game, seat, PASSWORD, repository, OFFICE) == AuthenticatedSeat(
            demo, SEAT, "password"
        )


@pytest.mark.parametrize(
    ("game", "seat", "password"),
    [
        ("demo", "Iroquois", "four-canoes"),
        ("demo", "Iroquois", PASSWORD.upper()),
        ("demo", "Muskhogean", PASSWORD),
        ("demo", "Nobody", PASSWORD),
        ("nowhere", "Iroquois", PASSWORD),
        ("solo", "player", PASSWORD),
    ],
)
def test_anything_else_is_refused_in_one_way(
    repository: MemoryRepository, game: str, seat: str, password: str
) -> None:
    """No word tells which half was wrong."""
    assert by_password(game, seat, password, repository, OFFICE) is REFUSED


def test_the_password_of_a_seat_that_a_bot_has_is_refused(
    repository: MemoryRepository, demo: GamePosition
) -> None:
    repository.positions["demo"] = with_changed_seat(demo, SEAT, address=None)
    assert by_password("demo", SEAT, PASSWORD, repository, OFFICE) is REFUSED


def test_passwords_may_be_refused_altogether(repository: MemoryRepository) -> None:
    strict = replace(OFFICE, accept=frozenset({"token"}))
    assert by_password("demo", SEAT, PASSWORD, repository, strict) is REFUSED


def test_the_refusal_names_no_half() -> None:
    assert isinstance(REFUSED, RefusedClaim)
    for word in ("no such", "wrong password", "unknown"):
        assert word not in REFUSED.why


def test_a_seat_is_named_whatever_its_capitals(demo: GamePosition) -> None:
    assert find_seat_by_name(demo, "iroquois") == find_seat_by_name(demo, "IROQUOIS") == SEAT
    assert find_seat_by_name(demo, "Atlantis") is None


def test_a_password_is_not_kept_in_clear() -> None:
    assert PASSWORD not in sealed_password()


# Addresses that are vouched for.


MX = replace(OFFICE, accept=frozenset({"token", "password", "verified-from"}), authserv_id="mx.example.org")
RESULTS = "dmarc=pass header.from=example.net; spf=pass smtp.mailfrom={}@example.net"
VOUCHED = {"Authentication-Results": f"mx.example.org; {RESULTS.format('iroquois')}"}
FORGED = {"Authentication-Results": f"mx.attacker.example; {RESULTS.format('iroquois')}"}


def prove_sender(
    repository: MemoryRepository, service_context: ServiceContext = MX, **fields: Any
) -> IdentityProof:
    raw = letter("Mohawk - Delaware", **fields)
    return prove_identity(open_letter(raw), stored_letter(raw), repository, service_context)


def test_a_vouched_address_speaks_for_the_seat_that_it_holds(
    repository: MemoryRepository, demo: GamePosition
) -> None:
    proof = prove_sender(repository, headers=VOUCHED)
    assert (
        proof.speaker()
        == proof.find_seat("DEMO", "iroquois")
        == AuthenticatedSeat(demo, SEAT, "verified-from")
    )
    assert proof.find_seat("demo", "Muskhogean") is None


@pytest.mark.parametrize(
    ("fields", "service_context"),
    [
        ({}, MX),
        ({"headers": FORGED}, MX),
        ({"headers": VOUCHED}, replace(MX, authserv_id=None)),
        ({"headers": VOUCHED}, OFFICE),
        ({"headers": VOUCHED, "sender": "iroquois@example.net, dakota@example.net"}, MX),
        ({"headers": VOUCHED, "sender": "nobody@example.net"}, MX),
        ({"headers": VOUCHED, "sender": "Iroquois <iroquois@elsewhere.example>"}, MX),
    ],
)
def test_a_from_line_that_nothing_vouches_for(
    repository: MemoryRepository, fields: dict[str, Any], service_context: ServiceContext
) -> None:
    proof = prove_sender(repository, service_context, **fields)
    assert proof.speaker() is None
    assert proof.find_seat("demo", "Iroquois") is None


def test_a_signature_vouches_too(repository: MemoryRepository) -> None:
    """It is looked at only where there is one, the address holds a seat, and no token speaks already."""
    asked: list[str] = []
    good = Signature(domain="example.net", selector="post", value="AAAA", headers=READ_HEADERS)
    service_context = replace(
        MX, signed=lambda raw, domain: (good,) if asked.append(domain) or domain == "example.net" else ()
    )
    signed = {"DKIM-Signature": "v=1; d=example.net; s=post; h=from; b=AAAA"}
    assert prove_sender(repository, service_context, headers=signed).speaker() is not None
    assert asked == ["example.net"]
    prove_sender(repository, service_context)
    prove_sender(repository, service_context, sender="nobody@example.net", headers=signed)
    prove_sender(
        repository, service_context, to=address_for(repository.positions["demo"], SEAT), headers=signed
    )
    assert asked == ["example.net"]


def test_who_holds_several_seats_says_which(repository: MemoryRepository, demo: GamePosition) -> None:
    """By any tag or old token of ours, though it proves nothing by itself."""
    repository.positions["beaver"] = replace(demo, name="beaver")
    assert prove_sender(repository, headers=VOUCHED).speaker() is None
    tagged = prove_sender(repository, headers=VOUCHED, subject="Re: [beaver S1M Iroquois] orders").speaker()
    assert tagged is not None
    assert tagged.position.name == "beaver"
    assert prove_sender(repository, headers=VOUCHED).find_seat("demo", "Iroquois") is not None
    repository.positions["beaver"] = replace(demo, name="beaver", status="finished")
    assert prove_sender(repository, headers=VOUCHED).speaker() is not None, (
        "of the games that are played it is one"
    )


def test_a_token_from_another_seat_of_the_game_was_passed_on(
    repository: MemoryRepository, demo: GamePosition
) -> None:
    """A reply to an email that its reader forwarded has the reader's token in its References."""
    to = address_for(demo, SEAT)
    assert prove_sender(repository, to=to, sender="muskhogean@example.net").speaker() is None
    hers = {"Authentication-Results": f"mx.example.org; {RESULTS.format('muskhogean')}"}
    own = prove_sender(repository, to=to, sender="muskhogean@example.net", headers=hers).speaker()
    assert own == AuthenticatedSeat(demo, Seat("Muskhogean"), "verified-from")
    assert prove_sender(repository, to=to, sender="phone@example.com").speaker() == AuthenticatedSeat(
        demo, SEAT, "token"
    )


# Two ways that have to agree.

STRICT = replace(MX, strict=True)


def test_one_way_is_too_little_where_two_have_to_agree(
    repository: MemoryRepository, demo: GamePosition
) -> None:
    to = address_for(demo, SEAT)
    both = prove_sender(repository, STRICT, to=to, headers=VOUCHED)
    assert both.speaker() == both.find_seat("demo", "Iroquois") == AuthenticatedSeat(demo, SEAT, "token")
    for one in (prove_sender(repository, STRICT, to=to), prove_sender(repository, STRICT, headers=VOUCHED)):
        assert one.speaker() is None
        assert one.find_seat("demo", "Iroquois") is None


def test_a_password_and_one_other_way(repository: MemoryRepository, demo: GamePosition) -> None:
    seated = AuthenticatedSeat(demo, SEAT, "password")
    assert prove_sender(repository, STRICT, to=address_for(demo, SEAT)).accept_password(seated) is seated
    assert prove_sender(repository, STRICT, headers=VOUCHED).accept_password(seated) is seated
    assert prove_sender(repository, STRICT).accept_password(seated) is REFUSED
    assert prove_sender(repository, MX).accept_password(seated) is seated
