"""Mountains, a lake, northern lights, balloons."""

import math
import random

from PIL import Image, ImageChops

from samples import paint, terrain


def mountains():
    """First light over misty ranges."""
    size = (3600, 2400)
    picture = paint.ramp(size, [
        (0, (58, 84, 138)), (0.22, (122, 134, 176)), (0.4, (226, 168, 160)), (0.52, (255, 208, 158)),
        (1, (255, 224, 184))])
    terrain.clouds(picture, (255, 196, 176), 11, 0.02, 0.42, 0.75)
    sun = (2380, 1130)
    paint.glow(picture, sun, 1500, (255, 170, 90), 2.2, 0.75)
    paint.glow(picture, sun, 420, (255, 226, 170), 2.0, 0.9)
    paint.sun(picture, sun, 92, (255, 246, 222))
    haze = (255, 206, 168)
    crest = (44, 50, 84)
    layers = [(1180, 250, 0.56, 0.16), (1330, 300, 0.54, 0.36), (1540, 310, 0.52, 0.56), (1790, 270, 0.5, 0.76)]
    for number, (base, amplitude, roughness, nearness) in enumerate(layers):
        mask = terrain.hills(size, 40 + number, roughness, base, amplitude)
        near = paint.mix(haze, crest, nearness)
        terrain.mist(picture, mask, near, paint.mix(near, haze, 0.72), base, 560, 60 + number)
        paint.glow(picture, (sun[0], base + 40), 1300, (255, 160, 90), 2.4, 0.16, 0.4)
    for number, (base, colour, low, tall) in enumerate([(2080, (36, 40, 62), 70, 150), (2290, (16, 19, 32), 150, 330)]):
        mask = terrain.hills(size, 70 + number, 0.42, base, 130, (80 + number, low, tall), 0.7)
        terrain.mist(picture, mask, colour, paint.mix(colour, haze, 0.25 - 0.2 * number), base, 420, 90 + number)
    paint.vignette(picture)
    return paint.grain(picture, 1)


def lake():
    """A still lake in autumn, the far shore doubled in it."""
    size = (3200, 2400)
    water = 1340
    picture = paint.ramp(size, [(0, (74, 128, 184)), (0.3, (148, 186, 214)), (0.56, (232, 228, 214))])
    terrain.clouds(picture, (255, 252, 246), 21, 0.0, 0.5, 0.95, (3, 6), 0.46)
    peaks = terrain.hills(size, 108, 0.57, 900, 520)
    terrain.mist(picture, peaks, (98, 116, 148), (204, 208, 212), 980, 560, 31)
    # Snow lies above a line that the rock's own roughness frays.
    rock = paint.fractal(size, (26, 34), 33, 5, coarse=2)
    line = paint.ramp(size, [(0, paint.WHITE), (0.2, (200, 200, 200)), (0.42, (40, 40, 40)), (1, paint.BLACK)])
    snow_line = paint.curve(ImageChops.add(line.convert("L"), rock, 2), lambda v: (v - 0.5) * 14)
    paint.shade(picture, ImageChops.multiply(snow_line, peaks), (244, 246, 252), 0.92)
    for number, (base, colour) in enumerate([(1170, (92, 108, 118)), (1270, (82, 88, 66)), (1330, (44, 58, 44))]):
        trees = (120 + number, 46 + 30 * number, 100 + 60 * number)
        mask = terrain.hills(size, 110 + number, 0.46, base, 120 - 34 * number, trees, 0.8)
        terrain.mist(picture, mask, colour, paint.mix(colour, (206, 190, 150), 0.3), base, 300, 34 + number)
        if number:
            autumn = paint.curve(paint.noise(size, (90, 70), 44 + number), lambda v: (v - 0.62) * 5)
            paint.shade(picture, ImageChops.multiply(autumn, mask), (206, 128, 44), 0.62)
    mirror = paint.reflection(picture, water, (size[0] // 2, 150))
    ripples = paint.fractal(mirror.size, (5, 60), 51, 3, coarse=4)
    dark = ImageChops.multiply(mirror, Image.new("RGB", mirror.size, (150, 172, 186)))
    mirror = Image.composite(mirror, dark, paint.curve(ripples, lambda v: (v - 0.3) * 2.2))
    deep = paint.ramp(mirror.size, [(0, (235, 238, 236)), (0.5, (196, 210, 212)), (1, (96, 128, 140))])
    picture.paste(ImageChops.multiply(mirror, deep), (0, water))
    paint.shade(picture, paint.oval(size, size[0] // 2, water, size[0] // 2 + 300, 9), (206, 200, 178), 0.5, 4)
    paint.vignette(picture, 0.3)
    return paint.grain(picture, 2)


def aurora():
    """Northern lights over a black shore."""
    size = (3000, 2000)
    picture = paint.ramp(size, [(0, (6, 10, 30)), (0.5, (12, 28, 56)), (0.75, (24, 62, 78)), (1, (20, 60, 70))])
    terrain.stars(picture, 5, 1500, 1500)
    small = (750, 500)
    for seed, base, tall, colour, tip in [
        (3, 300, 250, (70, 255, 160), (120, 80, 220)), (4, 245, 200, (60, 235, 190), (190, 70, 190)),
        (8, 345, 150, (110, 255, 140), (60, 160, 180))]:
        fold = random.Random(seed)
        phases = [(fold.uniform(low, high), fold.uniform(0, 6.3)) for low, high in ((0.6, 1.4), (2, 4), (6, 9))]
        rays = paint.fractal((small[0], 1), (18, 1), seed, 4).getdata()
        curtain = Image.new("RGB", small)
        column = paint.ramp((1, tall), [
            (0, paint.BLACK), (0.35, paint.mix(paint.BLACK, tip, 0.4)), (0.8, paint.mix(tip, colour, 0.8)),
            (0.94, colour), (1, paint.BLACK)])
        for x in range(small[0]):
            t = x / small[0] * 2 * math.pi
            low = base + sum(36 / (1 + 2 * i) * math.sin(t * f + p) for i, (f, p) in enumerate(phases))
            power = max(0.0, rays[x] / 255 - 0.18) * (0.55 + 0.45 * math.sin(t * 0.7 + phases[0][1]))
            strip = column.point([min(255, round(v * power * 1.5)) for v in range(256)] * 3)
            curtain.paste(strip, (x, round(low) - tall))
        curtain = paint.soften(curtain, 1.6)
        curtain = ImageChops.screen(curtain, paint.soften(curtain, 16))
        picture = ImageChops.screen(picture, curtain.resize(size, Image.BICUBIC))
    for number, (base, colour) in enumerate([(1640, (14, 34, 46)), (1790, (4, 10, 16))]):
        trees = (130, 60, 190) if number else None
        mask = terrain.hills(size, 141 + number, 0.52 - 0.08 * number, base, 230 - 130 * number, trees)
        paint.shade(picture, mask, colour)
    return paint.grain(picture, 3)


def balloons():
    """Hot-air balloons over morning hills."""
    size = (2400, 1600)
    picture = paint.ramp(size, [
        (0, (96, 164, 214)), (0.45, (188, 216, 226)), (0.7, (255, 228, 196)), (1, (255, 220, 180))])
    terrain.clouds(picture, (255, 250, 242), 71, 0.05, 0.7, 0.8, (2, 7))
    paint.glow(picture, (420, 1060), 1100, (255, 214, 150), 2.0, 0.7)
    for number, (base, nearness) in enumerate([(1120, 0.2), (1240, 0.45), (1370, 0.72), (1500, 1.0)]):
        colour = paint.mix((222, 206, 190), (58, 92, 70), nearness)
        trees = (170 + number, 10 + 14 * number, 24 + 30 * number) if number else None
        mask = terrain.hills(size, 160 + number, 0.4, base, 110, trees, 0.9)
        terrain.mist(picture, mask, colour, paint.mix(colour, (250, 226, 190), 0.5), base, 240, 180 + number)
    for x, y, radius, *stripes in [
        (1980, 330, 60, (36, 130, 116), (246, 236, 214)), (1500, 620, 84, (208, 58, 48), (250, 226, 190)),
        (300, 480, 96, (236, 128, 42), (250, 232, 170)), (2120, 860, 120, (32, 96, 150), (244, 190, 66)),
        (1330, 250, 40, (120, 66, 140), (240, 170, 150)), (860, 430, 270, (200, 44, 62), (255, 184, 60))]:
        balloon(picture, x, y, radius, stripes)
    return paint.grain(picture, 4, 2)


def balloon(picture, x, y, radius, stripes):
    """One balloon: gores that narrow towards its edges, light from the left."""
    k = 3
    side = round(radius * 2.2)
    tall = round(radius * 3.4)
    canvas = Image.new("RGB", (side * k, tall * k))
    mask = Image.new("L", canvas.size)
    middle, r = side * k / 2, radius * k
    for row in range(round(2.42 * r)):
        v = row / (2.42 * r)
        # A round crown that runs into a cone at the mouth.
        half = r * (math.sin(math.acos(1 - v / 0.42)) if v < 0.42 else math.cos((v - 0.42) / 0.58 * 1.36) ** 0.92)
        angles = [-math.pi / 2 + math.pi * i / 12 for i in range(13)]
        for i, (left, right) in enumerate(zip(angles, angles[1:])):
            light = 0.66 + 0.42 * math.cos((left + right) / 2 + 0.7) - 0.22 * v
            colour = tuple(min(255, round(c * light)) for c in stripes[i % 2])
            edges = (round(middle + half * math.sin(angle)) for angle in (left, right))
            canvas.paste(colour, (next(edges), row, next(edges) + 1, row + 1))
        mask.paste(255, (round(middle - half), row, round(middle + half), row + 1))
    parts = [((104, 70, 42), (round(middle - r * 0.15), round(r * 2.85), round(middle + r * 0.15), round(r * 3.1)))]
    rope = max(2, round(r * 0.012))
    for end in (-1, 1):
        for step in range(round(2.4 * r), round(2.86 * r)):
            at = round(middle + end * r * (0.19 - 0.05 * (step - 2.4 * r) / (0.46 * r)))
            parts.append(((70, 52, 40), (at, step, at + rope, step + 1)))
    for colour, box in parts:
        canvas.paste(colour, box)
        mask.paste(255, box)
    picture.paste(canvas.reduce(k), (x - side // 2, y - radius), mask.reduce(k))
