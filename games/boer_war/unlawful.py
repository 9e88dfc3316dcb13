"""The exception for an illegal order: raised where it is found, made an Objection where it is asked."""

from collections.abc import Iterable

from games.boer_war.model import State
from games.protocol import Objection


class IllegalOrder(Exception):
    """An order that the rules forbid: a code, and the details for its words.

    near: the names that might stand in the order instead.
    """

    def __init__(self, code: str, near: Iterable[str] = (), **detail: object) -> None:
        super().__init__(code)
        self.code = code
        self.detail = {key: str(value) for key, value in detail.items()}
        if names := " ".join(near):
            self.detail["near"] = names

    @property
    def objection(self) -> Objection:
        """The same as a value."""
        return Objection(code=self.code, detail=self.detail)


def require_unused(state: State, what: str, code: str, at: str = "") -> None:
    """Raise IllegalOrder if what may be done once a round was done in this one. Source: ruling 6.3."""
    if what in state.used:
        raise IllegalOrder(code, at=at)
