"""The benchmarks of `gm bench`: how fast the service is on this machine."""
