"""How many workers one coordinator can feed: the CPU time of its threads and of all processes, with one worker and two."""

import contextlib
import threading
from pathlib import Path


class Threads(threading.Thread):
    """Seconds of CPU of each thread of a process, also of those that end before it does."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.seconds, self.done = process, {}, threading.Event()

    def run(self):
        while True:
            over = self.done.wait(0.005)
            # A thread, or the process, may end meanwhile.
            for task in Path(f"/proc/{self.process}/task").glob("*"):
                with contextlib.suppress(OSError):
                    self.seconds[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
            if over:
                return

    def figures(self):
        return {"coordinator": sum(self.seconds.values()), "busiest": max(self.seconds.values(), default=0)}


def show(rows):
    print("\nCoordinator and workers, milliseconds a picture\n")
    print(f"  {'':12} {'workers':>7} {'wall':>8} {'all CPU':>8} {'coordinator':>11} {'its busiest thread':>18} {'cores':>6}")
    for row in rows:
        per = {name: 1e3 * row[name] / row["pictures"] for name in ("wall", "cpu", "coordinator", "busiest")}
        # More cores than this have to wait for that thread.
        cores = row["cpu"] / row["busiest"]
        print(f"  {row['work']:12} {row['workers']:7} {per['wall']:8.3f} {per['cpu']:8.3f} {per['coordinator']:11.3f}"
              f" {per['busiest']:18.3f} {cores:6.1f}")
