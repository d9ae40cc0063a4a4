"""The jobs that are run with both builds: those of the repository, and many that are made up here."""

import base64
import collections
import contextlib
import hashlib
import itertools
import posixpath
import re
import unicodedata
from dataclasses import dataclass, field

from . import chains, pictures, vectors

HOST = "127.0.0.1"
NUKE = ["10", "11", "12", "13"]
KINGFISHER = ["5", "6", "7", "8"]
# Before and behind the releases that changed what is stored or drawn.
SDWEBIMAGE = ["5.0.0", "5.7.4", "5.12.6", "5.20.0", "5"]
# Before and behind the boundaries of the rules, and the last of each major version.
POLICY_VERSIONS = ["10.11.2", "11.6.4", "12.5.0", "12.9.0", "13.2.0"]
KEY_VERSIONS = {*POLICY_VERSIONS, "5.15.8", "6.3.1", "7.12.0", "8.11.0", "5.19.6", "5.19.7", "5.21.5"}

NUKE_CHAINS = {
    "card": "resize(width: 160)",
    "tall": "resize(height: 90, unit: pixels)",
    "box": "resize(size: 60x60, crop: true)",
    "fit": "resize(size: 60x40, contentMode: aspectFit)",
    "large": "resize(width: 700, unit: pixels, upscale: true)",
    "avatar": "resize(size: 44x44, crop: true) | circle",
    "ring": "resize(width: 70) | circle(border: (color: #FF8000, width: 2))",
    "framed": "resize(width: 90) | roundedCorners(radius: 8, border: (color: rgba(0, 0.5, 1, 0.5), width: 3))",
    "edge": "resize(width: 66) | roundedCorners(radius: 9, unit: pixels, border: (color: #00FF0080, unit: pixels))",
    "soft": "resize(width: 80) | gaussianBlur(radius: 4)",
    "list": "thumbnail(maxPixelSize: 96)",
    "inside": "thumbnail(maxPixelSize: 48, createThumbnailFromImageAlways: false)",
    "sepia": "thumbnail(maxPixelSize: 64) | coreImage(name: CISepiaTone)",
    "own": 'resize(width: 50) | circle as "com.example.own"',
}
KINGFISHER_CHAINS = {
    "tile": "resizing(referenceSize: 80x60, mode: aspectFill) | cropping(size: 80x60) | roundCorner(cornerRadius: 12)",
    "small": "downsampling(size: 60x60)",
    "plain": "resizing(referenceSize: 90x40)",
    "fit": "resizing(referenceSize: 70x70, mode: aspectFit) | blur(blurRadius: 4)",
    "corner": "downsampling(size: 70x70) | roundCorner(cornerRadius: 9, roundingCorners: topLeft+bottomRight)",
    "red": "downsampling(size: 50x50) | overlay(color: red, fraction: 0.6)",
    "toned": "downsampling(size: 50x50) | tint(color: rgba(0.2, 0.4, 0.6, 0.5))",
    "colors": "downsampling(size: 50x50) | colorControls(brightness: 0.1, contrast: 1.1, saturation: 2, inputEV: 0.5)",
    "grey": "downsampling(size: 50x50) | blackWhite",
    "mixed": "downsampling(size: 50x50) | blend(blendMode: multiply, alpha: 0.8, backgroundColor: gray(0.9, 1))",
    "crop": "cropping(size: 60x50, anchor: (0.25, 0.75))",
    "own": 'downsampling(size: 40x40) | blackWhite as "com.example.own"',
}
SDWEBIMAGE_CHAINS = {
    "fill": "resize(size: 80x60)",
    "card": "resize(size: 80x60, scaleMode: aspectFill) | roundCorner(radius: 12)",
    "fit": "resize(size: 60x60, scaleMode: aspectFit) | blur(radius: 4)",
    "cut": "crop(rect: (4, 6, 50, 40))",
    "corner": "resize(size: 70x70) | roundCorner(radius: 9, corners: topLeft+bottomRight, borderWidth: 2, borderColor: red)",
    "flipped": "resize(size: 50x40) | flip(horizontal: true)",
    "turned": "resize(size: 50x40) | rotate(angle: 0.3)",
    "inside": "resize(size: 50x40) | rotate(angle: 1.2, fitSize: false)",
    "toned": "resize(size: 50x50) | tint(color: rgba(0.2, 0.4, 0.6, 0.5))",
    "sepia": "resize(size: 50x50) | filter(name: CISepiaTone)",
    "own": 'resize(size: 40x40) | flip(vertical: true) as "com.example.own"',
}
SDWEBIMAGE_THUMBNAILS = {
    "list": "thumbnail(size: 64x64)",
    "small": "thumbnail(size: 48x32, preserveAspectRatio: false) | blur(radius: 2)",
}
ENCODINGS = [
    "client", "jpeg", "jpeg(quality: 55, progressive: true, optimized: false)", "jpeg(quality: 95, chroma: 444)",
    "jpeg(quality: 90, fitBytes: 3K)", "png", "png(compression: 9, palette: true)", "webp", "webp(lossless: true)",
    "webp(quality: 60, effort: 2)", "webp(quality: 90, fitBytes: 2K)", "keep", "keep(quality: 50)",
]  # fmt: skip
PRIORITIES = ["veryLow", "low", "normal", "high", "veryHigh"]
POLICIES = ["automatic", "storeOriginalData", "storeEncodedImages", "storeAll", "reachable"]


@dataclass
class Cache:
    folder: str
    client: str
    version: str


@dataclass
class Job:
    """Job files by their paths, to be run together; `asks` are requests for `key --in`."""

    name: str
    files: dict
    main: list
    asks: list = field(default_factory=list)
    tools: bool = True
    # Whether it is run, or only planned.
    runs: bool = True
    # The client whose keys are read back into a job.
    reads: str = ""
    # Whether it has lines that a release refuses.
    skips: bool = False

    @property
    def caches(self):
        """The cache folders, relative to where the files lie."""
        found = {}
        for path in self.main:
            (folder,) = re.findall(r"^cache\s+(\S+)", self.files[path], re.M)
            client, version = re.findall(r"^client\s+(\w+)\s+(\S+)", self.files[path], re.M)[0]
            folder = posixpath.normpath(posixpath.join(posixpath.dirname(path), folder))
            found.setdefault(folder, Cache(folder, client, version))
        return list(found.values())

    def part(self):
        """The same files without every third job line: an earlier state of the job."""
        def kept(text):
            number = itertools.count(1)
            return "\n".join(line for line in text.split("\n") if not is_entry(line) or next(number) % 3)

        return {path: kept(text) for path, text in self.files.items()}


def is_entry(line):
    return bool(re.match(r'"|[A-Za-z]+:|[./]|include ', line))


def made(name, settings, chains, lines, **options):
    named = [f"chain {word} = {chain}" for word, chain in chains.items()]
    text = "\n".join([*settings, "cache out/cache", f"allow-private {HOST}", *named, *lines]) + "\n"
    return Job(name, {"made.job": text}, ["made.job"], asks_of(text), **options)


def of_repository(folder, origin, www):
    """jobs/*.job with their hosts on this machine, and the samples under the paths that they name."""
    texts = {path.name: path.read_text() for path in sorted(folder.iterdir()) if path.suffix in (".job", ".txt", ".csv")}
    hosts = re.compile(r"^((?:header|allow-private|rate-limit|aws-sigv4)\s+)\S+", re.M)
    paths = set()
    for name, text in texts.items():
        paths.update(re.findall(r"https?://[^/\s]+/([^\s\"',?#]+)", text))
        text = re.sub(r"https?://[^/\s]+/", origin + "/", text)
        texts[name] = hosts.sub(rf"\g<1>{HOST}", text)
    pictures.stand_ins(www, paths)
    files = {f"jobs/{name}": text for name, text in texts.items()}
    names = [name for name in texts if name.endswith(".job")]
    runs = {name.removesuffix(".job"): [f"jobs/{name}"] for name in names if not name.startswith("demo")}
    # Together, as `make demo` runs them.
    runs["demo"] = [f"jobs/{name}" for name in names if name.startswith("demo")]
    return [Job(name, dict(files), main, asks_of(files[main[0]])) for name, main in runs.items()]


def asks_of(text):
    """Up to two requests that a job's own lines make, and one that no line makes."""
    chains = re.findall(r"^chain\s+\w+\s*=\s*(.*?)(?:\s+encode=.*)?(?:\s+#.*)?$", text, re.M)[:2]
    return [(url, chain) for url in re.findall(r"^http\S+", text, re.M)[:1] for chain in [*chains, "original"]]


def drawn(origin, names):
    """Every major version, many chains; all the small pictures for the newest, every second one for the others."""
    every = [f"{origin}/small/{name}" for name in names]
    for version in NUKE:
        urls = every if version == NUKE[-1] else every[::2]
        lines = ["scale 2 3", "default " + " ".join(NUKE_CHAINS), *urls, f"{urls[0]} original"]
        yield made(f"nuke-{version}", [f"client nuke {version}"], NUKE_CHAINS, lines)
    for version in SDWEBIMAGE:
        urls = every if version == SDWEBIMAGE[-1] else every[::3]
        # Thumbnails came with 5.7.0.
        chains = SDWEBIMAGE_CHAINS | (SDWEBIMAGE_THUMBNAILS if version != "5.0.0" else {})
        lines = ["default " + " ".join(chains), *urls, f"{urls[0]} original"]
        yield made(f"sdwebimage-{version}", [f"client sdwebimage {version}", "scale 2"], chains, lines)
    for version in KINGFISHER:
        urls = every if version == KINGFISHER[-1] else every[1::2]
        chains = dict(KINGFISHER_CHAINS)
        if version >= "7":
            chains["edged"] = "downsampling(size: 50x50) | border(color: blue, lineWidth: 3)"
        # The modifiers of KF came with 6.0.0.
        for style in ("options", "builder") if version > "5" else ("options",):
            expires = "30d" if style == "builder" else "never"
            settings = [f"client kingfisher {version}", f"style {style}", f"expires {expires}"]
            lines = ["scale 2", "default " + " ".join(chains), *urls, f"{urls[0]} original"]
            yield made(f"kingfisher-{version}-{style}", settings, chains, lines)


def encoded(origin, names):
    """Every encoder, for chains, for single lines and for a whole job."""
    clients = {
        "nuke 12": "resize(width: {}, unit: pixels)", "kingfisher 8": "downsampling(size: {0}x{0})",
        "sdwebimage 5": "resize(size: {0}x{0})",
    }  # fmt: skip
    for client, chain in clients.items():
        for number, setting in enumerate(("client", "webp(quality: 70)")):
            chains = {f"e{index}": f"{chain.format(60 + index)} encode={text}" for index, text in enumerate(ENCODINGS)}
            chains["plain"] = chain.format(50)
            some = names[number::2]
            lines = [f"{origin}/small/{name} {' '.join(chains)}" for name in some]
            lines += [f"{origin}/small/{name}?own {chain.format(55)} encode=png" for name in some[:3]]
            name = f"encodings-{client.replace(' ', '-')}-{setting.partition('(')[0]}"
            yield made(name, [f"client {client}", f"encode {setting}"], chains, lines)


def sources(origin, www):
    """The same picture from a server, from a file and from the job itself."""
    data = base64.b64encode((www / "small/grey.jpg").read_bytes()).decode()
    return {
        "http": f"{origin}/small/mountains.jpg",
        "file": f"file://{www}/small/opaque.png",
        "FILE": f"FILE://{www}/small/opaque.png",
        "data:": f"data:image/jpeg;base64,{data}",
    }


def policies(rows, origin, www):
    """The rows of nuke-policy.tsv, for each version at which they change and some more. Jobs of the latter are run."""
    tags = {row[column].lstrip("<") for row in rows for column in ("from_tag", "to_tag")}
    versions = {tag for tag in tags if not tag.startswith("main")} | set(POLICY_VERSIONS)
    chains = {
        "first": "resize(width: 80)",
        "both": "resize(width: 80) | circle",
        "small": "thumbnail(maxPixelSize: 64)",
        "smallFirst": "thumbnail(maxPixelSize: 64) | resize(width: 40)",
    }
    # No table has "reachable": it is asked for the same as "automatic".
    rows = rows + [row | {"policy": "reachable"} for row in rows if row["policy"] == "automatic"]
    for version in sorted(versions, key=vectors.number):
        named = dict(chains)
        if vectors.number(version) < (10, 4):
            del named["small"], named["smallFirst"]
        for policy in POLICIES:
            lines = vectors.policy_lines(rows, version, policy, sources(origin, www))
            yield made(
                f"policy-{version}-{policy}", [f"client nuke {version}", f"policy {policy}"], named, lines,
                tools=policy == "automatic", runs=version in POLICY_VERSIONS)


def resized(rows, origin, www):
    """The rows of nuke-resize.tsv, each with a source of its size and orientation."""
    groups = collections.defaultdict(dict)
    for row in rows:
        name = pictures.stripes(www / "plain", row["source"], row["exif_orientation"])
        line = f"{origin}/plain/{name} {vectors.resize_chain(row)}"
        groups[vectors.nuke_version(row["nuke_version"]), row["screen_scale"]][line] = None
    for (version, scale), lines in groups.items():
        settings = [f"client nuke {version}", f"scale {scale}"]
        yield made(f"resize-{version}-at-{scale}", settings, {}, lines, tools=False)


def keyed(nuke, kingfisher, sdwebimage, origin):
    """The chains and IDs of the golden keys once more, drawn. Settings that only change file names are not."""
    groups = collections.defaultdict(dict)
    for client, rows, column, line in (
        ("nuke", nuke, "nuke_version", vectors.nuke_line), ("kingfisher", kingfisher, "kf_version", vectors.kingfisher_line),
        ("sdwebimage", sdwebimage, "sd_version", vectors.sdwebimage_line)):
        for row in rows:
            version = vectors.nuke_version(row[column])
            with contextlib.suppress(vectors.Unspellable):
                # An ID of SDWebImage's is the key of the original too, which two lines cannot have.
                if version in KEY_VERSIONS and row.get("base_key", "-") == "-":
                    text = line(row, "")
                    groups[f"{client} {version}"].setdefault(unicodedata.normalize("NFC", text), text)
    for client, texts in groups.items():
        # Different chains may have one key, which a job has but once for one URL.
        lines = [f"{origin}/small/portrait-6.jpg?{number}{text}" for number, text in enumerate(texts.values())]
        yield made("keys-" + client.replace(" ", "-"), [f"client {client}", "scale 2"], {}, lines)


def random_chains(number, origin):
    """`number` chains of each client, spread over its releases: drawn, and their keys read back into a job."""
    for client, releases in chains.RELEASES.items():
        for release in releases:
            settings = [f"client {client} {release}", "scale 2"]
            lines = list(chains.lines(client, release, -(-number // len(releases))))
            yield made(f"chains-{client}-{release}", settings, {}, lines, runs=False, reads=f"{client} {release}")
            # A small picture, since chains blow it up.
            lines = [f"{origin}/small/portrait-6.jpg?{index} {line.partition(' ')[2]}" for index, line in enumerate(lines)]
            yield made(f"drawn-{client}-{release}", settings, {}, lines, tools=False, skips=True)


def special(origin, www, names):
    """Options of lines, settings that change a key or a source, and sources that fail."""
    jpeg = f"{origin}/small/mountains.jpg"
    digest = hashlib.sha256((www / "small/mountains.jpg").read_bytes()).hexdigest()
    options = [f"priority={word}" for word in PRIORITIES] + [
        "reload", "offline", "noDiskRead", "noDiskWrite", f"sha256={digest}", f"sha256={'0' * 64}", "id=product-2",
        'id="with spaces ü"', "encode=png", "embedded=prefer",
    ]  # fmt: skip
    lines = [f"{jpeg}?n={number} one {option}" for number, option in enumerate(options)]
    lines += [f"{origin}/small/{name}?token=secret&m=1 one" for name in names]
    lines += [f"{origin}/broken/{name} one original" for name in pictures.broken(www / "broken")]
    lines += [f"{origin}/missing.jpg one", "http://127.0.0.1:1/refused.jpg one"]
    expiries = ["never", "7d", "12h", "2027-06-30", "2027-06-30T08:00:00Z"]
    clients = [
        ("nuke 13", "resize(width: 77)"), ("kingfisher 8", "downsampling(size: 77x77)"),
        ("sdwebimage 5", "resize(size: 77x77)")]
    for client, chain in clients:
        more = [f"{jpeg}?expires={when} one expires={when}" for when in expiries] if client[0] == "k" else []
        settings = [f"client {client}", "strip-query token"]
        more.append(f"{www}/small/logo.png one" + (" id=logo" if client[0] == "s" else ""))
        yield made(f"options-{client.replace(' ', '-')}", settings, {"one": chain}, lines + more)
    for use in ("never", "prefer", "only", "client"):
        chains = {"list": "thumbnail(maxPixelSize: 64)", "card": "resize(width: 50)", "always": NUKE_CHAINS["inside"]}
        lines = [f"{origin}/small/{name} list card always" for name in names] + [f"{origin}/canyon.jpg list"]
        yield made(f"embedded-{use}", ["client nuke 12", f"embedded {use}"], chains, lines, tools=False)
    for number, words in enumerate(["path-extension jpg", "auto-extension true", "forced-extension heic"]):
        version = "8.4.0" if number == 2 else "8"
        lines = [f"{origin}/small/{name} one original" for name in names]
        settings = [f"client kingfisher {version}", words]
        yield made(words.replace(" ", "-"), settings, {"one": "downsampling(size: 40x40)"}, lines)
