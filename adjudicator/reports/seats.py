"""What people are told when a seat changes hands: subjects and paragraphs."""

from datetime import tzinfo

from adjudicator.reports.times import Words, by_gamesmaster
from games.protocol import Seat


def farewell(game: str, seat: Seat, why: str) -> tuple[str, tuple[str, ...]]:
    """To whoever held a seat and holds it no longer."""
    return (
        f"You play {seat} in {game} no longer",
        (
            f"Your seat in the game {game} is no longer yours. What you write for {seat} from now on is not "
            "counted.",
            *by_gamesmaster(why),
        ),
    )


def lent_out(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """To a player who is away, when his substitute sits down."""
    return (
        f"A substitute plays {seat} in {game} while you are away",
        (
            f"As you announced you are away, and somebody from the waiting list plays {seat} in the game "
            f"{game}. The seat comes back to you by itself; your password is good again from then on.",
        ),
    )


def changed_hands(seat: Seat, by_bot: bool) -> tuple[str, Words]:
    """To all others in the game; not who it is, since that may be a secret."""
    whom = "its bot" if by_bot else "somebody else"

    def words(reader: Seat | None, zone: tzinfo) -> tuple[str, ...]:
        return (f"{seat} changes hands, and is played by {whom} from now on. All else is as it was.",)

    return f"{seat} is played by {whom} from now on", words


def new_keys(game: str, seat: Seat, password: str) -> tuple[str, tuple[str, ...]]:
    """To a player whose reply addresses and password were made void."""
    return (
        f"New keys for {seat}",
        (
            f"The reply addresses and the password of {seat} that you had so far are void. Answer this "
            "letter, or any that comes after it.",
            "If you ever write from elsewhere, begin your letter with this line; it holds your password:",
            f"  SIGNON {game} {seat} {password}",
        ),
    )
