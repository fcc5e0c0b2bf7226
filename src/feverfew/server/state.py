"""What every request finds on the server."""

from typing import TYPE_CHECKING

from fastapi import Request
from msgspec import Struct

if TYPE_CHECKING:
    from feverfew.server.auth import Gate
    from feverfew.server.metrics import Metrics
    from feverfew.server.service import Service

__all__ = ["State"]


class State(Struct, frozen=True, eq=False):
    """The service behind the doors, and what guards and counts."""

    service: "Service"
    gate: "Gate"
    metrics: "Metrics"
    seconds: float
    """How long an answer may take."""
    local: bool = False
    """Whether only this machine is answered, so that its paths may be named."""

    @staticmethod
    def of(request: Request) -> "State":
        """Return the state of the application that a request came to."""
        found: State = request.app.state.feverfew
        return found

    @staticmethod
    def note(request: Request, **facts: object) -> None:
        """Add facts to the request's line in the log."""
        request.scope["state"]["facts"].update(facts)
