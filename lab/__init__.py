"""The lab: makes and measures the solved tables. The wheel does not have it."""

from fifteentwo.extras import need

need("numpy")
