"""What is large is gone through piece by piece: what is held at once does not grow with it."""

import tracemalloc
from pathlib import Path

from adjudicator.post.maildir import write
from adjudicator.store import inbox
from tests.kit.town import START, Town, town

LETTER_BYTES = 50_000


def peak_of_a_poll(place: Town, count: int) -> int:
    """How much memory was held at once while so many letters more were taken out of the mailbox, in bytes."""
    for number in range(count):
        head = (
            f"From: a@example.org\r\nTo: gm@example.org\r\nMessage-ID: <{count}.{number}@example.org>\r\n\r\n"
        )
        write(place.folder / "mail" / "in", f"{START}.{count}.{number}", head.encode().ljust(LETTER_BYTES))
    tracemalloc.start()
    try:
        assert place.house.poll() == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_poll_holds_no_more_letters_than_one_transaction_takes(tmp_path: Path) -> None:
    with town(tmp_path) as place:
        few, many = 3 * inbox.BATCH_LETTERS, 9 * inbox.BATCH_LETTERS
        before, after = peak_of_a_poll(place, few), peak_of_a_poll(place, many)
        # Held together, those that are more would come to 150 letters' bytes.
        assert after - before < inbox.BATCH_LETTERS * LETTER_BYTES
        assert inbox.counts(place.house.database)["waiting"] == few + many
