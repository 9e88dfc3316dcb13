"""Catalogues of messages: no sentence is in code, every entry is used, and every call gives its values."""

import ast
import builtins
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import jinja2
import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError, meta, nodes

from adjudicator import messages
from games.messages import Sentence
from tests.kit.source_files import ROOT, sources

TEMPLATE_SUFFIXES = (".txt", ".html", ".md", ".bbcode", ".forum", ".jinja")
MESSAGES_FOLDER = ROOT / "templates" / "messages"
ORDER_PAGE_SCRIPT = ROOT / "templates" / "site" / "orders.js"
_SCRIPT_CALL = re.compile(r'\bsentence\("([\w.]+)"')

# Sentences in code.

ROOMS = ("auth", "inbound", "model", "outbound", "reports", "service", "turns", "order_page")
"""The packages and modules of adjudicator that write text for players."""

WITHOUT_SENTENCES = ("adjudicator",)
"""The packages whose code may not contain sentences. Append "games" and "orders" when theirs have moved."""

MAX_SENTENCES_IN_CODE = {
    "adjudicator/model/orders_on_file.py": 1,  # a remark above saved orders, which the GM may send back
    "games/__init__.py": 2,
    "games/boer_war/__init__.py": 1,
    "games/boer_war/edits.py": 4,
    "games/boer_war/notation.py": 17,  # examples of orders
    "games/boer_war/owner_data.py": 1,
    "games/boer_war/setup.py": 4,
    "games/data.py": 2,
    "games/diplomacy/__init__.py": 1,
    "games/diplomacy/adjudication/legality.py": 52,  # the meanings of codes, for the judge's schema
    "games/diplomacy/adjudication/movement.py": 27,  # the same
    "games/diplomacy/boards/board.py": 2,
    "games/diplomacy/bots/press.py": 5,
    "games/diplomacy/edits.py": 1,
    "games/diplomacy/exchange/results.py": 7,  # another program's words
    "games/great_war/__init__.py": 2,
    "games/great_war/edits.py": 1,
    "games/great_war/notation.py": 5,  # examples of orders
    "games/great_war/setup.py": 6,
    "games/judging.py": 13,  # errors in cases for the judge
    "games/options.py": 1,
    "games/own_box.py": 11,
    "games/plains_indian_wars/__init__.py": 2,
    "games/plains_indian_wars/edits.py": 1,
    "games/plains_indian_wars/notation.py": 9,  # examples of orders
    "games/plains_indian_wars/rules.py": 2,
    "games/pool.py": 2,
    "games/war_chest/__init__.py": 2,
    "games/war_chest/edits.py": 4,
    "games/war_chest/notation.py": 16,  # examples of orders
    "games/war_chest/rules.py": 1,
    "games/war_chest/setup.py": 7,
    "orders/conditions.py": 1,
    "orders/mail/letter.py": 5,
    "orders/mail/service_text.py": 1,
    "orders/reading/forms.py": 4,
    "orders/reading/letter_reader.py": 1,
}
"""Exceptions: how many texts of a file look like sentences and are none. The numbers may only shrink."""

SENTENCE_WORDS = 5
"""A text of this many words counts as a sentence. A word has a letter."""

NO_SENTENCES = {"example", "form", "pattern", "names"}
"""Arguments whose texts are order patterns, examples of orders, or names."""

_PATTERN = re.compile(r"[|{}\\[\]^]|\(\?")

PROGRAMMERS = {
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)
}
"""Python's own exceptions, whose messages only programmers read."""


def code_of(package: str) -> list[Path]:
    """Return the files of a package that may not contain sentences."""
    paths = sources(package)
    if package != "adjudicator":
        return paths
    return [path for path in paths if path.relative_to(ROOT).parts[1].removesuffix(".py") in ROOMS]


def literals(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that people may read, with their lines. "it" replaces each value in a text.

    Docstrings, patterns of orders, and messages for programmers are left out.
    """
    left_out = {
        id(one.value)
        for node in ast.walk(module)
        for one in ast.iter_child_nodes(node)
        if isinstance(one, ast.Expr)
    }
    left_out |= {id(one) for text in no_sentences(module) for one in ast.walk(text)}
    parts = {id(part) for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr) and id(node) not in left_out:
            yield (
                node.lineno,
                "".join(
                    str(getattr(part, "value", "") if isinstance(part, ast.Constant) else "it")
                    for part in node.values
                ),
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in left_out | parts
        ):
            yield node.lineno, node.value


def no_sentences(module: ast.Module) -> Iterator[ast.expr]:
    """Yield the messages of assertions and of Python's exceptions, and arguments that hold no sentences."""
    for node in ast.walk(module):
        if isinstance(node, ast.Assert) and node.msg is not None:
            yield node.msg
        elif (
            isinstance(node, ast.Raise)
            and isinstance(node.exc, ast.Call)
            and getattr(node.exc.func, "id", None) in PROGRAMMERS
        ):
            yield node.exc
        elif isinstance(node, ast.keyword) and node.arg in NO_SENTENCES:
            yield node.value


def is_sentence(text: str) -> bool:
    """Return whether a text has the words of a sentence, and isn't a pattern of orders or of characters."""
    return count_words(text) >= SENTENCE_WORDS and not _PATTERN.search(text)


def count_words(text: str) -> int:
    """Return the number of words in a text."""
    return sum(any(letter.isalpha() for letter in word) for word in text.split())


@pytest.mark.parametrize("package", WITHOUT_SENTENCES)
def test_no_sentence_stands_in_code(package: str) -> None:
    found = {}
    for path in code_of(package):
        module = ast.parse(path.read_text(encoding="utf-8"))
        texts = [f"{line}: {text}" for line, text in literals(module) if is_sentence(text)]
        name = path.relative_to(ROOT).as_posix()
        if len(texts) > MAX_SENTENCES_IN_CODE.get(name, 0):
            found[name] = texts
    assert found == {}


def test_a_sentence_in_code_is_noticed() -> None:
    module = ast.parse(
        '"""A docstring of so many words."""\nsay("this is a whole sentence")\nsay(f"{x} is one too, {y}")'
    )
    assert [text for _, text in literals(module)] == ["this is a whole sentence", "it is one too, it"]
    assert [count_words(text) for _, text in literals(module)] == [5, 5]
    assert count_words(r"[:;,.(]( |$)|\(| – | — ") == 0


def test_texts_for_programmers_and_orders_are_no_sentences() -> None:
    module = ast.parse(
        'assert x, f"{x} is as it is here"\n'
        'raise AssertionError("nobody ever comes to this line")\n'
        'Form("put it there", example="place Archer at B3 and stay")\n'
        'raise Invalid("name", "there is no such game here")'
    )
    assert [text for _, text in literals(module)] == ["put it there", "name", "there is no such game here"]
    assert not is_sentence("place {unit:unit} at {where:hex} and stay")
    assert not is_sentence("(move|moves|move to|moves to|go to)")


EMAIL_TEMPLATES = ("letters/*.txt", "letters/*.html", "report.txt", "report.html", "kit.txt", "kit.html")
PRODUCT = "Turnpost"


def words_in_template(source: str) -> list[str]:
    """Return the words of a template that its readers see: in its text, in attributes, and in constants."""
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "\0", source, flags=re.DOTALL)
    shown = re.sub(r"<[^>]*>|&\w+;", " ", text)
    attributes = re.findall(r'(?:alt|title)="([^"]*)"', text)
    constants = [one.value for one in Environment().parse(source).find_all(nodes.Const)]
    labels = [
        one for one in constants if isinstance(one, str) and re.match(r"[A-Z][a-z]+", one) and one != PRODUCT
    ]
    return re.findall(r"[^\W\d_]{2,}", " ".join((shown, *attributes, *labels)))


@pytest.mark.parametrize("pattern", EMAIL_TEMPLATES)
def test_templates_of_emails_contain_no_words(pattern: str) -> None:
    """Except SIGNON, which players type, and a part of an address. The templates of help are whole texts."""
    for path in sorted((ROOT / "templates").glob(pattern)):
        assert set(words_in_template(path.read_text(encoding="utf-8"))) <= {"SIGNON", "to"}, path


def test_words_in_a_template_are_noticed() -> None:
    source = '{# A remark. #}<p class="x">Due {{ day }}</p>{{ text | paragraph("Next: ") }}<img alt="Map">'
    assert words_in_template(source) == ["Due", "Map", "Next"]
    assert words_in_template('{{ sentence("reports.labels.due") }}&nbsp;<b>{{ "Turnpost" }}</b>') == []


# Catalogues, and the calls that use them.


@dataclass
class Uses:
    """The code's uses of a catalogue.

    calls: the names of the values of each call, by slug; by_code: the same for calls with a code in the slug,
    each of which may mean some of the entries that fit; open: the slugs of calls that pass a dictionary of
    values, or that also choose the table of the slug; mentioned: slugs that the code looks up in another way.
    """

    calls: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    by_code: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    mentioned: set[str] = field(default_factory=set)

    @property
    def slugs(self) -> set[str]:
        """Return all slugs that are used."""
        return {*self.calls, *self.by_code, *self.open, *self.mentioned}


class Slugs:
    """The slugs of some catalogues.

    with_table_in_code: those whose table is a text of the modules, so that code may choose the table.
    """

    def __init__(self, known: set[str], modules: Iterable[ast.Module]) -> None:
        texts = {
            node.value for module in modules for node in ast.walk(module) if isinstance(node, ast.Constant)
        }
        self.all = known
        self.with_table_in_code = {slug for slug in known if slug.split(".")[-2] in texts}


@dataclass(frozen=True)
class Catalogue:
    """A catalogue. package: the code that uses it; entries: by slug, each with its sentences.

    complete: the code must use all values that a call gives, and every slug is a literal.
    """

    package: str
    entries: dict[str, tuple[str, ...]]
    complete: bool = False


def read_entries(path: Path, above: str) -> dict[str, tuple[str, ...]]:
    """Return the entries of a file by slug: one sentence each, or one for each plural form."""
    return {
        f"{above}{table}.{name}": tuple(entry.values()) if isinstance(entry, dict) else (entry,)
        for table, entries in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for name, entry in entries.items()
    }


@cache
def catalogues() -> dict[str, Catalogue]:
    """Return all catalogues by the folder of their code."""
    service: dict[str, tuple[str, ...]] = {}
    for path in sorted(MESSAGES_FOLDER.glob("*.toml")):
        service |= read_entries(path, f"{path.stem}.")
    found = {"adjudicator": Catalogue("adjudicator", service, complete=True)}
    for path in sorted((ROOT / "games").glob("*/messages.toml")):
        game = path.parent.name
        found[f"games/{game}"] = Catalogue("games", read_entries(path, f"{game}."))
    orders = ROOT / "orders" / "messages.toml"
    if orders.exists():
        found["orders"] = Catalogue("orders", read_entries(orders, ""))
    return found


def values_of(name: str, slug: str) -> frozenset[str]:
    """Return the names of the values that an entry needs."""
    texts = catalogues()[name].entries[slug]
    reading = Environment()
    reading.filters.update(messages.LANGUAGE_FILTERS)
    names = {one for text in texts for one in meta.find_undeclared_variables(reading.parse(text))}
    return frozenset(names | ({"count"} if len(texts) > 1 else set()))


@cache
def uses(package: str) -> Uses:
    """Return how a package uses its catalogues."""
    known = {slug for one in catalogues().values() if one.package == package for slug in one.entries}
    found = Uses()
    modules = [ast.parse(path.read_text(encoding="utf-8")) for path in sources(package)]
    slugs = Slugs(known, modules)
    for module in modules:
        read_calls(module, slugs, found)
    if package == "adjudicator":
        for call in template_calls():
            values = frozenset(one.key for one in call.kwargs)
            found.calls.setdefault(call.args[0].as_const(), set()).add(values)
        for slug, values in script_calls(ORDER_PAGE_SCRIPT.read_text(encoding="utf-8")):
            found.calls.setdefault(f"order_page.{slug}", set()).add(values)
    return found


def read_calls(module: ast.Module, known: Slugs, found: Uses) -> None:
    """Add a module's calls of ``sentence``, and its other texts that are slugs."""
    in_calls = set()
    for node in ast.walk(module):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if getattr(node.func, "id", getattr(node.func, "attr", None)) != "sentence":
            continue
        values = frozenset(one.arg for one in node.keywords if one.arg)
        for slug, part in slugs_of(node.args[0], known):
            in_calls.add(id(part))
            if any(one.arg is None for one in node.keywords) or part is None:
                found.open.add(slug)
            else:
                calls = found.by_code if isinstance(part, ast.JoinedStr) else found.calls
                calls.setdefault(slug, set()).add(values)
    for node in ast.walk(module):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in in_calls:
            found.mentioned |= {slug for slug, _ in slugs_of(node, known) if slug in known.all}


def slugs_of(slug: ast.expr, known: Slugs) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the slugs that an expression may be: a text, one of two texts, or a text with a code in it.

    Each comes with its part of the expression, or None if the code chooses the table too.
    """
    if isinstance(slug, ast.Constant):
        yield str(slug.value), slug
    elif isinstance(slug, ast.IfExp):
        yield from slugs_of(slug.body, known)
        yield from slugs_of(slug.orelse, known)
    elif isinstance(slug, ast.JoinedStr):
        texts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in slug.values]
        pattern = re.compile(re.escape("".join(texts)).replace(r"\{\}", "[A-Za-z0-9_-]+"))
        has_table = "{" not in ".".join("".join(texts).split(".")[:-1])
        matching = [one for one in known.all if pattern.fullmatch(one)]
        yield from (
            (one, slug if has_table else None)
            for one in matching
            if has_table or one in known.with_table_in_code
        )
        if not matching:
            yield ast.unparse(slug), slug


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


def script_calls(source: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each call of ``sentence`` in a script of a page: the slug, and the names of its values."""
    for call in _SCRIPT_CALL.finditer(source):
        depth, values, start = 0, "", call.end()
        for end, letter in enumerate(source[start:], start):
            depth += (letter in "({[") - (letter in ")}]")
            if depth < 0:
                values = source[start:end].strip(", {}")
                break
        parts = re.split(r",(?![^(\[{]*[)\]}])", values)
        yield call[1], frozenset(part.partition(":")[0].strip() for part in parts if part.strip())


def test_calls_of_a_script_are_found_with_their_values() -> None:
    source = (
        'say(sentence("a.b", {thing, other: name(one, 2), list: all.map(one => [one, 1])}), sentence("a.c"))'
    )
    assert list(script_calls(source)) == [
        ("a.b", frozenset({"thing", "other", "list"})),
        ("a.c", frozenset()),
    ]


def test_no_sentence_stands_in_the_script_of_the_order_page() -> None:
    """Its sentences are in the catalogue. Comments and texts of fewer than three words are none."""
    code = re.sub(r"^\s*//.*$", "", ORDER_PAGE_SCRIPT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    texts = re.findall(r'"([^"\n]*)"|`([^`]*)`', code)
    said = [re.sub(r"\$\{[^}]*\}", "X", plain or filled) for plain, filled in texts]
    assert [text for text in said if re.fullmatch(r"[A-Z][a-z']*( [A-Za-z']+){2,}.*", text)] == []


def test_a_slug_is_found_in_each_way_to_write_it() -> None:
    module = ast.parse(
        'sentence("a.b.plain", unit=x)\nsentence(f"a.b.{code}", at=y)'
        '\nsentence("a.b.one" if z else "a.b.two")'
        '\nsentence(TABLE[x], **values)\nTABLE = {1: "a.c.table"}\nsentence("a.b.none", **values)'
    )
    known = {"a.b.plain", "a.b.not-here", "a.b.one", "a.b.two", "a.c.table", "a.c.unused"}
    found = Uses()
    read_calls(module, Slugs(known, [module]), found)
    assert found.slugs == known - {"a.c.unused"} | {"a.b.none"}
    assert found.calls["a.b.plain"] == {frozenset({"unit"})}
    assert found.by_code["a.b.plain"] == {frozenset({"at"})}
    assert found.open == {"a.b.none"}
    assert found.mentioned == {"a.c.table"}


@pytest.mark.parametrize("package", ["adjudicator", "games", "orders"])
def test_every_slug_that_code_uses_exists(package: str) -> None:
    known = {slug for one in catalogues().values() if one.package == package for slug in one.entries}
    assert uses(package).slugs - known == set()


@pytest.mark.parametrize("name", sorted(catalogues()))
def test_every_entry_is_used(name: str) -> None:
    catalogue = catalogues()[name]
    assert set(catalogue.entries) - uses(catalogue.package).slugs == set()


@pytest.mark.parametrize("name", sorted(catalogues()))
def test_each_call_gives_the_values_of_its_entry(name: str) -> None:
    """Calls of the service give no others: there, a value that no sentence uses is a mistake."""
    catalogue = catalogues()[name]
    wrong = {
        slug: (sorted(values), sorted(values_of(name, slug)))
        for slug, given in uses(catalogue.package).calls.items()
        if slug in catalogue.entries
        for values in given
        if values_of(name, slug) - values or (catalogue.complete and values != values_of(name, slug))
    }
    found = uses(catalogue.package)
    for slug, given in found.by_code.items():
        if slug in catalogue.entries and slug not in {*found.open, *found.calls}:
            needed = values_of(name, slug)
            if not any(needed <= values for values in given):
                wrong[slug] = (sorted(map(sorted, given)), sorted(needed))
    assert wrong == {}


@pytest.mark.parametrize("name", sorted(catalogues()))
def test_plural_entries_have_the_forms_of_english(name: str) -> None:
    for path in MESSAGES_FOLDER.glob("*.toml") if name == "adjudicator" else [ROOT / name / "messages.toml"]:
        for table in tomllib.loads(path.read_text(encoding="utf-8")).values():
            for entry in table.values():
                assert isinstance(entry, str) or list(entry) == ["one", "other"], entry
                assert isinstance(entry, str) or not any("{%" in text for text in entry.values()), entry


def test_a_missing_slug_or_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        messages.sentence("inbound.nowhere.nothing")
    slug, text = next(
        (slug, texts[0])
        for slug, texts in catalogues()["adjudicator"].entries.items()
        if len(texts) == 1 and "{{" in texts[0]
    )
    with pytest.raises(UndefinedError):
        messages.sentence(slug)
    assert text


def test_a_sentence_without_jinja_says_what_its_template_would() -> None:
    entries = catalogues()["adjudicator"].entries
    plain = [slug for slug in entries if isinstance(messages._find_sentence(slug), Sentence)]
    assert len(plain) > 150
    for slug in plain:
        (text,) = entries[slug]
        template = Environment(undefined=StrictUndefined).from_string(text)
        wants = sorted(meta.find_undeclared_variables(Environment().parse(text)))
        values = {name: [None, 7, "Pequot"][place % 3] for place, name in enumerate(wants)}
        assert messages.sentence(slug, **values) == template.render(values)


# Whole sentences.

LABEL_WORDS = 4
"""A text of up to this many words is a label."""

REASONS = {
    *("inbound.filters", "inbound.gm_reasons", "inbound.leaked_tokens", "inbound.limits"),
    *(
        "inbound.gm_does",
        "inbound.gm_examples",
        "inbound.gm_refusals",
    ),  # after a command, or before a full stop
    *("service.edits", "service.replay", "service.time_zone", "service.verification"),
}
"""Tables of reasons: whole clauses that are printed in brackets or after a colon."""

WHOLE = {
    # Reasons: whole clauses that are printed in brackets or after a colon.
    "inbound.new_game": """no_such_kind more_than_a_name more_than_two_words_on_bots list_of_the_gamesmaster
        no_such_solo no_such_seat no_name_of_a_game name_is_a_token name_is_taken no_personalities
        no_personality_of_own no_such_bot no_such_personality""",
    "inbound.bounces": "no_letter_of_ours arrived came_back",
    "inbound.confirmations": """unread_line late_line neither confirms asked asked_already asked_enough
        too_old nothing_to_send""",
    "inbound.pipeline": "perhaps_a_robot",
    "inbound.filing": "only_due",
    "inbound.quarantined": "game_is_held",
    "inbound.forum_posts": "no_thread nobody unknown talk not_open unproved token",
    "inbound.postponed": "waits changed_hands",
    "inbound.unknown_senders": """signon_does_not_fit old greeted nothing_waits yes_to_what asked_already
        not_asked asked not_answered for_which_seat nothing_vouches declined invited_unclear void_address""",
    "reports.sheet": "only_due more",  # more: a remark in brackets
    "outbound.channels": "posted not_ours unsure no_document",
    "outbound.presence": "moved moving serve_there",
    "outbound.stuck_games": "log_differs turn_fails zone_gone mend_log mend_turn mend_zone",
    # Lines of logs: what happened, without a full stop.
    "service.mail": """we_died reader_failed letter_again letter_unsure letters_stay_unsure game_begun
        game_again worker_died gm_mail_failed""",
    "service.tidying": "forgotten",
    "outbound.alerts": "channel_again",
    "outbound.deferred_drawing": "no_picture",
    "outbound.press_batches": "sent",
    "outbound.clock_actions": """game_was_held service_was_down put_off voted unwound asleep held silent
        to_its_bot to_a_substitute from_substitute what_to_write""",  # what_to_write: commands
    "outbound.composer": "no_map no_order_page no_chart",
    # Things: names in a list, or in place of a name.
    "inbound.too_long": "many_lines",
    "inbound.press_replies": "its_writer asked",  # asked: a reason
    "inbound.quoted_sheets": "older_sheet",
    "inbound.signon": "without",
    "reports.results": "side",
    "reports.transcript": "counts missing_left_out",
    # Rows of tables, and texts after a label.
    "inbound.queries": "offer",
    "service.site": "log built other_program",
    "inbound.turnout": "of_player",
    "inbound.gm_mail": "seat_row",
    "reports.campaign_record": "case games games_drawn best",
    "reports.changes": "needed",
    "reports.messages": "digest_no_deadline",
    "reports.report": "orders_of_kind_for no_deadline",
    "reports.typeset": "throw",
    "outbound.welcome": "moves status",
}
"""Entries by table that look like fragments and are none: nothing is put together with them to a sentence."""

_LABEL_SLUG = re.compile(r"(^|_)(subject|title|heading|label|caption|why)(_|$)")
_TAG = re.compile(r"\{%.*?%\}", re.DOTALL)
_VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)


def is_fragment(slug: str, text: str) -> bool:
    """Return whether an entry is neither a label nor one or more whole sentences.

    A sentence may end with a value, or with what to type: that follows a colon and two spaces.
    """
    plain = _VALUE.sub("X", _TAG.sub("", text)).strip()
    if _LABEL_SLUG.search(slug.rpartition(".")[2]) or len(plain.split()) <= LABEL_WORDS:
        return False
    begins = re.match(r"[A-Z0-9\"'(]", plain)
    return not (begins and re.search(r"([.?!:][\"')]?|[.:] +X|:  [^.:]+)$", plain))


def fragments(room: str) -> list[str]:
    """Return the slugs of a file whose entries are fragments."""
    entries = read_entries(MESSAGES_FOLDER / f"{room}.toml", f"{room}.")
    return [
        slug
        for slug, texts in entries.items()
        if slug.rpartition(".")[0] not in REASONS and any(is_fragment(slug, text) for text in texts)
    ]


@pytest.mark.parametrize("room", sorted(path.stem for path in MESSAGES_FOLDER.glob("*.toml")))
def test_entries_are_whole_sentences(room: str) -> None:
    exceptions = {
        f"{table}.{name}"
        for table, names in WHOLE.items()
        if table.startswith(room)
        for name in names.split()
    }
    assert set(fragments(room)) == exceptions


def test_a_fragment_is_noticed() -> None:
    assert not is_fragment("a.b.c", "{{ unit }} was deployed on {{ hex }}: {{ reason }}.")
    assert not is_fragment("a.b.c", "To see it, write:")
    assert not is_fragment("a.b.c", "To see it in the log, run:  gm game log {{ game }}")
    assert not is_fragment("a.b.c", "We didn't read: {{ lines }}. {{ why }}")
    assert is_fragment("a.b.c", "To see it in the log: run gm game log")
    assert not is_fragment("a.b.c", "to fix")
    assert not is_fragment("a.b.deleted_subject", "{{ game }} has ended or was removed")
    assert is_fragment("a.b.c", "and {{ unit }} was deployed on {{ hex }}.")
    assert is_fragment("a.b.c", "{{ unit }} was deployed there because")


def test_jinja_is_only_in_entries_of_the_service() -> None:
    for name, catalogue in catalogues().items():
        if name != "adjudicator":
            assert not [slug for slug, texts in catalogue.entries.items() if "{%" in "".join(texts)]
    with pytest.raises(jinja2.TemplateNotFound):
        messages._environment().get_template("inbound.confirmations.more_lines")
