"""Bots that play a nation without a player."""
