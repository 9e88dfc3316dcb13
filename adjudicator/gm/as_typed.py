"""What was typed, taken as it is: a text needs no library to be understood.

Typer hands every value to pydantic, one that was not given too, and to load that takes longer than most
commands do. So a parameter asks for it only where there is something to convert: a number, a path, a choice.
"""

from collections.abc import Sequence
from typing import Any

TEXTS: tuple[object, ...] = (str, list[str])


def as_typed(command: Any) -> Any:
    """The same command of Typer, with those below it, whose parameters take texts as they are."""
    listed = command.get_params
    command.get_params = lambda ctx: light(listed(ctx))
    for one in getattr(command, "commands", {}).values():
        as_typed(one)
    return command


def light(params: Sequence[Any]) -> Any:
    """The same parameters of Typer, which ask pydantic only for what they have to convert."""
    for param in params:
        known = getattr(param, "get_runtime_param", None)
        if known is not None and not isinstance(known.__self__, _Reading):
            param.get_runtime_param = _Reading(param).itself
    return params


class _Reading:
    """How one parameter becomes a value. param: of Typer, whose own way is kept for what is no text."""

    def __init__(self, param: Any) -> None:
        self._converts = param.get_runtime_param
        self._is_text = param.type_descriptor.annotation in TEXTS
        self._many = bool(getattr(param, "multiple", False)) or param.nargs == -1

    def itself(self) -> "_Reading":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """What the command gets for what the parser found."""
        if value is None:
            return () if self._many else None
        if self._is_text and self._are_texts(value):
            return list(value) if self._many else value
        return self._converts().coerce(value, param=param, ctx=ctx)

    def _are_texts(self, value: Any) -> bool:
        if self._many:
            return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
        return isinstance(value, str)
