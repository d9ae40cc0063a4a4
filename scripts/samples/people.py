"""Drawn portraits, the face in the middle as in an avatar."""

from collections import namedtuple
from functools import partial

from PIL import Image, ImageChops

from samples import paint
from samples.paint import shade

SIZE = (2000, 2666)

# Outlines as smooth curves through "x,y" points of SIZE; the face's middle is at 1000,1240.
BODY = "1000,1830 1330,1900 1640,2080 1760,2420 1800,2900 200,2900 240,2420 360,2080 670,1900"
NECK = "850,1560 1150,1560 1170,1860 1230,1960 1000,2090 770,1960 830,1860"
FACE = "1000,690 1290,770 1425,1080 1405,1380 1260,1660 1000,1790 740,1660 595,1380 575,1080 710,770"
SHAVEN = "1000,640 1320,760 1350,1200 1320,1400 1190,1480 1000,1500 810,1480 680,1400 650,1200 680,760"
NOSE = "1000,1240 1036,1370 1086,1440 1010,1474 950,1452 990,1400"
LIPS = "850,1560 940,1556 1000,1570 1060,1556 1150,1560 1080,1622 1000,1640 920,1622"
MOUTH = "836,1552 920,1582 1000,1590 1080,1582 1164,1552 1080,1592 1000,1600 920,1592"
SHEEN = "640,820 860,690 1120,680 1010,760 800,830 690,960"
LONG_HAIR = "1000,560 1420,700 1600,1180 1640,1760 1530,2160 1280,2120 1000,2000 720,2120 470,2160 360,1760 400,1180 580,700"
SIDE_PARTING = "1010,600 1330,690 1470,1000 1440,1270 1340,1010 1150,820 960,900 720,1000 600,1180 560,1300 520,1040 660,720"
CROPPED = "1000,560 1290,620 1460,850 1440,1120 1370,960 1260,850 1000,800 740,850 630,960 560,1120 540,850 710,620"


# What makes one person different from the next; the first two are colours of the backdrop.
Look = namedtuple(
    "Look", "light dark skin hair cloth blush iris lips fringe seed long beard glasses", defaults=(False, False, False))
blob, oval = partial(paint.blob, SIZE), partial(paint.oval, SIZE)


def add(picture, mask, colour, shadow=0.0, blur=60, towards=(90, 70)):
    """Adds a piece with a soft shaded side, so that it looks round."""
    shade(picture, mask, colour)
    if shadow:
        inner = ImageChops.subtract(mask, ImageChops.offset(mask, -towards[0], -towards[1]))
        inner = ImageChops.multiply(paint.soften(inner, blur), mask)
        shade(picture, inner, paint.mix(colour, (40, 16, 40), 0.55), shadow)


def portrait(look):
    """Head and shoulders, from the back to the front."""
    picture = Image.new("RGB", SIZE, look.dark)
    paint.glow(picture, (820, 1000), 1900, paint.mix(paint.BLACK, look.light, 0.85), 1.3, 0.85)
    deep = paint.mix(look.skin, (120, 40, 30), 0.35)
    face = blob(FACE)
    shoulders(picture, look, deep)
    head(picture, look, face, deep)
    features(picture, look, deep)
    if look.beard:
        beard = ImageChops.subtract(ImageChops.subtract(face, blob(SHAVEN)), oval(1000, 1590, 135, 60))
        shade(picture, ImageChops.multiply(paint.soften(beard, 14), face), look.hair, 0.94)
    fringe = blob(look.fringe)
    add(picture, fringe, look.hair, 0.6, 70)
    sheen = ImageChops.multiply(fringe, blob(SHEEN))
    shade(picture, sheen, paint.mix(look.hair, (255, 226, 190), 0.5), 0.55, 50)
    if look.glasses:
        glasses(picture)
    paint.vignette(picture, 0.3)
    return paint.grain(picture, look.seed)


def shoulders(picture, look, deep):
    """Everything behind and below the face."""
    body, neck = blob(BODY), blob(NECK)
    shade(picture, ImageChops.offset(body, 30, 40), paint.BLACK, 0.25, 70)
    if look.long:
        add(picture, blob(LONG_HAIR), paint.mix(look.hair, paint.BLACK, 0.25), 0.7, 90)
    add(picture, body, look.cloth, 0.8, 120)
    add(picture, neck, paint.mix(look.skin, deep, 0.4))
    # The chin's shadow.
    shade(picture, ImageChops.multiply(neck, oval(1000, 1650, 310, 210)), deep, 0.55, 26)


def head(picture, look, face, deep):
    """Ears and face, lit from the upper left."""
    for side in (-1, 1):
        add(picture, oval(1000 + side * 420, 1295, 75, 125), paint.mix(look.skin, deep, 0.35), 0.4, 30)
    add(picture, face, look.skin, 0.75, 110, (120, 60))
    lit = ImageChops.multiply(face, oval(910, 970, 270, 250))
    shade(picture, lit, paint.mix(look.skin, paint.WHITE, 0.6), 0.45, 120)


def features(picture, look, deep):
    """Cheeks, eyes, brows, nose and a closed smile."""
    for side in (-1, 1):
        shade(picture, oval(1000 + side * 255, 1455, 125, 85), look.blush, 0.5, 50)
        eye(picture, 1000 + side * 190, 1235, look.iris)
        brow = blob("80,1092 190,1046 316,1076 330,1104 190,1084 90,1124", 1000, 0, side)
        shade(picture, brow, paint.mix(look.hair, paint.BLACK, 0.3), 0.95, 3)
    shade(picture, blob(NOSE), deep, 0.5, 16)
    shade(picture, oval(987, 1375, 22, 45), paint.WHITE, 0.3, 16)
    shade(picture, blob(LIPS), look.lips, 1, 3)
    shade(picture, blob(MOUTH), paint.mix(deep, paint.BLACK, 0.5), 0.9, 2)
    shade(picture, oval(990, 1611, 60, 11), paint.WHITE, 0.35, 10)


def eye(picture, x, y, iris):
    """An eye that looks at you."""
    almond = blob("-98,8 -40,-50 40,-50 98,8 40,46 -40,46", x, y)
    shade(picture, almond, (90, 50, 50), 0.35, 22)
    shade(picture, almond, (252, 249, 245))
    for radius, colour in [(50, paint.mix(iris, paint.BLACK, 0.35)), (42, iris), (23, (18, 14, 16))]:
        shade(picture, ImageChops.multiply(almond, oval(x, y - 4, radius, radius)), colour)
    lid = ImageChops.subtract(almond, ImageChops.offset(almond, 0, 18))
    shade(picture, lid, (42, 26, 28), 0.95, 3)
    shade(picture, oval(x - 18, y - 22, 12, 12), paint.WHITE)


def glasses(picture):
    """Round frames."""
    frame = (44, 34, 38)
    for x in (810, 1190):
        outer, inner = oval(x, 1240, 160, 150), oval(x, 1240, 143, 133)
        shade(picture, inner, paint.WHITE, 0.1)
        shade(picture, ImageChops.subtract(outer, inner), frame)
    shade(picture, paint.polygon(SIZE, [(966, 1216), (1034, 1216), (1034, 1234), (966, 1234)]), frame)


def mara():
    return portrait(Look(
        light=(255, 190, 120), dark=(196, 92, 72), skin=(232, 178, 142), hair=(58, 34, 32), cloth=(38, 92, 104),
        blush=(226, 116, 98), iris=(104, 68, 40), lips=(190, 84, 80), fringe=SIDE_PARTING, seed=7, long=True,
        glasses=True))


def tomas():
    return portrait(Look(
        light=(150, 206, 214), dark=(40, 92, 116), skin=(176, 118, 84), hair=(36, 26, 26), cloth=(214, 152, 54),
        blush=(170, 80, 60), iris=(62, 42, 30), lips=(156, 78, 70), fringe=CROPPED, seed=8, beard=True))
