"""Sentences for the sender about attachments that were not opened."""

from orders.mail.letter import Letter
from orders.mail.mime import Part

_OUTLOOKS = ("winmail.dat", "win.dat", "ms-tnef", "vnd.ms-tnef")
_ENCRYPTED = ("encrypted.asc", "pgp-encrypted", "smime.p7m", "pkcs7-mime", "x-pkcs7-mime")
_DOCUMENTS = (
    ".doc",
    ".docx",
    ".odt",
    ".rtf",
    ".pdf",
    ".htm",
    ".html",
    ".xls",
    ".xlsx",
    ".ods",
    ".eml",
    ".msg",
)


def describe_unopened(letter: Letter) -> tuple[str, ...]:
    """Return sentences on unread parts that may hold orders, and how to send them; none for pictures."""
    attached = [part for part in letter.parts if part.kind == "attachment" and not part.text]
    has_text = any(part.text.strip() for part in letter.parts)
    sentences = []
    if any(part.name.lower() in _OUTLOOKS for part in attached):
        sentences.append(_outlooks(has_text))
    if any(part.name.lower() in _ENCRYPTED for part in attached):
        sentences.append(
            "Your letter is encrypted, and nobody here can open it. Please send it again unencrypted; "
            "it may be signed."
        )
    documents = [part for part in attached if _is_document(part)]
    if documents:
        names = ", ".join(part.name for part in documents)
        sentences.append(
            f"Not opened: {names}. Please write your orders into the letter itself, or attach them as plain "
            "text in a file whose name ends in .txt."
        )
    return tuple(sentences)


def _outlooks(has_text: bool) -> str:
    how = "In Outlook choose Format Text, Plain Text."
    if has_text:
        return f"With your letter came winmail.dat, which was not opened; its text alone counts. {how}"
    return (
        "Your mail program packed all that you wrote into winmail.dat, which cannot be opened here. Please "
        f"send it again as plain text. {how}"
    )


def _is_document(part: Part) -> bool:
    return part.name.lower().endswith(_DOCUMENTS)
