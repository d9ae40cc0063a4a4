#!/usr/bin/env python3
"""An HTTP/1.1 server on loopback that misbehaves as its paths say. Python's standard library only.

    fault_server.py [--files FOLDER] [--tls good|expired|wrong-host|mutual|optional] [--host ADDRESS] [--most-connections N]

It prints one line, {"port": N, "ca": PATH or null}, and ends when its standard input closes, so that
nothing stays behind. A line "stats" on standard input is answered with the counters as one line of JSON.

Paths (query items in brackets, with their defaults):
  /ok [size=1000 type=image/jpeg etag last-modified delay=0]   a plain body; it is body(size) below
  /file/NAME            a file of FOLDER, with ETag and Last-Modified; If-None-Match answers 304
  /status/CODE [retry-after]        /empty   /204   /partial [total=1000] (206 unasked)   /html
  /fields [NAME=VALUE ...]          a plain body under these header fields
  /no-range/HOW         a request for a part gets the status HOW, or a closed connection; others are /ok
  /busy/KEY [status=429 retry-after]  the first request of all with that KEY is refused, the others are /ok
  /flaky [fail=1 status=503 retry-after]   fails so often, then /ok; counted by the whole target
  retry-after is text as it stands, or now+N for a date in N seconds
  /flaky-rst [fail=1]                      the same with resets
  /redirect/N           N hops, then /ok      /redirect-to [url code=302 cookie]   /redirect-nowhere
  /loop                 redirects to itself   /redirect-to-file             /redirect-to-ftp
  /random/SEED [size=65536]         bytes of no meaning, up to that many
  /headers-echo         the request's header lines as the body
  /trunc [size=1000 cut=500]        /close-delimited[/NAME] [size=1000 cut gzip]   /too-long [size=1000 extra=10]
  /surplus [size=1000 pause=0 extra=0 status=200]   another answer behind the body
  /chunked [size=1000]  /chunk-cut  /badchunk   /big-chunked [size]   /big-headers
  /big-error [size]     404 with a large page
  /rst (while sending)  /close (no answer)   /garbage   /hang (no answer, stays open)   /hang-body
  /drip [delay=0.2 size=1000]       one byte at a time
  /flood/HOW            without end: `hints` (103), `extension` (of a chunk), `chunks` of a byte, `trailer`
  /gzip [size less wrong]  /brotli  /zstd [size] (up to 255)  /deflate [size bare]  /gzip-parts [size rest]  /cut-gzip [size]  /silent-gzip [size] (no decoded byte)  /bomb-gzip [size twice]   /bad-gzip   /coding [name]   Content-Encoding bodies
  /signed/...           403 unless the request is signed as AWS Signature Version 4 asks for
  /resume [size=300000 cut=200000 by=tag then=rest always]   cut off at first (always), then as `then` says; /versioned/NAME [hold cache-control tag]
  /stats                the counters as JSON

It is a proxy too: an absolute URL is answered as its path says, and CONNECT opens a tunnel to the port on
127.0.0.1, whatever the name.
"""

import argparse
import asyncio
import datetime
import email.utils
import functools
import gzip
import hashlib
import hmac
import json
import os
import random
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

BEGAN = time.monotonic()


def body(size):
    """The bytes 0 to 250 again and again: no power of two, so a shifted block shows."""
    return (bytes(range(251)) * (size // 251 + 1))[:size]


@functools.cache
def zeros(size):
    return gzip.compress(bytes(size), 1)


class Stats:
    def __init__(self):
        self.connections = 0
        self.open = 0
        self.active = 0
        self.peak = 0
        self.requests = {}
        self.times = {}
        self.ranges = {}
        self.sent = {}

    def begin(self, target):
        self.active += 1
        self.peak = max(self.peak, self.active)
        self.requests[target] = self.requests.get(target, 0) + 1
        self.times.setdefault(target, []).append(time.monotonic() - BEGAN)

    def end(self):
        self.active -= 1

    def json(self):
        return json.dumps(vars(self))


# The pair of AWS's own examples.
SECRETS = {"AKIDEXAMPLE": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}


def signature(secret, method, path, query, headers, signed, scope, date):
    """The reference: AWS Signature Version 4 in the words of its documentation."""

    def keyed(key, text):
        return hmac.new(key, text.encode(), hashlib.sha256).digest()

    def encoded(text, safe=""):
        return urllib.parse.quote(text, safe="-._~" + safe)

    items = [item.partition("=")[::2] for item in query.split("&") if item]
    items = sorted((encoded(urllib.parse.unquote(a)), encoded(urllib.parse.unquote(b))) for a, b in items)
    canonical = [
        *(method, encoded(urllib.parse.unquote(path), "/"), "&".join(f"{a}={b}" for a, b in items)),
        *(f"{name}:{' '.join(headers[name].split())}" for name in signed.split(";")),
        *("", signed, headers["x-amz-content-sha256"]),
    ]
    digest = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
    key = b"AWS4" + secret.encode()
    for part in scope.split("/"):
        key = keyed(key, part)
    return keyed(key, f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{digest}").hex()


class Close(Exception):
    """The answer is over, and the connection with it."""


class Exchange:
    def __init__(self, server, method, target, lines, reader, writer):
        self.server = server
        self.method = method
        self.reader = reader
        self.target = target
        self.lines = lines
        self.writer = writer
        parts = urllib.parse.urlsplit(target)
        self.path = parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))

    def number(self, name, default):
        return type(default)(self.query.get(name, default))

    def header(self, name):
        for line in self.lines:
            key, _, value = line.partition(":")
            if key.strip().lower() == name:
                return value.strip()
        return None

    def note_range(self):
        self.server.stats.ranges.setdefault(self.target, []).append(self.header("range") or "")

    async def send_body(self, data):
        sent = self.server.stats.sent
        for start in range(0, len(data), 1 << 18):
            piece = data[start : start + (1 << 18)]
            await self.send(piece)
            sent[self.target] = sent.get(self.target, 0) + len(piece)

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, status, *fields):
        text = "".join(f"{field}\r\n" for field in fields)
        date = email.utils.formatdate(usegmt=True)
        await self.send(f"HTTP/1.1 {status} X\r\nDate: {date}\r\n{text}\r\n".encode("latin-1"))

    async def answer(self, status, data, *fields):
        await self.head(status, f"Content-Length: {len(data)}", *fields)
        await self.send(data)

    async def ok(self):
        delay = self.number("delay", 0.0)
        if delay:
            await asyncio.sleep(delay)
        fields = [f"Content-Type: {self.query.get('type', 'image/jpeg')}"]
        for name in ("etag", "last-modified"):
            if name in self.query:
                fields.append(f"{name}: {self.query[name]}")
        await self.answer(200, body(self.number("size", 1000)), *fields)

    async def refuse(self, status):
        text = self.query.get("retry-after")
        if text and text.startswith("now "):  # a plus sign in a query is a space
            text = email.utils.formatdate(time.time() + float(text[4:]), usegmt=True)
        body = b"" if status == 304 else b"refused"
        await self.answer(status, body, *([f"Retry-After: {text}"] if text is not None else []))

    async def redirect(self, url, code=302, *fields):
        await self.answer(code, body(self.number("size", 0)), f"Location: {url}", *fields)

    def reset(self):
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()
        raise Close

    def has_failed_enough(self):
        return self.server.stats.requests[self.target] > self.number("fail", 1)

    async def chunks(self, data, size=997):
        for start in range(0, len(data), size):
            chunk = data[start : start + size]
            await self.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))

    async def coded(self, data, coding):
        await self.answer(200, data, "Content-Type: image/jpeg", f"Content-Encoding: {coding}")

    async def tunnel(self):
        port = int(self.target.rpartition(":")[2])
        there, away = await asyncio.open_connection("127.0.0.1", port)
        await self.send(b"HTTP/1.1 200 X\r\n\r\n")

        async def pump(source, sink):
            while data := await source.read(1 << 16):
                sink.write(data)
                await sink.drain()
            sink.close()

        await asyncio.gather(pump(self.reader, away), pump(there, self.writer))
        raise Close

    async def run(self):
        if self.method == "CONNECT":
            return await self.tunnel()
        first, _, rest = self.path.lstrip("/").partition("/")
        method = getattr(self, "do_" + first.replace("-", "_"), None)
        if method is None:
            await self.answer(404, b"no such path")
        else:
            await method(rest)

    # Well-behaved paths.

    async def do_ok(self, _):
        await self.ok()

    async def do_file(self, name):
        path = os.path.realpath(os.path.join(self.server.files or "/nonexistent", name))
        if not path.startswith(os.path.realpath(self.server.files or "/nonexistent") + os.sep):
            return await self.answer(404, b"outside")
        try:
            with open(path, "rb") as file:
                data = file.read()
                stat = os.fstat(file.fileno())
        except OSError:
            return await self.answer(404, b"no such file")
        tag = f'"{stat.st_mtime_ns:x}-{len(data):x}"'
        fields = [f"ETag: {tag}", f"Last-Modified: {email.utils.formatdate(stat.st_mtime, usegmt=True)}"]
        if self.header("if-none-match") == tag:
            return await self.head(304, *fields)
        await self.answer(200, data, "Content-Type: application/octet-stream", *fields)

    async def do_random(self, seed):
        """Bytes of no meaning; half of them begin like a picture."""
        dice = random.Random(int(seed))
        magic = dice.choice([b"", b"", b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a"])
        data = magic + dice.randbytes(dice.randrange(self.number("size", 65536)))
        await self.answer(200, data, "Content-Type: image/jpeg")

    async def do_headers_echo(self, _):
        await self.answer(200, "\n".join(self.lines).encode("latin-1"), "Content-Type: text/plain")

    async def do_chunked(self, _):
        await self.head(200, "Transfer-Encoding: chunked", "Content-Type: image/jpeg")
        await self.chunks(body(self.number("size", 1000)))
        await self.send(b"0\r\n\r\n")

    async def do_gzip(self, _):
        data = gzip.compress(body(self.number("size", 1000)))
        data = data[: len(data) - self.number("less", 0)]
        await self.coded(data[:-1] + bytes([data[-1] ^ 1]) if "wrong" in self.query else data, "gzip")

    async def do_brotli(self, _):
        # "hello" in one block as it is, and an empty last one (RFC 7932, section 9.2).
        await self.coded(b"\x0b\x02\x80hello\x03", "br")

    async def do_zstd(self, _):
        data = body(self.number("size", 100))
        block = (1 | len(data) << 3).to_bytes(3, "little") + data  # the last, raw
        await self.coded(b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) + block, "zstd")

    async def do_deflate(self, _):
        data = zlib.compress(body(self.number("size", 1000)))
        # As some servers send it: without the head and the sum of zlib's format.
        await self.coded(data[2:-4] if "bare" in self.query else data, "deflate")

    async def do_gzip_parts(self, _):
        whole = body(self.number("size", 1000))
        data = gzip.compress(whole[:400]) + gzip.compress(whole[400:])
        await self.coded(data + self.query.get("rest", "").encode(), "gzip")

    async def do_cut_gzip(self, _):
        await self.coded(gzip.compress(body(self.number("size", 1000)))[:-20], "gzip")

    async def do_signed(self, _):
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in self.lines)}
        words = headers.get("authorization", "").replace(",", " ").split()
        parts = dict(word.split("=", 1) for word in words[1:])
        key, _, scope = parts.get("Credential", "").partition("/")
        _, _, query = self.target.partition("?")
        signed, date = parts.get("SignedHeaders", ""), headers.get("x-amz-date", "")
        # S3 refuses a request that does not say what its body is, or leaves a field of its own unsigned.
        fields = {"host", "x-amz-content-sha256", *(name for name in headers if name.startswith("x-amz-"))}
        if not fields <= set(signed.split(";")) or parts["Signature"] != signature(
            SECRETS.get(key, ""), self.method, self.path, query, headers, signed, scope, date
        ):
            return await self.answer(403, b"<Code>SignatureDoesNotMatch</Code>", "Content-Type: application/xml")
        await self.answer(200, signed.encode(), "Content-Type: text/plain")

    async def do_stats(self, _):
        await self.answer(200, self.server.stats.json().encode(), "Content-Type: application/json")

    # Statuses and redirects.

    async def do_status(self, code):
        await self.refuse(int(code))

    async def do_empty(self, _):
        await self.answer(200, b"", "Content-Type: image/jpeg")

    async def do_204(self, _):
        await self.head(204)

    async def do_partial(self, _):
        await self.answer(206, body(100), f"Content-Range: bytes 0-99/{self.query.get('total', '1000')}")

    async def do_fields(self, _):
        await self.answer(200, body(100), *(f"{name}:{value}" for name, value in self.query.items()))

    async def do_no_range(self, how):
        await self.without("range", how)

    async def do_no_condition(self, how):
        await self.without("if-none-match", how)

    async def without(self, field, how):
        if not self.header(field):
            return await self.ok()
        if how == "close":
            raise Close
        await self.refuse(int(how))

    async def do_html(self, _):
        await self.answer(200, b"<html>Please log in</html>", "Content-Type: text/html")

    async def do_busy(self, key):
        if key in self.server.busy:
            return await self.ok()
        self.server.busy.add(key)
        await self.refuse(self.number("status", 429))

    async def do_flaky(self, _):
        if self.has_failed_enough():
            await self.ok()
        else:
            await self.refuse(self.number("status", 503))

    async def do_flaky_rst(self, _):
        if not self.has_failed_enough():
            self.reset()
        await self.ok()

    async def do_redirect(self, count):
        left = int(count) - 1
        await self.redirect(f"/redirect/{left}" if left > 0 else "/ok")

    async def do_redirect_to(self, _):
        cookies = [f"Set-Cookie: {self.query['cookie']}"] if "cookie" in self.query else []
        await self.redirect(self.query["url"], self.number("code", 302), *cookies)

    async def do_redirect_nowhere(self, _):
        await self.answer(302, b"")

    async def do_redirect_to_file(self, _):
        await self.redirect("file:///etc/passwd")

    async def do_redirect_to_ftp(self, _):
        await self.redirect("ftp://127.0.0.1:1/x")

    async def do_loop(self, _):
        await self.redirect(self.target)

    # Bodies whose end is a lie.

    async def do_trunc(self, _):
        data = body(self.number("size", 1000))
        await self.head(200, f"Content-Length: {len(data)}", "Content-Type: image/jpeg")
        await self.send(data[: self.number("cut", 500)])
        raise Close

    async def do_close_delimited(self, name):
        coding = ["Content-Encoding: gzip"] if "gzip" in self.query else []
        await self.head(200, "Connection: close", "Content-Type: image/jpeg", *coding)
        data = body(self.number("size", 1000))
        if name:
            with open(os.path.join(self.server.files, os.path.basename(name)), "rb") as file:
                data = file.read()
        data = gzip.compress(data) if coding else data
        await self.send(data[: self.number("cut", len(data))])
        raise Close

    async def do_too_long(self, _):
        size = self.number("size", 1000)
        head = f"HTTP/1.1 200 X\r\nContent-Length: {size}\r\nContent-Type: image/jpeg\r\n\r\n"
        await self.send(head.encode() + body(size + self.number("extra", 10)))
        raise Close

    async def do_surplus(self, _):
        """The body, and then what looks like another answer, on a connection that stays open."""
        data, extra = body(self.number("size", 1000)), body(self.number("extra", 0))
        status = self.number("status", 200)
        await self.head(status, *([f"Content-Length: {len(data)}"] if status == 200 else []))
        if status == 200:
            await self.send(data)
        await asyncio.sleep(self.number("pause", 0.0))
        await self.send(b"HTTP/1.1 200 X\r\nContent-Type: image/jpeg\r\nContent-Length: 6\r\n\r\nPOISON" + extra)

    async def do_chunk_cut(self, _):
        await self.head(200, "Transfer-Encoding: chunked")
        await self.chunks(body(5000))
        raise Close

    async def do_badchunk(self, _):
        await self.head(200, "Transfer-Encoding: chunked")
        await self.send(b"5\r\nhello\r\nzz\r\nno size\r\n")
        raise Close

    async def do_big_chunked(self, _):
        await self.head(200, "Transfer-Encoding: chunked")
        await self.chunks(bytes(self.number("size", 1 << 22)), 1 << 16)
        await self.send(b"0\r\n\r\n")

    async def do_big_error(self, _):
        await self.answer(404, bytes(self.number("size", 1 << 22)))

    async def do_big_headers(self, _):
        await self.head(200, "Content-Length: 2", *(f"X-{i}: {'x' * 4000}" for i in range(200)))
        await self.send(b"ok")

    async def do_bomb_gzip(self, _):
        data = zeros(self.number("size", 50 << 20))
        twice = "twice" in self.query
        await self.coded(gzip.compress(data) if twice else data, "gzip, gzip" if twice else "gzip")

    async def do_silent_gzip(self, _):
        head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
        # Stored blocks without a byte in them.
        await self.coded(head + b"\x00\x00\x00\xff\xff" * (self.number("size", 1 << 20) // 5), "gzip")

    async def do_bad_gzip(self, _):
        await self.coded(b"this is not gzip at all", "gzip")

    async def do_coding(self, _):
        await self.coded(body(100), self.query["name"])

    # Bodies in parts.

    async def do_resume(self, _):
        """The first answer is cut off. `by` is the kind of validator; `then` is what becomes of the request
        for the rest: the rest, the whole, a new version, or one of many lies."""
        self.note_range()
        data, then, by = body(self.number("size", 300000)), self.query.get("then", "rest"), self.query.get("by")
        if self.server.stats.requests[self.target] > 1 and then.startswith("changed"):
            data = bytes(255 - byte for byte in data)
        version = 2 if self.server.stats.requests[self.target] > 1 and then.startswith("changed") else 1
        fields = ["Accept-Ranges: bytes"]
        if by in ("tag", "both"):
            fields.append(f'ETag: "{version}"')
        if by in ("weak", "weak-date"):
            fields.append(f'ETag: W/"{version}"')
        if by in ("date", "both", "weak-date"):
            fields.append(f"Last-Modified: Sun, 06 Nov 1994 08:49:3{version} GMT")
        if by == "young":
            fields.append(f"Last-Modified: {email.utils.formatdate(usegmt=True)}")
        if self.server.stats.requests[self.target] == 1 and "again" not in self.query:
            await self.head(200, f"Content-Length: {len(data)}", *fields)
            await self.send_body(data[: self.number("cut", 200000)])
            raise Close
        start = int((self.header("range") or "bytes=0-").removeprefix("bytes=").rstrip("-"))
        if start == 0 or then in ("whole", "changed"):
            await self.head(200, f"Content-Length: {len(data)}", *fields)
            return await self.send_cut(data)
        if then == "416":
            return await self.answer(416, b"", f"Content-Range: bytes */{len(data)}")
        first, last, total = start, len(data) - 1, len(data)
        if then == "shifted":
            first = start - 1
        if then == "total":
            total += 7
        if then == "changed-silent":
            fields = []
        part, unit = data[first:], "bytes"
        if then == "overlap":
            first, part = start - 1000, data[start - 1000 :]
        if then == "other-bytes":
            part = data[: len(part)]
        if then == "star":
            total = "*"
        if then == "unit":
            unit = "pixels"
        if then == "endless":
            last, total = 2**63 - 1, "*"
        if then == "multipart":
            fields.append("Content-Type: multipart/byteranges; boundary=x")
        if then == "coded":
            fields.append("Content-Encoding: gzip")
            part = gzip.compress(part)
        if then == "redirect" and "again" not in self.query:
            return await self.redirect(f"{self.target}&again=1")
        if then == "short":
            part = part[:-5]
        if then == "long":
            part += b"12345"
        if then == "weak":
            fields = ['ETag: W/"1"']
        if then != "no-range":
            fields.append(f"Content-Range: {unit} {first}-{last}/{total}")
        await self.head(206, f"Content-Length: {len(part)}", *fields)
        await self.send_cut(part)

    async def send_cut(self, data):
        most = self.number("cut", 200000)
        is_cut = "always" in self.query and len(data) > most
        await self.send_body(data[:most] if is_cut else data)
        if is_cut:
            raise Close

    async def do_versioned(self, name):
        """A file with a validator that the query gives, and ranges; the first answer stops after `hold` bytes."""
        self.note_range()
        with open(os.path.join(self.server.files, os.path.basename(name)), "rb") as file:
            data = file.read()
        tag = '"' + self.query.get("tag", f"{len(data)}") + '"'
        fields = [f"ETag: {tag}", "Accept-Ranges: bytes"]
        if "cache-control" in self.query:
            fields.append(f"Cache-Control: {self.query['cache-control']}")
        if self.header("if-none-match") == tag:
            return await self.head(304, *fields)
        if "hold" in self.query and self.server.stats.requests[self.target] == 1:
            await self.head(200, f"Content-Length: {len(data)}", *fields)
            await self.send_body(data[: self.number("hold", 0)])
            await self.wait_for_the_end()
        wanted = self.header("range")
        if wanted and self.header("if-range") == tag:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            fields.append(f"Content-Range: bytes {start}-{len(data) - 1}/{len(data)}")
            await self.head(206, f"Content-Length: {len(data) - start}", *fields)
            return await self.send_body(data[start:])
        await self.head(200, f"Content-Length: {len(data)}", *fields)
        await self.send_body(data)

    # Connections that break or say nothing.

    async def do_rst(self, _):
        await self.head(200, "Content-Length: 1000")
        await self.send(body(100))
        self.reset()

    async def do_close(self, _):
        raise Close

    async def do_garbage(self, _):
        await self.send(b"\x00\x01\x02 this is not HTTP\r\n\r\n" * 4)
        raise Close

    async def wait_for_the_end(self):
        await self.reader.read()
        raise Close

    async def do_hang(self, _):
        await self.wait_for_the_end()

    async def do_hang_body(self, _):
        await self.head(200, "Content-Length: 1000")
        await self.send(body(100))
        await self.wait_for_the_end()

    async def do_flood(self, how):
        if how != "hints":
            await self.head(200, "Transfer-Encoding: chunked", "Content-Type: image/jpeg")
        if how == "extension":
            await self.send(b"5;")
        if how == "trailer":
            await self.send(b"0\r\n")
        piece = {
            "hints": b"HTTP/1.1 103 X\r\nLink: <a>\r\n\r\n",
            "extension": b"a",
            "chunks": b"1\r\na\r\n",
            "trailer": b"X-A: b\r\n",
        }[how] * 20_000
        while True:
            await self.send(piece)
            await asyncio.sleep(0)

    async def do_drip(self, _):
        data = body(self.number("size", 1000))
        await asyncio.sleep(self.number("before", 0.0))
        close = ["Connection: close"] if "close" in self.query else []
        await self.head(200, f"Content-Length: {len(data)}", *close)
        for byte in data:
            await self.send(bytes([byte]))
            await asyncio.sleep(self.number("delay", 0.2))
        if close:
            raise Close


class Server:
    def __init__(self, files, most=0):
        self.stats = Stats()
        self.files = files
        self.most = most
        self.busy = set()

    async def serve(self, reader, writer):
        self.stats.connections += 1
        self.stats.open += 1
        try:
            if 0 < self.most < self.stats.open:
                Exchange(self, "", "", [], reader, writer).reset()
            while True:
                head = await reader.readexactly(1)
                if head == b"\x16":  # a TLS handshake, as other plain servers answer it
                    writer.write(b"HTTP/1.1 400 X\r\nConnection: close\r\n\r\n")
                    return
                head += await reader.readuntil(b"\r\n\r\n")
                request, *lines = head.decode("latin-1").split("\r\n")[:-2]
                method, target = request.split(" ")[:2]
                if target != "/stats":
                    self.stats.begin(target)
                try:
                    await Exchange(self, method, target, lines, reader, writer).run()
                finally:
                    if target != "/stats":
                        self.stats.end()
        except (Close, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass
        finally:
            self.stats.open -= 1
            writer.close()


def make_certificate(folder, kind):
    """A private authority, and a certificate of it for 127.0.0.1 and localhost, or with one fault."""

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    def name(text):
        return ["-subj", f"/CN={text}"]

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", *name("Test authority"))
    openssl("req", *key, "-keyout", "key.pem", "-out", "request.pem", *name("localhost"))
    hosts = "DNS:elsewhere.example" if kind == "wrong-host" else "DNS:localhost,DNS:img.example,IP:127.0.0.1"
    with open(os.path.join(folder, "ca.cnf"), "w") as file:
        file.write(
            "[ca]\ndefault_ca=d\n[d]\nnew_certs_dir=.\ndatabase=index\nserial=serial\ndefault_md=sha256\n"
            f"policy=p\n[p]\ncommonName=supplied\n[v3]\nsubjectAltName={hosts}\n"
        )
    open(os.path.join(folder, "index"), "w").close()
    now = datetime.datetime.now(datetime.timezone.utc)
    end = now + datetime.timedelta(days=-1 if kind == "expired" else 1)
    dates = [(now - datetime.timedelta(days=2)), end]
    start, stop = (date.strftime("%Y%m%d%H%M%SZ") for date in dates)
    openssl(
        *("ca", "-config", "ca.cnf", "-batch", "-notext", "-rand_serial", "-extensions", "v3"),
        *("-cert", "ca.pem", "-keyfile", "ca.key", "-in", "request.pem", "-out", "cert.pem"),
        *("-startdate", start, "-enddate", stop),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem"))
    context.load_verify_locations(os.path.join(folder, "ca.pem"))
    context.verify_mode = {"mutual": ssl.CERT_REQUIRED, "optional": ssl.CERT_OPTIONAL}.get(kind, ssl.CERT_NONE)
    return context, os.path.join(folder, "ca.pem")


async def serve_until_closed(server, host, context, ca):
    """Says on which port it listens, and then what it has counted when it is asked, until its input ends."""
    listener = await asyncio.start_server(server.serve, host, 0, ssl=context)
    print(json.dumps({"port": listener.sockets[0].getsockname()[1], "ca": ca}), flush=True)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(commands), sys.stdin
    )
    while line := await commands.readline():
        if line.strip() == b"stats":
            print(server.stats.json(), flush=True)


async def main():
    options = argparse.ArgumentParser()
    options.add_argument("--files")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--tls", choices=["good", "expired", "wrong-host", "mutual", "optional"])
    options.add_argument("--most-connections", type=int, default=0)
    options.add_argument("--handshake-delay", type=float, default=0.0)
    options = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="preheat-test-") as folder:
        context, ca = make_certificate(folder, options.tls) if options.tls else (None, None)
        if context and options.handshake_delay:
            context.sni_callback = lambda *_: time.sleep(options.handshake_delay)
        server = Server(options.files, options.most_connections)
        await serve_until_closed(server, options.host, context, ca)
    # Exchanges that hang on purpose are not waited for.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
