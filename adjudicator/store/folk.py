"""The tables of people, what they wish and what they say to each other. The rules of `tables` hold here."""

from peewee import AutoField, BigIntegerField, CompositeKey, ForeignKeyField, IntegerField, Model

from adjudicator.store.tables import GameRow, Text


class PersonRow(Model):
    """Somebody who told who he is."""

    address = Text(primary_key=True)
    name = Text(null=True)
    zone = Text(null=True)

    class Meta:
        table_name = "person"


class CustomsRow(Model):
    """How people live together in a game that runs."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = Text()

    class Meta:
        table_name = "customs"


class OfferRow(Model):
    """A game that waits for people; once it begins, it stands among the games instead."""

    name = Text(primary_key=True)
    document = Text()
    created = BigIntegerField()

    class Meta:
        table_name = "offer"


class SignupRow(Model):
    """Somebody who wants to play in a game that waits for people, or runs."""

    game = Text()
    address = Text()
    wishes = Text()
    since = BigIntegerField()

    class Meta:
        table_name = "signup"
        primary_key = CompositeKey("game", "address")


class WatcherRow(Model):
    """Somebody who watches a game."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    address = Text()

    class Meta:
        table_name = "watcher"
        primary_key = CompositeKey("game", "address")


class VacancyRow(Model):
    """A seat of a game that anybody may take."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    since = BigIntegerField()

    class Meta:
        table_name = "vacancy"
        primary_key = CompositeKey("game", "seat")


class VoteRow(Model):
    """What a seat agrees to, said in a turn: in the next one it is void."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    turn = Text()
    motion = Text()
    goal = Text(null=True)

    class Meta:
        table_name = "vote"
        primary_key = CompositeKey("game", "seat")


class AbsenceRow(Model):
    """A time in which a player cannot write."""

    number = AutoField()
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    first = BigIntegerField()
    last = BigIntegerField()

    class Meta:
        table_name = "absence"


class PressRow(Model):
    """What somebody wrote to others. seat None: the gamesmaster; hearers None: all."""

    number = AutoField()
    key = Text(unique=True)
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    turn = Text()
    seat = Text(null=True)
    kind = Text()
    hearers = Text(null=True)
    text = Text()
    written = BigIntegerField()

    class Meta:
        table_name = "press"


class GuessRow(Model):
    """What was tried at a seat's password without fitting. No row: nothing."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    lock = Text()
    misses = IntegerField()
    rests = IntegerField()
    until = BigIntegerField()
    at = BigIntegerField()

    class Meta:
        table_name = "guess"
        primary_key = CompositeKey("game", "seat")


class RequestRow(Model):
    """What somebody asked for that waits for his answer to a letter of ours, which names it by its mark."""

    address = Text()
    mark = Text()
    lines = Text()
    asked = BigIntegerField()

    class Meta:
        table_name = "request"
        primary_key = CompositeKey("address", "mark")


FOLK: tuple[type[Model], ...] = (
    PersonRow,
    CustomsRow,
    OfferRow,
    SignupRow,
    WatcherRow,
    VacancyRow,
    VoteRow,
    AbsenceRow,
    PressRow,
    GuessRow,
    RequestRow,
)
