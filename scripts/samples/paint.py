"""The painter's tools: noise, gradients, glows, masks. Everything is seeded, so a picture is the same every time."""

import random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

BLACK = (0, 0, 0)
WHITE = (255, 255, 255)


def mix(first, second, amount):
    """The colour `amount` (0 to 1) of the way from `first` to `second`."""
    return tuple(round(a + (b - a) * amount) for a, b in zip(first, second))


def ramp(size, stops):
    """A vertical gradient through `stops`, a list of (position from 0 to 1, colour)."""
    width, height = size
    strip = Image.new("RGB", (1, height))
    colours = []
    for y in range(height):
        position = y / max(1, height - 1)
        lower = max((s for s in stops if s[0] <= position), key=lambda s: s[0], default=stops[0])
        upper = min((s for s in stops if s[0] >= position), key=lambda s: s[0], default=stops[-1])
        span = upper[0] - lower[0]
        colours.append(mix(lower[1], upper[1], (position - lower[0]) / span if span else 0))
    strip.putdata(colours)
    return strip.resize((width, height), Image.NEAREST)


def noise(size, cells, seed):
    """Smooth grey noise with `cells` (across, down) bumps."""
    across, down = cells
    grid = Image.frombytes("L", (across, down), random.Random(seed).randbytes(across * down))
    return grid.resize(size, Image.BICUBIC)


def fractal(size, cells, seed, octaves=5, coarse=1):
    """Noise over noise, each octave twice as fine and half as strong, drawn `coarse` times smaller: clouds, rock."""
    small = (size[0] // coarse, size[1] // coarse)
    total, weight = None, 1.0
    for octave in range(octaves):
        layer = noise(small, (cells[0] << octave, cells[1] << octave), seed * 31 + octave)
        share = 0.5**octave
        weight = weight + share if total else share
        total = Image.blend(total, layer, share / weight) if total else layer
    return total.resize(size, Image.BICUBIC)


def curve(mask, function):
    """A tone curve; `function` maps 0...1 to 0...1."""
    return mask.point([max(0, min(255, round(255 * function(v / 255)))) for v in range(256)])


def shape(size, draw, scale=2):
    """An antialiased mask: `draw(pen, scale)` draws in white on a larger canvas."""
    canvas = Image.new("L", (size[0] * scale, size[1] * scale))
    draw(ImageDraw.Draw(canvas), scale)
    return canvas.reduce(scale)


def polygon(size, points):
    """The mask of a polygon."""
    return shape(size, lambda pen, k: pen.polygon([(x * k, y * k) for x, y in points], fill=255))


def ellipse(size, box, scale=2):
    """The mask of an ellipse."""
    return shape(size, lambda pen, k: pen.ellipse([v * k for v in box], fill=255), scale)


def oval(size, x, y, across, down):
    """The mask of an ellipse around a point."""
    return ellipse(size, (x - across, y - down, x + across, y + down))


def blob(size, outline, x=0, y=0, side=1, steps=24):
    """The mask of a closed smooth curve through "x,y" points, which count from (x, y); mirrored where `side` is -1."""
    points = (map(int, point.split(",")) for point in outline.split())
    return polygon(size, spline([(x + side * dx, y + dy) for dx, dy in points], steps))


def spline(points, steps):
    """A closed smooth curve (Catmull-Rom) through `points`."""
    path = []
    count = len(points)
    for i in range(count):
        p0, p1, p2, p3 = (points[(i + k - 1) % count] for k in range(4))
        for step in range(steps):
            t = step / steps
            path.append(tuple(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
                for a, b, c, d in zip(p0, p1, p2, p3)))
    return path


def glow(picture, centre, radius, colour, falloff=2.0, strength=1.0, squash=1.0):
    """Adds light to `picture` around `centre`, as a lens does; a larger `falloff` makes it tighter."""
    diameter, height = min(1024, 2 * radius), round(2 * radius * squash)
    spot = ImageChops.invert(Image.radial_gradient("L")).resize((diameter, diameter), Image.BICUBIC)
    # Pillow's gradient reaches black in the corners: 0.29 is what is left at the edge of the circle.
    spot = curve(spot, lambda v: max(0.0, (v - 0.2929) / 0.7071) ** falloff)
    spot = curve(spot, lambda v: v * strength).resize((2 * radius, height), Image.BICUBIC)
    left, top = centre[0] - radius, centre[1] - height // 2
    box = (left, top, left + spot.width, top + height)
    light = Image.composite(Image.new("RGB", spot.size, colour), Image.new("RGB", spot.size), spot)
    picture.paste(ImageChops.screen(picture.crop(box), light), box)


def shade(picture, mask, colour, strength=1.0, blur=0):
    """Lays `colour` over `picture` where `mask` is white."""
    if blur:
        mask = soften(mask, blur)
    if strength != 1.0:
        mask = curve(mask, lambda v: v * strength)
    picture.paste(colour, (0, 0), mask)


def sun(picture, centre, radius, colour, blur=3):
    """A disc of the sun or the moon."""
    shade(picture, oval(picture.size, *centre, radius, radius), colour, 1, blur)


def multiply(picture, mask):
    """`picture` as dark as a grey mask."""
    return ImageChops.multiply(picture, Image.merge("RGB", (mask,) * 3))


def reflection(picture, shore, smear, top=0, blur=0):
    """What stands between `top` and the `shore`, upside down and as large as what is below; waves smear it downwards."""
    below = (picture.width, picture.height - shore)
    above = picture.crop((0, top, picture.width, shore)).transpose(Image.FLIP_TOP_BOTTOM)
    mirror = above.resize(below, Image.BICUBIC).resize(smear, Image.BOX)
    return (soften(mirror, blur) if blur else mirror).resize(below, Image.BICUBIC)


def soften(picture, radius):
    """A wide blur, made on a smaller copy because nobody can tell."""
    factor = max(1, int(radius // 4))
    if factor == 1:
        return picture.filter(ImageFilter.GaussianBlur(radius))
    small = picture.resize((max(1, picture.width // factor), max(1, picture.height // factor)), Image.BOX)
    return small.filter(ImageFilter.GaussianBlur(radius / factor)).resize(picture.size, Image.BICUBIC)


def grain(picture, seed, amount=3):
    """Film grain: hides the steps of smooth skies, and makes files as large as a camera's."""
    tile = 768
    source = random.Random(seed)
    speckle = Image.frombytes("L", (tile, tile), source.randbytes(tile * tile))
    speckle = speckle.filter(ImageFilter.GaussianBlur(0.7)).point([round(v * amount / 64) for v in range(256)])
    sheet = Image.new("L", picture.size)
    for top in range(0, picture.height, tile):
        for left in range(0, picture.width, tile):
            sheet.paste(speckle.transpose(source.randrange(7)), (left, top))
    return ImageChops.add(picture, Image.merge("RGB", (sheet,) * 3), 1, -2 * amount)


def vignette(picture, strength=0.35):
    """Darker corners, as from a wide lens."""
    edge = curve(Image.radial_gradient("L"), lambda v: max(0.0, v - 0.45) ** 1.5 * 1.8 * strength)
    shade(picture, edge.resize(picture.size, Image.BICUBIC), BLACK)
