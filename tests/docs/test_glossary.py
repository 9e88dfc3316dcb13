"""The glossary is sorted, and says where each term is defined."""

import re
from pathlib import Path

from tests.kit.source_files import ROOT

PAGE = ROOT / "docs" / "glossary.md"
ROW = re.compile(r"^\| (?P<term>[^|]+) \| (?P<meaning>[^|]+) \| `(?P<home>[\w/.]+)` \|$")


def rows() -> list[tuple[str, str, str]]:
    """Term, meaning and home of every line of the table."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
    found = [ROW.match(line) for line in lines]
    assert None not in found, [line for line, match in zip(lines, found, strict=True) if match is None]
    return [(match["term"], match["meaning"], match["home"]) for match in found if match]


def stands_in(term: str, home: Path) -> bool:
    """Return whether a file has a term as its name or in its text, with any hyphens and plurals."""
    plain = re.sub(
        r"[\W_]+", " ", f"{home.relative_to(ROOT).with_suffix('')} {home.read_text(encoding='utf-8')}"
    )
    return re.search(rf"(?i)\b{re.sub(r'[^a-z]+', ' ', term.lower())}", plain) is not None


def test_it_is_sorted_and_no_term_stands_there_twice() -> None:
    terms = [term.lower() for term, _, _ in rows()]
    assert terms == sorted(set(terms))
    assert len(terms) > 100


def test_every_term_stands_in_the_file_where_it_lives() -> None:
    """So a renamed file, or a term that isn't used any longer, is noticed."""
    gone = [home for _, _, home in rows() if not (ROOT / home).is_file()]
    assert gone == []
    assert [(term, home) for term, _, home in rows() if not stands_in(term, ROOT / home)] == []


def test_a_term_that_does_not_stand_in_its_file_is_noticed() -> None:
    """So the tests above can fail."""
    assert stands_in("near miss", ROOT / "orders/reading/near_misses.py")
    assert not stands_in("pigeonhole", ROOT / "adjudicator/model/orders_on_file.py")
