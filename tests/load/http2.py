"""Just enough HTTP/2 to be a bad client: begin a call and not go on, or never read what comes back."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.handlers import SERVICE

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING = 0, 1, 4, 6
END_STREAM, END_HEADERS = 0x1, 0x4
INITIAL_WINDOW_SIZE: Final = b"\0\x04"


def frame(kind: int, content: bytes = b"", flags: int = 0, stream: int = 0) -> bytes:
    return len(content).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content


def opening(window: int = 65_535) -> bytes:
    """Return what a client begins with; it will take so many bytes of each reply before it is asked again."""
    return PREFACE + frame(SETTINGS, INITIAL_WINDOW_SIZE + window.to_bytes(4, "big"))


def _text(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def _headers(method: str) -> bytes:
    """Return the headers of a call, each written out (HPACK: a literal without a place in any table)."""
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": f"/{SERVICE}/{method}",
        ":authority": "x",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    return b"".join(b"\0" + _text(name) + _text(value) for name, value in headers.items())


def call(method: str, request: bytes, stream: int = 1) -> bytes:
    """Return the frames of a call."""
    message = b"\0" + len(request).to_bytes(4, "big") + request
    pieces = [message[start : start + 16_384] for start in range(0, len(message), 16_384)]
    data = [frame(DATA, piece, stream=stream) for piece in pieces[:-1]]
    return b"".join(
        [
            frame(HEADERS, _headers(method), END_HEADERS, stream),
            *data,
            frame(DATA, pieces[-1], END_STREAM, stream),
        ]
    )


def empty_call(method: str, stream: int = 1) -> bytes:
    """Return the frames of a call that ends without any message."""
    return frame(HEADERS, _headers(method), END_HEADERS | END_STREAM, stream)


@contextmanager
def connection(port: int, *frames: bytes) -> Iterator[socket.socket]:
    """Connect and send these bytes; what comes back is read by nobody."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(b"".join(frames))
        yield line


def is_closed(line: socket.socket) -> bool:
    """Read what has come, and return whether the other side has closed the line."""
    line.settimeout(0)
    try:
        while line.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
