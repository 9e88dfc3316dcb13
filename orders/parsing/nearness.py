"""How alike two spellings are, by a library that is loaded when two are compared.

Import it as a module, so that whoever only looks at orders needs no library for slips.
"""

from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import extract

__all__ = ("OSA", "JaroWinkler", "extract")
