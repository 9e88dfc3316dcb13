"""A game with its log in memory, changed by overrides and by its rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from adjudicator.model.games import AnyOverride, Edited, GamePosition, LogEntry
from adjudicator.turns.log import (
    EntryOrigin,
    counting_entries,
    dice_number_after,
    override_entry,
    pending_dice,
    replay,
    set_up,
    state_after,
)
from adjudicator.turns.runner import play_turns, position_after
from games.protocol import Game, OptionValue
from games.record import canonical, load, plain
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names_of
from tests.kit.memory_repository import NOON, SECRET, game_of, new_position


@dataclass
class EditedGame:
    """A game of the toy with its log."""

    position: GamePosition
    log: list[tuple[LogEntry, bytes]] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return game_of(self.position)

    @property
    def entries(self) -> list[LogEntry]:
        return [entry for entry, _ in self.log]

    def turn(self) -> None:
        """Play one step, and any steps that follow at once."""
        done = play_turns(self.game, self.position, NOON, ripe=True)
        assert done is not None
        self.log += [(step.entry, canonical(step.after)) for step in done.steps]
        self.position = position_after(self.position, done)

    def do(self, override: AnyOverride) -> LogEntry:
        """Apply an override."""
        past = [(entry, load(self.game.state_type, state)) for entry, state in self.log]
        state = state_after(self.game, override, past)
        entry = override_entry(
            self.game, override, state, EntryOrigin.next_of(self.position, NOON, "gm", "a test")
        )
        self.log.append((entry, canonical(state)))
        self.position = replace(
            self.position,
            state=state,
            entries=entry.number + 1,
            head_sha=entry.sha,
            by_hand=len(self.log) - dice_number_after(self.entries),
            forced=pending_dice(self.entries),
            played=sum(one.kind == "turn" for one in counting_entries(self.entries)),
        )
        return entry

    def edit(self, text: str) -> LogEntry:
        """Apply an edit in the words of the game."""
        return self.do(edit_of(self.game, self.position.state, text))

    def proved(self) -> str | None:
        """Return the fault that a replay finds, or None."""
        return replay(self.game, "demo", SECRET, self.log, self.position.head_sha).fault


def edit_of(game: Game, state: Any, text: str) -> Edited:
    """Return the edit in a text."""
    assert game.edits is not None
    (found,) = match_text(text, compile_forms(tuple(game.edits.forms)), names_of(game.edits.lexicon(state)))
    edit = game.edits.build(state, found.form.name, found.slots)
    return Edited(edit=plain(edit), text=game.edits.write(edit))


def began(kind: str, options: Mapping[str, OptionValue] | None = None) -> EditedGame:
    """Return a game of a kind that has just started, with bots on all seats."""
    position = new_position(kind, options=options)
    entry, state = set_up(game_of(position), position.name, position.options, SECRET, EntryOrigin.first(NOON))
    return EditedGame(position, [(entry, canonical(state))])
