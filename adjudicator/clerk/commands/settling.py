"""DRAW, NODRAW, CONCEDE: an end that players agree on. Who has agreed stays secret until all have."""

from collections.abc import Mapping

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.clerk.commands.choosing import seat_called
from adjudicator.clerk.commands.ordering import changes_nothing
from adjudicator.ledger.game_acts import EndGame
from adjudicator.ledger.people_acts import CastVote, TakeVoteBack
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Vote
from adjudicator.reports.times import listed
from games.protocol import Game, Result, Seat
from games.protocol.optional import Sociable
from orders.commands import Command


def propose_draw(case: Case, command: Command) -> Done:
    """Agree to a draw among all who are left."""
    idle = changes_nothing(case)
    if idle:
        return idle
    rule = case.books.society.customs(case.name).draws
    if rule == "none":
        return told(sentence("clerk.settling.no_draw", game=case.name))
    voters = voting(case.game, case.seated.position)
    if case.seat not in voters:
        return told(sentence("clerk.settling.out_of_the_game", seat=case.seat))
    if voters == (case.seat,):
        return told(sentence("clerk.settling.nobody_to_agree"))
    needed = len(voters) // 2 + 1 if rule == "majority" else len(voters)
    agreed = _with(case, Vote(seat=case.seat, motion="draw"))
    there = [seat for seat in voters if seat in agreed and agreed[seat].motion == "draw"]
    if len(there) < needed:
        return _cast(case, Vote(seat=case.seat, motion="draw"), sentence("clerk.settling.agrees"))
    left = survivors(case.game, case.seated.position)
    why = sentence("clerk.settling.why_drawn", seats=listed(left))
    return _over(case, Result(winners=(), reason=why), sentence("clerk.settling.all_agreed"))


def concede(case: Case, command: Command) -> Done:
    """Give the game to somebody else, who wins when all others have."""
    idle = changes_nothing(case)
    if idle:
        return idle
    others = [seat for seat in survivors(case.game, case.seated.position) if seat != case.seat]
    to = seat_called(command.args[0], others) if command.args else others[0] if len(others) == 1 else None
    voters = [seat for seat in voting(case.game, case.seated.position) if seat != to]
    if case.seat not in voters:
        return told(sentence("clerk.settling.out_of_the_game", seat=case.seat))
    if to is None and others:
        return told(sentence("clerk.settling.concede_to_whom", seats=others))
    vote = Vote(seat=case.seat, motion="concede", to=to)
    agreed = _with(case, vote)
    if all(seat in agreed and agreed[seat].motion == "concede" and agreed[seat].to == to for seat in voters):
        if to is None:
            why = sentence("clerk.settling.why_given_up", seat=case.seat)
            return _over(case, Result(winners=(), reason=why), sentence("clerk.settling.given_up"))
        why = sentence("clerk.settling.why_conceded")
        return _over(case, Result(winners=(to,), reason=why), sentence("clerk.settling.conceded", seat=to))
    return _cast(case, vote, sentence("clerk.settling.concedes", seat=to))


def take_back(case: Case, command: Command) -> Done:
    """Agree to no end of the game any more."""
    idle = changes_nothing(case)
    if idle:
        return idle
    if case.seat not in case.books.society.votes(case.name):
        return told(sentence("clerk.settling.nothing_to_take_back"))
    act = TakeVoteBack(game=case.name, by=case.seat, seat=case.seat)
    return Done(acts=(act,), notes=(sentence("clerk.settling.taken_back"),))


def survivors(game: Game, position: Position) -> tuple[Seat, ...]:
    """The seats that are still in the game."""
    if isinstance(game.rules, Sociable):
        return tuple(game.rules.survivors(position.state))
    return tuple(position.chairs)


def voting(game: Game, position: Position) -> tuple[Seat, ...]:
    """The seats whose players have to agree: of those still in the game, the ones that people hold."""
    return tuple(seat for seat in survivors(game, position) if position.chairs[seat].is_person)


def _with(case: Case, vote: Vote) -> Mapping[Seat, Vote]:
    return {**case.books.society.votes(case.name), case.seat: vote}


def _cast(case: Case, vote: Vote, note: str) -> Done:
    act = CastVote(game=case.name, by=case.seat, turn=case.turn, vote=vote)
    return Done(acts=(act,), notes=(note,))


def _over(case: Case, result: Result, note: str) -> Done:
    act = EndGame(game=case.name, by=case.seat, why=result.reason, result=result, turn=case.turn)
    return Done(acts=(act,), notes=(note,))
