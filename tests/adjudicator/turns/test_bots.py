"""The bot of a seat without a player: its level, its personality, and the press that it knows."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

import games
from adjudicator.model.games import SeatAssignment
from adjudicator.model.people import GAMESMASTER_SEAT, Press
from adjudicator.turns.bots import RANDOM_TEMPER, GameBots, parse_bot_choice, temper_label
from adjudicator.turns.runner import TurnBackground, play_turns
from games.dice import Dice, SealedDice
from games.protocol import Bot, BotMessage, Choice, Correspondence, Due, Game, Invalid, PressMessage, Seat
from tests.kit.dice import any_dice
from tests.kit.memory_repository import NOON, SECRET, game_of, new_position

FRANCE, GERMANY, ITALY = map(Seat, ("France", "Germany", "Italy"))
STANDARD = games.kinds()["standard"]
TEMPERS = ("raider", "settler", "guardian")


def assignment(level: str | None = None, temper: str | None = None, seat: Seat = FRANCE) -> SeatAssignment:
    return SeatAssignment(seat=seat, bot=level, temper=temper)


def press(text: str, by: Seat | None, *to: Seat, kind: str = "white") -> Press:
    return Press(turn="S1901M", seat=by, kind=kind, to=to or None, text=text, at=NOON)


@dataclass(frozen=True)
class Listener(Bot[Any, Any]):
    """A bot that orders nothing and records the data it gets."""

    told: list[Correspondence]
    phrases: tuple[str, ...] = ("propose truce",)

    def orders(self, view: object, due: Due, dice: Dice) -> tuple[Choice[object], ...]:
        return ()

    def press(self, view: object, heard: Correspondence, dice: Dice) -> tuple[BotMessage, ...]:
        return (BotMessage(to=GERMANY, text=f"die {dice.roll('tone', 6)}"),)

    def with_press(self, view: object, heard: Correspondence) -> "Listener":
        self.told.append(heard)
        return self


def listening() -> tuple[Game, list[Correspondence]]:
    told: list[Correspondence] = []
    return replace(STANDARD, bots={"listener": Listener(told)}), told


def test_the_level_is_that_of_the_chair_and_else_the_weakest() -> None:
    bots = GameBots(STANDARD, "demo", SECRET)
    first, second, *_ = STANDARD.bots
    assert bots.of(assignment()) == STANDARD.bots[first]
    assert bots.of(assignment(second)) == STANDARD.bots[second]
    assert bots.of(assignment("honest")) == STANDARD.bots[first], "a level that there is no longer"


def test_the_temperament_is_that_of_the_chair() -> None:
    bots = GameBots(STANDARD, "demo", SECRET)
    assert bots.temper_of(assignment()) is None
    assert bots.temper_of(assignment(temper="raider")) == "raider"
    assert bots.of(assignment(temper="raider")) == STANDARD.bots["beginner"].with_temperament("raider")
    assert bots.temper_of(assignment(temper="grumpy")) is None


def test_a_drawn_temperament_is_the_seats_own_for_the_whole_game() -> None:
    """By the dice of the set-up: anyone with the secret can draw it again, and nobody can draw another."""
    bots = GameBots(STANDARD, "demo", SECRET)
    for seat in STANDARD.about.seats({}):
        found = bots.temper_of(assignment(temper=RANDOM_TEMPER, seat=seat))
        assert found == SealedDice(SECRET, "demo", 0).pick(temper_label(seat), TEMPERS)
        assert bots.of(assignment(temper=RANDOM_TEMPER, seat=seat)) == STANDARD.bots[
            "beginner"
        ].with_temperament(str(found))
    seats = STANDARD.about.seats({})
    drawn = {
        tuple(
            GameBots(STANDARD, name, SECRET).temper_of(assignment(temper=RANDOM_TEMPER, seat=seat))
            for seat in seats
        )
        for name in ("a", "b", "c", "d")
    }
    assert len(drawn) > 1, "it is drawn for each game"
    assert {temper for game in drawn for temper in game} == set(TEMPERS)


def test_bots_that_have_no_temperament_play_without() -> None:
    toy = games.kinds()["war-chest"]
    bots = GameBots(toy, "demo", SECRET)
    assert bots.temper_of(assignment(temper=RANDOM_TEMPER)) is None
    assert bots.of(assignment(temper="raider")) is next(iter(toy.bots.values()))


@pytest.mark.parametrize(
    ("level", "temper", "found"),
    [
        (None, None, (None, None)),
        ("Intermediate", "RAIDER", ("intermediate", "raider")),
        ("beginner", "drawn", ("beginner", "drawn")),
        (None, "settler", (None, "settler")),
    ],
)
def test_names_are_known_whatever_their_capitals(level, temper, found):
    assert parse_bot_choice(STANDARD, level, temper) == found


@pytest.mark.parametrize(
    ("kind", "level", "temper", "said"),
    [
        (
            "standard",
            "expert",
            None,
            "bot expert: this game doesn't have that bot; Use one of: beginner, intermediate",
        ),
        ("standard", None, "grumpy", "personality grumpy: .*; Use one of: raider, settler, guardian, drawn"),
        ("war-chest", None, "drawn", "personality drawn: the bots of War Chest have none; Leave it out"),
    ],
)
def test_unknown_names_are_told_with_what_there_is(kind, level, temper, said):
    with pytest.raises(Invalid, match=said):
        parse_bot_choice(games.kinds()[kind], level, temper)


def test_a_bot_hears_what_its_seat_may_hear_and_no_more() -> None:
    """Not press between others, the writers of unsigned press, or press to the GM."""
    said = (
        press("to France", GERMANY, FRANCE),
        press("to Italy", GERMANY, ITALY),
        press("to all", ITALY),
        press("unsigned", GERMANY, FRANCE, kind="grey"),
        press("our own, unsigned", FRANCE, ITALY, kind="grey"),
        press("from above", None, FRANCE),
        press("to the gamesmaster", FRANCE, GAMESMASTER_SEAT),
    )
    position = new_position("standard")
    heard = GameBots(STANDARD, "demo", SECRET, said).correspondence(position.state, FRANCE)
    assert (heard.seat, heard.turn) == (FRANCE, "S1901M")
    assert [(one.writer, one.text) for one in heard.missives] == [
        (GERMANY, "to France"),
        (ITALY, "to all"),
        (None, "unsigned"),
        (FRANCE, "our own, unsigned"),
        (None, "from above"),
    ]


def test_orders_know_what_was_said() -> None:
    """Each bot what its own seat has heard; the state of the turn that is played."""
    game, told = listening()
    said = (press("propose truce", GERMANY, FRANCE),)
    position = new_position("standard", people={})
    play_turns(game, position, NOON, ripe=True, background=TurnBackground(press=said))
    (press_message,) = {one for heard in told for one in heard.missives}
    assert press_message == PressMessage(turn="S1901M", writer=GERMANY, to=(FRANCE,), text="propose truce")
    assert {heard.seat for heard in told if heard.missives} == {GERMANY, FRANCE}
    told.clear()
    play_turns(game, position, NOON, ripe=True)
    assert told == [], "where nobody wrote there is nothing to hear"


def test_what_a_bot_throws_for_press_is_its_own_each_time() -> None:
    """No label is rolled twice, however often the bot is asked in a turn."""
    game, _ = listening()
    position = new_position("standard")
    labels: list[str] = []

    class Noting(Dice):
        def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
            labels.append(label)
            return any_dice().draw(label, sides, count)

    for said in ((), (press("hello", GERMANY, FRANCE),)):
        GameBots(game, "demo", SECRET, said).write_press(position.state, assignment(), Noting())
    assert labels == ["press/France/0/tone", "press/France/1/tone"]


def test_who_cannot_write_says_nothing() -> None:
    position = new_position("war-chest")
    seat = next(iter(position.assignments))
    assert (
        GameBots(game_of(position), "demo", SECRET).write_press(
            position.state, assignment(seat=seat), any_dice()
        )
        == ()
    )
