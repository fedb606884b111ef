"""Scripts, styles and pictures. An address that carries the digest of its content never changes."""

import hashlib
import os
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

_FOR_EVER = "public, max-age=31536000, immutable"


class Files(StaticFiles):
    """The files of a folder by name.

    /static/NAME?h=DIGEST may be kept for a year; with another digest it is another version's file, which is
    not here: 404. /static/NAME alone is asked for again each time, by its digest as entity tag.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self._folder = folder
        self._digests: dict[Path, tuple[int, str]] = {}

    def address(self, name: str) -> str:
        """Return the address of a file with its digest."""
        file = self._folder / name
        return f"/static/{name}?h={self._digest(file, file.stat().st_mtime_ns)}"

    def _digest(self, file: Path, changed: int) -> str:
        known = self._digests.get(file)
        if known is None or known[0] != changed:
            known = (changed, hashlib.sha256(file.read_bytes()).hexdigest()[:16])
            self._digests[file] = known
        return known[1]

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return the file, 304 where the client has it, or raise 404 where its digest is another."""
        digest = self._digest(Path(full_path), stat_result.st_mtime_ns)
        wanted = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get("h")
        if wanted not in (None, [digest]):
            raise HTTPException(404)
        response = FileResponse(full_path, status_code=status_code, stat_result=stat_result)
        response.headers["Cache-Control"] = "no-cache" if wanted is None else _FOR_EVER
        # By content, not by time and size: installers give all files one time. It says more than the time
        # does, in 46 bytes for each of sixty files; and no page asks for a part of one.
        response.headers["ETag"] = f'"{digest}"'
        del response.headers["Last-Modified"], response.headers["Accept-Ranges"]
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response
