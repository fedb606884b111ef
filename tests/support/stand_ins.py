"""Servers in place of `fifteentwo serve` processes, which show where a proxy sends requests."""

import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from starlette.routing import Route, WebSocketRoute

from fifteentwo.server.app import make_app


class StandIn:
    """A server in place of a process, which responds with its number and counts requests."""

    def __init__(self, number: int, missing: Sequence[str] = ()) -> None:
        self.requests: list[str] = []
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                stand_in.requests.append(self.path)
                body = json.dumps({"process": number, "from": self.headers["X-Forwarded-For"]}).encode()
                body += b" " * 1000
                self.send_response(404 if self.path in missing else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                cached = "public, max-age=31536000" if self.path.startswith("/static/0f") else "no-cache"
                self.send_header("Cache-Control", cached)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                return None

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port

    @contextmanager
    def running(self) -> Iterator["StandIn"]:
        thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self.stop()
            thread.join()

    def stop(self) -> None:
        """Refuse connections from now on."""
        self.server.shutdown()
        self.server.server_close()


def addresses_of(game: str) -> list[str]:
    """Every address of the application that names a table."""
    known = {"game": game, "invitation": "invitation", "secret": "secret"}
    paths = [
        one.path
        for one in make_app().routes
        if isinstance(one, Route | WebSocketRoute) and "{game}" in one.path
    ]
    assert len(paths) > 8
    return [re.sub(r"{(\w+)}", lambda name: known[name[1]], path) for path in paths]
