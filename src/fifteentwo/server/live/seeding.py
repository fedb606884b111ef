"""Before the first card of a game: every page commits to a seed, then reveals it.

Commitments and seeds are rows of the log. A page that takes no part says so in the address that it connects
to, and the game does not wait for it. The game waits for a page that has committed, because nothing can
replace its seed.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable

from fifteentwo.rules.actions import Cut, Deal, Draw, NameDealer, TurnUp
from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.record import action_text
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import wire
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.game_dealing import Stage
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Row

ABANDONED_SECONDS = 7 * 24 * 3600
"""Seconds without a row after which each of its people may end a game (POST to its record)."""
RETRY_SECONDS = 1.0
"""Seconds before pages are asked again for a commitment or seed that could not be stored."""


class Seeding(Part):
    """The part of a table that collects the commitments and seeds of its games."""

    async def commit_before_joining(self, table: LiveTable, page: OpenPage) -> None:
        """Append the commitment of a page that is about to join, unless its person has committed."""
        if page.commitment:
            await self._commit_if_awaited(table, page.person, page.commitment)
        elif page.commitment is None:
            for person in page.persons:
                await self._commit_if_awaited(table, person, "")

    async def _commit_for_others(self, table: LiveTable) -> None:
        """Append empty commitments for people whose pages take no part: the game need not wait."""
        pages = list(table.pages)
        taking_part = {person for page in pages if page.commitment is not None for person in page.persons}
        for person in {person for page in pages for person in page.persons} - taking_part:
            await self._commit_if_awaited(table, person, "")

    async def _commit_if_awaited(self, table: LiveTable, person: int, commitment: str) -> None:
        seeds = table.ledger.seeds
        if seeds is None or person not in seeds.people or person in seeds.commitments:
            return
        # Another page of the same person may be faster: the first commitment counts.
        with contextlib.suppress(Refused):
            await self.commit(table, person, commitment)

    async def commit(self, table: LiveTable, person: int, commitment: str) -> None:
        """Append a commitment, unless it is repeated by a page that reconnects; may raise Refused."""
        seeds = table.ledger.seeds
        if commitment and seeds is not None and seeds.commitments.get(person) == commitment:
            return

        def decide() -> Row:
            if table.people[person].owner is None:
                # The host has cleared this seat.
                raise Refused("not-your-table", status=403)
            return proposals.commit(table.ledger, person, commitment)

        await self._append(table, decide)

    async def reveal(self, table: LiveTable, person: int, seed: str) -> None:
        """Append a seed; the last one starts the dealing. Raise Refused as `Seeds.with_seed`."""
        await self._append(table, lambda: proposals.reveal(table.ledger, person, seed))

    async def _append(self, table: LiveTable, decide: Callable[[], Row]) -> None:
        """Append a row; if the database cannot store it, ask every page again after RETRY_SECONDS."""
        try:
            await table.add_row(decide)
        except StoreError:
            if not table.is_dropped:
                table.tasks.start(self._ask_all_pages_again(table))
            raise

    async def _ask_all_pages_again(self, table: LiveTable) -> None:
        await asyncio.sleep(RETRY_SECONDS)
        for page in table.pages:
            page.sent_dealing = None
            self.on_page_joined(table, page)
        await self._commit_for_others(table)

    def on_row_added(self, table: LiveTable, row: RowAdded) -> None:
        for page in table.pages:
            self.on_page_joined(table, page)
        if row.is_game_begun:
            table.tasks.start(self._commit_for_others(table))

    def on_page_joined(self, table: LiveTable, page: OpenPage) -> None:
        """Send a page new progress of the dealing, before the events that end a deal."""
        now = public_progress(table.ledger)
        if page.sent_dealing != now:
            page.sent_dealing = now
            page.send(dealing_message(table.ledger))


async def close_abandoned(table: LiveTable) -> None:
    """End the present game and make it public if it has had no row for ABANDONED_SECONDS."""
    ledger = table.ledger

    def decide() -> Row:
        """Return the forfeit of the only person the table waits for. With several, nobody loses."""
        people = [person for person in ledger.waiting_since if table.people[person].level is None]
        if table.is_solo or len(people) != 1 or people[0] in ledger.disconnects.levels_by_person:
            return proposals.abandon(ledger)
        return proposals.forfeit(ledger, people[0], ForfeitedFor.AWAY)

    playing = ledger.seeds is not None and not (ledger.table.over or ledger.is_abandoned)
    if playing and ledger.last_row_at and time.time() - ledger.last_row_at >= ABANDONED_SECONDS:
        await table.add_row(decide)


def public_progress(ledger: Ledger) -> tuple[object, ...]:
    """Return a value that changes whenever more of the dealing becomes public."""
    seeds = ledger.seeds
    if seeds is None:
        return (ledger.match.game,)
    gathered = seeds.people, len(seeds.commitments), len(seeds.seeds)
    return ledger.match.game, *gathered, ledger.dealing.is_naming_dealer, ledger.dealing.public_link_count


def dealing_message(ledger: Ledger) -> bytes:
    return wire.encode(wire.DealingMessage(public_dealing(ledger)))


def public_dealing(ledger: Ledger) -> wire.Dealing:
    """Return what is public of the present game's dealing: nothing of the deal in progress."""
    links = ledger.dealing.public_links
    stage = Stage.DEALING if ledger.seeds is None else ledger.seeds.stage
    if ledger.dealing.is_naming_dealer:
        # Pages send their seeds only when no person can choose anything any more.
        stage = Stage.COMMITTING
    awaited = [ledger.match.seating.index(person) for person in ledger.awaited_for_seeds]
    return wire.Dealing(
        game=ledger.match.game,
        stage=stage.value,
        commitment=ledger.dealing.commitment,
        committed=ledger.dealing.recorded_commitments,
        seeds=ledger.dealing.recorded_seeds,
        awaited=tuple(awaited),
        links=links,
        deals=tuple([tuple(lines) for lines in _chance_lines(ledger)[: len(links)]]),
    )


def _chance_lines(ledger: Ledger) -> list[list[str]]:
    """Return draws, cuts, cards and starters as lines of a record: one list of the draws, then one a deal."""
    actions = ledger.table.actions
    deals: list[list[str]] = [[]]
    for before, action, after in zip([None, *actions], actions, [*actions[1:], None], strict=False):
        if not isinstance(action, Cut | Deal | Draw | TurnUp | NameDealer):
            continue
        cut = isinstance(action, Cut) and isinstance(after, Deal)
        if cut or (isinstance(action, Deal) and not isinstance(before, Cut)):
            deals.append([])
        deals[-1].append(action_text(action))
    return deals
