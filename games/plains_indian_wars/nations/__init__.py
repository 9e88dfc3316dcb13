"""Solitaire Variant II: a player leads the Plains nations, and rules and dice control the U.S."""
