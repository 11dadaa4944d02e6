#!/usr/bin/env python3
"""Derives runs, slices, counter points, flows and samples of a Perfetto trace from the bytes alone, by the rules that Perfetto documents:
prev_state as Linux 4.14 and later report it, track events nested by their order, and texts interned by sequence.

Prints a line for each, sorted. Used by tst_perfetto_export.cpp.
"""
import struct
import sys
from collections import defaultdict

STATES = [(0x100, "R+"), (0x80, "I"), (0x40, "P"), (0x20, "Z"), (0x10, "X"), (8, "t"), (4, "T"), (2, "D"), (1, "S")]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        shift += 7
        if byte < 128:
            return value, at


def message(data):
    """Returns the values of each field: numbers, or bytes."""
    found = defaultdict(list)
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif kind == 2:
            size, at = varint(data, at)
            assert at + size <= len(data), "a field is longer than its message"
            value, at = data[at:at + size], at + size
        else:
            raise AssertionError("unexpected wire type %d" % kind)
        found[tag >> 3].append(value)
    return found


def one(found, number, default=None):
    return found[number][-1] if found.get(number) else default


def text(value):
    return value.decode("utf-8") if value is not None else ""


def real(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def state(number):
    if number == 0:
        return "R"
    if number & 0xfe00:
        return "-"
    return next(letter for bit, letter in STATES if number & bit)


interned = defaultdict(dict)  # (sequence, table) -> number -> entry
switches = defaultdict(list)
last_times = {}  # Time of the last event of each CPU.
events = []
tracks = {}
samples = []
defaults = {}
for index, packet in enumerate(message(open(sys.argv[1], "rb").read())[1]):
    packet = message(packet)
    sequence = one(packet, 10)
    assert sequence, "each packet belongs to a sequence"
    for table, entries in message(one(packet, 12, b"")).items():
        for entry in entries:
            entry = message(entry)
            assert one(entry, 1), "interned entries have numbers from 1"
            interned[sequence, table][one(entry, 1)] = entry
    if 59 in packet:
        defaults[sequence] = text(one(message(one(message(one(message(one(packet, 59)), 12)), 1)), 10))
    if 1 in packet:
        bundle = message(one(packet, 1))
        found = switches[one(bundle, 1)]
        if one(bundle, 3) and one(bundle, 1) in last_times:  # Events are missing since the last one.
            found.append((last_times[one(bundle, 1)], None))
        for event in bundle[2]:
            event = message(event)
            last_times[one(bundle, 1)] = one(event, 1)
            if 4 in event:
                found.append((one(event, 1), message(one(event, 4))))
            elif 3 in event and b"missing" in one(message(one(event, 3)), 2):
                found.append((one(event, 1), None))
    if 60 in packet:
        track = message(one(packet, 60))
        tracks[one(track, 1)] = track
    if 11 in packet:
        events.append((one(packet, 8), index, sequence, message(one(packet, 11))))
    if 66 in packet:
        sample = message(one(packet, 66))
        stack = interned[sequence, 7].get(one(sample, 4), {2: []})
        frames = [interned[sequence, 6][number] for number in stack[2]]
        names = [text(one(interned[sequence, 5][one(frame, 2)], 2)) for frame in frames]
        if 6 in sample:
            samples.append("count %s %d %d" % (defaults[sequence], one(sample, 1, -1), one(sample, 6)))
        samples.append("sample %d %s %d %s" % (one(packet, 8), defaults[sequence], one(sample, 3, -1), ";".join(names)))

lines = samples
for cpu, found in switches.items():
    begun = None
    for time, switch in found:
        if begun and not (switch is None and time == begun[0]):
            ended = state(one(switch, 4)) if switch and 2 in switch else "-"
            if switch and 2 in switch:
                assert one(switch, 2) == begun[1], "the thread that leaves a CPU is the one that ran there"
            lines.append("run %d %d %d %d %s" % (begun[0], time - begun[0], cpu, begun[1], ended))
        begun = (time, one(switch, 6)) if switch else None
    if begun:
        lines.append("run %d -1 %d %d -" % (begun[0], cpu, begun[1]))


def owner(uuid):
    """Returns the TID of the thread that a track belongs to; -1 if there is none."""
    track = tracks[uuid]
    if 4 in track:
        return one(message(one(track, 4)), 2)
    return owner(one(track, 5)) if 5 in track else -1


open_slices = defaultdict(list)
flows = {}
slices = []
for time, _, sequence, event in sorted(events, key=lambda it: it[:2]):
    track = one(event, 11)
    kind = one(event, 9)
    if kind == 4:
        lines.append("point %d %s %s" % (time, text(one(tracks[track], 2)), repr(real(one(event, 44)))))
    elif kind == 1:
        name = text(one(interned[sequence, 2][one(event, 10)], 2)) if 10 in event else text(one(event, 23))
        made = [time, -1, name, owner(track)]
        slices.append(made)
        open_slices[track].append(made)
        for flow in event.get(47, []):
            flows[flow] = name
        for flow in event.get(48, []):
            lines.append("flow %s -> %s" % (flows.pop(flow), name))
    else:
        assert kind == 2
        made = open_slices[track].pop()
        for flow in event.get(48, []):
            lines.append("flow %s -> %s" % (flows.pop(flow), made[2]))
        made[1] = time - made[0]
lines += ["slice %d %d %s %d" % tuple(it) for it in slices]
print("\n".join(sorted(lines)))
