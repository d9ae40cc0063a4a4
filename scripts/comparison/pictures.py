"""The pictures that the jobs of a comparison load: the samples of the demo, the fixtures of the tests, plain PNGs."""

import os
import shutil
from pathlib import Path

from PIL import Image

# Long ago, so that a response counts as fresh in the second run.
DATE = 1_577_836_800


def stripes(folder, size, orientation):
    """The name of a plain PNG of this size ("640x480") with EXIF's orientation, which is drawn when it is missing."""
    name = f"{size}-{orientation}.png"
    if not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        values = bytes(value for y in range(32) for x in range(256) for value in ((x * 3 + y * 5) & 255, x, y * 8))
        tile, picture = Image.frombytes("RGB", (256, 32), values), Image.new("RGB", tuple(map(int, size.split("x"))))
        for top in range(0, picture.height, tile.height):
            for left in range(0, picture.width, tile.width):
                picture.paste(tile, (left, top))
        exif = Image.Exif()
        exif[0x0112] = int(orientation)
        picture.save(folder / name, exif=exif, compress_level=1)
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
    whole, logo = ((folder.parent / "small" / name).read_bytes() for name in ("mountains.jpg", "logo.png"))
    files = {
        "cut.jpg": whole[: len(whole) // 2], "page.jpg": b"<html><title>not found</title></html>", "empty.jpg": b"",
        "damaged.png": logo[:20_000] + bytes(5_000),
    }  # fmt: skip
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
