#!/usr/bin/env python3
"""A TLS server on loopback. After the first request of a connection its records are its own: messages without end, with
nothing for the request in them. It is started and ends as fault_server.py, of which it is a small sister. Python's
standard library, and of OpenSSL's the cipher alone.

  /tickets      records full of session tickets; [pause] seconds between two
  /updates      new keys (TLS 1.3)
  /empty        records with nothing in them
  /warnings     alerts that end nothing
  /again        asks for new handshakes (TLS 1.2)
  others        a plain body of 1000 bytes

`--tls old` speaks TLS 1.2, `--tls long` has 240 certificates more in its chain. A request by a client that offers DHE
counts as "DHE".
"""

import argparse
import asyncio
import ctypes
import ctypes.util
import hmac
import os
import ssl
import struct
import tempfile
import urllib.parse

from fault_server import Stats, body, make_certificate, serve_until_closed

ALERT, HANDSHAKE, DATA = 21, 22, 23
# 18 bytes each: no lifetime, no nonce, a ticket of one byte, no extensions.
TICKETS = b"\x04\0\0\x0e" + bytes(9) + b"\0\x01x\0\0"
FLOODS = {
    "/tickets": (HANDSHAKE, TICKETS * 900),
    "/updates": (HANDSHAKE, b"\x18\0\0\x01\0"),
    "/empty": (DATA, b""),
    "/warnings": (ALERT, b"\x01\x5a"),
    "/again": (HANDSHAKE, bytes(4) * 4000),
}
DHE = {0x0033, 0x0039, 0x0067, 0x006B, 0x009E, 0x009F, 0xCCAA}

crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_gcm"):
    getattr(crypto, name).restype = ctypes.c_void_p


class Sealer:
    """Records of AES-256-GCM with SHA-384 (RFC 8446, sections 5.2 and 7; RFC 5246, section 6.3; RFC 5288)."""

    def __init__(self, secret, randoms=None):
        self.secret, self.number, self.is_old = secret, 0, randoms is not None
        self.context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
        if self.is_old:
            seed, a, block = b"key expansion" + randoms, b"key expansion" + randoms, b""
            while len(block) < 72:
                a = hmac.digest(secret, a, "sha384")
                block += hmac.digest(secret, a + seed, "sha384")
            self.number = 1
            self.start(block[32:64], block[68:72])
        else:
            self.start(self.expand(b"key", 32), self.expand(b"iv", 12))

    def expand(self, label, count):
        info = struct.pack(">HB", count, 6 + len(label)) + b"tls13 " + label + b"\0\x01"
        return hmac.digest(self.secret, info, "sha384")[:count]

    def start(self, key, iv):
        self.iv = iv
        crypto.EVP_EncryptInit_ex(self.context, ctypes.c_void_p(crypto.EVP_aes_256_gcm()), None, key, None)

    def update(self):
        self.secret, self.number = self.expand(b"traffic upd", 48), 0
        self.start(self.expand(b"key", 32), self.expand(b"iv", 12))

    def record(self, kind, data):
        count = struct.pack(">Q", self.number)
        if self.is_old:
            nonce, shown = self.iv + count, count
            head = struct.pack(">BHH", kind, 0x303, len(data) + 24)
            extra = count + struct.pack(">BHH", kind, 0x303, len(data))
        else:
            nonce, shown = bytes(a ^ b for a, b in zip(self.iv, bytes(4) + count)), b""
            data += bytes([kind])
            head = extra = struct.pack(">BHH", DATA, 0x303, len(data) + 16)
        self.number += 1
        out, written, tag = ctypes.create_string_buffer(len(data) + 16), ctypes.c_int(), ctypes.create_string_buffer(16)
        crypto.EVP_EncryptInit_ex(self.context, None, None, None, nonce)
        crypto.EVP_EncryptUpdate(self.context, None, ctypes.byref(written), extra, len(extra))
        crypto.EVP_EncryptUpdate(self.context, out, ctypes.byref(written), data, len(data))
        crypto.EVP_EncryptFinal_ex(self.context, out, ctypes.byref(written))
        crypto.EVP_CIPHER_CTX_ctrl(self.context, 0x10, 16, tag)
        return head + shown + out.raw[: len(data)] + tag.raw


class Connection:
    def __init__(self, server, reader, writer):
        self.server, self.reader, self.writer = server, reader, writer
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = server.context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.first, self.answer = b"", b""

    async def until(self, action):
        while True:
            try:
                result = action()
            except ssl.SSLWantReadError:
                result = None
            data = self.outgoing.read()
            self.answer = self.answer or data
            self.writer.write(data)
            await self.writer.drain()
            if result is not None:
                return result
            data = await self.reader.read(65536)
            if not data:
                raise ConnectionError
            self.first = self.first or data
            self.incoming.write(data)

    def sealer(self):
        client, server = self.first[11:43], self.answer[11:43]
        is_old = self.tls.version() == "TLSv1.2"
        with open(self.server.context.keylog_filename) as file:
            for line in file:
                words = line.split()
                if words[0] == ("CLIENT_RANDOM" if is_old else "SERVER_TRAFFIC_SECRET_0") and words[1] == client.hex():
                    return Sealer(bytes.fromhex(words[2]), server + client if is_old else None)

    def note_ciphers(self):
        at = 44 + self.first[43]
        count = int.from_bytes(self.first[at : at + 2], "big")
        suites = struct.unpack(f">{count // 2}H", self.first[at + 2 : at + 2 + count])
        if DHE & set(suites):
            self.server.stats.begin("DHE")

    async def serve(self):
        await self.until(lambda: self.tls.do_handshake() or True)
        self.note_ciphers()
        sealer = self.sealer()
        while True:
            request = await self.until(lambda: self.tls.read(65536))
            if not request:
                return
            target = urllib.parse.urlsplit(request.split(b" ")[1].decode())
            self.server.stats.begin(target.path)
            if target.path not in FLOODS:
                head = b"HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n"
                self.writer.write(sealer.record(DATA, head + body(1000)))
                continue
            kind, data = FLOODS[target.path]
            pause = float(dict(urllib.parse.parse_qsl(target.query)).get("pause", 0))
            while True:
                self.writer.write(sealer.record(kind, data))
                if target.path == "/updates":
                    sealer.update()
                await self.writer.drain()
                await asyncio.sleep(pause)


class Server:
    def __init__(self, context):
        self.stats, self.context = Stats(), context

    async def serve(self, reader, writer):
        self.stats.connections += 1
        try:
            await Connection(self, reader, writer).serve()
        except (OSError, ssl.SSLError):
            pass
        finally:
            writer.transport.abort()


async def main():
    options = argparse.ArgumentParser()
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--tls", default="good")
    options, _ = options.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="preheat-test-") as folder:
        context, ca = make_certificate(folder, options.tls)
        if options.tls == "long":
            with open(os.path.join(folder, "cert.pem"), "a") as chain, open(ca) as file:
                chain.write(file.read() * 240)
            context.load_cert_chain(os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem"))
        if options.tls == "old":
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers("ECDHE-ECDSA-AES256-GCM-SHA384")
        context.num_tickets = 0
        context.keylog_filename = os.path.join(folder, "keys")
        await serve_until_closed(Server(context), options.host, None, ca)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
