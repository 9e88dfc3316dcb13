"""The output of the demonstration: every letter in and out, maps, a report, the archive."""

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from adjudicator.admin import archiving, game_admin
from adjudicator.clock import Millis
from adjudicator.demo.players import plain_text
from adjudicator.reports.picture import png
from adjudicator.service import Service
from adjudicator.storage import inbox, outbox
from adjudicator.storage import stored_games as book_of_games

MAX_ALBUM_LETTERS = 1_000_000


@dataclass(frozen=True)
class AlbumLetter:
    """One letter of the album: when it came or went, which way ("in", "out"), with whom, and its bytes."""

    at: Millis
    way: str
    number: int
    who: str
    raw: bytes

    @property
    def name(self) -> str:
        """Return its file name, without the ending."""
        return f"{self.way}-{self.who.partition('@')[0]}"


def write_album(service: Service, name: str, folder: Path) -> list[tuple[Path, str]]:
    """Write letters, maps, the last report, the archive. Returns what to open first, each with why."""
    written = _write_letters(service, folder / "letters")
    maps = _write_maps(service, name, folder / "maps")
    report = _write_report([leaf for _, leaf in written], folder, maps[-1])
    slips = next(
        path for path, leaf in written if leaf.way == "out" and b"problem" in leaf.raw.split(b"\r\n\r\n")[0]
    )
    archiving.build(service, folder / "site")
    return [
        (report, "the last report as a player sees it, with the map"),
        (folder / "site" / "games" / name / "index.html", "the archive's page of the game, turn by turn"),
        (maps[-1], "the map alone, 1,200 pixels wide"),
        (slips.with_suffix(".txt"), "the answer to a letter with two slips in it"),
        (written[0][0].with_suffix(".txt"), "the first letter of all; the others follow in order"),
    ]


def album_letters(service: Service) -> list[AlbumLetter]:
    """Return every letter in the database, in and out, by the time when it came or went."""
    with service.database.session():
        came = inbox.list_letters(service.database, MAX_ALBUM_LETTERS)
        whole = [inbox.show(service.database, letter.number) for letter in came]
        went = outbox.list_posted(service.database, MAX_ALBUM_LETTERS)
    letters = [
        AlbumLetter(letter.received, "in", letter.number, letter.speaker or "unknown", letter.raw)
        for letter in whole
        if letter is not None
    ]
    letters += [
        AlbumLetter(outgoing.created, "out", outgoing.number, outgoing.sealed.to, outgoing.sealed.raw)
        for outgoing in went
    ]
    return sorted(letters, key=lambda leaf: (leaf.at, leaf.way, leaf.number))


def _write_letters(service: Service, folder: Path) -> list[tuple[Path, AlbumLetter]]:
    folder.mkdir()
    written = []
    for number, leaf in enumerate(album_letters(service), 1):
        path = folder / f"{number:03}-{leaf.name}.eml"
        path.write_bytes(leaf.raw)
        path.with_suffix(".txt").write_text(_as_text(leaf.raw), encoding="utf-8")
        written.append((path, leaf))
    return written


def _as_text(raw: bytes) -> str:
    letter = message_from_bytes(raw, policy=policy.default)
    head = "".join(f"{name}: {letter[name]}\n" for name in ("From", "To", "Date", "Subject"))
    return f"{head}\n{plain_text(letter)}"


def _write_maps(service: Service, name: str, folder: Path) -> list[Path]:
    """The map after each turn, as SVG and PNG."""
    folder.mkdir()
    written = []
    for place, (entry, _) in enumerate(book_of_games.log(service.database, name)):
        drawn = game_admin.drawing(service, name, place)
        path = folder / f"{place:02}-{entry.turn if place else 'opening'}.png"
        path.with_suffix(".svg").write_text(drawn, encoding="utf-8")
        path.write_bytes(png(drawn))
        written.append(path)
    return written


def _write_report(written: list[AlbumLetter], folder: Path, drawn: Path) -> Path:
    """The last report's HTML, its picture beside it."""
    reports = [leaf for leaf in written if leaf.way == "out" and b"Content-ID" in leaf.raw]
    letter = message_from_bytes(reports[-1].raw, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    body = letter.get_body(("html",))
    assert body is not None, "reports have HTML"
    page = re.sub(r"cid:[^\"']+", str(drawn.relative_to(folder)), str(body.get_content()))
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    return path
