"""Stand-ins and returns in the log: random games with random disconnects, rebuilt at every row."""

import hashlib
import random
from collections.abc import Callable

import msgspec
import pytest

from fifteentwo.players import player
from fifteentwo.rules.actions import NameDealer
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.record import read, to_json, write
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.errors import DealingRefuted, Refused
from fifteentwo.server.store.history import _summarize_new_games
from fifteentwo.server.store.matches import ledger_of
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proofs import verify_dealing
from fifteentwo.server.table_log.proposals import undoable_row
from fifteentwo.server.table_log.rows import Person, Row, StoredTable
from tests.support.errors import raises_code
from tests.support.ledgers import same

VARIANTS = [
    rules_for("six-card", target=61),
    rules_for("five-card", counting="claimed", muggins="missed"),
    rules_for("three-handed", target=61, counting="claimed"),
    rules_for("partners", target=61, partners_by_draw=True),
    rules_for("four-handed", target=61, starter="top"),
    rules_for("six-card", target=61, first_dealer="named"),
]
EACH = pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: f"{rules.variant}-{rules.first_dealer}")


class Play:
    """A match of people, and one computer if there are more than two seats, with random disconnects."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rng = random.Random(f"{rules}/{seed}")
        self.rules, self.ledger, self.rows = rules, Ledger(rules), list[Row]()
        self.people = tuple(range(rules.seats if rules.seats == 2 else rules.seats - 1))
        self.players = [player("random", seed + person) for person in range(rules.seats)]
        self.row_types: set[str] = set()

    def keep(self, row: Row) -> None:
        row = msgspec.structs.replace(row, at=1_000_000 + 7 * row.seq)
        self.ledger.add(row)
        self.rows.append(row)
        self.row_types.add(row.type)

    def begin(self) -> None:
        self.keep(proposals.new_game(self.ledger, self.rng.randbytes(32), self.people))
        seeds = {person: self.rng.randbytes(32) for person in self.people}
        for person, seed in seeds.items():
            self.all_stay()
            self.keep(proposals.commit(self.ledger, person, hashlib.sha256(seed).hexdigest()))
        if self.ledger.dealing.is_naming_dealer:
            self.all_stay()
            self.keep(proposals.act(self.ledger, 0, NameDealer(self.rng.randrange(self.rules.seats)))[0])
        for person, seed in seeds.items():
            self.keep(proposals.reveal(self.ledger, person, seed.hex()))

    def all_stay(self) -> None:
        """Check that nobody can forfeit or be replaced while seeds are missing."""
        refusals: tuple[Callable[[], Row], ...] = (
            lambda: proposals.forfeit(self.ledger, 0, ForfeitedFor.AWAY),
            lambda: proposals.stand_in(self.ledger, 0, "club"),
        )
        for made in refusals:
            with raises_code(Refused, "seeds-awaited"):
                made()

    def play(self, leave: float, forfeit: float) -> None:
        ledger, rng = self.ledger, self.rng
        while not ledger.table.over:
            person = rng.choice(self.people)
            if rng.random() < leave:
                self.come_or_go(person)
            if rng.random() < forfeit:
                self.keep(proposals.forfeit(ledger, person, rng.choice(list(ForfeitedFor))))
                continue
            self.act()

    def come_or_go(self, person: int) -> None:
        if person in self.ledger.disconnects.levels_by_person and proposals.must_level_act_first(
            self.ledger, person
        ):
            with raises_code(Refused, "level-plays-first"):
                proposals.come_back(self.ledger, person)
        elif person in self.ledger.disconnects.levels_by_person:
            self.keep(proposals.come_back(self.ledger, person))
        elif self.rng.random() < 0.5:
            self.keep(proposals.log_absence(self.ledger, person, self.rng.randrange(1, 90) / 10))
        else:
            self.keep(proposals.stand_in(self.ledger, person, "club"))

    def act(self) -> None:
        ledger = self.ledger
        if ledger.table.state.phase is Phase.NAME_DEALER:
            self.keep(proposals.act(ledger, 0, NameDealer(self.rng.randrange(self.rules.seats)))[0])
            return
        levels = {*ledger.disconnects.levels_by_person, *(set(range(self.rules.seats)) - set(self.people))}
        seat = self.rng.choice(ledger.waiting)
        person = ledger.seated[seat]
        cut = ledger.dealing.next_cut() if person in levels else None
        action = cut or self.players[person].act(view(ledger.table.state, seat))
        self.keep(proposals.act(ledger, seat, action)[0])


def alike(one: Ledger, other: Ledger) -> bool:
    return (
        same(one, other) and one.disconnects == other.disconnects and one.waiting_since == other.waiting_since
    )


def test_rebuilt_ledger_equals_the_live_one_and_every_record_verifies(subtests: pytest.Subtests) -> None:
    for rules in VARIANTS:
        with subtests.test(rules=rules):
            kinds, verified, spans = set[str](), 0, 0
            for seed in range(2):
                play = Play(rules, seed)
                rebuilt = Ledger(rules)
                for number in range(3):
                    play.begin()
                    play.play(leave=0.15, forfeit=0.02 if number else 0.0)
                for row in play.rows:
                    rebuilt.add(row)
                assert alike(rebuilt, play.ledger)
                for cut in random.Random(seed).sample(range(len(play.rows)), 8):
                    halfway = Ledger(rules, rows=play.rows[:cut])
                    for row in play.rows[cut:]:
                        halfway.add(row)
                    assert alike(halfway, play.ledger)
                for number in (1, 2, 3):
                    record = play.ledger.record(number, tuple("ABCD"[: rules.seats]))
                    assert read(write(record)) == record
                    verify_dealing(record)
                    verified += 1
                    spans += len(record.stood_in)
                kinds |= play.row_types
            assert {"acted", "stood_in", "came_back", "away", "forfeited"} <= kinds
            assert verified == 6
            assert spans > 2


@EACH
def test_a_level_that_plays_for_a_person_chooses_no_card(rules: Rules) -> None:
    """Its cuts and draws follow from the commitments: any other is refuted."""
    if rules.first_dealer == "named" and not rules.cut_before_deal:
        return
    refuted = 0
    for seed in range(4):
        play = Play(rules, seed)
        play.begin()
        play.play(leave=0.15, forfeit=0.0)
        record = play.ledger.record(1, tuple("ABCD"[: rules.seats]))
        away = [at for at, action in enumerate(record.actions) if type(action).__name__ in ("Cut", "Draw")]
        for at in away:
            action = record.actions[at]
            state_seat = action.seat  # type: ignore[union-attr]
            verify_dealing(record)
            others = record.actions[:at]
            is_cut = type(action).__name__ == "Cut"
            if rules.partners_by_draw or state_seat not in record.absent(at) or not is_cut:
                continue
            moved = msgspec.structs.replace(action, at=action.at + (1 if action.at < 20 else -1))  # type: ignore[union-attr]
            tampered = msgspec.structs.replace(record, actions=(*others, moved))
            with raises_code(DealingRefuted, "cut-not-as-committed"):
                verify_dealing(tampered)
            refuted += 1
    assert refuted or rules.partners_by_draw


def test_waiting_times_follow_from_the_log() -> None:
    play = Play(rules_for("three-handed", target=61), 5)
    play.begin()
    began = play.rows[-1]
    ledger = play.ledger
    assert {asked.row_seq for asked in ledger.waiting_since.values()} == {began.seq}
    assert {asked.unix_seconds for asked in ledger.waiting_since.values()} == {began.at}
    while ledger.table.state.phase is not Phase.DISCARD:
        play.act()
    asked = dict(ledger.waiting_since)
    assert len(asked) == 3
    before = ledger.seq
    seat = ledger.waiting[0]
    play.keep(proposals.act(ledger, seat, play.players[0].act(view(ledger.table.state, seat)))[0])
    person = ledger.seated[seat]
    assert person not in ledger.waiting_since
    assert all(ledger.waiting_since[other] == asked[other] for other in ledger.waiting_since), (
        "another's move changes nothing"
    )
    other = next(iter(set(ledger.waiting_since) & set(play.people)))
    play.keep(proposals.log_absence(ledger, other, 3.0))
    assert ledger.waiting_since[other] == asked[other]
    assert ledger.disconnects.absences == {other: 3.0}
    play.keep(proposals.stand_in(ledger, other, "club"))
    with raises_code(Refused, "level-plays-first"):
        proposals.come_back(ledger, other)
    assert ledger.waiting_since[other] == asked[other], "a level that plays gives no one more time"
    while proposals.must_level_act_first(ledger, other):
        play.act()
    while other not in ledger.waiting_since:
        play.act()
    play.keep(proposals.come_back(ledger, other))
    assert ledger.waiting_since[other].row_seq == ledger.seq > before, (
        "a person who comes back is asked again"
    )


def test_repeated_or_late_stand_ins_and_returns_are_refused() -> None:
    play = Play(rules_for("six-card", target=61), 1)
    play.begin()
    with pytest.raises(Refused) as refused:
        proposals.come_back(play.ledger, 0)
    assert refused.value.code == "no-computer-plays-for-you"
    play.keep(proposals.stand_in(play.ledger, 0, "club"))
    with raises_code(Refused, "level-plays-for-you"):
        proposals.stand_in(play.ledger, 0, "club")
    play.keep(proposals.forfeit(play.ledger, 0, ForfeitedFor.RESIGNED))
    refusals: tuple[Callable[[], Row], ...] = (
        lambda: proposals.forfeit(play.ledger, 1, ForfeitedFor.TIME),
        lambda: proposals.stand_in(play.ledger, 1, "club"),
        lambda: proposals.come_back(play.ledger, 0),
        lambda: proposals.log_absence(play.ledger, 1, 1.0),
    )
    for made in refusals:
        with raises_code(IllegalAction, "game-over"):
            made()
    assert undoable_row(play.ledger, 0) is None
    assert play.ledger.waiting_since == {}
    seeds = play.ledger.record(1, ("A", "B")).seeds
    assert all(len(seed) == 64 for seed in seeds), "a game given up publishes its seeds"
    play.begin()
    assert play.ledger.disconnects.levels_by_person == {}, "in the next game everybody plays again"


def test_history_shows_a_forfeit_and_its_reason() -> None:
    play = Play(rules_for("six-card", target=61), 1)
    play.begin()
    for _ in range(30):
        play.act()
    play.keep(proposals.forfeit(play.ledger, 1, ForfeitedFor.AWAY))
    kept = StoredTable(
        id="x" * 16,
        rules_json=to_json(play.rules).decode(),
        options_json=to_json(Options()).decode(),
        people=(Person(name="A", owner="a"), Person(name="B", owner="b")),
        rows=tuple(play.rows),
    )
    (one,) = _summarize_new_games(kept, ledger_of(play.rules, Options()), kept.rows, 0).values()
    assert (one.winner, one.games_lost, one.forfeited_seat, one.forfeit_reason) == (
        0,
        (0, 1),
        1,
        ForfeitedFor.AWAY,
    )
    assert msgspec.json.decode(msgspec.json.encode(one), type=type(one)) == one
