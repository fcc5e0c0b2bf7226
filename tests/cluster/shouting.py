"""Work for a cluster's workers that needs nothing but Python."""

import time
from collections.abc import Callable


def shouter(sign: str) -> Callable[[bytes], bytes]:
    """Make the work: some payloads take a while."""

    def work(payload: bytes) -> bytes:
        time.sleep(0.1 if payload.endswith(b"5") else 0.01)
        return payload + sign.encode()

    return work
