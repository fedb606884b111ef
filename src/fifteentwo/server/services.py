"""The objects that pages and sockets work with, opened and closed with the application."""

import asyncio
import os
from collections.abc import Iterable
from typing import NamedTuple

from starlette.requests import HTTPConnection

from fifteentwo.engines.engine import Program
from fifteentwo.engines.programs import Programs
from fifteentwo.processes import WorkerPool
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.playing import EveningPlay
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.live.thinking import MAX_WORKER_PROCESSES, Thinking, make_worker_pool
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.lobby import Lobby
from fifteentwo.server.people.ratings import rate_game
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.mistakes import OwnMistakes


class Services(NamedTuple):
    """The services of one application, in `app.state.services` while it runs."""

    store: Store
    tables: Tables
    accounts: Accounts
    lobby: Lobby
    own_mistakes: OwnMistakes
    study_pool: WorkerPool
    """The worker process of reviews and the Book, whose jobs take about a tenth of a second."""
    evenings: Evenings
    evening_play: EveningPlay

    @classmethod
    def open(cls, store: Store, engines: Iterable[Program] = ()) -> "Services":
        """Create the services of an open database. engines: external programs that are opponents."""
        cores = os.cpu_count() or 2
        pool = make_worker_pool(min(MAX_WORKER_PROCESSES, cores))
        # A worker takes up to 0.4 GB, so a small machine has one for everything.
        study_pool = make_worker_pool(1) if cores > 1 else pool
        tables = Tables(store, Thinking(pool, programs=Programs(engines)), study_pool)
        accounts = Accounts(store)
        tables.drop_cached_sessions = accounts.forget_cached_sessions
        tables.history.rate_game = rate_game
        own_mistakes = OwnMistakes(store, tables.history, tables.reviews)
        evenings = Evenings(store)
        play = EveningPlay(tables, evenings)
        return cls(store, tables, accounts, Lobby(store), own_mistakes, study_pool, evenings, play)

    async def close(self) -> None:
        await self.evening_play.close()
        await asyncio.to_thread(self.study_pool.kill)
        await self.tables.close()
        await self.store.close()


def services_of(connection: HTTPConnection) -> Services:
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services
