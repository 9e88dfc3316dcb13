"""The letters and reports of the house, as Jinja templates; every game may bring its own before them."""
