"""Strategies that ship: the play, discarding, the board, the means; one file format, digests, provenance."""
