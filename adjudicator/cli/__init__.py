"""The command line: parses, calls, prints. What it does is done elsewhere."""
