"""Product shots: turned things on a seamless backdrop, with soft shadows."""

import math
import random

from PIL import Image, ImageChops

from samples import paint


def studio(size, wall, floor, seam=0.62):
    """A backdrop that curves from a wall into a floor, lit from the upper left."""
    picture = paint.ramp(size, [
        (0, paint.mix(wall, paint.BLACK, 0.12)), (seam - 0.12, wall), (seam + 0.1, floor),
        (1, paint.mix(floor, paint.BLACK, 0.1))])
    paint.glow(picture, (round(size[0] * 0.34), round(size[1] * 0.3)), size[0], (70, 66, 60), 1.4, 0.8)
    return picture


def shadow(picture, x, ground, half, depth=1.0):
    """A thing's shadow: dark and sharp where it stands, wide and faint towards the right."""
    for reach, tall, strength, blur in [(3.2, 0.34, 0.2, 90), (1.9, 0.24, 0.34, 44), (1.06, 0.15, 0.62, 15)]:
        middle = x + half * (reach - 1) * 0.62
        mask = paint.oval(picture.size, middle, ground + half * tall * 0.1, half * reach, half * tall * 0.9)
        paint.shade(picture, mask, (34, 24, 26), strength * depth, blur)


def lathe(picture, x, ground, tall, profile, glaze, texture=None):
    """Turns `profile` (height from 0 at the foot to 1, radius as a part of `tall`) and stands it at (x, ground).

    `glaze(v)` is the colour at a height. Light falls in from the left, with a hard highlight and a reflex on the
    shaded side; rims are ellipses because we look down a little.
    """
    k = 2
    widest = max(radius for _, radius in profile)
    size = (round(tall * widest * 2 * k) + 8 * k, round(tall * 1.1 * k))
    body, mask = Image.new("RGB", size), Image.new("L", size)
    middle, bend = size[0] / 2, 0.13
    light = Image.new("L", (256, 1))
    light.putdata([lambert(i / 255) for i in range(256)])
    foot = round(tall * 1.03 * k)
    steepness = slopes(profile)
    # From the foot upwards every disc covers the back of the one below it.
    for row in range(round(tall * k)):
        v = row / (tall * k)
        half = radius_at(profile, steepness, v) * tall * k
        if half < 1:
            continue
        strip = light.resize((max(2, round(2 * half)), 1), Image.BILINEAR)
        colour = glaze(v)
        tones = ([min(255, round(c * l / 170 + max(0, l - 176) * 0.62)) for l in range(256)] for c in colour)
        band = Image.merge("RGB", [strip.point(tone) for tone in tones])
        # A disc seen from a little above is a flat ellipse.
        drop = half * bend
        across, down = band.width, max(2, round(2 * drop))
        disc = paint.ellipse((across, down), (0, 0, across - 1, down - 1), 1)
        at = (round(middle - half), round(foot - row - drop))
        body.paste(band.resize(disc.size, Image.NEAREST), at, disc)
        mask.paste(255, at, disc)
    if texture:
        body = paint.multiply(body, texture.resize(size, Image.BICUBIC))
    picture.paste(body.reduce(k), (round(x - middle / k), round(ground - foot / k)), mask.reduce(k))


def lambert(u):
    """Brightness across a cylinder, 0 at the left edge and 1 at the right; 170 is the thing's own colour."""
    base = 96 + 104 * max(0.0, 1 - abs(u - 0.3) / 0.62) ** 0.9
    highlight = 78 * max(0.0, 1 - abs(u - 0.22) / 0.055) ** 2
    reflex = 34 * max(0.0, 1 - abs(u - 0.95) / 0.09)
    return min(255, round(base + highlight + reflex))


def slopes(profile):
    """The steepness of a profile at its points, level at every bulge and waist, so that no curve overshoots."""
    chords = [(r1 - r0) / (v1 - v0) for (v0, r0), (v1, r1) in zip(profile, profile[1:])]
    inner = [2 * a * b / (a + b) if a * b > 0 else 0.0 for a, b in zip(chords, chords[1:])]
    return [chords[0], *inner, chords[-1]]


def radius_at(profile, steepness, v):
    """The radius at a height: a cubic between the two points around it."""
    for i, ((v0, r0), (v1, r1)) in enumerate(zip(profile, profile[1:])):
        if v <= v1:
            t = (v - v0) / (v1 - v0)
            tangents = steepness[i] * t * (1 - t) ** 2 - steepness[i + 1] * t * t * (1 - t)
            return max(0.0, r0 + (r1 - r0) * t * t * (3 - 2 * t) + (v1 - v0) * tangents)
    return profile[-1][1]


def globe(low, high, bottom=0.0):
    """The points of a sphere between two heights, from where its radius is `bottom` on."""
    radius, middle = (high - low) / 2, (low + high) / 2
    points = [(middle - radius * math.cos(i * math.pi / 12), radius * math.sin(i * math.pi / 12)) for i in range(1, 13)]
    return [(v, r) for v, r in points if r > bottom or v > middle]


def mouth(picture, x, ground, tall, radius, inside):
    """The opening of a vase: a dark ellipse within a lit rim."""
    top = ground - tall
    half, drop = radius * tall, radius * tall * 0.13
    hole = paint.oval(picture.size, x, top, half * 0.86, drop * 0.8)
    paint.shade(picture, hole, inside)
    paint.shade(picture, ImageChops.multiply(hole, ImageChops.offset(hole, round(half * 0.4), 0)), paint.BLACK, 0.35, 6)


def ceramics():
    """Three vases."""
    size = (2400, 2400)
    picture = studio(size, (222, 208, 194), (236, 226, 214), 0.66)
    speckle = paint.curve(paint.noise((700, 900), (260, 330), 3), lambda v: 1 if v < 0.86 else 0.72)
    slim = [(0, 0.13), (0.05, 0.15), (0.5, 0.2), (0.72, 0.12), (0.84, 0.055), (0.96, 0.062), (1, 0.085)]
    round_one = [(0, 0.24), (0.06, 0.28), (0.45, 0.5), (0.8, 0.26), (0.92, 0.17), (1, 0.2)]
    bowl = [(0, 0.3), (0.06, 0.34), (0.5, 0.62), (1, 0.7)]

    for x, ground, tall, profile, half, clay, glaze, edge, inside in [
        (880, 1830, 1330, slim, 245, (196, 156, 122), (52, 96, 104), 0.2, (24, 44, 50)),
        (1560, 1900, 780, round_one, 330, (200, 164, 132), (214, 108, 74), 0.24, (96, 40, 28)),
        (1120, 2080, 330, bowl, 190, (198, 160, 128), (240, 232, 216), 0.3, (204, 192, 172))]:
        shadow(picture, x, ground, half)
        lathe(picture, x, ground, tall, profile, lambda v: clay if v < edge else glaze, speckle)
        mouth(picture, x, ground, tall, profile[-1][1], inside)
    paint.vignette(picture, 0.25)
    return paint.grain(picture, 9, 2)


def chessmen():
    """Turned pawns and a king, the ones behind out of focus."""
    size = (2800, 2100)
    picture = studio(size, (70, 84, 92), (126, 112, 98), 0.6)
    foot = [(0, 0.29), (0.05, 0.31), (0.1, 0.27), (0.12, 0.27), (0.15, 0.285), (0.18, 0.26)]
    pawn = [
        *foot, (0.25, 0.18), (0.45, 0.11), (0.61, 0.095), (0.62, 0.19), (0.64, 0.205), (0.66, 0.19), (0.67, 0.12),
        *globe(0.64, 1, 0.12),
    ]
    base = [(v * 0.8, r * 0.72) for v, r in foot]
    king = [
        *base, (0.22, 0.12), (0.45, 0.078), (0.62, 0.072), (0.625, 0.13), (0.64, 0.14), (0.655, 0.13), (0.66, 0.08),
        (0.85, 0.14), (0.86, 0.125), (0.9, 0.06), *globe(0.9, 1, 0.03),
    ]
    maple, walnut = (226, 178, 118), (108, 62, 40)
    source = random.Random(12)

    def piece(x, ground, tall, profile, colour, seed):
        wood = paint.curve(paint.fractal((500, 700), (22, 3), seed, 4), lambda v: 0.78 + 0.4 * (v - 0.35))
        shadow(picture, x, ground, tall * profile[0][1], 0.9)
        lathe(picture, x, ground, tall, profile, lambda v: colour, wood)

    for x, ground, tall in [(420, 1330, 470), (980, 1300, 450), (1690, 1310, 455), (2420, 1340, 480)]:
        piece(x, ground, tall, pawn, walnut, source.randrange(99))
    picture = paint.soften(picture, 15)
    piece(820, 1560, 1180, king, walnut, 5)
    piece(2140, 1600, 700, pawn, maple, 6)
    picture = paint.soften(picture, 3)
    piece(1430, 1850, 1010, pawn, maple, 7)
    paint.vignette(picture, 0.45)
    return paint.grain(picture, 10, 2)
