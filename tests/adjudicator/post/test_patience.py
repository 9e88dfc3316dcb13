"""How long a server that failed is left alone."""

import random

from adjudicator.post.imap import Patience


def test_patience_grows_and_is_never_the_same():
    patience = Patience(random.Random(7))
    waits = [patience.failed() for _ in range(12)]
    assert waits[0] < 3 < waits[3]
    assert 225 <= waits[-1] <= 375
    assert len(set(waits)) == 12
    assert patience.failed(900) >= 675
    patience.went_well()
    assert patience.failed() < 3
