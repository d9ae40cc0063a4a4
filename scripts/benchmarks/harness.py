"""The parts that every benchmark shares: measuring a command, running sides in turn, a server, tools and their absence."""

import contextlib
import itertools
import mmap
import os
import shutil
import statistics
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

from benchmarks.coordinator import Threads

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / ".build/bench"
# ext4 looks long for an inode beside those that were freed in the last minutes, so nothing is removed before the end.
WORK = Path(os.environ.get("PREHEAT_BENCH_WORK") or BENCH) / "work"
PORT = 18476
ORIGIN = f"http://127.0.0.1:{PORT}"
numbers = itertools.count()


class Group:
    """A control group for one command: its CPU time counts every process, also those that nobody waits for."""

    # Version 2, or the controller `cpuacct` of version 1: the folder, the file, and how it is read.
    KINDS = [
        ("/sys/fs/cgroup", "cpu.stat", lambda text: int(text.split()[1]) / 1e6),
        ("/sys/fs/cgroup/cpuacct", "cpuacct.usage", lambda text: int(text) / 1e9),
    ]

    def __init__(self, folder, file, seconds):
        self.folder, self.file, self.seconds = folder, file, seconds

    @classmethod
    def make(cls):
        """None where no group can be made; then only processes that were waited for count."""
        own = dict(line.split(":")[1:] for line in Path("/proc/self/cgroup").read_text().splitlines())
        for root, file, seconds in cls.KINDS:
            path = own.get("" if file == "cpu.stat" else "cpuacct", "/").lstrip("/")
            folder = Path(root, path, f"preheat-bench-{os.getpid()}-{next(numbers)}")
            try:
                folder.mkdir()
                if (folder / file).exists():
                    return cls(folder, file, seconds)
                folder.rmdir()
            except OSError:
                pass
        return None

    def enter(self):
        (self.folder / "cgroup.procs").write_text("0")

    def end(self):
        """The CPU seconds, as soon as the last process is gone."""
        for _ in range(500):
            if not (self.folder / "cgroup.procs").read_text():
                break
            time.sleep(0.01)
        used = self.seconds((self.folder / self.file).read_text())
        try:
            self.folder.rmdir()
        except OSError:
            print("bench: a process outlives its command", file=sys.stderr)
        return used


def children(number):
    return {int(word) for task in Path(f"/proc/{number}/task").glob("*/children") for word in task.read_text().split()}


class Memory(threading.Thread):
    """The largest sum of the memory of a process and all below it, in MB; shared pages count once."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.peak, self.done = process, 0, threading.Event()

    def run(self):
        while not self.done.wait(0.01):
            # A process may end meanwhile.
            with contextlib.suppress(OSError):
                self.peak = max(self.peak, self.total(self.process) * 1024 / 1e6)

    def figures(self):
        return {"together": self.peak}

    def total(self, number):
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
        own = next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
        return own + sum(map(self.total, children(number)))


def measured(command, folder, accepted=(0,), watch=False, threads=False):
    """Wall and CPU seconds of a command with all it started, and the memory of its largest process in MB.

    With `watch` also the memory of all processes together, with `threads` the CPU seconds of the command's own process
    and of its busiest thread; sampling takes time, so those figures have runs of their own.
    """
    # The files that the run before left to be written must not be paid for by this one.
    os.sync()
    group, clock = Group.make(), mmap.mmap(-1, 8)

    def begin():
        if group:
            group.enter()
        clock[:] = struct.pack("d", time.perf_counter())

    with open(WORK / "messages", "w+b") as messages:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=messages, preexec_fn=begin)
        samplers = [kind(process.pid) for kind, wanted in ((Memory, watch), (Threads, threads)) if wanted]
        for sampler in samplers:
            sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        ended = time.perf_counter()
        # Popen must not wait for a process that is gone.
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu = group.end() if group else usage.ru_utime + usage.ru_stime
        if process.returncode not in accepted:
            messages.seek(0)
            line = " ".join(map(str, command[:3]))
            sys.exit(f"bench: {line} ... ended with {process.returncode}: {messages.read()[-2000:].decode()}")
    figures = {"wall": ended - struct.unpack("d", clock[:])[0], "cpu": cpu, "memory": usage.ru_maxrss * 1024 / 1e6}
    for sampler in samplers:
        sampler.done.set()
        sampler.join()
        figures |= sampler.figures()
    return figures


def progress(text=""):
    print(f"\r{text:40}\r", end="", file=sys.stderr, flush=True)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


class Row:
    """Sides that run in turn: a name, and a function that prepares a folder and returns the command. The first is ours.

    The first run of each side is not counted; in it the memory of all processes is watched. Every run has a folder of its
    own. `check` gets the folders of the first runs by side, and ends the benchmark where the sides did different work.
    """

    def __init__(self, name, title, sides, check=None, runs=5):
        self.name, self.title = name, title
        self.results = {side: [] for side in sides}
        self.together, folders = {}, {}
        for number in range(runs + 1):
            for side in list(self.results):
                folder = WORK / f"run{next(numbers)}"
                folder.mkdir(parents=True)
                command = sides[side](folder)
                if not shutil.which(command[0]):
                    if side == next(iter(sides)):
                        sys.exit(f"bench: {command[0]} for {name} is missing; build it first, for example with `make bench`")
                    print(f"bench: {side} is not installed and is left out of {name}", file=sys.stderr)
                    del self.results[side]
                    continue
                figures = measured(command, folder, watch=number == 0)
                if number == 0:
                    self.together[side], folders[side] = figures["together"], folder
                else:
                    self.results[side].append(figures)
            if check and number == 0:
                check(folders)
            progress(f"{name}: run {number} of {runs}")
        progress()

    def show(self):
        print(f"\n{self.title}")
        ours = next(iter(self.results.values()))
        for side, runs in self.results.items():
            walls = [run["wall"] for run in runs]
            share = "" if runs is ours else (
                f"   preheat takes {median(ours, 'wall') / median(runs, 'wall'):.2f} of its time,"
                f" {median(ours, 'cpu') / median(runs, 'cpu'):.2f} of its CPU")
            print(f"  {side:16} {median(runs, 'wall'):8.2f} s ({min(walls):.2f} to {max(walls):.2f})"
                  f" {median(runs, 'cpu'):8.2f} s CPU {median(runs, 'memory'):6.0f} MB"
                  f" ({self.together[side]:.0f} MB in all){share}")
        sys.stdout.flush()


@contextlib.contextmanager
def served(folder, *flags, work=WORK / "server", port=PORT):
    """A folder behind nginx on loopback."""
    subprocess.run([ROOT / "scripts/server", "start", folder, work, str(port), *flags], check=True)
    try:
        yield
    finally:
        subprocess.run([ROOT / "scripts/server", "stop", work], check=False)


def job(folder, lines, *settings, name="bench.job"):
    with open(folder / name, "w") as file:
        file.write("\n".join(["client nuke 12", "cache out", "scale 1", "allow-private 127.0.0.1", *settings]) + "\n")
        file.writelines(line + "\n" for line in lines)
    return folder / name


def python(*packages):
    """A Python with packages of PyPI, or None."""
    folder = ROOT / ".build/peers" / "-".join(packages)
    interpreter = folder / "bin/python3"
    if not (folder / "done").exists():
        flags = {"CC": "cc -mavx2"} if "pillow-simd" in packages else {}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": os.environ | flags}
        made = subprocess.run([sys.executable, "-m", "venv", folder], **quiet).returncode == 0
        if not made or subprocess.run([interpreter, "-m", "pip", "install", *packages], **quiet).returncode != 0:
            print(f"bench: {', '.join(packages)} cannot be had and is left out", file=sys.stderr)
            return None
        (folder / "done").touch()
    return interpreter
