"""A service under attack: delivers emails to its mailbox and inspects its reactions."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from adjudicator.admin import game_admin, gm_mail
from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.mail.dkim import signed_by
from adjudicator.mail.maildir import write_letter
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import is_flag
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.outbox import OutboxLetter
from games.protocol import Seat
from tests.kit.mail import head_of
from tests.kit.service_harness import START, create_database, text_of
from tests.kit.signing import Signer

CONFIG = """\
[service]
address = "{address}"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
[trust]
authserv_id = "mx.example.org"
"""
IROQUOIS, DAKOTA = "iroquois@example.net", "dakota@example.com"
NET = Signer("example.net")


@dataclass
class AttackedService:
    """A service. After `begin_games` it has the games demo and beaver, each with two players."""

    folder: Path
    service: Service
    clock: ManualClock
    count: int = 0

    def arrives(self, raw: bytes) -> ShownLetter:
        """Deliver an email, store and process it. Returns its row in the database."""
        self.count += 1
        self.clock.advance(1000)
        write_letter(self.folder / "in", f"{self.clock.now():013d}.{self.count}", raw)
        assert self.service.poll() == 1, "it is a new letter"
        self.service.process()
        return inbox.list_letters(self.service.database, 1)[0]

    def again(self, raw: bytes) -> int:
        """Deliver an email that may have come before. Returns the number of new emails."""
        self.count += 1
        write_letter(self.folder / "in", f"{self.clock.now():013d}.{self.count}", raw)
        new = self.service.poll()
        self.service.process()
        return new

    def position(self, game: str = "demo") -> GamePosition:
        """Return the current position of a game."""
        return game_admin.position_of(self.service, game)

    def filed(self, game: str = "demo") -> dict[str, list[str]]:
        """Return the saved orders of a game's seats, without rejected lines."""
        found = {
            seat: [str(item) for item in items if not is_flag(item)]
            for seat, items in self.position(game).filed.items()
        }
        return {seat: orders for seat, orders in found.items() if orders}

    def answers(self, shown: ShownLetter) -> tuple[OutboxLetter, ...]:
        """Return our replies to an incoming email."""
        return outbox.answers_to(self.service.database, shown.number)

    def ours(self, address: str, game: str = "demo") -> EmailMessage:
        """Return our first email to a player of a game."""
        for posted in reversed(outbox.list_posted(self.service.database, 500)):
            if posted.sealed.to == address and posted.sealed.game == game:
                return message_from_bytes(posted.sealed.raw, policy=policy.default)
        raise AssertionError(f"nothing was written to {address}")

    def reply(self, seat: str = "iroquois", game: str = "demo") -> str:
        """Return a seat's reply address, from the first of our emails whose token is valid."""
        address = {"iroquois": IROQUOIS, "dakota": DAKOTA}[seat]
        good = reply_tokens_of_game(game, self.service.repository, self.service.service_context).holders
        for posted in reversed(outbox.list_posted(self.service.database, 500)):
            if posted.sealed.to == address:
                to = str(head_of(posted.sealed.raw)["Reply-To"])
                if to.partition("@")[0].rpartition(".")[2] in good:
                    return to
        raise AssertionError(f"{seat} was sent no address that is good")

    def written(self) -> list[bytes]:
        """Return all our emails as bytes."""
        return [posted.sealed.raw for posted in outbox.list_posted(self.service.database, 100_000)]

    def text(self, posted: OutboxLetter) -> str:
        """Return the plain text of our email."""
        return text_of(message_from_bytes(posted.sealed.raw, policy=policy.default))


def begin_games(folder: Path, games: Sequence[str] = ("demo", "beaver")) -> None:
    """Start games in a service's folder, which can then be copied, because their maps take a while."""
    with attacked_service(folder) as it:
        for name in games:
            game_admin.new_game(it.service, game_admin.GameRequest("indianomacy", name), secret=b"s" * 32)
            game_admin.assign(it.service, name, Seat("Iroquois"), IROQUOIS)
            game_admin.assign(it.service, name, Seat("Dakota"), DAKOTA)


@contextmanager
def attacked_service(
    folder: Path, address: str = "gm@example.org", database: str = ""
) -> Iterator[AttackedService]:
    """Open the service in a folder. The keys of example.net are found without a network.

    database: its URL, if it isn't a file in that folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = CONFIG.format(address=address)
    (folder / "gm.toml").write_text(
        text.replace("[inbox]", f'database = "{database}"\n[inbox]') if database else text
    )
    if not database:
        create_database(folder)
    clock = ManualClock(START)
    service = open_service(load_settings(folder / "gm.toml"), clock)
    signed = replace(service.service_context, signed=lambda raw, domain: signed_by(raw, domain, NET.texts))
    service = replace(service, service_context=signed, carry_out_gm_mail=gm_mail.carry_out)
    try:
        # The database stays open: processing an email would open it three dozen times.
        with service.database.session():
            yield AttackedService(folder, service, clock)
    finally:
        service.database.close()
