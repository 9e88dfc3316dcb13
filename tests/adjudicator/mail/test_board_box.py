"""A forum as a mailbox: few requests without news, and no news missed."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from adjudicator.clock import HOUR, ManualClock, Millis
from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.errors import PostFault
from adjudicator.mail.discourse import RELOOK, Discourse, ForumMailbox
from tests.kit.discourse import ACCOUNT, KEY, Forum, Trouble, forum

GAMES = 20
FIRST = 70


@dataclass
class Club:
    """Twenty games in the topics of a forum, and the mailbox by which their posts come in."""

    forum: Forum
    box: ForumMailbox
    clock: ManualClock
    deadlines: dict[str, Millis] = field(default_factory=dict)
    repository: set[str] = field(default_factory=set)

    def reads(self) -> list[str]:
        """Return the new posts, line by line, and store them."""
        found = list(self.box.new_letters(self.repository.intersection))
        self.repository.update(one.place for one in found)
        return [one.raw.decode().split("\r\n\r\n", 1)[1].strip() for one in found]

    def asked(self) -> list[str]:
        """The topics that were asked for since this was asked last, as numbers of games."""
        seen = [one.removeprefix("GET /t/").partition(".")[0] for one in self.forum.asked]
        self.forum.asked.clear()
        return [f"g{int(one) - FIRST}" for one in seen if one.isdecimal()]


@pytest.fixture
def club() -> Iterator[Club]:
    """A forum whose posts have all been read."""
    with forum() as there:
        channel = Channel(
            name="club",
            kind="discourse",
            url=Secret("text", there.url),
            secret=Secret("text", KEY, "[[channel]] club: secret"),
            account=ACCOUNT,
            local=True,
        )
        clock, deadlines = ManualClock(there.now), dict[str, Millis]()
        for number in range(FIRST, FIRST + GAMES):
            there.topics[number] = {"title": f"[g{number - FIRST}] Standard Diplomacy"}
            there.write(number, ACCOUNT, "The game begins.")

        def topics() -> dict[str, tuple[str, Millis | None]]:
            return {
                str(FIRST + number): (f"g{number}", deadlines.get(f"g{number}")) for number in range(GAMES)
            }

        it = Club(
            there, ForumMailbox(Discourse(channel), "club", "gm@example.org", topics, clock), clock, deadlines
        )
        assert it.reads() == []
        assert len(it.asked()) == GAMES
        yield it


def test_where_nothing_is_new_one_question_is_asked(club: Club) -> None:
    assert club.reads() == []
    assert club.forum.asked == ["GET /posts.json"]


def test_a_topic_is_read_in_which_somebody_writes(club: Club) -> None:
    club.forum.write(FIRST + 3, "jane", "A Paris - Burgundy")
    assert club.reads() == ["A Paris - Burgundy"]
    assert club.asked() == ["g3"]
    assert club.reads() == []
    assert club.asked() == ["g3"], "until it is on the books"
    assert club.reads() == []
    assert club.asked() == []


def test_what_is_changed_is_seen_after_a_while(club: Club) -> None:
    number = club.forum.write(FIRST + 3, "jane", "A Paris - Burgundy")
    club.reads(), club.reads()
    club.forum.change(number, "A Paris H", 2)
    assert club.reads() == []
    club.clock.advance(RELOOK)
    assert club.reads() == ["A Paris H"]


def test_each_topic_is_read_once_after_its_deadline(club: Club) -> None:
    """So that all posts up to the deadline are known before the turn runs."""
    club.deadlines["g5"] = club.clock.now() + 1000
    number = club.forum.write(FIRST + 5, "jane", "A Paris - Burgundy")
    club.reads(), club.reads(), club.asked()
    club.forum.change(number, "A Paris H", 2)
    club.clock.advance(1001)
    assert club.reads() == ["A Paris H"]
    assert club.reads() == []
    assert club.asked() == ["g5", "g5"]
    assert club.reads() == []
    assert club.asked() == []


def test_no_topic_waits_behind_others_whenever_the_forum_breaks_off(club: Club) -> None:
    """The forum takes eight questions and no more. Where much is written others are read too."""
    club.clock.advance(HOUR)
    read: list[str] = []
    for count in range(4):
        for number in range(7):
            club.forum.write(FIRST + number, "joe", f"Talk {count}.")
        club.forum.allows = 8
        with pytest.raises(PostFault, match="429"):
            club.reads()
        club.box.board = replace(club.box.board, _not_before=0.0)  # a minute later
        read += club.asked()
    assert set(read) == {f"g{number}" for number in range(GAMES)}


def test_a_key_that_may_not_ask_what_is_new_reads_every_topic(club: Club) -> None:
    club.forum.script = [("GET /posts.json", Trouble(403))]
    assert club.reads() == []
    assert len(club.asked()) == GAMES
    assert club.reads() == []
    assert "GET /posts.json" not in club.forum.asked


def test_where_too_much_is_new_every_topic_is_read(club: Club) -> None:
    """Fifty posts elsewhere would hide earlier ones."""
    club.forum.write(FIRST + 3, "jane", "A Paris - Burgundy")
    for count in range(50):
        club.forum.write(999, "joe", f"Talk {count}.")
    assert club.reads() == ["A Paris - Burgundy"]
    assert len(club.asked()) == GAMES
