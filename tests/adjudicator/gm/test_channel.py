"""Reports that go to a list too, from gm.toml to the letter."""

from tests.adjudicator.gm.conftest import Terminal

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
