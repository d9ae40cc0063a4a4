"""The files that benchmarks work on, and a slow network."""

import asyncio
import contextlib
import functools
import json
import multiprocessing
import os
import subprocess

from PIL import Image, ImageDraw, ImageFilter

from .harness import BENCH, PORT, ROOT, WORK, job

LATENCY = 0.05
SLOW = f"http://127.0.0.1:{PORT + 1}"
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


def listed():
    """Pictures of a list, about 110 kB each."""
    return small_pictures(BENCH / "listed", 1000, (800, 600), 94)


def animations():
    """GIFs of four frames in a palette, from the listed pictures."""
    folder = BENCH / "animations"
    if not folder.exists():
        folder.mkdir(parents=True)
        for path in sorted(listed().glob("*.jpg"))[:200]:
            with Image.open(path) as picture:
                frames = [picture.resize((480, 360)).rotate(turn).quantize(256) for turn in (0, 90, 180, 270)]
            frames[0].save(folder / f"{path.stem}.gif", save_all=True, append_images=frames[1:], duration=100)
    return folder


def square(number, side):
    """One that is cut out of the photographs."""
    paths = sorted(photographs().glob("*.jpg"))
    with Image.open(paths[number % len(paths)]) as picture:
        left, top = (number * 7 % 100 * (length - 1600) // 100 for length in picture.size)
        return picture.crop((left, top, left + 1600, top + 1600)).resize((side, side))


def squares(name, count, *kinds):
    """Squares in turn by kinds: a side, and a function of a path without suffix and a picture that saves it."""
    folder = BENCH / name
    if not folder.exists():
        folder.mkdir(parents=True)
        for number in range(count):
            side, save = kinds[number % len(kinds)]
            save(folder / f"s{number:03}", square(number, side))
    return folder


def save_webp(path, picture):
    picture.save(f"{path}.webp", quality=80)


def save_cutout(path, picture):
    """A thing in front of nothing, with a soft edge."""
    mask = Image.new("L", picture.size)
    ImageDraw.Draw(mask).ellipse((20, 20, 780, 780), fill=255)
    picture.putalpha(mask.filter(ImageFilter.GaussianBlur(4)))
    picture.save(f"{path}.png")


def save_animation(path, picture):
    frames = [picture.rotate(turn).quantize(256) for turn in range(0, 360, 60)]
    frames[0].save(f"{path}.gif", save_all=True, append_images=frames[1:], duration=100)


def save_jpeg(path, picture, mode="RGB", progressive=False):
    picture.convert(mode).save(f"{path}.jpg", quality=85, progressive=progressive)


def webps():
    return squares("webps", 200, (1000, save_webp))


def cutouts():
    return squares("cutouts", 200, (800, save_cutout))


def catalogue():
    """What a shop has: of twenty pictures twelve JPEGs, three PNGs, two WebPs, a GIF, a progressive and a CMYK JPEG."""
    rare = [
        (400, save_animation), (1200, functools.partial(save_jpeg, progressive=True)),
        (1200, functools.partial(save_jpeg, mode="CMYK"))]  # fmt: skip
    return squares(
        "catalogue", 300, *[(1200, save_jpeg)] * 12, *[(800, save_cutout)] * 3, *[(1000, save_webp)] * 2, *rare)


def samples():
    subprocess.run([ROOT / "scripts/make-samples", BENCH / "samples"], check=True)
    return BENCH / "samples"


def photographs():
    """24 of 12 megapixels."""
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
        pixel = Image.new("RGB", (1, 1), (number >> 16, number >> 8 & 255, number & 255))
        # Each 255 bytes of a comment have one byte more; the rest of the file has about 50.
        pixel.save(folder / f"{number}.bin", "GIF", comment=b" " * ((size - 50) * 255 // 256))
    return folder


async def pump(reader, writer):
    later = functools.partial(asyncio.get_running_loop().call_later, LATENCY / 2)
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            later(writer.write, data)
    later(writer.close)


async def pass_on(ready):
    async def serve(reader, writer):
        there, away = await asyncio.open_connection("127.0.0.1", PORT)
        await asyncio.gather(pump(reader, away), pump(there, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", PORT + 1)
    ready.set()
    await server.serve_forever()


@contextlib.contextmanager
def relay():
    """Passes bytes on to the server after half the latency, in both directions, at the port after the server's."""
    ready = multiprocessing.Event()
    process = multiprocessing.Process(target=lambda: asyncio.run(pass_on(ready)), daemon=True)
    process.start()
    ready.wait(10)
    yield
    process.kill()


def floor(preheat, text, setting, flags):
    """Builds the floor of `plan`; returns how a job's rows read: the lines of its head, then suffixes and rows."""
    source, url = ROOT / "Benchmarks/plan-floor/main.c", "https://img.example.com/one.jpg"
    warnings = ["-Wno-deprecated-declarations", "-D_GNU_SOURCE"]
    subprocess.run(["cc", "-O3", *warnings, "-o", WORK / "plan-floor", source, "-lcrypto"], check=True)
    one = job(WORK, [url], setting, name="one.job")
    shown, told = (
        subprocess.run([preheat, "plan", *extra, one], capture_output=True, text=True, check=True).stdout.splitlines(True)
        for extra in (flags, ["--json"]))
    rows, size = [row for row in map(json.loads, told) if row["type"] == "rendition"], 1 if "--json" in flags else 2
    arguments = [str(rows[0]["line"] - 1)]
    for number, row in enumerate(rows):
        read = "".join(shown[number * size : number * size + size])
        for own, sign in ((row["key"], "\2"), (row["file"], "\3"), (url, "\1"), (f'"line":{row["line"]}', '"line":\4'), (str(one), str(text))):
            read = read.replace(own, sign)
        arguments += [row["key"].removeprefix(url), read]
    return arguments
