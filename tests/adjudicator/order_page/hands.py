"""Ways of composing an order on the page: with a finger, or with the keyboard only."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page

from games.protocol import TouchOrder

Press = Callable[[Page, Locator], None]
"""To touch a button, or to come to it by Tab and press Enter."""

_HERE = "one => one === document.activeElement"
_STEPS = "() => [...document.querySelectorAll('.choices button')].map(one => one.dataset.step ?? null)"
_THINGS = "() => JSON.parse(document.getElementById('choices').textContent).things.map(one => one.name)"
_ENOUGH = "\nenough"
_STOPS = "a[href], button, input, select, summary, textarea, [tabindex]"
_ROUND = f"() => document.querySelectorAll('{_STOPS}').length + 2"
"""So many steps of Tab come round to where they began: two of them may lie with the browser itself."""


def by_touch(page: Page, button: Locator) -> None:
    """A finger."""
    button.tap()


def by_keys(page: Page, button: Locator) -> None:
    """Tab until it is reached; then Enter. Raises ValueError where a whole round does not come to it."""
    for _ in range(page.evaluate(_ROUND)):
        if button.evaluate(_HERE):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise ValueError(f"the keyboard does not come to {button}")


def head_of(page: Page, thing: str) -> Locator:
    """The button of a thing in the list."""
    return page.locator(f'[data-thing="{page.evaluate(_THINGS).index(thing)}"]')


def clear(page: Page, press: Press) -> None:
    """Clear all orders. The choices that the page has opened cover the button, so they are closed first."""
    if (closes := page.locator(".choices button", has_text="Close")).count():
        press(page, closes)
    press(page, page.locator("#clear"))


def put_together(page: Page, press: Press, laid: TouchOrder) -> None:
    """The thing, then step by step what is to become of it, until the page takes it for an order.

    The page may have opened the thing by itself, and a thing with one order is ordered when it is opened.
    """
    head = head_of(page, laid.thing)
    if head.get_attribute("aria-expanded") == "false":
        press(page, head)
    wanted = ["\n".join(filter(None, (step.said, step.at))) for step in laid.steps]
    wanted += [*laid.adds, _ENOUGH]
    while head.get_attribute("aria-expanded") == "true":
        shown = page.evaluate(_STEPS)
        # Several steps can be one button, where there are few choices.
        many = next(many for many in range(len(wanted), 0, -1) if "\n\n".join(wanted[:many]) in shown)
        at = shown.index("\n\n".join(wanted[:many]))
        del wanted[:many]
        press(page, page.locator(".choices button").nth(at))
