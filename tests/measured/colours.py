"""Colours as eyes perceive them, by CIEDE2000 and the matrices of Machado, Oliveira and Fernandes (2009).

Colours are arrays of float64, shape (3,): sRGB in 0–1, or CIELAB under D65.
"""

import math

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float64]

# Full severity, for linear RGB.
SIGHT: dict[str, Colour] = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(srgb: Colour) -> Colour:
    """Return linear light, which matrices of sight need."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def lab(srgb: Colour, sight: str = "normal") -> Colour:
    """Return the CIELAB values of a colour for a kind of sight."""
    seen = np.clip(SIGHT[sight] @ linear(srgb), 0, 1)
    ratio = TO_XYZ @ seen / WHITE
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(one: Colour, other: Colour) -> float:
    """Return the CIEDE2000 difference of two CIELAB colours."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    h = h1 + h2 if grey else (h1 + h2) / 2
    if not grey and abs(h1 - h2) > 180:
        h += 180 if h1 + h2 < 360 else -180
    c, lightness = (c1 + c2) / 2, (l1 + l2) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(h - 30))
        + 0.24 * math.cos(math.radians(2 * h))
        + 0.32 * math.cos(math.radians(3 * h + 6))
        - 0.20 * math.cos(math.radians(4 * h - 63))
    )
    s_l = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c, 1 + 0.015 * c * t
    swing = 60 * math.exp(-(((h - 275) / 25) ** 2))
    r_t = -2 * math.sqrt(c**7 / (c**7 + 25**7)) * math.sin(math.radians(swing))
    l_part, c_part, h_part = (l2 - l1) / s_l, (c2 - c1) / s_c, d_h / s_h
    return math.sqrt(l_part**2 + c_part**2 + h_part**2 + r_t * c_part * h_part)
