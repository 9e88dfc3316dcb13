"""The opening of a game: options, deal, drafts, bags, supplies and the first markers."""

from games.dice import Dice
from games.own_box import DATA
from games.protocol import GameOption, Options, Outcome, Seat
from games.record import replace_fields
from games.war_chest.components import ROYAL_COIN, Card, Coin, sorted_coins
from games.war_chest.events import AnyEvent, Dealt, Picked
from games.war_chest.model import AUTOMATON, GOLD, PLAYER, SILVER, Pick, Side, State
from games.war_chest.owner_data import PRINTED, Box, box

OPTIONS = (
    GameOption(
        name="opponent",
        sort="choice",
        meaning="war_chest.option_meanings.opponent",
        default="ai",
        values=("ai", "human"),
        ruling="7.1.3",
    ),
    GameOption(
        name="level",
        sort="choice",
        meaning="war_chest.option_meanings.level",
        default="beginner",
        values=tuple(PRINTED.numbers.royal_coins),
        ruling="7.1.4",
    ),
    GameOption(
        name="ladder",
        sort="choice",
        meaning="war_chest.option_meanings.ladder",
        default="printed",
        values=tuple(PRINTED.numbers.royal_mode),
        ruling="7.3.ladder",
    ),
    GameOption(
        name="royal_mode",
        sort="choice",
        meaning="war_chest.option_meanings.royal_mode",
        values=("recruit", "mass_recruit", "maneuver_all"),
        ruling="7.3.1",
    ),
    GameOption(
        name="royal_guard",
        sort="choice",
        meaning="war_chest.option_meanings.royal_guard",
        default="ask",
        values=("ask", "stack", "supply"),
        ruling="6.royal_guard",
    ),
    GameOption(
        name="units",
        sort="choice",
        meaning="war_chest.option_meanings.units",
        default="draft",
        values=("draft", "random", *PRINTED.lineups),
        ruling="3.2",
    ),
    GameOption(
        name=DATA,
        sort="folder",
        meaning="war_chest.option_meanings.data",
    ),
)


def seats(options: Options) -> tuple[Seat, ...]:
    """Return the seats, the one at the bottom first: player and automaton, or gold and silver."""
    return (PLAYER, AUTOMATON) if options["opponent"] == "ai" else (GOLD, SILVER)


def royal_mode(options: Options) -> str:
    """Return the effect of the automaton's Royal Coin, from the option or from the level on its ladder."""
    given = options.get("royal_mode")
    return str(given or box(options).numbers.royal_mode[str(options["ladder"])][str(options["level"])])


def royal_coins(options: Options) -> int:
    """Return the automaton's number of Royal Coins at the start: by level, 0 on the tuned ladder."""
    return box(options).numbers.royal_coins[str(options["level"])] if options["ladder"] == "printed" else 0


def opening(options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
    """Return the deal, or the start of a draft, with the first markers. Source: clauses 3, 7.1."""
    bottom, top = seats(options)
    board = box(options).board
    control = {location: bottom for location in board.bottom} | {location: top for location in board.top}
    state = State(options=dict(options), mover=bottom, sides={bottom: Side(), top: Side()}, control=control)
    return _solo(state, dice) if state.is_solo else _duel(state, dice)


def pick(state: State, seat: Seat, orders: tuple[Pick, ...]) -> Outcome[State, AnyEvent]:
    """Return the state after a seat's picks in a draft.

    Repeated picks and cards that aren't on offer don't count. If none are left, the seat gets the first
    cards on offer. If there are too few picks, the seat is asked for the rest.
    """
    wanted = state.picks[0][1]
    chosen = list(dict.fromkeys(order.card for order in orders if order.card in state.offer))[:wanted]
    chosen = chosen or list(state.offer[:wanted])
    picks_left = wanted - len(chosen)
    picks = ((seat, picks_left), *state.picks[1:]) if picks_left else state.picks[1:]
    side = state.sides[seat]
    state = replace_fields(
        state.with_side(seat, replace_fields(side, cards=(*side.cards, *chosen))),
        offer=tuple(card for card in state.offer if card not in chosen),
        picks=picks,
        number=state.number + 1,
        mover=picks[0][0] if picks else state.mover,
    )
    return Outcome(state, tuple(Picked(seat=seat, card=card) for card in chosen))


def fill_bags(state: State) -> State:
    """Return the state after the deal with full bags and supplies, before the first turn.

    The automaton begins. Of two players, the one with the initiative begins. Source: clauses 3.3, 7.1.1,
    7.1.2, 7.1.4.
    """
    for seat in state.seats:
        royals = royal_coins(state.options) if seat == AUTOMATON else 1
        cards, in_bag = state.sides[seat].cards, state.box.board.in_bag
        bag: list[Coin] = [card for card in cards for _ in range(in_bag)] + [ROYAL_COIN] * royals
        side = replace_fields(
            state.sides[seat],
            bag=sorted_coins(bag),
            supply={card: state.box.units[card].coins - in_bag for card in cards},
            removed=dict.fromkeys(cards, 0),
        )
        state = state.with_side(seat, side)
    mover = AUTOMATON if state.is_solo else state.initiative
    assert mover is not None, "one of two players has the initiative"
    return replace_fields(state, number=1, mover=mover, offer=())


def _solo(state: State, dice: Dice) -> Outcome[State, AnyEvent]:
    units, numbers = str(state.options["units"]), state.box.numbers.draft
    if units in state.box.lineups:
        ours, theirs = _lineup(state.box, units, dice)
        return _deal_cards(state, {PLAYER: ours, AUTOMATON: theirs})
    deck = dice.shuffle("deal/automaton", state.box.deck)
    theirs = deck[: numbers.kept]
    rest = tuple(card for card in state.box.units if card not in theirs)
    shown = dice.shuffle("deal/shown", rest)[: numbers.shown]
    if units == "random":
        return _deal_cards(state, {PLAYER: shown[: numbers.kept], AUTOMATON: theirs})
    state = state.with_side(AUTOMATON, Side(cards=theirs))
    state = replace_fields(state, offer=sorted_coins(shown), picks=((PLAYER, numbers.kept),))
    return Outcome(state, (Dealt(seat=AUTOMATON, cards=theirs),))


def _lineup(box: Box, name: str, dice: Dice) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the player's cards and the automaton's.

    The automaton gets the side of the line-up with more cards that it can play. Missing cards are dealt at
    random.
    """
    first, second = box.lineups[name]
    playable = [sum(card in box.deck for card in side) for side in (first, second)]
    theirs, ours = (first, second) if playable[0] >= playable[1] else (second, first)
    kept = tuple(card for card in theirs if card in box.deck)
    others = tuple(card for card in box.deck if card not in (*kept, *ours))
    wanting = box.numbers.draft.kept - len(kept)
    more = dice.shuffle("deal/automaton", others)[:wanting] if wanting > 0 else ()
    return ours, (*kept, *more)


def _duel(state: State, dice: Dice) -> Outcome[State, AnyEvent]:
    first = dice.pick("first", state.seats)
    second = state.other(first)
    state = replace_fields(state, initiative=second, mover=first)
    units, numbers = str(state.options["units"]), state.box.numbers.draft
    if units in state.box.lineups:
        bottom, top = state.seats
        return _deal_cards(state, dict(zip((bottom, top), state.box.lineups[units], strict=True)))
    shown = dice.shuffle("deal/shown", tuple(state.box.units))[: numbers.duel.shown]
    if units == "random":
        half = numbers.kept
        return _deal_cards(state, {first: shown[:half], second: shown[half:]})
    turns = ((first, second)[place % 2] for place in range(len(numbers.duel.picks)))
    picks = tuple(zip(turns, numbers.duel.picks, strict=True))
    return Outcome(replace_fields(state, offer=sorted_coins(shown), picks=picks))


def _deal_cards(state: State, cards: dict[Seat, tuple[Card, ...]]) -> Outcome[State, AnyEvent]:
    events: list[AnyEvent] = []
    for seat in state.seats:
        state = state.with_side(seat, Side(cards=cards[seat]))
        events.append(Dealt(seat=seat, cards=cards[seat]))
    return Outcome(state, tuple(events))
