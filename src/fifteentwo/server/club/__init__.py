"""Evenings at a club: pairing, points, standings, seasons, and the log of each evening in the database.

Pages will use `evenings.Evenings`, one for the application, in `Services`:
* The director's page calls `open_evening`, `begin_round`, `correct`, `substitute` and `close`.
* A player's page calls `check_in` with the link or the code, `leave`, and `enter_scores` with real cards.
* After `begin_round`, and after a start of the server, a page opens the match of each table by its `match_id`
  and creates it if it does not exist: two records, the first one deals first (`FirstDealer.NAMED`).
* When a match is stored as finished, `end_table` gives its result and then `begin_round` the next round.
* Pages that show an evening `read` it about once a second; `StoredEvening.cards` has what `standings` orders.
"""
