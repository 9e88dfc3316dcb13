"""However many turns are due at once, a letter that comes meanwhile waits for one of them at the most."""

from pathlib import Path

from adjudicator import house
from adjudicator.gamesmaster import conduct
from adjudicator.store import inbox
from tests.kit.town import HOUR, town

DAY = 24 * HOUR
NAMES = ("heron", "otter", "raven")
ASKS = b"From: you@example.org\r\nTo: gm@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


def test_a_letter_is_answered_between_two_turns_that_are_due(tmp_path: Path) -> None:
    passed: list[str] = []

    def reached(step: str) -> None:
        passed.append(step)
        if passed.count("turn committed") == 1 and step == "turn committed":
            service.take(ASKS)

    with town(tmp_path) as place:
        for name in NAMES:
            conduct.new_game(place.house, conduct.GameRequest("indianomacy", name), secret=b"s" * 32)
            for seat in ("Iroquois", "Dakota"):
                conduct.assign(place.house, name, seat, f"{seat.lower()}.{name}@example.org")
        place.work()
        place.clock.forward(30 * DAY)
        place.house.poll()
        service = house.open_house(place.house.settings, place.clock, reached)
        service.process()
        service.database.close()
        read = [one.disposition for one in inbox.list_letters(place.house.database)]
    turns = [at for at, step in enumerate(passed) if step == "turn committed"]
    assert len(turns) >= len(NAMES)
    assert read == ["read"]
    assert turns[0] < passed.index("letter handled") < turns[1]
