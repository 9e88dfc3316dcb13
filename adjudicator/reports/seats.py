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


def new_address(game: str, seat: Seat, where: str) -> tuple[str, tuple[str, ...]]:
    """To a player of whose reply address somebody else knows. where: it stood."""
    return (
        f"A new reply address for {seat}",
        (
            f"The reply address of {seat} in {game} stood in {where}. Whoever read it there could have "
            "written in your name. So it is void, with those of all earlier letters.",
            "Answer this letter, or any that comes after it. Your orders, and whatever else you have said, "
            "stay as they are.",
            "The address stands in the head of each letter of ours, and in its subject: leave both out of "
            "what you pass on.",
        ),
    )


def shown_by_himself(seat: Seat) -> str:
    """To a player who has just written his reply address to others, with the answer that holds a new one."""
    return (
        f"What you wrote to others held a reply address of {seat}, by which anybody could write in your "
        'name. It was taken out: "…" stands there. In case it is known elsewhere too, it is void, with those '
        "of all earlier letters. From now on answer this letter, or any that comes after it."
    )


def void_address(game: str, seat: Seat) -> tuple[str, tuple[str, ...]]:
    """To a player in whose name a letter came under a reply address that is void."""
    return (
        f"The reply address of {seat} that was used is void",
        (
            f"A letter in your name came to a reply address of {seat} in {game} that is void, and nothing "
            "else in it shows that you wrote it. So nothing was done about it.",
            "If it was you, send it again as an answer to this letter.",
        ),
    )


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
