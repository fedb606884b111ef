"""Strategies that ship: the play, laying away, the board, the means; one file format, digests, provenance."""
