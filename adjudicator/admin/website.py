"""Games for the public archive: reads from the database only what everyone may know.

Everything that leaves this module is an observer's view, a public event, or the public log (`publishing`).
"""

import gc
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import quote

import games
from adjudicator import __version__
from adjudicator.admin import foreign_formats, transfer
from adjudicator.admin.lookup import position_of
from adjudicator.admin.transfer import GameExport, public_export
from adjudicator.auth.admission import Admission
from adjudicator.auth.tokens import redact_text
from adjudicator.clock import datetime_of
from adjudicator.config.service import load_settings
from adjudicator.messages import sentence
from adjudicator.model.games import (
    DieForced,
    GamePosition,
    LogEntry,
    PlayedTurn,
    digest_input,
    outcome_of,
    read_override,
)
from adjudicator.model.people import GamePolicy, Press
from adjudicator.order_page import open_order_page, order_page_file_name
from adjudicator.reports.report import telling
from adjudicator.service import Service, open_service
from adjudicator.storage import queries as store_marks
from adjudicator.storage import stored_games
from adjudicator.turns.bots import own_bot_name
from adjudicator.turns.log import counting_entries, dice_number_after, step_at
from adjudicator.turns.runner import Log
from adjudicator.website.build import Archive, ArchiveBuild, Progress
from adjudicator.website.game_page import PageFrame
from adjudicator.website.index_pages import ArchiveEntry
from adjudicator.website.public_game import (
    ChainLink,
    Download,
    JoinableGame,
    PiecewiseDownload,
    PublicGame,
    PublicPress,
    PublicRoll,
    PublicSeal,
    PublicSeat,
    PublicTurn,
)
from games.dice import commitment
from games.protocol import Event, Game, Seat, State
from games.record import replace_fields

_Asked = Callable[[], PlayedTurn]
"""A turn that is replayed when it is needed."""


def public_game(service: Service, name: str, *, files: bool = True) -> PublicGame:
    """Return the public view of a game. files: whether to include the downloads."""
    with service.database.reading():
        whole = transfer.export(service, name)
        position = position_of(service, name)
        log = stored_games.log(service.database, name)
    game = position.game
    over = not position.is_running
    public = public_export(_date_by_last_entry(whole)) if over or not game.about.hidden else None
    view = game.rules.view
    steps = _steps(game, position, log)
    is_shown = files and public is not None
    return PublicGame(
        game=game,
        name=name,
        began=log[0][0].at,
        opening=view(game.state_from(log[0][1]), None),
        leaves=_leaves(game, position, log, steps, over),
        seats=_sitters(service, position, whole.customs),
        press=_press(whole.press),
        seal=_seal(position, public),
        due=None if over else game.rules.turn(position.state),
        deadline=None if over else position.deadline,
        stopped=position.timing.stop.kind if position.timing.stop is not None and not over else "",
        result=outcome_of(game, position),
        survivors=(game.rules.survivors(position.state) or ()) if over else (),
        anonymous=whole.customs.anonymous,
        downloads=_downloads(public) if files else (),
        volumes=tuple(_volumes(game, position, [*steps.values()])) if is_shown else (),
        sheets=tuple(_sheets(service, position)) if is_shown and not over else (),
    )


def change_marks(service: Service) -> Mapping[str, str | None]:
    """Return a mark per game that changes if there is more to show, or None if it can't be shown now."""
    return store_marks.game_digests(service.database, games.kinds())


def games_with_free_seats(service: Service) -> tuple[JoinableGame, ...]:
    """Return the games that are open for players, and the running games with a free seat."""
    people_repository, known = service.repository.people, games.kinds()
    admission = Admission(service.repository, service.clock.now())
    openings = [
        JoinableGame(
            name=offer.name,
            kind=offer.kind,
            title=known[offer.kind].about.title,
            needed=offer.needed,
            signed=len(admission.sort_signups(offer).players),
            join=_join_link(service, offer.name),
        )
        for offer in people_repository.offers()
        if offer.kind in known and offer.customs.listed != "no"
    ]
    for name, (kind, free) in store_marks.vacancies(service.database).items():
        if kind in known:
            title = known[kind].about.title
            join = _join_link(service, name)
            openings.append(JoinableGame(name, kind, title, len(free), 0, join, tuple(free)))
    return tuple(openings)


def _join_link(service: Service, name: str) -> str:
    """Return the mailto link of the email that signs up for a game."""
    command = quote(f"JOIN {name}")
    return f"mailto:{service.service_context.address}?subject={command}&body={command}"


def _date_by_last_entry(whole: GameExport) -> GameExport:
    """Return a document dated by its last entry, so that the same log always gives the same bytes."""
    last = max(logged_entry.entry.at for logged_entry in whole.log)
    return replace_fields(whole, written=datetime_of(last).isoformat(timespec="seconds"))


def _steps(game: Game, position: GamePosition, log: Log) -> Mapping[int, _Asked]:
    """Return the turns by the numbers of their entries, each replayed when it is first needed."""
    counting = {entry.number for entry in counting_entries([entry for entry, _ in log])}
    return {
        entry.number: cache(partial(step_at, game, position, log, place))
        for place, (entry, _) in enumerate(log)
        if entry.kind == "turn" and entry.number in counting
    }


def _leaves(
    game: Game, position: GamePosition, log: Log, steps: Mapping[int, _Asked], over: bool
) -> tuple[PublicTurn, ...]:
    counting = {entry.number for entry in counting_entries([entry for entry, _ in log])}
    states = [game.state_from(written) for _, written in log]
    seats = tuple(position.assignments)
    leaves: list[PublicTurn] = []
    by_hand: list[LogEntry] = []
    for place, (entry, _) in enumerate(log):
        if entry.number not in counting:
            continue
        if entry.kind == "turn":
            played = _LoggedTurn(entry, states[place - 1], states[place], steps[entry.number])
            leaves.append(_leaf(game, played, by_hand, seats, over=over))
            by_hand = []
        else:
            by_hand.append(entry)
    return tuple(leaves)


@dataclass(frozen=True)
class _LoggedTurn:
    """A turn of the log. step: replays the turn and returns its results."""

    entry: LogEntry
    before: State
    after: State
    step: _Asked


def _leaf(
    game: Game, played: _LoggedTurn, by_hand: Sequence[LogEntry], seats: Sequence[Seat], *, over: bool
) -> PublicTurn:
    view, entry = game.rules.view, played.entry
    return PublicTurn(
        number=entry.number,
        at=entry.at,
        turn=game.rules.turn(played.before),
        sign=entry.sha,
        before=view(played.before, None),
        view=view(played.after, None),
        tell=partial(_public_events, played.step, over),
        silent=entry.silent,
        throws=tuple(
            PublicRoll(throw.label, throw.sides, throw.numbers, throw.forced)
            for throw in entry.throws
            if not throw.is_by_bot and (over or not game.about.hidden)
        ),
        reasons={Seat(seat): why for seat, why in entry.reasons.items()} if over else {},
        by_hand=tuple(_override_notes(game, by_hand, over)),
        hands={seat: view(played.after, seat) for seat in seats} if over and game.about.hidden else {},
    )


def _public_events(step: _Asked, over: bool) -> tuple[Event, ...]:
    """Return the public events of a turn."""
    return tuple(event for event in step().events if over or event.seen_by is None)


def _override_notes(game: Game, entries: Sequence[LogEntry], over: bool) -> Iterator[str]:
    """Yield the overrides before a turn, without reasons and without a die that may not be rolled yet."""
    for entry in entries:
        override = read_override(entry.kind, entry.options)
        if override is None or override.silent or (isinstance(override, DieForced) and not over):
            continue
        yield redact_text(telling(game, override, None))


def _sitters(service: Service, position: GamePosition, customs: GamePolicy) -> tuple[PublicSeat, ...]:
    """Return the seats' players. Names only people who agreed, and nobody in a running anonymous game."""
    hides = customs.anonymous and position.is_running
    known = (
        {}
        if hides
        else {person.address: person.name for person in store_marks.public_people(service.database)}
    )
    return tuple(
        PublicSeat(
            seat,
            bot="" if assignment.is_person else own_bot_name(assignment) or assignment.bot or "bot",
            name=known.get(assignment.address) if assignment.address else None,
            missed=assignment.missed,
        )
        for seat, assignment in position.assignments.items()
    )


def _press(written: Sequence[Press]) -> tuple[PublicPress, ...]:
    """Return the press to all, with the signatures that players saw."""
    open_to_all = sorted(
        (dispatch for dispatch in written if dispatch.to is None), key=lambda dispatch: dispatch.at
    )
    return tuple(
        PublicPress(dispatch.turn, dispatch.heading, redact_text(dispatch.text)) for dispatch in open_to_all
    )


def _seal(position: GamePosition, public: GameExport | None) -> PublicSeal:
    """Return the proof of the log: only its digest while a game with hidden information runs."""
    if public is None:
        return PublicSeal(commitment(position.secret))
    entries = public.entries
    links = tuple(_link(entry, dice_number_after(entries[:place])) for place, entry in enumerate(entries))
    return PublicSeal(public.commitment, public.secret, links)


def _link(entry: LogEntry, number: int) -> ChainLink:
    salts = entry.salts if isinstance(entry.salts, dict) else {}
    parts = {name: digest_input(name, salt, entry.part(name)).decode() for name, salt in salts.items()}
    text = None if isinstance(entry.recorded, str) else entry.hash_input.decode()
    return ChainLink(entry.turn, entry.sha, text, number, parts)


def _sheets(service: Service, position: GamePosition) -> Iterator[Download]:
    """Yield the order pages for the current turn. They don't contain saved orders."""
    if not service.service_context.site_url:
        return
    for assignment in position.assignments.values():
        page = open_order_page(position, assignment.seat) if assignment.is_person else None
        if page is not None:
            yield Download(order_page_file_name(assignment.seat), str(assignment.seat), page)


def _downloads(public: GameExport | None) -> tuple[Download, ...]:
    """Return the log as a download. For a game with hidden information, only after its end."""
    if public is None:
        return ()
    return (Download("log.json", sentence("service.site.log"), transfer.encode_export(public)),)


def _volumes(game: Game, position: GamePosition, steps: Sequence[_Asked]) -> Iterator[PiecewiseDownload]:
    """Yield the game in the formats of other programs."""
    for form, pieces in foreign_formats.format_pieces(game, position.name, steps):
        assert game.exchange is not None, "it has formats"
        yield PiecewiseDownload(
            name=f"{form}.{game.exchange.suffix(form)}",
            words=sentence("service.site.other_program", form=form),
            pieces=pieces,
            bound=partial(game.exchange.join_turns, form, position.name, position.state),
        )


# The archive of an installation is built where gm.toml says, by command or after each turn.


ARCHIVE_LOCK = 0x7475_0005
"""The number of the lock that lets one worker build the archive at a time."""

MIN_GAMES_FOR_PROCESSES = 12
"""With this many games, further processes save time."""

log = logging.getLogger(__name__)


def folder_of(service: Service, asked: Path | None = None) -> Path:
    """Return the archive's folder: the one asked for, the one in gm.toml, or one beside gm.toml."""
    if asked is not None:
        return asked.resolve()
    site = service.settings.site
    return site.folder if site else service.settings.file.parent / "site"


def archive_task(service: Service) -> Callable[[], object] | None:
    """Return the task that keeps the archive up to date while the service runs. None if gm.toml has none."""
    site = service.settings.site
    return partial(_keep, service, archive_of(service, site.folder)) if site and site.by_turns else None


def _keep(service: Service, archive: Archive) -> None:
    with service.database.exclusive_lock(ARCHIVE_LOCK) as is_mine:
        if is_mine:
            built = renew(service, archive)
            if built.made or built.gone:
                log.info(sentence("service.site.built", games=len(built.made), folder=str(archive.folder)))


def archive_of(service: Service, folder: Path) -> Archive:
    """Return the archive in a folder."""
    site = service.settings.site
    return Archive(folder, PageFrame(service.settings.name, site.url if site else ""), __version__)


def build(service: Service, folder: Path, jobs: int = 1, reached: Progress | None = None) -> ArchiveBuild:
    """Bring the archive in a folder up to date, as `renew` does."""
    return renew(service, archive_of(service, folder), jobs, reached)


def renew(service: Service, archive: Archive, jobs: int = 1, reached: Progress | None = None) -> ArchiveBuild:
    """Bring an archive up to date. jobs: the number of processes, if there is much to do.

    reached: told of each game that is built. Raises Refusal or StoreFault.
    """
    with service.database.reading():
        marks, wanted = change_marks(service), games_with_free_seats(service)
    return archive.build(marks, partial(_shelve, service, archive, jobs), wanted, reached)


def _shelve(
    service: Service, archive: Archive, jobs: int, stale: Mapping[str, str]
) -> Iterator[tuple[str, ArchiveEntry, int]]:
    if jobs == 1 or len(stale) < MIN_GAMES_FOR_PROCESSES:
        yield from (_write_entry(service, archive, name, mark) for name, mark in stale.items())
        return
    put = partial(_put, service.settings.file, archive.folder)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as workers:
        yield from workers.map(put, stale.items(), chunksize=4)


def _put(file: Path, folder: Path, named: tuple[str, str]) -> tuple[str, ArchiveEntry, int]:
    """Write a game to the archive, in another process. named: the name and mark of the game."""
    service = _open_service(file)
    return _write_entry(service, archive_of(service, folder), *named)


def _write_entry(service: Service, archive: Archive, name: str, mark: str) -> tuple[str, ArchiveEntry, int]:
    with _garbage_collection_off():
        return archive.put(public_game(service, name), mark)


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Turn garbage collection off: before a game is written there is no garbage, and a search takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@cache
def _open_service(file: Path) -> Service:
    return open_service(load_settings(file))
