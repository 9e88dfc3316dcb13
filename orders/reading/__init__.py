"""Reads lines of an email as orders, commands and conditions."""
