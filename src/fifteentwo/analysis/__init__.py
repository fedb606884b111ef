"""Best choices and their values: discards, pegging, win chances, reviews."""

from fifteentwo.extras import need

need("numpy")
