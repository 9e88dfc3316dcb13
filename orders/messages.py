"""The message catalogue of the reader of emails: ``messages.toml``, one table per module that speaks."""

from games.messages import load_messages


def sentence(slug: str, /, **values: object) -> str:
    """Return the sentence of a slug such as ``grading.chatty``, with the values filled in.

    Raises KeyError for an unknown slug or a missing value.
    """
    table, entry = slug.split(".")
    return load_messages("orders")[table][entry].fill(values)
