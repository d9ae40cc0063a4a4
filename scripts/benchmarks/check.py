"""Whether Preheat has become slower beside its peers: ratios of CPU are compared, since each machine has its own times."""

import statistics
import sys


def ratios(sides, peer):
    """Preheat's share of a peer's CPU, run by run: both sides ran in turn."""
    ours = next(iter(sides.values()))
    return [own["cpu"] / other["cpu"] for own, other in zip(ours, sides[peer]) if other["cpu"] > 0]


def compare(before, now):
    """Ends the benchmark where a median is above the one before by more than the runs of either table differ."""
    known, worse, compared = {row["name"]: row["sides"] for row in before}, [], 0
    for row in now:
        for peer in list(row["sides"])[1:]:
            old = ratios(known[row["name"]], peer) if peer in known.get(row["name"], {}) else []
            new = ratios(row["sides"], peer)
            if not old or not new:
                continue
            compared += 1
            spread = max(max(values) - min(values) for values in (old, new))
            was, has = statistics.median(old), statistics.median(new)
            if has > was + spread:
                worse.append(f"{row['name']}: {has:.2f} of the CPU of {peer}, {was:.2f} before; runs differ by {spread:.2f}")
    print(f"\nbench-check: {compared} ratios compared, {len(worse)} worse")
    if worse or not compared:
        sys.exit("\n".join(worse) or "bench-check: the table has none of these rows with a peer")
