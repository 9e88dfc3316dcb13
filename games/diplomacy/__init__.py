"""The Diplomacy family: one engine, a game for each board in ``variants/``."""
