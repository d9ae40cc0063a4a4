"""Turns rows of the golden tables (vectors/*.tsv) into the text of jobs, as a person would write them.

Rows that no job can spell, such as relative URLs and closures, are left out.
"""

import re
from urllib.parse import unquote

NUKE = {
    "resize": "resize", "circle": "circle", "rounded": "roundedCorners", "blur": "gaussianBlur", "ci": "coreImage",
    "thumbnail": "thumbnail",
}  # fmt: skip
NUKE_NAMES = {
    "w": "width", "h": "height", "mode": "contentMode", "r": "radius", "max": "maxPixelSize", "id": "identifier",
    "absent": "createThumbnailFromImageIfAbsent", "always": "createThumbnailFromImageAlways",
    "transform": "createThumbnailWithTransform", "immediate": "shouldCacheImmediately",
}  # fmt: skip
NUKE_VALUES = {"pt": "points", "px": "pixels", "fill": "aspectFill", "fit": "aspectFit"}
NUKE_FLAGS = {"crop", "upscale", "absent", "always", "transform", "immediate"}
# What an argument without a name is.
NUKE_BARE = {"blur": "radius", "ci": "name"}

# Each processor of Kingfisher: its name in a job, and the labels of its arguments.
KINGFISHER = {
    "resize": ("resizing", {"size": "referenceSize", "mode": "mode"}),
    "downsample": ("downsampling", {"size": "size"}),
    "round": ("roundCorner", {
        "r": "radius", "size": "targetSize", "corners": "roundingCorners", "bg": "backgroundColor"}),
    "blur": ("blur", {"r": "blurRadius"}),
    "overlay": ("overlay", {"c": "color", "f": "fraction"}),
    "tint": ("tint", {"c": "color"}),
    "blackwhite": ("blackWhite", {}),
    "colorcontrols": ("colorControls", {"b": "brightness", "c": "contrast", "s": "saturation", "ev": "inputEV"}),
    "crop": ("cropping", {"size": "size", "anchor": "anchor"}),
    "blend": ("blend", {"mode": "blendMode", "a": "alpha", "bg": "backgroundColor"}),
    "border": ("border", {"c": "color", "w": "lineWidth", "r": "radius", "corners": "roundingCorners"}),
}
# Each transformer of SDWebImage, likewise.
SDWEBIMAGE = {
    "resize": ("resize", {"size": "size", "mode": "scaleMode"}),
    "crop": ("crop", {"rect": "rect"}),
    "round": ("roundCorner", {"r": "radius", "corners": "corners", "bw": "borderWidth", "bc": "borderColor"}),
    "flip": ("flip", {"h": "horizontal", "v": "vertical"}),
    "rotate": ("rotate", {"angle": "angle", "fit": "fitSize"}),
    "tint": ("tint", {"c": "color", "mode": "blendMode"}),
    "tint0": ("tint", {"c": "color"}),
    "blur": ("blur", {"r": "radius"}),
    "filter": ("filter", {"name": "name"}),
}
BITS = {"0": "false", "1": "true"}
# In the order of their bits.
CORNERS = {"tl": "topLeft", "tr": "topRight", "bl": "bottomLeft", "br": "bottomRight"}
RADII = {"pt": "point", "w": "widthFraction", "h": "heightFraction"}


class Unspellable(Exception):
    """No job can say what this row says."""


def table(path):
    """The rows of a table as dictionaries. The last comment line names the columns, else the first line does."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    head = max((number for number, line in enumerate(lines) if line.startswith("#")), default=0)
    names = lines[head].lstrip("# ").split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[head + 1 :]]


def quoted(text):
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def named(text):
    """The option for an ID, if a row has one."""
    return "" if text == "-" else f" id={quoted(text.replace('(empty)', ''))}"


# Nuke


def nuke_version(tag):
    return "13.2.0" if tag.startswith("main") else tag


def nuke_line(row, url):
    """The line of a job that asks for what the row does, at a URL."""
    # A composition is the same as its members.
    specs = re.sub(r"comp\[(?!\])|(?<!\[)\]", "", row["processors_spec"]).split("|")
    chain = [f"thumbnail({row['thumbnail_spec']})", *specs]
    texts = [nuke_processor(spec) for spec in chain if spec not in ("-", "thumbnail(-)")]
    return f"{url} {' | '.join(texts) or 'original'}{named(row['image_id'])}"


def nuke_job(row, cache):
    if not re.match(r"http|HTTP|data:|file:", row["url"]):
        raise Unspellable
    return (
        f"client nuke {nuke_version(row['nuke_version'])}\ncache {cache}\nscale {row['screen_scale']}\n"
        f"{nuke_line(row, quoted(row['url']))}\n"
    )


def nuke_processor(spec):
    name, _, inside = spec.removesuffix(")").partition("(")
    if name == "anon":
        return f"custom({quoted(unquote(inside))})"
    if name not in NUKE:
        raise Unspellable
    arguments = [nuke_argument(text, NUKE_BARE.get(name)) for text in inside.split(",") if text]
    return NUKE[name] + (f"({', '.join(arguments)})" if arguments else "")


def nuke_argument(text, bare=None):
    name, _, value = text.rpartition("=")
    if name in NUKE_FLAGS:
        value = "true" if value == "1" else "false"
    elif name == "id":
        value = quoted(unquote(value))
    elif name == "border":
        color, *rest = value.split(":")
        if color.count("/") != 3:
            raise Unspellable
        rest = (f", {label}: {NUKE_VALUES.get(part, part)}" for label, part in zip(("width", "unit"), rest))
        value = f"(color: rgba({color.replace('/', ', ')}){''.join(rest)})"
    return f"{NUKE_NAMES.get(name, name or bare)}: {NUKE_VALUES.get(value, value)}"


# What a row of nuke-policy.tsv asks for, in a job.
POLICY_CHAINS = {
    "image": "original", "image+p1": "first", "image+p1+p2": "both", "image+T": "small", "image+T+p1": "smallFirst",
}  # fmt: skip
POLICY_OPTIONS = {
    "-": "", "disableDiskCacheReads": " noDiskRead", "disableDiskCacheWrites": " noDiskWrite",
    "returnCacheDataDontLoad": " offline",
}  # fmt: skip


def number(version):
    """The numbers of a version; those of the main branch are above all."""
    return (99,) if version.startswith("main") else tuple(map(int, version.lstrip("<").split(".")))


def policy_lines(rows, version, policy, sources):
    """The job lines of one version and policy. `sources` has the URL for each kind of resource."""
    lines = []
    for index, row in enumerate(rows):
        chain, source, end = POLICY_CHAINS.get(row["request"]), sources.get(row["resource"]), row["to_tag"]
        ours, last = number(version), number(end)
        covered = number(row["from_tag"]) <= ours and (ours < last if end[0] == "<" else ours <= last)
        if chain and source and covered and row["policy"] == policy:
            lines.append(f"{source} {chain}{POLICY_OPTIONS[row['options']]} id=row-{index}")
    return lines


def resize_chain(row):
    """The processor of a row of nuke-resize.tsv."""
    parts = [row["target"], "unit=" + row["unit"], "upscale=" + row["upscale"]]
    if row["target"][0] not in "wh":
        parts[0] = "size=" + parts[0]
        parts += ["mode=" + row["content_mode"], "crop=" + row["crop"]]
    return f"resize({', '.join(map(nuke_argument, parts))})"


# Kingfisher


def kingfisher_line(row, url):
    """The line of a job that asks for what the row does, at a URL."""
    specs = row["processors_spec"].split("|>")
    chain = "original" if specs == ["-"] else " | ".join(map(kingfisher_processor, specs))
    return f"{url} {chain}{named(row['cache_key_override'])}"


def kingfisher_job(row, cache, builder=False):
    """With `builder`, only for rows whose chain begins with the default processor, as the modifiers of KF do."""
    lines = [f"client kingfisher {row['kf_version']}"]
    for column, word in (("path_extension", "path-extension"), ("forced_ext", "forced-extension")):
        if row[column] != "-":
            lines.append(f"{word} {quoted(row[column])}")
    if row["auto_ext"] == "1":
        lines.append("auto-extension true")
    line = kingfisher_line(row, quoted(row["url"]))
    if builder:
        if not re.match(r"\|>(?!downsample)", row["processors_spec"]):
            raise Unspellable
        line = line.replace(" default | ", " ", 1)
        lines.append("style builder")
    return "\n".join([*lines, f"cache {cache}", line, ""])


def kingfisher_processor(spec):
    name, _, inside = spec.removesuffix(")").partition("(")
    if name in ("", "default"):
        return "default"
    if name == "livephoto":
        inside = "com.onevcat.Kingfisher.LivePhotoImageProcessor"
    if name in ("custom", "livephoto"):
        return f"custom({quoted(inside)})"
    if name not in KINGFISHER:
        raise Unspellable
    return labelled(*KINGFISHER[name], inside, kingfisher_value)


def labelled(word, labels, inside, value):
    """A processor whose arguments stand as `short=value;short=value` in a row."""
    fields = (field.partition("=") for field in inside.split(";") if field)
    arguments = [f"{labels[short]}: {value(text, labels[short])}" for short, _, text in fields]
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


# SDWebImage


def sdwebimage_line(row, url):
    """The line of a job that asks for what the row does, at a URL."""
    members = [sdwebimage_processor(spec) for spec in row["transformer"].split("|") if spec != "-"]
    if row["thumbnail"] != "-":
        size, _, keeps = row["thumbnail"].partition(",")
        members.insert(0, f"thumbnail(size: {size}, preserveAspectRatio: {BITS[keeps]})")
    return f"{url} {' | '.join(members) or 'original'}{named(row['base_key'])}"


def sdwebimage_job(row, cache):
    if not row["url"].startswith("http"):
        raise Unspellable
    return f"client sdwebimage {row['sd_version']}\ncache {cache}\n{sdwebimage_line(row, quoted(row['url']))}\n"


def sdwebimage_processor(spec):
    name, _, inside = spec.removesuffix(")").partition("(")
    if name == "custom":
        return f"custom({quoted(inside.removeprefix('key='))})"
    return labelled(*SDWEBIMAGE[name], inside, sdwebimage_value)


def sdwebimage_value(text, label):
    if label in ("color", "borderColor"):
        return f"rgba({text.replace('/', ', ')})"
    if label == "corners" and text.isdigit():
        return "+".join(corner for bit, corner in enumerate(CORNERS.values()) if int(text) >> bit & 1) or "none"
    if label in ("horizontal", "vertical", "fitSize"):
        return BITS[text]
    if label == "scaleMode":
        return "aspectFit" if text == "fit" else text
    return f"({text.replace(',', ', ')})" if label == "rect" else text
