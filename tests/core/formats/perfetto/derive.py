#!/usr/bin/env python3
"""Derives the events of a trace of Perfetto a second time, from the bytes alone, and prints a line for each, sorted by time.

Used by tst_perfetto_derived.cpp. Covers: events of ftrace with their fields, process trees, states of tasks, slices, instants and counters
of track events, and samples with their stacks. Clocks are not converted.
"""
import struct
import sys

FTRACE = {
    3: ("print", "ip buf"), 67: ("cgroup_attach_task", "dst_root dst_id pid comm cname"),
    235: ("task_newtask", "pid comm clone_flags oom_score_adj"),
    365: ("napi_gro_receive_entry", "data_len gso_size gso_type hash ip_summed l4_hash len mac_header mac_header_valid name"),
    366: ("napi_gro_receive_exit", "ret"),
    421: ("sched_cpu_util_cfs", "active capacity capacity_orig cpu cpu_importance cpu_util exit_lat group_capacity grp_overutilized "
          "idle_cpu nr_running spare_cap task_fits wake_group_util wake_util"),
    437: ("funcgraph_entry", "depth func"), 438: ("funcgraph_exit", "calltime depth func overrun rettime"),
}
STATES = ["unknown", "created", "runnable", "running", "interruptible sleep", "uninterruptible sleep", "stopped", "dead", "destroyed"]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = 8 if tag & 7 == 1 else 4
            value, at = data[at:at + size], at + size
        yield tag >> 3, tag & 7, value


def grouped(data):
    found = {}
    for number, _, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def last(found, number, default=0):
    return found[number][-1] if number in found else default


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def text(data):
    return data.decode("utf-8", "surrogateescape")


class Sequence:
    def __init__(self):
        self.interned = {}
        self.defaults = {}
        self.counters = {}

    def name(self, table, iid):
        entry = self.interned.get((table, iid))
        return text(last(entry, 2, b"")) if entry else "?"


class Derivation:
    def __init__(self, data):
        self.lines = []
        self.sequences = {}
        self.counters = {}
        packets = [(number, packet) for number, _, packet in fields(data)]
        for _, packet in packets:
            for descriptor in grouped(packet).get(60, []):
                found = grouped(descriptor)
                if 8 in found:
                    self.counters[last(found, 1)] = grouped(last(found, 8))
        for _, packet in packets:
            self.packet(grouped(packet))

    def add(self, time, line):
        self.lines.append((time, line))

    def packet(self, packet):
        if 98 in packet:
            return
        sequence = self.sequences.setdefault(last(packet, 10), Sequence())
        if last(packet, 41) or last(packet, 13) & 1:
            sequence.__init__()
        for defaults in packet.get(59, []):
            sequence.defaults = grouped(defaults)
        for data in packet.get(12, []):
            for number, _, entry in fields(data):
                found = grouped(entry)
                sequence.interned[number, last(found, 1)] = found
        time = last(packet, 8)
        for bundle in packet.get(1, []):
            self.bundle(grouped(bundle), sequence)
        for tree in packet.get(2, []):
            self.tree(grouped(tree), time)
        for event in packet.get(11, []):
            self.track_event(grouped(event), sequence, time)
        for sample in packet.get(66, []):
            self.sample(grouped(sample), sequence, time)
        for state in packet.get(117, []):
            found = grouped(state)
            self.add(time, "task_state %s %d %s" % (text(last(found, 2)), last(found, 3), STATES[last(found, 4)]))

    def bundle(self, bundle, sequence):
        for event in bundle.get(2, []):
            payload = next((number, value) for number, wire, value in fields(event) if wire == 2)
            head = grouped(event)
            name, names = FTRACE[payload[0]]
            names = names.split()
            shown = []
            for number, wire, value in fields(payload[1]):
                label = names[number - 1]
                if label == "ip":
                    value = hex(value)
                elif label == "func":
                    value = sequence.name(26, value)
                else:
                    value = text(value) if wire == 2 else str(signed(value))
                shown.append(label + "=" + value)
            self.add(last(head, 1), "%s [%d] tid=%d %s" % (name, last(bundle, 1), last(head, 2), " ".join(shown)))

    def tree(self, tree, time):
        for process in tree.get(1, []):
            found = grouped(process)
            command = " ".join(text(part) for part in found.get(3, []))
            self.add(time, "process %d parent %d %s" % (last(found, 1), last(found, 2, -1), command))
        for thread in tree.get(2, []):
            found = grouped(thread)
            self.add(time, "thread %d of %d %s" % (last(found, 1), last(found, 3, -1), text(last(found, 2, b""))))

    def track_event(self, event, sequence, time):
        defaults = grouped(last(sequence.defaults, 11, b""))
        tracks = event.get(31) or defaults.get(31, [])
        for track, value in zip(tracks, event.get(12, [])):
            self.counter(track, signed(value), sequence, time)
        real_tracks = event.get(45) or defaults.get(45, [])
        for track, value in zip(real_tracks, event.get(46, [])):
            self.add(time, "counter %g" % struct.unpack("<d", value))
        track = last(event, 11, last(defaults, 11))
        name = text(last(event, 23)) if 23 in event else sequence.name(2, last(event, 10)) if 10 in event else ""
        kind = last(event, 9)
        legacy = grouped(last(event, 6, b""))
        if kind == 4:
            if 44 in event:
                self.add(time, "counter %g" % struct.unpack("<d", last(event, 44)))
            else:
                self.counter(track, signed(last(event, 30)), sequence, time)
            return
        phase = {1: "begin", 2: "end", 3: "instant"}.get(kind) or {"B": "begin", "S": "begin", "b": "begin", "E": "end", "F": "end",
            "e": "end", "X": "begin", "T": "instant", "p": "instant", "n": "instant", "I": "instant", "i": "instant"}.get(chr(last(legacy, 2)))
        if kind > 4 or phase is None:
            return
        self.add(time, phase + (" " + name if phase != "end" else ""))
        if chr(last(legacy, 2)) == "X":
            self.add(time + last(legacy, 3) * 1000, "end")

    def counter(self, track, value, sequence, time):
        facts = self.counters.get(track, {})
        if last(facts, 5):
            value = sequence.counters[track] = sequence.counters.get(track, 0) + value
        self.add(time, "counter %g" % (value * last(facts, 4, 1)))

    def sample(self, sample, sequence, time):
        stack = sequence.interned.get((7, last(sample, 4)), {})
        frames = [sequence.name(5, last(sequence.interned.get((6, number), {}), 2)) for number in stack.get(2, [])]
        self.add(time, "sample %d/%d %s" % (last(sample, 2), last(sample, 3), ";".join(frames)))


with open(sys.argv[1], "rb") as file:
    derived = Derivation(file.read())
for time, line in sorted(derived.lines):
    sys.stdout.buffer.write(("%d %s\n" % (time, line.replace("\n", "\\n"))).encode("utf-8", "surrogateescape"))
