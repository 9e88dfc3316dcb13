"""The templates (Jinja) of emails and reports. A game can bring its own, which come first."""
