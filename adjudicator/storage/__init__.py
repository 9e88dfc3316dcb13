"""The database: letters, games, answers. Each module has the verbs of its table; none of them knows the wire.

Every function takes the database first and is one transaction of its own, committed when it returns. Library
exceptions leave as StoreFault; WriteConflict means that the database has changed and the work is to be
done again.
"""
