"""Distances between two spellings, from a library that is loaded when the first two are compared.

Import it as a module, so that a caller that only reads orders doesn't load the library.
"""

from rapidfuzz.distance import OSA, JaroWinkler
from rapidfuzz.process import extract

__all__ = ("OSA", "JaroWinkler", "extract")
