"""What passes between the offices, as values: positions, acts, letters, people; how the books are asked."""
