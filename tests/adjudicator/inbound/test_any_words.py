"""Any text after any command from any sender gets a reply, and nothing raises."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.model.people import PersonAction
from orders.commands import PLAYER_COMMANDS
from tests.adjudicator.inbound.conftest import IROQUOIS, MUSKHOGEAN, MemoryPipeline, sealed_password
from tests.kit.mail import letter
from tests.kit.memory_repository import MemoryRepository, new_position, with_changed_seat

VERBS = [verb.name for verb in PLAYER_COMMANDS]
WORDS = (
    *(
        "demo",
        "Iroquois",
        "dakota",
        "to",
        "all",
        "but",
        "31 December",
        "Europe/Berlin",
        "UTC+99",
        "-",
        "–",
        "=",
    ),
    *("F1M", "S1901M", "0", "999999999999", "31.2.", "gm", "%s", "{}", "☃", "É", "\u202e", "<b>", "'", "\\"),
)
lines = st.builds(
    lambda verb, lower, words: " ".join([verb.lower() if lower else verb, *words]),
    st.sampled_from(VERBS),
    st.booleans(),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), max_size=5),
)
letters = st.lists(lines, min_size=1, max_size=6).map("\n".join)


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    """Maps, which other tests look at, are not drawn: one takes longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.inbound.commands.queries.map_of", lambda game, state, viewer: b"\x89PNG")
        yield


def context() -> MemoryPipeline:
    """The desk with one game of two persons."""
    position = new_position("indianomacy", people={"Iroquois": IROQUOIS, "Muskhogean": MUSKHOGEAN})
    return MemoryPipeline(
        MemoryRepository({"demo": with_changed_seat(position, "Iroquois", password=sealed_password())})
    )


@settings(max_examples=60, deadline=None)
@given(letters)
def test_a_seat_is_answered_whatever_it_asks(text: str) -> None:
    handled = context().writes(text)
    assert handled.disposition == "read"
    (answer,) = handled.answers
    assert answer.to == IROQUOIS


@settings(max_examples=40, deadline=None)
@given(letters)
def test_a_stranger_gets_one_answer_or_none_and_nothing_is_done(text: str) -> None:
    """Except the question for a confirmation."""
    handled = context().takes(letter(text, sender="stranger@example.com"))
    assert len(handled.answers) <= 1
    assert {type(act).__name__ for act in handled.acts} <= {"AskBack"}


@settings(max_examples=40, deadline=None)
@given(letters)
def test_whoever_has_proved_himself_does_nothing_to_seats_of_others(text: str) -> None:
    one = context()
    back = one.takes(letter("LIST", sender="stranger@example.com")).answers[0].reply_to
    handled = one.takes(letter(text, sender="stranger@example.com", to=str(back)))
    done = {type(act).__name__ for act in handled.acts}
    about_games = {"SignUp", "SignOut", "Watch", "BeginGame"}
    about_oneself = {"NotePerson", "ChooseDigest", "Answered", "AskToForget", "ScheduleForgetting"}
    assert done <= about_games | about_oneself
    assert {act.by for act in handled.acts if isinstance(act, PersonAction)} <= {"stranger@example.com"}


@pytest.mark.soak
@settings(max_examples=5000, deadline=None)
@given(letters)
def test_a_seat_is_answered_for_a_long_time(text: str) -> None:
    (answer,) = context().writes(text).answers
    assert answer.to == IROQUOIS
