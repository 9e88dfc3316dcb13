"""Positions of The Great War from text, and orders read in the same way as emails."""

from collections.abc import Iterable, Mapping

from games.dice import Dice
from games.great_war import GAMES
from games.great_war.components import CardId, book
from games.great_war.events import CardLaid, TurnEvent
from games.great_war.model import AI, PLAYER, AnyOrder, Army, State, TableCard, other_nation
from games.great_war.notation import GreatWarNotation
from games.great_war.rules import GreatWarRules
from games.great_war.working_state import WorkingState
from games.options import settle
from games.protocol import Event
from games.record import replace_fields
from orders.reading.forms import compile_forms as ready_forms
from orders.reading.forms import match_text
from orders.reading.lexicon import index_lexicon as ready_names
from tests.kit.dice import any_dice

GAME = GAMES[0]
RULES, NOTATION = GreatWarRules(), GreatWarNotation()
FORMS = ready_forms(tuple(NOTATION.forms))


def ids(said: str | Iterable[str]) -> list[str]:
    """Return card ids from a text such as ``"B-QS, B-KH!"``, or from a list."""
    return [one for one in said.replace(",", " ").split()] if isinstance(said, str) else list(said)


def row(said: str | Iterable[str], number: int = 1, how: str = "base") -> tuple[TableCard, ...]:
    """Return cards on the table. A ! marks a cancelled card, and a number after = gives its Battle Points."""
    found = []
    for one in ids(said):
        name, _, bp = one.rstrip("!").partition("=")
        points = int(bp) if bp else book()[CardId(name)].bp
        found.append(TableCard(card=CardId(name), bp=points, up=not one.endswith("!"), round=number, how=how))
    return tuple(found)


def dealt(dice: Dice | None = None, **options: object) -> State:
    """Return a game that has begun."""
    return RULES.setup(settle(GAME.about.options, options), dice or any_dice()).state


def field(
    *,
    me: str | Iterable[str] = "",
    ai: str | Iterable[str] = "",
    hand: str | Iterable[str] = "",
    ai_hand: str | Iterable[str] = "",
    attacks: bool = True,
    number: int = 1,
    nation: str | None = None,
    force: str = "",
    **fields: object,
) -> State:
    """Return a position that waits for the player, with both rows and hands, the role and the Combat Round.

    nation: the AI's nation. The decks are those of a game that has begun.
    """
    theirs = nation or "central"
    state = dealt()
    book_ = book()
    armies = {
        PLAYER: Army(nation=other_nation(theirs), hand=book_.in_order(ids(hand)), row=row(me)),
        AI: Army(nation=theirs, hand=book_.in_order(ids(ai_hand)), row=row(ai)),
    }
    turn = fields.pop("turn", 1 if attacks else 2)
    stage = fields.pop("stage", f"round {number}")
    plain = {"event": None, "waits": False, "force": tuple(ids(force)), "laid": (), "lost": (), **fields}
    return replace_fields(state, armies=armies, turn=turn, stage=stage, **plain)


def order(state: State, text: str) -> AnyOrder:
    """Return the only order that a text can mean, without spelling corrections."""
    view = RULES.view(state, PLAYER)
    found = match_text(text, FORMS, ready_names(NOTATION.lexicon(view)))
    built = {NOTATION.write(one): one for one in (NOTATION.build(view, m.form.name, m.slots) for m in found)}
    assert len(built) == 1, (text, list(built))
    return next(iter(built.values()))


class After:
    """The result of one turn of the player."""

    def __init__(self, state: State, events: tuple[Event, ...]) -> None:
        self.state, self.events = state, events

    def of(self, kind: type[TurnEvent]) -> list[TurnEvent]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def laid(self, seat: str) -> list[str]:
        """Return the cards that a side played, in order."""
        return [event.card for event in self.of(CardLaid) if event.seat == seat]

    def up(self, seat: str) -> list[str]:
        """Return a side's face-up cards."""
        return [one.card for one in self.state.armies[seat].row if one.up]

    def down(self, seat: str) -> list[str]:
        """Return a side's cancelled cards."""
        return [one.card for one in self.state.armies[seat].row if not one.up]

    def codes(self) -> list[str]:
        """Return the codes of the parts of the player's orders that were left out."""
        return [event.code for event in self.events if hasattr(event, "code")]


def play(state: State, *texts: str, dice: Dice | None = None) -> After:
    """Carry out the player's orders, and play on until the player's next decision."""
    orders = [order(state, text) for text in texts]
    done = RULES.adjudicate(state, {PLAYER: orders}, dice or any_dice(7))
    return After(done.state, done.events)


def tried(state: State, phase: str = "round 1") -> WorkingState:
    """Return a trial of a position, without anything random."""
    return WorkingState(state, None, phase)


class Loaded(Dice):
    """Dice with the given results by label. Other labels get the results of ordinary dice."""

    def __init__(self, said: Mapping[str, int]) -> None:
        self.said, self.rest = said, any_dice(11)

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        return (self.said[label],) if label in self.said else self.rest.draw(label, sides, count)


def counts(state: State, *piles: str) -> list[int]:
    """Return the number of cards in these decks."""
    return [len(state.piles[pile].deck) for pile in piles]
