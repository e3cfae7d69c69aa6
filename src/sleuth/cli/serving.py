"""The page and the HTTP API."""

from typing import Annotated

import typer

from sleuth.cli import interrupts
from sleuth.support.errors import SleuthError, installed_by


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 is all of them.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 is any free one.")] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name that the server goes by, besides localhost and that of --host; may be repeated."
            " Requests for other names are refused, for addresses they are not.",
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            envvar="FORWARDED_ALLOW_IPS",
            help="A proxy, by address or network, whose X-Forwarded-For and X-Forwarded-Proto are believed;"
            " may be repeated. Without, nobody's are.",
        ),
    ] = None,
) -> None:
    """Serve the page and the HTTP API until Ctrl-C."""
    try:
        from sleuth.web.server import serve as run
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "uvicorn", "jinja2", "starlette", "pydantic", "prometheus_client"):
            raise
        raise SleuthError("sleuth serve needs more packages", remedy=f": {installed_by('web')}") from None
    interrupts.take_time(10)  # what is under way is let finish
    run(
        host,
        port,
        lambda address: print(f"Sleuth is at {address} (Ctrl-C ends it)", flush=True),
        allow_host or (),
        trusted_proxy or (),
    )
