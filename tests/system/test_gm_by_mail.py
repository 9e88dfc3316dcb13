"""GMs of single games: they run a game by email alone, and nobody else can.

Each command is tried by everybody who isn't the GM of the game. Nothing happens, and the GM of the service
gets an email about it.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin, gm_mail, seats
from adjudicator.auth.correspondents import gm_address
from adjudicator.errors import Refusal
from adjudicator.inbound.gm_mail import GM_VERBS, MAX_GM_COMMANDS, MAX_LINES_SHOWN
from adjudicator.messages import sentence
from adjudicator.model.people import MAX_PRESS_PER_HOUR, REQUEST_LIFETIME_MS, GmRole, SignUp, Signup
from adjudicator.storage import outbox, stored_games
from adjudicator.storage.inbox import ShownLetter
from adjudicator.storage.people import drop_gm, gm_jobs
from tests.kit.attack_service import AttackedService, attacked_service
from tests.kit.mail import letter
from tests.kit.service_harness import HOUR, text_of

GM, ASSISTANT, OTHER_GM = "gm@example.net", "assistant@example.net", "other-gm@example.net"
ENGLAND, FRANCE, STRANGER = "england@example.net", "france@example.net", "stranger@example.com"
SERVICE = "gm@example.org"
GAME, OTHER, OPEN = "fox", "elk", "wolf"

COMMANDS = {
    "STATUS": "",
    "LOG": "",
    "ORDERS": "",
    "PRESS": "",
    "PREVIEW": "",
    "HELP": "",
    "LOOK": "because of a question",
    "BEGIN": "",
    "EXTEND": "24h because of holidays",
    "DEADLINE": "2026-02-01 20:00 because of holidays",
    "HOLD": "because of a map",
    "PAUSE": "because of holidays",
    "RESUME": "",
    "PROCESS": "",
    "SEAT": "italy italy@example.net because somebody asks",
    "BOT": "italy beginner",
    "REKEY": "france because of a lost email",
    "INVITE": "friend@example.net",
    "ORDER": "france: A Paris - Burgundy because of a phone call",
    "EDIT": "remove A Paris because of a mistake",
    "DICE": "storm 6 because of the table",
    "UNDO": "because it was wrong",
    "ROLLBACK": "S1901M because it was wrong",
    "SET": "moves=96h because all agree",
    "SEND": "All is well.",
    "END": "because all have given up",
}
"""An example of each command, without the word GM and the verb."""


HOLDS = {
    "Austria": "A Vienna holds",
    "England": "F London holds",
    "France": "A Paris holds",
    "Germany": "A Berlin holds",
    "Italy": "A Rome holds",
    "Russia": "A Moscow holds",
    "Turkey": "A Smyrna holds",
}
"""An order for each seat, since a seat is drawn at random."""


@dataclass
class Table:
    """A service with two running games and an open one, each with a GM."""

    it: AttackedService
    number: int = 0

    def address(self, name: str = GM, game: str = GAME) -> str:
        """Return the reply address of a GM."""
        gm = self.it.service.repository.people.gms(game).find(name)
        assert gm is not None
        context = self.it.service.service_context
        return gm_address(context.key, context.address, game, gm)

    def send(self, text: str, sender: str = GM, to: str | None = None) -> ShownLetter:
        self.number += 1
        where = self.address(sender) if to is None else to
        return self.it.arrives(
            letter(text, sender=sender, to=where, number=self.number, date=self.it.clock.now())
        )

    def mails(self, to: str) -> list[EmailMessage]:
        """Return our emails to an address, oldest first."""
        posted = reversed(outbox.list_posted(self.it.service.database, 500))
        raw = [each.sealed.raw for each in posted if each.sealed.to == to]
        return [message_from_bytes(each, policy=policy.default) for each in raw]

    def ask(self, text: str, sender: str = GM, to: str | None = None) -> EmailMessage:
        """Send commands, and return the one reply to them."""
        before = len(self.mails(sender))
        assert self.send(text, sender, to).disposition == "read"
        new = self.mails(sender)[before:]
        (reply,) = [each for each in new if each["Auto-Submitted"] == "auto-replied"]
        return reply

    def confirm(self, text: str, sender: str = GM, to: str | None = None) -> str:
        """Send commands and a YES. Return the text of the question; nothing changes before the YES."""
        before = self.snapshot()
        question = self.ask(text, sender, to)
        assert self.snapshot() == before, text
        self.ask("YES", sender, str(question["Reply-To"]))
        return text_of(question)

    def snapshot(self) -> object:
        """Return what a command could change, except emails to GMs and the GM of the service."""
        repository, database = self.it.service.repository, self.it.service.database
        positions = {name: repository.position(name) for name in (GAME, OTHER)}
        return (
            {name: position and (position.rev, position.entries) for name, position in positions.items()},
            {name: stored_games.minutes(database, name) for name in (GAME, OTHER, OPEN)},
            {name: repository.people.gms(name) for name in (GAME, OTHER, OPEN)},
            repository.people.offers(),
            len([each for each in outbox.list_posted(database, 500) if each.sealed.to in (ENGLAND, FRANCE)]),
        )


def says(email: EmailMessage, words: str) -> bool:
    """Return whether an email has a sentence of the catalogue, wherever its lines end."""
    return " ".join(words.split()) in " ".join(text_of(email).split())


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gm-by-mail")
    with attacked_service(folder) as it:
        for name in (GAME, OTHER):
            people = {"england": ENGLAND, "france": FRANCE} if name == GAME else {}
            asked = game_admin.GameRequest("standard", name, level="beginner", seats=people)
            game_admin.new_game(it.service, asked, secret=b"s" * 32)
        game_admin.offer(it.service, game_admin.GameRequest("standard", OPEN, level="beginner"))
        gm_mail.grant(it.service, GAME, GM, "gm")
        gm_mail.grant(it.service, GAME, ASSISTANT, "assistant")
        gm_mail.grant(it.service, OTHER, OTHER_GM, "gm")
        gm_mail.grant(it.service, OPEN, GM, "gm")
    return folder


@pytest.fixture
def table(template: Path, tmp_path: Path) -> Iterator[Table]:
    with attacked_service(Path(shutil.copytree(template, tmp_path / "it"))) as it:
        yield Table(it)


def test_each_command_has_a_function_and_a_sentence() -> None:
    assert set(gm_mail.HANDLERS) == set(GM_VERBS) == set(COMMANDS)
    assert all(verb.summary for verb in GM_VERBS.values())


def test_a_game_is_run_by_email_alone(table: Table) -> None:
    """A GM begins, seats, extends, corrects, previews, processes and ends a game."""
    service, to = table.it.service, table.address(game=OPEN)
    signup = Signup(game=OPEN, address=ENGLAND, since=table.it.clock.now())
    stored_games.perform(service.database, [SignUp(by=ENGLAND, signup=signup)], (), table.it.clock.now())
    assert "1 of 7" in text_of(table.ask("GM STATUS", to=to))
    table.confirm("GM BEGIN", to=to)
    position = table.it.position(OPEN)
    assert [each.address for each in position.assignments.values() if each.address] == [ENGLAND]
    free = next(seat for seat, each in position.assignments.items() if not each.is_person)
    table.confirm(f"GM SEAT {free} {FRANCE} because they asked", to=to)
    assert table.it.position(OPEN).assignments[free].address == FRANCE
    before = table.it.position(OPEN).deadline
    assert before is not None
    table.confirm("GM EXTEND 24h because somebody moves table", to=to)
    assert table.it.position(OPEN).deadline == before + 24 * HOUR
    table.confirm(f"GM ORDER {free}: {HOLDS[free]} because of a phone call", to=to)
    assert len(table.it.filed(OPEN)[free]) == 1
    preview = table.ask("GM PREVIEW", to=to)
    files = [part.get_content() for part in preview.iter_attachments()]
    assert len(files) == 1
    assert free in files[0]
    turn = table.it.position(OPEN).game.rules.turn(table.it.position(OPEN).state).short
    table.confirm("GM PROCESS", to=to)
    after = table.it.position(OPEN)
    assert after.game.rules.turn(after.state).short != turn
    table.confirm(f"GM END {free} because all others have given up", to=to)
    assert table.it.position(OPEN).status == "finished"
    notes = [(each.by, each.what) for each in stored_games.minutes(service.database, OPEN)]
    assert ("gm 1 by mail", f"{free} to somebody") in notes


@pytest.mark.parametrize("verb", [name for name, verb in GM_VERBS.items() if verb.changes and name != "LOOK"])
def test_each_command_that_changes_something_is_asked_back_once(table: Table, verb: str) -> None:
    """It is carried out by YES, or refused in words if it can't be. Nothing changes before."""
    to = table.address(game=OPEN if verb == "BEGIN" else GAME)
    if verb == "RESUME":
        deadlines.pause(table.it.service, GAME, "holidays")
    if verb == "UNDO":
        table.confirm(f"GM ORDER {COMMANDS['ORDER']}")
    before = table.snapshot()
    asked = table.ask(f"GM {verb} {COMMANDS[verb]}", to=to)
    assert table.snapshot() == before
    if verb in ("DICE", "ROLLBACK"):  # the game rolls none, and no turn has run
        assert "+you." not in str(asked["Reply-To"])
        return
    assert "+you." in str(asked["Reply-To"])
    table.ask("YES", to=str(asked["Reply-To"]))
    assert (table.snapshot() != before) or verb == "INVITE"
    if verb == "INVITE":
        assert len(table.mails("friend@example.net")) == 1
    after = table.snapshot()
    table.send("YES", to=str(asked["Reply-To"]))
    assert table.snapshot() == after


def test_a_no_and_a_late_yes_do_nothing(table: Table) -> None:
    question = table.ask("GM PAUSE because of holidays")
    table.send("NO", to=str(question["Reply-To"]))
    table.send("YES", to=str(question["Reply-To"]))
    late = table.ask("GM PAUSE because of holidays")
    table.send("perhaps", to=str(late["Reply-To"]))
    table.it.clock.advance(REQUEST_LIFETIME_MS)
    table.send("YES", to=str(late["Reply-To"]))
    assert table.it.position(GAME).timing.stop is None


def test_a_yes_counts_in_the_turn_of_the_question_only(table: Table) -> None:
    question = table.ask("GM PAUSE because of holidays")
    table.confirm("GM PROCESS")
    answer = table.ask("YES", to=str(question["Reply-To"]))
    assert says(answer, sentence("inbound.gm_mail.turn_over"))
    assert table.it.position(GAME).timing.stop is None


def test_commands_of_one_email_are_done_together_or_not_at_all(table: Table) -> None:
    question = table.ask("GM EXTEND 24h because of holidays\nGM PAUSE because of holidays")
    table.ask("YES", to=str(question["Reply-To"]))
    assert table.it.position(GAME).timing.stop is not None
    before = table.snapshot()
    refused = table.ask("GM RESUME\nGM EXTEND tomorrow because of holidays")
    assert "+you." not in str(refused["Reply-To"])
    assert table.snapshot() == before
    many = table.ask("GM STATUS\n" * (MAX_GM_COMMANDS + 2))
    assert sentence("inbound.gm_mail.left_out", count=2, most=MAX_GM_COMMANDS)[:40] in " ".join(
        text_of(many).split()
    )


@pytest.mark.parametrize(
    "text", ["GM EXTEND 24h", "GM EXTNED 24h", "Hello", "GM SEAT nowhere a@example.net because x"]
)
def test_a_mistake_is_explained_and_changes_nothing(table: Table, text: str) -> None:
    before = table.snapshot()
    answer = table.ask(text)
    assert "GM " in text_of(answer)
    assert '"gm ' not in text_of(answer)
    assert table.snapshot() == before


@pytest.mark.parametrize("text", ["MY DATA", "GM MY DATA", "FORGET ME\nGM STATUS", "GM STATUS\nVOTE PAUSE"])
def test_a_command_of_players_is_answered_with_where_to_send_it(table: Table, text: str) -> None:
    line = next(row for row in text.split("\n") if row != "GM STATUS").removeprefix("GM ")
    answer = table.ask(text)
    assert says(answer, sentence("inbound.gm_mail.for_players", line=line, address=SERVICE))
    assert ("Deadline" in text_of(answer)) is ("STATUS" in text)


@pytest.mark.parametrize(
    "talk", ["Thanks, and forget me not.", "JOHN SMITH", "MY DATA are in the other file."]
)
def test_talk_beside_a_command_is_talk(table: Table, talk: str) -> None:
    assert "isn't a command" not in text_of(table.ask(f"GM STATUS\n{talk}"))


def test_an_assistant_reads_who_is_missing_and_the_log_alone(table: Table) -> None:
    table.confirm(f"GM ORDER {COMMANDS['ORDER']}")
    for verb, arguments in COMMANDS.items():
        before = table.snapshot()
        table.it.clock.advance(HOUR)
        answer = table.ask(f"GM {verb} {arguments}", ASSISTANT)
        assert table.snapshot() == before, verb
        refused = says(answer, sentence("inbound.gm_mail.for_gms", verb=verb))
        assert refused is (verb not in ("STATUS", "LOG", "HELP")), verb
        assert "BUR" not in text_of(answer), verb


def test_a_gm_who_plays_sees_nothing_hidden_before_a_look(table: Table) -> None:
    seats.write(table.it.service, GAME, ["england"], "a secret word")
    table.confirm(f"GM ORDER {COMMANDS['ORDER']}")
    gm_mail.grant(table.it.service, GAME, FRANCE, "gm")
    game_admin.assign(table.it.service, GAME, "italy", GM)
    table.it.clock.advance(HOUR)
    hidden = [verb for verb in GM_VERBS.values() if verb.hidden]
    assert {"PREVIEW", "ORDERS", "PRESS"} <= {verb.name for verb in hidden}
    for verb in hidden:
        answer = table.ask(f"GM {verb.name} {COMMANDS[verb.name]}")
        assert list(answer.iter_attachments()) == []
        assert says(answer, sentence("inbound.gm_mail.plays", verb=verb.name))
    assert "BUR" not in text_of(table.ask("GM LOG"))
    table.confirm("GM LOOK because a player asks")
    assert "BUR" in text_of(table.ask("GM ORDERS"))
    assert "a secret word" in str(next(table.ask("GM PRESS").iter_attachments()).get_content())
    notes = stored_games.minutes(table.it.service.database, GAME)
    assert [(each.by, each.why) for each in notes][-1] == ("gm 1 by mail", "a player asks")
    table.it.clock.advance(HOUR)
    table.confirm("GM PROCESS")
    assert "+you." not in str(table.ask("GM ORDERS")["Reply-To"])
    assert "BUR" not in text_of(table.ask("GM ORDERS"))


@pytest.mark.parametrize("looks", ["after", "now"])
def test_everybody_learns_of_a_look(table: Table, looks: str) -> None:
    deadlines.set_terms(table.it.service, GAME, {"looks": looks}, "agreed") if looks == "now" else None
    game_admin.assign(table.it.service, GAME, "italy", GM)
    subject = sentence("inbound.gm_mail.looked_subject", game=GAME)

    def informed() -> list[str]:
        return [
            address
            for address in (ENGLAND, FRANCE, GM)
            for each in table.mails(address)
            if str(each["Subject"]).startswith(subject) and "a player asks" in text_of(each)
        ]

    table.confirm("GM LOOK because a player asks")
    assert informed() == ([ENGLAND, FRANCE, GM] if looks == "now" else [])
    game_admin.end(table.it.service, GAME, (), "over")
    table.it.service.process()
    table.it.service.process()
    assert informed() == [ENGLAND, FRANCE, GM]


# PRESS TO GM: it reaches the GMs of the game.


def ask_gm(table: Table, text: str = "May I have a day?") -> None:
    """Let France write to the GM."""
    shown = player(table, f"PRESS TO GM\n{text}\nENDPRESS")
    assert shown.disposition == "read"


def asked(table: Table, to: str, text: str = "May I have a day?") -> list[EmailMessage]:
    return [each for each in table.mails(to) if f"| {text}" in text_of(each) and "writes" in str(each)]


def test_press_to_the_gm_reaches_the_gm_of_the_game_who_answers_it(table: Table) -> None:
    """Neither the assistant nor the GM of the service gets it. Its writer's address isn't shown."""
    ask_gm(table)
    assert [asked(table, to) for to in (ASSISTANT, SERVICE, OTHER_GM)] == [[], [], []]
    (email,) = asked(table, GM)
    assert email["Subject"].startswith("France in fox writes to you")
    assert FRANCE not in str(email)
    assert "GM SEND TO France:" in text_of(email)
    assert str(email["Reply-To"]) == table.address()
    question = table.confirm("GM SEND TO France: Until Sunday.", to=str(email["Reply-To"]))
    assert "France alone gets this text" in question
    got = {
        to: [each for each in table.mails(to) if "Until Sunday." in text_of(each)] for to in (ENGLAND, FRANCE)
    }
    assert (len(got[ENGLAND]), len(got[FRANCE])) == (0, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("TO Atlantis: Hello.", 'no seat "Atlantis"'),
        ("TO France:", "Write it like this: GM SEND TO NAME:"),
        ("TO France, Atlantis: Hello.", 'no seat "Atlantis"'),
    ],
)
def test_an_answer_to_nobody_or_without_a_text_is_refused(table: Table, text: str, why: str) -> None:
    answer = table.ask(f"GM SEND {text}")
    assert "+you." not in str(answer["Reply-To"])
    assert says(answer, why)
    assert "gm press" not in text_of(answer)


@pytest.mark.parametrize("who", ["nobody", "assistant", "player"])
def test_without_a_gm_who_doesn_t_play_it_reaches_the_gm_of_the_service(table: Table, who: str) -> None:
    if who == "player":
        game_admin.assign(table.it.service, GAME, "italy", GM)
    else:
        gm_mail.revoke(table.it.service, GAME, GM)
    if who == "nobody":
        gm_mail.revoke(table.it.service, GAME, ASSISTANT)
    ask_gm(table)
    assert [asked(table, to) for to in (ASSISTANT, GM)] == [[], []]
    (email,) = asked(table, SERVICE)
    assert FRANCE in str(email["Subject"])


def test_much_press_to_the_gms_waits_and_goes_out_together(table: Table) -> None:
    gm_mail.grant(table.it.service, GAME, "second@example.net", "gm")
    for number in range(MAX_PRESS_PER_HOUR + 2):
        ask_gm(table, f"Question {number}?")
    table.it.clock.advance(HOUR)
    table.it.service.process()
    for to in (GM, "second@example.net"):
        together = [each for each in table.mails(to) if "Question 6?" in text_of(each)]
        assert len(together) == 1
        assert "Question 5?" in text_of(together[0])
        assert "GM SEND TO France:" in text_of(together[0])
        assert FRANCE not in str(together[0])
    assert not any("Question" in text_of(each) for each in table.mails(SERVICE))


# Attacks: each command, from everybody who isn't a GM of the game.


Attack = Callable[[Table, str], ShownLetter]


def seat_address(table: Table, address: str) -> str:
    assignments = table.it.position(GAME).assignments.values()
    seat = next(each for each in assignments if each.address == address)
    return str(table.it.service.composer.reader(table.it.position(GAME), seat).reply_address)


def player(table: Table, text: str) -> ShownLetter:
    return table.send(text, FRANCE, seat_address(table, FRANCE))


def other_gm(table: Table, text: str) -> ShownLetter:
    """The GM of another game, with their token in an address of this game."""
    return table.send(text, OTHER_GM, table.address(OTHER_GM, OTHER).replace(OTHER, GAME))


def forged_from(table: Table, text: str) -> ShownLetter:
    return table.send(text, GM, SERVICE)


def seat_token(table: Table, text: str) -> ShownLetter:
    """The token of a seat in the place of a GM's, in the name of the GM."""
    return table.send(text, GM, seat_address(table, FRANCE).replace(".france.", ".gm."))


def old_token(table: Table, text: str) -> ShownLetter:
    old = table.address()
    gm_mail.grant(table.it.service, GAME, GM, "gm")
    return table.send(text, GM, old)


def revoked(table: Table, text: str) -> ShownLetter:
    old = table.address()
    gm_mail.revoke(table.it.service, GAME, GM)
    return table.send(text, GM, old)


def stolen_token(table: Table, text: str) -> ShownLetter:
    """Somebody else has the GM's address, from a forwarded email."""
    return table.send(text, STRANGER, table.address())


ATTACKS: tuple[Attack, ...] = (player, other_gm, forged_from, seat_token, old_token, revoked, stolen_token)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_nobody_else_can_send_commands_of_a_gm(table: Table, attack: Attack) -> None:
    """Each command is refused and reported. Whatever is written goes to the GM's own address."""
    deadlines.pause(table.it.service, GAME, "no turn runs")
    deadlines.pause(table.it.service, OTHER, "no turn runs")
    attack(table, "GM STATUS")  # revokes what has to be revoked first
    if attack in (old_token, revoked):
        attack = replayed(table)
    lines = [f"GM {verb} {arguments}".strip() for verb, arguments in COMMANDS.items()]
    for first in range(0, len(lines), MAX_LINES_SHOWN):
        table.it.clock.advance(24 * HOUR)
        before, reported = unchanged_by_time(table), len(table.mails(SERVICE))
        tried = lines[first : first + MAX_LINES_SHOWN]
        shown = attack(table, "\n".join(tried))
        assert shown.disposition == ("read" if attack is player else "quarantined")
        assert unchanged_by_time(table) == before
        told = "\n".join(text_of(each) for each in table.mails(SERVICE)[reported:])
        assert [line for line in tried if " ".join(line.split()[:3]) not in told] == []
        assert table.mails(STRANGER) == []
        assert gm_jobs(table.it.service.database) == {}


def replayed(table: Table) -> Attack:
    """Return the attack with an address that stopped working before."""
    old = next(to for each in table.mails(GM) if f"+{GAME}.gm." in (to := str(each["Reply-To"])))
    return lambda table, text: table.send(text, GM, old)


def unchanged_by_time(table: Table) -> object:
    """Return what commands could change and no deadline does."""
    position = table.it.position(GAME)
    return (
        position.deadlines,
        position.timing.stop,
        {seat: (each.address, each.bot) for seat, each in position.assignments.items()},
        table.it.filed(GAME),
        position.status,
        [
            each.options
            for each in table.it.service.repository.log(GAME)
            and [e for e, _ in table.it.service.repository.log(GAME)]
            if each.kind not in ("turn", "setup")
        ],
    )


def test_a_stolen_yes_and_a_yes_after_the_right_is_gone_do_nothing(table: Table) -> None:
    question = str(table.ask("GM PAUSE because of holidays")["Reply-To"])
    table.send("YES", STRANGER, question)
    assert table.it.position(GAME).timing.stop is None
    gm_mail.revoke(table.it.service, GAME, GM)
    table.send("YES", GM, question)
    assert table.it.position(GAME).timing.stop is None


def test_with_strict_a_token_alone_is_not_enough(table: Table) -> None:
    context = replace(table.it.service.service_context, strict=True)
    table.it.service = replace(table.it.service, service_context=context)
    assert table.send("GM STATUS").disposition == "quarantined"


def test_rights_are_granted_listed_and_revoked(table: Table) -> None:
    service = table.it.service
    again = gm_mail.grant(service, GAME, GM.upper(), "assistant")
    assert (again.number, again.role) == (1, "assistant")
    gm_mail.revoke(service, GAME, GM)
    assert gm_mail.grant(service, GAME, STRANGER, "gm").number == 3
    with pytest.raises(Refusal):
        gm_mail.revoke(service, GAME, GM)
    for number in range(gm_mail.MAX_GMS - 2):
        gm_mail.grant(service, GAME, f"gm{number}@example.net", "gm")
    with pytest.raises(Refusal):
        gm_mail.grant(service, GAME, "one-more@example.net", "gm")
    role: GmRole = "gm"
    with pytest.raises(Refusal):
        gm_mail.grant(service, "nowhere", GM, role)
    drop_gm(service.database, STRANGER)
    assert service.repository.people.games_run_by(STRANGER) == ()
    game_admin.delete(service, OPEN, "a trial")
    assert service.repository.people.gms(OPEN).members == ()
    game_admin.delete(service, GAME, "a trial")
    assert service.repository.people.gms(GAME).members == ()


def test_no_game_is_called_gm_and_help_gm_is_for_gms(table: Table) -> None:
    with pytest.raises(Refusal):
        game_admin.new_game(table.it.service, game_admin.GameRequest("standard", "gm"))
    own = text_of(table.ask("GM HELP"))
    assert all(re.search(rf"GM {name}\b", own) for name in GM_VERBS)
    before = len(table.mails(FRANCE))
    player(table, "HELP GM")
    assert "GM EXTEND" not in text_of(table.mails(FRANCE)[before])
    gm_mail.grant(table.it.service, GAME, FRANCE, "gm")
    before = len(table.mails(FRANCE))
    player(table, "HELP GM")
    assert "GM EXTEND" in text_of(table.mails(FRANCE)[before])
