"""The texts of The Great War: why the AI played its cards, and why an order is illegal."""

from collections.abc import Callable, Mapping, Sequence

from games.great_war.components import BONUS, Book, CardId, Effect, Selector
from games.great_war.model import BEST, AiDecision
from games.protocol import Advice, Concern, Objection

# The problem, and what to write instead ("" for nothing). The names in braces are keys of the detail. {card},
# {event}, {leader}, {joker} and {white} become card names, {near} a list, and {first} its first entry.
_ADVICE: Mapping[str, tuple[str, str]] = {
    "no-round": ("no Combat Round is due now", ""),
    "wrong-role": ("in this Turn you {role}", "{instead}"),
    "round-over": ("that Combat Round is over. Round {round} is due", ""),
    "round-to-come": ("Combat Round {round} comes first", ""),
    "twice": ("you don't hold that many copies of {card}", ""),
    "wild-base": ("a Joker AS WILD is added to another card, so it can't come first", ""),
    "not-held": ("{card} isn't in your hand; you hold {near}", ""),
    "forbidden": ("you can't play {card}: {event} forbids it", ""),
    "barred": ("an Attacker can't play {card}", ""),
    "not-in-round": ("you can't play {card} in a Combat Round", ""),
    "not-in-bonus": ("you can't play {card} in the Bonus phase", ""),
    "no-host": ("{card} {hosts}, and you have no such card face-up", ""),
    "not-plus": ("{card} isn't a Plus card, so it can only be the base of a Round", ""),
    "no-wild": ("you can't add {card} AS WILD now", ""),
    "no-leader": ("{card} isn't led, because you have no leader in force as the base", ""),
    "not-led": ("{card} is naval, so it can't be led", ""),
    "led-too-many": ("{card} isn't led: {leader} leads only {allowed} cards", ""),
    "no-helper": ("{card} doesn't let a leader lead more cards", ""),
    "joker-is-base": ("{card} isn't played, because {joker} is the base of that Round", ""),
    "no-target": ("{card} can't target {aim}; on the table: {near}", ""),
    "no-joker": ("{card} isn't a Joker in your hand; you hold {near}", ""),
    "joker-alone": ("Your Joker is the base of Round {number}. Add cards with a + line, or write PASS.", ""),
    "stops-no-leader": ("{card} can't cancel a leader. These can: {near}", "CANCEL LEADER WITH {first}"),
    "guard-not-held": ("You don't hold {near} now. The order stays in force for later hands.", ""),
    "may-guard": (
        "You hold {near}. To cancel a leader of the AI with it, write CANCEL LEADER WITH {first}.",
        "",
    ),
    "no-event": ("there's no Random Event for you to cancel", ""),
    "stops-no-event": ("{card} can't cancel the event; you hold {near}", "CANCEL EVENT WITH {first}"),
    "no-bonus-card": ("you can't play {card} in the Bonus phase; you hold {near}", "BONUS: {first}"),
    "no-blockade": ("{card} isn't one of your blockades; on the table: {near}", ""),
    "split-range": ("you can draw {least} to {most} {deck} cards", "DRAW 4/4/1"),
    "split-sum": ("that makes {sum} cards, but a hand has {size}", "DRAW 4/4/1"),
    "exchange-closed": ("you can exchange cards only before Turn 1, and in Turn 5 for Turn 6", ""),
    "not-spare": ("{card} isn't a White card that you can bring in", "EXCHANGE {first} FOR {last}"),
    "not-exchanged": ("{card} is neither Red nor Blue. Possible: {near}", ""),
    "not-in-decks": ("{card} isn't in the decks. Possible: {near}", ""),
    "not-alike": ("{white} can only replace a card of its own deck and rank. Possible: {near}", ""),
    "leaders-done": ("you have already exchanged a leader of that side", ""),
    "leader-alone": (
        "you must also exchange a leader of the other side. Possible: {near}",
        "EXCHANGE {card_id} FOR {instead} AND {first} FOR the other side's leader",
    ),
    "no-length": ("a campaign lasts 5 or 10 Turns, not {turns}", "TURNS 10"),
    "no-guard": ("you have no standing order to cancel a leader", ""),
    "length-settled": ("the length of the campaign was settled after Turn 5", ""),
    "begun": ("the game has already begun", ""),
}
_CARD_DETAILS = ("card", "event", "leader", "joker", "white")


def join_words(items: Sequence[str], joint: str = "and") -> str:
    """Return a list in words: "a, b and c"; "none" for none."""
    if not items:
        return "none"
    return f"{', '.join(items[:-1])} {joint} {items[-1]}" if len(items) > 1 else items[0]


def advice(remark: Objection | Concern, book: Book, number: int) -> Advice:
    """Return an objection or a concern in words. number: the Round. Raises KeyError for an unknown code."""
    problem, instead = _ADVICE[remark.code]
    details = _format_details(remark.detail, book, number)
    if isinstance(remark, Concern) and problem[-1] != ".":
        problem = f"Not played: {problem}."
    wanted = instead and ("{first}" not in instead or details["first"])
    return Advice(problem=problem.format(**details), instead=instead.format(**details) if wanted else None)


def reproach(code: str, detail: Mapping[str, str], book: Book) -> str:
    """Return why a part of an order wasn't played, as a sentence."""
    problem = _ADVICE[code][0]
    # The caller has already looked up the replacement. In a report it would be out of date.
    if not detail.get("near"):
        problem = problem.partition("; you hold")[0].partition("; on the table")[0]
    text = problem.format(**_format_details(detail, book, 0))
    return f"{text[:1].upper()}{text[1:]}."


def _format_details(detail: Mapping[str, str], book: Book, number: int) -> dict[str, str]:
    near = [card_id for card_id in detail.get("near", "").split() if card_id != BEST]
    details = {
        name: book.full_name(CardId(value)) if name in _CARD_DETAILS else value
        for name, value in detail.items()
    }
    card = detail.get("card", "")
    return {
        "round": "1ST" if number == 1 else "2ND",
        "hosts": _hosts(book, CardId(card)),
        **details,
        "near": join_words(near),
        "first": near[0] if near else "",
        "last": near[-1] if near else "",
        "card_id": card,
    }


def _hosts(book: Book, card_id: CardId) -> str:
    """Return what a card links to: "links to infantry or tanks"."""
    if card_id not in book.cards:
        return ""
    return f"links to {join_words([selector_text(host) for host in book[card_id].links_to], 'or')}"


def selector_text(selector: Selector) -> str:
    """Return which cards a selector means, in words."""
    if selector.any:
        return f"any card except {selector.without}" if selector.without else "any card"
    noun = (selector.tag or "card").replace("_", " ")
    if selector.nat:
        noun = f"{selector.nat.replace('_', '-').title()} {noun}"
    return f"{noun} except {selector.without}" if selector.without else noun


def effect_text(effect: Effect) -> str:
    """Return what an effect does, in a few words."""
    what = join_words([selector_text(selector) for selector in effect.target], "or")
    count = "" if effect.n < 2 else f"{effect.n} × "
    match effect.op:
        case "cancel":
            return f"cancels {count}{what}"
        case "discard_in_play":
            return f"discards {count}{what}"
        case "restore":
            return f"turns {count}{what} up again"
        case "discard_hand":
            who = "each side" if effect.who == "both" else "the enemy"
            return (
                f"{who} loses {effect.n} cards from the hand at random"
                if effect.n != 1
                else f"{who} loses a card from the hand at random"
            )
        case "draw":
            return f"each side draws {effect.n}" if effect.who == "both" else f"draws {effect.n}"
        case "peek_hand":
            return "shows the enemy hand"
        case "immune":
            return (
                f"immune except to "
                f"{join_words([selector_text(selector) for selector in effect.excepted], 'or')}"
            )
        case "lead":
            return f"leads {effect.n}"
        case "lead_bonus":
            return "lets a leader lead one more"
        case "blockade":
            return f"takes {effect.n} enemy Nationality card at the end of the Turn"
        case "wild_link":
            return f"can be added AS WILD to any of your cards for {effect.bp}"
        case "cancel_event":
            return "cancels a Random Event"
        case "bp_mod":
            return f"{effect.delta:+d} for {what}"
        case "forbid":
            return f"no {what} can be played" + (" in Round 1" if effect.scope == "round1" else "")
        case "save_capture":
            return f"saves {effect.n} card from capture"
        case "extra_event":
            return f"{effect.n} more events"
        case "choose":
            ways = ["; ".join(effect_text(part) for part in option) for option in effect.options]
            return " or ".join(ways)


# The reasons of the AI.

_MEASURED: Mapping[str, Callable[[int], str]] = {
    "cards": lambda n: f"{n} card{'s' * (n != 1)}",
    "swing": lambda n: f"swing {n:+d}",
    "hit": lambda n: "takes a card out of play" if n else "takes no card out of play",
    "base": lambda n: f"a base of {n}",
}
_PREFERRED = {
    "cards": "the one with more cards",
    "swing": "the one with swing {own:+d} (other {other:+d})",
    "hit": "the one that takes a card out of play",
    "base": "the one whose base has more Battle Points",
}


def because(why: AiDecision, book: Book, hand_open: bool = True) -> str:
    """Return the reason for the AI's action; "" if there is nothing to say while its hand is hidden.

    hand_open: whether the reason may reveal the rest of its hand.
    """
    named = [book.full_name(card_id) for card_id in why.cards]
    match why.case:
        case "hand":
            thrown = f". It had to replace {join_words(named)}" if named else ""
            return f"It rolled {why.dice[0]}{thrown}."
        case "opening":
            return f"It rolled {why.dice[0]} and played {join_words(named)}; {_links_text(why.key[0])}."
        case "cards" | "swing":
            return _choice_text(why, hand_open)
        case "leader":
            return _leader_text(why, named)
        case "cancelled leader":
            return f"It had to play the leader {named[0]} in Round 2, where it was cancelled."
        case "reaction":
            is_bonus = BONUS in book[why.cards[0]].tags
            rule = "a Bonus card before a Joker" if is_bonus else "a Joker if it has no Bonus card for it"
            return f"It must cancel the leader {named[1]}, and used {named[0]}: {rule}."
        case "event":
            return f"It must cancel {named[1]}, and used {named[0]}."
        case "bonus":
            return _bonus(why, named, hand_open)
        case "pass":
            return "It has no card to play."


def _links_text(count: int) -> str:
    return f"{count or 'no'} card{' links' if count == 1 else 's link'} to the cards on the table"


def _choice_text(why: AiDecision, hand_open: bool) -> str:
    first, own = why.measures[0], why.key
    head = _MEASURED[first](own[0])
    done = f"; it takes {join_words(list(why.cards))} out of play" if why.cards else ""
    most = ", the most possible" if first == "cards" else ""
    if not hand_open:
        return f"{_capital(head)}{most}{done}."
    if why.next is None:
        return f"{_capital(head)}, its only possible play{done}."
    if own[0] != why.next[0]:
        other = f"{why.next[0]}" if first == "cards" else f"{why.next[0]:+d}"
        return f"{_capital(head)}{most} (next best {other}){done}."
    for name, mine, theirs in zip(why.measures, own, why.next, strict=True):
        if mine != theirs:
            better = _PREFERRED[name].format(own=mine, other=theirs)
            return f"{_capital(head)}; of two equal plays {better}{done}."
    return f"{_capital(head)}; of two equal plays the first in card order{done}."


def _leader_text(why: AiDecision, named: Sequence[str]) -> str:
    led_texts = [
        f"{card_name}, which takes a card of {taken} out of play"
        if taken
        else f"{card_name}, the highest left"
        for card_name, taken in zip(named[1:], why.key, strict=True)
    ]
    led = f"The leader leads {'; '.join(led_texts)}." if led_texts else "There is no card to lead."
    return f"It had to play the leader {named[0]} in Round 2. {led}"


def _bonus(why: AiDecision, named: Sequence[str], hand_open: bool) -> str:
    """Return the reason for a Bonus play; "" for none if it would reveal the hidden hand."""
    first, *second = why.dice
    kind = "a Joker" if why.kind == "joker" else "a Bonus card"
    if not hand_open:
        return f"Its roll called for {kind}: {join_words(named)}." if named else ""
    if why.kind is None:
        return f"It rolled {first}: no card in the Bonus phase."
    both = f", both kinds could take a card out of play, and then it rolled {second[0]}" if second else ""
    what = join_words(named) if named else "it holds none"
    return f"It rolled {first}{both}: {kind}, {what}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
