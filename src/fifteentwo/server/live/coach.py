"""The coach: hints before a choice, and a verdict on its cost after it, before any computer acts.

While a costly choice can be taken back the computers wait, so that the person learns nothing before that.
"""

import asyncio

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.comparisons import held_ranks
from fifteentwo.i18n.figures import games_lost
from fifteentwo.i18n.reasons import reasons_text
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.state import State
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.server.background import log
from fifteentwo.server.errors import Refused, ServerError
from fifteentwo.server.live import wire
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.study.problems import judge_answer
from fifteentwo.server.table_log.proposals import undoable_row

COSTLY_MARKS = ("mistake", "blunder")
"""The marks of costly choices: after them the computers wait until the person continues or undoes."""
FIRST_DISCARD_POINTS, FIRST_CARD_POINTS = 1.0, 0.5
"""Mean points from which a choice of a first game is costly; the coach asks about one choice a deal."""
_UNTOLD = ("starters", "against", "near", "wins", "wins-more")
"""Reasons that are long, name chances of winning or speak for another choice: not for beginners."""


class Coach(Part):
    """The part of a table that sends hints, and verdicts on choices."""

    def __init__(self) -> None:
        self._previous_state: State | None = None
        self._are_hints_loaded = False
        self._remarks: set[tuple[int, str | None]] = set()
        """The deals with the marks of the verdicts sent: one of each mark a deal of a first game."""

    def request_hint(self, table: LiveTable, page: OpenPage, raised_cards: tuple[Card, ...]) -> None:
        """Compute a hint in the background and send it to a page. Raise Refused if hints are not offered."""
        if not table.has_hints:
            if table.options.daily is not None:
                raise Refused("not-in-the-daily-deal")
            raise Refused("hint-not-where-players-count" if table.is_solo else "hint-against-computers-only")
        # A page reconnects if its pings are not answered, so this must not block.
        table.tasks.start(self._send_hint(table, page, raised_cards))

    async def _send_hint(self, table: LiveTable, page: OpenPage, raised_cards: tuple[Card, ...]) -> None:
        """Send a hint for what the seat sees, unless the table has changed before it is computed."""
        seen = table.view_of(page.person)
        try:
            advice = await asyncio.to_thread(make_advice, seen, page.lang, raised_cards)
        except Exception:
            log.exception("a hint could not be computed")
            page.send(wire.refused_message(ServerError("internal-error"), page.lang))
            return
        if advice is None:
            page.send(wire.refused_message(Refused("no-hint-now"), page.lang))
            return
        now = table.view_of(page.person)
        # Other people's discards do not change the advice.
        if (now.deal, now.phase, now.hand, now.played) == (seen.deal, seen.phase, seen.hand, seen.played):
            page.send(wire.encode(wire.HintMessage(advice)))

    def set_verdicts(self, table: LiveTable, page: OpenPage, is_wanted: bool) -> None:
        """Start or stop sending verdicts to a page. Raise Refused if hints are not offered."""
        if is_wanted and not table.has_hints:
            raise Refused("coach-unavailable")
        page.wants_verdicts = is_wanted
        self.on_page_left(table, page)

    def resume_computers(self, table: LiveTable) -> None:
        """Let the computers act, because the verdict has been read."""
        if table.are_computers_paused:
            table.are_computers_paused = False
            table.part(Computers).start_turn(table)

    def on_page_joined(self, table: LiveTable, page: OpenPage) -> None:
        self._previous_state = table.ledger.table.state
        if table.has_hints and not self._are_hints_loaded:
            self._are_hints_loaded = True
            table.tasks.start(asyncio.to_thread(load_hints, table.rules))

    def on_page_left(self, table: LiveTable, page: OpenPage) -> None:
        if not any(one.wants_verdicts for one in table.pages):
            self.resume_computers(table)

    def on_row_added(self, table: LiveTable, row: RowAdded) -> None:
        before, self._previous_state = self._previous_state, table.ledger.table.state
        person, action = row.person, row.action
        table.are_computers_paused = False
        if before is None or person is None or not isinstance(action, Discard | Play) or not table.has_hints:
            return
        if any(page.wants_verdicts and page.person == person for page in table.pages):
            table.are_computers_paused = True
            table.tasks.start(self._send_verdict(table, person, view(before, action.seat), action))

    async def _send_verdict(self, table: LiveTable, person: int, seen: View, action: Discard | Play) -> None:
        """Send the cost of a choice. Resume the computers unless the choice is costly and can be undone."""
        revision, is_costly = table.revision, False
        try:
            for page in [one for one in table.pages if one.wants_verdicts and one.person == person]:
                judge = make_first_verdict if table.options.first_game else make_verdict
                found = await asyncio.to_thread(judge, seen, action, page.lang)
                if found is None or table.revision != revision:
                    continue
                is_first, seat = table.options.first_game, seen.seat
                can_undo = undoable_row(table.ledger, seat, past_turn=is_first) is not None
                is_said = can_undo if found.mark in COSTLY_MARKS else bool(found.reasons)
                waits = is_said and table.are_computers_paused
                if is_first:
                    if not waits or (seen.deal, found.mark) in self._remarks:
                        continue
                    self._remarks.add((seen.deal, found.mark))
                is_costly = is_costly or waits
                found = msgspec.structs.replace(found, is_paused=waits)
                page.send(wire.encode(wire.CoachMessage(found)))
        except Exception:
            log.exception("a verdict could not be computed")
        if not is_costly and table.revision == revision:
            self.resume_computers(table)


def load_hints(rules: Rules) -> None:
    """Load the tables that hints need, so that the first hint does not take a second longer."""
    from fifteentwo.analysis.review import hint

    hint.prepare(rules)


def make_advice(seen: View, lang: str, raised_cards: tuple[Card, ...] = ()) -> wire.Advice | None:
    """Return the best choice in a View, and the reasons; None if the seat has nothing to choose."""
    from fifteentwo.analysis.review import advice

    found = advice.advice(seen, raised_cards)
    if found is None:
        return None
    plain = advice.report(found)
    sentence, value = i18n.hint_text(plain, lang), i18n.hint_value(plain["hint"], lang)
    steps = i18n.nudge_text(plain, lang), i18n.idea_text(plain, lang)
    return wire.Advice(*steps, found.hint.cards, sentence, value, tuple(i18n.others_text(plain, lang)))


def make_verdict(seen: View, action: Discard | Play, lang: str) -> wire.Verdict | None:
    """Return the cost of a choice, given what the seat saw; None if there was no other. This is slow."""
    if isinstance(action, Play) and len({card.rank for card in seen.playable}) < 2:
        return None
    found = judge_answer(seen, action.cards if isinstance(action, Discard) else (action.card,), lang)
    games = i18n.text("coach.games", lang, **games_lost(found.loss))
    cost = games if found.by_chance else i18n.text("coach.points", lang, points=f"{found.loss:.1f}")
    why = found.why if found.mark in COSTLY_MARKS else ()
    return wire.Verdict(mark=found.mark, cost=cost, best=found.best, reasons=why, is_paused=False)


def make_first_verdict(seen: View, action: Discard | Play, lang: str) -> wire.Verdict | None:
    """Return a reason if a choice was clearly costly, or right and hard; otherwise None. This is slow."""
    from fifteentwo.analysis.review.reasons import against_the_next, reasons, report
    from fifteentwo.analysis.review.review import judged

    decision = judged(seen, action)
    if decision is None:
        return None
    best = tuple(Card(name) for name in decision.best.split()) if isinstance(action, Discard) else ()
    is_costly = decision.loss_points >= (FIRST_DISCARD_POINTS if best else FIRST_CARD_POINTS)
    is_praised = decision.chosen == decision.best and not decision.obvious
    explained = decision if is_costly else against_the_next(decision) if is_praised else None
    facts = report(reasons(seen, explained)) if explained else []
    told = [fact for fact in facts if fact["type"] not in _UNTOLD] or facts[: int(is_costly)]
    if not explained or not told:
        return None
    why = reasons_text(msgspec.to_builtins(explained), told[:1], lang)
    if is_costly and told[0]["type"] == "keeps":
        ranks = held_ranks([str(card) for card in seen.hand if card not in best], lang)
        why = [i18n.text("coach.kept", lang, ranks=ranks, n=told[0]["best"], own=told[0]["chosen"])]
    mark = "mistake" if is_costly else None
    return wire.Verdict(mark=mark, cost="", best=best, reasons=tuple(why), is_paused=False)
