"""Reads an email, from its bytes to the lines that its sender wrote."""
