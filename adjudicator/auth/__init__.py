"""Authentication of senders: addresses, tokens and passwords, and their protection."""
