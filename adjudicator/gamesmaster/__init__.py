"""What a gamesmaster does: to games and their time, to seats, to people, against the course."""
