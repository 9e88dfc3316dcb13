"""The table of malicious documents, and the errors of `gm game import`.

All are the export of a real game, in the first version of the format, with one change. None becomes a game,
and each ends in a Refusal.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from adjudicator.admin import game_admin, transfer
from adjudicator.admin.transfer import read
from adjudicator.cli.app import app
from adjudicator.errors import Refusal
from adjudicator.model.games import LogEntry
from adjudicator.storage import stored_games
from games.record import Malformed, plain, revive
from tests.kit.attack_service import AttackedService, attacked_service

OLD = Path(__file__).with_name("exports") / "otter-1.json"
SOUND: dict[str, Any] = json.loads(OLD.read_text())
EVIL = "x\r\nBcc: evil@example.org"
GARBLED = "scrypt$16384$8$1$AAAAAAAAAAAAAAAAAAAAAA==$" + "A" * 43 + "="


@pytest.fixture(scope="module")
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AttackedService]:
    """A service without a game."""
    with attacked_service(tmp_path_factory.mktemp("import")) as it:
        yield it


@dataclass(frozen=True)
class Attack:
    """A row. path: the place in the document, by keys and positions; value: the value there; said: words of
    the refusal; linked: whether its hashes were computed again, as an attacker would.
    """

    name: str
    path: tuple[str | int, ...]
    value: Any
    said: str
    linked: bool = False

    @property
    def raw(self) -> bytes:
        """The document in its bytes."""
        document = replace_value(SOUND, self.path, self.value)
        return json.dumps(linked(document) if self.linked else document).encode()


def replace_value(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """The document with another value at a place."""
    changed = deepcopy(document)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


def linked(document: Any) -> Any:
    """The document with the hashes of its log as they would have to be."""
    previous = ""
    for one in document["log"]:
        entry: LogEntry = revive(LogEntry, {**one["entry"], "previous_sha": previous})
        one["entry"], previous = plain(entry), entry.sha
    return {**document, "head": previous}


def seat(name: str) -> int:
    """The place of a seat in the document."""
    return [one["seat"] for one in SOUND["seats"]].index(name)


IROQUOIS = seat("Iroquois")
FAR = {"type": "Hold", "unit": {"at": "95", "coast": "", "kind": "W"}}
NOWHERE = {"type": "Hold", "unit": {"at": "9999", "coast": "", "kind": "W"}}
ROLLED = {
    **SOUND["log"][5]["entry"],
    "kind": "rollback",
    "options": {"type": "RolledBack", "silent": False, "to": 77, "before": {}},
}
PRESS = {"turn": "S1M", "seat": "Iroquois", "kind": "white", "to": None, "text": "hello", "at": 1}
LOAN = {"owner": "a@example.org", "password": None, "substitute": "b@example.org", "until": 1}

ATTACKS = (
    Attack("a name with line breaks", ("game",), "x\r\nBcc: evil@example.org\r\nX-A: b", "$.game"),
    Attack("a name with a line end behind it", ("game",), "otter\n", "$.game"),
    Attack("a name that is a path", ("game",), "../../evil", "$.game"),
    Attack("a name with a capital", ("game",), "Otter", "$.game"),
    Attack("no name", ("game",), "", "$.game"),
    Attack("a name that our own addresses have", ("game",), "b", 'Can\'t call a game "b": '),
    Attack(
        "an address with a line break", ("seats", IROQUOIS, "address"), f"a@example.org{EVIL}", "].address"
    ),
    Attack("an address that ends a line", ("seats", IROQUOIS, "address"), "a@example.org\n", "].address"),
    Attack("two addresses", ("seats", IROQUOIS, "address"), "a@example.org,b@example.org", "].address"),
    Attack("an address without a host", ("seats", IROQUOIS, "address"), "a@-", "Seat Iroquois: "),
    Attack("our own address", ("seats", IROQUOIS, "address"), "gm@example.org", "Seat Iroquois: "),
    Attack("a password as it is typed", ("seats", IROQUOIS, "password"), "garbage", "].password"),
    Attack(
        "a password that costs hours",
        ("seats", IROQUOIS, "password"),
        GARBLED.replace("16384", "524288"),
        "pass",
    ),
    Attack("a bot that there is not", ("seats", IROQUOIS, "bot"), "genius", "Seat Iroquois: "),
    Attack("a temperament that there is not", ("seats", IROQUOIS, "temper"), "evil", "Seat Iroquois: "),
    Attack("a seat that the game has not", ("seats", IROQUOIS, "seat"), "Atlantis", "seats"),
    Attack("a seat with a line break", ("seats", IROQUOIS, "seat"), f"Iroquois{EVIL}", "].seat"),
    Attack("a seat twice", ("seats", IROQUOIS, "seat"), "Dakota", "seats"),
    Attack("no seats", ("seats",), [], "$.seats"),
    Attack("a generation before the first", ("seats", IROQUOIS, "generation"), -1, "].generation"),
    Attack("a kind that is a path", ("kind",), "../indianomacy", 'No game is called "../indianomacy". '),
    Attack("a state of its own", ("status",), "haunted", "$.status"),
    Attack("over, though it goes on", ("status",), "finished", "status"),
    Attack("a deadline at the end of time", ("deadline",), 10**17, "$.deadline"),
    Attack("a deadline before time", ("deadline",), -1, "$.deadline"),
    Attack("a turn of a thousand years", ("deadlines", "lengths", "moves"), 10**14, "Deadlines: moves: "),
    Attack("no length of a turn", ("deadlines", "lengths"), {}, "deadlines"),
    Attack("a zone that is a path", ("deadlines", "zone"), "../../../etc/passwd", "zone"),
    Attack("an hour that there is not", ("deadlines", "hours"), ["25:00"], "hours"),
    Attack(
        "every day a holiday",
        ("deadlines", "days_off"),
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        "day",
    ),
    Attack("an option that there is not", ("log", 0, "entry", "options", "cheat"), "yes", "no such option"),
    Attack("an option of another type", ("log", 0, "entry", "options", "taboo"), [1], "option taboo"),
    Attack("a secret that is none", ("secret",), "zz" * 32, "$.secret"),
    Attack("another secret", ("secret",), "00" * 32, "Commitment: "),
    Attack("another commitment", ("commitment",), "00" * 32, "Commitment: "),
    Attack("another head", ("head",), "00" * 32, "the last entry is not the one"),
    Attack("a log without entries", ("log",), [], "$.log"),
    Attack("a log that was cut", ("log",), SOUND["log"][:-1], "the last entry is not the one"),
    Attack("a log without its beginning", ("log",), SOUND["log"][1:], "log[0]"),
    Attack("an entry twice", ("log", 3), SOUND["log"][2], "log[3]"),
    Attack("an entry of no kind", ("log", 3, "entry", "kind"), "gift", "log[3]"),
    Attack("a second beginning", ("log", 3, "entry", "kind"), "setup", "log[3]"),
    Attack(
        "an override that cannot be read", ("log", 3, "entry", "options"), {"type": "DieForced"}, "its log"
    ),
    Attack("orders that were never given", ("log", 4, "entry", "orders", "Dakota"), [], "does not follow"),
    Attack(
        "the same, with hashes to fit",
        ("log", 4, "entry", "orders", "Apache"),
        [],
        "state differs",
        True,
    ),
    Attack(
        "orders for no place, with hashes",
        ("log", 4, "entry", "orders", "Iroquois"),
        [NOWHERE],
        "its log",
        True,
    ),
    Attack(
        "orders of nobody, with hashes", ("log", 4, "entry", "orders", "Atlantis"), [FAR], "Atlantis", True
    ),
    Attack("dice of its own", ("log", 4, "entry", "throws", 0, "numbers"), [6], "the dice differ", True),
    Attack("dice that cannot be", ("log", 4, "entry", "throws", 0, "sides"), 0, "its log", True),
    Attack("a turn back to never", ("log", 5, "entry"), ROLLED, "its log", True),
    Attack("orders of no type", ("log", 4, "entry", "orders", "Dakota"), [{"type": "Win"}], "its log"),
    Attack("orders that are none", ("log", 4, "entry", "orders", "Dakota"), [7], "its log"),
    Attack("a state that is none", ("log", 4, "state"), {"winner": "Iroquois"}, "its log"),
    Attack("a state at the end that is none", ("log", 6, "state"), [], "its log"),
    Attack("a number of an entry too large", ("log", 6, "entry", "number"), 10**20, "number"),
    Attack(
        "a hash in place of what it is of", ("log", 6, "entry", "recorded"), "00" * 32, "parts are missing"
    ),
    Attack(
        "a digest in place of what it is of",
        ("log", 6, "entry", "withheld"),
        {"bots": "00" * 32},
        "parts are missing",
    ),
    Attack("salts of nothing", ("log", 6, "entry", "salts"), {"moon": "00" * 16}, "salts"),
    Attack("orders of a seat that there is not", ("filed",), {"Atlantis": []}, "Filed: "),
    Attack("orders on file that are none", ("filed",), {"Iroquois": [{"type": "Cheat"}]}, "saved orders"),
    Attack("orders on file of no form", ("filed",), {"Iroquois": [{}]}, "saved orders"),
    Attack(
        "orders on file for no place",
        ("filed",),
        {"Iroquois": [{"type": "Hold", "unit": {"at": "9999", "coast": "", "kind": "W"}}]},
        "saved orders",
    ),
    Attack("press of a seat that there is not", ("press",), [PRESS | {"seat": EVIL}], "press"),
    Attack("press to a seat that there is not", ("press",), [PRESS | {"to": ["Atlantis"]}], "Press: "),
    Attack("press of no kind", ("press",), [PRESS | {"kind": "black"}], "press"),
    Attack("press of a turn that never was", ("press",), [PRESS | {"turn": "S9999M"}], "Press: "),
    Attack("press with a NUL", ("press",), [PRESS | {"text": "a\0b"}], "].text"),
    Attack("half a character in press", ("press",), [PRESS | {"text": "\udcc3"}], "damaged"),
    Attack("press from the end of time", ("press",), [PRESS | {"at": 10**18}], "].at"),
    Attack("an observer with a line break", ("observers",), [f"a@example.org{EVIL}"], "$.observers"),
    Attack("an observer who is nobody", ("observers",), ["a@b..c"], "Observers: "),
    Attack(
        "an absence of nobody", ("absences",), [{"seat": "Atlantis", "first": 0, "last": 1}], "Absences: "
    ),
    Attack(
        "a vote for a stranger",
        ("votes",),
        [{"seat": "Iroquois", "motion": "concede", "to": "me"}],
        "Votes: ",
    ),
    Attack("a vote for nothing", ("votes",), [{"seat": "Iroquois", "motion": "riot"}], "motion"),
    Attack("a vacancy that is none", ("vacancies",), ["Atlantis"], "Vacancies: "),
    Attack(
        "a loan to an evil substitute",
        ("timing", "loans"),
        {"Iroquois": LOAN | {"substitute": EVIL}},
        "timing",
    ),
    Attack("a loan of no seat", ("timing", "loans"), {"Atlantis": LOAN}, "timing.loans"),
    Attack(
        "a loan with a password as typed",
        ("timing", "loans"),
        {"Iroquois": LOAN | {"password": "x"}},
        "timing",
    ),
    Attack("minutes of another game", ("minutes", 0, "game"), "beaver", "Minutes: "),
    Attack("customs that there are not", ("customs", "press"), "loud", "$.customs.press"),
    Attack("something that nobody knows", ("evil",), 1, "unknown field `evil`"),
    Attack("a version to come", ("turnpost",), 3, "version"),
    Attack("a version that is none", ("turnpost",), {"a": 1}, "version"),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_document_that_means_ill_is_refused_by_what_is_wrong(
    besieged: AttackedService, attack: Attack
) -> None:
    service = besieged.service
    try:
        transfer.bring_in(service, read(attack.raw, "evil.json"), tell=True)
        said = "it was taken"
    except Refusal as refused:
        said = str(refused)
    except Exception as fault:
        said = f"a traceback: {fault!r}"
    finally:
        taken = service.repository.games()
        for name in taken:
            stored_games.delete(service.database, name, "gm", "a test", service.clock.now())
    assert attack.said in said
    assert taken == ()
    assert besieged.written() == []


def test_the_document_itself_is_sound(tmp_path: Path) -> None:
    """Otherwise each row of the table would be refused for another reason. It has its address in its log."""
    assert "@" in SOUND["log"][0]["entry"]["by"]
    with attacked_service(tmp_path) as it:
        transfer.bring_in(it.service, read(OLD.read_bytes(), "otter.json"))
        assert game_admin.prove(it.service, "otter").fault is None


NESTED = b'{"turnpost": 2, "log": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
FILES = {
    "deep": NESTED,
    "a number of many digits": b'{"turnpost": 2, "deadline": ' + b"9" * 5000 + b"}",
    "no number": b'{"turnpost": 2, "deadline": NaN}',
    "no UTF-8": b'{"turnpost": 2, "game": "\xff"}',
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_document_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    with attacked_service(tmp_path):
        pass
    file = tmp_path / "evil.json"
    file.write_bytes(FILES[name])
    said = CliRunner().invoke(app, ["--config", str(tmp_path / "gm.toml"), "game", "import", str(file)])
    assert said.exit_code == 1
    assert isinstance(said.exception, SystemExit), "and not a traceback"
    assert said.stderr.startswith(f"Can't import {file}: it is")


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a document at which something stands."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))


PLACES = [path for path in leaves(SOUND) if "state" not in path or len(path) < 5]
HOSTILE = (
    *(None, True, -1, 0, 7, 10**12, 2.5, "", "x", EVIL, "a\0b", "Iroquois", "Atlantis", [], {}, [None], [[]]),
    *({"type": "Hold"}, {"type": "Undone", "number": 1}, {"type": "RolledBack", "to": 99}, "S9M", "\u2028"),
)


@given(path=st.sampled_from(PLACES), value=st.sampled_from(HOSTILE), fits=st.booleans())
def test_whatever_stands_anywhere_is_taken_or_refused(
    besieged: AttackedService, path: Any, value: Any, fits: bool
) -> None:
    """Nothing else can happen; an accepted document can be verified, played and exported again."""
    service, document = besieged.service, replace_value(SOUND, path, value)
    if fits:
        with suppress(Malformed, LookupError, TypeError):
            document = linked(document)
    try:
        transfer.bring_in(service, read(json.dumps(document).encode(), "evil.json"))
    except Refusal:
        assert service.repository.games() == ()
        return
    try:
        (name,) = service.repository.games()
        assert game_admin.prove(service, name).fault is None
        transfer.export(service, name)
        service.process()
        game_admin.play_now(service, name)
    finally:
        for name in service.repository.games():
            stored_games.delete(service.database, name, "gm", "a test", service.clock.now())
