"""Drawn portraits, the face in the middle as in an avatar."""

from PIL import Image, ImageChops

from samples import paint

SIZE = (2000, 2666)


def portrait(look):
    """One head and shoulders; coordinates are for SIZE, the face's middle is at (1000, 1240)."""
    light, dark = look["backdrop"]
    picture = Image.new("RGB", SIZE, dark)
    paint.glow(picture, (820, 1000), 1900, paint.mix(paint.BLACK, light, 0.85), 1.3, 0.85)

    def add(mask, colour, shadow=0.0, blur=60, towards=(90, 70)):
        """A piece with a soft shaded side, so that it looks round."""
        paint.shade(picture, mask, colour)
        if shadow:
            inner = ImageChops.subtract(mask, ImageChops.offset(mask, -towards[0], -towards[1]))
            inner = ImageChops.multiply(paint.soften(inner, blur), mask)
            paint.shade(picture, inner, paint.mix(colour, (40, 16, 40), 0.55), shadow)

    def blob(*points):
        return paint.polygon(SIZE, paint.spline(points))

    skin, hair, cloth = look["skin"], look["hair"], look["cloth"]
    deep = paint.mix(skin, (120, 40, 30), 0.35)
    body = blob((1000, 1830), (1330, 1900), (1640, 2080), (1760, 2420), (1800, 2900), (200, 2900), (240, 2420), (360, 2080), (670, 1900))
    paint.shade(picture, ImageChops.offset(body, 30, 40), paint.BLACK, 0.25, 70)
    if look["long"]:
        add(blob((1000, 560), (1420, 700), (1600, 1180), (1640, 1760), (1530, 2160), (1280, 2120), (1000, 2000), (720, 2120), (470, 2160), (360, 1760), (400, 1180), (580, 700)), paint.mix(hair, paint.BLACK, 0.25), 0.7, 90)
    add(body, cloth, 0.8, 120)
    neck = blob((850, 1560), (1150, 1560), (1170, 1860), (1230, 1960), (1000, 2090), (770, 1960), (830, 1860))
    add(neck, paint.mix(skin, deep, 0.4))
    paint.shade(picture, ImageChops.multiply(neck, paint.ellipse(SIZE, (690, 1440, 1310, 1860))), deep, 0.55, 26)
    for side in (-1, 1):
        middle = 1000 + side * 420
        add(paint.ellipse(SIZE, (middle - 75, 1170, middle + 75, 1420)), paint.mix(skin, deep, 0.35), 0.4, 30)
    face = blob((1000, 690), (1290, 770), (1425, 1080), (1405, 1380), (1260, 1660), (1000, 1790), (740, 1660), (595, 1380), (575, 1080), (710, 770))
    add(face, skin, 0.75, 110, (120, 60))
    paint.shade(picture, ImageChops.multiply(face, paint.ellipse(SIZE, (640, 720, 1180, 1220))), paint.mix(skin, paint.WHITE, 0.6), 0.45, 120)
    for side in (-1, 1):
        middle = 1000 + side * 255
        paint.shade(picture, paint.ellipse(SIZE, (middle - 125, 1370, middle + 125, 1540)), look["blush"], 0.5, 50)
        eye(picture, 1000 + side * 190, 1235, look["iris"])
        brow = blob(*[(1000 + side * x, y) for x, y in [(80, 1092), (190, 1046), (316, 1076), (330, 1104), (190, 1084), (90, 1124)]])
        paint.shade(picture, brow, paint.mix(hair, paint.BLACK, 0.3), 0.95, 3)
    paint.shade(picture, blob((1000, 1240), (1036, 1370), (1086, 1440), (1010, 1474), (950, 1452), (990, 1400)), deep, 0.5, 16)
    paint.shade(picture, paint.ellipse(SIZE, (965, 1330, 1010, 1420)), paint.WHITE, 0.3, 16)
    smile(picture, deep, look["lips"])
    if look["beard"]:
        beard = ImageChops.subtract(face, blob((1000, 640), (1320, 760), (1350, 1200), (1320, 1400), (1190, 1480), (1000, 1500), (810, 1480), (680, 1400), (650, 1200), (680, 760)))
        beard = ImageChops.subtract(beard, paint.ellipse(SIZE, (865, 1530, 1135, 1650)))
        paint.shade(picture, ImageChops.multiply(paint.soften(beard, 14), face), hair, 0.94)
    add(blob(*look["fringe"]), hair, 0.6, 70)
    sheen = ImageChops.multiply(blob(*look["fringe"]), blob((640, 820), (860, 690), (1120, 680), (1010, 760), (800, 830), (690, 960)))
    paint.shade(picture, sheen, paint.mix(hair, (255, 226, 190), 0.5), 0.55, 50)
    if look["glasses"]:
        glasses(picture)
    paint.vignette(picture, 0.3)
    return paint.grain(picture, look["seed"])


def eye(picture, x, y, iris):
    """An eye that looks at you."""
    almond = paint.polygon(SIZE, paint.spline([(x - 98, y + 8), (x - 40, y - 50), (x + 40, y - 50), (x + 98, y + 8), (x + 40, y + 46), (x - 40, y + 46)]))
    paint.shade(picture, almond, (90, 50, 50), 0.35, 22)
    paint.shade(picture, almond, (252, 249, 245))
    for radius, colour in [(50, paint.mix(iris, paint.BLACK, 0.35)), (42, iris), (23, (18, 14, 16))]:
        paint.shade(picture, ImageChops.multiply(almond, paint.ellipse(SIZE, (x - radius, y - 4 - radius, x + radius, y - 4 + radius))), colour)
    lid = ImageChops.subtract(almond, ImageChops.offset(almond, 0, 18))
    paint.shade(picture, lid, (42, 26, 28), 0.95, 3)
    paint.shade(picture, paint.ellipse(SIZE, (x - 30, y - 34, x - 6, y - 10)), paint.WHITE)


def smile(picture, deep, lips):
    """A closed smile."""
    mouth = paint.polygon(SIZE, paint.spline([(850, 1560), (940, 1556), (1000, 1570), (1060, 1556), (1150, 1560), (1080, 1622), (1000, 1640), (920, 1622)]))
    paint.shade(picture, mouth, lips, 1, 3)
    line = paint.polygon(SIZE, paint.spline([(836, 1552), (920, 1582), (1000, 1590), (1080, 1582), (1164, 1552), (1080, 1592), (1000, 1600), (920, 1592)]))
    paint.shade(picture, line, paint.mix(deep, paint.BLACK, 0.5), 0.9, 2)
    paint.shade(picture, paint.ellipse(SIZE, (930, 1600, 1050, 1622)), paint.WHITE, 0.35, 10)


def glasses(picture):
    """Round frames."""
    for x in (810, 1190):
        outer, inner = paint.ellipse(SIZE, (x - 160, 1090, x + 160, 1390)), paint.ellipse(SIZE, (x - 143, 1107, x + 143, 1373))
        paint.shade(picture, inner, paint.WHITE, 0.1)
        paint.shade(picture, ImageChops.subtract(outer, inner), (44, 34, 38))
    paint.shade(picture, paint.polygon(SIZE, [(966, 1216), (1034, 1216), (1034, 1234), (966, 1234)]), (44, 34, 38))


def mara():
    """Long dark hair, round glasses."""
    return portrait({
        "backdrop": ((255, 190, 120), (196, 92, 72)), "skin": (232, 178, 142), "hair": (58, 34, 32), "cloth": (38, 92, 104),
        "blush": (226, 116, 98), "iris": (104, 68, 40), "lips": (190, 84, 80), "long": True, "beard": False, "glasses": True, "seed": 7,
        "fringe": [(1010, 600), (1330, 690), (1470, 1000), (1440, 1270), (1340, 1010), (1150, 820), (960, 900), (720, 1000), (600, 1180), (560, 1300), (520, 1040), (660, 720)],
    })  # fmt: skip


def tomas():
    """Short hair and a beard."""
    return portrait({
        "backdrop": ((150, 206, 214), (40, 92, 116)), "skin": (176, 118, 84), "hair": (36, 26, 26), "cloth": (214, 152, 54),
        "blush": (170, 80, 60), "iris": (62, 42, 30), "lips": (156, 78, 70), "long": False, "beard": True, "glasses": False, "seed": 8,
        "fringe": [(1000, 560), (1290, 620), (1460, 850), (1440, 1120), (1370, 960), (1260, 850), (1000, 800), (740, 850), (630, 960), (560, 1120), (540, 850), (710, 620)],
    })  # fmt: skip
