"""War Chest by real email: a game won, a game lost, and a game of two players, each to its end."""

from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import backup, deadlines, game_admin
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import AFTER_LAST
from adjudicator.storage import inbox, outbox, stored_games
from games.protocol import Due
from games.war_chest import rules
from games.war_chest.bots import Greedy
from games.war_chest.components import name
from games.war_chest.model import AUTOMATON, GOLD, PLAYER, SILVER, State
from games.war_chest.notation import WarChestNotation
from games.war_chest.rules import WarChestRules
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

RULES, NOTATION = WarChestRules(), WarChestNotation()
ADDRESS = {PLAYER: "player@example.org", GOLD: "gold@example.org", SILVER: "silver@example.org"}
MOST_LETTERS = 90
ANSWERED = f"{sentence('reports.report.answered', count=1).upper()} {'-' * 72} "


def state_of(place: LocalService) -> State:
    state = game_admin.position_of(place.service, "chest").state
    assert isinstance(state, State)
    return state


def newest(place: LocalService, seat: str) -> EmailMessage:
    """The last letter in a mailbox, without opening all that came before."""
    file = max((place.folder / "mail" / ADDRESS[seat] / "new").iterdir(), key=lambda one: one.name)
    return place.opened(file)


def letter_for(state: State, seat: str, whole_hand: bool) -> str:
    """Return a simple player's orders: one for each coin in hand, as far as it can see ahead."""
    (due,) = RULES.due(state)
    assert due.seat == seat
    if state.picks:
        return "choose " + ", ".join(name(card) for card in state.offer[: due.takes])
    view = RULES.view(state, due.seat)
    lines = []
    while view.sides[due.seat].hand or view.sides[due.seat].drawn:
        order = Greedy(view, due).choice().order
        lines.append(NOTATION.write(order))
        if not whole_hand or due.kind != "your turn":
            break
        view = rules.view_after(view, due.seat, order)
        due = Due(seat=due.seat, kind="your turn", accepts=due.accepts, takes=1)
    return "\n".join(lines) or "lose a coin of the supply"


def play_on(place: LocalService, seats: Sequence[str], whole_hand: bool) -> int:
    """Players with due orders reply to their last email until the game is over.

    Returns the number of emails.
    """
    for count in range(MOST_LETTERS):
        if not game_admin.position_of(place.service, "chest").is_running:
            return count
        state = state_of(place)
        seat = RULES.due(state)[0].seat
        assert seat in seats, "the house plays the automaton's turns by itself"
        place.clock.advance(HOUR)
        place.answer(ADDRESS[seat], newest(place, seat), letter_for(state, seat, whole_hand))
        place.work()
    raise AssertionError("the game does not end")


def begin_game(place: LocalService, seats: Sequence[str], secret: bytes, **options: str) -> None:
    game_admin.new_game(place.service, game_admin.GameRequest("war-chest", "chest", options), secret=secret)
    for seat in seats:
        game_admin.assign(place.service, "chest", seat, ADDRESS[seat])
    place.work()
    if seats[1:]:
        # Who was seated first read that there is no deadline, and is told of it once nobody else comes.
        place.clock.advance(AFTER_LAST)
        place.work()


@pytest.fixture(scope="module")
def won(tmp_path_factory: pytest.TempPathFactory):
    """A game against two Royal Coins that only recruit, whole hands in a letter."""
    with local_service(tmp_path_factory.mktemp("won")) as place:
        begin_game(place, [PLAYER], bytes([12]) * 32, level="advanced")
        place.letters = play_on(place, [PLAYER], whole_hand=True)
        yield place


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory):
    """A game against Royal Coins that make every unit maneuver."""
    with local_service(tmp_path_factory.mktemp("lost")) as place:
        begin_game(place, [PLAYER], bytes([3]) * 32, level="advanced", ladder="tuned", units="first-game")
        place.letters = play_on(place, [PLAYER], whole_hand=True)
        yield place


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory):
    """Two persons, a line-up of the rulebook, and the first round by mail."""
    with local_service(tmp_path_factory.mktemp("duel")) as place:
        begin_game(place, [GOLD, SILVER], b"d" * 32, opponent="human", units="crecy")
        first = state_of(place).mover
        for seat in (first, state_of(place).other(first)):
            place.clock.advance(HOUR)
            hand = [name(coin) for coin in state_of(place).sides[seat].hand]
            place.answer(ADDRESS[seat], newest(place, seat), "\n".join(f"pass with {coin}" for coin in hand))
            place.work()
        yield place


def reports(place: LocalService, seat: str) -> list[str]:
    """Return the texts of a seat's emails, without replies to its own."""
    return [text_of(one) for one in place.mail(ADDRESS[seat]) if not str(one["Subject"]).startswith("Re:")]


def verdicts(place: LocalService, seat: str) -> list[str]:
    """The texts of the answers to a seat's letters."""
    return [text_of(one) for one in place.mail(ADDRESS[seat]) if str(one["Subject"]).startswith("Re:")]


def words(text: str) -> str:
    return " ".join(text.split())


def test_a_whole_game_is_won_by_mail(won):
    """Ten letters, twenty-five coins."""
    state = state_of(won)
    assert state.winners == (PLAYER,)
    assert state.markers(PLAYER) == 6
    assert won.letters == 10
    last = reports(won, PLAYER)[-1]
    assert "The game is over. You won: " in words(last)
    assert "You placed the last marker and won the game." in words(last)


def test_a_whole_game_is_lost_by_mail(lost):
    state = state_of(lost)
    assert state.winners == (AUTOMATON,)
    assert lost.letters == 6
    last = reports(lost, PLAYER)[-1]
    assert "The AI placed the last marker and won the game." in words(last)
    assert "reveal/" not in last, "the rolls of the last turn alone, by their labels"
    assert "drew the Royal Coin" in words("".join(reports(lost, PLAYER)))


@pytest.mark.parametrize("game", ["won", "lost", "duel"])
def test_the_log_plays_again_and_every_letter_was_read_and_sent(game, request):
    place = request.getfixturevalue(game)
    proof = game_admin.prove(place.service, "chest")
    assert proof.fault is None
    assert proof.agreed == len(stored_games.log(place.service.database, "chest"))
    assert {one.disposition for one in inbox.list_letters(place.service.database)} == {"read"}
    counts = outbox.counts(place.service.database)
    assert counts["sent"] == sum(counts.values())


def test_the_draft_is_a_letter(won):
    welcome, drafted = reports(won, PLAYER)[:2]
    assert "UNITS YOU CAN DRAFT" in welcome
    assert "4 orders for the draft" in welcome
    assert drafted.count("picked the ") >= 4
    assert "drew " in drafted


def test_a_letter_holds_a_whole_hand_and_the_automaton_plays_in_between(won):
    """One report tells of six turns or so, and of the criterion behind each of the automaton's."""
    turns = [entry.turn for entry, _ in stored_games.log(won.service.database, "chest")]
    assert turns[:3] == ["D1", "D1", "T1"]
    long = max(reports(won, PLAYER), key=lambda text: text.count("TURN "))
    assert long.count(", THE AI\n") >= 3
    assert "closest location" in words(long)


def test_what_has_become_impossible_is_held_up_and_the_rest_kept(tmp_path):
    """The second of three orders is for an enemy who has not come near; the third waits behind it."""
    with local_service(tmp_path / "held") as place:
        begin_game(place, [PLAYER], bytes([3]) * 32, units="first-game")
        assert state_of(place).sides[PLAYER].hand == ("archer", "cavalry", "cavalry")
        place.clock.advance(HOUR)
        hand = "deploy Cavalry e1\nstop if Cavalry is attacked\nCavalry attacks Swordsman\npass with Archer"
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), hand)
        place.work()
        assert verdicts(place, PLAYER) == []
        report = words(reports(place, PLAYER)[-1])
        assert "Cavalry was deployed on e1." in report
        assert "all orders after it wait: Cavalry attacks Swordsman." in report
        assert state_of(place).mover == PLAYER
        filed = game_admin.position_of(place.service, "chest").filed[PLAYER]
        assert len(filed) == 3
        place.clock.advance(HOUR)
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), "Cavalry - e2\npass with Archer")
        place.work()
        assert "Cavalry moved from e1 to e2." in words(reports(place, PLAYER)[-1])
        assert game_admin.position_of(place.service, "chest").filed == {}


def test_the_reports_are_as_wide_as_a_letter_and_show_the_board(won):
    for letter in won.mail(ADDRESS[PLAYER]):
        assert max(map(len, text_of(letter).splitlines())) <= 78
        if str(letter["Subject"]).startswith("Re:"):
            continue
        picture = next(part for part in letter.walk() if part.get_content_type() == "image/png")
        assert picture.get_payload(decode=True).startswith(b"\x89PNG")
        assert len(letter.get_body(("html",)).get_content().encode()) < 60_000


def test_a_verdict_says_how_a_queue_is_changed(tmp_path):
    with local_service(tmp_path / "queue") as place:
        begin_game(place, [PLAYER], bytes([3]) * 32, units="first-game")
        place.clock.advance(HOUR)
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), "WAIT\ndeploy Cavalry e1")
        place.work()
        (verdict,) = verdicts(place, PLAYER)
        assert sentence("reports.transcript.change_queue") in words(verdict)


def test_three_coins_are_one_email_to_write_and_one_to_read(won):
    """The report is the reply: each email of the won game brought one, and nothing else came."""
    emails = won.mail(ADDRESS[PLAYER])
    assert len(emails) == 1 + won.letters
    assert verdicts(won, PLAYER) == []
    whole = [text for text in reports(won, PLAYER)[1:] if text.count(", THE AI\n") == 3]
    assert whole, "no email brought a whole round"


def test_a_line_to_fix_has_its_own_reply_and_the_report_answers_a_line_that_we_corrected(tmp_path):
    with local_service(tmp_path / "mend") as place:
        begin_game(place, [PLAYER], bytes([3]) * 32, units="first-game")
        place.clock.advance(HOUR)
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), "deploy Cavalry e4")
        place.work()
        assert "1 to fix" in verdicts(place, PLAYER)[-1]
        place.clock.advance(HOUR)
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), "deploy Cavlary e1")
        place.work()
        assert len(verdicts(place, PLAYER)) == 1
        answered = ANSWERED + '> deploy Cavlary e1 ✓ deploy Cavalry e1 We read "Cavlary" as Cavalry.'
        assert answered in words(reports(place, PLAYER)[-1])
        assert "Cavalry was deployed on e1." in words(reports(place, PLAYER)[-1])
        page = newest(place, PLAYER).get_body(("html",))
        assert page is not None
        assert "You wrote: deploy Cavlary e1</div>" in page.get_content()


def test_the_reply_is_sent_on_its_own_if_we_stop_before_the_turn_ran(tmp_path):
    """The report then doesn't repeat it."""
    with local_service(tmp_path / "stopped") as place:
        begin_game(place, [PLAYER], bytes([3]) * 32, units="first-game")
        place.clock.advance(HOUR)
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), "deploy Cavlary e1")
        place.service.poll()
        place.service.read_now(1)
        place.work()
        *_, reply = verdicts(place, PLAYER)
        assert 'We read "Cavlary" as Cavalry.' in words(reply)
        assert "Cavalry was deployed on e1." in words(reports(place, PLAYER)[-1])
        assert "Cavlary" not in words(reports(place, PLAYER)[-1])


def test_the_rules_name_no_side_by_a_placeholder(won):
    won.write("reader@example.org", "gm@example.org", "RULES war-chest")
    won.work()
    rules = text_of(won.mail("reader@example.org")[-1])
    assert "HOW TO WIN" in rules
    assert "Sides:" not in rules


def test_a_request_beside_the_orders_has_its_own_reply(tmp_path):
    with local_service(tmp_path / "asked") as place:
        begin_game(place, [PLAYER], bytes([3]) * 32, units="first-game")
        place.clock.advance(HOUR)
        place.answer(ADDRESS[PLAYER], newest(place, PLAYER), "deploy Cavalry e1\nHELP COINS")
        place.work()
        *_, reply = verdicts(place, PLAYER)
        assert "✓ deploy Cavalry e1" in words(reply)
        assert "Cavalry was deployed on e1." in words(reports(place, PLAYER)[-1])
        assert ANSWERED not in words(reports(place, PLAYER)[-1])


def test_two_persons_see_their_own_hands_alone(duel):
    """A round is over: all coins were passed with, face-down, and nobody learnt which the other had."""
    state = state_of(duel)
    assert all(len(side.face_down) == 3 for side in state.sides.values())
    assert state.number == 7
    for seat, other in ((GOLD, SILVER), (SILVER, GOLD)):
        mine = words("".join(reports(duel, seat)))
        for line in ("drew 3 coins.", "3 hidden"):
            assert line in mine
        played = mine.count("face-down.")
        assert played == 3
        hand = [name(coin) for coin in state.sides[other].face_down]
        assert f"drew {', '.join(hand[:2])} and {hand[2]}." not in mine


def test_nobody_owes_an_order_while_the_other_is_to_play(duel):
    state = state_of(duel)
    waiting = state.other(state.mover)
    duel.clock.advance(HOUR)
    duel.answer(ADDRESS[waiting], newest(duel, waiting), "pass")
    duel.work()
    assert sentence("inbound.filing.nothing_due") in words(verdicts(duel, waiting)[-1])


def test_emails_of_a_day_that_was_lost_come_to_the_same_game(tmp_path: Path, undrawn: None) -> None:
    """The coming turns are unknown, so each email is kept whole, and read when its turn is due."""
    with local_service(tmp_path / "service") as place:
        begin_game(place, [PLAYER], bytes([12]) * 32, level="advanced", units="first-game")
        backup.back_up(place.service, tmp_path / "yesterday.backup")
        turns = []
        for _ in range(4):
            state = state_of(place)
            turns.append(RULES.turn(state).short)
            place.clock.advance(HOUR)
            place.answer(ADDRESS[PLAYER], newest(place, PLAYER), letter_for(state, PLAYER, False))
            place.work()
        before = state_of(place)
        place.clock.advance(HOUR)
        backup.restore_file(place.service, tmp_path / "yesterday.backup")
        for file in (place.folder / "mail" / "in" / ".Kept" / "cur").iterdir():
            file.rename(place.folder / "mail" / "in" / "new" / file.name.partition(":")[0])
        place.work()
        emails = list(reversed(inbox.list_letters(place.service.database)))
        assert [one.disposition for one in emails] == ["read", "postponed", "postponed", "postponed"]
        wait = [sentence("inbound.postponed.waits", turn=turn) for turn in turns[1:]]
        assert [one.why for one in emails] == [None, *wait]
        told = " ".join(text_of(place.mail(ADDRESS[PLAYER])[-1]).split())
        assert sentence("inbound.postponed.all_of_it_waits", turn=turns[-1]) in told
        deadlines.go_on_all(place.service, "")
        place.work()
        assert {one.disposition for one in inbox.list_letters(place.service.database)} == {"read"}
        assert state_of(place) == before
