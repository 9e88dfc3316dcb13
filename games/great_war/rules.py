"""The rules of The Great War, and the counts for a player's record. Implements `protocol.Rules`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.great_war import execution, legal_orders, legality, notation, sequence
from games.great_war.components import HIDDEN_CARD, PACKAGE, solo
from games.great_war.events import AnyEvent, Chose, GoesOn
from games.great_war.legal_orders import compose_order
from games.great_war.model import (
    AI,
    OWES,
    PLAYER,
    AnyOrder,
    Army,
    Begin,
    Blockade,
    Lay,
    Length,
    Stack,
    Stage,
    State,
    StopEvent,
    View,
)
from games.great_war.scoring import settle
from games.great_war.sequence import stop_event
from games.great_war.setup import NATION_BY_SIDE, OPTIONS, begin, opening
from games.great_war.working_state import WorkingState
from games.judging import results_reader
from games.messages import sentence
from games.protocol import (
    CampaignCase,
    Concern,
    Condition,
    DryRun,
    Due,
    GameResult,
    LegalOrder,
    Objection,
    Options,
    OrderLimits,
    Outcome,
    OwedOrder,
    Rules,
    Seat,
    SoloCampaign,
    ThrowForm,
    Turn,
    UnlistedOrders,
)
from games.record import replace_fields

_STAGE_NAMES: Mapping[Stage, tuple[str, str]] = {
    "set-up": ("S", "great_war.stages.set_up"),
    "round 1": ("R1", "great_war.stages.round_1"),
    "round 2": ("R2", "great_war.stages.round_2"),
    "bonus": ("B", "great_war.stages.bonus"),
    "length": ("E", "great_war.stages.length"),
    "over": ("X", "great_war.stages.over"),
}
"""By stage, the end of a turn's short name, and the catalogue entry of its long name."""

_LATER_STAGES: Mapping[Stage, tuple[Stage, ...]] = {"round 1": ("round 2", "bonus"), "round 2": ("bonus",)}
"""The later stages of a Turn that orders can be sent for."""


class GreatWarRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules. They keep no state between calls."""

    orders_depend = True
    report_is_reply = True

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the first Turn after dealing, or a set-up that waits for an email.

        Source: GW-1.1 to GW-4.7.
        """
        return opening(options, dice)

    def turn(self, state: State) -> Turn:
        """Return the present part of the Turn: ``T3R1`` for Combat Round 1, ``T3B`` for the Bonus phase."""
        return _turn(state.turn, state.stage)

    def ahead(self, state: State) -> tuple[Turn, ...]:
        """Return the present Combat Round and the rest of the Turn."""
        later = (_turn(state.turn, stage) for stage in _LATER_STAGES.get(state.stage, ()))
        return (self.turn(state), *later)

    def turn_names(self, state: State) -> Iterator[str]:
        """Yield the name of each part of the Turns from the present one to the last."""
        for number in range(state.turn, solo().turns.long + 1):
            yield from (_turn(number, stage).short for stage in _STAGE_NAMES)

    def due(self, state: State) -> tuple[Due, ...]:
        """Return what is due now: a Combat Round, the choice after Turn 5, or the Bonus phase."""
        if state.stage == "over":
            return ()
        owes: tuple[OwedOrder, ...] = ()
        if state.stage in OWES:
            slot, name = OWES[state.stage]
            owes = (OwedOrder(slot=slot, name=sentence(name)),)
        kind = sentence(_STAGE_NAMES[state.stage][1])
        waits = state.stage == "round 2"
        return (Due(seat=PLAYER, kind=kind, accepts=_accepts(state), owes=owes, waits=waits),)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """Yield examples with the cards of the player's hand, all of which would be carried out."""
        for name, orders in legal_orders.example_orders(view):
            yield name, (order for order in orders if not legality.find_left_out(view, [order]))

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return an objection if nothing can be carried out. Single parts are a concern. Source: GW44."""
        return legality.objection(view, order)

    def foresee(
        self, view: View, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]
    ) -> Objection | None:
        """Return an objection to an order for later in the Turn, or None."""
        return legality.foresee(view, order, before)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Yield the present uses of each card of the hand, and the standing orders."""
        return legal_orders.legal_orders(view)

    def unlisted_orders(self, view: View, seat: Seat) -> Iterator[UnlistedOrders]:
        """Yield the orders that aren't listed one by one, such as hand splits and exchanges."""
        return legal_orders.unlisted_orders(view)

    def composed_steps(self, view: View, order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return a Round's order as its base, then the cards that it leads and that are added."""
        return compose_order(view, order)

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> DryRun:
        """Return the effect of the player's cards on the present table, before the AI's next play."""
        return attempt(view, orders.get(PLAYER, ()))

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return the parts of this Round's orders that would be left out, and other warnings."""
        return legality.concerns(view, orders)

    def order_places(self, view: View, order: AnyOrder) -> tuple[str, str]:
        """Return the places of the first card of an order, and of the card that it aims at."""
        return legal_orders.order_places(order)

    def order_limits(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> OrderLimits:
        """Return what orders share: the base of a Combat Round, and the cards of the hand."""
        return legality.order_limits(view, orders)

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the orders of a silent player.

        These are a pass, the length from the options, or nothing in the Bonus phase. Source: GW44.
        """
        if state.stage == "set-up":
            return (Begin(),)
        if state.stage == "length":
            return (Length(turns=10 if state.length == solo().turns.long else 5),)
        if state.stage == "bonus":
            return ()
        return (Lay(role=state.role(PLAYER), number=1 if state.stage == "round 1" else 2),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Carry out the orders, and continue until the player's next decision.

        The AI's full reasons are open only when the campaign is over. Earlier they would reveal its hand.
        """
        assert state.stage != "over", "the campaign is over"
        table = WorkingState(state, dice)
        table.guard = sequence.answer_leader
        mine = orders.get(PLAYER, ())
        execution.note_standing(table, mine)
        _STAGE_STEPS[state.stage](table, mine)
        over = table.now.ended is not None
        events = (
            replace_fields(event, hand_open=over) if isinstance(event, Chose) else event
            for event in table.events
        )
        return Outcome(table.now, tuple(events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the state as a viewer may know it.

        The AI's hand, the order of decks and covered discards are hidden. For a spectator, the player's hand
        and standing orders are hidden too. Source: GW47.
        """
        armies = {AI: _hide_hand(state.armies[AI]), PLAYER: state.armies[PLAYER]}
        piles = {pile: _hide_pile(stack) for pile, stack in state.piles.items()}
        view = cast(View, replace_fields(state, armies=armies, piles=piles))
        if seat == PLAYER:
            return view
        armies = {**armies, PLAYER: _hide_hand(armies[PLAYER])}
        return replace_fields(view, armies=armies, leader=(), split=None, wishes=(), named=None, waits=False)

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether a condition of IF is true. Raises KeyError for an unknown form."""
        return notation.holds(view, condition)

    def result(self, state: State) -> GameResult | None:
        """Return the winner, who captured at least ten Battle Points more, or a draw. Source: GW-15.4, GW39.

        Returns None if the campaign isn't over.
        """
        if state.ended is None:
            return None
        won = state.score(PLAYER) - state.score(AI)
        winners = () if state.ended == "draw" else (PLAYER if won > 0 else AI,)
        slug = "great_war.results.draw" if state.ended == "draw" else "great_war.results.victory"
        return GameResult(winners=winners, reason=sentence(slug, level=state.ended))


def _turn(number: int, stage: Stage) -> Turn:
    letter, slug = _STAGE_NAMES[stage]
    name = sentence("great_war.stages.turn", turn=number, stage=sentence(slug))
    return Turn(name=name, short=f"T{number}{letter}", kind="moves")


def _accepts(state: State) -> tuple[str, ...]:
    """Return the kinds of orders that are accepted now."""
    early = ("Length",) if state.turn <= solo().turns.short else ()
    swaps = ("Exchange",) if state.turn == solo().turns.short else ()
    standing = ("GuardLeader", "Draw", *early, *swaps)
    if state.stage == "bonus":
        own = [table_card.card for table_card in state.armies[PLAYER].row if table_card.up]
        blockades = any(state.book[card_id].effect("blockade") for card_id in own)
        return ("BonusPlay", "Blockade") if blockades else ("BonusPlay",)
    if state.stage == "length":
        return ("Length", "Exchange", "GuardLeader", "Draw")
    if state.stage == "set-up":
        return ("Begin", "Exchange", "Draw", "GuardLeader", "Length")
    event = ("StopEvent",) if state.waits else ()
    held = state.armies[PLAYER].hand
    strike = ("Strike",) if any(state.book[card_id].kind == "joker" for card_id in held) else ()
    return ("Lay", *strike, *event, *standing)


def _first_round(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    execution.face_event(table, orders)
    if table.now.stage == "over":
        return
    execution.play_round(table, orders, 1)
    sequence.ai_round(table, 2 if table.now.attacker == PLAYER else 1)
    table.set(stage="round 2")


def _second_round(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    execution.play_round(table, orders, 2)
    if table.now.attacker == PLAYER:
        sequence.ai_bonus(table)
    else:
        sequence.ai_round(table, 2)
    table.set(stage="bonus")


def _bonus_phase(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    execution.play_bonus(table, orders)
    if table.now.attacker == AI:
        sequence.ai_bonus(table)
    plays = (play for order in execution.of_kind(orders, Blockade) for play in order.plays)
    settle(table, {play.card: play.aims[0] for play in plays if play.aims})
    sequence.next_turn(table)


def _settle_length(table: WorkingState, _orders: Sequence[AnyOrder]) -> None:
    if table.now.named is None:
        table.set(named=table.now.length)
    table.enter("end", 3)
    table.tell(GoesOn, turns=table.now.length)
    sequence.next_turn(table)


_STAGE_STEPS = {
    "set-up": lambda table, _orders: begin(table),
    "round 1": _first_round,
    "round 2": _second_round,
    "bonus": _bonus_phase,
    "length": _settle_length,
}
"""The function that carries out the player's orders in each stage."""


def _hide_hand(army: Army) -> Army:
    return replace_fields(army, hand=(HIDDEN_CARD,) * len(army.hand))


def _hide_pile(stack: Stack) -> Stack:
    top = stack.discards[-1:] if stack.shown else (HIDDEN_CARD,) * bool(stack.discards)
    inside = (HIDDEN_CARD,) * max(len(stack.discards) - 1, 0)
    return replace_fields(stack, deck=(HIDDEN_CARD,) * len(stack.deck), discards=(*inside, *top))


# The counts of a player's record: each side and length, and Battle Points ahead of the AI.


_CAMPAIGN_LENGTHS = next(option.values for option in OPTIONS if option.name == "turns")


def _case(side: str, turns: str) -> CampaignCase:
    slug = "great_war.campaign.allies" if side == "allies" else "great_war.campaign.central"
    return CampaignCase(
        name=sentence(slug, turns=turns),
        seat=PLAYER,
        options={"side": side, "turns": turns},
        thing=sentence("great_war.campaign.thing"),
    )


def campaign() -> SoloCampaign[State]:
    """Return the cases of a player's record, one for each side and length."""
    return SoloCampaign(
        cases=tuple(_case(side, turns) for side in NATION_BY_SIDE for turns in _CAMPAIGN_LENGTHS),
        count=lambda state, _case: state.score(PLAYER) - state.score(AI),
        results=results_reader(PACKAGE),
        apart=("cards", "chains"),
    )


# The rolls of The Great War: dice, shuffled piles, cards that are discarded at random.


MOST_CARDS = 200
"""The size of the largest possible pile."""


def throws(_options: Options) -> tuple[ThrowForm, ...]:
    """Return every form of a label, for all options."""
    return (
        ThrowForm(label=r"hand/\d+", most=6, example="hand/2"),
        ThrowForm(label=r"bonus/\d+", most=6, example="bonus/2"),
        ThrowForm(label=r"bonus-or-joker/\d+", most=6, example="bonus-or-joker/2"),
        ThrowForm(label=r"shuffle/[a-z ]+/\d+", most=MOST_CARDS, takes=None, example="shuffle/event/3"),
        ThrowForm(
            label=r"discard/(player|ai)/[\w-]+/\d+/\d+",
            most=MOST_CARDS,
            takes=None,
            example="discard/ai/B-7S/4/6",
        ),
    )


# TRY plays the player's cards on the present table, before the AI plays from its hidden hand.


def attempt(view: View, orders: Sequence[AnyOrder]) -> DryRun:
    """Return the effect of the orders of the present stage."""
    table = WorkingState(view)
    slug = "great_war.trial.cards_dealt"
    execution.note_standing(table, orders)
    if view.stage in ("round 1", "round 2"):
        # A trial cancels a waiting event, but can't show its effect by dice and draws.
        for order in execution.of_kind(orders, StopEvent):
            if table.now.waits and table.stops_events(order.card) and order.card in table.army(PLAYER).hand:
                stop_event(table, PLAYER, order.card)
        execution.play_round(table, orders, view.round)
        slug = "great_war.trial.ai_answers"
    elif view.stage == "bonus":
        execution.play_bonus(table, orders)
        slug = "great_war.trial.turn_settled"
    return DryRun(after=table.now, events=tuple(table.events), open=sentence(slug))
