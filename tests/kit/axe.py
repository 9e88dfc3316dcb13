"""axe-core, by which pages are looked over for whoever does not see them, or not well: asked of an open page.

Every rule of it is asked, its advice besides the WCAG too. Its script is Deque's, out of a package that
brings it; of that package nothing else is used.
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
    """axe-core itself, as a page takes it in."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def findings(page: Page, without: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what axe finds wrong with an open page: the rule, the place, and how that element begins.

    Light or dark, wide or narrow is the page's affair, which `Chromium.visit` opens so. without: rules that
    are not asked; whoever names one says why.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(script() + "; 0")
    return tuple(page.evaluate(_ASK, list(without)))
