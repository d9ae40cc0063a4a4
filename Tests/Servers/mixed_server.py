#!/usr/bin/env python3
"""A host whose connections speak HTTP/2 and HTTP/1.1 by turns, and that answers in every way but wrongly: the body of an
answer begins with the path that was asked for. Paths are as h2_server.py has them; the first character says what is done:

  /X...    the body; the first time perhaps something else (see FAULTS)
  /(...    its first 300 bytes, as they are asked for; the first time perhaps something else
  /!...    a body of 200,000 bytes; the first answer ends in the middle, and the next request is for the rest
  /&...    a redirect to /X...; /,... and /;... to that of one name of the server or the other
  /*...    the body; over HTTP/1.1 a second answer a moment later, for which nobody asked
"""

import argparse
import asyncio
import collections
import os
import random
import re
import ssl
import struct
import tempfile

import h2_server
from fault_server import make_certificate, serve_until_closed
from h2_server import DATA, GOAWAY, HEADERS, RST_STREAM, Broken, frame

RESETS = {"refused": 7, "calm": 11, "internal": 2, "cancel": 8, "http/1.1": 13}
TARGETS = {"&": "", ",": "127.0.0.1:PORT", ";": "img.example:PORT"}
FAULTS = [*RESETS, "goaway", "close", "cut", "421"]


SIZES = {"!": 200_000}
CUT = 100_000
RANGE = re.compile(rb"\r\nRange: bytes=(\d+)-(\d*)\r\n")


def body(path):
    """A picture's beginning with the path as its comment, and the path again and again."""
    size, unit = SIZES.get(path[1], 1000), path.encode().ljust(50, b"\0")
    head = b"\xff\xd8\xff\xfe" + struct.pack(">H", 52)
    return (head + unit * (size // 50))[:size]


def fields(path, first, last):
    """Status and fields of an answer. One tag for all: it is not what tells them apart."""
    if path[1] in TARGETS:
        host = TARGETS[path[1]]
        return 302, [("location", f"{host and f'https://{host}'}/X{path[2:]}"), ("content-length", "1000")]
    whole = len(body(path))
    found = [("content-length", str(last + 1 - first)), ("accept-ranges", "bytes"), ("etag", '"one"')]
    if last + 1 - first == whole:
        return 200, found
    return 206, [*found, ("content-range", f"bytes {first}-{last}/{whole}")]


class Connection(h2_server.Connection):
    async def answer(self, stream, path):
        """The fields that ask for a part cannot be read here, but which part it is follows from the path."""
        fault = self.server.fault(path)
        if fault in RESETS:
            return await self.send(frame(RST_STREAM, stream, struct.pack(">I", RESETS[fault])))
        if fault == "close":
            self.reset()
        turn = self.server.turn(path)
        first = CUT if turn == 2 else 0
        last = 299 if path[1] == "(" else len(body(path)) - 1
        status, found = self.server.head(path, first, last)
        block = b"\x08\x03" + (b"421" if fault == "421" else str(status).encode())
        for name, value in found:
            block += bytes([0, len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
        end = CUT if turn == 1 else 500 if fault == "cut" else last + 1
        await self.send(frame(HEADERS, stream, block, 4))
        for at in range(first, end, 16384):
            piece = body(path)[at : min(at + 16384, end)]
            await self.send(frame(DATA, stream, piece, int(at + len(piece) == last + 1)))
        if fault == "cut":
            self.reset()
        if turn == 1:
            await asyncio.sleep(0.05)  # what has come is then taken
            await self.send(frame(RST_STREAM, stream, struct.pack(">I", RESETS["internal"])))
        if fault == "goaway":
            await self.send(frame(GOAWAY, 0, struct.pack(">II", stream, 0)))

    async def serve(self):
        secured = self.writer.get_extra_info("ssl_object")
        await (super().serve() if secured else self.serve_http1())

    async def serve_http1(self):
        while True:
            request = await self.reader.readuntil(b"\r\n\r\n")
            path = request.split(b" ")[1].decode()
            self.server.stats.begin("1 " + path)
            self.server.stats.end()
            fault = self.server.fault(path)
            if fault == "close":
                self.reset()
            part, last = RANGE.search(request), len(body(path)) - 1
            first, last = (int(part[1]), int(part[2] or last)) if part else (0, last)
            if first > 0:
                self.server.stats.begin("rest")
                self.server.stats.end()
            status, found = self.server.head(path, first, last)
            lines = [f"HTTP/1.1 {421 if fault == '421' else status} ?", *(f"{n}: {v}" for n, v in found)]
            answer = "\r\n".join([*lines, "", ""]).encode()
            is_cut = self.server.turn(path) == 1
            answer += body(path)[first : CUT if is_cut else last + 1]
            await self.send(answer[:500] if fault == "cut" else answer)
            if fault == "cut":
                self.reset()
            if is_cut:
                return
            if path[1] == "*":
                asyncio.get_running_loop().call_later(0.005, self.writer.write, answer)


class Server(h2_server.Server):
    connection = Connection

    def __init__(self):
        super().__init__()
        self.random, self.seen, self.port = random.Random(1), set(), 0
        self.turns = collections.Counter()

    async def serve(self, reader, writer):
        self.port = writer.get_extra_info("sockname")[1]
        await super().serve(reader, writer)

    def head(self, path, first, last):
        status, found = fields(path, first, last)
        return status, [(name, value.replace("PORT", str(self.port))) for name, value in found]

    def turn(self, path):
        """How often a large body was asked for; 0 for others."""
        self.turns[path] += path[1] == "!"
        return self.turns[path]

    def fault(self, path):
        if path[1] not in "X(" or path in self.seen:
            return None
        self.seen.add(path)
        return self.random.choice(FAULTS) if self.random.random() < 0.1 else None


async def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--tls")
    options, _ = options.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="preheat-test-") as folder:
        contexts, ca = [None], None
        if options.tls:
            first, ca = make_certificate(folder, options.tls)
            other = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            other.load_cert_chain(os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem"))
            contexts = [first, other]
            first.set_alpn_protocols(["h2", "http/1.1"])
            other.set_alpn_protocols(["http/1.1"])
            turns = random.Random(2)

            def choose(secured, *_):
                secured.context = turns.choice(contexts)

            first.sni_callback = choose
        await serve_until_closed(Server(), options.host, contexts[0], ca)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
