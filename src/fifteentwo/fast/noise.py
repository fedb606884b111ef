"""ε-noise: how often an opponent is assumed to keep hands and play cards without a plan.

Chosen, not measured. Without noise, a card that no model plays would exclude every hand.
"""

EQUILIBRIUM_EPSILON = 0.001
"""Noise of the stored strategies, for figures that assume the equilibrium."""
HUMAN_EPSILON = 0.03
"""Noise of people in six-card games of two: for `master`, and for the probability of cards already played."""
UNSOLVED_EPSILON = 0.1
"""Noise in unsolved variants, in which hands and cards are judged by club play."""
