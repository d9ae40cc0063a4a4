"""Turns rows of the golden tables (Tests/Fixtures/*.tsv) into the text of jobs, as a person would write them.

Rows that no job can spell, such as relative URLs and closures, are left out.
"""

import re
from urllib.parse import unquote

NUKE_NAMES = {
    "w": "width", "h": "height", "mode": "contentMode", "r": "radius", "max": "maxPixelSize",
    "absent": "createThumbnailFromImageIfAbsent", "always": "createThumbnailFromImageAlways",
    "transform": "createThumbnailWithTransform", "immediate": "shouldCacheImmediately",
}  # fmt: skip
NUKE_VALUES = {"pt": "points", "px": "pixels", "fill": "aspectFill", "fit": "aspectFit"}
NUKE_FLAGS = {"crop", "upscale", "absent", "always", "transform", "immediate"}

# Each processor of Kingfisher: its name in a job, and the labels of its arguments.
KINGFISHER = {
    "resize": ("resizing", {"size": "referenceSize", "mode": "mode"}),
    "downsample": ("downsampling", {"size": "size"}),
    "round": (
        "roundCorner",
        {"r": "radius", "size": "targetSize", "corners": "roundingCorners", "bg": "backgroundColor"},
    ),
    "blur": ("blur", {"r": "blurRadius"}),
    "overlay": ("overlay", {"c": "color", "f": "fraction"}),
    "tint": ("tint", {"c": "color"}),
    "blackwhite": ("blackWhite", {}),
    "colorcontrols": ("colorControls", {"b": "brightness", "c": "contrast", "s": "saturation", "ev": "inputEV"}),
    "crop": ("cropping", {"size": "size", "anchor": "anchor"}),
    "blend": ("blend", {"mode": "blendMode", "a": "alpha", "bg": "backgroundColor"}),
    "border": ("border", {"c": "color", "w": "lineWidth", "r": "radius", "corners": "roundingCorners"}),
}
CORNERS = {"tl": "topLeft", "tr": "topRight", "bl": "bottomLeft", "br": "bottomRight"}
RADII = {"pt": "point", "w": "widthFraction", "h": "heightFraction"}


class Unspellable(Exception):
    """No job can say what this row says."""


def table(path):
    """The rows of a table as dictionaries. The last comment line names the columns, else the first line does."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    comments = [line for line in lines if line.startswith("#")]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    names = comments[-1].lstrip("# ").split("\t") if comments else rows.pop(0)
    return [dict(zip(names, row)) for row in rows]


def quoted(text):
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


# Nuke


def nuke_version(tag):
    return "13.2.0" if tag.startswith("main") else tag


def nuke_chain(row):
    chain = []
    if row["thumbnail_spec"] != "-":
        chain.append(f"thumbnail({nuke_arguments(row['thumbnail_spec'])})")
    if row["processors_spec"] != "-":
        chain += [text for spec in split(row["processors_spec"]) for text in nuke_processor(spec)]
    return " | ".join(chain) or "original"


def nuke_id(row):
    return None if row["image_id"] == "-" else row["image_id"].replace("(empty)", "")


def nuke_job(row, cache):
    if not re.match(r"http|HTTP|data:|file:", row["url"]):
        raise Unspellable
    option = "" if nuke_id(row) is None else f" id={quoted(nuke_id(row))}"
    return (
        f"client nuke {nuke_version(row['nuke_version'])}\ncache {cache}\nscale {row['screen_scale']}\n"
        f"{quoted(row['url'])} {nuke_chain(row)}{option}\n"
    )


def split(spec):
    """The members of a chain; a | in brackets is no border."""
    parts, depth = [""], 0
    for character in spec:
        depth += (character in "([") - (character in ")]")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def nuke_processor(spec):
    name = re.match(r"[^([]*", spec)[0]
    inside = spec[len(name) + 1 : -1]
    head, _, tail = inside.partition(",border=") if name == "rounded" else (inside, "", "")
    if name == "resize":
        return [f"resize({nuke_arguments(inside)})"]
    if name == "circle":
        return [f"circle(border: {nuke_border(inside.removeprefix('border='))})" if inside else "circle"]
    if name == "rounded":
        border = f", border: {nuke_border(tail)}" if tail else ""
        return [f"roundedCorners({nuke_arguments(head)}{border})"]
    if name == "blur":
        return [f"gaussianBlur(radius: {inside})" if inside else "gaussianBlur"]
    if name == "ci":
        filter_name, _, identifier = inside.partition(",id=")
        second = f", identifier: {quoted(unquote(identifier))}" if identifier else ""
        return [f"coreImage(name: {filter_name}{second})"]
    if name == "anon":
        return [f"custom({quoted(unquote(inside))})"]
    if name == "comp" and inside:
        return [text for member in split(inside) for text in nuke_processor(member)]
    raise Unspellable


def nuke_arguments(spec):
    def argument(text):
        name, _, value = text.partition("=")
        value = ("true" if value == "1" else "false") if name in NUKE_FLAGS else NUKE_VALUES.get(value, value)
        return f"{NUKE_NAMES.get(name, name)}: {value}"

    return ", ".join(argument(text) for text in spec.split(",") if text)


def nuke_border(spec):
    color, *rest = spec.split(":")
    if color.count("/") != 3:
        raise Unspellable
    text = f"(color: rgba({color.replace('/', ', ')})"
    if rest:
        text += f", width: {rest[0]}"
    if len(rest) > 1:
        text += f", unit: {'pixels' if rest[1] == 'px' else 'points'}"
    return text + ")"


# What a row of nuke-policy.tsv asks for, in a job.
POLICY_CHAINS = {
    "image": "original", "image+p1": "first", "image+p1+p2": "both", "image+T": "small", "image+T+p1": "smallFirst",
}  # fmt: skip
POLICY_OPTIONS = {
    "-": "", "disableDiskCacheReads": " noDiskRead", "disableDiskCacheWrites": " noDiskWrite",
    "returnCacheDataDontLoad": " offline",
}  # fmt: skip


def number(version):
    return tuple(int(part) for part in version.lstrip("<").split("."))


def policy_lines(rows, version, policy, sources):
    """The job lines of one version and policy. `sources` has the URL for each kind of resource."""
    lines = []
    for index, row in enumerate(rows):
        chain, source, end = POLICY_CHAINS.get(row["request"]), sources.get(row["resource"]), row["to_tag"]
        covered = number(row["from_tag"]) <= number(version)
        if not end.startswith("main"):
            covered = covered and (number(version) < number(end) if end[0] == "<" else number(version) <= number(end))
        if chain and source and covered and row["policy"] == policy:
            lines.append(f"{source} {chain}{POLICY_OPTIONS[row['options']]} id=row-{index}")
    return lines


def resize_chain(row):
    """The processor of a row of nuke-resize.tsv."""
    parts = [row["target"], "unit=" + row["unit"], "upscale=" + row["upscale"]]
    if row["target"][0] not in "wh":
        parts[0] = "size=" + parts[0]
        parts += ["mode=" + row["content_mode"], "crop=" + row["crop"]]
    return f"resize({nuke_arguments(','.join(parts))})"


# Kingfisher


def kingfisher_settings(row):
    lines = [f"client kingfisher {row['kf_version']}"]
    for column, word in (("path_extension", "path-extension"), ("forced_ext", "forced-extension")):
        if row[column] != "-":
            lines.append(f"{word} {quoted(row[column])}")
    if row["auto_ext"] == "1":
        lines.append("auto-extension true")
    return lines


def kingfisher_chain(row):
    spec = row["processors_spec"]
    return "original" if spec == "-" else " | ".join(kingfisher_processor(part) for part in spec.split("|>"))


def kingfisher_id(row):
    return None if row["cache_key_override"] == "-" else row["cache_key_override"]


def kingfisher_job(row, cache, builder=False):
    """With `builder`, only for rows whose chain begins with the default processor, as the modifiers of KF do."""
    chain, lines = kingfisher_chain(row), [*kingfisher_settings(row), f"cache {cache}"]
    if builder:
        if not re.match(r"\|>(?!downsample)", row["processors_spec"]):
            raise Unspellable
        chain = chain.removeprefix("default | ")
        lines.append("style builder")
    option = "" if kingfisher_id(row) is None else f" id={quoted(kingfisher_id(row))}"
    return "\n".join([*lines, f"{quoted(row['url'])} {chain}{option}\n"])


def kingfisher_processor(spec):
    if spec in ("", "default"):
        return "default"
    name, _, inside = spec.partition("(")
    inside = inside[:-1]
    if name == "custom":
        return f"custom({quoted(inside)})"
    if name == "livephoto":
        return 'custom("com.onevcat.Kingfisher.LivePhotoImageProcessor")'
    if name not in KINGFISHER:
        raise Unspellable
    word, labels = KINGFISHER[name]
    arguments = []
    for field in inside.split(";") if inside else []:
        short, _, value = field.partition("=")
        arguments.append(f"{labels[short]}: {kingfisher_value(value, labels[short])}")
    return word + (f"({', '.join(arguments)})" if arguments else "")


def kingfisher_value(text, label):
    kind, _, rest = text.partition(":")
    if label == "radius":
        return f"{RADII[kind]}({rest})"
    if label in ("color", "backgroundColor"):
        return f"{'rgba' if kind == 'rgb' else 'gray'}({rest.replace('/', ', ')})"
    if label == "roundingCorners":
        return "+".join(CORNERS.get(corner, corner) for corner in text.split("+"))
    return f"({text.replace(',', ', ')})" if label == "anchor" else text
