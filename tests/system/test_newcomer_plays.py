"""A newcomer plays three turns of each game by what its emails say, and recovers from two mistakes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from types import SimpleNamespace

import pytest

from adjudicator.admin import game_admin
from adjudicator.game_kinds import find_kind
from adjudicator.messages import sentence
from adjudicator.outbound import composer, signups
from adjudicator.storage import stored_games
from adjudicator.turns.log import orders_of
from games.protocol import Seat
from tests.kit import newcomer
from tests.kit.newcomer import LetterFollower
from tests.kit.service_harness import LocalService, local_service, text_of

SERVICE, ADDRESS = "gm@example.org", "newcomer@example.org"


WHY_IT_WAITS = [
    " ".join(sentence("reports.transcript.rests", until="alone", in_queue=in_queue, queues=queues).split())
    for in_queue, queues in ((False, False), (True, True), (False, True))
]
"""The ways to say that the turn of somebody who plays alone waits until his mistakes are corrected."""


@dataclass(frozen=True)
class Evening:
    """A game that a newcomer begins.

    seed: of its secret; again: the second mistake is to repeat a line of the turn before, where it isn't
    possible any longer. Otherwise it is another misspelt name.
    """

    kind: str
    option: str = ""
    seed: str = ""
    again: bool = True

    def __str__(self) -> str:
        return "-".join(filter(None, (self.kind, self.option)))


EVENINGS = (
    Evening("plains-indian-wars", again=False),
    Evening("plains-indian-wars", "scenario=2.1"),
    Evening("war-chest"),
    Evening("great-war"),
    Evening("boer-war", seed="a newcomer's war 15"),
    Evening("indianomacy", again=False),
    Evening("standard"),
)


@dataclass
class Mailbox:
    """The mailbox of a newcomer, and facts in the database that a newcomer doesn't know."""

    place: LocalService

    def send(self, text: str) -> list[str]:
        """Reply to the newest email, or write the first; return the answer in plain text."""
        letters = self.place.mail(ADDRESS)
        self.place.clock.advance(60_000)
        if letters:
            self.place.answer(ADDRESS, letters[-1], text)
        else:
            self.place.write(ADDRESS, SERVICE, text, "a question")
        self.place.work()
        return [text_of(one) for one in self.place.mail(ADDRESS)[len(letters) :]]

    @property
    def played(self) -> list[list[str]]:
        """Return the orders of each turn with decisions of the player, as they were carried out."""
        (name,) = self.place.service.repository.games()
        position = game_admin.position_of(self.place.service, name)
        kind, (seat,) = (
            find_kind(position.kind),
            (Seat(at) for at, c in position.assignments.items() if c.address),
        )
        turns = [
            orders_of(kind, entry).get(seat, ())
            for entry, _ in stored_games.log(self.place.service.database, name)
            if entry.kind == "turn"
        ]
        return [[kind.notation.write(order) for order in orders] for orders in turns if orders]


@pytest.fixture
def box(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """A mailbox beside a service whose letters come without maps; always the same dice."""
    seed = request.node.callspec.params["evening"].seed.encode()
    drawn = SimpleNamespace(token_bytes=lambda count: seed.ljust(count, b"-"), token_urlsafe=token_urlsafe)
    monkeypatch.setattr(signups, "secrets", drawn)
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path) as place:
        yield Mailbox(place)


@pytest.mark.parametrize("evening", EVENINGS, ids=str)
def test_a_newcomer_plays_three_turns_by_the_letters_alone(box: Mailbox, evening: Evening) -> None:
    """A name is misspelt in the first email; in the second a wrong line comes before good ones."""
    person = LetterFollower(box.send)
    person.begin(evening.kind, evening.option)

    first = newcomer.first_letter(person.report)
    at = max(n for n, line in enumerate(first) if newcomer.has_name(line))
    with played_with(box, person, newcomer.sheet(person.report)):
        said = mistaken(box, person, first, at, newcomer.misspell(first[at]))

    lines = newcomer.several(person.report, person.say("MOVES"))
    with played_with(box, person):
        mistaken(box, person, lines, 0, said[0] if evening.again else newcomer.misspell(lines[0]))

    with played_with(box, person):
        person.finish(person.order(*newcomer.final_orders(person.report)))


@pytest.mark.parametrize("evening", [Evening("war-chest")], ids=str)
def test_what_is_held_up_is_mended_by_the_order_sheet_of_the_report(box: Mailbox, evening: Evening) -> None:
    """Two units on one hex: the first line for each is lawful by itself, and only the first can be played."""
    person = LetterFollower(box.send)
    person.begin(evening.kind)
    person.say(*newcomer.sheet(person.report))
    first, second = [group[0] for group in newcomer.moves(person.say("MOVES"))][:2]
    person.say(first, second)
    assert f"all orders after it wait: {second}." in " ".join(person.report.split())
    with played_with(box, person):
        assert "✗" not in person.order(*newcomer.sheet(person.report))


def mistaken(box: Mailbox, person: LetterFollower, lines: list[str], at: int, wrong: str) -> list[str]:
    """Send lines with one of them wrong, which runs nothing, then the corrected one.

    Returns the corrected lines.
    """
    before, read = box.played, person.report
    answer = person.order(*lines[:at], wrong, *lines[at + 1 :])
    assert f"> {wrong}\n✗" in answer
    assert any(one in " ".join(answer.split()) for one in WHY_IT_WAITS), "nothing says why the turn waits"
    assert (box.played, person.report) == (before, read), "a letter with a mistake has begun a turn"
    mended = newcomer.suggestion(answer, wrong) or lines[at]
    answer = person.finish(person.order(mended, at=at))
    assert "✗" not in answer
    return [*lines[:at], mended, *lines[at + 1 :]]


@contextmanager
def played_with(box: Mailbox, person: LetterFollower, untouched: Sequence[str] = ()) -> Iterator[None]:
    """Check that these orders run, in their order where they wait in a queue, and are reported.

    untouched: lines of the order sheet; another order for the same thing replaces such a line.
    """
    before, read = len(box.played), person.report
    person.said.clear()
    yield
    orders = [order for turn in box.played[before:] for order in turn]
    if newcomer.orders_asked_for(read) is not None:
        assert orders == person.said
    else:
        assert set(person.said) - set(untouched) <= set(orders) <= set(person.said)
    assert person.report != read, "no report has come"
