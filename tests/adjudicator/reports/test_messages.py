"""Whole emails: subjects, keys, the order sheet, and forbidden content."""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from adjudicator.messages import sentence
from adjudicator.model.addresses import SenderClaim, claims
from adjudicator.reports import messages
from adjudicator.reports.messages import help_text
from adjudicator.reports.order_sheet import SavedOrder
from adjudicator.reports.render import sheet_by_day
from adjudicator.reports.report import OrdersWanted, PressItem, compile_report, opening_report
from adjudicator.reports.verdict import CommandAnswer, Transcript
from games.dice import commitment
from games.protocol import LexiconEntry, Seat
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from orders.mail.body import SHEET_TITLE, FreshLine, fresh_lines, sheet_of
from orders.mail.html_rows import rows_of
from orders.mail.letter import open_letter
from orders.mail.service_text import region_of
from orders.reading.letter_reader import ParseContext, read_lines
from orders.verdict import LineVerdict
from tests.kit.game_emails import rows_without_sheet

LABELS = {"email", "for", "order", "since", "this", "you", "wrote", "played", "orders", "are", "missing"}
AMSTERDAM = ZoneInfo("Europe/Amsterdam")
SHEET = ("picker pear to plum", "picker quince to quince")


@pytest.fixture
def report(kit):
    told = compile_report(
        kit.game(), kit.position(), kit.played(), kit.ELM, commitment=commitment(b"orchard")
    )
    return messages.turn_report(
        kit.game(), told, kit.reader(zone=AMSTERDAM), messages.Enclosed(picture=b"PNG")
    )


@pytest.fixture
def welcome(kit):
    first = opening_report(
        kit.game(),
        kit.position(state=kit.Orchard(baskets={"Elm": 0, "Oak": 3})),
        kit.ELM,
        commitment=commitment(b"orchard"),
    )
    return messages.welcome(kit.game(), first, kit.reader(turn="Y1P"), password="kestrel-seven")


@pytest.fixture
def transcript(kit):
    pear = "picker pear to plum"
    return Transcript(
        fingerprint="f00d",
        subject="Re: [demo Y1P Elm #abcdefghijkl2] Year 0",
        answers="<2@example.org>",
        thread=("<1@example.org>",),
        rows=(
            LineVerdict(
                line="picker paer to plum",
                grade="corrected",
                said=pear,
                problem='we read "paer" as pear',
            ),
            LineVerdict(
                line="picker quince to oak",
                grade="unread",
                problem="no tree is called oak",
                instead="picker quince to plum",
            ),
            LineVerdict(
                line="pick p from quince",
                grade="ambiguous",
                problem="several trees begin with p",
                candidates=("picker quince to pear", "picker quince to plum"),
            ),
            LineVerdict(
                line="picker fig to plum",
                grade="unlawful",
                said="picker fig to plum",
                problem="the picker at the fig is not yours",
                instead="picker quince to plum",
            ),
            LineVerdict(
                line="picker pear to pear", grade="taken", said="picker pear to pear", superseded=True
            ),
            LineVerdict(line=pear, grade="idle", said=pear),
            LineVerdict(line="picker quince to fig", grade="late", said="picker quince to fig"),
        ),
        notes=("Your letter came after the deadline, but in the hours of grace: it counts.",),
        answered=(CommandAnswer("Status", "Orchard, game demo.\n  Elm   orders in"),),
        on_file=(
            SavedOrder(name="the pear", order=pear),
            SavedOrder(name="the fig", order="picker fig to fig", kept=True),
        ),
        missing=("the quince",),
        turn=kit.game().rules.turn(kit.Orchard()),
        deadline=kit.DEADLINE,
        early=True,
        sheet=SHEET,
    )


@pytest.fixture
def verdict(kit, transcript):
    return messages.verdict(kit.game(), transcript, kit.reader(turn="Y1P", zone=AMSTERDAM))


@pytest.fixture
def reminder(kit):
    return messages.reminder(
        kit.game(),
        kit.reader(),
        "demo/1/reminder/Elm",
        messages.OverdueOrders(
            turn=kit.game().rules.turn(kit.Orchard()),
            deadline=kit.DEADLINE,
            missing=("the pear",),
            sheet=SHEET,
        ),
    )


@pytest.fixture
def notice(kit):
    return messages.notice(
        kit.reader(), messages.Heading("paused", "The game is paused"), ("For a week.", help_text(""))
    )


@pytest.fixture(params=["report", "welcome", "verdict", "reminder", "notice"])
def letter(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("name", ["report", "welcome", "verdict", "reminder", "notice"])
def test_the_letters_are_as_they_were_reviewed(name, request, golden):
    letter = request.getfixturevalue(name)
    golden(f"orchard-{name}.txt", letter.text)
    assert letter.html is not None
    golden(f"orchard-{name}.html", letter.html)


def test_subjects_begin_with_what_happened_and_end_with_the_tag(report, welcome, verdict, reminder, notice):
    """The tag names the turn that is reported, not the one that is due."""
    tag, told = "[demo Y2P Elm #abcdefghijkl2]", "[demo Y1P Elm #abcdefghijkl2]"
    before, after = sentence("reports.messages.due", when="@", news="A year of 4").split("@")
    assert re.match(rf"{before}\w{{3}} \d+ \w{{3}} \d\d:\d\d{after}", report.subject)
    assert report.subject.endswith(f" {told}")
    assert report.picture_name == "demo-Y1P.png"
    greeting = sentence("outbound.welcome.subject", title="Orchard", seat="Elm")
    assert welcome.subject == f"{greeting} {told}"
    assert verdict.subject == f"Re: orders: 4 to fix, 1 accepted {told}"
    due = sentence("reports.messages.orders_due", turn="Year 1, picking", time="")
    assert reminder.subject == f"{due} {tag}"
    assert notice.subject == f"The game is paused {tag}"


def test_an_answer_to_any_subject_of_ours_old_or_new_speaks_for_its_seat(report, verdict):
    old = "Re: [demo Y2P Elm #abcdefghijkl2] Year 1, picking: A year of 4…"
    meant = SenderClaim(game="demo", seat="elm", token="abcdefghijkl2")
    for subject in (f"Re: {report.subject}", f"AW: {verdict.subject}", old):
        assert claims((), subject, ()) == (meant,)


def test_somebody_who_only_watches_reads_game_and_turn_at_the_end_of_a_subject(kit):
    told = compile_report(kit.game(), kit.position(), kit.played(), None)
    watching = messages.LetterReader(address="who@example.org", game="demo")
    subject = messages.turn_report(kit.game(), told, watching).subject
    assert subject.endswith(" [demo Y1P]")
    assert claims((), subject, ()) == ()


def test_keys_name_each_letter_for_ever(report, welcome, verdict):
    assert report.key == "demo/1/report/Elm"
    assert welcome.key == "demo/0/welcome/Elm/1"
    assert verdict.key == "letter/f00d/verdict"


def test_an_answer_is_threaded_under_its_letter(verdict):
    assert verdict.answer_to == "<2@example.org>"
    assert verdict.thread == ("<1@example.org>",)
    assert verdict.automatic == "auto-replied"


def test_a_long_subject_ends_at_a_word_in_one_row(kit):
    subject = messages.notice(kit.reader(), messages.Heading("k", "plum\r\n" * 40), ("x",)).subject
    assert len(subject) <= 110
    assert subject.endswith("plum… [demo Y2P Elm #abcdefghijkl2]")


def test_a_long_subject_ends_with_a_part_that_is_whole_if_one_is_long_enough(kit):
    told = "Elm took the quince from Oak and from Ash; Oak took the pear; Ash took nothing, and went home."
    subject = messages.notice(kit.reader(), messages.Heading("k", told), ("x",)).subject
    assert subject == (
        "Elm took the quince from Oak and from Ash; Oak took the pear [demo Y2P Elm #abcdefghijkl2]"
    )


def test_a_tag_is_whole_however_long_game_and_seat_are_called(kit):
    reader = replace_fields(kit.reader(), game="g" * 20, seat=Seat("s" * 40), turn="t" * 20)
    subject = messages.notice(reader, messages.Heading("k", "plum " * 40), ("x",)).subject
    assert subject.endswith(f"… {reader.tag}")
    assert claims((), subject, ())[0].token == reader.token


def test_a_stranger_s_answer_has_his_own_subject_and_no_sheet():
    asked = Transcript(fingerprint="f", subject="AW: Re: help", answered=(CommandAnswer("Help", "Ask."),))
    letter = messages.verdict(None, asked, messages.LetterReader(address="who@example.org"))
    assert (letter.subject, letter.game, letter.token) == ("Re: help", None, None)
    assert SHEET_TITLE not in letter.text


@pytest.mark.parametrize("name", ["verdict", "reminder"])
def test_an_answer_and_a_reminder_end_with_the_order_sheet(name, request):
    letter = request.getfixturevalue(name)
    lines = sheet_of(letter.text)
    assert len(lines) == 2
    assert letter.text.endswith(f"\n\n{SHEET_TITLE}\n\n{lines[0]}\n{lines[1]}\n\n")


@pytest.mark.parametrize("name", ["report", "welcome"])
def test_what_is_due_and_the_order_sheet_stand_above_all_that_is_told(name, request):
    letter = request.getfixturevalue(name)
    lines = sheet_of(letter.text)
    assert len(lines) == 2
    above, below = letter.text.split(f"\n\n{SHEET_TITLE}\n\n{lines[0]}\n{lines[1]}\n\n")
    due = OrdersWanted("picking", None, ("the pear", "the quince")).text
    assert due in " ".join(above.split())
    assert "---" not in above, "no section is above it"
    assert below.splitlines()[1].startswith("---"), "an empty row, then the first section"


@pytest.mark.parametrize("name", ["report", "welcome", "verdict", "reminder"])
def test_the_sheet_can_be_read_from_the_html_too(name, request):
    letter = request.getfixturevalue(name)
    rows = [row.text for row in rows_of(letter.html)]
    start = rows.index(SHEET_TITLE)
    assert rows[start + 1 : start + 4] == ["", *sheet_of(letter.text)]
    assert rows[start + 4 : start + 5] in ([""], [])


def test_no_row_is_wider_than_72_columns(letter):
    assert [row for row in letter.text.split("\n") if len(row) > 72] == []


def test_no_two_empty_rows_but_at_the_end(letter):
    assert "\n\n\n" not in letter.text


def reply(body, kind):
    """An answer to our letter, as raw bytes."""
    head = f"From: elm@example.org\r\nSubject: Re: x\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n"
    return open_letter(head.encode() + body.encode())


@pytest.mark.parametrize("name", ["report", "verdict", "reminder"])
def test_an_edited_line_of_the_quoted_sheet_is_the_only_thing_read(name, request):
    letter = request.getfixturevalue(name)
    sheet = sheet_of(letter.text)
    quoted = "\n".join(f"> {row}".rstrip() for row in letter.text.split("\n"))
    page = letter.html.replace(f"<div>{sheet[1]}</div>", "<div>picker quince to fig</div>")
    for edited in (
        reply(quoted.replace(f"\n> {sheet[1]}\n>", "\n> picker quince to fig\n>"), "plain"),
        reply(f'<p>Hello</p><div class="gmail_quote"><blockquote>{page}</blockquote></div>', "html"),
    ):
        lines = [line for line in fresh_lines(edited, sheet) if line.text != "Hello"]
        assert [(line.text, line.source) for line in lines] == [("picker quince to fig", "sheet")]


def parse_context(kit):
    """Return the context in which players of the orchard write."""
    trees = ("pear", "quince", "plum", "fig", "oak")
    return ParseContext(
        commands=PLAYER_COMMANDS,
        forms=kit.game().notation.forms,
        conditions=(),
        lexicon=(
            *(LexiconEntry(sort="tree", id=tree, names=(tree,)) for tree in trees),
            LexiconEntry(sort="cake", id="plain", names=("plain",)),
        ),
        build=lambda form, slots: kit.Pick(**slots) if form == "pick" else kit.Bake(**slots),
        write=kit.game().notation.write,
        titles=("Elm",),
    )


@pytest.mark.parametrize("form", ["text", "html"])
def test_nothing_but_the_sheet_reads_as_an_order_or_a_command(letter, form, kit):
    """Even if a mail program leaves the copy of our email without marks of quotation."""
    whole = letter.text if form == "text" else "\n".join(row.text for row in rows_of(letter.html))
    rows = [row for row in rows_without_sheet(whole, sheet_of(letter.text)) if not row.startswith((">", "|"))]
    ours = region_of(list(enumerate(rows))).ours
    lines = [FreshLine(text=row) for at, row in enumerate(rows) if at not in ours]
    reading = read_lines(lines, parse_context(kit))
    assert [one.line for one in reading.orders if one.in_force] == []
    assert reading.commands == ()


def test_all_that_the_html_says_is_in_the_text(letter):
    """Word for word, but for the labels of the layout."""
    said = set(re.findall(r"\w+", letter.text.lower()))
    shown = {word for row in rows_of(letter.html) for word in re.findall(r"\w+", row.text.lower())}
    assert shown - said <= LABELS


def test_html_is_small_self_contained_and_inlined(letter):
    assert len(letter.html.encode()) < 60_000
    assert re.findall(r"https?:|url\(|@import|<link|<script", letter.html) == []
    assert "prefers-color-scheme: dark" in letter.html
    assert 'style="' in letter.html


def test_only_cells_and_lists_have_padding(letter):
    """Outlook for Windows cuts the first letters off rows that hang out by padding. Lists indent anyway."""
    padded = re.findall(r'<([a-z0-9]+)\b[^>]*style="[^"]*padding[^"]*"', letter.html)
    assert {"td"} <= set(padded) - {"body"} <= {"td", "ul"}


def test_the_map_is_shown_with_the_headline_where_there_is_one(kit, report):
    image = re.findall(r"<img[^>]*>", report.html)[0]
    for attribute in ('src="cid:map"', 'width="600"', 'alt="Map. A year of 4 happenings'):
        assert attribute in image
    assert (report.picture, report.picture_name) == (b"PNG", "demo-Y1P.png")
    told = compile_report(kit.game(), kit.position(), kit.played(), kit.ELM)
    bare = messages.turn_report(kit.game(), told, kit.reader())
    assert "<img" not in bare.html
    alone = messages.turn_report(
        kit.game(), told, kit.reader(), messages.Enclosed(picture=b"PNG", html=False)
    )
    assert (alone.html, alone.picture, alone.text) == (None, None, bare.text)


def test_tables_name_their_rows_and_columns(report):
    assert re.search(r'<th[^>]*scope="col"[^>]*>Nation</th>', report.html)
    assert re.search(r'<th[^>]*scope="row"[^>]*>Elm</th>', report.html)


def test_both_the_reader_s_time_and_utc_are_told(report, welcome):
    for body in (report.text, report.html):
        assert "18:20 CEST" in body
        assert "16:20 UTC" in body
    assert welcome.text.count("16:20 UTC") == 1


def test_the_password_is_told_only_where_it_is_given(kit, welcome):
    first = opening_report(kit.game(), kit.position(), kit.ELM)
    silent = messages.welcome(kit.game(), first, kit.reader())
    assert "SIGNON demo Elm kestrel-seven" in welcome.text
    assert "SIGNON" not in silent.text
    assert "SIGNON" not in silent.html


@pytest.mark.parametrize(
    ("early", "wait", "ready", "missing", "said"),
    [
        (True, True, False, (), sentence("reports.transcript.wait", alone=False)),
        (False, True, False, (), sentence("reports.transcript.wait", alone=False)),
        (True, False, False, (), sentence("reports.transcript.all_in")),
        (True, False, True, ("the pear",), sentence("reports.transcript.said_ready")),
        (True, False, False, ("the pear",), sentence("reports.transcript.earlier")),
    ],
)
def test_what_the_turn_waits_for_is_told(kit, early, wait, ready, missing, said):
    told = Transcript(
        fingerprint="f",
        turn=kit.game().rules.turn(kit.Orchard()),
        deadline=kit.DEADLINE,
        early=early,
        wait=wait,
        ready=ready,
        missing=missing,
    )
    letter = messages.verdict(kit.game(), told, kit.reader())
    assert said in " ".join(letter.text.split())
    assert said in " ".join(row.text for row in rows_of(letter.html)).replace("\xa0", " ")


def test_a_letter_without_an_order_is_told_so(kit):
    letter = messages.verdict(kit.game(), Transcript(fingerprint="f"), kit.reader())
    told = sentence("reports.transcript.nothing_found")
    assert told in " ".join(letter.text.split())
    assert told in " ".join(row.text for row in rows_of(letter.html))


def test_at_the_end_the_winner_is_named_and_no_sheet_follows(kit):
    for winners, said in (((kit.ELM, kit.OAK), "Elm and Oak won: most fruit."), ((), "")):
        over = kit.played(after=kit.Orchard(year=2, winners=winners))
        told = compile_report(kit.game(), kit.position(), over, kit.ELM)
        letter = messages.turn_report(kit.game(), told, kit.reader())
        assert said in letter.text
        assert said in letter.html
        assert (SHEET_TITLE in letter.text) is (not winners)


def _luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_text_stands_out_from_its_paper_by_day_and_by_night(report):
    """WCAG AA: 4.5 to 1 for every colour of text on every possible background."""
    style = report.html[report.html.index("<style>") : report.html.index("</style>")]
    _, night = style.split("@media (prefers-color-scheme: dark)")
    for sheet in (sheet_by_day(), night):
        inks = re.findall(r"[ ;{]color: (#\w{6})", sheet)
        grounds = re.findall(r"background: (#\w{6})", sheet)
        assert len(inks) >= 4
        assert len(grounds) >= 3
        for ink in inks:
            for ground in grounds:
                lighter, darker = sorted((_luminance(ink), _luminance(ground)), reverse=True)
                assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (ink, ground)


def test_press_is_told_word_for_word_and_reads_as_nobody_s_order(kit):
    """Every row is behind a bar: a reply above it orders nothing that somebody else wrote."""
    text = "Meet me at the plum.\n\npicker pear to plum, and " + "on and " * 20 + "<on>"
    press = (PressItem("From Oak to Elm", text), PressItem("From somebody to all", "Beware of wasps."))
    told = compile_report(kit.game(), kit.position(), kit.played(), kit.ELM, press=press)
    letter = messages.turn_report(kit.game(), told, kit.reader())
    rows = letter.text.split("PRESS\n")[1].split("BASKETS")[0].split("\n")
    assert "| Meet me at the plum." in rows
    assert all(len(row) <= 72 for row in rows)
    assert all(row.startswith("|") for row in rows if "picker" in row or "on and" in row or "<on>" in row)
    for said in ("From Oak to Elm", "Meet me at the plum.", "&lt;on&gt;", "From somebody to all"):
        assert said in letter.html
    assert (
        "PRESS"
        not in messages.turn_report(
            kit.game(), compile_report(kit.game(), kit.position(), kit.played(), kit.ELM), kit.reader()
        ).text
    )


def test_the_secret_of_the_dice_is_sealed_in_every_report_and_told_in_the_last(kit):
    seal, secret = "5ea1" * 16, kit.position().secret.hex()
    for winners, told in (((), False), ((kit.ELM,), True)):
        over = kit.played(after=kit.Orchard(year=2, winners=winners))
        report = compile_report(kit.game(), kit.position(), over, kit.ELM, commitment=seal)
        letter = messages.turn_report(kit.game(), report, kit.reader())
        for body in (letter.text, letter.html):
            assert seal in body
            assert (secret in body) is told
            assert "gm dice verify" in " ".join(body.split())


def test_who_leads_is_said_under_the_headline_by_a_game_that_tells_it(kit):
    class Ahead(type(kit.game().telling)):
        def lead(self, view, events):
            return f"Elm leads with {view.baskets['Elm']} of {len(events)}."

    game = replace(kit.game(), telling=Ahead())
    report = compile_report(game, kit.position(), kit.played(), kit.ELM)
    letter = messages.turn_report(game, report, kit.reader())
    assert "Elm leads with 11 of 4." in " ".join(letter.text.split())
    assert "Elm leads with 11 of 4." in letter.html
    assert compile_report(kit.game(), kit.position(), kit.played(), kit.ELM).lead == ""
