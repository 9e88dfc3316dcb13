"""The service as a process: running it, checking it, and its counters."""
