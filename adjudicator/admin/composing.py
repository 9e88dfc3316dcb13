"""Letters that a gamesmaster writes himself, to players of a game, who can answer them with orders."""

from collections.abc import Sequence

from adjudicator.admin.game_admin import position_of, seat_of
from adjudicator.errors import Refusal
from adjudicator.model.mail import LetterDraft
from adjudicator.reports.messages import Heading, notice
from adjudicator.service import Service
from adjudicator.storage import outbox
from games.protocol import Seat


def compose(
    house: Service, name: str, seats: Sequence[str], subject: str, text: str
) -> tuple[LetterDraft, ...]:
    """Put a letter to some seats of a game in the outbox; to all of people where none is named.

    It carries the seats' own reply addresses. Raises Refusal where it has no text, or nobody would read it.
    """
    paragraphs = tuple(part.strip("\n") for part in text.split("\n\n") if part.strip())
    if not paragraphs or not subject.strip():
        raise Refusal("the letter", "has no text" if subject.strip() else "has no subject", "write one")
    position, now = position_of(house, name), house.clock.now()
    letters = [
        notice(
            house.composer.reader(position, position.chairs[seat]),
            Heading(f"{name}/composed/{now}/{seat}", subject),
            paragraphs,
        )
        for seat in _people(house, name, seats)
    ]
    with house.database.session():
        outbox.put(house.database, [house.composer.seal(letter, now) for letter in letters], now)
    return tuple(letters)


def _people(house: Service, name: str, seats: Sequence[str]) -> tuple[Seat, ...]:
    position = position_of(house, name)
    people = tuple(seat for seat, chair in position.chairs.items() if chair.is_person)
    if not seats:
        if not people:
            raise Refusal(f"game {name}", "nobody but bots plays in it", "gm seat assign  gives a seat away")
        return people
    wanted = tuple(dict.fromkeys(seat_of(position, seat) for seat in seats))
    for seat in wanted:
        if seat not in people:
            raise Refusal(f"seat {seat}", "is played by a bot, which reads no letters")
    return wanted
