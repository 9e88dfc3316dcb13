"""The tables of time: how the clocks of games stand, and what was done to games. `tables` has the rules."""

from peewee import AutoField, BigIntegerField, ForeignKeyField, Model

from adjudicator.store.tables import GameRow, Text


class ClockRow(Model):
    """How the clock of a game stands: one document. A game without one is in a turn like any other."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = Text()

    class Meta:
        table_name = "clock"


class MinuteRow(Model):
    """One thing done to a game beside its turns. It outlives the game."""

    number = AutoField()
    game = Text(index=True)
    at = BigIntegerField()
    by = Text()
    what = Text()
    why = Text()

    class Meta:
        table_name = "minute"


DIALS: tuple[type[Model], ...] = (ClockRow, MinuteRow)
