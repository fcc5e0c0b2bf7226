"""Drive a real Chromium: pages of any width and theme, with or without scripts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

DESK, PHONE = (1200, 850), (360, 740)
_PATIENCE = 180_000.0
"""Milliseconds: a busy machine is slow, and not broken."""
_FLAGS = (
    "--no-sandbox",  # who runs the tests may be root, for whom Chromium refuses to have one
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
)


class Browsing:
    """A browser at work, and what its pages complained of."""

    def __init__(self, browser: "Browser", folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self._contexts: list[BrowserContext] = []
        self.named = ""
        self.complaints: list[str] = []

    def open(
        self,
        address: str,
        *,
        size: tuple[int, int] = DESK,
        dark: bool = False,
        scripts: bool = True,
        **more: Any,
    ) -> "Page":
        """Open an address in a browser that knows nothing yet."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            **more,
        )
        context.set_default_timeout(_PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address)
        return page

    def _heard(self, message: "ConsoleMessage") -> None:
        # That a page was not found, it says itself.
        if message.type in ("error", "warning") and "status of 4" not in message.text:
            self.complaints.append(message.text)

    def keep(self, page: "Page", what: str = "") -> None:
        """Keep a screenshot of the whole page."""
        name = "-".join(filter(None, (self.named, what)))[:100]
        page.screenshot(path=self._folder / f"{name}.png", full_page=True, timeout=_PATIENCE)

    def close_pages(self) -> None:
        for context in self._contexts:
            context.close()
        self._contexts.clear()


@contextmanager
def start(chromium: str, folder: Path) -> Iterator[Browsing]:
    """Start a browser, and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium, args=list(_FLAGS), timeout=_PATIENCE
        )
        try:
            yield Browsing(browser, folder)
        finally:
            browser.close()


_SERIOUS = {"serious", "critical"}


def findings(page: "Page") -> list[str]:
    """Let axe-core look at a page, and return what is serious."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in _SERIOUS
    ]
