"""What people read: reports, verdicts, notices, and the pictures in them. Nothing here writes or sends."""
