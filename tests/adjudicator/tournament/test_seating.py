"""The seating: seats by name, mixes, rotation, and rejected texts."""

import pytest

import games
from adjudicator.errors import Refusal
from adjudicator.tournament.match import Seating, names, player, seating
from games.protocol import Seat

GAME = games.kinds()["standard"]
SEATS = GAME.about.seats({})
WEAKEST = next(iter(GAME.bots))


def players(text: str) -> tuple[str, ...]:
    """Return the players of the seats, in their order: Austria, England, France, Germany, Italy, Russia,
    Turkey.
    """
    return seating(GAME, SEATS, text).players


def test_nobody_named_is_the_weakest_level_everywhere():
    assert players("") == (WEAKEST,) * 7


def test_seats_are_named_and_the_others_are_all_the_rest():
    assert players("austria=hold, Turkey=random,others=hold") == ("hold",) * 6 + ("random",)
    assert players("england=hold") == (WEAKEST, "hold", *(WEAKEST,) * 5)


def test_the_last_of_a_mix_fills_up_the_rest():
    assert players("hold*2,random") == ("hold", "hold", *("random",) * 5)
    assert players("random") == ("random",) * 7


def test_all_move_on_a_seat_from_game_to_game_and_sit_everywhere_once():
    turned = seating(GAME, SEATS, "hold,random", rotates=True)
    sat = [[seat for seat, who in turned.players_in(number).items() if who == "hold"] for number in range(7)]
    assert sat == [[seat] for seat in SEATS]
    assert turned.players_in(7) == turned.players_in(0)
    fixed = seating(GAME, SEATS, "hold,random")
    assert fixed.players_in(3) == fixed.players_in(0)


def test_order_is_kept_when_all_move_on():
    three = Seating(seats=tuple(map(Seat, "ABC")), players=("x", "y", "z"), rotates=True)
    assert list(three.players_in(1).values()) == ["z", "x", "y"]


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("wizard", "Bots: "),
        ("hold*8", "Name fewer"),
        ("hold*many", "Write hold*2"),
        ("hold*0", "Write hold*2"),
        ("atlantis=hold", "Seats: Austria"),
        ("austria=hold,random", "Write others=random"),
        ("austria=hold,austria=random", "named twice"),
        ("hold@200", "Write hold"),
        ("hold/raider", "Write hold"),
        ("advanced/lazy", "Personalities: raider"),
        ("advanced@0", "Write advanced@200"),
        ("advanced@many", "Write advanced@200"),
    ],
)
def test_what_cannot_be_seated_is_refused_with_what_to_write(text, instead):
    with pytest.raises(Refusal) as refused:
        players(text)
    assert instead in str(refused.value)


def test_players_are_the_levels_the_weakest_first_then_the_opponents():
    assert names(GAME)[: len(GAME.bots)] == tuple(GAME.bots)
    assert {"random", "hold"} <= set(names(GAME))
    assert player(GAME, WEAKEST) is GAME.bots[WEAKEST]


def test_a_player_has_a_temperament_and_a_budget_of_its_own():
    bot = player(GAME, "advanced/raider@50")
    assert (bot.temper.name, bot.budget) == ("raider", 50)
    assert player(GAME, "advanced").budget == GAME.bots["advanced"].budget
