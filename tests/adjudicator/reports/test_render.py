"""A game's templates before the house's; nothing undefined; HTML escaped, text not."""

import itertools

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from adjudicator.reports import letters
from adjudicator.reports.help import TOPICS, help_text
from adjudicator.reports.render import render
from adjudicator.reports.report import gather

_numbers = itertools.count()


@pytest.fixture
def with_templates(kit, tmp_path, monkeypatch):
    """Makes the game with templates of its own, given by name."""

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


def test_a_game_may_extend_the_report_of_the_house(kit, with_templates):
    game = with_templates(
        report__txt='{% extends "house/report.txt" %}{% block bots %}The bees were busy.\n{% endblock %}'
    )
    report = gather(game, kit.position(), kit.played(), kit.ELM)
    text = letters.turn_report(game, report, kit.reader(), html=False).text
    assert "The bees were busy." in text
    assert "NATIONS WITHOUT A PLAYER" not in text
    assert "picker pear to plum: came home" in text


def test_a_game_without_that_template_gets_the_house_s(kit, with_templates):
    game = with_templates(other__txt="x")
    report = gather(game, kit.position(), kit.played(), kit.ELM)
    plain = letters.turn_report(kit.game(), report, kit.reader(), html=False)
    assert letters.turn_report(game, report, kit.reader(), html=False).text == plain.text


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
    texts = {topic: help_text(topic, kit.game()) for topic in TOPICS}
    assert len(set(texts.values())) == len(TOPICS)
    assert help_text("sausages") == help_text("") == help_text("GENERAL") == texts["general"]
    assert "picker pear to plum" in texts["orders"]
    assert "picker pear to plum" not in help_text("orders")
