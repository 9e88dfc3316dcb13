"""A game in the thread of a real list: a service, its mail server, Mailman, and posters."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path

from adjudicator.admin import forums, game_admin
from adjudicator.auth.correspondents import forum_address
from adjudicator.mail.dkim import signed_by
from adjudicator.model.orders_on_file import is_flag, write_item
from tests.kit.mail import letter
from tests.kit.mailman import Mailman, mailman
from tests.kit.servers import HANGING_SECONDS
from tests.kit.service_harness import LocalService, local_service
from tests.kit.signing import Signer

LIST = "turns@lists.example.test"
READER = "reader@home.example.net"
"""A reader of all posts who doesn't play."""

HOME = Signer("home.example.net")
"""The domain of all players, which signs their emails."""


@dataclass
class ListGame:
    """A service with a game, and the list of its thread.

    carried: the number of posts on the list. ours: the number of posts by the service.
    """

    service: LocalService
    list: Mailman
    carried: int = 0
    ours: int = 0

    def post(self, sender: str, text: str) -> None:
        """Reply to the first post of the thread as a sender, and let the service read it."""
        begins = forums.forum_link(self.service.service, "beaver").thread
        raw = letter(
            text,
            sender=sender,
            to=LIST,
            subject=f"Re: {begins.subject}",
            date=self.service.clock.now(),
            headers={"In-Reply-To": begins.root, "References": begins.root},
            number=self.carried,
        )
        self.list.post(sender, HOME.signed(raw))
        self.carries(1)

    def carries(self, count: int) -> None:
        """Wait until this many more posts reach all readers, including the service, and let it work."""
        self.carried += count
        end = time.monotonic() + HANGING_SECONDS
        while len(self.archive()) < self.carried:
            assert time.monotonic() < end, self.list.log()[-3000:]
            time.sleep(0.02)
        self.service.service.poll()
        self.service.service.process()

    def sends(self, count: int = 0) -> None:
        """Send the service's emails, and let the mail server deliver those for the list."""
        self.service.service.send()
        new = sorted((self.service.folder / "mail" / LIST / "new").iterdir())[self.ours :]
        assert len(new) == count
        self.ours += count
        for file in new:
            self.list.post(self.service.service.service_context.address, file.read_bytes())
        self.carries(count)

    def archive(self) -> list[EmailMessage]:
        """Return all posts of the list, as a reader gets them."""
        return self.service.mail(READER)

    def filed(self) -> dict[str, list[str]]:
        """Return the saved orders of seats, as they were written."""
        position = game_admin.position_of(self.service.service, "beaver")
        game = position.game
        items = {
            seat: [write_item(game, one) for one in each if not is_flag(one)]
            for seat, each in position.filed.items()
        }
        return {seat: sorted(orders) for seat, orders in items.items() if orders}


@contextmanager
def list_game(folder: Path, players: Sequence[str], archiver: str = "") -> Iterator[ListGame]:
    """Start a game in a folder. players: the addresses that they post from. archiver: as in `mailman`.

    Raises ServerMissingError.
    """
    with local_service(folder) as here:
        service_context = here.service.service_context
        signed = replace(service_context, signed=lambda raw, domain: signed_by(raw, domain, HOME.texts))
        here.service = replace(here.service, service_context=signed)
        ours = forum_address(service_context.key, service_context.address, LIST)
        with mailman(
            LIST, here.port, (*players, READER, ours), [service_context.address], archiver
        ) as carrier:
            yield ListGame(here, carrier)
