"""The bots' press: replies, proposals after a turn, an account at the end.

Rule 1: bots use signed press and write only if it is allowed. They can't tell the writer of unsigned press.
Rule 2: a reply goes to the writer, and bots don't reply to replies, so every talk ends. Rule 3: decisions use
the database and the press of the same transaction; nothing is stored here.
"""

from adjudicator.clock import Millis
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.people import PeopleRepository, Press, SendPress
from adjudicator.turns.bots import GameBots
from games.dice import SealedDice
from games.protocol import BotMessage, Seat
from games.record import Value, field


class _Spoken(Value, frozen=True):
    """A bot's press, as an act, and the proposals that it accepts."""

    act: SendPress
    accepts: tuple[str, ...] = ()


class Talk(Value, frozen=True):
    """The press of one transaction. fresh: the press written in it, by game."""

    people_repository: PeopleRepository
    fresh: list[tuple[str, Press]] = field(default_factory=list)

    def answers(self, position: GamePosition, act: SendPress) -> tuple[SendPress, ...]:
        """Return the replies of the bots that receive a piece of press."""
        return tuple(message.act for message in self._write_answers(position, act))

    def agreements(self, position: GamePosition, act: SendPress) -> tuple[tuple[Seat, str], ...]:
        """Return the agreements that bots make by press they receive: each bot's seat and the text."""
        messages = self._write_answers(position, act)
        return tuple(
            (message.act.press.seat, what)
            for message in messages
            if message.act.press.seat
            for what in message.accepts
        )

    def _write_answers(self, position: GamePosition, act: SendPress) -> tuple[_Spoken, ...]:
        if (position.name, act.press) not in self.fresh:
            self.fresh.append((position.name, act.press))
        writer = act.press.seat
        if writer is None or act.press.kind != "white" or not self._may_speak(position):
            return ()
        hearers = [
            assignment
            for seat, assignment in position.assignments.items()
            if seat != writer and not assignment.is_person and act.press.is_heard_by(seat)
        ]
        return tuple(
            message
            for assignment in hearers
            for message in self._write_messages(position, assignment, act.press.at, act.key, writer)
        )

    def proposals(self, position: GamePosition, now: Millis) -> tuple[SendPress, ...]:
        """Return the bots' own press at the start of a turn, and other bots' replies to it.

        position: in this turn.
        """
        if not self._may_speak(position):
            return ()
        key = f"{position.name}/press/{position.entries}"
        acts: list[SendPress] = []
        # One after the other, so that two bots don't make proposals to each other at the same time.
        for assignment in position.assignments.values():
            if not assignment.is_person:
                for message in self._write_messages(position, assignment, now, key):
                    replies = self._write_answers(position, message.act)
                    acts += [message.act, *(reply.act for reply in replies)]
        return tuple(acts)

    def accounts(self, position: GamePosition, now: Millis) -> tuple[SendPress, ...]:
        """Return the bots' press to everyone about their agreements, once the game is over.

        position: after the last turn.
        """
        customs = self.people_repository.policy(position.name)
        if position.is_running or "white" not in customs.allows or customs.reach == "neighbours":
            return ()
        game, name = position.game, position.name
        bots = GameBots(game, name, position.secret, self.people_repository.press(name))
        turn = game.rules.turn(position.state).short
        account_by_seat = {
            assignment.seat: bots.write_account(position.state, assignment)
            for assignment in position.assignments.values()
            if not assignment.is_person
        }
        return tuple(
            SendPress(
                game=name,
                by=seat,
                press=Press(turn=turn, seat=seat, kind="white", to=None, text=text, at=now),
                key=f"{name}/press/{position.entries}/{seat}",
            )
            for seat, text in account_by_seat.items()
            if text
        )

    def _write_messages(
        self,
        position: GamePosition,
        assignment: SeatAssignment,
        at: Millis,
        key: str,
        only: Seat | None = None,
    ) -> tuple[_Spoken, ...]:
        """Return the press of a seat's bot, to one seat or to everyone that it may write to."""
        game, name = position.game, position.name
        before = [
            *self.people_repository.press(name),
            *(press for game_name, press in self.fresh if game_name == name),
        ]
        bots = GameBots(game, name, position.secret, before)
        turn = game.rules.turn(position.state).short
        dice = SealedDice(position.secret, name, position.dice_number)
        letters = [
            (
                Press(
                    turn=turn, seat=assignment.seat, kind="white", to=(message.to,), text=message.text, at=at
                ),
                message,
            )
            for message in bots.write_press(position.state, assignment, dice)
            if only in (None, message.to) and self._may_write(position, assignment.seat, message)
        ]
        self.fresh.extend((name, press) for press, _ in letters)
        ours = f"{key}/{assignment.seat}"
        return tuple(
            _Spoken(
                SendPress(
                    game=name, by=assignment.seat, press=press, key="/".join((ours, *(press.to or ())))
                ),
                message.accepts,
            )
            for press, message in letters
        )

    def _may_speak(self, position: GamePosition) -> bool:
        # A bot writes to one other player. In a game where everybody reads everything there's no such press.
        customs = self.people_repository.policy(position.name)
        return position.is_running and "white" in customs.allows and customs.reach != "public"

    def _may_write(self, position: GamePosition, seat: Seat, message: BotMessage) -> bool:
        """Return whether a seat's press may go to another seat and has a text."""
        rules = position.game.rules
        if message.to == seat or message.to not in position.assignments or not message.text.strip():
            return False
        if self.people_repository.policy(position.name).reach != "neighbours":
            return True
        near = rules.neighbours(position.state, seat)
        return near is None or message.to in near
