"""The AI: what it lays, step by step, and why.

All of it asks for a seat, so that a bot can play the player's side by the same steps. Nothing here looks at
the enemy's hand, at orders or at decks. The Bonus phase is in `bonus.py`.
"""

from collections.abc import Collection, Sequence

from games.great_war.components import BONUS, NAVAL, CardId, fits, solo
from games.great_war.effects import lay
from games.great_war.events import Chose, Done
from games.great_war.in_play import Table
from games.great_war.model import How, Play, Weighed
from games.protocol import Seat
from games.record import Record

CARDS = ("cards", "swing", "hit", "base")
SWING = ("swing", "hit", "cards", "base")
"""What plays are weighed by, in order: cards laid; how far the margin moves; whether a card is taken out of
play; the Battle Points of the base. Source: GW17, GW18, GW19."""

JACK_ROUND = 2


class Candidate(Record, frozen=True, kw_only=True):
    """One play that was tried: its base, None for links alone, and what each measure came to.

    hits: the enemy cards that it takes out of play.
    """

    base: CardId | None
    cards: int
    swing: int
    bp: int
    hits: tuple[CardId, ...] = ()

    def key(self, measures: Sequence[str]) -> tuple[int, ...]:
        """Its measures in that order."""
        known = {"cards": self.cards, "swing": self.swing, "hit": int(bool(self.hits)), "base": self.bp}
        return tuple(known[name] for name in measures)


def is_eligible(table: Table, seat: Seat, one: CardId) -> bool:
    """Whether the AI may lay a card by itself: no leader, no Joker, no Bonus card. Source: GW12, GW20."""
    card = table.card(one)
    return (
        table.may_lay(seat, one)
        and not table.is_leader(one)
        and not table.is_joker(one)
        and BONUS not in card.tags
    )


def eligible(table: Table, seat: Seat) -> tuple[CardId, ...]:
    """Such cards of a hand, in card order."""
    hand = dict.fromkeys(table.book.in_order(table.army(seat).hand))
    return tuple(one for one in hand if is_eligible(table, seat, one))


def close(table: Table, seat: Seat, laid_as: Collection[How] = ()) -> list[Done]:
    """Lay all that links, chains included, the highest first. Source: GW-3.6, GW-F.1, GW10.

    laid_as: to cards laid in these ways alone, so that there are no chains.
    """
    done: list[Done] = []
    while linked := [one for one in eligible(table, seat) if table.host(seat, one, laid_as)]:
        one = max(linked, key=lambda card: (table.bp(card), -table.book.order[card]))
        done += lay(table, seat, Play(card=one), "plus", table.host(seat, one, laid_as))
    return done


def candidates(table: Table, seat: Seat) -> list[Candidate]:
    """Every base with all that then links, tried out; last of all no base. Source: GW-F.1, GW-5.1."""
    return [_tried(table, seat, base) for base in (*eligible(table, seat), None)]


def _tried(table: Table, seat: Seat, base: CardId | None) -> Candidate:
    trial = table.trial()
    before, margin = len(trial.army(seat).row), trial.now.margin(seat)
    bp = trial.bp(base) if base else 0
    done = list(lay(trial, seat, Play(card=base), "base")) if base else []
    done += close(trial, seat)
    return Candidate(
        base=base,
        cards=len(trial.army(seat).row) - before,
        swing=trial.now.margin(seat) - margin,
        bp=bp,
        hits=tuple(one.card for one in done if one.op != "restore"),
    )


def choose(table: Table, seat: Seat, measures: Sequence[str]) -> tuple[CardId | None, Weighed]:
    """The best base by those measures, and why; of equals the first in card order, no base last."""
    tried = candidates(table, seat)
    best = max(tried, key=lambda one: one.key(measures))
    others = [one.key(measures) for one in tried if one is not best and one.cards]
    weighed = Weighed(
        case="pass" if not best.cards else "cards" if measures == CARDS else "swing",
        clause="GW-F.1" if measures == CARDS else "GW-5.1",
        measures=tuple(measures),
        key=best.key(measures),
        next=max(others, default=None),
        cards=best.hits,
    )
    return best.base, weighed


def open_defence(table: Table, seat: Seat, die: int) -> None:
    """The Defender's opening, which is its Round 1. Source: GW-3.4 to GW-3.20."""
    place, laid = len(table.events), list[CardId]()
    if die in solo().defender_redraw.dice:
        for kind in solo().defender_opening_kinds.value:
            held = [one for one in table.army(seat).hand if table.card(one).kind == kind]
            if held:
                one = max(held, key=lambda card: (table.bp(card), -table.book.order[card]))
                lay(table, seat, Play(card=one), "opening")
                laid.append(one)
        if not laid:
            lay_best(table, seat, CARDS)
            return
    before = len(table.army(seat).row)
    # A campaign that began before there was the option goes on as it began.
    close(table, seat, () if table.now.options.get("chains", True) else ("placed", "opening"))
    linked = len(table.army(seat).row) - before
    placed = [one.card for one in table.army(seat).row if one.how == "placed"]
    why = Weighed(case="opening", clause="GW-3.3", dice=(die,), cards=tuple(laid or placed), key=(linked,))
    told_before(table, place, why)


def lay_best(table: Table, seat: Seat, measures: Sequence[str]) -> None:
    """Lay the best base by those measures, and all that links."""
    base, why = choose(table, seat, measures)
    table.tell(Chose, why=why)
    if base:
        lay(table, seat, Play(card=base), "base")
    close(table, seat)


def play_round(table: Table, seat: Seat) -> None:
    """A Combat Round of the AI but for its opening. Source: GW-5.1 to GW-6.8, GW-13.3, GW-F.1."""
    if table.round == JACK_ROUND and lead_round(table, seat):
        return
    lay_best(table, seat, CARDS if table.round == 1 else SWING)


def lead_round(table: Table, seat: Seat) -> bool:
    """Lay a leader with all that he leads and all that links; whether there was one. Source: GW-6.3."""
    leader = _leader(table, seat)
    if leader is not None:
        _lead(table, seat, leader)
    return leader is not None


def _leader(table: Table, seat: Seat) -> CardId | None:
    """The leader that has to be laid: the one who leads most, then the highest. Source: GW-6.3, GW25."""
    held = [one for one in table.army(seat).hand if table.is_leader(one) and table.may_lay(seat, one)]
    return max(held, key=lambda one: (leads(table, one), table.bp(one), -table.book.order[one]), default=None)


def leads(table: Table, one: CardId) -> int:
    """How many cards a leader leads by himself; 0 for any other card."""
    effect = table.card(one).effect("lead")
    return effect.n if effect else 0


def leadable(table: Table, seat: Seat) -> list[CardId]:
    """Cards of a hand that a leader may lead: none that is naval or a Joker. Source: GW-6.5, GW20."""
    hand = dict.fromkeys(table.book.in_order(table.army(seat).hand))
    return [
        one
        for one in hand
        if table.may_lay(seat, one) and not table.is_joker(one) and NAVAL not in table.card(one).tags
    ]


def may_be_led(table: Table, leader: CardId, one: CardId) -> bool:
    """Whether a leader's own words let him lead a card. Source: GW-F.11."""
    effect = table.card(leader).effect("lead")
    return effect is not None and fits(table.card(one), effect.target)


def helper(table: Table, seat: Seat) -> CardId | None:
    """What a side can lay with a leader so that he leads one more: a Bonus card first. Source: GW27."""
    held = [
        one
        for one in table.book.in_order(table.army(seat).hand)
        if is_helper(table, one) and table.forbidden(one) is None
    ]
    return next(iter(sorted(held, key=lambda one: BONUS not in table.card(one).tags)), None)


def is_helper(table: Table, one: CardId) -> bool:
    """Whether a card lets a leader lead one more."""
    card = table.card(one)
    return "with_leader" in card.timing and card.effect("lead_bonus") is not None


def best_led(table: Table, seat: Seat) -> CardId | None:
    """Which card is led next: what takes the highest card out of play. Source: GW-6.7, GW-6.8."""

    def rank(one: CardId) -> tuple[bool, int, int, int]:
        taken = table.takes(seat, one)
        return (taken is not None, taken or 0, table.bp(one), -table.book.order[one])

    return max(leadable(table, seat), key=rank, default=None)


def _lead(table: Table, seat: Seat, leader: CardId) -> None:
    place = len(table.events)
    lay(table, seat, Play(card=leader), "base")
    if not any(one.card == leader and one.up for one in table.army(seat).row):
        close(table, seat)
        told_before(table, place, Weighed(case="cancelled leader", clause="GW-6.4", cards=(leader,)))
        return
    allowed = leads(table, leader)
    close(table, seat)
    led, taken = [leader], list[int]()
    more = helper(table, seat)
    if more and allowed < solo().lead_cap.value and len(leadable(table, seat)) > allowed:
        lay(table, seat, Play(card=more), "with_leader", leader)
        allowed += 1
    for _ in range(allowed):
        if (one := best_led(table, seat)) is None:
            break
        taken.append(table.takes(seat, one) or 0)
        led.append(one)
        lay(table, seat, Play(card=one), "led", leader)
        close(table, seat)
    why = Weighed(case="leader", clause="GW-6.3", cards=tuple(led), key=tuple(taken))
    told_before(table, place, why)


def told_before(table: Table, place: int, why: Weighed) -> None:
    """Tell why before all that was told since that place."""
    after = table.events[place:]
    del table.events[place:]
    table.tell(Chose, why=why)
    table.events += after


def reaction(table: Table, seat: Seat) -> CardId | None:
    """The card that the AI has to spend on an enemy leader, if it has one. Source: GW-6.1, GW23."""
    held = [one for one in table.book.in_order(table.army(seat).hand) if table.stops_leaders(one)]
    return min(held, key=lambda one: (BONUS not in table.card(one).tags, table.wild(one)), default=None)


def answer_to_event(table: Table, seat: Seat) -> CardId | None:
    """The card that the AI has to spend on the event, if it has one. Source: GW-4.5, GW16."""
    held = [one for one in table.book.in_order(table.army(seat).hand) if table.stops_events(one)]
    return min(held, key=lambda one: table.card(one).bp, default=None)
