"""How fast: arrays of small ints, numba where it is installed, NumPy and plain Python where it is not.

A card is an int 0–51: four to a rank, aces first, suits in the order S H D C (the index of `rules.Card`).
Nothing here imports numba until a bulk function is given enough rows to repay it, so nobody at a table
ever waits for a compiler:

    cards     layout and checking of arrays
    show      points of hands and cribs
    pegging   points of the last card of a count
    deals     random deals; all six-card hands up to the names of the suits
    discards  kept hand and crib of every way to lay away
    games     whole games by simple players
"""
