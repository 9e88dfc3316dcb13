"""However a letter is mangled, its orders stay the same or are asked back: they never become others."""

import html
import textwrap
import unicodedata
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from adjudicator.inbound.dry_run import dry_run
from adjudicator.reports.order_sheet import sheet
from games.data import read_toml
from orders.mail.body import SHEET_TITLE
from orders.verdict import IN_FORCE
from tests.kit.dry_runs import HEAD
from tests.kit.press import Block, blocks

pytestmark = pytest.mark.long

GAME = games.kinds()["standard"]
MANNERS = {
    "names": lambda order: " ".join(NAMES.get(word, word) for word in order.split()),
    "German": lambda order: " ".join(GERMAN.get(word, word) for word in order.split()),
    "plain": lambda order: order,
    "title": lambda order: " ".join(word.title() if len(word) > 2 else word for word in order.split()),
}


def _names(language: str) -> dict[str, str]:
    said = read_toml("games.diplomacy.variants.standard", f"names.{language}.toml")["provinces"]
    return {place: names[0] for place, names in said.items()}


NAMES = {place.abbr: place.name for place in GAME.notation._board.places.values()}
GERMAN = NAMES | _names("de") | {"H": "hält", "S": "unterstützt", "-": "nach", "A": "Armee", "F": "Flotte"}

moving = st.sampled_from([one for one in blocks() if one.position.state.phase.kind == "M"])
typed = st.sampled_from(sorted(MANNERS))


def written(block: Block, manner: str) -> str:
    """The orders of a block, a line each."""
    return "\n".join(MANNERS[manner](order) for order in block.orders)


def raw(text: str) -> bytes:
    return (HEAD.format(subject="") + text).encode()


def in_force(block: Block, letter: bytes) -> set[str]:
    """The orders that would count."""
    rows = dry_run(letter, block.position, GAME, block.seat)["orders"]
    return {row["read_as"] for row in rows if row["grade"] in (*IN_FORCE, "idle") and not row["superseded"]}


def same_or_asked(block: Block, letter: bytes) -> None:
    """No order counts that was not meant."""
    assert in_force(block, letter) <= set(block.orders)


ALIKE = {
    ord(latin): others[0] for latin, others in read_toml("orders", "confusables.toml")["look_like"].items()
}


@given(moving, typed, st.randoms(use_true_random=False))
def test_letters_of_other_scripts_that_look_the_same(block, manner, lot):
    text = written(block, manner)
    swapped = "".join(chr_.translate(ALIKE) if lot.random() < 0.3 else chr_ for chr_ in text)
    same_or_asked(block, raw(swapped))
    whole = {one for one in block.orders if one in in_force(block, raw(text))}
    assert whole == set(block.orders), "and unchanged it is read whole"


@given(moving, typed, st.sampled_from(["NFC", "NFD", "none", "spelt out"]))
def test_accents(block, manner, form):
    text = written(block, manner)
    if form == "spelt out":
        text = text.translate(
            {ord(a): b for a, b in zip("äöüÄÖÜ", ("ae", "oe", "ue", "Ae", "Oe", "Ue"), strict=True)}
        )
    else:
        text = unicodedata.normalize("NFD" if form == "none" else form, text)
    if form == "none":
        text = "".join(char for char in text if not unicodedata.combining(char))
    assert in_force(block, raw(text)) == set(block.orders)


@given(moving, typed, st.sampled_from([str.lower, str.upper, str.swapcase]))
def test_small_letters_and_capitals(block, manner, change):
    assert in_force(block, raw(change(written(block, manner)))) == set(block.orders)


@given(moving, st.sampled_from(["names", "plain", "title"]), st.sampled_from([" ", "  ", ", ", " / "]))
def test_dashes_left_out(block, manner, between):
    same_or_asked(block, raw(written(block, manner).replace(" - ", between)))


@given(moving, typed, st.integers(8, 40), st.booleans())
def test_flowed_with_soft_breaks_anywhere(block, manner, width, del_sp):
    """RFC 3676: a line that ends with a space continues in the next; DelSp: that space isn't text."""
    soft = "  " if del_sp else " "
    text = "\n".join(
        f"{soft}\n".join(textwrap.wrap(order, width, break_long_words=False, break_on_hyphens=False))
        for order in written(block, manner).split("\n")
    )
    flowed = "text/plain; format=flowed; delsp=yes;" if del_sp else "text/plain; format=flowed;"
    letter = (HEAD.format(subject="").replace("text/plain;", flowed) + text).encode()
    assert in_force(block, letter) == set(block.orders)


@given(moving, typed, st.sampled_from(["> ", ">", "| "]), st.randoms(use_true_random=False))
def test_between_the_lines_of_a_quoted_sheet(block, manner, mark, lot):
    printed = sheet(GAME, block.position, block.seat)
    orders = written(block, manner).split("\n")
    quoted = [
        "On Sat, Nov 21, 2026 at 10:00 AM Turnpost <gm@example.org> wrote:",
        f"{mark}{SHEET_TITLE}",
        mark.strip(),
    ]
    for line in printed:
        quoted.append(f"{mark}{line}")
        if orders and lot.random() < 0.5:
            quoted += ["", orders.pop(0), ""]
    same_or_asked(block, raw("\n".join([*quoted, "", *orders])))


HIDING = (
    '<div style="display:none">{}</div>',
    '<div style="position:absolute;left:-9999px">{}</div>',
    '<div style="position:absolute;top:0">{}</div>',
    '<div style="position:relative;z-index:-1">{}</div>',
    '<div style="opacity:0;max-height:0">{}</div>',
    '<div style="font-size:0;color:#fff">{}</div>',
    '<span style="color:transparent">{}</span>',
    "<style>.gone{{visibility:hidden}}</style><p class=gone>{}</p>",
    "<p hidden>{}</p>",
    '<div style="height:0;overflow:hidden">{}</div>',
    "<style>.a::before{{content:'not: '}}</style><p class=a>{}</p>",
    '<div style="position:fixed;background:#fff;top:0">{}</div>',
)


def page_with(block: Block, hiding: str) -> bytes:
    """A letter in HTML that shows the orders of a block, and below them a hold for each of its units."""
    page = "<br>".join(html.escape(order) for order in block.orders)
    letter = EmailMessage(policy=SMTP)
    letter["From"], letter["To"], letter["Subject"] = "player@example.org", "gm@example.org", ""
    letter["Message-ID"], letter["Date"] = "<1@example.org>", "Sat, 21 Nov 2026 10:00:00 +0100"
    holds = (" ".join((*order.split()[:2], "H")) for order in block.orders)
    hidden = "".join(hiding.format(html.escape(order)) for order in holds)
    letter.set_content(f"<html><body><p>{page}</p>{hidden}</body></html>", subtype="html")
    return letter.as_bytes()


@given(moving, st.sampled_from(HIDING))
def test_hidden_in_a_page(block, hiding):
    """Any hidden order below visible ones."""
    same_or_asked(block, page_with(block, hiding))


def test_what_is_not_hidden_in_a_page_replaces_what_is_above():
    """Otherwise the property above would say little."""
    block = next(one for one in blocks() if not all(order.endswith(" H") for order in one.orders))
    assert not in_force(block, page_with(block, "<div>{}</div>")) <= set(block.orders)


@pytest.mark.parametrize("manner", MANNERS)
def test_unchanged_all_of_it_is_read(manner):
    """Otherwise the properties above would say little."""
    for block in blocks():
        if block.position.state.phase.kind == "M":
            assert in_force(block, raw(written(block, manner))) == set(block.orders)
