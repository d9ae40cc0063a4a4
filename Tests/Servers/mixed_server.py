#!/usr/bin/env python3
"""A host whose connections speak HTTP/2 and HTTP/1.1 by turns, and that answers in every way but wrongly: the body of an
answer begins with the path that was asked for. Paths are as h2_server.py has them; the first character says what is done:

  /X...    the body; the first time perhaps something else (see FAULTS)
  /&...    a redirect to /X...
  /*...    the body; over HTTP/1.1 a second answer a moment later, for which nobody asked
"""

import argparse
import asyncio
import os
import random
import ssl
import struct
import tempfile

import h2_server
from fault_server import make_certificate, serve_until_closed
from h2_server import DATA, GOAWAY, HEADERS, RST_STREAM, Broken, frame

RESETS = {"refused": 7, "calm": 11, "internal": 2, "cancel": 8, "http/1.1": 13}
FAULTS = [*RESETS, "goaway", "close", "cut", "421"]


def body(path):
    return path.encode().ljust(1000, b"\0")


class Connection(h2_server.Connection):
    async def answer(self, stream, path):
        fault = self.server.fault(path)
        if fault in RESETS:
            return await self.send(frame(RST_STREAM, stream, struct.pack(">I", RESETS[fault])))
        if fault == "close":
            self.reset()
        fields = b"\x08\x03421" if fault == "421" else b"\x88"
        if path[1] == "&":
            fields = b"\x08\x03302\x0f\x1f" + bytes([len(path)]) + b"/X" + path[2:].encode()
        head = frame(HEADERS, stream, fields + b"\x0f\x0d\x041000", 4)
        if fault == "cut":
            await self.send(head + frame(DATA, stream, body(path)[:500]))
            self.reset()
        await self.send(head + frame(DATA, stream, body(path), 1))
        if fault == "goaway":
            await self.send(frame(GOAWAY, 0, struct.pack(">II", stream, 0)))

    async def serve(self):
        secured = self.writer.get_extra_info("ssl_object")
        await (super().serve() if secured else self.serve_http1())

    async def serve_http1(self):
        while True:
            path = (await self.reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
            self.server.stats.begin("1 " + path)
            self.server.stats.end()
            fault = self.server.fault(path)
            if fault == "close":
                self.reset()
            status = "421 Misdirected" if fault == "421" else "200 OK"
            if path[1] == "&":
                status = "302 Found\r\nLocation: /X" + path[2:]
            answer = f"HTTP/1.1 {status}\r\nContent-Length: 1000\r\n\r\n".encode() + body(path)
            await self.send(answer[:500] if fault == "cut" else answer)
            if fault == "cut":
                self.reset()
            if path[1] == "*":
                asyncio.get_running_loop().call_later(0.005, self.writer.write, answer)


class Server(h2_server.Server):
    connection = Connection

    def __init__(self):
        super().__init__()
        self.random, self.seen = random.Random(1), set()

    def fault(self, path):
        if path[1] != "X" or path in self.seen:
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
