"""Adjudication: legality, movement, convoys, retreats, builds, and the resolver that decides them."""
