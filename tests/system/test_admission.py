"""Who gets a seat at a table: records, newcomers, blocks and bans; and press that is handed to the GM."""

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin, lookup, seats
from adjudicator.auth.admission import COUNTED_TURNS
from adjudicator.clock import DAY
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.model.people import MAX_BLOCKS, MarkSort, NoteTurnout, OfferSeat, TurnMark
from adjudicator.storage import inbox, outbox, stored_games
from games.protocol import Seat
from tests.kit.attack_service import NET, AttackedService, attacked_service
from tests.kit.mail import letter

GAME, OPEN = "fox", "wolf"
FRANCE, ENGLAND, OTHER, THIRD = (f"{name}@example.net" for name in ("france", "england", "other", "third"))
GM = "gm@example.org"
VARIES = re.compile(r"\d+ \w+ 20\d\d.*|<[^>]*>")

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of two players with a free seat, and one that is open for three players."""
    folder = tmp_path_factory.mktemp("admission") / "service"
    with attacked_service(folder) as it:
        table = {"France": FRANCE, "England": ENGLAND}
        game_admin.new_game(
            it.service, game_admin.GameRequest("standard", GAME, seats=table), secret=b"s" * 32
        )
        offer_seat(it, "Italy")
        game_admin.offer(it.service, game_admin.GameRequest("standard", OPEN), players=3)
    return folder


@pytest.fixture
def it(template: Path, tmp_path: Path) -> Iterator[AttackedService]:
    with attacked_service(Path(shutil.copytree(template, tmp_path / "service"))) as opened:
        yield opened


def offer_seat(it: AttackedService, seat: str) -> None:
    free = OfferSeat(by="gm", game=GAME, seat=Seat(seat), at=it.clock.now())
    stored_games.perform(it.service.database, [free], (), it.clock.now())


def write(it: AttackedService, sender: str, text: str, to: str = GM) -> str:
    """Send an email that its server has signed. Return our reply, on one line."""
    raw = letter(text, sender=sender, to=to, number=it.count, date=it.clock.now())
    shown = it.arrives(NET.signed(raw))
    it.service.process()
    return " ".join(" ".join(it.text(answer) for answer in it.answers(shown)).split())


def contains(text: str, key: str, **values: object) -> bool:
    return " ".join(sentence(key, **values).split()) in text


def waits(game: str = GAME, place: int = 1) -> str:
    return " ".join(sentence("inbound.joining.waits", game=game, place=place).split())


def player_of(it: AttackedService, seat: str = "Italy", game: str = GAME) -> str | None:
    return it.position(game).assignments[Seat(seat)].address


def emails(it: AttackedService, part: str) -> list[outbox.OutboxLetter]:
    """Return our emails with a part in their key, the newest first."""
    return [posted for posted in outbox.list_posted(it.service.database, 500) if part in posted.sealed.key]


def give_record(it: AttackedService, address: str, in_time: int, missed: int = 0) -> None:
    """Give a player marks for turns that they played today in a game of another day."""
    sorts: list[MarkSort] = [*["in-time"] * in_time, *["missed"] * missed]
    marks = tuple(
        TurnMark(turn=f"S{1900 + number}M", seat=Seat("France"), sort=sort, at=it.clock.now())
        for number, sort in enumerate(sorts)
    )
    act = NoteTurnout(by="gm", address=address, game="earlier", marks=marks)
    stored_games.perform(it.service.database, [act], (), it.clock.now())


def ask_for_reliable(it: AttackedService) -> None:
    deadlines.set_terms(it.service, GAME, {"reliable": "90%"}, "agreed on")


# Blocks.


@pytest.mark.parametrize(("blocker", "blocked"), [(FRANCE, OTHER), (OTHER, FRANCE)])
def test_a_block_keeps_two_people_from_one_table(it: AttackedService, blocker: str, blocked: str) -> None:
    """The one who comes later gets what everybody gets without a free seat, and only the GM reads why."""
    assert contains(
        write(it, blocker, f"BLOCK {blocked}"), "inbound.protection.blocked", name=blocked, later=False
    )
    assert waits() in write(it, OTHER, f"JOIN {GAME}")
    assert player_of(it) is None
    (question,) = emails(it, f"{GAME}/waits-for-consent/")
    assert question.sealed.to == GM
    is_own = blocker == OTHER
    assert contains(
        " ".join(it.text(question).split()), "inbound.admission.blocked", address=FRANCE, is_own=is_own
    )
    assert player_of(it, "England") == ENGLAND


def test_the_reply_to_the_blocked_is_that_to_everybody_without_a_free_seat(
    it: AttackedService, template: Path, tmp_path: Path
) -> None:
    write(it, FRANCE, f"BLOCK {OTHER}")
    held = write(it, OTHER, f"JOIN {GAME} Italy")
    with attacked_service(Path(shutil.copytree(template, tmp_path / "twin"))) as twin:
        write(twin, FRANCE, f"BLOCK {THIRD}")
        ordinary = write(twin, OTHER, f"JOIN {GAME} Russia")
    assert VARIES.sub("", held.replace("Italy", "Russia")) == VARIES.sub("", ordinary)


def test_others_sit_down_as_before(it: AttackedService) -> None:
    write(it, FRANCE, f"BLOCK {OTHER}")
    assert contains(write(it, THIRD, f"JOIN {GAME}"), "inbound.joining.taken", seat="Italy", game=GAME)


def test_a_free_seat_is_offered_to_those_alone_who_may_have_it(it: AttackedService) -> None:
    write(it, FRANCE, f"BLOCK {OTHER}")
    for address in (OTHER, THIRD):
        write(it, address, f"JOIN {GAME} Russia")
    seats.kick(it.service, GAME, "england", "no word for weeks")
    assert {posted.sealed.to for posted in emails(it, "/free/England/")} == {THIRD}


def test_a_substitute_is_nobody_who_is_blocked(it: AttackedService) -> None:
    deadlines.set_terms(it.service, GAME, {"away": "substitute"}, "agreed on")
    write(it, FRANCE, f"BLOCK {OTHER}")
    write(it, OTHER, f"JOIN {GAME} Russia")
    write(it, ENGLAND, "ABSENCE today to tomorrow", to=str(it.ours(ENGLAND, GAME)["Reply-To"]))
    it.service.process()
    assert player_of(it, "England") == ENGLAND
    write(it, THIRD, f"JOIN {GAME} Russia")
    assert player_of(it, "England") == THIRD


def test_an_open_game_begins_without_the_blocked_who_waits(it: AttackedService) -> None:
    write(it, OTHER, f"BLOCK {FRANCE}")
    write(it, OTHER, f"JOIN {OPEN}")
    assert contains(
        write(it, ENGLAND, f"JOIN {OPEN}"),
        "inbound.joining.signed_up",
        game=OPEN,
        liked=(),
        there=2,
        needed=3,
    )
    assert waits(OPEN) in write(it, FRANCE, f"JOIN {OPEN}")
    assert waits(OPEN) in write(it, FRANCE, f"PREFERENCE {OPEN} Russia")
    status = write(it, "else@example.net", f"STATUS {OPEN}")
    assert contains(status, "inbound.queries.signed_up", there=2, needed=3)
    write(it, THIRD, f"JOIN {OPEN}")
    players = {seat.address for seat in it.position(OPEN).assignments.values()} - {None}
    assert players == {OTHER, ENGLAND, THIRD}
    assert [signup.address for signup in it.service.repository.people.signups(OPEN)] == [FRANCE]


def test_a_block_made_after_signing_up_counts(it: AttackedService) -> None:
    for address in (OTHER, FRANCE):
        write(it, address, f"JOIN {OPEN}")
    write(it, OTHER, f"BLOCK {FRANCE}")
    write(it, ENGLAND, f"JOIN {OPEN}")
    assert it.service.repository.people.offer(OPEN) is not None
    write(it, THIRD, f"JOIN {OPEN}")
    assert FRANCE not in {seat.address for seat in it.position(OPEN).assignments.values()}


def test_a_rematch_keeps_them_apart_and_no_number_shows_it(it: AttackedService) -> None:
    game_admin.assign(it.service, GAME, "italy", OTHER)
    write(it, OTHER, f"BLOCK {FRANCE}")
    game_admin.end(it.service, GAME, (), "a test")
    reply = write(it, FRANCE, "REMATCH", to=str(it.ours(FRANCE, GAME)["Reply-To"]))
    assert contains(reply, "inbound.rematch.asked", game="fox-2", count=2, days=7)
    assert [posted.sealed.to for posted in emails(it, "fox-2/invite/")] == [ENGLAND]
    assert waits("fox-2") in write(it, OTHER, "REMATCH", to=str(it.ours(OTHER, GAME)["Reply-To"]))
    write(it, ENGLAND, "JOIN fox-2")
    it.clock.advance(8 * DAY)
    it.service.process()
    assert {seat.address for seat in it.position("fox-2").assignments.values()} - {None} == {FRANCE, ENGLAND}


def test_nobody_invites_a_person_who_has_blocked_them_and_they_read_nothing_of_it(
    it: AttackedService,
) -> None:
    write(it, OTHER, f"BLOCK {FRANCE}")
    reply = write(it, FRANCE, f"INVITE {GAME} {OTHER}")
    assert contains(reply, "inbound.invitations.written", addresses=[OTHER], game=GAME)
    assert emails(it, f"{GAME}/invite/") == []
    write(it, ENGLAND, f"INVITE {GAME} {OTHER}")
    assert [posted.sealed.to for posted in emails(it, f"{GAME}/invite/")] == [OTHER]


def test_in_an_anonymous_game_no_block_acts_and_a_seat_is_blocked_after_the_end(it: AttackedService) -> None:
    deadlines.set_terms(it.service, GAME, {"anonymous": "yes"}, "agreed on")
    to = str(it.ours(ENGLAND, GAME)["Reply-To"])
    reply = write(it, ENGLAND, f"BLOCK France in {GAME}", to=to)
    assert contains(reply, "inbound.protection.blocked", name=f"France in {GAME}", later=True, game=GAME)
    write(it, OTHER, f"BLOCK {ENGLAND}")
    assert contains(write(it, OTHER, f"JOIN {GAME}"), "inbound.joining.taken", seat="Italy", game=GAME)
    write(it, ENGLAND, f"JOIN {OPEN}")
    assert FRANCE not in write(it, ENGLAND, "BLOCK", to=to)
    assert contains(
        write(it, FRANCE, f"JOIN {OPEN}"), "inbound.joining.signed_up", game=OPEN, liked=(), there=2, needed=3
    ), "waiting would show who plays France"
    write(it, FRANCE, f"RESIGN {OPEN}")
    game_admin.end(it.service, GAME, (), "a test")
    assert waits(OPEN) in write(it, FRANCE, f"JOIN {OPEN}")
    assert contains(
        write(it, ENGLAND, f"UNBLOCK France in {GAME}"),
        "inbound.protection.unblocked",
        name=f"France in {GAME}",
    )
    assert it.service.repository.people.blocks(ENGLAND) == ()


def test_a_player_blocks_up_to_twenty_and_takes_blocks_back(it: AttackedService) -> None:
    lines = "\n".join(f"BLOCK number{number}@example.net" for number in range(MAX_BLOCKS + 1))
    assert contains(write(it, FRANCE, lines), "inbound.protection.too_many", most=MAX_BLOCKS)
    blocks = it.service.repository.people.blocks(FRANCE)
    assert len(blocks) == MAX_BLOCKS
    assert blocks[0].address in write(it, FRANCE, "BLOCK")
    write(it, FRANCE, f"UNBLOCK {blocks[0].address}")
    assert it.service.repository.people.blocks(FRANCE) == blocks[1:]
    assert contains(
        write(it, FRANCE, "UNBLOCK nobody@example.net"),
        "inbound.protection.not_blocked",
        name="nobody@example.net",
        names=[block.address for block in blocks[1:]],
    )


@pytest.mark.parametrize(
    ("line", "key", "values"),
    [
        (f"BLOCK {FRANCE}", "oneself", {}),
        ("BLOCK France in fox", "oneself", {}),
        ("BLOCK Russia in fox", "a_bot", {"seat": "Russia", "game": GAME}),
        ("BLOCK France in elk", "which", {"game": "elk"}),
    ],
)
def test_what_cannot_be_blocked_is_explained(
    it: AttackedService, line: str, key: str, values: dict[str, str]
) -> None:
    assert contains(write(it, FRANCE, line), f"inbound.protection.{key}", **values)
    assert it.service.repository.people.blocks(FRANCE) == ()


def test_nobody_blocks_in_the_name_of_another(it: AttackedService) -> None:
    """Without proof the address is asked back, and its YES counts."""
    shown = it.arrives(letter(f"BLOCK {OTHER}", sender=FRANCE, number=7, date=it.clock.now()))
    assert it.service.repository.people.blocks(FRANCE) == ()
    (question,) = it.answers(shown)
    reply_to = str(message_from_bytes(question.sealed.raw, policy=policy.default)["Reply-To"])
    it.arrives(letter("YES", sender=FRANCE, to=reply_to, number=8, date=it.clock.now()))
    assert [block.address for block in it.service.repository.people.blocks(FRANCE)] == [OTHER]


def test_blocks_and_bans_follow_a_person_to_another_address(it: AttackedService) -> None:
    write(it, FRANCE, f"BLOCK {OTHER}")
    write(it, OTHER, f"BLOCK {ENGLAND}")
    seats.ban_player(it.service, OTHER, "threats")
    write(it, OTHER, "TIMEZONE Berlin")
    seats.merge_people(it.service, OTHER, "moved@example.net")
    people = it.service.repository.people
    assert [block.address for block in people.blocks(FRANCE)] == ["moved@example.net"]
    assert [block.address for block in people.blocks("moved@example.net")] == [ENGLAND]
    assert people.blocks(OTHER) == ()
    assert (people.ban(OTHER), people.ban("moved@example.net") is not None) == (None, True)


# Records and newcomers.


@pytest.mark.parametrize(
    ("in_time", "missed", "is_seated"),
    [
        (18, 2, True),
        (17, 3, False),
        (COUNTED_TURNS - 2, 1, True),
        (0, COUNTED_TURNS - 1, True),
        (0, 20, False),
    ],
)
def test_a_reliable_game_asks_for_a_record_of_those_who_have_one(
    it: AttackedService, in_time: int, missed: int, is_seated: bool
) -> None:
    ask_for_reliable(it)
    for address in (FRANCE, ENGLAND):
        give_record(it, address, COUNTED_TURNS)
    give_record(it, OTHER, in_time, missed)
    reply = write(it, OTHER, f"JOIN {GAME}")
    assert (waits() in reply, player_of(it) == OTHER) == (not is_seated, is_seated)
    assert len(emails(it, f"{GAME}/waits-for-consent/")) == (not is_seated)


@pytest.mark.parametrize("reliable", [False, True])
def test_a_table_of_reliable_players_takes_two_newcomers(it: AttackedService, reliable: bool) -> None:
    """Nobody at the table has played twenty turns."""
    if reliable:
        ask_for_reliable(it)
    assert (waits() in write(it, OTHER, f"JOIN {GAME}")) is reliable
    give_record(it, FRANCE, COUNTED_TURNS)
    assert contains(
        write(it, OTHER, f"JOIN {GAME} Italy"), "inbound.joining.taken", seat="Italy", game=GAME
    ) is (reliable)


def test_in_an_open_game_those_who_wait_count_when_the_gm_says_yes(it: AttackedService) -> None:
    game_admin.offer(
        it.service, game_admin.GameRequest("standard", "elk", terms={"reliable": "80"}), players=2
    )
    give_record(it, OTHER, 10, 10)
    assert waits("elk") in write(it, OTHER, "JOIN elk")
    write(it, FRANCE, "JOIN elk")
    assert it.service.repository.people.offer("elk") is not None
    (entry, _) = lookup.waiting_people(it.service, "elk", it.clock.now())
    assert entry.hold is not None
    assert (entry.signup.address, entry.turnout.percent) == (OTHER, 50)
    seats.admit(it.service, "elk", OTHER, "they were ill")
    it.service.process()
    assert {seat.address for seat in it.position("elk").assignments.values()} - {None} == {OTHER, FRANCE}


def test_the_gm_lets_a_waiting_player_into_a_running_game(it: AttackedService) -> None:
    write(it, FRANCE, f"BLOCK {OTHER}")
    write(it, OTHER, f"JOIN {GAME}")
    assert seats.admit(it.service, GAME, OTHER, "they have made up")
    assert [posted.sealed.to for posted in emails(it, f"{GAME}/0/free/Italy/")] == [OTHER]
    assert contains(write(it, OTHER, f"JOIN {GAME}"), "inbound.joining.taken", seat="Italy", game=GAME)


@pytest.mark.parametrize("address", [THIRD, OTHER])
def test_the_gm_consents_only_to_those_who_need_it(it: AttackedService, address: str) -> None:
    write(it, OTHER, f"JOIN {GAME} Russia")
    with pytest.raises(Refusal):
        seats.admit(it.service, GAME, address, "")
    assert not it.service.repository.people.is_admitted(GAME, address)


def test_consents_end_with_their_game(it: AttackedService) -> None:
    write(it, FRANCE, f"BLOCK {OTHER}")
    write(it, OTHER, f"JOIN {GAME}")
    seats.admit(it.service, GAME, OTHER, "")
    game_admin.delete(it.service, GAME, "a test")
    assert not it.service.repository.people.is_admitted(GAME, OTHER)


# Bans.


@pytest.mark.parametrize(
    "line", [f"JOIN {GAME}", f"OBSERVE {GAME}", "NEW standard", f"INVITE {GAME} {THIRD}"]
)
def test_a_banned_person_gets_into_no_game(it: AttackedService, line: str) -> None:
    write(it, OTHER, f"JOIN {OPEN}")
    seats.ban_player(it.service, OTHER, "threats in press")
    assert it.service.repository.people.signups(OPEN) == ()
    assert contains(write(it, OTHER, line), "inbound.protection.banned")
    assert "threats" not in write(it, OTHER, line)
    assert it.service.repository.seats_of(OTHER) == ()
    seats.lift_ban(it.service, OTHER)
    assert not contains(write(it, OTHER, line), "inbound.protection.banned")


def test_a_banned_player_keeps_their_seat_and_the_gm_gives_them_no_other(it: AttackedService) -> None:
    report = seats.ban_player(it.service, FRANCE, "threats in press")
    assert report.plays == ((GAME, "France"),)
    assert player_of(it, "France") == FRANCE
    for action in (
        lambda: game_admin.assign(it.service, GAME, "italy", FRANCE),
        lambda: seats.replace_player(it.service, GAME, "england", FRANCE, "a test"),
        lambda: seats.lift_ban(it.service, ENGLAND),
    ):
        with suppress(Refusal):
            action()
            raise AssertionError("nothing was refused")


# Press that is handed to the GM.


def send_press(it: AttackedService, to: str = "ENGLAND", text: str = "Or else.", kind: str = "") -> None:
    """Let France write to others."""
    write(
        it,
        FRANCE,
        f"{kind} PRESS TO {to}\n{text}\nENDPRESS".strip(),
        to=str(it.ours(FRANCE, GAME)["Reply-To"]),
    )


def reported(it: AttackedService) -> list[str]:
    return [" ".join(it.text(posted).split()) for posted in emails(it, f"{GAME}/report/")]


@pytest.mark.parametrize(
    "line", ["REPORT", "REPORT because this is a threat", "REPORT France because this is a threat"]
)
def test_a_reply_to_press_hands_it_to_the_gm_with_its_email(it: AttackedService, line: str) -> None:
    send_press(it)
    number = inbox.list_letters(it.service.database, 1)[0].number
    (press,) = [posted for posted in emails(it, f"{GAME}/press/") if posted.sealed.to == ENGLAND]
    head = message_from_bytes(press.sealed.raw, policy=policy.default)
    headers = {"In-Reply-To": str(head["Message-ID"])}
    raw = letter(line, ENGLAND, str(head["Reply-To"]), date=it.clock.now(), headers=headers)
    shown = it.arrives(raw)
    assert contains(
        " ".join(it.text(it.answers(shown)[0]).split()), "inbound.protection.reported", writer="France"
    )
    (text,) = reported(it)
    assert "| Or else." in text
    assert FRANCE in text
    assert contains(text, "inbound.protection.report_email", number=number)
    assert ("this is a threat" in text) is ("threat" in line)
    assert [posted.sealed.to for posted in emails(it, f"{GAME}/report/")] == [GM]


def test_press_is_reported_once_by_its_writer_alone_if_the_reader_has_read_it(it: AttackedService) -> None:
    to = str(it.ours(ENGLAND, GAME)["Reply-To"])
    send_press(it, "ITALY")
    assert contains(write(it, ENGLAND, "REPORT France", to=to), "inbound.protection.report_which")
    send_press(it)
    assert contains(
        write(it, ENGLAND, "REPORT France", to=to), "inbound.protection.reported", writer="France"
    )
    assert contains(write(it, ENGLAND, "REPORT France", to=to), "inbound.protection.reported_already")
    assert contains(write(it, ENGLAND, "REPORT", to=to), "inbound.protection.report_which")
    assert len(reported(it)) == 1


def test_unsigned_press_is_reported_by_its_word_and_only_the_gm_learns_who_wrote_it(
    it: AttackedService,
) -> None:
    send_press(it, kind="GREY")
    to = str(it.ours(ENGLAND, GAME)["Reply-To"])
    (press,) = [posted for posted in emails(it, f"{GAME}/press/") if posted.sealed.to == ENGLAND]
    word = re.search(r"WRITER ([a-z2-7]{8})", it.text(press))
    assert word is not None
    reply = write(it, ENGLAND, f"REPORT WRITER {word[1]}", to=to)
    assert FRANCE not in reply
    (text,) = reported(it)
    assert FRANCE in text
    assert contains(write(it, ENGLAND, "REPORT France", to=to), "inbound.protection.report_which"), (
        "a name would show who wrote unsigned press"
    )
