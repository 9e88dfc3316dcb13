"""The page on debugging: all its commands are run, and print what it shows."""

import re
from pathlib import Path

import pytest

from adjudicator.clock import ManualClock
from tests.kit.console_examples import follow_page
from tests.kit.handbook import DOCS
from tests.kit.page_examples import blocks
from tests.kit.positions import season
from tests.kit.service_harness import START

PAGE = DOCS / "debugging.md"


def test_the_cases_go_as_the_page_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """`make golden` writes what is seen."""
    clock = ManualClock(START)
    monkeypatch.setattr("adjudicator.service.WallClock", lambda: clock)
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    monkeypatch.chdir(tmp_path)
    seen = follow_page(PAGE.read_text(), tmp_path, clock)
    if request.config.getoption("--write-golden"):
        PAGE.write_text(seen)
    assert PAGE.read_text() == seen


def test_the_test_that_it_writes_passes_and_can_fail() -> None:
    """The page gives the position twice, as JSON and as a test; the test is about the clause that the page
    names.
    """
    (text,) = blocks(PAGE.read_text(), "python")
    written: dict[str, object] = {"pytest": pytest, "season": season}
    exec(text, written)
    (test,) = (one for name, one in written.items() if name.startswith("test_"))
    assert callable(test)
    test()
    (clause,) = re.findall(r'clause\("indianomacy", "([\w-]+)"\)', text)
    assert f"grep -A10 {clause}\n" in PAGE.read_text()
    exec(text.replace("| supports", "| cut"), written)
    with pytest.raises(AssertionError):
        written["test_the_dakota_do_not_cut_the_support_against_themselves"]()  # type: ignore[operator]
