"""Boards with rules of their own, from the folder to a game by email: checked, begun, played and told."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

from adjudicator.admin import game_admin
from adjudicator.game_kinds import find_kind
from adjudicator.storage import stored_games
from adjudicator.turns.log import replay
from adjudicator.variants import check_variant
from games.messages import sentence
from tests.kit.kinds import variant
from tests.kit.made_boards import changed_files
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.kit.variant_folders import toml

SECRET = b"the secret of a board"
GAME = "table"


def in_a_line(letter: EmailMessage) -> str:
    """An email in one line, without the bars before its orders."""
    return " ".join(f"{letter['Subject']} {text_of(letter)}".replace("\n|", " ").split())


class BoardTable:
    """A game between the powers of a board, each a player who answers the last email with a token."""

    def __init__(self, place: LocalService, kind: str, powers: tuple[str, ...]) -> None:
        self.place, self.kind = place, kind
        terms = {"moves": "24h", "retreats": "24h", "builds": "24h"}
        game_admin.new_game(place.service, game_admin.GameRequest(kind, GAME, terms=terms), secret=SECRET)
        for power in powers:
            game_admin.assign(place.service, GAME, power.lower(), self.address(power))
        place.work()

    @staticmethod
    def address(power: str) -> str:
        return f"{power.lower()}@example.org"

    def read(self, power: str) -> str:
        """Return everything a player has received so far, on one line."""
        return " ".join(map(in_a_line, self.place.mail(self.address(power))))

    def last(self, power: str) -> str:
        """The last email to a player, in one line."""
        return in_a_line(self.place.mail(self.address(power))[-1])

    def play(self, **orders: str) -> None:
        """Let each player answer, and let the turn run when all have."""
        self.place.clock.advance(60_000)
        for power, text in orders.items():
            letters = self.place.mail(self.address(power))
            letter = next(one for one in reversed(letters) if "#" in one["Subject"])
            self.place.answer(self.address(power), letter, text)
        self.place.work()

    @property
    def turn(self) -> str:
        """The short name of the turn."""
        position = game_admin.position_of(self.place.service, GAME)
        return find_kind(position.kind).rules.turn(position.state).short

    def replayed(self) -> str | None:
        """Return the fault of the log, or None if its positions are computed again."""
        database = self.place.service.database
        position = game_admin.position_of(self.place.service, GAME)
        log = stored_games.log(database, GAME)
        return replay(find_kind(self.kind), GAME, SECRET, log, position.head_sha).fault


@contextmanager
def seated(tmp_path: Path, kind: str, files: Mapping[str, str], *powers: str) -> Iterator[BoardTable]:
    """Check the folder of a board, add it, and begin a game between its powers."""
    folder = tmp_path / kind
    folder.mkdir()
    named = {name: text.replace('"name": "strait"', f'"name": "{kind}"') for name, text in files.items()}
    for name, text in named.items():
        (folder / name).write_text(text, encoding="utf-8")
    check_variant(folder)
    with variant(tmp_path / "kinds", kind, named), local_service(tmp_path / "service") as place:
        yield BoardTable(place, kind, powers)


FROM_THE_SEA = {
    "map.json": json.dumps(
        {
            "base": "standard",
            "name": "england-turkey-sea",
            "title": "England against Turkey",
            "designer": "Turnpost",
            "year": 2026,
            "counts": {"units": 6, "centres": 34},
            "victory": [{"centres": 24}, {"lead": 10, "lead_from": [[1908, 7], [1912, 4]]}],
            "powers": [
                {
                    "id": "England",
                    "name": "England",
                    "aliases": ["English"],
                    "letter": "E",
                    "colour": "#c4a5c4",
                    "homes": ["EDI", "LON", "LVP"],
                    "starts": ["F NTH", "F ENG", "A LVP"],
                    "centres": ["EDI", "LON", "LVP"],
                },
                {
                    "id": "Turkey",
                    "name": "Turkey",
                    "aliases": ["Turkish"],
                    "letter": "T",
                    "colour": "#e0c878",
                    "homes": ["ANK", "CON", "SMY"],
                    "starts": ["F BLA", "F AEG", "A CON"],
                    "centres": ["ANK", "CON", "SMY"],
                },
            ],
        }
    ),
    "rulebook.toml": toml({"base": "standard", "builds_in": "owned"}),
}


def test_england_against_turkey_from_the_sea(tmp_path: Path) -> None:
    """Both begin with fleets at sea. They land in Spring, own what they took after Fall, and build there."""
    with seated(tmp_path, "england-turkey-sea", FROM_THE_SEA, "England", "Turkey") as table:
        welcome = table.last("England")
        assert "24 of the 34 supply centres" in welcome
        assert "7 from 1908 and 4 from 1912" in welcome
        table.play(
            England="North Sea - Norway\nEnglish Channel - Belgium\nLiverpool - Wales",
            Turkey="Black Sea - Rumania\nAegean Sea - Greece\nConstantinople - Bulgaria",
        )
        assert table.turn == "F1901M", table.read("England")
        table.play(
            England="Norway H\nBelgium H\nWales - London",
            Turkey="Rumania H\nGreece H\nBulgaria H",
        )
        assert table.turn == "W1901A", table.read("Turkey")
        assert "Belgium" in table.last("Turkey"), "the report names what England took"
        table.play(
            England="build F Edinburgh\nbuild A Liverpool",
            Turkey="build A Ankara\nbuild F Smyrna\nbuild A Con",
        )
        assert table.turn == "S1902M", table.read("Turkey")
        needed = sentence("diplomacy.victory.table").upper()
        assert needed in table.last("England").upper()
        assert table.replayed() is None


GARRISON = changed_files(
    {
        "title": "Garrisons",
        "provinces": [{"id": "HAV", "fleet": ["STR", "ISL"]}, {"id": "ISL", "fleet": ["STR", "HAV"]}],
        "powers": [{"id": "North", "starts": ["F STR", "F HAV"]}],
    },
    {"garrisons": "return"},
)


def test_a_garrison_that_returns(tmp_path: Path) -> None:
    """North drives the garrison off the Isle in Spring, and leaves it in Fall."""
    with seated(tmp_path, "garrison", GARRISON, "North", "South") as table:
        table.place.clock.advance(60_000)
        table.place.answer(
            table.address("North"), table.place.mail(table.address("North"))[-1], "HELP neutral"
        )
        table.place.work()
        assert sentence("diplomacy.handbook.garrisons_return") in table.last("North")
        table.play(North="Strait - Isle\nHaven S Strait - Isle", South="Dale H\nPort H")
        assert table.turn == "F1M", table.read("North")
        table.play(North="Isle - Strait\nHaven H", South="Dale H\nPort H")
        assert table.turn == "S2M", table.read("North")
        back = sentence("diplomacy.reports_results.garrison_returned", kind="army", place="Isle")
        assert back in table.last("South")
        assert table.replayed() is None


FALLING_LEAD = changed_files(
    {"title": "A falling lead", "victory": [{"lead": 3, "lead_from": [[2, 1]]}], "neutral": []},
    {"victory_after": "fall"},
)


def test_a_lead_that_wins_when_it_is_large_enough_for_the_year(tmp_path: Path) -> None:
    """North leads by one centre after the first Fall, which isn't enough yet, and after the second."""
    with seated(tmp_path, "leading", FALLING_LEAD, "North", "South") as table:
        assert "A smaller lead is enough later: 1 from year 2." in table.last("North")
        table.play(North="Upland - Moor\nHaven H", South="Dale H\nPort H")
        table.play(North="Moor H\nHaven H", South="Dale H\nPort H")
        assert table.turn == "W1A", table.read("North")
        table.play(North="WAIVE")
        table.play(North="Moor H\nHaven H", South="Dale H\nPort H")
        assert table.turn == "F2M", table.read("South")
        table.play(North="Moor H\nHaven H", South="Dale H\nPort H")
        reason = sentence("diplomacy.reports_endings.lead")
        for power in ("North", "South"):
            assert sentence("diplomacy.reports_results.won", winners="North", reason=reason) in table.last(
                power
            )
        assert table.replayed() is None


BEFORE_CHRIST = changed_files({"title": "In 260 BC", "first_year": -260})


def test_a_game_in_260_bc(tmp_path: Path) -> None:
    """People read and write 260 BC, and an order for Fall waits for its turn."""
    with seated(tmp_path, "punic", BEFORE_CHRIST, "North", "South") as table:
        assert "Spring 260 BC" in table.last("North")
        ahead = "PHASE Fall 260 BC: Moor H\nPHASE F-260M: Haven - Strait"
        table.play(North=f"Upland - Moor\nHaven H\n{ahead}", South="Dale H\nPort H")
        assert table.turn == "F-260M", table.read("North")
        assert "Fall 260 BC" in table.last("South")
        table.play(South="Dale H\nPort H")
        assert table.turn == "W-260A", table.read("North")
        assert "Winter 260 BC" in table.last("North")
        table.play(North="build Upland")
        assert table.turn == "S-259M", table.read("North")
        assert "Spring 259 BC" in table.last("South")
        # The chart of the years has the opening, and no column for a year that was not played.
        table.play(North="Moor H\nStrait H\nUpland H", South="Dale H\nPort H")
        table.play(North="Moor H\nStrait H\nUpland H", South="Dale H\nPort H")
        assert "Side 261 BC 260 BC 259 BC" in table.read("South")
        told = re.sub(r"[SFW]-\d+[MRA]", "", table.read("South"))
        assert "-260" not in told, "people read 260 BC"
        assert table.replayed() is None
