"""DRAW, CONCEDE, VOTE and NOVOTE: how players end, pause or resume their game, or give it more time."""

import re
from collections.abc import Mapping

from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.config.terms import length_text
from adjudicator.config.toml_reader import duration
from adjudicator.inbound.commands.context import (
    CommandResult,
    SeatCommandContext,
    choose_seats,
    match_seat,
    reply_with,
)
from adjudicator.inbound.commands.orders import explain_too_late
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.deadlines import TableMotion
from adjudicator.model.games import AnyAct, CastBallot, EndGame, GamePosition, TakeBallotsBack
from adjudicator.model.people import (
    CastVote,
    TakeVoteBack,
    Vote,
)
from adjudicator.turns.due_actions import (
    VOTE_ACTOR,
    OpenMotion,
    is_in_civil_disorder,
    is_possible,
    open_motions,
)
from games.language import join_list
from games.protocol import Game, GameResult, Seat
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


# DRAW, NODRAW, CONCEDE: an end that players agree on. The votes stay secret until all have agreed.


def propose_draw(case: SeatCommandContext, command: Command) -> CommandResult:
    """Vote for a draw among all survivors, or among those that are named."""
    idle = explain_too_late(case)
    if idle:
        return idle
    rule = case.repository.people.policy(case.name).draws
    if rule == "none":
        return reply_with(sentence("inbound.draws.no_draw", game=case.name))
    voters, remaining = (
        voting_seats(case.game, case.seated.position),
        surviving_seats(case.game, case.seated.position),
    )
    if case.seat not in voters:
        return reply_with(sentence("inbound.draws.out_of_the_game", seat=case.seat))
    if voters == (case.seat,):
        return reply_with(sentence("inbound.draws.nobody_to_agree"))
    chosen = choose_seats(command.args[0] if command.args else "", remaining)
    if chosen.unknown:
        unknown = join_list(chosen.unknown)
        return reply_with(sentence("inbound.draws.draw_with_whom", unknown=unknown, seats=remaining))
    sharing = tuple(seat for seat in remaining if seat in chosen.seats) or remaining
    if sharing != remaining and rule != "named":
        return reply_with(sentence("inbound.draws.all_share", game=case.name))
    named = None if sharing == remaining else Seat(", ".join(sharing))
    majority = rule == "majority"
    needed = len(voters) // 2 + 1 if majority else len(voters)
    vote = Vote(seat=case.seat, motion="draw", to=named)
    agreed = _votes_with(case, vote)
    in_favour = [
        seat
        for seat in voters
        if seat in agreed and (agreed[seat].motion, agreed[seat].to) == ("draw", named)
    ]
    if len(in_favour) < needed:
        note = sentence("inbound.draws.agrees", majority=majority, seats=join_list(sharing) if named else "")
        return _cast_vote(case, vote, note)
    why = sentence("inbound.draws.why_drawn", seats=join_list(sharing), named=named is not None)
    result = GameResult(winners=sharing if named else (), reason=why)
    return _end_game(case, result, sentence("inbound.draws.all_agreed", majority=majority))


def concede(case: SeatCommandContext, command: Command) -> CommandResult:
    """Concede the game to another seat, which wins when all others have conceded."""
    idle = explain_too_late(case)
    if idle:
        return idle
    others = [seat for seat in surviving_seats(case.game, case.seated.position) if seat != case.seat]
    to = match_seat(command.args[0], others) if command.args else others[0] if len(others) == 1 else None
    voters = [seat for seat in voting_seats(case.game, case.seated.position) if seat != to]
    if case.seat not in voters:
        return reply_with(sentence("inbound.draws.out_of_the_game", seat=case.seat))
    if to is None and others:
        return reply_with(sentence("inbound.draws.concede_to_whom", seats=others))
    vote = Vote(seat=case.seat, motion="concede", to=to)
    agreed = _votes_with(case, vote)
    if all(seat in agreed and agreed[seat].motion == "concede" and agreed[seat].to == to for seat in voters):
        if to is None:
            why = sentence("inbound.draws.why_given_up", seat=case.seat)
            return _end_game(case, GameResult(winners=(), reason=why), sentence("inbound.draws.given_up"))
        why = sentence("inbound.draws.why_conceded")
        return _end_game(
            case, GameResult(winners=(to,), reason=why), sentence("inbound.draws.conceded", seat=to)
        )
    return _cast_vote(case, vote, sentence("inbound.draws.concedes", seat=to))


def withdraw_vote(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Withdraw the seat's vote for an end of the game."""
    idle = explain_too_late(case)
    if idle:
        return idle
    if case.seat not in case.repository.people.votes(case.name):
        return reply_with(sentence("inbound.draws.nothing_to_take_back"))
    act = TakeVoteBack(game=case.name, by=case.seat, seat=case.seat)
    return CommandResult(acts=(act,), notes=(sentence("inbound.draws.taken_back"),))


def surviving_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats that are still in the game."""
    survivors = game.rules.survivors(position.state)
    return tuple(position.assignments) if survivors is None else survivors


def voting_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats that must agree: those of surviving human players."""
    return tuple(seat for seat in surviving_seats(game, position) if position.assignments[seat].is_person)


def _votes_with(case: SeatCommandContext, vote: Vote) -> Mapping[Seat, Vote]:
    return {**case.repository.people.votes(case.name), case.seat: vote}


def _cast_vote(case: SeatCommandContext, vote: Vote, note: str) -> CommandResult:
    act = CastVote(game=case.name, by=case.seat, turn=case.turn, vote=vote)
    return CommandResult(acts=(act,), notes=(note,))


def _end_game(case: SeatCommandContext, result: GameResult, note: str) -> CommandResult:
    act = EndGame(game=case.name, by=case.seat, why=result.reason, result=result, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,))
