"""Opens the house for the length of one command."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import typer

from adjudicator.errors import Refusal, StoreFault
from adjudicator.house import House, open_house
from adjudicator.settings.service import find_config, load_settings
from adjudicator.store import moving
from adjudicator.store.database import told_url
from games.record import Malformed

HAND = 40
"""No name of a gamesmaster in a log is longer."""


def hand_of(environ: Mapping[str, str]) -> str:
    """Whose hand it is, as logs name it: "gm", or where several share the work "gm" and what GM_NAME says."""
    return " ".join(["gm", *environ.get("GM_NAME", "").split()])[:HAND]


@contextmanager
def house_of(
    ctx: typer.Context, reached: Callable[[str], None] = lambda step: None, *, moved: bool = False
) -> Iterator[House]:
    """The service that --config, GM_CONFIG or ./gm.toml describes. reached: as in `open_house`.

    moved: even where its books have been moved to another database.

    Raises Refusal or Fault; StoreFault too where the books hold what their game cannot read.
    """
    config = find_config(ctx.find_root().params.get("config"))
    house = replace(open_house(load_settings(config), reached=reached), hand=hand_of(os.environ))
    try:
        if not moved:
            _check_there(house)
        yield house
    except Malformed as fault:
        raise StoreFault(
            f"database {house.settings.database}", f"holds what cannot be read: {fault}"
        ) from fault
    finally:
        house.database.close()


def _check_there(house: House) -> None:
    """Raise Refusal where the books are elsewhere by now, or have not all come yet."""
    place = told_url(house.settings.database)
    if (to := moving.moved_to(house.database)) is not None:
        instead = f"name {to} as  database  in {house.settings.file}, or say  gm migrate --stay"
        raise Refusal(f"database {place}", f"was moved to {to}", instead)
    if moving.progress(house.database) is not None:
        instead = "gm migrate  with the gm.toml of before goes on with it"
        raise Refusal(f"database {place}", "holds only a part of what is moved there", instead)
