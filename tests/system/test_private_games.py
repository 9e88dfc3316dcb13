"""Private games: to a stranger they are names that no game has, whatever anybody sends from any address.

Two services get the same emails. One has private games, and the other has none. All their emails must be the
same, byte for byte but for dates and Message-IDs, in the same time.
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from adjudicator.admin import deadlines, game_admin, seats, website
from adjudicator.auth.passwords import is_correct
from adjudicator.messages import sentence
from adjudicator.model.addresses import RESERVED_NAMES
from adjudicator.model.people import JOIN_WORD, MAX_FREE_GUESSES
from adjudicator.storage import outbox
from adjudicator.storage.queries import game_digests, vacancies
from adjudicator.storage.tables import LetterRow
from games import kinds
from games.protocol import Seat
from tests.kit.attack_service import NET, AttackedService, attacked_service
from tests.kit.mail import letter
from tests.kit.passwords import restore_full_cost
from tests.kit.service_harness import START
from tests.kit.toy import toy_found

PLAYER, FRIEND, OBSERVER = "player@example.org", "friend@example.net", "observer@example.net"
WORD = "three-canoes"
RUNNING, OPEN = "fox", "wolf"
NOTED = re.compile(rb"(?im)^(?:date|message-id|in-reply-to|references): [^\n]*\n(?:[ \t][^\n]*\n)*")

EMAILS = (
    "JOIN {game}",
    "join {game} please",
    "JOIN {game} PASSWORD wrong-word",
    "JOIN {game} player PASSWORD wrong-word",
    "OBSERVE {game}",
    "observe {game}",
    "STATUS {game}",
    "MAP {game}",
    "map {game}",
    "HISTORY {game}",
    "GET STATUS {game}",
    "SIGNON {game} player wrong-word\nrest",
    "PREFERENCE {game} player",
    "RESIGN {game}",
    "INVITE {game} else@example.com",
    "BLOCK player in {game}",
    "REPORT player",
    "LIST",
)
"""What strangers send about a game."""

GUESSED = ("gm+{game}.player.abcdefghijklm@example.org", "gm+{game}.gm@example.org", "gm+{game}@example.org")
"""Addresses that strangers guess."""


@dataclass(frozen=True)
class TwinServices:
    """A service with a private game that runs and one that is open for players, and one without them."""

    private: AttackedService
    without: AttackedService

    def send(self, raw: bytes) -> tuple[list[bytes], list[bytes], float, float]:
        """Deliver an email to both. Return what each has written because of it, and the processor times."""
        texts, times = [], []
        for it in (self.private, self.without):
            begun = process_time()
            shown = it.arrives(raw)
            times.append(process_time() - begun)
            new = [posted.sealed for posted in it.answers(shown)]
            texts.append([NOTED.sub(b"", sealed.raw.replace(b"\r\n", b"\n")) for sealed in new])
        return texts[0], texts[1], times[0], times[1]


def begin(it: AttackedService, listed: str) -> None:
    terms = {"listed": listed, "word": WORD}
    game_admin.new_game(it.service, game_admin.GameRequest("cairn", RUNNING, terms=terms), secret=b"s" * 32)
    game_admin.assign(it.service, RUNNING, Seat("player"), PLAYER)
    game_admin.offer(it.service, game_admin.GameRequest("standard", OPEN, terms=terms), players=3)


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[TwinServices]:
    with toy_found():
        with attacked_service(tmp_path / "without"):
            pass
        shutil.copytree(tmp_path / "without", tmp_path / "private")
        with attacked_service(tmp_path / "private") as one, attacked_service(tmp_path / "without") as other:
            begin(one, "no")
            yield TwinServices(one, other)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[AttackedService]:
    with toy_found(), attacked_service(tmp_path) as it:
        yield it


def strangers(count: int) -> Iterator[bytes]:
    """Yield the emails of so many strangers: signed by their servers or not, to guessed addresses too."""
    for number in range(count):
        game = (RUNNING, OPEN)[number % 2]
        kind = number // 2 % (2 * len(EMAILS) + len(GUESSED))
        signed, to, text = kind % 2 == 0, "gm@example.org", EMAILS[kind // 2 % len(EMAILS)]
        if kind >= 2 * len(EMAILS):
            to, text = GUESSED[kind - 2 * len(EMAILS)].format(game=game), "rest"
        sender, date = f"stranger{number}@example.net", START + number * 61_000
        raw = letter(text.format(game=game), sender=sender, to=to, number=number, date=date)
        yield NET.signed(raw) if signed else raw


def compare(twins: TwinServices, count: int) -> list[tuple[float, float]]:
    """Send the emails of strangers. Return the processor times of each email at both services."""
    times = []
    for raw in strangers(count):
        for it in (twins.private, twins.without):
            it.clock.advance(60_000)
        shown, hidden, took, took_without = twins.send(raw)
        assert shown == hidden, raw
        times.append((took, took_without))
    return times


def test_a_stranger_gets_what_others_get_about_no_game(twins: TwinServices) -> None:
    """Each sort of email, signed and not, about the game that runs and about the one that is open."""
    compare(twins, 2 * (2 * len(EMAILS) + len(GUESSED)))


def test_a_private_game_that_was_deleted_is_none_to_strangers(twins: TwinServices) -> None:
    """Also to those who knew one of its addresses."""
    for name in (RUNNING, OPEN):
        game_admin.delete(twins.private.service, name, "a test")
    compare(twins, 2 * (2 * len(EMAILS) + len(GUESSED)))
    assert RUNNING in twins.private.service.repository.names()


@pytest.mark.soak
def test_two_thousand_strangers_learn_nothing_from_texts(twins: TwinServices) -> None:
    compare(twins, 2_000)


@pytest.mark.soak
def test_two_thousand_strangers_learn_nothing_from_the_time(
    house: AttackedService, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sort of email is sent about a private game and about none in turn. The medians are within 5 %.

    The word is sealed at its full cost, because a wrong word costs as much where there is no game.
    """
    restore_full_cost(monkeypatch)
    begin(house, "no")
    for raw in strangers(2 * len(EMAILS)):  # what is loaded first takes longer
        house.arrives(raw)
    names, ratios, number = {RUNNING: "elk", OPEN: "hare"}, list[float](), 0
    times: dict[bool, list[float]] = {True: [], False: []}
    for text in (*EMAILS, *GUESSED):
        took: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(2_000 // (2 * len((*EMAILS, *GUESSED)))):
            for is_private in (turn % 2 == 0, turn % 2 == 1):
                private, number = (RUNNING, OPEN)[turn // 2 % 2], number + 1
                about = text.format(game=private if is_private else names[private])
                to, said = (about, "rest") if text in GUESSED else ("gm@example.org", about)
                date = house.clock.now()
                raw = letter(said, f"stranger{number}@example.net", to, number=number, date=date)
                begun = process_time()
                house.arrives(NET.signed(raw) if turn // 4 % 2 else raw)
                took[is_private].append(process_time() - begun)
        ratios.append(median(took[True]) / median(took[False]))
        for is_private, some in took.items():
            times[is_private] += some
    of_all = median(times[True]) / median(times[False])
    with capsys.disabled():
        print(f"\n{number} strangers: all emails {of_all:.3f}; sorts {min(ratios):.3f} to {max(ratios):.3f}")
    assert 0.95 < of_all < 1.05
    assert 0.95 < median(ratios) < 1.05, ratios
    assert all(0.8 < ratio < 1.25 for ratio in ratios), ratios


@pytest.mark.parametrize("text", ["NEW cairn {game}", "NEW standard {game}"])
def test_no_new_game_shows_that_a_name_is_taken_by_a_private_one(twins: TwinServices, text: str) -> None:
    it = twins.private
    names = (RUNNING, OPEN, *sorted(RESERVED_NAMES))
    replies = []
    for number, name in enumerate(names):
        said = written_by(it, text.format(game=name), f"elm{number}@example.net", number)
        replies.append(re.sub(rf"\b{name}\b", "NAME", said).replace(f"elm{number}", "elm"))
    assert len(set(replies)) == 1
    assert sentence("inbound.new_game.name_is_taken") in replies[0]


def test_neither_the_site_nor_a_channel_nor_a_list_shows_it(house: AttackedService, tmp_path: Path) -> None:
    begin(house, "no")
    database = house.service.database
    assert game_digests(database, kinds()) == {}
    assert [wanted.name for wanted in website.games_with_free_seats(house.service)] == []
    assert vacancies(database) == {}
    deadlines.set_terms(house.service, RUNNING, {"listed": "watch"}, "open to all")
    assert set(game_digests(database, kinds())) == {RUNNING}


def test_a_game_that_becomes_private_leaves_the_site(house: AttackedService, tmp_path: Path) -> None:
    begin(house, "yes")
    website.build(house.service, tmp_path / "site")
    assert (tmp_path / "site" / "games" / RUNNING / "index.html").exists()
    deadlines.set_terms(house.service, RUNNING, {"listed": "no"}, "among friends")
    website.build(house.service, tmp_path / "site")
    pages = [place for place in (tmp_path / "site").rglob("*") if place.is_file()]
    assert [place for place in pages if RUNNING.encode() in place.read_bytes()] == []


def written_by(it: AttackedService, text: str, sender: str = FRIEND, number: int = 1) -> str:
    """Send an email that its server has signed. Return our reply, on one line."""
    raw = letter(text, sender=sender, number=number, date=it.clock.now())
    shown = it.arrives(NET.signed(raw))
    return " ".join(" ".join(it.text(answer) for answer in it.answers(shown)).split())


@pytest.mark.parametrize("listed", ["no", "watch"])
def test_the_word_lets_a_friend_in(house: AttackedService, listed: str) -> None:
    begin(house, listed)
    text = written_by(house, f"JOIN {OPEN} PASSWORD {WORD}")
    assert sentence("inbound.joining.signed_up", game=OPEN, liked=(), there=1, needed=3) in text
    assert [signup.address for signup in house.service.repository.people.signups(OPEN)] == [FRIEND]
    assert OPEN in written_by(house, "LIST", number=2)


def test_the_word_may_follow_the_wishes_or_come_before_them(house: AttackedService) -> None:
    begin(house, "watch")
    seat = kinds()["standard"].about.seats({})[1]
    for number, (sender, line) in enumerate(
        [
            (FRIEND, f"JOIN {OPEN} {seat} PASSWORD {WORD}"),
            (OBSERVER, f"join {OPEN} password {WORD} {seat}"),
        ]
    ):
        written_by(house, line, sender, number)
    signups = house.service.repository.people.signups(OPEN)
    assert [(signup.address, signup.wishes) for signup in signups] == [(FRIEND, (seat,)), (OBSERVER, (seat,))]


def test_a_watched_game_may_be_observed_by_all_and_joined_by_word(house: AttackedService) -> None:
    begin(house, "watch")
    assert RUNNING in written_by(house, "LIST", OBSERVER)
    assert sentence("inbound.joining.watches", game=RUNNING) in written_by(
        house, f"OBSERVE {RUNNING}", OBSERVER, 2
    )
    for number, (line, wrong) in enumerate(
        [(f"JOIN {OPEN}", False), (f"JOIN {OPEN} PASSWORD no-such", True)]
    ):
        text = written_by(house, line, number=10 + number)
        assert " ".join(sentence("inbound.joining.by_word", game=OPEN, wrong=wrong).split()) in text
    assert house.service.repository.people.signups(OPEN) == ()


def test_an_address_that_nothing_proves_confirms_the_word_by_a_yes(house: AttackedService) -> None:
    """The word is neither stored nor shown, and its stand-in is useless from another address."""
    begin(house, "no")
    asked = house.arrives(letter(f"JOIN {OPEN} PASSWORD {WORD}", sender=FRIEND))
    (question,) = house.answers(asked)
    assert f"JOIN {OPEN} PASSWORD ***" in house.text(question)
    with house.service.database.reading():
        (row,) = house.service.database.run(LetterRow.select().where(LetterRow.number == asked.number))
    assert WORD.encode() not in bytes(row.data)
    (request,) = house.service.repository.people.requests(FRIEND)
    proof = request.lines[0].rpartition(" ")[2]
    assert WORD not in request.lines[0]
    assert sentence("inbound.joining.no_such_game", game=OPEN) in written_by(
        house, f"JOIN {OPEN} PASSWORD {proof}", OBSERVER, 2
    )
    reply_to = message_from_bytes(question.sealed.raw, policy=policy.default)["Reply-To"]
    house.arrives(letter("YES", sender=FRIEND, to=str(reply_to), number=3))
    assert [signup.address for signup in house.service.repository.people.signups(OPEN)] == [FRIEND]


def test_wrong_words_are_counted_over_all_senders_and_the_gm_is_told_once(house: AttackedService) -> None:
    """After five no word is accepted for a while, not even the right one. A new word starts at zero."""
    begin(house, "no")
    for number in range(MAX_FREE_GUESSES):
        written_by(house, f"JOIN {RUNNING} PASSWORD guess{number}", f"thief{number}@example.net", number)
    guesses = house.service.repository.people.guesses(RUNNING, JOIN_WORD)
    assert guesses.until > house.clock.now()
    told = [one for one in outbox.list_posted(house.service.database) if "/guessed-word/" in one.sealed.key]
    assert len(told) == 1
    refused = written_by(house, f"JOIN {RUNNING} PASSWORD {WORD}", number=20)
    assert sentence("inbound.joining.no_such_game", game=RUNNING) in refused
    deadlines.set_terms(house.service, RUNNING, {"word": "four-canoes"}, "guessed at")
    assert sentence("inbound.joining.waits", game=RUNNING, place=1) in written_by(
        house, f"JOIN {RUNNING} PASSWORD four-canoes", number=21
    )


def test_an_email_with_many_words_has_three_of_them_read(house: AttackedService) -> None:
    begin(house, "no")
    lines = "\n".join(f"JOIN {RUNNING} PASSWORD guess{number}" for number in range(9))
    text = written_by(house, f"{lines}\nJOIN {RUNNING} PASSWORD {WORD}")
    assert sentence("inbound.joining.words_not_read", most=3) in text
    assert house.service.repository.people.guesses(RUNNING, JOIN_WORD).misses == 3


def test_who_is_invited_needs_no_word(house: AttackedService) -> None:
    begin(house, "no")
    seats.invite(house.service, OPEN, [FRIEND])
    assert sentence("inbound.joining.signed_up", game=OPEN, liked=(), there=1, needed=3) in written_by(
        house, f"JOIN {OPEN}"
    )


def test_its_people_see_it_as_before(house: AttackedService) -> None:
    begin(house, "no")
    reply_to = str(house.ours(PLAYER, RUNNING)["Reply-To"])
    shown = house.arrives(letter(f"STATUS\nLIST\nMAP {RUNNING}", sender=PLAYER, to=reply_to))
    (answer,) = house.answers(shown)
    text = " ".join(house.text(answer).split())
    assert sentence("inbound.maps_and_history.no_such_game", game=RUNNING) not in text
    assert RUNNING in text


def test_the_word_is_sealed_and_never_shown(house: AttackedService) -> None:
    begin(house, "no")
    position = house.position(RUNNING)
    shown = deadlines.terms(house.service, position)
    assert shown["listed"] == "no"
    assert WORD not in str(shown)
    assert is_correct(WORD, house.service.repository.people.policy(RUNNING).word)
