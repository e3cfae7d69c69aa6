"""The page without a server: installed, opened, played on when it is back; and a new version of it."""

import json
import re
import shutil
import struct
from pathlib import Path

import httpx
import pytest
from browsers import Visit, free_port, guess, server
from playwright.sync_api import Page, expect
from servers import Client

from sleuth.web import pages


def shell_of(client: httpx.Client) -> dict[str, object]:
    line = client.get("/sw.js").text.partition("\n")[0]
    found: dict[str, object] = json.loads(line.removeprefix("const SHELL = ").removesuffix(";"))
    return found


class TestServed:
    def test_the_worker_names_the_files_of_its_version(self, client: Client) -> None:
        answer = client.get("/sw.js")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"
        assert client.get("/sw.js", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
        shell = shell_of(client)
        assert shell["views"] == [*pages.VIEWS, *pages.LEADS]
        files = shell["files"]
        assert isinstance(files, list)
        assert "js/app.js" in files
        assert "sw.js" not in files
        assert not [name for name in files if client.get(f"{shell['folder']}{name}").status_code != 200]
        assert f"{shell['folder']}js/app.js" in client.get("/").text

    def test_a_changed_file_is_another_version(
        self, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = shell_of(client)
        folder = tmp_path / "static"
        shutil.copytree(pages.STATIC, folder)
        (folder / "css" / "base.css").write_text("body { margin: 1px; }")
        monkeypatch.setattr(pages, "STATIC", folder)
        after = shell_of(client)
        assert after["version"] != before["version"]
        assert after["folder"] != before["folder"]

    @pytest.mark.parametrize("view", pages.VIEWS)
    def test_the_page_names_the_scripts_of_its_view(self, client: Client, view: str) -> None:
        page = client.get(view).text
        named = re.findall(r'rel="modulepreload" href="/static/\w+/([^"]+)"', page)
        assert {"js/app.js", "js/api.js", f"js/views/{view.strip('/') or 'play'}.js"} <= set(named)
        assert ("js/pegs.js" in named) == (view in ("/", "/analyse", "/statistics"))
        assert all((pages.STATIC / name).is_file() for name in named)

    def test_it_can_be_installed(self, client: Client) -> None:
        page = client.get("/").text
        address = page.partition('rel="manifest" href="')[2].partition('"')[0]
        answer = client.get(address)
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = answer.json()
        assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
        folder = address.rpartition("/")[0]
        sizes = set()
        for icon in manifest["icons"]:
            shown = client.get(f"{folder}/{icon['src']}")
            assert shown.status_code == 200
            assert shown.headers["content-type"].startswith(icon["type"])
            if icon["type"] == "image/png":
                width, height = struct.unpack(">II", shown.content[16:24])
                assert icon["sizes"] == f"{width}x{height}"
                sizes.add((width, icon["purpose"]))
        assert {(192, "any"), (512, "any"), (512, "maskable")} <= sizes
        assert all(client.get(one["url"]).status_code == 200 for one in manifest["shortcuts"])
        touch = page.partition('rel="apple-touch-icon" href="')[2].partition('"')[0]
        assert client.get(touch).headers["content-type"] == "image/png"


AWAY = ["net::ERR", "Failed to load", "sw.js"]
"""What the browser logs where no server answers."""

KEPT = "caches.keys().then(names => names.filter(name => name.startsWith('sleuth-')).length)"


def is_kept(page: Page) -> None:
    """Wait until the page is kept for times without a server."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def is_taken_over(page: Page) -> None:
    """Wait until the page that is open gets its files from what is kept, too."""
    is_kept(page)
    # A function, not an expression: what is evaluated again and again, the page's policy forbids.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def test_games_and_statistics_open_without_a_server(visit: Visit) -> None:
    port = free_port()
    with server(port) as address:
        page = visit("/?puzzle=77", offline=True, address=address, expected=AWAY)
        guess(page, "salet")
        is_kept(page)
    page.keyboard.type("crony")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".board ol.row:not([aria-hidden])").count() == 1
    assert page.locator(".typing input").input_value() == "crony"
    page.keyboard.press("Enter")
    expect(page.locator("#connection")).to_contain_text("your game is safe here")
    assert page.locator(".typing input").input_value() == "crony"
    page.goto("/statistics")
    expect(page.locator("h1")).to_have_text("Statistics")
    page.goto("/?puzzle=77")
    page.wait_for_selector("html[data-ready]")
    with server(port):  # the guess that waited goes off by itself
        page.wait_for_selector(".board ol.row:not([aria-hidden]) >> nth=1")
        expect(page.locator("#connection")).to_be_empty()
    page.context.close()


@pytest.mark.journey
def test_games_open_without_a_network(visit: Visit) -> None:
    page = visit("/?puzzle=77", offline=True, expected=AWAY)
    guess(page, "salet")
    is_kept(page)
    page.context.set_offline(True)
    page.keyboard.type("crony")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".board ol.row:not([aria-hidden])").count() == 1
    page.keyboard.press("Enter")
    expect(page.locator("#connection")).to_contain_text("your guess goes off by itself")
    page.goto("/statistics")
    expect(page.locator("h1")).to_have_text("Statistics")
    page.context.set_offline(False)
    page.wait_for_function(f"() => {GUESSES} === 'salet,crony'")


SEVENTY_SEVEN = "sleuth.puzzle.wordle.original.easy.1.standard.77"
GUESSES = f"JSON.parse(localStorage.getItem('{SEVENTY_SEVEN}')).guesses.join()"


@pytest.mark.parametrize("view", ["/statistics", "/analyse", "/?puzzle=78"])
def test_a_guess_that_waits_goes_off_from_every_view(visit: Visit, view: str) -> None:
    port = free_port()
    with server(port) as address:
        page = visit("/?puzzle=77", offline=True, address=address, expected=AWAY)
        guess(page, "salet")
        is_kept(page)
    page.keyboard.type("crony")
    page.keyboard.press("Enter")
    expect(page.locator("#connection")).to_contain_text("your guess goes off by itself")
    page.goto(view)
    page.wait_for_selector("html[data-ready]")
    with server(port):
        page.wait_for_function(f"() => {GUESSES} === 'salet,crony'")
        page.goto("/?puzzle=77")
        page.wait_for_selector(".board ol.row:not([aria-hidden]) >> nth=1")
        assert page.locator(".typing input").input_value() == ""
    page.context.close()


def test_a_new_version_takes_over(
    visit: Visit, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("/?puzzle=77", offline=True, address=str(client.base_url).rstrip("/"))
    guess(page, "salet")
    is_taken_over(page)
    assert page.evaluate(KEPT) == 1
    folder = tmp_path / "static"
    shutil.copytree(pages.STATIC, folder)
    with (folder / "css" / "base.css").open("a") as style:
        style.write("body { outline: 3px solid red; }")
    monkeypatch.setattr(pages, "STATIC", folder)
    # A tab of the old version goes on, also to views it has not loaded yet, and is told.
    other = page.context.new_page()
    other.goto("/?puzzle=77")
    other.wait_for_selector("html[data-ready]")
    assert other.evaluate("getComputedStyle(document.body).outlineStyle") == "solid"
    expect(page.locator(".new-version")).to_contain_text("There is a new version")
    assert other.locator(".new-version").count() == 0
    page.get_by_role("link", name="Statistics", exact=True).click()
    expect(page.locator("h1:visible")).to_have_text("Statistics")
    page.locator(".new-version").get_by_role("button", name="Reload").click()
    page.wait_for_function("() => document.body && getComputedStyle(document.body).outlineStyle === 'solid'")
    assert page.locator(".new-version").count() == 0
