"""Games as other programs keep them: ours as such a text, such a text as one of ours.

A record is played again by our rules, turn by turn. Where it then tells a position that is not ours, the
position is changed by hand to the one told, with an entry in the log that says so: so the game goes on from
where its players stand.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import games
from adjudicator.clock import moment
from adjudicator.errors import Refusal
from adjudicator.gamesmaster.conduct import free_name, position_of
from adjudicator.gamesmaster.document import Export, Logged
from adjudicator.house import House
from adjudicator.kinds import kind_named
from adjudicator.ledger.overrides import Edited
from adjudicator.ledger.positions import Chair, Entry, Step
from adjudicator.ledger.society import Customs
from adjudicator.referee.edits import edited, line
from adjudicator.referee.gather import Gathered
from adjudicator.referee.log import Link, orders_of, override_entry, steps_since, turn_entry
from adjudicator.referee.recorded_dice import RecordingDice
from adjudicator.secretary.openings import Arranged, new_game, opened
from adjudicator.store import games as book_of_games
from adjudicator.whatif import hearing
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import Game, Invalid, Options, Order, Seat, State
from games.protocol.exchange import Chapter, Exchange, Told
from games.protocol.optional import Heard
from games.record import canonical, plain

BY = "import"
WHY = "as the imported record has it"
LOOKAHEAD = 3
"""So many turns in a row a record may leave out, in which nobody had anything to order."""


def formats() -> dict[str, tuple[str, ...]]:
    """The kinds of game that other programs know too, each with the names of the formats."""
    return {kind: game.exchange.formats for kind, game in games.kinds().items() if game.exchange}


# Ours as theirs.


def written(house: House, name: str, form: str) -> str:
    """A game in another program's format. Raises Refusal where there is no such format for its kind."""
    with house.database.reading():
        position = position_of(house, name)
        log = book_of_games.log(house.database, name)
    game = games.kinds()[position.kind]
    known = formats().get(position.kind, ())
    if game.exchange is None or form not in known:
        instead = f"it can be written as {' or '.join(known)}" if known else "export it without --as"
        raise Refusal(f"format {form}", f"a game of {game.about.title} is not kept so", instead)
    counting = {entry.number for entry in line([entry for entry, _ in log])}
    steps = [step for step in steps_since(game, position, log, 0) if step.entry.number in counting]
    return game.exchange.write(form, name, _chapters(game, steps), position.state)


Pieces = tuple[Callable[[], str], ...]
"""What a game's turns are in another format, each written when it is asked for."""


def in_pieces(game: Game, name: str, steps: Sequence[Callable[[], Step]]) -> Iterator[tuple[str, Pieces]]:
    """A game in every format that its kind is kept in, by their names; `Exchange.bound` makes a whole of it.

    steps: the turns that count, each told when it is asked for.
    """
    exchange = game.exchange
    for form in exchange.formats if exchange else ():
        yield form, tuple(partial(_piece, game, form, name, at, step) for at, step in enumerate(steps, 1))


def _piece(game: Game, form: str, name: str, number: int, step: Callable[[], Step]) -> str:
    return _exchange(game).piece(form, name, number, _chapter(game, step()))


def _chapters(game: Game, steps: Sequence[Step]) -> list[Chapter[State]]:
    return [_chapter(game, step) for step in steps]


def _chapter(game: Game, step: Step) -> Chapter[State]:
    return Chapter(
        turn=step.turn,
        before=step.before,
        orders=orders_of(game, step.entry),
        events=step.events,
        after=step.after,
    )


# Theirs as ours.


@dataclass(frozen=True)
class Found:
    """A record that was read and played again.

    document: the game, as an export of ours; mended: what had to be changed by hand, by turn, in writing;
    missed: turns that do not come in our game, though somebody ordered something; left: how many orders for
    the turn that is due now were in it, and are not taken.
    """

    document: Export
    mended: tuple[tuple[str, str], ...]
    missed: tuple[str, ...]
    left: int


def recalled(house: House, text: str, place: str, name: str | None, kind: str | None) -> Found:
    """The game that another program's record tells, all its seats with bots.

    place: where the record is, for messages; name: what the game is to be called, kind and number if not
    given; kind: what it is a game of, found out if not given. Raises Refusal for a text that is none.
    """
    try:
        game, told = _recognised(text, place, kind)
        retold = _retell(house, game, name or free_name(house, game.about.kind), told)
    except Invalid as fault:
        raise Refusal(place, f"{fault.what}: {fault.why}", fault.instead) from fault
    left = sum(len(orders) for turn in told if not turn.played for orders in turn.orders.values())
    return Found(retold.document(), tuple(retold.mended), tuple(retold.missed), left)


def _retell(house: House, game: Game, name: str, told: Sequence[Told]) -> "_Retelling":
    """A record played by the rules of a new game, or by the former ones where it goes on after our end."""
    retold = _Retelling(house, game, name, {})
    for turn in told:
        if retold.is_over and (former := _exchange(game).former):
            retold = _Retelling(house, game, name, former)
            for each in told:
                retold.add(each)
            break
        retold.add(turn)
    return retold


def _recognised(text: str, place: str, kind: str | None) -> tuple[Game, tuple[Told, ...]]:
    kinds = [kind_named(kind)] if kind else list(games.kinds().values())
    for game in kinds:
        told = game.exchange.read(text) if game.exchange else None
        if told:
            return game, told
    wanted = f"a game of {kinds[0].about.title}" if kind else "a game that we know"
    programs = sorted({form for known in formats().values() for form in known})
    raise Refusal(
        place,
        f"tells no {wanted.removeprefix('a ')} from its beginning",
        f"give what  gm game export  wrote, or a record of: {', '.join(programs)}",
    )


class _Retelling:
    """A record played again: the position so far, and the log that led to it."""

    def __init__(self, house: House, game: Game, name: str, options: Options) -> None:
        self._game, self._exchange = game, _exchange(game)
        self._now = house.clock.now()
        self._hear = hearing(game)
        settled = settle(game.about.options, options)
        chairs = [Chair(seat=seat) for seat in game.about.seats(settled)]
        arranged = Arranged(name, settled, chairs, house.settings.deadlines, by=BY)
        new = new_game(game, arranged, self._now)
        self._position = opened(new)
        self._log = [Logged(entry=new.entry, state=plain(new.state))]
        self.mended: list[tuple[str, str]] = []
        self.missed: list[str] = []
        self._unknown = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by our rules."""
        return self._game.rules.result(self._position.state) is not None

    def add(self, told: Told) -> None:
        """Play up to a turn, take the position that is told before it, and play the turn if it was played.

        A turn that does not come in our game is passed over; what came of it shows in the next.
        """
        due = self._catch_up(told)
        for edit in self._exchange.mend(self._position.state, told):
            self._mend(edit, told.turn)
        if due and told.played:
            self._play(self._read(told))
        elif not due and any(told.orders.values()):
            self.missed.append(told.turn)
        self._unknown = not due

    def document(self) -> Export:
        """The game as an export of ours."""
        position = self._position
        over = self.is_over
        return Export(
            game=position.name,
            kind=position.kind,
            written=moment(self._now).isoformat(timespec="seconds"),
            status="finished" if over else "running",
            deadline=None if over else self._now,
            early=position.early,
            deadlines=position.deadlines,
            timing=position.timing,
            commitment=commitment(position.secret),
            secret=position.secret.hex(),
            seats=tuple(position.chairs.values()),
            filed={},
            log=tuple(self._log),
            head=position.head_sha,
            customs=Customs(),
            press=(),
        )

    def _catch_up(self, told: Told) -> bool:
        """Play the turns that a record leaves out. False for a turn that it has, and we have not."""
        state, silent = self._position.state, 0
        while (due := self._due(state)) != told.turn and due and silent < LOOKAHEAD:
            state = self._game.rules.adjudicate(state, {}, self._dice(silent)).state
            silent += 1
        if due != told.turn:
            if self._unknown:
                why = f"does not follow {self._game.rules.turn(self._position.state).short}"
                raise Invalid(told.turn, why, "the record has to be whole, and of the same rules")
            return False
        for _ in range(silent):
            self._play({})
        return True

    def _due(self, state: State) -> str | None:
        return self._game.rules.turn(state).short if self._game.rules.due(state) else None

    def _read(self, told: Told) -> dict[Seat, tuple[Order, ...]]:
        orders: dict[Seat, tuple[Order, ...]] = {}
        for seat, texts in told.orders.items():
            view = self._game.rules.view(self._position.state, seat)
            heard = [self._hear(view, seat, text) for text in texts]
            for text, one in zip(texts, heard, strict=True):
                _check(told, seat, text, one)
            orders[seat] = tuple(one.order for one in heard)
        return orders

    def _mend(self, edit: Any, turn: str) -> None:
        assert self._game.edits is not None, "what can be mended can be edited"
        text = self._game.edits.write(edit)
        override = Edited(edit=plain(edit), text=text)
        state = edited(self._game, self._position.state, override)
        link = Link.next_of(self._position, self._now, BY, WHY)
        entry = override_entry(self._game, override, state, link)
        self.mended.append((turn, text))
        self._append(entry, state)

    def _play(self, orders: Mapping[Seat, tuple[Order, ...]]) -> None:
        position, game, dice = self._position, self._game, self._dice()
        outcome = game.rules.adjudicate(position.state, orders, dice)
        gathered = Gathered(orders=orders, left={})
        turn = game.rules.turn(position.state)
        link = Link.next_of(position, self._now, BY)
        entry = turn_entry(link, turn, gathered, dice, outcome.state)
        self._append(entry, outcome.state)

    def _dice(self, ahead: int = 0) -> RecordingDice:
        position = self._position
        return RecordingDice(SealedDice(position.secret, position.name, position.entries + ahead))

    def _append(self, entry: Entry, state: State) -> None:
        state = self._game.state_from(canonical(state))
        self._log.append(Logged(entry=entry, state=plain(state)))
        self._position = replace(self._position, state=state, entries=entry.number + 1, head_sha=entry.sha)


def _check(told: Told, seat: Seat, text: str, heard: Heard) -> None:
    if heard.order is None or heard.problem:
        raise Invalid(f"{told.turn}, {seat}: {text}", heard.problem or "it is no order")


def _exchange(game: Game) -> Exchange[State]:
    assert game.exchange is not None, "the record was read by it"
    return game.exchange
