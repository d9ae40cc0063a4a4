#!/usr/bin/env python3
"""The hosts of the examples in docs/: an HTTP proxy on loopback behind which any host serves pictures.

    page_server.py FOLDER

FOLDER has the pictures. Preheat gets the proxy by PREHEAT_PROXY, and PREHEAT_INSECURE_HOST for the certificate, which is
signed by nobody. So the commands of a page run as they stand, https://img.example.com included, and reach nothing else.

It prints one line, {"port": N}, and ends when its standard input closes.

A path that ends in .png, .webp or .gif is such a picture, /u/... a portrait, all others a landscape. Names that begin with
"gone" are answered with 404, "busy" with 503, "page" with HTML, "cut" with half a picture.
"""

import hashlib
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading

PICTURES = {".png": "logo.png", ".webp": "balloons.webp", ".gif": "planets.gif"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_CONNECT(self):
        self.send_response(200)
        self.end_headers()
        self.connection = self.server.context.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb", buffering=0)
        self.close_connection = False
        while not self.close_connection:
            self.handle_one_request()

    def do_GET(self):
        path = pathlib.PurePosixPath(self.path.split("?")[0])
        if path.name.startswith("gone"):
            return self.answer(404, b"not here", "text/plain")
        if path.name.startswith("busy"):
            return self.answer(503, b"later", "text/plain")
        if path.name.startswith("page"):
            return self.answer(200, b"<!doctype html><title>Not found</title>", "image/jpeg")
        name = PICTURES.get(path.suffix, "portrait-6.jpg" if path.parts[1:2] == ("u",) else "mountains.jpg")
        data = (self.server.folder / name).read_bytes()
        return self.answer(200, data[: len(data) // 2] if path.name.startswith("cut") else data, "image/jpeg")

    def answer(self, status, data, kind):
        tag = '"' + hashlib.sha256(data).hexdigest()[:16] + '"'
        if self.headers.get("If-None-Match") == tag:
            status, data = 304, b""
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "max-age=60")
        if status != 304:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def certificate(folder):
    files = [os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=pages", "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context


with tempfile.TemporaryDirectory(prefix="preheat-test-") as scratch:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.folder = pathlib.Path(sys.argv[1])
    server.context = certificate(scratch)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    sys.stdin.read()
