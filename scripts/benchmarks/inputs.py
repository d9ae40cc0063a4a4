"""The files that benchmarks work on, and a slow network."""

import asyncio
import multiprocessing
import os
import subprocess
import time

from PIL import Image

from .harness import BENCH, PORT, ROOT, WORK

LATENCY = 0.05
LARGE = (11600, 8700)  # 100 megapixels


def small_pictures(folder, count, size, quality=85):
    """Pictures that differ, of a few kilobytes."""
    if not folder.exists():
        folder.mkdir(parents=True)
        for number in range(count):
            noise = Image.effect_noise((size[0] // 4, size[1] // 4), 40 + number % 50).resize(size, Image.BICUBIC)
            hue = Image.new("RGB", size, (number * 7 % 256, number * 13 % 256, number * 29 % 256))
            path = folder / f"p{number:05}.jpg"
            Image.blend(noise.convert("RGB"), hue, 0.4).save(path, quality=quality)
            os.utime(path, (1.5e9, 1.5e9))
    return folder


def little():
    return small_pictures(WORK / "little", 2000, (48, 36))


def medium():
    return small_pictures(WORK / "medium", 2000, (320, 240), 80)


def samples():
    subprocess.run([ROOT / "scripts/make-samples", BENCH / "samples"], check=True)
    return BENCH / "samples"


def photographs(folder=None):
    """24 of 12 megapixels, or those of a folder."""
    if folder:
        return folder.resolve()
    subprocess.run([ROOT / "scripts/make-samples", "--photographs", samples(), BENCH / "photographs"], check=True)
    return BENCH / "photographs"


def large():
    """A folder with one picture of 100 megapixels."""
    folder = BENCH / "large"
    if not folder.exists():
        folder.mkdir(parents=True)
        with Image.open(next(photographs().glob("*.jpg"))) as picture:
            picture.resize(LARGE, Image.BICUBIC).save(folder / "large.jpg", "JPEG", quality=90)
    return folder


def gifs(folder, count, size=20_000):
    """GIFs of one pixel with a comment that fills them up: every file is another one, and whole."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        head = b"GIF89a\x01\0\x01\0\x80\0\0" + number.to_bytes(3, "big") + b"\xff\xff\xff"
        frame = b",\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;"
        blocks, rest = divmod(size - len(head) - len(frame) - 3, 256)
        # A rest of one byte would be a block without content, which ends the comment.
        sizes = [255] * blocks + ([rest - 1] if rest > 1 else [])
        comment = b"!\xfe" + b"".join(bytes([size]) + b" " * size for size in sizes) + b"\0"
        (folder / f"{number}.bin").write_bytes(head + comment + frame)
    return folder


class Relay:
    """Passes bytes on to the server after half the latency, in both directions, at the port after the server's."""

    def __enter__(self):
        ready = multiprocessing.Event()
        self.process = multiprocessing.Process(target=self.run, args=(ready,), daemon=True)
        self.process.start()
        ready.wait(10)

    def __exit__(self, *_):
        self.process.kill()

    @staticmethod
    def run(ready):
        async def pump(reader, writer):
            line = asyncio.Queue()

            async def send():
                while item := await line.get():
                    due, data = item
                    await asyncio.sleep(due - time.monotonic())
                    if not data:
                        return writer.close()
                    writer.write(data)

            sender = asyncio.create_task(send())
            try:
                while data := await reader.read(1 << 16):
                    line.put_nowait((time.monotonic() + LATENCY / 2, data))
            except OSError:
                pass
            line.put_nowait((time.monotonic(), b""))
            await sender

        async def serve(reader, writer):
            there, away = await asyncio.open_connection("127.0.0.1", PORT)
            await asyncio.gather(pump(reader, away), pump(there, writer), return_exceptions=True)

        async def listen():
            server = await asyncio.start_server(serve, "127.0.0.1", PORT + 1)
            ready.set()
            await server.serve_forever()

        asyncio.run(listen())
