"""No reply reveals secrets to a player: others' orders, press, votes, passwords, addresses."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.model.orders_on_file import unpack_items
from adjudicator.model.people import Press, Vote
from games.record import plain
from tests.adjudicator.inbound.conftest import IROQUOIS, MUSKHOGEAN, MemoryPipeline, sealed_password
from tests.kit.memory_repository import NOON, MemoryRepository, game_of, new_position, with_changed_seat

LINES = (
    "Mohawk - Delaware",
    "Oneida S Mohawk - Delaware",
    "Seneca S W Cherokee - Delaware",
    "all hold",
    "CLEAR",
    "READY",
    "WAIT",
    "ORDERS",
    "LIST",
    "MAP solo",
    "HISTORY",
    "RECORD",
    "DRAW",
    "NODRAW",
    "CONCEDE TO Dakota",
    "HELP",
    "RULES",
    "GET PROVINCES",
    "PRESS TO Dakota\nhello\nENDPRESS",
    "nonsense - here",
)


def context(secrets: bool) -> MemoryPipeline:
    """The game of two persons; with secrets, one of them has sent orders, said WAIT, voted, written press."""
    position = new_position("indianomacy", people={"Iroquois": IROQUOIS, "Muskhogean": MUSKHOGEAN})
    position = with_changed_seat(position, "Iroquois", password=sealed_password())
    repository = MemoryRepository({"demo": position})
    if secrets:
        game = game_of(position)
        due = next(due for due in game.rules.due(position.state) if due.seat == "Muskhogean")
        orders = game.rules.default(position.state, due)
        filed = unpack_items(game.order_type, [plain(order) for order in orders])
        position = with_changed_seat(position, "Muskhogean", wait=True, missed=3, trouble="bounced")
        repository.positions["demo"] = replace(position, filed={"Muskhogean": filed})
        people_repository = repository.people
        people_repository.cast["demo", "Muskhogean"] = Vote(seat="Muskhogean", motion="concede", to="Apache")
        secret = Press(turn="S1M", seat="Muskhogean", kind="white", to=("Dakota",), text="psst", at=NOON)
        people_repository.said.append(("demo", secret))
    return MemoryPipeline(repository)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=5, unique=True))
def test_the_answers_are_the_same_whatever_others_did(lines: list[str]) -> None:
    """Letter by letter, to the byte."""
    text = "\n".join(lines)
    answers = [one.writes(text).answers for one in (context(secrets=False), context(secrets=True))]
    assert answers[0] == answers[1]


def test_a_status_tells_who_is_awaited_and_nothing_else() -> None:
    """It is public that somebody has sent orders, but not which."""
    answers = [
        one.writes("STATUS").answers[0].text for one in (context(secrets=False), context(secrets=True))
    ]
    changed = {
        line
        for first, second in zip(*(text.splitlines() for text in answers), strict=True)
        for line in (first, second)
        if first != second
    }
    assert all("Muskhogean" in line for line in changed)
    assert not any(MUSKHOGEAN in text or "psst" in text for text in answers)
