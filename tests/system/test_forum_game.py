"""A game whose public face is a thread: its posts, the accepted orders, and their authors."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, forums, game_admin, transfer
from adjudicator.clock import DAY
from adjudicator.errors import Refusal
from adjudicator.mail.dkim import signed_by
from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import is_flag, write_item
from adjudicator.storage import outbox
from games.protocol import Seat
from tests.kit.attack_service import DAKOTA, IROQUOIS, NET, AttackedService, attacked_service, begin_games
from tests.kit.mail import letter
from tests.kit.simulated_mailing_list import (
    HOME,
    JANE,
    LIST,
    begin,
    introduce_posters,
    post,
    thread_posts,
    thread_texts,
)

ORDER = "Mohawk - Delaware"


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service with a game, to be copied."""
    folder = tmp_path_factory.mktemp("forum")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        begin_games(folder / "template_folder", ["demo"])
    return folder


@pytest.fixture
def here(template_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AttackedService]:
    """A service of a test's own. Without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with attacked_service(
        Path(shutil.copytree(template_folder / "template_folder", tmp_path / "service"))
    ) as it:
        yield it


def letters_to(it: AttackedService, address: str) -> list[str]:
    """The subjects and texts of our letters to somebody, oldest first."""
    found = reversed(outbox.list_posted(it.service.database, 10_000))
    return [it.text(one) for one in found if one.sealed.to == address]


def read_saved_orders(it: AttackedService) -> dict[str, list[str]]:
    """The orders that seats have on file, as they are written."""
    position = it.position()
    game = position.game
    found = {
        seat: [write_item(game, item) for item in items if not is_flag(item)]
        for seat, items in position.filed.items()
    }
    return {seat: sorted(orders) for seat, orders in found.items() if orders}


def turn_name(it: AttackedService) -> str:
    """The turn that the game is in, as people call it."""
    position = it.position()
    return position.game.rules.turn(position.state).name


def thread_note(it: AttackedService, by_letter: bool) -> str:
    """Return how the thread says that the Iroquois have sent orders, and in which way."""
    return sentence(
        "reports.in_forum.filed_heading", seat="Iroquois", turn=turn_name(it), by_letter=by_letter
    )


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def trusting(it: AttackedService) -> None:
    """From here on Jane's signatures can be checked."""
    signed = replace(
        it.service.service_context, signed=lambda raw, domain: signed_by(raw, domain, HOME.texts)
    )
    it.service = replace(it.service, service_context=signed)


def play(it: AttackedService) -> None:
    """Run the turn, even with missing orders."""
    position = it.position()
    assert it.service.turns.play(position, it.clock.now(), ripe=True, by="gm") is not None


def test_orders_are_given_in_the_open_and_by_letter_and_the_last_word_counts(here: AttackedService) -> None:
    begin(here, orders="open", answers="post", posters="list")
    (first,) = thread_posts(here)
    assert first["Subject"] == "[demo] Indianomacy II"
    assert first["Auto-Submitted"] == "no"
    linked = forums.forum_link(here.service, "demo")
    assert linked.words[Seat("Iroquois")] in letters_to(here, IROQUOIS)[-1]
    assert here.arrives(post(here, ORDER)).disposition == "ignored", "nobody knows who Jane is"
    introduce_posters(here)
    shown = here.arrives(post(here, f"I hope this works.\n\n{ORDER}\nOneida H\n"))
    assert (shown.disposition, shown.seat) == ("read", "Iroquois")
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL", "W ONE H"]}
    answer = thread_posts(here)[-1]
    assert "| W MHK - DEL" in thread_texts(here)[-1]
    assert thread_note(here, by_letter=True) not in thread_texts(here)[-1]
    assert answer["In-Reply-To"] != first["Message-ID"]
    assert answer["References"].split()[0] == first["Message-ID"]
    assert answer["Subject"] == "Re: [demo] Indianomacy II"
    here.arrives(letter("Mohawk H", sender=IROQUOIS, to=here.reply(), number=901))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK H", "W ONE H"]}
    assert thread_note(here, by_letter=True) in thread_texts(here)[-1]
    here.arrives(post(here, ORDER))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL", "W ONE H"]}
    play(here)
    report = thread_posts(here)[-1]
    assert report["In-Reply-To"] == first["Message-ID"]
    assert "W MHK - DEL" in thread_texts(here)[-1]
    assert report.get_content_type() != "multipart/alternative", "lists put pages away"


def test_where_orders_are_secret_the_thread_tells_that_they_are_sent(here: AttackedService) -> None:
    begin(here)
    here.arrives(letter("all hold", sender=IROQUOIS, to=here.reply(), number=901))
    sent = sentence("reports.in_forum.sent_heading", seat="Iroquois", turn=turn_name(here))
    assert [text for text in thread_texts(here) if sent in text]
    count = len(thread_posts(here))
    here.arrives(letter(ORDER, sender=IROQUOIS, to=here.reply(), number=902))
    assert len(thread_posts(here)) == count, "it is told once a turn"
    assert "DEL" not in "".join(thread_texts(here))
    before = read_saved_orders(here)
    here.arrives(post(here, "Oneida - Pequot", sender=IROQUOIS, signer=NET))
    assert read_saved_orders(here) == before
    assert sentence("inbound.forum_posts.by_letter", game="demo") in words(letters_to(here, IROQUOIS)[-1])


def test_who_has_lost_his_word_asks_for_the_status(here: AttackedService) -> None:
    """Only the player gets it, at the seat's own address, whoever asks."""
    begin(here, orders="open")
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    here.arrives(letter("STATUS", sender="friend@example.com", to=here.reply(), number=911))
    assert f"WORD {word}" in letters_to(here, IROQUOIS)[-1]
    assert word not in "".join((*letters_to(here, DAKOTA), *letters_to(here, "friend@example.com")))


def test_errors_go_to_the_poster_alone(here: AttackedService) -> None:
    begin(here, orders="open", answers="post", posters="list")
    introduce_posters(here)
    posts, letters = len(thread_posts(here)), len(letters_to(here, IROQUOIS))
    password = here.position().assignments[Seat("Iroquois")].password
    here.arrives(post(here, f"{ORDER}\nOneida - Paris\nPASSWORD hunter2222\n"))
    assert here.position().assignments[Seat("Iroquois")].password == password
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL"]}
    assert "Paris" in letters_to(here, IROQUOIS)[-1]
    assert sentence("inbound.forum_posts.for_letters", verb="PASSWORD") in words(
        letters_to(here, IROQUOIS)[-1]
    )
    assert len(letters_to(here, IROQUOIS)) == letters + 1
    assert len(thread_posts(here)) == posts + 1
    assert "Paris" not in thread_texts(here)[-1]
    assert "hunter" not in "".join(letters_to(here, IROQUOIS) + thread_texts(here))


def test_talk_changes_nothing_and_keeps_no_turn_waiting(here: AttackedService) -> None:
    begin(here, orders="open", posters="list")
    introduce_posters(here)
    before = here.position().rev
    for text in (
        "What a turn! Well played.",
        "> Mohawk - Delaware\nNice.",
        '[quote="joe"]Mohawk - Delaware\nOneida H',
    ):
        assert here.arrives(post(here, text)).disposition == "ignored"
    assert read_saved_orders(here) == {}
    assert here.position().rev == before


def test_talk_that_looks_like_orders_keeps_no_turn_waiting(here: AttackedService) -> None:
    """It isn't an order; the writer gets an email about it, and nobody waits for a correction."""
    begin(here, orders="open", posters="list")
    introduce_posters(here)
    here.arrives(post(here, "Mohawk - Paris"))
    assert "Paris" in letters_to(here, IROQUOIS)[-1]
    assert here.position().filed == {}


def test_an_import_brings_no_thread_along(here: AttackedService, tmp_path: Path) -> None:
    begin(here)
    document = transfer.export(here.service, "demo")
    with attacked_service(tmp_path / "other") as other:
        transfer.bring_in(other.service, document)
        play(other)
        assert other.service.repository.people.threads() == {}
        assert thread_posts(other) == []


def test_what_comes_too_late_is_for_no_turn(here: AttackedService) -> None:
    """A post after the deadline is as late as an email."""
    begin(here, orders="open", posters="list")
    introduce_posters(here)
    here.arrives(post(here, ORDER))
    here.clock.advance(10 * DAY)
    here.arrives(post(here, "Mohawk H"))
    assert "W MHK - DEL" in thread_texts(here)[-1]


def test_a_post_counts_where_it_is_proved(here: AttackedService) -> None:
    """Its signature does; where a list has broken that, its player is asked, and answers with the lines."""
    begin(here, orders="open")
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    here.arrives(post(here, f"WORD {word}"))
    here.arrives(post(here, ORDER))
    assert read_saved_orders(here) == {}
    told = words(letters_to(here, IROQUOIS)[-1])
    assert sentence("inbound.forum_posts.ask_back", poster=JANE, game="demo") in told
    assert sentence("inbound.forum_posts.send_back") in told
    assert f"| {ORDER}" in letters_to(here, IROQUOIS)[-1]
    here.arrives(letter(ORDER, sender=IROQUOIS, to=here.reply(), number=903))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL"]}
    trusting(here)
    here.arrives(post(here, "Mohawk H", signer=HOME))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK H"]}


def test_a_post_with_the_word_and_orders_is_asked_back_with_its_lines(here: AttackedService) -> None:
    """The one email says both: whose posts count from now on, and that these lines are not filed."""
    begin(here, orders="open")
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    before = len(letters_to(here, IROQUOIS))
    here.arrives(post(here, f"WORD {word}\n\n{ORDER}\nOneida H\nREADY"))
    (told,) = letters_to(here, IROQUOIS)[before:]
    assert f"| {ORDER}\n| Oneida H\n| READY" in told
    said = words(told)
    poster = here.service.repository.people.posters("demo")[0].name
    known = sentence("inbound.forum_posts.known", poster=poster, game="demo", seat="Iroquois")
    assert known in said
    assert sentence("inbound.forum_posts.ask_back", poster=poster, game="demo") in said
    assert sentence("inbound.forum_posts.send_back") in said
    assert read_saved_orders(here) == {}
    here.arrives(letter(ORDER, sender=IROQUOIS, to=here.reply(), number=903))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL"]}


def test_a_post_with_the_word_and_orders_counts_where_the_list_vouches(here: AttackedService) -> None:
    begin(here, orders="open", posters="list")
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    before = len(letters_to(here, IROQUOIS))
    here.arrives(post(here, f"WORD {word}\n\n{ORDER}\nOneida - Paris"))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL"]}
    known, verdict = letters_to(here, IROQUOIS)[before:]
    assert sentence("inbound.forum_posts.known", poster=JANE, game="demo", seat="Iroquois") in words(known)
    assert "Paris" in verdict


def test_a_signed_post_with_the_word_and_orders_counts_at_once(here: AttackedService) -> None:
    begin(here, orders="open")
    word = forums.forum_link(here.service, "demo").words[Seat("Iroquois")]
    trusting(here)
    before = len(letters_to(here, IROQUOIS))
    here.arrives(post(here, f"WORD {word}\n{ORDER}", signer=HOME))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL"]}
    assert len(letters_to(here, IROQUOIS)) == before + 2


def test_who_holds_a_seat_and_signs_needs_no_word(here: AttackedService) -> None:
    begin(here, orders="open")
    assert here.arrives(post(here, ORDER, sender=IROQUOIS)).disposition == "ignored"
    here.arrives(post(here, ORDER, sender=IROQUOIS, signer=NET))
    assert read_saved_orders(here) == {"Iroquois": ["W MHK - DEL"]}


def test_a_game_moves_into_a_thread_and_out_of_it(here: AttackedService) -> None:
    begin(here)
    here.arrives(letter("all hold", sender=IROQUOIS, to=here.reply(), number=901))
    deadlines.set_terms(here.service, "demo", {"forum": "none"}, "enough talk")
    count = len(thread_posts(here))
    play(here)
    assert len(thread_posts(here)) == count
    with pytest.raises(Refusal, match="demo isn't played in a forum"):
        forums.forum_link(here.service, "demo")


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"forum": "club"}, 'has no channel called "club"'),
        ({"forum": "gm@example.org"}, "the service's own"),
        ({"forum": LIST, "orders": "open", "anonymous": "yes"}, "the game is anonymous"),
    ],
)
def test_where_no_thread_can_be_is_said(here: AttackedService, terms: dict[str, str], why: str) -> None:
    with pytest.raises(Refusal, match=why):
        deadlines.set_terms(here.service, "demo", terms, "let us talk there")


def test_hidden_games_are_not_ordered_in_the_open(here: AttackedService) -> None:
    with pytest.raises(Refusal, match="open orders would reveal secrets"):
        game_admin.new_game(
            here.service,
            game_admin.GameRequest("war-chest", "chest", terms={"forum": LIST, "orders": "open"}),
        )
