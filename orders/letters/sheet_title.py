"""The line above the order sheet of every report, reminder and answer: by it a quoted sheet is known."""

SHEET_TITLE = "Order sheet, change it and send it back:"
