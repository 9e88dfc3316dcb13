"""Authentication-Results (RFC 8601): which headers count, what they prove, and forgeries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.auth.sender import (
    MethodResult,
    authenticates_domain,
    is_sent_by,
    passed_signatures,
    results_of,
)
from orders.mail.dkim_signatures import Signature

OURS = "mx.example.org"
DMARC = "dmarc=pass (p=none dis=none) header.from=example.net"
DKIM = "dkim=pass header.d=example.net header.s=post header.b=abcdefgh"


def raw(*values: str) -> bytes:
    heads = "".join(f"Authentication-Results: {value}\r\n" for value in values)
    return f"Received: from a by b\r\n{heads}From: iroquois@example.net\r\n\r\norders\r\n".encode()


def vouched(*values: str, domain: str = "example.net") -> bool:
    return authenticates_domain(results_of(raw(*values), OURS), domain)


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
    """A server repeats the sender's address in a property or a comment."""
    assert not vouched(f"{OURS}; spf=fail {place.format(name)}")


def test_only_the_topmost_of_the_name_counts() -> None:
    """Everything below was there before the server accepted the email."""
    assert not vouched(f"{OURS}; dmarc=fail header.from=example.net", f"{OURS}; {DMARC}")
    assert vouched("other.example; dmarc=fail header.from=example.net", f"{OURS}; {DMARC}")
    assert not vouched(f"{OURS}; spf=none", f"{OURS}; {DKIM}")


def test_a_result_with_what_it_is_about() -> None:
    (one,) = results_of(raw(f"{OURS}; {DKIM}"), OURS)
    about = {"header.d": "example.net", "header.s": "post", "header.b": "abcdefgh"}
    assert one == MethodResult("dkim", "pass", about)


@given(st.text(max_size=300))
def test_nothing_that_is_written_there_raises(text: str) -> None:
    results_of(f"Authentication-Results: {OURS}; {text}\r\n\r\n".encode("utf-8", "replace"), OURS)
    results_of(f"Authentication-Results: {text}\r\n\r\n".encode("utf-8", "replace"), OURS)


# Whose server handed a letter over.

HER = "iroquois@example.net"
SPF = f"spf=pass (mx: domain of {HER} designates 192.0.2.1) smtp.mailfrom={HER}"


def handed_over(*values: str, address: str = HER) -> bool:
    return is_sent_by(results_of(raw(*values), OURS), address)


@pytest.mark.parametrize(
    "value",
    [
        f"{OURS}; {SPF}; {DMARC}",
        f"{OURS}; {DMARC}; {SPF} smtp.helo=mail.example.net",
        f"{OURS}; spf=pass smtp.mailfrom=Iroquois@Example.NET; {DMARC}",
        f"{OURS}; dkim=fail header.d=list.example; {SPF}; {DMARC}; x-vs=spam:low score=1",
        f'{OURS}; spf=pass smtp.mailfrom="{HER}"; {DMARC}',
    ],
)
def test_her_own_server_handed_it_over(value: str) -> None:
    assert handed_over(value)


@pytest.mark.parametrize(
    "value",
    [
        f"{OURS}; {DMARC}",
        f"{OURS}; {SPF}",
        f"{OURS}; {SPF}; dmarc=fail header.from=example.net",
        f"{OURS}; {SPF}; dmarc=none header.from=example.net",
        f"{OURS}; {SPF}; dmarc=pass header.from=example.org",
        f"{OURS}; {SPF}; {DMARC}; {DMARC}",
        f"{OURS}; {SPF}; {SPF}; {DMARC}",
        f"{OURS}; spf=softfail smtp.mailfrom={HER}; {DMARC}",
        f"{OURS}; spf=pass smtp.mailfrom=thief@example.net; {DMARC}",
        f"{OURS}; spf=pass smtp.mailfrom=example.net; {DMARC}",
        f"{OURS}; spf=pass smtp.helo={HER}; {DMARC}",
        f"{OURS}; spf=pass smtp.helo=x; auth=pass smtp.mailfrom={HER}; {DMARC}",
        f"{OURS}; {SPF} smtp.mailfrom=thief@example.net; {DMARC}",
        f"{OURS}; {SPF}; {DMARC})",
        f"{OURS}; {SPF}; {DMARC} (",
        f"{OURS}; {SPF}; {DMARC}; !",
        f"mx.attacker.example; {SPF}; {DMARC}",
    ],
)
def test_somebody_else_handed_it_over_or_nobody_can_tell(value: str) -> None:
    assert not handed_over(value)


def test_both_stand_in_one_result() -> None:
    assert not handed_over(f"{OURS}; {DMARC}", f"{OURS}; {SPF}")


HELO = (
    "x) {good} (",
    "x); {good} (y",
    'x"); {good} ("y',
    "x; {good}",
    "\\); {good} (y",
    "(x; {good}",
)


@pytest.mark.parametrize("name", HELO)
@pytest.mark.parametrize(
    "written",
    [
        "spf=fail (helo={}) smtp.mailfrom=thief@x.example; dmarc=fail header.from=example.net",
        "iprev=fail (helo={}); spf=fail smtp.mailfrom=thief@x.example; dmarc=fail header.from=example.net",
        "dmarc=fail header.from=example.net; spf=none smtp.helo={}",
        'spf=none smtp.helo="{}"; dmarc=fail header.from=example.net',
    ],
)
def test_the_name_by_which_a_server_was_greeted_is_no_result(name: str, written: str) -> None:
    """Some servers copy that name unchanged; a result of their own is always there."""
    helo = name.format(good=f"{SPF}; {DMARC}; {DKIM}")
    results = results_of(raw(f"{OURS}; {written.format(helo)}"), OURS)
    assert not is_sent_by(results, HER)
    assert not authenticates_domain(results, "example.net")
    assert passed_signatures(results, (POST,), "example.net") == ()


# Which signature is meant.


def make_signature(
    value: str = "abcdefghijkl", selector: str = "post", domain: str = "example.net"
) -> Signature:
    return Signature(domain=domain, selector=selector, value=value, headers=("from",))


POST = make_signature()


def passed(value: str, *signatures: Signature | None) -> tuple[tuple[Signature, ...], ...]:
    return passed_signatures(results_of(raw(f"{OURS}; {value}"), OURS), signatures, "example.net")


@pytest.mark.parametrize(
    "about",
    [
        "header.d=example.net",
        "header.d=example.net header.s=post",
        'header.d=example.net header.b="abcdefgh"',
        "header.i=@example.net header.s=post header.b=abcdefgh",
        "header.i=elm@mail.example.net",
    ],
)
def test_a_result_names_a_signature(about: str) -> None:
    domain = "mail.example.net" if "mail." in about else "example.net"
    results = results_of(raw(f"{OURS}; dkim=pass {about}"), OURS)
    assert passed_signatures(results, (make_signature(domain="list.example"), POST), domain) == ((POST,),)


@pytest.mark.parametrize(
    "about",
    [
        "",
        "header.d=example.org",
        "header.d=net",
        "header.d=example.net header.s=other",
        "header.d=example.net header.b=ABCDEFGH",
        "header.i=@example.org",
        "header.s=post header.b=abcdefgh",
    ],
)
def test_a_result_that_names_none_of_them(about: str) -> None:
    assert passed(f"dkim=pass {about}", POST) == ()


def test_a_result_that_may_mean_several_means_all_of_them() -> None:
    """So a second one that somebody adds next to a valid one changes the result."""
    added = make_signature("zzzzzzzzzzzz")
    assert passed("dkim=pass header.d=example.net", POST, added) == ((POST, added),)
    assert passed("dkim=pass header.d=example.net header.b=abcdefgh", POST, added) == ((POST,),)
    twin = make_signature("abcdefghzzzz")
    assert passed("dkim=pass header.d=example.net header.b=abcdefgh", POST, twin) == ((POST, twin),)


def test_results_that_contradict_each_other_mean_none() -> None:
    one = "dkim=pass header.d=example.net header.b=abcdefgh"
    failed = one.replace("pass", "fail")
    assert passed(f"{one}; {failed}", POST, make_signature("zzzzzzzzzzzz")) == ()
    assert passed(f"{failed}; {one}", POST) == (), "more results than signatures"
    assert passed(f"{one}; {one}", POST) == ()
    assert passed(f"{one}; dmarc=fail header.from=example.net", POST) == ()
    assert passed(one, None) == ()
    assert passed(f"{one}; dkim=fail header.d=list.example", POST, None) == ((POST,),)
