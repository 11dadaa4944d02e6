#pragma once

// Times of threads on and off a CPU: from the kernel analysis, and from reference files of other tools.

#include "kernel_run.h"

#include <QFile>

namespace helio::test {

/// Time on a CPU in ns and number of switch-ins, by TID as text ("idle/0" for the idle thread of CPU 0).
using Times = std::map<QString, std::pair<std::int64_t, std::int64_t>>;

/// Reads the running times of a reference file *.stats.txt: lines "host tid comm ns switch-ins".
inline Times referenceTimes(const QString& path)
{
    Times times;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return times;
    bool isInside = false;
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (line.startsWith('#'))
            isInside = line.startsWith("# running time");
        const QStringList words = line.split(' ');
        if (isInside && !line.startsWith('#') && words.size() == 5)
            times[words[1]] = {words[3].toLongLong(), words[4].toLongLong()};
    }
    return times;
}

/// Returns each thread's time on CPUs and its number of switch-ins, from the "cpu-thread" row of each CPU. Only the time between the CPU's
/// first and last switch is used. The last switch-in is counted, but adds no time.
inline Times timesOf(const KernelRun& run)
{
    Times times;
    for (std::size_t i = 0; i < run.store->tracks().size(); ++i) {
        if (run.track(i).kind != "cpu-thread" || !run.switches.contains(run.track(i).cpu))
            continue;
        const HostRange switches = run.switches.at(run.track(i).cpu);
        for (const HostInterval& interval : run.intervals(i)) {
            if (interval.range.begin < switches.begin)
                continue;
            const bool isIdle = run.state(i, interval) == "idle";
            const QString who = isIdle ? QString("idle/%1").arg(run.track(i).cpu) : QString::number(run.track(interval.value).tid);
            auto& [ns, count] = times[who];
            ns += interval.range.begin == switches.end ? 0 : interval.range.duration().count();
            ++count;
        }
    }
    std::erase_if(times, [](const auto& entry) { return entry.second.first == 0; });
    return times;
}

inline QString describe(const Times& times)
{
    QString text;
    for (const auto& [who, numbers] : times)
        text += QString("%1: %2 ns, %3 switch-ins\n").arg(who).arg(numbers.first).arg(numbers.second);
    return text;
}

struct OffCpu {
    int count = 0;
    Duration total{};
    Duration longest{};
    void add(Duration duration)
    {
        ++count;
        total += duration;
        longest = std::max(longest, duration);
    }
};

/// Returns the times in which the thread of the row had no CPU, summed up by the first state of each wait. Waits that do not end on a CPU
/// are left out.
inline std::map<std::string, OffCpu> offCpu(const KernelRun& run, std::size_t row)
{
    std::map<std::string, OffCpu> offCpuTimes;
    std::string why;
    HostTimestamp since;
    for (const HostInterval& interval : run.intervals(row)) {
        const std::string& state = run.state(row, interval);
        if (isOnCpu(state)) {
            if (!why.empty())
                offCpuTimes[why].add(interval.range.begin - since);
            why.clear();
        } else if (why.empty()) {
            why = state;
            since = interval.range.begin;
        }
    }
    return offCpuTimes;
}

} // namespace helio::test
