"""The turn that an email is for, in a game that was restored from a backup."""

import time
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.auth.sender import (
    MAX_CHECKED_CLAIMS,
    AuthenticatedSeat,
    IdentityProof,
    OlderTokenSearch,
    TurnHints,
    coming_turns,
    date_speaker,
    prove_identity,
    recognise_void_token,
)
from adjudicator.context import ServiceContext
from adjudicator.model.addresses import (
    SenderClaim,
    claims,
    message_id,
    reply_address,
    reply_token,
    tagged_turns,
)
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import GenerationWindow, RestoreMark, open_window
from games.protocol import Seat
from orders.mail.letter import open_letter
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import NOON, OFFICE, MemoryRepository, new_position, with_changed_seat

SEAT, OTHER = Seat("Iroquois"), Seat("Muskhogean")
ADDRESS = "iroquois@example.net"
MX = replace(OFFICE, accept=frozenset({"token", "password", "verified-from"}), authserv_id="mx.example.org")
DIGITS = str.maketrans("0189", "bcde")
VOUCHED = {
    "Authentication-Results": "mx.example.org; dmarc=pass header.from=example.net; "
    f"spf=pass smtp.mailfrom={ADDRESS}"
}


@pytest.fixture
def repository(demo: GamePosition) -> MemoryRepository:
    """A game in its first spring, restored: the Iroquois had generation 1, and have 7 now."""
    position = with_changed_seat(demo, SEAT, generation=7)
    mark = RestoreMark(made=NOON, restored=NOON + 9, seats={SEAT: GenerationWindow(low=1, high=6, current=7)})
    return MemoryRepository({"demo": position}, past={"demo": ()}, marks={"demo": mark})


def token(turn: str, generation: int = 1, seat: Seat = SEAT, game: str = "demo") -> str:
    return reply_token(OFFICE.key, game, seat, generation, turn)


def to(turn: str, generation: int = 1, seat: Seat = SEAT) -> str:
    return reply_address(OFFICE.address, "demo", seat, token(turn, generation, seat))


def prove_sender(
    repository: MemoryRepository, service_context: ServiceContext = OFFICE, **fields: Any
) -> IdentityProof:
    raw = letter("Mohawk - Delaware", **fields)
    return prove_identity(open_letter(raw), stored_letter(raw), repository, service_context)


def find_speaker(
    repository: MemoryRepository, service_context: ServiceContext = OFFICE, **fields: Any
) -> tuple[str, str | None] | None:
    """Return how an email's seat was proved, and for which coming turn it is."""
    raw = letter("Mohawk - Delaware", **fields)
    opened_letter = open_letter(raw)
    proof = prove_identity(opened_letter, stored_letter(raw), repository, service_context)
    seated = proof.speaker()
    if seated is None:
        return None
    hints = TurnHints(proof.claimed, tagged_turns(opened_letter.subject))
    found = date_speaker(seated, OlderTokenSearch(repository, service_context, hints))
    return found.how, found.later


@pytest.mark.parametrize("turn", ["U1R", "F1M", "W1A", "S2M", "W6A"])
def test_a_token_for_a_turn_that_can_follow(repository: MemoryRepository, turn: str) -> None:
    seated = prove_sender(repository, to=to(turn)).speaker()
    assert seated is not None
    assert (seated.seat, seated.later, seated.stale, seated.generation) == (SEAT, turn, None, 1)


def test_a_token_for_a_turn_that_only_its_tag_names(repository: MemoryRepository) -> None:
    """Further ahead than anybody orders: it speaks for its seat, as a token of another turn does."""
    assert prove_sender(repository, to=to("S9M")).speaker() is None
    seated = prove_sender(
        repository, to=to("S9M"), subject=f"Re: x [demo S9M Iroquois #{token('S9M')}]"
    ).speaker()
    assert seated is not None
    assert (seated.later, seated.stale) == (None, "S9M")


def test_tokens_of_the_present_turn_and_of_one_that_is_over(repository: MemoryRepository) -> None:
    repository.past["demo"] = ("S0M",)
    now, over = (
        prove_sender(repository, to=to("S1M", 3)).speaker(),
        prove_sender(repository, to=to("S0M")).speaker(),
    )
    assert now is not None
    assert over is not None
    assert (now.later, now.stale, over.stale) == (None, None, "S0M")


def test_of_several_tokens_that_of_the_latest_turn_counts(repository: MemoryRepository) -> None:
    """In the thread stand those of all the emails that were answered before."""
    said = {turn: claims((to(turn),), "", ())[0] for turn in ("S1M", "F1M")}
    thread = " ".join(message_id(b"k", turn, "example.org", one) for turn, one in said.items())
    seated = prove_sender(repository, headers={"References": thread}).speaker()
    assert seated is not None
    assert seated.later == "F1M"


def test_of_a_long_thread_the_last_emails_are_looked_at(repository: MemoryRepository) -> None:
    """The first of them are older, and their tokens may be ones of which nobody knows any more."""
    one = claims((to("F1M"),), "", ())[0]
    older = [
        SenderClaim(game="demo", seat="iroquois", token=f"{n:a>13}".translate(DIGITS)) for n in range(40)
    ]
    thread = [message_id(b"k", str(n), "example.org", said) for n, said in enumerate([*older, one])]
    seated = prove_sender(repository, headers={"References": " ".join(thread)}).speaker()
    assert seated is not None
    assert seated.later == "F1M"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"to": to("F1M", 8)}, None),
        ({"to": to("F1M", 1, OTHER).replace("muskhogean", "iroquois")}, None),
        ({"to": to("F1M").replace("demo", "other")}, None),
        ({"to": to("F1M"), "sender": "muskhogean@example.net"}, None),
        ({"subject": "Re: orders [demo F1M Iroquois]"}, None),
        ({"to": to("F1M", 3), "sender": "phone@example.com"}, None),
        ({"to": to("F1M"), "sender": "phone@example.com"}, ("token", "F1M")),
    ],
    ids=[
        "a generation that was never issued",
        "the token of another seat",
        "the token of another game",
        "from another player of the game",
        "a tag without a token",
        "a newer generation, from somewhere else",
        "the generation of the backup, from somewhere else",
    ],
)
def test_who_speaks_for_a_seat_after_a_restore(
    repository: MemoryRepository, fields: dict[str, Any], expected: tuple[str, str] | None
) -> None:
    assert find_speaker(repository, **fields) == expected


def test_an_address_that_is_vouched_for_and_a_tag(repository: MemoryRepository) -> None:
    """Even where tokens don't authenticate, a token or a tag says for which turn an email is."""
    service_context = replace(MX, accept=frozenset({"verified-from", "password"}))
    vouched = {"headers": VOUCHED}
    assert find_speaker(repository, service_context, **vouched) == ("verified-from", None)
    assert find_speaker(repository, service_context, to=to("F1M"), **vouched) == ("verified-from", "F1M")
    assert find_speaker(repository, service_context, subject="Re: x [demo f1m Iroquois]", **vouched) == (
        "verified-from",
        "F1M",
    )
    assert find_speaker(repository, service_context, subject="Re: x [demo S1M Iroquois]", **vouched) == (
        "verified-from",
        None,
    )
    assert find_speaker(repository, service_context, subject="Re: x [demo xyz Iroquois]", **vouched) == (
        "verified-from",
        None,
    )
    tag = f"Re: x [demo S1M Iroquois #{token('F1M')}]"
    assert find_speaker(repository, service_context, subject=tag, **vouched) == ("verified-from", "F1M"), (
        "a report of S1M"
    )
    del repository.marks["demo"]
    assert find_speaker(repository, service_context, subject="Re: x [demo F1M Iroquois]", **vouched) == (
        "verified-from",
        None,
    )


@pytest.mark.parametrize("how", ["gamesmaster", "confirmed"])
def test_what_was_given_back_or_confirmed_is_for_the_present_turn(
    repository: MemoryRepository, how: str
) -> None:
    seated = AuthenticatedSeat(repository.positions["demo"], SEAT, how)
    dates = TurnHints(claims=claims((to("F1M"),), "", ()))
    assert date_speaker(seated, OlderTokenSearch(repository, OFFICE, dates)) is seated


def test_where_two_ways_have_to_agree_they_still_do(repository: MemoryRepository) -> None:
    strict = replace(MX, strict=True)
    assert find_speaker(repository, strict, to=to("F1M")) is None
    assert find_speaker(repository, strict, to=to("F1M"), headers=VOUCHED) == ("token", "F1M")


def test_a_seat_that_has_other_tokens_since_has_those_alone(repository: MemoryRepository) -> None:
    """Emails from before the restore don't count then, and their player gets an explanation."""
    repository.positions["demo"] = with_changed_seat(repository.positions["demo"], SEAT, generation=8)
    for generation in (1, 6, 7):
        raw = letter("x", to=to("F1M", generation))
        assert prove_identity(open_letter(raw), stored_letter(raw), repository, OFFICE).speaker() is None
        claimed = claims((to("F1M", generation),), "", ())
        void = recognise_void_token(claimed, ADDRESS, repository, OFFICE)
        assert void is not None
        assert (void.stale, void.later, void.generation) == (None, "F1M", generation)
    assert find_speaker(repository, to=to("S1M", 8)) == ("token", None)


def test_no_token_from_before_passes_to_others(repository: MemoryRepository) -> None:
    """Neither one for a coming turn nor one of a later generation: anyone who has it could order with it."""
    keys = reply_tokens_of_game("demo", repository, OFFICE)
    for turn, generation in (("S1M", 1), ("F1M", 1), ("W6A", 6), ("S1M", 7)):
        assert token(turn, generation) in keys.holders
        assert token(turn, generation) not in keys.redact(f"look: {token(turn, generation)}")
    assert keys.holders[token("F1M", 3)].generation == 3
    assert keys.holders[token("S1M", 7)].generation == 0
    assert token("S1M", 8) not in keys.holders


def test_a_second_restore_widens_the_window(repository: MemoryRepository) -> None:
    assignment = repository.positions["demo"].assignments[SEAT]
    assert open_window(assignment, repository.marks["demo"]) == GenerationWindow(low=1, high=12, current=13)
    assert open_window(assignment, None) == GenerationWindow(low=7, high=12, current=13)


def test_a_tag_keeps_the_letters_of_its_turn() -> None:
    assert tagged_turns("Re: Due [demo T1B3b Boers #aaaaaaaaaaaaa] [Beaver F1M x]") == (
        ("demo", "T1B3b"),
        ("beaver", "F1M"),
    )


@pytest.mark.parametrize("kind", ["war-chest", "great-war", "boer-war", "plains-indian-wars"])
def test_games_of_which_nobody_knows_what_comes_next(kind: str) -> None:
    """A token is known by what a turn may be called; an email costs little that has many which are none's."""
    position = new_position(kind)
    seat = next(iter(position.assignments))
    position = with_changed_seat(position, seat, address=ADDRESS, generation=7)
    mark = RestoreMark(made=NOON, restored=NOON + 9, seats={seat: GenerationWindow(low=1, high=6, current=7)})
    repository = MemoryRepository({"demo": position}, marks={"demo": mark})
    later = coming_turns(position)[-1]
    raw = letter("x", to=reply_address(OFFICE.address, "demo", seat, token(later, 6, seat)))
    seated = prove_identity(open_letter(raw), stored_letter(raw), repository, OFFICE).speaker()
    assert seated is not None
    assert seated.later == later
    tokens = [f"{number:a>13}".translate(DIGITS) for number in range(99)]
    bogus = ", ".join(reply_address(OFFICE.address, "demo", seat, one) for one in tokens)
    raw = letter("x", to=bogus)
    began = time.process_time()
    assert prove_identity(open_letter(raw), stored_letter(raw), repository, OFFICE).speaker() is None
    assert time.process_time() - began < 1, f"{MAX_CHECKED_CLAIMS} of them are looked at"
