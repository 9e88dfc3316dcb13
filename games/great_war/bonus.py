"""The Bonus phase: what the AI has to play by its dice, and what a card does that is played there."""

from collections.abc import Callable

from games.great_war.automaton import best_led, tell_reason_before
from games.great_war.components import CardId, solo
from games.great_war.effects import lay_card
from games.great_war.events import Chose
from games.great_war.model import AiDecision, CardPlay
from games.great_war.working_state import WorkingState
from games.protocol import Seat
from games.record import replace_fields

Roll = Callable[[str], int]
"""Throws a die of six under a label."""


def play_bonus(table: WorkingState, seat: Seat, roll: Roll) -> AiDecision | None:
    """Play the AI's Bonus phase; None: it had nothing to roll for. Source: GW-7.1 to GW-7.6, GW29."""
    hand = [
        card_id
        for card_id in dict.fromkeys(table.book.in_order(table.army(seat).hand))
        if "bonus_phase" in table.card(card_id).timing and table.forbidding_event(card_id) is None
    ]
    jokers = [card_id for card_id in hand if table.is_joker(card_id)]
    bonus = [card_id for card_id in hand if not table.is_joker(card_id)]
    if not hand:
        return None
    dice = [roll("bonus")]
    if dice[0] in (3, 5):
        return _tell_bonus(table, AiDecision(case="bonus", clause="GW-7.4", dice=tuple(dice)))
    kind = "joker" if dice[0] == 1 else "bonus"
    both = all(
        any(table.taken_points(seat, card_id) is not None for card_id in some) for some in (jokers, bonus)
    )
    if both:
        dice.append(roll("bonus-or-joker"))
        kind = "joker" if dice[1] % 2 else "bonus"
    some = jokers if kind == "joker" else bonus
    why = AiDecision(
        case="bonus",
        clause="GW-7.6" if both else "GW-7.3" if kind == "joker" else "GW-7.2",
        dice=tuple(dice),
        kind="joker" if kind == "joker" else "bonus",
        both=both,
    )
    if not some:
        return _tell_bonus(table, why)
    card_id = max(some, key=lambda card: _bonus_rank(table, seat, card))
    place = len(table.events)
    lay_bonus_card(table, seat, CardPlay(card=card_id))
    why = replace_fields(why, cards=(card_id,))
    tell_reason_before(table, place, why)
    return why


def _tell_bonus(table: WorkingState, why: AiDecision) -> AiDecision:
    table.tell(Chose, why=why)
    return why


def _bonus_rank(table: WorkingState, seat: Seat, card_id: CardId) -> tuple[bool, int, int, int]:
    """Return the rank of a Bonus card. Source: GW-7.5."""
    taken = table.taken_points(seat, card_id)
    trial = table.trial()
    lay_bonus_card(trial, seat, CardPlay(card=card_id))
    swing = trial.now.margin(seat) - table.now.margin(seat)
    return (taken is not None, taken or 0, swing, -table.book.order[card_id])


def lay_bonus_card(
    table: WorkingState,
    seat: Seat,
    play: CardPlay,
    led: CardPlay | None = None,
) -> None:
    """Lay a card of the Bonus phase; one that lets a leader lead more has its card led at once.

    led: the card to be led; None: the AI's choice. Source: GW30, GW32.
    """
    lay_card(table, seat, play, "bonus_phase")
    leader = idle_leader(table, seat)
    if table.card(play.card).effect("lead_bonus") is None or leader is None:
        return
    if led is None and (chosen := best_led(table, seat)) is not None:
        led = CardPlay(card=chosen)
    if led is not None:
        lay_card(table, seat, led, "led", leader)


def idle_leader(table: WorkingState, seat: Seat) -> CardId | None:
    """Return a face-up leader who was a base, led fewer than he might, and had no help. Source: GW32."""
    row = table.army(seat).row
    for base in row:
        if base.how == "base" and base.up and table.is_leader(base.card):
            beside = [other.how for other in row if other.round == base.round]
            if beside.count("led") < solo().lead_cap.value and "with_leader" not in beside:
                return base.card
    return None
