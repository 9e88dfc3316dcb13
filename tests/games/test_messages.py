"""Message catalogues: each sentence is the one in the file, whichever table is parsed first."""

import tomllib
from pathlib import Path

import pytest

import games
from games import messages
from games.messages import PluralSentence, Sentence, has_sentence, load_messages, parse_entry, sentence
from games.protocol import Invalid

ROOT = Path(games.__file__).parent.parent
PACKAGES = sorted(
    ".".join(file.parent.relative_to(ROOT).parts)
    for room in ("games", "orders")
    for file in (ROOT / room).rglob(messages.MESSAGES_FILE)
)


def test_every_game_has_a_catalogue() -> None:
    assert {"orders", "games.diplomacy", "games.protocol", "games.war_chest"} <= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_tables_parsed_one_by_one_hold_what_the_whole_file_holds(package: str) -> None:
    text = (ROOT / package.replace(".", "/") / messages.MESSAGES_FILE).read_text(encoding="utf-8")
    whole = tomllib.loads(text)
    catalogue = load_messages(package)
    assert list(catalogue) == list(whole)
    for table, entries in whole.items():
        assert catalogue[table] == {entry: parse_entry(value) for entry, value in entries.items()}


def test_a_sentence_is_filled_with_the_text_of_its_values() -> None:
    entry = parse_entry("{{ share }}% of {{ unit }}, {{ share }} {percent}")
    assert isinstance(entry, Sentence)
    assert entry.fill({"share": 50, "unit": "%s {0}", "other": None}) == "50% of %s {0}, 50 {percent}"
    assert entry.words == ("", "% of ", ", ", " {percent}")
    with pytest.raises(KeyError, match="unit"):
        entry.fill({"share": 50})
    assert parse_entry("100 %").fill({}) == "100 %"


def test_the_value_count_chooses_the_plural_form() -> None:
    entry = parse_entry({"one": "{{ count }} coin", "other": "{{ count }} coins"})
    assert isinstance(entry, PluralSentence)
    assert [entry.fill({"count": count}) for count in (0, 1, 2)] == ["0 coins", "1 coin", "2 coins"]


def test_an_unknown_slug_is_no_sentence() -> None:
    assert not has_sentence("diplomacy.bots_criteria.nothing")
    assert not has_sentence("diplomacy.nothing.site")
    assert has_sentence("diplomacy.bots_criteria.site")
    with pytest.raises(KeyError):
        sentence("diplomacy.bots_criteria.nothing")


def test_a_table_that_is_no_toml_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    page = '[first]\none = "1"\n[second]\ntwo =\n'
    monkeypatch.setattr(messages, "read_text", lambda package, path: page)
    catalogue = load_messages.__wrapped__("games.nothing")
    assert catalogue["first"] == {"one": parse_entry("1")}
    with pytest.raises(Invalid, match=r"second of games\.nothing"):
        catalogue["second"]
