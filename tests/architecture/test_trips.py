"""How much code a letter and a turn go through stays within bounds."""

from pathlib import Path

import pytest

from orders.words import tidy
from tests.kit.trips import count_entered, trips

BOUNDS = {
    "a letter kept": (38, 11),
    "a letter handled": (566, 87),
    "a turn with its reports": (719, 78),
}
"""So many functions, so many files at most. Who needs more says so here.

A letter goes by the words of structure of other languages (orders/reading/structure.py) as well, and what is
asked once while it is read goes by functions of its own (orders/reading/budget.py). A session of
the database is entered and left by methods of its own, so that it takes no generator. A turn is played by
`secretary.turns`, for commands that open no more than the books; whether one of its bots looks back is asked
before. Whether an order's law is known already is asked before it is weighed. A letter is kept by a statement
that is written down once. Names are laid out on a map by what rows have in common
(games/diplomacy/map/labels.py).
What a writer keeps for his errand is made by two functions when it is first asked for.
A bot that talks asks by functions of its own what it agrees to, and whose word was kept
(games/diplomacy/bots/press.py). Each level reads off the board how dangerous the seats are, and towards
whom it leans by that. A letter that is laid on the tray leaves word of what it files
(storage/letter_batch.py), and a
text is decoded once for all that is looked for in it. Statements over a batch of letters are written once for
each size of it, the head of a letter is looked for among those that were read before, and a row of a letter
among those that were looked over and written. What a letter on the tray asked of its game is kept with it
(storage/letter_batch.py), and pages are gone through for tags and codes by steps of their own
(auth/tokens.py).
Of each letter it is asked whether it went to a seat that its writer lost, and who else got a copy
(inbound/unknown_senders.py, copies.py).
Before a report goes out the press that waited (outbound/press_batches.py, storage/people.py).
What becomes of missing orders, and until when orders count after a deadline, is asked for each reply
(turns/due_actions.py, model/deadlines.py).
Orders are put into numbers by a module of its own, once for all that they are tried with (errands.py).
Of each game it is asked whether it was restored from a backup (storage/people.py): what was sent since
that backup may be for a turn to come (auth/older_tokens.py), and is kept until then (postponed_emails.py).
Whether a letter was written to us, and whether it is a YES to a question of ours, two modules say
(auth/sender.py, inbound/confirmations.py), and a third whether it answers one from another address
(inbound/confirmations.py).
Of each line it is asked what stands around an order: labels, remarks, marks, lines of ours
(orders/reading/prose.py, spans.py, careful_lines.py, orders/mail/service_text.py), and which
sheets of this turn it quotes (inbound/quoted_sheets.py). Whether it ends in the "and" of a list one more says
(orders/reading/spans.py).
A reply counts first what is to be fixed, and has a sentence of the catalogue, with its own slug, for each
thing that it says (reports/verdict.py, reports/messages.py).
"""

ON_THE_WAY = {
    "a letter kept": {"adjudicator/storage/inbox.py"},
    "a letter handled": {
        "orders/reading/letter_reader.py",
        "adjudicator/inbound/filing.py",
        "games/diplomacy/adjudication/legality.py",
    },
    "a turn with its reports": {"games/diplomacy/adjudication/resolver.py", "adjudicator/reports/report.py"},
}


@pytest.mark.long
def test_the_three_trips_stay_within_their_bounds(tmp_path: Path) -> None:
    """And each comes by where it has to."""
    made = trips(tmp_path)
    assert [trip.name for trip in made] == list(BOUNDS)
    over = {
        trip.name: (len(trip.functions), len(trip.files))
        for trip in made
        if len(trip.functions) > BOUNDS[trip.name][0] or len(trip.files) > BOUNDS[trip.name][1]
    }
    assert over == {}
    assert [trip.name for trip in made if not trip.files >= ON_THE_WAY[trip.name]] == []


def test_only_functions_of_ours_count_each_once() -> None:
    """Nothing of a library, and nothing that an import runs."""
    trip = count_entered("making plain", lambda: [tidy("a\tb"), tidy("c"), sorted((2, 1))])
    assert {one.partition(" ")[2] for one in trip.functions} == {
        "tidy",
        "_plain",
        "_printable_char",
        "in_latin",
        "undo_encodings",
    }
    assert trip.files == {"orders/words.py"}
