"""The dealing of one game (docs/dealing.md): commitments, then seeds, then the decks and the public links."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import msgspec

from fifteentwo.contest.match import Match
from fifteentwo.contest.same_decks import DeckTops, with_tops
from fifteentwo.rules.actions import Action, Cut, Deal, NameDealer
from fifteentwo.rules.cards import Card
from fifteentwo.rules.decks import Decks
from fifteentwo.rules.record import COMPUTER, NO_COMMITMENT
from fifteentwo.rules.state import NO_SEAT, Phase, State
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log import dealing
from fifteentwo.server.table_log.dealing import SeededDecks, link

_HEX = re.compile("[0-9a-f]{64}")


class Stage(StrEnum):
    COMMITTING = "committing"
    REVEALING = "revealing"
    DEALING = "dealing"


class Seeds(msgspec.Struct, frozen=True):
    """The commitments and the seeds of a game's people, by person number."""

    # No page is asked for a seed before all commitments are made, and a commitment is final: nobody who knows
    # the others' seeds can choose their own. A missing seed is never replaced.
    people: tuple[int, ...]
    """The people who must commit, by number."""
    commitments: Mapping[int, str] = {}
    """Hexadecimal; empty for a page that has no seed."""
    seeds: Mapping[int, str] = {}

    @property
    def stage(self) -> Stage:
        if any(person not in self.commitments for person in self.people):
            return Stage.COMMITTING
        return Stage.REVEALING if self.awaited_people else Stage.DEALING

    @property
    def awaited_people(self) -> tuple[int, ...]:
        """The people whose pages must commit or reveal before the first card."""
        uncommitted = tuple([person for person in self.people if person not in self.commitments])
        return uncommitted or tuple(
            [person for person in self.people if self.commitments[person] and person not in self.seeds]
        )

    def with_commitment(self, person: int, commitment: str) -> "Seeds":
        """Return the seeds with a commitment. Raise Refused if it is invalid, repeated or not asked for."""
        if commitment and not _HEX.fullmatch(commitment):
            raise Refused("commitment-unreadable")
        if person not in self.people or person in self.commitments:
            raise Refused("committed-already", status=409)
        return msgspec.structs.replace(self, commitments={**self.commitments, person: commitment})

    def without_person(self, person: int, *, is_next_asked: bool) -> "Seeds":
        """Return the seeds without a commitment. is_next_asked: the next person at the seat must commit."""
        if person not in self.people or self.stage is not Stage.COMMITTING:
            raise Refused("seat-not-cleared", status=409)
        commitments = {one: promised for one, promised in self.commitments.items() if one != person}
        people = self.people if is_next_asked else tuple([one for one in self.people if one != person])
        return msgspec.structs.replace(self, people=people, commitments=commitments)

    def with_seed(self, person: int, seed: str) -> "Seeds":
        """Return the seeds with a seed. Raise Refused if it is early, or is not what was committed to."""
        if self.stage is not Stage.REVEALING or person not in self.awaited_people:
            raise Refused("seed-not-awaited", status=409)
        if not _HEX.fullmatch(seed) or dealing.commitment_to(bytes.fromhex(seed)) != self.commitments[person]:
            raise Refused("seed-not-as-committed")
        return msgspec.structs.replace(self, seeds={**self.seeds, person: seed})


class GameDealing(NamedTuple):
    """The dealing of one game. Its seats are people's first seats."""

    match: Match
    """The match before the game."""
    secret: bytes
    """The server's last link, or the one secret that decides the game."""
    seeds: Seeds | None
    """The seeds of its people; None if one secret decides the game."""
    opening: tuple[Action, ...]
    """The actions before any seat could act."""
    deck_tops: DeckTops = ()
    """Known cards on top of the decks of the match's first game."""
    state: State | None = None
    """The present state of the game; None before its opening."""
    is_abandoned: bool = False
    replaced_people: tuple[int, ...] = ()

    @property
    def commitment(self) -> str:
        """The server's commitment; empty if the game is dealt from one secret."""
        return "" if self.seeds is None else dealing.commitment_to(link(self.secret, 0))

    @property
    def awaited_people(self) -> tuple[int, ...]:
        """The people whose pages must commit or reveal; nobody while a dealer must be named."""
        return () if self.seeds is None or self.is_naming_dealer else self.seeds.awaited_people

    @property
    def is_naming_dealer(self) -> bool:
        """Whether a dealer must be named; the seeds are revealed later, so that nobody knows a card."""
        seeds = self.seeds
        if seeds is None or self.state is None:
            return False
        return self.state.phase is Phase.NAME_DEALER and seeds.stage is Stage.REVEALING

    @property
    def public_links(self) -> tuple[str, ...]:
        """The links that open the draws and the finished deals."""
        opened = self.public_link_count
        links = [link(self.secret, opened - 1)] if opened else []
        for _ in range(opened - 1):
            links.append(dealing.sha256(links[-1]))
        return tuple([one.hex() for one in reversed(links)])

    @property
    def public_link_count(self) -> int:
        """The number of public links: of the draws, once there is a dealer, and of each finished deal."""
        if self.seeds is None or self.seeds.stage is not Stage.DEALING or self.state is None:
            return 0
        over = self.is_abandoned or self.state.won is not None
        if self.state.dealer == NO_SEAT and not over:
            return 0
        playing = self.state.phase not in (Phase.CUT, Phase.DEAL, Phase.OVER) and not over
        return 1 + min(self.state.deal - playing, dealing.CHAIN_LINKS - (1 if over else 2))

    @property
    def recorded_commitments(self) -> tuple[str, ...]:
        """The commitment of each seat, as in a record; empty until it is made."""
        if self.seeds is None:
            return ()
        asked = {person: self.seeds.commitments.get(person) for person in self.seeds.people}
        promised = {person: "" if one is None else one or NO_COMMITMENT for person, one in asked.items()}
        return tuple([promised.get(person, COMPUTER) for person in self.match.seating])

    @property
    def recorded_seeds(self) -> tuple[str, ...]:
        """The seed of each seat, as in a record; empty until all seeds are known."""
        if self.seeds is None or self.seeds.stage is not Stage.DEALING:
            return ()
        return tuple([self.seeds.seeds.get(person, "") for person in self.match.seating])

    @property
    def level_seats(self) -> tuple[int, ...]:
        """The first seats of computers and of replaced people; none if one secret decides the game."""
        if self.seeds is None:
            return ()
        people, seating = self.seeds.people, self.match.seating
        computers = [seat for seat, person in enumerate(seating) if person not in people]
        return (*computers, *[seating.index(person) for person in self.replaced_people])

    @property
    def is_from_position(self) -> bool:
        """Whether the game started from a position of another game, or from dealt cards."""
        return self.seeds is None and any(isinstance(action, Deal) for action in self.opening)

    @property
    def is_dealer_named(self) -> bool:
        """Whether the first dealer was named, even if the rules have a draw for the deal."""
        return self.match.dealer != NO_SEAT or isinstance(next(iter(self.opening), None), NameDealer)

    @property
    def decks(self) -> Decks:
        """The decks, which give no card before all seeds are known."""
        if self.seeds is not None:
            return self.seeded_decks(self.seeds) if self.seeds.stage is Stage.DEALING else _no_cards_yet
        tops = () if self.match.played else self.deck_tops
        decks = with_tops(dealing.decks_of_secret(self.secret), tops)
        return dealing.decks_from_position(decks, self.opening)

    def seeded_decks(self, seeds: Seeds) -> SeededDecks:
        """Return the decks that these seeds decide; "-" replaces the seed of a person who has none."""
        secret, seating = self.secret, self.match.seating
        by_seat = [seeds.seeds.get(person, "-") for person in seating if person in seeds.people]
        # Computers' draws get their places first, then people's draws.
        order = sorted(range(len(seating)), key=lambda seat: (seating[seat] in seeds.people, seat))
        return SeededDecks(lambda number: link(secret, number), by_seat, order)

    def next_cut(self) -> Cut | None:
        """Return the cut that is due now; None if none is due, or if the seat chooses where to cut."""
        decks = self.decks
        if self.state is None or not isinstance(decks, SeededDecks):
            return None
        return dealing.seeded_cut(self.state, decks)


def _no_cards_yet(name: str) -> tuple[Card, ...]:
    raise ValueError(f"{name}: no card before all seeds are known")
