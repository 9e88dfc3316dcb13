"""How long the reports of a turn take: text and HTML for every seat, the map once for all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from adjudicator.bench.figures import Figure, late, middle, stop_watch
from adjudicator.kinds import kind_named
from adjudicator.ledger.hours import Deadlines
from adjudicator.ledger.letters import Outgoing
from adjudicator.ledger.positions import Chair, Played, Position
from adjudicator.referee.turn import after, play
from adjudicator.reports import messages, picture
from adjudicator.reports.forum import post
from adjudicator.reports.messages import Reader
from adjudicator.reports.report import gather
from adjudicator.signs.addresses import reply_address
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import Game, Seat

LETTERS_AIM_MS, SKETCH_AIM_MS, MAP_AIM_MS = 40.0, 8.0, 150.0
FRONTS = 3
"""Of so many seats the front is drawn, of each turn."""
_MAP = "its map as PNG, as in a letter, once for all"
_FRONT = "a seat's front, from the position to its PNG"
_TOKEN = "abcdefghijkl2"
_SECRET = b"bench"
_ADDRESS = "gm@example.org"
_TURN_MS = 3 * 86_400_000


@dataclass(frozen=True)
class _Told:
    """A turn that was played, and the position after it."""

    position: Position
    played: Played


def measure(kind: str, turns: int) -> tuple[Figure, ...]:
    """The medians over the first turns of a game, with a person in every seat, whose orders are a bot's.

    Raises Refusal for a kind that is not there.
    """
    game = kind_named(kind)
    told = list(_told(game, turns))
    seats = len(told[0].position.chairs)
    # Templates are read, and a board is drawn up, once in a process.
    drawings = [_drawn(game, one) for one in told]
    list(map(partial(_letters, game), told))
    sets = middle(
        stop_watch(partial(_letters, game, one) for one in told),
        f"the letters of a turn, text and HTML for {seats} seats",
    )
    sketch = middle(stop_watch(partial(_drawn, game, one) for one in told), "its map as SVG")
    found = [_aimed(sets, LETTERS_AIM_MS), _aimed(sketch, SKETCH_AIM_MS)]
    there = [drawing for drawing in drawings if drawing is not None]
    if there:
        found += _pictures(game, told, there)
    written = [letter for one in told for letter in _letters(game, one)]
    found += [
        Figure(
            "the longest page of HTML", max(len((one.html or "").encode()) for one in written) / 1000, "KB"
        ),
        Figure("the longest text", max(len(one.text.encode()) for one in written) / 1000, "KB"),
        middle(stop_watch(partial(_posted, game, one) for one in told), "a post for a forum"),
    ]
    return tuple(found)


def _pictures(game: Game, told: Sequence[_Told], maps: Sequence[str]) -> Iterator[Figure]:
    """The map as it lies in a letter, from its SVG, and as MAP brings it; fronts from the position on."""
    wide = picture.BESIDE_PX if picture.has_fronts(game) else picture.LETTER_PX
    picture.png(maps[0], wide)  # sheets of a board are drawn once in a process, and kept
    small = stop_watch(partial(picture.png, one, wide) for one in maps)
    yield _aimed(middle(small, _MAP), MAP_AIM_MS)
    yield _aimed(late(small, f"{_MAP}, 95th percentile"), MAP_AIM_MS)
    picture.png(maps[0])
    yield middle(
        stop_watch(partial(picture.png, one) for one in maps), "the same 1200 pixels wide, as MAP brings it"
    )
    yield Figure("the largest map as PNG, 1200 wide", max(len(picture.png(one)) for one in maps) / 1000, "KB")
    seats = list(told[0].position.chairs)[:FRONTS]
    fronts = [partial(_front, game, one, seat) for one in told for seat in seats]
    shown = [one for one in fronts if one() is not None]  # names are laid out once for each scale
    taken = stop_watch(shown)
    if len(taken) > 1:
        yield _aimed(middle(taken, _FRONT), MAP_AIM_MS)
        yield _aimed(late(taken, f"{_FRONT}, 95th percentile"), MAP_AIM_MS)


def _front(game: Game, told: _Told, seat: Seat) -> bytes | None:
    events = [one for step in told.played.steps for one in step.events]
    seen = [one for one in events if one.seen_by is None or seat in one.seen_by]
    drawing = picture.front(game, game.rules.view(told.played.state, seat), seat, seen)
    return None if drawing is None else picture.png(drawing, picture.front_px(drawing))


def _aimed(figure: Figure, aim: float) -> Figure:
    return replace(figure, note=f"the aim is {aim:.0f}: {'met' if figure.value <= aim else 'missed'}")


def _told(game: Game, turns: int) -> Iterator[_Told]:
    position = _begun(game)
    for _ in range(turns):
        if game.rules.result(position.state) is not None:
            return
        played = play(game, _ordered(game, position), 0, ripe=True)
        assert played is not None, "nobody is waited for"
        position = after(position, played)
        yield _Told(position, played)


def _begun(game: Game) -> Position:
    options = settle(game.about.options, {})
    state = game.rules.setup(options, SealedDice(_SECRET, "bench", 0)).state
    return Position(
        name="bench",
        kind=game.about.kind,
        options=options,
        status="running",
        entries=1,
        rev=1,
        head_sha="",
        state=state,
        filed={},
        chairs={seat: Chair(seat=seat, address=_ADDRESS) for seat in game.about.seats(options)},
        deadline=_TURN_MS,
        deadlines=Deadlines({"moves": _TURN_MS}, 0),
        early=True,
        secret=_SECRET,
    )


def _ordered(game: Game, position: Position) -> Position:
    bot = next(iter(game.bots.values()))
    filed = {}
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_SECRET, str(due.seat), position.entries)
        filed[due.seat] = tuple(choice.order for choice in bot.orders(view, due, dice))
    return replace(position, filed=filed)


def _letters(game: Game, told: _Told) -> list[Outgoing]:
    return [_letter(game, told, seat) for seat in told.position.chairs]


def _letter(game: Game, told: _Told, seat: Seat) -> Outgoing:
    report = gather(game, told.position, told.played, seat, commitment=commitment(_SECRET))
    reader = Reader(
        address=_ADDRESS,
        game="bench",
        seat=seat,
        turn=game.rules.turn(told.position.state).short,
        token=_TOKEN,
        reply_address=reply_address(_ADDRESS, "bench", seat, _TOKEN),
    )
    return messages.turn_report(game, report, reader, messages.Enclosed(picture=b"as if there were one"))


def _drawn(game: Game, told: _Told) -> str | None:
    events = tuple(event for step in told.played.steps for event in step.events if event.seen_by is None)
    return picture.svg(game, game.rules.view(told.played.state, None), events)


def _posted(game: Game, told: _Told) -> str:
    report = gather(game, told.position, told.played, None, commitment=commitment(_SECRET))
    return post(game, report, Reader(address=_ADDRESS), "bbcode")
