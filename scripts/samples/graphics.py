"""A logo with an alpha channel, and an animated GIF."""

import math
import random

from PIL import Image, ImageChops

from samples import paint

# The flame's outlines as points of 2048 by 2048.
OUTER = "1030,420 1120,640 1330,860 1430,1130 1330,1430 1024,1570 718,1430 618,1150 700,930 800,830 850,980 900,760"
INNER = "1040,900 1110,1060 1200,1190 1180,1370 1024,1470 868,1370 850,1210 940,1090"

def logo():
    """A flame on a rounded square; transparent around it, with a soft shadow in the alpha channel."""
    size = (2048, 2048)
    box = (224, 200, 1824, 1800)
    tile = paint.shape(size, lambda pen, k: pen.rounded_rectangle([v * k for v in box], 380 * k, fill=255))
    alpha = paint.curve(paint.soften(ImageChops.offset(tile, 0, 60), 50), lambda v: v * 0.42)
    picture = Image.new("RGB", size, (60, 10, 40))
    face = paint.ramp(size, [
        (0, (255, 168, 60)), (0.12, (255, 160, 58)), (0.5, (244, 86, 72)), (0.88, (180, 36, 110))])
    paint.glow(face, (640, 420), 1100, (255, 200, 110), 1.6, 0.5)
    picture.paste(face, (0, 0), tile)
    flame, core = (paint.blob(size, outline, steps=40) for outline in (OUTER, INNER))
    glow = ImageChops.multiply(paint.soften(ImageChops.offset(flame, 0, 40), 36), tile)
    paint.shade(picture, glow, (110, 10, 60), 0.4)
    picture.paste(paint.ramp(size, [(0, (255, 255, 255)), (0.5, (255, 250, 238)), (1, (255, 222, 180))]), (0, 0), flame)
    picture.paste(face.transpose(Image.FLIP_TOP_BOTTOM), (0, 0), core)
    picture.putalpha(ImageChops.lighter(alpha, tile))
    return picture


def planets(frames=24):
    """The frames of an orbit: a planet and a moon that passes before and behind it."""
    side, k = 480, 2
    size = (side * k, side * k)
    sky = paint.ramp(size, [(0, (22, 20, 54)), (1, (64, 34, 86))])
    source = random.Random(3)
    for _ in range(110):
        x, y, light = source.randrange(size[0]), source.randrange(size[1]), source.randrange(70, 220)
        sky.paste((light, light, min(255, light + 20)), (x, y, x + k, y + k))
    planet = ball(150 * k, (244, 160, 96), (150, 54, 92))
    for number in range(frames):
        angle = 2 * math.pi * number / frames
        picture = sky.copy()
        x, y = side * k / 2 + 190 * k * math.cos(angle), side * k / 2 + 52 * k * math.sin(angle)
        moon = ball(round((44 + 9 * math.sin(angle)) * k), (226, 232, 246), (84, 92, 140))
        order = [(planet, side * k / 2, side * k / 2), (moon, x, y)]
        for body, middle, centre in order if math.sin(angle) > 0 else reversed(order):
            picture.paste(body, (round(middle - body.width / 2), round(centre - body.height / 2)), body)
        yield picture.reduce(k)


def ball(diameter, light, dark):
    """A sphere lit from the upper left, with a clear edge."""
    size = (diameter, diameter)
    picture = Image.new("RGB", size, dark)
    paint.glow(picture, (round(diameter * 0.36), round(diameter * 0.34)), round(diameter * 0.7), light, 1.1, 1)
    picture.putalpha(paint.ellipse(size, (0, 0, diameter - 1, diameter - 1)))
    return picture
