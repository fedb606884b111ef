"""Environments for reinforcement learning: arrays, PettingZoo, and policies as players.

encoding      Views and actions as numbers
six_card      many six-card games at once
policies      a policy over observations as a player
integer_game  one game on integers, for `aec`
aec           the PettingZoo environment (`fifteentwo.cribbage_v0`)
"""

from fifteentwo.extras import need

need("numpy")
