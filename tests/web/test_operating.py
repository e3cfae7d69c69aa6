"""What docs/operating.md shows, tried: its configuration of nginx before a server."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from browsers import free_port
from servers import SMALL, Client, serving

from sleuth.web.app import API

DOCS = Path(__file__).parents[2] / "docs" / "operating.md"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
MAIN = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""


def shown(language: str) -> str:
    """Return the one block of a language on the page."""
    page = DOCS.read_text(encoding="utf-8")
    [block] = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return block


def put(text: str, old: str, new: str) -> str:
    """Replace what must be there."""
    assert old in text, old
    return text.replace(old, new)


@pytest.fixture(scope="module")
def server() -> Iterator[Client]:
    with serving(trusted="127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def proxy(server: Client, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Run the nginx that the page shows; only addresses and the certificate's place are others."""
    if NGINX is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not installed")
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=sleuth.example"
    subprocess.run(
        [*make.split(), "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, check=True, capture_output=True
    )
    block = put(shown("nginx"), "listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    block = put(block, "http://127.0.0.1:8000", f"http://127.0.0.1:{server.base_url.port}")
    block = put(block, "/etc/ssl/sleuth.example/fullchain.pem", f"{folder}/cert.pem")
    block = put(block, "/etc/ssl/sleuth.example/privkey.pem", f"{folder}/key.pem")
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, server=block), encoding="utf-8")
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    process = subprocess.Popen(command)
    try:
        headers = {"Host": "sleuth.example"}
        transport = httpx.HTTPTransport(verify=False, retries=8)
        address = f"https://127.0.0.1:{port}"
        with httpx.Client(base_url=address, headers=headers, transport=transport, timeout=300) as client:
            yield client
    finally:
        process.terminate()
        process.wait()


def test_evaluations_pass_the_proxy(proxy: httpx.Client) -> None:
    started = proxy.post(f"{API}/evaluations", json={"strategy": "information-gain", "game": SMALL})
    assert started.status_code == 202, started.text
    with proxy.stream("GET", started.json()["events"]) as events:
        assert events.status_code == 200
        assert "event: " in next(events.iter_text())
    assert proxy.delete(started.json()["self"]).status_code == 204


def test_the_proxy_says_that_it_is_https(proxy: httpx.Client) -> None:
    for path in ("/openers/", f"{API}/evaluations/", f"{API}/evaluations/x/"):
        answer = proxy.get(path)
        if answer.is_redirect:
            assert not answer.headers["location"].startswith("http://"), path
    assert proxy.get("/metrics").status_code == 404
