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

/// Where time went: a state, and what of (a system call, a fault, an interrupt; may be empty). States of one name are one.
struct Cause {
    StateKind state;
    std::string detail;

    std::strong_ordering operator<=>(const Cause& other) const
    {
        const auto order = state.name <=> other.state.name;
        return order != 0 ? order : detail <=> other.detail;
    }
    bool operator==(const Cause& other) const { return *this <=> other == 0; }
};
using Causes = std::map<Cause, std::int64_t>; ///< ns.

/// The time of all runs by cause: wall time by the states of the threads that it was spent on, or CPU time of all threads, as the basis
/// says. Of threads of other processes the detail begins with their name. Stretches that no state covers are "unknown". FirstThread without
/// states is what samples say: user code, the kernel by how it was entered (see kernelEntryOf()), and "waiting", NotSampled for the rest.
/// Threads: any but the UI's: names kernel code. Cost: as reading every interval, or collectStacks().
Causes causesOf(const SideRuns& side, std::stop_token stop = {});

/// The detail of time in which nothing but the absence of samples was recorded.
constexpr std::string_view NotSampled = "not sampled on a CPU";

/// How the kernel was entered, by the name of its outermost function: "page fault", "system call", "interrupt", "exception", "kernel
/// thread"; else empty. Of x86, arm64 and others whose entries have such names (arch/x86/entry/entry_64.S, arch/arm64/kernel/entry.S).
std::string_view kernelEntryOf(std::string_view function);

} // namespace helio
