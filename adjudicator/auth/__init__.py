"""Authentication of senders: addresses, tokens, passwords; and how none of these leaks."""
