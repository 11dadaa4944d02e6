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

/// A function that a call stack ends with, and where it is written.
struct CalledFunction {
    SampledFunction function;
    std::string label; ///< As the rows have it: its name, else its address.
    SourceLine source; ///< Of its first instruction, or as the recording has it. Without a file: not known.
};

/// Where the time of a call went.
struct CallTime {
    struct StateTime {
        StateKind state;
        Duration total{};
    };
    Duration whole{};
    Duration self{}; ///< Without the calls that it made.
    std::vector<StateTime> states; ///< Of its thread meanwhile, stolen ones too, the longest first. Empty: nobody recorded them.
    std::optional<Duration> onCpu; ///< Of its thread meanwhile, as recorded. None: nobody recorded it.
    Duration stolen{}; ///< That much of it the vCPU did not run.
};

/// What is known of one call, but for how it compares with others.
struct CallFacts {
    struct Caller {
        CalledFunction called;
        Segment call;
    };
    Segment call;
    CallEnd end{};
    Row thread; ///< Below which its row is.
    CalledFunction called;
    CallTime time;
    std::vector<Caller> callers; ///< The innermost first.
};

/// The row that the call's thread has among the calls. Its label is empty where nothing is known of it.
Row threadOf(const Timeline& timeline, const Segment& call);

/// Threads: any but the UI's. Cost: of finding the thread's row, some µs a thread, and of its states meanwhile.
CallTime callTime(const Timeline& timeline, const Segment& call, std::stop_token stop = {});

/// Threads: any but the UI's: reads symbols. Cost: as callTime().
CallFacts callFacts(const Timeline& timeline, const CallNames& names, const Segment& call, std::stop_token stop = {});

} // namespace helio
