"""Checks of what a domain publishes about its mail: SPF, DKIM, DMARC. They are hints, no more."""

from collections.abc import Iterator

from adjudicator.daemon.findings import Finding
from adjudicator.errors import PostFault
from adjudicator.mail.dns import Texts

EXAMPLE_DOMAINS = (
    "test",
    "example",
    "invalid",
    "localhost",
    "local",
    "example.org",
    "example.com",
    "example.net",
)
"""Domains that are set aside for examples (RFC 2606): nobody is told anything of them."""


def dns_records(domain: str, texts: Texts) -> Iterator[Finding]:
    """Yield what is found of a domain, and what to write where a record is missing. texts: as in `dns`."""
    if domain in EXAMPLE_DOMAINS or domain.endswith(tuple(f".{name}" for name in EXAMPLE_DOMAINS)):
        return
    try:
        yield _spf(domain, texts(domain) or ())
        yield _dkim(domain, texts)
        yield _dmarc(domain, texts)
    except PostFault as fault:
        yield Finding("names", "odd", str(fault), "see that this machine can look up names, and try again")


def _spf(domain: str, texts: tuple[str, ...]) -> Finding:
    rules = [text for text in texts if text.lower().split(" ")[0] == "v=spf1"]
    write = f'TXT record of {domain}:  "v=spf1 include:YOUR-PROVIDER -all"'
    if not rules:
        return Finding("SPF", "odd", f"{domain} does not say which servers send its letters", write)
    if len(rules) > 1:
        return Finding("SPF", "odd", f"{domain} has {len(rules)} SPF records, so none counts", "leave one")
    words = rules[0].lower().split()
    if not {"-all", "~all"} & set(words) and not any(word.startswith("redirect=") for word in words):
        return Finding("SPF", "odd", f"that of {domain} lets anybody send: {rules[0]}", "end it with -all")
    return Finding("SPF", "good", f"{domain} says which servers send its letters")


def _dkim(domain: str, texts: Texts) -> Finding:
    # Selectors cannot be listed; but where there is any key, the name above all of them exists.
    if texts(f"_domainkey.{domain}") is None:
        return Finding(
            "DKIM",
            "odd",
            f"{domain} publishes no key with which its letters could be signed",
            "turn on DKIM at your mail provider, and publish the record that it shows you",
        )
    return Finding("DKIM", "good", f"{domain} publishes keys with which its letters can be signed")


def _dmarc(domain: str, texts: Texts) -> Finding:
    labels = domain.split(".")
    for place in range(max(len(labels) - 1, 1)):
        above = ".".join(labels[place:])
        for text in texts(f"_dmarc.{above}") or ():
            if text.replace(" ", "").lower().startswith("v=dmarc1;"):
                return Finding("DMARC", "good", f"{above} says what to do with forged letters")
    write = f'TXT record of _dmarc.{domain}:  "v=DMARC1; p=quarantine"  (p=none to begin with)'
    return Finding("DMARC", "odd", f"{domain} does not say what to do with letters forged in its name", write)
