"""The gamesmaster's requests, read and checked before they are carried out."""

import re
from collections.abc import Sequence
from functools import partial

from adjudicator.admin.game_admin import seat_of
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.clock import Millis
from adjudicator.errors import Refusal
from adjudicator.inbound.error_flag import LetterRemarks
from adjudicator.inbound.filing import FilingResult, file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.model.filed_orders import Item
from adjudicator.model.games import DiceRoll, GamePosition, LogEntry
from adjudicator.model.overrides import DieForced
from adjudicator.model.repository import Repository
from adjudicator.turns.lately import recent_turns
from adjudicator.turns.recorded_dice import can_show
from adjudicator.turns.runner import play_turns
from games.protocol import Edit, Edits, Game, Invalid, Seat, State, ThrowForm
from games.record import canonical
from orders.mail.body import FreshLine
from orders.reading.budget import unlimited_budget
from orders.reading.forms import NameRepair, compile_forms, match_text
from orders.reading.letter_reader import read_lines
from orders.reading.lexicon import index_lexicon as names_of

GAMESMASTER_HAND = "gm"
"""Who does what is done by hand."""


def edits_of(game: Game) -> Edits[State, Edit]:
    """Return what may be changed by hand in a kind of game. Raises Refusal where nothing can."""
    if game.edits is None:
        raise Refusal(f"kind {game.about.kind}", "nothing can be changed by hand in it")
    return game.edits


def parse_edit(edits: Edits[State, Edit], state: State, text: str) -> Edit:
    """Return the one change that a text asks for, in the words of a game. Raises Invalid.

    Nothing is guessed: a name that is only near is refused, with what it may be.
    """
    matches = match_text(text, compile_forms(tuple(edits.forms)), names_of(tuple(edits.lexicon(state))))
    built = {canonical(edit): edit for edit in (edits.build(state, m.form.name, m.slots) for m in matches)}
    repairs = [repair for form_match in matches for repair in form_match.repairs]
    if len(built) == 1 and not repairs:
        return next(iter(built.values()))
    if not built:
        examples = "; ".join(form.example for form in edits.forms[:3])
        raise Invalid(text, "is no change that this game knows", f"write it like:  {examples}")
    meant = "  or  ".join(edits.write(edit) for edit in built.values())
    why = "; ".join(dict.fromkeys(map(_unknown, repairs))) or "is not clear"
    raise Invalid(text, why, f"write one of these:  {meant}" if len(built) > 1 else f"write  {meant}")


def _unknown(repair: NameRepair) -> str:
    """Return what is wrong with a word that was nearly another."""
    if repair.term is None:
        return f"{repair.typed} is no word of a change"
    return f"no {repair.term.sort} is called {repair.typed}"


def to_undo(name: str, possible: Sequence[LogEntry], number: int | None) -> LogEntry:
    """Which of the overrides that can be taken back is meant, the latest if none is named. Raises Refusal."""
    if not possible:
        why = "nothing was done by hand since the last turn"
        raise Refusal(f"game {name}", why, f"to go back further:  gm game rollback {name} TURN")
    for entry in possible:
        if number in (None, entry.number):
            return entry
    numbers = ", ".join(str(entry.number) for entry in possible)
    raise Refusal(f"entry {number}", "cannot be taken back", f"can be: {numbers}; see  gm game log {name}")


def person_at(position: GamePosition, text: str) -> Seat:
    """The seat of a person by its name. Raises Refusal for another."""
    seat = seat_of(position, text)
    if not position.chairs[seat].is_person:
        raise Refusal(
            f"seat {seat}",
            "its bot orders for itself",
            f"give it to somebody:  gm seat assign {position.name} {seat.lower()} you@example.org",
        )
    return seat


def file_lines(
    books: Repository, game: Game, seated: AuthenticatedSeat, lines: Sequence[str], before: tuple[Item, ...]
) -> FilingResult:
    """Return what a seat would have on file after some lines, as if they were in time. Raises Invalid.

    Nothing is guessed: what an email would have corrected is refused, with what it may be.
    """
    fresh = [FreshLine(text=text) for text in lines]
    reading = read_lines(fresh, parse_context(game, seated, books), unlimited_budget())
    if reading.commands:
        raise Invalid(reading.commands[0].line, "is no order", "commands are for players, by mail")
    for row in reading.orders:
        if row.grade == "corrected":
            raise Invalid(row.line, row.problem or "is not clear", f"write  {row.said}")
    # As if it had come the moment the turn began: the gamesmaster is never late.
    return file_orders(
        game, seated, reading.orders, before, 0, remarks=LetterRemarks(ready=True, afresh=True)
    )


def next_rolls(books: Repository, game: Game, position: GamePosition, now: Millis) -> tuple[DiceRoll, ...]:
    """Return the dice that would be rolled if the next turn were processed now."""
    press = books.people.press(position.name)
    past = recent_turns(game, position, partial(books.latest, position.name))
    played = play_turns(game, position, now, ripe=True, press=press, past=past)
    return tuple(throw for step in played.steps for throw in step.entry.throws) if played else ()


def check_forced_roll(
    forced: DieForced, throws: Sequence[DiceRoll], known: Sequence[ThrowForm] | None, *, blindly: bool
) -> None:
    """Check that a label is among the next rolls, and could show the numbers wanted. Raises Invalid.

    known: the rolls that the rules of the game can make; None: nobody knows. blindly: the label need not be
    among the next ones, but among these.
    """
    label, numbers = forced.label, forced.numbers
    if not numbers or min(numbers) < 1:
        raise Invalid("numbers", "a throw shows numbers from 1 up", "write one number, or several like 3,1,2")
    throw = next((candidate for candidate in throws if candidate.label == label), None)
    if throw is not None and not can_show(throw.sides, len(throw.numbers), numbers):
        count = f"{len(throw.numbers)} different numbers" if len(throw.numbers) > 1 else "one number"
        raise Invalid(f"throw {label}", f"cannot show that; it shows {count} from 1 to {throw.sides}")
    if throw is None and known is not None:
        _check_known(forced, known)
    if throw is None and not blindly:
        labels = ", ".join(candidate.label for candidate in throws) or "none"
        why = "would not be thrown with the orders on file now"
        raise Invalid(f"throw {label}", why, f"would be: {labels}; with --yes it is set all the same")


def _check_known(forced: DieForced, known: Sequence[ThrowForm]) -> None:
    """See whether the rules of a game can ever make a throw of that label, and show that. Raises Invalid."""
    label, numbers = forced.label, forced.numbers
    form = next((one for one in known if re.fullmatch(one.label, label)), None)
    if form is None:
        examples = ", ".join(one.example for one in known)
        instead = f"its throws have labels like: {examples}" if known else "its rules throw no dice"
        raise Invalid(f"throw {label}", "no throw of this game is called that", instead)
    if not can_show(form.most, form.takes or len(numbers), numbers):
        count = "one number" if form.takes == 1 else "different numbers"
        raise Invalid(f"throw {label}", f"cannot show that; it shows {count} from 1 to {form.most} at most")
