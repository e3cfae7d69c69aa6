"""The page and its files. Addresses of files hold a hash of them all, so that they may be kept for ever."""

from __future__ import annotations

import gzip
import json
import time
from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.exceptions import HTTPException
from starlette.responses import Response

from sleuth.web.modules import modules_of
from sleuth.web.wording import shortened

VIEWS = {
    "/": ("Play", "today's puzzle, or any other"),
    "/analyse": ("Analyse", "any game or position: what is best, what is left, and what a move cost"),
    "/compare": ("Compare", "strategies against each other, over every answer"),
    "/difficulty": ("Lists", "how hard a list of words is, and which words are unfair"),
    "/plan": ("Planning", "an episode of a planning problem, turn by turn"),
    "/statistics": ("Statistics", "the games finished in this browser"),
    "/records": ("Records", "what is known of the best play in many games"),
}
"""The paths of the views, with their names and what they are for."""
LEADS = ("/assist", "/review", "/explore")
"""Paths that open the board."""
HERE = Path(__file__).parent
STATIC = HERE / "static"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json"}

_WORKER = "sw.js"
_SHOWN = (".css", ".js", ".svg")  # what the page is made of; other files are for installing it

router = APIRouter(include_in_schema=False)
_templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape())


def page(request: Request) -> Response:
    """Return the page: one for all views."""
    path = request.url.path
    html = _html("analyse" if path in LEADS else path.strip("/") or "play")
    return _packed(request, html, "text/html; charset=utf-8", "no-cache")


def missing(request: Request) -> Response | None:
    """Return the page that says that there is none at this address; None for those who want no page.

    They are clients that do not name HTML among what they accept, and all who ask below /api/.
    """
    path = request.url.path
    if path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return None
    views = [(path, name, what) for path, (name, what) in VIEWS.items()]
    html = _rendered(missing=shortened(path), views=views)
    return Response(html, 404, {"Vary": "Accept"}, "text/html; charset=utf-8")


def _html(view: str) -> bytes:
    """Return the page, with the addresses of its files and of the scripts that a view needs."""
    return _rendered(modules=_modules(_files().version, view))


def _rendered(**given: Any) -> bytes:
    return (
        _templates.get_template("index.html").render(static=f"/static/{_files().version}", **given).encode()
    )


@lru_cache(maxsize=32)
def _modules(version: str, view: str) -> list[str]:
    """Return the scripts that a view needs, in a version of the files."""
    return modules_of(STATIC, view)


for _view in (*VIEWS, *LEADS):
    router.add_api_route(_view, page, methods=["GET"])


@router.get("/sw.js")
def service_worker(request: Request) -> Response:
    """Return the service worker, which stands at the root to be in charge of every page.

    A line before its source says what belongs to this version, so that it differs whenever any file does.
    """
    files = _files()
    shell = {
        "version": _hash_of(_html("play")),
        "folder": f"/static/{files.version}/",
        "files": sorted(name for name in files.paths if name.endswith(_SHOWN) and name != _WORKER),
        "views": [*VIEWS, *LEADS],
    }
    source = f"const SHELL = {json.dumps(shell)};\n".encode() + (STATIC / _WORKER).read_bytes()
    return _packed(request, source, "text/javascript; charset=utf-8", "no-cache")


@router.get("/static/{path:path}")
def static(request: Request, path: str) -> Response:
    """Return a file, under its own name or below the hash of all files."""
    version, _, rest = path.partition("/")
    files = _files()
    lasting = version == files.version
    # Only what is listed is looked up, so that no path leads elsewhere.
    found = files.paths.get(rest if lasting else path)
    if found is None:
        raise HTTPException(404, "there is no such file")
    kind = _TYPES.get(found.suffix) or guess_type(found.name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return _packed(
        request, found.read_bytes(), kind, "public, max-age=31536000, immutable" if lasting else "no-cache"
    )


class _Files(NamedTuple):
    """The static files at a time.

    Attributes:
        paths: each by its name below the folder.
        version: a hash of them all; it changes when one does.

    """

    paths: dict[str, Path]
    version: str


def _files() -> _Files:
    """Return the static files, looked up anew every second: who changes one sees it then."""
    return _files_in(STATIC, int(time.monotonic()))


@lru_cache(maxsize=1)
def _files_in(folder: Path, second: int) -> _Files:
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    stats = ((name, path, path.stat()) for name, path in sorted(paths.items()))
    return _Files(
        paths, _hash(tuple((name, path, stat.st_mtime_ns, stat.st_size) for name, path, stat in stats))
    )


def _hash_of(body: bytes) -> str:
    return sha256(body).hexdigest()[:16]


@lru_cache(maxsize=2)
def _hash(files: tuple[tuple[str, Path, int, int], ...]) -> str:
    digest = sha256()
    for name, path, *_ in files:
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _packed(request: Request, body: bytes, kind: str, caching: str) -> Response:
    """Return a response, compressed where the client takes that, or 304 where it has the body already."""
    tag = f'"{_hash_of(body)}"'
    headers = {"ETag": tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", "") and len(body) > 500:
        return Response(_gzip(body), 200, {**headers, "Content-Encoding": "gzip"}, kind)
    return Response(body, 200, headers, kind)


@lru_cache(maxsize=128)
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)
