"""Every word a person reads: gettext catalogues (en, ja), what happened, the spoken count, refusals."""

from fifteentwo.i18n.catalogue import LANGUAGES, catalogue, languages, preferred, text
from fifteentwo.i18n.refusal import refusal
from fifteentwo.i18n.spoken import spoken, spoken_count
from fifteentwo.i18n.telling import card_text, tell

__all__ = [
    "LANGUAGES",
    "card_text",
    "catalogue",
    "languages",
    "preferred",
    "refusal",
    "spoken",
    "spoken_count",
    "tell",
    "text",
]
