"""A report as a forum post: nothing is lost, and no player's text counts as markup."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.reports.posts import post
from adjudicator.reports.render import bbcode, markdown
from adjudicator.reports.report import PressItem, compile_report
from games.protocol import ReportTable

NASTY = "I [b]promise[/b] *you* the <u>plum</u>, [url=http://x]see[/url]\n\n# now\n1. go\n- stay"


@pytest.fixture
def compiled_report(kit):
    press = (PressItem("From Oak to all", NASTY),)
    return compile_report(
        kit.game(), kit.position(), kit.played(), kit.ELM, commitment="5ea1" * 16, press=press
    )


@pytest.mark.parametrize(("markup", "ending"), [("bbcode", "bbcode"), ("markdown", "md")])
def test_a_post_is_as_it_was_reviewed(kit, compiled_report, golden, markup, ending):
    golden(f"orchard-report.{ending}", post(kit.game(), compiled_report, kit.reader(), markup))


@pytest.mark.parametrize("markup", ["bbcode", "markdown"])
def test_a_post_has_all_that_the_letter_has(kit, compiled_report, markup):
    said = re.sub(r"</?ins>|\[/?u\]|\\|\u200b", "", post(kit.game(), compiled_report, kit.reader(), markup))
    for chapter in compiled_report.chapters:
        for passage in chapter.passages:
            assert passage.heading in said
            assert all(line.text in said for line in passage.lines)
    for wanted in (
        compiled_report.headline,
        "Baskets",
        "hail/fig (d6): 4",
        "5ea1" * 16,
    ):
        assert wanted.lower() in said.lower()
    assert all(line in said for line in compiled_report.sheet)
    assert "Friday 24 July 2026, 16:20 UTC" in said


@pytest.mark.parametrize("markup", ["bbcode", "markdown"])
def test_bots_say_why_in_a_post_when_the_game_is_over(kit, compiled_report, markup):
    said = "picker fig to pear: the nearest tree that nobody picks"
    over = compile_report(
        kit.game(), kit.position(status="finished"), kit.played(), None, commitment="5ea1" * 16
    )
    assert said in post(kit.game(), over, kit.reader(), markup)
    assert said not in post(kit.game(), compiled_report, kit.reader(), markup)


def test_failed_orders_are_underlined(kit, compiled_report):
    assert "[u]picker quince to fig[/u]: kept out" in post(
        kit.game(), compiled_report, kit.reader(), "bbcode"
    )
    assert "<ins>picker quince to fig</ins>: kept out" in post(
        kit.game(), compiled_report, kit.reader(), "markdown"
    )


def test_every_tag_of_bbcode_is_closed_and_none_is_a_player_s(kit, compiled_report):
    page = post(kit.game(), compiled_report, kit.reader(), "bbcode")
    tags = re.findall(r"\[(/?)(\w+)[^\]]*\]", page)
    assert {name for _, name in tags} == {"b", "u", "list", "code", "quote"}
    open_tags: list[str] = []
    for closing, name in tags:
        if closing:
            assert open_tags.pop() == name
        else:
            open_tags.append(name)
    assert open_tags == []


@given(st.text(alphabet=st.sampled_from("ab[]/*=_`#<>|~\\-+1.&! "), max_size=40))
def test_what_anybody_writes_stays_what_it_is(text):
    """Every mark of Markdown has its backslash; no bracket opens a tag."""
    assert not re.search(r"\[[/*a-zA-Z]", bbcode(text))
    assert bbcode(text).replace("\u200b", "") == text
    row = markdown(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]<>|#~]", row)
    assert not re.match(r"([-+=](\s|$)|\d+[.)](\s|$))", row)
    assert re.sub(r"\\(.)", r"\1", row).replace("&amp;", "&") == " ".join(text.split())


def test_tables_are_tables_in_markdown_and_set_in_bbcode(kit, compiled_report):
    assert "| Nation | Fruit |" in post(kit.game(), compiled_report, kit.reader(), "markdown")
    rows = (
        post(kit.game(), compiled_report, kit.reader(), "bbcode").split("[code]\n")[1].split("\n[/code]")[0]
    )
    assert rows.splitlines()[0].split() == list(compiled_report.tables[0].columns)
    assert isinstance(compiled_report.tables[0], ReportTable)
