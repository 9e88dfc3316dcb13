"""Reads an email of ours as it arrived at another provider: authentication, spam marks, delay, addresses.

Only that provider knows how it judges our emails, and it writes that into their headers.
"""

import email
import ipaddress
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email import policy
from email.utils import parsedate_to_datetime

from adjudicator.daemon.environment import Finding, Grade
from adjudicator.mail.discovery import Provider, provider_of_host, providers
from adjudicator.model.addresses import is_own
from games.record import Value

METHODS = {"spf": "SPF", "dkim": "DKIM", "dmarc": "DMARC"}
SLOW_SECONDS = 300
"""A longer delay means that a server kept the email: by greylisting, or in a queue."""

_RESULT = re.compile(r"\b(spf|dkim|dmarc)\s*=\s*([a-z]+)", re.IGNORECASE)
_RECEIVED_SPF = re.compile(r"\s*([a-z]+)", re.IGNORECASE)
_SENDING_ADDRESS = re.compile(
    r"(?:client-ip=|designates? |sender IP is |smtp\.remote-ip=)([0-9a-fA-F:.]{3,45})"
)
_BRACKETED = re.compile(r"\[(?:IPv6:)?([0-9a-fA-F:.]{3,45})\]")
_EXCHANGE_SPAM = re.compile(r"\bSFV:SPM\b|\bSCL:[5-9]\b|\bCAT:(?:SPM|HSPM|PHSH|HPHSH|BULK)\b")


class SentTest(Value, frozen=True):
    """What we know of the email that was sent. outbox_host: the server that we send through.

    is_answered: whether a reply to it has reached us, None if we can't know.
    """

    address: str
    outbox_host: str
    is_answered: bool | None = None


def arrival_findings(raw: bytes, sent: SentTest) -> Iterator[Finding]:
    """Yield what the headers of a saved email say, with records to paste where one is missing."""
    message = email.message_from_bytes(raw, policy=policy.compat32)
    headers = [(name.lower(), " ".join(str(value).split())) for name, value in message.items()]
    sender = next((value for name, value in headers if name == "from"), "")
    if sent.address.lower() not in sender.lower():
        text = (
            f"this isn't an email from {sent.address}" if sender else "this file has no headers of an email"
        )
        instead = 'Save the whole email with its headers: "Show original", "View source" or "Save as .eml"'
        yield Finding("email", "bad", text, instead)
        return
    yield from _authentication(headers, sent)
    yield _spam(headers)
    yield _delay(headers)
    yield from _addresses(headers, sent)


def message_id_of(raw: bytes) -> str:
    """Return the Message-ID of a saved email, or ""."""
    return str(email.message_from_bytes(raw, policy=policy.compat32).get("Message-ID", "")).strip()


# SPF, DKIM and DMARC, as the provider saw them.

Headers = list[tuple[str, str]]


def _results(headers: Headers) -> Mapping[str, str]:
    """Return the result of each method in the topmost headers of one server, which is the provider's."""
    results: dict[str, str] = {}
    server = None
    for name, value in headers:
        if name != "authentication-results":
            continue
        named = value.partition(";")[0].split(" ")[0].lower()
        if server not in (None, named):
            break  # lower headers can come from the sender
        server = named
        for method, result in _RESULT.findall(value.partition(";")[2]):
            if results.get(method.lower()) != "pass":
                results[method.lower()] = result.lower()
    if "spf" not in results:
        spf = next((value for name, value in headers if name == "received-spf"), None)
        if spf is not None and (match := _RECEIVED_SPF.match(spf)):
            results["spf"] = match[1].lower()
    return results


def _authentication(headers: Headers, sent: SentTest) -> Iterator[Finding]:
    results, domain = _results(headers), sent.address.rpartition("@")[2]
    own = next((provider for provider in providers() if domain in provider.domains), None)
    records = _records(headers, sent)
    for method, title in METHODS.items():
        result = results.get(method)
        if result == "pass":
            yield Finding(title, "good", "passed there")
            continue
        grade: Grade = "bad" if result in ("fail", "permerror") else "odd"
        text = (
            f"the result there is {result}" if result else "the provider doesn't say whether it checked this"
        )
        if own is not None:
            yield Finding(
                title, grade, text, f"{own.name} has to set this up; ask it, or use another mailbox"
            )
        else:
            yield Finding(title, grade, text, records[method])


def _records(headers: Headers, sent: SentTest) -> Mapping[str, str]:
    """Return what to do for each method, with records of DNS that are ready to paste."""
    domain, provider = sent.address.rpartition("@")[2], provider_of_host(sent.outbox_host)
    provider = provider if provider is not None and provider.spf else None
    return {
        "spf": f'TXT record of {domain}:  "v=spf1 {_spf_terms(headers, sent, provider)} -all"',
        "dkim": "turn on DKIM at your mail provider or server, and publish the record that it shows you",
        "dmarc": f'TXT record of _dmarc.{domain}:  "v=DMARC1; p=none; rua=mailto:{sent.address}"',
    }


def _spf_terms(headers: Headers, sent: SentTest, provider: Provider | None) -> str:
    if provider is not None:
        return provider.spf
    ip = _sending_ip(headers)
    if ip is not None:
        return f"ip{ip.version}:{ip}"
    return f"a:{sent.outbox_host}" if sent.outbox_host else "mx"


def _sending_ip(headers: Headers) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address from which the provider got the email, or None if it doesn't say."""
    judged = [value for name, value in headers if name in ("received-spf", "authentication-results")]
    passed_on = [value.partition(" by ")[0] for name, value in headers if name == "received"]
    texts = [found for value in judged for found in _SENDING_ADDRESS.findall(value)]
    texts += [found for value in passed_on for found in _BRACKETED.findall(value)]
    for text in texts:
        try:
            ip = ipaddress.ip_address(text.strip("."))
        except ValueError:
            continue
        if ip.is_global:
            return ip
    return None


# Spam, delay and addresses.


def _spam(headers: Headers) -> Finding:
    marks = []
    for name, value in headers:
        is_flag = name in ("x-spam-flag", "x-spam") and value.lower() in ("yes", "true")
        is_status = name == "x-spam-status" and value.lower().startswith("yes")
        is_scl = name.endswith("-scl") and value.isdecimal() and int(value) >= 5
        is_report = name == "x-forefront-antispam-report" and _EXCHANGE_SPAM.search(value)
        is_action = name in ("x-rspamd-action", "x-spam-action") and value.lower() not in ("no action", "ham")
        if is_flag or is_status or is_scl or is_report or is_action:
            marks.append(f"{name}: {value[:80]}")
    if not marks:
        return Finding("spam", "good", "no header marks it as spam. Was it in the inbox?")
    instead = (
        'Press "not spam" there, and set up SPF, DKIM and DMARC. Players have to look into their spam too'
    )
    return Finding("spam", "odd", f"marked as spam ({'; '.join(marks[:3])})", instead)


def _delay(headers: Headers) -> Finding:
    written = _moment(next((value for name, value in headers if name == "date"), ""))
    arrived = _moment(next((value.rpartition(";")[2] for name, value in headers if name == "received"), ""))
    if written is None or arrived is None:
        return Finding("delay", "odd", "its headers don't say when it was sent or received", None)
    seconds = int((arrived - written).total_seconds())
    if seconds < -60:
        text = f"it arrived {-seconds} seconds before we sent it, so one clock is wrong"
        return Finding(
            "delay", "odd", text, "let the network set this machine's clock: timedatectl set-ntp true"
        )
    if seconds > SLOW_SECONDS:
        instead = (
            "A new sender is often delayed once. If it stays so, compare the times in its Received lines"
        )
        return Finding("delay", "odd", f"it took {seconds // 60} minutes", instead)
    return Finding("delay", "good", f"it took {max(seconds, 0)} seconds")


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text.strip())
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _addresses(headers: Headers, sent: SentTest) -> Iterator[Finding]:
    """Yield whether our + addresses came through, and whether one brings replies back."""
    local, _, domain = sent.address.partition("@")
    reply = next((value for name, value in headers if name == "reply-to"), "")
    if f"{local}+".lower() not in reply.lower():
        text = f"its address for replies is {reply or 'missing'}, without our +"
        instead = (
            "The server that we send through rewrites addresses. Turn that off there, or use another one"
        )
        yield Finding("plus addresses", "bad", text, instead)
        return
    returned = next((value.strip("<> ") for name, value in headers if name == "return-path"), None)
    if returned is not None and not is_own(returned, sent.address):
        text = f"undeliverable emails come back to {returned}, not to us"
        instead = "The server that we send through replaces our sender address. Turn that off there"
        yield Finding("plus addresses", "odd", text, instead)
    if sent.is_answered:
        yield Finding("plus addresses", "good", f"your reply to {local}+…@{domain} arrived")
    elif sent.is_answered is False:
        text = f"no reply to {local}+…@{domain} has arrived so far"
        instead = "Reply to the test email. While gm serve runs, wait a minute, then run this again"
        yield Finding("plus addresses", "odd", text, instead)
