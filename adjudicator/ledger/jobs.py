"""What a worker does, in order; and what is rung when there is something to do."""

POLL, PROCESS, SEND = JOBS = ("poll", "process", "send")
