"""The doctor's errors about a catalogue whose sentences the operator has changed."""

import sys
from pathlib import Path

import pytest

from adjudicator import messages
from adjudicator.daemon import doctor
from adjudicator.daemon.doctor import broken_wording, faults, slugs_in_code

ROOM = '[joining]\ntaken = "{{ seat }} is taken"\nfree = "all are free"\n'
WANTED = {"inbound.joining.taken": frozenset(("seat", "game")), "inbound.joining.free": frozenset[str]()}


def test_the_catalogue_as_we_write_it_is_sound() -> None:
    assert broken_wording() == ()
    assert len(slugs_in_code()) > 200


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ('"{{ seat } is taken"', "inbound.joining.taken: unexpected '}'"),
        (
            '"{{ nation }} is taken"',
            "inbound.joining.taken: there is no {{ nation }}; its values: game, seat",
        ),
        ('"{% if seat %}taken"', "inbound.joining.taken: Unexpected end of template."),
        ("12", "inbound.joining.taken isn't a text; put it into quotation marks"),
        ('{one = "taken"}', 'inbound.joining.taken has no form "other"'),
        (
            '{other = "{{ nation }}"}',
            "inbound.joining.taken: there is no {{ nation }}; its values: game, seat",
        ),
    ],
)
def test_a_broken_sentence_is_told_with_its_file_and_its_slug(sentence: str, said: str) -> None:
    text = ROOM.replace('"{{ seat }} is taken"', sentence)
    (fault,) = faults({"inbound": text}, WANTED)
    assert fault.startswith(f"messages/inbound.toml: {said}")


def test_a_sentence_that_lost_its_name_is_told_and_so_is_the_name_that_it_has_now() -> None:
    text = ROOM.replace("free =", "fre =")
    assert list(faults({"inbound": text}, WANTED)) == [
        "messages/inbound.toml: inbound.joining.free is missing",
        "messages/inbound.toml: inbound.joining.fre isn't used anywhere",
    ]


def test_a_file_that_is_no_toml_is_told_with_the_line() -> None:
    (fault,) = faults({"inbound": ROOM.replace('taken"', "taken")}, WANTED)
    assert fault.startswith("messages/inbound.toml: ")
    assert "line 2" in fault


def test_a_wording_that_leaves_a_value_out_is_sound() -> None:
    assert list(faults({"inbound": ROOM}, WANTED)) == []
    assert list(faults({"inbound": ROOM.replace("{{ seat }}", "It")}, WANTED)) == []


def test_the_doctor_tells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of templates with one changed sentence."""
    folder = tmp_path / "reworded" / "messages"
    folder.mkdir(parents=True)
    for room, text in messages.sentence_files().items():
        (folder / f"{room}.toml").write_text(text.replace("{{ turn }}", "{{ trun }}"))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(messages, "_MESSAGES_PACKAGE", "reworded")
    told = [finding for finding in doctor._templates() if "service.mail.game_played" in finding.said]
    assert [(finding.about, finding.grade) for finding in told] == [("templates", "bad")]
    assert "messages/service.toml: service.mail.game_played: there is no {{ trun }}" in told[0].said
