"""A game in the thread of a real list: Debian's Mailman 3 carries the posts, both ways."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, forums, game_admin
from adjudicator.storage import inbox
from games.protocol import Seat
from tests.kit.mailing_list import LIST, ListGame, list_game
from tests.kit.servers import running
from tests.kit.service_harness import text_of

JANE, JOE = "jane@home.example.net", "joe@home.example.net"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ListGame]:
    """A table of two players. Without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    yield from running(lambda: list_game(tmp_path, (JANE, JOE)))


def test_a_turn_is_played_in_the_thread_of_a_list(table: ListGame) -> None:
    """Posters are known by words, and by signatures that the list keeps; all is one topic, each post once."""
    here = table.service
    game_admin.new_game(here.service, game_admin.GameRequest("indianomacy", "beaver", terms={"early": "no"}))
    game_admin.assign(here.service, "beaver", "iroquois", "iroquois@example.org")
    game_admin.assign(here.service, "beaver", "dakota", "dakota@example.org")
    terms = {"forum": LIST, "orders": "open", "answers": "post"}
    deadlines.set_terms(here.service, "beaver", terms, "let us talk there")
    table.sends(1)
    words = forums.forum_link(here.service, "beaver").words
    table.post(JANE, f"WORD {words[Seat('Iroquois')]}\n\nMohawk - Delaware\nOneida H")
    table.sends(1)
    table.post(JOE, f"WORD {words[Seat('Dakota')]}")
    assert table.filed() == {"Iroquois": ["W MHK - DEL", "W ONE H"]}
    # What a player writes about another's units, or quotes of him, is not his.
    table.post(JOE, "Mohawk H\n> Oneida - Pequot\nSantee - Iowa\n")
    assert "Iroquois" in table.filed()
    assert table.filed()["Iroquois"] == ["W MHK - DEL", "W ONE H"]
    table.post(JANE, "Well, well.")
    position = game_admin.position_of(here.service, "beaver")
    assert here.service.turns.play(position, here.clock.now(), ripe=True, by="gm") is not None
    table.sends(2)
    archive = table.archive()
    first, *others = archive
    assert {str(one["Subject"]) for one in others} == {"Re: [beaver] Indianomacy II"}
    assert all(str(first["Message-ID"]) in str(one["References"]) for one in others)
    assert any("W MHK - DEL" in text_of(one) for one in archive[-2:]), "whichever of the two came last"
    assert len(archive) == table.carried, "each once"
    handled = inbox.list_letters(here.service.database, 100)
    assert {one.disposition for one in handled} <= {"read", "ignored"}
    assert not any(b"X-Turnpost" in one.raw for one in handled), "ours came back, and were never letters"
    assert len(handled) == 4
