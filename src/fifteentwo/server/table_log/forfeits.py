"""The rows by which people leave a game and come back: what may be added, as the ledger stands."""

from fifteentwo.contest.table import Taken
from fifteentwo.rules.actions import Action, Forfeit
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.bodies import Acted, Away, CameBack, Playing
from fifteentwo.server.table_log.dealing import and_draws
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proposals import row_of
from fifteentwo.server.table_log.rows import Row


def forfeit(ledger: Ledger, person: int, why: ForfeitedFor) -> Row:
    """Return the row of a person's forfeit; Refused or IllegalAction where no game is being played."""
    _must_be_playing(ledger)
    given_up = Forfeit(ledger.seat_of(person), why)
    step(ledger.table.state, given_up)
    return row_of(ledger, "forfeited", Acted((given_up,)))


def stand_in(ledger: Ledger, person: int, level: str) -> Row:
    """Return the row by which a level plays for a person; Refused where one does, or no game is played."""
    _must_be_playing(ledger)
    if person in ledger.disconnects.levels:
        raise Refused("level-plays-for-you", status=409)
    state, actions = ledger.table.state, tuple[Action, ...]()
    if state.phase is Phase.DRAW and ledger.seeds is not None:
        # Computers draw at once, before any person, and as was committed to.
        computers = (*ledger.dealing.played_by_levels, ledger.match.seating.index(person))
        actions = and_draws(Taken(state, (), ()), ledger.table.decks, computers).actions
    return row_of(ledger, "stood_in", Playing(person, level, actions))


def come_back(ledger: Ledger, person: int) -> Row:
    """Return the row by which a person plays again; Refused where no level plays for them, or must first."""
    _must_be_playing(ledger)
    if person not in ledger.disconnects.levels:
        raise Refused("no-computer-plays-for-you", status=409)
    if plays_first(ledger, person):
        raise Refused("level-plays-first", status=409)
    return row_of(ledger, "came_back", CameBack(person))


def plays_first(ledger: Ledger, person: int) -> bool:
    """Return whether the level that plays for a person has still to do what they let their time run out for.

    If they could take the seat again before that, they would have the whole time again, each time.
    """
    since = [span.after for span in ledger.disconnects.spans if span.person == person and span.up_to is None]
    if not since or person not in ledger.asked:
        return False
    seat = ledger.seat_of(person)
    return all(getattr(action, "seat", None) != seat for action in ledger.table.actions[since[-1] :])


def note_away(ledger: Ledger, person: int, seconds: float) -> Row:
    """Return the row that notes how long the table waited for a person away."""
    _must_be_playing(ledger)
    return row_of(ledger, "away", Away(person, seconds))


def _must_be_playing(ledger: Ledger) -> None:
    if ledger.awaited or ledger.dealing.naming:
        raise Refused("seeds-awaited", status=409)
    if ledger.closed:
        raise Refused("game-closed", status=409)
    if ledger.table.over:
        raise IllegalAction("game-over", "R14")
