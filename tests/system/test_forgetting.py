"""FORGET ME and MY DATA: a person asks, proves it, and nothing of theirs is left; the games go on.

The people have odd names and words, so that a scan for them can't find anything else.
"""

import json
import re
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path

import pytest

from adjudicator.admin import backup, game_admin, gm_mail, seats, transfer, website
from adjudicator.auth.admission import Admission
from adjudicator.clock import DAY, HOUR
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.model.games import LogEntry
from adjudicator.model.people import (
    FORGET_AFTER_MS,
    Ban,
    PlayerBlock,
    SetPlayerBan,
    SetPlayerBlocks,
    refusal_key,
)
from adjudicator.outbound.forgetting import MAX_WAIT_MS
from adjudicator.storage import metadata, outbox, people, stored_games
from adjudicator.storage.archive import ALL_TABLES
from adjudicator.storage.forgotten import FORGOTTEN_FILE, load_list
from adjudicator.storage.tables import PASSING, EntryRow, GameRow, OutRow, PersonRow
from adjudicator.turns.runner import verify_log
from games.record import canonical, load, replace_fields
from tests.kit.attack_service import AttackedService, attacked_service
from tests.kit.mail import letter, plain_text
from tests.kit.servers import PostgreSQL

AUSTRIA, FRANCE = "austria.zqx@example.net", "france@example.net"
NAME = "Zqxw Qwzx"
WORD = "quizzaciously"
PRESS = f"Dear all, I am {NAME}, and I say {WORD} that we shall hold\nthe line from Trieste to Warsaw."

pytestmark = pytest.mark.usefixtures("undrawn")


def newest(it: AttackedService, to: str, part: str = "") -> outbox.OutboxLetter:
    """Return our newest email to somebody with a part in its key."""
    for count in (30, 500):  # the first are found soonest
        for posted in outbox.list_posted(it.service.database, count):
            if posted.sealed.to == to and part in posted.sealed.key:
                return posted
    raise AssertionError(f"nothing like {part} was written to {to}")


def reply_address(posted: outbox.OutboxLetter) -> str:
    return str(message_from_bytes(posted.sealed.raw, policy=policy.default)["Reply-To"])


def play_two_games(it: AttackedService) -> None:
    """Play a game that is over then and one that runs, with press and a report."""
    seats.set_person_details(it.service, AUSTRIA, NAME, "Europe/Vienna")
    database = it.service.database
    with database.writing():
        database.run(PersonRow.update(public=True))
    for name in ("elk", "fox"):
        request = game_admin.GameRequest(
            "standard",
            name,
            seats={"Austria": AUSTRIA, "France": FRANCE},
            terms={"moves": "48h"},
            level="beginner",
        )
        game_admin.new_game(it.service, request, secret=b"s" * 32)
        to = reply_address(newest(it, AUSTRIA, f"{name}/"))
        text = f"A Vie - Tri\nBROADCAST\n{PRESS}\nENDPRESS\n"
        shown = it.arrives(letter(text, sender=AUSTRIA, to=to, number=len(name) + ord(name[0])))
        assert shown.disposition == "read"
        it.clock.advance(3 * DAY)
        it.service.process()
        game_admin.assign(it.service, name, "Austria", AUSTRIA, f"{NAME} asked for {WORD}")
    answer = letter(
        f"> {PRESS}\nA Par H", sender=FRANCE, to=reply_address(newest(it, FRANCE, "fox/")), number=77
    )
    assert it.arrives(answer).disposition == "read"
    game_admin.end(it.service, "elk", (), f"{NAME} wanted a test")
    it.service.send(500)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forgetting") / "service"
    with attacked_service(folder) as it:
        play_two_games(it)
    return folder


@pytest.fixture
def it(template: Path, tmp_path: Path) -> Iterator[AttackedService]:
    with attacked_service(Path(shutil.copytree(template, tmp_path / "service"))) as opened:
        opened.clock.advance(10 * DAY)
        yield opened


def traces_in(data: bytes) -> list[str]:
    """Return which of the person's traces some bytes have, in any of the forms that we store."""
    forms = [data.lower()]
    for start in (found.start() for found in re.finditer(b"\x78[\x01\x5e\x9c\xda]", data)):
        inside = zlib.decompressobj()
        try:
            forms.append(inside.decompress(data[start:]).lower())
        except zlib.error:
            continue
    wanted = [AUSTRIA.encode(), NAME.lower().encode(), WORD.encode()]
    return [text.decode() for text in wanted if any(text in form for form in forms)]


def scan(folder: Path) -> dict[str, list[str]]:
    """Return the files below a folder with traces of the person. Mailboxes of others don't count."""
    files = (
        file for file in folder.rglob("*") if file.is_file() and "out" not in file.relative_to(folder).parts
    )
    return {str(file.relative_to(folder)): found for file in files if (found := traces_in(file.read_bytes()))}


def forget_by_email(it: AttackedService) -> None:
    """Ask, say YES, and wait."""
    played = (each for each in outbox.list_posted(it.service.database, 500) if each.sealed.seat == "Austria")
    to = reply_address(next(each for each in played if each.sealed.game == "fox"))
    it.arrives(letter("FORGET ME", sender=AUSTRIA, to=to, number=500))
    asked = newest(it, AUSTRIA, "forget/")
    it.arrives(letter("YES", sender=AUSTRIA, to=reply_address(asked), number=501))
    assert it.service.repository.people.forgetting(AUSTRIA) == it.clock.now() + FORGET_AFTER_MS
    it.service.send(500)
    it.clock.advance(FORGET_AFTER_MS + 1000)
    it.service.process()
    for _ in range(3):
        it.service.send(500)
        it.clock.advance(HOUR)
        it.service.process()


def test_nothing_of_a_forgotten_person_is_left_and_the_games_can_be_verified(
    it: AttackedService, tmp_path: Path
) -> None:
    """In the database, its log, files, exports, site, waiting emails and a restored backup."""
    before = backup.back_up(it.service, tmp_path / "before.backup")
    heads = {name: it.position(name).head_sha for name in ("elk", "fox")}
    assert any(NAME in entry.why for entry, _ in it.service.repository.log("elk"))
    assert scan(it.folder) != {}, "there is something to find"
    assert set(traces_in((tmp_path / "before.backup").read_bytes())) == {AUSTRIA, NAME.lower(), WORD}
    forget_by_email(it)
    service = it.service
    assert it.position("fox").assignments["Austria"].address is None
    assert "Austria" in service.repository.people.vacancies("fox")
    for name in ("elk", "fox"):
        position = it.position(name)
        assert verify_log(position.game, position, partial(service.repository.log, name)) is None
        assert position.head_sha == heads[name] or name == "fox", "its seal is the same"
        for public in (False, True):
            document = transfer.export(service, name, public=public)
            assert traces_in(canonical(document)) == []
            transfer.read(canonical(document), name)
    assert people.due_forgettings(service.database, it.clock.now() + DAY) == ()
    assert all(traces_in(raw) == [] for raw in it.written())
    website.build(service, it.folder / "site")
    backup.back_up(service, it.folder / "after.backup")
    assert not metadata.is_scrub_due(service.database)
    assert scan(it.folder) == {}
    restored = tmp_path / "restored"
    restored.mkdir()
    shutil.copy(it.folder / "gm.toml", restored)
    shutil.copy(it.folder / FORGOTTEN_FILE, restored)
    with attacked_service(restored) as other:
        summary = backup.restore_file(other.service, before.file)
        assert any("forgotten since the backup" in note for note in summary.notes)
        other.service.send(500)
        for name in ("elk", "fox"):
            position = other.position(name)
            log = partial(other.service.repository.log, name)
            assert verify_log(position.game, position, log) is None
        assert "Austria" in other.service.repository.people.vacancies("fox")
    assert scan(restored) == {}


def scan_rows(it: AttackedService) -> dict[str, list[str]]:
    """Return the tables of a database with traces of the person."""
    found: dict[str, list[str]] = {}
    for model in (*ALL_TABLES, *PASSING):
        rows = it.service.database.run(model.select().tuples())
        data = b"\0".join(
            bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode()
            for row in rows
            for cell in row
        )
        found |= {model._meta.table_name: traces} if (traces := traces_in(data)) else {}
    return found


def test_nothing_is_left_on_postgresql(postgresql: PostgreSQL, tmp_path: Path) -> None:
    """Neither in a table, nor in the files beside gm.toml, nor in a backup that is restored there."""
    with attacked_service(tmp_path / "service", database=postgresql.fresh()) as it:
        play_two_games(it)
        gm_mail.grant(it.service, "fox", AUSTRIA, "gm")
        it.clock.advance(10 * DAY)
        before = backup.back_up(it.service, tmp_path / "before.backup")
        found = scan_rows(it)
        assert {"chair", "entry", "letter", "meta", "minute", "outbox", "person", "press"} <= set(found)
        forget_by_email(it)
        assert scan_rows(it) == {}
        assert not metadata.is_scrub_due(it.service.database)
        backup.back_up(it.service, it.folder / "after.backup")
        assert scan(it.folder) == {}
        for name in ("elk", "fox"):
            position = it.position(name)
            log = partial(it.service.repository.log, name)
            assert verify_log(position.game, position, log) is None
    restored = tmp_path / "restored"
    restored.mkdir()
    shutil.copy(tmp_path / "service" / FORGOTTEN_FILE, restored)
    with attacked_service(restored, database=postgresql.fresh()) as other:
        backup.restore_file(other.service, before.file)
        other.service.send(500)
        assert scan_rows(other) == {}
    assert scan(restored) == {}


def test_a_gm_of_a_game_who_is_forgotten_loses_the_right_with_all_else(it: AttackedService) -> None:
    """MY DATA names the right before. Their number in the log stays, and never becomes another's."""
    for _ in range(3):
        it.service.poll()
        it.service.process()  # the turns that were due
    gm_mail.grant(it.service, "fox", AUSTRIA, "gm")
    gm_mail.grant(it.service, "fox", "other@example.net", "assistant")
    to = reply_address(newest(it, AUSTRIA, "fox/gm/"))
    look = letter(f"GM LOOK because {NAME} asks", sender=AUSTRIA, to=to, number=600)
    it.arrives(look)
    it.arrives(letter("YES", sender=AUSTRIA, to=reply_address(newest(it, AUSTRIA, "/question")), number=601))
    it.arrives(letter("GM PAUSE because of holidays", sender=AUSTRIA, to=to, number=602))
    question = newest(it, AUSTRIA, "/question")
    assert "+you." in reply_address(question)
    assert [look.why for look in it.service.repository.people.gms("fox").looks] == [f"{NAME} asks"]
    mine = it.service.repository.people.personal_data(AUSTRIA, it.clock.now())
    assert [(row["game"], row["right"], row["number_in_log"]) for row in mine["gm_of"]] == [("fox", "gm", 1)]
    assert (
        it.service.repository.people.personal_data("other@example.net", 1)["gm_of"][0]["right"] == "assistant"
    )
    assert it.service.repository.people.personal_data(FRANCE, 1)["gm_of"] == []
    forget_by_email(it)
    assert [gm.address for gm in it.service.repository.people.gms("fox").members] == ["other@example.net"]
    assert scan(it.folder) == {}
    it.arrives(letter("YES", sender=AUSTRIA, to=reply_address(question), number=603))
    assert it.arrives(letter("GM PAUSE because", AUSTRIA, to, number=604)).disposition == "quarantined"
    assert it.position("fox").timing.stop is None
    assert gm_mail.grant(it.service, "fox", "third@example.net", "gm").number == 3


SEATS = {
    "standard": "Austria",
    "indianomacy": "Iroquois",
    "plains-indian-wars": "US",
    "war-chest": "player",
    "great-war": "player",
    "boer-war": "Boers",
}
"""The person's seat in a game of each kind."""


def play_each_kind(it: AttackedService, turns: int) -> None:
    """Let the person play a game of each kind, with press and a name in orders; each deadline runs a turn."""
    for kind, seat in SEATS.items():
        terms = {"moves": "24h", "grace": "0h", "protect": "no", "solo": "clock"}
        request = game_admin.GameRequest(kind, kind, seats={seat: AUSTRIA}, terms=terms)
        game_admin.new_game(it.service, request, secret=b"k" * 32)
    number = 1000
    for _ in range(turns):
        it.service.send(500)
        for kind in SEATS:
            if not it.position(kind).is_running:
                continue
            number += 1
            talk = f"BROADCAST\n{PRESS}\nENDPRESS\n{WORD} holds, says {NAME}\n"
            to = reply_address(newest(it, AUSTRIA, f"{kind}/"))
            assert it.arrives(letter(talk, sender=AUSTRIA, to=to, number=number)).disposition == "read"
        it.clock.advance(DAY + HOUR)
        it.service.poll()
        it.service.process()


@pytest.mark.parametrize("turns", [2, pytest.param(365, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])])
def test_nothing_is_left_of_a_person_who_played_each_kind(tmp_path: Path, turns: int) -> None:
    """Games go on or are over; each can be verified, its public file too, and all in a restored backup."""
    with attacked_service(tmp_path / "service") as it:
        seats.set_person_details(it.service, AUSTRIA, NAME, "Europe/Vienna")
        play_each_kind(it, turns)
        played = {kind: len(it.service.repository.log(kind)) for kind in SEATS}
        assert min(played.values()) >= 2
        assert {trace for traces in scan(it.folder).values() for trace in traces} == {
            AUSTRIA,
            NAME.lower(),
            WORD,
        }
        asked = newest(it, AUSTRIA, "standard/")
        it.arrives(letter("FORGET ME", sender=AUSTRIA, to=reply_address(asked), number=500))
        yes = reply_address(newest(it, AUSTRIA, "forget/"))
        it.arrives(letter("YES", sender=AUSTRIA, to=yes, number=501))
        ban = Ban(address=AUSTRIA, why=f"{NAME} was rude", at=it.clock.now())
        acts = [SetPlayerBan(by="gm", address=AUSTRIA, ban=ban)]
        stored_games.perform(it.service.database, acts, (), it.clock.now())
        before = backup.back_up(it.service, tmp_path / "before.backup")
        for _ in range(4):
            it.service.send(500)
            it.clock.advance(FORGET_AFTER_MS)
            it.service.poll()
            it.service.process()
        for kind in SEATS:
            position = it.position(kind)
            if position.is_running and position.game.about.hidden:  # public when it is over
                game_admin.end(it.service, kind, (), "a test")
        website.build(it.service, it.folder / "site")
        backup.back_up(it.service, it.folder / "after.backup")
        for kind in SEATS:
            position = it.position(kind)
            assert verify_log(position.game, position, partial(it.service.repository.log, kind)) is None
            document = canonical(transfer.export(it.service, kind, public=True))
            transfer.read(document, kind)
            assert traces_in(document) == []
        assert scan(it.folder) == {}
        assert it.service.repository.people.ban(AUSTRIA) is not None
        restored = tmp_path / "restored"
        restored.mkdir()
        shutil.copy(it.folder / FORGOTTEN_FILE, restored)
    with attacked_service(restored) as other:
        backup.restore_file(other.service, before.file)
        other.service.send(500)
        for kind in SEATS:
            position = other.position(kind)
            log = partial(other.service.repository.log, kind)
            assert verify_log(position.game, position, log) is None
        assert other.service.repository.people.ban(AUSTRIA) is not None
    assert scan(restored) == {}


def test_it_takes_a_yes_from_the_address_itself(it: AttackedService) -> None:
    """A token may be in anybody's hands. Neither its holder nor a reply from elsewhere forgets anybody."""
    to, planned = reply_address(newest(it, AUSTRIA, "fox/")), it.service.repository.people.forgetting
    it.arrives(letter("FORGET ME", sender="thief@example.com", to=to, number=510))
    asked = reply_address(newest(it, AUSTRIA, "forget/"))
    assert planned(AUSTRIA) is None
    assert planned("thief@example.com") is None
    it.arrives(letter("YES", sender="thief@example.com", to=asked, number=511))
    assert planned(AUSTRIA) is None
    it.arrives(letter("FORGET ME", sender=AUSTRIA, to=to, number=512))
    it.arrives(letter("NO", sender=AUSTRIA, to=reply_address(newest(it, AUSTRIA, "forget/")), number=513))
    it.arrives(letter("YES", sender=AUSTRIA, to=asked, number=514))
    assert planned(AUSTRIA) is None, "that question was answered"


def test_a_stranger_is_asked_back_and_is_forgotten_by_the_same_yes(it: AttackedService) -> None:
    stranger, planned = "belgium@example.net", it.service.repository.people.forgetting
    it.arrives(letter("FORGET ME", sender=stranger, number=520))
    (asked,) = [one for one in outbox.list_posted(it.service.database, 50) if one.sealed.to == stranger]
    assert planned(stranger) is None
    it.arrives(letter("YES", sender=stranger, to=reply_address(asked), number=521))
    assert planned(stranger) == it.clock.now() + FORGET_AFTER_MS


def test_keep_me_takes_it_back_within_the_week(it: AttackedService) -> None:
    to = reply_address(newest(it, AUSTRIA, "fox/"))
    it.arrives(letter("FORGET ME", sender=AUSTRIA, to=to, number=530))
    asked = newest(it, AUSTRIA, "forget/")
    it.arrives(letter("YES", sender=AUSTRIA, to=reply_address(asked), number=531))
    confirmed = newest(it, AUSTRIA, "answered/")
    it.clock.advance(FORGET_AFTER_MS - HOUR)
    it.arrives(letter("KEEP ME", sender=AUSTRIA, to=reply_address(confirmed), number=532))
    it.clock.advance(DAY)
    it.service.process()
    assert it.position("fox").assignments["Austria"].address == AUSTRIA
    assert people.kept_at(it.service.database, AUSTRIA) is not None
    assert not (it.folder / FORGOTTEN_FILE).exists()


def test_what_must_stay_holds_as_a_hash(it: AttackedService) -> None:
    """A wish for no invitations, limits of today, and missed turns of running games; no longer afterwards."""
    service = it.service
    it.arrives(letter("FORGET ME", sender="belgium@example.net", number=540))
    key = refusal_key(AUSTRIA)
    with service.database.writing():
        service.database.run(
            OutRow.update(key=key).where(OutRow.key == newest(it, AUSTRIA, "letter/").sealed.key)
        )
        service.database.run(
            GameRow.update(founder=AUSTRIA, created=it.clock.now() - HOUR).where(GameRow.name == "fox")
        )
    service.send(500)
    marks = service.repository.people.turnouts(AUSTRIA)
    assert seats.forget_person(service, AUSTRIA).erased.waiting == 0
    assert service.repository.has_written(key)
    assert not service.repository.has_written(refusal_key("belgium@example.net"))
    assert service.repository.games_begun_since(AUSTRIA, it.clock.now() - DAY) == 1
    assert service.repository.people.turnouts(AUSTRIA) == {"fox": marks["fox"]}
    assert scan(it.folder) == {}
    game_admin.end(service, "fox", (), "a test")
    people.drop_former_turnouts(service.database)
    assert service.repository.people.turnouts(AUSTRIA) == {}
    service.database.forgotten = None
    assert not service.repository.has_written(key), "without the list, a hash says nothing"


def test_a_ban_and_a_block_hold_after_their_person_is_forgotten(it: AttackedService, tmp_path: Path) -> None:
    """Also in a restored backup, and until the GM or the player takes them back. Nobody else is meant."""
    service, repository = it.service, it.service.repository
    block = PlayerBlock(address=AUSTRIA, at=it.clock.now())
    own = PlayerBlock(address="belgium@example.net", at=it.clock.now())
    ban = Ban(address=AUSTRIA, why=f"{NAME} was rude", at=it.clock.now())
    acts = [
        SetPlayerBlocks(by=FRANCE, address=FRANCE, before=(), blocks=(block,)),
        SetPlayerBlocks(by=AUSTRIA, address=AUSTRIA, before=(), blocks=(own,)),
        SetPlayerBan(by="gm", address=AUSTRIA, ban=ban),
    ]
    stored_games.perform(service.database, acts, (), it.clock.now())
    assert repository.people.personal_data(AUSTRIA, 1)["blocks"][0]["address"] == own.address
    backup.back_up(service, tmp_path / "before.backup")
    it.clock.advance(HOUR)
    seats.forget_person(service, AUSTRIA)
    assert scan(it.folder) == {}
    for people_of in (it, None):
        with attacked_service(tmp_path / "restored") as other:
            if people_of is None:
                shutil.copy(it.folder / FORGOTTEN_FILE, other.folder)
                backup.restore_file(other.service, tmp_path / "before.backup")
            known = (people_of or other).service.repository
            assert known.people.ban(AUSTRIA) is not None
            assert known.people.ban(FRANCE) is None
            rules = Admission(known, it.clock.now())
            assert rules.are_apart(AUSTRIA, FRANCE)
            assert rules.are_apart(FRANCE, AUSTRIA)
            assert not rules.are_apart(AUSTRIA, own.address), "their own blocks are theirs"
    assert scan(tmp_path / "restored") == {}
    lift = SetPlayerBan(by="gm", address=AUSTRIA, ban=None)
    stored_games.perform(service.database, [lift], (), it.clock.now())
    assert repository.people.ban(AUSTRIA) is None


def test_emails_to_others_go_out_first(it: AttackedService) -> None:
    """And nothing waits for a mail server that is down for days."""
    service = it.service
    seats.write(service, "fox", ["France"], f"{NAME} says hello")
    report = seats.forget_person(service, AUSTRIA)
    assert report.erased.waiting == 1
    assert it.position("fox").assignments["Austria"].address is None, "the seat is free at once"
    assert people.forgetting_at(service.database, AUSTRIA) is not None
    it.clock.advance(HOUR)
    service.process()
    assert people.forgetting_at(service.database, AUSTRIA) is not None
    service.send(500)
    it.clock.advance(HOUR)
    service.process()
    assert people.forgetting_at(service.database, AUSTRIA) is None
    assert scan(it.folder) == {}


def test_emails_that_never_go_out_are_deleted_after_days(it: AttackedService) -> None:
    seats.write(it.service, "fox", ["France"], f"{NAME} says hello")
    assert seats.forget_person(it.service, AUSTRIA).erased.waiting == 1
    it.clock.advance(MAX_WAIT_MS + HOUR)
    it.service.process()
    assert people.forgetting_at(it.service.database, AUSTRIA) is None
    assert scan(it.folder) == {}


def test_a_person_can_come_back(it: AttackedService, tmp_path: Path) -> None:
    """A backup of their second life keeps it, though they are on the list."""
    seats.forget_person(it.service, AUSTRIA)
    it.clock.advance(DAY)
    game_admin.assign(it.service, "fox", "Austria", AUSTRIA)
    backup.back_up(it.service, tmp_path / "later.backup")
    restored = tmp_path / "restored"
    with attacked_service(restored) as other:
        summary = backup.restore_file(other.service, tmp_path / "later.backup")
        assert any(FORGOTTEN_FILE in note for note in summary.notes), "the list came with the backup"
        assert load_list(restored) == load_list(it.folder)
        assert other.position("fox").assignments["Austria"].address == AUSTRIA


def test_a_restore_without_a_list_says_so(it: AttackedService, tmp_path: Path) -> None:
    backup.back_up(it.service, tmp_path / "early.backup")
    with attacked_service(tmp_path / "restored") as other:
        notes = backup.restore_file(other.service, tmp_path / "early.backup").notes
        assert any(FORGOTTEN_FILE in note for note in notes)


def test_a_list_that_cant_be_read_stops_a_restore(it: AttackedService, tmp_path: Path) -> None:
    """Nothing is changed then: nobody comes back unnoticed."""
    backup.back_up(it.service, tmp_path / "early.backup")
    (it.folder / FORGOTTEN_FILE).write_text("{}")
    with pytest.raises(Refusal):
        backup.restore_file(it.service, tmp_path / "early.backup")


def test_an_entry_without_salts_is_sealed_anew(it: AttackedService) -> None:
    """As logs of earlier days, whose first entry has the address of the player who began the game."""
    service, database = it.service, it.service.database
    previous = ""
    with database.writing():
        rows = list(database.run(EntryRow.select().where(EntryRow.game == "fox").order_by(EntryRow.number)))
        for row in rows:
            entry = replace_fields(load(LogEntry, bytes(row.entry)), previous_sha=previous)
            if not row.number:
                entry = LogEntry(
                    **{
                        name: getattr(entry, name)
                        for name in entry.__struct_fields__
                        if name not in ("salts", "by")
                    },
                    by=AUSTRIA,
                )
            previous = entry.sha
            here = (EntryRow.game == "fox") & (EntryRow.number == row.number)
            database.run(EntryRow.update(entry=canonical(entry)).where(here))
        database.run(GameRow.update(head_sha=previous, pepper=None).where(GameRow.name == "fox"))
    position = it.position("fox")
    assert verify_log(position.game, position, partial(service.repository.log, "fox")) is None
    assert seats.forget_person(service, AUSTRIA).erased.resealed == (("fox", 0),)
    position = it.position("fox")
    assert position.head_sha != previous
    assert verify_log(position.game, position, partial(service.repository.log, "fox")) is None
    whats = [minute.what for minute in transfer.export(service, "fox").minutes]
    assert sentence("outbound.forgetting.resealed", number=0) in whats
    transfer.read(canonical(transfer.export(service, "fox", public=True)), "fox")
    assert scan(it.folder) == {}


def data_sent(it: AttackedService, shown: object) -> tuple[str, dict[str, object]]:
    """Return whom the reply with the data went to, and the data."""
    (answer,) = it.answers(shown)
    email = message_from_bytes(answer.sealed.raw, policy=policy.default)
    (file,) = [part for part in email.walk() if part.get_content_type() == "application/json"]
    return answer.sealed.to, json.loads(file.get_content())


def test_my_data_is_sent_to_the_address_that_it_is_about(it: AttackedService) -> None:
    """With what they did and said; without what others said, and their notes."""
    seats.write(it.service, "fox", ["Austria"], "a secret of the GM")
    to = reply_address(newest(it, AUSTRIA, "fox/"))
    who, data = data_sent(it, it.arrives(letter("MY DATA", sender="thief@example.com", to=to, number=550)))
    assert who == AUSTRIA
    assert (data["address"], data["name"], data["timezone"]) == (AUSTRIA, NAME, "Europe/Vienna")
    assert [(press["game"], press["text"]) for press in data["press"]] == [("elk", PRESS), ("fox", PRESS)]
    fox = next(game for game in data["games"] if game["game"] == "fox")
    assert fox["seat"] == "Austria"
    assert [order["to"] for order in fox["orders"][0]["orders"]] == ["TRI"]
    assert any(WORD in (email["text"] or "") for email in data["emails_from_you"])
    assert set(data["turning_up"]) == {"elk", "fox"}
    assert FRANCE not in json.dumps(data)
    assert "a secret of the GM" not in json.dumps(data)


def test_a_stranger_gets_their_data_after_a_yes(it: AttackedService) -> None:
    stranger = "belgium@example.net"
    shown = it.arrives(letter("MY DATA", sender=stranger, number=560))
    (asked,) = it.answers(shown)
    assert "my-data" not in plain_text(asked.sealed.raw)
    who, data = data_sent(it, it.arrives(letter("YES", sender=stranger, to=reply_address(asked), number=561)))
    assert (who, data["address"], data["games"]) == (stranger, stranger, [])


def test_people_who_stopped_playing_are_forgotten_if_the_settings_say_so(it: AttackedService) -> None:
    """After a notice, and not while they play, nor after KEEP ME."""
    config = it.folder / "gm.toml"
    config.write_text(config.read_text() + '[keep]\npeople = "90d"\n')
    forgetter = replace(it.service, settings=load_settings(config)).forgetter
    assert forgetter.schedule_unused(it.clock.now() + 400 * DAY) == 0, "both still play"
    game_admin.end(it.service, "fox", (), "a test")
    assert forgetter.schedule_unused(it.clock.now() + 80 * DAY) == 0
    later = it.clock.now() + 91 * DAY
    assert forgetter.schedule_unused(later) == 2
    assert forgetter.schedule_unused(later + DAY) == 0, "they were told"
    notice = newest(it, AUSTRIA, "forgetting/")
    it.clock.set(later + DAY)
    it.arrives(letter("KEEP ME", sender=AUSTRIA, to=reply_address(notice), number=570))
    it.service.send(500)
    it.clock.advance(FORGET_AFTER_MS)
    it.service.process()
    it.service.send(500)
    it.clock.advance(HOUR)
    it.service.process()
    assert it.position("fox").assignments["France"].address is None
    assert it.position("fox").assignments["Austria"].address == AUSTRIA
