"""From the bytes of a letter to understood orders. Pure: no clock, no file, no server, no game by name."""
