"""Many games of one kind, in one process or several: the games are the same."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context

from adjudicator.errors import Refusal
from adjudicator.kinds import find_kind
from adjudicator.tournament.external_bots import check
from adjudicator.tournament.match import MOST_TURNS, BotMatch, PlayedGame, play
from adjudicator.tournament.seating import Seating, seating
from games.dice import SealedDice
from games.options import settle, settle_for_new_game
from games.protocol import AlternativeBoards, Game, Invalid, Options, OptionValue, Seat

DEFAULT_MAX_YEARS = 30
"""After so many years a game of a tournament is a draw, where years are counted and nothing else is said."""


@dataclass(frozen=True)
class Fixture:
    """The games of a tournament, in plain values that any process can read. kind: by its name.

    foreign: by name, the commands that start bots of others; draft: of the kind's board, "" for its own;
    dangers: of the seats, as `playing.BotMatch` has them.
    """

    kind: str
    options: Options
    seating: Seating
    seed: str
    most_turns: int = MOST_TURNS
    foreign: Mapping[str, str] = field(default_factory=dict)
    draft: str = ""
    dangers: Mapping[Seat, float] | None = None

    def game(self, number: int) -> PlayedGame:
        """Play one of its games, counted from 0: the same whoever plays it, and when."""
        game = _game_with_draft(self.kind, self.draft, tuple(self.options.items()))
        match = BotMatch(number, self.options, self.seating.of(number), self.seed, self.foreign, self.dangers)
        return play(game, match, self.most_turns)


@cache
def _game_with_draft(kind: str, draft: str, options: tuple[tuple[str, OptionValue], ...]) -> Game:
    game = find_kind(kind)
    return drafts_of(game, dict(options)).game(draft) if draft else game


def drafts_of(game: Game, options: Options) -> AlternativeBoards:
    """The boards that a kind might have had. Raises Refusal for one whose board leaves no choice."""
    if game.drafts is None:
        raise Refusal(f"kind {game.about.kind}", "nothing of its board is assumed: it is what it is")
    return game.drafts(options)


def fixture(
    game: Game,
    options: Mapping[str, OptionValue],
    seats: str = "",
    *,
    rotates: bool = False,
    seed: str = "0",
    foreign: Mapping[str, str] | None = None,
    draft: str = "",
    dangers: Mapping[str, float] | None = None,
) -> Fixture:
    """Return the games to play. seats: who sits where, as `seating` reads it; rotates: they move on each
    game.

    foreign: by name, the commands that start bots of others; draft: of the board, "" for the kind's own;
    dangers: by how many steps bots reckon the centres of a seat to be nearer, None for the board's own.

    Raises Refusal for a kind without bots or a score, for options that it does not have, for players and
    seats that are not there, for a draft that is none.
    """
    if game.score is None or not game.bots:
        raise Refusal(f"kind {game.about.kind}", "has no bots that play it alone, or nothing to count")
    try:
        settled = settle_for_new_game(game.about, options)
        if draft:
            drafts_of(game, settled).describe(draft)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    if foreign:
        check(game, options, foreign)
    who = seating(game, game.about.seats(settled), seats, rotates=rotates, foreign=foreign)
    return Fixture(
        kind=game.about.kind,
        options=settled,
        seating=who,
        seed=seed,
        foreign=dict(foreign or {}),
        draft=draft,
        dangers=None if dangers is None else _of_seats(dangers, who.seats),
    )


def _of_seats(dangers: Mapping[str, float], seats: tuple[Seat, ...]) -> Mapping[Seat, float]:
    """The dangers by the seats as the game names them. Raises Refusal for a seat that is not there."""
    known = {seat.casefold(): seat for seat in seats}
    for name in dangers:
        if name.casefold() not in known:
            raise Refusal(f"seat {name}", "there is none of that name", "there are: " + ", ".join(seats))
    return {known[name.casefold()]: steps for name, steps in dangers.items()}


def contest(fixture: Fixture, count: int, jobs: int = 1, first: int = 0) -> Iterator[PlayedGame]:
    """Play games up to a count, in as many processes as there are jobs; they come in their order.

    first: the number of the first, those before it being known.
    """
    numbers = range(first, count)
    if jobs == 1 or len(numbers) < 2:
        yield from map(fixture.game, numbers)
        return
    # A process of its own making inherits no locks and no connections, whatever this one holds.
    with ProcessPoolExecutor(min(jobs, len(numbers)), mp_context=get_context("spawn")) as workers:
        yield from workers.map(fixture.game, numbers)


def counts_years(game: Game) -> bool:
    """Return whether games of a kind can be given a last year."""
    return game.score is not None and any(option.name == "last_year" for option in game.about.options)


def ending_after(game: Game, years: int) -> Mapping[str, OptionValue]:
    """The options of a game that is a draw after so many years. Raises Refusal for a kind without years."""
    if game.score is None or not counts_years(game):
        raise Refusal(f"kind {game.about.kind}", "counts no years, so that its games have no last one")
    opening = game.rules.setup(settle(game.about.options, {}), SealedDice(b"", game.about.kind, 0)).state
    return {"last_year": game.score.when(opening) + years - 1}
