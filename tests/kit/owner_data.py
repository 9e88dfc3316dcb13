"""A game with a user's own data, played by bots, and its log replayed after a change of our data."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import games
from games.dice import LabelledDice, SealedDice
from games.options import settle_for_new_game
from games.protocol import Game, OptionValue, Seat
from games.record import canonical, load

ROOT = Path(__file__).resolve().parents[2]
SECRET, NAME = b"owner", "box"


@dataclass(frozen=True)
class Log:
    """A log: the kind, the options, each turn's orders, and the states before the first and after each
    turn.
    """

    kind: str
    options: Mapping[str, OptionValue]
    orders: Sequence[str]
    states: Sequence[str]


def options_with_files(
    game: Game, files: Mapping[str, Any], **options: OptionValue
) -> dict[str, OptionValue]:
    """Return the options of a game with a user's files: documents or texts by name. Raises Invalid."""
    texts = {name: one if isinstance(one, str) else json.dumps(one) for name, one in files.items()}
    return dict(settle_for_new_game(game.about, {**options, "data": json.dumps({"files": texts})}))


def play_game(game: Game, options: Mapping[str, OptionValue], level: str) -> Log:
    """Play a game from its opening to its end, with bots of a level on all seats."""
    state = game.rules.setup(options, SealedDice(SECRET, NAME, 0)).state
    states, given = [canonical(state).decode()], []
    while game.rules.result(state) is None:
        dice = SealedDice(SECRET, NAME, len(states))
        orders = {
            due.seat: [
                choice.order
                for choice in game.bots[level].orders(
                    game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
                )
            ]
            for due in game.rules.due(state)
        }
        given.append(canonical(orders).decode())
        state = game.rules.adjudicate(state, orders, dice).state
        states.append(canonical(state).decode())
    return Log(game.about.kind, options, given, states)


def find_differences(log: Log) -> int | None:
    """Return the number of the first state that a replay of the log doesn't reproduce, or None."""
    game = games.kinds()[log.kind]
    state = game.rules.setup(log.options, SealedDice(SECRET, NAME, 0)).state
    for number, told in enumerate(log.states):
        if number:
            orders = load(dict[Seat, tuple[game.order_type, ...]], log.orders[number - 1].encode())  # type: ignore[name-defined]
            state = game.rules.adjudicate(state, orders, SealedDice(SECRET, NAME, number)).state
        if canonical(state).decode() != told:
            return number
    return None


def find_differences_after(log: Log, folder: Path, change: Callable[[str, Any], Any]) -> int | None:
    """Return the same from another process, with a copy of the games in a folder whose data were changed.

    change: maps the name of a JSON file and its document to the new document.
    """
    package = games.kinds()[log.kind].package.replace(".", "/")
    if not (folder / "games").exists():
        shutil.copytree(ROOT / "games", folder / "games", ignore=_ignore_other_games(package))
        (folder / "own_box.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    for file in sorted((folder / package / "data").glob("*.json")):
        document = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps(change(file.name, document)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "own_box.py"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        input=canonical(log).decode(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: int | None = json.loads(done.stdout)
    return found


def _ignore_other_games(package: str) -> Callable[[str, list[str]], set[str]]:
    """Return a filter for other games than this one, and compiled files."""
    here = str(ROOT / "games")
    others = {one.name for one in (ROOT / "games").iterdir() if one.is_dir()} - {
        "protocol",
        Path(package).name,
    }
    return lambda folder, names: {"__pycache__", *(others if folder == here else ())} & {*names}


if __name__ == "__main__":
    print(json.dumps(find_differences(Log(**json.loads(sys.stdin.read())))))
