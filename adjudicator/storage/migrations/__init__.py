"""The migrations of the tables: numbered steps, run in order, never edited after a release."""
