"""Yesterday's backup is restored, and the day's emails are moved back: none of them is lost."""

import imaplib
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner

from adjudicator.admin import backup, deadlines, game_admin, seats
from adjudicator.cli.app import app
from adjudicator.clock import ManualClock, format_instant
from adjudicator.config.service import load_settings
from adjudicator.messages import sentence
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.outbound import composer
from adjudicator.service import open_service
from adjudicator.storage import inbox, stored_games
from games.protocol import Seat
from games.record import canonical
from orders.mail.body import SHEET_TITLE
from tests.kit.backup_day import FIRST, GAME, ORDERS, PEOPLE, SECOND, Day, backup_day, words
from tests.kit.mail import letter
from tests.kit.servers import PASSWORD, Dovecot
from tests.kit.service_harness import HOUR, START, LocalService, text_of

pytestmark = pytest.mark.usefixtures("undrawn")
FRANCE = Seat("France")


@pytest.fixture
def day(tmp_path: Path) -> Iterator[Day]:
    """Before the day begins on which the service is lost."""
    with backup_day(tmp_path) as found:
        yield found


def gm(place: LocalService, line: str) -> str:
    """Run a command that succeeds and return its output."""
    done = CliRunner().invoke(app, ["--config", str(place.folder / "gm.toml"), *shlex.split(line)])
    assert done.exit_code == 0, done.output
    return done.stdout


FALL = "Fall 1901, moves"


def restored(turn: str = FALL) -> str:
    """Return the first line of a reply about an email for a coming turn."""
    made = format_instant(START, ZoneInfo("Europe/Amsterdam"))
    return sentence("inbound.postponed.we_were_restored", made=made, turn=turn)


def test_a_day_of_emails_is_moved_back_and_the_game_comes_to_where_it_stood(day: Day) -> None:
    """Two turns were played, and three players wrote in each: all of it happens again, in the same way."""
    day.play(FIRST)
    day.play(SECOND)
    before = day.position
    turn_before = day.turn
    day.restore()
    assert day.turn == FIRST
    day.move_back()
    assert day.fates() == ["read"] * 3 + ["postponed"] * 3
    for seat in PEOPLE:
        *_, first, second = day.new_mail(seat)
        assert str(first["Subject"]).startswith("Re: orders: 3 accepted")
        assert str(second["Subject"]).startswith("Re: orders: 3 accepted")
        assert sentence("inbound.unknown_senders.unvouched_subject") not in str(second["Subject"])
        assert restored() in words(second)
        assert sentence("inbound.postponed.orders_are_saved", turn=FALL) in words(second)
        ahead = [f"PHASE {SECOND}: {order}" for order in ORDERS[SECOND][seat].splitlines()]
        assert day.on_file(seat) == [*ORDERS[FIRST][seat].splitlines(), *ahead]
    assert day.turn == FIRST, "all clocks are stopped"

    deadlines.go_on_all(day.place.service, "")
    day.place.work()
    assert day.fates() == ["read"] * 6
    after = day.position
    assert canonical(after.state) == canonical(before.state)
    assert (day.turn, after.played) == (turn_before, before.played)
    assert game_admin.prove(day.place.service, GAME).fault is None
    for seat in PEOPLE:
        told = [words(one) for one in day.new_mail(seat)]
        assert any("Your email of" in one and f"waited for {FALL}" in one for one in told)


def test_what_is_asked_for_beside_orders_waits_for_its_turn_and_is_done_once(day: Day) -> None:
    day.play(FIRST)
    day.write("france", f"{ORDERS[SECOND]['france']}\nREADY\nPRESS TO ENGLAND\nShall we?\nENDPRESS")
    day.place.work()
    day.restore()
    day.move_back()
    reply = words(day.new_mail("france")[-1])
    assert sentence("inbound.postponed.commands_wait", verbs=["READY", "PRESS"], turn=FALL) in reply
    heard = [str(one["Subject"]) for one in day.new_mail("england")]
    assert not [one for one in heard if "from France" in one]
    assert not day.position.assignments[FRANCE].ready
    deadlines.go_on_all(day.place.service, "")
    day.place.work()
    assert day.turn == SECOND
    heard = [str(one["Subject"]) for one in day.new_mail("england")]
    assert len([one for one in heard if "from France" in one]) == 1
    assert day.position.assignments[FRANCE].ready


@pytest.mark.parametrize("tag", [f"[{GAME} {FIRST} France]", f"[{GAME} {SECOND} France]", "orders"])
def test_a_token_says_which_turn_it_is_for_with_any_tag_or_none(day: Day, tag: str) -> None:
    """The tag of a report names the turn it reports, not the due one."""
    day.restore()
    day.write("france", ORDERS[SECOND]["france"], to=day.address("france", SECOND), subject=f"Re: {tag}")
    day.place.work()
    assert day.fates() == ["postponed"]
    assert day.on_file("france") == [
        f"PHASE {SECOND}: {one}" for one in ORDERS[SECOND]["france"].splitlines()
    ]


@pytest.mark.parametrize(("generation", "fate"), [(1, "read"), (2, "read"), (6, "read"), (8, "quarantined")])
def test_tokens_of_up_to_five_later_generations_are_known(day: Day, generation: int, fate: str) -> None:
    """A seat whose reply address was replaced since the backup: nobody wrote that down here."""
    day.restore()
    day.write("france", ORDERS[FIRST]["france"], to=day.address("france", FIRST, generation))
    day.place.work()
    assert day.fates() == [fate]
    assert bool(day.on_file("france")) == (fate == "read")


def test_new_addresses_are_none_that_anybody_has_from_before(day: Day) -> None:
    """The old ones still identify the seat until the GM replaces its tokens."""
    day.restore()
    assert day.position.assignments[FRANCE].generation == 7
    day.place.work()
    (notice,) = day.new_mail("france")
    assert str(notice["Reply-To"]) == day.address("france", FIRST, 7)
    seats.rekey(day.place.service, GAME, "france", "a test")
    day.place.work()
    day.place.clock.advance(HOUR)  # an email that crossed the new address would be asked back
    for generation in (1, 2, 7):
        day.write("france", ORDERS[FIRST]["france"], to=day.address("france", FIRST, generation))
    day.write("france", ORDERS[FIRST]["france"], to=day.address("france", FIRST, 8))
    day.place.work()
    assert day.fates() == ["quarantined"] * 3 + ["read"]
    assert {one.why for one in day.emails()[:3]} == {sentence("inbound.unknown_senders.void_address")}


def test_nobody_is_asked_about_an_email_for_a_turn_to_come(day: Day) -> None:
    """A YES counts for the turn that is due. The player is sent the address that is good now."""
    day.restore()
    seats.rekey(day.place.service, GAME, "france", "a test")
    day.write("france", f"{ORDERS[SECOND]['france']}\nREADY", to=day.address("france", SECOND))
    day.write("france", f"{ORDERS[FIRST]['france']}\nREADY", to=day.address("france", FIRST))
    day.place.work()
    to_come, due = day.emails()
    assert to_come.why == sentence("inbound.unknown_senders.void_address")
    assert due.why == sentence("inbound.confirmations.asked", is_replaced=True)


def test_a_token_shown_to_others_is_void_once_more_and_later_ones_are_good(day: Day) -> None:
    """The email that gave it away is moved back too: what was sent in its place speaks for the seat."""
    shown = day.address("france", FIRST)
    day.write("france", f"PRESS TO ENGLAND\n{shown}\nENDPRESS")
    day.place.work()
    assert day.position.assignments[FRANCE].generation == 2
    day.write("france", ORDERS[FIRST]["france"])
    day.place.work()
    day.restore()
    day.move_back()
    assert day.fates() == ["read", "read"]
    assert day.on_file("france") == ORDERS[FIRST]["france"].splitlines()
    stolen = letter("A PAR H", sender="thief@example.com", to=shown, number=5)
    day.place.post("thief@example.com", shown, stolen)
    day.place.work()
    assert day.fates()[-1] == "quarantined"


def test_a_seat_that_changed_hands_since_is_not_ordered_by_surprise(day: Day) -> None:
    """The new player isn't in the database: the email waits for the GM, who gives the seat again."""
    seats.replace_player(day.place.service, GAME, "france", "other@example.org", "moved away")
    day.place.work()
    (welcome,) = day.place.mail("other@example.org")
    day.place.answer("other@example.org", welcome, ORDERS[FIRST]["france"])
    day.place.work()
    day.restore()
    day.move_back()
    (email,) = day.emails()
    assert email.disposition == "quarantined"
    assert email.why == sentence("inbound.postponed.changed_hands", sender="other@example.org", seat="France")
    assert day.on_file("france") == []
    assert sentence("inbound.postponed.not_your_seat_subject") in str(
        day.place.mail("other@example.org")[-1]["Subject"]
    )
    assert [str(one["Subject"])[:6] for one in day.new_mail("france")] == ["Paused"]


def test_who_has_written_since_keeps_the_orders_as_they_are(day: Day) -> None:
    """The email of the day is read again when its turn is due, and takes back nothing that came later."""
    day.play(FIRST)
    day.write("france", f"CLEAR\n{ORDERS[SECOND]['france']}\nWAIT")
    day.place.work()
    day.restore()
    day.move_back()
    day.write("france", f"PHASE {SECOND}\nA BUR - MUN")
    day.place.work()
    deadlines.go_on_all(day.place.service, "")
    day.place.work()
    assert day.turn == SECOND
    orders = ("A BUR - MUN", "A SPA H", "F MAO - POR")
    assert set(day.on_file("france")) == {f"PHASE {SECOND}: {order}" for order in orders}
    assert day.position.assignments[FRANCE].wait
    assert "your saved orders stay as they are" in words(day.new_mail("france")[-1])


def test_a_line_that_nobody_could_read_yet_is_read_when_its_turn_is_due(day: Day) -> None:
    """Its statements about units that don't exist yet, and all the rest; until then it holds nothing."""
    day.play(FIRST)
    day.write("france", "A BUR - BEL\nall others hold")
    day.place.work()
    day.restore()
    day.move_back()
    assert f"PHASE {SECOND}: A BUR - BEL" in day.on_file("france")
    deadlines.go_on_all(day.place.service, "")
    day.place.work()
    assert day.turn == SECOND, "the first turn was played early, and then the email was read"
    assert set(day.on_file("france")) == {"A BUR - BEL", "A SPA H", "F MAO H"}


def test_a_line_changed_in_the_sheet_that_was_quoted(day: Day) -> None:
    """The report with that sheet is on no books: it is compared with one as the turn began."""
    day.play(FIRST)
    ours = next(one for one in reversed(day.place.mail(PEOPLE["france"])) if SHEET_TITLE in text_of(one))
    quoted = "".join(f"> {line}\n" for line in text_of(ours).splitlines())
    assert "> A BUR H\n" in quoted
    text = f"see below\n\nOn Monday, {ours['From']} wrote:\n{quoted.replace('> A BUR H', '> A BUR - MUN')}"
    subject = f"Re: {ours['Subject']}"
    day.write("france", text, to=str(ours["Reply-To"]), subject=subject)
    day.place.work()
    filed = day.on_file("france")
    assert filed == ["A BUR - MUN"]
    day.restore()
    day.move_back()
    assert [one for one in day.on_file("france") if "PHASE" in one] == []
    deadlines.go_on_all(day.place.service, "")
    day.place.work()
    assert (day.turn, day.on_file("france")) == (SECOND, filed)


@dataclass(frozen=True)
class Attack:
    """An email after a restore. made: who sends it, where to, its subject; why: what is noted of it."""

    name: str
    made: Callable[[Day], tuple[str, str, str]]
    why: str


THIEF, AUSTRIA = "thief@example.com", PEOPLE["austria"]
NOBODY = sentence("inbound.unknown_senders.nobody_we_know")
ATTACKS = (
    Attack(
        "a forged From line under a tag of a later turn",
        lambda day: (PEOPLE["france"], "gm@example.org", f"Re: [{GAME} {SECOND} France]"),
        sentence("inbound.unknown_senders.nothing_vouches"),
    ),
    Attack(
        "the token of another seat for a later turn",
        lambda day: (THIEF, day.address("austria", SECOND).replace("austria", "france"), "orders"),
        NOBODY,
    ),
    Attack(
        "the token of another game for a later turn",
        lambda day: (THIEF, day.address("france", SECOND).replace(GAME, "asia"), "orders"),
        NOBODY,
    ),
    Attack(
        "a later token that another player was shown",
        lambda day: (AUSTRIA, day.address("france", SECOND), "orders"),
        sentence("inbound.unknown_senders.nothing_vouches"),
    ),
    Attack(
        "a token of a later generation that another player was shown",
        lambda day: (AUSTRIA, day.address("france", FIRST, 3), "orders"),
        sentence("inbound.unknown_senders.nothing_vouches"),
    ),
    Attack(
        "a token of a later generation, from somewhere else",
        lambda day: (THIEF, day.address("france", SECOND, 5), "orders"),
        sentence("inbound.postponed.changed_hands", sender=THIEF, seat="France"),
    ),
    Attack(
        "a token of a generation that is beyond those",
        lambda day: (THIEF, day.address("france", SECOND, 40), "orders"),
        NOBODY,
    ),
    Attack(
        "a token of the present generation for a later turn",
        lambda day: (
            THIEF,
            day.address("france", SECOND, day.position.assignments[FRANCE].generation),
            "orders",
        ),
        NOBODY,
    ),
    Attack(
        "a token of a seat that nobody holds",
        lambda day: (THIEF, day.address("italy", SECOND), "orders"),
        NOBODY,
    ),
)


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    """A service that was restored, for all attacks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composer, "draw_map", lambda *position, **turn: None)
        with backup_day(tmp_path_factory.mktemp("lost")) as found:
            found.restore()
            yield found


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_email_that_claims_to_be_of_the_day_that_was_lost(lost: Day, attack: Attack) -> None:
    """It gives nobody's orders."""
    sender, to, subject = attack.made(lost)
    lost.place.clock.advance(60_000)
    lost.place.write(sender, to, "A PAR - PIC\nA VIE - TYR\nA ROM - TUS\nREADY", subject)
    lost.place.work()
    email = lost.emails()[-1]
    assert (email.disposition, email.why) == ("quarantined", attack.why)
    assert lost.position.filed == {}
    assert lost.position.assignments[FRANCE].is_person


def test_an_email_that_names_no_turn_is_read_for_the_one_that_is_due_and_says_so(day: Day) -> None:
    """A password alone doesn't say. Emails written after the restore are for the due turn."""
    seats.rekey(day.place.service, GAME, "france", "a test")
    day.place.work()
    (keys,) = [one for one in day.place.mail(PEOPLE["france"]) if "SIGNON" in text_of(one)][-1:]
    password = text_of(keys).partition(f"SIGNON {GAME} France ")[2].split()[0]
    day.file.unlink()
    backup.back_up(day.place.service, day.file)
    text = f"SIGNON {GAME} France {password}\nA PAR - PIC"
    day.write("france", text, to="gm@example.org", subject="orders")
    day.place.work()
    day.restore()
    day.move_back()
    assert day.on_file("france") == ["A PAR - PIC"]
    made = format_instant(START, ZoneInfo("Europe/Amsterdam"))
    told = f"We were restored from a backup of {made}"
    warning = "your email doesn't say which turn it is for. We read it for Spring 1901, moves."
    assert warning in words(day.new_mail("france")[-1])
    assert told in words(day.place.mail(PEOPLE["france"])[-1])
    day.write("france", f"{text}\nA MAR - SPA", to="gm@example.org", subject="orders")
    day.place.work()
    assert warning not in words(day.new_mail("france")[-1])


def test_a_turn_that_does_not_come_again_is_told_of(day: Day) -> None:
    """In the spring that is played now nobody has to retreat."""
    day.restore()
    day.write("france", "A PAR R PIC", to=day.address("france", "S1901R"), subject="orders")
    day.place.work()
    assert day.fates() == ["postponed"]
    deadlines.go_on_all(day.place.service, "")
    for seat, text in ORDERS[FIRST].items():
        day.write(seat, text)
    day.place.work()
    assert day.turn == SECOND
    assert day.fates()[0] == "read"
    told = [words(one) for one in day.new_mail("france")]
    assert any("S1901R, which is over now" in one for one in told)


def test_when_the_game_ends_nothing_waits_any_more(day: Day) -> None:
    day.restore()
    day.write("france", "READY", to=day.address("france", SECOND), subject="orders")
    day.place.work()
    assert day.fates() == ["postponed"]
    game_admin.end(day.place.service, GAME, (), "given up")
    day.place.service.process()
    day.place.service.process()
    assert day.fates() == ["read"]


def test_an_email_for_two_games_is_done_once_in_the_other(day: Day) -> None:
    """The part that is due is done at once, and not again when the rest is."""
    service = day.place.service
    game_admin.new_game(service, game_admin.GameRequest("standard", "asia"), secret=b"t" * 32)
    password = game_admin.assign(service, "asia", "france", PEOPLE["france"])
    game_admin.assign(service, "asia", "england", PEOPLE["england"])
    day.place.work()
    day.file.unlink()
    backup.back_up(service, day.file)
    day.restore()
    text = (
        f"{ORDERS[SECOND]['france']}\nSIGNON asia France {password}\n"
        "A PAR - BUR\nREADY\nPRESS TO ENGLAND\nHere too?\nENDPRESS"
    )
    day.write("france", text, to=day.address("france", SECOND), subject="orders")
    day.place.work()
    assert day.fates() == ["postponed"]
    heard = [str(one["Subject"]) for one in day.new_mail("england")]
    assert len([one for one in heard if "from France" in one]) == 1
    token = reply_token(service.service_context.key, "asia", FRANCE, 7, FIRST)
    day.write(
        "france",
        "A PAR - PIC\nNOREADY",
        to=reply_address(service.service_context.address, "asia", FRANCE, token),
    )
    day.place.work()
    deadlines.go_on_all(service, "")
    for seat, orders in ORDERS[FIRST].items():
        ours = next(
            one for one in reversed(day.place.mail(PEOPLE[seat])) if f"[{GAME} " in str(one["Subject"])
        )
        day.place.clock.advance(60_000)
        day.place.answer(PEOPLE[seat], ours, orders)
    day.place.work()
    assert day.fates()[0] == "read"
    heard = [str(one["Subject"]) for one in day.new_mail("england")]
    assert not [one for one in heard if "from France" in one]
    asia = game_admin.position_of(service, "asia")
    assert not asia.assignments[FRANCE].ready, "what was taken back since stays so"
    assert "PIC" in str(asia.filed[FRANCE])


def test_all_clocks_are_stopped_until_the_gamesmaster_starts_them(day: Day) -> None:
    """With the time that was left at the backup, though much more has passed."""
    left = (day.position.deadline or 0) - START
    kept = day.restore()
    assert kept.paused == (GAME,)
    day.place.clock.advance(1_000 * HOUR)
    day.place.work()
    assert (day.turn, day.position.deadline) == (FIRST, None)
    (notice,) = day.new_mail("france")
    assert sentence("reports.times.restored_subject") in str(notice["Subject"])
    assert stored_games.minutes(day.place.service.database, GAME)[-1].what == stored_games.PAUSED_BY_RESTORE
    (position,) = deadlines.go_on_all(day.place.service, "")
    assert position.deadline == day.place.clock.now() + left
    with pytest.raises(Exception, match="no game is paused by a restore"):
        deadlines.go_on_all(day.place.service, "")


def test_a_game_that_was_paused_before_stays_paused(day: Day) -> None:
    deadlines.pause(day.place.service, GAME, "holidays")
    day.file.unlink()
    backup.back_up(day.place.service, day.file)
    assert day.restore().paused == ()
    stop = day.position.timing.stop
    assert stop is not None
    assert stop.why == "holidays"


def test_a_game_that_waits_for_players_does_not_begin_before_their_emails_are_back(day: Day) -> None:
    service = day.place.service
    asked = game_admin.GameRequest("standard", "asia")
    game_admin.offer(service, asked, players=3, starts=START + HOUR)
    game_admin.offer(
        service, game_admin.GameRequest("standard", "africa"), players=3, starts=START + 99 * HOUR
    )
    day.file.unlink()
    backup.back_up(service, day.file)
    day.place.clock.advance(20 * HOUR)
    kept = day.restore()
    assert kept.put_off == ("asia",)
    day.place.work()
    assert service.repository.games() == (GAME,)
    starts = {offer.name: offer.starts for offer in service.repository.people.offers()}
    assert starts == {"africa": START + 99 * HOUR, "asia": day.place.clock.now() + 24 * HOUR}
    assert day.restore(go=True).put_off == ()


def test_with_go_the_clocks_run_on(day: Day) -> None:
    before = day.position.deadline
    assert day.restore(go=True).paused == ()
    assert (day.position.deadline, day.position.timing.stop) == (before, None)
    assert day.new_mail("france") == []


def test_the_command_line_says_what_comes_next(day: Day) -> None:
    place = day.place
    place.let_go()
    said = gm(place, f"restore {day.file} --yes")
    assert f"from {place.folder}/mail/in/.Kept/cur to {place.folder}/mail/in/new" in said
    assert f"1 game paused: {GAME}." in said
    assert "gm game resume --all" in said
    assert f"{GAME} continues. Deadline: " in gm(place, "game resume --all")
    place.hold()


def test_a_service_that_was_never_restored_knows_no_turn_to_come(day: Day) -> None:
    """Only a lost service can have issued such a token."""
    day.write("france", ORDERS[SECOND]["france"], to=day.address("france", SECOND), subject="orders")
    day.write("france", ORDERS[FIRST]["france"], to=day.address("france", FIRST, 2), subject="orders")
    day.place.work()
    assert day.fates() == ["quarantined", "quarantined"]


def test_a_second_restore_knows_the_tokens_of_the_first(day: Day) -> None:
    day.restore(go=True)
    day.file.unlink()
    backup.back_up(day.place.service, day.file)
    day.restore(go=True)
    assert day.position.assignments[FRANCE].generation == 13
    for generation in (1, 6, 7, 12, 13):
        day.write("france", ORDERS[FIRST]["france"], to=day.address("france", FIRST, generation))
    day.write("france", ORDERS[FIRST]["france"], to=day.address("france", FIRST, 14))
    day.place.work()
    assert day.fates() == ["read"] * 5 + ["quarantined"]


def test_emails_are_moved_back_on_a_mail_server(tmp_path: Path, dovecot: Dovecot) -> None:
    """From the folder that the restore names, with their time of arrival, as any mail program moves them."""
    user, here = dovecot.somebody(), tmp_path / "service"
    here.mkdir()
    (here / "gm.toml").write_text(
        f"""\
        [service]
        address = "{user}@example.test"
        [inbox]
        url = "imap://{user}@localhost:{dovecot.imap}"
        password = "{PASSWORD}"
        kept = "Archive"
        [outbox]
        url = "maildir:./out"
        """
    )
    clock = ManualClock(time.time_ns() // 1_000_000)
    service = open_service(load_settings(here / "gm.toml"), clock)
    try:
        asked = game_admin.GameRequest("standard", GAME, level="beginner")
        game_admin.new_game(service, asked, secret=b"s" * 32)
        for seat, who in PEOPLE.items():
            game_admin.assign(service, GAME, seat, who)
        backup.back_up(service, tmp_path / "yesterday.backup")
        for number, turn in enumerate((FIRST, SECOND)):
            for place, (seat, orders) in enumerate(ORDERS[turn].items()):
                name = Seat(seat.capitalize())
                token = reply_token(service.service_context.key, GAME, name, 1, turn)
                to = reply_address(service.service_context.address, GAME, name, token)
                dovecot.deliver(user, letter(orders, sender=PEOPLE[seat], to=to, number=10 * number + place))
            assert service.poll() == 3
            service.process()
        before = game_admin.position_of(service, GAME)
        assert before.played == 2
        kept = backup.restore_file(service, tmp_path / "yesterday.backup")
        assert kept.games == (GAME,)
        ((_, source, target),) = backup.list_moves(service.settings)
        with imaplib.IMAP4("localhost", dovecot.imap) as mailbox:
            mailbox.login(user, PASSWORD)
            mailbox.select(source)
            mailbox.copy("1:*", target)
            mailbox.store("1:*", "+FLAGS", r"\Deleted")
            mailbox.expunge()
        assert service.poll() == 6
        service.process()
        fates = [one.disposition for one in reversed(inbox.list_letters(service.database))]
        assert sorted(map(str, fates)) == ["postponed"] * 3 + ["read"] * 3
        deadlines.go_on_all(service, "")
        service.process()
        assert {one.disposition for one in inbox.list_letters(service.database)} == {"read"}
        assert canonical(game_admin.position_of(service, GAME).state) == canonical(before.state)
    finally:
        service.database.close()
