"""How the tables came to be: numbered steps, run in order, never edited after a release."""
