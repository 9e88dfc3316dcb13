"""The course of play: the rounds of the base game, and alternate turns with the automaton."""

from games.dice import Dice
from games.protocol import Outcome, Seat
from games.record import replace_fields
from games.war_chest import automaton, model
from games.war_chest.components import ROYAL_COIN, sorted_coins
from games.war_chest.events import AnyEvent, Drew, DrewCoins, Ended, Idle, Revealed, Round
from games.war_chest.model import AUTOMATON, DECISIONS, Again, ChooseLoss, FollowUp, State, UseDrawn
from games.war_chest.setup import royal_mode


def begin(state: State, dice: Dice) -> Outcome[State, AnyEvent]:
    """Return the state after the first draw of coins."""
    if state.is_solo:
        return _start_turn(state, dice, ())
    return _start_turn(replace_fields(state, mover=_first(state)), dice, ())


def go_on(state: State, dice: Dice) -> Outcome[State, AnyEvent]:
    """Return the state at the next decision, in the same turn or in the next one."""
    state, events = skip_idle_decisions(state)
    if state.ended is not None:
        return Outcome(state, events)
    if state.agenda:
        return Outcome(replace_fields(state, part=state.part + 1), events)
    return _next_turn(state, dice, events)


def rally(state: State) -> State:
    """Return the state with one pending maneuver for each unit of the automaton, if a Royal Coin does that.

    The order is that of its cards. Source: clauses 7.3.all, 7.3.order.
    """
    if state.revealed != ROYAL_COIN or royal_mode(state.options) != "maneuver_all":
        return state
    cards = [card for card in state.sides[AUTOMATON].cards if state.units(AUTOMATON, card)]
    return replace_fields(state, agenda=tuple(Again(seat=AUTOMATON, card=card) for card in cards))


def skip_idle_decisions(state: State) -> tuple[State, tuple[AnyEvent, ...]]:
    """Return the state without decisions that the automaton's list skips, and the events that report them.

    Source: clauses 7.3.all, 7.6.swordsman, 7.8.
    """
    events: list[AnyEvent] = []
    while state.agenda and isinstance(state.agenda[0], DECISIONS) and not _is_open(state):
        task = state.agenda[0]
        if isinstance(task, FollowUp | Again) and task.card and state.units(task.seat, task.card):
            code = "no-way" if isinstance(task, Again) or not _swordsman_stays(state, task) else "stays"
            events.append(Idle(seat=task.seat, card=task.card, code=code))
        state = replace_fields(state, agenda=state.agenda[1:])
    return state, tuple(events)


def _is_open(state: State) -> bool:
    """Return whether the first decision of the agenda can be made."""
    return isinstance(state.agenda[0], UseDrawn | ChooseLoss) or bool(automaton.automaton_answers(state))


def _swordsman_stays(state: State, task: FollowUp) -> bool:
    """Return whether a Swordsman stays because it is on a location that its side doesn't control."""
    (unit,) = state.units(task.seat, task.card)
    return unit.at in state.box.locations and state.control.get(unit.at) != task.seat


def _next_turn(state: State, dice: Dice, events: tuple[AnyEvent, ...]) -> Outcome[State, AnyEvent]:
    mover = state.mover
    side = state.sides[mover]
    if state.revealed is not None:
        side = model.add_to_discard(side, state.revealed, face_up=True)
    state = replace_fields(
        state.with_side(mover, replace_fields(side, turns=side.turns + 1)),
        revealed=None,
        number=state.number + 1,
        part=1,
        mover=_following(state),
    )
    clock = AUTOMATON if state.is_solo else mover
    if state.sides[clock].turns >= state.box.numbers.end.turns and mover == clock:
        state = replace_fields(state, ended="turns")
        return Outcome(state, (*events, Ended(winners=(), reason="turns")))
    return _start_turn(state, dice, events)


def _following(state: State) -> Seat:
    """Return the next seat. A player without coins left is skipped. Source: clause 4.alternate."""
    other = state.other(state.mover)
    if state.is_solo or state.sides[other].hand or not state.sides[state.mover].hand:
        return other
    return state.mover


def _start_turn(state: State, dice: Dice, events: tuple[AnyEvent, ...]) -> Outcome[State, AnyEvent]:
    if state.mover == AUTOMATON:
        return _reveal(state, dice, events)
    if state.is_solo:
        return _refill(state, dice, events)
    if any(side.hand for side in state.sides.values()):
        return Outcome(state, events)
    first = _first(state)
    events = (*events, Round(first=first))
    state = replace_fields(state, mover=first, claimed=False)
    for seat in state.seats:
        drawn = _draw_hand(state, seat, dice)
        state, events = drawn.state, (*events, *drawn.events)
    return Outcome(state, events)


def _first(state: State) -> Seat:
    assert state.initiative is not None, "one side has the initiative in a game of two"
    return state.initiative


def _refill(state: State, dice: Dice, events: tuple[AnyEvent, ...]) -> Outcome[State, AnyEvent]:
    """Refill the empty hand of a player against the automaton. Source: clause 7.2.human."""
    if state.sides[state.mover].hand:
        return Outcome(state, events)
    drawn = _draw_hand(state, state.mover, dice)
    events = (*events, *drawn.events)
    if drawn.state.sides[state.mover].hand:
        return Outcome(drawn.state, events)
    return _next_turn(drawn.state, dice, events)


def _draw_hand(state: State, seat: Seat, dice: Dice) -> Outcome[State, AnyEvent]:
    drawn = model.draw(state.sides[seat], state.box.board.hand, dice, f"draw/{seat}")
    if not drawn.coins:
        return Outcome(state)
    state = state.with_side(seat, replace_fields(drawn.side, hand=sorted_coins(drawn.coins)))
    drew = Drew(seat=seat, count=len(drawn.coins), refilled=drawn.refilled)
    return Outcome(
        state, (drew, DrewCoins(seat=seat, coins=sorted_coins(drawn.coins), seen_by=frozenset({seat})))
    )


def _reveal(state: State, dice: Dice, events: tuple[AnyEvent, ...]) -> Outcome[State, AnyEvent]:
    """Draw the automaton's coin, after reloading an empty bag. Source: clauses 7.2.1, 7.2.2."""
    side = state.sides[AUTOMATON]
    reloaded = not side.bag
    if reloaded:
        bag = sorted_coins((*side.face_up, *side.face_down, ROYAL_COIN))
        side = replace_fields(side, bag=bag, face_up=(), face_down=())
    coin = dice.pick(f"reveal/{state.number}", side.bag)
    state = replace_fields(
        state.with_side(AUTOMATON, replace_fields(side, bag=model.without_one(side.bag, coin))), revealed=coin
    )
    events = (*events, Revealed(seat=AUTOMATON, coin=coin, reloaded=reloaded))
    rallied = rally(state)
    if not rallied.agenda:
        return Outcome(state, events)
    state, idle = skip_idle_decisions(rallied)
    events = (*events, *idle)
    return Outcome(state, events) if state.agenda else _next_turn(state, dice, events)
