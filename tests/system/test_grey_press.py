"""Grey press names nobody: quotations from our emails don't reveal the writer's seat."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.admin import transfer
from adjudicator.cli.app import app
from adjudicator.model.people import Press, SendPress
from adjudicator.storage import outbox, stored_games
from games.record import canonical
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service
from tests.kit.mail import letter
from tests.kit.token_search import texts_of
from tests.system.test_reply_token_secrecy import drawings, two_games

MASKED = "gm+demo.iroquois.…@example.org"
QUOTED = {
    "a whole address": "{address}",
    "an address that was masked before": MASKED,
    "with three dots": "gm+demo.iroquois....@example.org",
    "cut off": "gm+demo.iroquois.abcdef",
    "in capitals": "GM+DEMO.IROQUOIS.…@EXAMPLE.ORG",
    "broken in quoted-printable": "gm+demo.iroq=\nuois.{token}@example.org",
    "broken between rows": "gm+demo.iroquois.\n  | {token}@example.org",
    "in an URL": "mailto:gm%2Bdemo.iroquois.{token}@example.org",
    "in entities": "gm&#43;demo&#46;iroquois&#46;{token}&#64;example.org",
    "in wide letters": "gm+demo.ｉｒｏｑｕｏｉｓ.{token}@example.org",
    "a tag": "Subject: Re: orders [demo S1M Iroquois #{token}]",
    "a tag that was masked before": "[demo S1M Iroquois #…]",
    "a tag without a token": "[demo S1M Iroquois]",
    "a tag over two rows": "Subject: Re: orders [demo S1M\n  Iroquois #{token}]",
    "a tag of another game": "[beaver S1M Iroquois #{token}]",
    "a Message-ID": "In-Reply-To: <demo.iroquois.{token}.0123456789abcdef@example.org>",
    "a Message-ID that was masked before": "<demo.iroquois.….0123456789abcdef@example.org>",
    "a tag in the source of an email": "Subject: =?utf-8?q?Orders_=5Bdemo_S1M_Iroquois_=23{token}=5D?=",
    "whom our email went to": "On Monday iroquois@example.net was sent this:",
    "our own header": "X-Turnpost: demo S1M iroquois",
}
"""What a player copies from our emails, by what that is called."""


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    with drawings():
        yield


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    """A service of two games."""
    with attacked_service(Path(shutil.copytree(two_games.folder(), tmp_path / "service"))) as one:
        yield one


def quotation(it: AttackedService, name: str) -> str:
    """Text of grey press with something of our emails in it."""
    address = it.reply()
    token = address.partition("@")[0].rpartition(".")[2]
    return f"Beware of the North.\n{QUOTED[name].format(address=address, token=token)}\nA friend"


def names_the_seat(text: str) -> bool:
    """Return whether a text names the Iroquois in any spelling."""
    plain = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), text)
    narrow = "".join(chr(ord(char) - 0xFEE0) if "！" <= char <= "～" else char for char in plain)
    return "iroquois" in re.sub("[^a-z]", "", narrow.lower())


def to_dakota(it: AttackedService) -> list[str]:
    """Return all emails about press to the other player, headers included, each as one text."""
    posted = outbox.list_posted(it.service.database, 500)
    return [
        "\n".join(texts_of(one.sealed.raw))
        for one in posted
        if one.sealed.to == DAKOTA and "/press/" in one.sealed.key
    ]


@pytest.mark.parametrize("name", QUOTED)
def test_what_is_quoted_from_our_emails_names_no_seat(it: AttackedService, name: str) -> None:
    """Neither in a header nor in the text; all other words arrive."""
    assert names_the_seat(quotation(it, name))
    it.arrives(letter(f"GREY PRESS TO Dakota\n{quotation(it, name)}\nENDPRESS", to=it.reply()))
    (told,) = to_dakota(it)
    assert "Beware of the North." in told
    assert "A friend" in told
    assert not names_the_seat(told)


def test_signed_press_stays_as_it_was_written(it: AttackedService) -> None:
    """It names its writer anyway: only the token in an address is masked."""
    it.arrives(letter(f"PRESS TO Dakota\nWrite to {it.reply()}\nENDPRESS", to=it.reply()))
    (told,) = to_dakota(it)
    assert MASKED in told


def test_an_honest_text_stays_as_it_was_written(it: AttackedService) -> None:
    """Other people's addresses, links, brackets and sums aren't addresses of seats."""
    text = (
        "Mail bay+games@example.com or john.smith@example.com, see https://example.org/a.b+c.\n"
        "[I mean it] [demo] 3+4.5 [beaver is dull]"
    )
    it.arrives(letter(f"GREY PRESS TO Dakota\n{text}\nENDPRESS", to=it.reply()))
    (told,) = to_dakota(it)
    for line in text.splitlines():
        assert line in told


@pytest.mark.parametrize("name", ["an address that was masked before", "a tag that was masked before"])
def test_press_that_was_saved_before_names_no_seat_either(it: AttackedService, name: str) -> None:
    """In the next report, the public export, and what the GM is shown."""
    text = quotation(it, name)
    press = Press(turn="S1M", seat="Iroquois", kind="grey", to=None, text=text, at=it.clock.now())  # type: ignore[arg-type]
    stored_games.perform(it.service.database, [SendPress(game="demo", by="x", press=press, key="x")], (), 0)
    it.arrives(letter("READY", to=it.reply(), number=1))
    it.arrives(letter("READY", sender=DAKOTA, to=it.reply("dakota"), number=2))
    posted = outbox.list_posted(it.service.database, 500)
    report = next(one for one in posted if one.sealed.to == DAKOTA and "/report/" in one.sealed.key)
    document = canonical(transfer.export(it.service, "demo", public=True)).decode()
    shown = CliRunner().invoke(app, ["--config", str(it.folder / "gm.toml"), "press", "show", "demo"])
    for told in (it.text(report), document, shown.output):
        assert "Beware of the North." in told
        assert QUOTED[name].format(address="", token="") not in told


def test_the_writer_is_shown_what_was_sent(it: AttackedService) -> None:
    """The reply quotes the text as its readers get it."""
    shown = it.arrives(letter(f"GREY PRESS TO Dakota\nWrite to {MASKED}\nENDPRESS", to=it.reply()))
    (answer,) = it.answers(shown)
    assert answer.sealed.to == IROQUOIS
    assert "| Write to …" in it.text(answer)
