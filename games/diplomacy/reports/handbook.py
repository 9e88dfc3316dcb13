"""The help topics of a board of armies and fleets, written from its map.json and rulebook.toml."""

import re
from collections.abc import Iterator
from itertools import islice

from games.diplomacy.boards.board import Board, Victory
from games.diplomacy.boards.folders import RULES_FILE
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import Phase
from games.diplomacy.reports.tables import falling_lead, tie_rule, winning_position
from games.language import join_list
from games.messages import sentence
from games.protocol import HandbookSection, Invalid
from games.record import replace_fields

_BAR = "| "
"""Rows of orders begin so, so that nobody's answer sends them back unseen."""
_MOST_EXAMPLES = 3
MAX_SECTION_LETTERS = 8_000
_TOPIC_LETTERS = 4
"""The length from which a word of a heading asks for its section."""
_TOPICS_COMMENT = re.compile(r"<!-- help: (.*?) -->")


def handbook(variant: Variant) -> tuple[HandbookSection, ...]:
    """Return the sections: how to win, the year, fleets and convoys, retreats and builds, order formats."""
    sections = {
        "victory": _victory(variant),
        "season": _year(variant),
        "convoys": _fleets(variant),
        "retreats": _builds(variant),
        "forms": _forms(variant.board),
    }
    ours = tuple(
        HandbookSection(
            topics=tuple(_say(f"topics_{name}").split()),
            title=_say(f"title_{name}"),
            text="\n\n".join(paragraphs),
        )
        for name, paragraphs in sections.items()
    )
    return (*ours, *read_rules_page(variant.rules_page()))


def check_rules_page(variant: Variant) -> None:
    """Raise Invalid for a rules.md of a new variant that has no topics, or a topic twice."""
    text = variant.rules_page()
    if not text:
        return
    sections = handbook(replace_fields(variant, rules_page=lambda: ""))
    ours = {topic for section in sections for topic in section.topics}
    own = read_rules_page(text)
    if not own:
        raise Invalid(RULES_FILE, _say("no_section"), _say("write_section"))
    for section in own:
        where = f"{RULES_FILE}: {section.title}"
        if not section.text or not section.topics:
            raise Invalid(where, _say("empty_section"), _say("write_section"))
        if len(section.text) > MAX_SECTION_LETTERS:
            raise Invalid(where, _say("long_section", most=MAX_SECTION_LETTERS), _say("split_section"))
        for topic in section.topics:
            if topic in ours:
                raise Invalid(where, _say("topic_twice", topic=topic.upper()), _say("other_topic"))
            ours.add(topic)


def read_rules_page(text: str) -> tuple[HandbookSection, ...]:
    """Return the sections of a variant's rules.md: each heading of the second level begins one.

    Words in a comment below the heading ask for it, or else the long words of the heading.
    """
    _, *parts = re.split(r"(?m)^##[ \t]+", text)
    return tuple(map(_own_section, parts))


def _own_section(part: str) -> HandbookSection:
    title, _, body = part.partition("\n")
    asked = _TOPICS_COMMENT.search(body)
    words = asked[1].split() if asked else [word for word in title.split() if len(word) >= _TOPIC_LETTERS]
    paragraphs = re.split(r"\n[ \t]*\n", _TOPICS_COMMENT.sub("", body).strip())
    return HandbookSection(
        topics=tuple(dict.fromkeys(word.strip(",.").lower() for word in words)),
        title=title.strip(),
        text="\n\n".join(map(_join_lines, paragraphs)),
    )


def _join_lines(paragraph: str) -> str:
    """Return a paragraph on one line, but for items and rows of orders, which begin with a sign."""
    lines = [line.strip() for line in paragraph.splitlines()]
    return re.sub(r"\n(?![-|])", " ", "\n".join(lines))


def _say(slug: str, **values: object) -> str:
    return sentence(f"diplomacy.handbook.{slug}", **values)


def _victory(variant: Variant) -> Iterator[str]:
    book = variant.rulebook
    season = book.season_of_end
    when = sentence("diplomacy.victory.after_season", season=season)
    for condition in variant.board.winning_conditions:
        who = condition.power or sentence("diplomacy.victory.a_power")
        yield sentence(
            "diplomacy.victory.wins", power=who, when=when, what=winning_position(variant, condition)
        )
        if condition.lead_from:
            yield falling_lead(condition)
    if not isinstance(variant.board.chart.victory, Victory):
        yield tie_rule(variant.board)
    yield _say(f"checked_{book.victory_after}", season=season)
    yield _say("draw", season=season)


def _year(variant: Variant) -> Iterator[str]:
    board, book = variant.board, variant.rulebook
    year = board.chart.first_year
    turns = [book.turn(Phase(season=step.season, year=year, kind=step.kind)) for step in book.year]
    yield _say("phases", phases="; ".join(f"{turn.name} ({turn.short})" for turn in turns))
    if book.begins:
        opening = book.turn(book.beginning(year))
        yield _say("begins", phase=f"{opening.name} ({opening.short})")
    yield _say("captures", seasons=join_list(book.capture_seasons))
    if rows := list(_opening_moves(board)):
        yield _say("opening_moves", power=next(iter(board.powers)))
        yield "\n".join(rows)
    if board.neutral:
        yield f"{_say('neutral', count=len(board.neutral))} {_say(f'garrisons_{book.garrisons}')}"
    if board.chart.one_way:
        yield _say("one_way")
        yield "\n".join(
            _BAR + _say("one_way_from", province=board.name(here), other=board.name(there))
            for here, there in board.chart.one_way
        )
    first = board.ids[0]
    yield _say("names", name=board.name(first), abbr=board.abbr(first))


def _opening_moves(board: Board) -> Iterator[str]:
    """Yield moves that units of the first power could make in the opening, each to another place."""
    pieces = next(iter(board.starts.values()), ())
    taken = {piece.at for piece in pieces}
    for piece in pieces[:_MOST_EXAMPLES]:
        near = board.army[piece.at] if piece.kind == "A" else board.sailing[piece.spot]
        goal = next((place for place in near if place not in taken), None)
        if goal is not None:
            taken.add(goal)
            yield f"{_BAR}{piece.kind} {board.abbr(piece.at)} - {board.abbr(goal)}"


def _fleets(variant: Variant) -> Iterator[str]:
    board = variant.board
    coasts = [board.name(place.id) for place in board.places.values() if place.coasts]
    if coasts:
        spot = next(spot for place in board.places.values() if place.coasts for spot in board.spots[place.id])
        yield _say(
            "coasts",
            count=len(coasts),
            provinces=join_list(coasts),
            spot=board.abbr(spot),
            name=board.name(spot),
        )
    if convoy := _convoy(board):
        yield _say("convoys")
        yield "\n".join(f"{_BAR}{order}" for order in convoy)
        if ashore := [board.name(place.id) for place in board.places.values() if place.convoys]:
            yield _say("convoys_on_land", count=len(ashore), provinces=join_list(ashore))
        yield _say(f"by_sea_{variant.rulebook.convoy_intent.replace('-', '_')}")
    if not coasts and not convoy:
        yield _say("no_sea")


def _convoy(board: Board) -> tuple[str, ...]:
    """Return a convoy over one fleet: the army's order and the fleet's, or nothing on a board without sea."""
    for sea, place in board.places.items():
        shores = [shore for shore in board.fleet[sea] if board.is_land(shore)]
        if place.kind == "sea" and len(shores) > 1:
            one, other = board.abbr(shores[0]), board.abbr(shores[-1])
            return f"A {one} - {other}", f"F {board.abbr(sea)} C A {one} - {other}"
    return ()


def _builds(variant: Variant) -> Iterator[str]:
    board, book = variant.board, variant.rulebook
    yield _say("retreats")
    have_other_homes = any(power.owned_at_start != power.centres for power in board.powers.values())
    is_usual = book.builds_in != "starting" or not have_other_homes
    yield _say(f"builds_{book.builds_in}" if is_usual else "builds_own_homes")
    if book.builds_in == "homes" or (have_other_homes and not is_usual):
        yield _say("home_centres")
        yield "\n".join(
            _BAR + _say("home_centres_of", power=power.name, places=join_list(map(board.name, power.centres)))
            for power in board.powers.values()
            if power.centres
        )
    homes = [centre for power in board.powers.values() for centre in power.centres]
    home = (homes or board.centres)[0]
    yield f"{_BAR}build {'A' if 'A' in book.builds_of else book.builds_of[0]} {board.name(home)}"
    yield _say(f"removals_{book.removal_near}")


def _forms(board: Board) -> Iterator[str]:
    """Yield one row for each kind of order, with provinces of this board."""
    rows: dict[str, str] = {}
    for kind, near, into in (
        ("A", board.army, board.army_into),
        ("F", board.fleet, board.fleet_into),
    ):
        # Two provinces from which a unit can go to a third: the examples of supports are possible then.
        ways = (
            (here, goal, other)
            for here in board.ids
            for goal in near[here]
            for other in into[goal]
            if other != here
        )
        for here, goal, other in islice(ways, 1 - bool(rows)):
            unit, aim, helper = (f"{kind} {board.abbr(place)}" for place in (here, goal, other))
            rows = {
                "move": f"{unit} - {board.abbr(goal)}",
                "hold": f"{unit} H",
                "support_move": f"{helper} S {unit} - {board.abbr(goal)}",
                "support_hold": f"{helper} S {aim}",
                "disband": f"{unit} D",
                "build": f"{unit} B",
            }
    rows["waive"] = "WAIVE"
    if convoy := _convoy(board):
        rows |= {"convoyed_move": convoy[0], "convoy": convoy[1]}
    yield "\n".join(f"{_BAR}{_say(f'form_{name}')}: {order}" for name, order in rows.items())
