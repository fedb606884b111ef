"""Evenings at a club: pairing, points, standings, seasons, and the log of each evening in the database.

Pages will use one `Evenings` for the application, and `change` an evening by a function of `decisions`:
* The director's page: `begin`, `correct`, `substitute`, `leave`, `close`. A player's page: `join`, `leave`,
  and with real cards `enter`. Every page that shows an evening calls `read`.
* After `begin`, and when the server starts, each `match_id` without a match gets one, with the first of the
  pair named as the first dealer. When a match is stored as finished, `end` gives its result, and `begin`
  without a director begins the next round if that was the last table.
"""
