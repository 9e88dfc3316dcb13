"""Our emails' names of pieces, cards and places can be read, with the same meaning."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

import games
from games.boer_war import notation as boer_names
from games.boer_war.components import materials as box
from games.great_war.components import book
from games.plains_indian_wars.board import board as plains
from games.protocol import Game
from games.war_chest.components import name as coin
from games.war_chest.owner_data import PRINTED
from orders.reading.lexicon import index_lexicon
from orders.words import tidy, words
from tests.kit.game_emails import letters_of_turns

KINDS = tuple(games.kinds())
TURNS = 3

Label = tuple[str, str]
"""What is printed, and the id of what is meant by it."""


def _boer_war() -> Iterator[Label]:
    """Points, leaders and events as reports call them."""
    yield from ((boer_names.place_name(one), one) for one in box().places)
    yield from ((boer_names.leader_name(one), one) for one in box().leaders)
    yield from ((boer_names.event_name(one), one) for one in box().events)


LABELS: Mapping[str, Callable[[Any], Iterator[Label]]] = {
    "boer-war": lambda seen: _boer_war(),
    "great-war": lambda seen: ((book().full_name(one), one) for one in seen if one in book().cards),
    "plains-indian-wars": lambda seen: (
        (plains().name(one.id), one.id) for one in plains().places.values() if one.zone != "EDGE"
    ),
    "war-chest": lambda seen: ((coin(one), one) for one in PRINTED.units),
}
"""By kind of game, what its reports call the things with these ids."""


def views(game: Game) -> Iterator[Any]:
    """Return the views of the game's player in some of its turns."""
    for one in islice(letters_of_turns(game.about.kind), TURNS):
        yield game.rules.view(one.position.state, one.seat)


def meant(lexicon: Any, printed: str, sort: str | None = None) -> set[str]:
    """Return the ids of a whole printed name. sort: the kind of name that is expected."""
    line = words(tidy(printed))
    found = [terms for end, terms in index_lexicon(lexicon).at(line, 0) if end == len(line)]
    return {term.id for terms in found for term in terms if sort in (None, term.sort)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_is_printed_reads_as_what_it_is_the_name_of(kind: str) -> None:
    """The first name of each term; two things of one name are asked for, never taken for each other."""
    game = games.kinds()[kind]
    for view in views(game):
        lexicon = game.notation.lexicon(view)
        printed = [(term.names[0], term) for term in lexicon if any(map(str.isalnum, term.names[0]))]
        assert [name for name, term in printed if term.id not in meant(lexicon, name, term.sort)] == []
        ids = defaultdict[tuple[str, str], set[str]](set)
        for name, term in printed:
            ids[term.sort, name].add(term.id)
        for (sort, name), several in ids.items():
            assert meant(lexicon, name, sort) == several, name


@pytest.mark.parametrize("kind", LABELS)
def test_a_label_of_a_report_reads_as_what_it_is_the_label_of(kind: str) -> None:
    """``B-9S Heavy Machine-Guns (HMG)``, ``Cheyenne (N3)``, ``De la Rey``, ``B02 Cape rebels``."""
    game = games.kinds()[kind]
    for view in views(game):
        lexicon = game.notation.lexicon(view)
        seen = {term.id for term in lexicon if term.sort == "card"}
        labels = list(LABELS[kind](seen))
        assert labels
        assert [label for label, one in labels if one not in meant(lexicon, label)] == []
