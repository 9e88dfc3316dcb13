"""A whole game-year by real email: SMTP in and out, Maildirs, verdicts, reports, the final position."""

from email.message import EmailMessage

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.storage import inbox, outbox, stored_games
from games.dice import commitment
from games.diplomacy.model import State
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

IROQUOIS, DAKOTA = "iroquois@example.org", "dakota@example.org"


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory):
    """The year, played once; the tests below check the results."""
    with local_service(tmp_path_factory.mktemp("year")) as place:
        seats = {"iroquois": IROQUOIS, "Dakota": DAKOTA}
        asked = game_admin.GameRequest("indianomacy", "beaver", seats=seats)
        game_admin.new_game(place.service, asked, secret=b"y" * 32)
        place.work()
        _spring(place)
        _fall(place)
        _winter(place)
        yield place


def _spring(place: LocalService) -> None:
    """Both write in time; a line of the second letter is wrong, and READY lets the turn be played at once."""
    place.clock.advance(2 * HOUR)
    place.answer(
        IROQUOIS,
        place.mail(IROQUOIS)[-1],
        "Hi GM,\n\nMohok S Onondaga - Delaware; Onondaga → Delaware\n11 holds\nSEN H\n\nthanks!",
    )
    place.work()
    place.clock.advance(HOUR)
    place.answer(DAKOTA, place.mail(DAKOTA)[-1], "w tet h\nykt h\nsis h\nSantee - Mohawk\nsnt - poj")
    place.work()
    place.clock.advance(60_000)
    place.answer(DAKOTA, place.mail(DAKOTA)[-1], "READY")
    place.work()


def _fall(place: LocalService) -> None:
    """The Iroquois' email arrives in time but is read after the deadline; the Dakota don't write."""
    place.clock.advance(HOUR)
    report = next(one for one in reversed(place.mail(IROQUOIS)) if is_report(one))
    sheet = text_of(report).replace("W SEN H", "W SEN - CYG")
    quoted = "".join(f"> {line}\n" for line in sheet.splitlines())
    place.write(
        IROQUOIS,
        str(report["Reply-To"]),
        f"Mohawk H, Oneida H, Delaware H\n\nOn {report['Date']}, the gamesmaster wrote:\n{quoted}",
        In_Reply_To=str(report["Message-ID"]),
    )
    position = game_admin.position_of(place.service, "beaver")
    assert position.deadline is not None
    place.clock.set(position.deadline + position.deadlines.grace + 60_000)
    place.service.process()
    assert game_admin.position_of(place.service, "beaver").entries == 2, (
        "no turn before the mailbox is drained"
    )
    place.work()


def _winter(place: LocalService) -> None:
    place.clock.advance(HOUR)
    place.answer(IROQUOIS, place.mail(IROQUOIS)[-1], "build Onondaga")
    place.work()


def state_of(place: LocalService) -> State:
    position = game_admin.position_of(place.service, "beaver")
    assert isinstance(position.state, State)
    return position.state


def find_units(state: State, power: str) -> set[str]:
    return {unit.at for unit in state.units if unit.power == power}


def test_the_position_after_the_year(year):
    state = state_of(year)
    assert state.phase.short == "S2M"
    assert find_units(state, "Iroquois") == {"10", "11", "12", "13", "61"}
    assert find_units(state, "Dakota") == {"49", "50", "52", "19"}
    assert state.centres["61"] == "Iroquois"
    assert {"61", "10", "11", "12", "14"} == {c for c, owner in state.centres.items() if owner == "Iroquois"}


def test_the_log_has_one_entry_a_turn_and_plays_again_to_the_same_bytes(year):
    log = stored_games.log(year.service.database, "beaver")
    turns = [entry.turn for entry, _ in log]
    assert turns[:3] == ["S1M", "S1M", "F1M"]
    assert turns[-1] == "W1A"
    proof = game_admin.prove(year.service, "beaver")
    assert proof.fault is None
    assert proof.agreed == len(log)


def test_who_sent_nothing_is_named_and_counted(year):
    log = stored_games.log(year.service.database, "beaver")
    assert [entry.silent for entry, _ in log if entry.turn == "F1M"] == [("Dakota",)]
    assert game_admin.position_of(year.service, "beaver").assignments["Dakota"].missed == 1
    fall = next(
        text_of(letter)
        for letter in year.mail(IROQUOIS)
        if is_report(letter) and " [beaver F1M Iroquois" in letter["Subject"]
    )
    assert sentence("reports.posts.silent", seats=["Dakota"]).rstrip(".") in " ".join(fall.split())


def test_each_letter_had_one_answer(year):
    verdicts = [letter for letter in year.mail(IROQUOIS) if str(letter["Subject"]).startswith("Re:")]
    assert len(verdicts) == 3
    assert len([letter for letter in year.mail(DAKOTA) if str(letter["Subject"]).startswith("Re:")]) == 2


def test_the_verdict_mends_a_name_and_says_so(year):
    first = text_of(next(x for x in year.mail(IROQUOIS) if str(x["Subject"]).startswith("Re:")))
    assert "✓ W MHK S W ONO - DEL" in first
    assert 'We read "Mohok" as Mohawk.' in " ".join(first.split())
    assert "✓ W ONE H" in first
    assert "thanks" not in first


def test_the_verdict_refuses_what_cannot_be_and_says_what_to_write(year):
    first = text_of(next(x for x in year.mail(DAKOTA) if str(x["Subject"]).startswith("Re:")))
    problem = " ".join(first.split())
    refused = sentence("reports.transcript.not_possible", why="Santee doesn't border Mohawk")
    assert f"✗ {refused.removesuffix('.')}" in problem
    listed = problem.partition("Santee doesn't border Mohawk; possible: ")[2].partition(".")[0]
    assert "Sauk and Fox, Iowa, Yankton Sioux, Menominee" in listed, "all of them, and not only four"
    assert " or " in listed
    assert sentence("reports.transcript.write") not in first, (
        "nothing that is possible is near Mohawk in spelling or meaning"
    )
    assert "✓ W SNT - POJ" in first


def test_the_changed_line_of_the_quoted_sheet_was_an_order(year):
    verdict = text_of([x for x in year.mail(IROQUOIS) if str(x["Subject"]).startswith("Re:")][1])
    assert "W SEN - CYG" in verdict
    assert "W ONO" not in verdict, "the rest of the report above was quoted, and is no order"


def test_the_reports_tell_the_story(year):
    spring = next(
        text_of(x) for x in year.mail(DAKOTA) if is_report(x) and "\nSpring, year 1, moves\n" in text_of(x)
    )
    assert "Delaware" in spring.split("Due now:")[0]
    assert "W MHK S W ONO - DEL: supported." in spring
    assert "The War Party in Delaware was dislodged by Onondaga (Iroquois)." in spring
    assert "Bots play: Apache, Blackfoot, Caddoan, Illinois, Muskhogean," in spring
    assert "Order sheet, change it and send it back:\n\nW POJ H\n" in spring
    assert max(len(line) for line in spring.splitlines()) <= 72


def is_report(letter: EmailMessage) -> bool:
    """Return whether it is neither a reply nor press of the bots."""
    return not any(word in str(letter["Subject"]) for word in ("Re:", "Press:"))


def test_every_letter_of_ours_has_text_html_and_thread(year):
    letters = [*year.mail(IROQUOIS), *year.mail(DAKOTA)]
    for letter in letters:
        files = [part for part in letter.walk() if part.get_content_disposition() == "attachment"]
        assert letter.get_content_type() == f"multipart/{'mixed' if files else 'alternative'}"
        assert len(files) <= is_report(letter), (
            "the deadline for a calendar, and no drawing that nobody asked for"
        )
        assert letter["Auto-Submitted"] in ("auto-generated", "auto-replied")
    reports = [x for x in letters if is_report(x)]
    for report in reports:
        picture = next(part for part in report.walk() if part.get_content_type() == "image/png")
        assert picture.get_payload(decode=True).startswith(b"\x89PNG")
        assert len(picture.get_payload(decode=True)) < 200_000
        html = report.get_body(("html",)).get_content()
        assert f"cid:{picture['Content-ID'].strip('<>')}" in html
        assert len(html.encode()) < 60_000
    threaded = [x for x in year.mail(IROQUOIS) if "Re:" not in x["Subject"]][1:]
    assert all(x["In-Reply-To"] for x in threaded)


def test_the_commitment_stands_in_the_first_letter(year):
    welcome, *others = (text_of(x) for x in year.mail(DAKOTA))
    assert commitment(b"y" * 32) in welcome
    for text in others:
        # Lots that bots drew are not told while the game runs: neither is that they were.
        assert (commitment(b"y" * 32) in text) == ("\nDICE\n" in text), "and wherever dice were thrown"


def test_everything_was_read_and_everything_was_sent(year):
    letters = inbox.list_letters(year.service.database)
    assert {letter.disposition for letter in letters} == {"read"}
    counts = outbox.counts(year.service.database)
    assert counts["sent"] == sum(counts.values()) > 0
