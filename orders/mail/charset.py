"""Decodes the bytes of an email: only declared charsets that are known to be harmless, no guessing."""

import binascii
import re
from functools import lru_cache

_DEFAULT_CODEC = "cp1252"
_CODECS = {
    "ascii": "ascii",
    "usascii": "ascii",
    "ansix341968": "ascii",
    "utf8": "utf-8",
    "utf16": "utf-16",
    "utf16le": "utf-16-le",
    "utf16be": "utf-16-be",
    "latin1": _DEFAULT_CODEC,
    "iso88591": _DEFAULT_CODEC,
    "windows1252": _DEFAULT_CODEC,
    "cp1252": _DEFAULT_CODEC,
    "koi8r": "koi8-r",
    "koi8u": "koi8-u",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5",
    "shiftjis": "shift_jis",
    "sjis": "shift_jis",
    "eucjp": "euc_jp",
    "euckr": "euc_kr",
    "iso2022jp": "iso2022_jp",
    **{f"iso8859{number}": f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16)},
    "iso885915": "iso8859-15",
    **{f"{name}125{number}": f"cp125{number}" for name in ("windows", "cp") for number in range(9)},
}
_SINGLE_BYTE_CODEC_PATTERN = re.compile(r"cp125|iso8859|ascii")
_CHARSET_NAME_SEPARATORS = re.compile(r"[^a-z0-9]")


@lru_cache(maxsize=256)
def codec(charset: str | None) -> str | None:
    """Return the codec for a declared charset, None for an unknown or untrusted one."""
    return _CODECS.get(_CHARSET_NAME_SEPARATORS.sub("", charset.lower())) if charset else None


def decode(data: bytes, charset: str | None) -> str:
    """Return the bytes decoded: in the declared charset if possible, otherwise as UTF-8, otherwise as cp1252.

    UTF-8 comes before a declared single-byte charset, because such text is rarely valid UTF-8 by chance. If
    the text isn't valid as a whole, each line is decoded alone.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and data.count(0) * 3 > len(data):
        return data.decode("utf-16", "replace")
    if data.isascii() and codec(charset) not in ("utf-16", "utf-16-le", "utf-16-be", "iso2022_jp"):
        return data.decode("ascii")
    known = codec(charset)
    single = known is None or _SINGLE_BYTE_CODEC_PATTERN.match(known) is not None
    for name in ("utf-8",) if single else (known, "utf-8"):
        try:
            if name:
                return data.decode(name)
        except UnicodeDecodeError:
            continue
    if single or known == "utf-8":
        return "\n".join(_line(line, known or _DEFAULT_CODEC) for line in data.split(b"\n"))
    return data.decode(_DEFAULT_CODEC, "replace")


def _line(line: bytes, known: str) -> str:
    """Return one line decoded as UTF-8, perhaps with surrogate halves, otherwise in the declared charset."""
    for name, errors in (("utf-8", "strict"), ("utf-8", "surrogatepass"), (known, "strict")):
        try:
            return line.decode(name, errors)
        except UnicodeDecodeError:
            continue
    return line.decode(_DEFAULT_CODEC, "replace")


def decode_word(coding: str, content: str) -> bytes:
    """Return the bytes of an encoded word: ``b`` is base64, ``q`` quoted-printable."""
    raw = content.encode("utf-8", "replace")
    return decode_base64(raw) if coding == "b" else binascii.a2b_qp(raw, header=True)


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


def decode_base64(data: bytes) -> bytes:
    """Return the bytes of base64 text. Other characters and an incomplete end are ignored."""
    clean = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    clean = clean[: len(clean) - 1] if len(clean) % 4 == 1 else clean
    return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))
