"""Positions for the bots of the Diplomacy family, and what they plan there."""

from collections.abc import Mapping
from dataclasses import dataclass

import games
from games.dice import Dice, SealedDice
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.reasons import Reasoned
from games.diplomacy.model import Phase, Province, State, Unit, split_spot
from games.protocol import Game, Seat

DICE = SealedDice(b"the tests' own", "frontier", 0)


def state(
    kind: str, season: str, units: Mapping[str, str], centres: Mapping[str, str] | None = None, year: int = 1
) -> State:
    """Return a position. units: ``A VIE F STP/SC``. centres: ``VIE BUD``. In Spring (S) or Fall (F)."""
    board = games.kinds()[kind].rules.board
    standing = []
    for power, words in units.items():
        for unit, spot in zip(words.split()[::2], words.split()[1::2], strict=True):
            at, coast = split_spot(Province(spot))
            standing.append(Unit(power=Seat(power), kind=unit, at=at, coast=coast))
    owners = {Province(at): Seat(power) for power, places in (centres or {}).items() for at in places.split()}
    return State(
        options={},
        phase=Phase(season=season, year=year, kind="M"),
        units=tuple(sorted(standing, key=lambda unit: board.index[unit.at])),
        centres={at: owners[at] for at in board.centres if at in owners},
    )


@dataclass(frozen=True)
class Frontier:
    """A seat in a position, and its bot. temper: "" for none."""

    kind: str
    state: State
    seat: Seat
    level: str = "intermediate"
    temper: str = ""
    dice: Dice = DICE

    @property
    def game(self) -> Game:
        """The game."""
        return games.kinds()[self.kind]

    @property
    def player(self) -> PlanningBot:
        """The bot."""
        found = self.game.bots[self.level]
        assert isinstance(found, PlanningBot)
        return found.with_temperament(self.temper) if self.temper else found

    @property
    def situation(self) -> Situation:
        """Return the bot's reading of the position."""
        return self.player.situation(self.state, self.seat)

    def planned(self) -> tuple[Reasoned, ...]:
        """Return the bot's plan for the season."""
        return self.player.moves(self.situation, self.dice)

    def said(self) -> dict[str, str]:
        """Return each order as written, with its reason."""
        choices = [one.choice(self.situation.board) for one in self.planned()]
        return {self.game.notation.write(choice.order): choice.reason for choice in choices}
