"""One phase of the year played, and what its close brings before the next one begins."""

from collections.abc import Iterable, Sequence

from games.dice import Dice
from games.diplomacy import closing
from games.diplomacy.adjudication import adjustments, retreats, storms, taboo
from games.diplomacy.adjudication.legality import OrderChecker
from games.diplomacy.adjudication.movement import play_movement
from games.diplomacy.adjudication.sifting import Given, refuse, sift, strangers
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook, YearStep
from games.diplomacy.events import AnyEvent, Eliminated, Resolved
from games.diplomacy.model import AnyOrder, Destroy, State, Unit, UnitOrder
from games.protocol import Outcome
from games.record import replace_fields


def play(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    """Play the orders of the state's phase; the state keeps its phase.

    Events come by power, then by province, whatever the order of the letters; then what else happened.
    """
    if state.phase.kind == "M":
        marched = play_movement(board, rulebook, state, sift(board, rulebook, state, given))
        return Outcome(marched.state, (*_in_telling_order(board, marched.resolved), *marched.events))
    if state.phase.kind == "R":
        return _retreat(board, rulebook, state, given)
    return _adjust(board, rulebook, state, given)


def close_phase(
    board: Board, rulebook: Rulebook, before: State, state: State, dice: Dice
) -> Outcome[State, AnyEvent]:
    """Return the state and events after the end of a phase: the next phase, unless the game is over.

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
        state = replace_fields(taboo.forgive(state, following), phase=following)
    return Outcome(state, events)


def _end(board: Board, rulebook: Rulebook, step: YearStep, state: State) -> Outcome[State, AnyEvent]:
    if not rulebook.decides(step):
        return Outcome(state)
    ending = closing.finish(board, state)
    if (
        step.ends_year
        and ending.state.ended is None
        and all(adjustments.is_spent(board, rulebook, state, power) for power in board.powers)
    ):
        return closing.end_stalled_game(state)
    return ending


def _retreat(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    if not (state.beaten or state.contested or given):
        return Outcome(taboo.lift(state))
    standing = sift(board, rulebook, state, given)
    shunned = board.chart.taboo if state.taboo else None
    scattered = retreats.play_retreats(state.beaten, standing.orders, shunned)
    units = in_order(board, (*state.units, *scattered.standing))
    after = replace_fields(state, units=units, beaten=(), contested=())
    events: tuple[AnyEvent, ...] = _in_telling_order(board, [*standing.refused, *scattered.resolved])
    if scattered.trespasser is not None:
        punished = taboo.punish(board, rulebook, after, scattered.trespasser)
        after, events = punished.state, events + punished.events
    return Outcome(taboo.lift(after), events)


def _adjust(board: Board, rulebook: Rulebook, state: State, given: Given) -> Outcome[State, AnyEvent]:
    law = OrderChecker(board, rulebook, state)
    results = strangers(board, given)
    built: list[Unit] = []
    gone: set[Unit] = set()
    for power in board.powers:
        good: list[AnyOrder] = []
        for order in given.get(power, ()):
            objection = law.objection(power, order)
            twice = isinstance(order, UnitOrder) and order.unit.at in {
                earlier.unit.at for earlier in good if isinstance(earlier, UnitOrder)
            }
            if objection is None and not twice:
                good.append(order)
            else:
                results.append(refuse(power, order, objection.code if objection else "replaced"))
        claim = adjustments.adjustments_due(board, rulebook, state, power)
        adjusted = adjustments.adjust(board, rulebook, state, power, claim, good)
        results += adjusted.resolved
        built += adjusted.built
        gone.update(adjusted.removed)
    empty_places = {unit.at for unit in gone}
    staying = (unit for unit in state.units if unit not in gone)
    after = replace_fields(
        state,
        units=in_order(board, (*staying, *built)),
        bay_entered={at: since for at, since in state.bay_entered.items() if at not in empty_places},
        bay_from={at: origin for at, origin in state.bay_from.items() if at not in empty_places},
    )
    return Outcome(after, _in_telling_order(board, results))


def in_order(board: Board, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Units in board order."""
    return tuple(sorted(units, key=lambda unit: board.index[unit.at]))


def _in_telling_order(board: Board, events: Sequence[Resolved]) -> tuple[AnyEvent, ...]:
    """Return events by power, then by province, destructions after the unit's own; those of no place last."""
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
