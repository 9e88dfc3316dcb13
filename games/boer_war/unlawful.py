"""Why an order is unlawful: raised where it is found, turned into an Objection where it is asked."""

from collections.abc import Iterable

from games.boer_war.model import State
from games.protocol import Objection


class Unlawful(Exception):
    """An order that the rules forbid: a code, and what words are made of.

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


def once(state: State, what: str, code: str, at: str = "") -> None:
    """Raises Unlawful if what may be done once a round was done in this one. Source: ruling 6.3."""
    if what in state.used:
        raise Unlawful(code, at=at)
