"""The results in the headers of an email that was saved at another provider."""

import pytest

from adjudicator.daemon.delivery import SentTest, arrival_findings, message_id_of
from adjudicator.daemon.environment import Finding

GMAIL = """\
Delivered-To: somebody@gmail.com
Received: by 2002:a05 with SMTP id x; Mon, 30 Nov 2026 10:00:07 -0000 (GMT)
Authentication-Results: mx.google.com;
       dkim=pass header.i=@pbem.club header.s=k1;
       spf=pass (google.com: domain of gm+b.0@pbem.club designates 198.51.100.7 as permitted sender)
       smtp.mailfrom="gm+b.0@pbem.club";
       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=pbem.club
Return-Path: <gm+b.0123.abc@pbem.club>
Received: from mail.pbem.club (mail.pbem.club. [9.9.9.9]) by mx.google.com with ESMTPS id y;
        Mon, 30 Nov 2026 10:00:06 -0000
From: Turnpost <gm@pbem.club>
To: somebody@gmail.com
Reply-To: gm+doctor@pbem.club
Date: Mon, 30 Nov 2026 10:00:00 +0000
Message-ID: <gm.1.2@pbem.club>
Subject: Turnpost: a test of how our email arrives

Hello
"""
SENT = SentTest("gm@pbem.club", "mail.pbem.club")


def read(text: str, sent: SentTest = SENT) -> dict[str, Finding]:
    """The findings by their subject; the last one of each."""
    return {finding.about: finding for finding in arrival_findings(text.encode(), sent)}


def test_an_email_that_arrived_as_it_should() -> None:
    found = read(GMAIL, SentTest("gm@pbem.club", "mail.pbem.club", True))
    assert {about: finding.grade for about, finding in found.items()} == {
        "SPF": "good",
        "DKIM": "good",
        "DMARC": "good",
        "spam": "good",
        "delay": "good",
        "plus addresses": "good",
    }
    assert found["delay"].said == "it took 7 seconds"
    assert message_id_of(GMAIL.encode()) == "<gm.1.2@pbem.club>"


@pytest.mark.parametrize(
    ("before", "after", "about", "grade", "instead"),
    [
        ("spf=pass", "spf=fail", "SPF", "bad", '"v=spf1 ip4:9.9.9.9 -all"'),
        ("spf=pass", "spf=softfail", "SPF", "odd", "TXT record of pbem.club"),
        ("spf=pass", "x=y", "SPF", "odd", "v=spf1"),
        ("dkim=pass", "dkim=none", "DKIM", "odd", "turn on DKIM"),
        (
            "dmarc=pass",
            "dmarc=none",
            "DMARC",
            "odd",
            'TXT record of _dmarc.pbem.club:  "v=DMARC1; p=none; rua=mailto:gm@pbem.club"',
        ),
        ("10:00:07", "10:12:07", "delay", "odd", "A new sender is often delayed once"),
        ("10:00:07", "09:50:07", "delay", "odd", "set-ntp"),
        ("Reply-To: gm+doctor@", "Reply-To: gm@", "plus addresses", "bad", "rewrites addresses"),
        ("<gm+b.0123.abc@pbem.club>", "<x@relay.example>", "plus addresses", "odd", "sender address"),
    ],
)
def test_what_is_wrong_comes_with_what_to_do(
    before: str, after: str, about: str, grade: str, instead: str
) -> None:
    assert before in GMAIL
    finding = read(GMAIL.replace(before, after))[about]
    assert finding.grade == grade
    assert instead in str(finding.instead)


@pytest.mark.parametrize(
    "mark",
    [
        "X-Spam-Flag: YES",
        "X-Spam-Status: Yes, score=7.1 required=5.0",
        "X-MS-Exchange-Organization-SCL: 6",
        "X-Forefront-Antispam-Report: CIP:9.9.9.9;CTRY:;SCL:5;SFV:SPM;CAT:SPM;",
        "X-Rspamd-Action: add header",
    ],
)
def test_marks_of_spam(mark: str) -> None:
    assert read(f"{mark}\n{GMAIL}")["spam"].grade == "odd"


@pytest.mark.parametrize("mark", ["X-Spam-Flag: NO", "X-Spam-Status: No, score=-1", "X-Spam-SCL: 1"])
def test_marks_of_no_spam(mark: str) -> None:
    assert read(f"{mark}\n{GMAIL}")["spam"].grade == "good"


def test_results_that_the_sender_could_have_written_do_not_count() -> None:
    """They are below those of the provider."""
    forged = GMAIL.replace("spf=pass", "spf=fail").replace(
        "Return-Path:",
        "Authentication-Results: mail.pbem.club; spf=pass smtp.mailfrom=gm@pbem.club\nReturn-Path:",
    )
    assert read(forged)["SPF"].grade == "bad"


def test_the_provider_that_we_send_through_has_a_record_of_its_own() -> None:
    text = GMAIL.replace("spf=pass", "spf=fail")
    assert "include:spf.protection.outlook.com" in str(
        read(text, SentTest("gm@pbem.club", "smtp.office365.com"))["SPF"].instead
    )


def test_the_domain_of_a_large_provider_needs_no_records_of_ours() -> None:
    text = GMAIL.replace("pbem.club", "gmail.com").replace("spf=pass", "spf=fail")
    assert "Gmail has to set this up" in str(
        read(text, SentTest("gm@gmail.com", "smtp.gmail.com"))["SPF"].instead
    )


def test_no_reply_yet() -> None:
    finding = read(GMAIL, SentTest("gm@pbem.club", "mail.pbem.club", False))["plus addresses"]
    assert (finding.grade, finding.said) == ("odd", "no reply to gm+…@pbem.club has arrived so far")


@pytest.mark.parametrize(
    "text", ["", "no email at all", GMAIL.replace("gm@pbem.club", "x@y.example"), "\0\xff\n: :\n"]
)
def test_a_file_that_is_another(text: str) -> None:
    (finding,) = arrival_findings(text.encode("latin-1"), SENT)
    assert finding.grade == "bad"
    assert "Show original" in str(finding.instead)
