"""A day on which a service is lost: yesterday's backup is restored, and the day's emails are moved back."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from adjudicator.admin import backup, game_admin
from adjudicator.admin.backup import BackupSummary
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import write_item
from adjudicator.storage import inbox
from adjudicator.storage.inbox import ShownLetter
from games.protocol import Seat
from tests.kit.service_harness import LocalService, local_service, text_of

PEOPLE = {"austria": "austria@example.org", "england": "england@example.org", "france": "france@example.org"}
GAME = "europe"
FIRST, SECOND = "S1901M", "F1901M"

ORDERS: Mapping[str, Mapping[str, str]] = {
    FIRST: {
        "austria": "A VIE - GAL\nA BUD - SER\nF TRI - ALB",
        "england": "F LON - NTH\nF EDI - NWG\nA LVP - YOR",
        "france": "A PAR - BUR\nA MAR - SPA\nF BRE - MAO",
    },
    SECOND: {
        "austria": "A GAL - UKR\nA SER - GRE\nF ALB - ION",
        "england": "F NTH - NWY\nF NWG - BAR\nA YOR H",
        "france": "A BUR - BEL\nA SPA H\nF MAO - POR",
    },
}
"""The orders of the three players in the two turns of the day."""


@dataclass
class Day:
    """A service with a game of three players, and its backup of yesterday."""

    place: LocalService
    file: Path
    seen: dict[str, int] = field(default_factory=dict)

    @property
    def position(self) -> GamePosition:
        """Return the current position of the game."""
        return game_admin.position_of(self.place.service, GAME)

    @property
    def turn(self) -> str:
        """Return the current turn."""
        return self.position.game.rules.turn(self.position.state).short

    def write(self, seat: str, text: str, to: str | None = None, subject: str | None = None) -> None:
        """Reply as a player to our latest email with a token. to, subject: other values than that email's."""
        who = PEOPLE[seat]
        ours = next(one for one in reversed(self.place.mail(who)) if "#" in str(one["Subject"]))
        self.place.clock.advance(60_000)
        if to is None and subject is None:
            self.place.answer(who, ours, text)
        else:
            self.place.write(who, to or str(ours["Reply-To"]), text, subject or "orders")

    def play(self, turn: str) -> None:
        """Send the three players' orders for a turn, and let the service run it."""
        assert self.turn == turn
        for seat, text in ORDERS[turn].items():
            self.write(seat, text)
        self.place.work()
        assert self.turn != turn

    def address(self, seat: str, turn: str, generation: int = 1) -> str:
        """Return a seat's reply address in a turn, for a generation of its tokens."""
        service_context, name = self.place.service.service_context, Seat(seat.capitalize())
        token = reply_token(service_context.key, GAME, name, generation, turn)
        return reply_address(service_context.address, GAME, name, token)

    def restore(self, *, go: bool = False) -> BackupSummary:
        """Restore yesterday's backup."""
        self.place.clock.advance(60_000)
        kept = backup.restore_file(self.place.service, self.file, go=go)
        self.seen = {seat: len(self.place.mail(who)) for seat, who in PEOPLE.items()}
        return kept

    def move_back(self) -> None:
        """Move all emails that were read back into the mailbox, and let the service process them."""
        maildir = self.place.folder / "mail" / "in"
        for file in sorted((maildir / ".Kept" / "cur").iterdir()):
            shutil.move(file, maildir / "new" / file.name.partition(":")[0])
        self.place.clock.advance(60_000)
        self.place.work()

    def new_mail(self, seat: str) -> list[EmailMessage]:
        """Return a player's emails since the restore, or since the last call."""
        mail = self.place.mail(PEOPLE[seat])
        before, self.seen[seat] = self.seen.get(seat, 0), len(mail)
        return mail[before:]

    def on_file(self, seat: str) -> list[str]:
        """Return the saved orders of a seat."""
        kind = self.position.game
        return [write_item(kind, item) for item in self.position.filed.get(Seat(seat.capitalize()), ())]

    def emails(self) -> list[ShownLetter]:
        """Return the incoming emails, in the order in which they were stored."""
        return list(reversed(inbox.list_letters(self.place.service.database, 100)))

    def fates(self) -> list[str | None]:
        """Return the decision about each of them."""
        return [one.disposition for one in self.emails()]


def words(email: EmailMessage) -> str:
    """Return the text of an email as one line."""
    return " ".join(text_of(email).split())


@contextmanager
def backup_day(folder: Path) -> Iterator[Day]:
    """Open a service whose game has just started and was backed up."""
    with local_service(folder / "service") as place:
        game_admin.new_game(
            place.service, game_admin.GameRequest("standard", GAME, level="beginner"), secret=b"s" * 32
        )
        for seat, who in PEOPLE.items():
            game_admin.assign(place.service, GAME, seat, who)
        place.work()
        file = folder / "yesterday.backup"
        backup.back_up(place.service, file)
        yield Day(place, file)
