"""Random chains of each client, the same in every run: what their keys are, and what is read out of the keys again."""

import random
import re

RELEASES = {
    "nuke": ["10.0.0", "10.11.2", "11.6.4", "12.0.0", "12.5.0", "12.9.0", "13.0.1", "13.2.0"],
    "kingfisher": ["5.0.0", "5.15.8", "6.0.0", "6.3.1", "7.0.0", "7.1.2", "7.12.0", "8.11.0"],
    "sdwebimage": ["5.0.0", "5.7.0", "5.12.6", "5.19.7", "5.20.0", "5.21.5"],
}
CORNERS = ["topLeft", "topRight", "bottomLeft", "bottomRight"]
# The processors of each client. Braces name what is drawn; half of the arguments with a question mark are left out.
PROCESSORS = {
    "nuke": [
        "resize(size: {size}, unit?: {unit}, contentMode?: {fill}, crop?: {flag}, upscale?: {flag})",
        "resize(width: {number}, unit?: {unit}, upscale?: {flag})",
        "resize(height: {number}, unit?: {unit}, upscale?: {flag})",
        "circle(border?: {border})",
        "roundedCorners(radius: {number}, unit?: {unit}, border?: {border})",
        "gaussianBlur(radius?: {whole})",
        "coreImage(name: {filter}, identifier?: {text})",
        "custom({text})",
    ],
    "kingfisher": [
        "resizing(referenceSize: {size}, mode?: {mode})",
        "downsampling(size: {size})",
        "roundCorner(cornerRadius: {number}, targetSize?: {size}, roundingCorners?: {corners}, backgroundColor?: {color})",
        "roundCorner(radius: {radius}, targetSize?: {size}, roundingCorners?: {corners}, backgroundColor?: {color})",
        "blur(blurRadius: {number})",
        "overlay(color: {color}, fraction?: {number})",
        "tint(color: {color})",
        "colorControls(brightness: {number}, contrast: {number}, saturation: {number}, inputEV: {number})",
        "blackWhite",
        "cropping(size: {size}, anchor?: {point})",
        "blend(blendMode: {blend}, alpha?: {number}, backgroundColor?: {color})",
        "border(color?: {color}, lineWidth?: {number}, radius?: {radius}, roundingCorners?: {corners})",
        "default",
        "custom({text})",
    ],
    "sdwebimage": [
        "resize(size: {size}, scaleMode?: {scaling})",
        "crop(rect: {rectangle})",
        "roundCorner(radius: {number}, corners?: {corners}, borderWidth?: {number}, borderColor?: {color})",
        "flip(horizontal?: {flag}, vertical?: {flag})",
        "rotate(angle: {number}, fitSize?: {flag})",
        "tint(color: {color}, blendMode?: {blend})",
        "blur(radius: {number})",
        "filter(name: {filter})",
        "custom({text})",
    ],
}
# What only stands first in a chain.
FIRST = {
    "nuke": [
        "thumbnail(maxPixelSize: {number}, createThumbnailFromImageIfAbsent?: {flag}, createThumbnailFromImageAlways?: {flag})",
        "thumbnail(size: {size}, unit?: {unit}, contentMode?: {fill}, createThumbnailWithTransform?: {flag},"
        " shouldCacheImmediately?: {flag})",
    ],
    "kingfisher": [],
    "sdwebimage": ["thumbnail(size: {size}, preserveAspectRatio?: {flag})"],
}
# What is drawn: one of a list, or a text with more to draw. Numbers, corners and colours have functions.
DRAWN = {
    "size": "{number}x{number}",
    "point": "({number}, {number})",
    "rectangle": "({number}, {number}, {number}, {number})",
    "border": "(color: {color}, width?: {number}, unit?: {unit})",
    "flag": ["true", "false"],
    "unit": ["points", "pixels"],
    "fill": ["aspectFill", "aspectFit"],
    "mode": ["none", "aspectFit", "aspectFill"],
    "scaling": ["fill", "aspectFit", "aspectFill"],
    "radius": ["point({number})", "widthFraction({number})", "heightFraction({number})"],
    "blend": ["normal", "multiply", "screen", "sourceAtop", "sourceIn", "destinationOver", "xor", "plusLighter", "3", "27"],
    "filter": ["CISepiaTone", "CIPhotoEffectNoir", "CIColorInvert", "CIPixellate"],
    "text": ['"com.example.mono"', '"own|>x"', '"a b"', '"Größe"', '"x@y"', '"a-b(c)"', '"q\\"q"'],
}


class Chains:
    def __init__(self, client, seed):
        self.client = client
        self.random = random.Random(f"{client} {seed}")

    def chain(self):
        members = []
        if FIRST[self.client] and self.random.random() < 0.25:
            members.append(self.fill(self.random.choice(FIRST[self.client])))
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 3]) if members else self.random.choice([1, 1, 1, 2, 2, 4])):
            template = self.random.choice(PROCESSORS[self.client])
            own = f" as {self.draw('text')}" if template != "custom({text})" and self.random.random() < 0.1 else ""
            members.append(self.fill(template) + own)
        return " | ".join(members)

    def fill(self, template):
        def kept(argument):
            return argument[0].replace("?", "") if self.random.random() < 0.5 else ""

        text = re.sub(r"(, )?\w+\?: \{\w+\}", kept, template).replace("(, ", "(").replace("()", "")
        return re.sub(r"\{(\w+)\}", lambda word: self.draw(word[1]), text)

    def draw(self, word):
        if word not in DRAWN:
            return getattr(self, word)()
        choice = DRAWN[word]
        return self.fill(choice if isinstance(choice, str) else self.random.choice(choice))

    def whole(self):
        return str(self.random.choice([-3, 0, 1, 8, 20, self.random.randint(0, 5000)]))

    def number(self):
        chosen = self.random.random()
        if chosen < 0.4:
            return str(self.random.randint(0, 2000))
        if chosen < 0.7:
            return f"{self.random.uniform(0, 500):.{self.random.randint(1, 3)}f}"
        if chosen < 0.9:
            return repr(self.random.uniform(-2, 400))
        return self.random.choice(["0", "0.1", "33.3", "-7.25", "1e-5", "123456789", "0.30000000000000004", "1e20"])

    def corners(self):
        chosen = [corner for corner in CORNERS if self.random.random() < 0.5]
        return "+".join(chosen) or self.random.choice(["all", "none"])

    def color(self):
        chosen = self.random.random()
        if chosen < 0.4:
            return f"#{self.random.randrange(1 << 24):06X}"
        if chosen < 0.6:
            return f"#{self.random.randrange(1 << 32):08x}"
        values = [self.random.choice(["0", "1", "0.5", f"{self.random.uniform(-0.3, 1.3):.4f}"]) for _ in range(4)]
        return f"rgba({', '.join(values)})" if chosen < 0.9 else f"gray({values[0]}, {values[3]})"


def lines(client, release, number):
    """Job lines, each with a chain of its own."""
    chains = Chains(client, release)
    paths = ["p/{}.jpg", "p/{}", "a%20b/{}.png?w=1", "@2x/{}@2x.png", "dir.d/{}.JPG#x"]
    for index in range(number):
        path = chains.random.choice(paths).format(index)
        yield f"https://img.example.com/{path} {chains.chain()}"
