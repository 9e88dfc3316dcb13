"""The repository of people in memory, with actions applied to it as the database does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.clock import Millis
from adjudicator.model.people import (
    NO_GUESSES,
    Absence,
    AdmitPlayer,
    Answered,
    AskBack,
    AskToForget,
    Ban,
    CastVote,
    ChooseDigest,
    ChooseLetters,
    DropOffer,
    FillSeat,
    ForgetPoster,
    GameGms,
    GameOffer,
    GamePolicy,
    GameTurnout,
    Guesses,
    HeldPress,
    HoldPress,
    Invite,
    KnowPoster,
    LetterChoice,
    MakeOffer,
    NoteAbsence,
    NoteCopyWarning,
    NoteGuesses,
    NotePerson,
    OfferSeat,
    Person,
    PersonAction,
    PlayerBlock,
    Poster,
    Press,
    ReleasePress,
    Request,
    ScheduleForgetting,
    SendPress,
    SetCustoms,
    SetPlayerBan,
    SetPlayerBlocks,
    SignOut,
    SignUp,
    Signup,
    Subscription,
    TakeVoteBack,
    TellGamesmaster,
    Vote,
    Watch,
)
from games.protocol import Seat
from games.record import replace_fields


@dataclass
class MemoryPeople:
    """Implements the repository of people in memory."""

    run_by: dict[str, GameGms] = field(default_factory=dict)
    turned_up: dict[str, dict[str, GameTurnout]] = field(default_factory=dict)
    known: dict[str, Person] = field(default_factory=dict)
    rules: dict[str, GamePolicy] = field(default_factory=dict)
    awaiting: dict[str, GameOffer] = field(default_factory=dict)
    signed: dict[tuple[str, str], Signup] = field(default_factory=dict)
    watching: set[tuple[str, str]] = field(default_factory=set)
    vacant: list[tuple[str, Seat]] = field(default_factory=list)
    cast: dict[tuple[str, Seat], Vote] = field(default_factory=dict)
    away: dict[tuple[str, Seat], Absence] = field(default_factory=dict)
    said: list[tuple[str, Press]] = field(default_factory=list)
    guessed: dict[tuple[str, Seat], Guesses] = field(default_factory=dict)
    asked: dict[tuple[str, str], Request] = field(default_factory=dict)
    chosen: dict[tuple[str, Seat, str], LetterChoice] = field(default_factory=dict)
    subscribed: dict[str, Subscription] = field(default_factory=dict)
    warned: set[tuple[str, Seat, str]] = field(default_factory=set)
    posting: dict[tuple[str, Seat], Poster] = field(default_factory=dict)
    blocked: dict[str, tuple[PlayerBlock, ...]] = field(default_factory=dict)
    banned: dict[str, Ban] = field(default_factory=dict)
    admitted: set[tuple[str, str]] = field(default_factory=set)
    forgets: dict[str, Millis] = field(default_factory=dict)

    def person(self, address: str) -> Person | None:
        return self.known.get(address)

    def gms(self, game: str) -> GameGms:
        return self.run_by.get(game, GameGms())

    def games_run_by(self, address: str) -> tuple[str, ...]:
        return tuple(sorted(game for game, gms in self.run_by.items() if gms.find(address)))

    def policy(self, game: str) -> GamePolicy:
        return self.rules.get(game, GamePolicy())

    def turnouts(self, address: str) -> Mapping[str, GameTurnout]:
        return self.turned_up.get(address, {})

    def blocks(self, address: str) -> tuple[PlayerBlock, ...]:
        return self.blocked.get(address, ())

    def ban(self, address: str) -> Ban | None:
        return self.banned.get(address)

    def is_admitted(self, game: str, address: str) -> bool:
        return (game, address) in self.admitted

    def names_of(self, address: str) -> tuple[str, ...]:
        return (address,)

    def forgetting(self, address: str) -> Millis | None:
        return self.forgets.get(address)

    def personal_data(self, address: str, now: Millis) -> Mapping[str, Any]:
        return {"address": address, "made": now}

    def private_games(self) -> frozenset[str]:
        return frozenset(game for game, customs in self.rules.items() if customs.listed == "no")

    def offers(self) -> tuple[GameOffer, ...]:
        return tuple(self.awaiting[name] for name in sorted(self.awaiting))

    def offer(self, name: str) -> GameOffer | None:
        return self.awaiting.get(name)

    def signups(self, game: str) -> tuple[Signup, ...]:
        return tuple(
            sorted((one for one in self.signed.values() if one.game == game), key=lambda one: one.since)
        )

    def signed_up(self, address: str) -> tuple[Signup, ...]:
        return tuple(one for one in self.signed.values() if one.address == address)

    def observers(self, game: str) -> tuple[str, ...]:
        return tuple(sorted(address for name, address in self.watching if name == game))

    def vacancies(self, game: str) -> tuple[Seat, ...]:
        return tuple(seat for name, seat in self.vacant if name == game)

    def vacant_seats(self) -> Mapping[str, tuple[Seat, ...]]:
        return {name: self.vacancies(name) for name, _ in sorted(self.vacant)}

    def votes(self, game: str) -> Mapping[Seat, Vote]:
        return {seat: vote for (name, seat), vote in self.cast.items() if name == game}

    def absences(self, game: str) -> tuple[Absence, ...]:
        return tuple(one for (name, _), one in self.away.items() if name == game)

    def press(self, game: str, since: Millis = 0) -> tuple[Press, ...]:
        return tuple(one for name, one in self.said if name == game and one.at >= since)

    def press_of(self, key: str) -> Press | None:
        return None

    def held_press(self, game: str | None = None) -> tuple[HeldPress, ...]:
        return ()

    def guesses(self, game: str, seat: Seat) -> Guesses:
        return self.guessed.get((game, seat), NO_GUESSES)

    def is_warned_of_copies(self, game: str, seat: Seat, address: str) -> bool:
        return (game, seat, address) in self.warned

    def requests(self, address: str) -> tuple[Request, ...]:
        return tuple(one for (who, _), one in self.asked.items() if who == address)

    def requests_by_mark(self, mark: str) -> tuple[Request, ...]:
        return tuple(one for one in self.asked.values() if one.mark == mark)

    def choices(self, game: str) -> tuple[LetterChoice, ...]:
        return tuple(one for (name, _, _), one in self.chosen.items() if name == game)

    def posters(self, game: str) -> tuple[Poster, ...]:
        return tuple(one for (name, _), one in sorted(self.posting.items()) if name == game)

    def threads(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for game, customs in sorted(self.rules.items()):
            if customs.forum:
                found[customs.forum] = (*found.get(customs.forum, ()), game)
        return found

    def subscription(self, address: str) -> Subscription | None:
        return self.subscribed.get(address)

    def subscriptions(self) -> tuple[Subscription, ...]:
        return tuple(one for one in self.subscribed.values() if one.digest != "off")

    def do(self, action: PersonAction) -> None:
        """Apply an action, as the database does."""
        match action:
            case NotePerson():
                self.known[action.person.address] = action.person
            case SetCustoms():
                self.rules[action.game] = action.customs
            case MakeOffer():
                self.awaiting[action.offer.name] = action.offer
            case DropOffer():
                del self.awaiting[action.name]
            case SignUp():
                self.signed[action.signup.game, action.signup.address] = action.signup
            case SignOut():
                self.signed.pop((action.game, action.address), None)
            case Watch(watches=True):
                self.watching.add((action.game, action.address))
            case Watch():
                self.watching.discard((action.game, action.address))
            case OfferSeat():
                self.vacant.append((action.game, action.seat))
            case FillSeat():
                self.vacant.remove((action.game, action.seat))
            case CastVote():
                self.cast[action.game, action.vote.seat] = action.vote
            case TakeVoteBack():
                self.cast.pop((action.game, action.seat), None)
            case NoteAbsence(absence=None):
                self.away.pop((action.game, action.seat), None)
            case NoteAbsence():
                self.away[action.game, action.seat] = action.absence
            case SendPress():
                self.said.append((action.game, action.press))
            case HoldPress() | ReleasePress():
                pass  # nothing to store: the action decides this itself
            case NoteGuesses():
                assert self.guesses(action.game, action.seat) == action.before
                self.guessed[action.game, action.seat] = action.after
            case NoteCopyWarning():
                self.warned.add((action.game, action.seat, action.address))
            case ChooseLetters():
                self._choose_letters(action)
            case ChooseDigest():
                self.subscribed[action.address] = Subscription(
                    address=action.address, digest=action.digest, seen=action.at
                )
            case ScheduleForgetting(due=None):
                self.forgets.pop(action.address, None)
            case ScheduleForgetting():
                self.forgets[action.address] = action.due
            case AskBack() | AskToForget():
                self.asked[action.request.address, action.request.mark] = action.request
            case Answered():
                self.asked.pop((action.address, action.mark), None)
            case KnowPoster():
                self.posting[action.game, action.poster.seat] = action.poster
            case ForgetPoster():
                before = self.posting[action.game, action.seat]
                self.posting[action.game, action.seat] = replace_fields(before, name="")
            case SetPlayerBlocks():
                assert self.blocks(action.address) == action.before
                self.blocked[action.address] = action.blocks
            case SetPlayerBan(ban=None):
                self.banned.pop(action.address, None)
            case SetPlayerBan():
                self.banned[action.address] = action.ban
            case AdmitPlayer():
                self.admitted.add((action.game, action.address))
            case Invite() | TellGamesmaster():
                pass  # its email is all that it does
            case _:
                raise AssertionError(f"nobody can do {action}")

    def _choose_letters(self, choice: ChooseLetters) -> None:
        key = choice.game, choice.seat, choice.address
        before = self.chosen.get(key) or LetterChoice(seat=choice.seat, address=choice.address)
        fields = {"detail": choice.detail, "reasons": choice.reasons, "every": choice.every}
        self.chosen[key] = replace_fields(before, **{name: value for name, value in fields.items() if value})
