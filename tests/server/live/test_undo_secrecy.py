"""Undo reveals nothing: act and undo send the same messages for every hand that the others may have."""

import copy
import random
from collections.abc import Iterator

import msgspec
import pytest

from fifteentwo.players import player
from fifteentwo.rules.actions import Claim, Discard, Play, SeatAction
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import Event
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import View, choices, go_bounds, see, view
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proposals import undoable_row
from tests.support.live_server import Live, Page

SEAT = 0
HIDDEN_HANDS = 24
VARIANTS = [
    rules_for("six-card", target=61),
    rules_for("six-card", target=61, counting="claimed"),
    rules_for("six-card", target=61, counting="claimed", muggins="missed"),
    rules_for("five-card"),
    rules_for("five-card", counting="claimed"),
    rules_for("three-handed", target=61),
    rules_for("partners", target=61),
]


def moments(rules: Rules, seed: int) -> Iterator[Ledger]:
    """Yield a game's ledger at each point after the deal at which the seat may act."""
    rng = random.Random(seed)
    ledger = Ledger(rules)
    players = [player("random", seed + seat) for seat in range(rules.seats)]
    ledger.add(proposals.new_game(ledger, rng.randbytes(32)))
    while not ledger.table.over:
        seat = rng.choice(ledger.table.waiting)
        seen = view(ledger.table.state, seat)
        if seat == SEAT and seen.phase in (Phase.DISCARD, Phase.PLAY, Phase.CLAIM):
            yield ledger
        ledger.add(proposals.act(ledger, seat, players[seat].act(seen))[0])


def hidden(state: State, rng: random.Random) -> State | None:
    """Return the same table with other hidden cards, or None if these contradict a go."""
    seen = view(state, SEAT)
    known = {*seen.hand, *seen.discarded, *(card for _, card in seen.played)}
    known |= {card for hand in seen.open_hands for card in hand} | set(seen.open_crib)
    known |= set() if seen.starter is None else {seen.starter}
    unseen = [card for card in DECK if card not in known]
    least = go_bounds(seen)
    hands: list[tuple[Card, ...]] = []
    for seat, hand in enumerate(state.hands):
        if seat == SEAT or seen.open_hands[seat]:
            hands.append(hand)
            continue
        fits = [card for card in unseen if card.value > least[seat]]
        if len(fits) < len(hand):
            return None
        given = rng.sample(fits, len(hand))
        unseen = [card for card in unseen if card not in given]
        hands.append(tuple(given))
    kept = tuple(
        whole
        if seat == SEAT or seen.open_hands[seat]
        else (*hands[seat], *(card for other, card in seen.played if other == seat))
        for seat, whole in enumerate(state.kept)
    )
    return msgspec.structs.replace(state, hands=tuple(hands), kept=kept)


def burst(ledger: Ledger, state: State, action: SeatAction) -> tuple[bool, tuple[Event, ...]]:
    """Return whether the action could be undone at once, and the events that it showed the seat if so."""
    trying = copy.copy(ledger)
    trying.table = copy.copy(ledger.table)
    trying.table.actions, trying.table.events = list(ledger.table.actions), list(ledger.table.events)
    trying.table.state = state
    trying.steps, trying.entries = list(ledger.steps), list(ledger.entries)
    row, taken = proposals.act(trying, SEAT, action)
    trying.add(row, taken)
    granted = undoable_row(trying, SEAT) == row.seq
    return granted, tuple(see(event, SEAT) for event in taken.events) if granted else ()


def some(seen: View, rng: random.Random) -> list[SeatAction]:
    wanted = [one for one in choices(seen) if isinstance(one, Discard | Play | Claim)]
    return rng.sample(wanted, min(4, len(wanted)))


@pytest.mark.parametrize(
    "rules",
    [
        rules if place in (0, 4) else pytest.param(rules, marks=pytest.mark.long)
        for place, rules in enumerate(VARIANTS)
    ],
    ids=lambda rules: f"{rules.variant}-{rules.counting}-{rules.muggins}",
)
def test_act_and_undo_do_not_depend_on_hidden_cards(rules: Rules) -> None:
    rng = random.Random(f"hidden/{rules.variant}")
    granted: dict[Phase, set[bool]] = {}
    tried = 0
    for seed in range(4):
        for ledger in moments(rules, seed):
            state = ledger.table.state
            seen = view(state, SEAT)
            others = [one for one in (hidden(state, rng) for _ in range(HIDDEN_HANDS)) if one is not None]
            assert all(view(one, SEAT) == seen for one in others)
            for action in some(seen, rng):
                brought = {burst(ledger, one, action) for one in [state, *others]}
                assert len(brought) == 1, f"{action} over {seen}: {brought}"
                granted.setdefault(seen.phase, set()).add(brought.pop()[0])
                tried += 1
    assert tried > 100
    assert True in granted[Phase.DISCARD], "what reveals nothing may still be taken back"
    if rules.claimed:
        assert granted[Phase.PLAY] == {True}, "no one acts before one's own claim"
    else:
        assert False in granted[Phase.PLAY], "a card that leaves another to act stays played"


def test_card_cannot_be_undone_if_a_computer_must_act(live: Live) -> None:
    """Act and undo over a real socket. The page's button agrees with the result."""
    bursts = 0
    with (
        live.person() as aiko,
        aiko.at_table(first_dealer="named", cut_before_deal="no", level_1="random") as page,
    ):
        page.until("waiting")
        page.act({"type": "NameDealer", "dealer": 1})
        while bursts < 12 and not page.view["won"]:
            page.settle()
            action = page.choices[0]
            if action["type"] != "Play":
                page.act(action)
                continue
            answered = _burst(page, action)
            alone = 1 in page.view["said_go"] or not page.view["hand_sizes"][1]
            assert answered == "refused" or alone, "it revealed whether the computer had to go"
            bursts += 1
    assert bursts == 12


def _burst(page: Page, action: dict[str, object]) -> str:
    page.send("act", action)
    page.send("undo")
    page.choices = []
    may = None
    while (message := page.hear())["t"] not in ("refused", "table"):
        if message["t"] == "view" and may is None:
            may = message["d"]["undo"]
    assert may == (message["t"] == "table"), "the button agrees"
    if message["t"] == "refused":
        assert message["d"]["code"] == "nothing-to-undo"
    else:
        page.until("waiting")
        page.act(action)
    return str(message["t"])
