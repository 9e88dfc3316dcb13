"""Proves a demonstration: the log plays again to the same states, and each letter was sent."""

from pathlib import Path

from rich.console import Console

from adjudicator.demo.album import leaves
from adjudicator.demo.play import GAME
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.house import open_house
from adjudicator.settings.service import load_settings
from adjudicator.signs.redaction import redacted_letter


def run(folder: str | Path, console: Console | None = None) -> int:
    """Check a demonstration. Returns 0 if everything agrees, 1 if anything differs, which is named."""
    console = console or Console()
    there = Path(folder).resolve()
    if not (there / "gm.toml").is_file():
        raise Refusal(str(there), "holds no demonstration", "play one with  gm demo")
    house = open_house(load_settings(there / "gm.toml"))
    proof = conduct.prove(house, GAME)
    faults = [proof.fault] if proof.fault else []
    faults += _letters(there, [leaf.raw for leaf in leaves(house)])
    faults += _delivered(there, [leaf.raw for leaf in leaves(house) if leaf.way == "out"])
    house.database.close()
    for fault in faults:
        console.print(f"differs: {fault}")
    if not faults:
        count = len(list((there / "letters").glob("*.eml")))
        console.print(
            f"{proof.agreed} entries of the log played again: every throw and every state is the same."
        )
        console.print(f"{count} letters in {there.name}/letters: each is one that was sent, byte for byte.")
    return 1 if faults else 0


def _letters(folder: Path, on_books: list[bytes]) -> list[str]:
    shown = {path.name: path.read_bytes() for path in sorted((folder / "letters").glob("*.eml"))}
    strange = [f"{name} was never sent" for name, raw in shown.items() if raw not in on_books]
    if len(shown) != len(on_books):
        strange.append(f"{len(on_books)} letters were sent, {len(shown)} are in the folder")
    return strange


def _delivered(folder: Path, sent: list[bytes]) -> list[str]:
    """Each letter of ours lies in the Maildir of its reader, below the lines that servers put on top."""
    there = [file.read_bytes() for file in (folder / "mail").glob("*@*/new/*")]
    # The books keep no passwords of letters that are gone.
    bodies = {_bare(raw) for raw in there} | {_bare(redacted_letter(raw)) for raw in there}
    return [f"a letter to be sent never arrived: {raw[:60]!r}" for raw in sent if _bare(raw) not in bodies]


def _bare(raw: bytes) -> bytes:
    text = raw.replace(b"\r\n", b"\n")
    return text[text.index(b"Message-ID:") :]
