"""A game in a topic of a Discourse forum: our posts, the accepted posts, and their authors."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, forums, transfer
from adjudicator.auth.correspondents import poster_word
from adjudicator.clock import DAY, MINUTE
from adjudicator.config.service import load_settings
from adjudicator.mail.discourse import RELOOK
from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import is_flag, write_item
from adjudicator.reports.maps import Drawing
from adjudicator.service import open_service
from games.protocol import Seat
from tests.kit.attack_service import IROQUOIS, AttackedService, attacked_service, begin_games
from tests.kit.discourse import KEY, Forum, Trouble, forum

MAP = Drawing(svg="<svg/>", png=b"\x89PNG\r\n\x1a\n of a map")
ORDER = "Mohawk - Delaware"
CHANNEL = """
[[channel]]
name = "club"
kind = "discourse"
url = "{url}"
secret = {{ file = "club-key" }}
account = "turnpost"
category = 5
games = []
local = true
"""


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service with a game, to be copied."""
    folder = tmp_path_factory.mktemp("discourse")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        begin_games(folder / "template_folder", ["demo"])
    return folder


@pytest.fixture
def club() -> Iterator[Forum]:
    """The forum."""
    with forum() as it:
        yield it


@pytest.fixture
def here(
    template_folder: Path, tmp_path: Path, club: Forum, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AttackedService]:
    """A service of its own with a game in the forum and open orders.

    Its maps aren't drawn again: that takes longer than everything else here.
    """
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: MAP)
    with attacked_service(
        Path(shutil.copytree(template_folder / "template_folder", tmp_path / "service"))
    ) as it:
        open_forum_game(it, club)
        yield it


def open_forum_game(it: AttackedService, club: Forum) -> None:
    """Continue the game in the forum."""
    (it.folder / "club-key").write_text(f"{KEY}\n")
    (it.folder / "club-key").chmod(0o600)
    config = it.folder / "gm.toml"
    config.write_text(config.read_text() + CHANNEL.format(url=club.url))
    it.service = open_service(load_settings(config), it.clock)
    deadlines.set_terms(it.service, "demo", {"forum": "club", "orders": "open"}, "let us talk there")
    it.service.post_to_channels()
    club.now = it.clock.now()


def posts(it: AttackedService, club: Forum, name: str, text: str) -> int:
    """Somebody posts, and the service reads it. The number of the post."""
    club.now = it.clock.now()
    number = club.write(70, name, text)
    reads(it, club)
    return number


def read_saved_orders(it: AttackedService) -> list[str]:
    """All orders on file, as they are written."""
    position = it.position()
    game = position.game
    return [write_item(game, one) for items in position.filed.values() for one in items if not is_flag(one)]


def reads(it: AttackedService, club: Forum) -> int:
    """The service looks into the forum, and does what follows. So many posts were new."""
    it.clock.advance(max(0, club.now - it.clock.now()) + 1000)
    new = it.service.poll()
    it.service.process()
    return new


def test_a_game_is_played_in_a_topic(
    here: AttackedService, club: Forum, caplog: pytest.LogCaptureFixture
) -> None:
    (first,) = club.ours
    assert club.topics[70]["title"] == "[demo] Indianomacy II"
    for proved in (True, False):
        assert sentence("reports.in_forum.vouched", proved=proved) not in " ".join(first.split())
    posts(here, club, "jane", ORDER)
    assert read_saved_orders(here) == [], "nobody knows who jane is"
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    posts(here, club, "jane", f"WORD {word}")
    (known,) = forums.forum_link(here.service, "demo").posters
    assert known.name == f"jane.{club.accounts['jane']}@club.forum.invalid"
    posts(here, club, "mallory", "Oneida - Pequot")
    number = posts(
        here, club, "jane", f'[quote="joe, post:3, topic:70"]\nOneida - Pequot\n[/quote]\n\n{ORDER}'
    )
    assert read_saved_orders(here) == ["W MHK - DEL"]
    assert reads(here, club) == 0, "each post is read once"
    club.change(number, "Mohawk H", 1)
    here.clock.advance(RELOOK)
    assert reads(here, club) == 1
    assert read_saved_orders(here) == ["W MHK H"], "who changes his post changes his mind"
    del club.posts[number]
    here.clock.advance(RELOOK)
    reads(here, club)
    assert read_saved_orders(here) == ["W MHK H"], "who deletes it has said it all the same"
    position = here.position()
    assert here.service.turns.play(position, here.clock.now(), ripe=True, by="gm") is not None
    club.script = [("POST /posts", Trouble()), ("GET /t/70", Trouble(429, (("Retry-After", "60"),)))]
    for _ in range(4):
        here.service.post_to_channels()
        here.clock.advance(5 * MINUTE)
    report = club.ours[-1]
    assert "Mohawk" in report or "MHK" in report
    assert len(club.ours) == len(set(club.ours)), "each post once"
    assert club.uploads.total() == 1, "the map"
    written = [raw.decode(errors="replace") for raw in here.written()]
    document = json.dumps(transfer.export(here.service, "demo"), default=str)
    assert not any(KEY in text for text in (*written, caplog.text, document, *club.asked))
    assert not any("forum." in text for text in club.ours), "the address for posts stays with us"


def test_a_name_that_somebody_else_takes_is_another_poster(here: AttackedService, club: Forum) -> None:
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    posts(here, club, "jane", f"WORD {word}")
    club.accounts["jane"] = 999
    posts(here, club, "jane", ORDER)
    assert read_saved_orders(here) == []


WRONG, HIS = "Mohawk H", "Santee H"
"""What Joe would have Jane's Mohawk do; and what may be ordered by him alone."""


ATTACKS: dict[str, Callable[[AttackedService, Forum, int], None]] = {
    "orders for another's units": lambda it, club, number: _says(club, "joe", WRONG),
    "orders under another's name": lambda it, club, number: _says(club, "joe", f"Iroquois:\n{WRONG}"),
    "another's orders, quoted": lambda it, club, number: _says(
        club, "joe", f'[quote="jane, post:2, topic:70"]\n{WRONG}\n[/quote]\n\nWhat?'
    ),
    "a quotation that does not end": lambda it, club, number: _says(
        club, "joe", f'[quote="jane, post:2, topic:70"]\n{WRONG}'
    ),
    "a name like another's": lambda it, club, number: _says(club, "jane_", WRONG),
    "another's name in other letters": lambda it, club, number: _says(club, "j\u0430ne", WRONG),
    "a word that was used": lambda it, club, number: _says(club, "mallory", f"WORD {_word(it)}\n{WRONG}"),
    "a word that is guessed": lambda it, club, number: _says(club, "mallory", f"WORD aaaaa-aaaaa\n{WRONG}"),
    "headers of a letter": lambda it, club, number: _says(
        club, "joe", f"From: jane.11@club.forum.invalid\n\n{WRONG}"
    ),
    "a mark like ours": lambda it, club, number: _says(club, "joe", f"{WRONG}\n<!-- turnpost {'c' * 32} -->"),
    "a whisper among moderators": lambda it, club, number: club.posts[_says(club, "jane", WRONG)].update(
        post_type=4
    ),
    "a post that is hidden": lambda it, club, number: club.posts[_says(club, "jane", WRONG)].update(
        hidden=True
    ),
    "a post that is deleted": lambda it, club, number: club.posts[_says(club, "jane", WRONG)].update(
        deleted_at="2026-01-05T18:40:00.000Z"
    ),
    "a post moved into another topic": lambda it, club, number: club.posts[_says(club, "jane", WRONG)].update(
        topic_id=71
    ),
    "her post given to another": lambda it, club, number: club.posts[number].update(
        username="joe", user_id=club.accounts["joe"], raw=WRONG, version=2
    ),
}
"""What somebody does in the topic, where Jane has ordered and Joe is known too. number: of her post."""


def _says(club: Forum, name: str, text: str) -> int:
    return club.write(70, name, text)


def _word(it: AttackedService) -> str:
    return poster_word(it.service.service_context.key, "demo", Seat("Iroquois"), IROQUOIS, 0)


@pytest.fixture(scope="module")
def besieged(
    template_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[AttackedService, Forum, int]]:
    """The service that all rows of the table attack, and the number of Jane's post."""
    with forum() as club, pytest.MonkeyPatch.context() as patched:
        patched.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: MAP)
        with attacked_service(
            Path(
                shutil.copytree(
                    template_folder / "template_folder", tmp_path_factory.mktemp("club") / "service"
                )
            )
        ) as it:
            open_forum_game(it, club)
            words = forums.forum_link(it.service, "demo").words
            posts(it, club, "jane", f"WORD {words[Seat('Iroquois')]}")
            posts(it, club, "joe", f"WORD {words[Seat('Dakota')]}")
            yield it, club, posts(it, club, "jane", ORDER)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_is_posted_moves_anothers_unit(
    besieged: tuple[AttackedService, Forum, int], attack: str
) -> None:
    it, club, number = besieged
    kept = dict(club.posts[number])
    assert "W MHK - DEL" in read_saved_orders(it)
    posters = it.service.repository.people.posters("demo")
    club.now = it.clock.now()
    ATTACKS[attack](it, club, number)
    it.clock.advance(RELOOK)
    reads(it, club)
    assert "W MHK - DEL" in read_saved_orders(it)
    assert it.service.repository.people.posters("demo") == posters
    club.posts[number] = kept


def test_what_is_changed_after_the_deadline_is_late(here: AttackedService, club: Forum) -> None:
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    posts(here, club, "jane", f"WORD {word}")
    number = posts(here, club, "jane", ORDER)
    before = here.position().entries
    here.clock.advance(10 * DAY)
    club.now = here.clock.now()
    club.change(number, "Mohawk H", 2)
    reads(here, club)
    assert here.position().entries == before + 1
    here.service.post_to_channels()
    assert "W MHK - DEL" in club.ours[-1], "what stood there in time was played"


def test_a_forum_that_cannot_be_read_holds_its_turns(here: AttackedService, club: Forum) -> None:
    """As with a mailbox: the posts have to be read before a turn runs."""
    club.script = [("GET /t/70", Trouble(503))] * 3
    before = here.position().entries
    here.clock.advance(10 * DAY)
    club.now = here.clock.now()
    with pytest.raises(Exception, match="503"):
        here.service.poll()
    here.service.process()
    assert here.position().entries == before
    club.script = []
    reads(here, club)
    assert here.position().entries > before
    assert not any(IROQUOIS in text for text in club.ours)
