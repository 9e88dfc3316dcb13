"""JOIN, PREFERENCE, OBSERVE, RESIGN: players, the waiting list, and observers."""

import pytest

from adjudicator.messages import sentence
from adjudicator.model.games import TakeSeat
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.people import FillSeat, GameOffer, OfferSeat, SignOut, Signup, Watch
from tests.adjudicator.inbound.conftest import IROQUOIS, MemoryPipeline
from tests.kit.mail import letter
from tests.kit.memory_repository import with_changed_seat

ELM = "elm@example.com"


def read_reply(handled: LetterOutcome) -> str:
    """The text of the answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


@pytest.fixture
def back(context: MemoryPipeline) -> str:
    """A reply address for Elm, who has no seat; a game waits for four people."""
    context.repository.people.awaiting["elk"] = GameOffer(
        name="elk", kind="indianomacy", options={}, needed=4
    )
    return str(context.takes(letter("LIST", sender=ELM)).answers[0].reply_to)


def write(context: MemoryPipeline, back: str, text: str) -> LetterOutcome:
    """A letter of Elm."""
    return context.takes(letter(text, sender=ELM, to=back))


def signed(context: MemoryPipeline, game: str = "elk") -> list[tuple[str, tuple[str, ...]]]:
    """Return the signups with their preferences."""
    return [(one.address, one.wishes) for one in context.repository.people.signups(game)]


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("JOIN elk", ()),
        ("REGISTER elk Iroquois", ("Iroquois",)),
        ("join elk as iro, dak", ("Iroquois", "Dakota")),
        ("Join elk Dakota Iroquois", ("Dakota", "Iroquois")),
        (
            "JOIN elk with preferences: Dakota then Muskhogean and the Iroquois",
            ("Dakota", "Muskhogean", "Iroquois"),
        ),
        ("JOIN elk\nPREFERENCE elk: Dakota, Iroquois", ("Dakota", "Iroquois")),
        ("JOIN elk Iroquois\nPREFERENCE Dakota", ("Dakota",)),
    ],
)
def test_a_wish_may_be_written_in_many_ways(
    context: MemoryPipeline, back: str, text: str, wishes: tuple[str, ...]
) -> None:
    for line in text.splitlines():
        write(context, back, line)
    assert signed(context) == [(ELM, wishes)]


@pytest.mark.parametrize("wish", ["PREFERENCE elk Dakota, Iroquois", "PREFERENCE Dakota, Iroquois"])
def test_both_may_stand_in_one_letter(context: MemoryPipeline, back: str, wish: str) -> None:
    text = read_reply(write(context, back, f"JOIN elk\n{wish}"))
    assert signed(context) == [(ELM, ("Dakota", "Iroquois"))]
    assert sentence("inbound.joining.not_signed_up") not in text
    for liked in ((), ("Dakota", "Iroquois")):
        assert sentence("inbound.joining.signed_up", game="elk", liked=liked, there=1, needed=4) in text


def test_the_answer_says_how_many_are_there(context: MemoryPipeline, back: str) -> None:
    first = read_reply(write(context, back, "JOIN elk Dakota"))
    assert sentence("inbound.joining.signed_up", game="elk", liked=("Dakota",), there=1, needed=4) in first
    assert sentence("inbound.joining.signed_up", game="elk", liked=(), there=2, needed=4) in read_reply(
        context.writes("JOIN elk")
    )
    assert "PREFERENCE elk" in read_reply(context.writes("JOIN elk"))
    assert sentence("inbound.joining.signed_up", game="elk", liked=(), there=2, needed=4) in read_reply(
        context.writes("JOIN elk")
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("JOIN", "Say which game"),
        ("JOIN moose", sentence("inbound.joining.no_such_game", game="moose")),
        (
            "JOIN elk Prussia",
            sentence(
                "inbound.joining.no_such_seat",
                unknown="Prussia",
                game="elk",
                seats=(
                    "Apache",
                    "Blackfoot",
                    "Caddoan",
                    "Dakota",
                    "Illinois",
                    "Iroquois",
                    "Muskhogean",
                    "Shoshoni",
                ),
            ),
        ),
        ("PREFERENCE Dakota", sentence("inbound.joining.not_signed_up")),
        ("OBSERVE moose", sentence("inbound.joining.none_to_watch", game="moose")),
        ("OBSERVE", "Say which game"),
        ("RESIGN elk", sentence("inbound.joining.nothing_to_resign", game="elk")),
        ("WAIT", " ".join(sentence("inbound.commands.belongs_to_a_seat", verb="WAIT").split())),
    ],
)
def test_what_cannot_be_done_is_told_with_what_can(
    context: MemoryPipeline, back: str, text: str, told: str
) -> None:
    handled = write(context, back, f"LIST\n{text}")
    assert " ".join(told.split()) in read_reply(handled)
    assert signed(context) == []


@pytest.mark.parametrize(
    "line",
    [
        "join us in the war",
        "Observe that I hold",
        "register my protest",
        "resign yourself to it",
        "maps are nice",
    ],
)
def test_talk_that_begins_with_the_word_is_talk(context: MemoryPipeline, back: str, line: str) -> None:
    handled = context.writes(line)
    assert handled.acts == ()
    assert "Say which game" not in read_reply(handled)
    assert "no game called" not in read_reply(handled)


def test_a_running_game_has_a_waiting_list(context: MemoryPipeline, back: str) -> None:
    assert sentence("inbound.joining.waits", game="demo", place=1) in read_reply(
        write(context, back, "JOIN demo Dakota")
    )
    assert signed(context, "demo") == [(ELM, ("Dakota",))]
    assert sentence("inbound.joining.waits", game="demo", place=1) in read_reply(
        write(context, back, "JOIN demo")
    )
    assert "no longer signed up for demo" in read_reply(write(context, back, "RESIGN demo"))
    assert signed(context, "demo") == []


def test_a_free_seat_is_taken_by_the_first_who_asks(context: MemoryPipeline, back: str) -> None:
    context.repository.people.vacant.append(("demo", "Dakota"))
    context.repository.people.signed["demo", ELM] = Signup(game="demo", address=ELM, since=1)
    context.repository.people.watching.add(("demo", ELM))
    handled = write(context, back, "JOIN demo Dakota")
    assert [type(act) for act in handled.acts] == [FillSeat, TakeSeat, SignOut, Watch]
    assert handled.acts[1].address == ELM
    assert handled.acts[1].seat == "Dakota"
    assert sentence("inbound.joining.taken", seat="Dakota", game="demo") in read_reply(handled)
    assert context.repository.people.vacancies("demo") == ()


def test_a_seat_played_by_a_bot_is_not_free_for_that(context: MemoryPipeline, back: str) -> None:
    """Only seats that are offered may be taken."""
    handled = write(context, back, "JOIN demo Shoshoni")
    assert not any(isinstance(act, TakeSeat) for act in handled.acts)


def test_whoever_plays_cannot_join_or_watch(context: MemoryPipeline) -> None:
    assert sentence("inbound.joining.plays_already", game="demo") in read_reply(context.writes("JOIN demo"))
    assert sentence("inbound.joining.watches_anyway", game="demo") in read_reply(
        context.writes("OBSERVE demo")
    )


def test_a_game_is_watched(context: MemoryPipeline, back: str) -> None:
    assert sentence("inbound.joining.watches", game="demo") in read_reply(
        write(context, back, "observe demo")
    )
    assert context.repository.people.observers("demo") == (ELM,)
    assert sentence("inbound.joining.watches_no_longer", game="demo") in read_reply(
        write(context, back, "RESIGN demo")
    )
    assert context.repository.people.observers("demo") == ()


def test_a_seat_is_given_up(context: MemoryPipeline) -> None:
    """The bot plays on, and others may take it."""
    handled = context.writes("RESIGN")
    free, offered = handled.acts
    assert isinstance(free, TakeSeat)
    assert free.address is None
    assert isinstance(offered, OfferSeat)
    assert sentence("inbound.joining.given_up", seat="Iroquois", game="demo", others=True) in read_reply(
        handled
    )


def test_alone_against_bots_nobody_is_asked(context: MemoryPipeline) -> None:
    """A solo game simply goes to its bot."""
    assert len(context.writes("RESIGN").acts) == 2
    context.repository.positions["demo"] = with_changed_seat(
        context.repository.positions["demo"], "Muskhogean", address=None
    )
    assert len(context.writes("RESIGN demo").acts) == 1


def test_from_another_address_a_seat_cannot_be_given_up(context: MemoryPipeline) -> None:
    """Not even by its own player, without proof of who wrote."""
    handled = context.takes(letter("RESIGN demo", sender=IROQUOIS))
    assert not any(isinstance(act, TakeSeat) for act in handled.acts)
    back = handled.answers[0].reply_to
    told = context.takes(letter("", sender=IROQUOIS, to=back))
    assert sentence("inbound.joining.resign_by_answer", game="demo") in read_reply(told)
