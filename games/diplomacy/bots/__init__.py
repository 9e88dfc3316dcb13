"""Who plays a nation without a player."""
