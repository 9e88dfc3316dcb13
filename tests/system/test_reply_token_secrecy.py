"""Reply tokens stay with their recipients, whatever people write, quote and forward."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.admin import overrides, seats, transfer
from adjudicator.auth.correspondents import person_address
from adjudicator.cli.app import app
from adjudicator.config.channels import Channel
from adjudicator.messages import sentence
from adjudicator.model.addresses import bounce_address
from adjudicator.model.mail import HeaderText, LetterDraft
from adjudicator.model.people import Press, SendPress
from adjudicator.outbound import composer
from adjudicator.storage import outbox, stored_games
from games.record import canonical, replace_fields
from tests.kit import cached_services
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service, begin_games
from tests.kit.bounce_reports import bounce_report
from tests.kit.mail import header, letter
from tests.kit.token_search import SPELLINGS, find_tokens, texts_of, tokens_of

STRANGER, WATCHER, FORUM = "friend@example.com", "watcher@example.com", "forum@example.com"
ORDER = "Mohawk - Delaware"


@contextmanager
def drawings() -> Iterator[None]:
    """Use drawings for pictures, which take half a second each and have no text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composer.maps, "map_picture", lambda drawn, *width: drawn.encode())
        yield


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    with drawings():
        yield


@cached_services.cached_folder
def two_games(folder: Path) -> None:
    """A service to be copied."""
    with drawings():
        begin_games(folder)


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    """A service of two games, whose reports go to a forum too."""
    with attacked_service(Path(shutil.copytree(two_games.folder(), tmp_path / "service"))) as one:
        service_context = replace(one.service.service_context, channels=(Channel(FORUM, "text"),))
        one.service = replace(one.service, service_context=service_context)
        yield one


def token_of(address: str) -> str:
    """The token in a reply address."""
    return address.partition("@")[0].rpartition(".")[2]


def latest(it: AttackedService, address: str, game: str = "demo") -> bytes:
    """Our last letter to somebody in a game."""
    return next(
        posted.sealed.raw
        for posted in outbox.list_posted(it.service.database, 500)
        if posted.sealed.to == address and posted.sealed.game == game
    )


def reply(it: AttackedService, address: str, game: str = "demo") -> str:
    """Return a person's reply address from our last email."""
    return header(latest(it, address, game), "Reply-To")


def to_others(it: AttackedService, address: str) -> dict[str, list[str]]:
    """Return all emails to everybody but one person, by recipient."""
    told: dict[str, list[str]] = {}
    for posted in outbox.list_posted(it.service.database, 1_000):
        if posted.sealed.to != address:
            told.setdefault(posted.sealed.to, []).extend(texts_of(posted.sealed.raw))
    return told


def generation(it: AttackedService, seat: str = "Iroquois", game: str = "demo") -> int:
    """The how-manieth keys of a seat are good."""
    return it.position(game).assignments[seat].generation  # type: ignore[index]


def watched(it: AttackedService) -> None:
    """Let somebody watch the game."""
    asked = it.arrives(letter("OBSERVE demo", sender=WATCHER, number=70))
    to = header(it.answers(asked)[0].sealed.raw, "Reply-To")
    it.arrives(letter("yes", sender=WATCHER, to=to, number=71))


def test_the_hunt_finds_every_spelling() -> None:
    """The texts that the tests below look for would be found."""
    token = "abcdefgh23456"
    for name, spelt in SPELLINGS.items():
        assert find_tokens([token], f"before {spelt(token)} after") == {token}, name
    assert find_tokens([token], "abcdefgh 2345 and no more") == set()


def test_whatever_a_player_writes(it: AttackedService) -> None:
    """Press of each kind in each spelling, with every token of the player: others get none of them."""
    watched(it)
    own = {token_of(it.reply()), token_of(it.reply(game="beaver"))}
    asked = person_address(
        it.service.service_context.key, it.service.service_context.address, IROQUOIS, it.clock.now()
    )
    came = bounce_address(
        it.service.service_context.address,
        it.service.service_context.key,
        str(it.ours(IROQUOIS)["Message-ID"]),
    )
    own |= {token_of(asked), token_of(came)}
    exact = {token_of(it.reply()), token_of(it.reply(game="beaver")), token_of(asked)}
    rows = [f"row {n}: {spelt(token)}." for n, (token, spelt) in enumerate(
        (token, spelt) for token in sorted(exact) for spelt in SPELLINGS.values()
    )]  # fmt: skip
    rows += [asked, came, f"> {came[:22]}\n> {came[22:]}", "Return-Path: " + came.replace("@", "=\n@")]
    text = "\n".join(rows)
    heads = ("PRESS TO Dakota", "BROADCAST", "GREY PRESS TO ALL", "PRESS TO GM", "PRESS TO Muskhogean")
    whole = "\n".join(f"{head}\n{text}\nENDPRESS" for head in heads)
    it.arrives(letter(f"{whole}\nTIMEZONE {sorted(own)[0]}\nREADY", to=it.reply(), number=1))
    written = [press for press in it.service.repository.people.press("demo") if press.seat == "Iroquois"]
    assert len(written) == len(heads)
    it.arrives(letter("READY", sender=DAKOTA, to=it.reply("dakota"), number=2))
    assert it.position().entries == 2, "the turn was played"
    told = to_others(it, IROQUOIS)
    assert {DAKOTA, WATCHER, FORUM, "gm@example.org"} <= set(told)
    for whom, texts in told.items():
        assert find_tokens(own, *texts) == set(), whom
    assert "row 3: " in "\n".join(told[DAKOTA]), "the rest of it is told"
    shown = CliRunner().invoke(app, ["--config", str(it.folder / "gm.toml"), "press", "show", "demo"])
    assert "row 3: " in shown.output
    for public in (True, False):
        document = canonical(transfer.export(it.service, "demo", public=public)).decode()
        assert "row 3: " in document
        assert find_tokens(own, document) == set()


@pytest.mark.parametrize("spelling", ["an address", "broken in quoted-printable", "spaced in HTML"])
def test_a_token_in_press_is_void_and_its_holder_told(it: AttackedService, spelling: str) -> None:
    """A player who quotes a token in press gets a new one with the reply, which says why; the old one is
    invalid.
    """
    old = it.reply()
    text = f"PRESS TO Dakota\nlook: {SPELLINGS[spelling](token_of(old))}\nENDPRESS\n{ORDER}"
    (answer,) = it.answers(it.arrives(letter(text, to=old, number=1)))
    assert answer.sealed.to == IROQUOIS
    told = sentence("reports.seats.shown_by_himself", seat="Iroquois")
    assert told in " ".join(it.text(answer).split())
    new = header(answer.sealed.raw, "Reply-To")
    assert token_of(new) != token_of(old)
    before = it.filed()
    assert "Iroquois" in before
    it.arrives(letter("CLEAR", sender=STRANGER, to=old, number=2))
    it.arrives(letter("CLEAR", sender=IROQUOIS, to=old, number=3))
    assert it.filed() == before, "nobody speaks by it"
    it.arrives(letter("CLEAR", to=new, number=4))
    assert it.filed() == {}


def test_a_stranger_who_brings_it_along(it: AttackedService) -> None:
    """A stranger quotes an email of ours that was forwarded: its token is invalid, and the player is told."""
    old, ours = it.reply(), it.ours(IROQUOIS)
    it.arrives(letter(ORDER, to=old, number=1))
    filed, before = it.filed(), len(it.written())
    quoted = f"What is this?\n\n> Reply-To: {old}\n> Subject: {ours['Subject']}\n"
    it.arrives(letter(quoted, sender=STRANGER, number=2))
    assert generation(it) == 2
    assert len(it.written()) == before + 2, "one to him, and one to the stranger: what there is to play"
    told = latest(it, IROQUOIS)
    where = sentence("inbound.leaked_tokens.brought_along")
    why = sentence("reports.seats.new_address", seat="Iroquois", game="demo", where=where)
    assert why in " ".join("\n".join(texts_of(told)).split())
    assert STRANGER not in "\n".join(texts_of(told)), "nothing proves who it was"
    it.arrives(letter("CLEAR", sender=STRANGER, to=old, number=3))
    assert it.filed() == filed
    it.arrives(letter("CLEAR", to=header(told, "Reply-To"), number=4))
    assert it.filed() == {}


def test_another_player_who_brings_it_along(it: AttackedService) -> None:
    """In the quoted text, or in the thread."""
    ours, old = str(it.ours(IROQUOIS)["Message-ID"]), it.reply()
    letters = (
        letter(f"READY\n\n> {old}", sender=DAKOTA, to=it.reply("dakota"), number=1),
        letter(ORDER, sender=DAKOTA, number=2, headers={"In-Reply-To": ours, "References": ours}),
        letter(f"PRESS TO GM\n{old}\nENDPRESS", sender=DAKOTA, to=it.reply("dakota"), number=3),
    )
    shown = it.arrives(letters[0])
    assert generation(it) == 2
    assert token_of(old) not in "".join(
        part for one in it.answers(shown) for part in texts_of(one.sealed.raw)
    )
    it.arrives(letters[1])
    it.arrives(letters[2])
    assert generation(it) == 2, "what is void is not made void again"
    fresh = header(latest(it, IROQUOIS), "Message-ID")
    it.arrives(letter(ORDER, sender=DAKOTA, number=4, headers={"In-Reply-To": fresh}))
    assert generation(it) == 3
    assert generation(it, "Dakota") == 1


def test_who_is_told_can_answer_what_he_had(it: AttackedService) -> None:
    """An email with a token that became invalid is rejected, and the player gets a valid one at their
    address.
    """
    old = it.reply()
    it.arrives(letter(f"> {old}", sender=STRANGER, number=1))
    shown = it.arrives(letter(ORDER, to=old, number=2))
    assert it.filed() == {}
    (told,) = it.answers(shown)
    assert told.sealed.to == IROQUOIS
    thread = {"In-Reply-To": header(told.sealed.raw, "Message-ID")}
    it.arrives(letter(ORDER, to=header(told.sealed.raw, "Reply-To"), headers=thread, number=3))
    assert "Iroquois" in it.filed()


def test_nobody_makes_void_what_he_does_not_have(it: AttackedService) -> None:
    """Guessed tokens, invalid ones, the writer's own in a quotation and in another game: all stay valid."""
    own, other = it.reply(), it.reply(game="beaver")
    dead = "gm+demo.iroquois.abcdefghijklm@example.org"
    written = len(it.written())
    it.arrives(letter(f"hello\n> {dead}\n> [demo S1M Iroquois #abcdefghijklm]", sender=STRANGER, number=1))
    it.arrives(letter(f"{ORDER}\n\n> {own}\n> {it.ours(IROQUOIS)['Subject']}", to=own, number=2))
    it.arrives(letter(f"READY\n\n> {other}", to=own, number=3))
    it.arrives(letter(f"STATUS\n\n> {own}", sender="phone@example.com", to=own, number=4))
    it.arrives(letter(f"READY\n\n> {dead}", sender=DAKOTA, to=it.reply("dakota"), number=5))
    assert generation(it) == generation(it, game="beaver") == generation(it, "Dakota") == 1
    proposals = 2  # of bots, when the turn was played
    assert len(it.written()) - written <= 8 + proposals


def test_the_orders_and_the_game_go_on(it: AttackedService) -> None:
    """A token that dies takes neither orders nor readiness nor a silence that was counted with it."""
    it.arrives(letter(f"{ORDER}\nREADY", to=it.reply(), number=1))
    stored_games.set_timing(
        it.service.database, "demo", replace_fields(it.position().timing, lapses={"Iroquois/1": 2})
    )
    it.arrives(letter(f"> {it.reply()}", sender=STRANGER, number=2))
    assert it.position().timing.lapses == {"Iroquois/2": 2}
    assert stored_games.minutes(it.service.database, "demo")[-1].what == "Iroquois: a new reply address"
    assignment = it.position().assignments["Iroquois"]  # type: ignore[index]
    assert (assignment.generation, assignment.ready) == (2, True)
    assert "Iroquois" in it.filed()
    it.arrives(letter("READY", sender=DAKOTA, to=it.reply("dakota"), number=3))
    assert it.position().entries == 2, "the turn was played"


def test_a_token_is_no_name_of_a_game(it: AttackedService) -> None:
    """NEW with a token as its name would show it in every LIST."""
    own = it.reply()
    shown = it.arrives(letter(f"NEW chaos {token_of(own)}", to=own, number=1))
    said = " ".join(it.text(it.answers(shown)[0]).split())
    what, why = sentence("inbound.new_game.that_name"), sentence("inbound.new_game.name_is_a_token")
    assert sentence("inbound.new_game.not_begun", what=what, why=why, instead="").strip() in said
    assert it.service.repository.games() == ("beaver", "demo")


def test_reasons_and_what_the_gamesmaster_writes(it: AttackedService) -> None:
    """A token in --why, in a letter of the gamesmaster's to all, in what a person is called."""
    own = token_of(it.reply())
    spelt = " and ".join(one(own) for one in SPELLINGS.values())
    overrides.edit(it.service, "demo", "remove WIC", overrides.OverrideReason(why=f"as said: {spelt}"))
    seats.write(it.service, "demo", (), f"he wrote: {spelt}")
    it.arrives(letter("READY", to=reply(it, IROQUOIS), number=1))
    it.arrives(letter("READY", sender=DAKOTA, to=reply(it, DAKOTA), number=2))
    told = to_others(it, IROQUOIS)
    assert "as said" in "\n".join(told[DAKOTA])
    for whom, texts in told.items():
        assert find_tokens([own], *texts) == set(), whom


def test_press_that_lay_on_the_books_before(it: AttackedService) -> None:
    """Earlier press is delivered, and shown to the GM, without tokens."""
    own = token_of(it.reply())
    text = "as of old: " + " and ".join(one(own) for one in SPELLINGS.values())
    press = Press(turn="S1M", seat="Iroquois", kind="white", to=None, text=text, at=it.clock.now())  # type: ignore[arg-type]
    stored_games.perform(it.service.database, [SendPress(game="demo", by="x", press=press, key="x")], (), 0)
    it.arrives(letter("READY", to=it.reply(), number=1))
    it.arrives(letter("READY", sender=DAKOTA, to=it.reply("dakota"), number=2))
    told = to_others(it, IROQUOIS)
    assert "as of old" in "\n".join(told[DAKOTA])
    for whom, texts in told.items():
        assert find_tokens([own], *texts) == set(), whom
    shown = CliRunner().invoke(app, ["--config", str(it.folder / "gm.toml"), "press", "show", "demo"])
    assert "as of old" in shown.output
    assert find_tokens([own], shown.output) == set()


def test_a_letter_that_came_back(it: AttackedService) -> None:
    """The mail server's text goes to the GM, with the addresses to which it bounced."""
    own = it.reply()
    it.service.send()
    said_of = f"550 5.1.1 <{own}> rejected, see [demo S1M Iroquois #{token_of(own)}]"
    for posted in outbox.list_posted(it.service.database, 3):
        it.arrives(bounce_report(posted.sealed.sender, posted.number, said=said_of))
    for whom, texts in to_others(it, IROQUOIS).items():
        assert find_tokens(tokens_of(it, "Iroquois"), *texts) == set(), whom
    assignment = it.position().assignments["Iroquois"]  # type: ignore[index]
    assert token_of(own) not in str(assignment.trouble)


@pytest.mark.parametrize("place", ["subject", "text", "html", "thread", "answer"])
def test_nothing_is_sealed_with_a_token_of_another(it: AttackedService, place: str) -> None:
    """For any content and any sender of our emails: all pass one function, which refuses it."""
    theirs, id_of = token_of(it.reply()), str(it.ours(IROQUOIS)["Message-ID"])
    mine = it.reply("dakota")
    text = f"Answer to {mine}, not to {it.reply()}; {theirs} {theirs.upper()} #{theirs}]."
    given = {
        "subject": {"subject": HeaderText(f"Re: [demo S1M Iroquois #{theirs}]")},
        "text": {"text": text},
        "html": {"html": f"<p>{text}</p> <b>{theirs[:5]}</b>{theirs[5:]}"},
        "thread": {"thread": (HeaderText(id_of), HeaderText("<other@example.com>"))},
        "answer": {"answer_to": HeaderText(id_of)},
    }[place]
    fields = {
        "key": "x", "to": HeaderText(DAKOTA), "subject": HeaderText("news"), "text": "hello",
        "game": "demo", "seat": "Dakota", "turn": "S1M", "token": token_of(mine), **given,
    }  # fmt: skip
    sealed = it.service.composer.seal(LetterDraft(**fields), it.clock.now())  # type: ignore[arg-type]
    texts = list(texts_of(sealed.raw))
    assert find_tokens([theirs], *texts) == set()
    assert header(sealed.raw, "Reply-To") == mine
    if place in ("text", "html"):
        assert mine in "\n".join(texts), "his own may stand there"
    if place == "thread":
        assert "<other@example.com>" in header(sealed.raw, "References")


def test_nothing_is_sealed_with_a_token_in_two_tags(it: AttackedService) -> None:
    """A word of a page goes on across a tag."""
    theirs = token_of(it.reply())
    page = f"<p>see <b>{theirs[:5]}</b>{theirs[5:]}</p>"
    fields = {
        "key": "x",
        "to": HeaderText(DAKOTA),
        "subject": HeaderText("news"),
        "text": "x",
        "game": "demo",
    }
    sealed = it.service.composer.seal(LetterDraft(**fields, html=page), it.clock.now())  # type: ignore[arg-type]
    assert find_tokens([theirs], *texts_of(sealed.raw)) == set()
