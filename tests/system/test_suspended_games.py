"""An error harms only its own game: that game is suspended, and all others continue.

The games of this file began before games kept a copy of their variant, so that they need its folder.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import games
from adjudicator.admin import game_admin
from adjudicator.cli.app import app
from adjudicator.messages import sentence
from adjudicator.storage import due_games, inbox, outbox
from adjudicator.variants import use_variants
from games.dice import Dice
from games.protocol import Order, Seat, State
from tests.kit.kinds import own_variants, put_variant, strait
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

NORTH, SOUTH, WATCHER = "north@example.org", "south@example.org", "somebody@example.org"
GM = "gm@example.org"
NORTHERN = Seat("North")


@dataclass
class Coast:
    """A service with two games: narrow, of a variant that is changed and taken away, and broad."""

    place: LocalService

    def put(self, change: Callable[[str], str] = lambda text: text) -> None:
        """Put the variant of narrow where it is found, changed, and start the service again."""
        files = strait("strait") | {"map.json": change(strait("strait")["map.json"])}
        put_variant(self.place.folder / "variants", "strait", files)
        self.start()

    def take_away(self) -> None:
        """Take it away again."""
        shutil.rmtree(self.place.folder / "variants" / "strait", ignore_errors=True)

    def start(self) -> None:
        """Start the service again: what it knows of kinds of games it found at its start."""
        use_variants(self.place.folder / "variants")
        self.place.service = replace(self.place.service)

    def order(self, who: str, game: str, text: str) -> None:
        """Reply to a person's last email about a game, with the seat's token."""
        letter = next(
            one
            for one in reversed(self.place.mail(who))
            if f"[{game} " in one["Subject"] and "#" in one["Subject"]
        )
        self.place.answer(who, letter, text)

    def told(self, who: str) -> list[str]:
        """Return the texts of the emails to a person."""
        return [f"{one['Subject']}\n{' '.join(text_of(one).split())}" for one in self.place.mail(who)]

    def to_gamesmaster(self) -> list[str]:
        """Return the subjects of the emails to the GM, oldest first."""
        posted = outbox.list_posted(self.place.service.database)
        return [
            one.sealed.raw.partition(b"Subject: ")[2].partition(b"\r\n")[0].decode()
            for one in reversed(posted)
            if one.sealed.to == GM
        ]

    def gm(self, line: str) -> tuple[int, str]:
        """A command typed for this service."""
        done = CliRunner().invoke(
            app, ["--config", str(self.place.folder / "gm.toml"), *line.split()], prog_name="gm"
        )
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, " ".join(done.output.split())

    def forget_copies(self) -> None:
        """Leave both games as they were when games kept no copy of their variant."""
        with closing(sqlite3.connect(self.place.folder / "turnpost.db")) as repository, repository:
            repository.execute("delete from edition")
            repository.execute("update game set editions = null")

    def damage(self, statement: str, *values: object) -> None:
        """Write data into the database that no program writes."""
        with closing(sqlite3.connect(self.place.folder / "turnpost.db")) as repository, repository:
            assert repository.execute(statement, values).rowcount == 1


@pytest.fixture
def coast(tmp_path: Path) -> Iterator[Coast]:
    service = tmp_path / "service"
    with own_variants(service / "variants"), local_service(service) as place:
        put_variant(service / "variants", "firth")
        made = Coast(place)
        made.put()
        for game, kind in (("narrow", "strait"), ("broad", "firth")):
            game_admin.new_game(
                place.service, game_admin.GameRequest(kind, game, terms={"moves": "24h", "solo": "clock"})
            )
            game_admin.assign(place.service, game, "north", NORTH if game == "narrow" else SOUTH)
        place.work()
        made.forget_copies()
        yield made


def dispositions(coast: Coast) -> list[str | None]:
    return [one.disposition for one in reversed(inbox.list_letters(coast.place.service.database))]


def count_played(coast: Coast, game: str) -> int:
    return game_admin.position_of(coast.place.service, game).played


def test_a_variant_is_taken_away_while_a_game_of_it_runs_and_comes_back(coast: Coast) -> None:
    """Other games are played meanwhile; what is written to it is kept, answered, and read when it is back."""
    place = coast.place
    coast.take_away()
    coast.start()
    place.clock.advance(23 * HOUR)
    coast.order(NORTH, "narrow", "Upland - Moor\nHaven - Strait")
    coast.order(SOUTH, "broad", "Upland - Moor\nHaven - Strait")
    place.work()
    assert count_played(coast, "broad") == 1
    assert dispositions(coast) == ["held", "read"]
    assert sentence("inbound.quarantined.subject", game="narrow") in coast.told(NORTH)[-1]
    assert sentence("inbound.quarantined.is_kept", game="narrow") in coast.told(NORTH)[-1]
    assert coast.to_gamesmaster() == [sentence("outbound.stuck_games.held_subject", game="narrow")]

    place.clock.advance(4 * HOUR)
    coast.order(NORTH, "narrow", "Upland H")
    place.work()
    assert dispositions(coast) == ["held", "read", "held"]
    assert coast.to_gamesmaster() == [sentence("outbound.stuck_games.held_subject", game="narrow")], (
        "he is told once"
    )

    coast.put()
    place.work()
    position = game_admin.position_of(place.service, "narrow")
    assert dispositions(coast) == ["read", "read", "read"]
    assert coast.to_gamesmaster() == [
        sentence("outbound.stuck_games.held_subject", game="narrow"),
        sentence("outbound.stuck_games.goes_on_subject", game="narrow"),
    ]
    assert position.played == 1, "all orders are in"
    assert "A UPL H" in "\n".join(coast.told(NORTH))
    assert game_admin.prove(place.service, "narrow").fault is None
    assert due_games.suspended_games(place.service.database) == ()


def test_the_time_that_was_lost_is_given_again(coast: Coast) -> None:
    place = coast.place
    coast.take_away()
    coast.start()
    place.work()
    place.clock.advance(30 * HOUR)
    place.work()
    coast.put()
    place.work()
    position = game_admin.position_of(place.service, "narrow")
    assert (position.played, position.deadline) == (0, place.clock.now() + 24 * HOUR)
    assert "The game was suspended by an error from" in coast.told(NORTH)[-1]


def test_commands_and_letters_of_others_are_as_ever_while_one_is_held(coast: Coast) -> None:
    place = coast.place
    coast.take_away()
    coast.start()
    for line in ("status", "game list", "mail list", "player list", "run poll"):
        code, said = coast.gm(line)
        assert code == 0, said
    assert "narrow is suspended: there is no kind of game called strait here" in coast.gm("status")[1]
    assert "narrow is suspended" in coast.gm("game list")[1]
    listed = json.loads(coast.gm("game list --json")[1])
    assert [one["status"] for one in listed] == ["running", "held"]
    code, said = coast.gm("doctor --wait 0")
    assert (code, "narrow is suspended: there is no kind of game called strait here" in said) == (1, True)
    code, said = coast.gm("status --check")
    assert (code, "ERROR games: narrow is suspended" in said) == (4, True)
    for line in ("game show narrow", "turn process narrow --yes", "seat show narrow north", "map narrow"):
        code, said = coast.gm(line)
        assert (code, "narrow is suspended: there is no kind of game called strait here" in said) == (
            1,
            True,
        ), line
    place.write(WATCHER, GM, "LIST\nSTATUS narrow\nJOIN narrow", subject="what is there")
    coast.order(SOUTH, "broad", "LIST\nSTATUS narrow")
    place.work()
    of_narrow = sentence("inbound.queries.game", title="The Strait", game="narrow")
    assert of_narrow not in coast.told(SOUTH)[-1]
    assert "narrow" in coast.told(SOUTH)[-1]
    assert sentence("inbound.maps_and_history.held", game="narrow") in coast.told(SOUTH)[-1]
    assert "quarantined" not in dispositions(coast)


def test_it_is_exported_whole_and_struck_out(coast: Coast, tmp_path: Path) -> None:
    before = coast.gm("game export narrow")[1]
    coast.take_away()
    file = tmp_path / "narrow.json"
    assert coast.gm(f"game export narrow --out {file}")[0] == 0
    kept = json.loads(file.read_text())
    assert {**kept, "written": ""} == {**json.loads(before), "written": ""}
    code, said = coast.gm(f"game import {file}")
    assert (code, 'No game is called "strait"' in said) == (1, True)
    assert coast.gm("game delete narrow --why gone --yes")[0] == 0
    assert coast.place.service.repository.games() == ("broad",)


DAMAGE = {
    "its state": ("update game set state = ? where name = 'narrow'", b"{"),
    "its options": ("update game set options = ? where name = 'narrow'", "("),
    "its terms": ("update game set deadlines = ? where name = 'narrow'", "{}"),
    "its kind": ("update game set kind = ? where name = 'narrow'", "nothing"),
    "a number": ("update game set entries = ? where name = 'narrow'", "many"),
    "its orders": ("insert into filed values ('narrow', 'North', ?)", b'[{"type": "Take"}]'),
    "its clock": ("insert or replace into clock values ('narrow', ?)", "[]"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_row_that_cannot_be_read_holds_its_game_alone(coast: Coast, what: str, tmp_path: Path) -> None:
    place = coast.place
    statement, value = DAMAGE[what]
    coast.damage(statement, value)
    coast.start()
    place.clock.advance(23 * HOUR)
    coast.order(NORTH, "narrow", "Upland - Moor")
    coast.order(SOUTH, "broad", "Upland - Moor\nHaven - Strait")
    place.work()
    assert count_played(coast, "broad") == 1
    assert dispositions(coast)[1:] == ["read"]
    place.clock.advance(4 * HOUR)
    place.work()
    assert coast.to_gamesmaster()[:1] == [sentence("outbound.stuck_games.held_subject", game="narrow")]
    for line in ("status", "game list", f"game export narrow --rows --out {tmp_path / 'rows.json'}"):
        code, said = coast.gm(line)
        assert code == 0, said
    assert json.loads((tmp_path / "rows.json").read_text())["rows"]["entry"]
    assert coast.gm("game delete narrow --why broken --yes")[0] == 0


def test_a_variant_that_changed_is_found_before_the_next_turn(coast: Coast) -> None:
    """The opening is another now, so that the log comes out otherwise; no letter is read by wrong rules."""
    place = coast.place
    coast.put(lambda text: text.replace('"starts": ["F HAV", "A UPL"]', '"starts": ["A HAV", "A UPL"]'))
    coast.order(NORTH, "narrow", "Upland - Moor\nHaven - Strait")
    place.work()
    assert (count_played(coast, "narrow"), dispositions(coast)) == (0, ["held"])
    assert coast.to_gamesmaster() == [sentence("outbound.stuck_games.held_subject", game="narrow")]
    code, said = coast.gm("doctor --wait 0")
    assert (code, sentence("outbound.stuck_games.log_differs", why="") in said) == (1, True)
    assert "the state differs" in coast.gm("game replay narrow")[1]
    assert coast.gm("turn process narrow --yes")[0] == 1
    coast.put()
    place.work()
    assert (count_played(coast, "narrow"), dispositions(coast)) == (1, ["read"])


def test_a_log_that_does_not_hold_may_go_on_by_the_gamesmasters_word(coast: Coast) -> None:
    place = coast.place
    coast.put(lambda text: text.replace('"starts": ["F HAV", "A UPL"]', '"starts": ["A HAV", "A UPL"]'))
    coast.order(NORTH, "narrow", "Upland - Moor\nHaven - Strait")
    place.work()
    code, said = coast.gm("game resume narrow")
    assert (code, "Give a reason to resume it" in said) == (1, True)
    conduct_of = coast.gm("game resume narrow --why agreed")
    assert conduct_of[0] == 0, conduct_of
    place.work()
    assert (count_played(coast, "narrow"), dispositions(coast)) == (1, ["read"])
    assert "though its log failed verification" in coast.gm("game log narrow")[1]


def test_a_program_of_another_version_proves_a_log_before_it_plays_on(
    coast: Coast, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = coast.place
    coast.order(NORTH, "narrow", "Upland - Moor\nHaven - Strait")
    place.work()
    coast.damage("update entry set state = ? where game_id = 'narrow' and number = 0", b"{}")
    monkeypatch.setattr("adjudicator.turns.runner.__version__", "9.9.9")
    coast.start()
    coast.order(NORTH, "narrow", "Upland H\nHaven H")
    coast.order(SOUTH, "broad", "Upland - Moor\nHaven - Strait")
    place.work()
    assert (count_played(coast, "narrow"), count_played(coast, "broad")) == (1, 1)
    assert "the state differs" in str(game_admin.position_of(place.service, "narrow").stuck)
    assert game_admin.position_of(place.service, "broad").proven.startswith("9.9.9 ")


def test_a_letter_for_two_games_speaks_for_the_one_that_goes_on(coast: Coast) -> None:
    """The part for the other game is left out and named, so that it can be sent again; nothing is lost
    silently.
    """
    place = coast.place
    words = {game: game_admin.assign(place.service, game, "south", SOUTH) for game in ("narrow", "broad")}
    place.work()
    coast.take_away()
    coast.start()
    signed = "\n".join(f"SIGNON {game} south {word}\nDale H\nPort H" for game, word in words.items())
    place.write(SOUTH, GM, signed)
    place.work()
    assert dispositions(coast) == ["read"]
    assert "SIGNON narrow south" in coast.told(SOUTH)[-1]
    assert sentence("inbound.sender.held", game="narrow") in coast.told(SOUTH)[-1]
    assert "A DAL H" in coast.told(SOUTH)[-1]


def test_a_letter_that_names_no_game_is_read_for_none_that_may_not_be_meant(coast: Coast) -> None:
    """A player of both games is asked for the game; a player of only the suspended one has the email kept."""
    place = coast.place
    words = {game: game_admin.assign(place.service, game, "south", SOUTH) for game in ("narrow", "broad")}
    place.work()
    coast.take_away()
    coast.start()
    place.write(NORTH, GM, "Upland H")
    place.write(SOUTH, GM, "Dale H")
    place.write(SOUTH, GM, f"SIGNON narrow south {words['narrow']}\nDale H")
    place.work()
    assert sorted(map(str, dispositions(coast))) == ["held", "held", "quarantined"]
    coast.put()
    place.work()
    assert sorted(map(str, dispositions(coast))) == ["quarantined", "quarantined", "read"]
    filed = game_admin.position_of(place.service, "narrow").filed
    assert [str(seat) for seat in filed] == ["South"]


def test_a_game_that_waits_for_people_and_whose_kind_is_gone_keeps_nobody_waiting(coast: Coast) -> None:
    place = coast.place
    assert coast.gm("game new strait later --open --players 1")[0] == 0
    coast.take_away()
    coast.start()
    place.write(WATCHER, GM, "LIST")
    coast.order(SOUTH, "broad", "Upland - Moor\nHaven - Strait")
    place.work()
    assert count_played(coast, "broad") == 1
    assert coast.gm("game list")[0] == 0
    assert (
        "later, which is open for players, can't start: there is no kind of game"
        in coast.gm("status --check")[1]
    )
    assert coast.gm("game new firth later")[0] == 1, "its name is taken still"
    assert coast.gm("game delete later --why gone --yes")[0] == 0


def test_a_turn_that_cannot_be_played_is_tried_again_and_told_once(
    coast: Coast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its letters are read meanwhile; the fault is not met again at every look."""
    place, tries = coast.place, []

    def broken(self: object, *given: object) -> None:
        tries.append(given)
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(type(games.kinds()["strait"].rules), "adjudicate", broken)
        coast.order(NORTH, "narrow", "Upland - Moor\nHaven - Strait")
        for _ in range(5):
            place.work()
            place.clock.advance(HOUR // 40)
        assert (count_played(coast, "narrow"), dispositions(coast), len(tries)) == (0, ["read"], 1)
        assert coast.to_gamesmaster() == [sentence("outbound.stuck_games.held_subject", game="narrow")]
        fails = sentence("outbound.stuck_games.turn_fails", fault="ZeroDivisionError: a bug")
        assert fails in coast.gm("status")[1]
        place.clock.advance(HOUR)
        place.work()
        assert len(tries) == 2
    place.clock.advance(HOUR)
    place.work()
    assert count_played(coast, "narrow") == 1
    assert coast.to_gamesmaster() == [
        sentence("outbound.stuck_games.held_subject", game="narrow"),
        sentence("outbound.stuck_games.goes_on_subject", game="narrow"),
    ]
    assert due_games.suspended_games(place.service.database) == ()


def test_a_ruling_that_was_mended_holds_no_game(coast: Coast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The played turns stay; the GM is told where the log would give another result."""
    place = coast.place
    coast.order(NORTH, "narrow", "Upland - Moor\nHaven - Strait")
    place.work()
    rules = type(games.kinds()["strait"].rules)
    as_it_was = rules.adjudicate

    def mended(self: Any, state: State, orders: Mapping[Seat, Sequence[Order]], dice: Dice) -> object:
        alone = {NORTHERN: orders[NORTHERN]} if self.turn(state).short == "S1M" else orders
        return as_it_was(self, state, alone, dice)

    assert count_played(coast, "narrow") == 1
    monkeypatch.setattr(rules, "adjudicate", mended)
    monkeypatch.setattr("adjudicator.turns.runner.__version__", "9.9.9")
    coast.start()
    said = coast.gm("doctor --wait 0")[1]
    assert "the log of narrow gives another result when it is replayed: entry 1 (S1M): the state" in said
    coast.order(NORTH, "narrow", "Upland H\nHaven H")
    place.work()
    assert count_played(coast, "narrow") >= 2
    assert coast.to_gamesmaster() == [sentence("outbound.stuck_games.ruling_subject", game="narrow")]
