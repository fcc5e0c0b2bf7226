"""A console that neutralises control characters in untrusted text.

A page may contain terminal escape sequences. They could hide or fake output, rename the window, or
inject input. So every control character is replaced by a mark.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment

from feverfew.cli.output import plain

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderableType

__all__ = ["PlainConsole"]


class PlainConsole(Console):
    """Rich's console; its own colours stay, escape sequences in the text do not."""

    def render(
        self, renderable: "RenderableType", options: "ConsoleOptions | None" = None
    ) -> Iterable[Segment]:
        """Render to segments, and remove control characters from their text."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else plain(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)
