"""Values that the packages share: positions, acts, letters, people, and the queries of the database."""
