"""Games and matches between levels, your own players and external programs."""

import secrets
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from time import monotonic
from typing import Any, Unpack

import msgspec

from fifteentwo.contest.arena import ReportProgress, Running, arena
from fifteentwo.contest.entrants import Entrant
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.library.arguments import MAX_GAMES, MAX_JOBS, read_rules, whole_number
from fifteentwo.library.entrants import PlayerError, PlayerLike, UserEntrant, entrant, random_state_restored
from fifteentwo.library.records import Record
from fifteentwo.players import Closes, Player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import InvalidArgument
from fifteentwo.rules.variants import FirstDealer, RuleOptions


class LuckAdjusted(msgspec.Struct, frozen=True):
    """A share of games won less the luck of the cards, with its 95 % interval."""

    win_rate: float
    ci95: tuple[float, float]


class Failures(msgspec.Struct, frozen=True):
    """Games that an external program lost because it failed."""

    player: str
    code: str
    games: int
    first: int
    """Number of the first of these games, from 1."""
    detail: str


class MatchResult(msgspec.Struct, frozen=True):
    """The result of a match. Pairs are for the first and the second player; shares are the first's.

    `print` writes what `fifteentwo arena` writes; `to_dict` returns the fields of `--json`.
    """

    players: tuple[str, str] = msgspec.field(name="levels")
    variant: str
    seed: int
    games: int
    wins: tuple[int, int]
    win_rate: float
    """Share of games that the first player won."""
    ci95: tuple[float, float]
    """95 % interval of `win_rate`, from pairs of games on the same cards."""
    luck_adjusted: LuckAdjusted | None
    """`win_rate` less the luck of the cards; None if it was not measured."""
    points: tuple[float, float]
    """Mean points in a game."""
    skunks: tuple[int, int]
    double_skunks: tuple[int, int]
    deals_per_game: float
    failures: tuple[Failures, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, named as in `fifteentwo arena --json`."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return plain

    def text(self, lang: str = "en") -> str:
        """Return the result in words. lang: "en" or "ja"."""
        from fifteentwo.i18n.arena import arena_text

        return arena_text(self.to_dict(), lang)

    def __str__(self) -> str:
        return self.text()


def play(
    *players: PlayerLike | Sequence[PlayerLike],
    variant: str = "six-card",
    seed: int | None = None,
    **options: Unpack[RuleOptions],
) -> Record:
    """Play one game and return its record.

    Args:
        players: one for each seat, or a list of them: names of levels ("master"), objects with `act(view)`,
            functions from a View to an action, classes or functions without arguments that create a player,
            or `engine(…)`.
        variant: name of the variant.
        seed: seed of the cards, of the levels, and of your players' random choices by Python's `random` and
            NumPy's. The same seed gives the same game; None gives a different game each time.
        options: options of the rules as in `rules_for` (target=61, skunk=True, counting="claimed", …). With
            first_dealer="named" the first player deals.

    Raises:
        InvalidArgument: the number of players is not the variant's number of seats.
        UnknownLevel, UnknownVariant, InvalidRules: a name or option is unknown.
        PlayerError: a player failed; the error names the player, its seat and the deal.

    >>> record = play("club", "greedy", seed=7)
    >>> record.names, record.scores, record.winner
    (('club', 'greedy'), (121, 106), 0)
    """
    rules = read_rules(variant, **options)
    if seed is not None:
        whole_number(seed, "seed")
    given = players[0] if len(players) == 1 else players
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidArgument("not-players", "players", given)
    entrants = [entrant(one) for one in given]
    if len(entrants) != rules.seats:
        raise InvalidArgument("number-of-players", "players", f"{len(entrants)} / {rules.seats}")
    table = Table(rules, seeded(secrets.randbits(64) if seed is None else seed))
    if rules.first_dealer is FirstDealer.NAMED:
        table.adopt(table.name_dealer(0))
    with ExitStack() as leaving:
        if seed is not None:
            leaving.enter_context(random_state_restored())
        seated = []
        for seat, one in enumerate(entrants):
            seated.append(_seated(one, seat, seed))
            if isinstance(seated[-1], Closes):
                leaving.callback(seated[-1].close)
        failed = play_out(table, seated)
    if failed is not None:
        seat, error = table.state.seating.index(failed.player), failed.error
        name = entrants[failed.player].name
        raise PlayerError("player-failed", name, seat, table.state.deal, str(error)) from error
    return Record(rules=rules, names=tuple(one.name for one in entrants), actions=tuple(table.actions))


def _seated(one: Entrant, seat: int, seed: int | None) -> Player:
    """Return the player of a seat; a user's object is not copied."""
    own = None if seed is None else 4 * seed + seat
    if isinstance(one, UserEntrant):
        return one.player(own)
    return one.players(secrets.randbits(32) if own is None else own, 1)[0]


def _progress_written() -> ReportProgress:
    """Return a function that writes games played and seconds left, at most once a second."""
    from fifteentwo.i18n.arena import progress_text

    began = written = monotonic()

    def write(played: int, games: int) -> None:
        nonlocal written
        if played and (now := monotonic()) - written >= 1:
            written = now
            print(progress_text(played, games, (now - began) * (games / played - 1), "en"), file=sys.stderr)

    return write


def match(
    a: PlayerLike,
    b: PlayerLike,
    *,
    games: int = 1000,
    seed: int = 1,
    variant: str = "six-card",
    jobs: int | None = 1,
    luck: bool = False,
    progress: bool = False,
    **options: Unpack[RuleOptions],
) -> MatchResult:
    """Play two players against each other on duplicate deals, as `fifteentwo arena` does.

    Games are played in pairs on the same cards with the seats swapped. The same seed gives the same result
    for any `jobs` if players choose by Python's `random`, by NumPy's, or by their own generators; each
    process plays with copies of your objects.

    Args:
        a: the first player, as in `play`.
        b: the second player.
        games: even number of games.
        seed: seed of the cards and players.
        variant: name of the variant.
        jobs: number of processes; None for one for each core.
        luck: whether to measure the luck of the cards, which takes 10 to 60 ms a game.
        progress: whether to write the games played to standard error, as `fifteentwo arena` does.
        options: options of the rules. Cuts are off by default, and the first deal rotates.

    Raises:
        InvalidArgument: a number is out of range, or a player cannot be sent to other processes.
        UnknownLevel, UnknownVariant, InvalidRules, PlayerError: as in `play`.

    >>> result = match("greedy", "random", games=20)
    >>> result.win_rate > 0.5
    True
    """
    whole_number(games, "games", 1, MAX_GAMES)
    if games % 2:
        raise InvalidArgument("odd-number", "games", str(games))
    whole_number(seed, "seed")
    if jobs is not None:
        whole_number(jobs, "jobs", 1, MAX_JOBS)
    entrants = entrant(a), entrant(b)
    running = Running(jobs, report=_progress_written() if progress else None)
    with random_state_restored():
        result = arena(*entrants, games, seed, variant=variant, options=options, luck=luck, running=running)
    return msgspec.convert(result, MatchResult)
