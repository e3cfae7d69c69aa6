"""Check the site as it was built: links and anchors lead somewhere, and nothing is loaded from other hosts.

python tools/check_site.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("img", "src"), ("link", "href"), ("script", "src"), ("source", "src"), ("iframe", "src")}


class Page(HTMLParser):
    """What a page links to and loads, and the anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a tag says."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                self.anchors.add(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif (tag, name) in LOADED:
                self.loaded.append(value)


def mistakes(folder: Path) -> list[str]:
    """Return a line for each link that leads nowhere and each thing that comes from elsewhere."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.resolve().rglob("*.html"))}
    found = [] if pages else [f"{folder} has no pages"]
    for path, page in pages.items():
        here = path.relative_to(folder.resolve())
        if here.name == "404.html":
            continue  # is shown at any address, so its links begin at the root
        found += [f"{here} loads {url}" for url in page.loaded if urlsplit(url).netloc]
        for url in page.links + page.loaded:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{here}: {url} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{here}: {url} has no such anchor")
    return found


if __name__ == "__main__":
    lines = mistakes(Path(sys.argv[1]))
    print("\n".join(lines) or "all links lead somewhere, nothing comes from other hosts")
    sys.exit(bool(lines))
