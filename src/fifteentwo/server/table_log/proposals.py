"""The rows that may be added to a log. Functions raise Refused or IllegalAction if a row may not be added."""

from collections.abc import Iterator

import msgspec

from fifteentwo.contest.table import Outcome
from fifteentwo.rules import events
from fifteentwo.rules.actions import Accept, Action, Forfeit, NameDealer, SeatAction
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import Event, ForfeitedFor
from fifteentwo.rules.game import step, to_act
from fifteentwo.rules.record import to_json
from fifteentwo.rules.state import NO_SEAT, Phase
from fifteentwo.server.errors import Refused
from fifteentwo.server.table_log import rows as bodies
from fifteentwo.server.table_log.dealing import decks_of_secret, seeded_action, with_computer_draws
from fifteentwo.server.table_log.game_dealing import Seeds, Stage
from fifteentwo.server.table_log.ledger import Ledger, apply_actions
from fifteentwo.server.table_log.rows import Row


def make_row(ledger: Ledger, kind: str, body: msgspec.Struct) -> Row:
    return Row(ledger.seq + 1, kind, to_json(body).decode())


def new_game(
    ledger: Ledger, secret: bytes, people: tuple[int, ...] | None = None, dealer: int = NO_SEAT
) -> Row:
    """Return the row that starts the next game. people: those asked for a seed; None: one secret decides.

    dealer: the seat that deals first, if it is named although the match does not know it.
    """
    if ledger.seq and not ledger.table.over:
        raise Refused("game-not-over", "R14")
    match = ledger.match_so_far.next_match if ledger.seq else ledger.match
    if dealer != NO_SEAT:
        match = msgspec.structs.replace(match, dealer=dealer)
    if people is not None:
        named = () if match.dealer == NO_SEAT else (NameDealer(match.dealer),)
        return make_row(ledger, "began", bodies.BeganBody(secret.hex(), named, people))
    opening = tuple(match.table(decks_of_secret(secret)).actions)
    return make_row(ledger, "began", bodies.BeganBody(secret.hex(), opening))


def commit(ledger: Ledger, person: int, commitment: str) -> Row:
    actions = _opening_actions(ledger, _seeds_of(ledger).with_commitment(person, commitment))
    return make_row(ledger, "committed", bodies.CommittedBody(person, commitment, actions))


def reveal(ledger: Ledger, person: int, seed: str) -> Row:
    if ledger.dealing.is_naming_dealer:
        raise Refused("seed-not-awaited", status=409)
    seeds = _seeds_of(ledger).with_seed(person, seed)
    return make_row(ledger, "revealed", bodies.RevealedBody(person, seed, _opening_actions(ledger, seeds)))


def clear_seat(ledger: Ledger, person: int, *, is_next_asked: bool) -> Row:
    actions = _opening_actions(ledger, _seeds_of(ledger).without_person(person, is_next_asked=is_next_asked))
    return make_row(ledger, "unseated", bodies.UnseatedBody(person, is_next_asked, actions))


def abandon(ledger: Ledger) -> Row:
    if ledger.table.over or ledger.is_abandoned:
        raise Refused("game-closed", status=409)
    return Row(ledger.seq + 1, "closed", "{}")


def act(ledger: Ledger, seat: int, action: SeatAction | NameDealer) -> tuple[Row, Outcome]:
    """Return the row of a seat's action, and what it leads to. Raise IllegalAction if it is illegal."""
    if ledger.awaited_for_seeds:
        raise Refused("seeds-awaited", status=409)
    if ledger.is_abandoned:
        raise Refused("game-closed", status=409)
    table, dealing = ledger.table, ledger.dealing
    if isinstance(action, NameDealer):
        if table.state.phase is not Phase.NAME_DEALER:
            raise IllegalAction("not-now", "R28", phase=table.state.phase.value)
        is_opening = dealing.is_naming_dealer
        taken = apply_actions(table.state, (action,)) if is_opening else table.name_dealer(action.dealer)
    else:
        if action.seat == seat:
            action = seeded_action(table.state, table.decks, action)
        taken = table.propose(seat, action)
    taken = with_automatic_accepts(with_computer_draws(taken, table.decks, dealing.level_seats))
    return make_row(ledger, "acted", bodies.ActedBody(taken.actions)), taken


def with_automatic_accepts(taken: Outcome) -> Outcome:
    """Add the acceptance of a claim of nothing for the first card of a count, which cannot score."""
    # Every other claim is asked about, because the question alone would reveal whether it is right.
    state = taken.state
    while (
        state.phase is Phase.CHALLENGE and state.claim == 0 and not state.shown and len(state.in_count) == 1
    ):
        more = apply_actions(state, (Accept(to_act(state)[0]),))
        state = more.state
        taken = Outcome(state, (*taken.actions, *more.actions), (*taken.events, *more.events))
    return taken


def act_in_person(
    ledger: Ledger, person: int, action: SeatAction | NameDealer, last_seen: int | None = None
) -> tuple[Row, Outcome]:
    """Return the row of a person's action, as `act`. Raise Refused if they have acted after `last_seen`."""
    # A message can arrive late, over a connection that its page gave up, after the person has pressed again.
    if person in ledger.disconnects.levels_by_person:
        raise Refused("level-plays-for-you", status=409)
    if last_seen is not None and _has_acted_since(ledger, person, last_seen):
        raise Refused("acted-already", status=409)
    return act(ledger, ledger.seat_of(person), action)


def _has_acted_since(ledger: Ledger, person: int, version: int) -> bool:
    if version < ledger.restart_version:
        return True
    entries = (ledger.entry(number) for number in range(version + 1, ledger.v + 1))
    seats = ((entry.person_by_seat, getattr(entry.event, "seat", None)) for entry in entries)
    return any(seat is not None and seated[seat] == person for seated, seat in seats)


def _seeds_of(ledger: Ledger) -> Seeds:
    if ledger.seeds is None:
        raise Refused("seed-not-awaited", status=409)
    return ledger.seeds


def _opening_actions(ledger: Ledger, seeds: Seeds) -> tuple[Action, ...]:
    if seeds.stage is not Stage.DEALING:
        return ()
    levels = [seat for seat, person in enumerate(ledger.match.seating) if person not in seeds.people]
    before, decks = Outcome(ledger.table.state, (), ()), ledger.dealing.seeded_decks(seeds)
    return with_computer_draws(before, decks, levels).actions


def forfeit(ledger: Ledger, person: int, why: ForfeitedFor) -> Row:
    _check_playing(ledger)
    given_up = Forfeit(ledger.seat_of(person), why)
    step(ledger.table.state, given_up)
    return make_row(ledger, "forfeited", bodies.ActedBody((given_up,)))


def stand_in(ledger: Ledger, person: int, level: str) -> Row:
    """Return the row by which a level plays for a person. Raise Refused if one does, or no game is played."""
    _check_playing(ledger)
    if person in ledger.disconnects.levels_by_person:
        raise Refused("level-plays-for-you", status=409)
    state, actions = ledger.table.state, tuple[Action, ...]()
    if state.phase is Phase.DRAW and ledger.seeds is not None:
        # Computers draw before any person, at the places that the seeds decide.
        computers = (*ledger.dealing.level_seats, ledger.match.seating.index(person))
        actions = with_computer_draws(Outcome(state, (), ()), ledger.table.decks, computers).actions
    return make_row(ledger, "stood_in", bodies.StandInBody(person, level, actions))


def come_back(ledger: Ledger, person: int) -> Row:
    """Return the row by which a person plays again. Raise Refused if no level plays, or it must act first."""
    _check_playing(ledger)
    if person not in ledger.disconnects.levels_by_person:
        raise Refused("no-computer-plays-for-you", status=409)
    if must_level_act_first(ledger, person):
        raise Refused("level-plays-first", status=409)
    return make_row(ledger, "came_back", bodies.CameBackBody(person))


def must_level_act_first(ledger: Ledger, person: int) -> bool:
    """Return whether the level must still make the move for which the person ran out of time."""
    # A person who could take the seat again before that would have the whole time again, each time.
    spans = ledger.disconnects.spans
    since = [one.first_action for one in spans if one.person == person and one.end_action is None]
    if not since or person not in ledger.waiting_since:
        return False
    seat = ledger.seat_of(person)
    return all(getattr(action, "seat", None) != seat for action in ledger.table.actions[since[-1] :])


def log_absence(ledger: Ledger, person: int, seconds: float) -> Row:
    _check_playing(ledger)
    return make_row(ledger, "away", bodies.AwayBody(person, seconds))


def _check_playing(ledger: Ledger) -> None:
    if ledger.awaited_for_seeds or ledger.dealing.is_naming_dealer:
        raise Refused("seeds-awaited", status=409)
    if ledger.is_abandoned:
        raise Refused("game-closed", status=409)
    if ledger.table.over:
        raise IllegalAction("game-over", "R14")


def undo(ledger: Ledger, seat: int, *, past_turn: bool = False) -> Row:
    """Return the row that takes back a seat's last action. Raise Refused if a hidden card was seen since."""
    back_to = undoable_row(ledger, seat, past_turn=past_turn)
    if back_to is None:
        raise Refused("nothing-to-undo")
    return make_row(ledger, "undone", bodies.UndoneBody(back_to))


def undoable_row(ledger: Ledger, seat: int, *, past_turn: bool = False) -> int | None:
    """Return the row of a seat's last action if nothing was learned by it or since; otherwise None.

    past_turn: whether a card can be taken back although another player must act, as in a first game.
    """
    # While pegging, a card cannot be taken back once another player must act: that player can play a card, or
    # would have said go. This keeps the answer independent of all cards that the seat cannot see.
    for seq, taken in _undoable_steps(ledger, seat):
        state = taken.state
        return None if state.phase is Phase.PLAY and state.turn != seat and not past_turn else seq
    return None


def first_undoable_row(ledger: Ledger, seat: int) -> int | None:
    """Return the first row that a seat could take back by undoing repeatedly; None if it cannot undo."""
    return min((seq for seq, _ in _undoable_steps(ledger, seat)), default=None)


def _undoable_steps(ledger: Ledger, seat: int) -> Iterator[tuple[int, Outcome]]:
    """Yield the last steps of a seat, the newest first, up to one that revealed a card."""
    for seq, taken in () if ledger.is_abandoned else reversed(ledger.steps):
        if not all(_reveals_nothing(event, seat) for event in taken.events):
            return
        if getattr(taken.actions[0], "seat", NO_SEAT) == seat:
            yield seq, taken


def _reveals_nothing(event: Event, seat: int) -> bool:
    """Return whether an event shows a seat no card that it did not know."""
    match event:
        case events.Discarded() | events.Pegged() | events.CountCleared():
            return True
        case events.Played() | events.WentGo() | events.Claimed():
            return event.seat == seat
        case _:
            return False
