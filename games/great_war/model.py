"""The state of The Great War and its orders: armies and piles, formations, and all kinds of orders."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from games.great_war.components import NATIONS, Book, Card, CardId, Nation, Pile, book
from games.order_kinds import OrderKind
from games.protocol import Form, Seat
from games.record import Record, Value, replace_fields

# The patterns that forms of orders share, and the numbered slots in them. The line of a Round has a sign
# before each card except the first. ``+`` is a link and ``>`` a target. ``LEADS`` and commas are before the
# cards that a leader leads, and ``WITH`` is before the card that lets it lead more. ``AS WILD`` makes a Joker
# a link.

MAX_STEPS = 19
"""The number of signs with cards after the first card of a line: ten cards, each with a target."""

CARD = "card|code"
FIRST_CARD = f"{{c0:{CARD}}}"
ROLE = "{role:role} [{round:round}] [:]"
WITH = "(with|by|using)"


def make_forms(name: str, example: str, *patterns: str) -> tuple[Form, ...]:
    """Return the forms of one name and one example."""
    return tuple(Form(name=name, pattern=pattern, example=example) for pattern in patterns)


def steps_pattern(least: int, most: int) -> str:
    """Return the pattern of signs, each with a card. Those after the least number are optional."""
    pattern = " ".join(map(_step_pattern, range(1, 1 + least)))
    more = ""
    for number in reversed(range(1 + least, 1 + most)):
        more = f"[{_step_pattern(number)} {more}]"
    return f"{pattern} {more}".strip()


def _step_pattern(number: int) -> str:
    return f"{{s{number}:sign}} {{c{number}:card|code|word}}"


def numbered(slots: Mapping[str, str], *names: str, first: int = 0) -> Iterator[tuple[str, ...]]:
    """Yield the values of the slots with each number: c0 and t0, c1 and t1, and so on."""
    for number in count(first):
        if f"{names[0]}{number}" not in slots:
            return
        yield tuple(slots[f"{name}{number}"] for name in names)


PLAYER, AI = Seat("player"), Seat("ai")
"""The two sides. The AI has no seat, because rules and dice play it."""

Stage = Literal["set-up", "round 1", "round 2", "bonus", "length", "over"]
Role = Literal["attack", "defend"]
Case = Literal[
    "hand",
    "opening",
    "cards",
    "swing",
    "leader",
    "cancelled leader",
    "reaction",
    "event",
    "bonus",
    "pass",
]
How = Literal["placed", "opening", "base", "plus", "led", "with_leader", "bonus_phase"]

BEST, NOTHING = "best", "none"
"""The words for a target of an effect that isn't a card: the AI's own choice, or no target."""


class TableCard(Record, frozen=True, kw_only=True):
    """A card on the table.

    bp: its Battle Points, fixed when it was played; up: whether it is face-up, otherwise it is cancelled;
    round: the Combat Round when it was played, 3 for the Bonus phase; link: the card it was added to, or the
    leader that led it.
    """

    card: CardId
    bp: int
    up: bool = True
    round: int
    how: How
    link: CardId | None = None


class Army(Record, frozen=True, kw_only=True):
    """One side. row: its cards on the table, in order of play; captured: enemy cards, which are its score."""

    nation: Nation
    hand: tuple[CardId, ...] = ()
    row: tuple[TableCard, ...] = ()
    captured: tuple[CardId, ...] = ()


class Stack(Record, frozen=True, kw_only=True):
    """A deck, with the next card first, and its discard pile, with the top card last.

    shown: whether the top of the discard pile is face-up.
    """

    deck: tuple[CardId, ...] = ()
    discards: tuple[CardId, ...] = ()
    shown: bool = False


class HandSplit(Record, frozen=True, kw_only=True):
    """The number of cards from each deck in the player's hand."""

    neutral: int
    nationality: int
    bonus: int

    @property
    def text(self) -> str:
        """Return the split in figures, Neutral first: ``4/4/1``."""
        return f"{self.neutral}/{self.nationality}/{self.bonus}"


class AiDecision(Record, frozen=True, kw_only=True):
    """The reason for a play of the AI, as data. case: the procedure; clause: its clause on the sheet.

    key, next: the values of its choice and of the next best one, in the order of `measures`. next is None if
    there was no other. dice: the rolls; cards: the cards that it concerns; kind: the kind of card that the
    Bonus phase called for; both: whether either kind could take a card out of play.
    """

    case: Case
    clause: str
    measures: tuple[str, ...] = ()
    key: tuple[int, ...] = ()
    next: tuple[int, ...] | None = None
    dice: tuple[int, ...] = ()
    cards: tuple[CardId, ...] = ()
    kind: Literal["bonus", "joker"] | None = None
    both: bool = False


class State(Record, frozen=True, kw_only=True):
    """A whole campaign.

    changes: the owner's cards that differ from ours; options: the settled options without the owner's list;
    turn: the number of the Turn, from 1; stage: the part of the Turn that waits for the player; armies: by
    side; piles: by deck; aside: cards that wait for the AI as Defender; removed: cards that nobody uses;
    spare: cards that can come in by an exchange.

    die: the number that determined the AI's hand; event: the Random Event of this Turn; waits: whether the
    player can still cancel it; force: the events in force.

    Standing orders: leader (the player's cards against a leader of the AI), split (of the next hand), named
    (the length from an order), wishes (exchanges before Turn 6).

    laid: the cards that the AI played in this Turn, and lost: the player's cards that left the table in it,
    both for conditions; exhausted: the nation whose deck and discard pile were empty at a draw; shuffles: the
    number of shuffles so far, because each shuffle has its own label.
    """

    options: dict[str, str | int | bool]
    changes: tuple[Card, ...] = ()
    turn: int = 1
    stage: Stage
    armies: dict[Seat, Army]
    piles: dict[Pile, Stack] = {}
    aside: tuple[CardId, ...] = ()
    removed: tuple[CardId, ...] = ()
    spare: tuple[CardId, ...] = ()
    die: int = 0
    event: CardId | None = None
    waits: bool = False
    force: tuple[CardId, ...] = ()
    leader: tuple[CardId, ...] = ()
    split: HandSplit | None = None
    named: int | None = None
    wishes: tuple["ExchangePair", ...] = ()
    laid: tuple[CardId, ...] = ()
    lost: tuple[CardId, ...] = ()
    exhausted: Nation | None = None
    shuffles: int = 0
    ended: str | None = None

    @property
    def book(self) -> Book:
        """Return the cards of this game."""
        return book(self.changes)

    @property
    def round(self) -> int:
        """Return the Combat Round, or 3 after both."""
        return {"round 1": 1, "round 2": 2}.get(self.stage, 3)

    @property
    def attacker(self) -> Seat:
        """Return the attacker, which is the player in odd Turns. Source: GW38."""
        return PLAYER if self.turn % 2 else AI

    @property
    def length(self) -> int:
        """Return the Turn after which the campaign ends, as far as it is known."""
        return self.named or int(self.options["turns"])

    def with_army(self, seat: Seat, army: Army) -> "State":
        """Return the state with another army for a side."""
        return replace_fields(self, armies={**self.armies, seat: army})

    def total(self, seat: Seat) -> int:
        """Return the Battle Points of a side's face-up cards. Source: GW-5.1."""
        return sum(table_card.bp for table_card in self.armies[seat].row if table_card.up)

    def margin(self, seat: Seat) -> int:
        """Return a side's total minus the enemy's total."""
        return self.total(seat) - self.total(other(seat))

    def score(self, seat: Seat) -> int:
        """Return the printed Battle Points that a side has captured. Source: GW35."""
        return sum(self.book[card_id].bp for card_id in self.armies[seat].captured)

    def role(self, seat: Seat) -> Role:
        """Return whether a side attacks or defends in this Turn."""
        return "attack" if self.attacker == seat else "defend"

    def pile_of(self, card_id: CardId) -> Pile:
        """Return the pile that a card goes to."""
        return self.book[card_id].play_deck


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # Only the type checker needs to tell them apart.


class ExchangePair(Record, frozen=True, kw_only=True):
    """An exchange of a card for a White card."""

    white: CardId
    for_: CardId


def other(seat: Seat) -> Seat:
    """Return the opponent of a side."""
    return AI if seat == PLAYER else PLAYER


def other_nation(nation: Nation) -> Nation:
    """Return the enemy of a nation."""
    return NATIONS[1 - NATIONS.index(nation)]


OWES: Mapping[Stage, tuple[str, str]] = {
    "set-up": ("begin", "great_war.owed.begin"),
    "round 1": ("round 1", "great_war.owed.round_1"),
    "round 2": ("round 2", "great_war.owed.round_2"),
    "length": ("turns", "great_war.owed.length"),
}
"""By stage, the slot of the order that is due, and the catalogue entry of its name. Others have none."""


class CardPlay(Record, frozen=True, kw_only=True):
    """A card in an order.

    aims: the targets of its effect, which are ids, BEST or NOTHING; wild: whether a Joker is added as a link.
    """

    card: CardId
    aims: tuple[str, ...] = ()
    wild: bool = False

    @property
    def text(self) -> str:
        """Return the card with its targets in canonical text."""
        targets = "".join(f" > {_target_text(aim)}" for aim in self.aims)
        return f"{self.card}{' AS WILD' * self.wild}{targets}"

    def with_target(self, aim: str) -> "CardPlay":
        """Return the play with a target more, or as a wild card."""
        if aim == "wild":
            return replace_fields(self, wild=True)
        return replace_fields(self, aims=(*self.aims, aim))


def _target_text(aim: str) -> str:
    return aim.upper() if aim in (BEST, NOTHING) else aim


class CardLine(Record, frozen=True, kw_only=True):
    """The cards of a line: the base, the helper of a leader, the cards it leads, and the added cards."""

    base: CardPlay | None = None
    helper: CardId | None = None
    led: tuple[CardPlay, ...] = ()
    plus: tuple[CardPlay, ...] = ()

    @classmethod
    def from_slots(cls, slots: Mapping[str, str]) -> "CardLine":
        """Return the line from the slots c0, s1, c1, s2, c2 and so on of a form.

        A comma continues a list: the led cards after LEADS, otherwise the added cards.
        """
        line = cls(base=CardPlay(card=CardId(slots["c0"])) if "c0" in slots else None)
        into = "base"
        for sign, card_text in numbered(slots, "s", "c", first=1):
            if sign in (">", "as"):
                line = line._with_target(into, card_text)
            elif sign == "with":
                into, line = "helper", replace_fields(line, helper=CardId(card_text))
            else:
                into = "led" if sign == "leads" or (sign == "," and into == "led") else "plus"
                plays = (*getattr(line, into), CardPlay(card=CardId(card_text)))
                line = replace_fields(line, **{into: plays})
        return line

    def _with_target(self, into: str, aim: str) -> "CardLine":
        """Return the line with a target for its last card, or with that card as a wild card."""
        if into == "base":
            return replace_fields(self, base=self.base.with_target(aim)) if self.base else self
        if into == "helper":
            return self
        *plays, last = getattr(self, into)
        return replace_fields(self, **{into: (*plays, last.with_target(aim))})


_ROUND_ORDINALS = {1: "1ST", 2: "2ND"}


def _round_number(view: State, slots: Mapping[str, str]) -> Literal[1, 2]:
    """Return the Combat Round in the order, otherwise the one that is due."""
    return 1 if slots.get("round", str(view.round)) == "1" else 2


class GreatWarOrder(OrderKind, frozen=True, kw_only=True):
    """An order of the player. SLOT: the slot of all orders of its kind."""

    SLOT: ClassVar[str] = ""

    @property
    def slot(self) -> str:
        return self.SLOT

    @property
    def played(self) -> tuple[CardId, ...]:
        """Return the cards that the order plays, or those of its blockades."""
        return ()

    def keep(self, state: State) -> State | None:  # noqa: ARG002
        """Return the state in which a standing order is in force. None if the order isn't a standing one."""
        return None


class Lay(GreatWarOrder, frozen=True, kw_only=True):
    """A Combat Round: ``ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS + B-10H``. Without cards it is a pass.

    led: the cards that the base leads; helper: the card that lets it lead one more; plus: the cards that are
    added by links. Each Combat Round has a slot.
    """

    FORMS = (
        *make_forms("round", "ATTACK 1ST: B-QS + B-10H > R-8C", f"{ROLE} {FIRST_CARD} {steps_pattern(2, 2)}"),
        *make_forms("round", "ATTACK 1ST: B-QS + B-10H", f"{ROLE} {FIRST_CARD} {steps_pattern(1, 1)}"),
        *make_forms("round", "ATTACK 1ST: B-QS", f"{ROLE} {FIRST_CARD}"),
        *make_forms(
            "round",
            "ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS > R-10S + B-10H",
            f"{ROLE} {FIRST_CARD} {steps_pattern(3, MAX_STEPS)}",
        ),
        *make_forms("plus-cards", "DEFEND 1ST: + B-7D + B-4D", f"{ROLE} {steps_pattern(1, MAX_STEPS)}"),
        *make_forms("pass", "PASS 2ND", "(pass|passes|lay nothing|play nothing) [{round:round}]"),
    )

    role: Role
    number: Literal[1, 2]
    base: CardPlay | None = None
    helper: CardId | None = None
    led: tuple[CardPlay, ...] = ()
    plus: tuple[CardPlay, ...] = ()

    @property
    def slot(self) -> str:
        return f"round {self.number}"

    @property
    def part(self) -> str:
        return f"R{self.number}"

    @property
    def plays(self) -> tuple[CardPlay, ...]:
        """Return the cards in the order written, without the helper."""
        return (*((self.base,) if self.base else ()), *self.led, *self.plus)

    @property
    def played(self) -> tuple[CardId, ...]:
        card_ids = [play.card for play in self.plays]
        return (*card_ids, self.helper) if self.helper else tuple(card_ids)

    @classmethod
    def from_slots(cls, view: State, _form: str, slots: Mapping[str, str]) -> Self:
        line = CardLine.from_slots(slots)
        roles: Mapping[str, Role] = {"attack": "attack", "defend": "defend"}
        return cls(
            role=roles.get(slots.get("role", "play"), view.role(PLAYER)),
            number=_round_number(view, slots),
            base=line.base,
            helper=line.helper,
            led=line.led,
            plus=line.plus,
        )

    def write(self) -> str:
        ordinal = _ROUND_ORDINALS[self.number]
        if not self.played:
            return f"PASS {ordinal}"
        text = f"{self.role.upper()} {ordinal}:"
        text += f" {self.base.text}" if self.base else ""
        text += f" WITH {self.helper}" if self.helper else ""
        text += f" LEADS {', '.join(play.text for play in self.led)}" if self.led else ""
        return text + "".join(f" + {play.text}" for play in self.plus)


class Strike(GreatWarOrder, frozen=True, kw_only=True):
    """A Joker as the base of a Combat Round, to cancel a card: ``CANCEL R-KH WITH B-JK1``.

    Its slot lets it be combined with the other cards of its Round.
    """

    FORMS = make_forms(
        "joker",
        "CANCEL R-KH WITH B-JK1 2ND",
        f"cancel {{target:{CARD}|word}} {WITH} {FIRST_CARD} [in] [{{round:round}}]",
        f"{FIRST_CARD} cancels {{target:{CARD}|word}} [in] [{{round:round}}]",
        f"use {FIRST_CARD} to cancel {{target:{CARD}|word}} [in] [{{round:round}}]",
    )

    number: Literal[1, 2]
    joker: CardId
    aim: str

    @property
    def slot(self) -> str:
        return f"joker {self.number}"

    @property
    def part(self) -> str:
        return f"R{self.number}"

    @property
    def played(self) -> tuple[CardId, ...]:
        return (self.joker,)

    @classmethod
    def from_slots(cls, view: State, _form: str, slots: Mapping[str, str]) -> Self:
        return cls(number=_round_number(view, slots), joker=CardId(slots["c0"]), aim=slots["target"])

    def write(self) -> str:
        return f"CANCEL {_target_text(self.aim)} WITH {self.joker} {_ROUND_ORDINALS[self.number]}"


class StopEvent(GreatWarOrder, frozen=True, kw_only=True):
    """An order to cancel the Random Event: ``CANCEL EVENT WITH B05``."""

    SLOT = "cancel event"
    FORMS = make_forms(
        "stop-event",
        "CANCEL EVENT WITH B05",
        f"cancel [the] event {WITH} {FIRST_CARD}",
        f"{FIRST_CARD} cancels [the] event",
        f"use {FIRST_CARD} against [the] event",
    )

    card: CardId

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        return cls(card=CardId(slots["c0"]))

    def write(self) -> str:
        return f"CANCEL EVENT WITH {self.card}"


class Exchange(GreatWarOrder, frozen=True, kw_only=True):
    """An exchange of a card: ``EXCHANGE W10 FOR B-QD``. Leaders go in two pairs, one for each side.

    Each White card has a slot.
    """

    FORMS = (
        *make_forms(
            "exchange",
            "EXCHANGE W10 FOR B-QD",
            f"exchange {{white1:{CARD}}} for {{for1:{CARD}}}",
            f"(swap|take|put) {{white1:{CARD}}} (for|in place of) {{for1:{CARD}}}",
            f"(replace|exchange) {{for1:{CARD}}} (by|with) {{white1:{CARD}}}",
            f"{{white1:{CARD}}} (comes in|comes) for {{for1:{CARD}}}",
        ),
        *make_forms(
            "exchange",
            "EXCHANGE W06 FOR B-JS AND W08 FOR R-JS",
            f"exchange {{white1:{CARD}}} for {{for1:{CARD}}} (and|,|and exchange) "
            f"{{white2:{CARD}}} for {{for2:{CARD}}}",
        ),
    )

    pairs: tuple[ExchangePair, ...]

    @property
    def slot(self) -> str:
        return f"exchange {self.pairs[0].white}"

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        pairs = numbered(slots, "white", "for", first=1)
        return cls(pairs=tuple(ExchangePair(white=CardId(white), for_=CardId(card)) for white, card in pairs))

    def write(self) -> str:
        return f"EXCHANGE {' AND '.join(f'{pair.white} FOR {pair.for_}' for pair in self.pairs)}"

    def keep(self, state: State) -> State:
        return replace_fields(state, wishes=(*state.wishes, *self.pairs))


class Blockade(GreatWarOrder, frozen=True, kw_only=True):
    """The targets of blockades at the end of a Turn: ``BLOCKADE: B-2S > R-QS``. Without plays, the best.

    It is sent with the Bonus phase.
    """

    SLOT = "blockade"
    FORMS = (
        *(
            Form(
                name="blockade",
                pattern="blockade [:] "
                + " [,] ".join(
                    f"{{c{number}:{CARD}}} > {{t{number}:{CARD}|word}}" for number in range(count)
                ),
                example=f"BLOCKADE: {', '.join(('B-2S > R-QS', 'B-3S > BEST', 'W25 > BEST')[:count])}",
            )
            for count in (1, 2, 3)
        ),
        *make_forms("any-blockade", "BLOCKADE: BEST", "blockade [:] best"),
    )

    plays: tuple[CardPlay, ...]

    @property
    def part(self) -> str:
        return "B"

    @property
    def played(self) -> tuple[CardId, ...]:
        return tuple(play.card for play in self.plays)

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        pairs = numbered(slots, "c", "t")
        return cls(plays=tuple(CardPlay(card=CardId(card), aims=(aim,)) for card, aim in pairs))

    def write(self) -> str:
        return f"BLOCKADE: {', '.join(play.text for play in self.plays) or 'BEST'}"


class Draw(GreatWarOrder, frozen=True, kw_only=True):
    """The split of the next hand: ``DRAW 4/4/1``."""

    SLOT = "draw"
    FORMS = (
        *make_forms("draw", "DRAW 4/4/1", "draw {neutral:number} / {nationality:number} / {bonus:number}"),
        *make_forms(
            "draw",
            "DRAW 4 NATIONALITY 4 NEUTRAL 1 BONUS",
            "draw {nationality:number} nationality [,] [and] {neutral:number} neutral [,] [and] "
            "{bonus:number} bonus",
            "draw {neutral:number} neutral [,] [and] {nationality:number} nationality [,] [and] "
            "{bonus:number} bonus",
        ),
    )

    parts: HandSplit

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        return cls(parts=HandSplit(**{name: int(value) for name, value in slots.items()}))

    def write(self) -> str:
        return f"DRAW {self.parts.text}"

    def keep(self, state: State) -> State:
        return replace_fields(state, split=self.parts)


class Length(GreatWarOrder, frozen=True, kw_only=True):
    """``TURNS 10`` to continue after Turn 5, ``TURNS 5`` to stop there."""

    SLOT = "turns"
    FORMS = (
        Form(name="turns", pattern="turns {n:number}", example="TURNS 10"),
        Form(name="turns", pattern="play {n:number} turns", example="play 10 turns"),
    )

    turns: int

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        return cls(turns=int(slots["n"]))

    def write(self) -> str:
        return f"TURNS {self.turns}"

    def keep(self, state: State) -> State:
        return replace_fields(state, named=self.turns)


class GuardLeader(GreatWarOrder, frozen=True, kw_only=True):
    """A standing order to cancel a leader: ``CANCEL LEADER WITH B07, B-JK1``. No cards withdraws it."""

    SLOT = "cancel leader"
    FORMS = (
        *(
            Form(
                name="against-leader",
                pattern=f"cancel [the] (leader|leaders|jack|jacks) {WITH} "
                + " (,|and|or|then) ".join(f"{{c{number}:{CARD}}}" for number in range(count)),
                example="CANCEL LEADER WITH "
                + ", ".join(("B07", "B-JK1", "W01", "W02", "B-JK2", "R-JK1")[:count]),
            )
            for count in range(1, 7)
        ),
        Form(
            name="no-guard",
            pattern="cancel (no leader|leader with none|leader with nothing|leader : none)",
            example="CANCEL NO LEADER",
        ),
    )

    cards: tuple[CardId, ...] = ()

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        return cls(cards=tuple(CardId(card) for (card,) in numbered(slots, "c")))

    def write(self) -> str:
        return f"CANCEL LEADER WITH {', '.join(self.cards)}" if self.cards else "CANCEL NO LEADER"

    def keep(self, state: State) -> State:
        return replace_fields(state, leader=self.cards)


class BonusPlay(GreatWarOrder, frozen=True, kw_only=True):
    """The card of the Bonus phase, or None: ``BONUS: B08 > R-KH``. led: a card that it lets a leader lead."""

    SLOT = "bonus"
    FORMS = (
        *make_forms("bonus", "BONUS: B08 > R-KH", f"bonus [phase] [:] {FIRST_CARD} {steps_pattern(0, 3)}"),
        *make_forms("no-bonus", "BONUS: NONE", "bonus [phase] [:] (none|nothing|pass)"),
    )

    play: CardPlay | None = None
    led: CardPlay | None = None

    @property
    def part(self) -> str:
        return "B"

    @property
    def played(self) -> tuple[CardId, ...]:
        return (self.play.card,) if self.play else ()

    @classmethod
    def from_slots(cls, _view: State, _form: str, slots: Mapping[str, str]) -> Self:
        line = CardLine.from_slots(slots)
        return cls(play=line.base, led=next(iter((*line.led, *line.plus)), None))

    def write(self) -> str:
        if self.play is None:
            return "BONUS: NONE"
        return f"BONUS: {self.play.text}" + (f" LEADS {self.led.text}" if self.led else "")


class Begin(GreatWarOrder, frozen=True, kw_only=True):
    """``begin``: the end of the set-up."""

    SLOT = "begin"
    FORMS = make_forms("begin", "begin", "(begin|begin the game|start|start the game|let us begin)")

    @classmethod
    def from_slots(cls, _view: State, _form: str, _slots: Mapping[str, str]) -> Self:
        return cls()

    def write(self) -> str:
        return "begin"


AnyOrder = Lay | Strike | StopEvent | Exchange | Blockade | Draw | Length | GuardLeader | BonusPlay | Begin
"""All kinds of orders, in the order in which their forms are tried."""


# Formations: a base with all cards added to it, as they are on the table.


class Formation(Value, frozen=True):
    """A base, and the cards added to it with their number of links to the base."""

    base: TableCard
    under: tuple[tuple[TableCard, int], ...]

    @property
    def depth(self) -> int:
        """Return the length of the longest chain of links."""
        return max((deep for _, deep in self.under), default=0)


def group_formations(row: Sequence[TableCard]) -> tuple[Formation, ...]:
    """Return a row in formations, in the order of their bases.

    If a card was added to a card that has left the table, it is a base itself.
    """
    there = {table_card.card for table_card in row}
    return tuple(
        Formation(base=table_card, under=tuple(_cards_under(row, table_card, 1)))
        for table_card in row
        if table_card.link not in there
    )


def _cards_under(row: Sequence[TableCard], host: TableCard, deep: int) -> Iterator[tuple[TableCard, int]]:
    for table_card in row:
        if table_card.link == host.card and table_card.card != host.card:
            yield table_card, deep
            yield from _cards_under(row, table_card, deep + 1)
