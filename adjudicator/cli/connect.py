"""Opens the house for the length of one command."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudicator import clock as clocks
from adjudicator import compile_cache
from adjudicator import context as offices
from adjudicator import service as service_module
from adjudicator.cli import lazy_import
from adjudicator.config import service as service_config
from adjudicator.errors import Fault, Refusal, StoreFault
from adjudicator.model import addresses
from adjudicator.outbound import composer
from adjudicator.outbound import turn_commit as all_turns
from adjudicator.storage import database as databases
from adjudicator.storage import metadata, moving
from adjudicator.storage import queries as all_books
from games import record
from games.record import Value, field

if TYPE_CHECKING:
    from typing import Any
    from zoneinfo import ZoneInfo

    import typer

    from adjudicator.clock import Clock
    from adjudicator.config.service import Settings
    from adjudicator.context import ServiceContext
    from adjudicator.outbound.turn_commit import TurnProcessor
    from adjudicator.service import Service
    from adjudicator.storage.database import Database
    from adjudicator.storage.queries import DatabaseRepository

HAND = 40
"""No name of a gamesmaster in a log is longer."""


def hand_of(environ: Mapping[str, str]) -> str:
    """Return the name of the person at work, as logs write it: "gm", or "gm" with what GM_NAME says."""
    return " ".join(["gm", *environ.get("GM_NAME", "").split()])[:HAND]


class Shelf(Value, frozen=True):
    """The books alone, to be read: what a command needs that neither writes nor sends."""

    settings: Settings
    database: Database

    @property
    def repository(self) -> DatabaseRepository:
        """The read side of the books."""
        return all_books.DatabaseRepository(self.database)

    @property
    def zone(self) -> ZoneInfo:
        """In which instants are told."""
        return self.settings.zone


@contextmanager
def shelf_at(config: str | None) -> Iterator[Shelf]:
    """The books that --config, GM_CONFIG or ./gm.toml describes. Raises as `house_of` does."""
    settings = _settings_at(config)
    compile_cache.enable(os.environ)
    database = databases.open_database(settings.database)
    _report_upgrade(database)
    with _closing_database(database, settings), database.session():
        _check_there(database, settings)
        yield Shelf(settings, database)


class Bureau(Shelf, frozen=True):
    """The books to be written on: what a command needs that plays or files, and speaks to no server.

    hand: who asks for it, as logs name him.
    """

    service_context: ServiceContext
    hand: str
    clock: Clock = field(default_factory=lambda: clocks.WallClock())

    @property
    def turns(self) -> TurnProcessor:
        """The object that processes turns and stores them."""
        return all_turns.TurnProcessor(
            self.database, composer.ReportComposer(self.service_context, self.repository, draws_later=True)
        )


@contextmanager
def bureau_at(config: str | None) -> Iterator[Bureau]:
    """The same books with what is needed to write on them. Raises as `house_of` does."""
    with shelf_at(config) as shelf:
        service_context = offices.build_service_context(
            shelf.settings, metadata.service_key(shelf.database), None
        )
        yield Bureau(shelf.settings, shelf.database, service_context, hand_of(os.environ))


@contextmanager
def bureau_of(settings: Settings) -> Iterator[Bureau]:
    """The books that some settings describe, made where there are none: no mailbox is opened for it.

    Raises as `house_of` does.
    """
    _load_driver(settings.database)
    lazy_import.all_loaded()
    compile_cache.enable(os.environ)
    database = databases.open_database(settings.database, may_be_empty=True)
    _report_upgrade(database)
    with _closing_database(database, settings), database.session():
        _check_there(database, settings)
        service_context = offices.build_service_context(settings, metadata.service_key(database), None)
        yield Bureau(settings, database, service_context, hand_of(os.environ))


def config_of(ctx: typer.Context) -> str | None:
    """Return what --config named before the command."""
    named: str | None = ctx.find_root().params.get("config")
    return named


@contextmanager
def house_of(
    ctx: typer.Context,
    reached: Callable[[str], None] = lambda _step: None,
    *,
    moved: bool = False,
    other: str | None = None,
) -> Iterator[Service]:
    """The service that --config, GM_CONFIG or ./gm.toml describes. reached: as in `open_house`.

    moved: even where its books have been moved to another database; other: one that is opened besides.

    Raises Refusal or Fault; StoreFault too where the books hold what their game cannot read.
    """
    settings = _settings_at(config_of(ctx), other)
    lazy_import.all_loaded()
    compile_cache.enable(os.environ)
    opened = service_module.open_service(settings, reached=reached)
    service = replace(opened, hand=hand_of(os.environ))
    _report_upgrade(service.database)
    with _closing_database(service.database, service.settings):
        if not moved:
            _check_there(service.database, service.settings)
        yield service


def _report_upgrade(database: Database) -> None:
    """Say on standard error that the database was upgraded, and where the copy is that was made before."""
    if (upgrade := database.upgrade) is None or upgrade.copy is None:
        return
    count = len(upgrade.migrations)
    print(
        f"The database was upgraded for this program ({count} migration{'s' if count > 1 else ''}). "
        f"The copy made before is {upgrade.copy}. It holds emails and addresses: "
        "delete it when you no longer need it.",
        file=sys.stderr,
    )


def _settings_at(config: str | None, other: str | None = None) -> Settings:
    settings = service_config.load_settings(service_config.find_config(config))
    _load_driver(f"{settings.database} {other}")
    return settings


def _load_driver(databases: str) -> None:
    if "://" not in databases:
        lazy_import.spare("psycopg")  # ten megabytes, which peewee loads wherever they are
    else:
        lazy_import.want("typing_extensions")  # without which psycopg does not load


@contextmanager
def _closing_database(database: Database, settings: Settings) -> Iterator[None]:
    try:
        yield
    except record.Malformed as fault:
        raise StoreFault(f"database {settings.database}", f"holds what cannot be read: {fault}") from fault
    finally:
        database.close()


def _check_there(database: Database, settings: Settings) -> None:
    """Raise Refusal where the books are elsewhere by now, or have not all come yet."""
    place = databases.display_url(settings.database)
    if (to := moving.moved_to(database)) is not None:
        instead = f"name {to} as  database  in {settings.file}, or say  gm migrate --stay"
        raise Refusal(f"database {place}", f"was moved to {to}", instead)
    if (to := moving.moving_to(database, clocks.WallClock().now())) is not None:
        instead = "let  gm migrate  end; if it was broken off, type it again or say  gm migrate --stay"
        raise Refusal(f"database {place}", f"is being moved to {to}", instead)
    if moving.progress(database) is not None:
        instead = "gm migrate  with the gm.toml of before goes on with it"
        raise Refusal(f"database {place}", "holds only a part of what is moved there", instead)


# Shell completion of the names of games, seats and kinds.


def game_names(ctx: Any) -> list[str]:
    """The games of the service; none where it cannot be opened."""
    try:
        with house_of(ctx) as service:
            return list(service.repository.games())
    except (Refusal, Fault):
        return []


def seat_names(ctx: Any) -> list[str]:
    """The seats of the game that stands before."""
    game = ctx.params.get("game") or ctx.params.get("name")
    try:
        with house_of(ctx) as service:
            position = service.repository.position(game) if game else None
    except (Refusal, Fault):
        return []
    return [addresses.short_seat_name(seat) for seat in position.assignments] if position else []


def kind_names(_ctx: Any) -> list[str]:
    """The kinds of games."""
    from games import kinds  # they are many

    return list(kinds())
