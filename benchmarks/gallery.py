"""Make the pictures of docs/gallery.md from real runs over the sample, in a real Chromium.

    python benchmarks/gallery.py            # writes docs/gallery/*.png

Needs `feverfew[web,browser]` and Chromium; pngquant, where it is installed, makes them small.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "gallery"
MAIN = "from feverfew.cli.main import main; main()"
TEXT = (
    "Fritz Lang was born in Vienna. He died in 1995. Was he famous? He owned a parrot. "
    "His wife was the novelist Thea von Harbou."
)
DESK, TALL, PHONE = (1080, 760), (1080, 1240), (360, 720)
PATIENCE = 300_000.0


class Shot(NamedTuple):
    """A picture: its address, size and colour scheme."""

    name: str
    address: str
    size: tuple[int, int] = DESK
    dark: bool = False


def checked(claim: str) -> str:
    return f"/check?claim={quote(claim)}"


SHOTS = (
    Shot("home", "/"),
    Shot("claim", checked("Studio Ghibli was founded on 15 June 1995.")),
    Shot("text", checked(TEXT)),
    Shot(
        "table",
        checked("Three of the nine Olympic medals of Nadia Comăneci were silver."),
        dark=True,
    ),
    Shot("chain", checked("The director of Metropolis was born in Vienna."), TALL),
    Shot("page", "/pages/Fritz%20Lang#sentence_2"),
    Shot("phone", checked("Fritz Lang was born in 1975."), PHONE),
)


@contextmanager
def server() -> Iterator[str]:
    """Serve the sample on a free port."""
    words = [sys.executable, "-c", MAIN, "serve", "--port", "0", "--timeout", "300"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield _url(process)
        finally:
            process.terminate()


def _url(process: "subprocess.Popen[str]") -> str:
    for line in process.stderr or ():
        if found := re.search(r"listening on (\S+)", line):
            return found[1]
    raise SystemExit("the server did not start; try 'feverfew serve' to see why")


def take(browser: Browser, url: str, shot: Shot) -> None:
    scheme = "dark" if shot.dark else "light"
    width, height = shot.size
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(url + shot.address, timeout=PATIENCE)
    file = FOLDER / f"{shot.name}.png"
    page.screenshot(path=file, timeout=PATIENCE)
    page.close()
    if pngquant := shutil.which("pngquant"):
        subprocess.run(
            [pngquant, "--force", "--strip", "--output", file, "--speed", "1", "96", file],
            check=True,
        )
    print(f"{file.name}: {file.stat().st_size / 1024:.0f} kB")


def main() -> None:
    """Take every picture, or those named as arguments."""
    wanted = set(sys.argv[1:]) or {shot.name for shot in SHOTS}
    if unknown := wanted - {shot.name for shot in SHOTS}:
        raise SystemExit(f"no such picture: {', '.join(sorted(unknown))}")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("needs Chromium: apt-get install chromium")
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"], timeout=PATIENCE
        )
        with server() as url:
            for shot in SHOTS:
                if shot.name in wanted:
                    take(browser, url, shot)
        browser.close()


if __name__ == "__main__":
    main()
