"""Any sequence of changes leaves an evening in order."""

import random
from collections import Counter
from collections.abc import Callable

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.club import decisions
from fifteentwo.server.club.decisions import Change
from fifteentwo.server.club.evening import Evening, EveningPerson, Event, Settings, State, evolve
from fifteentwo.server.club.scores import Outcome
from fifteentwo.server.errors import Refused

DIRECTOR = "the director"


def changed(evening: Evening, change: Change | None) -> Evening:
    """Return an evening after a change, whose event is read from its JSON."""
    if change is None:
        return evening
    event: Event = from_json(to_json(change.event), Event)  # type: ignore[arg-type]
    people = evening.people if change.person is None else (*evening.people, change.person)
    return msgspec.structs.replace(evening, state=evolve(evening.state, event), people=people)


def random_change(evening: Evening, rng: random.Random) -> Change | None:
    """Return a change with random arguments, many of which are refused."""
    number = rng.randrange(len(evening.people) + 2)
    person = EveningPerson("", f"owner {number}")
    places = [*evening.state.tables, (0, 9)]
    place, early = rng.choice(places), rng.choice([None, None, DIRECTOR])
    scores = rng.choice([(121, 80), (80, 121), (121, 121)])
    outcome = rng.choice([Outcome(scores), Outcome(has_left=(True, False)), Outcome(has_left=(True, True))])
    table = evening.state.tables.get(place)
    possible: list[Callable[[], Change | None]] = [
        lambda: decisions.join(evening, person),
        lambda: decisions.leave(evening, rng.choice([DIRECTOR, f"owner {number}"]), number),
        lambda: decisions.substitute(
            evening, DIRECTOR, number, rng.choice([EveningPerson("", None, "club"), person])
        ),
        lambda: decisions.begin(evening, len(evening.state.rounds), early),
        lambda: decisions.enter(evening, f"owner {number}", place, scores),
        lambda: decisions.end(evening, table.match_id if table else "", outcome),
        lambda: decisions.correct(evening, DIRECTOR, place, outcome, rng.choice(["", "a reason"])),
    ]
    return rng.choice(possible)()


def check(evening: Evening) -> None:
    state = evening.state
    assert len(state.players) == len(evening.people)
    playing = [one.record for one in state.players if not one.has_left]
    assert len(playing) == len(set(playing)), "two people play for one record"
    owners = [one.owner for one in evening.people if one.owner is not None]
    assert len(owners) == len(set(owners))
    lines = Counter(dict.fromkeys(evening.cards.cards, 0))
    for number, pairing in enumerate(state.rounds):
        assert len(pairing.people) == 2 * len(pairing.pairs) + (pairing.bye is not None)
        for table, pair in enumerate(pairing.pairs):
            assert state.tables[number, table].pair == pair
            if (number, table) in state.outcomes:
                lines.update(pair)
        lines.update([] if pairing.bye is None else [pairing.bye])
    assert {record: len(card.lines) for record, card in evening.cards.cards.items()} == lines
    assert len({table.match_id for table in state.tables.values()}) == len(state.tables)


@given(st.integers(0, 2**32), st.integers(0, 7))
@settings(deadline=None, max_examples=60)
def test_any_sequence_of_changes_keeps_every_record_at_one_table_and_every_result(
    seed: int, people: int
) -> None:
    rng = random.Random(seed)
    # With real cards people enter scores; with the others levels can play on for somebody.
    real = rng.random() < 0.5
    agreed = Settings(name="", rules=rules_for("six-card"), rounds=4, has_real_cards=real, seed="seed")
    here: tuple[EveningPerson, ...] = ()
    evening = Evening(id="", code="", director=DIRECTOR, settings=agreed, state=State(), people=here)
    for number in range(people):
        evening = changed(evening, decisions.join(evening, EveningPerson("", f"owner {number}")))
    for _ in range(80):
        try:
            after = changed(evening, random_change(evening, rng))
        except Refused:
            continue
        assert evening.state.outcomes.keys() <= after.state.outcomes.keys()
        check(evening := after)
