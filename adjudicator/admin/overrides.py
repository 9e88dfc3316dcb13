"""The GM's overrides of a game's course: edits, orders, dice and rollbacks. Each can be undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

import games
from adjudicator.admin.game_admin import (
    GAMESMASTER,
    check_forced_roll,
    edits_of,
    file_lines,
    next_rolls,
    override_to_undo,
    parse_edit,
    person_at,
    position_of,
    seat_of,
)
from adjudicator.auth.reply_tokens import reply_tokens_of_game
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.inbound.filing import FilingResult
from adjudicator.inbound.game_history import build_history, ends_year
from adjudicator.messages import sentence
from adjudicator.model.addresses import claims, short_seat_name
from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import (
    AdjudicationResult,
    AnyOverride,
    BoundEdition,
    DieForced,
    Edited,
    GamePosition,
    LogEntry,
    OrdersSet,
    RolledBack,
    Undone,
    VariantUpdated,
)
from adjudicator.model.mail import LetterDraft, OutgoingMessage
from adjudicator.model.orders_on_file import Item, pack_items, unpack_items, write_item
from adjudicator.outbound import composer, turn_commit
from adjudicator.reports.maps import Drawing
from adjudicator.reports.messages import dispatches, lapsed_proposal
from adjudicator.reports.report import Report, compile_report, opening_report
from adjudicator.service import Service
from adjudicator.storage import bounces, inbox, stored_games
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.stored_games import END_ENTRY_KIND as AGREED
from adjudicator.storage.stored_games import SideEffects
from adjudicator.turns import runner
from adjudicator.turns.deadlines import next_deadline
from adjudicator.turns.log import (
    EntryOrigin,
    Past,
    before_turn,
    counting_entries,
    dice_number_after,
    override_entry,
    override_of,
    pending_dice,
    restore_orders,
    state_after,
    step_at,
    undoable_overrides,
)
from adjudicator.turns.runner import earlier_turns, recent_turns
from games.dice import commitment
from games.protocol import Game, Invalid, Seat, State
from games.record import plain, replace_fields
from orders.mail.letter import open_letter

MAX_OVERRIDE_ATTEMPTS = 5
"""The number of attempts if an email or a turn changes the game in the meantime."""

ROLLBACK_PARAGRAPHS = (
    "Your orders for it are restored, and you can change them. "
    "The turn is suspended until the GM resumes it.",
)
"""The notice to players about a rolled back turn."""


@dataclass(frozen=True)
class OverrideReason:
    """The reason for an override.

    silent: whether the next report leaves the override out. by: the name of its author.
    """

    why: str
    silent: bool = False
    by: str = GAMESMASTER


@dataclass(frozen=True)
class OverrideOutcome:
    """The outcome of an override: the log entry, and the game after it."""

    entry: LogEntry
    override: AnyOverride
    after: GamePosition


def edit(service: Service, name: str, text: str, warrant: OverrideReason) -> OverrideOutcome:
    """Edit the state of a game as a text in the words of that game says."""

    def change(context: "_GameWithLog") -> "_PlannedChange":
        edits = edits_of(context.game)
        asked = parse_edit(edits, context.position.state, text)
        override = Edited(silent=warrant.silent, edit=plain(asked), text=edits.write(asked))
        return _PlannedChange(override, replace(context.position, state=context.state_after(override)))

    return _apply_override(service, name, warrant, change)


def undo(service: Service, name: str, number: int | None, warrant: OverrideReason) -> OverrideOutcome:
    """Undo an override of the current turn, the latest by default."""

    def change(context: "_GameWithLog") -> "_PlannedChange":
        entry = override_to_undo(name, undoable_overrides(context.entries), number)
        back = override_of(entry)
        # A rollback can't be undone here: the players have had a notice of it.
        silent = warrant.silent and not isinstance(back, RolledBack)
        override = Undone(silent=silent, number=entry.number)
        position = replace(context.position, state=context.state_after(override))
        if isinstance(back, OrdersSet):
            position = _filed_again(context.game, position, back)
        if isinstance(back, RolledBack):
            _refuse_agreed_end(context, entry)
            filed = {
                Seat(seat): unpack_items(context.game.order_type, items)
                for seat, items in back.before.items()
            }
            position = _due_again(context, position, warrant, filed)
        return _PlannedChange(override, position)

    return _apply_override(service, name, warrant, change)


def rollback(
    service: Service, name: str, turn: str, warrant: OverrideReason, *, tell: bool = True
) -> OverrideOutcome:
    """Roll a game back to the deadline of an earlier turn, and restore the players' orders for it.

    The turn is on hold and gets its full time. tell: whether players get a notice.
    """

    def change(context: "_GameWithLog") -> "_PlannedChange":
        turn_found = before_turn(context.entries, turn)
        if turn_found is None:
            played = [entry.turn for entry in counting_entries(context.entries) if entry.kind == "turn"]
            instead = f"Turns so far: {', '.join(played)}" if played else "No turn has run yet"
            raise Refusal(f'Game {name} has no turn "{turn}"', "", instead)
        to, turns = turn_found
        before = {str(seat): pack_items(items) for seat, items in context.position.filed.items()}
        override = RolledBack(silent=warrant.silent, to=to, before=before)
        state = context.state_after(override)
        if misfits := context.game.rules.misfits(state):
            raise Refusal(
                f"Can't roll game {name} back to {turn}",
                f"its variant has changed since, and has no place for {', '.join(misfits)}",
                "Choose a later turn",
            )
        position = replace(context.position, state=state)
        filed = restore_orders(context.game, context.position, state, turns)
        return _PlannedChange(override, _due_again(context, position, warrant, filed), letters)

    def letters(after: GamePosition, now: Millis) -> list[OutgoingMessage]:
        turn_name = after.game.rules.turn(after.state).name
        headline = f"The GM has rolled the game back to {turn_name}: {warrant.why}"
        people = [assignment for assignment in after.assignments.values() if assignment.is_person]
        return (
            [
                service.composer.position_report(after, player, headline, now, ROLLBACK_PARAGRAPHS)
                for player in people
            ]
            if tell
            else []
        )

    return _apply_override(service, name, warrant, change, over_too=True)


def update_variant(service: Service, name: str, warrant: OverrideReason) -> OverrideOutcome:
    """Move a game to the edition of its variant that is installed. Its players get a notice.

    Refused if something of the game would have no place there.
    """

    def change(context: "_GameWithLog") -> "_PlannedChange":
        position = context.position
        installed = games.kinds().get(position.kind)
        edition = installed.edition if installed is not None else None
        if installed is None:
            raise Refusal(
                f"Can't update the variant of game {name}",
                f'no variant called "{position.kind}" can be played now',
                'Use "gm doctor" to see why',
            )
        if edition is None or context.game.edition is None or edition.sha == context.game.edition.sha:
            raise Refusal(
                f"Can't update the variant of game {name}",
                "it is played by the rules that are installed",
                "Change the files of the variant first",
            )
        if misfits := _misfits(context, installed):
            raise Refusal(
                f"Can't update the variant of game {name}",
                f"the new edition has no place for {', '.join(misfits)}",
                "Put them back into the files of the variant, or let this game end by its own edition",
            )
        since = position.entries
        editions = (*position.editions, BoundEdition(since=since, sha=edition.sha))
        override = VariantUpdated(silent=warrant.silent, before=context.game.edition.sha, sha=edition.sha)
        return _PlannedChange(override, replace(position, editions=editions), letters)

    def letters(after: GamePosition, now: Millis) -> list[OutgoingMessage]:
        headline = sentence("reports.by_hand.edition", title=after.game.about.title, why=warrant.why)
        people = [assignment for assignment in after.assignments.values() if assignment.is_person]
        return [service.composer.position_report(after, player, headline, now) for player in people]

    return _apply_override(service, name, warrant, change)


def _misfits(context: "_GameWithLog", installed: Game) -> tuple[str, ...]:
    """Return what another edition lacks: things of the position, and any name of the board until now."""
    state, before = context.position.state, context.game
    options = context.position.options
    seats = set(before.about.seats(options)) - set(installed.about.seats(options))
    if lacking := (*sorted(seats), *installed.rules.misfits(state)):
        return lacking
    ids = {entry.id for entry in installed.notation.lexicon(installed.rules.view(state, None))}
    known = before.notation.lexicon(before.rules.view(state, None))
    return tuple(dict.fromkeys(entry.names[0] for entry in known if entry.id not in ids))


def force(
    service: Service,
    name: str,
    label: str,
    numbers: tuple[int, ...],
    warrant: OverrideReason,
    *,
    blindly: bool,
) -> OverrideOutcome:
    """Set the result of the next roll with a label.

    blindly: accept a label that the saved orders don't lead to, so that nothing can be checked.
    """

    def change(context: "_GameWithLog") -> "_PlannedChange":
        override = DieForced(silent=warrant.silent, label=label, numbers=numbers)
        throws = next_rolls(service.repository, context.game, context.position, context.now)
        known = context.game.throws(context.position.options) if context.game.throws else None
        check_forced_roll(override, throws, known, blindly=blindly)
        return _PlannedChange(override, context.position)

    return _apply_override(service, name, warrant, change)


def set_orders(
    service: Service,
    name: str,
    seat: str,
    lines: Sequence[str],
    warrant: OverrideReason,
    *,
    afresh: bool = False,
) -> tuple[FilingResult, OverrideOutcome | None]:
    """Read orders as if a seat had sent them in time, and save the legal ones beside its saved orders.

    afresh: replace the orders that were saved before. Also returns the result of each line. Does nothing if
    no line is saved, or if the lines change nothing.
    """
    filed: list[FilingResult] = []

    def change(context: "_GameWithLog") -> "_PlannedChange":
        position = context.position
        at = person_at(position, seat)
        on_file = position.filed.get(at, ())
        seated = AuthenticatedSeat(position, at, GAMESMASTER)
        fresh = file_lines(service.repository, context.game, seated, lines, () if afresh else on_file)
        filed[:] = [fresh]
        is_vain = bool(lines) and not any(row.in_force for row in fresh.rows)
        if is_vain or fresh.orders == on_file:
            raise _UnchangedError
        override = OrdersSet(
            silent=warrant.silent,
            seat=at,
            before=pack_items(on_file),
            orders=pack_items(fresh.orders),
            texts=tuple(write_item(context.game, item) for item in fresh.orders),
        )
        return _PlannedChange(override, _replace_filed_orders(position, at, fresh.orders))

    try:
        done = _apply_override(service, name, warrant, change)
    except _UnchangedError:
        return filed[0], None
    return filed[0], done


def entries_of(service: Service, name: str) -> tuple[LogEntry, ...]:
    """Return the log of a game."""
    return tuple(entry for entry, _ in stored_games.log(service.database, name))


class _UnchangedError(Exception):
    """Raised if a change has no effect on the game."""


@dataclass(frozen=True)
class _GameWithLog:
    """A game to change: its position, and its log."""

    game: Game
    position: GamePosition
    log: Sequence[tuple[LogEntry, bytes]]
    now: Millis

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        return tuple(entry for entry, _ in self.log)

    def state_after(self, override: AnyOverride) -> State:
        past: Past = [(entry, self.game.state_from(state)) for entry, state in self.log]
        return state_after(self.game, override, past)


@dataclass(frozen=True)
class _PlannedChange:
    """A planned change: the new position, its override, and the emails to send once it is stored."""

    override: AnyOverride
    position: GamePosition
    letters: Callable[[GamePosition, Millis], list[OutgoingMessage]] = lambda _after, _now: []


def _apply_override(
    service: Service,
    name: str,
    warrant: OverrideReason,
    change: Callable[[_GameWithLog], _PlannedChange],
    *,
    over_too: bool = False,
) -> OverrideOutcome:
    """Change a game by an override and log it. Tries again if the game changes meanwhile.

    over_too: allows a finished game, which then continues.
    """
    for _ in range(MAX_OVERRIDE_ATTEMPTS):
        position, now = position_of(service, name), service.clock.now()
        if position.status == "finished" and not over_too:
            raise Refusal(
                f"Can't change game {name}",
                "the game is over",
                f'Use "gm game show {name}" to see how it ended',
            )
        game = position.game
        log = stored_games.log(service.database, name)
        try:
            changed = change(_GameWithLog(game, position, log, now))
            override, after = changed.override, changed.position
            why = reply_tokens_of_game(name, service.repository, service.service_context).redact(warrant.why)
            link = EntryOrigin.next_of(position, now, warrant.by, why)
            entry = override_entry(after.game, override, after.state, link)
            entries = [*(logged_entry for logged_entry, _ in log), entry]
            over = after.game.rules.result(after.state) is not None
            after = replace(
                after,
                status="finished" if over else "running",
                deadline=None if over else after.deadline,
                entries=entry.number + 1,
                rev=position.rev + 1,
                head_sha=entry.sha,
                by_hand=len(entries) - dice_number_after(entries),
                forced=pending_dice(entries),
                played=sum(other.kind == "turn" for other in counting_entries(entries)),
            )
            side_effects = SideEffects(now, changed.letters(after, now))
            stored_games.amend(service.database, position, after, entry, side_effects)
        except Invalid as fault:
            raise Refusal(fault.what, fault.why, fault.instead) from fault
        except WriteConflict:
            continue
        return OverrideOutcome(entry, override, after)
    raise Refusal(f"Can't change game {name}", "emails keep coming in", "Try again")


def _refuse_agreed_end(context: _GameWithLog, entry: LogEntry) -> None:
    """Raise Refusal for an agreed end: the rules can't restore it, only another agreement can."""
    before = next(other for other in reversed(context.entries) if other.number < entry.number)
    if before.kind == AGREED:
        name = context.position.name
        raise Refusal(
            f"Can't undo this in game {name}",
            "the GM had ended the game before it was rolled back",
            f'Use "gm game end {name}" to end it again',
        )


def _filed_again(game: Game, position: GamePosition, back: OrdersSet) -> GamePosition:
    if pack_items(position.filed.get(back.seat, ())) != back.orders:
        raise Invalid(
            f"Can't undo the orders of {back.seat}",
            "they have changed again since",
            f'Use "gm orders set {position.name} {back.seat} ORDERS --afresh" to replace them',
        )
    return _replace_filed_orders(position, back.seat, unpack_items(game.order_type, back.before))


def _replace_filed_orders(position: GamePosition, seat: Seat, items: tuple[Item, ...]) -> GamePosition:
    others = {other: some for other, some in position.filed.items() if other != seat}
    return replace(position, filed={**others, seat: items} if items else others)


def _due_again(
    context: _GameWithLog,
    position: GamePosition,
    warrant: OverrideReason,
    filed: dict[Seat, tuple[Item, ...]],
) -> GamePosition:
    """Return the game with its turn restarted and on hold until the GM resumes it."""
    kind = context.game.rules.turn(position.state).kind
    deadline = next_deadline(position, kind, context.now)
    stop = Stop(kind="hold", since=context.now, left=deadline - context.now, by=warrant.by, why=warrant.why)
    rest = position.timing.rest
    return replace(
        position,
        filed=filed,
        assignments={
            seat: replace_fields(assignment, wait=False, ready=False)
            for seat, assignment in position.assignments.items()
        },
        deadline=deadline,
        timing=Timing(
            first=deadline,
            stop=stop,
            lapses=position.timing.lapses,
            loans=position.timing.loans,
            rest=rest,
        ),
    )


# `gm report` and channels replay the turns of a game from its log.


Log = Sequence[tuple[LogEntry, bytes]]


def replayed_turns(
    service: Service, position: GamePosition, turn: str | None = None
) -> AdjudicationResult | None:
    """Return the turns that ran at the last deadline of a game, or a turn by its short name (``S1M``).

    Returns None if no turn has run and none is named. Leaves out the rejected orders: only their player could
    read them. Raises Refusal for a turn that hasn't run.
    """
    game = position.game
    log = stored_games.log(service.database, position.name)
    played = [place for place, (entry, _) in enumerate(log) if entry.kind == "turn"]
    if turn is None:
        # The last turn that ran, with those that ran at the same deadline.
        places = [place for place in played if log[place][0].at == log[played[-1]][0].at]
        return _replay(game, position, log, places, last=True) if places else None
    named = [place for place in played if log[place][0].turn.lower() == turn.lower()]
    if not named:
        turns = ", ".join(log[place][0].turn for place in played)
        raise Refusal(f'Game {position.name} has no turn "{turn}"', "", f"Turns so far: {turns or 'none'}")
    return _replay(game, position, log, named[-1:], last=named[-1] == played[-1])


def report_of(
    service: Service, position: GamePosition, played: AdjudicationResult | None, viewer: Seat | None
) -> Report:
    """Return a viewer's report of the turns from `replayed_turns`, or of the opening if that is None."""
    game = position.game
    seal = commitment(position.secret)
    if played is None:
        return opening_report(game, position, viewer, commitment=seal, now=service.clock.now())
    visible = dispatches(service.repository.people, position.name, played, viewer)
    # Proposals of the current turn lapse with it.
    press = tuple(dispatch for dispatch in visible if dispatch is not lapsed_proposal())
    tells_history = ends_year(game, played)
    log = stored_games.log(service.database, position.name) if tells_history else ()
    course = build_history(game, position, log, played) if tells_history else None
    latest = partial(service.repository.latest, position.name)
    return compile_report(
        game,
        position,
        played,
        viewer,
        commitment=seal,
        press=press,
        history=course,
        earlier=earlier_turns(game, position, latest, played.steps[0].entry.number),
    )


def map_of(position: GamePosition, played: AdjudicationResult | None, viewer: Seat | None) -> Drawing | None:
    """Return the map for that report, or None if the game has no map."""
    game = position.game
    if played is None:
        return composer.draw_map(game, position.state, (), viewer)
    events = tuple(event for step in played.steps for event in step.events)
    caption = composer.map_caption(played.steps)
    return composer.draw_map(game, played.state, events, viewer, caption)


def _replay(
    game: Game, position: GamePosition, log: Log, places: Sequence[int], *, last: bool
) -> AdjudicationResult:
    state = position.state if last else game.state_from(log[places[-1]][1])
    return AdjudicationResult(
        steps=tuple(step_at(game, position, log, place) for place in places),
        state=state,
        filed=position.filed if last else {},
        due=game.rules.due(state),
        result=game.rules.result(state),
        deadline=position.deadline if last else None,
    )


# Entries of the log in words, and the turn that would run now.


_SHOWN_DIGITS = 8
"""The digits of an edition's digest that a table shows."""


def describe_entry(entry: LogEntry) -> str:
    """Return a short description of an entry of the log, for the GM. It may tell orders."""
    override = override_of(entry)
    if override is not None:
        return _describe_override(override)
    bound = f", by edition {entry.variant[:_SHOWN_DIGITS]} of its variant" if entry.variant else ""
    if entry.kind == "setup":
        return f"begun{bound}"
    if entry.kind != "turn":
        return ", ".join(f"{key}={value}" for key, value in entry.options.items())
    silent = f", none from {', '.join(entry.silent)}" if entry.silent else ""
    thrown = f", {len(entry.throws)} rolls" if entry.throws else ""
    return f"{sum(len(orders) for orders in entry.orders.values())} orders{silent}{thrown}{bound}"


def _describe_override(override: AnyOverride) -> str:
    if isinstance(override, Edited):
        return override.text
    if isinstance(override, Undone):
        return f"entry {override.number} undone"
    if isinstance(override, RolledBack):
        return f"rolled back to entry {override.to}"
    if isinstance(override, DieForced):
        return f"{override.label} = {', '.join(map(str, override.numbers))}"
    if isinstance(override, OrdersSet):
        return f"{override.seat}: {', '.join(override.texts) or 'no saved orders'}"
    if isinstance(override, VariantUpdated):
        before, after = override.before[:_SHOWN_DIGITS], override.sha[:_SHOWN_DIGITS]
        return f"edition {before} of its variant replaced by {after}"
    assert_never(override)


def preview(
    service: Service, name: str, seat: str | None = None
) -> tuple[AdjudicationResult, list[tuple[Seat | None, LetterDraft]]]:
    """Adjudicate a turn as it is now, without saving it. Also return the reports that would be sent.

    seat: only the report of this seat. Raises Refusal if the game is over or a bot plays the seat.
    """
    position = position_of(service, name)
    if not position.is_running:
        raise Refusal(
            f"Can't show a report of game {name}",
            "the game is over",
            f'Use "gm game show {name}" to see how it ended',
        )
    past = recent_turns(position.game, position, partial(service.repository.latest, name))
    awaited = set(turn_commit.waiting_emails(service.database, service.repository, position).values())
    background = runner.TurnBackground(
        press=service.repository.people.press(name), past=past, awaited=awaited
    )
    played = runner.play_turns(position.game, position, service.clock.now(), True, service.actor, background)
    assert played is not None, "no orders are missing"
    reports = service.composer.previews(position, played)
    if seat is not None:
        wanted = seat_of(position, seat)
        reports = [pair for pair in reports if pair[0] == wanted]
        if not reports:
            raise Refusal(f"No report for {wanted}", "a bot plays it")
    return played, reports


# Quarantined emails are read again or discarded. Each function raises Refusal if that isn't possible.


def retry(service: Service, number: int, seat: str | None = None) -> ShownLetter:
    """Read a quarantined or ignored email again. Returns the new decision.

    seat: the seat that it speaks for, as SEAT or GAME/SEAT. With it, the headers needn't prove the sender,
    and an automatic message is read too.
    """
    shown = _unprocessed_letter(service, number)
    game, seat_meant = _seat(service, shown, seat) if seat else (None, None)
    if not inbox.reopen(service.database, number, game, seat_meant):
        raise _overtaken(number)
    service.read_now(number)
    return _there(service, number)


def drop(service: Service, number: int) -> ShownLetter:
    """Discard a quarantined or ignored email for good. The database keeps it."""
    _unprocessed_letter(service, number)
    if not inbox.drop(service.database, number, service.clock.now()):
        raise _overtaken(number)
    return _there(service, number)


def revive(service: Service, address: str) -> None:
    """Send emails again to a disabled address."""
    if not bounces.enable_address(service.database, address.strip().lower()):
        known = ", ".join(
            address_disabled.address for address_disabled in bounces.disabled_addresses(service.database)
        )
        instead = f"Disabled addresses: {known}" if known else "No address is disabled"
        raise Refusal(f"Can't re-enable {address}", "delivery to it isn't disabled", instead)


def _there(service: Service, number: int) -> ShownLetter:
    shown = inbox.show(service.database, number)
    if shown is None:
        raise Refusal(f"No incoming email {number}", "", 'Use "gm mail list" to see them')
    return shown


def _unprocessed_letter(service: Service, number: int) -> ShownLetter:
    shown = _there(service, number)
    if shown.disposition not in ("quarantined", "ignored"):
        state = "is waiting to be read" if shown.disposition is None else f"was {shown.disposition}"
        why = f"it {state}, and only quarantined or ignored emails can be retried or dropped"
        raise Refusal(
            f"Can't change email {number}",
            why,
            'Use "gm mail list --only quarantined" to see the quarantined emails',
        )
    return shown


def _seat(service: Service, shown: ShownLetter, text: str) -> tuple[str, Seat]:
    """Return the game and seat of a text. Without a game, the game of the email counts."""
    game, _, name = text.rpartition("/")
    letter = open_letter(shown.raw)
    named = {claim.game for claim in claims(letter.recipients, letter.subject, letter.thread)}
    seats = [
        (position.name, seat)
        for position in map(
            service.repository.position, [game.lower()] if game else service.repository.games()
        )
        if position is not None
        for seat in position.assignments
        if short_seat_name(seat) == short_seat_name(name)
    ]
    meant = [pair for pair in seats if pair[0] in named] or seats
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise Refusal(f'No seat called "{text}"', "", "Write it like --as beaver/iroquois")
    several = ", ".join(f"{game_name}/{short_seat_name(seat)}" for game_name, seat in meant)
    raise Refusal(f'"{text}" can mean a seat of several games', "", f"Use one of: {several}")


def _overtaken(number: int) -> Refusal:
    return Refusal(
        f"Can't change email {number}", "it was processed meanwhile", f'See "gm mail show {number}"'
    )
