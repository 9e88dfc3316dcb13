"""Read a letter: from its bytes to understood orders. Pure: no clock, no file, no server, no game by name."""
