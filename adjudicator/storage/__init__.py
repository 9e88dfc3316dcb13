"""The database: emails, games, replies. Each module has the operations of its tables and no network code.

Every function takes the database first, runs as one transaction, and commits when it returns. Exceptions of
libraries become StoreFault. WriteConflict means that the data has changed and the work must be repeated.
"""
