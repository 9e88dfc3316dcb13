"""The corpora of letters and spellings: what is understood stays so, and what is not yet becomes less."""

import json
from collections import Counter

import pytest

from tests.kit.corpora import LETTERS, NOT_YET, Finding, check_all, not_understood

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    """The results of the whole corpus, computed once."""
    return list(check_all())


def test_each_kind_has_enough_of_them(found):
    counts = Counter(one.kind for one in found)
    letters = {path.parent.name for path in LETTERS}
    assert all(counts[kind] >= 12 for kind in letters), counts
    languages = [kind for kind in counts if kind.startswith("spellings")]
    assert len(languages) >= 7
    assert all(counts[kind] >= 40 for kind in languages), counts


def test_exactly_what_is_noted_is_not_understood(found):
    """Renewed by ``python -m tests.kit.corpora --note``, and only where it becomes less."""
    assert not_understood(found) == json.loads(NOT_YET.read_text(encoding="utf-8"))
