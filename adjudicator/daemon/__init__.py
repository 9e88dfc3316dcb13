"""The service as a process: kept running, looked over, counted."""
