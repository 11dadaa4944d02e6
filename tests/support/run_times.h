#pragma once

#include "tests/support/made_scheduling.h"

#include <array>
#include <map>

namespace helio::test {

/// Time that a thread ran, in ns: in total, while the CPU's frequency was unknown, and by CPU and frequency.
struct Ran {
    qint64 total = 0, unknown = 0;
    std::map<int, std::map<int, qint64>> byCpu; ///< Running time in ns by CPU and kHz.
};

/// Running time by TID, computed from the events without Heliograph's analyses.
inline std::map<int, Ran> computeRunTimes(const std::vector<MadeSchedulingEvent>& events)
{
    std::map<int, Ran> all;
    std::array<int, 4> running{}, kHz{};
    std::array<qint64, 4> since{};
    const auto take = [&](std::size_t cpu, qint64 until) {
        Ran& ran = all[running[cpu]];
        const qint64 length = until - since[cpu];
        ran.total += length;
        (kHz[cpu] ? ran.byCpu[int(cpu)][kHz[cpu]] : ran.unknown) += length;
        since[cpu] = until;
    };
    std::array<bool, 4> isKnown{};
    for (const MadeSchedulingEvent& it : events) {
        if (it.kind == MadeSchedulingEvent::Frequency) {
            if (isKnown[std::size_t(it.a)])
                take(std::size_t(it.a), it.time);
            kHz[std::size_t(it.a)] = it.b;
        } else if (it.kind == MadeSchedulingEvent::Switch) {
            const auto cpu = std::size_t(it.cpu);
            if (isKnown[cpu])
                take(cpu, it.time);
            isKnown[cpu] = true;
            running[cpu] = it.c;
            since[cpu] = it.time;
        }
    }
    for (std::size_t cpu = 0; cpu < 4; ++cpu)
        if (isKnown[cpu])
            take(cpu, events.back().time);
    all.erase(0);
    return all;
}

/// Running time in ns, scaled to the highest frequency of each CPU (a key of `highest`, in kHz).
inline double computeNominalTime(const Ran& ran, const std::map<int, int>& highest)
{
    double nominal = 0;
    for (const auto& [cpu, times] : ran.byCpu)
        for (const auto& [kHz, length] : times)
            nominal += double(length) * kHz / highest.at(cpu);
    return nominal;
}

/// Highest recorded frequency of each CPU, in kHz.
inline std::map<int, int> highestFrequencies(const std::vector<MadeSchedulingEvent>& events)
{
    std::map<int, int> highest;
    for (const MadeSchedulingEvent& it : events)
        if (it.kind == MadeSchedulingEvent::Frequency)
            highest[it.a] = std::max(highest[it.a], it.b);
    return highest;
}

} // namespace helio::test
