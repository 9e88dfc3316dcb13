"""The words of The Great War: why the AI played, why an order cannot be, what to write instead."""

from collections.abc import Callable, Mapping, Sequence

from games.great_war.components import BONUS, Book, CardId, Effect, Selector
from games.great_war.model import BEST, AiDecision
from games.protocol import Advice, Concern, Objection

# What is wrong, and what to write instead ("" for nothing). Names in braces are those of the detail; {card},
# {event}, {leader}, {joker}, {white} are told with their names, {near} as a list, {first} is the first of it.
_ADVICE: Mapping[str, tuple[str, str]] = {
    "no-round": ("no Combat Round is awaited now", ""),
    "wrong-role": ("in this Turn you {role}", "{instead}"),
    "round-over": ("that Combat Round is over; Round {round} is awaited", ""),
    "round-to-come": ("Combat Round {round} is awaited first", ""),
    "twice": ("{card} stands there more often than you hold it", ""),
    "wild-base": ("a Joker AS WILD is added to a card of yours and cannot come first", ""),
    "not-held": ("{card} is not in your hand; you hold {near}", ""),
    "forbidden": ("{card} may not be laid: {event} forbids it", ""),
    "barred": ("{card} may not be laid by an Attacker", ""),
    "not-in-round": ("{card} is not laid in a Combat Round", ""),
    "not-in-bonus": ("{card} is not laid in the Bonus phase", ""),
    "no-host": ("{card} {hosts}; none of yours is face-up", ""),
    "not-plus": ("{card} is no Plus card, so it can only be the base of a Round", ""),
    "no-wild": ("{card} cannot be added AS WILD now", ""),
    "no-leader": ("{card} is not led, since no leader of yours was laid first and stands", ""),
    "not-led": ("{card} cannot be led, since it is naval", ""),
    "led-too-many": ("{card} is not led: {leader} leads {allowed} cards", ""),
    "no-helper": ("{card} does not let a leader lead more", ""),
    "joker-is-base": ("{card} is left out, since {joker} is the base of that Round", ""),
    "no-target": ("{card} cannot be aimed at {aim}; on the table {near}", ""),
    "no-joker": ("{card} is no Joker in your hand; you hold {near}", ""),
    "joker-alone": ("Your Joker is the base of Round {number}; add cards by a + line, or write PASS.", ""),
    "stops-no-leader": ("{card} cannot cancel a leader; what can is {near}", "CANCEL LEADER WITH {first}"),
    "guard-not-held": ("You hold none of {near} now; the order stands for later hands.", ""),
    "may-guard": ("You hold {near}: with CANCEL LEADER WITH {first} it meets a leader of the AI.", ""),
    "no-event": ("no Random Event waits for you", ""),
    "stops-no-event": ("{card} does not cancel the event; you hold {near}", "CANCEL EVENT WITH {first}"),
    "no-bonus-card": ("{card} cannot be laid in the Bonus phase; you hold {near}", "BONUS: {first}"),
    "no-blockade": ("{card} is no blockade of yours on the table; there {near}", ""),
    "split-range": ("from {least} to {most} cards of the {deck} kind can be drawn", "DRAW 4/4/1"),
    "split-sum": ("that makes {sum} cards, and a hand has {size}", "DRAW 4/4/1"),
    "exchange-closed": ("exchanges are made before Turn 1, and in Turn 5 for Turn 6", ""),
    "not-spare": ("{card} is no White card that can come in", "EXCHANGE {first} FOR {last}"),
    "not-exchanged": ("{card} is neither Red nor Blue; there are {near}", ""),
    "not-in-decks": ("{card} is not in the decks; there are {near}", ""),
    "not-alike": ("{white} comes in for a card of its deck and rank; there are {near}", ""),
    "leaders-done": ("a leader of that side was exchanged already", ""),
    "leader-alone": (
        "a leader goes with a leader of the other side; there are {near}",
        "EXCHANGE {card_id} FOR {instead} AND {first} FOR the other side's leader",
    ),
    "no-length": ("a campaign has 5 Turns or 10, not {turns}", "TURNS 10"),
    "no-guard": ("no card of yours stands ready against a leader", ""),
    "length-settled": ("whether the campaign goes on was settled after Turn 5", ""),
    "begun": ("the game has begun", ""),
}
_CARD_DETAILS = ("card", "event", "leader", "joker", "white")


def join_words(items: Sequence[str], joint: str = "and") -> str:
    """Return several things in words: "a, b and c"; "none" for none."""
    if not items:
        return "none"
    return f"{', '.join(items[:-1])} {joint} {items[-1]}" if len(items) > 1 else items[0]


def advice(remark: Objection | Concern, book: Book, number: int) -> Advice:
    """An objection or a concern in words. number: of the Round. Raises KeyError for a code not ours."""
    problem, instead = _ADVICE[remark.code]
    details = _format_details(remark.detail, book, number)
    if isinstance(remark, Concern) and problem[-1] != ".":
        problem = f"Left out: {problem}."
    wanted = instead and ("{first}" not in instead or details["first"])
    return Advice(problem=problem.format(**details), instead=instead.format(**details) if wanted else None)


def reproach(code: str, detail: Mapping[str, str], book: Book) -> str:
    """Return why a part of an order was left out, as a sentence."""
    problem = _ADVICE[code][0]
    # What there is instead was asked of the table before; in a report it would be out of date.
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
    """Return which cards are meant, in words."""
    if selector.any:
        return f"any card that is not {selector.without}" if selector.without else "any card"
    noun = (selector.tag or "card").replace("_", " ")
    if selector.nat:
        noun = f"{selector.nat.replace('_', '-').title()} {noun}"
    return f"{noun} that is no {selector.without}" if selector.without else noun


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
            return f"{who} loses {effect.n} of the hand at random"
        case "draw":
            return f"each side draws {effect.n}" if effect.who == "both" else f"draws {effect.n}"
        case "peek_hand":
            return "shows the enemy hand"
        case "immune":
            return (
                f"proof but against "
                f"{join_words([selector_text(selector) for selector in effect.excepted], 'or')}"
            )
        case "lead":
            return f"leads {effect.n}"
        case "lead_bonus":
            return "lets a leader lead one more"
        case "blockade":
            return f"takes {effect.n} enemy Nationality card at the end of the Turn"
        case "wild_link":
            return f"is added AS WILD to any of yours for {effect.bp}"
        case "cancel_event":
            return "cancels a Random Event"
        case "bp_mod":
            return f"{effect.delta:+d} for {what}"
        case "forbid":
            return f"no {what} may be laid" + (" in Round 1" if effect.scope == "round1" else "")
        case "save_capture":
            return f"saves {effect.n} card from capture"
        case "extra_event":
            return f"{effect.n} events more"
        case "choose":
            ways = ["; ".join(effect_text(part) for part in option) for option in effect.options]
            return " or ".join(ways)


# The reasons of the AI in words.

_MEASURED: Mapping[str, Callable[[int], str]] = {
    "cards": lambda n: f"{n} card{'s' * (n != 1)}",
    "swing": lambda n: f"swing {n:+d}",
    "hit": lambda n: "takes a card out of play" if n else "takes none out",
    "base": lambda n: f"a base of {n}",
}
_PREFERRED = {
    "cards": "the one with more cards",
    "swing": "the one with swing {own:+d} (other {other:+d})",
    "hit": "the one that takes a card out of play",
    "base": "the one whose base has more Battle Points",
}


def because(why: AiDecision, book: Book, hand_open: bool = True) -> str:
    """Return why the AI did what it did; "" for what says nothing while its hand is hidden.

    hand_open: whether what it holds besides may be read off it.
    """
    named = [book.full_name(card_id) for card_id in why.cards]
    match why.case:
        case "hand":
            thrown = f"; {join_words(named)} had to be replaced" if named else ""
            return f"Die {why.dice[0]}{thrown}."
        case "opening":
            return f"Die {why.dice[0]}: {join_words(named)} laid; {_links_text(why.key[0])}."
        case "cards" | "swing":
            return _choice_text(why, hand_open)
        case "leader":
            return _leader_text(why, named)
        case "cancelled leader":
            return f"The leader {named[0]} had to be laid in Round 2, and was cancelled; he leads nobody."
        case "reaction":
            is_bonus = BONUS in book[why.cards[0]].tags
            rule = "a Bonus card before a Joker" if is_bonus else "a Joker where no Bonus card will do"
            return f"The leader {named[1]} is cancelled with {named[0]}: it must be, {rule}."
        case "event":
            return f"{named[1]} is cancelled with {named[0]}, as the AI must."
        case "bonus":
            return _bonus(why, named, hand_open)
        case "pass":
            return "Nothing can be laid."


def _links_text(count: int) -> str:
    return f"{count or 'no'} card{' links' if count == 1 else 's link'} to what lies there"


def _choice_text(why: AiDecision, hand_open: bool) -> str:
    first, own = why.measures[0], why.key
    head = _MEASURED[first](own[0])
    done = f"; it takes {join_words(list(why.cards))} out of play" if why.cards else ""
    most = ", the most possible" if first == "cards" else ""
    if not hand_open:
        return f"{_capital(head)}{most}{done}."
    if why.next is None:
        return f"{_capital(head)}, the only play there is{done}."
    if own[0] != why.next[0]:
        other = f"{why.next[0]}" if first == "cards" else f"{why.next[0]:+d}"
        return f"{_capital(head)}{most} (next best {other}){done}."
    for name, mine, theirs in zip(why.measures, own, why.next, strict=True):
        if mine != theirs:
            better = _PREFERRED[name].format(own=mine, other=theirs)
            return f"{_capital(head)}; of two such plays {better}{done}."
    return f"{_capital(head)}; of two such plays the first in card order{done}."


def _leader_text(why: AiDecision, named: Sequence[str]) -> str:
    led_texts = [
        f"{card_name}, which takes a card of {taken} out of play"
        if taken
        else f"{card_name}, the highest left"
        for card_name, taken in zip(named[1:], why.key, strict=True)
    ]
    led = f"He leads {'; '.join(led_texts)}." if led_texts else "He finds nobody to lead."
    return f"The leader {named[0]} has to be laid in Round 2. {led}"


def _bonus(why: AiDecision, named: Sequence[str], hand_open: bool) -> str:
    """While the hand is hidden nothing is told where nothing is laid: it throws only if it could lay."""
    first, *second = why.dice
    kind = "a Joker" if why.kind == "joker" else "a Bonus card"
    if not hand_open:
        return f"The dice ask for {kind}: {join_words(named)}." if named else ""
    if why.kind is None:
        return f"Die {first}: nothing is laid in the Bonus phase."
    both = f", either kind could take a card out of play, second die {second[0]}" if second else ""
    what = join_words(named) if named else "it holds none"
    return f"Die {first}{both}: {kind}, {what}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
