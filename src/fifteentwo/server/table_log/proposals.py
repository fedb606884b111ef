"""Rows that may be added to a log as its ledger stands; Refused or IllegalAction where they may not."""

from collections.abc import Iterator

import msgspec

from fifteentwo.contest.table import Outcome
from fifteentwo.rules.actions import Accept, Action, Forfeit, NameDealer, SeatAction
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import (
    Claimed,
    CountCleared,
    Discarded,
    Event,
    ForfeitedFor,
    Pegged,
    Played,
    WentGo,
)
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.state import NO_SEAT, Phase
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log.dealing import decks_of_secret, seeded_action, with_computer_draws
from fifteentwo.server.table_log.game_dealing import Seeds, Stage
from fifteentwo.server.table_log.ledger import Ledger, apply_actions
from fifteentwo.server.table_log.rows import (
    Acted,
    Away,
    Began,
    CameBack,
    Committed,
    Revealed,
    Row,
    StandIn,
    Undone,
    Unseated,
)


def make_row(ledger: Ledger, kind: str, body: msgspec.Struct) -> Row:
    return Row(ledger.seq + 1, kind, to_json(body).decode())


def new_game(ledger: Ledger, secret: bytes, people: tuple[int, ...] | None = None) -> Row:
    """Return the row that begins the next game; Refused while one is being played.

    people: those asked for a seed before the first card; None: the game is dealt from the one secret.
    """
    if ledger.seq and not ledger.table.over:
        raise Refused("game-not-over", "R14")
    match = ledger.match_so_far.next_match if ledger.seq else ledger.match
    if people is not None:
        named = () if match.dealer == NO_SEAT else (NameDealer(match.dealer),)
        return make_row(ledger, "began", Began(secret.hex(), named, people))
    return make_row(ledger, "began", Began(secret.hex(), tuple(match.table(decks_of_secret(secret)).actions)))


def start_from_position(ledger: Ledger, secret: bytes, position: Record) -> Row:
    """Return the row that begins the first game at the position a record leads to.

    The cards of its deal stay; what was not turned up yet, and all later deals, follow from the secret.
    """
    return make_row(ledger, "began", Began(secret.hex(), position.actions))


def commit(ledger: Ledger, person: int, commitment: str) -> Row:
    """Return the row of a page's commitment; Refused as `Seeds.committed`."""
    seeds = _seeds(ledger).with_commitment(person, commitment)
    return make_row(ledger, "committed", Committed(person, commitment, _opening_actions(ledger, seeds)))


def reveal(ledger: Ledger, person: int, seed: str) -> Row:
    """Return the row of a page's seed; Refused as `Seeds.revealed`."""
    if ledger.dealing.is_naming_dealer:
        raise Refused("seed-not-awaited", status=409)
    seeds = _seeds(ledger).with_seed(person, seed)
    return make_row(ledger, "revealed", Revealed(person, seed, _opening_actions(ledger, seeds)))


def clear_seat(ledger: Ledger, person: int, *, is_replacement_asked: bool) -> Row:
    """Return the row that clears a seat; Refused as `Seeds.without`."""
    seeds = _seeds(ledger).without_person(person, is_replacement_asked=is_replacement_asked)
    return make_row(
        ledger, "unseated", Unseated(person, is_replacement_asked, _opening_actions(ledger, seeds))
    )


def abandon(ledger: Ledger) -> Row:
    """Return the row that ends an abandoned game; Refused where none is being played."""
    if ledger.table.over or ledger.is_abandoned:
        raise Refused("game-closed", status=409)
    return Row(ledger.seq + 1, "closed", "{}")


def act(ledger: Ledger, seat: int, action: SeatAction | NameDealer) -> tuple[Row, Outcome]:
    """Return the row of what a seat does now, and what it leads to; IllegalAction where it may not."""
    if ledger.awaited_for_seeds:
        raise Refused("seeds-awaited", status=409)
    if ledger.is_abandoned:
        raise Refused("game-closed", status=409)
    table, dealing = ledger.table, ledger.dealing
    if isinstance(action, NameDealer):
        if table.state.phase is not Phase.NAME_DEALER:
            raise IllegalAction("not-now", "R28", phase=table.state.phase.value)
        taken = (
            apply_actions(table.state, (action,))
            if dealing.is_naming_dealer
            else table.name_dealer(action.dealer)
        )
    else:
        if action.seat == seat:
            action = seeded_action(table.state, table.decks, action)
        taken = table.propose(seat, action)
    taken = with_automatic_accepts(with_computer_draws(taken, table.decks, dealing.level_seats))
    return make_row(ledger, "acted", Acted(taken.actions)), taken


def with_automatic_accepts(taken: Outcome) -> Outcome:
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
    return Outcome(state, tuple(actions), tuple(events))


def act_in_person(
    ledger: Ledger, person: int, action: SeatAction | NameDealer, last_seen: int | None = None
) -> tuple[Row, Outcome]:
    """Return what a person does, as `act`; Refused while a level plays for them: they come back first.

    seen: the last event they had. Refused if they have acted since: a message may arrive late, over a
    connection that its page has long given up, when the same card was pressed again, or another.
    """
    if person in ledger.disconnects.levels:
        raise Refused("level-plays-for-you", status=409)
    if last_seen is not None and _has_acted_since(ledger, person, last_seen):
        raise Refused("acted-already", status=409)
    return act(ledger, ledger.seat_of(person), action)


def _has_acted_since(ledger: Ledger, person: int, v: int) -> bool:
    if v < ledger.restart_version:
        return True
    entries = (ledger.entry(number) for number in range(v + 1, ledger.v + 1))
    seats = ((entry.seated, getattr(entry.event, "seat", None)) for entry in entries)
    return any(seat is not None and seated[seat] == person for seated, seat in seats)


def _seeds(ledger: Ledger) -> Seeds:
    if ledger.seeds is None:
        raise Refused("seed-not-awaited", status=409)
    return ledger.seeds


def _opening_actions(ledger: Ledger, seeds: Seeds) -> tuple[Action, ...]:
    if seeds.stage is not Stage.DEALING:
        return ()
    levels = [seat for seat, person in enumerate(ledger.match.seating) if person not in seeds.people]
    return with_computer_draws(
        Outcome(ledger.table.state, (), ()), ledger.dealing.seeded_decks(seeds), levels
    ).actions


# ── Leaving a game and coming back ───────────────────────────────────────────────────────────────────────


def forfeit(ledger: Ledger, person: int, why: ForfeitedFor) -> Row:
    """Return the row of a person's forfeit; Refused or IllegalAction where no game is being played."""
    _check_playing(ledger)
    given_up = Forfeit(ledger.seat_of(person), why)
    step(ledger.table.state, given_up)
    return make_row(ledger, "forfeited", Acted((given_up,)))


def stand_in(ledger: Ledger, person: int, level: str) -> Row:
    """Return the row by which a level plays for a person; Refused where one does, or no game is played."""
    _check_playing(ledger)
    if person in ledger.disconnects.levels:
        raise Refused("level-plays-for-you", status=409)
    state, actions = ledger.table.state, tuple[Action, ...]()
    if state.phase is Phase.DRAW and ledger.seeds is not None:
        # Computers draw at once, before any person, and as was committed to.
        computers = (*ledger.dealing.level_seats, ledger.match.seating.index(person))
        actions = with_computer_draws(Outcome(state, (), ()), ledger.table.decks, computers).actions
    return make_row(ledger, "stood_in", StandIn(person, level, actions))


def come_back(ledger: Ledger, person: int) -> Row:
    """Return the row by which a person plays again; Refused where no level plays for them, or must first."""
    _check_playing(ledger)
    if person not in ledger.disconnects.levels:
        raise Refused("no-computer-plays-for-you", status=409)
    if must_level_act_first(ledger, person):
        raise Refused("level-plays-first", status=409)
    return make_row(ledger, "came_back", CameBack(person))


def must_level_act_first(ledger: Ledger, person: int) -> bool:
    """Return whether the level that plays for a person has still to do what they let their time run out for.

    If they could take the seat again before that, they would have the whole time again, each time.
    """
    since = [
        span.first_action
        for span in ledger.disconnects.spans
        if span.person == person and span.end_action is None
    ]
    if not since or person not in ledger.waiting_since:
        return False
    seat = ledger.seat_of(person)
    return all(getattr(action, "seat", None) != seat for action in ledger.table.actions[since[-1] :])


def log_absence(ledger: Ledger, person: int, seconds: float) -> Row:
    """Return the row that notes how long the table waited for a person away."""
    _check_playing(ledger)
    return make_row(ledger, "away", Away(person, seconds))


def _check_playing(ledger: Ledger) -> None:
    if ledger.awaited_for_seeds or ledger.dealing.is_naming_dealer:
        raise Refused("seeds-awaited", status=409)
    if ledger.is_abandoned:
        raise Refused("game-closed", status=409)
    if ledger.table.over:
        raise IllegalAction("game-over", "R14")


# ── Undo ─────────────────────────────────────────────────────────────────────────────────────────────────


def undo(ledger: Ledger, seat: int) -> Row:
    """Return the row that takes back a seat's last action; Refused where a hidden card was learned since."""
    back_to = undoable_row(ledger, seat)
    if back_to is None:
        raise Refused("nothing-to-undo")
    return make_row(ledger, "undone", Undone(back_to))


def undoable_row(ledger: Ledger, seat: int) -> int | None:
    """Return the row of a seat's last action, where nothing has been learned by it or since it.

    While pegging, a card that leaves another to act is knowledge by itself: had they none that fits, they
    would have gone. Whether it may be taken back thus never depends on a card that the seat cannot see.
    """
    for seq, taken in _undoable_steps(ledger, seat):
        state = taken.state
        return None if state.phase is Phase.PLAY and state.turn != seat else seq
    return None


def first_undoable_row(ledger: Ledger, seat: int) -> int | None:
    """Return the first row that a seat may come to take back, one after another."""
    return min((seq for seq, _ in _undoable_steps(ledger, seat)), default=None)


def _undoable_steps(ledger: Ledger, seat: int) -> Iterator[tuple[int, Outcome]]:
    for seq, taken in () if ledger.is_abandoned else reversed(ledger.steps):
        if not all(_reveals_nothing(event, seat) for event in taken.events):
            return
        if getattr(taken.actions[0], "seat", NO_SEAT) == seat:
            yield seq, taken


def _reveals_nothing(event: Event, seat: int) -> bool:
    """Whether a seat learns nothing from an event that it did not know: no card, and no word about one."""
    match event:
        case Discarded() | Pegged() | CountCleared():
            return True
        case Played() | WentGo() | Claimed():
            return event.seat == seat
        case _:
            return False
