"""Tournaments of bots: the seating, the games, and statistics of the results."""
