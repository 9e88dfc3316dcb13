"""Reads emails, from their bytes to orders. Pure: it knows no clock, file, server or game by name."""
