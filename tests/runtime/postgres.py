"""A throw-away PostgreSQL server for tests."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
_START_S = 30.0


def find_binaries() -> Path | None:
    """Folder of the newest server on this machine, or `None`."""
    for folder in _FOLDERS:
        if (folder / "postgres").exists():
            return folder
    found = shutil.which("postgres")
    return Path(found).parent if found else None


@contextmanager
def server(binaries: Path) -> Iterator[str]:
    """Starts a server in a temporary folder, gives its URL, and stops it."""
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: the path of a socket is limited to 107 characters
    shutil.chown(folder, user)
    data = folder / "data"
    options = {"user": user, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "cwd": folder}
    try:
        command = [binaries / "initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8"]
        subprocess.run(command, check=True, env={"LC_ALL": "C", "PATH": os.environ["PATH"]}, **options)
        flags = ["-c", "listen_addresses=", "-c", "fsync=off"]
        process = subprocess.Popen([binaries / "postgres", "-D", data, "-k", folder, *flags], **options)
        try:
            _wait(binaries, folder, process)
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: nothing in there is needed any more
            process.communicate(timeout=_START_S)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid()).pw_name
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)  # the server refuses to run as root


def _wait(binaries: Path, folder: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_S
    probe = [binaries / "pg_isready", "-q", "-h", folder]
    while subprocess.run(probe, check=False).returncode != 0:
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("PostgreSQL did not start")
        time.sleep(0.05)
