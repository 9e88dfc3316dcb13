"""Who plays the player's side when nobody does: by the AI's own steps, or for the best swing.

Each tries its Round out on a trial of the view, and writes down as an order what it laid.
"""

from collections.abc import Callable

from games.dice import Dice
from games.great_war import solo
from games.great_war.bonus import lay_bonus, play_bonus
from games.great_war.components import CardId
from games.great_war.events import CardLaid, Chose
from games.great_war.in_play import Table
from games.great_war.model import PLAYER, AnyOrder, BonusPlay, GuardLeader, Lay, Length, Play, View, Weighed
from games.great_war.phrases import because
from games.great_war.rules import GreatWarRules
from games.protocol import Choice, Decision, Due, Seat

_RULES = GreatWarRules()


class Mirror:
    """Plays by the AI's own steps: implements `protocol.Bot`."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due, each with its reason."""
        if view.stage in ("round 1", "round 2"):
            return (_round(view, solo.play_round), *_guard(view))
        if view.stage == "bonus":
            return self.bonus(view, dice)
        if view.stage == "length":
            turns = view.length
            return (Choice(Length(turns=10 if turns == 10 else 5), "as the game was set up"),)
        return tuple(Choice(order, "nothing is to be changed") for order in _RULES.default(view, due))

    def bonus(self, view: View, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """What its dice say."""
        trial = Table(view, None, "bonus")
        why = play_bonus(trial, PLAYER, lambda label: dice.roll(f"{label}/{view.turn}", 6))
        laid = [event for event in trial.events if isinstance(event, CardLaid)]
        if why is None or not laid:
            return ()
        return (_choice(view, _bonus_order(laid), why),)


class Greedy(Mirror):
    """Plays for the best swing in both Rounds, with a leader where he promises more."""

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due, each with its reason."""
        if view.stage in ("round 1", "round 2"):
            tried = [_tried(view, play) for play in (_swing, _lead)]
            best = max(tried, key=lambda one: one[0])
            return (best[1], *_guard(view))
        return super().orders(view, due, dice)

    def bonus(self, view: View, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The card of the best swing, if any gains something."""
        found: list[tuple[int, CardId, list[CardLaid]]] = []
        for one in dict.fromkeys(view.armies[PLAYER].hand):
            trial = Table(view, None, "bonus")
            if "bonus_phase" in trial.card(one).timing and trial.forbidden(one) is None:
                lay_bonus(trial, PLAYER, Play(card=one))
                laid = [event for event in trial.events if isinstance(event, CardLaid)]
                found.append((trial.now.margin(PLAYER) - view.margin(PLAYER), one, laid))
        best = max(found, key=lambda one: one[0], default=None)
        if best is None or best[0] <= 0:
            return ()
        return (Choice(_bonus_order(best[2]), f"swing {best[0]:+d}, the best in the Bonus phase"),)


def _guard(view: View) -> tuple[Choice[AnyOrder], ...]:
    """What it holds against a leader is to meet him."""
    table = Table(view)
    held = tuple(one for one in dict.fromkeys(view.armies[PLAYER].hand) if table.stops_leaders(one))
    if not held or held == view.leader:
        return ()
    return (Choice(GuardLeader(cards=held), "a leader is worth more than a card that cancels him"),)


def _tried(view: View, play: Callable[[Table], None]) -> tuple[int, Choice[AnyOrder]]:
    trial = Table(view, None, "round 2" if view.round == 2 else "round 1")
    play(trial)
    return trial.now.margin(PLAYER) - view.margin(PLAYER), _as_order(view, trial)


def _swing(table: Table) -> None:
    solo.lay_best(table, PLAYER, solo.SWING)


def _lead(table: Table) -> None:
    if not solo.lead_round(table, PLAYER):
        _swing(table)


def _round(view: View, play: Callable[[Table, Seat], None]) -> Choice[AnyOrder]:
    trial = Table(view, None, "round 2" if view.round == 2 else "round 1")
    play(trial, PLAYER)
    return _as_order(view, trial)


def _as_order(view: View, trial: Table) -> Choice[AnyOrder]:
    """What was laid on a trial, as an order for the Round."""
    laid = [event for event in trial.events if isinstance(event, CardLaid)]
    why = next(event.why for event in trial.events if isinstance(event, Chose))
    base = next((one.card for one in laid if one.how == "base"), None)
    order = Lay(
        role=view.role(PLAYER),
        number=1 if view.round == 1 else 2,
        base=Play(card=base) if base else None,
        helper=next((one.card for one in laid if one.how == "with_leader"), None),
        led=tuple(Play(card=one.card) for one in laid if one.how == "led"),
        plus=tuple(Play(card=one.card) for one in laid if one.how == "plus"),
    )
    return _choice(view, order, why)


def _bonus_order(laid: list[CardLaid]) -> BonusPlay:
    led = next((Play(card=one.card) for one in laid if one.how == "led"), None)
    return BonusPlay(play=Play(card=laid[0].card), led=led)


def _choice(view: View, order: AnyOrder, why: Weighed) -> Choice[AnyOrder]:
    decision = Decision(clause=why.clause, criterion=why.measures[0] if why.measures else why.case)
    return Choice(order, because(why, view.book), (decision,))
