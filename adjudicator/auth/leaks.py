"""Leaked reply tokens: tokens seen where they do not belong, and the acts that make them void.

Nobody can make void what he does not have: a token counts only where the whole of it stands.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adjudicator.auth.reply_tokens import TokenHolder, may_contain_token, reply_tokens_of_named_games
from adjudicator.auth.sender import AuthenticatedSeat, RefusedClaim
from adjudicator.context import ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import SenderClaim, short_seat_name
from adjudicator.model.game_acts import AnyAct, Rekey
from adjudicator.model.games import GamePosition
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.record import replace_fields
from orders.mail.letter import Letter

LEAK_ACTOR = "the clerk"


def void_tokens_in_press(seated: AuthenticatedSeat, shown: Sequence[TokenHolder]) -> tuple[Rekey, ...]:
    """Return the acts that make void all tokens which a player wrote to others."""
    address = seated.chair.address
    return tuple(
        Rekey(
            game=holder.game,
            by=LEAK_ACTOR,
            why=sentence("clerk.leaks.in_own_press")
            if holder.address == address
            else sentence("clerk.leaks.in_press"),
            seat=holder.seat,
            quietly=(holder.game, holder.seat) == (seated.position.name, seated.seat),
            seen=holder.generation,
        )
        for holder in shown
    )


def void_tokens_in_letter(
    letter: Letter,
    claimed: Iterable[SenderClaim],
    speakers: Iterable[AuthenticatedSeat | RefusedClaim | None],
    books: Repository,
    service: ServiceContext,
) -> tuple[Rekey, ...]:
    """Return the acts that make void tokens of seats for which a letter does not speak.

    claimed: what its header says about its speaker; speakers: for whom it speaks. What comes from
    somebody's own address is theirs, authenticated or not: a forger of it has the token already, and
    learns nothing.
    """
    seated = [speaker for speaker in speakers if isinstance(speaker, AuthenticatedSeat)]
    seats = {(speaker.position.name, short_seat_name(speaker.seat)) for speaker in seated}
    own = {claim.token for claim in claimed if claim.token and (claim.game, claim.seat) in seats}
    texts = [letter.subject, *letter.recipients, *letter.thread, *(part.text for part in letter.parts)]
    if not may_contain_token(texts, own):
        return ()
    games = {game for game, _ in books.seats_of(letter.sender)} | {
        speaker.position.name for speaker in seated
    }
    own_addresses = {letter.sender, *(speaker.chair.address for speaker in seated)}
    return tuple(
        Rekey(
            game=holder.game,
            by=LEAK_ACTOR,
            why=sentence("clerk.leaks.brought_along"),
            seat=holder.seat,
            seen=holder.generation,
        )
        for holder in reply_tokens_of_named_games(texts, books, service, games).find_holders(*texts)
        if holder.address not in own_addresses
    )


def merge_rekeys(acts: Iterable[AnyAct]) -> tuple[AnyAct, ...]:
    """Return acts in which no seat's tokens are made void twice: the newest generation seen counts."""
    kept: dict[object, AnyAct] = {}
    for number, act in enumerate(acts):
        key = (act.game, act.seat) if isinstance(act, Rekey) else number
        before = kept.setdefault(key, act)
        if isinstance(act, Rekey) and isinstance(before, Rekey) and act.seen > before.seen:
            kept[key] = replace_fields(before, seen=act.seen)
    return tuple(kept.values())


def announce_rekeys(acts: Iterable[AnyAct]) -> list[AnyAct]:
    """Return acts of a letter without a reply, so that holders of void tokens get a letter of their own."""
    return [replace_fields(act, quietly=False) if isinstance(act, Rekey) else act for act in acts]


def renew_tokens(speaker: AuthenticatedSeat, acts: Iterable[AnyAct]) -> AuthenticatedSeat:
    """Return the speaker, with the tokens that are theirs once some acts are done."""
    void = {(act.game, act.seat) for act in acts if isinstance(act, Rekey)}
    if (speaker.position.name, speaker.seat) not in void:
        return speaker
    return replace_fields(speaker, position=increment_generation(speaker.position, speaker.seat))


def increment_generation(position: GamePosition, seat: Seat) -> GamePosition:
    """Return a game in which a seat has the next generation of tokens."""
    chair = position.chairs[seat]
    chair = replace_fields(chair, generation=chair.generation + 1)
    return replace(position, chairs={**position.chairs, seat: chair})
