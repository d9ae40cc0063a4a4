"""What landscapes are made of: ridges, conifers, mist, clouds, stars."""

import random

from PIL import Image, ImageChops

from samples import paint


def ridge(width, seed, roughness, step, swell):
    """The outline of a mountain range by midpoint displacement: heights of about -1...1, one every `step` pixels."""
    source = random.Random(seed)
    count = 1
    while count * step < width:
        count *= 2
    heights = [source.uniform(-0.4, 0.4), *[0.0] * (count - 1), source.uniform(-0.4, 0.4)]
    span, reach = count, swell
    while span > 1:
        for left in range(0, count, span):
            middle = left + span // 2
            heights[middle] = (heights[left] + heights[left + span]) / 2 + source.uniform(-reach, reach)
        span //= 2
        reach *= roughness
    return heights


def hills(size, seed, roughness, base, amplitude, trees=None, swell=1.0):
    """The mask of everything below a ridge, with conifers on it where `trees` is (seed, smallest, tallest)."""
    step = 4
    heights = ridge(size[0], seed, roughness, step, swell)
    outline = [(i * step, base - h * amplitude) for i, h in enumerate(heights)]

    def draw(pen, k):
        pen.polygon([(x * k, y * k) for x, y in [(0, size[1]), *outline, (outline[-1][0], size[1])]], fill=255)
        if not trees:
            return
        source = random.Random(trees[0])
        x = 0.0
        while x < size[0]:
            ground = base - heights[min(len(heights) - 1, int(x / step))] * amplitude
            tall = source.triangular(trees[1], trees[2])
            conifer(pen, x * k, (ground + tall * 0.15) * k, tall * k, source)
            x += tall * source.uniform(0.12, 0.42)

    return paint.shape(size, draw)


def conifer(pen, x, ground, tall, source):
    """A spruce: tiers of drooping branches, each a little uneven."""
    tiers = 7
    pen.rectangle([x - tall * 0.012, ground - tall, x + tall * 0.012, ground], fill=255)
    for tier in range(tiers):
        top = ground - tall * (1 - tier / tiers * 0.92)
        reach = tall * (0.035 + 0.17 * (tier + 1) / tiers) * source.uniform(0.8, 1.15)
        low = top + tall * 0.2
        left = x - reach * source.uniform(0.85, 1.1)
        pen.polygon([(x, top), (x + reach, low), (x, low - tall * 0.05), (left, low)], fill=255)


def mist(picture, mask, near, far, horizon, depth, seed):
    """Fills a range with `near` at its crest, fading into `far` (the haze) towards its foot."""
    height = picture.height
    top = min(0.98, max(0.0, (horizon - depth * 0.6) / height))
    fill = paint.ramp(picture.size, [(top, near), (min(0.99, top + depth / height), far)])
    rock = paint.fractal(picture.size, (9, 14), seed, 5, coarse=4)
    fill = paint.multiply(fill, paint.curve(rock, lambda v: 0.86 + 0.28 * (v - 0.5)))
    picture.paste(fill, (0, 0), mask)


def clouds(picture, colour, seed, top, bottom, strength=0.8, cells=(3, 9), threshold=0.48):
    """Streaks of cloud between two heights, thinning out at both."""
    width, height = picture.size
    small = (width // 4, height // 4)
    sky = paint.curve(paint.fractal(small, cells, seed, 6), lambda v: max(0.0, v - threshold) * 3.4)
    band = paint.ramp(small, [(top, paint.BLACK), ((top + bottom) / 2, paint.WHITE), (bottom, paint.BLACK)])
    sky = ImageChops.multiply(sky, band.convert("L")).resize(picture.size, Image.BICUBIC)
    paint.shade(picture, sky, colour, strength)


def stars(picture, seed, count, lowest):
    """Stars, a few of them bright."""
    source = random.Random(seed)
    for _ in range(count):
        x, y = source.randrange(picture.width - 3), int(source.random() ** 1.3 * lowest)
        light = int(70 + 150 * source.random() ** 4)
        size = 3 if light > 190 else 2
        picture.paste((light, light, min(255, light + 14)), (x, y, x + size, y + size))
        if light > 212:
            paint.glow(picture, (x + 1, y + 1), 16, (150, 170, 220), 2.5, 0.7)
