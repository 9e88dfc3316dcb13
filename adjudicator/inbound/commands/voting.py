"""VOTE and NOVOTE: motions of the players to pause or resume the game, for more time, or to end it."""

import re

from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.config.terms import length_text
from adjudicator.config.toml_reader import duration
from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.orders import explain_too_late
from adjudicator.inbound.commands.press import surviving_seats
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.deadlines import TableMotion
from adjudicator.model.games import AnyAct, CastBallot, TakeBallotsBack
from adjudicator.model.people import TakeVoteBack
from adjudicator.turns.motions import VOTE_ACTOR, OpenMotion, is_in_civil_disorder, is_possible, open_motions
from orders.commands import Command

MIN_EXTENSION_MS, MAX_EXTENSION_MS = HOUR, 7 * DAY

_MOTIONS: dict[str, TableMotion] = {
    **dict.fromkeys(("pause", "break"), "pause"),
    **dict.fromkeys(("resume", "unpause", "continue"), "resume"),
    **dict.fromkeys(("extend", "extension", "delay"), "extend"),
    **dict.fromkeys(("end", "cancel", "abort"), "end"),
}
_LENGTH = re.compile(r"(\d+)\s*(d|h|m)(?:ays?|ours?|rs?|inutes?)?\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d")


def vote(case: SeatCommandContext, command: Command) -> CommandResult:
    """Move a motion, or vote for one that is open."""
    rule = case.repository.people.policy(case.name).votes
    if rule == "none":
        return reply_with(sentence("inbound.voting.no_votes", game=case.name))
    if idle := explain_too_late(case):
        return idle
    words = " ".join(command.args).lower().strip(" .!").split()
    motion = _MOTIONS.get(words[0]) if words else None
    if motion is None:
        return reply_with(sentence("inbound.voting.for_what"))
    if case.seat not in surviving_seats(case.game, case.seated.position):
        return reply_with(sentence("inbound.draws.out_of_the_game", seat=case.seat))
    if (why := _explain_impossible(case, motion)) is not None:
        return reply_with(why)
    length = _find_length(case, motion, " ".join(words[1:]))
    if length is None:
        return reply_with(sentence("inbound.voting.how_long", most=MAX_EXTENSION_MS // DAY))
    return _cast(case, motion, length)


def _cast(case: SeatCommandContext, motion: TableMotion, length: Millis) -> CommandResult:
    """Return the vote, and the sentences about it."""
    position = case.seated.position
    is_open = any(
        (other.motion, other.length) == (motion, length) for other in open_motions(position, case.now)
    )
    # A paused game must not depend on those who haven't moved anything yet.
    if not is_open and motion != "resume" and case.seat in position.timing.movers:
        return reply_with(sentence("inbound.voting.moved_already"))
    act = CastBallot(
        game=case.name,
        by=case.seat,
        seat=case.seat,
        turn=case.turn,
        motion=motion,
        length=length,
        at=case.received,
        moves=not is_open,
    )
    unanimous = case.repository.people.policy(case.name).votes == "all"
    notes = [
        sentence(
            "inbound.voting.cast",
            motion=motion,
            length=length_text(length),
            moves=not is_open,
            unanimous=unanimous,
        )
    ]
    if is_in_civil_disorder(position, case.seat):
        notes.append(sentence("inbound.voting.in_disorder"))
    return CommandResult(acts=(act,), notes=tuple(notes))


def withdraw_ballots(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Withdraw all votes of the seat, those for a draw or a concession too."""
    if idle := explain_too_late(case):
        return idle
    position = case.seated.position
    acts: list[AnyAct] = []
    if any(ballot.seat == case.seat for ballot in position.timing.ballots):
        acts.append(TakeBallotsBack(game=case.name, by=case.seat, seat=case.seat))
    if case.seat in case.repository.people.votes(case.name):
        acts.append(TakeVoteBack(game=case.name, by=case.seat, seat=case.seat))
    if not acts:
        return reply_with(sentence("inbound.voting.nothing_to_withdraw"))
    return CommandResult(acts=tuple(acts), notes=(sentence("inbound.voting.withdrawn"),))


def open_votes(case: SeatCommandContext) -> tuple[OpenMotion, ...]:
    """Return the motions that a player can vote for now."""
    position = case.seated.position
    return tuple(
        motion for motion in open_motions(position, case.now) if is_possible(position, motion.motion)
    )


def _explain_impossible(case: SeatCommandContext, motion: TableMotion) -> str | None:
    """Return why a motion can't be carried out now, or None."""
    position = case.seated.position
    stop = position.timing.stop
    if is_possible(position, motion):
        return None
    if motion == "resume":
        by_gm = stop is not None and stop.by != VOTE_ACTOR
        return sentence("inbound.voting.not_to_resume", by_gm=by_gm)
    if stop is not None:
        by_gm = stop.by != VOTE_ACTOR
        return sentence("inbound.voting.stopped", paused=stop.kind == "pause", by_gm=by_gm)
    if position.deadline is None or is_solo(position):
        return sentence("inbound.voting.no_deadline")
    return sentence("inbound.voting.extended_already")


def _find_length(case: SeatCommandContext, motion: TableMotion, text: str) -> Millis | None:
    """Return the length of an extension: as it is written, or that of the open motion. None: unreadable."""
    if motion != "extend":
        return 0
    if not _DIGITS.search(text):
        lengths = [other.length for other in open_votes(case) if other.motion == "extend"]
        return lengths[0] if len(lengths) == 1 else None
    short = "".join(f"{number}{unit}" for number, unit in _LENGTH.findall(text))
    length = duration(short.lower())
    return length if length is not None and MIN_EXTENSION_MS <= length <= MAX_EXTENSION_MS else None
