"""A table that plays in the thread of a real list: a service, its post office, Mailman, its posters."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path

import games
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
"""Somebody who reads all that is posted, and plays in no game."""

HOME = Signer("home.example.net")
"""The domain at which all players live: it signs what they write."""


@dataclass
class ListGame:
    """A service with a game, and the list in which it is played.

    carried: so many posts the list has taken; ours: so many of them are the service's.
    """

    service: LocalService
    list: Mailman
    carried: int = 0
    ours: int = 0

    def post(self, sender: str, text: str) -> None:
        """Somebody answers the first post of the thread, and the service reads it."""
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
        """Wait until so many more posts reach all readers, the service among them, and let it work."""
        self.carried += count
        end = time.monotonic() + HANGING_SECONDS
        while len(self.archive()) < self.carried:
            assert time.monotonic() < end, self.list.log()[-3000:]
            time.sleep(0.02)
        self.service.service.poll()
        self.service.service.process()

    def sends(self, count: int = 0) -> None:
        """Return what the service has written goes out, and the post office hands the list what is for it."""
        self.service.service.send()
        new = sorted((self.service.folder / "mail" / LIST / "new").iterdir())[self.ours :]
        assert len(new) == count
        self.ours += count
        for file in new:
            self.list.post(self.service.service.service_context.address, file.read_bytes())
        self.carries(count)

    def archive(self) -> list[EmailMessage]:
        """All that the list has carried: what somebody gets who only reads."""
        return self.service.mail(READER)

    def filed(self) -> dict[str, list[str]]:
        """The orders that seats have on file, as they are written."""
        position = game_admin.position_of(self.service.service, "beaver")
        game = games.kinds()[position.kind]
        items = {
            seat: [write_item(game, one) for one in each if not is_flag(one)]
            for seat, each in position.filed.items()
        }
        return {seat: sorted(orders) for seat, orders in items.items() if orders}


@contextmanager
def list_game(folder: Path, players: Sequence[str], archiver: str = "") -> Iterator[ListGame]:
    """A table in a folder. players: from where they post; archiver: as for `mailman`. Raises Absent."""
    with local_service(folder) as here:
        service_context = here.service.service_context
        signed = replace(service_context, signed=lambda raw, domain: signed_by(raw, domain, HOME.texts))
        here.service = replace(here.service, service_context=signed)
        ours = forum_address(service_context.key, service_context.address, LIST)
        with mailman(
            LIST, here.port, (*players, READER, ours), [service_context.address], archiver
        ) as carrier:
            yield ListGame(here, carrier)
