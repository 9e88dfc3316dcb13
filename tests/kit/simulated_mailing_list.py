"""A simulated mailing list: posts as it sends them to the service, and a game in its thread."""

from collections.abc import Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage

from adjudicator.admin import deadlines, forums
from adjudicator.clock import Millis
from adjudicator.storage import outbox
from games.protocol import Seat
from tests.kit.attack_service import AttackedService
from tests.kit.mail import letter
from tests.kit.service_harness import text_of
from tests.kit.signing import Signer

LIST = "turns@lists.example.net"
JANE, JOE = "jane@home.example.net", "joe@elsewhere.example"
"""The addresses from which the players of the Iroquois and of the Dakota post. Their seats have other
addresses.
"""

HOME = Signer("home.example.net")


def begin(it: AttackedService, game: str = "demo", **terms: str) -> forums.ForumLink:
    """Play a game in the list's thread from now on."""
    deadlines.set_terms(it.service, game, {"forum": LIST, **terms}, "let us talk there")
    return forums.forum_link(it.service, game)


def introduce_posters(it: AttackedService, game: str = "demo") -> None:
    """Identify Jane and Joe by their words."""
    for seat, poster in (("Iroquois", JANE), ("Dakota", JOE)):
        word = forums.forum_link(it.service, game).words[Seat(seat)]
        it.arrives(post(it, f"WORD {word}\n", poster))


def post(
    it: AttackedService,
    text: str,
    sender: str = JANE,
    game: str = "demo",
    headers: Mapping[str, str] | None = None,
    signer: Signer | None = None,
    thread: bool = True,
    to: str = LIST,
    ago: Millis = 0,
) -> bytes:
    """Return a post as the list sends it to the service. signer: its signature's domain. thread: a reply.

    to: the recipients that its author chose. ago: the time since it was written.
    """
    found = forums.forum_link(it.service, game)
    said = {"In-Reply-To": found.thread.root, "References": found.thread.root} if thread else {}
    raw = letter(
        text,
        sender=sender,
        to=to,
        subject=f"Re: {found.thread.subject}" if thread else "hello",
        date=it.clock.now() - ago,
        headers={**said, **(headers or {})},
        number=it.count,
    )
    return pass_through_list(signer.signed(raw) if signer else raw, found.subscribed)


def pass_through_list(raw: bytes, to: str) -> bytes:
    """Return an email with what a list adds. to: the subscriber."""
    head = (
        f"Return-Path: <turns-bounces@lists.example.net>\r\nDelivered-To: {to}\r\n"
        "List-Id: <turns.lists.example.net>\r\nPrecedence: list\r\nX-Mailman-Version: 3.3.8\r\n"
        f"Archived-At: <https://lists.example.net/archives/list/{LIST}/message/1/>\r\n"
        f"List-Post: <mailto:{LIST}>\r\n"
    )
    return head.encode() + raw


def thread_posts(it: AttackedService) -> list[EmailMessage]:
    """Return the service's posts, oldest first."""
    found = reversed(outbox.list_posted(it.service.database, 10_000))
    return [
        message_from_bytes(one.sealed.raw, policy=policy.default) for one in found if one.sealed.to == LIST
    ]


def thread_texts(it: AttackedService) -> list[str]:
    """Return the service's posts as text."""
    return [text_of(one) for one in thread_posts(it)]
