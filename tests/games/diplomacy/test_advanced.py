"""The advanced bot: what it finds, what it costs, whom it spares, with whom it reckons."""

from collections import Counter
from dataclasses import replace
from statistics import fmean

import pytest

import games
from games.dice import LabelledDice, SealedDice
from games.diplomacy.bots.advanced import Advanced, Outweighs, activity_words
from games.diplomacy.bots.alliances import Pact
from games.diplomacy.bots.candidates import Variations, sheet_of
from games.diplomacy.bots.common import TEMPERS, Situation
from games.diplomacy.bots.evaluation import Standpoint, Valuation, closeness, standpoint_after
from games.diplomacy.bots.intermediate import Intermediate
from games.diplomacy.bots.opponents import guessing, neighbourhood
from games.diplomacy.bots.search import Trials, orders_of
from games.diplomacy.model import (
    NEUTRAL,
    Build,
    Disband,
    Hold,
    Move,
    Phase,
    Piece,
    Province,
    SupportHold,
    SupportMove,
)
from games.judging import FirstDice
from games.options import settle
from games.protocol import Due, Seat
from games.record import replace_fields
from tests.kit.belgium_position import BELGIUM, BOARD, BOT, DICE, FRANCE, GAME, opening, plan_orders, state_of


def test_an_attack_that_nothing_can_stop_is_found_and_what_is_won_is_kept():
    orders = plan_orders(BELGIUM)
    burgundy, picardy = (Piece(kind="A", at=Province(at)) for at in ("BUR", "PIC"))
    assert orders["BUR"].order == Move(unit=burgundy, to=Province("BEL"))
    assert orders["PIC"].order == SupportMove(unit=picardy, other=burgundy, to=Province("BEL")), "never cut"
    assert isinstance(orders["SPA"].order, Hold), "Spain is its own when Fall is over, if it stays"
    lead = orders["BUR"]
    assert (lead.motive.aim, lead.motive.hits) == ("takes", lead.motive.samples)


def test_a_friend_is_spared_as_long_as_there_is_anything_else_to_win():
    orders = plan_orders(BELGIUM, bot=replace(BOT, pact=Pact(truces=(Seat("Germany"),))))
    german = ("BEL", "MUN")
    assert not [
        one for one in orders.values() if isinstance(one.order, Move | SupportMove) and one.order.to in german
    ]


def test_natural_partners_are_friends_from_the_start():
    """Indianomacy, designer's hints (1.22): no order goes into a partner's centre in the first season."""
    game = games.kinds()["indianomacy"]
    bot = Advanced(game.rules.variant, budget=100)
    state = game.rules.setup({}, DICE).state
    for due in game.rules.due(state):
        situation = bot.situation(state, due.seat)
        spared = {centre for centre, owner in state.centres.items() if owner in situation.friends}
        orders = [one.order for one in bot.plan_orders(situation, due, DICE)]
        assert not [one for one in orders if isinstance(one, Move | SupportMove) and one.to in spared]


@pytest.mark.parametrize("budget", [1, 25, 400])
def test_no_more_adjudications_are_made_than_the_budget_allows(budget):
    bot = BOT.with_budget(budget)
    situation = bot.situation(state_of(BELGIUM), FRANCE)
    _, trials = bot.search(situation, DICE)
    alike = [trials.samples.index(sample) for sample in trials.samples]
    made = sum(len(set(alike[: len(found)])) for found in trials.values.values())
    assert made <= trials.spent <= budget, "what the others order in two samples alike is adjudicated once"


def test_nothing_that_was_tried_to_the_end_is_worth_more_than_what_is_played():
    situation = BOT.situation(state_of({"phase": "F1901M", **opening()}), FRANCE)
    best, trials = BOT.search(situation, DICE)
    whole = [fmean(values) for values in trials.values.values() if len(values) == len(trials.samples)]
    assert len(whole) > 4, "more than the plans that it began with"
    assert trials.mean(best) == max(whole)


def test_the_same_view_and_dice_give_the_same_orders_and_reasons():
    state = state_of(BELGIUM)
    (due,) = [due for due in GAME.rules.due(state) if due.seat == FRANCE]
    assert BOT.orders(state, due, DICE) == Advanced(GAME.rules.variant, budget=400).orders(state, due, DICE)


def test_outside_a_game_too_the_samples_differ():
    situation = BOT.situation(state_of({"phase": "F1901M", **opening()}), FRANCE)
    samples = BOT.trials(situation, FirstDice()).samples
    assert (
        len({tuple(sorted((at, activity_words(BOARD, one)) for at, one in some.items())) for some in samples})
        > 1
    )


def test_a_third_of_the_samples_and_more_reckon_with_the_intermediate_and_not_all():
    """Each nation nearby, in 24 samples: what the level would order in its seat, and what others would."""
    situation = BOT.situation(state_of({"phase": "F1901M", **opening()}), FRANCE)
    samples = BOT.with_budget(2_000).trials(situation, DICE).samples
    assert len(samples) == 24
    level = Intermediate(GAME.rules.variant)
    for seat in {unit.power for unit in neighbourhood(situation)} - {FRANCE}:
        dice = LabelledDice(guessing(FRANCE, DICE), f"{seat}/Intermediate/even/")
        plan = sheet_of(level.moves(level.situation(situation.view, seat), dice))
        assert 8 <= _times(plan, samples) < 24


@pytest.mark.parametrize(
    "bot",
    [BOT, replace(BOT, dangers=Intermediate(GAME.rules.variant).dangers_on(GAME.rules.variant.board))],
    ids=["own dangers", "the intermediate's dangers"],
)
def test_the_intermediate_is_the_likeliest_of_those_who_do_not_search(bot):
    models = [model for model in bot.models() if not model.searches]
    likely = [
        model.often
        for model in models
        if type(model.player) is Intermediate and model.player.temper == Intermediate.temper
    ]
    assert sum(likely) > max(model.often for model in models if not isinstance(model.player, Intermediate))
    assert sum(likely) > sum(model.often for model in models) / 3


def test_a_third_of_the_samples_reckon_with_one_who_searches_as_well():
    """That one assumes no other searcher and searches less; otherwise it would never end."""
    situation = BOT.situation(state_of({"phase": "F1901M", **opening()}), FRANCE)
    samples = BOT.with_budget(2_000).trials(situation, DICE).samples
    (model,) = [one for one in BOT.models() if one.searches]
    searcher = model.player
    assert isinstance(searcher, Advanced)
    assert searcher.budget < BOT.budget
    assert not [one for one in searcher.models() if one.searches]
    for seat in {unit.power for unit in neighbourhood(situation)} - {FRANCE}:
        assert 8 <= _times(model.planner(situation.view, seat, DICE)(0), samples) < 24


def test_on_boards_of_armies_and_fleets_alone_others_are_reckoned_with_who_search():
    """On the other one the nations would win less evenly: `docs/bots.md`."""
    kinds = ("standard", "fleet-rome", "chaos", "indianomacy")
    reckons = [any(one.searches for one in games.kinds()[kind].bots["advanced"].models()) for kind in kinds]
    assert reckons == [True, True, True, False]


def test_all_who_guess_come_to_the_same_plan_of_one_who_searches():
    """For any guessing bots and any dice: each of them making the plan would take too long."""
    state = state_of({"phase": "F1901M", **opening()})
    plans = [
        model.planner(state, Seat("Italy"), guessing(Seat(seat), DICE))(0)
        for seat in ("France", "Austria", "Turkey")
        for model in Advanced(GAME.rules.variant, dangers={}).models()
        if model.searches
    ]
    assert len(plans) == 3
    assert plans[0] == plans[1] == plans[2]


def _times(plan, samples) -> int:
    """In how many samples units are ordered as in a plan, as far as they are in the samples at all."""
    return sum(all(some[at] == plan[at] for at in plan.keys() & some.keys()) for some in samples)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["standard", "indianomacy", "fleet-rome", "chaos"])
def test_in_positions_of_any_sort_all_orders_are_lawful_and_complete(kind):
    """Random play makes positions that no plan would: beaten units, lost homes, nothing left."""
    game = games.kinds()[kind]
    bot, aimless = Advanced(game.rules.variant, budget=15), game.sparring["random"]
    state = game.rules.setup(settle(game.about.options, {}), DICE).state
    for turn in range(10):
        dice = SealedDice(b"secret", kind, turn)
        orders = {}
        for number, due in enumerate(game.rules.due(state)):
            orders[due.seat] = [one.order for one in aimless.orders(state, due, LabelledDice(dice, due.seat))]
            if (number + turn) % 7 == 0 or due.kind != "moves":
                choices = bot.orders(state, due, LabelledDice(dice, due.seat))
                found = [one.order for one in choices]
                assert [game.rules.check(state, due.seat, one) for one in found] == [None] * len(found)
                assert all(one.reason for one in choices)
                _assert_complete(due, found)
        state = game.rules.adjudicate(state, orders, dice).state


def _assert_complete(due: Due, orders) -> None:
    if due.takes is None:
        assert Counter(one.slot for one in orders) == Counter(owed.slot for owed in due.owes)
    else:
        assert len(orders) == due.takes


def test_a_unit_is_removed_that_is_worth_least_where_it_stands():
    """Gascony is behind the front; all others are on centres or next to targets."""
    french = ["A Burgundy", "A Picardy", "A Piedmont", "F English Channel", "A Gascony"]
    question = {
        "phase": "W1902A",
        "units": {"France": french, "Germany": ["A Munich"]},
        "centres": {"France": ["Paris", "Brest", "Marseilles", "Spain"], "Germany": ["Munich"]},
    }
    (gone,) = plan_orders(question).values()
    assert gone.order == Disband(unit=Piece(kind="A", at=Province("GAS")))
    assert isinstance(gone.motive, Outweighs)
    assert gone.motive.of == 5
    assert gone.motive.margin > 0


def test_what_is_built_stands_where_it_is_worth_most_and_each_site_is_used_once():
    question = {
        "phase": "W1902A",
        "units": {"France": ["A Burgundy"], "Germany": ["A Munich"]},
        "centres": {"France": ["Paris", "Brest", "Marseilles"], "Germany": ["Munich", "Berlin"]},
    }
    built = plan_orders(question)
    assert len(built) == 2
    assert all(isinstance(one.order, Build) for one in built.values())


def test_a_beaten_unit_goes_where_it_is_worth_most_and_not_where_others_may_meet_it():
    """Holland is unowned, and a centre; but an English fleet may retreat there as well."""
    question = {
        "phase": "F1902R",
        "units": {"Germany": ["A Belgium", "F North Sea"], "France": ["A Picardy"]},
        "centres": {"France": ["Paris", "Brest"], "Germany": ["Belgium", "Kiel"]},
        "dislodged": {
            "France": [{"unit": "A Ruhr", "by_from": "Munich", "retreats": ["Holland", "Burgundy"]}]
        },
    }
    alone = plan_orders(question)["RUH"]
    assert alone.order.to == "HOL"
    assert alone.motive.margin > 0.5
    met = {**question["dislodged"]}
    met["England"] = [{"unit": "F Helgoland", "by_from": "Kiel", "retreats": ["Holland"]}]
    question["dislodged"] = met
    assert plan_orders(question)["RUH"].motive.margin < alone.motive.margin


class TestValuation:
    """Computed by hand, from the weights of valuation.py."""

    def worth(
        self, units: dict[str, list[str]], centres: dict[str, list[str]], phase: str = "S1902M"
    ) -> float:
        state = state_of({"phase": phase, "units": units, "centres": centres})
        occupants = {BOARD.index[unit.at]: (unit.power, unit.kind) for unit in state.units}
        return Valuation(BOT.situation(state, FRANCE)).worth(Standpoint(occupants))

    def test_a_centre_that_stronger_enemies_can_come_to_is_worth_less(self):
        centres = {"France": ["Paris", "Brest"], "Germany": ["Munich", "Kiel"]}
        away = {"France": ["A Brest"], "Germany": ["A Kiel"]}
        near = {"France": ["A Brest"], "Germany": ["A Burgundy"]}
        two = {"France": ["A Brest"], "Germany": ["A Burgundy", "A Picardy"]}
        safe, bound, exposed = (self.worth(units, centres) for units in (away, near, two))
        assert safe > bound > exposed
        assert safe - exposed > 0.2

    def test_in_fall_who_stands_on_a_centre_owns_it(self):
        centres = {"France": ["Paris"], "Germany": ["Munich"]}
        spring, fall = (
            self.worth({"France": ["A Belgium"], "Germany": ["A Munich"]}, centres, phase)
            for phase in ("S1902M", "F1902M")
        )
        assert fall > spring

    def test_to_win_is_worth_most_and_to_keep_another_from_it(self):
        """England owns 17 centres or 16; a French army is in one of them in Fall, or next to it."""
        french = ["Paris", "Brest", "Marseilles"]
        england = [BOARD.name(at) for at in BOARD.centres if BOARD.name(at) not in french][:17]

        def gain(seat: str, owned: list[str], phase: str = "F1905M") -> float:
            state = state_of({"phase": phase, "units": {}, "centres": {"France": french, "England": owned}})
            valuation = Valuation(BOT.situation(state, Seat(seat)))
            at = BOARD.index[BOARD.centres[[BOARD.name(one) for one in BOARD.centres].index(french[0])]]
            return valuation.worth(Standpoint({at: ("England", "A")})) - valuation.worth(Standpoint({}))

        assert gain("England", england) > 5 > 2 > gain("England", england[:12])
        assert gain("France", england) < gain("France", england[:12]) - 5

    @pytest.mark.parametrize(("phase", "more"), [("F1902M", 2 / 18 * (17 - 5)), ("S1902M", 0)])
    def test_to_take_from_who_has_much_is_worth_more_than_from_who_has_little(self, phase, more):
        """One of nine centres, or one of three: 81 - 64 is 17, and 9 - 4 is 5; and all is as near."""
        rest = [BOARD.name(at) for at in BOARD.centres if BOARD.name(at) not in ("Paris", "Belgium")]

        def worth(owner: str, rival: str) -> float:
            centres = {"France": ["Paris"], owner: [*rest[:8], "Belgium"], rival: rest[8:11]}
            return self.worth({"France": ["A Belgium"]}, centres, phase)

        def others_worth(owner: str, rival: str) -> float:
            centres = {"France": ["Paris"], owner: rest[:9], rival: [*rest[9:11], "Belgium"]}
            return self.worth({"France": ["A Belgium"]}, centres, phase)

        assert worth("Germany", "England") - others_worth("Germany", "England") == pytest.approx(more)

    @pytest.mark.parametrize(("danger", "share"), [(0, 1), (-1, 0.75), (-2, 0.75**2), (1, 1)])
    @pytest.mark.parametrize(("phase", "taken", "near"), [("S1902M", 0.8, 0.3), ("F1902M", 1.0, 0.6 * 0.3)])
    def test_a_centre_of_a_seat_that_is_no_danger_is_worth_less_by_each_step(
        self, danger, share, phase, taken, near
    ):
        """A unit in Belgium in Spring has 0.8 of it, one in Burgundy that can go there 0.3; after Fall it
        owns the centre.

        Germany has lost its only centre then, which counts twice for each step of danger.
        """
        centres = {"France": ["Brest"], "Germany": ["Belgium"]}
        question = {"phase": phase, "units": {"France": ["A Picardy"]}, "centres": centres}
        shrunk = 2 / 18 * (1 - 2**danger) if phase == "F1902M" else 0
        plain = replace(BOT.situation(state_of(question), FRANCE), dangers={})
        feared = replace(plain, dangers={Seat("Germany"): danger})

        def worth(situation: Situation, at: str) -> float:
            there = Standpoint({BOARD.index[Province(at)]: ("France", "A")})
            return Valuation(situation).worth(there) - closeness(situation, "A", Province(at))

        assert worth(plain, "BEL") - worth(feared, "BEL") == pytest.approx(taken * (1 - share) + shrunk)
        assert worth(plain, "BUR") - worth(feared, "BUR") == pytest.approx(near * (1 - share))

    def test_who_feeds_as_many_units_as_win_has_won(self):
        """In Indianomacy 24 centres win, and 23 War Parties. Apache owns 22, and takes another or not."""
        game = games.kinds()["indianomacy"]
        board, apache = game.rules.board, Seat("Apache")
        opening = replace_fields(game.rules.setup({}, DICE).state, phase=Phase(season="F", year=9, kind="M"))
        mine = dict.fromkeys([one for one in board.centres if one != "10"][:22], apache)

        def gain(owned: dict[Province, Seat]) -> float:
            state = replace_fields(opening, centres={**owned, Province("10"): Seat("Iroquois")})
            valuation = Valuation(Advanced(game.rules.variant, dangers={}).situation(state, apache))
            taken = Standpoint({board.index[Province("10")]: (apache, "W")})
            return valuation.worth(taken) - valuation.worth(Standpoint({}))

        assert gain(mine) > gain(dict([*mine.items()][:21])) + 4

    def test_a_neutral_that_stands_in_a_centre_takes_it_from_nobody(self):
        game = games.kinds()["indianomacy"]
        state = replace_fields(game.rules.setup({}, DICE).state, phase=Phase(season="F", year=1, kind="M"))
        valuation = Valuation(Advanced(game.rules.variant).situation(state, Seat("Apache")))
        at = game.rules.board.index[Province("10")]
        assert state.centres[Province("10")] == "Iroquois"
        assert valuation.worth(Standpoint({at: (NEUTRAL, "W")})) == valuation.worth(Standpoint({}))

    def test_nearer_to_what_there_is_to_win_is_better(self):
        centres = {"France": ["Paris", "Brest", "Marseilles", "Spain", "Portugal"], "Germany": ["Munich"]}
        far, near = (
            self.worth({"France": [at], "Germany": ["A Berlin"]}, centres)
            for at in ("A Gascony", "A Burgundy")
        )
        assert near > far

    def test_what_was_agreed_in_press_counts_as_nearer(self):
        situation = BOT.situation(state_of(BELGIUM), FRANCE)
        agreed = replace(situation, pact=Pact(targets=(Province("MUN"),)))
        assert closeness(agreed, "A", Province("GAS")) > closeness(situation, "A", Province("GAS"))

    def test_danger_counts_more_to_a_guardian_and_less_to_a_raider(self):
        def loss(name: str) -> float:
            situation = replace(BOT.situation(state_of(BELGIUM), FRANCE), temper=TEMPERS[name])
            army = {
                BOARD.index[Province("BUR")]: ("Germany", "A"),
                BOARD.index[Province("PIC")]: ("Germany", "A"),
            }
            valuation = Valuation(situation)
            return valuation.worth(Standpoint({})) - valuation.worth(Standpoint(army))

        assert loss("guardian") > loss("settler") > loss("raider") > 0

    def test_units_that_are_driven_off_count_against_those_who_lose_them(self):
        state = state_of(BELGIUM)
        valuation = Valuation(BOT.situation(state, FRANCE))
        nobody = Standpoint({})
        assert valuation.worth(Standpoint({}, lost=1)) < valuation.worth(nobody)
        assert valuation.worth(Standpoint({}, driven=1)) > valuation.worth(nobody)

    def test_what_was_met_before_is_worth_the_same_to_who_never_met_it(self):
        """Some hundred sets of orders tried in the opening, by a bot that caches the values of positions."""
        situation = BOT.situation(state_of({"phase": "F1901M", **opening()}), FRANCE)
        _, trials = BOT.search(situation, DICE)
        for key, values in trials.values.items():
            settled = trials.decide_against(orders_of(key), 0)
            after = standpoint_after(trials.units, BOARD.index, settled.moved, settled.beaten, FRANCE)
            assert Valuation(situation).worth(after) == trials.valuation.worth(after)
            assert not values or values[0] == trials.valuation.worth(after)


class TestVariations:
    def variations(self, bot: Advanced = BOT):
        situation = bot.situation(state_of(BELGIUM), FRANCE)
        return Variations(situation, situation.mine)

    def holds(self):
        state = state_of(BELGIUM)
        return {unit.at: Hold(unit=unit.piece) for unit in state.units if unit.power == FRANCE}

    def test_attacks_come_with_and_without_support_and_those_on_centres_come_first(self):
        found = self.variations().changes(self.holds())
        attacks = [
            change
            for change in found
            if any(isinstance(one, Move) and one.to == "BEL" for one in change.values())
        ]
        assert sorted(len(change) for change in attacks) == [1, 1, 2, 2]
        idle = [change == {"BUR": self.holds()["BUR"]} for change in found]
        assert idle.index(True) > max(found.index(change) for change in attacks)

    def test_a_support_that_has_lost_its_sense_is_mended(self):
        pic, bur = (Piece(kind="A", at=Province(at)) for at in ("PIC", "BUR"))
        sheet = {
            **self.holds(),
            Province("PIC"): Move(unit=pic, to=Province("BEL")),
            Province("BUR"): SupportMove(unit=bur, other=pic, to=Province("BEL")),
        }
        changed = self.variations().apply(sheet, {Province("PIC"): Hold(unit=pic)})
        assert changed[Province("BUR")] == SupportHold(unit=bur, other=pic)

    def test_who_finds_a_comrade_going_to_his_goal_supports_him(self):
        pic, bur = (Piece(kind="A", at=Province(at)) for at in ("PIC", "BUR"))
        sheet = {**self.holds(), Province("PIC"): Move(unit=pic, to=Province("BEL"))}
        changed = self.variations().apply(sheet, {Province("BUR"): Move(unit=bur, to=Province("BEL"))})
        assert changed[Province("PIC")] == SupportMove(unit=pic, other=bur, to=Province("BEL"))

    def test_every_variation_is_lawful(self):
        state = state_of(BELGIUM)
        variations, sheet = self.variations(), self.holds()
        for change in variations.changes(sheet):
            for order in variations.apply(sheet, change).values():
                assert GAME.rules.check(state, FRANCE, order) is None

    def test_none_enters_a_friends_centre(self):
        """A friend's by leaning, with whom nothing was agreed."""
        german = {"BEL", "MUN"}

        def entered(friends):
            situation = BOT.situation(state_of(BELGIUM), FRANCE)
            vars(situation)["friends"] = friends
            found = Variations(situation, situation.mine).changes(self.holds())
            return {
                order.to for change in found for order in change.values() if isinstance(order, Move)
            } & german

        assert entered(()) == german
        assert entered((Seat("Germany"),)) == set()

    def test_a_fleet_carries_an_army_over_one_water(self):
        question = {"phase": "F1902M", "units": {"England": ["A London", "F North Sea"]}}
        situation = BOT.situation(state_of(question), Seat("England"))
        variations = Variations(situation, situation.mine)
        sheet = {unit.at: Hold(unit=unit.piece) for unit in situation.mine}
        carried = {
            order.to
            for change in variations.changes(sheet)
            if len(change) == 2
            for order in change.values()
            if isinstance(order, Move) and order.unit.kind == "A"
        }
        assert {"NWY", "DEN", "HOL", "BEL", "EDI"} <= carried


class TestTrials:
    def trials(self, budget: int = 1000) -> tuple[Trials, dict]:
        bot = BOT.with_budget(budget)
        situation = bot.situation(state_of(BELGIUM), FRANCE)
        holds = {unit.at: Hold(unit=unit.piece) for unit in situation.mine}
        return bot.trials(situation, DICE), holds

    def test_a_sheet_that_is_much_worse_is_given_up_after_two_samples(self):
        trials, holds = self.trials()
        good = {**holds}
        pic, bur = (Piece(kind="A", at=Province(at)) for at in ("PIC", "BUR"))
        good[pic.at] = Move(unit=pic, to=Province("BEL"))
        good[bur.at] = SupportMove(unit=bur, other=pic, to=Province("BEL"))
        trials.mean(good)
        before = trials.spent
        assert not trials.beats(holds, good)
        assert [len(found) for found in trials.values.values()] == [len(trials.samples), 2]
        assert before < trials.spent <= before + 2
        assert trials.beats(good, holds) or len(trials.samples) > 2

    def test_trials_are_kept_and_cost_nothing_again(self):
        trials, holds = self.trials()
        first = trials.mean(holds)
        spent = trials.spent
        assert spent == sum(one not in trials.samples[:at] for at, one in enumerate(trials.samples))
        assert trials.mean(holds) == first == fmean(next(iter(trials.values.values())))
        assert trials.spent == spent

    def test_who_is_far_away_has_no_part(self):
        question = {**BELGIUM, "units": {**BELGIUM["units"], "Turkey": ["A Syria"], "Italy": ["A Piedmont"]}}
        near = neighbourhood(BOT.situation(state_of(question), FRANCE))
        assert {unit.at for unit in near} == {"PIC", "BUR", "SPA", "BEL", "MUN", "EDI", "PIE"}
