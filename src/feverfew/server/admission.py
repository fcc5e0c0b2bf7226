"""Keys on routes: FastAPI documents them, the gate decides."""

from typing import Annotated, Any

from fastapi import Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from feverfew.server.state import State

__all__ = ["allowed"]

_bearer = HTTPBearer(
    auto_error=False, description="A key from `feverfew keys add`, where keys are on."
)


def allowed(scope: str) -> Any:
    """Make the dependency of a route that needs a key with this scope, where keys are on."""

    async def admit(
        request: Request,
        given: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    ) -> None:
        name = State.of(request).gate.admit(given.credentials if given else None, scope)
        if name:
            State.note(request, key=name)

    return Security(admit)
