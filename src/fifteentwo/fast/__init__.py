"""How fast: arrays of small ints, numba where it is installed, NumPy and plain Python where it is not.

A card is an int 0–51: four to a rank, aces first, suits in the order S H D C (as `rules.cards.Card.index`).
Nothing here imports numba until a bulk function is given enough rows to repay it, so no player ever
waits for a compiler:

    layout        cards in arrays and their checks, records
    show          points of hands and cribs
    play          the public state: turns, goes, points of a card
    suits         hands up to the names of the suits
    hands         ranks held, by number
    book_policy   the solved book, read cell by cell
    discards      kept hand and crib of every way to discard
    crib_weights  what else may lie in the crib
    random_deals  the first cards of shuffled decks
    random_games  whole games by simple players
"""

from fifteentwo.extras import need

need("numpy")
