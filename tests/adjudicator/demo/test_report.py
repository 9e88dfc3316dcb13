"""The report that a demonstration writes for a browser has its own picture in each place."""

from email.message import EmailMessage
from pathlib import Path

from adjudicator import demo

PICTURES = {"front.74e3@example.org": b"front", "map.74e3@example.org": b"whole board"}


def test_each_picture_of_the_last_report_is_a_file_next_to_it(tmp_path: Path) -> None:
    letter = EmailMessage()
    letter.set_content("The text.")
    page = "".join(f'<img src="cid:{name}">' for name in PICTURES)
    letter.add_alternative(page, subtype="html")
    body = letter.get_payload()[1]
    for name, picture in PICTURES.items():
        body.add_related(picture, "image", "png", cid=f"<{name}>")
    sent = demo.AlbumLetter(at=0, way="out", number=1, who="iroquois@example.net", raw=letter.as_bytes())
    written = demo._write_report([sent], tmp_path)
    assert written.read_text().strip() == '<img src="report-front.png"><img src="report-map.png">'
    assert (tmp_path / "report-front.png").read_bytes() == b"front"
    assert (tmp_path / "report-map.png").read_bytes() == b"whole board"
