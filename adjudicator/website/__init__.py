"""The archive: a static website of games, built only from public information."""
