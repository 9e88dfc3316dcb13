"""SPF, DKIM and DMARC of a domain, from a table in place of name servers."""

import pytest

from adjudicator.daemon.doctor import dns_records
from adjudicator.errors import PostFault
from adjudicator.mail import dkim

GOOD = {
    "pbem.club": ("google-site-verification=x", "v=spf1 include:_spf.provider.club ~all"),
    "_domainkey.pbem.club": (),
    "_dmarc.pbem.club": ("v=DMARC1; p=quarantine; rua=mailto:gm@pbem.club",),
}


def grades(names: dict[str, tuple[str, ...]], domain: str = "pbem.club") -> dict[str, str]:
    return {one.about: one.grade for one in dns_records(domain, names.get)}


def test_a_domain_that_says_all() -> None:
    assert grades(GOOD) == {"SPF": "good", "DKIM": "good", "DMARC": "good"}


def test_a_domain_that_says_nothing_is_told_what_to_write() -> None:
    found = list(dns_records("pbem.club", {}.get))
    assert [one.grade for one in found] == ["odd", "odd", "odd"]
    said = " ".join(str(one.instead) for one in found)
    for word in ("v=spf1", "_dmarc.pbem.club", "v=DMARC1", "turn on DKIM"):
        assert word in said


@pytest.mark.parametrize(
    ("texts", "grade"),
    [
        (("v=spf1 mx -all",), "good"),
        (("v=spf1 redirect=_spf.example",), "good"),
        (("V=SPF1 MX -ALL",), "good"),
        (("v=spf1 mx",), "odd"),
        (("v=spf1 +all",), "odd"),
        (("v=spf1 mx ?all",), "odd"),
        (("v=spf1 mx -all", "v=spf1 a -all"), "odd"),
        (("v=spf10 mx -all",), "odd"),
    ],
)
def test_rules_of_spf(texts: tuple[str, ...], grade: str) -> None:
    assert grades({**GOOD, "pbem.club": texts})["SPF"] == grade


def test_what_stands_above_a_domain_counts_for_dmarc() -> None:
    names = {**GOOD, "games.pbem.club": GOOD["pbem.club"], "_domainkey.games.pbem.club": ()}
    assert grades(names, "games.pbem.club")["DMARC"] == "good"
    assert grades({**names, "_dmarc.pbem.club": ("v=DMARC12;",)}, "games.pbem.club")["DMARC"] == "odd"


def test_domains_of_examples_and_name_servers_that_are_silent() -> None:
    def silent(name: str) -> tuple[str, ...]:
        raise PostFault(f"name {name}", "can't be looked up")

    assert list(dns_records("example.org", silent)) == []
    assert list(dns_records("mail.test", silent)) == []
    (one,) = dns_records("pbem.club", silent)
    assert (one.about, one.grade) == ("names", "odd")


def test_answers_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strings of one record are one text; no such name is None; silence is a fault."""
    library = dkim._dns_library()

    class Record:
        strings = (b"v=spf1 ", b"-all")

    class Answer:
        def __init__(self, rrset: list[Record] | None) -> None:
            self.rrset = rrset

    class Resolver:
        def resolve(self, name: str, *words: str, **more: object) -> Answer:
            if name == "gone.club":
                raise library.resolver.NXDOMAIN
            if name == "slow.club":
                raise library.exception.Timeout
            return Answer([Record()] if name == "pbem.club" else None)

    monkeypatch.setattr(dkim, "_resolver", Resolver)
    assert dkim.has_resolver()
    assert dkim.txt_records("pbem.club") == ("v=spf1 -all",)
    assert dkim.txt_records("empty.club") == ()
    assert dkim.txt_records("gone.club") is None
    with pytest.raises(PostFault, match="can't be looked up"):
        dkim.txt_records("slow.club")
