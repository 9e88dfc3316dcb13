"""``gm player`` and ``gm press``, through the real command line."""

import json

from adjudicator.auth.admission import SeatHold
from adjudicator.cli.connect import open_writable_store
from adjudicator.messages import sentence
from adjudicator.model.people import NoteTurnout, SignUp, Signup, TurnMark
from adjudicator.storage import stored_games
from games.protocol import Seat
from tests.adjudicator.cli.conftest import Terminal

IROQUOIS = "iroquois@example.org"


def letters(terminal: Terminal) -> list[str]:
    """Return the outgoing emails, written into a folder."""
    terminal.says("run send")
    return [file.read_text() for file in sorted((terminal.folder / "mail" / "out" / "new").iterdir())]


def test_nobody_is_there_at_first(terminal: Terminal) -> None:
    assert "There are no players yet." in terminal.says("player list")
    assert terminal.told("player list") == []


def test_a_player_is_told_apart(beaver: Terminal) -> None:
    assert beaver.told(f"player show {IROQUOIS}") == {
        "address": IROQUOIS,
        "name": None,
        "zone": None,
        "plays": [{"game": "beaver", "seat": "Iroquois"}],
        "waits_for": [],
        "watches": [],
        "held": [],
        "blocked": [],
        "banned": None,
        "record": [],
        "turnout": {"percent": None, "turns": 0, "in_time": 0, "late": 0, "missed": 0, "taken_over": 0},
    }
    assert "Record of turning up: no turns" in beaver.says(f"player show {IROQUOIS}")
    assert "Iroquois (beaver)" in beaver.says("player list")
    assert "No player with the address" in beaver.refused("player show nobody@example.org")
    assert "isn't an email address" in beaver.refused("player show nobody")


def test_a_ban_is_listed_and_taken_back(beaver: Terminal) -> None:
    assert "Nobody is banned" in beaver.says("player list --banned")
    said = beaver.says(f"player ban {IROQUOIS} --why threats")
    assert "gm seat kick beaver iroquois" in said
    (ban,) = beaver.told("player list --banned")
    assert (ban["address"], ban["why"]) == (IROQUOIS, "threats")
    assert beaver.told(f"player show {IROQUOIS}")["banned"] == "threats"
    assert "banned: threats" in beaver.refused(f"seat assign beaver dakota {IROQUOIS}")
    assert beaver.told(f"player unban {IROQUOIS}") == {"address": IROQUOIS, "banned": None}
    assert beaver.told("player list --banned") == []


def test_the_gm_sees_who_waits_and_why(terminal: Terminal) -> None:
    terminal.says("game new indianomacy beaver --seat iroquois=iroquois@example.org --term reliable=90%")
    with open_writable_store(str(terminal.config)) as store:
        now = store.clock.now()
        marks = tuple(
            TurnMark(turn=f"S{number}M", seat=Seat("Dakota"), sort="missed", at=now) for number in range(20)
        )
        signup = Signup(game="beaver", address="else@example.org", since=now)
        acts = [
            NoteTurnout(by="gm", address="else@example.org", game="elk", marks=marks),
            SignUp(by="else@example.org", signup=signup),
        ]
        stored_games.perform(store.database, acts, (), now)
    (waiting,) = terminal.told("seat waiting beaver")
    assert (waiting["address"], waiting["turnout"]["percent"]) == ("else@example.org", 0)
    hold = SeatHold("unreliable", percent=0, wanted=90)
    assert waiting["needs_consent"] == hold.text
    assert hold.text in " ".join(terminal.says("seat waiting beaver").split())
    shown = terminal.told("player show else@example.org")
    assert shown["held"] == [{"game": "beaver", "why": hold.text}]
    assert "gm seat admit beaver else@example.org" in terminal.says("player show else@example.org")
    assert terminal.told("seat admit beaver else@example.org --why ill") == {
        "game": "beaver",
        "address": "else@example.org",
        "can_join": False,
    }
    assert terminal.told("seat waiting beaver")[0]["needs_consent"] is None
    assert "needs no consent" in terminal.refused("seat admit beaver else@example.org")


def test_a_game_that_begins_by_mail_is_no_turn(terminal: Terminal) -> None:
    """It is counted from its opening on."""
    terminal.says("game new indianomacy otter --open --players 1")
    terminal.mail("gm@example.org", "JOIN otter", subject="hello")
    terminal.says("run poll")
    terminal.says("run process")
    back = next(
        one
        for one in letters(terminal)
        if sentence("inbound.unknown_senders.asked_subject", verbs=["JOIN"]) in one
    )
    to = next(line for line in back.splitlines() if line.startswith("Reply-To: ")).removeprefix("Reply-To: ")
    terminal.mail(to, "", subject="Re: hello")
    terminal.says("run poll")
    assert terminal.told("run process")["turns"] == {}
    assert terminal.told("player show iroquois@example.org")["plays"][0]["game"] == "otter"


def test_a_name_and_a_zone_are_set_and_struck_out(beaver: Terminal) -> None:
    told = beaver.told(f'player set {IROQUOIS} --name "The  Iroquois" --zone berlin')
    assert (told["name"], told["zone"]) == ("The Iroquois", "Europe/Berlin")
    told = beaver.told(f'player set {IROQUOIS} --name ""')
    assert (told["name"], told["zone"]) == (None, "Europe/Berlin")
    assert "Europe/Berlin" in beaver.says(f"player show {IROQUOIS}")
    assert "isn't a time zone" in beaver.refused(f"player set {IROQUOIS} --zone Atlantis")
    assert beaver.gm(f"player set {IROQUOIS}").exit_code == 2


def test_two_addresses_become_one(beaver: Terminal) -> None:
    token = beaver.told("seat show beaver iroquois")["reply_address"]
    told = beaver.told(f"player merge {IROQUOIS} New@example.org --yes")
    assert (told["seats"], told["address"]) == (1, "new@example.org")
    after = beaver.told("seat show beaver iroquois")
    assert after["address"] == "new@example.org"
    assert after["reply_address"] != token
    assert "No player with the address" in beaver.refused(f"player merge {IROQUOIS} new@example.org --yes")
    assert "both addresses are the same" in beaver.refused(
        "player merge new@example.org new@example.org --yes"
    )


def test_opponents_are_not_made_one(beaver: Terminal) -> None:
    beaver.says("seat assign beaver dakota dakota@example.org")
    assert "they play each other in beaver" in beaver.refused(
        f"player merge dakota@example.org {IROQUOIS} --yes"
    )
    assert beaver.gm(f"player merge dakota@example.org {IROQUOIS}").exit_code == 2


def test_the_gamesmaster_writes_to_all(beaver: Terminal) -> None:
    assert "From the gamesmaster to all" in beaver.says('press send beaver "The deadline is on Friday."')
    (told,) = beaver.told("press show beaver")
    assert (told["from"], told["to"], told["text"]) == (None, None, "The deadline is on Friday.")
    assert any("Press: from the gamesmaster to all" in one for one in letters(beaver))
    assert "the GM to all (white)" in beaver.says("press show beaver")


def test_the_gamesmaster_writes_to_one(beaver: Terminal) -> None:
    beaver.says("seat assign beaver dakota dakota@example.org")
    told = beaver.told('press send beaver --to iroquois "Between us."')
    assert told["to"] == ["Iroquois"]
    sent = [one for one in letters(beaver) if "Between us." in one]
    assert len(sent) == 1
    assert f"To: {IROQUOIS}" in sent[0]


def test_press_that_cannot_be_sent(beaver: Terminal) -> None:
    assert "No text to send" in beaver.refused('press send beaver " "')
    assert 'has no seat "prussia"' in beaver.refused('press send beaver --to prussia "Hello"')
    assert 'No game called "otter"' in beaver.refused("press show otter")
    assert "There is no press in beaver yet." in beaver.says("press show beaver")


def test_a_player_is_shown_with_his_record(terminal: Terminal) -> None:
    """A game of War Chest that the automaton won counts as lost."""
    terminal.says("game new war-chest otter")
    terminal.says(f"seat assign otter player {IROQUOIS}")
    assert terminal.told(f"player show {IROQUOIS}")["record"] == []
    terminal.says('game end otter --winner ai --why "he conceded" --yes')
    (case,) = terminal.told(f"player show {IROQUOIS}")["record"]
    assert (case["kind"], case["won"], case["lost"]) == ("war-chest", 0, 1)
    assert case["best"] == {"game": "otter", "end": "lost", "count": case["best"]["count"]}
    assert case["bots"]["games"] >= 300
    assert "1 game: 0 won, 1 lost" in terminal.says(f"player show {IROQUOIS}")


def test_a_players_data_is_exported(beaver: Terminal) -> None:
    data = beaver.told(f"player export {IROQUOIS}")
    assert (data["address"], [game["game"] for game in data["games"]]) == (IROQUOIS, ["beaver"])
    file = beaver.folder / "mine.json"
    assert beaver.told(f"player export {IROQUOIS} --out {file}")["file"] == str(file)
    assert json.loads(file.read_text())["games"] == data["games"]
    assert file.stat().st_mode & 0o077 == 0
    assert "nobody@example.org" in beaver.refused("player export nobody@example.org")
    assert "no/where.json" in beaver.refused(f"player export {IROQUOIS} --out no/where.json")


def test_a_player_is_forgotten(beaver: Terminal) -> None:
    """At once, after a confirmation. Their name is gone, and their seat is free."""
    beaver.says(f'player set {IROQUOIS} --name "Qxz Zqx"')
    beaver.says("run send")
    report = beaver.told(f"player forget {IROQUOIS} --yes")
    assert (report["waiting"], report["resealed"], report["scrubbed"]) == (0, [], True)
    assert beaver.told("player list") == []
    assert beaver.told("seat show beaver iroquois")["address"] is None
    assert "Qxz" not in beaver.says("game show beaver")
    assert IROQUOIS in beaver.refused(f"player forget {IROQUOIS} --yes")
    assert "own address" in beaver.refused("player forget gm@example.org --yes")


def test_a_player_is_kept(beaver: Terminal) -> None:
    assert beaver.told(f"player keep {IROQUOIS}") == {"address": IROQUOIS, "was_to_be_forgotten": False}
