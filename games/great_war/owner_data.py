"""A list of cards of the owner's: read from a file's text, and checked card by card."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.great_war.components import (
    CARDS_FILE,
    NATIONS,
    PILES,
    Card,
    CardId,
    CardRow,
    Effect,
    Lengths,
    Level,
    LinkRule,
    MixTable,
    NumberFigure,
    Selector,
    Split,
    card_list_facts,
    compile_book,
    fits,
    link_rules,
    plain_card,
    printed_rows,
    solo,
)
from games.protocol import Invalid
from games.record import Malformed, canonical, plain, revive

CARDS_OPTION = "option cards"
"""What is at fault where a list is no good."""

_FIXED_FIELDS = ("kind", "tags", "deck", "play_deck", "rank", "links_to", "plus")
"""Fields that carry the links and the decks: a list may repeat them, not change them."""

_FIGURES: Mapping[str, Any] = {
    "human_hand": Split,
    "defender_table": MixTable,
    "attacker_table": MixTable,
    "victory_levels": tuple[Level, ...],
    "turns": Lengths,
    "lead_cap": NumberFigure,
}
"""What of the procedure a list may repeat, with its type."""


WHOLE_LIST_KEY = "whole"
"""Marks a list that has every field of every card, as a game keeps it: nothing of it is looked up in ours."""


def complete_list(text: str) -> str:
    """Return a list with every field of every card, ours where it says nothing: what a new game keeps.

    So neither an upgrade of our list nor a change of the owner's file reaches a game that runs. Raises
    Invalid as `changed_cards` does.
    """
    theirs = {card.id: card for card in _check_list(text)}
    rows = [theirs.get(row.id, row) for row in printed_rows()]
    return canonical({WHOLE_LIST_KEY: True, "cards": rows}).decode()


def changed_cards(text: str) -> tuple[Card, ...]:
    """The cards of a list that differ from ours, in its order; of one that is whole, all of them.

    text: JSON, with the cards under "cards", in the form of our own file. What a row leaves out of a card,
    and cards that are left out, stay as ours are. Raises Invalid naming the card.
    """
    if (whole := _whole(text)) is not None:
        return whole
    ours = {row.id: plain_card(row) for row in printed_rows()}
    theirs = (plain_card(row) for row in _check_list(text))
    return tuple(card for card in theirs if card != ours[card.id])


def _whole(text: str) -> tuple[Card, ...] | None:
    """The cards of a list that is whole, which were checked when its game began; None where it is not."""
    document = _document(text)
    if document.get(WHOLE_LIST_KEY) is not True:
        return None
    cards = tuple(
        plain_card(_row(value, number, complete=True)) for number, value in enumerate(document["cards"])
    )
    if {card.id for card in cards} != {row.id for row in printed_rows()}:
        raise Invalid(
            CARDS_OPTION, "the list says that it is whole, and is not", f'leave "{WHOLE_LIST_KEY}" out'
        )
    return cards


def _check_list(text: str) -> tuple[CardRow, ...]:
    """Return the rows of a list, whole, each held against ours, and all together. Raises Invalid."""
    rows = _rows(text)
    ours = {row.id: row for row in printed_rows()}
    theirs: dict[CardId, CardRow] = {}
    for number, value in enumerate(rows):
        row = _row(value, number)
        if row.id in theirs:
            raise Invalid(
                f"{CARDS_OPTION}: {row.id}", "stands there twice", "give each id once, with its count"
            )
        _check_fixed_fields(row, ours[row.id])
        theirs[row.id] = row
    whole = [theirs.get(card_id, row) for card_id, row in ours.items()]
    for row in whole:
        if wrong := next(card_faults(row), None):
            raise Invalid(f"{CARDS_OPTION}: {row.id}", wrong)
    check_counts(whole)
    check_links([plain_card(row) for row in whole])
    return tuple(theirs.values())


def is_playable(cards: Sequence[Card]) -> bool:
    """Return whether cards could be those of a list that was checked: ids, decks and links are ours."""
    ours = {row.id: plain_card(row) for row in printed_rows()}
    return all(
        card.id in ours
        and all(getattr(card, field) == getattr(ours[card.id], field) for field in _FIXED_FIELDS)
        for card in cards
    )


def _rows(text: str) -> Sequence[Any]:
    document = _document(text)
    _same_figures(document)
    cards: list[Any] = document["cards"]
    return cards


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Invalid(CARDS_OPTION, f"the file is no JSON: {fault}") from fault
    if not isinstance(document, dict) or not isinstance(document.get("cards"), list):
        raise Invalid(
            CARDS_OPTION,
            'the file has no array "cards"',
            f"begin with a copy of games/great_war/{CARDS_FILE}",
        )
    return document


def _same_figures(document: Mapping[str, Any]) -> None:
    """Refuse a list that brings other links or another procedure: these are the sheet's, not the cards'."""
    solo_block = document.get("solo")
    given = {"link_rules": document.get("link_rules", link_rules())}
    if isinstance(solo_block, dict):
        given |= {name: solo_block.get(name, getattr(solo(), name)) for name in _FIGURES}
    for name, value in given.items():
        own = link_rules() if name == "link_rules" else getattr(solo(), name)
        try:
            same = value is own or revive(_FIGURES.get(name, tuple[LinkRule, ...]), value) == own
        except Malformed:
            same = False
        if not same:
            raise Invalid(
                f"{CARDS_OPTION}: {name}", "is not as in our list", "change cards only, and leave it out"
            )


def _row(value: Any, number: int, *, complete: bool = False) -> CardRow:
    """A row of a list. complete: it inherits nothing of our card with that id."""
    name = value.get("id") if isinstance(value, dict) else None
    if not complete and isinstance(name, str):
        own = next((row for row in printed_rows() if row.id == name), None)
        if own is None:
            raise Invalid(f"{CARDS_OPTION}: {name}", "there is no card of that id", "ids stay as they are")
        value = {**plain(own), **value}
    try:
        row: CardRow = revive(CardRow, value)
    except Malformed as fault:
        raise Invalid(f"{CARDS_OPTION}: {name or f'card {number + 1}'}", str(fault)) from fault
    return row


def _check_fixed_fields(row: CardRow, own: CardRow) -> None:
    for field in _FIXED_FIELDS:
        if getattr(row, field) != getattr(own, field):
            raise Invalid(
                f"{CARDS_OPTION}: {row.id}",
                f"its {field} is {plain(getattr(row, field))} and must be {plain(getattr(own, field))}",
                "change names, Battle Points, effects and counts only",
            )


def card_faults(row: CardRow) -> Iterator[str]:
    """Yield what is wrong with a card by itself."""
    if row.bp < 0:
        yield f"its bp is {row.bp} and cannot be below 0"
    if row.count < 1:
        yield f"its count is {row.count} and must be 1 at least"
    if row.high != (row.rank in ("A", "K", "Q", "J")):
        yield "high must be true for aces, kings, queens and jacks, and for no other card"
    if not row.timing:
        yield "it has no timing, so it could never be laid"
    if (row.play_deck == "event") != (row.timing == ("event_phase",)):
        yield "event_phase is the timing of event cards, and of no others"
    for effect in _all(row.effects):
        yield from _effect_faults(row, effect)


def _all(effects: Sequence[Effect]) -> Iterator[Effect]:
    for effect in effects:
        yield effect
        for option in effect.options:
            yield from _all(option)


def _effect_faults(row: CardRow, effect: Effect) -> Iterator[str]:
    tags = {tag for other in printed_rows() for tag in other.tags}
    nations = {other.nationality for other in printed_rows()}
    for selector in (*effect.target, *effect.excepted):
        yield from _selector_faults(selector, tags, nations)
    if (
        effect.op in ("cancel", "discard_in_play", "restore", "bp_mod", "forbid", "lead")
        and not effect.target
    ):
        yield f"its {effect.op} has no target"
    if effect.op in ("cancel", "discard_in_play", "restore", "lead", "blockade") and effect.n < 1:
        yield f"its {effect.op} needs n, 1 or more"
    if effect.op == "choose" and not effect.options:
        yield "its choose has no options"
    if effect.op == "draw" and effect.pile is None:
        yield "its draw does not say from which deck"
    if effect.op == "lead" and "leader" not in row.tags:
        yield "only leaders lead"


def _selector_faults(selector: Selector, tags: set[str], nations: set[str | None]) -> Iterator[str]:
    for tag in (selector.tag, selector.without):
        if tag is not None and tag not in tags:
            yield f"there is no tag {tag}"
    if selector.nat is not None and selector.nat not in nations:
        yield f"there is no nationality {selector.nat}"


def check_counts(rows: Sequence[CardRow]) -> None:
    """Check that every deck has the cards that it should. Raises Invalid naming the deck."""
    counts = Counter[str]()
    piles = Counter[str]()
    moved = Counter(card_list_facts()["solo_removed"])
    for row in rows:
        counts[row.deck] += row.count
        if (row.deck != "white" or row.id in card_list_facts()["white_in_solo"]) and row.id not in moved:
            piles[row.play_deck] += row.count - card_list_facts()["set_aside_solo"].count(row.id)
    for deck, wanted in card_list_facts()["deck_totals"].items():
        if counts[deck] != wanted:
            raise Invalid(
                f"{CARDS_OPTION}: the {deck} deck",
                f"its counts add up to {counts[deck]} and should to {wanted}",
                "move copies within the deck",
            )
    for pile in PILES:
        if piles[pile] != solo().solo_sizes[pile]:
            raise Invalid(
                f"{CARDS_OPTION}: the {pile} deck",
                f"{piles[pile]} cards of it are played with and {solo().solo_sizes[pile]} should be",
            )


def check_links(cards: Sequence[Card]) -> None:
    """Check that the cards bear the links of the flow chart. Raises Invalid naming the card or the row."""
    rules = [rule for rule in link_rules() if rule.via_op is None]
    card_book = compile_book(cards)
    for card in cards:
        wanted = [host for rule in rules if card.kind in rule.plus_kinds for host in rule.host]
        if card.plus != bool(wanted) or {*card.links_to} != {*wanted}:
            raise Invalid(f"{CARDS_OPTION}: {card.id}", "its links are not those of the flow chart")
        if card.play_deck in NATIONS and card.plus:
            near = [
                host_id
                for host_id in card_book.hosts[card.id]
                if card_book[host_id].play_deck in (card.play_deck, "neutral")
            ]
            if not near:
                raise Invalid(f"{CARDS_OPTION}: {card.id}", "no card of its own side can be its host")
    for rule in rules:
        if not any(fits(card, rule.host) for card in cards):
            raise Invalid(f"{CARDS_OPTION}: row {rule.id}", "no card is such a host")
