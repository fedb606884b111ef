"""Rows that may be added to a log as its ledger stands; Refused or IllegalAction where they may not."""

import msgspec

from fifteentwo.contest.table import Taken
from fifteentwo.rules.actions import Accept, Action, NameDealer, SeatAction
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.state import NO_SEAT, Phase
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.bodies import Acted, Began, Committed, Revealed, Undone, Unseated
from fifteentwo.server.table_log.dealing import and_draws, from_one_secret, pressed
from fifteentwo.server.table_log.ledger import Ledger, decided
from fifteentwo.server.table_log.rows import Row
from fifteentwo.server.table_log.seeds import Seeds, Stage
from fifteentwo.server.table_log.undo import undoable


def row_of(ledger: Ledger, kind: str, body: msgspec.Struct) -> Row:
    """Return the next row of a log."""
    return Row(ledger.seq + 1, kind, to_json(body).decode())


def new_game(ledger: Ledger, secret: bytes, people: tuple[int, ...] | None = None) -> Row:
    """Return the row that begins the next game; Refused while one is being played.

    people: those asked for a seed before the first card; None: the game is dealt from the one secret.
    """
    if ledger.seq and not ledger.table.over:
        raise Refused("game-not-over", "R14")
    match = ledger.standing.following if ledger.seq else ledger.match
    if people is not None:
        named = () if match.dealer == NO_SEAT else (NameDealer(match.dealer),)
        return row_of(ledger, "began", Began(secret.hex(), named, people))
    return row_of(ledger, "began", Began(secret.hex(), tuple(match.table(from_one_secret(secret)).actions)))


def go_on(ledger: Ledger, secret: bytes, position: Record) -> Row:
    """Return the row that begins the first game at the position a record leads to.

    The cards of its deal stay; what was not turned up yet, and all later deals, follow from the secret.
    """
    return row_of(ledger, "began", Began(secret.hex(), position.actions))


def commit(ledger: Ledger, person: int, promised: str) -> Row:
    """Return the row of a page's commitment; Refused as `Seeds.committed`."""
    seeds = _seeds(ledger).committed(person, promised)
    return row_of(ledger, "committed", Committed(person, promised, _opened_by(ledger, seeds)))


def reveal(ledger: Ledger, person: int, seed: str) -> Row:
    """Return the row of a page's seed; Refused as `Seeds.revealed`."""
    if ledger.dealing.naming:
        raise Refused("seed-not-awaited", status=409)
    seeds = _seeds(ledger).revealed(person, seed)
    return row_of(ledger, "revealed", Revealed(person, seed, _opened_by(ledger, seeds)))


def unseat(ledger: Ledger, person: int, *, asked: bool) -> Row:
    """Return the row that clears a seat; Refused as `Seeds.without`."""
    seeds = _seeds(ledger).without(person, asked=asked)
    return row_of(ledger, "unseated", Unseated(person, asked, _opened_by(ledger, seeds)))


def close(ledger: Ledger) -> Row:
    """Return the row that ends an abandoned game; Refused where none is being played."""
    if ledger.table.over or ledger.closed:
        raise Refused("game-closed", status=409)
    return Row(ledger.seq + 1, "closed", "{}")


def act(ledger: Ledger, seat: int, action: SeatAction | NameDealer) -> tuple[Row, Taken]:
    """Return the row of what a seat does now, and what it leads to; IllegalAction where it may not."""
    if ledger.awaited:
        raise Refused("seeds-awaited", status=409)
    if ledger.closed:
        raise Refused("game-closed", status=409)
    table, dealing = ledger.table, ledger.dealing
    if isinstance(action, NameDealer):
        if table.state.phase is not Phase.NAME_DEALER:
            raise IllegalAction("not-now", "R28", phase=table.state.phase.value)
        taken = decided(table.state, (action,)) if dealing.naming else table.name_dealer(action.dealer)
    else:
        if action.seat == seat:
            action = pressed(table.state, table.decks, action)
        taken = table.propose(seat, action)
    taken = and_passes(and_draws(taken, table.decks, dealing.played_by_levels))
    return row_of(ledger, "acted", Acted(taken.actions)), taken


def and_passes(taken: Taken) -> Taken:
    """With what lets a claim of nothing for the first card of a count stand: one card alone makes nothing.

    No player is asked about it. Any other claim is asked about, right or wrong: the question would reveal it.
    """
    state, actions, events = taken.state, list(taken.actions), list(taken.events)
    while (
        state.phase is Phase.CHALLENGE and state.claim == 0 and not state.shown and len(state.in_count) == 1
    ):
        action = Accept(to_act(state)[0])
        state, more = step(state, action)
        actions.append(action)
        events.extend(more)
    return Taken(state, tuple(actions), tuple(events))


def act_themselves(
    ledger: Ledger, person: int, action: SeatAction | NameDealer, seen: int | None = None
) -> tuple[Row, Taken]:
    """Return what a person does, as `act`; Refused while a level plays for them: they come back first.

    seen: the last event they had. Refused if they have acted since: a message may arrive late, over a
    connection that its page has long given up, when the same card was pressed again, or another.
    """
    if person in ledger.disconnects.levels:
        raise Refused("level-plays-for-you", status=409)
    if seen is not None and _acted_since(ledger, person, seen):
        raise Refused("acted-already", status=409)
    return act(ledger, ledger.seat_of(person), action)


def _acted_since(ledger: Ledger, person: int, v: int) -> bool:
    if v < ledger.restarted:
        return True
    entries = (ledger.entry(number) for number in range(v + 1, ledger.v + 1))
    seats = ((entry.seated, getattr(entry.event, "seat", None)) for entry in entries)
    return any(seat is not None and seated[seat] == person for seated, seat in seats)


def undo(ledger: Ledger, seat: int) -> Row:
    """Return the row that takes back a seat's last action; Refused where a hidden card was learned since."""
    back_to = undoable(ledger, seat)
    if back_to is None:
        raise Refused("nothing-to-undo")
    return row_of(ledger, "undone", Undone(back_to))


def _seeds(ledger: Ledger) -> Seeds:
    if ledger.seeds is None:
        raise Refused("seed-not-awaited", status=409)
    return ledger.seeds


def _opened_by(ledger: Ledger, seeds: Seeds) -> tuple[Action, ...]:
    """Return what comes before any seat may act, once these seeds are complete."""
    if seeds.stage is not Stage.DEALING:
        return ()
    levels = [seat for seat, person in enumerate(ledger.match.seating) if person not in seeds.people]
    return and_draws(Taken(ledger.table.state, (), ()), ledger.dealing.seeded(seeds), levels).actions
