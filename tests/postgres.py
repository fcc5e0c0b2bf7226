"""A PostgreSQL of the tests' own: made from Debian's package, on loopback, gone afterwards."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REQUIRED = "FEVERFEW_POSTGRES"
"""Set to 'required' where a skipped test would be a failure."""
_USER = "postgres"


def programs() -> Path | None:
    """Return the folder that initdb and pg_ctl are in."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


@contextmanager
def cluster(bin_folder: Path) -> Iterator[str]:
    """Start a cluster, and yield the URL of its server, to which a database's name is added."""
    # PostgreSQL refuses to run as root: then it runs as the user that its package made.
    user = _USER if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="feverfew-pg-"))
    data, port = folder / "data", free_port()
    if user:
        shutil.chown(folder, user)

    def run(*arguments: object) -> None:
        subprocess.run(
            list(map(str, arguments)), check=True, user=user, cwd=folder, capture_output=True
        )

    try:
        run(
            bin_folder / "initdb", "-D", data, "-A", "trust", "-U", _USER, "--no-sync", "-E", "UTF8"
        )
        # Nothing here has to survive a power cut.
        options = (
            f"-c listen_addresses=127.0.0.1 -p {port} -c unix_socket_directories={folder}"
            " -c fsync=off -c full_page_writes=off"
        )
        log = folder / "log"
        run(bin_folder / "pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start")
        try:
            yield f"postgresql://{_USER}@127.0.0.1:{port}"
        finally:
            run(bin_folder / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
