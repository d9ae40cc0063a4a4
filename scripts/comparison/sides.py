"""Runs commands of two builds and collects what differs between them, each difference by its name."""

import collections
import fnmatch
import hashlib
import json
import os
import re
import stat
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

# Durations and moments of this run, which no two runs share.
TRANSIENT = {("summary", "seconds")}
# A run gives Nuke's entries no modification date and Kingfisher's no access date.
TRANSIENT_DATES = {
    "nuke": {("entry", "modified")}, "kingfisher": {("entry", "accessed")}, "sdwebimage": {("entry", "modified")},
}  # fmt: skip


class Mistake(Exception):
    """The comparison itself is wrong: the old build refuses what it is asked."""


@dataclass(frozen=True)
class Side:
    """A build, and the folder in which it works."""

    preheat: Path
    root: Path


class Differences:
    """What differs, by name: JOB/CHECK/FIELD. Those that are allowed by a pattern are counted and do not fail."""

    def __init__(self, allowed):
        self.allowed = allowed
        self.found = collections.defaultdict(list)
        self.counts = collections.Counter()
        self.lock = threading.Lock()

    def add(self, name, detail):
        with self.lock:
            self.found[name].append(detail)

    def concern(self, job):
        with self.lock:
            return any(name.startswith(f"{job}/") for name in self.found)

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def show(self, examples=3):
        """Prints what differs, the same of several jobs together. Returns how many names are not allowed."""
        allowed = {pattern: fnmatch.filter(self.found, pattern) for pattern in self.allowed}
        failing = sorted(self.found.keys() - {name for names in allowed.values() for name in names})
        groups = collections.defaultdict(list)
        for name in failing:
            job, _, check = name.partition("/")
            groups[check].append(job)
        for check, jobs in groups.items():
            details = [detail for job in jobs for detail in self.found[f"{job}/{check}"]]
            print(f"differs: {jobs[0] if len(jobs) == 1 else '*'}/{check}, {len(details)} times, in {', '.join(jobs)}")
            for detail in details[:examples]:
                print("    " + detail.replace("\n", "\n    "))
        for pattern, names in allowed.items():
            print(f"allowed: {pattern}: {sum(len(self.found[name]) for name in names)} differences, {len(names)} names")
        return len(failing)


@dataclass(frozen=True)
class Answer:
    code: int
    text: str
    errors: str

    def rows(self):
        """The objects that were printed; those inside them as fields with a dot, such as error.message."""
        try:
            return [flat(json.loads(line)) for line in self.text.splitlines()]
        except ValueError:
            return None


def flat(row):
    inner = {name: value for name, value in row.items() if isinstance(value, dict)}
    fields = {name: value for name, value in row.items() if name not in inner}
    return fields | {f"{name}.{word}": inner[name][word] for name in inner for word in inner[name]}


@dataclass(frozen=True)
class Pair:
    """The same commands for two sides; what they print must be equal."""

    sides: tuple
    differences: Differences
    environment: dict
    job: str
    # The old build on its own folder is right: where it fails, it was asked for the wrong thing.
    is_left_right: bool

    @property
    def folders(self):
        return [side.root / self.job for side in self.sides]

    def add(self, check, detail):
        self.differences.add(f"{self.job}/{check}", detail)

    def has(self, program):
        return all((side.preheat.parent / program).exists() for side in self.sides)

    def ask(self, side, program, arguments):
        """What was printed, without the folder of the side and the duration in a message of libcurl's."""
        command = [side.preheat.parent / program, *arguments]
        result = subprocess.run(
            command, cwd=side.root / self.job, env=self.environment, capture_output=True, timeout=300, check=False)
        self.differences.count("commands")
        streams = (stream.decode("utf-8", "backslashreplace") for stream in (result.stdout, result.stderr))
        texts = (re.sub(r"after \d+ ms", "after N ms", text.replace(str(side.root), "ROOT")) for text in streams)
        return Answer(result.returncode, *texts)

    def command(self, check, *arguments, expected=(0,), transient=frozenset(), sort=False, program="preheat"):
        """Compares exit code and output. Returns what the first side answered."""
        left, right = (self.ask(side, program, arguments) for side in self.sides)
        if left.code not in expected:
            line = f"{program} {' '.join(arguments)}\n{left.errors}{left.text[:2000]}"
            if self.is_left_right:
                raise Mistake(f"{self.job}/{check}: the old build ends with {left.code}: {line}")
            self.add(f"{check}/exit", f"the new build ends with {left.code} on its own cache: {line}")
        elif left.code != right.code:
            self.add(f"{check}/exit", f"{left.code} became {right.code}: {right.errors.strip()[:300]}")
        rows = left.rows(), right.rows()
        if None in rows or "--json" not in arguments:
            if left.text != right.text:
                self.add(f"{check}/text", first_line(left.text, right.text))
        else:
            self.compare_rows(check, *rows, TRANSIENT | transient, sort)
        self.differences.count("lines of output", left.text.count("\n"))
        return left

    def compare_rows(self, check, left, right, transient, sort):
        if sort:
            left, right = sorted(left, key=identity), sorted(right, key=identity)
        if len(left) != len(right):
            self.add(f"{check}/rows", f"{len(left)} became {len(right)}")
            # Only what is in both can be compared further.
            common = {str(identity(row)) for row in left} & {str(identity(row)) for row in right}
            left, right = ([row for row in rows if str(identity(row)) in common] for rows in (left, right))
        for old, new in zip(left, right):
            for field in sorted(old.keys() | new.keys()):
                values = [row.get(field, "(missing)") for row in (old, new)]
                if values[0] != values[1] and (old.get("type"), field) not in transient:
                    place = old.get("file") or old.get("source") or old.get("type")
                    texts = (json.dumps(value, ensure_ascii=False)[:300] for value in values)
                    self.add(f"{check}/{field}", f"{place}:\n" + "\nbecame ".join(texts))

    def files(self, check, path, date=None, hidden=True):
        """Compares a file, or all files below a folder: names, modes, bytes and, if named, one of the dates."""
        left, right = (tree(folder / path, hidden) for folder in self.folders)
        for name in sorted(left.keys() ^ right.keys()):
            self.add(f"{check}/names", f"{name} is {'gone' if name in left else 'new'}")
        for name in sorted(left.keys() & right.keys()):
            old, new = left[name], right[name]
            for what in ("mode", "bytes", *([date] if date and not name.startswith(".") else [])):
                if old[what] != new[what]:
                    self.add(f"{check}/{what}", f"{name}: {old[what]} became {new[what]}")
        self.differences.count("files", len(left))
        self.differences.count("bytes", sum(entry["size"] for entry in left.values()))
        return left

    def order(self, check, path, date):
        """Compares which files come first by a date that counts from now."""
        trees = (tree(folder / path, False) for folder in self.folders)
        left, right = (sorted(files, key=lambda name, of=files: (of[name][date], name)) for files in trees)
        if left != right:
            self.add(f"{check}/order", first_line("\n".join(left), "\n".join(right)))


def identity(row):
    """What a row is about. A run tells of its renditions in no fixed order."""
    fields = ("type", "job", "line", "list", "source", "chain", "scale", "file", "code")
    return [str(row.get(field)) for field in fields]


def first_line(left, right):
    pairs = zip((left + "\n(end)").split("\n"), (right + "\n(end)").split("\n"))
    number, old, new = next((n, a, b) for n, (a, b) in enumerate(pairs, 1) if a != b)
    return f"line {number}: {old[:300]}\nbecame {new[:300]}"


def tree(path, hidden=True):
    """What is at a path. Dates are looked at before the bytes, and reading changes none."""
    if path.is_dir():
        names = sorted(str(entry.relative_to(path)) for entry in path.rglob("*") if hidden or entry.name[0] != ".")
        return {name: fact(path / name) for name in names}
    return {path.name: fact(path)} if path.exists() else {}


def fact(path):
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        # Listing a folder moves its access date, so its dates mean nothing.
        return {"mode": oct(status.st_mode), "bytes": "(no file)", "size": 0, "access-date": 0, "modification-date": 0}
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOATIME)) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "mode": oct(status.st_mode), "bytes": f"{status.st_size} bytes, SHA-256 {digest[:16]}", "size": status.st_size,
        "access-date": status.st_atime_ns, "modification-date": status.st_mtime_ns,
    }  # fmt: skip
