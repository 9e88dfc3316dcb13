"""Behind `gm bench`: how fast it is on this machine."""
