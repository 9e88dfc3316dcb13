"""The table of attacks on games in threads: the poster, the post and the result. None moves a unit.

Jane plays the Iroquois and Joe the Dakota, identified by their words. Jane's posts are signed. Each row of
ATTACKS is a post from the list, the decision about it, and the recipients of emails caused by it.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adjudicator.admin import forums
from adjudicator.auth.correspondents import poster_word
from adjudicator.clock import DAY
from adjudicator.mail.dkim import signed_by
from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import is_flag, write_item
from adjudicator.model.people import NoteSignature
from adjudicator.storage import outbox, people
from games.protocol import Seat
from orders.mail.dkim_signatures import Signature, content_hash
from tests.kit import cached_services
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service, begin_games
from tests.kit.mail import letter
from tests.kit.signing import Signer
from tests.kit.simulated_mailing_list import (
    HOME,
    JANE,
    JOE,
    LIST,
    begin,
    introduce_posters,
    pass_through_list,
    post,
    thread_posts,
)

ORDER, WRONG = "Mohawk - Delaware", "Mohawk H"
THIEF = "thief@attacker.example"
ATTACKER = Signer("attacker.example")


@contextmanager
def mapless() -> Iterator[None]:
    """Maps are not drawn: that takes longer than all else here."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        yield


@cached_services.cached_folder
def two_games(folder: Path) -> None:
    """A service to be copied."""
    with mapless():
        begin_games(folder)


@pytest.fixture(scope="module")
def besieged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AttackedService]:
    """The service that all rows of the table attack: Jane has ordered in the thread."""
    folder = tmp_path_factory.mktemp("forum") / "besieged"
    with mapless(), attacked_service(Path(shutil.copytree(two_games.folder(), folder))) as it:
        for game in ("demo", "beaver"):
            begin(it, game, orders="open", answers="post")
        introduce_posters(it)
        service_context = replace(
            it.service.service_context, signed=lambda raw, domain: signed_by(raw, domain, HOME.texts)
        )
        it.service = replace(it.service, service_context=service_context)
        it.arrives(post(it, ORDER, signer=HOME))
        assert read_saved_orders(it) == {"Iroquois": ["W MHK - DEL"]}
        yield it


def read_saved_orders(it: AttackedService) -> dict[str, list[str]]:
    """The orders that seats have on file, as they are written."""
    position = it.position()
    game = position.game
    items = {
        seat: [write_item(game, one) for one in each if not is_flag(one)]
        for seat, each in position.filed.items()
    }
    return {seat: sorted(orders) for seat, orders in items.items() if orders}


def word(it: AttackedService, seat: str, game: str = "demo") -> str:
    return forums.forum_link(it.service, game).words[Seat(seat)]


@dataclass(frozen=True)
class Attack:
    """A row. made: what comes from the list, or seems to; then, why: what is decided; told: who hears."""

    name: str
    made: Callable[[AttackedService], bytes]
    then: str
    why: str
    told: tuple[str, ...] = ()


def munged(it: AttackedService, **headers: str) -> bytes:
    """A post into which the list has written its own address, as it does for domains that want that."""
    return post(
        it, WRONG, sender=LIST, headers={name.replace("_", "-"): one for name, one in headers.items()}
    )


ATTACKS = (
    Attack("orders for another's units", lambda it: post(it, WRONG, sender=JOE), "read", "", (DAKOTA,)),
    Attack(
        "orders under another's name",
        lambda it: post(it, f"Iroquois:\n{WRONG}", sender=JOE),
        *("read", "", (DAKOTA,)),
    ),
    Attack(
        "another's orders, quoted",
        lambda it: post(it, f"> {WRONG}\nWhat?", sender=JOE),
        "ignored",
        sentence("inbound.forum_posts.talk"),
    ),
    Attack(
        "another's orders, quoted in brackets",
        lambda it: post(it, f'[quote="jane"]\n{WRONG}\n[/quote]\nWhat?', sender=JOE),
        *("ignored", sentence("inbound.forum_posts.talk")),
    ),
    Attack(
        "a quotation that does not end",
        lambda it: post(it, f'[quote="jane"]\n{WRONG}\nSantee - Iowa', sender=JOE),
        *("ignored", sentence("inbound.forum_posts.talk")),
    ),
    Attack(
        "a forged From line",
        lambda it: post(it, WRONG),
        "read",
        sentence("inbound.forum_posts.unproved"),
        (IROQUOIS,),
    ),
    Attack(
        "a forged From line, signed by somebody else",
        lambda it: post(it, WRONG, signer=ATTACKER),
        *("read", sentence("inbound.forum_posts.unproved"), (IROQUOIS,)),
    ),
    Attack(
        "a signed post with other lines below",
        lambda it: post(it, "Oneida H", signer=HOME) + WRONG.encode(),
        *("read", sentence("inbound.forum_posts.unproved"), (IROQUOIS,)),
    ),
    Attack(
        "her signed letter to somebody else",
        lambda it: post(it, WRONG, signer=HOME, to=JOE),
        *("read", sentence("inbound.forum_posts.unproved"), (IROQUOIS,)),
    ),
    Attack(
        "her signed post of long ago",
        lambda it: post(it, WRONG, signer=HOME, ago=8 * DAY),
        *("read", sentence("inbound.forum_posts.unproved"), (IROQUOIS,)),
    ),
    Attack(
        "two senders",
        lambda it: post(it, WRONG, sender=f"{JANE}, {THIEF}"),
        "ignored",
        sentence("inbound.forum_posts.nobody", forum=LIST),
    ),
    Attack(
        "the list's marks, without the list",
        lambda it: pass_through_list(
            letter(WRONG, sender=JANE, subject="Re: [demo]", number=901), "gm@example.org"
        ),
        *("quarantined", "it came through a mailing list"),
    ),
    Attack(
        "another list's address",
        lambda it: pass_through_list(
            letter(WRONG, sender=JANE, subject="Re: [demo]", number=902), "gm+forum.aaaaaaaaaaaaa@example.org"
        ),
        *("quarantined", "it came through a mailing list"),
    ),
    Attack(
        "answers to her, beside his own address",
        lambda it: munged(it, Reply_To=f"{JANE}, {LIST}", Cc=THIEF),
        *("ignored", sentence("inbound.forum_posts.nobody", forum=LIST)),
    ),
    Attack(
        "a header that names her, beside his own address",
        lambda it: munged(it, X_Original_From=JANE, Reply_To=THIEF),
        *("ignored", sentence("inbound.forum_posts.nobody", forum=LIST)),
    ),
    Attack(
        "a word that was used",
        lambda it: post(it, f"WORD {used(it)}\n{WRONG}", sender=THIEF),
        *("ignored", sentence("inbound.forum_posts.unknown", poster=THIEF, game="demo")),
    ),
    Attack(
        "a word that is guessed",
        lambda it: post(it, f"WORD aaaaa-aaaaa\n{WRONG}", sender=THIEF),
        "ignored",
        sentence("inbound.forum_posts.unknown", poster=THIEF, game="demo"),
    ),
    Attack(
        "the word of another game",
        lambda it: post(it, f"WORD {word(it, 'Iroquois', 'beaver')}\n{WRONG}", sender=THIEF),
        *("ignored", sentence("inbound.forum_posts.unknown", poster=THIEF, game="demo")),
    ),
    Attack(
        "his word from another's address",
        lambda it: post(it, f"WORD {word(it, 'Dakota')}", sender=JANE),
        *("read", "", (DAKOTA,)),
    ),
    Attack(
        "a poster in another game's thread",
        lambda it: post(it, WRONG, game="beaver", signer=HOME),
        "ignored",
        sentence("inbound.forum_posts.unknown", poster=JANE, game="beaver"),
    ),
    Attack(
        "no game's thread",
        lambda it: post(it, WRONG, signer=HOME, thread=False),
        "ignored",
        sentence("inbound.forum_posts.no_thread", forum=LIST),
    ),
    Attack(
        "a robot's answer",
        lambda it: post(it, WRONG, signer=HOME, headers={"Auto-Submitted": "auto-replied"}),
        *("ignored", "Auto-Submitted"),
    ),
    Attack(
        "our own post, come back under another name",
        lambda it: post(it, WRONG, sender=JANE, headers={"X-Turnpost": "demo"}),
        *("ignored", "our own"),
    ),
    Attack(
        "another service's post",
        lambda it: post(it, WRONG, sender=JANE, headers={"X-Loop": "gm@elsewhere.example"}),
        *("ignored", "loop"),
    ),
)


def used(it: AttackedService) -> str:
    """The word by which Jane has shown who she is."""
    return poster_word(it.service.service_context.key, "demo", Seat("Iroquois"), IROQUOIS, 0)


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_what_somebody_posts_in_anothers_name_does_nothing(besieged: AttackedService, attack: Attack) -> None:
    before = (
        read_saved_orders(besieged),
        len(thread_posts(besieged)),
        besieged.service.repository.people.posters("demo"),
    )
    count = len(outbox.list_posted(besieged.service.database, 10_000))
    shown = besieged.arrives(attack.made(besieged))
    assert shown.disposition == attack.then
    assert attack.why.lower() in (shown.why or "").lower()
    assert (
        read_saved_orders(besieged),
        len(thread_posts(besieged)),
        besieged.service.repository.people.posters("demo"),
    ) == before
    new = outbox.list_posted(besieged.service.database, 10_000)
    assert {one.sealed.to for one in new[: len(new) - count]} == set(attack.told)


def test_the_same_post_counts_once(besieged: AttackedService) -> None:
    raw = post(besieged, "Oneida H", signer=HOME)
    besieged.arrives(raw)
    filed = read_saved_orders(besieged)
    besieged.arrives(post(besieged, "Oneida S Mohawk - Delaware", signer=HOME))
    assert besieged.again(raw) == 0
    assert read_saved_orders(besieged) != filed, "the later word stays"
    besieged.arrives(post(besieged, "CLEAR\n", signer=HOME))
    besieged.arrives(post(besieged, ORDER, signer=HOME))


def test_a_copy_of_a_post_with_another_blank_in_it_counts_for_nothing(besieged: AttackedService) -> None:
    """The player's signature is valid for it; the first post was accepted."""
    raw = post(besieged, f"{WRONG}\nOneida H", signer=HOME)
    besieged.arrives(raw)
    besieged.arrives(post(besieged, f"CLEAR\n{ORDER}", signer=HOME))
    assert read_saved_orders(besieged) == {"Iroquois": ["W MHK - DEL"]}
    shown = besieged.arrives(raw.replace(b"Mohawk H\r\n", b"Mohawk H \r\n"))
    assert sentence("inbound.forum_posts.unproved") in str(shown.why)
    assert read_saved_orders(besieged) == {"Iroquois": ["W MHK - DEL"]}


def test_what_a_list_signed_counts_once_and_lately(besieged: AttackedService) -> None:
    """It went to all its readers, and each of them may pass it on to us."""
    lists = Signer("lists.example.net")
    service_context = besieged.service.service_context

    def signed(raw: bytes, domain: str) -> tuple[Signature, ...]:
        return signed_by(raw, domain, lists.texts) if domain == lists.domain else ()

    besieged.service = replace(besieged.service, service_context=replace(service_context, signed=signed))
    try:
        old, new = (
            pass_through_list(
                lists.signed(letter("Hello", sender=JOE, to=LIST, date=date, number=date)), "gm@example.org"
            )
            for date in (besieged.clock.now() - 8 * DAY, besieged.clock.now())
        )
        assert "through a mailing list" in str(besieged.arrives(old).why)
        assert sentence("inbound.forum_posts.no_thread", forum=LIST) in str(besieged.arrives(new).why)
        again = new.replace(b"Hello\r\n", b"Hello once more\r\n")
        taken = NoteSignature(by=JOE, content=content_hash(again), letter="another", at=besieged.clock.now())
        people.apply_action(besieged.service.database, taken)
        assert "through a mailing list" in str(besieged.arrives(lists.signed(again)).why)
    finally:
        besieged.service = replace(besieged.service, service_context=service_context)


def test_an_address_to_answer_at_is_void_once_it_is_posted(besieged: AttackedService) -> None:
    """Whether the player posts it or somebody quotes it."""
    token = besieged.reply()
    besieged.arrives(post(besieged, f"My letters come from {token}", signer=HOME))
    assert besieged.reply() != token
    shown = besieged.arrives(letter(WRONG, sender=THIEF, to=token, number=950))
    assert shown.disposition != "read"
    assert read_saved_orders(besieged) == {"Iroquois": ["W MHK - DEL"]}


def test_what_is_changed_after_the_deadline_is_late(besieged: AttackedService) -> None:
    """The list shows it; the turn is played by what was posted before."""
    besieged.clock.advance(3 * DAY + 13 * 3_600_000)
    shown = besieged.arrives(post(besieged, WRONG, signer=HOME))
    assert shown.disposition in ("read", "ignored")
    played = besieged.service.repository.log("demo")[-1][0]
    orders = [one for one in played.orders.get("Iroquois", ())]
    assert "61" in str(orders), "Mohawk - Delaware was played"
