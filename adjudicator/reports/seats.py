"""Notices about a seat that changes hands: subjects and paragraphs."""

from collections.abc import Sequence
from datetime import tzinfo

from adjudicator.messages import sentence
from adjudicator.reports.times import Words, by_gamesmaster
from games.protocol import Seat


def lost_seat_notice(game: str, seat: Seat, why: str) -> tuple[str, tuple[str, ...]]:
    """Return the notice to a player who has lost a seat."""
    return (
        sentence("reports.seats.no_longer_subject", seat=seat, game=game),
        (
            sentence("reports.seats.no_longer", game=game, seat=seat),
            *by_gamesmaster(why),
        ),
    )


def substitute_started_notice(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """Return the notice to an absent player that a substitute has started."""
    return (
        sentence("reports.seats.lent_out_subject", seat=seat, game=game),
        (sentence("reports.seats.lent_out", seat=seat, game=game),),
    )


def new_player_notice(seat: Seat, by_bot: bool) -> tuple[str, Words]:
    """Return the notice to all others in the game; it names nobody, since the player may be a secret."""

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (sentence("reports.seats.changed_hands", seat=seat, by_bot=by_bot),)

    return sentence("reports.seats.changed_hands_subject", seat=seat, by_bot=by_bot), words


def new_address_notice(game: str, seat: Seat, where: str) -> tuple[str, tuple[str, ...]]:
    """Return the notice to a player whose reply address became known to somebody else. where: it stood."""
    return (
        sentence("reports.seats.new_address_subject", seat=seat),
        (
            sentence("reports.seats.new_address", seat=seat, game=game, where=where),
            sentence("reports.seats.new_address_answer"),
            sentence("reports.seats.new_address_stands"),
        ),
    )


def self_disclosed_address_notice(seat: Seat) -> str:
    """Return the notice to a player who has just sent their reply address to others.

    It stands in the reply that holds a new one.
    """
    return sentence("reports.seats.shown_by_himself", seat=seat)


def copied_email_notice(seat: Seat, addresses: Sequence[str]) -> str:
    """Return what players are told whose email went to others in the game too, with their reply address."""
    return sentence("reports.seats.copied", seat=seat, addresses=tuple(addresses))


def copied_to_strangers_notice(addresses: Sequence[str], reply: str) -> str:
    """Return what players are told once a game whose email went to strangers too. reply: what it shows."""
    return sentence("reports.seats.copied_to_stranger", addresses=tuple(addresses), reply=reply)


def revoked_address_notice(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """Return the notice to a player in whose name a letter came under a revoked reply address."""
    return (
        sentence("reports.seats.void_address_subject", seat=seat),
        (
            sentence("reports.seats.void_address", seat=seat, game=game),
            sentence("reports.seats.void_address_again"),
        ),
    )


def new_credentials_notice(game: str, seat: Seat, password: str) -> tuple[str, tuple[str, ...]]:
    """Return the notice to a player whose reply addresses and password were revoked."""
    return (
        sentence("reports.seats.new_keys_subject", seat=seat),
        (
            sentence("reports.seats.new_keys", seat=seat),
            sentence("reports.seats.new_keys_line"),
            f"  SIGNON {game} {seat} {password}",
        ),
    )
