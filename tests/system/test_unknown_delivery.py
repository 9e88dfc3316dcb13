"""Emails whose delivery is unknown, after a change of the settings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from pathlib import Path
from typing import Literal

import pytest

from adjudicator.admin import game_admin
from adjudicator.mail.maildir import Begin, DoubtPolicy
from adjudicator.messages import sentence
from adjudicator.model.mail import OutgoingMessage, Receipt
from adjudicator.service import Service
from adjudicator.storage import outbox
from tests.kit.service_harness import LocalService, local_service, text_of

PROBE, MARKED = DoubtPolicy("probe"), DoubtPolicy("marked")


@dataclass
class Broken:
    """A mail server whose connections break after the bytes, until it is repaired.

    sent: what it accepted since.
    """

    doubt: DoubtPolicy
    outcome: Literal["unsure", "refused", "sent"] = "unsure"
    sent: list[OutgoingMessage] = field(default_factory=list)

    def try_out(self) -> tuple[str, ...]:
        return ()

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        self.sent += (letter for letter in letters if begin(letter) and self.outcome == "sent")
        return tuple(Receipt(key=letter.key, outcome=self.outcome, why="550 no") for letter in letters)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """A service with one letter to send: the welcome of the Iroquois."""
    with local_service(tmp_path) as it:
        game_admin.new_game(it.service, game_admin.GameRequest("indianomacy", "demo"))
        game_admin.assign(it.service, "demo", "iroquois", "iroquois@example.net")
        yield it


def under(
    place: LocalService, doubt: DoubtPolicy, outcome: Literal["unsure", "refused", "sent"] = "unsure"
) -> Service:
    """The house with such a carrier."""
    return replace(place.service, carrier=Broken(doubt, outcome))


def came_back(place: LocalService, letter: OutgoingMessage) -> None:
    """The copy of a letter lies in our mailbox, and was not yet read."""
    place.post("gm@example.org", "gm+sent@example.org", letter.raw)


@pytest.mark.parametrize(
    ("before", "comes_back", "since", "marked"),
    [
        (PROBE, True, MARKED, None),
        (PROBE, True, PROBE, None),
        (PROBE, False, PROBE, False),
        (PROBE, False, MARKED, True),
        (MARKED, False, PROBE, True),
        (MARKED, False, MARKED, True),
    ],
)
def test_a_doubt_is_settled_by_what_went_with_the_letter(
    place: LocalService, before: DoubtPolicy, comes_back: bool, since: DoubtPolicy, marked: bool | None
) -> None:
    """marked: whether what goes out again says that it may be a repetition; None: nothing goes out again."""
    under(place, before).send()
    (posted,) = outbox.list_posted(place.service.database)
    assert (posted.state, posted.copied) == ("unsure", before is PROBE)
    if comes_back:
        came_back(place, posted.sealed)
    mended = under(place, since, "sent")
    mended.send()
    assert isinstance(mended.carrier, Broken)
    assert [letter.raw.startswith(outbox.REPEATED) for letter in mended.carrier.sent] == (
        [] if marked is None else [marked]
    )
    assert outbox.counts(place.service.database)["sent"] == 1


def test_a_failure_is_told_even_if_we_die_before_the_notice(place: LocalService) -> None:
    def die(step: str) -> None:
        if step == "report sent":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(under(place, MARKED, "refused"), reached=die).send()
    assert outbox.counts(place.service.database)["failed"] == 1
    later = under(place, MARKED, "sent")
    later.send()
    later.send()
    assert isinstance(later.carrier, Broken)
    assert [letter.to for letter in later.carrier.sent] == ["gm@example.org"]
    assert b"iroquois@example.net" in later.carrier.sent[0].raw


def test_who_is_refused_three_times_is_left_alone_and_the_gamesmaster_is_told(place: LocalService) -> None:
    refusing = under(place, MARKED, "refused")
    refusing.send()
    for seat in ("dakota", "apache", "shoshoni"):
        game_admin.assign(place.service, "demo", seat, "iroquois@example.net")
        refusing.send()
    posted = [one.sealed for one in outbox.list_posted(place.service.database)]
    notices = [
        message_from_bytes(one.raw, policy=policy.default) for one in posted if one.to == "gm@example.org"
    ]
    told = [" ".join(text_of(one).split()) for one in notices]
    disabled = " ".join(sentence("service.mail.dead_address", address="iroquois@example.net").split())
    assert [disabled in text for text in told] == [True, False, False]
    waiting = under(place, MARKED, "sent")
    waiting.send()
    assert isinstance(waiting.carrier, Broken)
    assert waiting.carrier.sent == []
    counts = outbox.counts(place.service.database)
    assert (counts["ready"], counts["failed"]) == (1, 6)
