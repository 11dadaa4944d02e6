#pragma once

#include "tests/support/dice.h"
#include "tests/support/made_stream.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace helio::test {

/// An event of a synthetic scheduler trace, with the counter values of its CPU at that time.
struct MadeSchedulingEvent {
    enum Kind : quint32 { Switch, Wakeup, Frequency, Topology, Probe, Process, ProcessesEnd };
    qint64 time = 0; ///< Time in ns since the epoch.
    int cpu = 0; ///< CPU on which the event is recorded.
    Kind kind = Probe;
    /// Switch: TID of the previous thread; Wakeup: TID of the woken thread; Frequency, Topology: the CPU described; Process: TID of the
    /// thread that waits when the trace begins.
    int a = 0;
    /// Switch: 0 if the previous thread is runnable, 1 if it sleeps; Frequency: frequency in kHz; Topology: package of the CPU; Process:
    /// PID.
    int b = 0;
    int c = 0; ///< Switch: TID of the next thread; Topology: number of the CPU's core.
    quint64 instructions = 0;
    quint64 cycles = 0;
};

/// The host of a synthetic scheduler trace.
struct MadeSchedulingHost {
    QByteArray name = "made";
    quint64 number = 1; ///< Determines the UUID of the trace.
};

/// Writes a kernel trace like LTTng (CTF 1.8, little endian, a stream for each CPU). With `hasCounters` false, events have no contexts.
/// Returns false if it cannot be written. Requires: events sorted by time.
inline bool writeScheduling(const QString& folder, const std::vector<MadeSchedulingEvent>& events, bool hasCounters = true,
                            const MadeSchedulingHost& host = {})
{
    const QByteArray metadata =
        madeMetadata(QStringLiteral("5c4ed000-0000-4000-8000-%1").arg(host.number, 12, 10, QLatin1Char('0')).toUtf8(),
                     "hostname = \"" + host.name + R"("; domain = "kernel"; tracer_name = "lttng-modules"; kernel_release = "6.1.0";)",
                     hasCounters ? "u64 perf_cpu_instructions; u64 perf_cpu_cycles;" : "")
        + R"(event { name = "sched_switch"; id = 0; stream_id = 0; fields := struct { letter prev_comm[16]; s32 prev_tid; s32 prev_prio; s64 prev_state;
  letter next_comm[16]; s32 next_tid; s32 next_prio; }; };
event { name = "sched_wakeup"; id = 1; stream_id = 0; fields := struct { letter comm[16]; s32 tid; s32 prio; s32 target_cpu; }; };
event { name = "power_cpu_frequency"; id = 2; stream_id = 0; fields := struct { u32 state; u32 cpu_id; }; };
event { name = "lttng_statedump_cpu_topology"; id = 3; stream_id = 0; fields := struct { u32 cpu_id; u32 physical_id; u32 core_id; }; };
event { name = "probe"; id = 4; stream_id = 0; };
event { name = "lttng_statedump_process_state"; id = 5; stream_id = 0; fields := struct { s32 tid; s32 pid; s32 ppid; letter name[16]; s32 type;
  s32 mode; s32 submode; s32 status; u32 cpu; }; };
event { name = "lttng_statedump_end"; id = 6; stream_id = 0; };
)";
    QDir().mkpath(folder);
    QFile meta(folder + "/metadata");
    bool isWritten = meta.open(QIODevice::WriteOnly) && meta.write(metadata) == metadata.size();
    std::map<int, std::vector<const MadeSchedulingEvent*>> byCpu;
    for (const MadeSchedulingEvent& it : events)
        byCpu[it.cpu].push_back(&it);
    for (const auto& [cpu, its] : byCpu) {
        MadeStream stream(its.front()->time, its.back()->time, cpu);
        const auto name = [&](int tid) { stream.append((tid == 0 ? "swapper" : "t" + QByteArray::number(tid)).leftJustified(16, '\0')); };
        for (const MadeSchedulingEvent* const it : its) {
            stream.event(it->kind, it->time);
            if (hasCounters) {
                stream.put(it->instructions);
                stream.put(it->cycles);
            }
            switch (it->kind) {
            case MadeSchedulingEvent::Switch:
                name(it->a);
                stream.put(qint32(it->a));
                stream.put(qint32(20));
                stream.put(qint64(it->b));
                name(it->c);
                stream.put(qint32(it->c));
                stream.put(qint32(20));
                break;
            case MadeSchedulingEvent::Wakeup:
                name(it->a);
                stream.put(qint32(it->a));
                stream.put(qint32(20));
                stream.put(qint32(it->cpu));
                break;
            case MadeSchedulingEvent::Frequency:
                stream.put(quint32(it->b));
                stream.put(quint32(it->a));
                break;
            case MadeSchedulingEvent::Topology:
                stream.put(quint32(it->a));
                stream.put(quint32(it->b));
                stream.put(quint32(it->c));
                break;
            case MadeSchedulingEvent::Process:
                stream.put(qint32(it->a));
                stream.put(qint32(it->b));
                stream.put(qint32(1));
                name(it->a);
                for (const qint32 value : {0, 5, 0, 5}) // A user thread, in a system call, that waits.
                    stream.put(value);
                stream.put(quint32(it->cpu));
                break;
            case MadeSchedulingEvent::Probe:
            case MadeSchedulingEvent::ProcessesEnd: break;
            }
        }
        isWritten = stream.write(folder + "/chan_" + QString::number(cpu)) && isWritten;
    }
    return isWritten;
}

/// Makes random scheduling of threads 101 to 107 on four CPUs. CPUs 0 and 1 share a core, CPU 2 is on another core of that package, CPU 3
/// is in the second package. Each event has counter values. Frequencies are unknown during the first eighth of the events. A thread
/// executes fewer instructions for `cold` ns after a migration.
inline std::vector<MadeSchedulingEvent> madeScheduling(std::size_t count, quint64 seed = 1, qint64 cold = 50'000)
{
    constexpr int Threads = 7;
    constexpr int Cpus = 4;
    struct Cpu {
        int tid = 0;
        qint64 coldUntil = 0;
        qint64 countedAt = 0;
        double instructions = 0;
        double cycles = 0;
    };
    using Event = MadeSchedulingEvent;
    Dice dice(seed);
    qint64 now = 1'700'000'000'000'000'000;
    std::vector<Event> events;
    std::vector<Cpu> cpus(Cpus, {0, 0, now, 0, 0});
    std::map<int, int> lastCpu;
    std::vector<int> runnable, asleep;
    for (int i = 0; i < Threads; ++i)
        asleep.push_back(101 + i);
    // Each CPU has 3 cycles per ns. It completes 2 instructions per cycle, or 1 shortly after a thread has migrated to it (Cpu::coldUntil).
    const auto count_ = [&](Cpu& cpu) {
        const qint64 slow = std::clamp<qint64>(cpu.coldUntil - cpu.countedAt, 0, now - cpu.countedAt);
        cpu.cycles += 3.0 * double(now - cpu.countedAt);
        cpu.instructions += 3.0 * double(slow) + 6.0 * double(now - cpu.countedAt - slow);
        cpu.countedAt = now;
    };
    const auto add = [&](int on, Event::Kind kind, int a = 0, int b = 0, int c = 0) {
        Cpu& cpu = cpus[std::size_t(on)];
        count_(cpu);
        events.push_back({now, on, kind, a, b, c, quint64(cpu.instructions), quint64(cpu.cycles)});
    };
    for (int i = 0; i < Cpus; ++i, now += 1000)
        add(0, Event::Topology, i, i / 3, i == 3 ? 0 : i / 2); // Core numbers restart in each package.
    const auto takeOne = [&](std::vector<int>& from) {
        const auto at = from.begin() + qptrdiff(dice.below(from.size()));
        const int tid = *at;
        from.erase(at);
        return tid;
    };
    while (events.size() < count) {
        now += 1000 + qint64(dice.below(10'000));
        const int on = int(dice.below(Cpus));
        Cpu& cpu = cpus[std::size_t(on)];
        const quint64 what = dice.below(20);
        if (what < 4 && !asleep.empty()) {
            const int tid = takeOne(asleep);
            add(on, Event::Wakeup, tid);
            runnable.push_back(tid);
        } else if (what == 4 && events.size() > count / 8) {
            // The frequency of CPU 3 is never recorded.
            add(on, Event::Frequency, int(dice.below(3)), 800'000 + 100'000 * int(dice.below(20)));
        } else if (what < 10) {
            add(on, Event::Probe);
        } else if (cpu.tid != 0 || !runnable.empty()) {
            const int prev = cpu.tid;
            const int next = runnable.empty() ? 0 : takeOne(runnable);
            const bool sleeps = dice.below(2) == 0;
            add(on, Event::Switch, prev, prev == 0 || !sleeps ? 0 : 1, next);
            cpu.tid = next;
            if (prev != 0)
                (sleeps ? asleep : runnable).push_back(prev);
            const auto last = lastCpu.find(next);
            cpu.coldUntil = next != 0 && last != lastCpu.end() && last->second != on ? now + cold : now;
            if (next != 0)
                lastCpu[next] = on;
        }
    }
    return events;
}

/// Writes the events as two consecutive recordings of one host, "early" and "late", below the folder; both begin with the topology.
inline QStringList writeSplitScheduling(const QString& folder, const std::vector<MadeSchedulingEvent>& events)
{
    const auto middle = events.begin() + qptrdiff(events.size() / 2);
    std::vector<MadeSchedulingEvent> late(middle, events.end());
    std::vector<MadeSchedulingEvent> machine;
    std::ranges::copy_if(events, std::back_inserter(machine), [](const auto& it) { return it.kind == MadeSchedulingEvent::Topology; });
    for (MadeSchedulingEvent& it : machine) {
        it.time = late.front().time;
        const auto own = std::ranges::find(late, it.cpu, &MadeSchedulingEvent::cpu);
        it.instructions = own->instructions;
        it.cycles = own->cycles;
    }
    late.insert(late.begin(), machine.begin(), machine.end());
    const QStringList paths{folder + "/early", folder + "/late"};
    const bool areWritten = writeScheduling(paths[0], {events.begin(), middle}) && writeScheduling(paths[1], late);
    return areWritten ? paths : QStringList();
}

} // namespace helio::test
