"""When a decision comes back: the scheduler FSRS, whose memory of one decision is kept as text.

Days are its unit: there are no steps of minutes, and nothing is left to chance.
"""

import json
from datetime import UTC, datetime
from typing import cast

GOOD, HARD, AGAIN = "good", "hard", "again"


def graded(loss: float, marks: tuple[float, float]) -> str:
    """How well it was remembered, by what the answer loses: below the first mark, the second, or more."""
    small, mistake = marks
    return GOOD if loss < small else HARD if loss < mistake else AGAIN


def after(memory: str | None, grade: str, now: int) -> tuple[str, int]:
    """The memory of a decision once it is answered so, and when it is due again (seconds since 1970)."""
    # Loaded with the first answer.
    from fsrs import Card, Rating, Scheduler
    from fsrs.card import CardDict

    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(card_id=1) if memory is None else Card.from_dict(cast("CardDict", json.loads(memory)))
    rating = {GOOD: Rating.Good, HARD: Rating.Hard, AGAIN: Rating.Again}[grade]
    card, _ = scheduler.review_card(card, rating, datetime.fromtimestamp(now, UTC))
    return json.dumps(card.to_dict()), int(card.due.timestamp())
