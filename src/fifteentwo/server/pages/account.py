"""Account pages: creating an account, signing in and out, own data, and the table of rated players.

All changes are posted by plain forms. Requests from other sites are refused.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.rules.variants import Variant
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import EXPORT_REQUEST, SIGN_IN_REQUEST, admit, client_blocks
from fifteentwo.server.http.sessions import SignedInUser
from fifteentwo.server.live.table_state import display_name
from fifteentwo.server.pages.history import date
from fifteentwo.server.pages.site import Pages, post, read_form, retry_headers
from fifteentwo.server.pages.statistics import has_full_window, rating_by_review
from fifteentwo.server.people import own_data, sign_in_limits, usernames
from fifteentwo.server.people.accounts import SIGNED_IN_COOKIE, SignedIn, device_name
from fifteentwo.server.people.blocking import blocked_by
from fifteentwo.server.people.ratings import MAX_LISTED, MIN_PUBLIC_GAMES, MIN_PUBLIC_OPPONENTS, read_ratings
from fifteentwo.server.people.sign_in_limits import Client, read_marks
from fifteentwo.server.services import services_of
from fifteentwo.server.store.history import REVIEWED_GAMES_PER_READ, History, PlayedGame

Handler = Callable[[Request], Awaitable[Response]]


async def authenticate(connection: HTTPConnection) -> None:
    """Store the user in the scope of a request. If StoreError is raised, the user is not a guest."""
    token = SIGNED_IN_COOKIE.read_token(connection)
    if token is not None and not connection.scope["path"].startswith("/static/"):
        connection.scope[sessions.USER_SCOPE_KEY] = await services_of(connection).accounts.user_of(token)


def routes(pages: Pages) -> list[Route]:
    views = _AccountPages(pages)
    return [
        Route("/account", views.page, methods=["GET"]),
        *(
            post(f"/account/{name}", views.show_refusals(name, answer))
            for name, answer in (
                ("keep", views.create),
                ("sign-in", views.sign_in),
                ("sign-out", views.sign_out),
                ("along", views.add_guest),
                ("passphrase", views.change_passphrase),
                ("end", views.end_session),
                ("export", views.export),
                ("delete", views.delete),
            )
        ),
        Route("/account/delete", views.confirm_delete, methods=["GET"]),
        Route("/people", views.people, methods=["GET"]),
    ]


class _AccountPages:
    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def show_refusals(self, name: str, handler: Handler) -> Handler:
        """Return the handler with refusals shown as messages next to the form's fields."""

        async def handled(request: Request) -> Response:
            try:
                return await handler(request)
            except Refused as error:
                message = i18n.refusal(error, self._pages.language(request))
                values = {"error": message, "error_at": name, "status": error.status}
                page = self.confirm_delete if name == "delete" else self.page
                response = await page(request, **values)
                response.headers.update(retry_headers(error))
                return response

        return handled

    async def page(self, request: Request, **values: Any) -> Response:
        accounts, lang = services_of(request).accounts, self._pages.language(request)
        named, guest = sessions.user_of(request), sessions.guest_owner_of(request)
        done, given = request.query_params.get("done"), getattr(request.state, "given_name", "")
        context: dict[str, Any] = {"named": named, "error": None, "error_at": None, "given": given}
        context["done"] = done if done in ("passphrase", "deleted") else None
        context["tables"] = await accounts.count_tables(sessions.owner_of(request))
        blocked = await blocked_by(services_of(request).store, sessions.owner_of(request) or "")
        context["blocked"] = [one | {"name": display_name(one["name"], lang)} for one in blocked]
        context["guest_tables"] = 0 if guest is None else await accounts.count_tables(guest)
        context["shortest"] = usernames.MIN_PASSPHRASE_LENGTH
        if named is not None:
            context["since"] = date((await accounts.account(named.owner)).created_at, lang)
            context["sessions"] = [
                msgspec.structs.asdict(one) | {"seen": date(one.seen_at, lang)}
                for one in await accounts.sessions_of(named)
            ]
            context["ratings"] = await self._own_ratings(request, named)
            context["listed_from"] = MIN_PUBLIC_GAMES, MIN_PUBLIC_OPPONENTS
        return _forbid_caching(self._pages.page(request, "account.html", **(context | values)))

    async def _own_ratings(self, request: Request, named: SignedInUser) -> list[dict[str, Any]]:
        services = services_of(request)
        await services.tables.history.store_games_of(named.owner)
        rated = {one.variant: one for one in await read_ratings(services.store, named.owner)}
        reviewed = {Variant.SIX_CARD: await _rating_by_review(services.tables.history, named.owner)}
        return [
            {"variant": variant.value, "rated": rated.get(variant), "by_review": reviewed.get(variant)}
            for variant in Variant
            if variant in rated or reviewed.get(variant) is not None
        ]

    async def people(self, request: Request) -> Response:
        named = sessions.user_of(request)
        every = await read_ratings(services_of(request).store)
        by_variant = {of.value: [one for one in every if one.variant == of][:MAX_LISTED] for of in Variant}
        return self._pages.page(
            request,
            "people.html",
            standings=[(variant, rated) for variant, rated in by_variant.items() if rated],
            own="" if named is None else named.owner,
            listed_from=(MIN_PUBLIC_GAMES, MIN_PUBLIC_OPPONENTS),
        )

    async def create(self, request: Request) -> Response:
        chosen = await self._read_form(request)
        if sessions.user_of(request) is not None:
            raise Refused("signed-in-already", status=409)
        accounts, guest = services_of(request).accounts, sessions.guest_owner_of(request)
        signed_in = await accounts.create(*_credentials(chosen), guest, *_device_and_client(request))
        return await self._sign_in_response(request, signed_in, with_guest=True)

    async def sign_in(self, request: Request) -> Response:
        chosen = await self._read_form(request)
        accounts, with_guest = services_of(request).accounts, chosen.get("along") == "yes"
        guest = sessions.guest_owner_of(request) if with_guest else None
        signed_in = await accounts.sign_in(*_credentials(chosen), guest, *_device_and_client(request))
        before = sessions.user_of(request)
        if before is not None:
            await self._end_sessions(request, before, hash_prefix=before.session)
        return await self._sign_in_response(request, signed_in, with_guest=with_guest)

    async def _read_form(self, request: Request) -> dict[str, str]:
        chosen = await read_form(request)
        request.state.given_name = chosen.get("name", "")[:100]
        return chosen

    async def _sign_in_response(self, request: Request, signed_in: SignedIn, *, with_guest: bool) -> Response:
        await services_of(request).tables.read_people(signed_in.moved_tables)
        response = _to_account()
        SIGNED_IN_COOKIE.write(request, response, signed_in.token)
        sign_in_limits.add_mark(request, response, signed_in.owner)
        if with_guest:
            sessions.BROWSER_COOKIE.write(request, response, sessions.new_token())
        return response

    async def add_guest(self, request: Request) -> Response:
        named, guest = self._signed_in_user(request), sessions.guest_owner_of(request)
        response = _to_account()
        if guest is not None:
            games = await services_of(request).accounts.add_guest_games(named, guest)
            await services_of(request).tables.read_people(games)
            sessions.BROWSER_COOKIE.write(request, response, sessions.new_token())
        return response

    async def sign_out(self, request: Request) -> Response:
        named = sessions.user_of(request)
        if named is not None:
            await self._end_sessions(request, named, hash_prefix=named.session)
        return _drop_cookie(request, _to_account())

    async def end_session(self, request: Request) -> Response:
        named = self._signed_in_user(request)
        which = (await read_form(request)).get("session", "")
        if which != "all" and len(which) != 16:
            raise Refused("no-such-session", status=404)
        await self._end_sessions(request, named, hash_prefix="" if which == "all" else which)
        return _drop_cookie(request, _to_account()) if which == "all" else _to_account()

    async def change_passphrase(self, request: Request) -> Response:
        named, chosen = self._signed_in_user(request), await self._read_form(request)
        accounts, old = services_of(request).accounts, chosen.get("passphrase", "")
        await accounts.change_passphrase(named, old, chosen.get("new", ""))
        services_of(request).tables.close_pages(named.owner)
        return _to_account("?done=passphrase")

    async def _end_sessions(self, request: Request, named: SignedInUser, hash_prefix: str = "") -> None:
        """End sessions of a user, and close their table pages, which reconnect and authenticate again."""
        await services_of(request).accounts.end_sessions(named.owner, hash_prefix=hash_prefix)
        services_of(request).tables.close_pages(named.owner)

    @staticmethod
    def _signed_in_user(request: Request) -> SignedInUser:
        named = sessions.user_of(request)
        if named is None:
            raise Refused("not-signed-in", status=403)
        return named

    def _data_owner(self, request: Request) -> own_data.DataOwner:
        owner = sessions.owner_of(request)
        if owner is None:
            raise Refused("nothing-stored", status=404)
        services, named = services_of(request), sessions.user_of(request)
        return own_data.DataOwner(services.tables, services.accounts, owner, named)

    async def export(self, request: Request) -> Response:
        whose = self._data_owner(request)
        admit(request, EXPORT_REQUEST)
        headers = {"Content-Disposition": 'attachment; filename="fifteentwo.json"'}
        parts = own_data.export_data(whose)
        # The first part is computed before the response begins, so that errors can still be shown.
        parts = _yield_first_then_others(await anext(parts), parts)
        return _forbid_caching(StreamingResponse(parts, media_type="application/json", headers=headers))

    async def confirm_delete(self, request: Request, **values: Any) -> Response:
        seats = await own_data.own_tables(services_of(request).store, sessions.owner_of(request) or "")
        context: dict[str, Any] = {"named": sessions.user_of(request), "seats": seats, "error": None}
        return _forbid_caching(self._pages.page(request, "account_delete.html", **(context | values)))

    async def delete(self, request: Request) -> Response:
        """Delete all data of a user, after the passphrase was checked if there is an account."""
        whose, chosen = self._data_owner(request), await self._read_form(request)
        if whose.user is not None:
            await services_of(request).accounts.verify_passphrase(whose.user, chosen.get("passphrase", ""))
        elif chosen.get("sure") != "yes":
            raise Refused("not-confirmed")
        await own_data.delete_data(whose)
        response = _to_account("?done=deleted")
        if whose.user is None:
            sessions.BROWSER_COOKIE.write(request, response, sessions.new_token())
        return _drop_cookie(request, response)


async def _rating_by_review(history: History, owner: str) -> float | None:
    games: list[PlayedGame] = []
    while some := await history.games_of(owner, reviewed_offset=len(games)):
        games += some
        if has_full_window(games) or len(some) < REVIEWED_GAMES_PER_READ:
            break
    return rating_by_review(games)


def _credentials(chosen: dict[str, str]) -> tuple[str, str]:
    return chosen.get("name", ""), chosen.get("passphrase", "")


def _device_and_client(request: Request) -> tuple[str, Client]:
    count_try = partial(admit, request, SIGN_IN_REQUEST)
    return device_name(request), Client(client_blocks(request)[0], read_marks(request), count_try)


def _drop_cookie(request: Request, response: Response) -> Response:
    SIGNED_IN_COOKIE.delete(request, response)
    return response


def _to_account(query: str = "") -> Response:
    return RedirectResponse(f"/account{query}", status_code=303)


def _forbid_caching(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


async def _yield_first_then_others(first: bytes, others: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in others:
        yield part
