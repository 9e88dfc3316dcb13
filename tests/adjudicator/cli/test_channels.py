"""``gm forum``: a thread is started, shown and ended, and the GM links posters."""

from tests.adjudicator.cli.conftest import Terminal

LIST = "turns@lists.example.org"


def test_a_game_is_linked_shown_and_unlinked(beaver: Terminal) -> None:
    assert beaver.told("forum list") == []
    assert "No game is played in a forum" in beaver.says("forum list")
    assert "isn't played in a forum" in beaver.refused("forum show beaver")
    said = beaver.says(f'forum link beaver {LIST} --orders open --why "let us talk there"')
    assert "[beaver] Indianomacy II" in said
    shown = beaver.told("forum show beaver")
    assert shown["subscribed"] in said
    assert (shown["orders"], shown["answers"], shown["posters"]) == ("open", "letter", "proved")
    assert beaver.told("forum list") == [shown]
    (begins,) = [one for one in beaver.told("mail list --out --limit 50") if one["to"] == LIST]
    assert begins["subject"] == "[beaver] Indianomacy II"
    beaver.says("turn process beaver")
    posted = [one for one in beaver.told("mail list --out --limit 50") if one["to"] == LIST]
    assert {one["subject"] for one in posted} == {"[beaver] Indianomacy II", "Re: [beaver] Indianomacy II"}
    beaver.says('forum unlink beaver --why "back to letters"')
    assert "isn't played in a forum" in beaver.refused('forum unlink beaver --why "again"')
    assert beaver.told("game terms beaver")["forum"] == "none"


def test_posters_are_said_and_forgotten(beaver: Terminal) -> None:
    beaver.says(f'forum link beaver {LIST} --orders open --why "let us talk there"')
    beaver.says('forum poster beaver iroquois Jane@Home.Example --why "by telephone"')
    (known,) = beaver.told("forum show beaver")["known"]
    assert (known["seat"], known["poster"]) == ("Iroquois", "jane@home.example")
    assert "jane@home.example" in beaver.says("forum show beaver")
    assert "a bot plays it" in beaver.refused('forum poster beaver dakota joe@home.example --why "so"')
    assert "no player has this address" in beaver.refused(f'forum poster beaver iroquois {LIST} --why "so"')
    beaver.says('forum forget beaver iroquois --why "it was somebody else"')
    assert beaver.told("forum show beaver")["known"] == []
    assert "isn't linked to a poster" in beaver.refused('forum forget beaver iroquois --why "again"')


def test_a_new_game_begins_in_its_thread(terminal: Terminal) -> None:
    terminal.says(f"game new indianomacy beaver --term forum={LIST}")
    (begins,) = terminal.told("mail list --out --limit 50")
    assert (begins["to"], begins["subject"]) == (LIST, "[beaver] Indianomacy II")
    terminal.says("seat assign beaver iroquois iroquois@example.org")
    texts = [
        terminal.told(f"mail show {one['number']} --out")["text"]
        for one in terminal.told("mail list --out --limit 50")
        if one["to"] == "iroquois@example.org"
    ]
    assert "THE THREAD" in texts[0]
    assert LIST in texts[0]


def test_a_channel_that_holds_a_thread_tells_its_game_nothing_twice(terminal: Terminal) -> None:
    terminal.config.write_text(
        terminal.config.read_text()
        + f'\n[[channel]]\nname = "club"\naddress = "{LIST}"\nas = "markdown"\nmap = false\n'
        + '\n[[channel]]\nname = "chat"\nkind = "webhook"\nurl = "https://hooks.example.org/x"\n'
    )
    terminal.says("game new indianomacy beaver --term forum=club")
    terminal.says("turn process beaver")
    posted = [one for one in terminal.told("mail list --out --limit 50") if one["to"] == LIST]
    assert len(posted) == 2
    text = terminal.told(f"mail show {posted[0]['number']} --out")["text"]
    assert "beaver: Spring, year 1, moves" in text
    why = terminal.refused("game new indianomacy otter --term forum=chat")
    assert "no posts come back" in why
