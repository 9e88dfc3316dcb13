"""What passes between the offices, as values: positions, acts, letters, people, the books."""
