"""One phase of the year played, and what its close brings before the next one begins."""

from collections.abc import Iterable, Sequence

from games.dice import Dice
from games.diplomacy import adjustments, closing, retreats, storms, taboo
from games.diplomacy.board import Board
from games.diplomacy.events import AnyEvent, Eliminated, Resolved
from games.diplomacy.lawful import Law
from games.diplomacy.model import AnyOrder, Destroy, State, Unit, UnitOrder
from games.diplomacy.movement import march
from games.diplomacy.rulebook import Rulebook, Step
from games.diplomacy.sifting import Given, refused, sift, strangers
from games.protocol import Outcome
from games.record import changed


def play(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    """Play the orders of the state's phase; the state keeps its phase.

    Events come by power, then by province, whatever the order of the letters; then what else happened.
    """
    if state.phase.kind == "M":
        marched = march(board, rulebook, state, sift(board, rulebook, state, given))
        return Outcome(marched.state, (*_told(board, marched.resolved), *marched.events))
    if state.phase.kind == "R":
        return _retreat(board, rulebook, state, given)
    return _adjust(board, rulebook, state, given)


def close(
    board: Board, rulebook: Rulebook, before: State, state: State, dice: Dice
) -> Outcome[State, AnyEvent]:
    """What the end of a phase brings, and the phase that follows unless the game is over.

    Ownership comes before the storms, and these before builds (Indianomacy, ruling H3).
    """
    step = rulebook.step(state.phase)
    events: tuple[AnyEvent, ...] = ()
    if step.captures:
        captured = closing.capture(board, state)
        state, events = captured.state, captured.events
    if step.storms:
        blown = storms.blow(board, state, dice)
        state, events = blown.state, events + blown.events
    if dead := closing.dead(before, state):
        events += tuple(Eliminated(power=power) for power in board.powers if power in dead)
    ended = _end(board, rulebook, step, state)
    state, events = ended.state, events + ended.events
    if state.ended is None:
        following = rulebook.following(state.phase)
        state = changed(taboo.forgive(state, following), phase=following)
    return Outcome(state, events)


def _end(board: Board, rulebook: Rulebook, step: Step, state: State) -> Outcome[State, AnyEvent]:
    if not rulebook.decides(step):
        return Outcome(state)
    ending = closing.finish(board, state)
    if (
        step.ends_year
        and ending.state.ended is None
        and all(adjustments.is_spent(board, rulebook, state, power) for power in board.powers)
    ):
        return closing.stalled(state)
    return ending


def _retreat(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    if not (state.beaten or state.contested or given):
        return Outcome(taboo.lift(state))
    standing = sift(board, rulebook, state, given)
    shunned = board.chart.taboo if state.taboo else None
    scattered = retreats.scatter(state.beaten, standing.orders, shunned)
    units = in_order(board, (*state.units, *scattered.standing))
    after = changed(state, units=units, beaten=(), contested=())
    events: tuple[AnyEvent, ...] = _told(board, [*standing.refused, *scattered.resolved])
    if scattered.trespasser is not None:
        punished = taboo.punish(board, rulebook, after, scattered.trespasser)
        after, events = punished.state, events + punished.events
    return Outcome(taboo.lift(after), events)


def _adjust(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    law = Law(board, rulebook, state)
    told = strangers(board, given)
    built: list[Unit] = []
    gone: set[Unit] = set()
    for power in board.powers:
        good: list[AnyOrder] = []
        for order in given.get(power, ()):
            objection = law.objection(power, order)
            twice = isinstance(order, UnitOrder) and order.unit.at in {
                one.unit.at for one in good if isinstance(one, UnitOrder)
            }
            if objection is None and not twice:
                good.append(order)
            else:
                told.append(refused(power, order, objection.code if objection else "replaced"))
        claim = adjustments.claim(board, rulebook, state, power)
        adjusted = adjustments.adjust(board, rulebook, state, power, claim, good)
        told += adjusted.resolved
        built += adjusted.built
        gone.update(adjusted.removed)
    left = {unit.at for unit in gone}
    staying = (unit for unit in state.units if unit not in gone)
    after = changed(
        state,
        units=in_order(board, (*staying, *built)),
        bay_entered={at: since for at, since in state.bay_entered.items() if at not in left},
        bay_from={at: origin for at, origin in state.bay_from.items() if at not in left},
    )
    return Outcome(after, _told(board, told))


def in_order(board: Board, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Units in board order."""
    return tuple(sorted(units, key=lambda unit: board.index[unit.at]))


def _told(board: Board, events: Sequence[Resolved]) -> tuple[AnyEvent, ...]:
    """Events by power, then by province, destructions after the unit's own; those of no place go last."""
    index, last = board.index, len(board.places)
    # For each power all places with two numbers each, and two more for what has no place.
    width = 2 * last + 2
    powers = {power: width * number for number, power in enumerate(board.powers)}
    others = width * len(powers)

    ranked = []
    for number, event in enumerate(events):
        unit = event.unit
        at = last if unit is None else index.get(unit.at, last)
        rank = powers.get(event.power, others) + 2 * at + (type(event.order) is Destroy)
        ranked.append((rank, number, event))
    # No two have one number, so that events are never compared.
    ranked.sort()
    return tuple([event for _, _, event in ranked])
