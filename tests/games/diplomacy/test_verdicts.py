"""The advanced bot's reasons for its orders agree with its trials."""

from dataclasses import replace

import pytest

from games.dice import SealedDice
from games.diplomacy.adjudication.resolver import decide_orders
from games.diplomacy.bots.advanced import Expects, reason_verdicts, verdict_phrase
from games.diplomacy.bots.search import Fear, orders_of
from games.diplomacy.model import Convoy, Hold, Move, Piece, Province, SupportHold, SupportMove
from games.protocol import Seat
from tests.kit.belgium_position import BELGIUM, BOARD, BOT, DICE, FRANCE, opening, plan_orders, state_of


@pytest.mark.parametrize("seed", range(5))
def test_every_reason_is_what_the_trials_came_to(seed):
    """The samples, played again, give the stated figures, and the next best orders are worse as stated."""
    dice = SealedDice(b"secret", "reasons", seed)
    bot = BOT.with_budget(120)
    # The opening has hardly a unit that could be beaten, the other position has little else.
    question = BELGIUM if seed % 2 else {"phase": "F1901M", **opening()}
    situation = bot.situation(state_of(question), FRANCE)
    best, trials = bot.search(situation, dice)
    index = BOARD.index
    for one in bot.moves(situation, dice):
        motive, order = one.motive, one.order
        assert order == best[order.unit.at]
        settled = [trials.decide_against(best, number) for number in range(motive.samples)]
        if motive.aim in ("takes", "enters", "goes"):
            assert motive.hits == sum(
                some.moved.get(index[order.unit.at]) == index[order.to] for some in settled
            )
            assert motive.hits >= sum(index[order.to] in some.contested for some in settled)
        elif motive.aim in ("bars", "helps bar"):
            contested = sum(index[order.to] in some.contested for some in settled)
            assert motive.hits == contested or (not contested and motive.hits == _barred(trials, best, order))
        elif motive.aim == "cuts":
            assert not any(index[order.unit.at] in some.moved for some in settled)
            supporting = [index[order.to] in some.season.supports for some in settled]
            assert 0 < motive.hits <= sum(supporting)
        elif motive.aim in ("helps in", "carries"):
            assert motive.hits == sum(
                some.moved.get(index[order.other.at]) == index[order.to] for some in settled
            )
            assert motive.hits >= sum(index[order.to] in some.contested for some in settled)
        else:
            kept = order.other.at if isinstance(order, SupportHold) else order.unit.at
            assert motive.hits == sum(index[kept] not in some.beaten for some in settled)
        assert motive.margin >= -1e-9 or motive.instead is None
        _assert_feared(motive.fear, settled, order)
        if motive.instead is not None:
            margins = [
                trials.margin(best, key)[0]
                for key, values in trials.values.items()
                if len(values) > 1 and orders_of(key)[order.unit.at] == motive.instead
            ]
            assert motive.margin == pytest.approx(min(margins))


@pytest.mark.parametrize(
    ("attackers", "helped_into", "aim"),
    [
        ("PIC", "BUR", "cuts the support from Belgium in 2 of 2 simulations"),
        ("BUR PIC", "BUR", "takes Belgium in 0 of 2 simulations"),
        ("PIC", "RUH", "takes Belgium in 0 of 2 simulations"),
    ],
    ids=["from elsewhere", "from where it is given into", "of what nobody does"],
)
def test_an_attack_that_gets_nowhere_is_told_by_the_support_that_it_cuts(attackers, helped_into, aim):
    """A support into Burgundy is cut, but not from Burgundy; one of what is not ordered is none."""
    situation = BOT.situation(state_of(BELGIUM), FRANCE)
    belgium, munich = (Piece(kind="A", at=Province(at)) for at in ("BEL", "MUN"))
    helped = SupportMove(unit=belgium, other=munich, to=Province(helped_into))
    sample = {Province("BEL"): helped, Province("MUN"): Move(unit=munich, to=Province("BUR"))}
    trials = replace(BOT.trials(situation, DICE), samples=(sample, sample))
    best = {unit.at: Hold(unit=unit.piece) for unit in situation.mine}
    for at in map(Province, attackers.split()):
        best[at] = Move(unit=Piece(kind="A", at=at), to=Province("BEL"))
    trials.mean(best)
    found = {one.order.unit.at: one.choice(BOARD).reason for one in reason_verdicts(situation, trials, best)}
    reason = f"{aim}; Germany blocks it in 2; no other order was tried"
    assert found[Province(attackers.split()[0])] == reason


def test_a_support_that_somebody_else_cuts_is_not_ours_to_cut():
    """An army whose fleet is beaten attacks nobody, and nobody cuts the support of a comrade."""
    units = {
        "France": ["A Brest", "F English Channel", "A Paris", "A Picardy"],
        "Germany": ["A Belgium", "A Burgundy", "F North Sea", "F Irish Sea"],
        "England": ["A Holland"],
    }
    situation = BOT.situation(state_of({"phase": "F1902M", "units": units, "centres": {}}), FRANCE)
    pieces = {unit.at: unit.piece for unit in situation.view.units}
    bre, eng, par, pic, bel, bur, nth, iri, hol = (
        pieces[Province(at)] for at in ("BRE", "ENG", "PAR", "PIC", "BEL", "BUR", "NTH", "IRI", "HOL")
    )
    theirs = [
        SupportMove(unit=bel, other=bur, to=pic.at),
        Move(unit=bur, to=pic.at),
        Move(unit=nth, to=eng.at),
        SupportMove(unit=iri, other=nth, to=eng.at),
        Move(unit=hol, to=bel.at),
    ]
    ours = [
        Move(unit=bre, to=bel.at, via=True),
        Convoy(unit=eng, other=bre, to=bel.at),
        Move(unit=par, to=pic.at),
        SupportHold(unit=pic, other=bel),
    ]
    sample, best = ({one.unit.at: one for one in some} for some in (theirs, ours))
    trials = replace(BOT.trials(situation, DICE), units=situation.view.units, samples=(sample,))
    trials.mean(best)
    settled = trials.decide_against(best, 0)
    cut = [settled.succeeds[BOARD.index[one.at]] for one in (bel, pic)]
    assert cut == [False, False], "by Holland and by Burgundy"
    found = {one.order.unit.at: one.motive for one in reason_verdicts(situation, trials, best)}
    assert (found[bre.at].aim, found[bre.at].hits) == ("takes", 0)
    assert found[par.at].aim == "goes"


def _barred(trials, best, order) -> int:
    """Return the number of samples in which somebody enters an order's destination only without it."""
    goal, staying = BOARD.index[order.to], {**best, order.unit.at: Hold(unit=order.unit)}

    def is_entered(sheet) -> bool:
        some = decide_orders(BOARD, trials.rulebook, trials.units, sheet)
        return any(to == goal and some.season.nation[come] != FRANCE for come, to in some.moved.items())

    return sum(is_entered(one | staying) and not is_entered(one | best) for one in trials.samples)


@pytest.mark.parametrize(
    "england", ["A London", "A Picardy"], ids=["to where nobody is", "to where somebody is"]
)
def test_a_move_that_gets_nowhere_is_told_by_the_place_that_it_keeps_others_out_of(england):
    """And so does its support: two units with support go to Picardy, and both bounce."""
    units = {"France": ["A Paris", "A Brest"], "Germany": ["A Belgium", "A Burgundy"], "England": [england]}
    situation = BOT.situation(state_of({"phase": "F1902M", "units": units, "centres": {}}), FRANCE)
    paris, brest, belgium, burgundy = (
        Piece(kind="A", at=Province(at)) for at in ("PAR", "BRE", "BEL", "BUR")
    )
    to = Province("PIC")
    theirs = [Move(unit=belgium, to=to), SupportMove(unit=burgundy, other=belgium, to=to)]
    ours = [Move(unit=paris, to=to), SupportMove(unit=brest, other=paris, to=to)]
    sample, best = ({one.unit.at: one for one in some} for some in (theirs, ours))
    trials = replace(BOT.trials(situation, DICE), samples=(sample, sample))
    trials.mean(best)
    found = {one.order.unit.at: one.choice(BOARD).reason for one in reason_verdicts(situation, trials, best)}
    assert found["BRE"] == "helps keep others out of Picardy in 2 of 2 simulations; no other order was tried"
    assert found["PAR"].startswith("keeps others out of Picardy in 2 of 2 simulations; ")


def _assert_feared(fear, settled, order) -> None:
    """Check that the feared nation attacks in as many samples as stated, or that no sample has an attack."""
    index = BOARD.index
    at, goal = index[order.unit.at], index[order.to] if isinstance(order, Move) else None
    driven = [some.season.nation[some.beaten[at]] for some in settled if at in some.beaten]
    kept = []
    for some in settled:
        if goal is not None and at not in some.moved:
            nation = some.season.nation
            comers = {nation[place] for place in range(len(nation)) if some.season.goal.get(place) == goal}
            kept.append(comers | ({nation[goal]} if goal not in some.moved else set()))
    if fear is None:
        assert driven == []
        assert all(powers <= {None, FRANCE} for powers in kept)
    elif fear.danger == "driven out":
        assert fear.times == driven.count(fear.by)
    else:
        assert driven == []
        assert fear.times == sum(fear.by in powers for powers in kept)


def test_a_margin_that_chance_may_have_made_is_no_clear_difference():
    """Seven samples speak for it, an eighth against: by Student's t of 2.36 a mean of 0.2 may be chance."""
    situation = BOT.situation(state_of(BELGIUM), FRANCE)
    trials = BOT.trials(situation, DICE)
    best = {unit.at: Hold(unit=unit.piece) for unit in situation.mine}
    bur = Piece(kind="A", at=Province("BUR"))
    other = {**best, Province("BUR"): Move(unit=bur, to=Province("RUH"))}
    key = tuple(other.values())
    trials.values[tuple(best.values())] = [0.4] * 7 + [-1.2]
    trials.values[key] = [0.0] * 8
    assert trials.margin(best, key) == (pytest.approx(0.2), 8)
    assert trials.noise(best, key) == pytest.approx(2.36 * 0.2, abs=0.001)
    unsure = Expects(
        aim="stays",
        at=Province("BUR"),
        hits=5,
        samples=8,
        instead=other["BUR"],
        margin=0.2,
        noise=0.47,
        fear=Fear("driven out", Seat("Germany"), 3),
        tried=2,
    )
    assert verdict_phrase(BOARD, unsure) == (
        "keeps Burgundy in 5 of 8 simulations; Germany dislodges it in 3; "
        "no clear difference from going to Ruhr"
    )


def test_a_reason_names_what_is_expected_and_the_next_best():
    motive = Expects(
        aim="takes",
        at=Province("BEL"),
        hits=17,
        samples=20,
        instead=SupportMove(
            unit=Piece(kind="A", at=Province("BUR")),
            other=Piece(kind="A", at=Province("PIC")),
            to=Province("BEL"),
        ),
        margin=0.4167,
        noise=0.1,
        fear=Fear("in the way", Seat("Germany"), 3),
        tried=99,
    )
    assert verdict_phrase(BOARD, motive) == (
        "takes Belgium in 17 of 20 simulations; Germany blocks it in 3; "
        "0.42 centres better than supporting Picardy into Belgium"
    )
    alone = Expects(
        aim="stays", at=Province("BEL"), hits=5, samples=6, instead=None, margin=0.0, noise=0.0, tried=1
    )
    assert verdict_phrase(BOARD, alone) == "keeps Belgium in 5 of 6 simulations; no other order was tried"


def test_the_choice_keeps_what_was_weighed_as_data():
    choice = plan_orders(BELGIUM)["SPA"].choice(BOARD)
    (decision,) = choice.decisions
    assert decision.clause == "worth"
    assert decision.choices[0] == "staying"
    assert decision.criterion in choice.reason
