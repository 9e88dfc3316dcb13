"""Copies of emails: who else got one, and what follows where it shows a reply token.

A reply token stands in the address that is answered, in the subject and in In-Reply-To. Anyone who gets a
copy of the email reads it there.
"""

from collections.abc import Iterable, Mapping

from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.keys import Holder, keys_named, may_show
from adjudicator.clerk.leaks import BY
from adjudicator.ledger.books import Books
from adjudicator.ledger.game_acts import AnyAct, Rekey
from adjudicator.ledger.people_acts import NoteCopyWarning
from adjudicator.office import Office
from adjudicator.reports.in_forum import place_of
from adjudicator.reports.reader import reader_of
from adjudicator.reports.seats import copied, copied_to_strangers
from adjudicator.signs.addresses import short, valid_address
from games.protocol import Seat
from games.record import Value, field
from orders.letters.headers import addresses, divide, read_headers, text_of
from orders.letters.letter import Letter

_COPIED = ("to", "cc")
_DELIVERED = frozenset({"delivered-to", "x-original-to", "envelope-to"})


class Copies(Value, frozen=True):
    """What follows from the copies of an email, for each seat whose token its readers see.

    leaked: the addresses of others in the game who got a copy; strangers: those of people whom nobody knows,
    where nobody else got one. own: our addresses that the email went to.
    """

    leaked: Mapping[tuple[str, Seat], tuple[str, ...]] = field(default_factory=dict)
    strangers: Mapping[tuple[str, Seat], tuple[str, ...]] = field(default_factory=dict)
    own: tuple[str, ...] = ()

    def of_speaker(
        self, seated: Seated, books: Books, office: Office
    ) -> tuple[list[AnyAct], tuple[str, ...]]:
        """Return what is done about the token of a seat that gets a reply, and what the reply says of it."""
        name, seat = seated.position.name, seated.seat
        if found := self.leaked.get((name, seat)):
            rekey = Rekey(game=name, by=BY, why=sentence("clerk.leaks.copied"), seat=seat, quietly=True)
            return [rekey], (copied(seat, found),)
        address = seated.chair.address or ""
        found = self.strangers.get((name, seat))
        if not found or books.society.is_warned_of_copies(name, seat, address):
            return [], ()
        warning = NoteCopyWarning(by=BY, game=name, seat=seat, address=address)
        reader = reader_of(seated.position, seated.chair, address, books, office)
        begins = f"+{name}.{short(seat)}."
        shown = next((one for one in self.own if begins in one), reader.reply_address or "")
        return [warning], (copied_to_strangers(found, shown),)

    def of_others(self, speakers: Iterable[object] = ()) -> tuple[Rekey, ...]:
        """Return the new tokens of the seats that get no reply; their players get an email of their own."""
        told = {(one.position.name, one.seat) for one in speakers if isinstance(one, Seated)}
        why = sentence("clerk.leaks.copied")
        return tuple(
            Rekey(game=game, by=BY, why=why, seat=seat)
            for game, seat in self.leaked
            if (game, seat) not in told
        )


NO_COPIES = Copies()


def find_copies(
    letter: Letter, raw: bytes, books: Books, office: Office, games: Iterable[str] = ()
) -> Copies:
    """Return the copies of an email that show somebody a token which is good. raw: its bytes.

    games: those for which it speaks. What only we are shown, such as Delivered-To, does not count.
    """
    headers = read_headers(divide(raw)[0])
    named = [header for header in headers if header.name in _COPIED]
    delivered = {one for header in headers if header.name in _DELIVERED for one in addresses(header.value)}
    named_addresses = dict.fromkeys(one for header in named for one in addresses(header.value))
    own = tuple(one for one in named_addresses if office.is_ours(one))
    foreign_ones = [valid_address(one) or one for one in named_addresses if one not in own]
    others = [one for one in foreign_ones if one != letter.sender]
    if not others:
        return NO_COPIES
    shown = [letter.subject, *letter.thread, *(part.text for part in letter.parts)]
    shown += [text_of(header.value) for header in named]
    if not may_show(shown, ()):
        return NO_COPIES
    leaked: dict[tuple[str, Seat], tuple[str, ...]] = {}
    strangers: dict[tuple[str, Seat], tuple[str, ...]] = {}
    for holder in keys_named(shown, books, office, games).shown_in(*shown):
        theirs, players = _readers_of(holder, books, office)
        foreign = tuple(one for one in others if _bare(one) not in theirs)
        if books.society.customs(holder.game).anonymous:
            # Else one could try by a copy whether an address is that of a player.
            known = foreign
        else:
            known = tuple(one for one in foreign if _bare(one) in players)
        if known:
            leaked[holder.game, holder.seat] = known
        elif unknown := tuple(one for one in foreign if one not in delivered):
            strangers[holder.game, holder.seat] = unknown
    return Copies(leaked, strangers, own)


def _readers_of(holder: Holder, books: Books, office: Office) -> tuple[set[str], set[str]]:
    """Return the addresses of the token's holder, and those of all others who play, watch or read a game."""
    position = books.position(holder.game)
    assert position is not None, "its tokens are good"
    seats = {seat: {chair.address} for seat, chair in position.chairs.items() if chair.address}
    for seat, loan in position.timing.loans.items():
        seats.setdefault(seat, set()).add(loan.owner)
    own = {holder.address, *seats.pop(holder.seat, set())}
    forum = books.society.customs(holder.game).forum
    place = place_of(forum, office) if forum else None
    lists = [one.address for one in office.channels if one.carries(holder.game, *one.what)]
    lists += [place.address] if place else []
    players = {one for held in seats.values() for one in held}
    own_bare = {_bare(one) for one in own}
    everybody = {*players, *books.society.observers(holder.game), *filter(None, lists)}
    return own_bare, {_bare(one) for one in everybody} - own_bare


def _bare(address: str) -> str:
    """Return an address without the suffix that many servers pass over: it reaches the same mailbox."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"
