"""By what somebody is known: addresses, tokens, passwords; and how none of it gets out."""
