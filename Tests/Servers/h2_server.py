#!/usr/bin/env python3
"""An HTTP/2 server on loopback that misbehaves as its paths say; with http/1.1 only it answers the same. It is started
and ends as fault_server.py, of which it is a small sister. Python's standard library only.

HPACK writes some characters as they are: those whose Huffman codes are no shorter than they are. Paths are made of them,
so that they can be read without its tables. The first character says what is done:

  /X...    a plain body of 1000 bytes
  /(...    421, but for the first stream of a connection
  /Z...    fields, and frames without end; the second character is the kind of frame (see FLOODS)
  /&...    a body without end
  /*...    the connection is closed; in the middle of an answer if an X is next
  /,...    silence
  /;...    the stream alone is reset
  /!...    a body of 1000 bytes without a length; of 500 and a reset without an error if a Z is next
"""

import argparse
import asyncio
import os
import re
import socket
import struct
import tempfile

from fault_server import Stats, body, make_certificate, serve_until_closed

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 2, 3, 4, 6, 7, 8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
CONTINUATION = 9
FLOODS = {
    "X": (DATA, True, b""),
    "Z": (0xEE, False, b""),
    "&": (PRIORITY, True, bytes(5)),
    "*": (PING, False, bytes(8)),
    ",": (SETTINGS, False, b""),
    ";": (HEADERS, True, b"\x0f\x2b\x01x"),  # an interim field, not ended: a trailer that may not be
    "!": (WINDOW_UPDATE, False, b"\0\0\0\x01"),
    "(": (CONTINUATION, True, b""),
    ")": (HEADERS, True, b"\x08\x03103", 4),  # interim answers
}


def frame(kind, stream, payload=b"", flags=0):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


class Broken(Exception):
    pass


class Connection:
    def __init__(self, server, reader, writer):
        self.server, self.reader, self.writer = server, reader, writer
        self.window, self.streams, self.initial = 65535, {}, 65535
        self.opened = asyncio.Event()

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()
        # A peer that takes everything at once must not keep all others waiting.
        await asyncio.sleep(0)

    def reset(self):
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()
        raise Broken

    async def serve(self):
        if self.writer.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
            # As servers of HTTP/2 alone do, whatever they are asked.
            return await (self.send(frame(SETTINGS, 0)) if self.server.is_alone else self.serve_http1())
        await self.reader.readexactly(len(PREFACE))
        await self.send(frame(SETTINGS, 0, struct.pack(">HI", 3, 100)))
        while True:
            head = await self.reader.readexactly(9)
            kind, flags, stream = struct.unpack(">BBI", head[3:])
            payload = await self.reader.readexactly(int.from_bytes(head[:3], "big"))
            if kind == SETTINGS and not flags & 1:
                for at in range(0, len(payload), 6):
                    name, value = struct.unpack(">HI", payload[at : at + 6])
                    if name == 4:
                        self.initial = value
                await self.send(frame(SETTINGS, 0, flags=1))
            elif kind == WINDOW_UPDATE:
                more = struct.unpack(">I", payload)[0]
                if stream == 0:
                    self.window += more
                elif stream in self.streams:
                    self.streams[stream] += more
                self.opened.set()
            elif kind == RST_STREAM:
                self.streams.pop(stream, None)
                self.opened.set()
            elif kind == HEADERS:
                self.streams[stream] = self.initial
                path = re.search(rb"[\x04\x44].(/[XZ&*,;!()]+)", payload, re.S)[1].decode()
                asyncio.create_task(self.run(stream, path))

    async def run(self, stream, path):
        self.server.stats.begin(path)
        try:
            await self.answer(stream, path)
        except (Broken, OSError):
            self.writer.transport.abort()
        finally:
            self.server.stats.end()

    async def answer(self, stream, path):
        fields = frame(HEADERS, stream, b"\x88\x5c\x041000", 4)  # :status 200, content-length
        if path[1] == "(" and stream > 1:
            await self.send(frame(HEADERS, stream, b"\x08\x03421", 5))
        elif path[1] in "X(":
            await self.send(fields + frame(DATA, stream, body(1000), 1))
        elif path[1] == ";":
            await self.send(frame(RST_STREAM, stream, struct.pack(">I", 2)))
        elif path[1] == "!":
            is_cut = path[2] == "Z"
            await self.send(frame(HEADERS, stream, b"\x88", 4))
            await self.send(frame(DATA, stream, body(500 if is_cut else 1000), 0 if is_cut else 1))
            if is_cut:
                await self.send(frame(RST_STREAM, stream, struct.pack(">I", 0)))
        elif path[1] == "*":
            if path[2] == "X":
                await self.send(fields + frame(DATA, stream, body(100)))
            self.reset()
        elif path[1] == "Z":
            kind, is_streams, payload, *flags = FLOODS[path[2]]
            flood = frame(kind, stream if is_streams else 0, payload, *flags) * 20_000
            if path[2] != ")":
                await self.send(frame(HEADERS, stream, b"\x88", 0 if path[2] == "(" else 4))
            while stream in self.streams:
                await self.send(flood)
        elif path[1] == "&":
            await self.send(frame(HEADERS, stream, b"\x88", 4))
            piece = frame(DATA, stream, bytes(16384))
            while stream in self.streams:
                if min(self.window, self.streams[stream]) < 16384:
                    self.opened.clear()
                    await self.opened.wait()
                    continue
                self.window -= 16384
                self.streams[stream] -= 16384
                await self.send(piece)

    async def serve_http1(self):
        """The same over one connection a request: what floods or breaks can only harm itself."""
        while True:
            path = (await self.reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
            self.server.stats.begin("1 " + path)
            self.server.stats.end()
            if path[1] == "X":
                await self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + body(1000))
            elif path[1] == ",":
                await asyncio.Event().wait()
            elif path[1] in "Z&":
                await self.send(b"HTTP/1.1 200 OK\r\n\r\n" if path[1] == "&" else b"")
                while True:
                    early = b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
                    await self.send(bytes(16384) if path[1] == "&" else early * 400)
            else:
                self.reset()


class Server:
    connection = Connection

    def __init__(self, is_alone=False):
        self.stats, self.is_alone = Stats(), is_alone

    async def serve(self, reader, writer):
        self.stats.connections += 1
        self.stats.open += 1
        connection = self.connection(self, reader, writer)
        try:
            await connection.serve()
        except (Broken, asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.stats.open -= 1
            connection.streams.clear()
            connection.opened.set()
            writer.transport.abort()


async def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--tls", default="good")
    options.add_argument("--alpn", default="h2 http/1.1")
    options, _ = options.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="preheat-test-") as folder:
        context, ca = make_certificate(folder, options.tls)
        context.set_alpn_protocols(options.alpn.split())
        server = Server(options.alpn == "h2")
        await serve_until_closed(server, options.host, context, ca)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
