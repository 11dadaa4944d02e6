#pragma once

#include "core/compare/run_threads.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace helio {

/// A state in which time was spent, with its detail (a system call, a fault, an interrupt; may be empty). States are the same if their
/// names are equal.
struct TimeCause {
    StateKind state;
    std::string detail;

    std::strong_ordering operator<=>(const TimeCause& other) const
    {
        const auto order = state.name <=> other.state.name;
        return order != 0 ? order : detail <=> other.detail;
    }
    bool operator==(const TimeCause& other) const { return *this <=> other == 0; }
};
using TimesByCause = std::map<TimeCause, std::int64_t>; ///< Time by cause, in ns.

/// Returns the time of all runs by cause. Depending on the basis it is wall time, by the states of the threads on which it was spent, or
/// the CPU time of all threads. The details of threads of other processes begin with the name of the thread. Time that no state covers is
/// "unknown". Without states, the causes of FirstThread come from samples: user code, the kernel by how it was entered (see
/// kernelEntryOf()), and "waiting" with the detail NotSampled for the remaining time.
/// Threads: any but the UI thread, because kernel functions are named.
/// Cost: reads every interval, or like collectStacks().
TimesByCause computeTimesByCause(const SideRuns& side, std::stop_token stop = {});

/// Detail of time without samples, if nothing else was recorded about it.
constexpr std::string_view NotSampled = "off CPU (no samples)";

/// Returns how the kernel was entered, by the name of its outermost function: "page fault", "system call", "interrupt", "exception" or
/// "kernel thread"; empty if unknown. Knows x86, arm64 and other architectures with such names of entries (arch/x86/entry/entry_64.S,
/// arch/arm64/kernel/entry.S).
std::string_view kernelEntryOf(std::string_view function);

} // namespace helio
