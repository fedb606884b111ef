"""Who wins: a table without I/O, matches and arenas."""
