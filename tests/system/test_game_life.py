"""The life of a game by email: players sign up, are away, forget orders, leave, join, and agree on an end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

SEATS = ("Apache", "Blackfoot", "Caddoan", "Dakota", "Illinois", "Iroquois", "Muskhogean", "Shoshoni")
WISHES = {
    "p1": "Iroquois, Dakota",
    "p2": "Iroquois, Apache",
    "p3": "Dakota, Iroquois",
    "p4": "Apache",
    "p5": "",
    "p6": "Shoshoni, Blackfoot, Caddoan",
    "p7": "Illinois",
    "p8": "Muskhogean, Illinois",
}
"""Who signs up, and what each would like to be. Not all can have their first wish."""

SUBSTITUTE, ONLOOKER = "substitute@example.org", "onlooker@example.org"
DAY = 24 * HOUR


@dataclass
class Life:
    """A service, and who sits where once the game has begun."""

    service: LocalService

    def mail(self, address: str) -> list[EmailMessage]:
        """The letters in somebody's mailbox, oldest first."""
        return self.service.mail(address)

    def write(self, address: str, text: str, subject: str = "hello") -> None:
        """A letter to the service's own address."""
        self.service.write(address, "gm@example.org", text, subject)
        self.service.work()

    def answer(self, address: str, text: str) -> str:
        """Answer one's last letter from us; the last that comes back, in words."""
        self.post(address, text)
        self.service.work()
        return self.last(address)

    def post(self, address: str, text: str) -> None:
        """Reply to a person's last email from us, without waiting for the answer."""
        letter = next(one for one in reversed(self.mail(address)) if one["Reply-To"])
        self.service.answer(address, letter, text)

    def last(self, address: str) -> str:
        """The last letter that somebody got, in words."""
        return words(self.mail(address)[-1])

    def got(self, address: str) -> list[str]:
        """All letters that somebody got, in words."""
        return [f"{one['Subject']} {words(one)}" for one in self.mail(address)]

    @property
    def position(self) -> GamePosition:
        """The game as it stands."""
        return game_admin.position_of(self.service.service, "otter")

    def address(self, seat: str) -> str:
        """Return the address of a seat's player."""
        found = self.position.assignments[seat].address
        assert found is not None
        return found

    def people(self) -> list[str]:
        """The addresses of all players."""
        return [assignment.address for assignment in self.position.assignments.values() if assignment.address]

    def later(self, hours: float) -> None:
        """Time passes; the mailbox is looked into, and what is due is done."""
        self.service.clock.advance(round(hours * HOUR))
        self.service.work()


def words(letter: EmailMessage) -> str:
    """A letter's text, in words."""
    return " ".join(text_of(letter).split())


def addresses(text: str) -> set[str]:
    """All addresses in a text, each whole: a token may well end in what somebody is called."""
    return set(re.findall(r"[^\s<>]+@[a-z.]+[a-z]", text))


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """A game for eight people; each player's first missed deadline extends it once."""
    with local_service(tmp_path) as place:
        terms = {"nmr": "extend", "extension": "24h", "reminder": "12h", "grace": "0h", "away": "deadline"}
        game_admin.offer(place.service, game_admin.GameRequest("indianomacy", "otter", terms=terms))
        yield Life(place)


def greeting(seat: str) -> str:
    """Return the beginning of a welcome."""
    return sentence("outbound.welcome.greeting", title="Indianomacy II", seat=f"the {seat}")


def eight_sign_up_and_the_game_begins(life: Life) -> None:
    """Check that each proves the address by replying, that the eighth begins the game, and that most
    preferences come true.
    """
    for name, wishes in WISHES.items():
        life.service.write(f"{name}@example.org", "gm@example.org", f"JOIN otter {wishes}", "hello")
    life.service.work()
    assert life.service.service.repository.games() == ()
    for name in WISHES:
        assert sentence("inbound.unknown_senders.asked_back") in life.last(f"{name}@example.org")
        life.post(f"{name}@example.org", "")
    life.service.work()
    assert life.service.service.repository.games() == ("otter",)
    held = {assignment.address: seat for seat, assignment in life.position.assignments.items()}
    assert held["p4@example.org"] == "Apache"
    assert held["p7@example.org"] == "Illinois"
    assert held["p8@example.org"] == "Muskhogean"
    assert held["p6@example.org"] == "Shoshoni"
    assert {held["p1@example.org"], held["p2@example.org"], held["p3@example.org"]} >= {"Iroquois", "Dakota"}
    for name in WISHES:
        confirmed, welcome = life.mail(f"{name}@example.org")[-2:]
        signed_up = sentence("inbound.joining.signed_up", game="otter", liked=(), there=0, needed=8)
        assert signed_up.partition(".")[0] in words(confirmed)
        assert greeting(held[f"{name}@example.org"]) in words(welcome)
        assert "otter: Indianomacy II" in words(welcome)
        assert not addresses(words(welcome)) & {f"{other}@example.org" for other in WISHES}


def one_who_comes_too_late_waits_and_one_looks_on(life: Life) -> None:
    life.write(SUBSTITUTE, "JOIN otter")
    assert sentence("inbound.joining.waits", game="otter", place=1) in life.answer(SUBSTITUTE, "")
    life.write(ONLOOKER, "OBSERVE otter")
    assert sentence("inbound.joining.watches", game="otter") in life.answer(ONLOOKER, "")


def press_goes_to_whom_it_names(life: Life) -> None:
    told = life.answer(life.address("Iroquois"), "PRESS TO Dakota\nLet us share the lakes.\nENDPRESS")
    sent = sentence("inbound.press.sent", everybody=False, hearers="Dakota", signed=True)
    assert sent in told
    assert "Press: from Iroquois to Dakota | Let us share the lakes." in life.last(life.address("Dakota"))
    assert not any("share the lakes" in one for one in life.got(life.address("Apache")))
    life.answer(life.address("Caddoan"), "GREY BROADCAST\nSomebody lies.\nENDPRESS")
    assert "Press: from somebody to all | Somebody lies." in life.last(life.address("Apache"))
    assert "| Somebody lies." in life.last(ONLOOKER)


def an_absence_is_told_to_all_and_moves_the_deadline(life: Life) -> None:
    before = life.position.deadline
    assert before is not None
    away = life.address("Blackfoot")
    life.answer(away, "ABSENCE 8 January to 10 January")
    days = {"first": "Thursday 8 January 2026", "last": "Saturday 10 January 2026"}
    told = sentence("inbound.personal.away", game="otter", **days)
    assert any(told in one for one in life.got(away))
    notice = sentence("outbound.notifications.away", seat="Blackfoot", **days)
    for address in set(life.people()) - {away}:
        assert any(notice in one for one in life.got(address))
    after = life.position.deadline
    assert after is not None
    assert after > before


def whoever_forgets_is_reminded_and_given_a_day_once(life: Life) -> None:
    """Check that seven write and the eighth gets a reminder, then one more day, and then the units hold."""
    for seat in SEATS:
        if seat != "Caddoan":
            life.post(life.address(seat), "all hold")
    life.service.work()
    deadline = life.position.deadline
    assert deadline is not None
    life.later((deadline - life.service.clock.now()) / HOUR - 6)
    reminder = sentence("reports.messages.orders_due_words", turn="Spring, year 1, moves", time="6 hours")
    assert reminder in life.last(life.address("Caddoan"))
    assert not any(reminder in one for one in life.got(life.address("Apache")))
    life.later(7)
    assert life.position.entries == 1
    put_off = life.position.deadline
    assert put_off is not None
    assert put_off > deadline
    life.later((put_off - life.service.clock.now()) / HOUR + 1)
    assert life.position.entries == 2
    report = life.last(life.address("Dakota"))
    assert sentence("reports.posts.silent", seats=["Caddoan"]) in report


def the_report_carries_the_press_of_its_turn(life: Life) -> None:
    assert "Let us share the lakes." in life.last(life.address("Dakota"))
    assert "Let us share the lakes." not in life.last(life.address("Apache"))
    assert "From somebody to all" in life.last(ONLOOKER)
    assert sentence("reports.report.reader", seat=None) in life.last(ONLOOKER)


def a_seat_is_given_up_and_taken_over(life: Life) -> None:
    left = life.address("Caddoan")
    told = sentence("inbound.joining.given_up", seat="Caddoan", game="otter", others=True)
    assert told in life.answer(left, "RESIGN")
    assert "Order sheet" not in life.last(left)
    given_up = sentence("outbound.notifications.given_up", seat="Caddoan")
    assert any(given_up in one for one in life.got(life.address("Apache")))
    offer = life.mail(SUBSTITUTE)[-1]
    assert sentence("outbound.notifications.free_subject", seat="Caddoan", game="otter") in offer["Subject"]
    assert "JOIN otter Caddoan" in words(offer)
    life.service.answer(SUBSTITUTE, offer, "JOIN otter Caddoan")
    life.service.work()
    assert life.address("Caddoan") == SUBSTITUTE
    assert greeting("Caddoan") in life.last(SUBSTITUTE)
    assert "otter: Indianomacy II" in life.last(SUBSTITUTE)
    old = [one for one in life.mail(left) if one["Reply-To"]][-1]
    life.service.answer(left, old, "Caddoan: all hold")
    life.service.work()
    assert "Caddoan" not in [seat for seat, items in life.position.filed.items() if items]


def a_draw_that_not_all_want_lapses_with_its_turn(life: Life) -> None:
    proposer = life.address("Illinois")
    life.answer(proposer, "DRAW")
    for address in life.people():
        letters = [
            one
            for one in life.got(address)
            if sentence("outbound.notifications.proposed", to=None, draw=True) in one
        ]
        assert len(letters) == (address != proposer), "its proposer knows it from the reply"
        assert not any("Illinois" in letter for letter in letters)
    for seat in SEATS[:-1]:
        life.post(life.address(seat), "DRAW")
    life.service.work()
    assert life.position.is_running
    for seat in SEATS:
        life.post(life.address(seat), "all hold")
    life.service.work()
    assert life.position.entries == 3
    assert sentence("reports.press.lapsed_heading") in life.last(life.address("Apache"))


def what_has_happened_can_be_read_again(life: Life) -> None:
    """Check that players and observers can read the history, with maps as pictures."""
    told = life.answer(life.address("Apache"), "HISTORY")
    assert "S1M Apache, Blackfoot, Caddoan and five others held everywhere." in told
    assert sentence("inbound.maps_and_history.history_of_a_turn", turn="F1M") in told
    assert "W SCA H: held." in life.answer(life.address("Apache"), "history s1m")
    assert "W SCA H: held." in life.answer(ONLOOKER, "HISTORY otter F1M")
    unknown = sentence(
        "inbound.maps_and_history.no_such_turn", game="otter", turn="S9M", turns=["S1M", "F1M"]
    )
    assert unknown.removesuffix(".") in life.answer(ONLOOKER, "HISTORY otter S9M")
    shown = sentence("inbound.maps_and_history.map_shown", game="otter", turn="Spring, year 2, moves")
    assert shown in life.answer(ONLOOKER, "MAP otter")
    parts = [part.get_content_type() for part in life.mail(ONLOOKER)[-1].walk()]
    assert "image/png" in parts


def a_password_of_ones_own_opens_the_seat_from_anywhere(life: Life) -> None:
    """The one from the welcome does so no longer."""
    apache = life.address("Apache")
    welcome = next(words(one) for one in life.mail(apache) if "Welcome" in one["Subject"])
    old = re.search(r"SIGNON otter Apache (\S+)", welcome)
    assert old is not None
    changed = sentence("inbound.personal.password_set", seat="Apache", game="otter")
    assert changed in life.answer(apache, "PASSWORD seven-herons")
    life.write("p4@work.example", f"SIGNON otter Apache {old[1]}\nORDERS")
    assert " ".join(sentence("inbound.sender.refused").split()) in life.last("p4@work.example")
    life.write("p4@work.example", "SIGNON otter Apache seven-herons\nORDERS")
    assert sentence("inbound.seats.speaks_for", seat="Apache", game="otter") in life.last("p4@work.example")
    assert not any("seven-herons" in one for one in life.got(apache) + life.got("p4@work.example"))


def all_concede_and_the_game_is_over(life: Life) -> None:
    *others, last = [seat for seat in SEATS if seat != "Iroquois"]
    for seat in others:
        life.post(life.address(seat), "CONCEDE TO Iroquois")
    life.service.work()
    assert life.position.is_running
    life.answer(life.address(last), "CONCEDE TO Iroquois")
    assert not life.position.is_running
    won = sentence("reports.results.won", winners="Iroquois", why=sentence("inbound.draws.why_conceded"))
    for address in [*life.people(), ONLOOKER]:
        assert won in life.last(address)
    proof = game_admin.prove(life.service.service, "otter")
    assert proof.fault is None
    assert proof.agreed == life.position.entries


def nobody_ever_learnt_an_address(life: Life) -> None:
    """In none of all these letters stands the address of another player."""
    everybody = {f"{name}@example.org" for name in WISHES}
    for own in everybody:
        for letter in life.mail(own):
            assert not addresses(text_of(letter)) & (everybody - {own})


SEASON = (
    eight_sign_up_and_the_game_begins,
    one_who_comes_too_late_waits_and_one_looks_on,
    press_goes_to_whom_it_names,
    an_absence_is_told_to_all_and_moves_the_deadline,
    whoever_forgets_is_reminded_and_given_a_day_once,
    the_report_carries_the_press_of_its_turn,
    a_seat_is_given_up_and_taken_over,
    a_draw_that_not_all_want_lapses_with_its_turn,
    what_has_happened_can_be_read_again,
    a_password_of_ones_own_opens_the_seat_from_anywhere,
    all_concede_and_the_game_is_over,
    nobody_ever_learnt_an_address,
)
"""What happens, in order: each begins where the one before it ended."""


def test_a_season_of_life(life: Life) -> None:
    """One game, from signing up to its end."""
    for chapter in SEASON:
        chapter(life)
