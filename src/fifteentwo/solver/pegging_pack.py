"""Average strategies of the play at eight bits, and back."""

import numpy as np

from fifteentwo.fast.hands import UP3
from fifteentwo.fast.peg_compiled import compiled


@compiled
def pack_cells(total, nodes, at, out):  # type: ignore[no-untyped-def]
    """Average strategies of decision nodes to bytes, as `PeggingBook` reads them; at[n]: node n's first."""
    sums = np.zeros(455, dtype=np.float32)
    for n in range(len(nodes)):
        ranks = nodes[n] & 8191
        c = nodes[n] >> 14
        o = at[n]
        if nodes[n] >> 13 & 1:
            sums[:] = 0
            first = c
            for r in range(13):
                if ranks >> r & 1:
                    for p in range(91):
                        sums[UP3[r, p]] += max(total[c + p], np.float32(0))
                    c += 91
            c = first
            for r in range(13):
                if ranks >> r & 1:
                    for p in range(91):
                        mass = sums[UP3[r, p]]
                        if mass > 0:
                            out[o] = np.uint8(np.floor(max(total[c], np.float32(0)) / mass * 255 + 0.5))
                        else:
                            out[o] = 1
                        c += 1
                        o += 1
        else:
            legal = 0
            for r in range(13):
                legal += ranks >> r & 1
            for _ in range(legal * (legal - 1) // 2):
                a = max(total[c], np.float32(0))
                b = max(total[c + 1], np.float32(0))
                if a + b > 0:
                    out[o] = np.uint8(np.floor(a / (a + b) * 255 + 0.5))
                else:
                    out[o] = 128
                c += 2
                o += 1
    return 0


@compiled
def unpack_cells(packed, nodes, at, total):  # type: ignore[no-untyped-def]
    """The reverse of `pack_cells`: shares of 255 into the cells of the walk."""
    for n in range(len(nodes)):
        ranks = nodes[n] & 8191
        c = nodes[n] >> 14
        o = at[n]
        legal = 0
        for r in range(13):
            legal += ranks >> r & 1
        if nodes[n] >> 13 & 1:
            for _ in range(legal * 91):
                total[c] = packed[o]
                c += 1
                o += 1
        else:
            for _ in range(legal * (legal - 1) // 2):
                total[c] = packed[o]
                total[c + 1] = 255 - packed[o]
                c += 2
                o += 1
    return 0
