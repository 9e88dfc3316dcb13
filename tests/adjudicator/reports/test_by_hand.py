"""The news about overrides in the next report, and its readers."""

from adjudicator.messages import sentence
from adjudicator.model.games import (
    AnyOverride,
    DieForced,
    Edited,
    LogEntry,
    OrdersSet,
    RolledBack,
    Undone,
    content,
    kind_of,
)
from adjudicator.reports.report import describe_overrides
from games.protocol import Game, Seat
from games.record import plain, replace_fields
from tests.kit.memory_repository import NOON, game_of, new_position
from tests.kit.toy import toy_found

PLAYER, BOT = Seat("player"), Seat("bot")


def logged(override: AnyOverride, why: str = "a test") -> LogEntry:
    return LogEntry(
        number=1,
        kind=kind_of(override),
        turn="T1",
        at=NOON,
        options=content(override),
        why=why,
        state_sha="",
        previous_sha="",
    )


def cairn() -> Game:
    with toy_found():
        return game_of(new_position("cairn"))


def make_edit(game: Game) -> Edited:
    assert game.edits is not None
    edit = game.edits.build(None, "give", {"pebble": "flint", "seat": "player"})
    return Edited(edit=plain(edit), text="give flint to player")


def test_an_edit_is_told_as_its_game_tells_it_with_the_reason() -> None:
    game = cairn()
    assert describe_overrides(game, [logged(make_edit(game))], PLAYER) == (
        "player was given the flint. (a test)",
    )
    assert describe_overrides(game, [logged(make_edit(game))], BOT) == (
        "player was given a pebble. (a test)",
    )
    assert describe_overrides(game, [logged(make_edit(game), why="")], None) == (
        "player was given a pebble.",
    )


def test_what_was_done_silently_is_left_out() -> None:
    game = game_of(new_position("indianomacy"))
    assert describe_overrides(game, [logged(DieForced(silent=True, label="x", numbers=(1,)))], None) == ()


def test_orders_are_told_to_whose_they_are() -> None:
    game = game_of(new_position("indianomacy"))
    entry = logged(OrdersSet(seat=Seat("Iroquois"), before=(), orders=(), texts=("W MHK H",)))
    assert describe_overrides(game, [entry], Seat("Iroquois")) == (
        f"{sentence('reports.by_hand.orders_set', seat='Iroquois', texts=['W MHK H'])} (a test)",
    )
    assert describe_overrides(game, [entry], Seat("Dakota")) == (
        f"{sentence('reports.by_hand.orders_set', seat='Iroquois', texts=())} (a test)",
    )


def test_a_die_is_told_with_its_numbers_unless_seats_see_different_things() -> None:
    entry = logged(DieForced(label="storm/b/U1", numbers=(3,)))
    told = describe_overrides(game_of(new_position("indianomacy")), [entry], None)
    assert told == (f"{sentence('reports.by_hand.throw_set', label='storm/b/U1', numbers=[3])} (a test)",)
    assert describe_overrides(cairn(), [entry], None) == (
        f"{sentence('reports.by_hand.a_throw_set')} (a test)",
    )


def test_what_was_put_or_taken_back_is_told_in_order() -> None:
    game = game_of(new_position("indianomacy"))
    entries = [logged(RolledBack(to=0)), replace_fields(logged(Undone(number=4)), number=5)]
    assert describe_overrides(game, entries, None) == (
        f"{sentence('reports.by_hand.put_back')} (a test)",
        f"{sentence('reports.by_hand.taken_back', number=4)} (a test)",
    )
