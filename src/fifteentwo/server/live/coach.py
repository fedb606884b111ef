"""The coach: hints before a choice, and a verdict on its cost after it, before any computer acts.

While a costly choice can be taken back the computers wait, so that the person learns nothing before that.
"""

import asyncio
from functools import partial

import msgspec

from fifteentwo import i18n
from fifteentwo.i18n.comparisons import PLAIN, held_ranks, plain_reason
from fifteentwo.i18n.figures import games_lost
from fifteentwo.i18n.scores import pegged_text
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card, Rank
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
from fifteentwo.server.table_log.options import FIRST_GAME_GOAL
from fifteentwo.server.table_log.proposals import undoable_row

FIRST_DISCARD_POINTS, FIRST_CARD_POINTS = 1.0, 0.5
"""Mean points from which a choice of a first game is costly."""
MISSED_POINTS = 2
"""Visible points from which the coach of a first game asks about a choice that misses them."""
COSTLY_MARKS = ("mistake", "blunder")
"""The marks of costly choices: after them the computers wait until the person continues or undoes."""


class Coach(Part):
    """The part of a table that sends hints, and verdicts on choices."""

    def __init__(self) -> None:
        self._previous_state: State | None = None
        self._are_hints_loaded = False
        self._remarks: set[tuple[int, int, Discard | type[Play] | None]] = set()
        """Remarks in first games: game, deal, and the discard, `Play` for any card, or None for praise.

        Each remark is made once: every costly discard is questioned, and one card a deal."""

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
        seen, beginner = table.view_of(page.person), table.options.first_game
        in_race = _is_in_race(table, seen)
        try:
            advice = await asyncio.to_thread(make_advice, seen, page.lang, raised_cards, beginner, in_race)
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
                is_first, seat = table.options.first_game, seen.seat
                first = partial(make_first_verdict, by_points=_is_in_race(table, seen))
                judge = first if is_first else make_verdict
                found = await asyncio.to_thread(judge, seen, action, page.lang)
                if found is None or table.revision != revision:
                    continue
                can_undo = undoable_row(table.ledger, seat, past_turn=is_first) is not None
                is_said = can_undo if found.mark in COSTLY_MARKS else bool(found.reasons)
                waits = is_said and table.are_computers_paused
                if is_first:
                    questioned = Play if isinstance(action, Play) else action
                    remark = (table.games_played, seen.deal, questioned if found.mark else None)
                    if not waits or remark in self._remarks:
                        continue
                    self._remarks.add(remark)
                is_costly = is_costly or waits
                found = msgspec.structs.replace(found, is_paused=waits)
                page.send(wire.encode(wire.CoachMessage(found)))
        except Exception:
            log.exception("a verdict could not be computed")
        if not is_costly and table.revision == revision:
            self.resume_computers(table)


def _is_in_race(table: LiveTable, seen: View) -> bool:
    """Return whether a choice belongs to the race of a first game, which is judged by points."""
    return table.options.first_game and not table.games_played and max(seen.front) < FIRST_GAME_GOAL


def load_hints(rules: Rules) -> None:
    """Load the tables that hints need, so that the first hint does not take a second longer."""
    from fifteentwo.analysis.review import hint

    hint.prepare(rules)


def make_advice(
    seen: View,
    lang: str,
    raised_cards: tuple[Card, ...] = (),
    beginner: bool = False,
    by_points: bool = False,
) -> wire.Advice | None:
    """Return the best choice in a View, and the reasons; None if the seat has nothing to choose."""
    from fifteentwo.analysis.review import advice

    found = advice.advice(seen, raised_cards, beginner=beginner, by_points=by_points)
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
    games = i18n.text("coach.games", lang, n=games_lost(found.loss))
    cost = games if found.by_chance else i18n.text("coach.points", lang, points=f"{found.loss:.1f}")
    why = found.why if found.mark in COSTLY_MARKS else ()
    return wire.Verdict(mark=found.mark, cost=cost, best=found.best, reasons=why, is_paused=False)


def make_first_verdict(
    seen: View, action: Discard | Play, lang: str, *, by_points: bool = False
) -> wire.Verdict | None:
    """Return why a choice misses points or is costly, or is right and hard; otherwise None. This is slow."""
    from fifteentwo.analysis.review import review
    from fifteentwo.analysis.review.hint import hint
    from fifteentwo.analysis.review.reasons import against_the_next, reasons, report

    decision, best = review.judged(seen, action), hint(seen, beginner=True, by_points=by_points)
    if decision is None or best is None:
        return None
    if by_points:
        decision = review.by_points(decision)
    is_discard, is_right = isinstance(action, Discard), decision.chosen == decision.best
    why = _missed_text(seen, action, best.cards, decision.loss_points, lang)
    is_costly = bool(why) or decision.loss_points >= (
        FIRST_DISCARD_POINTS if is_discard else FIRST_CARD_POINTS
    )
    is_praised = is_right and not decision.obvious and not is_costly
    explained = decision if is_costly else against_the_next(decision) if is_praised else None
    if explained is None:
        return None
    facts = [fact for fact in report(reasons(seen, explained)) if is_costly or fact["type"] in PLAIN]
    if not why and (facts or is_costly):
        why = plain_reason(msgspec.to_builtins(explained), (facts or [{"type": ""}])[0], lang)
    mark = "mistake" if is_costly else None
    better = best.cards if is_discard else ()
    return wire.Verdict(mark=mark, cost="", best=better, reasons=(why,), is_paused=False) if why else None


def _missed_text(seen: View, action: Discard | Play, best: tuple[Card, ...], loss: float, lang: str) -> str:
    """Return which visible points the chosen cards miss, or why a five is a bad lead; "" for neither."""
    from fifteentwo.analysis.review.hint import held_scores, makes
    from fifteentwo.analysis.win.counting import points_at_once

    if isinstance(action, Discard):
        kept = [[card for card in seen.hand if card not in two] for two in (best, action.cards)]
        points, own = (sum([score.points for score in held_scores(cards)]) for cards in kept)
        if points - own < MISSED_POINTS or loss < FIRST_CARD_POINTS:
            return ""
        ranks = held_ranks([str(card) for card in kept[0]], lang)
        return i18n.text("coach.kept", lang, ranks=ranks, n=points, own=own)
    made = makes(seen, best[0])
    if made is not None and made.points - points_at_once(seen, action.card) >= MISSED_POINTS:
        scores = pegged_text(msgspec.to_builtins(made)["scores"], lang)
        card = i18n.card_text(best[0].text, lang)
        return i18n.text("why.at-once", lang, best=card, scores=scores, points=made.points)
    leads_five = action.card.rank is Rank.FIVE and not seen.in_count and best[0].rank is not Rank.FIVE
    return i18n.text("hint.plain.five-lead", lang) if leads_five else ""
