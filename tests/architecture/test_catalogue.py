"""Sentences stand in the catalogue: none in code of the rooms that speak, none there that nobody says."""

import ast
import builtins
from collections.abc import Iterator
from functools import cache

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError, meta, nodes

from adjudicator import messages
from games.messages import Sentence
from tests.kit.tree import ROOT, sources

ROOMS = ("auth", "inbound", "model", "outbound", "reports", "service", "turns", "order_page")
FOLDER = ROOT / "templates" / "messages"
TEMPLATE_SUFFIXES = (".txt", ".html", ".md", ".bbcode", ".forum", ".jinja")
WORDS = 5
"""So many words are a sentence; a word has a letter, so that a pattern of signs is none."""

PROGRAMMERS = {
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)
}
"""The faults of the language: nobody raises one to tell people something, as he raises a Refusal."""


@cache
def modules() -> dict[str, ast.Module]:
    """The code of the rooms that speak, by file."""
    paths = [
        path
        for path in sources("adjudicator")
        if path.relative_to(ROOT).parts[1].removesuffix(".py") in ROOMS
    ]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def literals(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts of a module that people may read, with their lines; for a place in one stands a word.

    Left out are docstrings, and what only programmers see.
    """
    beside = {
        id(one.value)
        for node in ast.walk(module)
        for one in ast.iter_child_nodes(node)
        if isinstance(one, ast.Expr)
    }
    beside |= {id(one) for told in for_programmers(module) for one in ast.walk(told)}
    parts = {id(part) for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr) and id(node) not in beside:
            yield (
                node.lineno,
                "".join(
                    str(getattr(part, "value", "") if isinstance(part, ast.Constant) else "it")
                    for part in node.values
                ),
            )
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in beside | parts
        ):
            yield node.lineno, node.value


def for_programmers(module: ast.Module) -> Iterator[ast.expr]:
    """The messages of a module's assertions, and the faults of the language that it raises."""
    for node in ast.walk(module):
        if isinstance(node, ast.Assert) and node.msg is not None:
            yield node.msg
        elif (
            isinstance(node, ast.Raise)
            and isinstance(node.exc, ast.Call)
            and getattr(node.exc.func, "id", None) in PROGRAMMERS
        ):
            yield node.exc


def words(text: str) -> int:
    """How many words a text has."""
    return sum(any(letter.isalpha() for letter in word) for word in text.split())


@cache
def calls() -> dict[str, set[frozenset[str]]]:
    """By slug with which values it is asked for."""
    found: dict[str, set[frozenset[str]]] = {}
    for path in sources("adjudicator"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "sentence":
                slug = ast.literal_eval(node.args[0])
                found.setdefault(slug, set()).add(frozenset(one.arg or "" for one in node.keywords))
    for call in template_calls():
        slug = call.args[0].as_const()
        found.setdefault(slug, set()).add(frozenset(one.key for one in call.kwargs))
    return found


def template_calls() -> Iterator[nodes.Call]:
    """Yield each call of ``sentence`` in the templates of the service and of the games."""
    for folder in (ROOT / "templates", *sorted((ROOT / "games").glob("*/templates"))):
        for path in sorted(folder.rglob("*")):
            if path.suffix not in TEMPLATE_SUFFIXES:
                continue
            page = Environment().parse(path.read_text(encoding="utf-8"))
            for call in page.find_all(nodes.Call):
                if isinstance(call.node, nodes.Name) and call.node.name == "sentence":
                    yield call


@cache
def everything() -> dict[str, str]:
    """The whole catalogue by slug."""
    return {
        slug: text
        for file in sorted(FOLDER.glob("*.toml"))
        for slug, text in messages.sentences(file.stem).items()
    }


def test_no_sentence_stands_in_code() -> None:
    """Five words and more are looked up."""
    found = {
        file: said
        for file, module in modules().items()
        if (said := [f"{line}: {text}" for line, text in literals(module) if words(text) >= WORDS])
    }
    assert found == {}


def test_a_sentence_in_code_is_noticed() -> None:
    """So the test above can fail: in a text, and in one with places."""
    module = ast.parse(
        '"""A docstring of so many words."""\nsay("this is a whole sentence")\nsay(f"{x} is one too, {y}")'
    )
    assert [text for _, text in literals(module)] == ["this is a whole sentence", "it is one too, it"]
    assert [words(text) for _, text in literals(module)] == [5, 5]
    assert words(r"[:;,.(]( |$)|\(| – | — ") == 0


def test_what_only_programmers_see_is_no_sentence() -> None:
    """What an assertion says, and a fault of the language; what a fault of ours says is one."""
    module = ast.parse(
        'assert x, f"{x} is as it is here"\n'
        'raise AssertionError("nobody ever comes to this line")\n'
        'raise Invalid("name", "there is no such game here")'
    )
    assert [text for _, text in literals(module)] == ["name", "there is no such game here"]


def test_every_slug_is_said_and_every_sentence_there() -> None:
    """Neither a sentence that nobody says, nor a slug that nobody wrote."""
    assert set(calls()) == set(everything())


@pytest.mark.parametrize("slug", sorted(everything()))
def test_a_sentence_gets_the_values_that_it_wants(slug: str) -> None:
    """All of them, and none for nothing."""
    wants = frozenset(meta.find_undeclared_variables(Environment().parse(everything()[slug])))
    assert calls().get(slug) == {wants}


def test_what_is_missing_is_no_silence() -> None:
    """A slug that is none, and a value that nobody gave."""
    with pytest.raises(KeyError):
        messages.sentence("clerk.nowhere.nothing")
    slug, text = next((slug, text) for slug, text in everything().items() if "{{" in text)
    with pytest.raises(UndefinedError):
        messages.sentence(slug)
    assert text


def test_a_sentence_of_pieces_says_what_its_template_says() -> None:
    """Those with nothing but places in them are joined, and no template is asked."""
    joined = [slug for slug in everything() if isinstance(messages._find_sentence(slug), Sentence)]
    assert len(joined) > 150
    for slug in joined:
        template = Environment(undefined=StrictUndefined).from_string(everything()[slug])
        wants = sorted(meta.find_undeclared_variables(Environment().parse(everything()[slug])))
        values = {name: [None, 7, "Pequot"][place % 3] for place, name in enumerate(wants)}
        assert messages.sentence(slug, **values) == template.render(values)
