"""Benchmark of a turn's reports: text and HTML for every seat, the map once for all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from adjudicator.bench.figures import Figure, late, middle, time_actions
from adjudicator.kinds import find_kind
from adjudicator.model.addresses import reply_address
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import AdjudicationResult, GamePosition, SeatAssignment
from adjudicator.model.mail import LetterDraft
from adjudicator.reports import messages, picture
from adjudicator.reports.forum import post
from adjudicator.reports.messages import LetterReader
from adjudicator.reports.report import compile_report
from adjudicator.turns.runner import play_turns, position_after
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import Game, Seat

LETTERS_AIM_MS, SKETCH_AIM_MS, MAP_AIM_MS = 40.0, 8.0, 150.0
FRONTS = 3
"""Of so many seats the front is drawn, of each turn."""
_MAP = "its map as PNG, as in a letter, once for all"
_FRONT = "a seat's front, from the position to its PNG"
_REPORT_TOKEN = "abcdefghijkl2"
_REPORT_SECRET = b"bench"
_REPORT_ADDRESS = "gm@example.org"
_TURN_MS = 3 * 86_400_000


@dataclass(frozen=True)
class _PlayedTurnOfBots:
    """A turn that was played, and the position after it."""

    position: GamePosition
    played: AdjudicationResult


def measure(kind: str, turns: int) -> tuple[Figure, ...]:
    """The medians over the first turns of a game, with a person in every seat, whose orders are a bot's.

    Raises Refusal for a kind that is not there.
    """
    game = find_kind(kind)
    turns_played = list(_play_turns(game, turns))
    seats = len(turns_played[0].position.chairs)
    # Templates are read, and a board is drawn up, once in a process.
    drawings = [_draw_map(game, turn) for turn in turns_played]
    list(map(partial(_letters, game), turns_played))
    sets = middle(
        time_actions(partial(_letters, game, turn) for turn in turns_played),
        f"the letters of a turn, text and HTML for {seats} seats",
    )
    sketch = middle(time_actions(partial(_draw_map, game, turn) for turn in turns_played), "its map as SVG")
    figures = [_with_aim(sets, LETTERS_AIM_MS), _with_aim(sketch, SKETCH_AIM_MS)]
    there = [drawing for drawing in drawings if drawing is not None]
    if there:
        figures += _pictures(game, turns_played, there)
    written = [letter for turn in turns_played for letter in _letters(game, turn)]
    figures += [
        Figure(
            "the longest page of HTML",
            max(len((letter.html or "").encode()) for letter in written) / 1000,
            "KB",
        ),
        Figure("the longest text", max(len(letter.text.encode()) for letter in written) / 1000, "KB"),
        middle(time_actions(partial(_forum_post, game, turn) for turn in turns_played), "a post for a forum"),
    ]
    return tuple(figures)


def _pictures(game: Game, turns: Sequence[_PlayedTurnOfBots], maps: Sequence[str]) -> Iterator[Figure]:
    """The map as it lies in a letter, from its SVG, and as MAP brings it; fronts from the position on."""
    wide = picture.BESIDE_PX if picture.has_fronts(game) else picture.LETTER_PX
    picture.png(maps[0], wide)  # sheets of a board are drawn once in a process, and kept
    small = time_actions(partial(picture.png, svg, wide) for svg in maps)
    yield _with_aim(middle(small, _MAP), MAP_AIM_MS)
    yield _with_aim(late(small, f"{_MAP}, 95th percentile"), MAP_AIM_MS)
    picture.png(maps[0])
    yield middle(
        time_actions(partial(picture.png, svg) for svg in maps), "the same 1200 pixels wide, as MAP brings it"
    )
    yield Figure("the largest map as PNG, 1200 wide", max(len(picture.png(svg)) for svg in maps) / 1000, "KB")
    seats = list(turns[0].position.chairs)[:FRONTS]
    fronts = [partial(_front, game, turn, seat) for turn in turns for seat in seats]
    shown = [draw for draw in fronts if draw() is not None]  # names are laid out once for each scale
    taken = time_actions(shown)
    if len(taken) > 1:
        yield _with_aim(middle(taken, _FRONT), MAP_AIM_MS)
        yield _with_aim(late(taken, f"{_FRONT}, 95th percentile"), MAP_AIM_MS)


def _front(game: Game, turn: _PlayedTurnOfBots, seat: Seat) -> bytes | None:
    events = [event for step in turn.played.steps for event in step.events]
    seen = [event for event in events if event.seen_by is None or seat in event.seen_by]
    drawing = picture.front(game, game.rules.view(turn.played.state, seat), seat, seen)
    return None if drawing is None else picture.png(drawing, picture.front_px(drawing))


def _with_aim(figure: Figure, aim: float) -> Figure:
    return replace(figure, note=f"the aim is {aim:.0f}: {'met' if figure.value <= aim else 'missed'}")


def _play_turns(game: Game, turns: int) -> Iterator[_PlayedTurnOfBots]:
    position = _opening_position(game)
    for _ in range(turns):
        if game.rules.result(position.state) is not None:
            return
        played = play_turns(game, _with_bot_orders(game, position), 0, ripe=True)
        assert played is not None, "nobody is waited for"
        position = position_after(position, played)
        yield _PlayedTurnOfBots(position, played)


def _opening_position(game: Game) -> GamePosition:
    options = settle(game.about.options, {})
    state = game.rules.setup(options, SealedDice(_REPORT_SECRET, "bench", 0)).state
    return GamePosition(
        name="bench",
        kind=game.about.kind,
        options=options,
        status="running",
        entries=1,
        rev=1,
        head_sha="",
        state=state,
        filed={},
        chairs={
            seat: SeatAssignment(seat=seat, address=_REPORT_ADDRESS) for seat in game.about.seats(options)
        },
        deadline=_TURN_MS,
        deadlines=Deadlines({"moves": _TURN_MS}, 0),
        early=True,
        secret=_REPORT_SECRET,
    )


def _with_bot_orders(game: Game, position: GamePosition) -> GamePosition:
    bot = next(iter(game.bots.values()))
    filed = {}
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_REPORT_SECRET, str(due.seat), position.entries)
        filed[due.seat] = tuple(choice.order for choice in bot.orders(view, due, dice))
    return replace(position, filed=filed)


def _letters(game: Game, turn: _PlayedTurnOfBots) -> list[LetterDraft]:
    return [_letter(game, turn, seat) for seat in turn.position.chairs]


def _letter(game: Game, turn: _PlayedTurnOfBots, seat: Seat) -> LetterDraft:
    report = compile_report(game, turn.position, turn.played, seat, commitment=commitment(_REPORT_SECRET))
    reader = LetterReader(
        address=_REPORT_ADDRESS,
        game="bench",
        seat=seat,
        turn=game.rules.turn(turn.position.state).short,
        token=_REPORT_TOKEN,
        reply_address=reply_address(_REPORT_ADDRESS, "bench", seat, _REPORT_TOKEN),
    )
    return messages.turn_report(game, report, reader, messages.Enclosed(picture=b"as if there were one"))


def _draw_map(game: Game, turn: _PlayedTurnOfBots) -> str | None:
    events = tuple(event for step in turn.played.steps for event in step.events if event.seen_by is None)
    return picture.svg(game, game.rules.view(turn.played.state, None), events)


def _forum_post(game: Game, turn: _PlayedTurnOfBots) -> str:
    report = compile_report(game, turn.position, turn.played, None, commitment=commitment(_REPORT_SECRET))
    return post(game, report, LetterReader(address=_REPORT_ADDRESS), "bbcode")
