"""The sea at dusk, and a city's lights in a river."""

import random

from PIL import Image, ImageChops

from samples import paint, terrain


def swell(size, seed, cells=(240, 300)):
    """Waves seen across a flat sea: small and dense at the horizon (the top), long and wide close by."""
    width, height = size
    texture = paint.fractal((2800, 1400), cells, seed, 3)
    # A plane in perspective: (u, v) = (1400 + across * (x - width / 2), 60 * (y + e) + away) / (y + e), where the
    # ratio falls with the distance; the eight numbers are Pillow's, over a common denominator y / e + 1.
    e = 0.06 * height
    across, away = 224 * height / width, 1300 * e
    coefficients = (across / e, 1400 / e, (1400 * e - across * width / 2) / e, 0, 60 / e, (60 * e + away) / e, 0, 1 / e)
    return texture.transform(size, Image.PERSPECTIVE, coefficients, Image.BICUBIC, fillcolor=128)


def sea():
    """The sun goes down behind the sea."""
    size = (4000, 2250)
    horizon, sun = 1180, (2560, 1060)
    picture = paint.ramp(size, [
        (0, (38, 42, 92)), (0.2, (96, 70, 128)), (0.36, (202, 96, 110)), (0.47, (250, 158, 92)),
        (0.524, (255, 206, 128))])
    terrain.clouds(picture, (255, 140, 110), 14, 0.02, 0.4, 0.85, (2, 11), 0.46)
    terrain.clouds(picture, (112, 66, 104), 15, 0.25, 0.5, 0.7, (2, 26), 0.52)
    paint.glow(picture, sun, 1700, (255, 150, 70), 2.4, 0.7)
    paint.glow(picture, sun, 460, (255, 220, 150), 2.0, 0.9)
    paint.sun(picture, sun, 104, (255, 244, 206))
    headland = terrain.hills((1500, size[1]), 32, 0.5, horizon - 22, 56, swell=0.8).crop((0, 0, 1240, horizon))
    paint.shade(picture, headland, (92, 60, 92))

    below = (size[0], size[1] - horizon)
    water = paint.reflection(picture, horizon, (size[0] // 8, 60), blur=4)
    deep = paint.ramp(below, [(0, (236, 216, 220)), (0.25, (140, 130, 164)), (1, (44, 54, 96))])
    waves = swell(below, 5)
    water = paint.multiply(ImageChops.multiply(water, deep), paint.curve(waves, lambda v: 0.55 + 0.75 * v))
    paint.shade(water, paint.curve(waves, lambda v: (v - 0.56) * 4), (236, 150, 140), 0.28)
    # The sun's road: broken by the waves, narrow under the sun and wide towards us.
    edges = [(sun[0] - 110, 0), (sun[0] + 110, 0), (sun[0] + 520, below[1]), (sun[0] - 520, below[1])]
    road = paint.soften(paint.polygon(below, edges), 90)
    sparkle = ImageChops.multiply(paint.curve(swell(below, 6, (360, 420)), lambda v: (v - 0.47) * 7), road)
    paint.shade(water, sparkle, (255, 214, 140), 0.95)
    paint.shade(water, road, (255, 170, 90), 0.3)
    picture.paste(water, (0, horizon))
    sail(picture, 1330, horizon + 62, 250)
    paint.vignette(picture, 0.4)
    return paint.grain(picture, 5)


def sail(picture, x, y, tall):
    """A small yacht, black against the light."""
    size = picture.size
    parts = [
        [(x - 74, y - 14), (x + 90, y - 16), (x + 64, y + 8), (x - 56, y + 8)],
        [(x, y - 22), (x, y - tall), (x + 96, y - 26)], [(x - 8, y - 24), (x - 8, y - tall * 0.88), (x - 70, y - 24)],
        [(x - 5, y - 10), (x - 5, y - tall - 8), (x - 1, y - tall - 8), (x - 1, y - 10)]]
    for part in parts:
        paint.shade(picture, paint.polygon(size, part), (38, 28, 52))
    paint.shade(picture, paint.oval(size, x + 5, y + 33, 75, 27), (38, 30, 60), 0.5, 8)


def city():
    """A skyline after sunset, doubled in the river."""
    size = (3000, 2000)
    shore = 1350
    picture = paint.ramp(size, [
        (0, (10, 16, 44)), (0.35, (32, 44, 92)), (0.55, (110, 78, 120)), (0.675, (236, 140, 110))])
    terrain.stars(picture, 9, 320, 700)
    terrain.clouds(picture, (170, 104, 130), 16, 0.2, 0.66, 0.5, (2, 14), 0.5)
    moon = (640, 380)
    paint.glow(picture, moon, 360, (170, 180, 220), 2.6, 0.5)
    paint.sun(picture, moon, 62, (240, 236, 224), 2)
    lights = Image.new("RGB", size)
    source = random.Random(77)
    rows = [
        (0.34, 300, 620, (96, 76, 116), 0.1), (0.5, 260, 800, (52, 46, 84), 0.3), (1.0, 120, 520, (18, 20, 44), 0.5)]
    for depth, (scale, low, tall, colour, lit) in enumerate(rows):
        x = -40
        while x < size[0]:
            wide = source.randrange(90, 210)
            # Higher towards the middle, as cities are.
            middle = 1 - abs((x + wide / 2) / size[0] - 0.56) * 1.7
            high = low + (tall - low) * max(0.0, middle) * source.random() ** 0.8
            tower(picture, lights, source, (x, round(shore - high), x + wide, shore), colour, lit, scale)
            x += wide + source.choice([0, 0, 6, 24]) - depth * 4
    picture = ImageChops.screen(picture, lights)
    bloom = ImageChops.screen(paint.soften(lights, 9), paint.soften(lights, 44))
    picture = ImageChops.screen(picture, bloom)

    below = (size[0], size[1] - shore)
    water = paint.reflection(picture, shore, (size[0] // 2, 46), top=shore - below[1])
    water = ImageChops.screen(water, water.point([v // 2 for v in range(256)] * 3))
    water = paint.multiply(water, paint.curve(swell(below, 7), lambda v: 0.15 + 1.15 * v))
    water = ImageChops.multiply(water, paint.ramp(below, [(0, (225, 215, 230)), (1, (110, 120, 170))]))
    picture.paste(water, (0, shore))
    picture.paste((14, 14, 30), (0, shore - 9, size[0], shore + 4))
    for x in range(30, size[0], 118):
        paint.glow(picture, (x, shore - 18), 46, (255, 190, 110), 2.4, 0.95)
        paint.glow(picture, (x, shore + 90), 80, (255, 170, 90), 3.0, 0.3, 2.2)
    paint.vignette(picture)
    return paint.grain(picture, 6)


def tower(picture, lights, source, box, colour, lit, scale):
    """One building and its windows; some floors are offices, lit from end to end."""
    left, top, right, bottom = box
    dusk = paint.mix(colour, (226, 130, 110), 0.35 - 0.2 * scale)
    picture.paste(paint.ramp((right - left, bottom - top), [(0, colour), (1, dusk)]), (left, top))
    picture.paste(paint.mix(colour, paint.WHITE, 0.08), (left, top, left + 3, bottom))
    crown = source.random()
    middle = (left + right) // 2
    if crown < 0.22:
        picture.paste(colour, (middle - 2, top - source.randrange(60, 150), middle + 3, top))
        paint.glow(lights, (middle, top - 60), 12, (255, 60, 50), 2.0, 0.9)
    elif crown < 0.5:
        picture.paste(colour, (left + 22, top - 30, right - 22, top))
    step, window = round(11 + 9 * scale), round(5 + 5 * scale)
    warm = [(255, 206, 130), (255, 186, 104), (255, 226, 176), (206, 222, 255)]
    for y in range(top + 14, bottom - step, step + 4):
        office = source.random() < lit * 0.16
        hue = source.choice(warm)
        for x in range(left + 9, right - window - 4, step):
            if office or source.random() < lit * 0.62:
                power = source.uniform(0.25, 1) * (0.4 + 0.6 * lit * 2) * 0.9
                light = paint.mix(paint.BLACK, hue if office else source.choice(warm), min(1, power))
                lights.paste(light, (x, y, x + window, y + window + 3))
