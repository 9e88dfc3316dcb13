"""Mail transport: incoming emails from mailboxes, outgoing emails by carriers.

No database; asyncio stays inside.
"""
