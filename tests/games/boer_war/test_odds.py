"""The expected cost of a drive, compared with the results of all possible rolls."""

from itertools import product
from typing import Any

import pytest

from games.boer_war.battles import expected_drive_losses
from games.boer_war.events import Skirmish
from tests.games.boer_war.field import order, play, told, war

DIE = range(1, 7)


@pytest.mark.clause("boer-war", "13.4")
@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("DRIVE REI ELL", {"boers": "DWT REI 2", "empire": "ELL LIN 3"}),
        (
            "DRIVE SPR BEN ELL KNO",
            {
                "boers": "HAA SPR 1",
                "empire": "ELL SMI 2, KNO FAU 2, BEN BLO 2",
                "blockhouses": ("SPR-BLO",),
            },
        ),
        ("DRIVE REI ELL", {"boers": "HAA REI 2", "empire": "ELL LIN 3", "standing": ("HAA",)}),
    ],
    ids=["one column", "a ring, and a line of blockhouses", "told to stand"],
)
def test_a_drive_is_weighed_by_all_of_its_throws(text: str, fields: dict[str, Any]) -> None:
    state = war(**fields, side="empire", turn=3, imperial="LIN SMI FAU BLO SPR")
    drive = order(text, state)
    lost = 0
    for away, own, foe in product(DIE, DIE, DIE):
        at = drive.target
        thrown = {f"evade_{at}": away, f"skirmish_{at}_empire": own, f"skirmish_{at}_boers": foe}
        quiet = {f"test_{one}": 6 for one in ("DWT", "HAA", "ELL", "KNO", "BEN")}
        crossed = {"cross_SPR_BLO_HAA": 6}
        lost += sum(
            one.defender.lost for one in told(play(state, text, **thrown, **quiet, **crossed), Skirmish)
        )
    assert expected_drive_losses(state, drive.leaders, drive.target) == pytest.approx(lost / 6**3)
    assert lost
