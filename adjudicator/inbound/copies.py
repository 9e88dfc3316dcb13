"""Copies of emails: their other recipients, and the effects if a copy shows a reply token.

A reply token is in the reply address, in the subject and in In-Reply-To. Anyone who gets a copy of the email
can read it there.
"""

from collections.abc import Iterable, Mapping

from adjudicator.auth.reply_tokens import (
    LEAK_ACTOR,
    TokenHolder,
    may_contain_token,
    reply_tokens_of_named_games,
)
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.context import ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import short_seat_name, valid_address
from adjudicator.model.games import AnyAct, Rekey
from adjudicator.model.people import NoteCopyWarning
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import copied_email_notice, copied_to_strangers_notice, reader_of
from adjudicator.reports.posts import forum_channel
from games.protocol import Seat
from games.record import Value, field
from orders.mail.headers import addresses, read_headers, split_message, text_of
from orders.mail.letter import Letter

_RECIPIENT_HEADERS = ("to", "cc")
_DELIVERY_HEADERS = frozenset({"delivered-to", "x-original-to", "envelope-to"})


class Copies(Value, frozen=True):
    """The effects of copies of an email, for each seat with a token that the recipients can see.

    leaked: the addresses of others in the game who got a copy. strangers: unknown addresses, if nobody else
    got a copy. own: our addresses that the email went to.
    """

    leaked: Mapping[tuple[str, Seat], tuple[str, ...]] = field(default_factory=dict)
    strangers: Mapping[tuple[str, Seat], tuple[str, ...]] = field(default_factory=dict)
    own: tuple[str, ...] = ()

    def void_speaker_token(
        self, seated: AuthenticatedSeat, repository: Repository, service: ServiceContext
    ) -> tuple[list[AnyAct], tuple[str, ...]]:
        """Return what is done about the token of a seat that gets a reply, and what the reply says of it."""
        name, seat = seated.position.name, seated.seat
        if readers := self.leaked.get((name, seat)):
            rekey = Rekey(
                game=name,
                by=LEAK_ACTOR,
                why=sentence("inbound.leaked_tokens.copied"),
                seat=seat,
                quietly=True,
            )
            return [rekey], (copied_email_notice(seat, readers),)
        address = seated.assignment.address or ""
        readers = self.strangers.get((name, seat))
        if not readers or repository.people.is_warned_of_copies(name, seat, address):
            return [], ()
        warning = NoteCopyWarning(by=LEAK_ACTOR, game=name, seat=seat, address=address)
        reader = reader_of(seated.position, seated.assignment, address, repository, service)
        begins = f"+{name}.{short_seat_name(seat)}."
        shown = next(
            (own_address for own_address in self.own if begins in own_address), reader.reply_address or ""
        )
        return [warning], (copied_to_strangers_notice(readers, shown),)

    def void_other_tokens(self, speakers: Iterable[object] = ()) -> tuple[Rekey, ...]:
        """Return the new tokens of the seats that get no reply; their players get an email of their own."""
        answered_seats = {
            (speaker.position.name, speaker.seat)
            for speaker in speakers
            if isinstance(speaker, AuthenticatedSeat)
        }
        why = sentence("inbound.leaked_tokens.copied")
        return tuple(
            Rekey(game=game, by=LEAK_ACTOR, why=why, seat=seat)
            for game, seat in self.leaked
            if (game, seat) not in answered_seats
        )


NO_COPIES = Copies()


def find_copies(
    letter: Letter, raw: bytes, repository: Repository, service: ServiceContext, games: Iterable[str] = ()
) -> Copies:
    """Return the copies of an email that show someone a valid token. raw: its bytes.

    games: the games that it speaks for. Headers that only we see, such as Delivered-To, don't count.
    """
    headers = read_headers(split_message(raw)[0])
    named = [header for header in headers if header.name in _RECIPIENT_HEADERS]
    delivered = {
        address
        for header in headers
        if header.name in _DELIVERY_HEADERS
        for address in addresses(header.value)
    }
    named_addresses = dict.fromkeys(address for header in named for address in addresses(header.value))
    own = tuple(address for address in named_addresses if service.is_ours(address))
    foreign_addresses = [
        valid_address(address) or address for address in named_addresses if address not in own
    ]
    others = [address for address in foreign_addresses if address != letter.sender]
    if not others:
        return NO_COPIES
    shown = [letter.subject, *letter.thread, *(part.text for part in letter.parts)]
    shown += [text_of(header.value) for header in named]
    if not may_contain_token(shown, ()):
        return NO_COPIES
    leaked: dict[tuple[str, Seat], tuple[str, ...]] = {}
    strangers: dict[tuple[str, Seat], tuple[str, ...]] = {}
    for holder in reply_tokens_of_named_games(shown, repository, service, games).find_holders(*shown):
        theirs, players = _readers_of(holder, repository, service)
        foreign = tuple(address for address in others if _without_suffix(address) not in theirs)
        if repository.people.policy(holder.game).anonymous:
            # Else one could try by a copy whether an address is that of a player.
            known = foreign
        else:
            known = tuple(address for address in foreign if _without_suffix(address) in players)
        if known:
            leaked[holder.game, holder.seat] = known
        elif unknown := tuple(address for address in foreign if address not in delivered):
            strangers[holder.game, holder.seat] = unknown
    return Copies(leaked, strangers, own)


def _readers_of(
    holder: TokenHolder, repository: Repository, service: ServiceContext
) -> tuple[set[str], set[str]]:
    """Return the addresses of the token's holder, and those of all others who play, watch or read a game."""
    position = repository.position(holder.game)
    assert position is not None, "its tokens are good"
    seats = {
        seat: {assignment.address} for seat, assignment in position.assignments.items() if assignment.address
    }
    for seat, loan in position.timing.loans.items():
        seats.setdefault(seat, set()).add(loan.owner)
    own = {holder.address, *seats.pop(holder.seat, set())}
    forum = repository.people.policy(holder.game).forum
    place = forum_channel(forum, service) if forum else None
    lists = [channel.address for channel in service.channels if channel.carries(holder.game, *channel.what)]
    lists += [place.address] if place else []
    players = {address for held in seats.values() for address in held}
    own_bare = {_without_suffix(address) for address in own}
    everybody = {*players, *repository.people.observers(holder.game), *filter(None, lists)}
    return own_bare, {_without_suffix(address) for address in everybody} - own_bare


def _without_suffix(address: str) -> str:
    """Return an address without the suffix that many servers pass over: it reaches the same mailbox."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"
