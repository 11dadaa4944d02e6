#pragma once

#include "core/analysis/analysis.h"
#include "core/clock/clock_transform.h"
#include "core/store/store.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace helio {

class UnwoundStacks;

/// One trace on the timeline.
struct TimelineTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Store> store;    ///< Null until the first snapshot.
    ClockTransform clock;
    std::uint32_t host = 0;                ///< Index in Timeline::hosts.
    std::vector<Requirement> missing;
    HostRange claimed{};                   ///< What the packets found so far say; empty where they say nothing.
    std::shared_ptr<UnwoundStacks> unwound{}; ///< Of samples with register and stack copies. Null: unwound each time anew.
};

struct TimelineHost {
    std::string id;                        ///< Clock uuid, else hostname, else the trace's path.
    std::string label; ///< The hostname, or the trace's name: what distinguishes it from others.
    std::string name{};                    ///< The hostname; empty where no trace of it says any.
    bool isSynchronized = true;            ///< False: nothing relates its clock to those of other hosts.
};

/// Stores composed on one time axis: what views and commands ask (through core/query). Immutable; a new one is published when more
/// is known.
struct Timeline {
    std::uint64_t generation = 0;
    std::vector<TimelineTrace> traces;
    std::vector<TimelineHost> hosts;
    std::vector<Diagnostic> diagnostics;   ///< About the experiment as a whole (clock corrections, what could not be opened).
    TimeRange range{};                     ///< First event's time, last event's time, of all traces. While indexing: as packets claim.
    bool isComplete = false;
    std::shared_ptr<Symbolizer> symbolizer; ///< The experiment's. Null: addresses have no names.
};

} // namespace helio
