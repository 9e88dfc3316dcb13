"""The owner's list of cards, read from the text of a file and checked card by card."""

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
from games.messages import sentence
from games.protocol import Invalid
from games.record import Malformed, canonical, plain, revive

CARDS_OPTION = "option cards"
"""The start of the path in errors about a list."""

_FIXED_FIELDS = ("kind", "tags", "deck", "play_deck", "rank", "links_to", "plus")
"""Fields for links and decks. A list may repeat them but can't change them."""

_FIGURES: Mapping[str, Any] = {
    "human_hand": Split,
    "defender_table": MixTable,
    "attacker_table": MixTable,
    "victory_levels": tuple[Level, ...],
    "turns": Lengths,
    "lead_cap": NumberFigure,
}
"""The figures of the procedure that a list may repeat, with their types."""


WHOLE_LIST_KEY = "whole"
"""The key of a list with every field of every card, as a game keeps it. It takes nothing from our list."""


def complete_list(text: str) -> str:
    """Return a list with every field of every card, which a new game keeps.

    Fields and cards that the text leaves out come from our list. So a running game doesn't change with our
    list or with the owner's file. Raises Invalid as `changed_cards` does.
    """
    theirs = {card.id: card for card in _check_list(text)}
    rows = [theirs.get(row.id, row) for row in printed_rows()]
    return canonical({WHOLE_LIST_KEY: True, "cards": rows}).decode()


def changed_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a list that differ from ours, in its order, or all cards of a whole list.

    text: JSON in the format of our own file, with the cards under "cards". Fields and cards that it leaves
    out come from our list. Raises Invalid with the name of the wrong card.
    """
    if (whole := _whole(text)) is not None:
        return whole
    ours = {row.id: plain_card(row) for row in printed_rows()}
    theirs = (plain_card(row) for row in _check_list(text))
    return tuple(card for card in theirs if card != ours[card.id])


def _whole(text: str) -> tuple[Card, ...] | None:
    """Return the cards of a whole list, which was checked when its game began, or None for another list."""
    document = _document(text)
    if document.get(WHOLE_LIST_KEY) is not True:
        return None
    cards = tuple(
        plain_card(_row(value, number, complete=True)) for number, value in enumerate(document["cards"])
    )
    if {card.id for card in cards} != {row.id for row in printed_rows()}:
        instead = sentence("great_war.list.write_not_whole", key=WHOLE_LIST_KEY)
        raise Invalid(CARDS_OPTION, sentence("great_war.list.not_whole"), instead)
    return cards


def _check_list(text: str) -> tuple[CardRow, ...]:
    """Return the completed rows of a list after checking each row and all rows together. Raises Invalid."""
    document = _document(text)
    _same_figures(document)
    ours = {row.id: row for row in printed_rows()}
    theirs: dict[CardId, CardRow] = {}
    for number, value in enumerate(document["cards"]):
        row = _row(value, number)
        if row.id in theirs:
            why, instead = sentence("great_war.list.twice"), sentence("great_war.list.write_once")
            raise Invalid(f"{CARDS_OPTION}: {row.id}", why, instead)
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
    """Return whether the cards could come from a checked list, with the ids, decks and links of ours."""
    ours = {row.id: plain_card(row) for row in printed_rows()}
    return all(
        card.id in ours
        and all(getattr(card, field) == getattr(ours[card.id], field) for field in _FIXED_FIELDS)
        for card in cards
    )


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Invalid(CARDS_OPTION, sentence("great_war.list.not_json", fault=fault)) from fault
    if not isinstance(document, dict) or not isinstance(document.get("cards"), list):
        instead = sentence("great_war.list.write_cards", file=CARDS_FILE)
        raise Invalid(CARDS_OPTION, sentence("great_war.list.no_cards"), instead)
    return document


def _same_figures(document: Mapping[str, Any]) -> None:
    """Raise Invalid for a list with other links or another procedure, because these belong to the sheet."""
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
            why = sentence("great_war.list.other_figures")
            raise Invalid(f"{CARDS_OPTION}: {name}", why, sentence("great_war.list.write_cards_only"))


def _row(value: Any, number: int, *, complete: bool = False) -> CardRow:
    """Return a row of a list. Raises Invalid. complete: the row takes nothing from our card with its id."""
    name = value.get("id") if isinstance(value, dict) else None
    if not complete and isinstance(name, str):
        own = next((row for row in printed_rows() if row.id == name), None)
        if own is None:
            why, instead = sentence("great_war.list.unknown_id"), sentence("great_war.list.write_known_id")
            raise Invalid(f"{CARDS_OPTION}: {name}", why, instead)
        value = {**plain(own), **value}
    try:
        row: CardRow = revive(CardRow, value)
    except Malformed as fault:
        name = name or sentence("great_war.list.card", number=number + 1)
        raise Invalid(f"{CARDS_OPTION}: {name}", str(fault)) from fault
    return row


def _check_fixed_fields(row: CardRow, own: CardRow) -> None:
    for field in _FIXED_FIELDS:
        if getattr(row, field) != getattr(own, field):
            given, ours = plain(getattr(row, field)), plain(getattr(own, field))
            why = sentence("great_war.list.fixed_field", field=field, given=given, ours=ours)
            raise Invalid(f"{CARDS_OPTION}: {row.id}", why, sentence("great_war.list.write_free_fields"))


def card_faults(row: CardRow) -> Iterator[str]:
    """Yield the faults of a card by itself."""
    if row.bp < 0:
        yield sentence("great_war.list.low_points", points=row.bp)
    if row.count < 1:
        yield sentence("great_war.list.low_count", count=row.count)
    if row.high != (row.rank in ("A", "K", "Q", "J")):
        yield sentence("great_war.list.high")
    if not row.timing:
        yield sentence("great_war.list.no_timing")
    if (row.play_deck == "event") != (row.timing == ("event_phase",)):
        yield sentence("great_war.list.event_timing")
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
        yield sentence("great_war.list.no_target", op=effect.op)
    if effect.op in ("cancel", "discard_in_play", "restore", "lead", "blockade") and effect.n < 1:
        yield sentence("great_war.list.no_number", op=effect.op)
    if effect.op == "choose" and not effect.options:
        yield sentence("great_war.list.no_options")
    if effect.op == "draw" and effect.pile is None:
        yield sentence("great_war.list.no_deck")
    if effect.op == "lead" and "leader" not in row.tags:
        yield sentence("great_war.list.not_a_leader")


def _selector_faults(selector: Selector, tags: set[str], nations: set[str | None]) -> Iterator[str]:
    for tag in (selector.tag, selector.without):
        if tag is not None and tag not in tags:
            yield sentence("great_war.list.no_tag", tag=tag)
    if selector.nat is not None and selector.nat not in nations:
        yield sentence("great_war.list.no_nationality", nationality=selector.nat)


def check_counts(rows: Sequence[CardRow]) -> None:
    """Check that every deck has the right number of cards. Raises Invalid with the name of the deck."""
    counts = Counter[str]()
    piles = Counter[str]()
    moved = Counter(card_list_facts()["solo_removed"])
    for row in rows:
        counts[row.deck] += row.count
        if (row.deck != "white" or row.id in card_list_facts()["white_in_solo"]) and row.id not in moved:
            piles[row.play_deck] += row.count - card_list_facts()["set_aside_solo"].count(row.id)
    for deck, wanted in card_list_facts()["deck_totals"].items():
        if counts[deck] != wanted:
            why = sentence("great_war.list.deck_total", total=counts[deck], wanted=wanted)
            what = sentence("great_war.list.deck", deck=deck)
            raise Invalid(f"{CARDS_OPTION}: {what}", why, sentence("great_war.list.write_total"))
    for pile in PILES:
        if piles[pile] != solo().solo_sizes[pile]:
            sizes = {"total": piles[pile], "wanted": solo().solo_sizes[pile]}
            what = sentence("great_war.list.deck", deck=pile)
            raise Invalid(f"{CARDS_OPTION}: {what}", sentence("great_war.list.deck_size", **sizes))


def check_links(cards: Sequence[Card]) -> None:
    """Check that the cards have the links of the flow chart. Raises Invalid, naming a card or row."""
    rules = [rule for rule in link_rules() if rule.via_op is None]
    card_book = compile_book(cards)
    for card in cards:
        wanted = [host for rule in rules if card.kind in rule.plus_kinds for host in rule.host]
        if card.plus != bool(wanted) or {*card.links_to} != {*wanted}:
            raise Invalid(f"{CARDS_OPTION}: {card.id}", sentence("great_war.list.other_links"))
        if card.play_deck in NATIONS and card.plus:
            near = [
                host_id
                for host_id in card_book.hosts[card.id]
                if card_book[host_id].play_deck in (card.play_deck, "neutral")
            ]
            if not near:
                raise Invalid(f"{CARDS_OPTION}: {card.id}", sentence("great_war.list.no_host"))
    for rule in rules:
        if not any(fits(card, rule.host) for card in cards):
            what = sentence("great_war.list.row", row=rule.id)
            raise Invalid(f"{CARDS_OPTION}: {what}", sentence("great_war.list.no_row_host"))
