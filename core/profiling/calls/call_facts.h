#pragma once

#include "core/profiling/calls/call_ends.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/segments/segments.h"
#include "core/store/states.h"
#include "core/symbol/symbol.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Innermost function of a call stack, with its source.
struct CalledFunction {
    SampledFunction function;
    std::string label; ///< Text that the rows show: the function's name, else its address.
    SourceLine source; ///< Line of the function's first instruction, or the recorded line; without a file if unknown.
};

/// Breakdown of the time of a call.
struct CallTime {
    struct StateTime {
        StateKind state;
        Duration total{};
    };
    Duration whole{};
    Duration self{}; ///< Self time of the call, i.e. without its callees.
    /// Times in the states of the call's thread, including stolen time, longest first; empty if states were not recorded.
    std::vector<StateTime> states;
    /// CPU time of the call's thread during the call: from its states, else as the application recorded it; nullopt if not recorded.
    std::optional<Duration> onCpu;
    Duration stolen{}; ///< Steal time within `onCpu`, in which the vCPU did not run.
};

/// Data about one call that can be computed without the other calls of its function.
struct CallFacts {
    struct Caller {
        CalledFunction called;
        Segment call;
    };
    Segment call;
    CallEnd end{};
    Row thread; ///< Row of the thread that made the call, from threadOf().
    CalledFunction called;
    CallTime time;
    std::vector<Caller> callers; ///< Callers of the call, innermost first.
};

/// Returns the row of the call's thread in the view of calls; its label is empty if the thread is unknown.
Row threadOf(const Timeline& timeline, const Segment& call);

/// Returns the breakdown of a call's time.
/// Threads: any but the UI thread.
/// Cost: finds the thread's row, a few µs per thread; reads the thread's states during the call.
CallTime callTime(const Timeline& timeline, const Segment& call, std::stop_token stop = {});

/// Returns the data about a call.
/// Threads: any but the UI thread, because symbols are read.
/// Cost: like callTime().
CallFacts callFacts(const Timeline& timeline, const CallNames& names, const Segment& call, std::stop_token stop = {});

} // namespace helio
