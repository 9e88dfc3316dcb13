"""The line above every order sheet that we mail: by it a quoted sheet is known."""

SHEET_TITLE = "Order sheet, change it and send it back:"
