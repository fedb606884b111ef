"""Competition: a table without I/O, matches of several games, and arenas."""
