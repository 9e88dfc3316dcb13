"""A game's templates come before the common ones, no value is undefined, and only HTML is escaped."""

import itertools
import re

import css_inline
import pytest
from jinja2 import TemplateNotFound, UndefinedError
from selectolax.lexbor import LexborHTMLParser

from adjudicator.messages import sentence
from adjudicator.reports import messages
from adjudicator.reports.messages import HELP_TOPICS, help_text
from adjudicator.reports.render import _environment, render, sheet_by_day
from adjudicator.reports.report import compile_report

_numbers = itertools.count()


@pytest.fixture
def with_templates(kit, tmp_path, monkeypatch):
    """Give the game its own templates, by name."""

    def make(**sources):
        package = f"orchard_{next(_numbers)}"
        folder = tmp_path / package / "templates"
        folder.mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text("")
        for name, source in sources.items():
            (folder / name.replace("__", ".")).write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        return kit.game(package=package)

    return make


def test_a_template_of_the_house_is_compiled_once_for_all_games():
    made = [
        _environment(f"games.{name}", False).get_template("help/general.txt")
        for name in ("war_chest", "boer_war")
    ]
    assert made[0] is not made[1]
    assert made[0].root_render_func.__code__ is made[1].root_render_func.__code__


def test_a_game_may_extend_the_report_of_the_house(kit, with_templates):
    game = with_templates(
        report__txt='{% extends "house/report.txt" %}{% block bots %}The bees were busy.\n{% endblock %}'
    )
    report = compile_report(game, kit.position(), kit.played(), kit.ELM)
    text = messages.turn_report(game, report, kit.reader(), messages.Enclosed(html=False)).text
    assert "The bees were busy." in text
    assert sentence("reports.report.bots").upper() not in text
    assert "picker pear to plum: came home" in text


def test_a_game_without_that_template_gets_the_house_s(kit, with_templates):
    game = with_templates(other__txt="x")
    report = compile_report(game, kit.position(), kit.played(), kit.ELM)
    plain = messages.turn_report(kit.game(), report, kit.reader(), messages.Enclosed(html=False))
    assert messages.turn_report(game, report, kit.reader(), messages.Enclosed(html=False)).text == plain.text


def test_what_is_not_in_the_context_is_an_error(with_templates):
    with pytest.raises(UndefinedError):
        render(with_templates(broken__txt="{{ nothing.there }}"), "broken.txt", {})


def test_a_template_that_is_nowhere_is_an_error():
    with pytest.raises(TemplateNotFound):
        render(None, "letters/nowhere.txt", {})


def test_html_is_escaped_and_text_is_not(with_templates):
    game = with_templates(say__txt="{{ word }}", say__html="<p>{{ word }}</p>")
    assert render(game, "say.txt", {"word": "<b> & co"}) == "<b> & co"
    assert "&lt;b&gt; &amp; co" in render(game, "say.html", {"word": "<b> & co"})


def test_every_topic_has_its_help_and_every_other_word_the_general_one(kit):
    texts = {topic: help_text(topic, kit.game()) for topic in HELP_TOPICS}
    assert len(set(texts.values())) == len(HELP_TOPICS)
    assert help_text("sausages") == help_text("") == help_text("GENERAL") == texts["general"]
    assert "picker pear to plum" in texts["orders"]
    assert "picker pear to plum" not in help_text("orders")


def declarations(page: str) -> list[tuple[str, frozenset[str]]]:
    """Return the name and style of each element."""
    body = LexborHTMLParser(page).body
    assert body is not None
    return [
        (node.tag, frozenset(re.findall(r"[a-z-]+(?=:)", (node.attributes.get("style") or "") + ";")))
        for node in body.traverse()
    ]


def test_an_inliner_finds_nothing_left_to_write_into_a_letter(kit):
    """Every element has all that the style sheet says of it, as if each letter had been worked over."""
    report = compile_report(kit.game(), kit.position(), kit.played(), kit.ELM)
    page = messages.turn_report(kit.game(), report, kit.reader(), messages.Enclosed(picture=b"PNG")).html
    sheet = sheet_by_day()
    assert ".paper {" in sheet
    assert ".paper {" not in page.partition("@media")[0], "what each element has is not said twice"
    again = css_inline.CSSInliner(extra_css=sheet, load_remote_stylesheets=False).inline(page)
    assert declarations(page) == declarations(again)
    assert sum(bool(said) for _, said in declarations(page)) > 30


def test_an_element_keeps_what_its_template_says_of_its_style(with_templates):
    game = with_templates(say__html='<h1 style="margin-top: 3px">x</h1><b class="bad">y</b><i>z</i>')
    page = render(game, "say.html", {})
    assert re.search(r'<h1 style="margin: 0 0 10px;.*margin-top: 3px;?">x</h1>', page)
    assert re.search(r'<b class="bad" style="color: #[0-9a-f]{6};?">y</b>', page)
    assert "<i>z</i>" in page
