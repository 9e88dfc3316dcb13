"""DRAW, NODRAW, CONCEDE: an end that players agree on. The votes stay secret until all have agreed."""

from collections.abc import Mapping

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import CommandResult, SeatCommandContext, reply_with
from adjudicator.clerk.commands.choosing import match_seat
from adjudicator.clerk.commands.ordering import explain_too_late
from adjudicator.ledger.game_acts import EndGame
from adjudicator.ledger.people_acts import CastVote, TakeVoteBack
from adjudicator.ledger.positions import GamePosition
from adjudicator.ledger.society import Vote
from adjudicator.reports.times import join_names
from games.protocol import Game, GameResult, Seat
from games.protocol.optional import SupportsNeighbours
from orders.commands import Command


def propose_draw(case: SeatCommandContext, command: Command) -> CommandResult:
    """Vote for a draw among all survivors."""
    idle = explain_too_late(case)
    if idle:
        return idle
    rule = case.books.people.policy(case.name).draws
    if rule == "none":
        return reply_with(sentence("clerk.settling.no_draw", game=case.name))
    voters = voting_seats(case.game, case.seated.position)
    if case.seat not in voters:
        return reply_with(sentence("clerk.settling.out_of_the_game", seat=case.seat))
    if voters == (case.seat,):
        return reply_with(sentence("clerk.settling.nobody_to_agree"))
    majority = rule == "majority"
    needed = len(voters) // 2 + 1 if majority else len(voters)
    agreed = _votes_with(case, Vote(seat=case.seat, motion="draw"))
    in_favour = [seat for seat in voters if seat in agreed and agreed[seat].motion == "draw"]
    if len(in_favour) < needed:
        return _cast_vote(
            case, Vote(seat=case.seat, motion="draw"), sentence("clerk.settling.agrees", majority=majority)
        )
    remaining = surviving_seats(case.game, case.seated.position)
    why = sentence("clerk.settling.why_drawn", seats=join_names(remaining))
    return _end_game(
        case, GameResult(winners=(), reason=why), sentence("clerk.settling.all_agreed", majority=majority)
    )


def concede(case: SeatCommandContext, command: Command) -> CommandResult:
    """Concede the game to another seat, which wins when all others have conceded."""
    idle = explain_too_late(case)
    if idle:
        return idle
    others = [seat for seat in surviving_seats(case.game, case.seated.position) if seat != case.seat]
    to = match_seat(command.args[0], others) if command.args else others[0] if len(others) == 1 else None
    voters = [seat for seat in voting_seats(case.game, case.seated.position) if seat != to]
    if case.seat not in voters:
        return reply_with(sentence("clerk.settling.out_of_the_game", seat=case.seat))
    if to is None and others:
        return reply_with(sentence("clerk.settling.concede_to_whom", seats=others))
    vote = Vote(seat=case.seat, motion="concede", to=to)
    agreed = _votes_with(case, vote)
    if all(seat in agreed and agreed[seat].motion == "concede" and agreed[seat].to == to for seat in voters):
        if to is None:
            why = sentence("clerk.settling.why_given_up", seat=case.seat)
            return _end_game(case, GameResult(winners=(), reason=why), sentence("clerk.settling.given_up"))
        why = sentence("clerk.settling.why_conceded")
        return _end_game(
            case, GameResult(winners=(to,), reason=why), sentence("clerk.settling.conceded", seat=to)
        )
    return _cast_vote(case, vote, sentence("clerk.settling.concedes", seat=to))


def withdraw_vote(case: SeatCommandContext, command: Command) -> CommandResult:
    """Withdraw the seat's vote for an end of the game."""
    idle = explain_too_late(case)
    if idle:
        return idle
    if case.seat not in case.books.people.votes(case.name):
        return reply_with(sentence("clerk.settling.nothing_to_take_back"))
    act = TakeVoteBack(game=case.name, by=case.seat, seat=case.seat)
    return CommandResult(acts=(act,), notes=(sentence("clerk.settling.taken_back"),))


def surviving_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats that are still in the game."""
    if isinstance(game.rules, SupportsNeighbours):
        return tuple(game.rules.survivors(position.state))
    return tuple(position.chairs)


def voting_seats(game: Game, position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats whose players have to agree: of the survivors, those that people hold."""
    return tuple(seat for seat in surviving_seats(game, position) if position.chairs[seat].is_person)


def _votes_with(case: SeatCommandContext, vote: Vote) -> Mapping[Seat, Vote]:
    return {**case.books.people.votes(case.name), case.seat: vote}


def _cast_vote(case: SeatCommandContext, vote: Vote, note: str) -> CommandResult:
    act = CastVote(game=case.name, by=case.seat, turn=case.turn, vote=vote)
    return CommandResult(acts=(act,), notes=(note,))


def _end_game(case: SeatCommandContext, result: GameResult, note: str) -> CommandResult:
    act = EndGame(game=case.name, by=case.seat, why=result.reason, result=result, turn=case.turn)
    return CommandResult(acts=(act,), notes=(note,))
