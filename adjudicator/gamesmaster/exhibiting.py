"""Games for the archive: out of the books what all may know, and not a word more.

Whatever leaves this module is a spectator's view, a public event, or the public log (`publishing`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import quote

import games
from adjudicator.catalogue import sentence
from adjudicator.clock import moment
from adjudicator.gamesmaster import document, foreign_formats, transfers
from adjudicator.gamesmaster.document import Export
from adjudicator.gamesmaster.looking import position_of
from adjudicator.gamesmaster.publishing import for_all
from adjudicator.house import House
from adjudicator.ledger import overrides, seals
from adjudicator.ledger.overrides import DieForced
from adjudicator.ledger.positions import Entry, Position, Step, outcome_of
from adjudicator.ledger.society import Customs, Press
from adjudicator.order_page.enclosing import open_order_page, sheet_name
from adjudicator.referee.edits import cast, line
from adjudicator.referee.lately import Log
from adjudicator.referee.log import step_at
from adjudicator.reports.by_hand import telling
from adjudicator.signs.redaction import redacted
from adjudicator.site.exhibits import (
    Cast,
    Dispatch,
    Download,
    Exhibit,
    Leaf,
    Link,
    Seal,
    Sitter,
    Volume,
    Wanted,
)
from adjudicator.store import games as book_of_games
from adjudicator.store import marks as store_marks
from games.dice import commitment
from games.protocol import Event, Game, Seat, State
from games.protocol.optional import Sociable
from games.record import changed

_Asked = Callable[[], Step]
"""A turn, played again when it is asked for."""


def exhibit(house: House, name: str, *, files: bool = True) -> Exhibit:
    """A game as all may know it. files: with what can be taken away."""
    with house.database.reading():
        whole = transfers.export(house, name)
        position = position_of(house, name)
        log = book_of_games.log(house.database, name)
    game = games.kinds()[position.kind]
    over = not position.running
    public = for_all(_dated(whole)) if over or not game.about.hidden else None
    view = game.rules.view
    steps = _steps(game, position, log)
    is_shown = files and public is not None
    return Exhibit(
        game=game,
        name=name,
        began=log[0][0].at,
        opening=view(game.state_from(log[0][1]), None),
        leaves=_leaves(game, position, log, steps, over),
        seats=_sitters(house, position, whole.customs),
        press=_press(whole.press),
        seal=_seal(position, public),
        due=None if over else game.rules.turn(position.state),
        deadline=None if over else position.deadline,
        stopped=position.timing.stop.kind if position.timing.stop is not None and not over else "",
        result=outcome_of(game, position),
        survivors=_survivors(game, position) if over else (),
        anonymous=whole.customs.anonymous,
        downloads=_downloads(public) if files else (),
        volumes=tuple(_volumes(game, position, [*steps.values()])) if is_shown else (),
        sheets=tuple(_sheets(house, position)) if is_shown and not over else (),
    )


def marks(house: House) -> Mapping[str, str | None]:
    """What changes whenever there is more to show of a game, by name; None where it cannot be shown now."""
    return store_marks.marks(house.database, games.kinds())


def wanted(house: House) -> tuple[Wanted, ...]:
    """The games that wait for players, and those in which a seat is free."""
    society, known = house.books.society, games.kinds()
    found = [
        Wanted(
            name=offer.name,
            kind=offer.kind,
            title=known[offer.kind].about.title,
            needed=offer.needed,
            signed=len(society.signups(offer.name)),
            join=_join(house, offer.name),
        )
        for offer in society.offers()
        if offer.kind in known
    ]
    for name, (kind, free) in store_marks.vacancies(house.database).items():
        if kind in known:
            title = known[kind].about.title
            join = _join(house, name)
            found.append(Wanted(name, kind, title, len(free), 0, join, tuple(free)))
    return tuple(found)


def _join(house: House, name: str) -> str:
    """A letter that signs up for a game, as a link opens it."""
    said = quote(f"JOIN {name}")
    return f"mailto:{house.office.address}?subject={said}&body={said}"


def _dated(whole: Export) -> Export:
    """A document of the time of its last entry, whenever somebody looks: the same log, the same bytes."""
    last = max(one.entry.at for one in whole.log)
    return changed(whole, written=moment(last).isoformat(timespec="seconds"))


def _steps(game: Game, position: Position, log: Log) -> Mapping[int, _Asked]:
    """The turns that count, by the numbers of their entries: each played again when it is first asked for."""
    counting = {entry.number for entry in line([entry for entry, _ in log])}
    return {
        entry.number: cache(partial(step_at, game, position, log, place))
        for place, (entry, _) in enumerate(log)
        if entry.kind == "turn" and entry.number in counting
    }


def _leaves(
    game: Game, position: Position, log: Log, steps: Mapping[int, _Asked], over: bool
) -> tuple[Leaf, ...]:
    counting = {entry.number for entry in line([entry for entry, _ in log])}
    states = [game.state_from(written) for _, written in log]
    seats = tuple(position.chairs)
    found: list[Leaf] = []
    by_hand: list[Entry] = []
    for place, (entry, _) in enumerate(log):
        if entry.number not in counting:
            continue
        if entry.kind == "turn":
            played = _Played(entry, states[place - 1], states[place], steps[entry.number])
            found.append(_leaf(game, played, by_hand, seats, over=over))
            by_hand = []
        else:
            by_hand.append(entry)
    return tuple(found)


@dataclass(frozen=True)
class _Played:
    """A turn of the log. step: asked for what happened in it, which takes playing it again."""

    entry: Entry
    before: State
    after: State
    step: _Asked


def _leaf(
    game: Game, played: _Played, by_hand: Sequence[Entry], seats: Sequence[Seat], *, over: bool
) -> Leaf:
    view, entry = game.rules.view, played.entry
    return Leaf(
        number=entry.number,
        at=entry.at,
        turn=game.rules.turn(played.before),
        sign=entry.sha,
        before=view(played.before, None),
        view=view(played.after, None),
        tell=partial(_told, played.step, over),
        silent=entry.silent,
        throws=tuple(
            Cast(one.label, one.sides, one.numbers, one.forced)
            for one in entry.throws
            if not one.is_bots and (over or not game.about.hidden)
        ),
        reasons={Seat(seat): why for seat, why in entry.reasons.items()} if over else {},
        by_hand=tuple(_by_hand(game, by_hand, over)),
        hands={seat: view(played.after, seat) for seat in seats} if over and game.about.hidden else {},
    )


def _told(step: _Asked, over: bool) -> tuple[Event, ...]:
    """What all may know of what happened."""
    return tuple(event for event in step().events if over or event.seen_by is None)


def _by_hand(game: Game, entries: Sequence[Entry], over: bool) -> Iterator[str]:
    """What a gamesmaster did before a turn, without his reasons. A die that is set may be yet to fall."""
    for entry in entries:
        override = overrides.read(entry.kind, entry.options)
        if override is None or override.silent or (isinstance(override, DieForced) and not over):
            continue
        yield redacted(telling(game, override, None))


def _sitters(house: House, position: Position, customs: Customs) -> tuple[Sitter, ...]:
    """Who sits where. People are named who have agreed to it, and nobody in an anonymous game that lasts."""
    hides = customs.anonymous and position.running
    known = {} if hides else {one.address: one.name for one in store_marks.named(house.database)}
    return tuple(
        Sitter(
            seat,
            bot="" if one.is_person else one.bot or "bot",
            name=known.get(one.address) if one.address else None,
            missed=one.missed,
        )
        for seat, one in position.chairs.items()
    )


def _press(written: Sequence[Press]) -> tuple[Dispatch, ...]:
    """What was written to all, under the signatures that all have read."""
    open_to_all = sorted((one for one in written if one.to is None), key=lambda one: one.at)
    return tuple(Dispatch(one.turn, one.heading, redacted(one.text)) for one in open_to_all)


def _seal(position: Position, public: Export | None) -> Seal:
    """What proves the log: of a game that hides something, no more than the seal until it is over."""
    if public is None:
        return Seal(commitment(position.secret))
    entries = public.entries
    links = tuple(_link(one, cast(entries[:place])) for place, one in enumerate(entries))
    return Seal(public.commitment, public.secret, links)


def _link(entry: Entry, number: int) -> Link:
    salts = entry.salts if isinstance(entry.salts, dict) else {}
    parts = {name: seals.covered(name, salt, entry.part(name)).decode() for name, salt in salts.items()}
    text = None if isinstance(entry.recorded, str) else entry.hashed.decode()
    return Link(entry.turn, entry.sha, text, number, parts)


def _survivors(game: Game, position: Position) -> tuple[Seat, ...]:
    return game.rules.survivors(position.state) if isinstance(game.rules, Sociable) else ()


def _sheets(house: House, position: Position) -> Iterator[Download]:
    """The pages on which people order what is due, for whoever reads them: nothing on file stands in them."""
    if not house.office.site_url:
        return
    for chair in position.chairs.values():
        page = open_order_page(position, chair.seat) if chair.is_person else None
        if page is not None:
            yield Download(sheet_name(chair.seat), str(chair.seat), page)


def _downloads(public: Export | None) -> tuple[Download, ...]:
    """The log to take away: of a game that hides something not until it is over."""
    if public is None:
        return ()
    return (Download("log.json", sentence("house.site.log"), document.written(public)),)


def _volumes(game: Game, position: Position, steps: Sequence[_Asked]) -> Iterator[Volume]:
    """The game as other programs keep it."""
    for form, pieces in foreign_formats.in_pieces(game, position.name, steps):
        assert game.exchange is not None, "it has formats"
        yield Volume(
            name=f"{form}.{game.exchange.suffix(form)}",
            words=sentence("house.site.other_program", form=form),
            pieces=pieces,
            bound=partial(game.exchange.bound, form, position.name, position.state),
        )
