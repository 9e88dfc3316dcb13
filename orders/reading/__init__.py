"""Lines of a letter read as orders, commands and conditions."""
