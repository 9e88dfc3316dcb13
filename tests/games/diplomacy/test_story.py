"""The story of a game: who broke a peace, what turned it, who gets an award; the same log, the same words."""

import pytest

import games
from games.diplomacy.events import Captured, Eliminated, Ended, Reason, Resolved
from games.diplomacy.model import Move, Phase, Province, SupportMove, Unit
from games.diplomacy.reports.story import (
    MIN_PEACEFUL_SEASONS,
    awards,
    stabs,
    story,
)
from games.messages import sentence
from games.protocol import PastTurn, Seat
from games.record import replace_fields
from tests.kit.bot_games import rounds
from tests.kit.standard import DICE

ENDING_HEADING, TURNING_POINTS_HEADING, STABS_HEADING, AWARDS_HEADING = (
    sentence(f"diplomacy.reports_story.{part}_heading")
    for part in ("ending", "turning_points", "stabs", "awards")
)
GAME = games.kinds()["standard"]
BOARD = GAME.rules.board
OPENING = GAME.rules.setup({}, DICE).state
AUSTRIA, ITALY, TURKEY, RUSSIA = map(Seat, ("Austria", "Italy", "Turkey", "Russia"))


def at(name: str) -> Province:
    return next(place for place in BOARD.places if BOARD.abbr(place) == name)


def moved(
    power: Seat, text: str, to: str, outcome: str = "bounced", reason: Reason | None = None
) -> Resolved:
    piece = Unit(power=power, kind=text[0], at=at(text[2:])).piece
    order = Move(unit=piece, to=at(to))
    return Resolved(power=power, unit=piece, order=order, outcome=outcome, reason=reason)


def helped(power: Seat, text: str, other: Seat, whence: str, to: str) -> Resolved:
    piece = Unit(power=power, kind=text[0], at=at(text[2:])).piece
    order = SupportMove(unit=piece, other=Unit(power=other, kind="A", at=at(whence)).piece, to=at(to))
    return Resolved(power=power, unit=piece, order=order, outcome="supported")


def past(number: int, *events, centres=None, kind="M") -> PastTurn:
    """A season, the number counted from Spring 1901, on the opening's board."""
    phase = Phase(season="SF"[number % 2], year=1901 + number // 2, kind=kind)
    before = replace_fields(OPENING, phase=phase)
    after = replace_fields(before, centres={**before.centres, **(centres or {})})
    return PastTurn(turn=GAME.rules.turn(before), before=before, after=after, events=events)


ATTACK = moved(ITALY, "A VEN", "TRI")


def quiet(count: int) -> list[PastTurn]:
    return [past(number) for number in range(count)]


def test_the_first_attack_on_a_neighbour_after_two_quiet_years_is_a_stab():
    course = [
        *quiet(MIN_PEACEFUL_SEASONS),
        past(MIN_PEACEFUL_SEASONS, ATTACK),
        past(MIN_PEACEFUL_SEASONS + 1, ATTACK),
    ]
    (one,) = stabs(BOARD, course)
    assert (one.by, one.victim, one.at, one.quiet) == (ITALY, AUSTRIA, at("TRI"), MIN_PEACEFUL_SEASONS)
    assert stabs(BOARD, course[1:]) == [], "three quiet seasons are no peace"


def test_where_both_attack_nobody_was_stabbed_and_a_war_goes_on_until_it_rests():
    both = (ATTACK, moved(AUSTRIA, "F TRI", "VEN"))
    course = [
        *quiet(MIN_PEACEFUL_SEASONS),
        past(4, *both),
        past(5, ATTACK),
        *(past(number) for number in range(6, 10)),
    ]
    assert stabs(BOARD, course) == []
    assert [one.number for one in stabs(BOARD, [*course, past(10, ATTACK)])] == [10]


def test_powers_that_lie_far_apart_have_no_peace_to_break():
    far = moved(TURKEY, "A CON", "VEN")
    assert stabs(BOARD, [*quiet(MIN_PEACEFUL_SEASONS), past(MIN_PEACEFUL_SEASONS, far)]) == []


def test_help_makes_a_stab_worse_and_so_does_what_was_taken():
    friends = [
        past(number, helped(ITALY, "A VEN", AUSTRIA, "VIE", "TYR")) for number in range(MIN_PEACEFUL_SEASONS)
    ]
    taken = past(MIN_PEACEFUL_SEASONS + 1, Captured(centre=at("TRI"), was=AUSTRIA, now=ITALY))
    later = past(MIN_PEACEFUL_SEASONS + 5, Captured(centre=at("VIE"), was=AUSTRIA, now=ITALY))
    (plain,) = stabs(BOARD, [*quiet(MIN_PEACEFUL_SEASONS), past(MIN_PEACEFUL_SEASONS, ATTACK)])
    (worse,) = stabs(BOARD, [*friends, past(MIN_PEACEFUL_SEASONS, ATTACK), taken, later])
    assert (worse.helped, worse.taken) == (MIN_PEACEFUL_SEASONS, (at("TRI"),)), (
        "what comes years later is another tale"
    )
    assert worse.weight > plain.weight
    told = [
        line.text
        for line in story(BOARD, [*friends, past(MIN_PEACEFUL_SEASONS, ATTACK), taken])
        if line.heading == STABS_HEADING
    ]
    assert told == [
        "Spring 1903: Italy attacked Austria at Trieste after four seasons of peace (they had helped "
        "each other four times), and took Trieste within two years."
    ]


def test_helping_somebody_else_into_a_neighbour_s_home_is_an_attack_and_helping_him_home_is_none():
    against = helped(ITALY, "A VEN", RUSSIA, "WAR", "TRI")
    home = helped(ITALY, "A VEN", AUSTRIA, "VIE", "TRI")
    assert [
        one.victim
        for one in stabs(BOARD, [*quiet(MIN_PEACEFUL_SEASONS), past(MIN_PEACEFUL_SEASONS, against)])
    ] == [AUSTRIA]
    assert stabs(BOARD, [*quiet(MIN_PEACEFUL_SEASONS), past(MIN_PEACEFUL_SEASONS, home)]) == []


def test_turning_points_are_the_lead_homes_leaps_and_deaths():
    lost = [Captured(centre=at(one), was=AUSTRIA, now=ITALY) for one in ("TRI", "VIE", "BUD")]
    course = [
        past(0),
        past(1, *lost, Eliminated(power=AUSTRIA), centres={one.centre: ITALY for one in lost}),
        past(3, Ended(winners=(ITALY,), reason="centres")),
    ]
    told = story(BOARD, course)
    assert [line.text for line in told if line.heading == TURNING_POINTS_HEADING] == [
        "Fall 1901: Austria was eliminated. It lost its last centre, Budapest, to Italy.",
        "Fall 1901: Italy rose from three to six centres and took the lead from Russia.",
        "Fall 1901: Austria lost its first home centre, Trieste, to Italy.",
    ]
    (end,) = [line.text for line in told if line.heading == ENDING_HEADING]
    assert end.startswith("Italy won in Fall 1902, after three phases. Supply centres: ")


def test_awards_go_to_whoever_did_most_and_none_for_little():
    held = Reason(code="held-off", by=(Unit(power=AUSTRIA, kind="F", at=at("TRI")),))
    attack = moved(ITALY, "A VEN", "TRI", reason=held)
    few = [past(0, attack, attack)]
    assert awards(BOARD, few) == []
    assert awards(BOARD, few * 3) == [
        "Rock: Austria beat off six attacks on centres.",
        "Closed door: Italy had six moves that failed.",
    ]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "until"), [("standard", 1909), ("indianomacy", 8)])
def test_a_recorded_game_tells_one_story_each_thing_once(kind: str, until: int):
    game = games.kinds()[kind]
    stories = []
    for _ in range(2):
        played = rounds(game, b"story", years=until, bot="beginner")
        course = [
            PastTurn(turn=game.rules.turn(one.before), before=one.before, after=one.after, events=one.events)
            for one in played
        ]
        stories.append(game.telling.story(course))
    assert stories[0] == stories[1]
    told = [line.text for line in stories[0]]
    assert len(told) == len(set(told))
    headings = [line.heading for line in stories[0]]
    assert headings == sorted(
        headings, key=(ENDING_HEADING, TURNING_POINTS_HEADING, STABS_HEADING, AWARDS_HEADING).index
    )
    assert headings.count(TURNING_POINTS_HEADING) in range(1, 6)
    assert headings.count(STABS_HEADING) in range(1, 6)
    assert sum(map(len, told)) < 3_000, "a page"
