"""The bots' press: replies, proposals, and when they stay silent."""

from dataclasses import replace
from itertools import combinations

import pytest

from adjudicator.model.games import GamePosition
from adjudicator.model.people import GamePolicy, Press, SendPress
from adjudicator.turns.bots import Talk
from games.protocol import Seat
from tests.kit.memory_people import MemoryPeople
from tests.kit.memory_repository import NOON, game_of, new_position, with_changed_seat

FRANCE, GERMANY, ITALY, TURKEY = map(Seat, ("France", "Germany", "Italy", "Turkey"))


@pytest.fixture
def position() -> GamePosition:
    """A person is France, bots are the others."""
    return new_position("standard", people={FRANCE: "france@example.net"})


def wrote(text: str, *to: Seat, by: Seat | None = FRANCE, kind: str = "white") -> SendPress:
    press = Press(turn="S1901M", seat=by, kind=kind, to=to or None, text=text, at=NOON)
    return SendPress(game="demo", by=str(by), press=press, key=f"demo/press/{text}")


def summarise_press(acts: tuple[SendPress, ...]) -> list[tuple[str | None, tuple[Seat, ...] | None, str]]:
    return [(act.press.seat, act.press.to, act.press.text.splitlines()[0]) for act in acts]


def test_a_letter_to_a_bot_is_answered_by_it(position: GamePosition) -> None:
    (answer,) = Talk(MemoryPeople()).answers(position, wrote("propose truce", GERMANY))
    assert summarise_press((answer,)) == [(GERMANY, (FRANCE,), "Accept truce.")]
    assert (answer.press.kind, answer.press.turn, answer.press.at) == ("white", "S1901M", NOON)
    assert (answer.game, answer.by, answer.key) == (
        "demo",
        GERMANY,
        "demo/press/propose truce/Germany/France",
    )


def test_what_is_said_to_several_each_of_them_answers(position: GamePosition) -> None:
    answers = Talk(MemoryPeople()).answers(position, wrote("propose truce", GERMANY, ITALY))
    assert summarise_press(answers) == [
        (GERMANY, (FRANCE,), "Accept truce."),
        (ITALY, (FRANCE,), "Accept truce."),
    ]
    assert len(Talk(MemoryPeople()).answers(position, wrote("propose truce"))) == 6


def test_what_was_said_before_in_the_same_letter_is_known(position: GamePosition) -> None:
    """Two forms in two pieces of press: each is answered once."""
    talk = Talk(MemoryPeople())
    talk.answers(position, wrote("propose truce", GERMANY))
    assert summarise_press(talk.answers(position, wrote("propose attack on Holland", GERMANY))) == [
        (GERMANY, (FRANCE,), "Accept attack on Holland.")
    ]


def test_answers_go_to_the_writer_alone(position: GamePosition) -> None:
    """Even if the bot has something to say to others now."""
    for act in Talk(MemoryPeople()).answers(position, wrote("propose truce", GERMANY)):
        assert act.press.to == (FRANCE,)


@pytest.mark.parametrize("customs", [GamePolicy(press="none"), GamePolicy(press="grey")])
def test_where_nothing_signed_is_carried_bots_are_silent(position: GamePosition, customs: GamePolicy) -> None:
    talk = Talk(MemoryPeople(rules={"demo": customs}))
    assert talk.answers(position, wrote("propose truce", GERMANY)) == ()
    assert talk.proposals(position, NOON) == ()


@pytest.mark.parametrize("act", [
    wrote("propose truce", GERMANY, kind="grey"),
    wrote("propose truce", GERMANY, by=None),
    wrote("propose truce", Seat("gm")),
])  # fmt: skip
def test_what_nobody_signs_nobody_answers(act: SendPress) -> None:
    """Not even with a proposal of its own, which would show that it knows the writer."""
    assert Talk(MemoryPeople()).answers(crowded(), act) == ()


def test_a_person_answers_for_himself(position: GamePosition) -> None:
    both = with_changed_seat(position, GERMANY, address="germany@example.net")
    assert Talk(MemoryPeople()).answers(both, wrote("propose truce", GERMANY)) == ()


def test_when_the_game_is_over_all_talk_is(position: GamePosition) -> None:
    over = replace(position, status="finished")
    assert Talk(MemoryPeople()).answers(over, wrote("propose truce", GERMANY)) == ()
    assert Talk(MemoryPeople()).proposals(over, NOON) == ()


def crowded() -> GamePosition:
    """The powers are next to each other: everyone has something to propose."""
    position = new_position("standard", people={FRANCE: "france@example.net"})
    places = {"PAR": "BUR", "VEN": "TYR"}
    units = tuple(
        unit.__class__(power=unit.power, kind="A", at=places[unit.at]) if unit.at in places else unit
        for unit in position.state.units
    )
    state = type(position.state)(
        options=position.state.options,
        phase=position.state.phase,
        units=units,
        centres=position.state.centres,
    )
    return replace(position, state=state)


def test_between_two_nations_there_is_one_exchange_a_turn() -> None:
    """Bots among themselves too: one proposes, the other answers, and that is all."""
    people_repository = MemoryPeople()
    acts = Talk(people_repository).proposals(crowded(), NOON)
    assert any(act.press.to == (FRANCE,) for act in acts), "the person is proposed something"
    between = {frozenset((act.press.seat, *(act.press.to or ()))): [] for act in acts}
    for act in acts:
        between[frozenset((act.press.seat, *(act.press.to or ())))].append(act.press.text)
    for pair, texts in between.items():
        proposed = [text for text in texts if text.startswith("Propose")]
        answered = [text for text in texts if text.startswith(("Accept", "Refuse"))]
        assert len(texts) <= 2, f"{pair}: {texts}"
        assert len(proposed) == 1
        assert len(answered) == (FRANCE not in pair)
    for act in acts:
        people_repository.do(act)
    assert Talk(people_repository).proposals(crowded(), NOON) == (), "asked again in the same turn"
    assert len({act.key for act in acts}) == len(acts)


def test_where_only_neighbours_write_bots_write_to_neighbours() -> None:
    position = crowded()
    far = Talk(MemoryPeople(rules={"demo": GamePolicy(reach="neighbours")}))
    near = {
        frozenset(pair)
        for pair in combinations(position.assignments, 2)
        if pair[1] in _neighbours(position, pair[0])
    }
    acts = far.proposals(position, NOON)
    assert acts
    assert {frozenset((act.press.seat, *(act.press.to or ()))) for act in acts} <= near
    assert far.answers(position, wrote("propose truce", TURKEY)) == ()


def _neighbours(position: GamePosition, seat: Seat) -> tuple[Seat, ...]:
    return tuple(game_of(position).rules.neighbours(position.state, seat))


def parted(people_repository: MemoryPeople) -> GamePosition:
    """A game that is over. Germany and Italy, both bots, had a truce, which Germany ended."""
    for by, to, text in (
        (GERMANY, ITALY, "Propose truce."),
        (ITALY, GERMANY, "Accept truce."),
        (GERMANY, ITALY, "Refuse truce.\nYou are about to win."),
        (FRANCE, TURKEY, "Propose truce."),
        (TURKEY, FRANCE, "Accept truce."),
    ):
        people_repository.do(wrote(text, to, by=by))
    return replace(new_position("standard", people={FRANCE: "france@example.net"}), status="finished")


def test_when_the_game_is_over_bots_account_to_all_for_what_they_ended() -> None:
    """A bot whose agreements all held has nothing to say, and a person writes what they like."""
    people_repository = MemoryPeople()
    acts = Talk(people_repository).accounts(parted(people_repository), NOON)
    assert [(act.press.seat, act.press.to, act.press.text.splitlines()[2:]) for act in acts] == [
        (
            GERMANY,
            None,
            ['- Truce with Italy, from S1901M: we ended it in S1901M, and wrote: "You are about to win."'],
        ),
        (ITALY, None, ["- Truce with Germany, from S1901M: Germany ended it in S1901M."]),
    ]
    assert {(act.by, act.press.kind, act.press.turn) for act in acts} == {
        (GERMANY, "white", "S1901M"),
        (ITALY, "white", "S1901M"),
    }
    assert len({act.key for act in acts}) == 2


@pytest.mark.parametrize(
    "customs", [GamePolicy(press="none"), GamePolicy(press="grey"), GamePolicy(reach="neighbours")]
)
def test_nobody_accounts_where_nobody_writes_to_all(customs: GamePolicy) -> None:
    people_repository = MemoryPeople(rules={"demo": customs})
    assert Talk(people_repository).accounts(parted(people_repository), NOON) == ()


def test_nobody_accounts_while_the_game_goes_on() -> None:
    people_repository = MemoryPeople()
    assert Talk(people_repository).accounts(replace(parted(people_repository), status="running"), NOON) == ()
