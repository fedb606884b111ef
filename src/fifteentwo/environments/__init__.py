"""Cribbage for programs that learn: as arrays, as a PettingZoo environment, and back to a player.

encoding    Views and actions as numbers
six_card    many six-card games at once
policies    a policy over observations as a player
aec         the PettingZoo environment (`fifteentwo.cribbage_v0`)
"""

from fifteentwo.extras import need

need("numpy")
