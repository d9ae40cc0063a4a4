"""What is asked of both builds, job by job."""

import contextlib
import functools
import os
import shutil

from . import vectors
from .sides import TRANSIENT_DATES

# Three weeks after the run: what expires after a week has expired, what expires after a month has not.
NOW = "2027-02-05T08:00:00Z"
RUN = ["run", "--json", "--quiet", "--retries", "0", "--allow-private", "127.0.0.1"]
DATES = {"nuke": "access-date", "kingfisher": "modification-date", "sdwebimage": "access-date"}
# Renditions that fail are part of the comparison.
RAN = (0, 3, 4, 5)
# 3 before difference and miss had exit codes of their own.
DIFFERED = (0, 3, 7)
# A file that is cut, one whose end has changed, an empty one.
SPOILED = [lambda data: data[: len(data) // 2], lambda data: data[:-40] + bytes(len(data[-40:])), lambda data: b""]


def write(pair, files):
    for folder in pair.folders:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")


def bundle(pair, output, cache, *options, date=None, expected=(0,)):
    pair.command(output, "bundle", "--json", cache.folder, "-o", output, *options, expected=expected)
    pair.files(output, output, date)
    pair.differences.count("bundles")


def examine(pair, job):
    """Everything but `upgrade`, which spoils what it works on."""
    plan(pair, job)
    if not job.runs:
        return
    run = [*RUN, "--skip-invalid"] if job.skips else RUN
    write(pair, job.part())
    pair.command("run-part", *run, *job.main, expected=RAN, sort=True)
    early = [compare_cache(pair, f"run-part/cache{number}", cache) for number, cache in enumerate(job.caches)]
    for number, cache in enumerate(job.caches):
        if early[number]:
            bundle(pair, f"base{number}.zip", cache)
        if early[number] and job.tools:
            pair.command(f"early{number}", "merge", "--json", cache.folder, "-o", f"early{number}")
    write(pair, job.files)
    for check in ("run", "run-again"):
        pair.command(check, *run, *job.main, expected=RAN, sort=True)
        files = [compare_cache(pair, f"{check}/cache{number}", cache) for number, cache in enumerate(job.caches)]
    for number, cache in enumerate(job.caches):
        if not files[number]:
            continue
        settle_access_dates(pair, cache)
        bundles(pair, number, cache, early[number])
        if job.tools:
            look(pair, f"tools{number}", cache.folder, cache, files[number])
            between(pair, number, cache, early[number])
            ask(pair, f"key{number}", cache, job)
            damaged(pair, f"damaged{number}", cache)
    if job.tools:
        pair.command("code", "code", "--swift", "--tests", *job.main)


def plan(pair, job):
    """The plan, or the keys of chains that the release has and the job that is made of these keys."""
    write(pair, job.files)
    skip, expected = (["--skip-invalid"], (0, 3)) if job.reads or job.skips else ([], (0,))
    answer = pair.command("plan", "plan", "--json", *skip, *job.main, expected=expected)
    keys = [row["key"] for row in answer.rows() if row["type"] == "rendition" and "\n" not in row["key"]]
    pair.differences.count("planned renditions", len(keys))
    if job.reads:
        write(pair, {"keys.txt": "".join(f"{key}\n" for key in keys)})
        made = ["--cache", "cache", "--from", "keys.txt", "-o", "keys.job", "--force"]
        pair.command("job-of-keys", "init", "--client", job.reads, *made, expected=(0, 3))
        pair.command("plan-of-keys", "plan", "--json", "keys.job", expected=(0, 2))
        pair.differences.count("keys read back", len(keys))


def compare_cache(pair, check, cache):
    return pair.files(check, cache.folder, DATES[cache.client])


def settle_access_dates(pair, cache):
    """Kingfisher's last use is an access date where that is a whole second. Given by name, since a run's go by its time."""
    for folder in pair.folders if cache.client == "kingfisher" else []:
        for number, path in enumerate(sorted((folder / cache.folder).iterdir())):
            status = path.stat()
            os.utime(path, ns=((1_700_000_000 + number) * 1_000_000_000, status.st_mtime_ns))


def bundles(pair, number, cache, has_base):
    for form, date in (("zip", None), ("bundle", "modification-date")):
        bundle(pair, f"whole{number}.{form}", cache, date=date)
    if has_base:
        bundle(pair, f"delta{number}.zip", cache, "--since", f"base{number}.zip")
    # As an app does: what it had, then what has changed.
    if has_base and pair.has("install-bundle"):
        for archive in (f"base{number}.zip", f"delta{number}.zip"):
            pair.command(f"install-{archive}", archive, f"app{number}", program="install-bundle")
        pair.files(f"installed{number}", f"app{number}", hidden=False)
        pair.order(f"installed{number}", f"app{number}", DATES[cache.client])


def look(pair, check, path, cache, files):
    """What the tools say about a folder. Looking changes nothing."""
    transient = TRANSIENT_DATES[cache.client]
    now = ["--json", "--now", NOW]
    limit = ["--size-limit", half_of(files)]
    pair.command(f"{check}/inspect", "inspect", *now, path, transient=transient)
    pair.command(f"{check}/inspect-limit", "inspect", *now, *limit, path, transient=transient)
    pair.command(f"{check}/verify", "verify", *now, path, expected=(0, 6))
    if cache.client == "kingfisher":
        # Without a limit, what has expired goes.
        pair.command(f"{check}/sweep", "sweep", "--dry-run", *now, path)
    pair.command(f"{check}/sweep-limit", "sweep", "--dry-run", *now, *limit, path)
    pair.files(f"{check}/after", path, DATES[cache.client])


def half_of(files):
    """A size limit that a sweep has to do something for; nothing where there are no bytes."""
    size = sum(file["size"] for file in files.values())
    return str(size // 2 + 1) if size else None


def between(pair, number, cache, has_base):
    whole = f"whole{number}.zip"
    pair.command(f"verify-bundle{number}", "verify", "--json", "--quick", "--now", NOW, whole)
    pair.command(f"diff-same{number}", "diff", "--json", whole, f"whole{number}.bundle")
    if not has_base:
        return
    pair.command(f"diff{number}", "diff", "--json", f"base{number}.zip", cache.folder, expected=DIFFERED)
    pair.command(f"diff-back{number}", "diff", "--json", cache.folder, f"early{number}", expected=DIFFERED)
    arguments = ["merge", "--json", f"early{number}", cache.folder, "-o", f"joined{number}"]
    # What differs between the two is an error: nothing is written then.
    if pair.command(f"merge{number}", *arguments, expected=(0, 2)).code == 0:
        pair.files(f"merge{number}", f"joined{number}", DATES[cache.client])


def ask(pair, check, cache, job):
    client = ["--client", f"{cache.client} {cache.version}"]
    style = ["--style", "builder"] if cache.client == "kingfisher" else []
    for number, (url, chain) in enumerate(job.asks):
        # A hit where the job has the chain and the scale, a miss with advice where it has not.
        arguments = ["--json", "--scale", "27"[number % 2], "--in", cache.folder, url, chain]
        pair.command(f"{check}/{number}", "key", *client, *style, *arguments, expected=(0, 2, 3, 10))


def damaged(pair, check, cache):
    """A copy of the cache with files cut, changed, removed, renamed and added."""
    pair.command(f"{check}/copy", "merge", "--json", cache.folder, "-o", check)
    for folder in pair.folders:
        files = sorted(path for path in (folder / check).iterdir() if path.is_file() and path.name[0] != ".")
        for path, spoil in zip(files, SPOILED):
            path.write_bytes(spoil(path.read_bytes()))
        for path in files[len(SPOILED) :][:1]:
            path.unlink()
        (folder / check / "0123456789abcdef0123456789abcdef01234567").write_bytes(b"nobody knows me")
        (folder / check / "notes.txt").write_text("not a picture\n")
        # Among Kingfisher's dates of expiry are some that have passed and some that have not.
        for number, path in enumerate(sorted((folder / check).iterdir())):
            modified = 1_801_814_400 + (number - 5) * 86_400 if cache.client == "kingfisher" else 1_600_000_000
            os.utime(path, (1_600_000_000 + number, modified))
    look(pair, check, check, cache, pair.files(f"{check}/files", check))
    pair.command(f"{check}/bundle", "bundle", "--json", check, "-o", f"{check}.zip", expected=(0, 6))
    pair.command(f"{check}/diff", "diff", "--json", cache.folder, check, expected=DIFFERED)
    pair.command(f"{check}/repair", "verify", "--json", "--quick", "--repair", "--now", NOW, check, expected=(0, 6))
    pair.files(f"{check}/repaired", check, DATES[cache.client])


def upgrade(pair, job):
    """The new build on its own cache and on the old build's; first both lose half of their files to a sweep."""
    for number, cache in enumerate(job.caches):
        files = pair.files(f"upgrade/before{number}", cache.folder)
        if not half_of(files):
            continue
        check = f"upgrade/sweep{number}"
        pair.command(check, "sweep", "--json", "--now", NOW, "--size-limit", half_of(files), cache.folder)
        pair.files(check, cache.folder, DATES[cache.client])
        # A ledger that lost its last row does not know its client any more.
        bundle(pair, f"upgrade{number}.zip", cache, "--since", f"whole{number}.zip", expected=(0, 2))
    pair.command("upgrade/run", *RUN, *job.main, expected=RAN, sort=True)
    for number, cache in enumerate(job.caches):
        compare_cache(pair, f"upgrade/cache{number}", cache)


def plan_repository(pair, folder):
    """The jobs of the repository as they are."""
    for target in pair.folders:
        shutil.copytree(folder, target, dirs_exist_ok=True)
    for path in sorted(folder.glob("*.job")):
        pair.command(path.stem, "plan", "--json", path.name)
        pair.command(f"code-{path.stem}", "code", "--swift", "--tests", path.name)


def plan_vectors(pair, nuke, kingfisher, sdwebimage):
    """Each row of the golden keys as a job of its own, and some of them as a request of `key`."""
    jobs = {}
    builder = functools.partial(vectors.kingfisher_job, builder=True)
    for make, rows in (
        (vectors.nuke_job, nuke), (vectors.kingfisher_job, kingfisher), (builder, kingfisher),
        (vectors.sdwebimage_job, sdwebimage)):
        for row in rows:
            with contextlib.suppress(vectors.Unspellable):
                jobs[f"{len(jobs)}.job"] = make(row, f"cache-{len(jobs)}")
    write(pair, jobs)
    answer = pair.command("plan", "plan", "--json", *jobs, expected=(0, 2))
    if answer.code == 2:
        # One mistake hides the plans of all jobs.
        refused = {row["file"] for row in answer.rows() if row["severity"] == "error"}
        answer = pair.command("plan-rest", "plan", "--json", *[name for name in jobs if name not in refused])
    pair.differences.count("vectors", answer.text.count("\n"))
    for row in [row for row in answer.rows() if row["type"] == "rendition"][::5]:
        arguments = ["key", "--json", "--client", row["client"], "--scale", f"{row['scale']:g}", row["source"]]
        chain = [] if row["chain"] == "original" else [row["chain"]]
        pair.command(f"key-{row['job']}", *arguments, *chain, expected=(0, 2))
