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

/// The innermost function of a call stack, with its source.
struct CalledFunction {
    SampledFunction function;
    std::string label; ///< Label in the rows: its name, else its address.
    SourceLine source; ///< Line of its first instruction, or the recorded line; without a file if not known.
};

/// Breakdown of the time of a call.
struct CallTime {
    struct StateTime {
        StateKind state;
        Duration total{};
    };
    Duration whole{};
    Duration self{}; ///< Without the time of its callees.
    std::vector<StateTime> states; ///< States of its thread during the call, including stolen time, the longest first. Empty: not recorded.
    std::optional<Duration> onCpu; ///< Recorded CPU time of its thread during the call. nullopt: not recorded.
    Duration stolen{}; ///< Steal time within onCpu: the vCPU did not run.
};

/// Facts about one call, except for comparisons with other calls.
struct CallFacts {
    struct Caller {
        CalledFunction called;
        Segment call;
    };
    Segment call;
    CallEnd end{};
    Row thread; ///< Result of threadOf(): row of the thread that made the call.
    CalledFunction called;
    CallTime time;
    std::vector<Caller> callers; ///< Innermost first.
};

/// Returns the row of the call's thread in the view of calls. Its label is empty if the thread is not known.
Row threadOf(const Timeline& timeline, const Segment& call);

/// Returns the breakdown of a call's time.
/// Threads: any but the UI thread.
/// Cost: finds the thread's row, a few µs per thread; reads its states during the call.
CallTime callTime(const Timeline& timeline, const Segment& call, std::stop_token stop = {});

/// Returns all facts about a call.
/// Threads: any but the UI thread: reads symbols.
/// Cost: as callTime().
CallFacts callFacts(const Timeline& timeline, const CallNames& names, const Segment& call, std::stop_token stop = {});

} // namespace helio
