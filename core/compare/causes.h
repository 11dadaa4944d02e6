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

/// A cause of elapsed time: a state and its detail (a system call, a fault or an interrupt; may be empty). States are compared by name.
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
using TimesByCause = std::map<TimeCause, std::int64_t>; ///< Times in ns, keyed by cause.

/// Returns the time of all runs by cause. Depending on the basis, this is wall time with the states of the threads that spent it, or the
/// CPU time of all threads.
/// - Details of threads of other processes begin with the thread's name.
/// - Time that no state covers has the state "unknown".
/// - If there are no states and the basis is BreakdownBasis::FirstThread, the causes come from samples: user code, the kernel by kind of
/// entry (kernelEntryOf()), and "waiting" with the detail NotSampled for the time without samples.
///
/// Threads: any but the UI thread, because symbols are read.
/// Cost: reads every state interval, or the same as collectStacks() if the causes come from samples.
TimesByCause computeTimesByCause(const SideRuns& side, std::stop_token stop = {});

/// Detail of TimeCause for time in which a thread has no samples. The thread was off CPU, but it was not recorded why.
constexpr std::string_view NotSampled = "off CPU (no samples)";

/// Returns the kind of kernel entry, from the name of the outermost kernel function: "page fault", "system call", "interrupt", "exception"
/// or "kernel thread"; empty if unknown. Recognizes the entry names of x86, arm64 and other architectures that use the same names
/// (arch/x86/entry/entry_64.S, arch/arm64/kernel/entry.S).
std::string_view kernelEntryOf(std::string_view function);

} // namespace helio
