"""A mail server that takes everything and keeps nothing, in a process of its own.

python -m adjudicator.bench.sink: prints its port on 127.0.0.1, and runs until its standard input ends.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def sink() -> Iterator[int]:
    """Run one. Gives its port."""
    words = [sys.executable, "-m", "adjudicator.bench.sink"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 localhost\r\n")
    try:
        while line := await reader.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 OK\r\n")
            if verb == b"QUIT":
                break
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, limit=2**24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_main())
