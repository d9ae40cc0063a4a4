"""Random chains of each client, the same in every run: what their keys are, and what is read out of the keys again."""

import random

RELEASES = {
    "nuke": ["10.0.0", "10.11.2", "11.6.4", "12.0.0", "12.5.0", "12.9.0", "13.0.1", "13.2.0"],
    "kingfisher": ["5.0.0", "5.15.8", "6.0.0", "6.3.1", "7.0.0", "7.1.2", "7.12.0", "8.11.0"],
    "sdwebimage": ["5.0.0", "5.7.0", "5.12.6", "5.19.7", "5.20.0", "5.21.5"],
}
CORNERS = ["topLeft", "topRight", "bottomLeft", "bottomRight"]
MODES = ["normal", "multiply", "screen", "sourceAtop", "sourceIn", "destinationOver", "xor", "plusLighter", "3", "27"]


class Chains:
    """Each argument stands as a pair of its label and how its text is drawn; None in place of a label has none."""

    def __init__(self, client, seed):
        self.random = random.Random(f"{client} {seed}")
        flag, number, size = self.flag, self.number, self.size
        unit, mode = self.one("points", "pixels"), self.one("aspectFill", "aspectFit")
        # Name, needed arguments, arguments that may be missing.
        self.table = {
            "nuke": [
                ("resize", [("size", size)],
                 [("unit", unit), ("contentMode", mode), ("crop", flag), ("upscale", flag)]),
                ("resize", [("width", number)], [("unit", unit), ("upscale", flag)]),
                ("resize", [("height", number)], [("unit", unit), ("upscale", flag)]),
                ("circle", [], [("border", self.border)]),
                ("roundedCorners", [("radius", number)], [("unit", unit), ("border", self.border)]),
                ("gaussianBlur", [], [("radius", self.whole)]),
                ("coreImage", [("name", self.filter)], [("identifier", self.text)]),
                ("custom", [(None, self.text)], []),
            ],
            "kingfisher": [
                ("resizing", [("referenceSize", size)], [("mode", self.one("none", "aspectFit", "aspectFill"))]),
                ("downsampling", [("size", size)], []),
                ("roundCorner", [("cornerRadius", number)],
                 [("targetSize", size), ("roundingCorners", self.corners), ("backgroundColor", self.color)]),
                ("roundCorner", [("radius", self.radius)],
                 [("targetSize", size), ("roundingCorners", self.corners), ("backgroundColor", self.color)]),
                ("blur", [("blurRadius", number)], []),
                ("overlay", [("color", self.color)], [("fraction", number)]),
                ("tint", [("color", self.color)], []),
                ("colorControls", [(label, number) for label in ("brightness", "contrast", "saturation", "inputEV")], []),
                ("blackWhite", [], []),
                ("cropping", [("size", size)], [("anchor", self.point)]),
                ("blend", [("blendMode", self.one(*MODES))], [("alpha", number), ("backgroundColor", self.color)]),
                ("border", [], [("color", self.color), ("lineWidth", number), ("radius", self.radius),
                                ("roundingCorners", self.corners)]),
                ("default", [], []),
                ("custom", [(None, self.text)], []),
            ],
            "sdwebimage": [
                ("resize", [("size", size)], [("scaleMode", self.one("fill", "aspectFit", "aspectFill"))]),
                ("crop", [("rect", self.rectangle)], []),
                ("roundCorner", [("radius", number)],
                 [("corners", self.corners), ("borderWidth", number), ("borderColor", self.color)]),
                ("flip", [], [("horizontal", flag), ("vertical", flag)]),
                ("rotate", [("angle", number)], [("fitSize", flag)]),
                ("tint", [("color", self.color)], [("blendMode", self.one(*MODES))]),
                ("blur", [("radius", number)], []),
                ("filter", [("name", self.filter)], []),
                ("custom", [(None, self.text)], []),
            ],
        }[client]  # fmt: skip
        flags = ("IfAbsent", "Always")
        self.first = {
            "nuke": [
                ("thumbnail", [("maxPixelSize", number)],
                 [(f"createThumbnailFromImage{name}", flag) for name in flags]),
                ("thumbnail", [("size", size)],
                 [("unit", unit), ("contentMode", mode), ("createThumbnailWithTransform", flag),
                  ("shouldCacheImmediately", flag)]),
            ],
            "kingfisher": [],
            "sdwebimage": [("thumbnail", [("size", size)], [("preserveAspectRatio", flag)])],
        }[client]  # fmt: skip

    def chain(self):
        members = []
        if self.first and self.random.random() < 0.25:
            members.append(self.member(self.random.choice(self.first)))
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 3]) if members else self.random.choice([1, 1, 1, 2, 2, 4])):
            row = self.random.choice(self.table)
            own = f" as {self.text()}" if row[0] != "custom" and self.random.random() < 0.1 else ""
            members.append(self.member(row) + own)
        return " | ".join(members)

    def member(self, row):
        name, needed, others = row
        arguments = needed + [pair for pair in others if self.random.random() < 0.5]
        if not arguments:
            return name
        texts = [f"{label}: {draw()}" if label else draw() for label, draw in arguments]
        return f"{name}({', '.join(texts)})"

    def one(self, *words):
        return lambda: self.random.choice(words)

    def flag(self):
        return self.random.choice(["true", "false"])

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

    def size(self):
        return f"{self.number()}x{self.number()}"

    def point(self):
        return f"({self.number()}, {self.number()})"

    def rectangle(self):
        return f"({', '.join(self.number() for _ in range(4))})"

    def radius(self):
        return f"{self.random.choice(['point', 'widthFraction', 'heightFraction'])}({self.number()})"

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

    def border(self):
        parts = [f"color: {self.color()}"]
        if self.random.random() < 0.6:
            parts.append(f"width: {self.number()}")
        if self.random.random() < 0.3:
            parts.append(f"unit: {self.random.choice(['points', 'pixels'])}")
        return f"({', '.join(parts)})"

    def filter(self):
        return self.random.choice(["CISepiaTone", "CIPhotoEffectNoir", "CIColorInvert", "CIPixellate"])

    def text(self):
        return self.random.choice(['"com.example.mono"', '"own|>x"', '"a b"', '"Größe"', '"x@y"', '"a-b(c)"', '"q\\"q"'])


def lines(client, release, number):
    """Job lines, each with a chain of its own."""
    chains = Chains(client, release)
    paths = ["p/{}.jpg", "p/{}", "a%20b/{}.png?w=1", "@2x/{}@2x.png", "dir.d/{}.JPG#x"]
    for index in range(number):
        path = chains.random.choice(paths).format(index)
        yield f"https://img.example.com/{path} {chains.chain()}"
