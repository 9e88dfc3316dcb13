"""Distances between two spellings, from a library that is loaded when two are compared.

Import it as a module, so that a caller that only reads orders needs no library for slips.
"""

from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import extract

__all__ = ("OSA", "JaroWinkler", "extract")
