"""RECORD: a player's results in solo games, next to those of bots."""

from dataclasses import replace

import pytest

import games
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.reports.solo_records import CaseRecord, bots_in, record_of, record_text
from games.protocol import BotResults, CampaignCase, CaseResult, GameResult, Seat
from games.record import replace_fields
from tests.kit.memory_repository import MemoryRepository, new_position

ME, OTHER = "me@example.org", "other@example.org"
RESULTS = BotResults(
    bot="plain",
    games=10,
    seed="0",
    cases={"a side": {"won": {"4": 3, "8": 1}, "drawn": {"0": 2}, "lost": {"-2": 4}}},
)
POINTS = CampaignCase(name="a side", seat=Seat("player"), options={}, thing="points ahead", parts=2)


def over(name: str, kind: str = "war-chest", seat: str = "player", **changes: object) -> GamePosition:
    """A game of mine that is over. changes: of its state."""
    options = changes.pop("options", None)
    position = new_position(kind, name, {seat: ME}, options)
    return replace(position, status="over", state=replace_fields(position.state, **changes))


def won(name: str, turns: int, **changes: object) -> GamePosition:
    """A game of War Chest that I have won in so many turns."""
    return over(name, number=turns, ended="markers", winners=("player",), **changes)


def lost(name: str, turns: int) -> GamePosition:
    """One that the automaton has won."""
    return over(name, number=turns, ended="markers", winners=("ai",))


def chapters(*positions: GamePosition, address: str = ME) -> tuple[CaseRecord, ...]:
    return record_of(address, MemoryRepository({one.name: one for one in positions}))


@pytest.mark.parametrize(
    ("got", "beaten"),
    [
        (CaseResult(end="won", count=9), 1.0),
        (CaseResult(end="won", count=8), 0.9),
        (CaseResult(end="won", count=1), 0.6),
        (CaseResult(end="drawn", count=0), 0.4),
        (CaseResult(end="lost", count=-2), 0.0),
    ],
)
def test_a_result_beats_the_games_that_were_worse_and_none_that_is_level(
    got: CaseResult, beaten: float
) -> None:
    """Of ten games the bot lost four by 1, drew two, won three by 2 and one by 4."""
    assert bots_in(RESULTS, POINTS).share_beaten_by(POINTS, got) == pytest.approx(beaten)
    assert bots_in(RESULTS, POINTS).share("won") == pytest.approx(0.4)


def test_the_quickest_victory_is_the_best_and_all_are_counted() -> None:
    (one,) = chapters(won("a", 80), won("b", 60), lost("c", 40))
    assert (one.count_ended("won"), one.count_ended("drawn"), one.count_ended("lost")) == (2, 0, 1)
    assert one.best == ("b", CaseResult(end="won", count=60))


def test_levels_stand_apart_in_the_order_of_the_game() -> None:
    found = chapters(won("a", 80, options={"level": "advanced"}), won("b", 60))
    assert [one.case.options["level"] for one in found] == ["beginner", "advanced"]


def test_only_what_is_over_mine_and_played_alone_counts() -> None:
    """A game that runs, one that was halted, one of another person, one against a person."""
    runs = replace(won("a", 80), status="running")
    halted = over("b")
    war = over("c", kind="boer-war", seat="Boers", ended="centres", winners=("empire",))
    against = replace(
        war,
        name="d",
        assignments={
            seat: replace_fields(assignment, address=ME if seat == "Boers" else OTHER)
            for seat, assignment in war.assignments.items()
        },
    )
    duel = over("e", seat="gold", options={"opponent": "human"}, ended="markers", winners=("gold",))
    assert chapters(runs, halted, against, duel) == ()
    assert chapters(war, address=OTHER) == ()
    (one,) = chapters(war)
    assert (one.case.name, one.best[1].end) == ("As the Boers", "lost")


def test_a_game_that_was_given_up_is_lost() -> None:
    """Whether the other side has won then, or nobody."""
    for winners in (("ai",), ()):
        (one,) = chapters(replace(over("a"), agreed=GameResult(winners=winners, reason="given up")))
        assert one.best[1].end == "lost"


def test_a_game_that_ended_in_a_draw_by_its_rules_is_drawn() -> None:
    (one,) = chapters(over("a", ended="turns"))
    assert one.best[1].end == "drawn"


def test_a_game_with_a_rule_of_its_own_is_compared_with_nothing() -> None:
    own, usual = chapters(won("a", 60), won("b", 60, options={"royal_mode": "mass_recruit"}))[::-1]
    assert (own.apart, own.bots) == (("royal_mode",), None)
    assert usual.bots is not None
    assert "your own royal_mode" in " ".join(record_text((own,)).split())
    assert sentence("reports.campaign_record.no_comparison") in record_text((own,))


def test_a_record_is_told_in_rows_of_72_columns() -> None:
    text = record_text(chapters(won("beaver", 30), lost("otter", 40)))
    assert text.splitlines()[0] == "War Chest"
    assert "    2 games: 1 won, 1 lost" in text
    assert "    Your best: won, 30 turns, in beaver" in text
    assert "the bot house" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 72


def test_halves_of_points_are_told_as_halves() -> None:
    case = games.kinds()["plains-indian-wars"].campaign.cases[0]
    chapter = CaseRecord("Wars", "wars", case, (), (("beaver", CaseResult(end="won", count=17)),), None)
    assert "won, 8½ victory points ahead, in beaver" in record_text((chapter,))
    behind = replace_fields(chapter, played=(("beaver", CaseResult(end="lost", count=-1)),))
    assert "lost, -½ victory points ahead" in record_text((behind,))
