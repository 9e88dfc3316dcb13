"""Press that waits to go out together, and the warnings about copies, in the database."""

from peewee import AutoField, BigIntegerField, ForeignKeyField, Model

from adjudicator.store.tables import GameRow, Text


class HeldPressRow(Model):
    """A piece of press that waits for one of its readers. press: its key; since: when it began to wait.

    reader: a seat, the address of an observer, or the GM.
    """

    number = AutoField()
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    press = Text()
    reader = Text()
    since = BigIntegerField()

    class Meta:
        table_name = "held_press"
        indexes = ((("press", "reader"), True),)
