"""The wire: letters in from mailboxes, letters out by carriers. No database; asyncio stays inside."""
