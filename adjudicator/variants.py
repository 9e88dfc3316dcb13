"""Variants of a game: folders of data that a game can read."""

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
    """Return the survey of the variant in a folder. Raises Refusal for any error in it."""
    files = _read_files(folder)
    readers = dict.fromkeys(game.survey for game in games.kinds().values() if game.survey is not None)
    try:
        survey = next(reader(files) for reader in readers)
    except Invalid as fault:
        raise Refusal(f"variant {folder.name}: {fault.what}", fault.why, fault.instead) from fault
    conflicts = tuple(_name_conflicts(survey.game))
    if conflicts and conflicts[0].startswith(f"{survey.game.about.kind} "):
        raise Refusal(f"variant {folder.name}: map.json: name", conflicts[0], "Choose another name")
    warnings = tuple(f"rulebook.toml: aliases: {conflict}, and stays so" for conflict in conflicts)
    return replace_fields(survey, findings=(*survey.findings, *warnings))


def _name_conflicts(game: Game) -> Iterator[str]:
    """Yield a sentence for each of the variant's names that another kind of game already has, its own name
    first."""
    for name in (game.about.kind, *game.about.aliases):
        other = games.find(name)
        # A kind with exactly this name is probably the same variant, already installed.
        if other is not None and other.about.kind != game.about.kind:
            yield f"{name} is {other.about.title} already"


def draw_opening(survey: Survey) -> str:
    """Return the variant's opening as SVG. Raises Refusal if the survey says that it can't be drawn."""
    game = survey.game
    dice = SealedDice(b"survey", game.about.kind, 0)
    state = game.rules.setup(settle(game.about.options, {}), dice).state
    try:
        drawn = maps.svg(game, game.rules.view(state, None), (), game.rules.turn(state).name)
    except (Invalid, KeyError) as fault:
        why = fault.why if isinstance(fault, Invalid) else f"outline.geojson doesn't contain {fault.args[0]}"
        raise Refusal(f"Can't draw {game.about.title}", why) from fault
    if drawn is None:
        raise Refusal(f"Can't draw {game.about.title}", "outline.geojson is missing")
    return drawn


def _read_files(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise Refusal(f"Can't read {folder}", "it isn't a folder")
    texts = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".json", ".toml", ".geojson") and path.stat().st_size <= _MAX_VARIANT_FILE_BYTES:
            try:
                texts[path.name] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as fault:
                raise Refusal(f"Can't read {path}", str(fault)) from fault
    return texts
