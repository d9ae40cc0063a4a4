"""Pictures that Apple's frameworks drew, and the chains of which clients draw the same.

A folder of references may hold the test pictures of AlamofireImage, Kingfisher and Nuke, thumbnails by ImageIO
(`source.png` and `NNN.png`, whose longer side is NNN), and folders with a `manifest.tsv`, at any depth. What is missing
is left out.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

NUKE, KINGFISHER, SDWEBIMAGE = "nuke 13", "kingfisher 8", "sdwebimage 5"
# Words of a manifest's first line.
COLUMNS = ["operation", "source", "client", "chain", "scale", "result"]
# Of Kingfisher's tests, by the name of the result.
OF_KINGFISHER = {
    "resize-120": ("fill", "resizing(referenceSize: 120x120)"),
    "resize-240-60-aspectFill": ("aspect fill, not cut", "resizing(referenceSize: 240x60, mode: aspectFill)"),
    "resize-240-60-aspectFit": ("aspect fit, no margins", "resizing(referenceSize: 240x60, mode: aspectFit)"),
    "round-corner-40": ("round corners", "roundCorner(cornerRadius: 40)"),
    "round-corner-40-corner-3": ("round corners", "roundCorner(cornerRadius: 40, roundingCorners: topLeft+topRight)"),
    "round-corner-40-corner-12":
        ("round corners", "roundCorner(cornerRadius: 40, roundingCorners: bottomLeft+bottomRight)"),
    "round-corner-60-resize-100": ("fill, circle", "roundCorner(cornerRadius: 60, targetSize: 100x100)"),
    "blur-10": ("blur", "blur(blurRadius: 10)"),
    "blur-4-round-corner-60": ("blur, round corners", "blur(blurRadius: 4) | roundCorner(cornerRadius: 60)"),
    "overlay-red": ("overlay", "overlay(color: #FF0000)"),
    "overlay-red-07": ("overlay", "overlay(color: #FF0000, fraction: 0.7)"),
    "tint-yellow-02": ("tint", "tint(color: rgba(1, 1, 0, 0.2))"),
    "color-control-b00-c11-s12-ev07":
        ("colour controls", "colorControls(brightness: 0, contrast: 1.1, saturation: 1.2, inputEV: 0.7)"),
    "b&w": ("black and white", "blackWhite"),
}
# Of Nuke's tests; their round corners are still those of UIBezierPath, which Kingfisher draws. {w} and {h} are of the
# result.
OF_NUKE = {
    "circle": ("circle", NUKE, "circle"),
    "circle-border": ("circle, border", NUKE, "circle(border: (color: #FF0000, width: 4, unit: pixels))"),
    "rounded-corners": ("round corners", KINGFISHER, "roundCorner(cornerRadius: 12)"),
    "sepia": ("sepia", NUKE, "coreImage(name: CISepiaTone)"),
    "crop-left-orientation": ("aspect fill", NUKE, "resize(size: {w}x{h}, unit: pixels, crop: true, upscale: true)"),
}


@dataclass(frozen=True)
class Reference:
    operation: str
    client: str
    chain: str
    source: Path
    result: Path
    # Whose pictures they are, for the table.
    origin: str
    scale: str = "1"
    is_premultiplied: bool = False

    @property
    def format(self):
        with Image.open(self.source) as picture:
            return picture.format


def is_lazy(source, ratio):
    """Whether UIKit decodes the file at a fraction of its size. SDWebImage decodes all of it before it draws."""
    with Image.open(source) as picture:
        return picture.format == "JPEG" and ratio(*picture.size) >= 2


def alamofire(folder):
    """`Scaled/apple-scaled-30x60-@2x.png` and so on, each of an original."""
    originals = {path.stem: path for path in folder.rglob("Original Images/*.*")}
    kinds = "|".join(["scaled", "aspect.scaled.to.fill", "aspect.scaled.to.fit", "scaled.to.size.circle",
                      "aspect.scaled.to.fill.size.circle", "scaled.to.size.with.rounded.corners"])
    for result in sorted(folder.rglob("Modified Images/*/*.png")):
        scaled = re.fullmatch(rf"(\w+)-({kinds})-(\d+)x(\d+)(?:x(\d+))?-@(\d)x", result.stem)
        whole = re.fullmatch(r"(\w+)-(circle|radius-20|sepia\.tone)", result.stem)
        source = originals.get((scaled or whole or [None, None])[1])
        if not source:
            continue
        if scaled:
            scale = int(scaled[6])
            width, height, radius = (int(number or 0) * scale for number in scaled.group(3, 4, 5))
            chains = scalings(scaled[2], width, height, radius, source)
        else:
            chains = {
                "circle": [("circle", NUKE, "circle")],
                "radius-20": [("round corners", client, f"roundCorner({name}: 20)")
                              for client, name in ((KINGFISHER, "cornerRadius"), (SDWEBIMAGE, "radius"))],
                "sepia.tone": [("sepia", NUKE, "coreImage(name: CISepiaTone)")],
            }[whole[2]]
        for operation, client, chain in chains:
            yield Reference(operation, client, chain, source, result, "AlamofireImage")


def scalings(kind, width, height, radius, source):
    """The chains that draw a picture into a canvas of this size as one of AlamofireImage's functions does."""
    fill = f"resizing(referenceSize: {width}x{height})"
    crop = f"resize(size: {width}x{height}, unit: pixels, crop: true, upscale: true)"
    mode = {"scaled": "fill", "aspect.scaled.to.fill": "aspectFill", "aspect.scaled.to.fit": "aspectFit"}.get(kind)
    chosen = {
        "scaled": [("fill", KINGFISHER, fill)],
        "aspect.scaled.to.fill": [("aspect fill", NUKE, crop)],
        "scaled.to.size.circle": [("fill, circle", KINGFISHER, f"{fill} | roundCorner(radius: widthFraction(0.5))")],
        "aspect.scaled.to.fill.size.circle": [("aspect fill, circle", NUKE, f"{crop} | circle")],
        "scaled.to.size.with.rounded.corners":
            [("fill, round corners", KINGFISHER, f"{fill} | roundCorner(cornerRadius: {radius})")],
    }.get(kind, [])
    ends = max if mode == "aspectFit" else min
    if mode and not is_lazy(source, lambda across, down: ends(across / width, down / height)):
        operation = {"fill": "fill", "aspectFill": "aspect fill", "aspectFit": "aspect fit"}[mode]
        chosen = [*chosen, (operation, SDWEBIMAGE, f"resize(size: {width}x{height}, scaleMode: {mode})")]
    return chosen


def kingfisher(folder):
    originals = {path.stem: path for path in folder.rglob("Original/*.*")}
    for result in sorted(folder.rglob("Modified/*/*.*")):
        name, _, kind = result.stem.partition("-")
        if name in originals and kind in OF_KINGFISHER:
            operation, chain = OF_KINGFISHER[kind]
            yield Reference(operation, KINGFISHER, chain, originals[name], result, "Kingfisher")


def nuke(folder):
    for result in sorted(folder.rglob("Snapshots/s-*.png")):
        source = "right-orientation.jpeg" if "orientation" in result.stem else "fixture-tiny.jpeg"
        found = next((path for parent in result.parents[1:3] for path in parent.glob(source)), None)
        if found and result.stem[2:] in OF_NUKE:
            operation, client, chain = OF_NUKE[result.stem[2:]]
            with Image.open(result) as picture:
                width, height = ImageOps.exif_transpose(picture).size
            yield Reference(operation, client, chain.format(w=width, h=height), found, result, "Nuke")


def thumbnails(folder):
    for result in sorted(folder.rglob("*.png")):
        source = result.parent / "source.png"
        if result.stem.isdigit() and source.exists():
            for client, chain in ((NUKE, "thumbnail(maxPixelSize: {0})"), (KINGFISHER, "downsampling(size: {0}x{0})"),
                                  (SDWEBIMAGE, "thumbnail(size: {0}x{0})")):
                yield Reference("thumbnail", client, chain.format(int(result.stem)), source, result, "ImageIO")


def manifests(folder):
    """Rows of a `manifest.tsv`, in the words of a job file, as `examples/device-pixels` writes them."""
    for path in sorted(folder.rglob("manifest.tsv")):
        with open(path, newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if rows.fieldnames != COLUMNS:
                raise ValueError(f"{path}: the first line has to be {' '.join(COLUMNS)}, with tabs between")
            for row in rows:
                yield Reference(row["operation"], row["client"], row["chain"], path.parent / row["source"],
                                path.parent / row["result"], path.parent.name, row["scale"])


def goldens(folder):
    """What the project's tests compare with: drawn by a reference implementation, not by Apple's frameworks."""
    with open(folder / "drawings.tsv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            width, height = int(row["canvas_width"]), int(row["canvas_height"])
            if row["is_thumbnail"] == "1":
                drawn = ("thumbnail", NUKE, f"thumbnail(maxPixelSize: {max(width, height)})")
            elif "aspect" in row["result"]:
                mode = "aspectFill" if "aspectFill" in row["result"] else "aspectFit"
                drawn = ("aspect fill" if mode == "aspectFill" else "aspect fit", SDWEBIMAGE,
                         f"resize(size: {width}x{height}, scaleMode: {mode})")
            else:
                drawn = ("fill", KINGFISHER, f"resizing(referenceSize: {width}x{height})")
            source, result = (folder / f"{row[name]}.png" for name in ("source", "result"))
            yield Reference(*drawn, source, result, "goldens of the tests", is_premultiplied=True)


def found(folder):
    return [reference for kind in (alamofire, kingfisher, nuke, thumbnails, manifests) for reference in kind(folder)]
