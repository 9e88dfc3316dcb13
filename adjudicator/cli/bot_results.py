"""``gm tournament KIND --record FILE``: what bots get in games for one, as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.output import document, say
from adjudicator.errors import Refusal
from adjudicator.tournament import comparison
from games.record import as_json

if TYPE_CHECKING:
    from games.protocol import Game


def write_results(game: Game, file: Path, count: int, seed: str, jobs: int, quiet: bool) -> None:
    """Play that many games of each case and write the results. quiet: print it as one JSON document."""
    results_by_case = {}
    for case, got in comparison.play_cases(game, count, seed, jobs):
        results_by_case[case.name] = got
        if not quiet:
            won, drawn = (sum(result.end == end for result in got) for end in ("won", "drawn"))
            say(f"{case.name}: {won} won and {drawn} drawn of {len(got)}")
    results = as_json(comparison.results_table(game, results_by_case, seed))
    try:
        file.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as fault:
        raise Refusal(str(file), f"cannot be written: {fault.strerror}") from fault
    if quiet:
        document(results)
    else:
        say("", f"What the bot {comparison.bot_of(game)} got is in {file}.")
