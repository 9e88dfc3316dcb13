"""Solitaire Variant II: the Plains nations by mail, the U.S. by procedures and dice."""
