"""The headline: what swung the game comes first, nothing comes twice, stand-offs stand last."""

import re
from itertools import pairwise

import pytest

import games
from games.diplomacy.events import Captured, Dislodged, Eliminated, Entered, Reason, Resolved
from games.diplomacy.model import Build, Disband, Move, Province, Unit
from games.diplomacy.reports.headline import headline, rank_news
from games.protocol import Event, Seat
from tests.kit.bot_games import rounds

GAME = games.kinds()["standard"]
BOARD = GAME.rules.board
AUSTRIA, ITALY, TURKEY, FRANCE = map(Seat, ("Austria", "Italy", "Turkey", "France"))


def at(name: str) -> Province:
    return next(place for place in BOARD.places if BOARD.abbr(place) == name)


def unit(power: Seat, text: str) -> Unit:
    return Unit(power=power, kind=text[0], at=at(text[2:]))


def bounced(power: Seat, text: str, to: str, reason: Reason | None = None) -> Resolved:
    piece = unit(power, text).piece
    return Resolved(
        power=power, unit=piece, order=Move(unit=piece, to=at(to)), outcome="bounced", reason=reason
    )


def fled(power: Seat, text: str, to: str) -> Resolved:
    piece = unit(power, text).piece
    return Resolved(power=power, unit=piece, order=Move(unit=piece, to=at(to)), outcome="retreated")


def captured(centre: str, was: Seat | None, now: Seat) -> Captured:
    return Captured(centre=at(centre), was=was, now=now)


def beaten(victim: Seat, text: str, by: Seat, whence: str, *retreats: str) -> Dislodged:
    places = tuple(at(one) for one in retreats)
    return Dislodged(unit=unit(victim, text), by=unit(by, whence), retreats=places)


def told(*events: Event) -> str:
    return headline(BOARD, events)


def test_a_home_that_was_lost_comes_before_more_centres_that_are_nobodys_home():
    events = (
        captured("BUL", None, TURKEY),
        captured("GRE", None, TURKEY),
        captured("TRI", AUSTRIA, ITALY),
        captured("TUN", None, ITALY),
    )
    assert told(*events) == (
        "Italy took Trieste from Austria, and neutral Tunis. Turkey took neutral Bulgaria and Greece."
    )


def test_a_centre_that_was_taken_and_taken_back_in_one_letter_is_no_news():
    events = (captured("TRI", AUSTRIA, ITALY), captured("TRI", ITALY, AUSTRIA), captured("BUL", None, TURKEY))
    assert told(*events) == "Turkey took neutral Bulgaria."


def test_who_enters_a_home_is_told_before_who_was_driven_out_elsewhere():
    entered = Entered(unit=unit(TURKEY, "A BUD"), owner=AUSTRIA)
    driven = beaten(FRANCE, "A PIE", ITALY, "A VEN", "MAR")
    assert told(driven, entered) == "Turkey invaded Austria at Budapest. Italy drove France out of Piedmont."


def test_a_place_that_was_fought_for_and_taken_is_told_once_and_who_fled_by_name():
    driven = beaten(AUSTRIA, "F TRI", ITALY, "A VEN", "ALB")
    entered = Entered(unit=unit(ITALY, "A TRI"), owner=AUSTRIA)
    flight = fled(AUSTRIA, "F TRI", "ALB")
    taken = captured("TRI", AUSTRIA, ITALY)
    assert told(driven, entered) == "Italy drove Austria out of Trieste."
    assert told(driven, entered, flight) == "Italy drove Austria out of Trieste to Albania."
    assert told(driven, entered, flight, taken) == (
        "Italy took Trieste from Austria. A fleet of Austria retreated to Albania."
    )
    assert told(flight) == "A fleet of Austria retreated from Trieste to Albania."


def test_who_gave_up_and_who_had_nowhere_to_go_is_told():
    piece = unit(AUSTRIA, "F TRI").piece
    gave_up = Resolved(power=AUSTRIA, unit=piece, order=Disband(unit=piece), outcome="disbanded")
    driven = beaten(AUSTRIA, "F TRI", ITALY, "A VEN", "ALB")
    assert told(gave_up) == "A fleet of Austria was disbanded in Trieste."
    assert told(driven, gave_up) == "Italy drove a fleet of Austria out of Trieste, and it was disbanded."
    lost = beaten(AUSTRIA, "F TRI", ITALY, "A VEN")
    assert told(lost) == "Italy destroyed a fleet of Austria in Trieste."
    assert told(lost, captured("TRI", AUSTRIA, ITALY)) == (
        "Italy took Trieste from Austria. A fleet of Austria was destroyed."
    )


def test_stand_offs_are_told_at_centres_and_last():
    at_sea = (bounced(FRANCE, "F BRE", "ENG"), bounced(ITALY, "F LON", "ENG"))
    assert told(*at_sea) == "France failed to enter English Channel. Italy failed to enter English Channel."
    at_centre = (bounced(FRANCE, "A BUR", "BEL"), bounced(ITALY, "A RUH", "BEL"))
    entered = Entered(unit=unit(TURKEY, "A BUD"), owner=AUSTRIA)
    assert told(*at_centre, *at_sea, entered) == (
        "Turkey invaded Austria at Budapest. France and Italy bounced at Belgium."
    )
    own = (bounced(FRANCE, "A BUR", "BEL"), bounced(FRANCE, "A PIC", "BEL"))
    assert told(*own) == "France failed to enter Belgium.", "nobody stands himself off"
    held = bounced(ITALY, "A VEN", "TRI", Reason(code="held-off", by=(unit(AUSTRIA, "F TRI"),)))
    assert told(held) == "Austria held Trieste against Italy."


def test_an_elimination_comes_first_and_builds_are_told_where_nothing_else_is():
    dead = Eliminated(power=AUSTRIA)
    assert told(captured("TRI", AUSTRIA, ITALY), dead).startswith("Austria is out of the game. Italy took")
    piece = unit(FRANCE, "F BRE").piece
    built = Resolved(power=FRANCE, unit=piece, order=Build(unit=piece), outcome="built")
    assert told(built) == "France built one unit."


@pytest.mark.parametrize(("kind", "until"), [("standard", 1908), ("indianomacy", 6)])
def test_no_fact_is_told_twice(kind: str, until: int):
    """Turns of recorded games of bots, one by one, and several told in one letter."""
    game = games.kinds()[kind]
    board = game.rules.board
    played = [one.events for one in rounds(game, b"twice", years=until, bot="beginner")]
    letters = [*played, *(first + second for first, second in pairwise(played))]
    for events in letters:
        facts = [fact for facts in rank_news(board, events) for fact in facts]
        places = [place for fact in facts for place in fact.about]
        assert len(places) == len(set(places)), (facts, "a place has one piece of news")
        text = headline(board, events)
        assert text == game.telling.headline(events)
        clauses = re.split(r"(?:[.] |\.$)", text)
        assert len(clauses) == len(set(clauses)), text
        sorts = rank_news(board, events)
        assert len(clauses) - 1 <= max(1, sum(len(one) for one in sorts[:3])) or not sorts, text
        fought = [" bounced at " in one for one in clauses if one]
        assert fought == sorted(fought), (text, "stand-offs come last")
        aimed = {board.name(centre) for centre in board.centres}
        for where in re.findall(r" bounced at ([^.]+)", text):
            assert where in aimed
    assert len(letters) > 30


def test_a_power_of_chaos_is_never_named_again_as_its_own_province():
    board = games.kinds()["chaos"].rules.board
    power = next(seat for seat in board.powers if seat == "Greece")
    home, other = (next(at for at in board.places if board.name(at) == name) for name in ("Greece", "Serbia"))

    def moved(*goals: Province, outcome: str = "moved") -> str:
        piece = Unit(power=power, kind="A", at=goals[0]).piece
        events = [
            Resolved(power=power, unit=piece, order=Move(unit=piece, to=goal), outcome=outcome)
            for goal in goals
        ]
        return headline(board, events)

    texts = [moved(home), moved(home, other), moved(home, outcome="bounced")]
    assert [text.count("Greece") for text in texts] == [1, 1, 1]
    assert "Serbia" in texts[1]
