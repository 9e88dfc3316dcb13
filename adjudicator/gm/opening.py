"""Opens the house for the length of one command."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from adjudicator import house as houses
from adjudicator.errors import StoreFault
from adjudicator.gm import on_demand
from adjudicator.settings import service
from games import record

if TYPE_CHECKING:
    from adjudicator.house import House

HAND = 40
"""No name of a gamesmaster in a log is longer."""


def hand_of(environ: Mapping[str, str]) -> str:
    """Whose hand it is, as logs name it: "gm", or where several share the work "gm" and what GM_NAME says."""
    return " ".join(["gm", *environ.get("GM_NAME", "").split()])[:HAND]


@contextmanager
def house_of(ctx: typer.Context, reached: Callable[[str], None] = lambda step: None) -> Iterator[House]:
    """The service that --config, GM_CONFIG or ./gm.toml describes. reached: as in `open_house`.

    Raises Refusal or Fault; StoreFault too where the books hold what their game cannot read.
    """
    on_demand.all_loaded()
    config = service.find_config(ctx.find_root().params.get("config"))
    house = replace(
        houses.open_house(service.load_settings(config), reached=reached), hand=hand_of(os.environ)
    )
    try:
        yield house
    except record.Malformed as fault:
        raise StoreFault(
            f"database {house.settings.database}", f"holds what cannot be read: {fault}"
        ) from fault
    finally:
        house.database.close()
