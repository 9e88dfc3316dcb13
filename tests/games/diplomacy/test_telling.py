"""A turn in words: every code has its words, no sentence is an order, and the story is told."""

import ast
from pathlib import Path

import pytest

import games
import games.diplomacy
from games.dice import SealedDice
from games.diplomacy.adjudication.legality import CONCERNS, OBJECTIONS
from games.diplomacy.adjudication.movement import REASON_MEANINGS
from games.diplomacy.events import Captured, Dislodged, Eliminated, Ended, Reason, Resolved
from games.diplomacy.model import NEUTRAL, Hold, Move, Piece, Province, SupportHold, SupportMove, Unit
from games.messages import load_messages
from games.protocol import Concern, Event, Objection, Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import ParseContext, read_lines
from tests.kit.bot_games import rounds

GAME = games.kinds()["indianomacy"]
TELLING, RULES, NOTATION = GAME.telling, GAME.rules, GAME.notation
OPENING = RULES.setup({}, SealedDice(b"s", "g", 0)).state
IROQUOIS, DAKOTA = Seat("Iroquois"), Seat("Dakota")


def piece(at: str) -> Piece:
    return Piece(kind="W", at=Province(at))


def unit(power: str, at: str) -> Unit:
    return Unit(power=Seat(power), kind="W", at=Province(at))


def resolved(order, outcome: str, reason: Reason | None = None, **fields) -> Resolved:
    return Resolved(power=IROQUOIS, unit=order.unit, order=order, outcome=outcome, reason=reason, **fields)


def told(event: Event) -> str:
    line = TELLING.tell(event, None)
    assert line is not None
    return f"{line.heading} | {line.text}" + (" | failed" if line.failed else "")


def codes_made(kind: str) -> set[str]:
    """The codes of every ``kind(code="...")`` in the family's modules, the constant ones."""
    found = set()
    for file in Path(games.diplomacy.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == kind:
                found |= {
                    key.value.value
                    for key in node.keywords
                    if key.arg == "code" and isinstance(key.value, ast.Constant)
                }
    return found


def test_every_reason_has_its_words():
    made = codes_made("Reason")
    assert {"collided", "no-order"} <= made, "the search finds what is there"
    assert set(load_messages("games.diplomacy")["reasons"]) == set(REASON_MEANINGS) | set(OBJECTIONS) | made


def test_every_objection_and_concern_has_its_words():
    made = codes_made("Objection") | codes_made("Concern")
    assert {"no-unit", "two-to-one"} <= made
    assert set(load_messages("games.diplomacy")["advice"]) == set(OBJECTIONS) | set(CONCERNS) | made


DETAIL = {"unit": "10", "other": "11", "to": "61", "power": "Dakota", "kind": "A", "near": "12 61"}
DETAIL |= {"since": "S1M", "year": "2"}


@pytest.mark.parametrize("code", [*OBJECTIONS, *CONCERNS])
def test_each_remark_is_a_sentence_with_what_its_code_promises(code):
    meaning = OBJECTIONS.get(code) or CONCERNS[code]
    keys = [key.strip() for key in meaning.partition(":")[2].split(",") if key.strip()]
    detail = {key: DETAIL[key] for key in keys if key in DETAIL}
    sort = Objection if code in OBJECTIONS else Concern
    advice = TELLING.advise(OPENING, sort(code=code, detail=detail))
    assert "{" not in advice.problem + (advice.instead or "")
    assert len(advice.problem) > 15


def test_advice_names_what_would_be_lawful():
    move = Move(unit=piece("10"), to=Province("1"))
    objection = RULES.check(OPENING, IROQUOIS, move)
    advice = TELLING.advise(OPENING, objection)
    assert advice.problem.startswith("Mohawk doesn't border Kwakiutl; possible: ")
    assert advice.instead is None, "none of these is near to Kwakiutl in spelling"


def test_an_order_that_went_is_told_once_and_one_that_did_not_with_names_and_reason():
    move = Move(unit=piece("10"), to=Province("61"))
    assert told(resolved(move, "moved")) == "Iroquois | W MHK - DEL: Mohawk → Delaware."
    stood_off = Reason(code="stood-off", by=(unit("Dakota", "60"),))
    assert told(resolved(move, "bounced", stood_off)) == (
        "Iroquois | W MHK - DEL: Mohawk → Delaware bounced: stand-off with Susquehanna (Dakota). | failed"
    )
    support = SupportMove(unit=piece("11"), other=piece("10"), to=Province("61"))
    cut = Reason(code="cut", by=(unit("Dakota", "12"), unit("neutral", "61")))
    assert told(resolved(support, "cut", cut)) == (
        "Iroquois | W ONE S W MHK - DEL: the support of Mohawk → Delaware by Oneida was cut: "
        "attacked by Onondaga (Dakota) and Delaware (neutral). | failed"
    )
    hold = SupportHold(unit=piece("11"), other=piece("10"))
    assert told(resolved(hold, "supported")) == "Iroquois | W ONE S W MHK: supported."


def test_a_dislodged_unit_is_told_of_twice_its_order_and_where_it_may_go():
    dislodged = Reason(code="dislodged", by=(unit("Dakota", "61"),))
    order = resolved(Hold(unit=piece("10")), "held", dislodged, dislodged=True)
    assert told(order) == "Iroquois | W MHK H: Mohawk held; dislodged by Delaware (Dakota). | failed"
    beaten = Dislodged(
        unit=unit("Iroquois", "10"), by=unit("Dakota", "61"), retreats=(Province("11"), Province("9"))
    )
    assert told(beaten) == (
        "Dislodged | Mohawk (Iroquois) was dislodged by Delaware (Dakota) "
        "and can retreat to Oneida or Pequot."
    )
    lost = Dislodged(unit=unit("Iroquois", "10"), by=unit("Dakota", "61"), retreats=())
    assert told(lost).endswith("was dislodged by Delaware (Dakota), couldn't retreat, and was destroyed.")


def test_a_neutral_that_only_held_is_no_news():
    held = Resolved(power=NEUTRAL, unit=piece("15"), order=None, outcome="held")
    assert TELLING.tell(held, None) is None
    reason = Reason(code="dislodged", by=(unit("Iroquois", "14"),))
    gone = Resolved(
        power=NEUTRAL, unit=piece("15"), order=None, outcome="removed", reason=reason, dislodged=True
    )
    assert told(gone) == "Neutral | The War Party in Huron was dislodged by Seneca (Iroquois)."


def test_the_headline_tells_who_took_what_from_whom():
    events = (
        Captured(centre=Province("15"), was=None, now=IROQUOIS),
        Captured(centre=Province("54"), was=DAKOTA, now=IROQUOIS),
        Captured(centre=Province("18"), was=None, now=DAKOTA),
        Eliminated(power=Seat("Illinois")),
    )
    assert TELLING.headline(events) == (
        "Illinois is out of the game. Iroquois took Santee from Dakota, and neutral Huron. "
        "Dakota took neutral Chippewa."
    )
    ended = Ended(winners=(IROQUOIS,), reason="centres")
    assert TELLING.headline((*events, ended)).startswith("Iroquois won the game. ")
    assert told(ended) == "The end | Iroquois won the game: enough supply centres."


def test_the_headline_of_a_battle_and_of_a_quiet_turn():
    beaten = Dislodged(unit=unit("Iroquois", "10"), by=unit("Dakota", "61"), retreats=())
    assert TELLING.headline((beaten,)) == "Dakota destroyed a War Party of Iroquois in Mohawk."
    assert TELLING.headline([resolved(Move(unit=piece("10"), to=Province("61")), "bounced")]) == (
        "Iroquois failed to enter Delaware."
    )
    assert TELLING.headline([resolved(Hold(unit=piece("10")), "held")]) == "Iroquois held everywhere."


@pytest.mark.long
@pytest.mark.parametrize(("kind", "until"), [("indianomacy", 3), ("standard", 1904)])
def test_no_sentence_of_a_report_is_an_order_when_it_is_quoted_back(kind, until):
    seen = 0
    game = games.kinds()[kind]
    telling, notation, seats = game.telling, game.notation, tuple(game.about.seats({}))
    for one in rounds(game, b"story", years=until):
        book = ParseContext(
            commands=(),
            forms=notation.forms,
            conditions=notation.conditions,
            lexicon=notation.lexicon(one.after),
            build=lambda form, slots, view=one.after: notation.build(view, form, slots),
            write=notation.write,
            titles=seats,
        )
        lines = [telling.tell(event, None) for event in one.events]
        texts = [line.text for line in lines if line] + [telling.headline(one.events)]
        for text in texts:
            for spelling in (text, f"{seats[0]}: {text}", f"> {text}"):
                verdicts = read_lines([FreshLine(text=spelling)], book).orders
                assert not [verdict for verdict in verdicts if verdict.in_force], spelling
        seen += len(texts)
    assert seen > 200


def test_what_is_written_is_read_back_by_the_reader_of_letters():
    for one in rounds(GAME, b"written", years=2):
        book = ParseContext(
            commands=(),
            forms=NOTATION.forms,
            conditions=NOTATION.conditions,
            lexicon=NOTATION.lexicon(one.before),
            build=lambda form, slots, view=one.before: NOTATION.build(view, form, slots),
            write=NOTATION.write,
        )
        for _, choices in one.asked:
            for choice in choices:
                text = NOTATION.write(choice.order)
                (verdict,) = read_lines([FreshLine(text=text)], book).orders
                assert (verdict.grade, verdict.order) == ("taken", choice.order), text


def test_the_tables_count_what_there_is():
    standings, where, owned = TELLING.tables(OPENING)
    assert standings.columns == ("Nation", "Supply centres", "War Parties")
    assert ("Iroquois", "4", "4") in standings.rows
    assert standings.rows[-1] == ("neutral", "18", "10")
    assert dict(where.rows)["Iroquois"] == "MHK, ONE, ONO, SEN"
    assert dict(where.rows)["neutral"].split(", ")[:2] == ["CRE", "HUR"]
    assert dict(owned.rows)["Dakota"] == "TET, YKT, SIS, SNT"
