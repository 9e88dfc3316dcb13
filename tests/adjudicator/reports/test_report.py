"""The content of a report for each reader."""

from adjudicator.model.games import SeatAssignment
from adjudicator.reports.report import BotPlay, compile_report, opening_report
from games.record import replace_fields


def test_a_viewer_is_told_what_everybody_sees_and_what_only_he_sees(kit):
    report = compile_report(kit.game(), kit.position(), kit.played(), kit.ELM)
    headings = [passage.heading for passage in report.chapters[0].passages]
    assert headings == ["Elm", "Ash", "Only you know"]
    assert "4 happenings" in report.headline


def test_nobody_else_is_told_nor_is_a_spectator(kit):
    for viewer in (kit.OAK, None):
        report = compile_report(kit.game(), kit.position(), kit.played(), viewer)
        assert [passage.heading for passage in report.chapters[0].passages] == ["Elm", "Ash"]
        assert "3 happenings" in report.headline


def test_lines_of_one_heading_stand_together_in_the_order_of_telling(kit):
    events = kit.played().steps[0].events
    shuffled = kit.played(events=(events[0], events[2], events[1]))
    passages = compile_report(kit.game(), kit.position(), shuffled, None).chapters[0].passages
    assert [(passage.heading, len(passage.lines)) for passage in passages] == [("Elm", 2), ("Ash", 1)]


def test_nations_without_a_player_are_named_and_say_nothing_of_their_reasons_to_several(kit):
    """Private agreements decide for them, and nobody else may know those."""
    for viewer in (kit.ELM, kit.OAK, None):
        report = compile_report(kit.game(), kit.position(), kit.played(), viewer)
        assert report.vacant == (kit.ASH,)
        assert (report.bots, report.bot_throws) == ((), 0)


def test_bots_say_why_to_whoever_plays_them_alone(kit):
    """Nobody else has had a seat, so nothing secret was said; observers still don't see the reasons."""
    alone = kit.position(assignments=assignments(kit))
    report = compile_report(kit.game(), alone, kit.played(), kit.ELM)
    assert report.bots[0].seat == "Ash"
    assert report.bots[0].orders == (("picker fig to pear", "the nearest tree that nobody picks"),)
    assert report.bot_throws == 1
    assert compile_report(kit.game(), alone, kit.played(), None).bots == ()


def test_what_somebody_agreed_to_who_has_left_stays_private(kit):
    """A chair that a person got up from is of a later generation."""
    left = kit.position(assignments=assignments(kit, generation=2))
    assert compile_report(kit.game(), left, kit.played(), kit.ELM).bots == ()


def assignments(kit, generation=1):
    """Elm is a person's; nobody sits in Oak, where somebody may have sat."""
    empty = {
        kit.OAK: SeatAssignment(seat=kit.OAK, generation=generation),
        kit.ASH: SeatAssignment(seat=kit.ASH),
    }
    return {kit.ELM: SeatAssignment(seat=kit.ELM, address="elm@example.org"), **empty}


def test_at_the_end_bots_say_why_to_all(kit):
    """Also in a report of an earlier turn."""
    last = kit.played(after=kit.Orchard(year=2, winners=(kit.ELM,)))
    for position, played in ((kit.position(), last), (kit.position(status="finished"), kit.played())):
        for viewer in (kit.ELM, kit.OAK, None):
            report = compile_report(kit.game(), position, played, viewer)
            assert ([play.seat for play in report.bots], report.bot_throws) == (["Ash"], 1)


def test_who_sent_no_orders_is_named_once(kit):
    step = kit.played().steps[0]
    report = compile_report(
        kit.game(), kit.position(), replace_fields(kit.played(), steps=(step, step)), kit.ELM
    )
    assert report.silent == ("Oak",)
    assert [chapter.silent for chapter in report.chapters] == [("Oak",), ("Oak",)]


def test_throws_of_the_rules_are_shown(kit):
    report = compile_report(kit.game(), kit.position(), kit.played(), kit.ELM)
    assert [throw.label for throw in report.throws] == ["hail/fig"]


def test_in_a_hidden_game_bots_and_dice_are_told_only_when_it_is_over(kit):
    game = kit.game(hidden=True)
    report = compile_report(game, kit.position(), kit.played(), kit.ELM)
    assert (report.bots, report.throws, report.bot_throws) == ((), (), 0)
    assert report.vacant == (kit.ASH,)
    over = kit.played(after=kit.Orchard(year=2, winners=(kit.ELM,)))
    assert compile_report(game, kit.position(), over, kit.ELM).throws


def test_what_is_due_next_is_said_to_the_viewer_alone(kit):
    report = compile_report(kit.game(), kit.position(), kit.played(), kit.OAK)
    assert [(one.kind, one.takes, one.names) for one in report.wanted] == [
        ("picking", None, ("the plum",)),
        ("baking", 2, ()),
    ]
    assert report.turn is not None
    assert report.turn.short == "Y2P"
    assert compile_report(kit.game(), kit.position(), kit.played(), None).wanted == ()


def test_at_the_end_nothing_is_due_and_the_result_is_there(kit):
    over = kit.played(after=kit.Orchard(year=2, winners=(kit.ELM,)))
    report = compile_report(kit.game(), kit.position(), over, kit.ELM)
    assert (report.turn, report.deadline, report.wanted, report.sheet) == (None, None, (), ())
    assert report.result is not None
    assert report.result.winners == (kit.ELM,)


def test_the_opening_has_a_position_and_no_story(kit):
    report = opening_report(kit.game(), kit.position(), kit.ELM, commitment="5ea1")
    assert (report.chapters, report.headline, report.entry) == ((), "", 0)
    assert report.commitment == "5ea1"
    assert report.sheet == ("picker pear to pear", "picker quince to quince")
    assert report.deadline == kit.DEADLINE


def test_orders_that_a_bot_gives_for_one_reason_share_a_row():
    orders = (("A MOS H", "rests"), ("F SEV - RUM", "attacks"), ("A WAR H", "rests"))
    play = BotPlay("Russia", "Spring 1901, moves", orders)
    assert play.by_reason == (("A MOS H", "rests; also A WAR H"), ("F SEV - RUM", "attacks"))
