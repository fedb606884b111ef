"""Scripts, styles and pictures, read once at the start, so that a page and its files have the same version.

/static/VERSION/NAME may be cached permanently; a script or style sheet includes what it imports. /static/NAME
is the file itself, which manifests and developer tools request; it must be revalidated.
"""

import gzip
import hashlib
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fifteentwo.server.http.bundling import ScriptBundles, bundle_style_sheet

MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
}
_CACHE_FOREVER = "public, max-age=31536000, immutable"


class StaticFolder:
    """The files of a folder by name."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in MEDIA_TYPES
        }
        whole = hashlib.sha256()
        for name, content in self._files.items():
            whole.update(f"{name} {len(content)} ".encode() + content)
        self.version = whole.hexdigest()[:16]
        self._base = f"/static/{self.version}/"
        self._compressed = lru_cache(maxsize=None)(self._plain_and_gzipped)

    def address(self, name: str) -> str:
        """Return the address of a file in this version. Raise KeyError if there is no such file."""
        self._files[name]
        return self._base + name

    def content(self, path: str) -> bytes:
        """Return the content of /static/PATH. Raise KeyError if there is none."""
        name = path.removeprefix(f"{self.version}/")
        if name == path:
            return self._files[name]
        match PurePosixPath(name).suffix:
            case ".js":
                return self._scripts.bundle(name).encode()
            case ".css":
                return bundle_style_sheet(self._sources_with_suffix(".css"), name, self._base).encode()
            case ".map":
                return self._scripts.source_map(name.removesuffix(".map"))
        return self._files[name]

    @cached_property
    def _scripts(self) -> ScriptBundles:
        return ScriptBundles(self._sources_with_suffix(".js"), self._base)

    def _sources_with_suffix(self, suffix: str) -> dict[str, str]:
        return {name: content.decode() for name, content in self._files.items() if name.endswith(suffix)}

    def _plain_and_gzipped(self, path: str) -> tuple[bytes, bytes]:
        content = self.content(path)
        return content, content if path.endswith(".png") else gzip.compress(content, mtime=0)

    async def respond(self, request: Request) -> Response:
        """Return a file, or 304 if the client has it. Raise 404 if there is no such file."""
        path = request.path_params["path"]
        try:
            plain, zipped = self._compressed(path)
        except KeyError:
            raise HTTPException(404) from None
        for_ever = path.startswith(f"{self.version}/")
        headers = {"ETag": f'"{self.version}"', "Cache-Control": _CACHE_FOREVER if for_ever else "no-cache"}
        if f'"{self.version}"' in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        headers["Vary"] = "Accept-Encoding"
        compress = zipped is not plain and "gzip" in request.headers.get("accept-encoding", "")
        if compress:
            headers["Content-Encoding"] = "gzip"
        kind = MEDIA_TYPES[PurePosixPath(path).suffix]
        return Response(zipped if compress else plain, headers=headers, media_type=kind)
