"""How far two pictures are apart."""

import io
from dataclasses import dataclass

import numpy
from PIL import Image, ImageCms, ImageOps

# Of pictures that are equal.
MOST = 99.0


@dataclass
class Score:
    psnr: float
    largest: int
    within: float


def colours(picture):
    """The name of the picture's colour space; empty for sRGB and where the file says nothing."""
    profile = picture.info.get("icc_profile")
    if not profile:
        return ""
    name = ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile))).strip()
    return "" if "sRGB" in name else name


def in_srgb(picture):
    """The picture with its colours as sRGB."""
    if not colours(picture):
        return picture.convert("RGBA")
    profile = ImageCms.ImageCmsProfile(io.BytesIO(picture.info["icc_profile"]))
    plain = picture if picture.mode in ("RGB", "L", "CMYK") else picture.convert("RGB")
    turned = ImageCms.profileToProfile(plain, profile, ImageCms.createProfile("sRGB"), outputMode="RGB")
    turned.putalpha(picture.convert("RGBA").getchannel("A"))
    return turned


def weighted(picture, is_premultiplied):
    """The levels, colours weighted by alpha."""
    levels = numpy.asarray(picture).astype(float)
    if not is_premultiplied:
        levels[..., :3] = numpy.floor(levels[..., :3] * levels[..., 3:] / 255 + 0.5)
    return levels


def score(ours, reference, is_premultiplied=False):
    """None where the sizes differ. Pixels in one colour space are compared as they are, others in sRGB."""
    with Image.open(ours) as first, Image.open(reference) as stored:
        second = ImageOps.exif_transpose(stored)
        if first.size != second.size:
            return None
        to_rgba = in_srgb if colours(first) != colours(second) else lambda picture: picture.convert("RGBA")
        difference = weighted(to_rgba(first), False) - weighted(to_rgba(second), is_premultiplied)
    error = (difference[..., :3] ** 2).mean()
    apart = numpy.abs(difference).max(axis=2)
    psnr = min(MOST, 10 * numpy.log10(255 ** 2 / error)) if error else MOST
    return Score(psnr, int(apart.max()), (apart <= 3).mean() * 100)
