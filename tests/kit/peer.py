"""Asks an independent adjudicator, the `diplomacy` package, and writes its answers to tests/peer.

No test needs the package, because tests read these answers. To ask it again, after a change of the questions
or of our way to write games for it:

    .venv/bin/pip install '.[peer]'
    .venv/bin/python -m tests.kit.peer

It is under the Affero General Public License, and nothing of it is copied: the files contain our positions
and orders, and the units after them. Without a change the files stay the same.
"""

import gzip
import itertools
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import games
from games.diplomacy.model import Move, Unit, split_spot
from games.options import settle
from games.protocol import ExchangedTurn
from tests.kit.campaign import wander
from tests.kit.random_seasons import Skirmish, skirmish
from tests.kit.standard import BOARD, NOTATION, unit_text
from tests.kit.verdict_differences import apply_options, difference, hold_self_attacks
from tests.kit.verdicts import CALMED, FOLDER, line, read_judged

with warnings.catch_warnings():
    # The package leaves a file open when it loads its map, and uses a deprecated call for the time.
    warnings.simplefilter("ignore")
    import diplomacy
    from diplomacy.utils.export import from_saved_game_format, to_saved_game_format

    MAP = diplomacy.Map("standard")

WALKS = {"missing_convoy": "walks"}
"""Our option under which an army walks if its convoy fails, as the package has it."""

BUILT = (
    {"AUSTRIA": ["A VIE - TYR", "F TRI - VEN"], "ITALY": ["A VEN H"], "FRANCE": ["A PAR - BUR"]},
    {"AUSTRIA": ["A TYR - VEN", "F TRI S A TYR - VEN", "A BUD - TRI"], "GERMANY": ["A MUN - BUR"]},
    {"ITALY": ["A VEN - TUS"]},
    {"AUSTRIA": ["A VIE B"], "ITALY": []},
)
"""A game with a stand-off, a retreat and a build."""

WALKED = ({"FRANCE": ["A PAR - PIC", "F BRE - ENG"]}, {"FRANCE": ["A PIC - BEL VIA"]})
"""A game in which an army walks because its convoy fails, and one army is due to be built."""


def main() -> None:
    """Write all the files again."""
    FOLDER.mkdir(exist_ok=True)
    near = {kind: dict(sorted(borders(kind))) for kind in "AF"}
    (FOLDER / "borders.json").write_text(json.dumps(near, indent=1) + "\n")
    _put("seasons.txt", _season_text(range(100)))
    _put("by_sea.txt", _season_text(range(30), by_sea=True))
    _put("further_seasons.txt", _season_text(range(100, 2100)))
    ours = [_ours(seed, 12, WALKS) for seed in range(3)] + [_ours(seed, 9, {}) for seed in range(2)]
    _put("ours.json", json.dumps(ours))
    _put("theirs.json", json.dumps({"built": _theirs(BUILT), "walked": _theirs(WALKED, ["A PAR B"])}))


def borders(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the moves of a kind of unit on the package's map: from where to where."""
    spots = BOARD.places if kind == "A" else [spot for spots in BOARD.spots.values() for spot in spots]
    for here in spots:
        near = [there for there in spots if split_spot(here)[0] != split_spot(there)[0]]
        found = sorted(there for there in near if MAP.abuts(kind, here, "-", there))
        if found:
            yield here, " ".join(found)


def season_lines(season: Skirmish) -> list[str]:
    """Return a season, line by line, with the package's result."""
    game = _game(season)
    now = game.get_current_phase()
    game.process()
    became = game.result_history[now]
    near = {unit: found for power in game.powers.values() for unit, found in power.retreats.items()}
    lines = [
        line(unit, season.orders[unit.at], _outcome(season, unit, became, near))
        for unit in season.state.units
    ]
    stands = {f"{power.name.title()} {unit}" for power in game.powers.values() for unit in power.units}
    again = read_judged(lines)
    assert again.season.orders == season.orders, "lines say what was asked"
    assert again.verdict.units == stands, "and what was answered"
    return lines


def _game(season: Skirmish) -> Any:
    game = diplomacy.Game()
    game.clear_units()
    game.clear_centers()
    for power in BOARD.powers:
        units = [unit_text(unit.piece) for unit in season.state.units if unit.power == power]
        game.set_units(power.upper(), units, reset=True)
    for power, orders in season.given.items():
        game.set_orders(power.upper(), [NOTATION.write(order) for order in orders])
    return game


def _outcome(
    season: Skirmish, unit: Unit, became: Mapping[str, list[Any]], near: Mapping[str, list[str]]
) -> str:
    piece = unit_text(unit.piece)
    results = [str(result) for result in became[piece]]
    if "dislodged" in results:
        return " ".join(["dislodged", *sorted(near.get(piece, ()))])
    return "moves" if isinstance(season.orders[unit.at], Move) and not results else "stays"


def _season_text(seeds: Iterable[int], *, by_sea: bool = False) -> str:
    blocks: list[list[str]] = []
    for seed in seeds:
        season = skirmish(seed, by_sea=by_sea)
        lines = season_lines(season)
        blocks.append([str(seed), *lines])
        if difference(apply_options(season, WALKS if by_sea else {}), read_judged(lines).verdict):
            blocks.append([f"{seed} {CALMED}", *season_lines(hold_self_attacks(season))])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _ours(seed: int, turns: int, given: Mapping[str, str]) -> dict[str, Any]:
    """Return our game in its written form, and the package's result of each phase after reading it."""
    game = games.kinds()["standard"]
    chapters = []
    for before, orders, dice, _ in itertools.islice(
        wander(game, settle(game.about.options, given), seed), turns
    ):
        done = game.rules.adjudicate(before, orders, dice)
        chapters.append(ExchangedTurn(game.rules.turn(before), before, orders, done.events, done.state))
    saved = json.loads(game.exchange.write("diplomacy", f"game-{seed}", chapters, chapters[-1].after))
    loaded = from_saved_game_format(saved)
    assert [one.name for one in loaded.get_phase_history()] == [one["name"] for one in saved["phases"][:-1]]
    assert loaded.get_current_phase() == saved["phases"][-1]["name"]
    loaded.process()  # the package continues the game
    pairs = itertools.pairwise(saved["phases"])
    return {"options": given, "saved": saved, "theirs": [_units_after_phase(saved, *pair) for pair in pairs]}


def _units_after_phase(
    saved: Mapping[str, Any], phase: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Return the package's units after a phase with our orders, by power."""
    game = diplomacy.Game(map_name=saved["map"])
    game.set_state(phase["state"])
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    game.process()
    # The package has empty adjustment phases, which we skip.
    while game.get_current_phase() != after["name"] and not game.is_game_done:
        game.process()
    return {power: sorted(units) for power, units in game.get_units().items()}


def _theirs(turns: Iterable[Mapping[str, list[str]]], due: Iterable[str] = ()) -> dict[str, Any]:
    """Return a game played and saved by the package. due: France's orders since then."""
    game = diplomacy.Game()
    for orders in turns:
        for power, texts in orders.items():
            game.set_orders(power, texts)
        game.process()
    game.set_orders("FRANCE", list(due))
    saved: dict[str, Any] = to_saved_game_format(game)
    saved["id"] = "theirs"
    for phase in saved["phases"]:
        phase["state"] |= {"timestamp": 0, "game_id": "theirs"}
    return saved


def _put(file: str, text: str) -> None:
    (FOLDER / f"{file}.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
