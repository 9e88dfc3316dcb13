"""Reply tokens seen where they do not belong: whose they are, and that they are void from then on.

Nobody can make void what he does not have: a token counts only where the whole of it stands.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import Refused, Seated
from adjudicator.clerk.keys import Holder, keys_named, may_show
from adjudicator.ledger.books import Books
from adjudicator.ledger.game_acts import AnyAct, Rekey
from adjudicator.ledger.positions import Position
from adjudicator.office import Office
from adjudicator.signs.addresses import Claim, short
from games.protocol import Seat
from games.record import changed
from orders.letters.letter import Letter

BY = "the clerk"


def in_press(seated: Seated, shown: Sequence[Holder]) -> tuple[Rekey, ...]:
    """What follows where somebody wrote tokens to others: all of them are void."""
    address = seated.chair.address
    return tuple(
        Rekey(
            game=one.game,
            by=BY,
            why=sentence("clerk.leaks.in_own_press")
            if one.address == address
            else sentence("clerk.leaks.in_press"),
            seat=one.seat,
            quietly=(one.game, one.seat) == (seated.position.name, seated.seat),
            seen=one.generation,
        )
        for one in shown
    )


def brought_along(
    letter: Letter,
    claimed: Iterable[Claim],
    speakers: Iterable[Seated | Refused | None],
    books: Books,
    office: Office,
) -> tuple[Rekey, ...]:
    """What follows where a letter holds tokens of others than those for whom it speaks.

    claimed: what its head says about its speaker; speakers: for whom it speaks. What comes from somebody's
    own address is his own, whether or not it is vouched for: who forges it has the token already, and learns
    nothing.
    """
    seated = [one for one in speakers if isinstance(one, Seated)]
    seats = {(one.position.name, short(one.seat)) for one in seated}
    own = {claim.token for claim in claimed if claim.token and (claim.game, claim.seat) in seats}
    texts = [letter.subject, *letter.recipients, *letter.thread, *(part.text for part in letter.parts)]
    if not may_show(texts, own):
        return ()
    games = {game for game, _ in books.seats_of(letter.sender)} | {one.position.name for one in seated}
    whose = {letter.sender, *(one.chair.address for one in seated)}
    return tuple(
        Rekey(
            game=one.game,
            by=BY,
            why=sentence("clerk.leaks.brought_along"),
            seat=one.seat,
            seen=one.generation,
        )
        for one in keys_named(texts, books, office, games).shown_in(*texts)
        if one.address not in whose
    )


def once_each(acts: Iterable[AnyAct]) -> tuple[AnyAct, ...]:
    """Acts in which no seat's tokens are made void twice: of several the newest one that was seen counts."""
    kept: dict[object, AnyAct] = {}
    for number, act in enumerate(acts):
        key = (act.game, act.seat) if isinstance(act, Rekey) else number
        before = kept.setdefault(key, act)
        if isinstance(act, Rekey) and isinstance(before, Rekey) and act.seen > before.seen:
            kept[key] = changed(before, seen=act.seen)
    return tuple(kept.values())


def aloud(acts: Iterable[AnyAct]) -> list[AnyAct]:
    """Acts of a letter that is not answered: of void tokens their holder gets a letter of its own."""
    return [changed(act, quietly=False) if isinstance(act, Rekey) else act for act in acts]


def renewed(speaker: Seated, acts: Iterable[AnyAct]) -> Seated:
    """Who speaks, with the tokens that are his once some acts are done."""
    void = {(act.game, act.seat) for act in acts if isinstance(act, Rekey)}
    if (speaker.position.name, speaker.seat) not in void:
        return speaker
    return changed(speaker, position=with_new_tokens(speaker.position, speaker.seat))


def with_new_tokens(position: Position, seat: Seat) -> Position:
    """A game in which a seat has other tokens than before."""
    chair = position.chairs[seat]
    chair = changed(chair, generation=chair.generation + 1)
    return replace(position, chairs={**position.chairs, seat: chair})
