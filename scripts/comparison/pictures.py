"""The pictures that the jobs of a comparison load: the samples of the demo, the fixtures of the tests, plain PNGs."""

import os
import shutil
import struct
import zlib
from pathlib import Path

# Long ago, so that a response counts as fresh in the second run.
DATE = 1_577_836_800


def png(path, width, height, orientation=1):
    """A picture of stripes with EXIF's orientation."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = [
        b"\0" + bytes(value for x in range(width) for value in ((x * 3 + y * 5) & 255, x & 255, y * 8))
        for y in range(min(height, 32))
    ]
    exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + struct.pack("<HHI", orientation, 0, 0)
    packer = zlib.compressobj(1)
    data = b"".join(packer.compress(rows[y % len(rows)]) for y in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"eXIf", exif), (b"IDAT", data), (b"IEND", b"")]
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*parts) for parts in chunks))


def stripes(folder, size, orientation):
    """The name of a plain PNG of this size ("640x480"), which is drawn when it is missing."""
    name = f"{size}-{orientation}.png"
    if not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        png(folder / name, *map(int, size.split("x")), int(orientation))
    return name


def stand_ins(www, paths):
    """Puts a sample under each path that the jobs of the repository name."""
    for index, path in enumerate(sorted(paths)):
        target = www / path
        if target.exists():
            continue
        samples = sorted(www.glob(f"*{target.suffix}")) or sorted(www.glob("*.jpg"))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(samples[index % len(samples)], target)


def broken(folder):
    """Files that no build may take for a whole picture."""
    folder.mkdir(exist_ok=True)
    whole = (folder.parent / "small/mountains.jpg").read_bytes()
    files = {
        "cut.jpg": whole[: len(whole) // 2],
        "page.jpg": b"<html><title>not found</title></html>",
        "empty.jpg": b"",
        "damaged.png": (folder.parent / "small/logo.png").read_bytes()[:20_000] + bytes(5_000),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return list(files)


def fixtures(www, source):
    """The small pictures of the tests, under /small. Returns their names."""
    shutil.copytree(source, www / "small", dirs_exist_ok=True)
    return sorted(path.name for path in (www / "small").iterdir())


def settle(www):
    """Gives every file the same old date: heuristic freshness and validators do not depend on the day."""
    for path in Path(www).rglob("*"):
        if path.is_file():
            os.utime(path, (DATE, DATE))
