"""The report texts and tables of The Great War. Implements `protocol.Telling`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, assert_never

from games import close_up, language
from games.great_war import events as event_types
from games.great_war import map
from games.great_war.components import HIDDEN_CARD, PILES, Book, CardId, book, plain_card, printed_rows, solo
from games.great_war.events import AnyEvent, HandEvent, RandomEvent
from games.great_war.legal_orders import decisions, event_text
from games.great_war.model import (
    AI,
    PLAYER,
    AnyOrder,
    Army,
    Draw,
    Exchange,
    GuardLeader,
    How,
    Length,
    TableCard,
    View,
    other,
)
from games.great_war.phrases import (
    advice,
    because,
    card_names,
    cards_text,
    effects_text,
    left_out_reason,
    list_items,
    pile_name,
)
from games.great_war.sequence import victory_level_for
from games.great_war.working_state import WorkingState as Position
from games.language import join_list
from games.map_telling import MapTelling
from games.messages import sentence
from games.protocol import Advice, Concern, NewsItem, Objection, PastTurn, ReportLine, ReportTable, Seat
from games.record import plain, replace_fields

_PHASE_SLUGS: Mapping[event_types.Phase, str] = {
    "hands": "great_war.phases.hands",
    "event": "great_war.phases.event",
    "round 1": "great_war.phases.round_1",
    "round 2": "great_war.phases.round_2",
    "bonus": "great_war.phases.bonus",
    "end": "great_war.phases.end",
}
"""The catalogue entries for the parts of a Turn."""

_PLAY_SLUGS: Mapping[How, str] = {
    "placed": "great_war.plays.placed",
    "opening": "great_war.plays.played",
    "base": "great_war.plays.played",
    "plus": "great_war.plays.added",
    "led": "great_war.plays.led",
    "with_leader": "great_war.plays.with_leader",
    "bonus_phase": "great_war.plays.played",
}
"""The catalogue entries for the ways to play a card."""

_EFFECT_SLUGS = {
    "cancel": "great_war.plays.cancels",
    "discard_in_play": "great_war.plays.discards",
    "restore": "great_war.plays.turns_up",
}


class GreatWarTelling(MapTelling[View, AnyEvent]):
    """The report texts of a game."""

    map_module = map

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event as a sentence under its part of the Turn, or None if there is nothing to say."""
        text = _event_text(event, event_book(event))
        if not text:
            return None
        phase = sentence(_PHASE_SLUGS[event.phase])
        heading = sentence("great_war.phases.heading", turn=event.turn, phase=phase)
        left_out, chose = isinstance(event, event_types.LeftOut), isinstance(event, event_types.Chose)
        return ReportLine(heading=heading, text=text, failed=left_out, why=chose)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a description of the game, and the player's side."""
        side = sentence(f"great_war.nations.{view.armies[PLAYER].nation}")
        return sentence("great_war.introduction.setting", side=side)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return the goal, the length, the special rules, and how much of the data is assumed."""
        levels = [
            sentence("great_war.introduction.level", level=level.name, points=level.low)
            for level in solo().victory_levels
            if level.low
        ]
        ours = {row.id: plain_card(row) for row in printed_rows()}
        theirs = {card.id for card in view.changes if card != ours[card.id]}
        rows = [row for row in printed_rows() if row.id not in theirs]
        counted = [
            (things, (sum(row.provenance.get(field) == "A" for row in rows), len(rows)))
            for field, things in (
                ("bp", sentence("great_war.introduction.battle_points")),
                ("effects", sentence("great_war.introduction.effects")),
            )
        ]
        return (
            sentence("great_war.introduction.goal", levels=", ".join(levels)),
            sentence("great_war.introduction.length", turns=view.length, long=solo().turns.long),
            *((sentence("great_war.introduction.table"),) if view.turn == 1 and view.armies[AI].row else ()),
            sentence("great_war.introduction.hand"),
            sentence("great_war.introduction.terms"),
            sentence("great_war.introduction.data", counts=close_up.describe_counts(counted)),
        )

    def news(self, events: Sequence[AnyEvent]) -> tuple[NewsItem, ...]:
        """Return the result of the campaign or of the Turn, the totals, cards lost; then the cards played."""
        main, minor = list[str](), list[str]()
        for kind, write_headline in _HEADLINES:
            matches = [event for event in events if isinstance(event, kind)]
            if matches and not main:
                main.append(write_headline(matches[-1]))
        is_over = any(isinstance(event, event_types.TurnWon | event_types.Ended) for event in events)
        for event in reversed(events):
            if isinstance(event, event_types.CardLaid):
                (minor if is_over else main).extend(_effect_news(event))
                card = event_book(event).full_name(event.card)
                minor.append(sentence(f"great_war.played_news.{event.seat}", card=card))
            elif isinstance(event, event_types.PassedRound):
                minor.append(sentence("great_war.events.passed", side=_side_name(event.seat)))
        if not main:
            minor.append(sentence("great_war.headline.begins"))
        # Names of cards are long, and a phone has little room above the hand.
        return (
            *(NewsItem(text=text) for text in main[:1]),
            *(NewsItem(text=text, rank=1) for text in (*main[1:], *minor)),
        )

    def shown_view(self, past: PastTurn) -> View:
        """Return the rows at the end of a Turn if it ended, before they were cleared."""
        after: View = past.after
        ends = (at for at, event in enumerate(past.events) if isinstance(event, event_types.TurnWon))
        end = next(ends, None)
        return after if end is None else _rows_at_end(past.before, after, past.events[:end])

    def standing(self, view: View) -> str:
        """Return the points that both sides have captured."""
        return sentence("great_war.headline.captured_so_far", mine=view.score(PLAYER), theirs=view.score(AI))

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the tables of cards, the hand, the score and the decks."""
        return tables(view)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return advice(remark, view.book)


def _rows_at_end(before: View, after: View, events: Sequence[AnyEvent]) -> View:
    """Return the position after some plays, with the captured cards of the position after the Turn."""
    armies = dict(before.armies)
    for event in events:
        if isinstance(event, event_types.LeaderStopped):
            armies[event.seat] = _turned(armies[event.seat], event.card, up=False)
        if isinstance(event, event_types.Blockaded):
            armies[other(event.seat)] = _without(armies[other(event.seat)], event.card)
        if not isinstance(event, event_types.CardLaid):
            continue
        number = 3 if event.phase == "bonus" else 2 if event.phase == "round 2" else 1
        card = TableCard(card=event.card, bp=event.bp, round=number, how=event.how, link=event.link)
        own = armies[event.seat]
        armies[event.seat] = replace_fields(own, row=(*own.row, card), hand=own.hand[1:])
        for effect in event.done:
            of = event.seat if effect.op == "restore" else other(event.seat)
            if effect.op == "discard_in_play":
                armies[of] = _without(armies[of], effect.card)
            else:
                armies[of] = _turned(armies[of], effect.card, up=effect.op == "restore")
    captured = {
        seat: replace_fields(army, captured=after.armies[seat].captured) for seat, army in armies.items()
    }
    return replace_fields(before, armies=captured)


def _without(army: Army, card: CardId) -> Army:
    return replace_fields(army, row=tuple(one for one in army.row if one.card != card))


def _turned(army: Army, card: CardId, *, up: bool) -> Army:
    row = tuple(replace_fields(one, up=up) if one.card == card else one for one in army.row)
    return replace_fields(army, row=row)


def event_book(event: event_types.TurnEvent) -> Book:
    """Return the cards of our list for an event, with the names that their owner gives them."""
    ours = book()
    if not event.names:
        return ours
    theirs = {card_id: replace_fields(ours[card_id], name=name) for card_id, name in event.names.items()}
    return replace_fields(ours, cards={**ours.cards, **theirs})


def _event_text(event: AnyEvent, card_book: Book) -> str | None:
    if isinstance(event, HandEvent):
        return _hand_text(event, card_book)
    if isinstance(event, RandomEvent):
        return _random_event_text(event, card_book)
    match event:
        case event_types.TurnBegan():
            return None
        case event_types.Exchanged():
            return _exchange_text(event, card_book)
        case event_types.Rebuilt():
            return sentence("great_war.events.rebuilt")
        case event_types.BonusRolled():
            return _bonus_rolled_text(event, card_book)
        case event_types.Chose():
            if event.why.case == "bonus":
                return None  # the dice have said it
            why = because(event.why, card_book, event.hand_open)
            return why and sentence("great_war.reasons.told", reason=why)
        case event_types.CardLaid():
            return _card_laid_text(event, card_book)
        case event_types.LeaderStopped():
            if event.why is not None:
                return because(event.why, card_book)
            leader, card = card_book.full_name(event.card), card_book.full_name(event.by)
            return sentence("great_war.events.leader_stopped", leader=leader, card=card)
        case event_types.PassedRound():
            return sentence("great_war.events.passed", side=_side_name(event.seat))
        case event_types.Totals():
            return sentence("great_war.events.totals", count=event.player, ai=event.ai)
        case event_types.LeftOut():
            return left_out_reason(event.code, event.detail, card_book)
        case event_types.Standing():
            return _standing_text(event.order, card_book)
        case event_types.Blockaded():
            side, card = _side_name(event.seat), card_book.full_name(event.card)
            blockade = card_book.full_name(event.by)
            return sentence("great_war.events.blockaded", side=side, card=card, blockade=blockade)
        case event_types.TurnWon():
            return _turn_won_text(event, card_book)
        case event_types.GoesOn():
            return sentence("great_war.events.goes_on" if event.turns == 10 else "great_war.events.stops")
        case event_types.Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _hand_text(event: HandEvent, card_book: Book) -> str:
    match event:
        case event_types.Hand():
            return sentence("great_war.events.hand", cards=join_list(event.cards))
        case event_types.Drew():
            return _draw_text(event, card_book)
        case event_types.HandLost():
            side, cause = _side_name(event.seat), card_book.full_name(event.cause)
            return sentence("great_war.events.hand_lost", side=side, count=event.count, cause=cause)
        case event_types.HandLostCards():
            return sentence("great_war.events.you_lost", cards=card_names(card_book, event.cards))
        case event_types.Reinforced():
            side, deck = _side_name(event.seat), pile_name(event.pile)
            return sentence("great_war.events.reinforced", side=side, count=event.count, deck=deck)
        case event_types.ReinforcedWith():
            return sentence("great_war.events.you_drew", cards=card_names(card_book, event.cards))
        case event_types.Peeked():
            cards = card_names(card_book, event.cards)
            return sentence("great_war.events.peeked", card=event.by, cards=cards)


def _random_event_text(event: RandomEvent, card_book: Book) -> str:
    name = card_book.full_name(event.card)
    match event:
        case event_types.EventDrawn():
            return sentence("great_war.events.event_drawn", event=name)
        case event_types.EventStopped():
            side, card = _side_name(event.seat), card_book.full_name(event.by)
            return sentence("great_war.events.event_stopped", side=side, event=name, card=card)
        case event_types.EventWorks():
            return sentence("great_war.events.event_works", event=name)
        case event_types.EventWaits():
            return sentence("great_war.events.event_waits", card=event.by[0])


def _side_name(seat: Seat) -> str:
    return sentence("great_war.sides.player" if seat == PLAYER else "great_war.sides.ai")


def _exchange_text(event: event_types.Exchanged, card_book: Book) -> str:
    pairs = [
        sentence(
            "great_war.events.exchanged_pair",
            white=card_book.full_name(pair.white),
            card=card_book.full_name(pair.for_),
        )
        for pair in event.pairs
    ]
    return sentence("great_war.events.exchanged", pairs=list_items(pairs))


def _draw_text(event: event_types.Drew, card_book: Book) -> str:
    slug = "great_war.events.drew"
    if event.seat != PLAYER:
        slug = "great_war.events.ai_drew_after_placing" if event.placed else "great_war.events.ai_drew"
    text = sentence(
        slug,
        die=event.die,
        neutral=event.neutral,
        nationality=event.nationality,
        bonus=event.bonus,
        placed=card_names(card_book, event.placed),
    )
    if not event.redrawn:
        return text
    redrawn = sentence("great_war.events.ai_redrew", cards=card_names(card_book, event.redrawn))
    return f"{text} {redrawn}"


def _standing_text(order: AnyOrder, card_book: Book) -> str:
    match order:
        case GuardLeader():
            slug = "great_war.standing.guard" if order.cards else "great_war.standing.no_guard"
            cards = [card_book.full_name(card_id) for card_id in order.cards]
            return sentence(slug, cards=list_items(cards, "or"))
        case Draw():
            return sentence("great_war.standing.hand", **plain(order.parts))
        case Length():
            goes_on = order.turns > solo().turns.short
            return sentence("great_war.standing.long" if goes_on else "great_war.standing.short")
        case Exchange():
            pairs = [
                sentence(
                    "great_war.events.exchanged_pair",
                    white=card_book.full_name(pair.white),
                    card=card_book.full_name(pair.for_),
                )
                for pair in order.pairs
            ]
            return sentence("great_war.standing.exchange", pairs=list_items(pairs))
    raise AssertionError("an order of the moment isn't saved")


def _bonus_rolled_text(event: event_types.BonusRolled, card_book: Book) -> str:
    if not event.dice:
        return sentence("great_war.events.bonus_without_roll")
    dice = str(event.dice[0])
    if event.dice[1:]:
        dice = sentence("great_war.events.bonus_dice", first=event.dice[0], second=event.dice[1])
    if event.called is None:
        return sentence("great_war.events.bonus_rolled_nothing", dice=dice)
    kind = sentence("great_war.reasons.joker" if event.called == "joker" else "great_war.reasons.bonus")
    if event.card is None:
        return sentence("great_war.events.bonus_rolled_in_vain", dice=dice, kind=kind)
    return sentence(
        "great_war.events.bonus_rolled", dice=dice, kind=kind, card=card_book.full_name(event.card)
    )


def _card_laid_text(event: event_types.CardLaid, card_book: Book) -> str:
    play = sentence(
        _PLAY_SLUGS[event.how],
        side=_side_name(event.seat),
        card=card_book.full_name(event.card),
        link=event.link,
        points=event.bp,
    )
    if not event.done:
        return sentence("great_war.plays.told", play=play)
    effects = [
        sentence(_EFFECT_SLUGS[effect.op], card=card_book.full_name(effect.card)) for effect in event.done
    ]
    return sentence("great_war.plays.told_with_effects", play=play, effects=language.join_list(effects))


def _turn_won_text(event: event_types.TurnWon, card_book: Book) -> str:
    texts = [sentence("great_war.events.totals", count=event.player, ai=event.ai)]
    if event.winner is None:
        return " ".join([*texts, sentence("great_war.events.turn_tied")])
    if event.winner == PLAYER:
        slug = "great_war.events.you_win_turn" if event.captured else "great_war.events.you_win_nothing"
    else:
        slug = "great_war.events.ai_wins_turn" if event.captured else "great_war.events.ai_wins_nothing"
    texts.append(sentence(slug, cards=card_names(card_book, event.captured), points=event.points))
    if event.saved:
        texts.append(sentence("great_war.events.saved", cards=card_names(card_book, event.saved)))
    mine, theirs = event.scores
    return " ".join([*texts, sentence("great_war.events.captured_so_far", mine=mine, theirs=theirs)])


def _end_text(event: event_types.Ended) -> str:
    mine, theirs = event.scores
    texts = []
    if event.exhausted is not None:
        texts.append(sentence("great_war.events.exhausted", deck=pile_name(event.exhausted)))
    if event.winner is None:
        texts.append(sentence("great_war.events.drawn", mine=mine, theirs=theirs))
    else:
        slug = "great_war.events.you_win" if event.winner == PLAYER else "great_war.events.ai_wins"
        victory = sentence(f"great_war.victories.{event.level}")
        texts.append(sentence(slug, victory=victory, mine=mine, theirs=theirs))
    return " ".join(texts)


def _turn_won_headline(event: event_types.TurnWon) -> str:
    mine, theirs = event.scores
    high, low = max(event.player, event.ai), min(event.player, event.ai)
    if event.winner is None:
        slug = "great_war.headline.tied"
    elif event.winner == PLAYER:
        slug = "great_war.headline.you_win_and_capture" if event.points else "great_war.headline.you_win"
    else:
        slug = "great_war.headline.ai_wins_and_captures" if event.points else "great_war.headline.ai_wins"
    won = sentence(slug, turn=event.turn, count=high, high=high, low=low, points=event.points)
    captured = sentence("great_war.headline.captured_so_far", mine=mine, theirs=theirs)
    return f"{won} {captured}"


def _totals_headline(event: event_types.Totals) -> str:
    slug = "great_war.headline.you_lead" if event.player > event.ai else "great_war.headline.ai_leads"
    if event.player == event.ai:
        slug = "great_war.headline.level"
    high, low = max(event.player, event.ai), min(event.player, event.ai)
    return sentence(slug, turn=event.turn, count=high, low=low)


def _effect_news(event: event_types.CardLaid) -> list[str]:
    """Return the cards that a card cancelled or discarded, as sentences."""
    names = event_book(event)
    return [
        sentence(
            f"great_war.effect_news.{event.seat}_{effect.op}",
            card=names.full_name(event.card),
            target=names.full_name(effect.card),
        )
        for effect in event.done
        if effect.op != "restore"
    ]


def _turn_began_headline(event: event_types.TurnBegan) -> str:
    attacks = event.role == "attack"
    return sentence("great_war.headline.attack" if attacks else "great_war.headline.defend", turn=event.turn)


_HEADLINES: tuple[tuple[type[event_types.TurnEvent], Callable[[Any], str]], ...] = (
    (event_types.Ended, _end_text),
    (event_types.TurnWon, _turn_won_headline),
    (event_types.Totals, _totals_headline),
    (event_types.TurnBegan, _turn_began_headline),
)
"""The events that make a headline, the most important first."""


def tables(view: View) -> tuple[ReportTable, ...]:
    """Return all tables of a view. Reports leave out those without rows."""
    decided = ReportTable(
        title=sentence("great_war.tables.decisions"),
        columns=_columns("great_war.columns.what", "great_war.columns.how"),
        rows=tuple(decisions(view)),
        about="due",
    )
    return (
        decided,
        _state(view, [what for what, _ in decided.rows]),
        *(_row(view, seat) for seat in (PLAYER, AI)),
        _hand(view),
        _score(view),
        _decks(view),
    )


def _columns(*slugs: str) -> tuple[str, ...]:
    return tuple(sentence(slug) for slug in slugs)


def _state(view: View, decided: Collection[str]) -> ReportTable:
    """Return the table of the state. decided: the names of the decisions, one of which may show the event."""
    slug = "great_war.state.last_turn" if view.stage == "over" else "great_war.state.turn_of"
    attacks = view.role(PLAYER) == "attack"
    role_slug = "great_war.state.attack" if attacks else "great_war.state.defend"
    totals = {"player": view.total(PLAYER), "ai": view.total(AI)}
    rows = [
        (sentence("great_war.state.turn"), sentence(slug, turn=view.turn, turns=view.length)),
        (
            sentence("great_war.state.you_are"),
            sentence(role_slug, side=pile_name(view.armies[PLAYER].nation)),
        ),
        (sentence("great_war.state.points"), sentence("great_war.state.both_totals", **totals)),
        (sentence("great_war.state.ai_hand"), str(len(view.armies[AI].hand))),
    ]
    if sentence("great_war.decisions.event") not in decided:
        rows.insert(2, (sentence("great_war.state.event"), event_text(view)))
    if view.die:
        rows.append((sentence("great_war.state.die"), str(view.die)))
    position = Position(view)
    held = dict.fromkeys(card_id for card_id in view.armies[PLAYER].hand if card_id != HIDDEN_CARD)
    able = [card_id for card_id in held if position.stops_leaders(card_id)]
    if view.leader:
        ready = sentence("great_war.state.ready", count=len(view.leader), cards=join_list(view.leader, "or"))
        rows.append((sentence("great_war.state.against_leader"), ready))
    elif able:
        not_ready = sentence("great_war.state.not_ready", cards=", ".join(able))
        rows.append((sentence("great_war.state.against_leader"), not_ready))
    if view.split:
        split = sentence("great_war.state.split", split=view.split.text)
        rows.append((sentence("great_war.state.next_hand"), split))
    return ReportTable(
        title=sentence("great_war.tables.state"),
        columns=("", ""),
        rows=tuple(rows),
        later=True,
        needed=tuple(row[0] for row in rows[2:]),
    )


def _row(view: View, seat: Seat) -> ReportTable:
    rows = tuple(
        (
            table_card.card,
            view.book[table_card.card].name,
            str(table_card.bp) if table_card.up else "-",
            table_card.link or "",
            "" if table_card.up else sentence("great_war.state.cancelled"),
        )
        for table_card in view.armies[seat].row
    )
    slug = "great_war.tables.yours" if seat == PLAYER else "great_war.tables.ais"
    columns = _columns(
        "great_war.columns.card",
        "great_war.columns.name",
        "great_war.columns.points",
        "great_war.columns.added_to",
        "great_war.columns.state",
    )
    title = sentence(slug, count=view.total(seat))
    return ReportTable(title=title, columns=columns, rows=rows, needed=tuple(row[0] for row in rows))


def _hand(view: View) -> ReportTable:
    hand = [card_id for card_id in view.armies[PLAYER].hand if card_id != HIDDEN_CARD]
    position = Position(view)
    rows = tuple(
        (
            card_id,
            view.book[card_id].name,
            str(position.bp(card_id)),
            cards_text(view.book[card_id].links_to) if view.book[card_id].plus else "",
            effects_text(view.book[card_id].effects),
        )
        for card_id in hand
    )
    columns = _columns(
        "great_war.columns.card",
        "great_war.columns.name",
        "great_war.columns.points",
        "great_war.columns.links",
        "great_war.columns.effect",
    )
    # Nothing is decided by cards once the last Turn is over.
    needed = () if view.ended else tuple(hand)
    title = sentence("great_war.tables.hand")
    return ReportTable(title=title, columns=columns, rows=rows, about="own", needed=needed)


def _score(view: View) -> ReportTable:
    rows = tuple(
        (name, str(view.score(seat)), ", ".join(view.armies[seat].captured))
        for seat, name in (
            (PLAYER, sentence("great_war.state.you")),
            (AI, sentence("great_war.state.the_ai")),
        )
    )
    mine, theirs = view.score(PLAYER), view.score(AI)
    level = victory_level_for(mine - theirs).name
    if level == "draw":
        result = sentence("great_war.results.a_draw")
    else:
        slug = "great_war.results.victory" if mine > theirs else "great_war.results.defeat"
        result = sentence(slug, level=level)
    slug = "great_war.tables.captured" if view.ended else "great_war.tables.captured_so_far"
    columns = _columns("great_war.columns.by", "great_war.columns.points", "great_war.columns.cards")
    title = sentence(slug, result=result)
    return ReportTable(title=title, columns=columns, rows=rows, later=True)


def _decks(view: View) -> ReportTable:
    rows = []
    for pile in PILES:
        stack = view.piles[pile]
        name = sentence("great_war.state.face_down") if stack.discards else ""
        if stack.shown and stack.discards and stack.discards[-1] != HIDDEN_CARD:
            name = view.book.full_name(stack.discards[-1])
        rows.append((pile_name(pile), str(len(stack.deck)), str(len(stack.discards)), name))
    columns = _columns(
        "great_war.columns.deck",
        "great_war.columns.cards",
        "great_war.columns.discards",
        "great_war.columns.top",
    )
    title = sentence("great_war.tables.decks")
    return ReportTable(title=title, columns=columns, rows=tuple(rows), later=True)
