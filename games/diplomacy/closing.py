"""The end of a phase: centres change hands, powers die, the game may end."""

from collections.abc import Mapping

from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Captured, Ended
from games.diplomacy.model import NEUTRAL, Province, State
from games.protocol import Outcome, Seat
from games.record import replace_fields


def capture(board: Board, state: State) -> Outcome[State, AnyEvent]:
    """Give each centre to the power whose unit stands on it; the others stay whose they were.

    Source: Diplomacy; Indianomacy, rulings N2 and N3: neutral units own nothing.
    """
    standing = {unit.at: unit.power for unit in state.units if unit.power != NEUTRAL}
    owners: dict[Province, Seat] = {}
    events: list[AnyEvent] = []
    for centre in board.centres:
        was = state.centres.get(centre)
        now = standing.get(centre, was)
        if now is not None:
            owners[centre] = now
            if now != was:
                events.append(Captured(centre=centre, was=was, now=now))
    return Outcome(replace_fields(state, centres=owners), tuple(events))


def finish(board: Board, state: State) -> Outcome[State, AnyEvent]:
    """Look for the end of the game when ownership is settled, or when a year has closed.

    A power wins with enough centres, or with enough units. Nobody wins in the year named by the option
    ``last_year``.

    Source: Diplomacy; Indianomacy §10 (1.21); ruling V2 (Rulebook.victory_after).
    """
    victory = board.chart.victory
    centres = _count(state.centres)
    units = _count({unit.at: unit.power for unit in state.units if unit.power != NEUTRAL})
    by_centres = tuple(power for power in board.powers if centres.get(power, 0) >= victory.centres)
    if by_centres:
        return _end_game(state, Ended(winners=by_centres, reason="centres"))
    if victory.units is not None:
        by_units = tuple(power for power in board.powers if units.get(power, 0) >= victory.units)
        if by_units:
            return _end_game(state, Ended(winners=by_units, reason="units"))
    last = state.options.get("last_year")
    if last is not None and state.phase.year >= int(last):
        return _end_game(state, Ended(winners=(), reason="last-year"))
    return Outcome(state)


def powers_alive(state: State) -> frozenset[Seat]:
    """The powers that have a unit, on the board or beaten, or a centre."""
    units = {unit.power for unit in state.units} | {beaten_unit.unit.power for beaten_unit in state.beaten}
    return frozenset(units | set(state.centres.values())) - {NEUTRAL}


def dead(before: State, after: State) -> frozenset[Seat]:
    """The powers that were there before a phase and are no more."""
    units = len(before.units) + len(before.beaten) - len(after.units) - len(after.beaten)
    # Where no unit is new, as many as before are the same.
    if before.phase.kind != "A" and not units and before.centres == after.centres:
        return frozenset()
    return powers_alive(before) - powers_alive(after)


def end_stalled_game(state: State) -> Outcome[State, AnyEvent]:
    """Give the game up because no power can do anything any more."""
    return _end_game(state, Ended(winners=(), reason="empty-board"))


def _count(owners: Mapping[Province, Seat]) -> dict[Seat, int]:
    counts: dict[Seat, int] = {}
    for power in owners.values():
        counts[power] = counts.get(power, 0) + 1
    return counts


def _end_game(state: State, event: Ended) -> Outcome[State, AnyEvent]:
    return Outcome(replace_fields(state, winners=event.winners, ended=event.reason), (event,))
