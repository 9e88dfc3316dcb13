"""The command line: parses commands, calls other packages and prints their results."""
