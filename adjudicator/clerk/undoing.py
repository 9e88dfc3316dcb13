"""UNDO: the last action of a person who plays alone, taken back where nothing was learnt by it.

Like what a gamesmaster does by hand it is one more entry of the log, so that replay proves it; the dice count
the action that was taken back, so that nobody can try them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case
from adjudicator.ledger.filed_orders import packed
from adjudicator.ledger.game_acts import TakeBack
from adjudicator.ledger.overrides import RolledBack
from adjudicator.ledger.positions import Entry, Position
from adjudicator.referee.edits import cast, line, override_of, pending
from adjudicator.referee.log import Link, orders_of, override_entry
from adjudicator.referee.turn import rested
from games.protocol import Game, Seat
from games.protocol.optional import Trying
from games.record import canonical

Log = Sequence[tuple[Entry, bytes]]


@dataclass(frozen=True)
class Restored:
    """A game as it is once an action is taken back, and the act that takes it back."""

    position: Position
    act: TakeBack


def restored(case: Case) -> Restored | str:
    """The game before the last action of the seat; or why it cannot be taken back, in a sentence."""
    position, seat = case.seated.position, case.seat
    if not position.running:
        return sentence("clerk.ordering.game_over")
    if case.seated.stale:
        return sentence("clerk.ordering.turn_over")
    if any(_is_other(position, case.seat, other) for other in position.chairs):
        return sentence("clerk.undoing.others_play")
    log = case.books.log(position.name)
    counting = line([entry for entry, _ in log])
    place = _latest(counting, seat)
    if place is None:
        return sentence("clerk.undoing.nothing_played")
    why = _against(case, log, counting, place)
    if why is not None:
        return why
    act = TakeBack(
        game=position.name,
        by=seat,
        seat=seat,
        rev=position.rev,
        to=counting[place - 1].number,
        at=case.received,
    )
    return Restored(done(case.game, position, act, log)[0], act)


def done(game: Game, before: Position, act: TakeBack, log: Log) -> tuple[Position, Entry]:
    """The game once an action is taken back, and the entry by which its log says so."""
    override = RolledBack(to=act.to, before={seat: packed(items) for seat, items in before.filed.items()})
    state = game.state_from(next(written for one, written in log if one.number == act.to))
    link = Link.next_of(before, act.at, act.by, sentence("clerk.undoing.why"))
    entry = override_entry(game, override, state, link)
    entries = [*(one for one, _ in log), entry]
    after = replace(
        before,
        state=state,
        filed={},
        chairs={seat: rested(chair) for seat, chair in before.chairs.items()},
        entries=entry.number + 1,
        rev=before.rev + 1,
        head_sha=entry.sha,
        by_hand=len(entries) - cast(entries),
        forced=pending(entries),
        played=sum(one.kind == "turn" for one in line(entries)),
    )
    return after, entry


def _is_other(position: Position, seat: Seat, other: Seat) -> bool:
    """Whether a seat is another person's."""
    chair, mine = position.chairs[other], position.chairs[seat]
    return chair.is_person and chair.address != mine.address


def _latest(counting: Sequence[Entry], seat: Seat) -> int | None:
    """The place of the last turn for which the seat was asked."""
    found = [place for place, one in enumerate(counting) if one.kind == "turn" and seat in one.orders]
    return found[-1] if found else None


def _against(case: Case, log: Log, counting: Sequence[Entry], place: int) -> str | None:
    """Why the turn at a place cannot be taken back: what has been learnt since, or done by hand."""
    since, turn = counting[place:], counting[place].turn
    for one in since:
        override = override_of(one)
        if override is not None and not (isinstance(override, RolledBack) and one.by == case.seat):
            return sentence("clerk.undoing.done_by_hand", turn=turn)
        if one.kind == "end":
            return sentence("clerk.undoing.done_by_hand", turn=turn)
    if any(one.throws for one in since):
        return sentence("clerk.undoing.thrown", turn=turn)
    if any(one.orders[seat] and not _is_mine(case, Seat(seat)) for one in since for seat in one.orders):
        return sentence("clerk.undoing.others_moved", turn=turn)
    if case.game.about.hidden and not all(_was_foreseen(case, log, one) for one in since if one.orders):
        return sentence("clerk.undoing.shown", turn=turn)
    return None


def _is_mine(case: Case, seat: Seat) -> bool:
    position = case.seated.position
    return position.chairs[seat].address == position.chairs[case.seat].address


def _was_foreseen(case: Case, log: Log, entry: Entry) -> bool:
    """Whether a turn showed its player nothing that he could not have worked out before."""
    game, rules = case.game, case.game.rules
    if not isinstance(rules, Trying):
        return False
    place = next(place for place, (one, _) in enumerate(log) if one.number == entry.number)
    before, now = (rules.view(game.state_from(log[at][1]), case.seat) for at in (place - 1, place))
    trial = rules.attempt(before, orders_of(game, entry))
    return trial.open is None and canonical(rules.view(trial.after, case.seat)) == canonical(now)
