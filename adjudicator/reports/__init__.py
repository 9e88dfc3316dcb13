"""The content and form of what players read: reports, verdicts, notices, and their pictures.

Nothing here sends or stores anything.
"""
