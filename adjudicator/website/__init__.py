"""The archive: a static site of games, made of what all may know."""
