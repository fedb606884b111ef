"""Fast functions on arrays of cards: with numba if it is installed, otherwise with NumPy and plain Python.

A card is an int 0–51: four of each rank, aces first, suits in the order SHDC (as `rules.cards.Card.index`).
Nothing here imports numba until a function is called with enough rows to be worth compiling, so no player
waits for a compiler:

    layout        arrays of cards and their checks, records
    show          points of hands and cribs
    play          the public state of pegging: turns, goes, points of a card
    suits         classes of hands that differ only in the names of suits
    hands         hands of ranks, by number
    book_policy   the solved pegging book, read cell by cell
    discards      points of the kept hand and the crib for every discard
    crib_weights  how probable the other cards in the crib are
    random_deals  the first cards of shuffled decks
    random_games  whole games of simple players
"""

from fifteentwo.extras import need

need("numpy")
