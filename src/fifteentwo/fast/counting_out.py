"""Order of scoring and its end, by the fast rules (R78, R91). Every function accepts arrays."""

from typing import Any

from fifteentwo.fast.compiled import kernel


@kernel
def pegged(own: Any, other: Any, points: Any, target: int) -> Any:
    """Return a side's score after scoring; unchanged if a side has already reached the target (R91)."""
    return own + points * ((own < target) & (other < target))


@kernel
def after_hands(
    own: Any, other: Any, own_hand: Any, other_hand: Any, dealer: Any, target: int
) -> tuple[Any, Any]:
    """Return own and other score after both hands count, pone first (R78). dealer: whether own side deals."""
    if dealer:
        other = pegged(other, own, other_hand, target)
        return pegged(own, other, own_hand, target), other
    own = pegged(own, other, own_hand, target)
    return own, pegged(other, own, other_hand, target)


@kernel
def after_show(
    pone: Any, dealer: Any, pone_hand: Any, dealer_hand: Any, crib: Any, target: int
) -> tuple[Any, Any]:
    """Return the scores of pone and dealer after both hands and the crib count, in this order (R78)."""
    pone, dealer = after_hands(pone, dealer, pone_hand, dealer_hand, False, target)
    return pone, pegged(dealer, pone, crib, target)
