"""Alternative boards of Indianomacy: what may move, what never does, and which board is the fairest."""

from dataclasses import dataclass, replace
from json import loads
from math import sqrt
from statistics import fmean

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from adjudicator.errors import Refusal
from adjudicator.tournament.balance import DraftSearch, search, weigh
from adjudicator.tournament.tournament import FixtureRequest, contest, ending_after, fixture
from games.protocol import AlternativeBoards, Invalid

GAME = games.kinds()["indianomacy"]
OPTIONS = {"centres": "assumed"}
DRAFTS = GAME.drafts(OPTIONS)
CHART = GAME.rules.board.chart
HOMES = {home for power in CHART.powers for home in power.homes}
ASSUMED = set(CHART.assumed_centres)
PLAN = fixture(GAME, {**ending_after(GAME, 1), **OPTIONS}, FixtureRequest(seed="balance"))
NOOTKA = "36"
SHORT = ["tournament", "indianomacy", "--years", "1", "--games", "1"]


def centres_of(drafts):
    """Return the centres of drafts that move only a centre."""
    return [draft for draft in drafts if draft and "-" not in draft]


def test_a_step_moves_one_assumed_centre_next_door_and_touches_nothing_that_is_given():
    steps = centres_of(DRAFTS.steps(""))
    assert len(steps) > 8
    assert len(set(steps)) == len(steps)
    for draft in steps:
        was, then = draft.split(">")
        assert was in ASSUMED
        assert then in GAME.rules.board.army[was]
        assert then not in {*HOMES, *GAME.rules.board.centres, CHART.taboo}
    assert NOOTKA not in {draft.split(">")[0] for draft in steps}, "nobody walks there"


def test_a_step_turns_one_short_border_or_turns_it_back():
    steps = DRAFTS.steps("57>56")
    turned = [draft for draft in steps if "-" in draft]
    assert len(turned) == len(CHART.turns) > 40
    first = turned[0]
    assert first.startswith("57>56+")
    further = DRAFTS.steps(first)
    assert "57>56" in further, "it may go back"
    assert len(set(further)) == len(further)
    (one,) = (turn for turn in CHART.turns if f"{'-'.join(turn.parts)}>{'-'.join(turn.ends)}" in first)
    before, after = (DRAFTS.game(draft).rules.board.army for draft in ("57>56", first))
    assert one.parts[1] in before[one.parts[0]]
    assert one.parts[1] not in after[one.parts[0]]
    assert one.ends[1] not in before[one.ends[0]]
    assert one.ends[0] in after[one.ends[1]]
    changed = {place for place in before if before[place] != after[place]}
    assert changed == {*one.parts, *one.ends}
    names = [GAME.rules.board.name(place) for place in (*one.parts, *one.ends)]
    assert all(name in DRAFTS.describe(first) for name in names)


def test_borders_that_cannot_be_turned_together_are_no_draft():
    """Piegan and Flathead would meet where Blood and Kutenai did, and they are what another one needs."""
    pairs = [
        (one, other)
        for one in CHART.turns
        for other in CHART.turns
        if {*other.parts} < {*one.parts, *one.ends}
    ]
    hindered = [(one, other) for one, other in pairs if other != one]
    assert hindered
    one, other = ("-".join(each.parts) + ">" + "-".join(each.ends) for each in hindered[0])
    assert one in DRAFTS.steps("")
    assert not [draft for draft in DRAFTS.steps(one) if {one, other} <= {*draft.split("+")}]
    with pytest.raises(Invalid):
        DRAFTS.game(f"{one}+{other}")


def test_a_second_step_goes_on_from_the_first_and_back_again():
    first = DRAFTS.steps("")[0]
    further = DRAFTS.steps(first)
    assert first not in further
    assert {one.count("+") for one in centres_of(further)} == {0, 1}
    assert "" in further, "it may go back"
    was = first.split(">")[0]
    assert all(one.count(f"{was}>") <= 1 for one in centres_of(further))


def test_the_game_of_a_draft_has_as_many_centres_and_the_same_homes_and_starts():
    draft = DRAFTS.steps("")[0]
    was, then = draft.split(">")
    board = DRAFTS.game(draft).rules.board
    assert set(board.centres) == {*GAME.rules.board.centres, then} - {was}
    assert board.starts == GAME.rules.board.starts
    assert board.army == GAME.rules.board.army
    assert then not in GAME.rules.board.centres, "the game itself is as it was"


@pytest.mark.parametrize("draft", ["1>2", "57>68", "57>120", "57>a", "57>999"])
def test_what_is_no_draft_is_refused(draft):
    with pytest.raises(Invalid, match="cannot become"):
        DRAFTS.game(draft)


@dataclass(frozen=True)
class Few:
    """The drafts of Indianomacy, two steps from the board and none from there."""

    whole: AlternativeBoards

    def steps(self, draft):
        return () if draft else self.whole.steps("")[:2]

    def leaps(self, draft):
        return self.whole.leaps(draft)[:5]

    def game(self, draft):
        return self.whole.game(draft)

    def describe(self, draft):
        return self.whole.describe(draft)


def test_each_board_is_weighed_once_by_the_games_that_its_seed_plays():
    few = replace(GAME, drafts=lambda options: Few(DRAFTS))
    found = list(search(few, PLAN, DraftSearch(2, rounds=3)))
    assert [one.draft for one in found] == ["", *DRAFTS.steps("")[:2]]
    assert found[0].words == "as it is"
    played = list(contest(PLAN, 2))
    for seat, share in found[0].shares.items():
        assert share.value == fmean(game.points(seat) for game in played)
    shares = [share.value for share in found[0].shares.values()]
    assert found[0].spread == pytest.approx(sqrt(fmean((share - 1 / 8) ** 2 for share in shares)))
    assert found[0].wins == fmean(bool(game.result.winners) for game in played)
    other = found[1].draft
    assert weigh(few, replace(PLAN, draft=other), 2) == found[1], "the same again"
    assert " for " in found[1].words


def test_a_leap_goes_anywhere_on_the_same_land_that_is_nobodys():
    leaps = DRAFTS.leaps("")
    board = GAME.rules.board
    free = {at for at in board.steps(["57"], on_foot=True)} - {*HOMES, *board.centres, CHART.taboo}
    assert set(centres_of(leaps)) == {f"{was}>{then}" for was in ASSUMED - {NOOTKA} for then in free}
    assert set(DRAFTS.steps("")) < set(leaps)
    back = DRAFTS.leaps("57>56+112>74")
    assert "112>74" in back, "it may go back"
    assert "57>56+112>57" in back, "and take the place of another"


def test_a_search_by_lot_weighs_as_many_leaps_as_were_asked_for_and_the_same_again():
    few = replace(GAME, drafts=lambda options: Few(DRAFTS))
    how = DraftSearch(1, rounds=1, by="score", leaps=3)
    found = [*search(few, PLAN, how)]
    assert len(found) == 4
    assert {one.draft for one in found[1:]} <= {*DRAFTS.leaps("")[:5]}
    assert [one.draft for one in search(few, PLAN, how)] == [one.draft for one in found]


def test_of_what_a_sieve_weighs_a_third_goes_on_to_all_games():
    few = replace(GAME, drafts=lambda options: Few(DRAFTS))
    found = list(search(few, PLAN, DraftSearch(3, rounds=1, by="score", leaps=5, sieves=(1, 2))))
    assert [one.games for one in found] == [3, 1, 1, 1, 1, 1, 2, 2, 3]
    first, second = found[1:6], found[6:8]
    assert {one.draft for one in second} == {one.draft for one in sorted(first, key=lambda one: one.cost)[:2]}
    (last,) = found[8:]
    assert last.draft == min(second, key=lambda one: one.cost).draft
    assert last == weigh(few, replace(PLAN, draft=last.draft), 3, by="score"), "as if all were played anew"


def test_a_board_costs_more_on_which_somebody_has_less_than_half_of_what_he_began_with():
    one = weigh(GAME, PLAN, 1, by="score")
    played = next(contest(PLAN, 1))
    begun = {power.id: len(power.starts) for power in CHART.powers}
    assert one.kept == {seat: played.scores[played.end].get(seat, 0) / begun[seat] for seat in begun}
    fed = replace(one, kept=dict.fromkeys(one.kept, 0.5))
    assert fed.cost == one.spread
    starved = replace(one, kept={**fed.kept, "Apache": 0.1})
    assert starved.cost == pytest.approx(one.spread + 0.5 * 0.4 / 8)


def test_of_longer_games_it_counts_what_is_left_after_ten_years():
    plan = replace(PLAN, options={**PLAN.options, **ending_after(GAME, 12)})
    played = next(contest(plan, 1))
    assert played.end > 10
    assert played.scores[10] != played.scores[played.end]
    kept = weigh(GAME, plan, 1).kept
    assert kept == {
        power.id: played.scores[10].get(power.id, 0) / len(power.starts) for power in CHART.powers
    }


def test_games_can_be_played_from_a_number_on():
    assert list(contest(PLAN, 3, first=1)) == list(contest(PLAN, 3))[1:]
    assert list(contest(PLAN, 1, first=2)) == []


@pytest.mark.parametrize("sieve", ["a", "0", "2,1", "1,1", "1,"])
def test_sieves_that_do_not_rise_are_refused(sieve):
    shown = CliRunner().invoke(app, [*SHORT, "--balance", "1", "--sieve", sieve], prog_name="gm")
    assert shown.exit_code == 2
    assert "--sieve" in shown.stderr


def test_the_squares_of_the_last_scores_may_be_what_is_shared():
    (game,) = contest(PLAN, 1)
    last = game.scores[game.end]
    whole = sum(count**2 for count in last.values())
    shares = weigh(GAME, PLAN, 1, by="score").shares
    for seat, share in shares.items():
        assert share.value == pytest.approx(last.get(seat, 0) ** 2 / whole)


def test_a_draft_is_a_change_to_the_board_that_the_options_choose():
    """A search from another reading of the lost centres goes on from that, and its games are played on it."""
    chosen = {"centres": "inland"}
    inland = GAME.drafts(chosen)
    first = inland.steps("")[0]
    was, then = first.split(">")
    assert was in CHART.inland_centres
    opening = inland.game(first).rules.board
    assert set(opening.centres) == {*GAME.rules.board.centres, *CHART.inland_centres, then} - (
        ASSUMED - {*CHART.inland_centres}
    ) - {was}
    played = fixture(
        GAME, {**ending_after(GAME, 1), **chosen}, FixtureRequest(seed="balance", draft=first)
    ).game(0)
    assert played.end == 1
    with pytest.raises(Refusal, match="cannot become"):
        fixture(GAME, {}, FixtureRequest(draft="57>68"))


def test_a_chart_of_many_boards_is_refused():
    words = ["tournament", "indianomacy", "--balance", "1", "--chart", "chart.svg"]
    shown = CliRunner().invoke(app, words, prog_name="gm")
    assert shown.exit_code == 2
    assert "--balance" in shown.stderr


def test_a_search_by_command_begins_where_it_is_told_to_and_shows_what_was_won():
    where = ["--draft", "57>56", "--balance", "1", "--leaps", "1", "--by", "score"]
    shown = CliRunner().invoke(app, [*SHORT, *where, "--json"], prog_name="gm")
    assert shown.exit_code == 0, shown.output
    found = {one["draft"]: one for one in loads(shown.stdout)}
    assert len(found) == 2
    first, *_ = (one for name, one in found.items() if name == "57>56")
    assert first["words"] == "Sauk and Fox for Winnebago"
    assert first["wins"] == 0
    assert sum(value for _, value, _ in first["shares"].values()) == pytest.approx(1)


@pytest.mark.parametrize("way", [["--leaps", "3"], ["--by", "score"], ["--sieve", "1"]])
def test_how_to_search_without_a_search_is_refused(way):
    shown = CliRunner().invoke(app, [*SHORT, *way], prog_name="gm")
    assert shown.exit_code == 2
    assert "--balance" in shown.stderr


def test_a_board_of_which_nothing_is_assumed_is_not_searched():
    standard = games.kinds()["standard"]
    with pytest.raises(Refusal, match="this board has no alternatives"):
        list(search(standard, fixture(standard, {}), DraftSearch(1, 1)))
    with pytest.raises(Refusal, match="this board has no alternatives"):
        fixture(standard, {}, FixtureRequest(draft="57>56"))
