"""Strategies that ship: the play, discarding, the board, the means; one file format, digests, provenance."""

from fifteentwo.extras import need

need("numpy")
