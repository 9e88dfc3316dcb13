"""A long game with many overrides: an edit, a set roll, a preview, a rollback, another installation.

Ten turns of Indianomacy II through the real command line, with two players and six bots.
"""

import json
import re
import secrets
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from adjudicator.messages import sentence
from games.record import revive

BAY = "Hudson Bay"


class GmTerminal:
    """A service in a folder, with the command line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def says(self, line: str, code: int = 0) -> str:
        """Run a command that ends with that exit code, and return its output."""
        words = ["--config", str(self.folder / "gm.toml"), *shlex.split(line)]
        done = CliRunner().invoke(app, words, prog_name="gm")
        assert done.exit_code == code, done.output
        return done.stdout + done.stderr

    def told(self, line: str) -> Any:
        """Run a command with --json, and return the document."""
        return json.loads(self.says(f"{line} --json"))

    @property
    def turn(self) -> str:
        """The current turn."""
        return str(self.told("game show otter")["turn"]["short"])

    def sights(self) -> dict[str, Any]:
        """Return everything that can be seen of the game and of the emails."""
        looks = (
            "game show otter",
            "game log otter",
            "orders show otter",
            "dice show otter",
            "mail list --out",
        )
        return {look: self.told(look) for look in looks}

    def play(self) -> None:
        """Keep both players' orders, and run the turn."""
        for one in self.told("orders show otter"):
            holds = [f'"{unit} H"' for unit in one["missing"] if unit.startswith("W ")]
            if holds:
                self.says(f"orders set otter {one['seat']} {' '.join(holds)} --why routine --silent")
        self.says("turn process otter --yes")


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GmTerminal:
    """A service with a game of two players, always with the same dice, and emails without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    drawn = SimpleNamespace(token_bytes=lambda count: bytes(count), token_urlsafe=secrets.token_urlsafe)
    monkeypatch.setattr("adjudicator.outbound.signups.secrets", drawn)
    context = GmTerminal(tmp_path / "here")
    context.folder.mkdir()
    context.says("init --no-local --timezone UTC --yes")
    context.says("game new indianomacy otter --option centres=home-rival")
    for seat in ("iroquois", "dakota"):
        context.says(f"seat assign otter {seat} {seat}@example.org")
    return context


def test_ten_turns_at_the_desk(context: GmTerminal, tmp_path: Path) -> None:
    opening = context.told("game show otter")["tables"]

    # A unit lost in the mail is put on the bay, and the storm's die is set.
    context.says(f'edit otter place W {BAY} for Iroquois --why "its order was lost"')
    (storm,) = [t for t in context.told("turn preview otter")["throws"] if t["label"] == "storm/b/U1"]
    number = 2 if storm["numbers"] != [2] else 3
    context.says(f'dice set-next otter storm/b/U1 {number} --why "thrown at the table"')

    # A preview changes nothing, and comes true.
    before = context.sights()
    preview = context.told("turn preview otter")
    assert context.sights() == before
    context.says("turn process otter --yes")
    reports = [letter for letter in context.told("mail list --out") if " [otter S1M " in letter["subject"]]
    reports = [letter for letter in reports if "Welcome" not in letter["subject"]]
    assert sorted(one["subject"].split(" [")[0] for one in reports) == sorted(
        one["subject"].split(" [")[0] for one in preview["reports"]
    )
    text = " ".join(context.told(f"mail show {reports[0]['number']} --out")["text"].split())
    assert "There is now a War Party of Iroquois in Hudson Bay. (its order was lost)" in text
    assert sentence("reports.by_hand.throw_set", label="storm/b/U1", numbers=[number]) in text
    assert (
        sentence("reports.typeset.throw", label="storm/b/U1", sides=6, numbers=[number], forced=True) in text
    )

    while len(_turns(context)) < 8 or not _turns(context)[-2]["turn"].endswith("M"):
        context.play()

    # Two turns are put back; the orders of people are on file again, and bots are asked again.
    log = context.told("game log otter")
    *earlier, back, last = _turns(context)
    ordered = _orders(context, back)
    context.says(f'game rollback otter {back["turn"]} --why "an order was misread" --yes')
    assert context.turn == back["turn"]
    assert context.told("game show otter")["turns_played"] == len(earlier)
    kept = {one["seat"]: one["orders"] for one in context.told("orders show otter")}
    assert {seat for seat, orders in kept.items() if orders} == {"Iroquois", "Dakota"} & set(ordered)
    first = next(seat for seat, orders in kept.items() if orders)
    again = _changed(context, first, kept[first])
    context.says("run process")
    assert context.turn == back["turn"], "a turn that was put back is held"
    context.says("turn process otter --yes")
    entries = context.told("game log otter")
    redone = next(entry for entry in reversed(entries) if entry["turn"] == back["turn"] and entry["dice"])
    assert redone["entry"] > last["entry"]
    assert redone["state_sha256"] != back["state_sha256"]
    assert again in _orders(context, redone)[first]
    assert [entry["entry"] for entry in entries if not entry["counts"]] == [
        back["entry"],
        *_between(log, back, last),
    ]
    while len(_turns(context)) < 10:
        context.play()
    assert context.told("game show otter")["tables"] != opening

    # It goes on elsewhere, from one file, and everything is as it was.
    file = tmp_path / "otter.json"
    context.says(f"game export otter --out {file}")
    there = GmTerminal(tmp_path / "there")
    there.folder.mkdir()
    there.says("init --no-local --timezone UTC --yes")
    there.says(f"game import {file}")
    for look in ("game show otter", "game log otter", "orders show otter", "dice show otter"):
        assert there.told(look) == context.told(look)
    for one in (context, there):
        proof = one.told("game replay otter")
        assert (proof["difference"], proof["entries"]) == (None, len(one.told("game log otter")))
        one.play()
    states = [[entry["state_sha256"] for entry in one.told("game log otter")] for one in (context, there)]
    assert states[0] == states[1]

    # The dice hold, and one byte of the log that is changed shows.
    proved = context.told(f"dice verify {file}")
    assert (proved["fault"], proved["forced"], proved["sealed"]) == (None, 1, True)
    for old, new in _bytes(file):
        forged = tmp_path / "forged.json"
        text = file.read_text()
        assert text.count(old) == 1, old
        forged.write_text(text.replace(old, new))
        assert "does not follow" in context.says(f"dice verify {forged}", code=1)
        refused = there.says(f"game import {forged}", code=1)
        assert "its log failed verification" in refused


def _turns(context: GmTerminal) -> list[dict[str, Any]]:
    """Return the turns that count, oldest first."""
    return [entry for entry in context.told("game log otter") if entry["kind"] == "turn" and entry["counts"]]


def _orders(context: GmTerminal, entry: dict[str, Any]) -> dict[str, list[str]]:
    """Return the players' orders with which a turn ran."""
    document = json.loads(context.says("game export otter"))
    found = next(one["entry"] for one in document["log"] if one["entry"]["number"] == entry["entry"])
    people = [seat["seat"] for seat in document["seats"] if seat["address"]]
    game = games.kinds()["indianomacy"]
    return {
        seat: [game.notation.write(revive(game.order_type, order)) for order in found["orders"][seat]]
        for seat in people
        if found["orders"].get(seat)
    }


def _changed(context: GmTerminal, seat: str, orders: list[str]) -> str:
    """Return another order for a seat: a move that the reply to an illegal one lists."""
    unit = next(order.removesuffix(" H") for order in orders if order.endswith(" H") and "PHASE" not in order)
    tried = context.says(f'orders set otter {seat} "{unit} - Hopewell Mounds" --why mend', code=1)
    named = re.search(r"; possible: (.+?)(?:,| or |\.)", " ".join(tried.split()))
    assert named is not None, tried
    context.says(f'orders set otter {seat} "{unit} - {named[1]}" --why "as it was meant"')
    filed = next(one["orders"] for one in context.told("orders show otter") if one["seat"] == seat)
    return str(next(order for order in filed if order.startswith(f"{unit} - ")))


def _between(log: list[dict[str, Any]], first: dict[str, Any], last: dict[str, Any]) -> list[int]:
    """Return the numbers of the entries after one, up to another."""
    return [entry["entry"] for entry in log if first["entry"] < entry["entry"] <= last["entry"]]


def _bytes(file: Path) -> list[tuple[str, str]]:
    """Return some bytes that occur once in the log: a time, a roll's number, a reason."""
    document = json.loads(file.read_text())
    entry = next(one["entry"] for one in document["log"] if one["entry"]["kind"] == "die")
    return [
        (f'"why": "{entry["why"]}"', '"why": "thrown at the tablE"'),
        ('"its order was lost"', '"its order was lo5t"'),
    ]
