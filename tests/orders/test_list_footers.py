"""The footers that lists and forums add to posts: nothing of them is read."""

import pytest

from orders.mail.body import fresh_lines
from orders.mail.letter import open_letter

POST = "Mohawk - Delaware\nOneida H\n"
FOOTERS = {
    "Mailman 2": (
        "_______________________________________________\nTurns mailing list\nTurns@lists.example.org\n"
        "https://lists.example.org/mailman/listinfo/turns\n"
    ),
    "Mailman 3": (
        "_______________________________________________\nTurns mailing list -- turns@lists.example.org\n"
        "To unsubscribe send an email to turns-leave@lists.example.org\n"
    ),
    "Google Groups": (
        '-- \nYou received this message because you are subscribed to the Google Groups "turns" group.\n'
        "To unsubscribe from this group and stop receiving emails from it, send an email to "
        "turns+unsubscribe@googlegroups.com.\nTo view this discussion visit "
        "https://groups.google.com/d/msgid/turns/CAF%40mail.gmail.com.\n"
    ),
    "groups.io": (
        "\n-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\n"
        "View/Reply Online (#12): https://groups.io/g/turns/message/12\n"
        "Mute This Topic: https://groups.io/mt/1/2\nGroup Owner: turns+owner@groups.io\n"
        "Unsubscribe: https://groups.io/g/turns/unsub [jane@home.example]\n-=-=-=-=-=-=-=-=-=-=-=-\n"
    ),
    "groups.io as text of its page": (
        "\n_._,_._,_\n------------------------------\nGroups.io Links:\n\n"
        "You receive all messages sent to this group.\n"
    ),
    "Discourse": (
        "---\n[Visit Topic](https://forum.example.org/t/beaver/77/12) or reply to this email to respond.\n"
        "You are receiving this because you enabled mailing list mode.\n"
        "To unsubscribe from these emails, [click here](https://forum.example.org/email/unsubscribe/a1).\n"
    ),
    "Sympa": "\n---\nList page: https://lists.example.org/info/turns\n",
}


@pytest.mark.parametrize("program", FOOTERS)
def test_a_footer_is_nobodys(program: str) -> None:
    raw = f"From: jane@home.example\nSubject: Re: [beaver] Indianomacy II\n\n{POST}{FOOTERS[program]}"
    letter = open_letter(raw.replace("\n", "\r\n").encode())
    assert [line.text for line in fresh_lines(letter) if line.text and not line.below] == POST.splitlines()
