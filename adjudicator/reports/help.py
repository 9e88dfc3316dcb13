"""The texts that HELP answers with."""

import games
from adjudicator.reports import pages
from adjudicator.reports.render import render
from adjudicator.reports.typeset import ROW_BAR
from games.options import settle
from games.protocol import Form, Game, View
from games.protocol.optional import SupportsExampleForms
from orders.parsing.condition_texts import Conditions
from orders.parsing.forms import compile_forms, match_text
from orders.parsing.lexicon import index_lexicon

HELP_TOPICS = (
    "general",
    "orders",
    "signon",
    "sheet",
    "joining",
    "press",
    "ending",
    "absence",
    "letters",
    "games",
)
"""What can be explained, each by ``templates/help/<topic>.txt``; the first is the answer to a bare HELP."""

FORMS_TOPIC = "forms"
"""The topic of a game under which every way to write an order is listed."""

_TOPIC_OF_WORD = {
    **dict.fromkeys(("join", "register", "preference", "observe", "resign", "list"), "joining"),
    "new": "games",
    **dict.fromkeys(("broadcast", "endpress"), "press"),
    **dict.fromkeys(("draw", "nodraw", "concede"), "ending"),
    "timezone": "absence",
    **dict.fromkeys(("brief", "full", "digest", "round", "reasons"), "letters"),
    **dict.fromkeys(("signoff", "password"), "signon"),
    **dict.fromkeys(("clear", "if", "phase", "stop"), "orders"),
}
"""Under which topic a word is explained that is none itself."""


def help_text(
    topic: str, game: Game | None = None, view: View | None = None, own: tuple[Form, ...] = ()
) -> str:
    """Return the help on a topic, in paragraphs; for a word that is no topic the general help, which lists
    them.

    A topic of a game is a section of its page in the handbook. game: shows how orders are written in it;
    view: in a game that stands so; own: orders that the reader could give now.
    """
    name = topic.strip().lower()
    section = pages.section(game, name) if game is not None and name not in HELP_TOPICS else None
    if section is not None and game is not None:
        is_of_forms = FORMS_TOPIC in section.topics and view is not None
        return f"{section.title}\n\n{_list_forms(game, view) if is_of_forms and view else section.text}"
    name = _TOPIC_OF_WORD.get(name, name)
    known = name if name in HELP_TOPICS else HELP_TOPICS[0]
    ways = order_forms(game, view) if game is not None else ()
    others = [form.name for form in ways if form.name not in {own_form.name for own_form in own}]
    shown = {"ways": own or ways, "own": bool(own), "others": others if own else []}
    shown["about"] = pages.help_topics(game) if game is not None else ()
    context = {"game": game, "topics": HELP_TOPICS, "kinds": games.kinds(), **shown}
    return render(game, f"help/{known}.txt", context)


def order_forms(game: Game, view: View | None = None) -> tuple[Form, ...]:
    """Return how orders are written in a kind of game, one form of each name; view: in a game that
    stands so.
    """
    if view is not None and isinstance(game.notation, SupportsExampleForms):
        return game.notation.examples(view)
    first: dict[str, Form] = {}
    for form in game.notation.forms:
        first.setdefault(form.name, form)
    return tuple(first.values())


def _list_forms(game: Game, view: View) -> str:
    """Return every way to write an order and a condition in a game, with examples that it can read."""
    notation = game.notation
    names = index_lexicon(notation.lexicon(view))
    grammar = compile_forms(notation.forms)
    conditions = Conditions(notation.conditions, names, notation.write_condition, lambda text: False)
    own = {form.name: form for form in order_forms(game, view)}
    rows: dict[str, list[str]] = {}
    for form in (*own.values(), *(form for form in notation.forms if form.name in own)):
        if match_text(form.example, grammar, names):
            rows.setdefault(form.name.replace("-", " "), []).append(form.example)
    example_by_condition: dict[str, str] = {}
    for form in notation.conditions:
        if form.name not in example_by_condition and conditions.read(form.example) is not None:
            example_by_condition[form.name] = form.example
    rows["IF may ask"] = list(example_by_condition.values())
    return "\n".join(
        f"{ROW_BAR}{name}: {'  or  '.join(dict.fromkeys(found))}" for name, found in rows.items() if found
    )


def games_text() -> str:
    """Which games may be begun, each by a line that may be sent back as it stands."""
    return help_text("games")


def rules_text(game: Game, usual: str | None = None, view: View | None = None) -> str:
    """Return what a kind of game is, which options it has at the start, and how its orders are written.

    usual: the level of its bots where nobody chooses one; None: the first. view: in a game that stands so.
    """
    seats = game.about.seats(settle(game.about.options, {}))
    sections = [section for section in pages.page(game) if section.topics[0] != FORMS_TOPIC]
    shown = {"sections": sections, "ways": order_forms(game, view), "within": view is not None}
    context = {"game": game, "seats": seats, "usual": usual, **shown}
    return render(game, "help/rules.txt", context)
