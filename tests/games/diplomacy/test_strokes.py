"""The lines of the map: each step that the rules allow is drawn, and crossed out, over its two provinces."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice, pairwise

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.adjudication.legality import goals
from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Reason, Resolved, Result
from games.diplomacy.map.dislodged_places import dislodged_place, second_place
from games.diplomacy.map.labels import sizes
from games.diplomacy.map.line_routing import Courses, course_length, distance, point_along
from games.diplomacy.map.order_arrows import OrderLine, holding, middle, order_lines
from games.diplomacy.map.outlines import Point
from games.diplomacy.model import (
    Beaten,
    Convoy,
    Hold,
    Kind,
    Move,
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    split_spot,
)
from games.protocol import Seat
from tests.kit.bot_games import rounds
from tests.kit.kinds import FEWER_POWERS, OWN_BOARDS
from tests.kit.random_seasons import skirmish

pytestmark = pytest.mark.long

BOARDS = ("standard", "indianomacy")
SEAT = Seat("Anybody")
LAKES = {frozenset("de"), frozenset("fg"), frozenset("gh"), frozenset("df")}
"""Waters of Indianomacy between which there is but a narrow: no border is drawn that both share."""


def board_of(kind: str) -> Board:
    return games.kinds()[kind].rules.board


def piece(kind: Kind, spot: str) -> Piece:
    at, coast = split_spot(Province(spot))
    return Piece(kind=kind, at=at, coast=coast)


def order_of(unit: Piece, goal: Province) -> Move:
    to, coast = split_spot(goal)
    return Move(unit=unit, to=to, coast=coast)


@cache
def steps(kind: str) -> tuple[tuple[Piece, Province], ...]:
    """Every step that a unit can be ordered to make on a board: on foot, under sail, by canoe-fleet."""
    return tuple(_steps(kind))


def _steps(kind: str) -> Iterator[tuple[Piece, Province]]:
    game = games.kinds()[kind]
    board = game.rules.board
    walker: Kind = board.walker
    for here in board.places:
        for there in board.army[here]:
            yield piece(walker, here), there
        if "F" in board.kinds:
            for spot in board.spots[here]:
                for there in board.sailing[spot]:
                    yield piece("F", spot), there
        else:
            for there in goals(board, game.rules.variant.rulebook, here):
                if there not in board.army[here]:
                    yield piece(walker, here), there


def drawn(board: Board, *events: AnyEvent, beaten: tuple[Beaten, ...] = ()) -> tuple[OrderLine, ...]:
    return order_lines(board, events, beaten)


def told(order: Move | SupportHold | SupportMove | Convoy, outcome: Result, why: str = "") -> Resolved:
    reason = Reason(code=why) if why else None
    return Resolved(power=SEAT, unit=order.unit, order=order, outcome=outcome, reason=reason)


def strays(board: Board, line: OrderLine, *ends: Province) -> float:
    """Return the length of a line outside some provinces, in board units."""
    courses, both = Courses.of(board), frozenset(ends)
    if all(courses.is_clear(one, two, both) for one, two in pairwise(line.points)):
        inside = any(courses.contains(end, line.points[0]) for end in ends)
        return 0.0 if inside else course_length(line.points)
    whole = course_length(line.points)
    points = [point_along(line.points, whole * number / 200) for number in range(201)]
    return whole * sum(not any(courses.contains(end, at) for end in ends) for at in points) / 201


def check(board: Board, line: OrderLine, *ends: Province) -> None:
    """A line lies in these provinces, and so does its cross."""
    courses = Courses.of(board)
    assert strays(board, line, *ends) <= 0, (line.kind, ends)
    assert any(courses.contains(end, line.cross) for end in ends), (line.kind, ends)


def is_narrow(board: Board, *ends: Province) -> bool:
    """Return whether two waters share no border."""
    return not any(ends[1] in wall.sides for wall in Courses.of(board).walls[ends[0]])


def test_boards_that_differ_in_their_powers_only_are_drawn_alike():
    """So all that holds for every step of standard holds for theirs."""
    assert board_of("fleet-rome").key == board_of("standard").key
    assert board_of("chaos").key != board_of("standard").key, "its codes are wider than letters"
    assert {board_of(kind).key for kind in FEWER_POWERS} == {board_of("standard").key}
    known = {"standard", "chaos", "fleet-rome", "indianomacy", *FEWER_POWERS, *OWN_BOARDS}
    assert known == {kind for kind, game in games.kinds().items() if game.package == "games.diplomacy"}


@pytest.mark.parametrize("kind", BOARDS)
def test_a_failed_step_and_its_cross_lie_in_its_two_provinces(kind: str) -> None:
    board, k = board_of(kind), sizes(board_of(kind)).unit
    narrows = 0
    for unit, goal in steps(kind):
        (line,) = drawn(board, told(order_of(unit, goal), "bounced"))
        to = split_spot(goal)[0]
        if is_narrow(board, unit.at, to):
            narrows += 1
            continue
        check(board, line, unit.at, to)
        assert Courses.of(board).contains(to, line.points[-1]), "it comes into its goal"
        assert distance(line.points[-1], middle(board, goal)) < 60 * k
    assert narrows == {"standard": 0, "indianomacy": 6}[kind]
    assert len(steps(kind)) > {"standard": 400, "indianomacy": 690}[kind]


def test_between_two_lakes_the_narrows_are_crossed_where_they_are_narrowest():
    board = board_of("indianomacy")
    for unit, goal in steps("indianomacy"):
        if is_narrow(board, unit.at, goal):
            (line,) = drawn(board, told(order_of(unit, goal), "bounced"))
            assert 0 < strays(board, line, unit.at, goal) < 60
            assert any(Courses.of(board).contains(end, line.cross) for end in (unit.at, goal))


@pytest.mark.parametrize("kind", BOARDS)
def test_a_support_lies_in_its_own_province_and_in_the_one_it_helps_into(kind: str) -> None:
    """For each step, with each unit that can support it: the line, and the cross of one that was cut."""
    board = board_of(kind)
    into: dict[Province, list[Piece]] = {}
    for unit, goal in steps(kind):
        into.setdefault(split_spot(goal)[0], []).append(unit)
    looked = 0
    for to, units in into.items():
        movers = units[:2]
        for helper in dict.fromkeys(units):
            mover = next((one for one in movers if one.at != helper.at), None)
            if mover is None or is_narrow(board, helper.at, to) or is_narrow(board, mover.at, to):
                continue
            support = SupportMove(unit=helper, other=mover, to=to)
            line, _ = drawn(board, told(support, "cut"), told(order_of(mover, to), "bounced"))
            check(board, line, helper.at, to)
            guard = SupportHold(unit=helper, other=piece(mover.kind, to))
            (line,) = drawn(board, told(guard, "cut"))
            check(board, line, helper.at, to)
            assert line.ring is not None
            assert line.ring[0] == middle(board, to)
            looked += 1
    assert looked > 300


def test_an_army_goes_over_its_fleet_and_over_no_other_province():
    """Each water, with each two of its shores, and each two waters that lie side by side."""
    board = board_of("standard")
    courses = Courses.of(board)
    looked = 0
    for water in board.places:
        if board.is_land(water):
            continue
        near = [one for one in board.fleet[water] if board.is_land(one)]
        for number, here in enumerate(near):
            there = near[number - 1]
            if here == there:
                continue
            army, fleet = piece("A", here), piece("F", water)
            move = Move(unit=army, to=there, via=True)
            convoy = Convoy(unit=fleet, other=army, to=there)
            ring, line = drawn(board, told(convoy, "disrupted"), told(move, "disrupted"))
            assert strays(board, line, here, water, there) <= 0, (here, water, there)
            assert courses.contains(water, line.cross), "the convoy failed there"
            assert ring.ring is not None
            assert ring.ring[0] == middle(board, water)
            assert courses.contains(water, ring.cross)
            looked += 1
        for other in board.fleet[water]:
            if not board.is_land(other):
                course = courses.course(middle(board, water), middle(board, other), water, other)
                pairs = pairwise(course)
                assert all(courses.is_clear(one, two, frozenset((water, other))) for one, two in pairs)
    assert looked > 60


def test_a_convoy_is_one_line_through_all_its_fleets():
    board = board_of("standard")
    army = piece("A", "WAL")
    move = Move(unit=army, to=Province("NWY"), via=True)
    fleets = [Convoy(unit=piece("F", at), other=army, to=Province("NWY")) for at in ("NTH", "ENG", "IRI")]
    *rings, line = drawn(board, *[told(one, "convoyed") for one in fleets], told(move, "moved"))
    for at in ("ENG", "NTH"):
        assert middle(board, Province(at)) in line.points
    assert middle(board, Province("IRI")) not in line.points, "that fleet is not needed"
    assert [ring.kind for ring in rings] == ["convoy"] * 3
    assert strays(board, line, *map(Province, ("WAL", "ENG", "NTH", "NWY"))) <= 0


def test_supports_of_one_move_end_on_it_one_behind_the_other():
    board = board_of("standard")
    mover, to = piece("A", "BUR"), Province("MUN")
    move = Move(unit=mover, to=to)
    helpers = [SupportMove(unit=piece("A", at), other=mover, to=to) for at in ("RUH", "TYR", "BOH")]
    *lines, arrow = drawn(board, *[told(one, "supported") for one in helpers], told(move, "moved"))
    ends = [line.points[-1] for line in lines]
    whole = course_length(arrow.points)
    for end in ends:
        assert min(distance(end, point_along(arrow.points, whole * n / 200)) for n in range(201)) < 1
    heads = [distance(end, arrow.points[-1]) for end in ends]
    assert heads == sorted(heads)
    assert len(set(heads)) == 3


def test_moves_against_each_other_are_bent_apart():
    board = board_of("standard")
    one, two = (
        told(Move(unit=piece("A", here), to=Province(there)), "bounced")
        for here, there in (("MUN", "BOH"), ("BOH", "MUN"))
    )
    ahead, back = drawn(board, one, two)
    halves = [point_along(line.points, course_length(line.points) / 2) for line in (ahead, back)]
    assert distance(*halves) > 8
    check(board, ahead, Province("MUN"), Province("BOH"))
    assert distance(ahead.cross, back.cross) > 8


def test_what_does_not_count_is_drawn_as_what_it_tried():
    board = board_of("standard")
    far = Move(unit=piece("A", "MUN"), to=Province("NAP"))
    (line,) = drawn(board, told(far, "void", "not-adjacent"))
    assert line.failed
    courses = Courses.of(board)
    assert courses.contains(Province("NAP"), point_along(line.points, course_length(line.points)))
    assert any(courses.contains(Province(end), line.cross) for end in ("MUN", "NAP"))
    assert drawn(board, told(far, "void", "replaced")) == ()
    assert drawn(board, told(Move(unit=piece("A", "MUN"), to=Province("MUN")), "void", "stays-put")) == ()


def test_who_held_and_stayed_is_marked_where_it_mattered():
    board = board_of("standard")
    unit = piece("F", "STP/SC")
    held = Resolved(power=SEAT, unit=unit, order=Hold(unit=unit), outcome="held")
    without = Resolved(power=SEAT, unit=piece("A", "MUN"), order=None, outcome="held")
    beaten = Resolved(power=SEAT, unit=piece("A", "SIL"), order=None, outcome="held", dislodged=True)
    unneeded = Resolved(power=SEAT, unit=piece("A", "WAR"), order=None, outcome="held")
    guard = SupportHold(unit=piece("A", "BER"), other=piece("A", "MUN"))
    attack = Move(unit=piece("A", "FIN"), to=Province("STP"))
    events = [held, without, beaten, unneeded, told(guard, "supported"), told(attack, "bounced")]
    assert holding(board, events) == (middle(board, Province("STP/SC")), middle(board, Province("MUN")))
    assert holding(board, [held, without, unneeded]) == (), "nobody attacked or supported them"


@pytest.mark.parametrize("kind", BOARDS)
def test_a_dislodged_unit_stands_in_its_province_or_before_its_shore(kind: str) -> None:
    """In none of another's land, and clear of the unit that drove it out wherever there is room for that."""
    board, k = board_of(kind), sizes(board_of(kind)).unit
    courses = Courses.of(board)
    outside, hidden = [], []
    for place in board.places.values():
        second = second_place(board, place.id)
        half = 11.5 * second.size * k
        x, y = second.at
        corners = [(x + across, y + down) for across in (-half, 0, half) for down in (-half, 0, half)]
        if second.outside:
            outside.append(place.id)
            lands = [one for one in board.places if board.is_land(one)]
            assert not any(courses.contains(one, at) for one in lands for at in corners), place.name
        else:
            assert all(courses.contains(place.id, at) for at in corners), place.name
        firsts = [middle(board, place.id), *place.anchors.values()]
        if any(max(abs(x - fx), abs(y - fy)) < half + 11.5 * k - 0.1 for fx, fy in firsts):
            hidden.append(place.id)
        assert all(max(abs(x - fx), abs(y - fy)) > 8 * k for fx, fy in firsts), place.name
    assert len(outside) <= {"standard": 15, "indianomacy": 4}[kind]
    assert len(hidden) <= {"standard": 5, "indianomacy": 6}[kind]


def runs_under(line: OrderLine, at: Point, half: float) -> bool:
    """Return whether a line comes into the square around a point."""
    whole = course_length(line.points)
    points = [point_along(line.points, whole * number / 100) for number in range(101)]
    return any(max(abs(x - at[0]), abs(y - at[1])) < half for x, y in points)


@pytest.mark.parametrize("kind", BOARDS)
def test_the_arrow_of_the_winner_does_not_run_under_the_dislodged_unit(kind: str) -> None:
    """For each step: 26 of standard and 63 of Indianomacy did when each province had one such place."""
    board, k = board_of(kind), sizes(board_of(kind)).unit
    under = []
    for unit, goal in steps(kind):
        to, coast = split_spot(goal)
        loser = Unit(power=SEAT, kind=unit.kind, at=to, coast=coast)
        beaten = Beaten(unit=loser, by_from=unit.at, retreats=())
        winner = Unit(power=SEAT, kind=unit.kind, at=to, coast=coast)
        events = (told(order_of(unit, goal), "moved"),)
        (line,) = order_lines(board, events, (beaten,), (winner,))
        place = dislodged_place(board, beaten)
        if runs_under(line, place.at, 11.5 * place.size * k):
            under.append((unit.at, goal))
    assert len(under) <= 1, under


def knots(scenes: Iterator[tuple[State, Sequence[AnyEvent]]], board: Board) -> tuple[int, ...]:
    """Return how many lines there are, how many of them run under dislodged units of others, and close heads.

    Heads are close if they overlap: less than 13 units of the map apart.
    """
    k, lines, under, close = sizes(board).unit, 0, 0, 0
    for state, events in scenes:
        drawn = order_lines(board, events, state.beaten, state.units)
        lines += len(drawn)
        for beaten in state.beaten:
            place = dislodged_place(board, beaten)
            others = [line for line in drawn if distance(line.points[0], place.at) > 17 * k]
            under += sum(runs_under(line, place.at, 10.5 * place.size * k) for line in others)
        heads = [line.points[-1] for line in drawn if line.kind == "move"]
        close += sum(distance(one, two) < 13 * k for one, two in combinations(heads, 2))
    return lines, under, close


def test_lines_of_random_dense_phases_keep_apart() -> None:
    """Before, 7 lines ran under dislodged units, and 12 heads were on each other."""
    game, dice = games.kinds()["standard"], SealedDice(b"s", "knots", 0)
    found = (game.rules.adjudicate(one.state, one.given, dice) for one in map(skirmish, range(40)))
    lines, under, close = knots(((one.state, one.events) for one in found), board_of("standard"))
    assert lines > 1200
    assert under <= 4
    assert close <= 3


@pytest.mark.parametrize("kind", BOARDS)
def test_lines_of_bots_phases_keep_apart(kind: str) -> None:
    """Before, 4 lines on either board ran under dislodged units, and up to 3 heads were on each other."""
    played = islice(rounds(games.kinds()[kind], b"knots", bot="intermediate"), 40)
    lines, under, close = knots(((one.after, one.events) for one in played), board_of(kind))
    assert lines > 500
    assert under <= 1
    assert close == 0


@pytest.mark.parametrize("kind", BOARDS)
def test_a_head_too_close_to_another_is_shifted_around_its_goal(kind: str) -> None:
    """Of each two moves into a province whose heads would overlap, one comes in from its side."""
    board, k = board_of(kind), sizes(board_of(kind)).unit
    into: dict[Province, list[Piece]] = {}
    for unit, goal in steps(kind):
        into.setdefault(goal, []).append(unit)
    overlapping = shifted = 0
    for goal, units in into.items():
        for one, two in combinations(units, 2):
            events = [told(order_of(unit, goal), "bounced") for unit in (one, two)]
            alone, together = [drawn(board, event)[0] for event in events], drawn(board, *events)
            if one.at != two.at and distance(alone[0].points[-1], alone[1].points[-1]) < 13 * k:
                overlapping += 1
                shifted += distance(together[0].points[-1], together[1].points[-1]) >= 13 * k
    assert overlapping == {"standard": 195, "indianomacy": 171}[kind]
    assert shifted >= 0.85 * overlapping, shifted


def test_the_lines_of_a_dislodged_unit_begin_where_it_stands_now():
    board = board_of("standard")
    unit = Unit(power=SEAT, kind="A", at=Province("MUN"))
    beaten = Beaten(unit=unit, by_from=Province("BUR"), retreats=(Province("BOH"),))
    (line,) = drawn(board, told(Move(unit=unit.piece, to=Province("SIL")), "bounced"), beaten=(beaten,))
    aside, first = second_place(board, unit.at).at, middle(board, unit.at)
    assert distance(line.points[0], aside) < distance(line.points[0], first)
