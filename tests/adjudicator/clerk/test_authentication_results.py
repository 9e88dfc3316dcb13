"""Authentication-Results (RFC 8601): which count, what they say, and what forgers write into them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.clerk.authentication_results import Result, results_of, vouches

OURS = "mx.example.org"
DMARC = "dmarc=pass (p=none dis=none) header.from=example.net"
DKIM = "dkim=pass header.d=example.net header.s=post header.b=abcdefgh"


def raw(*values: str) -> bytes:
    heads = "".join(f"Authentication-Results: {value}\r\n" for value in values)
    return f"Received: from a by b\r\n{heads}From: iroquois@example.net\r\n\r\norders\r\n".encode()


def vouched(*values: str, domain: str = "example.net") -> bool:
    return vouches(results_of(raw(*values), OURS), domain)


@pytest.mark.parametrize(
    "value",
    [
        f"{OURS}; {DMARC}",
        f"{OURS}; {DKIM}",
        f"{OURS.upper()} 1;\r\n\tdkim=pass header.i=@example.net;\r\n\tspf=pass smtp.mailfrom=example.net",
        f'{OURS}; dkim=pass (good; signature) reason="a;b" header.d=example.net',
        f"{OURS}; dkim=fail header.d=list.example; dkim=pass header.d=example.net; dmarc=none",
        f"{OURS}; spf=softfail smtp.mailfrom=x@y; {DMARC}",
        f"{OURS} ; dkim / 1 = pass header.d = example.net",
    ],
)
def test_what_vouches(value: str) -> None:
    assert vouched(value)


@pytest.mark.parametrize(
    "value",
    [
        f"mx.attacker.example; {DMARC}",
        f"{OURS}.attacker.example; {DMARC}",
        f"x{OURS}; {DMARC}",
        OURS,
        f"{OURS}; none",
        f"{OURS}; spf=pass smtp.mailfrom=iroquois@example.net",
        f"{OURS}; dkim=pass header.d=attacker.example",
        f"{OURS}; dkim=pass header.d=net",
        f"{OURS}; dkim=pass",
        f"{OURS}; dkim=fail header.d=example.net",
        f"{OURS}; dkim=policy header.d=example.net",
        f"{OURS}; dmarc=pass",
        f"{OURS}; dmarc=pass header.from=attacker.example",
        f"{OURS}; dmarc=fail header.from=example.net; {DKIM}",
        f"{OURS}; dmarc=fail header.from=example.net; {DMARC}",
        f"{OURS}; dmarc=temperror; {DKIM}",
        f"; {DMARC}",
        "",
        f"spf=pass smtp.mailfrom=example.net; {DMARC}",
    ],
)
def test_what_does_not(value: str) -> None:
    assert not vouched(value)


@pytest.mark.parametrize(
    "name",
    [
        f'"a; {DMARC}"@attacker.example',
        f'"a);{DMARC} ("@attacker.example',
        f"(a; {DMARC})@attacker.example",
        f"((a); {DMARC})@attacker.example",
        f'a\\"; {DMARC}',
    ],
)
@pytest.mark.parametrize("place", ["smtp.mailfrom={}", "(domain of {} does not permit) smtp.helo=x"])
def test_what_a_sender_has_chosen_is_no_result(name: str, place: str) -> None:
    """A server repeats his address in a property, or in a comment."""
    assert not vouched(f"{OURS}; spf=fail {place.format(name)}")


def test_only_the_topmost_of_the_name_counts() -> None:
    """What stands below was there before the server took the letter."""
    assert not vouched(f"{OURS}; dmarc=fail header.from=example.net", f"{OURS}; {DMARC}")
    assert vouched("other.example; dmarc=fail header.from=example.net", f"{OURS}; {DMARC}")
    assert not vouched(f"{OURS}; spf=none", f"{OURS}; {DKIM}")


def test_a_result_with_what_it_is_about() -> None:
    (one,) = results_of(raw(f"{OURS}; {DKIM}"), OURS)
    about = {"header.d": "example.net", "header.s": "post", "header.b": "abcdefgh"}
    assert one == Result("dkim", "pass", about)


@given(st.text(max_size=300))
def test_nothing_that_is_written_there_raises(text: str) -> None:
    results_of(f"Authentication-Results: {OURS}; {text}\r\n\r\n".encode("utf-8", "replace"), OURS)
    results_of(f"Authentication-Results: {text}\r\n\r\n".encode("utf-8", "replace"), OURS)
