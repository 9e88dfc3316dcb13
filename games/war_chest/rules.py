"""The rules of War Chest, orders tried out ahead of time, and records of solo games: `protocol.Rules`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from games.dice import Dice
from games.judging import results_reader
from games.messages import sentence
from games.own_box import DATA
from games.protocol import (
    AdjacentPlace,
    CampaignCase,
    Concern,
    Condition,
    DryRun,
    Due,
    Event,
    GameResult,
    LegalOrder,
    Objection,
    Options,
    OrderLimit,
    OrderLimits,
    OrderUse,
    Outcome,
    Rules,
    Seat,
    SoloCampaign,
    ThrowForm,
    Turn,
)
from games.record import replace_fields
from games.war_chest import automaton, legal_orders, legality, notation
from games.war_chest.components import HIDDEN_COIN, PACKAGE, ROYAL_COIN, UNIT_NAMES
from games.war_chest.events import AnyEvent, Refused
from games.war_chest.execution import carry_out, try_out
from games.war_chest.model import (
    AUTOMATON,
    COIN,
    DRAFT,
    DRAWN,
    GOLD,
    LOSS,
    PLAYER,
    SILVER,
    AnyOrder,
    ChooseLoss,
    Do,
    Lose,
    Pass,
    Pick,
    Side,
    State,
    UseDrawn,
    View,
    without_one,
)
from games.war_chest.owner_data import PRINTED
from games.war_chest.sequence import begin, go_on
from games.war_chest.setup import fill_bags, opening, pick

COIN_ACTIONS = ("Deploy", "Bolster", "Maneuver", "Recruit", "Pass")
"""The uses of a coin in every game."""

_TURNS_NAMED = 60


class WarChestRules(Rules[State, View, AnyOrder, AnyEvent]):
    """The rules. They have no state of their own."""

    has_adjacency = True
    orders_depend = True
    report_is_reply = True

    def setup(self, options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the cards dealt, then a draft or the first turn with coins drawn. Source: clauses 3, 7.1."""
        opened = opening(options, dice)
        return opened if opened.state.picks else self._start(opened, dice)

    def turn(self, state: State) -> Turn:
        """Return the turn: ``T12``, ``T12b`` for the second decision within it, ``D2`` in a draft."""
        part = chr(ord("a") + state.part - 1) if state.part > 1 else ""
        if state.picks:
            name = sentence(f"war_chest.drafts.{state.picks[0][0]}")
            return Turn(name=name, short=f"D{state.number}", kind="moves")
        number = f"{state.number}{part}"
        name = sentence(f"war_chest.turns.{self._deciding_seat(state)}", number=number)
        return Turn(name=name, short=f"T{number}", kind="moves")

    def turn_names(self, state: State) -> Iterator[str]:
        """Yield the names of the draft's remaining picks, and of turns from the present one on."""
        first = 1 if state.picks else state.number
        if state.picks:
            yield from (f"D{number}" for number in range(state.number, state.number + len(state.picks)))
        for number in range(first, first + _TURNS_NAMED):
            yield from (f"T{number}{part}" for part in ("", *"bcdef"))

    def due(self, state: State) -> tuple[Due, ...]:
        """Return the pending decision: picks of a draft, a coin to play, or a choice within a turn."""
        if state.ended is not None:
            return ()
        if state.picks:
            seat, takes = state.picks[0]
            return (Due(seat=seat, kind=DRAFT, accepts=("Pick",), takes=takes),)
        seat = self._deciding_seat(state)
        task = state.agenda[0] if state.agenda else None
        if isinstance(task, ChooseLoss):
            return (Due(seat=seat, kind=LOSS, accepts=("Lose",), takes=1),)
        if seat == AUTOMATON:
            accepts = sorted({type(answer.order).__name__ for answer in automaton.automaton_answers(state)})
            return (Due(seat=seat, kind=COIN, accepts=tuple(accepts), takes=1),)
        accepts = [*COIN_ACTIONS, *(() if state.is_solo else ("Claim",))]
        kind = DRAWN if isinstance(task, UseDrawn) else COIN
        return (Due(seat=seat, kind=kind, accepts=tuple(accepts), takes=1),)

    def examples(self, view: View, seat: Seat) -> Iterator[tuple[str, Iterable[AnyOrder]]]:
        """Return examples of orders with the coins of the seat."""
        return legal_orders.example_orders(view, seat)

    def check(self, view: View, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why the order is illegal, or None. The automaton may do what its decision list allows."""
        if seat == AUTOMATON:
            allowed = [answer.order for answer in automaton.automaton_answers(view)]
            return None if order in allowed else Objection(code="not-on-the-list")
        return legality.objection(view, seat, order)

    def foresee(
        self, view: View, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]
    ) -> Objection | None:
        """Return why an order cannot be legal after others of its email, or None. Source: clause V.ahead."""
        return foresee(view, seat, order, before)

    def legal_orders(self, view: View, seat: Seat) -> Iterator[LegalOrder]:
        """Return the legal uses of each coin of a seat now; nothing for the automaton."""
        return iter(()) if seat == AUTOMATON else legal_orders.legal_orders(view, seat)

    def adjacent_places(self, view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
        """Return the neighbours of a hex; None for an unknown place."""
        return legal_orders.neighbouring_hexes(view, place)

    def dry_run(self, view: View, orders: Mapping[Seat, Sequence[AnyOrder]]) -> DryRun:
        """Return the result of one seat's orders without turns of the opponent and without draws."""
        due = self.due(view)[0]
        return attempt(view, due.seat, orders.get(due.seat, ()))

    def concerns(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
        """Return a concern for each card that is picked twice."""
        picked = [order.card for order in orders if isinstance(order, Pick)]
        again = dict.fromkeys(card for card in picked if picked.count(card) > 1)
        return tuple(Concern(code="picked-twice", detail={"card": card}) for card in again)

    def order_places(self, view: View, order: AnyOrder) -> tuple[str, str]:
        """Return the hex of the unit of an order, and the last hex that the order is about."""
        return legal_orders.order_places(view, self.due(view)[0].seat, order)

    def order_limits(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> OrderLimits:
        """Return the coins in hand, which orders use one by one. A draft has no coins."""
        coins = legality.coins(view, seat) if any(due.kind == COIN for due in self.due(view)) else ()
        over = sentence("war_chest.limits.over_coins", count=len(coins))
        limit = OrderLimit(id="coins", name=sentence("war_chest.limits.coins"), most=len(coins), over=over)
        use = (OrderUse(limit="coins"),) if coins else ()
        return OrderLimits(limits=(limit,) if coins else (), uses=tuple(use for _ in orders))

    def default(self, state: State, due: Due) -> tuple[AnyOrder, ...]:
        """Return the orders of a seat that sent none. Source: clause V.silence.

        It passes with the Royal Coin if possible. In a draft it picks the first cards. A Royal Guard loses
        a coin of its stack.
        """
        if due.kind == DRAFT:
            return tuple(Pick(card=card) for card in state.offer[: due.takes])
        if due.kind == LOSS:
            return (Lose(source="stack"),)
        if due.seat == AUTOMATON:
            return (automaton.automaton_answers(state)[0].order,)
        have = legality.coins(state, due.seat)
        return (Pass(coin=ROYAL_COIN if ROYAL_COIN in have else have[0]),)

    def adjudicate(
        self, state: State, orders: Mapping[Seat, Sequence[AnyOrder]], dice: Dice
    ) -> Outcome[State, AnyEvent]:
        """Return the outcome of one decision, up to the next decision of a player or the automaton."""
        assert state.ended is None, "the game is over"
        (due,) = self.due(state)
        given = tuple(orders.get(due.seat, ())) or self.default(state, due)
        if due.kind == DRAFT:
            picked = pick(state, due.seat, tuple(order for order in given if isinstance(order, Pick)))
            return picked if picked.state.picks else self._start(picked, dice)
        played = self._play(state, due.seat, given[0], dice)
        after = go_on(played.state, dice)
        return Outcome(after.state, (*played.events, *after.events))

    def view(self, state: State, seat: Seat | None) -> View:
        """Return the state without the bag, the hand and the face-down coins of other players.

        The automaton's coins are open. Source: clauses 4.hidden, 7.2.open.
        """
        sides = {
            owner: side if owner in (seat, AUTOMATON) else _hide_coins(side)
            for owner, side in state.sides.items()
        }
        return cast(View, replace_fields(state, sides=sides))

    def holds(self, view: View, seat: Seat, condition: Condition) -> bool:
        """Return whether a condition of IF is true. Raises KeyError for an unknown form."""
        return notation.holds(view, seat, condition)

    def result(self, state: State) -> GameResult | None:
        """Return the winner or a draw; None while the game runs. Source: clauses 4.win, 8.draw."""
        return None if state.ended is None else GameResult(winners=state.winners, reason=state.ended)

    def _start(self, before: Outcome[State, AnyEvent], dice: Dice) -> Outcome[State, AnyEvent]:
        begun = begin(fill_bags(before.state), dice)
        return Outcome(begun.state, (*before.events, *begun.events))

    def _deciding_seat(self, state: State) -> Seat:
        return state.agenda[0].seat if state.agenda else state.mover

    def _play(self, state: State, seat: Seat, order: AnyOrder, dice: Dice) -> Outcome[State, AnyEvent]:
        """Return the outcome of one order.

        If the automaton's list doesn't allow its order, that is reported, and the list's first order is
        used.
        """
        if seat != AUTOMATON or isinstance(order, Lose):
            return carry_out(state, seat, order, dice)
        allowed = automaton.automaton_answers(state)
        answer = next((answer for answer in allowed if answer.order == order), None)
        if answer is not None:
            return carry_out(state, seat, answer.order, dice, answer.why)
        played = carry_out(state, seat, allowed[0].order, dice, allowed[0].why)
        return Outcome(
            played.state, (Refused(seat=seat, order=order, code="not-on-the-list"), *played.events)
        )


def _hide_coins(side: Side) -> Side:
    return replace_fields(
        side,
        bag=(HIDDEN_COIN,) * len(side.bag),
        hand=(HIDDEN_COIN,) * len(side.hand),
        face_down=(HIDDEN_COIN,) * len(side.face_down),
        drawn=None if side.drawn is None else HIDDEN_COIN,
    )


# A player's record against each level of the automaton, counted in turns.


def _case(ladder: str, level: str) -> CampaignCase:
    return CampaignCase(
        name=f"Against the {level} automaton, {ladder} ladder",
        seat=PLAYER,
        options={"opponent": "ai", "level": level, "ladder": ladder},
        thing="turns",
        quick=True,
    )


CAMPAIGN: SoloCampaign[State] = SoloCampaign(
    cases=tuple(
        _case(ladder, level) for ladder in PRINTED.numbers.royal_mode for level in PRINTED.numbers.royal_coins
    ),
    count=lambda state, _case: state.number,
    results=results_reader(PACKAGE),
    apart=("royal_mode", DATA),
)


# The random draws: coins from bags.


MOST_COINS = 30
"""An upper bound for the number of coins in a bag."""


def throws(_options: Options) -> tuple[ThrowForm, ...]:
    """Return the forms of all draws: hands and Warrior Priests by seat, and the automaton's coins by turn."""
    seats = "|".join((PLAYER, AUTOMATON, GOLD, SILVER))
    return (
        ThrowForm(label=rf"draw/({seats})(/refilled)?", most=MOST_COINS, takes=None, example="draw/player"),
        ThrowForm(label=rf"priest/({seats})(/refilled)?", most=MOST_COINS, example="priest/player"),
        ThrowForm(label=r"reveal/\d+", most=MOST_COINS, example="reveal/3"),
    )


# Orders tried out ahead of time, for TRY and for orders that wait behind others of the same email.


def attempt(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> DryRun:
    """Return the result of orders that a seat plays one after the other without turns of the opponent.

    Coins are never drawn: the result ends at the first draw.
    """
    state: State = view
    events: list[Event] = []
    if view.picks:
        if not orders:
            return DryRun(after=view, open=sentence("war_chest.dry_run.draft"))
        picked = pick(view, seat, tuple(orders))  # type: ignore[arg-type]  # a draft accepts only picks
        return DryRun(after=picked.state, events=picked.events, open=sentence("war_chest.dry_run.draft"))
    for order in orders:
        if state.agenda and order is not orders[0]:
            return DryRun(after=state, events=tuple(events), open=sentence("war_chest.dry_run.choice"))
        if legality.objection(state, seat, order) is not None:
            return DryRun(after=state, events=tuple(events), open=sentence("war_chest.dry_run.opponent"))
        played, whole = try_out(state, seat, order)
        state, events = played.state, [*events, *played.events]
        if not whole:
            return DryRun(after=state, events=tuple(events), open=sentence("war_chest.dry_run.drawn"))
        if state.ended is not None:
            return DryRun(after=state, events=tuple(events))
    return DryRun(
        after=replace_fields(state), events=tuple(events), open=sentence("war_chest.dry_run.opponent")
    )


# Checks of an order that waits behind others of its email, with turns of the opponent between them.


UNCERTAIN_CODES: frozenset[str] = frozenset(
    (
        *("hex-occupied", "line-blocked", "no-way", "no-target", "which-one", "knight", "yours-already"),
        *("on-board-already", "not-yours-to-deploy", "not-your-location", "will-be-lost"),
        *("initiative-yours", "claimed-already", "last-coin"),
    )
)
"""The codes of objections that the opponent's next turns could remove."""


def foresee(view: State, seat: Seat, order: AnyOrder, before: Sequence[AnyOrder]) -> Objection | None:
    """Return why an order cannot be legal after the orders before it, or None. Source: clause V.ahead.

    The side's own coins, moves and recruits are foreseen. An objection that the opponent's turns could
    remove doesn't count.
    """
    for earlier in before:
        view = view_after(view, seat, earlier)
    objection = legality.objection(view, seat, order)
    if objection is None or objection.code in UNCERTAIN_CODES or _may_come_near(order, objection):
        return None
    return objection


def view_after(view: State, seat: Seat, order: AnyOrder) -> State:
    """Return the view after an order of the seat, with the results that depend on the seat alone."""
    if legality.objection(view, seat, order) is not None:
        return _without_coin(view, seat, order)
    plan = legality.plan_maneuver(view, seat, order)
    view = order.apply(_without_coin(view, seat, order), seat)
    for done in plan:
        view = _after_step(view, done)
    return view


def _may_come_near(order: AnyOrder, objection: Objection) -> bool:
    """Return whether the order attacks a unit by its name, and that unit is only too far away now."""
    steps = order.maneuver.steps if order.maneuver else ()
    named = any(step.act == "attack" and step.to in UNIT_NAMES for step in steps)
    return named and objection.code in (
        "too-far",
        "no-normal-attack",
        "no-straight-line",
        "not-straight-ahead",
    )


def _after_step(view: State, done: Do) -> State:
    """Return the view after a step of the side's own unit. An attacked unit stays where it is."""
    unit = view.stack_at(done.at)
    if unit is None or unit.seat != done.seat:
        return view
    if done.pay:
        view = view.with_stack(replace_fields(unit, height=unit.height - 1))
        unit = view.stack_at(done.at)
    if done.act == "control":
        return replace_fields(view, control={**view.control, done.at: done.seat})
    if done.act == "attack" or unit is None:
        return view
    others = tuple(other for other in view.stacks if other != unit)
    return replace_fields(view, stacks=others).with_stack(replace_fields(unit, at=done.to))


def _without_coin(view: State, seat: Seat, order: AnyOrder) -> State:
    """Return the view without the coin of the order, and without the decision that the order makes."""
    have = legality.coins(view, seat)
    coin = order.payment(have)
    if coin not in have:
        return view
    side: Side = view.sides[seat]
    side_after = (
        replace_fields(side, drawn=None)
        if side.drawn
        else replace_fields(side, hand=without_one(side.hand, coin))
    )
    return replace_fields(view.with_side(seat, side_after), agenda=())
