"""The texts that players read about a turn: results in sentences, headlines, the story of a game, tables."""
