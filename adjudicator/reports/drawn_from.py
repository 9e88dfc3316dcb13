"""What pictures were drawn from, remembered until their letters are sealed."""

import hashlib
from collections.abc import Iterable

from adjudicator.ledger.letters import Drawn

_ROOM = 16
"""So many are remembered, some hundred kilobytes each: letters are sealed soon after their pictures."""
_drawn: dict[str, Drawn] = {}


def remembered(png: bytes, svg: str, width_px: int) -> bytes:
    """A picture that was just drawn; from what, is known from now on."""
    sha = hashlib.sha256(png).hexdigest()
    if len(_drawn) >= _ROOM:
        # In one step, for another thread may be drawing, too.
        for oldest in tuple(_drawn)[: _ROOM // 2]:
            _drawn.pop(oldest, None)
    _drawn[sha] = Drawn(sha=sha, svg=svg, width_px=width_px)
    return png


def sources(pictures: Iterable[object]) -> tuple[Drawn, ...]:
    """What those of some values were drawn from that are pictures, as far as it is known."""
    shas = (hashlib.sha256(one).hexdigest() for one in pictures if isinstance(one, bytes))
    return tuple(_drawn[sha] for sha in shas if sha in _drawn)
