"""Evenings at a club: pairing, points, standings, seasons, and the log of each evening in the database.

Pages change an evening by `EveningPlay.change` with a function of `decisions`, and show what `Evenings.read`
returns:
* The director's page: `begin`, `correct`, `substitute`, `leave`, `close`. A player's page: `join`, `leave`,
  and with real cards `enter`.
* `EveningPlay` does what follows: it creates the matches of a round, calls `end` with the result of each, and
  `begin` without a director after the last one.
"""
