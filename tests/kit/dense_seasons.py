"""The dense seasons that `gm bench decisions` judges, with another order for each unit.

They are in adjudicator/bench/dense_standard.json, because a benchmark needs no tests. To write them again:

    .venv/bin/python -m tests.kit.dense_seasons
"""

import json
import random
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import adjudicator.bench
import games
from games.diplomacy.model import Convoy
from tests.kit.random_seasons import other_orders, skirmish
from tests.kit.standard import NOTATION

FILE = Path(adjudicator.bench.__file__).with_name("dense_standard.json")
SEASONS = 40
_FIRST, _FEWEST_CONVOYS = 5000, 2


def seasons() -> Iterator[dict[str, Any]]:
    """Yield a question of `gm judge` for each season with convoys. others: one other order per unit."""
    whatif = games.kinds()["standard"].whatif
    for seed in count(_FIRST):
        season = skirmish(seed)
        if sum(isinstance(order, Convoy) for order in season.orders.values()) < _FEWEST_CONVOYS:
            continue
        lot, others = random.Random(seed), {}
        for _ in season.state.units:
            others |= other_orders(lot, season, 1)
        given = {power: [NOTATION.write(order) for order in orders] for power, orders in season.given.items()}
        yield {
            "question": {**whatif.question(season.state), "orders": given},
            "others": [NOTATION.write(order) for order in others.values()],
        }


def main() -> None:
    """Write the file again."""
    lines = ",\n".join(json.dumps(one) for one in islice(seasons(), SEASONS))
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
