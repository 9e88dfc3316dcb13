"""Opens the service for the length of one command."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator import clock as clocks
from adjudicator import compile_cache, variants
from adjudicator import context as service_contexts
from adjudicator import service as service_module
from adjudicator.cli import lazy_import
from adjudicator.config import service as service_config
from adjudicator.errors import Fault, Refusal, StoreFault
from adjudicator.model import addresses
from adjudicator.outbound import composer, turn_commit
from adjudicator.storage import database as databases
from adjudicator.storage import metadata, queries
from games import record
from games.record import Value, field

if TYPE_CHECKING:
    from typing import Any
    from zoneinfo import ZoneInfo

    import typer

    from adjudicator.clock import Clock, Millis
    from adjudicator.config.service import Settings
    from adjudicator.context import ServiceContext
    from adjudicator.outbound.turn_commit import TurnProcessor
    from adjudicator.service import Service
    from adjudicator.storage.database import Database
    from adjudicator.storage.queries import DatabaseRepository

MAX_GM_NAME = 40
"""The maximum length of a GM's name in a log."""


def gm_name(environ: Mapping[str, str]) -> str:
    """Return the GM's name for logs: "gm", or "gm" with the value of GM_NAME."""
    return " ".join(["gm", *environ.get("GM_NAME", "").split()])[:MAX_GM_NAME]


class Store(Value, frozen=True):
    """The database alone, opened for reading, for commands that neither write nor send."""

    settings: Settings
    database: Database

    @property
    def repository(self) -> DatabaseRepository:
        """The read side of the database."""
        return queries.DatabaseRepository(self.database)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone for printed times."""
        return self.settings.zone


@contextmanager
def open_store(config: str | None) -> Iterator[Store]:
    """Open the database of --config, GM_CONFIG or ./gm.toml. Raises as `open_service` does."""
    settings = _settings_at(config)
    compile_cache.enable(os.environ)
    database = databases.open_database(settings.database)
    _report_upgrade(database)
    with _closing_database(database, settings), database.session():
        _check_there(database, settings)
        yield Store(settings, database)


class WritableStore(Store, frozen=True):
    """The database, opened for writing, for commands that run turns or save orders without a mail server.

    actor: the name of the person who asks for it, for the logs.
    """

    service_context: ServiceContext
    actor: str
    clock: Clock = field(default_factory=lambda: clocks.WallClock())

    @property
    def turns(self) -> TurnProcessor:
        """The object that processes turns and stores them."""
        return turn_commit.TurnProcessor(
            self.database, composer.ReportComposer(self.service_context, self.repository, draws_later=True)
        )


@contextmanager
def open_writable_store(config: str | None) -> Iterator[WritableStore]:
    """Open the same database for writing. Raises as `open_service` does."""
    with open_store(config) as store:
        service_context = service_contexts.build_service_context(
            store.settings, metadata.service_key(store.database), None
        )
        yield WritableStore(store.settings, store.database, service_context, gm_name(os.environ))


@contextmanager
def open_writable_store_of(settings: Settings) -> Iterator[WritableStore]:
    """Open the database of some settings, created if it doesn't exist, without a mailbox.

    Raises as `open_service` does.
    """
    _load_driver(settings.database)
    lazy_import.all_loaded()
    compile_cache.enable(os.environ)
    database = databases.open_database(settings.database, may_be_empty=True)
    _report_upgrade(database)
    with _closing_database(database, settings), database.session():
        _check_there(database, settings)
        service_context = service_contexts.build_service_context(
            settings, metadata.service_key(database), None
        )
        yield WritableStore(settings, database, service_context, gm_name(os.environ))


def config_of(ctx: typer.Context) -> str | None:
    """Return the value of --config before the command."""
    named: str | None = ctx.find_root().params.get("config")
    return named


@contextmanager
def open_service(
    ctx: typer.Context,
    reached: Callable[[str], None] = lambda _step: None,
    *,
    moved: bool = False,
    other: str | None = None,
) -> Iterator[Service]:
    """Open the service of --config, GM_CONFIG or ./gm.toml. reached: as in `service.open_service`.

    moved: open it even if its database was moved to another one. other: the name of a second database to
    open. Raises Refusal or Fault, and StoreFault if the database holds data that its game can't read.
    """
    settings = _settings_at(config_of(ctx), other)
    lazy_import.all_loaded()
    compile_cache.enable(os.environ)
    opened = service_module.open_service(settings, reached=reached)
    service = replace(opened, actor=gm_name(os.environ), carry_out_gm_mail=_carry_out_gm_mail)
    _report_upgrade(service.database)
    with _closing_database(service.database, service.settings):
        if not moved:
            _check_there(service.database, service.settings)
        yield service


def _carry_out_gm_mail(service: Service, now: Millis) -> None:
    from adjudicator.admin import gm_mail  # commands that only look need none of it

    gm_mail.carry_out(service, now)


def _report_upgrade(database: Database) -> None:
    """Report on standard error that the database was upgraded, and where the copy from before is."""
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
    variants.use_variants(settings.variants)
    _load_driver(f"{settings.database} {other}")
    return settings


def _load_driver(databases: str) -> None:
    if "://" not in databases:
        lazy_import.spare("psycopg")  # ten megabytes, which peewee loads if it is installed
    else:
        lazy_import.want("typing_extensions")  # psycopg needs it


@contextmanager
def _closing_database(database: Database, settings: Settings) -> Iterator[None]:
    try:
        yield
    except record.Malformed as fault:
        raise StoreFault(f"Can't read database {settings.database}", str(fault)) from fault
    finally:
        database.close()


def _check_there(database: Database, settings: Settings) -> None:
    """Raise Refusal if the database has been moved, or if a copy is incomplete."""
    place = databases.display_url(settings.database)
    if (to := metadata.moved_to(database)) is not None:
        instead = f'Set database = "{to}" in {settings.file}, or use "gm migrate --stay"'
        raise Refusal(f"Can't use database {place}", f"it was moved to {to}", instead)
    if (to := metadata.moving_to(database, clocks.WallClock().now())) is not None:
        instead = (
            'Wait for "gm migrate" to end. If it was interrupted, run it again or use "gm migrate --stay"'
        )
        raise Refusal(f"Can't use database {place}", f"it is being moved to {to}", instead)
    if metadata.progress(database) is not None:
        instead = 'Use "gm migrate" with the previous gm.toml to continue it'
        raise Refusal(f"Can't use database {place}", "it holds only part of an unfinished copy", instead)


# Shell completion for the names of games, seats and kinds.


def game_names(ctx: Any) -> list[str]:
    """Return the names of the games, or none if the service can't be opened."""
    try:
        with open_service(ctx) as service:
            return list(service.repository.games())
    except (Refusal, Fault):
        return []


def seat_names(ctx: Any) -> list[str]:
    """Return the seats of the game named earlier on the command line."""
    game = ctx.params.get("game") or ctx.params.get("name")
    try:
        with open_service(ctx) as service:
            position = service.repository.position(game) if game else None
    except (Refusal, Fault):
        return []
    return [addresses.short_seat_name(seat) for seat in position.assignments] if position else []


def tournament_kinds(_ctx: Any) -> list[str]:
    """Return the kinds of games that bots can play in a tournament."""
    from games import kinds  # they are many

    return [name for name, game in kinds().items() if game.score is not None and game.bots]


def use_own_variants(ctx: typer.Context) -> Path:
    """Make the variants beside gm.toml playable, for a command that needs no service. Returns their folder.

    Without a gm.toml, those in ./variants.
    """
    try:
        path = service_config.find_config(config_of(ctx))
        folder = service_config.read_variants_folder(
            service_config.raw_settings(service_config.text_of(path), path), path
        )
    except Refusal:
        # The command doesn't need that file, so what is wrong with it doesn't matter here.
        folder = Path(service_config.VARIANTS_FOLDER)
    variants.use_variants(folder)
    return folder


def kind_names(_ctx: Any) -> list[str]:
    """Return the kinds of games."""
    from games import labels  # they are many

    return list(labels())
