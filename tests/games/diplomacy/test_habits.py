"""Habits of nations, read from their last orders, and their use by the advanced bot."""

from dataclasses import replace

import pytest

import games
from games.dice import LabelledDice, SealedDice
from games.diplomacy.bots.advanced import Advanced
from games.diplomacy.bots.opponents import (
    HABIT_SEASONS,
    Habit,
    estimate_habits,
    guessing,
    past_seasons,
    prior_shares,
)
from games.diplomacy.bots.search import REPLY_SAMPLE_INTERVAL
from games.diplomacy.events import Resolved
from games.judging import FirstDice
from games.protocol import PastTurn, Seat
from games.record import replace_fields

GAME = games.kinds()["standard"]
DANGERS = GAME.rules.board.dangers("intermediate")
LEVEL, BEGINNER, RAIDER, GUARDIAN, DUMBBOT, KIND, FIXED = range(7)
PLAYERS = {
    "intermediate": LEVEL,
    "beginner": BEGINNER,
    "intermediate/raider": RAIDER,
    "intermediate/guardian": GUARDIAN,
    "dumbbot": DUMBBOT,
    "intermediate-2026": FIXED,
}


def bot_of(name: str, dangers=None):
    level, _, temper = name.partition("/")
    bot = {**GAME.bots, **GAME.sparring}[level]
    if dangers is not None:
        bot = bot.with_dangers(dangers)
    return bot.with_temperament(temper) if temper else bot


def level_remembers(bot) -> bool:
    """Return whether a level uses the last turns.

    Advanced bots get none here, because that would take too long.
    """
    return bool(bot.looks_back) and bot.budget is None


def lately(name: str, turns: int = 10, secret: bytes = b"habits of others", dangers=None):
    """The turns that nations of one player have played, and the position then."""
    rules, bot, found = GAME.rules, bot_of(name, dangers), []
    state = rules.setup({}, SealedDice(secret, name, 0)).state
    for number in range(1, turns + 1):
        dice = SealedDice(secret, name, number)
        knowing = bot.with_history(tuple(found[-bot.looks_back :])) if level_remembers(bot) else bot
        orders = {
            due.seat: [one.order for one in knowing.orders(state, due, LabelledDice(dice, f"{due.seat}/"))]
            for due in rules.due(state)
        }
        outcome = rules.adjudicate(state, orders, dice)
        past = PastTurn(turn=rules.turn(state), before=state, after=outcome.state, events=outcome.events)
        found.append(past)
        state = outcome.state
    return tuple(found), state


@pytest.fixture
def bot() -> Advanced:
    """One that has seen nothing and found nothing out, and knows neither dangers nor others of its kind."""
    return Advanced(GAME.rules.variant, dangers=DANGERS, knows_its_kind=False)


@pytest.fixture
def knowing() -> Advanced:
    """The same, but that it knows of its kind, and so takes longer."""
    return Advanced(GAME.rules.variant, dangers=DANGERS)


def read(bot: Advanced, past, powers=None):
    models = bot.models()
    return estimate_habits(models, past_seasons(past), powers or tuple(GAME.rules.board.powers), {})


@pytest.mark.parametrize("name", PLAYERS)
def test_nations_are_taken_for_what_they_are_once_they_have_played_two_years(knowing, name):
    """Most of them clearly; and on the average of all it is the likeliest."""
    past, _ = lately(name)
    found = read(knowing, past)
    usual = prior_shares(knowing.models())[PLAYERS[name]]
    assert sum(one.shares[PLAYERS[name]] > max(0.5, usual) for one in found.values()) >= 4
    assert sum(one.model == PLAYERS[name] for one in found.values()) >= 4
    means = [sum(one.shares[at] for one in found.values()) for at in range(7)]
    assert max(range(7), key=means.__getitem__) == PLAYERS[name]


def test_its_kind_is_the_likeliest_where_its_kind_plays(knowing):
    """Its plans begin with those of an intermediate, so that nobody is sure of each nation."""
    past, _ = lately("advanced", 5, dangers=DANGERS)
    found = read(knowing, past)
    assert BEGINNER not in {one.model for one in found.values()}
    means = [sum(one.shares[at] for one in found.values()) for at in range(7)]
    assert max(range(7), key=means.__getitem__) == KIND


@pytest.mark.parametrize(("number", "is_wary"), [(0, True), (1, False)])
def test_an_intermediate_is_known_whether_or_not_it_reckons_with_the_same_dangers(number, is_wary):
    """On a board where its own level knows none. Each is half of what the level is reckoned with at first."""
    dangers = {Seat("Turkey"): 2.0, Seat("England"): 1.0, Seat("Russia"): -2.0}
    bot = Advanced(GAME.rules.variant, dangers=dangers, knows_its_kind=False)
    assert [model.player.dangers for model in bot.models()[:2]] == [dangers, None]
    assert prior_shares(bot.models())[0] == prior_shares(bot.models())[1] == 3 / 13
    past, _ = lately("intermediate", 15, dangers=dangers if is_wary else DANGERS)
    found = [one.shares for one in read(bot, past).values()]
    assert sum(one[number] for one in found) > sum(one[1 - number] for one in found)


def test_no_seat_is_dangerous_whose_nation_plays_like_one_of_the_weaker_levels():
    """A seat is as dangerous as its player, which shows in the orders."""
    dangers = {Seat("Turkey"): 2.0, Seat("Russia"): -2.0}
    bot = Advanced(GAME.rules.variant, dangers=dangers, knows_its_kind=False)
    for name, left in (("dumbbot", {}), ("intermediate", {}), ("random", dangers)):
        past, state = lately(name)
        assert bot.situation(state, Seat("Austria")).dangers == dangers, name
        assert bot.with_history(past).situation(state, Seat("Austria")).dangers == left, name


def test_a_seat_stays_dangerous_whose_nation_is_known_for_searching():
    """Dangers are laid for games among equals."""
    dangers = {Seat("Turkey"): 2.0, Seat("Russia"): -2.0}

    class Knowing(Advanced):
        """One that takes all nations for what the test says."""

        known: str

        def habits(self, situation):
            names = [type(model.player).__name__ for model in self.models()]
            shares = tuple(float(at == names.index(self.known)) for at in range(len(names)))
            return dict.fromkeys(GAME.rules.board.powers, Habit(shares, 0.1))

    past, state = lately("dumbbot", 5)
    for name, left in (("Advanced", dangers), ("DumbBot", {})):
        bot = Knowing(GAME.rules.variant, dangers=dangers).with_history(past)
        Knowing.known = name
        assert bot.situation(state, Seat("Austria")).dangers == left, name


def test_where_nothing_was_seen_all_models_count_as_before(bot):
    assert read(bot, ()) == dict.fromkeys(GAME.rules.board.powers, Habit(prior_shares(bot.models())))
    assert Habit(prior_shares(bot.models())).model is None


def test_who_plays_like_none_of_the_models_stays_unknown(bot):
    """Random orders fit no model, so the fitting ones count for almost nothing."""
    past, _ = lately("random")
    usual = prior_shares(bot.models())
    for found in read(bot, past).values():
        assert found.shares == pytest.approx(usual, abs=0.12)
        assert found.model is None


def test_whoever_changes_is_known_for_it_after_two_years(bot):
    before, _ = lately("dumbbot", 10)
    since, _ = lately("intermediate", 10)
    assert len([one for one in since if one.turn.kind == "moves"]) >= HABIT_SEASONS
    found, alone = read(bot, (*before, *since)), read(bot, since)
    for habits in (found, alone):
        assert [one.model for one in habits.values()].count(LEVEL) >= 5
        assert DUMBBOT not in {one.model for one in habits.values()}


def test_a_unit_without_an_order_tells_nothing(bot):
    """A player who forgets to write isn't taken for one who holds on purpose."""
    past, _ = lately("dumbbot", 3)
    silent = tuple(
        replace_fields(
            one,
            events=tuple(
                replace_fields(event, order=None) if isinstance(event, Resolved) else event
                for event in one.events
            ),
        )
        for one in past
    )
    assert read(bot, silent) == read(bot, ())


def test_shares_are_whole_and_something_is_left_for_every_model(bot):
    past, _ = lately("dumbbot")
    for usual, found in ((prior_shares(bot.models()), one) for one in read(bot, past).values()):
        assert sum(found.shares) == pytest.approx(1)
        assert all(share >= 0.09 * least for share, least in zip(found.shares, usual, strict=True))


def test_what_was_found_out_once_is_told_again(bot):
    """In any order of questions, for any seat: it depends on the season alone."""
    past, _ = lately("dumbbot", 5)
    fits: dict = {}
    models, powers = bot.models(), tuple(GAME.rules.board.powers)
    first = estimate_habits(models, past_seasons(past), powers, fits)
    known = dict(fits)
    assert estimate_habits(models, past_seasons(past), powers, fits) == first == read(bot, past)
    assert fits == known
    later, _ = lately("dumbbot", 6)
    assert estimate_habits(models, past_seasons(later), powers[::-1], fits) == read(bot, later)


def test_the_same_position_with_other_orders_is_another_season(bot):
    one, _ = lately("dumbbot", 1)
    other, _ = lately("intermediate", 1)
    assert one[0].before == other[0].before
    fits: dict = {}
    powers = tuple(GAME.rules.board.powers)
    estimate_habits(bot.models(), past_seasons(one), powers, fits)
    assert estimate_habits(bot.models(), past_seasons(other), powers, fits) == read(bot, other)


def test_the_advanced_guesses_by_what_it_has_seen(bot):
    """Of 24 samples nearly all have a DumbBot's orders where DumbBots have played, and a fifth at first."""
    past, state = lately("dumbbot", 10)
    seat = Seat("Germany")
    bot = bot.with_budget(2_000)
    known = _dumb(bot.with_history(past), state, seat)
    unknown = _dumb(bot, state, seat)
    assert sum(known.values()) / len(known) > 18 > 12 > sum(unknown.values()) / len(unknown)


def _dumb(bot: Advanced, state, seat: Seat) -> dict[Seat, int]:
    """Return, for each nation nearby, the number of samples with the guessed DumbBot's orders."""
    dice = SealedDice(b"secret", "guesses", 1)
    trials = bot.trials(bot.situation(state, seat), dice)
    (model,) = [one for at, one in enumerate(bot.models()) if at == DUMBBOT]
    found = {}
    for power in dict.fromkeys(unit.power for unit in trials.units if unit.power != seat):
        planner = model.planner(state, power, guessing(seat, dice))
        near = {unit.at for unit in trials.units if unit.power == power}
        drawn = [{at: one for at, one in planner(draw).items() if at in near} for draw in range(24)]
        found[power] = sum({at: one[at] for at in near} in drawn for one in trials.samples)
    return found


def test_who_seems_to_play_by_dice_is_not_expected_to_see_through_a_plan(bot):
    """Best replies are assumed of all others: they stand for what no plan foresees."""
    seat, dice = Seat("Germany"), SealedDice(b"secret", "replies", 1)
    past, state = lately("dumbbot", 10)
    planned, later = lately("intermediate", 5)
    for one, now, replied in (
        (bot, state, True),
        (bot.with_history(past), state, False),
        (bot.with_history(planned), later, True),
    ):
        situation = one.situation(now, seat)
        guessed = one.trials(situation, dice).samples
        _, trials = one.search(situation, dice)
        changed = [at for at, sample in enumerate(trials.samples) if sample != guessed[at]]
        assert bool(changed) is replied
        assert all(at % REPLY_SAMPLE_INTERVAL == REPLY_SAMPLE_INTERVAL - 1 for at in changed)


def test_it_remembers_nothing_but_what_it_is_shown(bot):
    past, state = lately("dumbbot", 10)
    (due,) = [due for due in GAME.rules.due(state) if due.seat == "Germany"]
    dice = SealedDice(b"secret", "advanced", 1)
    small = bot.with_budget(60)
    alone = small.orders(state, due, dice)
    watching = small.with_history(past)
    shown = watching.orders(state, due, dice)
    assert small.orders(state, due, dice) == alone
    assert replace(watching, fits={}).orders(state, due, dice) == shown
    assert watching.with_history(()).orders(state, due, dice) == alone


def test_it_throws_one_die_for_all_its_guesses(bot):
    """Each roll of a bot is in the game's log, where a die has a thousand million sides at most."""
    past, state = lately("dumbbot", 10)
    labels: list[str] = []
    most: list[int] = []

    class Noting(FirstDice):
        def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
            labels.append(label)
            most.append(sides)
            return super().draw(label, sides, count)

    watching = bot.with_history(past)
    watching.trials(watching.situation(state, Seat("Germany")), Noting())
    assert labels == ["guesses"]
    assert max(most) <= 1_000_000_000
