"""Variants of a game: a folder of data, handed to the game that can read it."""

from collections.abc import Iterator
from pathlib import Path

import games
from adjudicator.errors import Refusal
from adjudicator.reports import maps
from games.dice import SealedDice
from games.options import settle
from games.protocol import Game, Invalid, Survey
from games.record import replace_fields

_MAX_VARIANT_FILE_BYTES = 5_000_000


def check_variant(folder: Path) -> Survey:
    """Return the survey of the variant in a folder. Raises Refusal for anything that is wrong with it."""
    files = _read_files(folder)
    readers = dict.fromkeys(game.survey for game in games.kinds().values() if game.survey is not None)
    try:
        survey = next(reader(files) for reader in readers)
    except Invalid as fault:
        raise Refusal(f"{folder.name}: {fault.what}", fault.why, fault.instead) from fault
    conflicts = tuple(_name_conflicts(survey.game))
    if conflicts and conflicts[0].startswith(f"{survey.game.about.kind} "):
        raise Refusal(f"{folder.name}: map.json: name", conflicts[0], "take another name")
    warnings = tuple(f"rulebook.toml: aliases: {conflict}, and stays so" for conflict in conflicts)
    return replace_fields(survey, findings=(*survey.findings, *warnings))


def _name_conflicts(game: Game) -> Iterator[str]:
    """Yield a sentence for each of its names that another kind of game has already, its own first."""
    for name in (game.about.kind, *game.about.aliases):
        other = games.find(name)
        # A kind of the very same name is most likely the variant itself, where it is played already.
        if other is not None and other.about.kind != game.about.kind:
            yield f"{name} is {other.about.title} already"


def draw_opening(survey: Survey) -> str:
    """Return the variant's opening, drawn as SVG. Raises Refusal where the survey says that it cannot be."""
    game = survey.game
    dice = SealedDice(b"survey", game.about.kind, 0)
    state = game.rules.setup(settle(game.about.options, {}), dice).state
    try:
        drawn = maps.svg(game, game.rules.view(state, None), (), game.rules.turn(state).name)
    except (Invalid, KeyError) as fault:
        why = fault.why if isinstance(fault, Invalid) else f"its outline has no {fault.args[0]}"
        raise Refusal(game.about.title, f"cannot be drawn: {why}") from fault
    if drawn is None:
        raise Refusal(game.about.title, "cannot be drawn: outline.geojson is missing")
    return drawn


def _read_files(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise Refusal(str(folder), "is no folder")
    texts = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".json", ".toml", ".geojson") and path.stat().st_size <= _MAX_VARIANT_FILE_BYTES:
            try:
                texts[path.name] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as fault:
                raise Refusal(str(path), f"cannot be read: {fault}") from fault
    return texts
