"""Prints the lines that tests and fuzzers reach in each room of readers, from the output of llvm-cov export -summary-only on standard input.
Argument: folder of the sources."""

import json
import os
import sys

# A room is a folder with everything below it; a file belongs to the longest room that contains it.
ROOMS = ["core/io", "core/symbol", "core/store", "core/xml_analysis/reading", "core/sql/dialect", "core/sql/engine", "core/query/filters",
         "core/counters/formula", "core/plugin/plugin_decisions", "core/recording/preset.", "core/waits/locks/lock_stat",
         "core/trace/tracepoint", "core/trace/stored", "core/timesync", "app/timesync", "app/gui/common/session_file"]
GOAL = 85.0

root = os.path.abspath(sys.argv[1])
rooms = {}
for entry in json.load(sys.stdin)["data"][0]["files"]:
    name = os.path.relpath(entry["filename"], root)
    if name.startswith("core/formats/"):
        room = "/".join(name.split("/")[:3])
    else:
        room = max((it for it in ROOMS if name.startswith(it)), key=len, default=None)
    if room:
        lines = entry["summary"]["lines"]
        known = rooms.setdefault(room.rstrip("."), [0, 0])
        known[0] += lines["count"]
        known[1] += lines["covered"]

print(f"{'room':34} {'lines':>7} {'reached':>8} {'share':>7}")
for room, (count, covered) in sorted(rooms.items()):
    share = 100.0 * covered / max(count, 1)
    print(f"{room:34} {count:7} {covered:8} {share:6.1f}%{'' if share >= GOAL else '  below the goal'}")
