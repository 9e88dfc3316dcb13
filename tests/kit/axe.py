"""axe-core, which checks the accessibility of an open page.

All its rules are checked, including its advice beyond the WCAG. Its script by Deque comes from a package that
contains it. Nothing else in that package is used.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

CONTRAST = "color-contrast"
"""The rule that takes longer than all others together."""

_ASK = """without => axe.run(document, {
  resultTypes: ['violations'], rules: Object.fromEntries(without.map(rule => [rule, {enabled: false}])),
}).then(found => found.violations.flatMap(fault => fault.nodes.map(
  node => `${fault.id}: ${node.target.join(' ')}: ${node.html.replace(/\\s+/g, ' ').slice(0, 120)}`)))"""


@cache
def script() -> str:
    """Return axe-core's script."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def findings(page: Page, without: Sequence[str] = ()) -> tuple[str, ...]:
    """Return axe's findings on an open page: the rule, the place, and the beginning of the element.

    `Chromium.visit` chooses light or dark and the width. without: rules to skip; the caller says why.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(script() + "; 0")
    return tuple(page.evaluate(_ASK, list(without)))
