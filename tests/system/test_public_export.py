"""The content of `gm game export --public`: verified public data, and nothing about coming turns."""

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adjudicator.admin import deadlines, game_admin, overrides, seats, transfer
from adjudicator.admin.overrides import OverrideReason
from adjudicator.admin.transfer import GameExport, encode_export, read
from adjudicator.cli.app import app
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.games import LogEntry, private_parts
from games.record import replace_fields
from tests.kit import cached_services
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service
from tests.kit.mail import letter

OLD = Path(__file__).with_name("exports") / "otter-1.json"
HOLD = ["all hold"]
WHY = OverrideReason(why="phoned in", by="gm York")


@cached_services.cached_folder
def begun(folder: Path) -> None:
    """A service with the game demo, in which two persons have played a turn."""
    with pytest.MonkeyPatch.context() as patched, attacked_service(folder) as service:
        patched.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        game_admin.new_game(service.service, game_admin.GameRequest("indianomacy", "demo"), secret=b"s" * 32)
        game_admin.assign(service.service, "demo", "Iroquois", IROQUOIS)
        game_admin.assign(service.service, "demo", "Dakota", DAKOTA)
        overrides.set_orders(service.service, "demo", "dakota", HOLD, WHY)
        game_admin.play_now(service.service, "demo")


@pytest.fixture
def it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AttackedService]:
    """That service."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with attacked_service(Path(shutil.copytree(begun.folder(), tmp_path / "service"))) as service:
        yield service


def public(it: AttackedService, name: str = "demo") -> GameExport:
    """The game for all, whenever that is asked for."""
    return replace_fields(transfer.export(it.service, name, public=True), written="")


def encode_public(it: AttackedService, name: str = "demo") -> str:
    """The same in its bytes."""
    return encode_export(public(it, name)).decode()


def told_of_play(document: GameExport) -> str:
    """An export without the files of the game's variant, which name places such as New York."""
    assert document.variants
    return encode_export(replace_fields(document, variants=())).decode()


def reply(it: AttackedService, seat: str) -> str:
    """Return the reply address of a seat for the due turn."""
    position = game_admin.position_of(it.service, "demo")
    assignment = position.assignments[game_admin.seat_of(position, seat)]
    turn = position.game.rules.turn(position.state).short
    token = reply_token(it.service.service_context.key, "demo", assignment.seat, assignment.generation, turn)
    return reply_address(it.service.service_context.address, "demo", assignment.seat, token)


def arrives(it: AttackedService, text: str, seat: str = "iroquois") -> None:
    """A letter of a seat, which is read."""
    sender = {"iroquois": IROQUOIS, "dakota": DAKOTA}[seat]
    raw = letter(text, sender=sender, to=reply(it, seat), number=it.count)
    assert it.arrives(raw).disposition == "read"


HIDDEN: dict[str, Callable[[AttackedService], object]] = {
    "orders that a player sends": lambda it: arrives(it, "Mohawk - Delaware"),
    "orders for a turn to come": lambda it: arrives(it, "PHASE F2M\nMohawk - Delaware"),
    "orders that hang on something": lambda it: arrives(it, "IF NOT W DEL THEN Mohawk - Delaware ENDIF"),
    "WAIT": lambda it: arrives(it, "WAIT"),
    "a letter to one": lambda it: arrives(it, "PRESS TO Dakota\nmeet me at the bay\nENDPRESS"),
    "a vote": lambda it: arrives(it, "DRAW"),
    "an absence": lambda it: arrives(it, "ABSENCE 7 January to 9 January"),
    "a password": lambda it: arrives(it, "PASSWORD three-canoes"),
    "orders set by hand": lambda it: overrides.set_orders(it.service, "demo", "iroquois", HOLD, WHY),
    "a die that is set": lambda it: overrides.force(
        it.service, "demo", "storm/b/W1", (4,), WHY, blindly=True
    ),
    "an edit": lambda it: overrides.edit(it.service, "demo", "place W PIM for Iroquois", WHY),
    "an edit taken back": lambda it: (HIDDEN["an edit"](it), overrides.undo(it.service, "demo", None, WHY)),
    "a turn put back": lambda it: overrides.rollback(it.service, "demo", "S1M", WHY),
    "a turn that is held": lambda it: deadlines.hold(it.service, "demo", "a slip"),
    "a deadline put off": lambda it: deadlines.extend(it.service, "demo", 3_600_000, "a slip"),
    "a word of the gamesmaster to one": lambda it: seats.write(it.service, "demo", ["Dakota"], "be quick"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_the_file_is_the_same_whatever_waits(it: AttackedService, name: str) -> None:
    """With any saved, forced, planned or waiting lines: the same, byte for byte."""
    before, whole = encode_public(it), replace_fields(transfer.export(it.service, "demo"), written="")
    HIDDEN[name](it)
    assert encode_public(it) == before
    assert replace_fields(transfer.export(it.service, "demo"), written="") != whole, "and something was done"


def test_what_waits_stays_unknown_when_the_turn_is_played(it: AttackedService) -> None:
    """Orders set by hand for later, a die that has not fallen: in the log since, and not to be read there."""
    overrides.set_orders(it.service, "demo", "iroquois", ["PHASE S2M", "Mohawk - Delaware"], WHY)
    overrides.force(it.service, "demo", "storm/b/W9", (4,), WHY, blindly=True)
    game_admin.play_now(it.service, "demo")
    assert '"orders"' in encode_public(it)
    for secret in ("S2M", "MHK - DEL", "storm/b/W9", "phoned in", "York"):
        assert secret in told_of_play(transfer.export(it.service, "demo"))
        assert secret not in told_of_play(public(it)), secret
    assert transfer.proof_of(public(it)).fault is None


def test_a_die_is_shown_with_its_proof_once_it_has_fallen(it: AttackedService) -> None:
    overrides.edit(it.service, "demo", "place W Hudson Bay for Iroquois", WHY)
    overrides.force(it.service, "demo", "storm/b/W1", (2,), WHY, blindly=True)
    overrides.force(it.service, "demo", "storm/b/W8", (3,), WHY, blindly=True)
    game_admin.play_now(it.service, "demo")
    forced = [throw.label for one in public(it).entries for throw in one.throws if throw.forced]
    assert forced == ["storm/b/W1"]
    shown = [one.options["label"] for one in public(it).entries if one.kind == "die"]
    assert shown == ["storm/b/W1", ""], "of the other one nothing is known but that it was set"
    assert transfer.proof_of(public(it)).fault is None


def test_the_bots_keep_their_reasons_till_the_end(it: AttackedService) -> None:
    """And their rolls: both depend on private press."""
    turn = next(entry for entry in transfer.export(it.service, "demo").entries if entry.kind == "turn")
    assert turn.reasons
    assert any(throw.is_by_bot for throw in turn.throws)
    there = next(entry for entry in public(it).entries if entry.kind == "turn")
    assert not there.reasons
    assert not any(throw.is_by_bot for throw in there.throws)
    assert there.sha == turn.sha
    conduct_end(it)
    over = next(entry for entry in public(it).entries if entry.kind == "turn")
    assert (over.reasons, over.throws, over.sha) == (turn.reasons, turn.throws, turn.sha)
    proof = transfer.proof_of(public(it))
    assert (proof.fault, proof.sealed, proof.recorded) == (None, True, 0)
    assert proof.throws > 0


def conduct_end(it: AttackedService) -> None:
    """The game ends, as the gamesmaster says."""
    said = CliRunner().invoke(
        app, ["--config", str(it.folder / "gm.toml"), "game", "end", "demo", "--why", "enough", "--yes"]
    )
    assert said.exit_code == 0, said.output


def test_grey_press_names_nobody(it: AttackedService) -> None:
    """Neither by its writer's seat, nor by a time at which the writer wrote something else."""
    arrives(it, "GREY BROADCAST\nbeware of the North\nENDPRESS\nBROADCAST\nwe come in peace\nENDPRESS")
    grey, white = public(it).press
    assert (grey.kind, grey.seat, grey.text) == ("grey", None, "beware of the North")
    assert (white.kind, white.seat) == ("white", "Iroquois")
    assert grey.at != white.at
    assert grey.at % 86_400_000 == 0


def test_press_to_one_leaves_no_gap(it: AttackedService) -> None:
    arrives(it, "PRESS TO Dakota\nmeet me at the bay\nENDPRESS")
    arrives(it, "BROADCAST\nwe come in peace\nENDPRESS")
    assert [one.number for one in public(it).press] == [1]


def test_a_key_that_was_quoted_is_not_in_the_file(it: AttackedService) -> None:
    mine = reply(it, "iroquois")
    arrives(it, f"BROADCAST\nI answer to {mine}\nENDPRESS")
    (press,) = public(it).press
    assert "I answer to" in press.text
    assert mine.partition("@")[0].rpartition(".")[2] not in press.text


def test_whoever_begins_a_game_by_mail_is_a_seat_in_its_log(it: AttackedService) -> None:
    """The address is stored where started games are counted, and is in no entry."""
    results = f"dmarc=pass header.from=example.net; spf=pass smtp.mailfrom={IROQUOIS}"
    vouched = {"Authentication-Results": f"mx.example.org; {results}"}
    it.arrives(letter("NEW indianomacy otter", sender=IROQUOIS, number=77, headers=vouched))
    first = overrides.entries_of(it.service, "otter")[0]
    assert first.by in game_admin.position_of(it.service, "otter").assignments
    assert it.service.repository.games_begun_since(IROQUOIS, 0) == 1
    assert it.service.repository.games_begun_since(DAKOTA, 0) == 0
    assert "@" not in encode_public(it, "otter")


def test_every_entry_of_a_game_is_salted(it: AttackedService) -> None:
    """Each part has its own salt, so that knowing one reveals no other."""
    for do in ("orders set by hand", "a die that is set", "an edit taken back", "a turn put back"):
        HIDDEN[do](it)
    game_admin.play_now(it.service, "demo")
    conduct_end(it)
    entries = overrides.entries_of(it.service, "demo")
    kinds = {one.kind for one in entries}
    assert kinds == {"setup", "turn", "end", "edit", "undo", "rollback", "die", "orders"}
    salts = [salt for one in entries for salt in (one.salts or {}).values()]  # type: ignore[union-attr]
    assert all(one.is_sealed for one in entries)
    assert len(salts) == len(set(salts)) == sum(len(private_parts(one.kind)) for one in entries)
    assert game_admin.prove(it.service, "demo").fault is None


# What an older program wrote.


@pytest.fixture
def old(it: AttackedService) -> AttackedService:
    """The service with a game that an older program began by mail, its address in the log."""
    transfer.bring_in(it.service, read(OLD.read_bytes(), "otter-1.json"))
    return it


def test_an_old_log_goes_on_and_is_told_without_its_address(old: AttackedService) -> None:
    assert "iroquois@example.net" in encode_export(transfer.export(old.service, "otter")).decode()
    overrides.set_orders(old.service, "otter", "iroquois", ["all hold"], WHY, afresh=True)
    game_admin.play_now(old.service, "otter")
    assert game_admin.prove(old.service, "otter").fault is None
    document = public(old, "otter")
    assert "@" not in encode_public(old, "otter")
    assert "York" in told_of_play(transfer.export(old.service, "otter"))
    assert "York" not in told_of_play(document)
    first = document.entries[0]
    assert (first.by, first.kind) == ("player", "setup")
    assert first.recorded == overrides.entries_of(old.service, "otter")[0].sha
    proof = transfer.proof_of(document)
    assert (proof.fault, proof.entries) == (None, len(document.log))
    assert proof.recorded == sum(isinstance(one.recorded, str) for one in document.entries) > 0
    assert document.entries[-1].is_sealed, "what was added since is proved"


def test_an_old_log_is_moved_on_with_all_its_hashes(old: AttackedService, tmp_path: Path) -> None:
    whole = transfer.export(old.service, "otter")
    assert whole.turnpost == 2
    with attacked_service(tmp_path / "elsewhere") as other:
        transfer.bring_in(other.service, read(encode_export(whole), "otter.json"))
        assert [one.sha for one in overrides.entries_of(other.service, "otter")] == [
            one.sha for one in whole.entries
        ]


# What somebody might change in a public file.


def tampered(it: AttackedService, change: Callable[[list[dict[str, Any]]], object]) -> str | None:
    """Return the fault of a public file with changed entries, or None."""
    document = json.loads(encode_public(it))
    change([one["entry"] for one in document["log"]])
    raw = json.dumps({**document, "written": "x"}).encode()
    file = it.folder / "changed.json"
    file.write_bytes(raw)
    said = CliRunner().invoke(app, ["dice", "verify", str(file)])
    assert isinstance(said.exception, SystemExit | None)
    return None if said.exit_code == 0 else said.stderr


def test_a_public_file_proves_itself(it: AttackedService) -> None:
    assert tampered(it, lambda entries: None) is None


FORGERIES: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "orders": lambda entries: entries[-1]["orders"].pop("Dakota"),
    "the instant": lambda entries: entries[0].update(at=5),
    "who it was": lambda entries: entries[0].update(by="clock"),
    "a salt": lambda entries: entries[0]["salts"].update(by="00" * 16),
    "a digest": lambda entries: entries[-1]["withheld"].update(bots="00" * 32),
    "a reason that was left out": lambda entries: entries[1].update(why="he asked me to"),
    "orders that were left out": lambda entries: entries[1]["options"].update(texts=["W TET - YKT"]),
    "bots' reasons that were left out": lambda entries: entries[-1].update(reasons={"Apache": {"W": "hate"}}),
    "a digest that is missing": lambda entries: entries[-1]["withheld"].pop("bots"),
    "a name for who is left out": lambda entries: entries[1].update(by="clock"),
    "a hash beside what it is of": lambda entries: entries[0].update(recorded="00" * 32),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_changed_byte_of_a_public_file_shows(it: AttackedService, name: str) -> None:
    assert tampered(it, FORGERIES[name]) is not None


def test_a_public_file_is_no_game_to_go_on_with(it: AttackedService, tmp_path: Path) -> None:
    conduct_end(it)
    document = json.loads(encode_public(it)) | {"public": False, "written": "x"}
    file = tmp_path / "public.json"
    file.write_text(json.dumps(document))
    said = CliRunner().invoke(app, ["--config", str(it.folder / "gm.toml"), "game", "import", str(file)])
    assert said.exit_code == 1
    assert "parts are missing" in said.stderr


def test_a_salt_hides_what_could_be_guessed() -> None:
    """Without it anybody could try known addresses; with it nobody can claim another content."""
    entry = LogEntry(number=3, kind="edit", turn="S1M", at=0, by="gm", why="A", state_sha="", previous_sha="")
    one, other = entry.with_salts(b"pepper").without(["why"]), entry.with_salts(b"salt").without(["why"])
    assert one.withheld != other.withheld
    assert replace_fields(entry, why="B").with_salts(b"pepper").sha != one.sha
    assert entry.with_salts(b"pepper").sha == one.sha == one.without(["by"]).sha == one.without(["why"]).sha


def test_an_export_is_for_its_owner_alone(it: AttackedService) -> None:
    """Also over a file that was there before, open to all."""
    for name in ("new.json", "old.json"):
        file = it.folder / name
        if name == "old.json":
            file.write_text("")
            os.chmod(file, 0o644)
        config = str(it.folder / "gm.toml")
        said = CliRunner().invoke(app, ["--config", config, "game", "export", "demo", "--out", str(file)])
        assert said.exit_code == 0, said.output
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
