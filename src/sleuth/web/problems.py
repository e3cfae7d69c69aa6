"""Errors as problem documents (RFC 9457): what was wrong, and what is allowed.

Where there is no such path, browsers get a page that says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match

from sleuth.web import pages
from sleuth.web.wording import sentence, shortened
from sleuth.web.workers import (
    BusyError,
    FaultError,
    LostError,
    PreparingError,
    TooManyError,
    TooSlowError,
    WorkError,
)

MEDIA_TYPE = "application/problem+json"
_SHOWN = 3
_PREPARING = "urn:sleuth:preparing"


class FieldError(BaseModel):
    """A field of a request that cannot be."""

    field: str
    message: str


class Problem(BaseModel):
    """A problem document.

    `row` is the number of the row at fault; `prepared` is how much of the kernels is compiled, 0 to 1.
    """

    model_config = ConfigDict(extra="forbid")

    type: str
    title: str
    status: int
    detail: str
    instance: str
    row: int | None = None
    prepared: float | None = None
    errors: list[FieldError] | None = None


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return how a route documents the problems that it answers with, and those of every route."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "model": Problem, "content": content}
        for status in (*statuses, 408, 413, 421, 429, 500, 503)
    }


def problem(
    path: str,
    status: int,
    detail: str,
    kind: str = "about:blank",
    headers: Mapping[str, str] | None = None,
    **extra: Any,
) -> Response:
    """Return a problem document as a response. kind: its type; extra: further members."""
    document = {
        "type": kind,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": shortened(path),
        **extra,
    }
    return Response(json.dumps(document), status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Make every error of an application a problem document."""

    @app.exception_handler(WorkError)
    def _work(request: Request, error: WorkError) -> Response:
        return problem(request.url.path, 422, str(error), f"urn:sleuth:{error.kind}", **error.extra)

    @app.exception_handler(TooManyError)
    def _too_many(request: Request, error: TooManyError) -> Response:
        return problem(request.url.path, 429, str(error), headers={"Retry-After": str(error.seconds)})

    @app.exception_handler(BusyError)
    @app.exception_handler(TooSlowError)
    def _busy(request: Request, error: Exception) -> Response:
        return problem(request.url.path, 503, str(error), headers={"Retry-After": "2"})

    @app.exception_handler(LostError)
    def _lost(request: Request, error: LostError) -> Response:
        request.state.fault = str(error)  # the log says why
        return problem(request.url.path, 503, str(error), headers={"Retry-After": "10"})

    @app.exception_handler(PreparingError)
    def _preparing(request: Request, error: PreparingError) -> Response:
        headers = {"Retry-After": "2"}
        share = round(error.share, 3)
        return problem(request.url.path, 503, str(error), _PREPARING, headers, prepared=share)

    @app.exception_handler(FaultError)
    def _fault(request: Request, error: FaultError) -> Response:
        request.state.fault = str(error)  # for the log alone
        return problem(request.url.path, 500, "a fault of the server; its log says more")

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            allowed = ", ".join(_methods(app, request))
            detail = f"{request.method} is not for this path; it takes {allowed}"
            return problem(request.url.path, 405, detail, headers={"Allow": allowed})
        if isinstance(error.__cause__, RecursionError):
            return problem(request.url.path, 400, "the body is JSON of too many levels")
        page = pages.missing(request) if error.status_code == 404 else None
        if page is not None:
            return page
        return problem(request.url.path, error.status_code, str(error.detail), headers=error.headers)

    @app.exception_handler(RequestValidationError)
    def _invalid(request: Request, error: RequestValidationError) -> Response:
        found = error.errors()
        if any(one["type"] == "json_invalid" for one in found):
            return problem(request.url.path, 400, "the body is not JSON")
        kind = request.headers.get("content-type", "")
        if any(one["loc"] == ("body",) and one["type"] != "missing" for one in found) and not _is_json(kind):
            named = f"not {shortened(kind)}" if kind else "which is missing"
            return problem(request.url.path, 415, f"a body needs Content-Type: application/json, {named}")
        fields = [
            {
                "field": ".".join(map(str, one["loc"][1:])) or str(one["loc"][0]),
                "message": sentence(one, one["loc"][1:]),
            }
            for one in found[:_SHOWN]
        ]
        detail = "; ".join(one["message"] for one in fields)
        return problem(request.url.path, 422, detail, errors=fields)


def _is_json(kind: str) -> bool:
    """Say whether a content type is that of JSON."""
    name = kind.partition(";")[0].strip().lower()
    return name == "application/json" or (name.startswith("application/") and name.endswith("+json"))


def _methods(app: FastAPI, request: Request) -> list[str]:
    """Return the methods that the path of a request takes."""

    def takes(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in app.routes)

    # HEAD goes with GET (head.py).
    asked = {"DELETE": "DELETE", "GET": "GET", "HEAD": "GET", "POST": "POST", "PUT": "PUT"}
    return [method for method, as_ in asked.items() if takes(as_)]
