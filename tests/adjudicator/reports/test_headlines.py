"""Headlines name the sides, and none is the same as the one before."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import pytest

import games
from adjudicator.model.games import PlayedTurn
from adjudicator.reports.results import choose_headline
from adjudicator.turns.log import EntryOrigin, set_up
from adjudicator.turns.runner import earlier_turns, play_turns, position_after
from games.dice import SealedDice
from games.diplomacy.events import AnyEvent, Captured, Resolved
from games.diplomacy.model import Move, Province, Unit
from games.options import settle
from games.protocol import Seat
from games.record import canonical
from tests.kit.memory_repository import NOON, SECRET, new_position

STANDARD = games.kinds()["standard"]
BOARD = STANDARD.rules.board
START = STANDARD.rules.view(STANDARD.rules.setup({}, SealedDice(b"", "game", 0)).state, None)


def at(name: str) -> Province:
    return next(place for place in BOARD.places if BOARD.abbr(place) == name)


def bounced(power: str, text: str, to: str) -> Resolved:
    piece = Unit(power=Seat(power), kind=text[0], at=at(text[2:])).piece
    return Resolved(power=Seat(power), unit=piece, order=Move(unit=piece, to=at(to)), outcome="bounced")


STAND_OFF = (bounced("France", "A BUR", "BEL"), bounced("Germany", "A RUH", "BEL"))
CAPTURE = Captured(centre=at("BUL"), was=None, now=Seat("Turkey"))


def headlines(turns: Sequence[Sequence[AnyEvent]]) -> list[str]:
    return [
        choose_headline(STANDARD, START, events, reversed(turns[:place]))
        for place, events in enumerate(turns)
    ]


def test_what_happens_again_and_again_is_news_once_then_who_leads_then_how_long() -> None:
    first, second, third, fourth = headlines([STAND_OFF] * 4)
    (news,) = {item.text for item in STANDARD.telling.news(STAND_OFF) if not item.rank}
    assert first == news
    assert second == STANDARD.telling.standing(START)
    assert news.removesuffix(".") in third
    assert news.removesuffix(".") in fourth
    assert "2" in third
    assert "3" in fourth


def test_other_news_comes_before_what_happened_again() -> None:
    _, second, third = headlines([STAND_OFF, (*STAND_OFF, CAPTURE), STAND_OFF])
    assert second == STANDARD.telling.headline([CAPTURE])
    assert third not in (second, STANDARD.telling.headline(STAND_OFF))


def test_news_that_stopped_for_a_turn_is_news_again() -> None:
    assert headlines([STAND_OFF, (CAPTURE,), STAND_OFF])[2] == STANDARD.telling.headline(STAND_OFF)


@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_a_game_in_which_nobody_moves_has_another_headline_each_turn(kind: str) -> None:
    game = games.kinds()[kind]
    chosen = list(islice(_chosen_by_default(kind), 12))
    assert all(first != second for first, second in pairwise(chosen))
    seats = game.about.seats(settle(game.about.options, {}))
    assert [text for text in chosen if not any(seat in text for seat in seats)] == []


def _chosen_by_default(kind: str) -> Iterator[str]:
    game = games.kinds()[kind]
    state = game.rules.setup(settle(game.about.options, {}), SealedDice(b"", "game", 0)).state
    earlier: list[Sequence[AnyEvent]] = []
    while game.rules.result(state) is None:
        orders = {due.seat: game.rules.default(state, due) for due in game.rules.due(state)}
        outcome = game.rules.adjudicate(state, orders, SealedDice(b"", "game", 1))
        state = outcome.state
        yield choose_headline(game, game.rules.view(state, None), outcome.events, reversed(earlier))
        earlier.append(outcome.events)


def test_earlier_turns_come_in_the_groups_that_ran_together_the_latest_first() -> None:
    """Whatever number of entries is read at first. The events are computed again, with the same rolls."""
    game = games.kinds()["war-chest"]
    start = new_position("war-chest", options=settle(game.about.options, {}))
    entry, _ = set_up(game, start.name, start.options, SECRET, EntryOrigin.first(NOON))
    position, steps, log = start, list[PlayedTurn](), [(entry, canonical(start.state))]
    for number in range(13):
        played = play_turns(game, position, NOON + number // 3, ripe=False)
        assert played is not None
        steps += played.steps
        log += [(step.entry, canonical(step.after)) for step in played.steps]
        position = position_after(position, played)
    before = steps[-2].entry.number
    groups = list(earlier_turns(game, position, lambda most: log[-most:], before))
    assert [step.entry for group in reversed(groups) for step in group] == [step.entry for step in steps[:-2]]
    assert [step.events for group in reversed(groups) for step in group] == [
        step.events for step in steps[:-2]
    ]
    assert [len(group) for group in groups] == [2, 3, 3, 3]
    assert list(earlier_turns(game, position, lambda most: log[-most:], 1)) == []
