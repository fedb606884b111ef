"""How far an opponent is believed to play by no plan: ε-noise on every hand it keeps and card it plays.

Chosen, not measured. Without noise a card that no model plays would rule out every hand.
"""

SELDOM = 0.001
"""Of the strategies that ship, for figures that assume the equilibrium."""
SOMETIMES = 0.03
"""Of people at a table for two with six cards: `master` plays by it, and played cards are weighed by it."""
OFTEN = 0.1
"""In the variants that are not solved, where hands and cards are judged as a club player reckons."""
