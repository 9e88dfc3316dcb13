"""The pauses after a server's failures."""

import random

from adjudicator.mail.imap import Backoff


def test_patience_grows_and_is_never_the_same():
    patience = Backoff(random.Random(7))
    waits = [patience.note_failure() for _ in range(12)]
    assert waits[0] < 3 < waits[3]
    assert 225 <= waits[-1] <= 375
    assert len(set(waits)) == 12
    assert patience.note_failure(900) >= 675
    patience.reset()
    assert patience.note_failure() < 3
