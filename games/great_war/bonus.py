"""The Bonus phase: what the AI has to lay by its dice, and what a card does that is laid there."""

from collections.abc import Callable

from games.great_war.components import CardId, solo
from games.great_war.effects import lay
from games.great_war.events import Chose
from games.great_war.in_play import Table
from games.great_war.model import Play, Weighed
from games.great_war.solo import best_led, told_before
from games.protocol import Seat
from games.record import changed

Roll = Callable[[str], int]
"""Throws a die of six under a label."""


def play_bonus(table: Table, seat: Seat, roll: Roll) -> Weighed | None:
    """The AI's Bonus phase; None: it had nothing to roll for. Source: GW-7.1 to GW-7.6, GW29."""
    hand = [
        one
        for one in dict.fromkeys(table.book.in_order(table.army(seat).hand))
        if "bonus_phase" in table.card(one).timing and table.forbidden(one) is None
    ]
    jokers = [one for one in hand if table.is_joker(one)]
    bonus = [one for one in hand if not table.is_joker(one)]
    if not hand:
        return None
    dice = [roll("bonus")]
    if dice[0] in (3, 5):
        return _bonus_told(table, Weighed(case="bonus", clause="GW-7.4", dice=tuple(dice)))
    kind = "joker" if dice[0] == 1 else "bonus"
    both = all(any(table.takes(seat, one) is not None for one in some) for some in (jokers, bonus))
    if both:
        dice.append(roll("bonus-or-joker"))
        kind = "joker" if dice[1] % 2 else "bonus"
    some = jokers if kind == "joker" else bonus
    why = Weighed(
        case="bonus",
        clause="GW-7.6" if both else "GW-7.3" if kind == "joker" else "GW-7.2",
        dice=tuple(dice),
        kind="joker" if kind == "joker" else "bonus",
        both=both,
    )
    if not some:
        return _bonus_told(table, why)
    one = max(some, key=lambda card: _bonus_rank(table, seat, card))
    place = len(table.events)
    lay_bonus(table, seat, Play(card=one))
    why = changed(why, cards=(one,))
    told_before(table, place, why)
    return why


def _bonus_told(table: Table, why: Weighed) -> Weighed:
    table.tell(Chose, why=why)
    return why


def _bonus_rank(table: Table, seat: Seat, one: CardId) -> tuple[bool, int, int, int]:
    """Source: GW-7.5."""
    taken = table.takes(seat, one)
    trial = table.trial()
    lay_bonus(trial, seat, Play(card=one))
    swing = trial.now.margin(seat) - table.now.margin(seat)
    return (taken is not None, taken or 0, swing, -table.book.order[one])


def lay_bonus(
    table: Table,
    seat: Seat,
    play: Play,
    led: Play | None = None,
) -> None:
    """Lay a card of the Bonus phase; one that lets a leader lead more has its card led at once.

    led: the card to be led; None: the AI's choice. Source: GW30, GW32.
    """
    lay(table, seat, play, "bonus_phase")
    leader = idle_leader(table, seat)
    if table.card(play.card).effect("lead_bonus") is None or leader is None:
        return
    if led is None and (chosen := best_led(table, seat)) is not None:
        led = Play(card=chosen)
    if led is not None:
        lay(table, seat, led, "led", leader)


def idle_leader(table: Table, seat: Seat) -> CardId | None:
    """A face-up leader who was a base, led fewer than he might, and had no help. Source: GW32."""
    row = table.army(seat).row
    for one in row:
        if one.how == "base" and one.up and table.is_leader(one.card):
            beside = [other.how for other in row if other.round == one.round]
            if beside.count("led") < solo().lead_cap.value and "with_leader" not in beside:
                return one.card
    return None
