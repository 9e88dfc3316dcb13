"""The drawing of The Great War's board, and the places on it that can be selected."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from games.great_war import events as event_types
from games.great_war.components import HIDDEN_CARD, Card, CardId
from games.great_war.events import AnyEvent, CardLaid
from games.great_war.legal_orders import HAND, bases, event_text, hosts_by_card, place_name
from games.great_war.model import AI, PLAYER, Formation, View, group_formations
from games.great_war.phrases import pile_name
from games.messages import sentence
from games.protocol import EventPlaces, MapRegion, Seat, SeatColours

PICTURE_WIDTH = 760
ROW_LEFT, ROW_RIGHT = 22.0, 738.0
SIDES_GAP = 26.0
"""The distance between the two sides, which are beside each other: the AI on the left."""
DEEPEST_SHIFT, LINK_SHIFT = 30.0, 10.0
"""How far the deepest card of a formation lies to the right of its base, and each link if there is room."""
CARD_WIDTH, CARD_HEIGHT = (ROW_RIGHT - ROW_LEFT - SIDES_GAP) / 2 - DEEPEST_SHIFT, 80.0
"""The size of a card on the table: as wide as its side, so that its name stands beside its value."""
COVERED_STRIP = 46.0
"""The height of the visible strip of a card that lies under another card, with its name."""
CARD_GAP = 12.0
HAND_CARD_WIDTH, HAND_CARD_HEIGHT = 168.5, 128.0
TITLE_HEIGHT, BAND_HEIGHT, SIDE_HEADING_HEIGHT, HAND_HEADING_HEIGHT = 62.0, 46.0, 104.0, 52.0
"""The heights of the title, of the band without the event, and of the headings of sides and hand."""
EVENT_LINE_HEIGHT, _EVENT_LETTERS = 24.0, 68
"""The height of a line of the event in the band, and the letters that fit on it."""
MARK_LINE_HEIGHT, SIGN_LINE_HEIGHT, BOTTOM_MARGIN = 24.0, 32.0, 10.0
_ROOM, _A_ROW = 10.0, int((ROW_RIGHT - ROW_LEFT + CARD_GAP) // (HAND_CARD_WIDTH + CARD_GAP))
_SIGNS_A_LINE = 3
BASE_LETTERS, BESIDE_ID_LETTERS, BELOW_ID_LETTERS, HAND_LETTERS, _HAND_LINES = 26, 19, 29, 15, 3
"""The letters of a name that fit on a line: of a base, of a strip beside the card's id and below it, and of
a card of the hand, which has three lines.
"""

NATION_COLOURS = {"entente": "#24508a", "central": "#8c2f2b"}
CARD_BANDS = (
    ("leader", "#6b4c9a", "great_war.board.band_leader"),
    ("joker", "#8a6200", "great_war.board.band_joker"),
    ("bonus_card", "#7d6200", "great_war.board.band_bonus"),
    ("naval", "#1d6f8a", "great_war.board.band_sea"),
    ("air", "#3f6698", "great_war.board.band_air"),
    ("fieldwork", "#7a5c3a", "great_war.board.band_works"),
    ("obstacle", "#7a5c3a", "great_war.board.band_works"),
    ("artillery", "#5c5c5c", "great_war.board.band_guns"),
    ("land", "#4a6c31", "great_war.board.band_land"),
)
"""By tag, the colour of a card's band, and the catalogue entry of the word on it. The first tag counts."""


def badges(view: View) -> dict[str, SeatColours]:
    """Return the colour of each side: that of its nation."""
    colours = {seat: NATION_COLOURS[army.nation] for seat, army in view.armies.items()}
    return {str(seat): SeatColours(ink=colour, land=colour) for seat, colour in colours.items()}


def board_scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a view and the events before it.

    The hand is drawn only for viewers who may see it. Keys: title, width, height, strip, sides (name,
    role, colour, total, hand, score, left, right, top, end, cards), low (their lower edge), band (top,
    height), event (text, y of each line), turn, margin, hand (top, cards with the cards that they can be
    added to), signs (sign, text, x, y: those on this picture).
    """
    new = {(event.seat, event.card) for event in events if isinstance(event, CardLaid)}
    if all((seat, card.card) in new for seat in (AI, PLAYER) for card in view.armies[seat].row):
        new = set()  # a mark on every card would tell nothing
    event = wrap(
        sentence(
            "great_war.board.event",
            event=event_text(view) if view.event else sentence("great_war.lists.none"),
        ),
        _EVENT_LETTERS,
    )
    band = BAND_HEIGHT + EVENT_LINE_HEIGHT * len(event)
    top, half = TITLE_HEIGHT + band + _ROOM, (ROW_RIGHT - ROW_LEFT - SIDES_GAP) / 2
    enemy = _side_scene(view, AI, new, (ROW_LEFT, top, ROW_LEFT + half))
    mine = _side_scene(view, PLAYER, new, (ROW_RIGHT - half, top, ROW_RIGHT))
    low = max(enemy["end"], mine["end"])
    hand = _hand_scene(view, low + _ROOM)
    drawn = [*enemy["cards"], *mine["cards"], *(hand["cards"] if hand else ())]
    signs = [*_signs(drawn, (hand["end"] if hand else low) + _ROOM)]
    return {
        "title": sentence("great_war.board.title"),
        "width": PICTURE_WIDTH,
        "height": round(
            max((sign["y"] for sign in signs), default=low) + SIGN_LINE_HEIGHT / 2 + BOTTOM_MARGIN
        ),
        "strip": COVERED_STRIP,
        "sides": [enemy, mine],
        "low": low,
        "band": {"top": TITLE_HEIGHT, "height": band},
        "event": [{"text": line, "y": 57 + EVENT_LINE_HEIGHT * number} for number, line in enumerate(event)],
        "turn": view.turn,
        "margin": view.margin(PLAYER),
        "hand": hand,
        "signs": signs,
    }


def _signs(cards: Sequence[Mapping[str, Any]], top: float) -> Iterator[dict[str, Any]]:
    """Yield the signs on the drawn cards, with their places below everything else."""
    present = {
        "high": any(card["high"] for card in cards),
        "plus": any(card["plus"] and not card["under"] for card in cards),
        "under": any(card["under"] for card in cards),
        "led": any(card["led"] for card in cards),
        "new": any(card["new"] for card in cards),
        "down": not all(card["up"] for card in cards),
    }
    width = (ROW_RIGHT - ROW_LEFT) / _SIGNS_A_LINE
    for number, sign in enumerate(sign for sign, is_there in present.items() if is_there):
        line, place = divmod(number, _SIGNS_A_LINE)
        yield {
            "sign": sign,
            "text": sentence(f"great_war.board.sign_{sign}"),
            "x": ROW_LEFT + width * place,
            "y": top + SIGN_LINE_HEIGHT * (line + 0.5),
        }


def _side_scene(
    view: View, seat: Seat, new: set[tuple[Seat, CardId]], place: tuple[float, float, float]
) -> dict[str, Any]:
    """Return a side for drawing. place: its left end, its upper and its right end."""
    left_edge, top, right = place
    army, is_attacker = view.armies[seat], view.role(seat) == "attack"
    cards, y = list[dict[str, Any]](), top + SIDE_HEADING_HEIGHT
    for stack in group_formations(army.row):
        cards += _formation_scene(view, seat, stack, new, (left_edge, y))
        y += CARD_HEIGHT + COVERED_STRIP * len(stack.under) + CARD_GAP
    return {
        "name": sentence("great_war.sides.player" if seat == PLAYER else "great_war.sides.ai"),
        "nation": pile_name(army.nation),
        "colour": NATION_COLOURS[army.nation],
        "role": sentence("great_war.board.attack" if is_attacker else "great_war.board.defend"),
        "total": view.total(seat),
        "hand": len(army.hand),
        "face_down": HIDDEN_CARD in army.hand,
        "score": view.score(seat),
        "left": left_edge,
        "right": right,
        "top": top,
        "end": y if cards else y + 46.0,
        "cards": cards,
    }


def _formation_scene(
    view: View, seat: Seat, stack: Formation, new: set[tuple[Seat, CardId]], at: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    """Yield the base and the visible strips of the cards added to it, the lowest card first."""
    placed = [
        (stack.base, 0, 0),
        *((table_card, place, deep) for place, (table_card, deep) in enumerate(stack.under, 1)),
    ]
    shift = min(LINK_SHIFT, DEEPEST_SHIFT / max(stack.depth, 1))
    for table_card, place, deep in reversed(placed):
        card = view.book[table_card.card]
        yield {
            **_face_scene(card),
            "name": wrap(card.name, BASE_LETTERS),
            "strip_name": _strip_name(card.name),
            "x": at[0] + shift * deep,
            "y": at[1] + COVERED_STRIP * place,
            "width": CARD_WIDTH,
            "height": CARD_HEIGHT,
            "bp": table_card.bp,
            "up": table_card.up,
            "new": (seat, table_card.card) in new,
            "under": place > 0,
            "on": table_card.link,
            "host": _host_note(stack, table_card.link, is_long=len(wrap(card.name, BESIDE_ID_LETTERS)) > 2),
            "led": table_card.how in ("led", "with_leader"),
        }


def _host_note(stack: Formation, host: CardId | None, *, is_long: bool) -> str:
    """Return the words below a card's id: its host, if that could be another than the base, or ""."""
    is_deep = stack.depth > 1 and host is not None and not is_long
    return sentence("great_war.board.host", card=host) if is_deep else ""


def _strip_name(name: str) -> list[dict[str, Any]]:
    """Return a name in one or two lines for a strip. The second line of a long name begins below the id."""
    lines = wrap(name, BESIDE_ID_LETTERS)
    is_long = len(lines) > 2
    if is_long:
        lines = [lines[0], *wrap(name[len(lines[0]) + 1 :], BELOW_ID_LETTERS)]
    return [{"text": text, "below": is_long and number == 1} for number, text in enumerate(lines)]


def _face_scene(card: Card) -> dict[str, Any]:
    bands = ((colour, sentence(slug)) for tag, colour, slug in CARD_BANDS if tag in card.tags)
    colour, sort = next(bands, ("#555555", ""))
    return {
        "id": card.id,
        "name": _wrap_name(card.name),
        "high": card.high,
        "plus": card.plus,
        "colour": colour,
        "sort": sort,
        "count": 1,
        "led": False,
        "host": "",
        "idle": False,
    }


def _hand_scene(view: View, top: float) -> dict[str, Any] | None:
    """Return the player's hand for drawing, or None if the viewer can't see it.

    Each card comes once, with its uses and hosts in the present Combat Round.
    """
    held = view.armies[PLAYER].hand
    if not held or HIDDEN_CARD in held:
        return None
    due = view.stage in ("round 1", "round 2")
    first, onto = (bases(view), hosts_by_card(view)) if due else ((), {})
    cards = tuple(dict.fromkeys(held))
    drawn, y = list[dict[str, Any]](), top + HAND_HEADING_HEIGHT
    for start in range(0, len(cards), _A_ROW):
        row = [
            {
                **_face_scene(view.book[card_id]),
                "x": round(ROW_LEFT + (HAND_CARD_WIDTH + CARD_GAP) * number, 1),
                "y": y,
                "width": HAND_CARD_WIDTH,
                "height": HAND_CARD_HEIGHT,
                "bp": view.book[card_id].bp,
                "up": True,
                "new": False,
                "under": False,
                "count": held.count(card_id),
                "marks": (marks := _marks(card_id, first, onto))
                or ([sentence("great_war.board.not_now")] if due else []),
                "idle": due and not marks,
            }
            for number, card_id in enumerate(cards[start : start + _A_ROW])
        ]
        drawn += row
        y += HAND_CARD_HEIGHT + MARK_LINE_HEIGHT * max(len(card["marks"]) for card in row) + CARD_GAP
    return {"top": top, "due": due, "cards": drawn, "end": y}


def _marks(card_id: CardId, first: Sequence[CardId], onto: Mapping[CardId, Sequence[CardId]]) -> list[str]:
    """Return the lines below a card: whether it can be a base, and each card it can be added to."""
    marks = [sentence("great_war.board.as_base")] if card_id in first else []
    return [*marks, *(sentence("great_war.board.on_host", host=host) for host in onto.get(card_id, ()))]


def _wrap_name(name: str) -> list[str]:
    """Return a name in at most three lines that fit on a card of the hand."""
    lines = wrap(name, HAND_LETTERS, break_long_words=False, break_on_hyphens=False)
    does_fit = len(lines) <= _HAND_LINES and max(map(len, lines)) <= HAND_LETTERS
    return lines if does_fit else wrap(name, HAND_LETTERS + 3)


# Cards on the table as regions of the map, with owner and value, and the regions that an event names.


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return the cards of both rows where board.svg draws them, by formation, the AI's cards first.

    The cards of the hand follow, if the viewer can see them.
    """
    scene = board_scene(view, ())
    spots_by_place = {
        place_name(seat, card["id"]): _spot(view, seat, card)
        for seat, side in zip((AI, PLAYER), scene["sides"], strict=True)
        for card in side["cards"]
    }
    hand = scene["hand"]["cards"] if scene["hand"] else ()
    return (*spots_by_place.values(), *(_hand_spot(view, card) for card in hand))


def _hand_spot(view: View, card: dict[str, Any]) -> MapRegion:
    """Return a card of the hand as a region of the map."""
    return MapRegion(
        at=place_name(HAND, card["id"]),
        path=_card_outline(card, card["y"]),
        name=view.book.full_name(card["id"]),
        owner=sentence("great_war.board.owner_player"),
        colour=badges(view)[PLAYER].land,
    )


def mention(event: AnyEvent) -> EventPlaces | None:
    """Return the cards on the table that an event names, the card that was played first."""
    match event:
        case event_types.CardLaid():
            on = [place_name(event.seat, event.link)] if event.link else []
            done = [place_name(_against(event.seat, effect.op), effect.card) for effect in event.done]
            return EventPlaces(at=tuple(dict.fromkeys((place_name(event.seat, event.card), *on, *done))))
        case event_types.LeaderStopped():
            return EventPlaces(at=(place_name(event.seat, event.card),))
        case event_types.Blockaded():
            return EventPlaces(
                at=(place_name(event.seat, event.by), place_name(_other(event.seat), event.card))
            )
    return None


def _spot(view: View, seat: Seat, card: dict[str, Any]) -> MapRegion:
    """Return the visible part of a card as a region of the map."""
    top = card["y"] + (CARD_HEIGHT - COVERED_STRIP if card["under"] else 0)
    worth = sentence(
        "great_war.board.points" if card["up"] else "great_war.board.cancelled", count=card["bp"]
    )
    added = (sentence("great_war.board.added", card=card["on"]),) if card["on"] else ()
    return MapRegion(
        at=place_name(seat, card["id"]),
        path=_card_outline(card, top),
        name=view.book.full_name(card["id"]),
        owner=sentence("great_war.board.owner_player" if seat == PLAYER else "great_war.board.owner_ai"),
        colour=badges(view)[seat].land,
        pieces=(worth, *added),
    )


def _card_outline(card: Mapping[str, Any], top: float) -> str:
    """Return the ``d`` of an SVG path around a card, from a height of the picture to its lower edge."""
    left_edge, right, low = card["x"], card["x"] + card["width"], card["y"] + card["height"]
    return f"M{left_edge:g} {top:g}H{right:g}V{low:g}H{left_edge:g}Z"


def _against(seat: Seat, op: str) -> Seat:
    """Return the side whose card was cancelled, discarded or turned up again."""
    return seat if op == "restore" else _other(seat)


def _other(seat: Seat) -> Seat:
    return AI if seat == PLAYER else PLAYER
