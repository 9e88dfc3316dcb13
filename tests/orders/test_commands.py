"""Commands: rows of a table; a secret is in the arguments and nowhere else."""

import pytest

from orders.commands import PLAYER_COMMANDS, Verb, compile_verbs
from orders.reading.letter_reader import ParseContext
from tests.orders.plain import BOOK, reading


def given(text):
    return [(command.verb, command.args) for command in reading(text).commands]


@pytest.mark.parametrize(
    ("line", "verb", "args"),
    [
        ("SIGNON beaver Iroquois", "SIGNON", ("beaver", "Iroquois")),
        ("sign on beaver Iroquois pass", "SIGNON", ("beaver", "Iroquois", "pass")),
        ("status", "STATUS", ()),
        ("Status beaver", "STATUS", ("beaver",)),
        ("ORDERS", "ORDERS", ()),
        ("clear all orders", "CLEAR", ()),
        ("set wait", "WAIT", ()),
        ("no wait", "NOWAIT", ()),
        ("Ready!", "READY", ()),
        ("not ready", "NOREADY", ()),
        ("help", "HELP", ()),
        ("help order sheet", "HELP", ("order sheet",)),
        ("STATUS please.", "STATUS", ()),
        ("* READY", "READY", ()),
    ],
)
def test_a_command_in_its_manners(line, verb, args):
    assert given(line) == [(verb, args)]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("JOIN fox PASSWORD three-canoes", "JOIN fox PASSWORD ***"),
        ("join fox as Dakota password three-canoes Iroquois", "join fox as Dakota password ***"),
        ("JION fox PASWORD three-canoes", "JION fox PASWORD ***"),
        ("REGISTER fox Password three-canoes", "REGISTER fox Password ***"),
        ("JOIN fox Dakota", "JOIN fox Dakota"),
        ("In the password lies our hope", "In the password lies our hope"),
    ],
)
def test_the_word_of_a_game_is_shown_nowhere(line, shown):
    assert compile_verbs(PLAYER_COMMANDS).mask_secret(line) == shown
    assert [command.line for command in reading(line).commands] in ([], [shown])


def test_a_join_with_a_word_has_its_wishes_apart():
    lines = ("JOIN fox PASSWORD three-canoes", "JOIN fox Dakota PASSWORD three-canoes Iroquois")
    assert [given(line) for line in lines] == [
        [("JOIN", ("fox", "three-canoes"))],
        [("JOIN", ("fox", "Dakota", "three-canoes Iroquois"))],
    ]


@pytest.mark.parametrize(
    "line", ["wait for it", "the status quo holds", "I am ready", "orders follow", "clear?"]
)
def test_sentences_are_no_commands(line):
    assert given(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "HELP is what I need, honestly.",
        "Help me against Germany and I will help you",
        "HISTORY will judge us all.",
        "RULES are rules, as they say.",
        "MAP in hand, I could see it all coming.",
        "All I can say is that Italy could use some\nHELP\nfrom whoever has an army",
    ],
)
def test_a_word_inside_a_sentence_is_no_command(line):
    found = reading(line)
    assert (found.commands, found.orders) == ((), ())


@pytest.mark.parametrize(
    "line",
    [
        "HELP how do I order?",
        "HELP I do not know how this goes",
        "Please send me some\nHELP",
        "help me please",
    ],
)
def test_who_asks_for_help_in_a_sentence_gets_it(line):
    assert [verb for verb, _ in given(line)] == ["HELP"]


def test_every_example_is_read_as_its_verb():
    context = compile_verbs(PLAYER_COMMANDS)
    for verb in PLAYER_COMMANDS:
        assert context.read(verb.example).verb == verb


@pytest.mark.parametrize(
    "line",
    [
        "SIGNON beaver Iroquois hunter2!",
        "sign-on beaver Iroquois hunter2!",
        "sign on beaver Iroquois hunter2!",
        "singon beaver Iroquois hunter2!",
        "signonn beaver Iroquois hunter2!",
        "SIGNON beaver Iroquois hunter2! and more",
        "PASSWORD hunter2!",
        "set password hunter2!",
        "pasword hunter2!",
        "Passwort hunter2!",
    ],
)
def test_a_password_is_never_echoed(line):
    found = reading(line)
    echoed = (
        *found.lines,
        *(one.line for one in found.commands),
        *(f"{one.line} {one.problem} {one.instead}" for one in found.orders),
    )
    assert not any("hunter2" in text for text in echoed)
    assert all(command.args[-1] == "hunter2!" for command in found.commands)


def test_a_misspelt_command_is_answered():
    (verdict,) = reading("Stauts").orders
    assert (verdict.grade, verdict.problem, verdict.instead) == (
        "unread",
        "there's no command Stauts",
        "STATUS",
    )


def test_a_row_is_all_that_a_command_with_text_takes():
    note = Verb(name="NOTE", patterns=("note to {whom}",), example="NOTE TO Dakota", until=("endnote",))
    book = ParseContext(
        commands=(*PLAYER_COMMANDS, note),
        forms=BOOK.forms,
        conditions=(),
        lexicon=BOOK.lexicon,
        build=BOOK.build,
        write=BOOK.write,
    )
    found = reading("note to Dakota\nMohawk - Delaware?\nsee you\nENDNOTE\nOneida H", book)
    assert [(one.verb, one.args, one.text) for one in found.commands] == [
        ("NOTE", ("Dakota",), "Mohawk - Delaware?\nsee you")
    ]
    assert [one.said for one in found.orders] == ["W ONE H"]
    assert len(found.lines) == 5
