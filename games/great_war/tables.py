"""The tables of a report: the cards on the table, the player's hand, the score and the decks."""

from collections.abc import Collection

from games.great_war.components import HIDDEN_CARD, PILES
from games.great_war.legal_orders import decisions, event_text
from games.great_war.model import AI, PLAYER, View
from games.great_war.phrases import cards_text, effects_text, pile_name
from games.great_war.sequence import victory_level_for
from games.great_war.working_state import WorkingState as Position
from games.language import join_list
from games.messages import sentence
from games.protocol import ReportTable, Seat


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
