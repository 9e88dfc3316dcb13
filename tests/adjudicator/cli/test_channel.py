"""Reports that also go to a list, from gm.toml to the email."""

import json
from collections.abc import Iterator

import pytest

from adjudicator.messages import sentence
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.webhook_server import Answer, WebhookServer, webhook_server

CHANNEL = '\n[channel]\naddress = "turns@lists.example.org"\nas = "bbcode"\ngames = ["beaver"]\n'


def posts(terminal: Terminal) -> list[str]:
    """The texts of the letters to the list."""
    return [
        terminal.told(f"mail show {one['number']} --out")["text"]
        for one in terminal.told("mail list --out --limit 50")
        if one["to"] == "turns@lists.example.org"
    ]


def test_each_turn_of_a_game_named_goes_to_the_channel_once(terminal: Terminal) -> None:
    terminal.config.write_text(terminal.config.read_text() + CHANNEL)
    for game in ("beaver", "otter"):
        terminal.says(f"game new indianomacy {game}")
        terminal.says(f"turn process {game}")
    (post,) = posts(terminal)
    assert "[b]beaver: Spring, year 1, moves[/b]" in post
    assert "Order sheet" not in post
    terminal.says("turn process beaver")
    assert len(posts(terminal)) == 2


def test_without_a_channel_nobody_but_players_is_told(terminal: Terminal) -> None:
    terminal.says("game new indianomacy beaver")
    terminal.says("turn process beaver")
    assert posts(terminal) == []


# Several channels.


@pytest.fixture
def board() -> Iterator[WebhookServer]:
    """A server for posts."""
    with webhook_server() as it:
        yield it


def name_channels(terminal: Terminal, board: WebhookServer, games: str = "*") -> None:
    """Write two into gm.toml: the board, and a list."""
    (terminal.folder / "club-url").write_text(board.url + "\n")
    (terminal.folder / "club-secret").write_text("hush-hush\n")
    terminal.config.write_text(
        terminal.config.read_text()
        + f"""
[[channel]]
name = "club"
kind = "webhook"
url = {{ file = "club-url" }}
secret = {{ file = "club-secret" }}
games = ["{games}"]
local = true

[[channel]]
name = "list"
address = "turns@lists.example.org"
as = "markdown"
what = ["begun", "played"]
map = false
"""
    )


def test_a_turn_goes_to_each_channel_in_its_form(terminal: Terminal, board: WebhookServer) -> None:
    name_channels(terminal, board)
    terminal.says("game new indianomacy beaver")
    terminal.says("turn process beaver")
    said = terminal.told("run send")
    assert said["posted"] == 2
    begun, played = board.taken.values()
    assert (begun["what"], begun["heading"]) == ("begun", "beaver begins: Indianomacy II")
    assert (played["what"], played["turn"]["short"], played["next"]["short"]) == ("played", "S1M", "F1M")
    assert played["map"]["name"] == "beaver-S1M.png"
    first, second = reversed(posts(terminal))
    assert sentence("reports.posts.begun", people=0, bots=0).partition(" Bots")[0] in first
    assert "# beaver: Spring, year 1, moves" in second
    assert terminal.told("run send")["posted"] == 0


def test_a_channel_that_is_down_shows_and_keeps_no_letter(terminal: Terminal, board: WebhookServer) -> None:
    name_channels(terminal, board)
    board.script = [Answer(503)] * 9
    terminal.says("game new indianomacy beaver")
    terminal.says("seat assign beaver iroquois iroquois@example.org")
    said = terminal.told("run send")
    assert (said["posted"], said["stuck"]) == (0, None)
    assert said["sent"] == 2, "the welcome, and the letter to the list"
    shown = terminal.says("status")
    assert "its server replied with status 503" in shown
    assert "club     webhook        1" in shown
    checked = terminal.gm("status --check")
    assert "WARNING channels: club doesn't accept posts: its server replied with status 503" in checked.stdout
    (club, listed) = terminal.told("channel list")
    assert (club["channel"], club["waiting"], club["why"]) == (
        "club",
        1,
        "its server replied with status 503",
    )
    assert (listed["channel"], listed["waiting"], listed["down_since"]) == ("list", 0, None)
    for told in (shown, checked.stdout, json.dumps(club), terminal.says("mail list --out")):
        assert "s3cr3t" not in told
        assert "hush" not in told


def test_a_trial_post_says_whether_it_works(terminal: Terminal, board: WebhookServer) -> None:
    name_channels(terminal, board)
    assert terminal.says("channel test club") == "The channel club accepted a test post.\n"
    (document,) = board.taken.values()
    assert (document["what"], document["game"]) == ("test", None)
    board.script = [Answer(404)]
    assert "its server rejects it (404)" in terminal.refused("channel test club")
    assert "Channels: club, list" in terminal.refused("channel test forum")
    terminal.says("channel test list")
    assert len(list((terminal.folder / "mail" / "out").glob("**/new/*"))) == 1


def test_without_channels_it_is_said_how_to_name_one(terminal: Terminal) -> None:
    assert "[[channel]]" in terminal.says("channel list")
    assert "Add a [[channel]] to gm.toml" in terminal.refused("channel test club")


def test_posts_of_a_channel_that_is_named_no_longer_are_shown(
    terminal: Terminal, board: WebhookServer
) -> None:
    before = terminal.config.read_text()
    name_channels(terminal, board)
    terminal.says("game new indianomacy beaver")
    terminal.config.write_text(before)
    assert "it is no longer in gm.toml" in terminal.says("status")
    assert terminal.told("run send")["posted"] == 0


def test_no_secret_of_a_channel_is_in_a_backup_but_in_gm_toml(
    terminal: Terminal, board: WebhookServer
) -> None:
    name_channels(terminal, board)
    board.script = [Answer(500)]
    terminal.says("game new indianomacy beaver")
    terminal.says("run send")
    export = terminal.says("game export beaver")
    repository = (terminal.folder / "turnpost.db").read_bytes()
    for secret in ("s3cr3t-path", "hush-hush"):
        assert secret not in export
        assert secret.encode() not in repository
