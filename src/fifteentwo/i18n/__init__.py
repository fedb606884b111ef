"""All texts for people: gettext catalogues (en, ja), events, the spoken count, refusals, and reports."""

from fifteentwo.i18n.cards import card_names, card_text
from fifteentwo.i18n.catalogue import LANGUAGES, catalogue, languages, preferred, text
from fifteentwo.i18n.events import event_text
from fifteentwo.i18n.hints import hint_text, hint_value, idea_text, nudge_text
from fifteentwo.i18n.reasons import others_text
from fifteentwo.i18n.refusal import refusal
from fifteentwo.i18n.scores import score_name, score_text
from fifteentwo.i18n.spoken import NamedScore, named, spoken, spoken_count

__all__ = [
    "LANGUAGES",
    "NamedScore",
    "card_names",
    "card_text",
    "catalogue",
    "event_text",
    "hint_text",
    "hint_value",
    "idea_text",
    "languages",
    "named",
    "nudge_text",
    "others_text",
    "preferred",
    "refusal",
    "score_name",
    "score_text",
    "spoken",
    "spoken_count",
    "text",
]
