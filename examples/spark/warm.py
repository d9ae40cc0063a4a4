#!/usr/bin/env python3
"""Warms a cache from a Spark job: each partition is piped through `preheat run --json -`.

Usage: warm.py PREHEAT SETTINGS LINES PARTITIONS   (LINES: a text file of sources, one a line)

The executors of one machine share its cache folder, and take turns (`--wait`): give each its own folder in SETTINGS, or
one core, where that is too slow. A picture that fails does not fail its partition: its answer says why.
"""

import json
import os
import shlex
import sys

from pyspark.sql import SparkSession


def main():
    preheat, settings, lines, partitions = sys.argv[1:]
    spark = SparkSession.builder.appName("preheat").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # The settings stand in front of the lines of each partition.
    script = 'cat "$1" - | "$0" run --json --quiet --wait --fail-on none -'
    command = shlex.join(["sh", "-c", script, preheat, settings])
    answers = (
        spark.sparkContext.textFile(lines)
        .repartition(int(partitions))
        # Spark gives a process no environment of its own.
        .pipe(command, env=dict(os.environ), checkCode=True)
        .map(json.loads)
        .filter(lambda answer: answer["type"] != "summary")
    )
    for status, count in sorted(answers.map(lambda answer: (answer["status"], 1)).reduceByKey(int.__add__).collect()):
        print(f"{count} {status}")
    spark.stop()


if __name__ == "__main__":
    main()
