"""Verifies a demonstration: the log replays to the same states, and each letter was sent."""

from pathlib import Path

from rich.console import Console

from adjudicator.admin import game_admin
from adjudicator.auth.redaction import redact_letter
from adjudicator.config.service import load_settings
from adjudicator.demo.album import album_letters
from adjudicator.demo.play import DEMO_GAME
from adjudicator.errors import Refusal
from adjudicator.service import open_service


def check_demo(folder: str | Path, console: Console | None = None) -> int:
    """Check a demonstration. Returns 0 if everything agrees, 1 if anything differs, which is named."""
    console = console or Console()
    there = Path(folder).resolve()
    if not (there / "gm.toml").is_file():
        raise Refusal(str(there), "holds no demonstration", "play one with  gm demo")
    service = open_service(load_settings(there / "gm.toml"))
    proof = game_admin.prove(service, DEMO_GAME)
    faults = [proof.fault] if proof.fault else []
    faults += _find_strange_letters(there, [leaf.raw for leaf in album_letters(service)])
    faults += _find_undelivered_letters(
        there, [leaf.raw for leaf in album_letters(service) if leaf.way == "out"]
    )
    service.database.close()
    for fault in faults:
        console.print(f"differs: {fault}")
    if not faults:
        count = len(list((there / "letters").glob("*.eml")))
        console.print(
            f"{proof.agreed} entries of the log played again: every throw and every state is the same."
        )
        console.print(f"{count} letters in {there.name}/letters: each is one that was sent, byte for byte.")
    return 1 if faults else 0


def _find_strange_letters(folder: Path, on_books: list[bytes]) -> list[str]:
    shown = {path.name: path.read_bytes() for path in sorted((folder / "letters").glob("*.eml"))}
    strange = [f"{name} was never sent" for name, raw in shown.items() if raw not in on_books]
    if len(shown) != len(on_books):
        strange.append(f"{len(on_books)} letters were sent, {len(shown)} are in the folder")
    return strange


def _find_undelivered_letters(folder: Path, sent: list[bytes]) -> list[str]:
    """Name each letter of ours that is not in its reader's Maildir, ignoring the lines that servers add."""
    there = [file.read_bytes() for file in (folder / "mail").glob("*@*/new/*")]
    # The books keep no passwords of letters that are gone.
    bodies = {_below_trace(raw) for raw in there} | {_below_trace(redact_letter(raw)) for raw in there}
    return [
        f"a letter to be sent never arrived: {raw[:60]!r}" for raw in sent if _below_trace(raw) not in bodies
    ]


def _below_trace(raw: bytes) -> bytes:
    text = raw.replace(b"\r\n", b"\n")
    return text[text.index(b"Message-ID:") :]
