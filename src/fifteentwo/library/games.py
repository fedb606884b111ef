"""Games and matches between levels, players of one's own and external programs."""

import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import msgspec

from fifteentwo.contest.arena import Running, arena
from fifteentwo.contest.entrants import Entrant
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.library.arguments import MOST_GAMES, MOST_JOBS, read_rules, whole_number
from fifteentwo.library.entrants import FaultyPlayer, Given, PlayerLike, chance_kept, entrant
from fifteentwo.library.records import Record
from fifteentwo.players import Closes, Player
from fifteentwo.rules.errors import InvalidArgument
from fifteentwo.rules.variants import FirstDealer


class LuckAdjusted(msgspec.Struct, frozen=True):
    """A share of games won less what the deck did, with its 95 % interval."""

    win_rate: float
    ci95: tuple[float, float]


class Failures(msgspec.Struct, frozen=True):
    """Games that an external program lost because it could not go on."""

    player: str
    code: str
    games: int
    first: int
    """The number of the first of these games, from 1."""
    detail: str


class MatchResult(msgspec.Struct, frozen=True):
    """How a match ended: pairs are of the first player and the second, shares those of the first.

    `print` writes what `fifteentwo arena` does, `to_dict` gives what it writes with `--json`.
    """

    players: tuple[str, str] = msgspec.field(name="levels")
    """Their names."""
    variant: str
    seed: int
    games: int
    wins: tuple[int, int]
    win_rate: float
    """The share of games the first player won."""
    ci95: tuple[float, float]
    """The 95 % interval of `win_rate`, by pairs of games on the same cards."""
    luck_adjusted: LuckAdjusted | None
    """The same with the luck of the cards taken out; None where that was not asked for."""
    points: tuple[float, float]
    """Mean points a game."""
    skunks: tuple[int, int]
    double_skunks: tuple[int, int]
    deals_per_game: float
    failures: tuple[Failures, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what `fifteentwo arena --json` writes, as plain values."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain

    def text(self, lang: str = "en") -> str:
        """Return the result in words, in English ("en") or Japanese ("ja")."""
        from fifteentwo.i18n.arena import arena_text

        return arena_text(self.to_dict(), lang)

    def __str__(self) -> str:
        return self.text()


def play(
    players: Sequence[PlayerLike],
    *,
    variant: str = "six-card",
    seed: int | None = None,
    **options: Any,
) -> Record:
    """Play one game and return its record.

    players: one a seat; levels by name ("master"), objects with `act(view)`, what makes one (a class, a
    function without arguments), or `engine(…)`. seed: decides the cards, the levels and the random choices
    of your players (of Python's `random` and NumPy's): the same seed gives the same game; None is another
    game each time. options: of the rules, as in `rules_for` (target=61, skunk=True, counting="claimed", …);
    where first_dealer="named" the first player deals.

    InvalidArgument unless there are as many players as the variant has seats; UnknownLevel, UnknownVariant,
    InvalidRules; FaultyPlayer names a player that failed, its seat and the deal.

    >>> record = play(["club", "greedy"], seed=7)
    >>> record.names
    ('club', 'greedy')
    """
    rules = read_rules(variant, **options)
    if seed is not None:
        whole_number(seed, "seed")
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise InvalidArgument("not-players", "players", players)
    entrants = [entrant(one) for one in players]
    if len(entrants) != rules.seats:
        raise InvalidArgument("number-of-players", "players", f"{len(entrants)} / {rules.seats}")
    table = Table(rules, seeded(secrets.randbits(64) if seed is None else seed))
    if rules.first_dealer is FirstDealer.NAMED:
        table.adopt(table.name_dealer(0))
    with ExitStack() as leaving:
        if seed is not None:
            leaving.enter_context(chance_kept())
        seated = []
        for seat, one in enumerate(entrants):
            seated.append(_seated(one, seat, seed))
            if isinstance(seated[-1], Closes):
                leaving.callback(seated[-1].close)
        failed = play_out(table, seated)
    if failed is not None:
        seat, error = table.state.seating.index(failed.player), failed.error
        name = entrants[failed.player].name
        raise FaultyPlayer("player-failed", name, seat, table.state.deal, str(error)) from error
    return Record(rules=rules, names=tuple(one.name for one in entrants), actions=tuple(table.actions))


def _seated(one: Entrant, seat: int, seed: int | None) -> Player:
    """The player at a seat; of a user's object the object itself."""
    own = None if seed is None else 4 * seed + seat
    if isinstance(one, Given):
        return one.player(own)
    return one.players(secrets.randbits(32) if own is None else own, 1)[0]


def match(
    a: PlayerLike,
    b: PlayerLike,
    *,
    games: int = 1000,
    seed: int = 1,
    variant: str = "six-card",
    jobs: int | None = 1,
    luck: bool = True,
    **options: Any,
) -> MatchResult:
    """Play two players against each other on duplicate deals, as `fifteentwo arena` does.

    Games come in pairs on the same cards, seats swapped; an odd number is rounded up. a, b: as in `play`.
    The same seed gives the same result for any `jobs` (processes; None: one a core), where players choose
    by Python's `random`, by NumPy's, or by generators they hold: each process plays with copies of your
    objects. luck: also measure what the cards did, 10 to 60 ms a game. options: of the rules; cuts are left
    out unless asked for, and the first deal goes round.

    Errors as in `play`. InvalidArgument, too, where a player cannot be sent to other processes.

    >>> result = match("greedy", "random", games=20, luck=False)
    >>> result.win_rate > 0.5
    True
    """
    whole_number(games, "games", 1, MOST_GAMES)
    whole_number(seed, "seed")
    if jobs is not None:
        whole_number(jobs, "jobs", 1, MOST_JOBS)
    entrants = entrant(a), entrant(b)
    with chance_kept():
        result = arena(
            *entrants, games, seed, variant=variant, options=options, luck=luck, running=Running(jobs)
        )
    return msgspec.convert(result, MatchResult)
