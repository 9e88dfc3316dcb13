"""The bots of the player's side. One plays by the AI's own steps, the other for the best swing.

Each bot tries its Combat Round on a trial of the view, and returns the cards it played as an order.
"""

from collections.abc import Callable

from games.dice import Dice
from games.great_war import automaton
from games.great_war.automaton import lay_bonus_card, play_bonus
from games.great_war.components import CardId
from games.great_war.events import CardLaid, Chose
from games.great_war.model import (
    PLAYER,
    AiDecision,
    AnyOrder,
    BonusPlay,
    CardPlay,
    GuardLeader,
    Lay,
    Length,
    View,
)
from games.great_war.phrases import because
from games.great_war.rules import GreatWarRules
from games.great_war.working_state import WorkingState
from games.messages import sentence
from games.protocol import Bot, Choice, Decision, Due, Seat

_RULES = GreatWarRules()


class Mirror(Bot[View, AnyOrder]):
    """Plays by the AI's own steps. Implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders for one Due, each with its reason."""
        if view.stage in ("round 1", "round 2"):
            return (_round(view, automaton.play_round), *_guard(view))
        if view.stage == "bonus":
            return self.bonus(view, dice)
        if view.stage == "length":
            turns = view.length
            return (Choice(Length(turns=10 if turns == 10 else 5), sentence("great_war.bots.length")),)
        reason = sentence("great_war.bots.default")
        return tuple(Choice(order, reason) for order in _RULES.default(view, due))

    def bonus(self, view: View, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the order for the Bonus phase that the dice give."""
        trial = WorkingState(view, None, "bonus")
        why = play_bonus(trial, PLAYER, lambda label: dice.roll(f"{label}/{view.turn}", 6))
        plays = [event for event in trial.events if isinstance(event, CardLaid)]
        if why is None or not plays:
            return ()
        return (_choice(view, _bonus_order(plays), why),)


class Greedy(Mirror):
    """Plays for the best swing in both Combat Rounds, with a leader if it gives a better one."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders for one Due, each with its reason."""
        if view.stage in ("round 1", "round 2"):
            tried = [_try_play(view, play) for play in (_swing, _lead)]
            best = max(tried, key=lambda attempt: attempt[0])
            return (best[1], *_guard(view))
        return super().orders(view, due, dice)

    def bonus(self, view: View, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the card with the best swing, or no order if every swing is 0 or less."""
        gains: list[tuple[int, CardId, list[CardLaid]]] = []
        for card_id in dict.fromkeys(view.armies[PLAYER].hand):
            trial = WorkingState(view, None, "bonus")
            if "bonus_phase" in trial.card(card_id).timing and trial.forbidding_event(card_id) is None:
                lay_bonus_card(trial, PLAYER, CardPlay(card=card_id))
                plays = [event for event in trial.events if isinstance(event, CardLaid)]
                gains.append((trial.now.margin(PLAYER) - view.margin(PLAYER), card_id, plays))
        best = max(gains, key=lambda gain: gain[0], default=None)
        if best is None or best[0] <= 0:
            return ()
        reason = sentence("great_war.bots.bonus", swing=f"{best[0]:+d}")
        return (Choice(_bonus_order(best[2]), reason),)


def _guard(view: View) -> tuple[Choice[AnyOrder], ...]:
    """Return the order that keeps cards ready against a leader, unless they are ready already."""
    table = WorkingState(view)
    held = tuple(
        card_id for card_id in dict.fromkeys(view.armies[PLAYER].hand) if table.stops_leaders(card_id)
    )
    if not held or held == view.leader:
        return ()
    return (Choice(GuardLeader(cards=held), sentence("great_war.bots.guard")),)


def _try_play(view: View, play: Callable[[WorkingState], None]) -> tuple[int, Choice[AnyOrder]]:
    trial = WorkingState(view, None, "round 2" if view.round == 2 else "round 1")
    play(trial)
    return trial.now.margin(PLAYER) - view.margin(PLAYER), _as_order(view, trial)


def _swing(table: WorkingState) -> None:
    automaton.lay_best(table, PLAYER, automaton.SWING_FIRST)


def _lead(table: WorkingState) -> None:
    if not automaton.lead_round(table, PLAYER):
        _swing(table)


def _round(view: View, play: Callable[[WorkingState, Seat], None]) -> Choice[AnyOrder]:
    trial = WorkingState(view, None, "round 2" if view.round == 2 else "round 1")
    play(trial, PLAYER)
    return _as_order(view, trial)


def _as_order(view: View, trial: WorkingState) -> Choice[AnyOrder]:
    """Return the cards played on a trial as an order for the Combat Round."""
    plays = [event for event in trial.events if isinstance(event, CardLaid)]
    why = next(event.why for event in trial.events if isinstance(event, Chose))
    base = next((event_laid.card for event_laid in plays if event_laid.how == "base"), None)
    order = Lay(
        role=view.role(PLAYER),
        number=1 if view.round == 1 else 2,
        base=CardPlay(card=base) if base else None,
        helper=next((event_laid.card for event_laid in plays if event_laid.how == "with_leader"), None),
        led=tuple(CardPlay(card=event_laid.card) for event_laid in plays if event_laid.how == "led"),
        plus=tuple(CardPlay(card=event_laid.card) for event_laid in plays if event_laid.how == "plus"),
    )
    return _choice(view, order, why)


def _bonus_order(plays: list[CardLaid]) -> BonusPlay:
    led = next((CardPlay(card=event.card) for event in plays if event.how == "led"), None)
    return BonusPlay(play=CardPlay(card=plays[0].card), led=led)


def _choice(view: View, order: AnyOrder, why: AiDecision) -> Choice[AnyOrder]:
    decision = Decision(clause=why.clause, criterion=why.measures[0] if why.measures else why.case)
    return Choice(order, because(why, view.book), (decision,))
