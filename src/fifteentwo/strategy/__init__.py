"""Stored strategies: pegging, discards, board and mean points; their file format and digests."""

from fifteentwo.extras import need

need("numpy")
