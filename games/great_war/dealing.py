"""Decks and hands: the set-up of STEP 1, exchanges, the player's hand, the AI's by its die."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.great_war.components import PILES, Book, CardId, Mix, Nation, Pile, meta, solo
from games.great_war.events import Drew, Hand
from games.great_war.in_play import Table
from games.great_war.model import AI, PLAYER, Army, Pair, Parts, Stack, State, other_nation
from games.protocol import Seat
from games.record import changed

DEFAULT = Parts(
    **{name: getattr(solo().human_hand.default, name) for name in ("neutral", "nationality", "bonus")}
)
"""How the player's hand is split if he says nothing. Source: GW2."""


def sorted_out(state: State) -> State:
    """The state with all cards but those captured where STEP 1 wants them, each deck in card order.

    Source: GW-1.1 to GW-1.7, GW-1.10, GW38.
    """
    book = state.book
    captured = Counter(one for army in state.armies.values() for one in army.captured)
    spare = state.spare or tuple(
        one for one, card in book.cards.items() if card.deck == "white" and one not in meta()["white_in_solo"]
    )
    aside, removed = tuple(meta()["set_aside_solo"]), _copies(book, meta()["solo_removed"])
    away = Counter((*aside, *removed, *spare)) + captured
    decks: dict[Pile, list[CardId]] = {pile: [] for pile in PILES}
    for one, card in book.cards.items():
        decks[card.play_deck] += [one] * (card.count - away[one])
    return changed(
        state,
        piles={pile: Stack(deck=tuple(cards)) for pile, cards in decks.items()},
        aside=book.in_order(aside),
        removed=removed,
        spare=spare,
        armies={seat: changed(army, hand=(), row=()) for seat, army in state.armies.items()},
    )


def _copies(book: Book, ids: Sequence[CardId]) -> tuple[CardId, ...]:
    return tuple(one for one in ids for _ in range(book[one].count))


def armies(nation: Nation) -> dict[Seat, Army]:
    """Both sides, the player's nation given."""
    return {PLAYER: Army(nation=nation), AI: Army(nation=other_nation(nation))}


def exchanged(state: State, pairs: Sequence[Pair]) -> State:
    """The state, its decks in card order, with White cards in place of others. Source: GW-1.7, GW40."""
    piles = dict(state.piles)
    spare = list(state.spare)
    for pair in pairs:
        pile = state.pile_of(pair.white)
        deck = list(piles[pile].deck)
        deck.remove(pair.for_)
        spare[spare.index(pair.white)] = pair.for_
        piles[pile] = Stack(deck=state.book.in_order((*deck, pair.white)))
    return changed(state, piles=piles, spare=state.book.in_order(spare))


def shuffle_all(table: Table) -> None:
    """Shuffle every deck. Source: GW-1.1."""
    for pile in PILES:
        deck = table.shuffled(pile, table.now.piles[pile].deck)
        table.set(piles={**table.now.piles, pile: Stack(deck=deck)})


def zones(state: State) -> dict[str, tuple[CardId, ...]]:
    """Every card of the game by where it is; together they are always the same 200."""
    found: dict[str, tuple[CardId, ...]] = {
        "aside": state.aside,
        "removed": state.removed,
        "spare": state.spare,
    }
    for pile, stack in state.piles.items():
        found |= {f"{pile} deck": stack.deck, f"{pile} discards": stack.discards}
    for seat, army in state.armies.items():
        row = tuple(laid.card for laid in army.row)
        found |= {f"{seat} hand": army.hand, f"{seat} row": row, f"{seat} captured": army.captured}
    # A Random Event lies before the players until its Turn is over.
    found["event"] = (state.event,) if state.event else ()
    return found


def deal_player(table: Table) -> None:
    """The player's nine cards, by the split that he chose. Source: GW-2.1, GW-10.3, GW-15.2, GW2."""
    parts = table.now.split or DEFAULT
    mix = Mix(neutral=parts.neutral, nationality=parts.nationality, bonus=parts.bonus)
    _draw_hand(table, PLAYER, mix)
    table.set(split=None)
    _tell_drawn(table, PLAYER, mix)
    table.tell(Hand, private=True, cards=table.army(PLAYER).hand)


def deal_ai(table: Table, die: int) -> tuple[CardId, ...]:
    """The AI's hand for a number of its die; answers what it had to throw away. Source: GW-3.3, GW-11.1.

    Kinds that are laid at once come from those set aside; cards that it may not keep are replaced at once.
    """
    defends = table.now.attacker == PLAYER
    mix = (solo().defender_table if defends else solo().attacker_table).rows[str(die)]
    redraw = solo().defender_redraw if defends else solo().attacker_redraw
    placed = _place(table, mix.place)
    _draw_hand(table, AI, mix)
    replaced = _replace(table, redraw.kinds) if not redraw.dice or die in redraw.dice else ()
    table.set_army(AI, hand=table.book.in_order(table.army(AI).hand))
    table.set(die=die)
    _tell_drawn(table, AI, mix, die=die, placed=placed, redrawn=replaced)
    return replaced


def _tell_drawn(table: Table, seat: Seat, mix: Mix, **more: Any) -> None:
    sizes: dict[str, Any] = {"neutral": mix.neutral, "nationality": mix.nationality, "bonus": mix.bonus}
    table.tell(Drew, seat=seat, **sizes, **more)


def _place(table: Table, kinds: Sequence[str]) -> tuple[CardId, ...]:
    placed: list[CardId] = []
    for kind in kinds:
        one = next((one for one in table.now.aside if table.card(one).kind == kind), None)
        if one is not None:
            table.set(aside=tuple(other for other in table.now.aside if other != one))
            table.set_army(AI, hand=(*table.army(AI).hand, one))
            table.put(AI, one, "placed")
            placed.append(one)
    return tuple(placed)


def _draw_hand(table: Table, seat: Seat, mix: Mix) -> None:
    nation: Pile = table.army(seat).nation
    drawn: list[CardId] = []
    wanted: tuple[tuple[Pile, int], ...] = (
        ("neutral", mix.neutral),
        (nation, mix.nationality),
        ("bonus", mix.bonus),
    )
    for pile, count in wanted:
        drawn += table.draw(pile, count)
    table.set_army(seat, hand=(*table.army(seat).hand, *drawn))
    if seat == PLAYER:
        table.set_army(seat, hand=table.book.in_order(table.army(seat).hand))


def _replace(table: Table, kinds: Sequence[str]) -> tuple[CardId, ...]:
    """Replace cards of these kinds in the AI's hand by Neutral ones, until none is left. Source: GW8, GW7."""
    replaced: list[CardId] = []
    while found := [one for one in table.army(AI).hand if table.card(one).kind in kinds]:
        replaced.append(found[0])
        table.spend(AI, found[0])
        table.set_army(AI, hand=(*table.army(AI).hand, *table.draw("neutral", 1)))
    return tuple(replaced)
