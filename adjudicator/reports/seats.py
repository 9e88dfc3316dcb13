"""What people are told when a seat changes hands: subjects and paragraphs."""

from collections.abc import Sequence
from datetime import tzinfo

from adjudicator.catalogue import sentence
from adjudicator.reports.times import Words, by_gamesmaster
from games.protocol import Seat


def farewell(game: str, seat: Seat, why: str) -> tuple[str, tuple[str, ...]]:
    """To whoever held a seat and holds it no longer."""
    return (
        sentence("reports.seats.no_longer_subject", seat=seat, game=game),
        (
            sentence("reports.seats.no_longer", game=game, seat=seat),
            *by_gamesmaster(why),
        ),
    )


def lent_out(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """To a player who is away, when his substitute sits down."""
    return (
        sentence("reports.seats.lent_out_subject", seat=seat, game=game),
        (sentence("reports.seats.lent_out", seat=seat, game=game),),
    )


def changed_hands(seat: Seat, by_bot: bool) -> tuple[str, Words]:
    """To all others in the game; not who it is, since that may be a secret."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (sentence("reports.seats.changed_hands", seat=seat, by_bot=by_bot),)

    return sentence("reports.seats.changed_hands_subject", seat=seat, by_bot=by_bot), words


def new_address(game: str, seat: Seat, where: str) -> tuple[str, tuple[str, ...]]:
    """To a player of whose reply address somebody else knows. where: it stood."""
    return (
        sentence("reports.seats.new_address_subject", seat=seat),
        (
            sentence("reports.seats.new_address", seat=seat, game=game, where=where),
            sentence("reports.seats.new_address_answer"),
            sentence("reports.seats.new_address_stands"),
        ),
    )


def shown_by_himself(seat: Seat) -> str:
    """To a player who has just written his reply address to others, with the answer that holds a new one."""
    return sentence("reports.seats.shown_by_himself", seat=seat)


def copied(seat: Seat, addresses: Sequence[str]) -> str:
    """Return what players are told whose email went to others in the game too, with their reply address."""
    return sentence("reports.seats.copied", seat=seat, addresses=tuple(addresses))


def copied_to_strangers(addresses: Sequence[str], reply: str) -> str:
    """Return what players are told once a game whose email went to strangers too. reply: what it shows."""
    return sentence("reports.seats.copied_to_stranger", addresses=tuple(addresses), reply=reply)


def void_address(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """To a player in whose name a letter came under a reply address that is void."""
    return (
        sentence("reports.seats.void_address_subject", seat=seat),
        (
            sentence("reports.seats.void_address", seat=seat, game=game),
            sentence("reports.seats.void_address_again"),
        ),
    )


def new_keys(game: str, seat: Seat, password: str) -> tuple[str, tuple[str, ...]]:
    """To a player whose reply addresses and password were made void."""
    return (
        sentence("reports.seats.new_keys_subject", seat=seat),
        (
            sentence("reports.seats.new_keys", seat=seat),
            sentence("reports.seats.new_keys_line"),
            f"  SIGNON {game} {seat} {password}",
        ),
    )
