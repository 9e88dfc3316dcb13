"""``gm channel`` and ``gm doctor`` with a Discourse forum: linking, trying, and reporting failures."""

from collections.abc import Iterator

import pytest

from tests.adjudicator.cli.conftest import Terminal
from tests.kit.discourse import KEY, Forum, Trouble, forum
from tests.kit.webhook_server import closed_port

CHANNEL = """
[[channel]]
name = "club"
kind = "discourse"
url = "{url}"
secret = {{ file = "club-key" }}
account = "turnpost"
category = 5
local = true
"""


@pytest.fixture
def club() -> Iterator[Forum]:
    """The forum."""
    with forum() as it:
        yield it


@pytest.fixture
def context(terminal: Terminal, club: Forum) -> Terminal:
    """A desk at which the forum is known."""
    set_up(terminal, club.url)
    return terminal


def set_up(terminal: Terminal, url: str, key: str = KEY) -> None:
    """Write the forum's address and key down."""
    config, _, _ = terminal.config.read_text().partition("\n[[channel]]")
    terminal.config.write_text(config + CHANNEL.format(url=url))
    (terminal.folder / "club-key").write_text(f"{key}\n")
    (terminal.folder / "club-key").chmod(0o600)


def found_bad(terminal: Terminal) -> str:
    """Return the doctor's complaints about the forum."""
    result = terminal.gm("doctor")
    lines = result.output.splitlines()
    (at,) = [number for number, line in enumerate(lines) if "forum club" in line]
    return " ".join(line.strip() for line in lines[at : at + 2])


def test_a_game_is_linked_and_shown(context: Terminal, club: Forum) -> None:
    assert "test post" in context.says("channel test club")
    context.says("game new indianomacy beaver")
    said = context.says('forum link beaver club --orders open --why "let us talk there"')
    assert "[beaver] Indianomacy II" in said
    shown = context.says("forum show beaver")
    assert club.url in shown
    for none_there in ("begins with", "posts come to", "posters"):
        assert none_there not in shown
    why = context.refused('forum link beaver clob --why "so"')
    assert 'name = "clob"' in why


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (
            Trouble(429, (("Retry-After", "90"),)),
            "replied with status 429 and asks us to wait 90 seconds",
        ),
        (Trouble(422, about={"errors": ["no"]}), "check that our account may post there, in that category"),
        (
            Trouble(200, about={"action": "enqueued", "success": True}),
            "let our account post without approval",
        ),
        (Trouble(503), "the forum replied with status 503"),
    ],
    ids=["too often", "not taken", "kept for a moderator", "broken"],
)
def test_why_a_trial_post_is_not_taken(context: Terminal, club: Forum, trouble: Trouble, why: str) -> None:
    club.script = [("POST /posts", trouble)]
    assert why in context.refused("channel test club")


def test_a_key_that_is_void(terminal: Terminal, club: Forum) -> None:
    """The doctor says of which forum it is, and where to look: not at the mailbox."""
    set_up(terminal, club.url, key="0" * 32)
    assert "rejects our login (403)" in terminal.refused("channel test club")
    complaint = found_bad(terminal)
    assert "rejects our login (403)" in complaint
    assert "check url, account and secret of [[channel]] club" in complaint
    assert "[inbox]" not in complaint


def test_a_forum_that_is_down(terminal: Terminal) -> None:
    with closed_port() as port:
        set_up(terminal, f"http://127.0.0.1:{port}")
        assert "doesn't respond" in terminal.refused("channel test club")
        assert "check that the forum runs, and that url of [[channel]] club names it" in found_bad(terminal)


def test_an_address_within(terminal: Terminal) -> None:
    set_up(terminal, "https://127.0.0.1:9")
    terminal.config.write_text(terminal.config.read_text().replace("local = true\n", ""))
    assert "local = true" in terminal.refused("channel test club")
