"""Tools for developers, each run as `python -m tests.tools.NAME`. No test needs them."""
