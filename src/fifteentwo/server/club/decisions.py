"""Changes of an evening: each function returns one, or None if nothing is to change, or raises Refused.

`evenings.Evenings.change` stores them. `owner` is the account or session that asks.
"""

import secrets
from typing import NamedTuple

from fifteentwo.server.club.evening import (
    Began,
    Closed,
    Ended,
    Entered,
    Evening,
    EveningPerson,
    Event,
    Joined,
    Left,
    Reported,
    Table,
)
from fifteentwo.server.club.pairing import pair_round
from fifteentwo.server.club.scores import Outcome, Place
from fifteentwo.server.errors import Refused

MIN_PLAYERS = 4
"""Players with whom an evening may begin."""
MAX_PLAYERS = 60
MAX_REASON_LENGTH = 200


class Change(NamedTuple):
    """The event to store, and the person who is new with it."""

    event: Event
    person: EveningPerson | None = None


def join(evening: Evening, person: EveningPerson) -> Change | None:
    """Let a person join or come back. Checking in twice changes nothing."""
    state, number = evening.state, evening.number_of(person.owner or "")
    if number is not None and not state.players[number].has_left:
        return None
    if evening.settings.needs_account and not person.is_member:
        raise Refused("evening-needs-account", status=403)
    if state.is_closed or len(state.rounds) >= evening.settings.rounds:
        raise Refused("evening-over", status=409)
    if len(state.present) >= MAX_PLAYERS:
        raise Refused("evening-full", status=409, most=MAX_PLAYERS)
    if number is None:
        return Change(Joined(len(state.players), len(state.players)), person)
    if state.player_of(record := state.players[number].record) is not None:
        raise Refused("evening-has-substitute", status=409)
    return Change(Joined(number, record))


def leave(evening: Evening, owner: str, number: int) -> Change | None:
    """Let a person leave, by their own wish or the director's."""
    if number not in range(len(evening.people)):
        raise Refused("no-such-evening-player", status=404)
    if owner not in (evening.director, evening.people[number].owner):
        raise Refused("not-the-director", status=403)
    return None if evening.state.players[number].has_left else Change(Left(number))


def substitute(evening: Evening, owner: str, record: int, person: EveningPerson) -> Change:
    """Let a new person, or a level, play on for a record, whether its player has left or not."""
    _check_director(evening, owner)
    if record not in {one.record for one in evening.state.players}:
        raise Refused("no-such-evening-player", status=404)
    if person.level is not None and evening.settings.has_real_cards:
        raise Refused("no-level-at-real-cards", status=409)
    if person.owner is not None and evening.number_of(person.owner) is not None:
        raise Refused("evening-has-this-person", status=409)
    return Change(Joined(len(evening.people), record), person)


def begin(evening: Evening, number: int, director: str | None = None) -> Change | None:
    """Begin a round, numbered from 0, if it is the next one and no table of the last one is open.

    director: who begins it although tables are open.
    """
    state, rounds = evening.state, evening.settings.rounds
    if director is not None:
        _check_director(evening, director)
    if len(state.rounds) != number or (director is None and len(state.outcomes) < len(state.tables)):
        return None
    if state.is_closed or len(state.rounds) >= rounds:
        raise Refused("evening-over", status=409)
    least = 2 if state.rounds else MIN_PLAYERS
    if len(state.present) < least:
        raise Refused("too-few-players", status=409, least=least)
    pairing = pair_round(state.present, state.rounds, rounds, evening.settings.seed)
    return Change(Began(pairing, tuple(secrets.token_urlsafe(12) for _ in pairing.pairs)))


def enter(evening: Evening, owner: str, place: Place, scores: tuple[int, int]) -> Change:
    """Enter the scores of a player's own table with real cards, in the table's order."""
    table, number = _table(evening, place), evening.number_of(owner)
    players = [evening.state.player_of(record) for record in table.pair]
    if number is None or number not in players:
        raise Refused("not-your-evening-table", status=403)
    if table.outcome is not None or not evening.settings.has_real_cards:
        raise Refused("evening-table-has-ended", status=409)
    _check_outcome(evening, Outcome(scores))
    return Change(Entered(place, players.index(number), scores))


def end(evening: Evening, match_id: str, outcome: Outcome) -> Change | None:
    """End the table of a match, unless it has ended otherwise."""
    tables = evening.state.tables.items()
    places = (place for place, one in tables if one.match_id == match_id and one.outcome is None)
    return next((Change(Ended(place, outcome)) for place in places), None)


def correct(evening: Evening, owner: str, place: Place, outcome: Outcome, reason: str) -> Change:
    """Let the director end a table, or correct its result, with a reason that everybody sees."""
    _check_director(evening, owner)
    _table(evening, place)
    _check_outcome(evening, outcome)
    if not (reason := _one_line(reason)):
        raise Refused("reason-missing")
    return Change(Ended(place, outcome, reason))


def opponents_of(evening: Evening, owner: str | None) -> list[int]:
    """Return the numbers of a person's opponents so far; raise Refused if the person does not play."""
    state, number = evening.state, evening.number_of(owner or "")
    if number is None:
        raise Refused("report-players-only", status=403)
    record = state.players[number].record
    met = {one for table in state.tables.values() if record in table.pair for one in table.pair} - {record}
    return [one for one, player in enumerate(state.players) if player.record in met]


def report(evening: Evening, owner: str, about: int, sentence: str) -> Change:
    """Tell the director something about an opponent, once."""
    number, reports = evening.number_of(owner), evening.state.reports
    if about not in opponents_of(evening, owner) or number is None:
        raise Refused("no-such-evening-player", status=404)
    if any((one.number, one.about) == (number, about) for one in reports):
        raise Refused("reported-already", status=409)
    if not (sentence := _one_line(sentence)):
        raise Refused("report-missing")
    return Change(Reported(number, about, sentence))


def close(evening: Evening, owner: str) -> Change | None:
    """Close an evening: nobody can join, and no round begins."""
    _check_director(evening, owner)
    return None if evening.state.is_closed else Change(Closed())


def _check_director(evening: Evening, owner: str) -> None:
    if owner != evening.director:
        raise Refused("not-the-director", status=403)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:MAX_REASON_LENGTH]


def _table(evening: Evening, place: Place) -> Table:
    if place not in evening.state.tables:
        raise Refused("no-such-evening-table", status=404)
    return evening.state.tables[place]


def _check_outcome(evening: Evening, outcome: Outcome) -> None:
    """Raise Refused unless one side has reached the target, or a player forfeited the game."""
    low, high = sorted(outcome.scores)
    target = evening.settings.rules.target
    if not any(outcome.has_left) and not 0 <= low < high == target:
        raise Refused("impossible-result", target=target)
