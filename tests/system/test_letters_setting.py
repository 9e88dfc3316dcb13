"""LETTERS by email: brief reports, an email per round, and a digest, which survive export and restore."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest

import games
from adjudicator.admin import deadlines, game_admin, overrides, seats, transfer
from adjudicator.admin.overrides import OverrideReason
from adjudicator.admin.transfer import encode_export, public_export
from adjudicator.admin.transfer import read as read_document
from adjudicator.clock import datetime_of, instant_of
from adjudicator.messages import sentence
from adjudicator.model.addresses import claims
from adjudicator.model.people import LetterChoice, Style
from adjudicator.outbound import composer
from adjudicator.outbound.reminders import Digests, last_hour
from adjudicator.reports import messages
from adjudicator.reports.messages import WaitingGame
from adjudicator.storage import outbox
from games.protocol import Seat
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import HOUR, START, LocalService, local_service, text_of

DAY = 24 * HOUR
AUSTRIA, TURKEY, BOERS = "austria@example.org", "turkey@example.org", "boers@example.org"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path) as opened:
        yield opened


@cached_beginning
def begin(place: LocalService, name: str = "kit", kind: str = "standard", **seats: str) -> None:
    terms = {"moves": "72h", "grace": "0h", "reminder": "0h", "solo": "clock"}
    game_admin.new_game(place.service, game_admin.GameRequest(kind, name, terms=terms), secret=b"v" * 32)
    for seat, address in seats.items():
        game_admin.assign(place.service, name, seat, address)
    place.work()


def say(place: LocalService, address: str, text: str, game: str = "kit") -> str:
    """Answer one's newest letter of a game; what the answer says."""
    place.clock.advance(1000)
    letter = next(one for one in reversed(place.mail(address)) if f"+{game}." in str(one["Reply-To"]))
    place.answer(address, letter, text)
    place.work()
    answer = next(one for one in reversed(place.mail(address)) if str(one["Subject"]).startswith("Re:"))
    return " ".join(text_of(answer).split())


def newest(place: LocalService, address: str) -> str:
    """The last report that somebody got."""
    return next(
        text
        for one in reversed(place.mail(address))
        if re.search(r"\n(Due now|Next): ", text := text_of(one))
    )


def play(place: LocalService, game: str = "kit") -> None:
    place.clock.advance(72 * HOUR + 1000)
    place.work()


def choices(place: LocalService, game: str = "kit") -> tuple[LetterChoice, ...]:
    return place.service.repository.people.choices(game)


def test_letters_alone_says_what_is_chosen(place):
    begin(place, austria=AUSTRIA)
    answer = say(place, AUSTRIA, "LETTERS")
    chosen = {"every": "turn", "seat": "Austria", "game": "kit", "solo": False}
    assert sentence("inbound.letters.report", detail="changes", **chosen) in answer
    assert sentence("inbound.letters.reasons", which="all") in answer
    assert sentence("inbound.letters.digest", digest="off") in answer
    assert choices(place) == ()
    say(place, AUSTRIA, "LETTERS BRIEF\nLETTERS REASONS FAILED, DIGEST WEEKLY")
    answer = say(place, AUSTRIA, "letters")
    assert sentence("inbound.letters.report", detail="brief", **chosen) in answer
    assert sentence("inbound.letters.reasons", which="failed") in answer
    zone = "Europe/Amsterdam"
    assert sentence("inbound.letters.digest", digest="weekly", at="07:00", zone=zone) in answer
    assert choices(place) == (
        LetterChoice(seat=Seat("Austria"), address=AUSTRIA, detail="brief", reasons="failed"),
    )


def test_tables_of_a_solo_game_show_what_changed_once_one_has_seen_them_whole(place):
    begin(place, "war", "plains-indian-wars", us=AUSTRIA)
    more = sentence("reports.changes.rest", unchanged=()).split(",")[0]
    instructions, changed = "\nSTANDING INSTRUCTIONS\n", "\nCUBES BY REGION: WHAT CHANGED, AND YOURS\n"
    say(place, AUSTRIA, "begin", "war")
    first = newest(place, AUSTRIA)
    assert instructions in first
    assert changed not in first
    assert more not in " ".join(first.split())
    seen = []
    for wish, by_hand in (("", False), ("LETTERS FULL", False), ("LETTERS CHANGES", False), ("", True)):
        if wish:
            say(place, AUSTRIA, wish, "war")
        if by_hand:
            why = OverrideReason(why="a slip")
            overrides.edit(place.service, "war", "put 1 Brown in S3", why)
            place.work()
        play(place, "war")
        report = newest(place, AUSTRIA)
        seen.append((instructions in report, changed in report, more in " ".join(report.split())))
    assert seen == [(False, True, True), (True, False, False), (False, True, True), (True, False, False)]
    answer = say(place, AUSTRIA, "LETTERS", "war")
    chosen = {"every": "turn", "seat": "US", "game": "war", "solo": True}
    assert sentence("inbound.letters.report", detail="changes", **chosen) in answer
    assert "STANDING INSTRUCTIONS" in say(place, AUSTRIA, "STATUS", "war").upper()


@pytest.mark.parametrize("words", ["DIGEST", "HOURLY", "REASONS WHY", "BRIEF PLEASE ROUND"])
def test_what_cannot_be_chosen_is_said_kindly_and_changes_nothing(place, words):
    begin(place, austria=AUSTRIA)
    answer = say(place, AUSTRIA, f"LETTERS {words}")
    not_understood = sentence("inbound.letters.not_understood", line=f"LETTERS {words}")
    assert " ".join(not_understood.split()) in answer
    assert "LETTERS DIGEST DAILY, WEEKLY or OFF." in answer
    assert choices(place) == ()
    assert place.service.repository.people.subscription(AUSTRIA) is None


def test_a_report_in_brief_holds_what_changed_what_is_mine_and_what_is_due(place):
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS BRIEF\nA VIE - TRI\nA BUD - SER\nF TRI - ALB")
    say(place, TURKEY, "A CON - BUL\nA SMY H\nF ANK - BLA")  # the last to order: the turn is played
    brief, whole = newest(place, AUSTRIA), newest(place, TURKEY)
    assert len(brief) < 0.8 * len(whole)
    head, body = brief.split("\nORDERS AND RESULTS\n", 1)
    assert "Due now:   Fall 1901, moves: orders for F Albania, A Serbia, A Trieste\n" in head
    assert "Order sheet, change it and send it back:\n\nF ALB H\nA SER H\nA TRI H\n" in head
    assert "Austria (you)\n| A BUD - SER: Army Budapest → Serbia.\n" in body
    assert "A CON - BUL: Army Constantinople → Bulgaria." not in brief, "another's order that went"
    assert "A CON - BUL: Army Constantinople → Bulgaria." in whole
    assert "\nTurkey (you)\n| " in whole
    assert "\nTurkey\n| " not in brief
    where = brief.split("\nPOSITIONS\n")[1]
    assert "  Turkey   " in where, "where he stands now is news"
    for title in ("\nSTANDINGS\n", "\nBOTS\n"):
        assert title in whole
        assert title not in brief
    assert sentence("reports.report.brief", turn="S1901M") in " ".join(brief.split())
    assert "A CON - BUL: Army Constantinople → Bulgaria." in say(place, AUSTRIA, "HISTORY S1901M"), (
        "and so it does"
    )
    say(place, AUSTRIA, "LETTERS FULL")
    play(place)
    assert "\nSTANDINGS\n" in newest(place, AUSTRIA)


def test_reasons_of_bots_are_chosen_by_whoever_plays_them_alone(place):
    begin(place, austria=AUSTRIA)
    play(place)
    assert newest(place, AUSTRIA).count("\n| ") > 40, "each bot's order is told, and why"
    told = newest(place, AUSTRIA).split("\nBOTS\n")[1]
    assert "Russia\n| " in told
    assert sentence("inbound.maps_and_history.why_bots", seat="Russia") in say(
        place, AUSTRIA, "HISTORY S1901M"
    )
    say(place, AUSTRIA, "LETTERS REASONS OFF")
    play(place)
    off = newest(place, AUSTRIA)
    assert "Bots play: England" in off
    assert "Russia\n| " not in off.split("\nBOTS\n")[1]
    say(place, AUSTRIA, "LETTERS REASONS FAILED")
    for _ in range(12):
        play(place)
        letter = newest(place, AUSTRIA)
        story, told = letter.split("\nBOTS\n")
        if told.count("\n| "):
            break
    orders = [row[2:].split(":")[0] for row in told.splitlines() if row.startswith("| ") and row[2] != " "]
    assert orders, "some bot has failed within twelve turns"
    for order in orders:
        assert f"\n| x {order}" in story, f"{order} is told to have failed"


def test_while_others_play_too_nobody_is_told_why_bots_order_what_they_do(place):
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS REASONS ALL\nOBSERVE kit")
    play(place)
    for address in (AUSTRIA, TURKEY):
        assert "Russia\n| " not in newest(place, address).split("\nBOTS\n")[1]
    why = list(transfer.export(place.service, "kit").log[-1].entry.reasons["Russia"].values())
    history = say(place, AUSTRIA, "HISTORY S1901M")
    public = encode_export(transfer.export(place.service, "kit", public=True)).decode()
    for text in why:
        assert text not in history
        assert text not in public
    game_admin.end(place.service, "kit", (), "tired of it")
    place.work()
    history = say(place, TURKEY, "HISTORY S1901M")
    assert all(" ".join(text.split()) in history for text in why), "when it is over, all are told"


def rounds(place: LocalService) -> None:
    begin(place, "veld", "boer-war", empire=AUSTRIA, boers=BOERS)


def reports(place: LocalService, address: str) -> list[str]:
    texts = [text_of(one) for one in place.mail(address) if not str(one["Subject"]).startswith("Re:")]
    return [text for text in texts if re.search(r"\n(Due now|Next): ", text)]


def act(place: LocalService, *lines: str) -> None:
    """The side whose round it is plays one action after the other, a letter each, until its round is over."""
    for line in lines:
        side = game_admin.position_of(place.service, "veld").state.side
        say(place, {"boers": BOERS, "empire": AUSTRIA}[side], line, "veld")


def side(place: LocalService) -> str:
    return str(game_admin.position_of(place.service, "veld").state.side)


def test_one_letter_a_round_with_all_that_was_played_in_between(place):
    rounds(place)
    say(place, AUSTRIA, "LETTERS ROUND", "veld")
    told_of, held = 0, False
    for _ in range(14):
        mover, before = side(place), len(reports(place, AUSTRIA))
        act(place, "PASS")
        after = len(reports(place, AUSTRIA))
        if mover == "boers" and side(place) == "boers":
            assert after == before, "the Boers go on: nothing is wanted of the Empire, and no round is over"
            held = True
        else:
            assert after == before + 1, "a round is over, or the Empire has to decide"
            told_of += reports(place, AUSTRIA)[-1].count("The draw\n")
    log = transfer.export(place.service, "veld").log
    assert held, "some round of the Boers had two actions"
    played = [one.entry for one in log if one.entry.kind == "turn"]
    untold = choices(place, "veld")[0].untold
    waiting = 0 if untold is None else sum(one.number >= untold for one in played)
    assert told_of == len(played) - waiting, "each action is told, and once"
    # The other player, who asked for nothing, got a letter for each action.
    assert len(reports(place, BOERS)) == 1 + len(played)


def test_what_waits_for_the_end_of_a_round_survives_a_restart_and_an_export(place, tmp_path):
    rounds(place)
    say(place, AUSTRIA, "LETTERS ROUND BRIEF", "veld")
    for _ in range(40):
        act(place, "PASS")
        if choices(place, "veld")[0].untold is not None:
            break
    (kept,) = choices(place, "veld")
    assert (kept.every, kept.detail) == ("round", "brief")
    assert kept.untold == game_admin.position_of(place.service, "veld").entries - 1
    document = read_document(encode_export(transfer.export(place.service, "veld")), "veld.json")
    assert document.letters == (kept,)
    assert public_export(document).letters == ()
    with local_service(tmp_path / "elsewhere") as other:
        transfer.bring_in(other.service, document)
        assert choices(other, "veld") == (kept,)
        while not reports(other, AUSTRIA):
            act_there(other, "Boers")
        (letter,) = reports(other, AUSTRIA)
        assert letter.count("The draw\n") >= 2, "what was played before the move and after it"
        assert choices(other, "veld")[0].untold is None


def test_what_a_rollback_struck_out_is_not_told_when_the_round_is_over(place):
    rounds(place)
    say(place, AUSTRIA, "LETTERS ROUND", "veld")
    while choices(place, "veld")[0].untold is None:
        act(place, "PASS")
    struck = transfer.export(place.service, "veld").entries[-1]
    assert struck.number == choices(place, "veld")[0].untold
    overrides.rollback(place.service, "veld", struck.turn, OverrideReason(why="a slip"), tell=False)
    deadlines.resume(place.service, "veld", "go on")
    told = len(reports(place, AUSTRIA))
    while len(reports(place, AUSTRIA)) == told:
        act(place, "PASS")
    since = [one for one in transfer.export(place.service, "veld").entries if one.number > struck.number]
    played = sum(one.kind == "turn" for one in since)
    assert reports(place, AUSTRIA)[-1].count("The draw\n") == played


def act_there(other: LocalService, sitting: str) -> None:
    """The next action in the other house, to which nobody has a letter yet."""
    position = game_admin.position_of(other.service, "veld")
    assignment = position.assignments[Seat(sitting)]
    to = other.service.composer.reader(position, assignment).reply_address
    other.clock.advance(1000)
    other.write(str(assignment.address), str(to), "PASS", subject=f"orders {other.clock.now()}")
    other.work()


def test_a_game_without_rounds_says_so(place):
    begin(place, austria=AUSTRIA)
    no_rounds = sentence("inbound.letters.no_rounds", title="Diplomacy", game="kit")
    assert no_rounds in say(place, AUSTRIA, "LETTERS ROUND")
    assert choices(place) == ()


def digests(place: LocalService, address: str) -> list[str]:
    title = sentence("reports.labels.your_digest")
    return [text for one in place.mail(address) if title in (text := text_of(one))]


def at(place: LocalService, days: int, hour: int) -> None:
    """Return an instant by the clock of Amsterdam, in January: an hour ahead of UTC."""
    place.clock.set(START - 18 * HOUR + days * DAY + (hour - 1) * HOUR)
    place.work()


def test_one_digest_a_day_names_all_games_that_wait(place):
    begin(place, "kit", austria=AUSTRIA, turkey=TURKEY)
    begin(place, "beaver", "indianomacy", iroquois=AUSTRIA)
    begin(place, "other", "standard", turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS DIGEST DAILY")
    at(place, 1, 6)
    assert digests(place, AUSTRIA) == []
    at(place, 1, 7)
    at(place, 1, 8)
    (digest,) = digests(place, AUSTRIA)
    assert digests(place, TURKEY) == []
    words = " ".join(digest.split())
    for game, title, seat in (("kit", "Diplomacy", "Austria"), ("beaver", "Indianomacy II", "the Iroquois")):
        heading = sentence("reports.messages.digest_game_title", game=game, title=title, seat=seat)
        assert f"\n{heading.upper()}\n" in digest
    assert "Due now: Spring 1901, moves: A Budapest, F Trieste, A Vienna Deadline: " in words
    assert "Deadline: Thursday 8 January 2026, 19:00 CET" in words
    assert "OTHER" not in digest
    assert max(map(len, digest.splitlines())) <= 72
    # Each address in it speaks for its seat: orders sent there count.
    letter = next(
        one for one in place.mail(AUSTRIA) if sentence("reports.labels.your_digest") in text_of(one)
    )
    found = [word for word in digest.split() if word.startswith("gm+")]
    assert [claims([one], "", ())[0].game for one in found] == ["beaver", "kit"]
    place.clock.advance(1000)
    place.write(AUSTRIA, found[1], "A VIE - TRI\nA BUD - SER\nF TRI - ALB\nA VIE - GAL")
    place.work()
    assert letter["Reply-To"] not in found
    at(place, 2, 7)
    assert "KIT" not in digests(place, AUSTRIA)[1], "all its orders are in"
    place.write(AUSTRIA, found[0], "all hold\nREADY")
    place.work()
    at(place, 3, 7)
    assert "Fall, year 1, moves" in digests(place, AUSTRIA)[2], "the next turn waits"
    page = letter.get_body(("html",)).get_content()
    assert all(f'href="mailto:{address}"' in page for address in found)


def test_nothing_is_sent_where_nothing_waits(place):
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS DIGEST DAILY\nA VIE H\nA BUD H\nF TRI H")
    at(place, 1, 8)
    assert digests(place, AUSTRIA) == []
    say(place, AUSTRIA, "CLEAR")
    at(place, 1, 9)
    assert digests(place, AUSTRIA) == [], "it was looked today"
    at(place, 2, 8)
    assert len(digests(place, AUSTRIA)) == 1


def test_mail_programs_can_end_it(place):
    """One letter, as they write it for List-Unsubscribe: its words in the subject, and nothing else."""
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS DIGEST DAILY")
    at(place, 1, 8)
    digest = next(
        one for one in place.mail(AUSTRIA) if sentence("reports.labels.your_digest") in text_of(one)
    )
    to, _, subject = (
        str(digest["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?subject=")
    )
    place.write(AUSTRIA, to, "", subject=unquote(subject))
    place.work()
    at(place, 2, 8)
    assert len(digests(place, AUSTRIA)) == 1


def test_a_weekly_one_comes_on_a_monday_until_it_is_stopped(place):
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS DIGEST WEEKLY\nA VIE H\nA BUD H\nF TRI H")
    for days in range(1, 8):
        if days == 3:
            say(place, AUSTRIA, "WAIT")
        at(place, days, 9)
        expected = 1 if days == 7 else 0
        assert len(digests(place, AUSTRIA)) == expected, days
    say(place, AUSTRIA, "LETTERS DIGEST OFF")
    at(place, 14, 9)
    assert len(digests(place, AUSTRIA)) == 1


def test_a_digest_goes_to_the_seat_s_address_whoever_asks_with_its_token(place):
    begin(place, austria=AUSTRIA)
    letter = place.mail(AUSTRIA)[-1]
    place.clock.advance(1000)
    place.write("somebody@example.org", str(letter["Reply-To"]), "LETTERS DIGEST DAILY")
    place.work()
    at(place, 1, 7)
    assert len(digests(place, AUSTRIA)) == 1
    assert not (place.folder / "mail" / "somebody@example.org" / "new").exists()


def test_a_stranger_s_digest_is_asked_back_before_anything_is_noted(place):
    begin(place, austria=AUSTRIA)
    place.clock.advance(1000)
    place.write(TURKEY, "gm@example.org", "LETTERS DIGEST DAILY")
    place.work()
    assert place.service.repository.people.subscription(TURKEY) is None
    (asked,) = place.mail(TURKEY)
    place.clock.advance(1000)
    place.answer(TURKEY, asked, "yes")
    place.work()
    known = place.service.repository.people.subscription(TURKEY)
    assert known is not None
    assert known.digest == "daily"


def test_the_choice_is_the_player_s_and_not_his_successor_s(place):
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    say(place, AUSTRIA, "LETTERS BRIEF")
    seats.replace_player(place.service, "kit", "austria", BOERS, "moved away")
    place.work()
    play(place)
    assert "\nSTANDINGS\n" in newest(place, BOERS)


def test_two_that_look_at_once_write_one_digest(place):
    begin(place, austria=AUSTRIA)
    say(place, AUSTRIA, "LETTERS DIGEST DAILY")
    place.clock.set(START + DAY)
    service = place.service
    (seen,) = service.repository.people.subscriptions()
    first, second = (Digests(service.database, service.composer) for _ in range(2))
    first._write(seen, place.clock.now())
    second._write(seen, place.clock.now() + 1)
    keys = [one.sealed.key for one in outbox.list_posted(service.database, limit=99)]
    assert len([key for key in keys if key.startswith("digest/")]) == 1


def test_weekly_is_on_mondays():
    """By the reader's own clock, in summer and in winter."""
    zone = ZoneInfo("Europe/Amsterdam")
    for month in (1, 7):
        for day in range(1, 15):
            now = instant_of(datetime(2026, month, day, 12, tzinfo=zone))
            weekly = datetime_of(last_hour(now, zone, 7 * 60 + 30, "weekly"), zone)
            assert (weekly.weekday(), f"{weekly:%H:%M}") == (0, "07:30")
            assert 0 <= (datetime_of(now, zone).date() - weekly.date()).days < 7
            daily = datetime_of(last_hour(now, zone, 12 * 60 + 1, "daily"), zone)
            assert f"{daily:%H:%M}" == "12:01"
            assert daily.date() == datetime_of(now, zone).date() - timedelta(days=1), "today's is to come"


def test_one_letter_a_round_tells_of_a_round_that_ends_for_nobody(place):
    """A round is over: it is reported, though its reader has nothing to do."""
    rounds(place)
    say(place, BOERS, "LETTERS ROUND", "veld")
    for _ in range(12):
        before, mover = len(reports(place, BOERS)), side(place)
        act(place, "PASS")
        if mover == "boers" and side(place) == "empire":
            assert len(reports(place, BOERS)) == before + 1, "the Boers' own round is over"
            return
    raise AssertionError("some round of the Boers ends within twelve actions")


def test_no_letter_shows_tokens_of_others_as_its_reader_s(place):
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    writer, position = place.service.composer, game_admin.position_of(place.service, "kit")
    readers = [writer.reader(position, position.assignments[Seat(seat)]) for seat in ("Austria", "Turkey")]
    turn = games.kinds()["standard"].rules.turn(position.state)
    waiting = [WaitingGame("Diplomacy", turn, None, ("all",), reader) for reader in readers]
    letter = messages.digest(readers[0], "digest/of-a-fault", waiting)
    raw = text_of(message_from_bytes(writer.seal(letter, START).raw, policy=policy.default))
    assert str(readers[0].token) in raw
    assert str(readers[1].token) not in raw


def drawings(place: LocalService, address: str) -> list[str]:
    """Return the drawings in a person's newest email with a calendar file."""
    files = [[str(one.get_filename()) for one in letter.iter_attachments()] for letter in place.mail(address)]
    return [name for name in list(filter(None, files))[-1] if name.endswith(".svg")]


def test_the_drawing_comes_to_whoever_asked_for_it(place, monkeypatch):
    """Which made letters 200 KB heavier for all."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: '<svg xmlns="http://www.w3.org/2000/svg"/>')
    monkeypatch.setattr(composer.maps, "map_picture", lambda *told: b"\x89PNG\r\n\x1a\n")
    monkeypatch.setattr(composer.maps, "has_fronts", lambda *told: False)
    begin(place, austria=AUSTRIA, turkey=TURKEY)
    assert (drawings(place, AUSTRIA), drawings(place, TURKEY)) == ([], [])
    assert sentence("inbound.letters.maps", maps="png") in say(place, AUSTRIA, "LETTERS")
    assert sentence("inbound.letters.maps", maps="svg") in say(place, AUSTRIA, "LETTERS SVG")
    play(place)
    assert (drawings(place, AUSTRIA), drawings(place, TURKEY)) == (["kit-S1901M.svg"], [])
    say(place, AUSTRIA, "LETTERS PNG")
    play(place)
    assert drawings(place, AUSTRIA) == []


def test_a_house_may_send_the_drawing_to_all(place, monkeypatch):
    monkeypatch.setattr(composer.maps, "svg", lambda *told: '<svg xmlns="http://www.w3.org/2000/svg"/>')
    monkeypatch.setattr(composer.maps, "map_picture", lambda *told: b"\x89PNG\r\n\x1a\n")
    monkeypatch.setattr(composer.maps, "has_fronts", lambda *told: False)
    place.service = replace(
        place.service, service_context=replace(place.service.service_context, letters=Style(maps="svg"))
    )
    begin(place, austria=AUSTRIA)
    assert drawings(place, AUSTRIA) == ["kit-S1901M.svg"]
