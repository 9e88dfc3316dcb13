"""Words for cards, effects and objections, and the reasons of the AI."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from games import language
from games.great_war.components import BONUS, Book, CardId, Effect, Pile, Selector
from games.great_war.model import BEST, AiDecision
from games.messages import has_sentence, sentence
from games.protocol import Advice, Concern, Objection

_CARD_DETAILS = ("card", "event", "leader", "joker", "white")
"""The details of an objection that are ids of cards. Sentences show the names of these cards."""


def list_items(items: Iterable[str], joint: Literal["and", "or"] = "and") -> str:
    """Return a list in words: "a, b and c"; "none" for no items."""
    return language.join_list(items, joint) or sentence("great_war.lists.none")


def card_names(card_book: Book, cards: Iterable[CardId]) -> str:
    """Return a list of cards by id and name; "none" for no cards."""
    return list_items([card_book.full_name(card_id) for card_id in cards])


def pile_name(pile: Pile) -> str:
    """Return the name of a deck: "Central Powers"."""
    return sentence(f"great_war.piles.{pile}")


def advice(remark: Objection | Concern, card_book: Book) -> Advice:
    """Return an objection or a concern in words. Raises KeyError for an unknown code."""
    details = _format_details(remark.detail, card_book)
    problem = _problem(remark.code, details)
    if isinstance(remark, Concern) and remark.drops:
        problem = sentence("great_war.advice.not-played", problem=problem)
    slug = f"great_war.instead.{remark.code}"
    # Except for a line with the wrong role, there is nothing to write if no card is possible.
    is_known = has_sentence(slug) and (remark.code == "wrong-role" or details["first"])
    return Advice(problem=problem, instead=sentence(slug, **details) if is_known else None)


def left_out_reason(code: str, detail: Mapping[str, str], card_book: Book) -> str:
    """Return why a part of an order wasn't played, as a sentence. Raises KeyError for an unknown code."""
    details = _format_details(detail, card_book)
    slug = f"great_war.left_out.{code}"
    # The caller has already looked up the replacement. In a report it would be out of date.
    is_short = has_sentence(slug) and not detail.get("near")
    text = sentence(slug, **details) if is_short else _problem(code, details)
    return f"{text[:1].upper()}{text[1:]}."


def _problem(code: str, details: Mapping[str, Any]) -> str:
    if code == "wrong-role":
        attacks = details["role"] == "attack"
        slug = "great_war.advice.wrong-role-attack" if attacks else "great_war.advice.wrong-role-defend"
    elif code == "led-too-many" and not details["count"]:
        slug = "great_war.advice.leads-none"
    else:
        slug = f"great_war.advice.{code}"
    return sentence(slug, **details)


def _format_details(detail: Mapping[str, str], card_book: Book) -> dict[str, Any]:
    near = [card_id for card_id in detail.get("near", "").split() if card_id != BEST]
    card_id = CardId(detail.get("card", ""))
    links = card_book[card_id].links_to if card_id in card_book.cards else ()
    details = {
        name: card_book.full_name(CardId(value)) if name in _CARD_DETAILS else value
        for name, value in detail.items()
    }
    return {
        **details,
        "hosts": cards_text(links),
        "count": int(detail.get("allowed", 0)),
        "near": list_items(near),
        "first": near[0] if near else "",
        "last": near[-1] if near else "",
        "card_id": card_id,
    }


def cards_text(selectors: Sequence[Selector]) -> str:
    """Return the cards that selectors mean, as alternatives: "infantry or tanks"; "none" for no selectors."""
    return list_items([_selector_text(selector) for selector in selectors], "or")


def _selector_text(selector: Selector) -> str:
    tag = selector.without
    if selector.any:
        return sentence("great_war.cards.any_but", tag=tag) if tag else sentence("great_war.cards.any")
    cards = selector.tag.replace("_", " ") if selector.tag else sentence("great_war.cards.plain")
    if selector.nat:
        nationality = selector.nat.replace("_", "-").title()
        cards = sentence("great_war.cards.national", nationality=nationality, cards=cards)
    return sentence("great_war.cards.some_but", cards=cards, tag=tag) if tag else cards


def effects_text(effects: Iterable[Effect]) -> str:
    """Return several effects in a few words; "" for no effects."""
    return "; ".join(effect_text(effect) for effect in effects)


def effect_text(effect: Effect) -> str:
    """Return an effect in a few words."""
    cards, count = cards_text(effect.target), effect.n
    match effect.op:
        case "cancel":
            return sentence("great_war.effects.cancel", cards=cards, count=count)
        case "discard_in_play":
            return sentence("great_war.effects.discard", cards=cards, count=count)
        case "restore":
            return sentence("great_war.effects.restore", cards=cards, count=count)
        case "discard_hand":
            both = effect.who == "both"
            slug = "great_war.effects.both_lose" if both else "great_war.effects.enemy_loses"
            return sentence(slug, count=count)
        case "draw":
            both = effect.who == "both"
            return sentence("great_war.effects.both_draw" if both else "great_war.effects.draw", count=count)
        case "peek_hand":
            return sentence("great_war.effects.peek")
        case "immune":
            return sentence("great_war.effects.immune", cards=cards_text(effect.excepted))
        case "lead":
            return sentence("great_war.effects.lead", count=count)
        case "lead_bonus":
            return sentence("great_war.effects.lead_more")
        case "blockade":
            return sentence("great_war.effects.blockade", count=count)
        case "wild_link":
            return sentence("great_war.effects.wild", points=effect.bp)
        case "cancel_event":
            return sentence("great_war.effects.cancel_event")
        case "bp_mod":
            return sentence("great_war.effects.points", change=f"{effect.delta:+d}", cards=cards)
        case "forbid":
            early = effect.scope == "round1"
            slug = "great_war.effects.forbid_in_round_1" if early else "great_war.effects.forbid"
            return sentence(slug, cards=cards)
        case "save_capture":
            return sentence("great_war.effects.save", count=count)
        case "extra_event":
            return sentence("great_war.effects.more_events", count=count)
        case "choose":
            return language.join_list([effects_text(option) for option in effect.options], "or")


# The reasons of the AI.


def because(why: AiDecision, card_book: Book, hand_open: bool = True) -> str:
    """Return the reason for the AI's action.

    hand_open: whether the reason may reveal the rest of its hand.
    """
    named = [card_book.full_name(card_id) for card_id in why.cards]
    match why.case:
        case "hand":
            slug = "great_war.reasons.replaced" if named else "great_war.reasons.rolled"
            return sentence(slug, die=why.dice[0], cards=list_items(named))
        case "opening":
            slug = "great_war.reasons.opening" if why.key[0] else "great_war.reasons.opening_alone"
            return sentence(slug, die=why.dice[0], cards=list_items(named), count=why.key[0])
        case "cards" | "swing":
            play = _choice_text(why, hand_open)
            slug = "great_war.reasons.play_takes" if why.cards else "great_war.reasons.play"
            return sentence(slug, play=play, cards=language.join_list(why.cards))
        case "leader":
            return _leader_text(why, named)
        case "cancelled leader":
            return sentence("great_war.reasons.leader_cancelled", leader=named[0])
        case "reaction":
            is_bonus = BONUS in card_book[why.cards[0]].tags
            slug = "great_war.reasons.reaction_bonus" if is_bonus else "great_war.reasons.reaction_joker"
            return sentence(slug, leader=named[1], card=named[0])
        case "event":
            return sentence("great_war.reasons.event", event=named[1], card=named[0])
        case "bonus":
            return _bonus_text(why, named)
        case "pass":
            return sentence("great_war.reasons.no_play")


def _choice_text(why: AiDecision, hand_open: bool) -> str:
    by_cards, own = why.measures[0] == "cards", why.key[0]
    play = sentence("great_war.reasons.swing", swing=f"{own:+d}")
    if by_cards:
        is_most = not hand_open or (why.next is not None and own != why.next[0])
        slug = "great_war.reasons.most_cards" if is_most else "great_war.reasons.cards"
        play = sentence(slug, count=own)
    if not hand_open:
        return play
    if why.next is None:
        return sentence("great_war.reasons.only_play", play=play)
    if own != why.next[0]:
        other = str(why.next[0]) if by_cards else f"{why.next[0]:+d}"
        return sentence("great_war.reasons.next_best", play=play, other=other)
    preferred = sentence("great_war.preferred.first")
    for name, mine, theirs in zip(why.measures, why.key, why.next, strict=True):
        if mine != theirs:
            swings = {"own": f"{mine:+d}", "other": f"{theirs:+d}"}
            preferred = sentence(f"great_war.preferred.{name}", **swings)
            break
    return sentence("great_war.reasons.equal", play=play, preferred=preferred)


def _leader_text(why: AiDecision, named: Sequence[str]) -> str:
    leader, *led = named
    cards = [
        sentence("great_war.reasons.led_takes", card=card, points=points)
        if points
        else sentence("great_war.reasons.led_highest", card=card)
        for card, points in zip(led, why.key, strict=True)
    ]
    slug = "great_war.reasons.leader" if cards else "great_war.reasons.leader_alone"
    return sentence(slug, leader=leader, cards="; ".join(cards))


def _bonus_text(why: AiDecision, named: Sequence[str]) -> str:
    kind = sentence("great_war.reasons.joker" if why.kind == "joker" else "great_war.reasons.bonus")
    if why.kind is None:
        slug = "great_war.reasons.bonus_no_card"
    elif not named:
        slug = "great_war.reasons.bonus_missing"
    else:
        slug = "great_war.reasons.bonus_second_roll" if why.dice[1:] else "great_war.reasons.bonus_play"
    return sentence(slug, die=why.dice[0], second=why.dice[-1], kind=kind, card=list_items(named))
