"""One game's dealing (docs/dealing.md): commitments, then seeds, then the decks and the public links."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import msgspec

from fifteentwo.contest.match import Match
from fifteentwo.contest.same_decks import DeckTops, with_tops
from fifteentwo.contest.table import Decks
from fifteentwo.rules.actions import Action, Cut, Deal, NameDealer
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import COMPUTER, NOTHING
from fifteentwo.rules.state import NO_SEAT, Phase, State
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.dealing import (
    CHAIN_LINKS,
    SeededDecks,
    commitment_to,
    decks_from_position,
    decks_of_secret,
    link,
    seeded_cut,
    sha256,
)

_HEX = re.compile("[0-9a-f]{64}")


class Stage(StrEnum):
    """How far a game's seeds have been gathered."""

    COMMITTING = "committing"
    REVEALING = "revealing"
    DEALING = "dealing"


class Seeds(msgspec.Struct, frozen=True):
    """What the people of a game have committed to, and their seeds, by the number they came in.

    No page is asked for a seed before all commitments are in, and a commitment stands: nobody who knows the
    others' seeds can choose their own. Nothing replaces a seed that does not come.
    """

    people: tuple[int, ...]
    """All but the computers."""
    commitments: Mapping[int, str] = {}
    """Hexadecimal; empty for a page that brings no seed."""
    seeds: Mapping[int, str] = {}

    @property
    def stage(self) -> Stage:
        """How far these seeds have been gathered."""
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
        """Add a commitment; raise Refused if it is unreadable, comes twice, or is not asked for."""
        if commitment and not _HEX.fullmatch(commitment):
            raise Refused("commitment-unreadable")
        if person not in self.people or person in self.commitments:
            raise Refused("committed-already", status=409)
        return msgspec.structs.replace(self, commitments={**self.commitments, person: commitment})

    def without_person(self, person: int, *, is_replacement_asked: bool) -> "Seeds":
        """Drop a person's commitment; raise Refused once all are in. asked: the next person there commits."""
        if person not in self.people or self.stage is not Stage.COMMITTING:
            raise Refused("seat-not-cleared", status=409)
        commitments = {one: promised for one, promised in self.commitments.items() if one != person}
        people = self.people if is_replacement_asked else tuple([one for one in self.people if one != person])
        return msgspec.structs.replace(self, people=people, commitments=commitments)

    def with_seed(self, person: int, seed: str) -> "Seeds":
        """Add a seed; raise Refused before all commitments are in, or if it is not what was committed to."""
        if self.stage is not Stage.REVEALING or person not in self.awaited_people:
            raise Refused("seed-not-awaited", status=409)
        if not _HEX.fullmatch(seed) or commitment_to(bytes.fromhex(seed)) != self.commitments[person]:
            raise Refused("seed-not-as-committed")
        return msgspec.structs.replace(self, seeds={**self.seeds, person: seed})


class GameDealing(NamedTuple):
    """The dealing of one game as it stands; seats are those people came to."""

    match: Match
    """Before the game."""
    secret: bytes
    """What the decks follow from: the server's last link, or one secret."""
    seeds: Seeds | None
    """None where one secret decides the game."""
    opening: tuple[Action, ...]
    """The actions before any seat could act."""
    deck_tops: DeckTops = ()
    """Cards known to lie on top of the decks of the match's first game."""
    state: State | None = None
    """The game now; None before its opening."""
    is_abandoned: bool = False
    people_replaced: tuple[int, ...] = ()

    @property
    def commitment(self) -> str:
        """The server's commitment; empty if the game is dealt from one secret."""
        return "" if self.seeds is None else commitment_to(link(self.secret, 0))

    @property
    def awaited_people(self) -> tuple[int, ...]:
        """As `Seeds.awaited`; nobody while a dealer is to be named."""
        return () if self.seeds is None or self.is_naming_dealer else self.seeds.awaited_people

    @property
    def is_naming_dealer(self) -> bool:
        """Whether a dealer is to be named before the seeds are revealed: those who name know no card."""
        seeds = self.seeds
        if seeds is None or self.state is None:
            return False
        return self.state.phase is Phase.NAME_DEALER and seeds.stage is Stage.REVEALING

    @property
    def public_links(self) -> tuple[str, ...]:
        """What opens the draws and the deals that are over, and nothing of those to come."""
        opened = self.public_link_count
        links = [link(self.secret, opened - 1)] if opened else []
        for _ in range(opened - 1):
            links.append(sha256(links[-1]))
        return tuple([one.hex() for one in reversed(links)])

    @property
    def public_link_count(self) -> int:
        """How many links are public: of the draws, once there is a dealer, and of each deal that is over."""
        if self.seeds is None or self.seeds.stage is not Stage.DEALING or self.state is None:
            return 0
        over = self.is_abandoned or self.state.won is not None
        if self.state.dealer == NO_SEAT and not over:
            return 0
        playing = self.state.phase not in (Phase.CUT, Phase.DEAL, Phase.OVER) and not over
        return 1 + min(self.state.deal - playing, CHAIN_LINKS - 1 if over else CHAIN_LINKS - 2)

    @property
    def recorded_commitments(self) -> tuple[str, ...]:
        """What each seat's page committed to, as in a record; empty before it has."""
        if self.seeds is None:
            return ()
        asked = {person: self.seeds.commitments.get(person) for person in self.seeds.people}
        promised = {person: "" if one is None else one or NOTHING for person, one in asked.items()}
        return tuple([promised.get(person, COMPUTER) for person in self.match.seating])

    @property
    def recorded_seeds(self) -> tuple[str, ...]:
        """Every seat's seed, as in a record; empty before all of them are known."""
        if self.seeds is None or self.seeds.stage is not Stage.DEALING:
            return ()
        return tuple([self.seeds.seeds.get(person, "") for person in self.match.seating])

    @property
    def level_seats(self) -> tuple[int, ...]:
        """The first seats of levels, and of people away for whom levels play; none under one secret."""
        if self.seeds is None:
            return ()
        people, seating = self.seeds.people, self.match.seating
        computers = [seat for seat, person in enumerate(seating) if person not in people]
        return (*computers, *[seating.index(person) for person in self.people_replaced])

    @property
    def is_from_position(self) -> bool:
        """Whether the game went on from a position of another game, or from cards dealt before."""
        return self.seeds is None and any(isinstance(action, Deal) for action in self.opening)

    @property
    def is_dealer_named(self) -> bool:
        """Whether the first dealer was named, whatever the rules say of the draw."""
        return self.match.dealer != NO_SEAT or isinstance(next(iter(self.opening), None), NameDealer)

    @property
    def decks(self) -> Decks:
        """The decks, which give no card before all seeds are known."""
        if self.seeds is not None:
            return self.seeded_decks(self.seeds) if self.seeds.stage is Stage.DEALING else _no_cards_yet
        tops = () if self.match.played else self.deck_tops
        return decks_from_position(with_tops(decks_of_secret(self.secret), tops), self.opening)

    def seeded_decks(self, seeds: Seeds) -> SeededDecks:
        """Return the decks as these seeds decide them: of people alone, "-" for one who brings none."""
        secret, seating = self.secret, self.match.seating
        by_seat = [seeds.seeds.get(person, "-") for person in seating if person in seeds.people]
        # Draws get their places first for computers, then for people.
        order = sorted(range(len(seating)), key=lambda seat: (seating[seat] in seeds.people, seat))
        return SeededDecks(lambda number: link(secret, number), by_seat, order)

    def next_cut(self) -> Cut | None:
        """Return the cut that comes now; None if none does, or the seat that cuts chooses where."""
        decks = self.decks
        if self.state is None or not isinstance(decks, SeededDecks):
            return None
        return seeded_cut(self.state, decks)


def _no_cards_yet(name: str) -> tuple[Card, ...]:
    raise ValueError(f"{name}: no card before all seeds are known")
