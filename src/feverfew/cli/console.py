"""A console on which foreign text cannot do more than be read.

A page may hold the escape sequences that terminals obey: they could hide or fake what is shown,
rename the window, or answer for whoever sits there. All control characters are shown as a mark.
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
    """Rich's console; its own colours stay, those of the text do not."""

    def render(
        self, renderable: "RenderableType", options: "ConsoleOptions | None" = None
    ) -> Iterable[Segment]:
        """Render to segments, and make the text in them plain."""
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else plain(segment.text)
            yield segment if text == segment.text else Segment(text, segment.style)
