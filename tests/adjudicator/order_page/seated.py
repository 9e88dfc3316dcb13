"""A player in a game of the service, who requests the page and sends what it writes."""

from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import games
from adjudicator.admin import game_admin
from adjudicator.inbound.dry_run import dry_run
from adjudicator.messages import sentence
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.storage import stored_games
from adjudicator.storage.tables import EntryRow, FiledRow, GameRow
from games.protocol import OptionValue, State
from games.record import canonical
from tests.adjudicator.order_page.parties import WHO
from tests.kit.dry_runs import HEAD
from tests.kit.service_harness import HOUR, LocalService

SECRET = b"thirty-two bytes, sealed for us."
OPTIONS = {"boer-war": {"mode": "both"}}


def accepted_subject(count: int) -> str:
    """Return the subject of a reply that accepts that many orders and has nothing to fix."""
    return sentence(
        "reports.transcript.orders", counts=sentence("reports.transcript.counts", problems=0, taken=count)
    )


class Seat:
    """One person's seat in a game against bots."""

    def __init__(
        self,
        place: LocalService,
        kind: str,
        folder: Path,
        options: Mapping[str, OptionValue] | None = None,
        seat: str = "",
    ) -> None:
        self.place, self.kind, self.folder = place, kind, folder
        self.seat = seat or ("player" if kind == "boer-war" else WHO[kind])
        self.address = f"{self.seat.lower()}@example.org"
        if not stored_games.is_taken(place.service.database, "alone"):
            asked = OPTIONS.get(kind, {}) if options is None else options
            request = game_admin.GameRequest(kind, "alone", asked, early=False, terms={"press": "none"})
            game_admin.new_game(place.service, request, secret=SECRET)
        game_admin.assign(place.service, "alone", self.seat, self.address)
        place.work()
        self.head = game_admin.position_of(place.service, "alone").head_sha

    def comes_to(self, state: State) -> None:
        """The game stands so, its log begun and nothing on file: as if it had been set up like that."""
        database, name = self.place.service.database, "alone"
        begun = EntryRow.number == 0
        with database.writing():
            database.run(EntryRow.delete().where((EntryRow.game == name) & ~begun))
            database.run(FiledRow.delete().where(FiledRow.game == name))
            columns = {
                "state": canonical(state),
                "turn": games.kinds()[self.kind].rules.turn(state).short,
                "status": "running",
                "entries": 1,
                "played": 0,
                "head_sha": self.head,
            }
            database.run(GameRow.update(**columns, rev=GameRow.rev + 1).where(GameRow.name == name))

    def page(self) -> Path:
        """The page that SHEET brings, asked for at the address of the turn that it is, as a file."""
        service, position = self.place.service, game_admin.position_of(self.place.service, "alone")
        turn = games.kinds()[self.kind].rules.turn(position.state).short
        token = reply_token(
            service.service_context.key, "alone", self.seat, position.assignments[self.seat].generation, turn
        )
        self.place.clock.advance(HOUR)
        to = reply_address(service.service_context.address, "alone", self.seat, token)
        self.place.write(self.address, to, "SHEET", "the sheet, please")
        (page,) = pages_in(self.answered())
        file = self.folder / "orders.html"
        file.write_bytes(page)
        return file

    def says(self, text: str) -> EmailMessage:
        """Send a reply to our newest email, and return the answer."""
        self.place.clock.advance(HOUR)
        self.place.answer(self.address, self.place.mail(self.address)[-1], text)
        return self.answered()

    def sends(self, link: str) -> EmailMessage:
        """Send what a mail program makes of a link, and return the answer."""
        parts = urlsplit(link)
        assert parts.scheme == "mailto"
        said = parse_qs(parts.query)
        self.place.clock.advance(HOUR)
        self.place.write(self.address, unquote(parts.path), said["body"][0], said["subject"][0])
        return self.answered()

    def is_accepted(self, link: str) -> bool:
        """Return whether the one order of a link was accepted.

        The reply says so; or the turn was played, and then the report is the reply in some games.
        """
        before = len(self.place.mail(self.address))
        played = game_admin.position_of(self.place.service, "alone").played
        self.sends(link)
        came = [str(letter["Subject"]) for letter in self.place.mail(self.address)[before:]]
        was_played = game_admin.position_of(self.place.service, "alone").played > played
        is_reply = was_played and games.kinds()[self.kind].rules.report_is_reply
        return is_reply or any(accepted_subject(1) in subject for subject in came)

    def reads(self, link: str) -> dict[str, Any]:
        """Return the answer of `gm mail read` to the email that a link opens."""
        position = game_admin.position_of(self.place.service, "alone")
        raw = HEAD.format(subject="Orders") + parse_qs(urlsplit(link).query)["body"][0]
        return dry_run(raw.encode(), position, position.game, self.seat)

    def answered(self) -> EmailMessage:
        self.place.work()
        letters = self.place.mail(self.address)
        return [one for one in letters if str(one["Subject"]).startswith("Re:")][-1]


def pages_in(letter: EmailMessage) -> list[bytes]:
    """The pages that lie in a letter as files."""
    files = [one for one in letter.iter_attachments() if str(one.get_filename()).endswith(".html")]
    return [one.get_payload(decode=True) for one in files]
