"""Bounce reports of common mail servers."""

POSTFIX = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
To: {to}
Subject: {subject}
Auto-Submitted: auto-replied
Message-ID: <{number}.bounce@mx.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Mon,  5 Jan 2026 18:00:00 +0000 (UTC)

Final-Recipient: rfc822; iroquois@example.net
Original-Recipient: rfc822;iroquois@example.net
Action: {action}
Status: {status}
Remote-MTA: dns; mail.example.net
Diagnostic-Code: smtp; {said}

--b
Content-Type: text/rfc822-headers

From: gm@example.org
Subject: Re: orders

--b--
"""

QMAIL = """\
Return-Path: <>
From: MAILER-DAEMON@mx.example.net
To: {to}
Subject: failure notice
Message-ID: <{number}.qmail@mx.example.net>

Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.

<iroquois@example.net>:
{said}

--- Below this line is a copy of the message.
"""


def bounce_report(
    to: str,
    number: int = 1,
    action: str = "failed",
    status: str = "5.1.1",
    said: str = "550 5.1.1 <iroquois@example.net>: no such user",
    subject: str = "Undelivered Mail Returned to Sender",
) -> bytes:
    """Return a report in the form of RFC 3464. to: the sender of the email. number: makes it unique."""
    text = POSTFIX.format(to=to, number=number, action=action, status=status, said=said, subject=subject)
    return text.replace("\n", "\r\n").encode()


def prose_bounce(to: str, said: str, number: int = 1) -> bytes:
    """Return a report in prose."""
    return QMAIL.format(to=to, said=said, number=number).replace("\n", "\r\n").encode()
