"""Addresses: which ones are safe to write to, and the signs that show the sender of an email."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.model.addresses import (
    SenderClaim,
    claims,
    is_game_name,
    is_same_token,
    message_id,
    reply_address,
    reply_token,
    short_seat_name,
    subject_tag,
    valid_address,
)

KEY = b"k" * 32
TOKEN = reply_token(KEY, "demo", "Iroquois", 1, "S1M")
IROQUOIS = SenderClaim(game="demo", seat="iroquois", token=TOKEN)


def test_a_token_is_13_letters_that_survive_small_letters():
    assert len(TOKEN) == 13
    assert set(TOKEN) <= set("abcdefghijklmnopqrstuvwxyz234567")


def test_a_token_is_good_for_one_seat_generation_and_turn():
    others = {
        reply_token(b"other", "demo", "Iroquois", 1, "S1M"),
        reply_token(KEY, "demo2", "Iroquois", 1, "S1M"),
        reply_token(KEY, "demo", "Dakota", 1, "S1M"),
        reply_token(KEY, "demo", "Iroquois", 2, "S1M"),
        reply_token(KEY, "demo", "Iroquois", 1, "U1R"),
    }
    assert len(others | {TOKEN}) == 6
    assert reply_token(KEY, "demo", "iroquois", 1, "S1M") == TOKEN


def test_same_compares_whole_tokens():
    assert is_same_token(TOKEN, TOKEN)
    assert not is_same_token(TOKEN, TOKEN[:-1])
    assert not is_same_token("ä", "a")


def test_the_reply_address_carries_seat_and_token():
    address = reply_address("gm@example.org", "demo", "Iroquois", TOKEN)
    assert address == f"gm+demo.iroquois.{TOKEN}@example.org"
    assert valid_address(address) == address


def test_a_local_part_keeps_to_its_64_octets():
    long = "the-adjudicator-of-all-games-of-the-club@example.org"
    assert reply_address(long, "demo", "Iroquois", TOKEN) == long


@pytest.mark.parametrize(
    ("seat", "id_"),
    [
        ("Iroquois", "iroquois"),
        ("United States", "united-states"),
        ("Österreich", "osterreich"),
        ("1st!", "1st"),
    ],
)
def test_seats_are_short_in_addresses(seat, id_):
    assert short_seat_name(seat) == id_


@pytest.mark.parametrize(
    "subject",
    [
        f"[demo S1M Iroquois #{TOKEN}] Spring, year 1",
        f"Re: Aw: RE: [demo S1M Iroquois #{TOKEN}] Spring",
        f"Re: [demo S1M\r\n Iroquois #{TOKEN}]",
        f"[club] [DEMO s1m IROQUOIS #{TOKEN.upper()}]",
        subject_tag("demo", "S1M", "Iroquois", TOKEN),
    ],
)
def test_a_subject_tag_survives_what_mail_programs_do_to_it(subject):
    assert IROQUOIS in claims([], subject, [])


def test_a_tag_without_token_is_a_bare_assertion():
    tag = subject_tag("demo", "S1M", "United States")
    assert tag == "[demo S1M United States]"
    assert claims([], f"Re: {tag}", []) == (SenderClaim(game="demo", seat="united-states"),)


@pytest.mark.parametrize(
    "address",
    [
        f"gm+demo.iroquois.{TOKEN}@example.org",
        f"The GM <GM+Demo.Iroquois.{TOKEN.upper()}@Example.ORG>",
        f"a@b.c, gm+demo.iroquois.{TOKEN}@example.org",
    ],
)
def test_a_plus_address_says_who_speaks(address):
    assert claims([address], "", []) == (IROQUOIS,)


def test_our_message_ids_say_who_speaks():
    ours = message_id(KEY, "demo/1/report/Iroquois", "example.org", IROQUOIS)
    assert ours.startswith(f"<demo.iroquois.{TOKEN}.")
    assert claims([], "", ["<foreign@example.org>", ours.upper()]) == (IROQUOIS,)


def test_message_ids_are_the_same_for_ever_and_differ_by_key():
    assert message_id(KEY, "a", "x.org") == message_id(KEY, "a", "x.org")
    assert message_id(KEY, "a", "x.org") != message_id(KEY, "b", "x.org")
    assert message_id(KEY, "a", "x.org") != message_id(b"other", "a", "x.org")
    assert message_id(KEY, "a", "x.org", SenderClaim(game="demo", seat="iroquois")).count(".") == 1


def test_each_claim_is_made_once_addresses_first():
    other = SenderClaim(game="demo", seat="dakota")
    found = claims(
        [f"gm+demo.iroquois.{TOKEN}@x.org"],
        f"[demo S1M Dakota] [demo S1M Iroquois #{TOKEN}]",
        [message_id(KEY, "k", "x.org", IROQUOIS)],
    )
    assert found == (IROQUOIS, other)


@pytest.mark.parametrize(
    ("addresses", "subject", "ids"),
    [
        (["gm@example.org", f"gm+b.12.{TOKEN}@example.org"], "", []),
        ([f"gm+sent.x.{TOKEN}@example.org"], "", []),
        ([], "[b S1M x]", []),
        ([], "[list] hello", ["<a.b.c@d>"]),
        ([f"gm+demo..{TOKEN}@example.org", "gm+demo.iroquois.short@example.org"], "[]", []),
    ],
)
def test_bounces_copies_and_chatter_claim_nothing(addresses, subject, ids):
    assert claims(addresses, subject, ids) == ()


@given(st.lists(st.text(max_size=40)), st.text(max_size=300), st.lists(st.text(max_size=40)))
def test_reading_claims_never_fails(addresses, subject, ids):
    assert all(claim.seat for claim in claims(addresses, subject, ids))


def test_a_hostile_subject_is_read_quickly():
    assert claims([], "[demo " * 200_000, []) == ()
    assert claims(["+demo." * 20_000], "", ["demo." * 20_000]) == ()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Iro@Example.ORG", "iro@example.org"),
        (" iro@localhost ", "iro@localhost"),
        ("o'brien+x@a-b.c", "o'brien+x@a-b.c"),
        ("iro@münchen.example", "iro@xn--mnchen-3ya.example"),
    ],
)
def test_good_addresses_are_normalised(text, address):
    assert valid_address(text) == address
    assert valid_address(address) == address


@pytest.mark.parametrize(
    "text",
    [
        "x@y>\r\nRCPT TO:<z@z",
        "x@y\n",
        "x@y\r\nBcc: z@z",
        "x y@z",
        "<x@y>",
        "X <x@y>",
        '"x y"@z',
        "x@y,z@z",
        "x@[127.0.0.1]",
        ".x@y",
        "x..x@y",
        "x@-y",
        "x@y..z",
        "@y",
        "x@",
        "x",
        "",
        "ü\u200b@y.org",
        "ü\u202e@y.org",
        "ü→@y.org",
        "ü@y.org>",
        "ü" * 33 + "@y.org",
        "x\0@y",
        "x" * 65 + "@y",
        "x@" + "y" * 64,
        "x@" + "y." * 130 + "org",
        "x@\udcc3",
    ],
)
def test_bad_addresses_are_none(text):
    assert valid_address(text) is None


@given(st.text(max_size=80))
def test_no_address_can_smuggle_a_command(text):
    address = valid_address(text)
    assert address is None or (address.isprintable() and not set(address) & set(' \t\r\n\0<>,;:"\\()[]'))


@pytest.mark.parametrize(
    ("name", "fits"), [("demo-2", True), ("b", False), ("sent", False), ("a.b", False), ("x" * 21, False)]
)
def test_names_of_games(name, fits):
    assert is_game_name(name) is fits
