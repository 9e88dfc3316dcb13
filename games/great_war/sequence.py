"""The sequence of a campaign, from the set-up to the last Turn."""

from games.great_war.automaton import answer_to_event, open_defence, play_bonus, play_round, reaction
from games.great_war.components import CardId, Level, solo
from games.great_war.decks import deal_ai, deal_player, exchange_cards, reset_decks, shuffle_all
from games.great_war.events import (
    Chose,
    Ended,
    EventDrawn,
    EventStopped,
    EventWaits,
    EventWorks,
    Exchanged,
    LeaderStopped,
    LeftOut,
    PassedRound,
    Rebuilt,
    Totals,
    TurnBegan,
)
from games.great_war.model import AI, PLAYER, AiDecision, ExchangePair, other
from games.great_war.working_state import WorkingState, discard_at_random, reinforce
from games.protocol import Seat
from games.record import replace_fields


def set_up(table: WorkingState) -> None:
    """Carry out STEP 1: decks, the ordered exchanges, shuffling. Source: GW-1.1 to GW-1.11, GW-15.5."""
    table.enter("hands", 1)
    table.now = reset_decks(table.now)
    pairs = _possible_exchanges(table)
    table.now = exchange_cards(table.now, pairs)
    if pairs:
        table.tell(Exchanged, pairs=pairs)
    shuffle_all(table)
    table.set(wishes=())


def _possible_exchanges(table: WorkingState) -> tuple[ExchangePair, ...]:
    """Return the ordered exchanges of cards that weren't captured. Leaders are exchanged in pairs only."""
    captured = [card_id for army in table.now.armies.values() for card_id in army.captured]
    gone = [pair for pair in table.now.wishes if pair.for_ in captured]
    alone = any(table.is_leader(pair.white) for pair in gone)
    dropped = [pair for pair in table.now.wishes if pair in gone or (alone and table.is_leader(pair.white))]
    for pair in dropped:
        table.tell(LeftOut, private=True, code="not-in-decks", detail={"card": pair.for_})
    return tuple(pair for pair in table.now.wishes if pair not in dropped)


def begin_turn(table: WorkingState) -> None:
    """Deal the hands, play the AI's opening as Defender and draw the event. The player's Round 1 is then due.

    Source: GW-2.1, GW-3.1, GW-3.2, GW-4.1, GW-11.1, GW-12.1, GW13.
    """
    table.enter("hands", 1)
    table.set(stage="round 1", laid=(), lost=(), force=(), event=None, waits=False)
    table.tell(TurnBegan, role=table.now.role(PLAYER))
    deal_player(table)
    assert table.dice is not None, "a Turn is dealt with dice"
    die = table.dice.roll(f"hand/{table.now.turn}", 6)
    deal_ai(table, die)
    if table.now.exhausted:
        end(table)
        return
    if table.now.attacker == PLAYER:
        table.enter("round 1", 1)
        open_defence(table, AI, die)
        tell_totals(table)
    draw_event(table)


def draw_event(table: WorkingState) -> None:
    """Draw the Turn's Random Event.

    The AI cancels it, or it waits for the player, or it takes effect at once. Source: GW-4.1 to GW-4.7, GW15,
    GW16.
    """
    table.enter("event", 1)
    drawn = table.draw("event", 1)
    if not drawn:
        return
    table.set(event=drawn[0])
    table.tell(EventDrawn, card=drawn[0])
    if not table.card(drawn[0]).effects:
        return
    if (spent := answer_to_event(table, AI)) is not None:
        stop_event(table, AI, spent)
        return
    held = tuple(card_id for card_id in table.army(PLAYER).hand if table.stops_events(card_id))
    if held:
        table.set(waits=True)
        table.tell(EventWaits, private=True, card=drawn[0], by=tuple(dict.fromkeys(held)))
        return
    apply_event(table)


def stop_event(table: WorkingState, seat: Seat, by: CardId) -> None:
    """Cancel the Random Event with a card of a side. Both cards are discarded."""
    event = table.now.event
    assert event is not None, "there is an event to be cancelled"
    if seat == AI:
        table.tell(Chose, why=AiDecision(case="event", clause="GW-4.5", cards=(by, event)))
    table.spend(seat, by)
    table.discard(event)
    table.set(event=None, waits=False)
    table.tell(EventStopped, seat=seat, card=event, by=by)


def apply_event(table: WorkingState) -> None:
    """Let the Random Event affect both hands and cards that are played later. Source: GW-4.2, GW-4.3."""
    event = table.now.event
    assert event is not None, "there is an event"
    table.set(waits=False, force=(*table.now.force, event))
    table.tell(EventWorks, card=event)
    _apply_immediate_effects(table, event)
    if table.now.exhausted:
        end(table)


def _apply_immediate_effects(table: WorkingState, event: CardId) -> None:
    """Carry out the immediate effects of an event. Lasting effects are looked up when cards are played."""
    for effect in table.card(event).effects:
        for seat in (PLAYER, AI):
            if effect.op == "discard_hand":
                discard_at_random(table, seat, effect.n, event)
            elif effect.op == "draw":
                reinforce(table, seat, effect)
        # All are drawn before the first is discarded, because it could be drawn again.
        for more in table.draw("event", effect.n) if effect.op == "extra_event" else ():
            table.discard(more)
            table.tell(EventDrawn, card=more)
            table.set(force=(*table.now.force, more))
            _apply_immediate_effects(table, more)


def answer_leader(table: WorkingState, seat: Seat, leader: CardId) -> bool:
    """Cancel a leader with an enemy card, and return whether there was one. Source: GW-6.1, GW-6.4."""
    if seat == PLAYER:
        by = reaction(table, AI)
        why = AiDecision(case="reaction", clause="GW-6.1", cards=(by, leader)) if by else None
    else:
        held = [card_id for card_id in table.now.leader if card_id in table.army(PLAYER).hand]
        by, why = next(iter(held), None), None
    if by is None:
        return False
    table.turn(seat, leader, up=False)
    table.spend(other(seat), by)
    if seat == AI:
        table.set(leader=())
    table.tell(LeaderStopped, seat=seat, card=leader, by=by, why=why)
    return True


def ai_round(table: WorkingState, number: int) -> None:
    """Play a Combat Round of the AI."""
    table.enter("round 2" if number == 2 else "round 1", number)
    before = len(table.army(AI).row)
    play_round(table, AI)
    if len(table.army(AI).row) == before:
        table.tell(PassedRound, seat=AI)
    tell_totals(table)


def ai_bonus(table: WorkingState) -> None:
    """Play the AI's Bonus phase."""
    table.enter("bonus", 3)
    dice, turn = table.dice, table.now.turn
    assert dice is not None, "the Bonus phase has dice"
    play_bonus(table, AI, lambda label: dice.roll(f"{label}/{turn}", 6))


def tell_totals(table: WorkingState) -> None:
    """Report the totals of both rows."""
    table.tell(Totals, player=table.now.total(PLAYER), ai=table.now.total(AI))


def next_turn(table: WorkingState) -> None:
    """After a Turn, begin the next one, ask the question after Turn 5, or end the campaign.

    Source: GW-15.1 to GW-15.6, GW48.
    """
    turns, turn, named = solo().turns, table.now.turn, table.now.named
    if turn == turns.short and named is None:
        table.set(stage="length")
    elif turn >= turns.long or (turn == turns.short and named == turns.short):
        end(table)
    else:
        go_on(table)


def go_on(table: WorkingState) -> None:
    """Begin the next Turn. Before Turn 6, all cards are shuffled again. Source: GW-15.5, GW38."""
    table.set(turn=table.now.turn + 1)
    if table.now.turn == solo().turns.short + 1:
        table.enter("hands", 1)
        table.tell(Rebuilt)
        set_up(table)
    begin_turn(table)


def victory_level_for(difference: int) -> Level:
    """Return the level of victory for a difference of captured Battle Points. Source: GW39."""
    size = abs(difference)
    return next(
        victory_level
        for victory_level in solo().victory_levels
        if victory_level.low <= size and (victory_level.high is None or size <= victory_level.high)
    )


def end(table: WorkingState) -> None:
    """End the campaign. The captured Battle Points decide it. Source: GW-15.4, GW-15.6."""
    scores = (table.now.score(PLAYER), table.now.score(AI))
    reached = victory_level_for(scores[0] - scores[1])
    winner = None if not reached.low else PLAYER if scores[0] > scores[1] else AI
    table.enter("end", 3)
    table.tell(Ended, winner=winner, level=reached.name, scores=scores, exhausted=table.now.exhausted)
    table.now = replace_fields(table.now, stage="over", ended=reached.name)
