"""The rules agreed for a game, in one sentence."""

from fifteentwo.i18n.catalogue import text
from fifteentwo.rules.variants import Counting, Rules


def agreement(rules: Rules, lang: str, length: str = "open") -> str:
    """Return a sentence about variant, target, first dealer, cuts, skunks, counting and length of the match.

    The script `home.js` builds the same sentence.

    >>> from fifteentwo.rules.variants import Variant, rules_for
    >>> agreement(rules_for(Variant.FIVE_CARD), "ja").split("。")[0]
    '2人のファイブ・カード・クリベッジ、61点先取'
    """
    dealer = text(f"home.summary.dealer.{rules.first_dealer.value}", lang)
    if rules.partners_by_draw:
        dealer += text("list.comma", lang) + text("home.summary.by_draw", lang)
    cut = "yes" if rules.cut_before_deal else "no"
    skunk = "double" if rules.double_skunk else "single" if rules.skunk else "none"
    how = {Counting.AUTOMATIC: "automatic", Counting.HANDS: f"hands-{rules.muggins.value}"}
    counting = text(f"home.summary.counting.{how.get(rules.counting, rules.muggins.value)}", lang)
    if length not in ("open", "nine"):
        counting += text("list.comma", lang) + text(f"home.summary.length.{length}", lang)
    return text(
        "home.sentence",
        lang,
        variant=text(f"home.summary.{rules.variant.value}", lang, n=rules.target),
        dealer=dealer,
        cut=text(f"home.summary.cut.{cut}-{rules.starter.value}", lang),
        skunk=text("home.summary.length.nine" if length == "nine" else f"home.summary.skunk.{skunk}", lang),
        counting=counting,
    )
