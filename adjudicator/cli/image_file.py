"""Write a drawing into a file, as SVG or PNG by the file's name."""

from pathlib import Path

import typer

from adjudicator.errors import Refusal
from adjudicator.reports import maps


def check_name(out: Path | None, option: str) -> None:
    """Refuse a file that is to be neither SVG nor PNG. option: as it was typed, ``--out``."""
    if out is not None and out.suffix.lower() not in (".svg", ".png"):
        raise typer.BadParameter(f"{out.name} ends neither in .svg nor in .png", param_hint=option)


def write_image(out: Path, drawn: str) -> None:
    """Write a drawing into a file, as the SVG that it is or as a PNG. Raises Refusal."""
    try:
        out.write_bytes(maps.png(drawn) if out.suffix.lower() == ".png" else drawn.encode())
    except OSError as fault:
        raise Refusal(str(out), f"cannot be written: {fault.strerror}") from fault
