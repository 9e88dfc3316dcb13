"""Large data is processed in pieces: the memory in use doesn't grow with it."""

import gc
import io
import json
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

from peewee import fn

from adjudicator.admin import game_admin, transfer
from adjudicator.mail.maildir import write_letter
from adjudicator.storage import inbox, stored_games
from adjudicator.storage.tables import EntryRow
from games.record import canonical, format_indented, replace_fields
from tests.kit.service_harness import START, LocalService, local_service

LETTER_BYTES = 50_000


def peak_of_a_poll(place: LocalService, count: int) -> int:
    """Return the most memory in use while so many more emails were fetched from the mailbox, in bytes."""
    for number in range(count):
        head = (
            f"From: a@example.org\r\nTo: gm@example.org\r\nMessage-ID: <{count}.{number}@example.org>\r\n\r\n"
        )
        write_letter(
            place.folder / "mail" / "in", f"{START}.{count}.{number}", head.encode().ljust(LETTER_BYTES)
        )
    tracemalloc.start()
    try:
        assert place.service.poll() == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_poll_holds_no_more_letters_than_one_transaction_takes(tmp_path: Path) -> None:
    with local_service(tmp_path) as place:
        few, many = 3 * inbox.BATCH_LETTERS, 9 * inbox.BATCH_LETTERS
        before, after = peak_of_a_poll(place, few), peak_of_a_poll(place, many)
        # Held together, those that are more would come to 150 letters' bytes.
        assert after - before < inbox.BATCH_LETTERS * LETTER_BYTES
        assert inbox.counts(place.service.database)["waiting"] == few + many


def lengthened(place: LocalService, name: str, to: int) -> None:
    """The log of a game as long as that; nobody here asks whether it holds."""
    (entry, state), *_ = stored_games.log(place.service.database, name)
    here = EntryRow.select(fn.COUNT(EntryRow.number)).where(EntryRow.game == name)
    with place.service.database.writing():
        for number in range(here.scalar(place.service.database._library), to):
            copy = canonical(replace_fields(entry, number=number))
            place.service.database.run(EntryRow.insert(game=name, number=number, entry=copy, state=state))


def of_a_file(write: Callable[[Callable[[bytes], object]], object]) -> tuple[int, int]:
    """Return the bytes in use while a file was written, and its size."""
    size = 0

    def take(piece: bytes) -> None:
        nonlocal size
        size += len(piece)

    # Tests look for garbage seldom: what lies about meanwhile is held by nobody.
    seldom = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    tracemalloc.start()
    try:
        write(take)
        return tracemalloc.get_traced_memory()[1], size
    finally:
        tracemalloc.stop()
        gc.set_threshold(*seldom)


def test_of_a_long_game_no_more_is_held_than_of_a_short_one_when_it_is_written_out(tmp_path: Path) -> None:
    with local_service(tmp_path) as place:
        service, name = place.service, "vienna"
        game_admin.new_game(service, game_admin.GameRequest("standard", name))
        ways: list[Callable[[Callable[[bytes], object]], object]] = [
            partial(transfer.write, service, name),
            partial(transfer.write, service, name, public=True),
            partial(transfer.write_rows, service, name),
        ]
        lengthened(place, name, 5 * stored_games.ENTRIES_AT_ONCE)
        short = [of_a_file(write) for write in ways]
        lengthened(place, name, 12 * stored_games.ENTRIES_AT_ONCE)
        for (peak, size), (later, larger) in zip(short, map(of_a_file, ways), strict=True):
            assert larger > 2 * size
            assert later - peak < (larger - size) / 10


def test_what_is_written_piece_by_piece_is_the_same_document(tmp_path: Path) -> None:
    with local_service(tmp_path) as place:
        service, name = place.service, "vienna"
        game_admin.new_game(service, game_admin.GameRequest("standard", name))
        lengthened(place, name, stored_games.ENTRIES_AT_ONCE + 1)
        for public in (False, True):
            whole, found = transfer.export(service, name, public=public), io.BytesIO()
            assert transfer.write(service, name, found.write, public=public) == len(whole.log)
            assert found.getvalue() == format_indented(whole) + b"\n" == transfer.encode_export(whole)
        found = io.BytesIO()
        transfer.write_rows(service, name, found.write)
        text = found.getvalue().decode()
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
        assert len(json.loads(text)["rows"]["entry"]) == stored_games.ENTRIES_AT_ONCE + 1
