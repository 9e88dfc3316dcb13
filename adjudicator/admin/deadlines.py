"""The GM's actions on a game's time: its settings, deadlines, holding, pausing and resuming."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from adjudicator.admin import forums
from adjudicator.admin.game_admin import position_of
from adjudicator.auth.private_games import read_customs
from adjudicator.clock import Millis, format_instant
from adjudicator.config.terms import (
    EARLY,
    MEANINGS,
    length_text,
    read_deadlines,
    sort_settings,
    write_deadlines,
    write_policy,
    yes_or_no,
)
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.deadlines import Stop
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import AnyPersonAction, GamePolicy, SetCustoms
from adjudicator.outbound.channels import ThreadWriter
from adjudicator.outbound.reminders import resume_clock, seats_due, start_clock, stop_clock, turn_of
from adjudicator.reports import times
from adjudicator.reports.times import Words
from adjudicator.service import Service
from adjudicator.storage import stored_games
from adjudicator.storage.stored_games import Minute, SideEffects
from adjudicator.turns.deadlines import calendar_of, zone_named

MAX_CLOCK_ATTEMPTS = 5
"""The number of attempts if an email or a turn changes the game in the meantime."""


@dataclass(frozen=True)
class ClockChange:
    """A change by the GM: the changed game, the entry for the minutes, and the notice to players, if any.

    name: the name of the notice among the game's emails. letters: further emails to send. person_actions: the
    changes in the repository of people.
    """

    after: GamePosition
    name: str
    what: str
    notice: tuple[str, Words] | None = None
    letters: tuple[OutgoingMessage, ...] = ()
    person_actions: tuple[AnyPersonAction, ...] = ()


def terms(service: Service, position: GamePosition) -> dict[str, str]:
    """Return the settings of a game by their keys, in the notation of `gm game set`."""
    return _settings_text(position, service.repository.people.policy(position.name))


def set_terms(service: Service, name: str, given: Mapping[str, str], why: str) -> GamePosition:
    """Change settings. They take effect at once, except that the deadline of the current turn stays."""
    times_said, customs_said, early_said = sort_settings(given)

    def measure(position: GamePosition, now: Millis) -> ClockChange:
        before = service.repository.people.policy(name)
        customs = read_customs(customs_said, before)
        early = position.early if early_said is None else early_said
        after = replace(position, deadlines=read_deadlines(times_said, position.deadlines), early=early)
        had = _settings_text(position, before)
        new = {key: text for key, text in _settings_text(after, customs).items() if text != had[key]}
        if not new:
            raise Refusal(
                f"Nothing to change in game {name}",
                "it already has these settings",
                f'Use "gm game terms {name}" to see them all',
            )
        what = "terms: " + ", ".join(f"{key}={text}" for key, text in new.items())
        person_actions = (
            (SetCustoms(by=service.actor, why=why, game=name, customs=customs),) if customs != before else ()
        )
        notice = times.new_settings_notice({MEANINGS[key]: f"{key}={text}" for key, text in new.items()}, why)
        moved = any(key in new for key in ("forum", "orders", "posters"))
        forums.check(service.service_context, position.game, customs)
        letters = ThreadWriter(service.composer, now).move_thread(after, customs) if moved else []
        return ClockChange(after, "terms", what, notice, tuple(letters), person_actions)

    return _take(service, name, why, measure)


def _settings_text(position: GamePosition, customs: GamePolicy) -> dict[str, str]:
    early = {EARLY: yes_or_no(position.early)}
    return {**write_deadlines(position.deadlines), **early, **write_policy(customs)}


def set_deadline(
    service: Service, name: str, at: Millis, why: str, *, earlier: bool = False, any_day: bool = False
) -> GamePosition:
    """Set the deadline of the current turn. Absences no longer move it, and a turn on hold continues.

    earlier: allows a deadline before the current one. any_day: allows a day without play.
    """

    def measure(position: GamePosition, now: Millis) -> ClockChange:
        zone = zone_named(position.deadlines.zone)
        _not_paused(position)
        _has_clock(position)
        if at <= now:
            raise Refusal(
                f"Can't set the deadline to {format_instant(at, zone)}",
                "that time has passed",
                f'Use "gm turn process {name}" to run the turn now',
            )
        before = position.deadline
        if before is not None and at < before and not earlier:
            relied = f"that is earlier than {format_instant(before, zone)}, which the players expect"
            raise Refusal(
                f"Can't set the deadline to {format_instant(at, zone)}",
                relied,
                "Add --earlier if you mean it",
            )
        calendar = calendar_of(position.deadlines)
        if not calendar.is_counted_at(at) and not any_day:
            better = format_instant(calendar.next_allowed(at), zone)
            raise Refusal(
                f"Can't set the deadline to {format_instant(at, zone)}",
                "it falls on a day that this game skips",
                f"Use {better}, or add --any-day if you mean it",
            )
        return _deadline_change(
            start_clock(position, at, now, by_hand=True), why, f"deadline {format_instant(at, zone)}"
        )

    return _take(service, name, why, measure)


def extend(service: Service, name: str, length: Millis, why: str) -> GamePosition:
    """Extend the current turn by a length of time, counted in days of play. A turn on hold continues."""

    def measure(position: GamePosition, now: Millis) -> ClockChange:
        _not_paused(position)
        _has_clock(position)
        stop = position.timing.stop
        start = max(now, position.deadline or 0)
        if stop is not None:
            start += stop.left
        at = calendar_of(position.deadlines).due(start, length)
        return _deadline_change(
            start_clock(position, at, now), why, f"deadline extended by {length_text(length)}"
        )

    return _take(service, name, why, measure)


def hold(service: Service, name: str, why: str) -> GamePosition:
    """Put the current turn on hold: it can't run until the GM resumes it."""
    return _stop(service, name, why, "hold")


def pause(service: Service, name: str, why: str) -> GamePosition:
    """Pause a game until the GM resumes it, and save the remaining time of its turn."""
    return _stop(service, name, why, "pause")


def resume(service: Service, name: str, why: str) -> GamePosition:
    """Resume a paused game or a turn on hold, with the time that was left, or a day.

    A game whose log fails verification continues from its current state if a reason is given.
    """
    position_found = position_of(service, name)
    if position_found.is_mail_deferred and not why:
        raise Refusal(
            f"Can't resume game {name}",
            "it is suspended because its log failed verification",
            "Give a reason to resume it: --why TEXT",
        )
    if position_found.is_mail_deferred:
        now, what = service.clock.now(), "resumed, though its log failed verification"
        service.suspended_games.resume(position_found, now)
        with service.database.writing():
            stored_games.note(
                service.database, Minute(game=name, at=now, by=service.actor, what=what, why=why)
            )
        return position_of(service, name)

    def measure(position: GamePosition, now: Millis) -> ClockChange:
        stop = position.timing.stop
        if stop is None:
            raise Refusal(f"Can't resume game {name}", "it is neither paused nor suspended")
        turn, after = turn_of(position), resume_clock(position, now)
        notice = times.resume_notice(turn, after.deadline, why, seats_due(after))
        what = "resumed" if stop.kind == "pause" else f"{turn.short}: resumed"
        return ClockChange(after, "resumed", what, notice)

    return _take(service, name, why, measure)


def go_on_all(service: Service, why: str) -> tuple[GamePosition, ...]:
    """Resume every game that a restore has paused, except those paused or resumed by hand since then."""
    stopped = []
    for name in service.repository.running_games():
        position, mark = service.repository.position(name), service.repository.restore_mark(name)
        stop = None if position is None else position.timing.stop
        if stop is not None and mark is not None and stop.since == mark.stopped:
            stopped.append(name)
    if not stopped:
        raise Refusal(
            "Nothing to resume with --all",
            "no game is paused by a restore",
            'Use "gm game resume NAME" for another game',
        )
    return tuple(resume(service, name, why) for name in stopped)


def _stop(service: Service, name: str, why: str, kind: Literal["pause", "hold"]) -> GamePosition:
    def measure(position: GamePosition, now: Millis) -> ClockChange:
        before = position.timing.stop
        if before is not None and (before.kind == kind or before.kind == "pause"):
            already = "paused" if before.kind == "pause" else "on hold"
            raise Refusal(
                f"Can't stop game {name}",
                f"it is already {already}",
                f'Use "gm game resume {name}" to continue it',
            )
        time_left = before.left if before else max(0, (position.deadline or now) - now)
        stop = Stop(kind=kind, since=now, left=time_left, by=service.actor, why=why)
        turn = turn_of(position)
        what = "paused" if kind == "pause" else f"{turn.short}: on hold"
        return ClockChange(stop_clock(position, stop), kind, what, times.stop_notice(turn, stop))

    return _take(service, name, why, measure)


def _take(
    service: Service, name: str, why: str, decide: Callable[[GamePosition, Millis], ClockChange]
) -> GamePosition:
    """Carry out a decision on the current state of a game. Decides again if the game changes meanwhile."""
    for _ in range(MAX_CLOCK_ATTEMPTS):
        position, now = position_of(service, name), service.clock.now()
        if not position.is_running:
            raise Refusal(f"Can't change game {name}", "the game is over")
        done = decide(position, now)
        clock = service.clock_actions
        sealed = clock.notify_all(done.after, done.name, done.notice, now) if done.notice else []
        side_effects = SideEffects(now, [*sealed, *done.letters], done.person_actions)
        minute = Minute(game=name, at=now, by=service.actor, what=done.what, why=why)
        try:
            stored_games.change(service.database, position, done.after, minute, side_effects)
        except WriteConflict:
            continue
        return position_of(service, name)
    raise Refusal(f"Can't change game {name}", "other changes came in first, again and again", "Try again")


def _not_paused(position: GamePosition) -> None:
    stop = position.timing.stop
    if stop is not None and stop.kind == "pause":
        name = position.name
        raise Refusal(f"Can't change game {name}", "it is paused", f'Use "gm game resume {name}" first')


def _has_clock(position: GamePosition) -> None:
    if is_solo(position):
        name = position.name
        raise Refusal(
            f"Game {name} has no deadline",
            "it is a solo game and waits for its player",
            f'Use "gm game terms {name} solo=clock" to give it one',
        )


def _deadline_change(after: GamePosition, why: str, what: str) -> ClockChange:
    assert after.deadline is not None, "it was just set"
    turn = turn_of(after)
    return ClockChange(
        after, "moved", f"{turn.short}: {what}", times.new_deadline_notice(turn, after.deadline, why)
    )
