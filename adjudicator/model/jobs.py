"""The jobs of a worker, in order. Each is notified by its name when there is something to do."""

POLL, PROCESS, SEND = JOBS = ("poll", "process", "send")
