"""The plays of the AI in a Combat Round and in the Bonus phase, step by step, and their reasons.

Every function has a parameter for the seat, so a bot can play the player's side by the same steps. No
function looks at the enemy's hand, at orders or at decks.
"""

from collections.abc import Callable, Collection, Sequence

from games.great_war.components import BONUS, NAVAL, CardId, fits, solo
from games.great_war.events import BonusRolled, Chose, EffectDone
from games.great_war.model import AiDecision, CardPlay, How
from games.great_war.working_state import WorkingState, lay_card
from games.protocol import Seat
from games.record import Record, replace_fields

CARDS_FIRST = ("cards", "swing", "hit", "base")
SWING_FIRST = ("swing", "hit", "cards", "base")
"""The measures of plays, the most important first.

They are the number of cards played, the change of the margin, whether a card is taken out of play, and the
Battle Points of the base. Source: GW17, GW18, GW19.
"""

LEADER_ROUND = 2


class BaseCandidate(Record, frozen=True, kw_only=True):
    """One play that was tried, with its base (None for links alone) and the value of each measure.

    hits: the enemy cards that it takes out of play.
    """

    base: CardId | None
    cards: int
    swing: int
    bp: int
    hits: tuple[CardId, ...] = ()

    def key(self, measures: Sequence[str]) -> tuple[int, ...]:
        """Return the values of these measures, in this order."""
        known = {"cards": self.cards, "swing": self.swing, "hit": int(bool(self.hits)), "base": self.bp}
        return tuple(known[name] for name in measures)


def is_eligible(table: WorkingState, seat: Seat, card_id: CardId) -> bool:
    """Return whether the AI may play a card by itself.

    Leaders, Jokers and Bonus cards have their own rules. Source: GW12, GW20.
    """
    card = table.card(card_id)
    return (
        table.may_lay(seat, card_id)
        and not table.is_leader(card_id)
        and not table.is_joker(card_id)
        and BONUS not in card.tags
    )


def eligible_cards(table: WorkingState, seat: Seat) -> tuple[CardId, ...]:
    """Return the cards of a hand that the AI may play by themselves, in card order."""
    hand = dict.fromkeys(table.book.in_order(table.army(seat).hand))
    return tuple(card_id for card_id in hand if is_eligible(table, seat, card_id))


def lay_linked(table: WorkingState, seat: Seat, laid_as: Collection[How] = ()) -> list[EffectDone]:
    """Play every card that links, the highest first, and return the effects.

    Cards may link to cards that were just added. laid_as: if not empty, only cards played in these ways can
    be hosts, so there are no such chains. Source: GW-3.6, GW-F.1, GW10.
    """
    done: list[EffectDone] = []
    while linked := [
        card_id for card_id in eligible_cards(table, seat) if table.host(seat, card_id, laid_as)
    ]:
        highest = max(linked, key=lambda card: (table.bp(card), -table.book.order[card]))
        done += lay_card(table, seat, CardPlay(card=highest), "plus", table.host(seat, highest, laid_as))
    return done


def candidates(table: WorkingState, seat: Seat) -> list[BaseCandidate]:
    """Try every base with all cards that link to it, and return the results, with no base as the last.

    Source: GW-F.1, GW-5.1.
    """
    return [_try_base(table, seat, base) for base in (*eligible_cards(table, seat), None)]


def _try_base(table: WorkingState, seat: Seat, base: CardId | None) -> BaseCandidate:
    trial = table.trial()
    before, margin = len(trial.army(seat).row), trial.now.margin(seat)
    bp = trial.bp(base) if base else 0
    done = list(lay_card(trial, seat, CardPlay(card=base), "base")) if base else []
    done += lay_linked(trial, seat)
    return BaseCandidate(
        base=base,
        cards=len(trial.army(seat).row) - before,
        swing=trial.now.margin(seat) - margin,
        bp=bp,
        hits=tuple(effect.card for effect in done if effect.op != "restore"),
    )


def choose_base(table: WorkingState, seat: Seat, measures: Sequence[str]) -> tuple[CardId | None, AiDecision]:
    """Return the best base by these measures, and the reason.

    Of equal plays, the first in card order wins. Playing no base comes last.
    """
    tried = candidates(table, seat)
    best = max(tried, key=lambda candidate: candidate.key(measures))
    others = [candidate.key(measures) for candidate in tried if candidate is not best and candidate.cards]
    weighed = AiDecision(
        case="pass" if not best.cards else "cards" if measures == CARDS_FIRST else "swing",
        clause="GW-F.1" if measures == CARDS_FIRST else "GW-5.1",
        measures=tuple(measures),
        key=best.key(measures),
        next=max(others, default=None),
        cards=best.hits,
    )
    return best.base, weighed


def open_defence(table: WorkingState, seat: Seat, die: int) -> None:
    """Play the Defender's opening, which is its Combat Round 1. Source: GW-3.4 to GW-3.20."""
    place, opening_cards = len(table.events), list[CardId]()
    if die in solo().defender_redraw.dice:
        for kind in solo().defender_opening_kinds.value:
            held = [card_id for card_id in table.army(seat).hand if table.card(card_id).kind == kind]
            if held:
                highest = max(held, key=lambda card: (table.bp(card), -table.book.order[card]))
                lay_card(table, seat, CardPlay(card=highest), "opening")
                opening_cards.append(highest)
        if not opening_cards:
            lay_best(table, seat, CARDS_FIRST)
            return
    before = len(table.army(seat).row)
    # Campaigns that began before this option existed have chains.
    lay_linked(table, seat, () if table.now.options.get("chains", True) else ("placed", "opening"))
    linked = len(table.army(seat).row) - before
    placed = [table_card.card for table_card in table.army(seat).row if table_card.how == "placed"]
    why = AiDecision(
        case="opening", clause="GW-3.3", dice=(die,), cards=tuple(opening_cards or placed), key=(linked,)
    )
    tell_reason_before(table, place, why)


def lay_best(table: WorkingState, seat: Seat, measures: Sequence[str]) -> None:
    """Play the best base by these measures, and all cards that link."""
    base, why = choose_base(table, seat, measures)
    table.tell(Chose, why=why)
    if base:
        lay_card(table, seat, CardPlay(card=base), "base")
    lay_linked(table, seat)


def play_round(table: WorkingState, seat: Seat) -> None:
    """Play a Combat Round of the AI, except for its opening. Source: GW-5.1 to GW-6.8, GW-13.3, GW-F.1."""
    if table.round == LEADER_ROUND and lead_round(table, seat):
        return
    lay_best(table, seat, CARDS_FIRST if table.round == 1 else SWING_FIRST)


def lead_round(table: WorkingState, seat: Seat) -> bool:
    """Play a leader with the cards it leads and all cards that link, and return whether there was a leader.

    Source: GW-6.3.
    """
    leader = _leader(table, seat)
    if leader is not None:
        _lead(table, seat, leader)
    return leader is not None


def _leader(table: WorkingState, seat: Seat) -> CardId | None:
    """Return the leader to play, or None.

    It is the one that leads the most cards, then the highest. Source: GW-6.3, GW25.
    """
    held = [
        card_id
        for card_id in table.army(seat).hand
        if table.is_leader(card_id) and table.may_lay(seat, card_id)
    ]
    return max(
        held,
        key=lambda card_id: (count_led(table, card_id), table.bp(card_id), -table.book.order[card_id]),
        default=None,
    )


def count_led(table: WorkingState, card_id: CardId) -> int:
    """Return the number of cards that a leader leads without help, or 0 for any other card."""
    effect = table.card(card_id).effect("lead")
    return effect.n if effect else 0


def leadable_cards(table: WorkingState, seat: Seat) -> list[CardId]:
    """Return the cards of a hand that the AI's leader may lead: no naval cards and no Jokers.

    Source: GW-6.5, GW20.
    """
    hand = dict.fromkeys(table.book.in_order(table.army(seat).hand))
    return [
        card_id
        for card_id in hand
        if table.may_lay(seat, card_id)
        and not table.is_joker(card_id)
        and NAVAL not in table.card(card_id).tags
    ]


def may_be_led(table: WorkingState, leader: CardId, card_id: CardId) -> bool:
    """Return whether the text of a leader lets it lead a card. Source: GW-F.11."""
    effect = table.card(leader).effect("lead")
    return effect is not None and fits(table.card(card_id), effect.target)


def find_helper(table: WorkingState, seat: Seat) -> CardId | None:
    """Return the card that a side can play with a leader to lead one more card, if it has one.

    Bonus cards come first. Source: GW27.
    """
    held = [
        card_id
        for card_id in table.book.in_order(table.army(seat).hand)
        if is_helper(table, card_id) and table.forbidding_event(card_id) is None
    ]
    return next(iter(sorted(held, key=lambda card_id: BONUS not in table.card(card_id).tags)), None)


def is_helper(table: WorkingState, card_id: CardId) -> bool:
    """Return whether a card lets a leader lead one more card."""
    card = table.card(card_id)
    return "with_leader" in card.timing and card.effect("lead_bonus") is not None


def best_led(table: WorkingState, seat: Seat) -> CardId | None:
    """Return the card to lead next, or None: the one that takes the highest card out of play.

    Source: GW-6.7, GW-6.8.
    """

    def rank(card_id: CardId) -> tuple[bool, int, int, int]:
        taken = table.taken_points(seat, card_id)
        return (taken is not None, taken or 0, table.bp(card_id), -table.book.order[card_id])

    return max(leadable_cards(table, seat), key=rank, default=None)


def _lead(table: WorkingState, seat: Seat, leader: CardId) -> None:
    place = len(table.events)
    lay_card(table, seat, CardPlay(card=leader), "base")
    if not any(table_card.card == leader and table_card.up for table_card in table.army(seat).row):
        lay_linked(table, seat)
        tell_reason_before(
            table, place, AiDecision(case="cancelled leader", clause="GW-6.4", cards=(leader,))
        )
        return
    allowed = count_led(table, leader)
    lay_linked(table, seat)
    led, taken = [leader], list[int]()
    more = find_helper(table, seat)
    if more and allowed < solo().lead_cap.value and len(leadable_cards(table, seat)) > allowed:
        lay_card(table, seat, CardPlay(card=more), "with_leader", leader)
        allowed += 1
    for _ in range(allowed):
        if (card_id := best_led(table, seat)) is None:
            break
        taken.append(table.taken_points(seat, card_id) or 0)
        led.append(card_id)
        lay_card(table, seat, CardPlay(card=card_id), "led", leader)
        lay_linked(table, seat)
    why = AiDecision(case="leader", clause="GW-6.3", cards=tuple(led), key=tuple(taken))
    tell_reason_before(table, place, why)


def tell_reason_before(table: WorkingState, place: int, why: AiDecision) -> None:
    """Insert the event with a reason before all events from this place on."""
    after = table.events[place:]
    del table.events[place:]
    table.tell(Chose, why=why)
    table.events += after


def reaction(table: WorkingState, seat: Seat) -> CardId | None:
    """Return the card that the AI must spend on an enemy leader, or None. Source: GW-6.1, GW23."""
    held = [card_id for card_id in table.book.in_order(table.army(seat).hand) if table.stops_leaders(card_id)]
    return min(
        held,
        key=lambda card_id: (BONUS not in table.card(card_id).tags, table.wild_points(card_id)),
        default=None,
    )


def answer_to_event(table: WorkingState, seat: Seat) -> CardId | None:
    """Return the card that the AI must spend on the Random Event, or None. Source: GW-4.5, GW16."""
    held = [card_id for card_id in table.book.in_order(table.army(seat).hand) if table.stops_events(card_id)]
    return min(held, key=lambda card_id: table.card(card_id).bp, default=None)


# The Bonus phase: the AI's play by its dice, and the effects of a card there.


Roll = Callable[[str], int]
"""Rolls a six-sided die under a label."""


def play_bonus(table: WorkingState, seat: Seat, roll: Roll) -> AiDecision | None:
    """Play the AI's Bonus phase and return the reason, or None if it had nothing to roll for.

    Source: GW-7.1 to GW-7.6, GW29.
    """
    hand = [
        card_id
        for card_id in dict.fromkeys(table.book.in_order(table.army(seat).hand))
        if "bonus_phase" in table.card(card_id).timing and table.forbidding_event(card_id) is None
    ]
    jokers = [card_id for card_id in hand if table.is_joker(card_id)]
    bonus = [card_id for card_id in hand if not table.is_joker(card_id)]
    if not hand:
        table.tell(BonusRolled)
        return None
    dice = [roll("bonus")]
    if dice[0] in (3, 5):
        return _tell_bonus(table, AiDecision(case="bonus", clause="GW-7.4", dice=tuple(dice)))
    kind = "joker" if dice[0] == 1 else "bonus"
    both = all(
        any(table.taken_points(seat, card_id) is not None for card_id in some) for some in (jokers, bonus)
    )
    if both:
        dice.append(roll("bonus-or-joker"))
        kind = "joker" if dice[1] % 2 else "bonus"
    some = jokers if kind == "joker" else bonus
    why = AiDecision(
        case="bonus",
        clause="GW-7.6" if both else "GW-7.3" if kind == "joker" else "GW-7.2",
        dice=tuple(dice),
        kind="joker" if kind == "joker" else "bonus",
        both=both,
    )
    if not some:
        return _tell_bonus(table, why)
    card_id = max(some, key=lambda card: _bonus_rank(table, seat, card))
    why = _tell_bonus(table, replace_fields(why, cards=(card_id,)))
    lay_bonus_card(table, seat, CardPlay(card=card_id))
    return why


def _tell_bonus(table: WorkingState, why: AiDecision) -> AiDecision:
    """Report the dice, and the whole reason for when the AI's hand is open. Return the reason."""
    table.tell(BonusRolled, dice=why.dice, called=why.kind, card=next(iter(why.cards), None))
    table.tell(Chose, why=why)
    return why


def _bonus_rank(table: WorkingState, seat: Seat, card_id: CardId) -> tuple[bool, int, int, int]:
    """Return the sort key of a Bonus card, higher for a better card. Source: GW-7.5."""
    taken = table.taken_points(seat, card_id)
    trial = table.trial()
    lay_bonus_card(trial, seat, CardPlay(card=card_id))
    swing = trial.now.margin(seat) - table.now.margin(seat)
    return (taken is not None, taken or 0, swing, -table.book.order[card_id])


def lay_bonus_card(
    table: WorkingState,
    seat: Seat,
    play: CardPlay,
    led: CardPlay | None = None,
) -> None:
    """Play a card of the Bonus phase. If it lets a leader lead one more card, that card is played at once.

    led: the card to lead; None lets the AI choose. Source: GW30, GW32.
    """
    lay_card(table, seat, play, "bonus_phase")
    leader = idle_leader(table, seat)
    if table.card(play.card).effect("lead_bonus") is None or leader is None:
        return
    if led is None and (chosen := best_led(table, seat)) is not None:
        led = CardPlay(card=chosen)
    if led is not None:
        lay_card(table, seat, led, "led", leader)


def idle_leader(table: WorkingState, seat: Seat) -> CardId | None:
    """Return a face-up leader that was a base, can lead more cards and had no help, or None. Source: GW32."""
    row = table.army(seat).row
    for base in row:
        if base.how == "base" and base.up and table.is_leader(base.card):
            beside = [other.how for other in row if other.round == base.round]
            if beside.count("led") < solo().lead_cap.value and "with_leader" not in beside:
                return base.card
    return None
