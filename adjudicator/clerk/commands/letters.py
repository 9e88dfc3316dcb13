"""LETTERS: what letters a player gets: how long, of which turns, and a digest of his games."""

from collections.abc import Sequence
from typing import Any, get_args

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Case, Done, told
from adjudicator.ledger.letter_choice import Detail, Digest, Every, LetterChoice, Maps, Reasons
from adjudicator.ledger.people_acts import ChooseDigest, ChooseLetters, NotePerson
from adjudicator.ledger.society import Person
from games.protocol.optional import Planned
from games.record import changed
from orders.commands import Command

_ALONE = {
    word: what
    for what, words in (("detail", Detail), ("every", Every), ("maps", Maps))
    for word in get_args(words)
}
"""Words that say by themselves what they choose."""

_BEHIND = {"reasons": get_args(Reasons), "digest": get_args(Digest)}
"""Words that another one has to follow."""


_SHEET = {"off": "text", "on": "page"}
"""What may stand behind SHEET, and what it chooses: alone it wants the page."""

_PUBLIC = {"public": True, "private": False}
"""Words by which somebody says whether the archive may name him."""


def choose_letters(caller: Caller, command: Command) -> Done:
    """Choose, or ask what is chosen. Who speaks for no seat chooses his digest alone."""
    words = command.args[0].lower().replace(",", " ").strip(" .").split() if command.args else []
    said = _read(words)
    if said is None:
        return told(sentence("clerk.letters.not_understood", line=command.line))
    digest: Digest | None = said.pop("digest", None)
    public: bool | None = said.pop("public", None)
    if not isinstance(caller, Case):
        return _of_nobody(caller, said, digest, public)
    if said.get("every") == "round" and not isinstance(caller.game.rules, Planned):
        title = caller.game.about.title
        return told(sentence("clerk.letters.no_rounds", game=caller.name, title=title))
    # Where reports go to, whoever holds the token: nothing else is sent to anybody than to him before.
    holder = caller.seated.chair.address or caller.sender
    acts: list[ChooseLetters | ChooseDigest | NotePerson] = []
    if said:
        acts.append(ChooseLetters(by=caller.seat, game=caller.name, seat=caller.seat, address=holder, **said))
    if digest:
        acts.append(ChooseDigest(by=holder, address=holder, digest=digest, at=caller.received))
    if public is not None:
        acts.append(_named(caller, holder, public))
    notes = [*_of_seat(caller, holder, said), _digest(caller, holder, digest)]
    return Done(acts=tuple(acts), notes=(*notes, _archive(caller, holder, public)))


def _of_nobody(caller: Caller, said: dict[str, Any], digest: Digest | None, public: bool | None) -> Done:
    if said:
        return told(sentence("clerk.commands.belongs_to_a_seat", verb="LETTERS"))
    address = caller.address
    acts: list[ChooseDigest | NotePerson] = []
    if digest is not None:
        acts.append(ChooseDigest(by=address, address=address, digest=digest, at=caller.received))
    if public is not None:
        acts.append(_named(caller, address, public))
    return Done(acts=tuple(acts), notes=(_digest(caller, address, digest), _archive(caller, address, public)))


def _named(caller: Caller, holder: str, public: bool) -> NotePerson:
    known = caller.books.society.person(holder) or Person(address=holder)
    return NotePerson(by=holder, person=changed(known, public=public))


def _archive(caller: Caller, holder: str, said: bool | None) -> str:
    """Whether the archive names him now, in a sentence."""
    known = caller.books.society.person(holder) or Person(address=holder)
    public = known.public if said is None else said
    return sentence("clerk.letters.archive", public=public, name=known.name or "")


def _read(words: Sequence[str]) -> dict[str, Any] | None:
    """What is chosen, by its kind; None where a word is none of ours."""
    said: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _PUBLIC:
            said["public"] = _PUBLIC[word]
        elif word == "sheet":
            said["sheets"] = _SHEET[rest.pop(0) if rest and rest[0] in _SHEET else "on"]
        elif word in _ALONE:
            said[_ALONE[word]] = word
        elif word in _BEHIND and rest and rest[0] in _BEHIND[word]:
            said[word] = rest.pop(0)
        else:
            return None
    return said


def _of_seat(case: Case, holder: str, said: dict[str, Any]) -> tuple[str, ...]:
    """What is chosen now for a seat, in sentences."""
    choices = case.books.society.choices(case.name)
    own = next((one for one in choices if (one.seat, one.address) == (case.seat, holder)), None)
    style = changed(own or LetterChoice(seat=case.seat, address=holder), **said).style(case.office.letters)
    every = style.every if isinstance(case.game.rules, Planned) else "turn"
    brief = style.detail == "brief"
    return (
        sentence("clerk.letters.report", seat=case.seat, game=case.name, brief=brief, every=every),
        sentence("clerk.letters.maps", maps=style.maps),
        sentence("clerk.letters.sheets", sheets=style.sheets),
        sentence("clerk.letters.reasons", which=style.says_why),
    )


def _digest(caller: Caller, holder: str, said: Digest | None) -> str:
    """How often he gets a digest now, in a sentence."""
    known = caller.books.society.subscription(holder)
    often = said or (known.digest if known else "off")
    minute = caller.office.digest_at
    at = f"{minute // 60:02}:{minute % 60:02}"
    return sentence("clerk.letters.digest", digest=often, at=at, zone=caller.zone.key)
