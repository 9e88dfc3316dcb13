"""Values shared by the packages: positions, acts, emails, people, and the queries of the database."""
