"""ε-noise: how often an opponent is assumed to keep hands and play cards without a plan.

Chosen, not measured. Without noise, a card that no model plays would exclude every hand.
"""

EQUILIBRIUM_EPSILON = 0.001
"""Probability of a random choice by the stored strategies, for figures that assume the equilibrium."""
HUMAN_EPSILON = 0.03
"""Probability of a random choice by people with six cards: for `master`, and for cards already played."""
UNSOLVED_EPSILON = 0.1
"""Probability of a random choice in unsolved variants, in which opponents play like club players."""
