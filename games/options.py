"""Settled options of a game: each option has a value, and each value is allowed."""

import re
from collections.abc import Mapping, Sequence

from games.messages import sentence
from games.protocol import About, GameOption, Invalid, Options, OptionValue

_SLUG = re.compile(r"\w+\.\w+\.\w+")

YES_WORDS, NO_WORDS = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def describe_option(option: GameOption) -> str:
    """Return the meaning of an option: the sentence of its slug, or its own text in a variant's file."""
    return sentence(option.meaning) if _SLUG.fullmatch(option.meaning) else option.meaning


def option_text(value: OptionValue | None) -> str:
    """Return the value of an option as one types it: "yes", "3"; "" for None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def starting_text(option: GameOption) -> str:
    """Return what a new game has for an option that isn't given, as one types it; "" for no choice."""
    return option_text(option.default if option.begins is None else option.begins)


def settle(options: tuple[GameOption, ...], given: Mapping[str, OptionValue]) -> Options:
    """Return the given values, checked and completed with the defaults, in the game's order of options.

    A text is read as the sort of the option: "3" as a number, "yes" as a flag. Raises Invalid with the name
    of a wrong option.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            names = ", ".join(known) or sentence("protocol.options.no_options")
            why = sentence("protocol.options.unknown")
            raise Invalid(f"option {name}", why, sentence("protocol.options.known", options=names))
    settled: dict[str, OptionValue] = {}
    for option in options:
        value = _value(option, given[option.name]) if option.name in given else option.default
        if value is not None:
            settled[option.name] = value
    return settled


def with_starting_values(options: Sequence[GameOption], given: Mapping[str, OptionValue]) -> Options:
    """Return the given values, and the starting values of the options that are not given."""
    return {option.name: option.begins for option in options if option.begins is not None} | dict(given)


def settle_for_new_game(about: About, given: Mapping[str, OptionValue]) -> Options:
    """Return the options of a new game, with complete texts of the data files that they name.

    Raises Invalid for a wrong option or wrong data.
    """
    settled = settle(about.options, with_starting_values(about.options, given))
    return {
        name: about.completed[name](str(value)) if name in about.completed else value
        for name, value in settled.items()
    }


def read_options(known: Sequence[GameOption], given: Mapping[str, OptionValue]) -> Options:
    """Return the settled options of a document. Raises Invalid with the path of a wrong option."""
    try:
        return settle(tuple(known), given)
    except Invalid as fault:
        # `settle` names an option as `gm game new` does, but here each is an entry of a document.
        raise Invalid(f"options.{fault.what.removeprefix('option ')}", fault.why, fault.instead) from fault


def _value(option: GameOption, given: OptionValue) -> OptionValue:
    text = str(given).strip()
    if option.sort == "flag":
        if text.lower() in YES_WORDS + NO_WORDS:
            return text.lower() in YES_WORDS
        raise Invalid(
            f"option {option.name}",
            sentence("protocol.options.not_yes_or_no", value=text),
            sentence("protocol.options.write_yes", option=option.name),
        )
    if option.sort == "number":
        return _number(option, text)
    if option.sort == "choice" and text not in option.values:
        raise Invalid(
            f"option {option.name}",
            sentence("protocol.options.not_a_choice", value=text),
            sentence("protocol.options.choices", values=", ".join(option.values)),
        )
    return text


def _number(option: GameOption, text: str) -> int:
    low, high = option.low, option.high
    is_number = text.lstrip("-").isdigit()
    if is_number and (low is None or int(text) >= low) and (high is None or int(text) <= high):
        return int(text)
    raise Invalid(
        f"option {option.name}",
        sentence(
            "protocol.options.out_of_range" if is_number else "protocol.options.not_a_number", value=text
        ),
        sentence(
            "protocol.options.write_number_from" if high is None else "protocol.options.write_number_between",
            low=low,
            high=high,
        ),
    )
