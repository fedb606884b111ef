"""Makes and measures the solved tables, offline."""

from fifteentwo.extras import need

need("numpy")
