"""What was agreed for a game, in one plain sentence."""

from fifteentwo.i18n.catalogue import text
from fifteentwo.rules.variants import Counting, Rules


def agreement(rules: Rules, lang: str, length: str = "open") -> str:
    """Variant, target, first dealer, cuts, skunks, counting and how long a match is; `home.js` says the same.

    >>> from fifteentwo.rules.variants import Variant, rules_for
    >>> agreement(rules_for(Variant.FIVE_CARD), "ja").split("。")[0]
    '2人のファイブ・カード・クリベッジ、61点先取'
    """
    dealer = text(f"home.say.dealer.{rules.first_dealer.value}", lang)
    if rules.partners_by_draw:
        dealer += text("list.comma", lang) + text("home.say.by_draw", lang)
    cut = "yes" if rules.cut_before_deal else "no"
    skunk = "double" if rules.double_skunk else "single" if rules.skunk else "none"
    how = "automatic" if rules.counting is Counting.AUTOMATIC else rules.muggins.value
    counting = text(f"home.say.counting.{how}", lang)
    if length not in ("open", "nine"):
        counting += text("list.comma", lang) + text(f"home.say.length.{length}", lang)
    return text(
        "home.sentence",
        lang,
        variant=text(f"home.say.{rules.variant.value}", lang, n=rules.target),
        dealer=dealer,
        cut=text(f"home.say.cut.{cut}-{rules.starter.value}", lang),
        skunk=text("home.say.length.nine" if length == "nine" else f"home.say.skunk.{skunk}", lang),
        counting=counting,
    )
