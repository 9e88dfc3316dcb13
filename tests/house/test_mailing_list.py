"""A game in the thread of a real list: Mailman 3 as Debian installs it carries what is posted, both ways."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path

import pytest

import games
from adjudicator.gamesmaster import conduct, deadlines, forums
from adjudicator.ledger.filed_orders import is_flag, written
from adjudicator.post.signatures import signed_by
from adjudicator.signs.forum_marks import forum_address
from adjudicator.store import inbox
from games.protocol import Seat
from tests.kit.mail import letter
from tests.kit.mailman import Mailman, mailman
from tests.kit.servers import HANGING_SECONDS, running
from tests.kit.signing import Signer
from tests.kit.town import Town, text_of, town

LIST = "turns@lists.example.test"
JANE, JOE, READER = "jane@home.example.net", "joe@home.example.net", "reader@home.example.net"
HOME = Signer("home.example.net")


@dataclass
class Table:
    """A service with a game, and the list in which it is played.

    carried: so many posts the list has taken; ours: so many of them are the service's.
    """

    town: Town
    list: Mailman
    carried: int = 0
    ours: int = 0

    def post(self, sender: str, text: str) -> None:
        """Somebody answers the first post of the thread, and the service reads it."""
        begins = forums.linked(self.town.house, "beaver").thread
        raw = letter(
            text,
            sender=sender,
            to=LIST,
            subject=f"Re: {begins.subject}",
            date=self.town.clock.now(),
            headers={"In-Reply-To": begins.root, "References": begins.root},
            number=self.carried,
        )
        self.list.post(sender, HOME.signed(raw))
        self.carries(1)

    def carries(self, count: int) -> None:
        """So many more posts reach all who read, the service among them, which does what follows."""
        self.carried += count
        end = time.monotonic() + HANGING_SECONDS
        while len(self.archive()) < self.carried:
            assert time.monotonic() < end, self.list.log()[-3000:]
            time.sleep(0.02)
        self.town.house.poll()
        self.town.house.process()

    def sends(self, count: int = 0) -> None:
        """What the service has written goes out, and the post office hands the list what is for it."""
        self.town.house.send()
        new = sorted((self.town.folder / "mail" / LIST / "new").iterdir())[self.ours :]
        assert len(new) == count
        self.ours += count
        for file in new:
            self.list.post(self.town.house.office.address, file.read_bytes())
        self.carries(count)

    def archive(self) -> list[EmailMessage]:
        """All that the list has carried: what somebody gets who only reads."""
        return self.town.mail(READER)

    def filed(self) -> dict[str, list[str]]:
        """The orders that seats have on file, as they are written."""
        position = conduct.position_of(self.town.house, "beaver")
        game = games.kinds()[position.kind]
        items = {
            seat: [written(game, one) for one in each if not is_flag(one)]
            for seat, each in position.filed.items()
        }
        return {seat: sorted(orders) for seat, orders in items.items() if orders}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table of two players, and a list with somebody who only reads. Without maps."""
    monkeypatch.setattr("adjudicator.secretary.writing.map_for", lambda *position, **turn: None)
    with town(tmp_path) as here:
        office = here.house.office
        signed = replace(office, signed=lambda raw, domain: signed_by(raw, domain, HOME.texts))
        here.house = replace(here.house, office=signed)
        ours = forum_address(office.key, office.address, LIST)
        readers = (JANE, JOE, READER, ours)
        yield from (
            Table(here, each) for each in running(lambda: mailman(LIST, here.port, readers, [office.address]))
        )


def test_a_turn_is_played_in_the_thread_of_a_list(table: Table) -> None:
    """Posters are known by words, and by signatures that the list keeps; all is one topic, each post once."""
    here = table.town
    conduct.new_game(here.house, conduct.GameRequest("indianomacy", "beaver", terms={"early": "no"}))
    conduct.assign(here.house, "beaver", "iroquois", "iroquois@example.org")
    conduct.assign(here.house, "beaver", "dakota", "dakota@example.org")
    terms = {"forum": LIST, "orders": "open", "answers": "post"}
    deadlines.set_terms(here.house, "beaver", terms, "let us talk there")
    table.sends(1)
    words = forums.linked(here.house, "beaver").words
    table.post(JANE, f"WORD {words[Seat('Iroquois')]}\n\nMohawk - Delaware\nOneida H")
    table.sends(1)
    table.post(JOE, f"WORD {words[Seat('Dakota')]}")
    assert table.filed() == {"Iroquois": ["W MHK - DEL", "W ONE H"]}
    # What a player writes about another's units, or quotes of him, is not his.
    table.post(JOE, "Mohawk H\n> Oneida - Pequot\nSantee - Iowa\n")
    assert "Iroquois" in table.filed()
    assert table.filed()["Iroquois"] == ["W MHK - DEL", "W ONE H"]
    table.post(JANE, "Well, well.")
    position = conduct.position_of(here.house, "beaver")
    assert here.house.play_turn(position, here.clock.now(), ripe=True, by="gm") is not None
    table.sends(2)
    archive = table.archive()
    first, *others = archive
    assert {str(one["Subject"]) for one in others} == {"Re: [beaver] Indianomacy II"}
    assert all(str(first["Message-ID"]) in str(one["References"]) for one in others)
    assert "W MHK - DEL" in text_of(archive[-1])
    assert len(archive) == table.carried, "each once"
    handled = inbox.list_letters(here.house.database, 100)
    assert {one.disposition for one in handled} <= {"read", "ignored"}
    assert not any(b"X-Turnpost" in one.raw for one in handled), "ours came back, and were never letters"
    assert len(handled) == 4
