#pragma once

#include "core/analysis/analyses.h"
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
    /// Null until the first snapshot; stores of its analyses may be there before, whole.
    std::shared_ptr<const TraceFacts> facts;
    ClockTransform clock;
    std::uint32_t host = 0;                ///< Index in Timeline::hosts.
    std::vector<Requirement> missing;
    HostRange claimed{};                   ///< What the packets found so far say; empty where they say nothing.
    std::shared_ptr<UnwoundStacks> unwound{}; ///< Of samples with register and stack copies. Null: unwound each time anew.
};

/// What one analysis derived from one trace. Its times are the trace's.
struct TimelineStore {
    std::uint32_t trace = 0; ///< Index in Timeline::traces.
    std::shared_ptr<const Store> store; ///< Null until the first snapshot, and where the analysis does not run on the trace.
    bool isExpected = false; ///< The analysis runs on the trace.
};

struct TimelineHost {
    std::string id;                        ///< Clock uuid, else hostname, else the trace's path.
    std::string label; ///< The hostname, or the trace's name: what distinguishes it from others.
    std::string name{};                    ///< The hostname; empty where no trace of it says any.
    bool isSynchronized = true;            ///< False: nothing relates its clock to those of other hosts.
};

/// Traces and stores composed on one time axis: what views and commands ask (through core/query). Immutable; a new one is published when
/// more is known.
struct Timeline {
    std::uint64_t generation = 0;
    std::vector<TimelineTrace> traces;
    /// For each trace, in order, as many places as there are kinds of analyses, in their order: an index stays what it is.
    std::vector<TimelineStore> stores;
    std::shared_ptr<const Analyses> analyses = Analyses::builtin(); ///< Never null.
    std::vector<TimelineHost> hosts;
    std::vector<Diagnostic> diagnostics;   ///< About the experiment as a whole (clock corrections, what could not be opened).
    TimeRange range{};                     ///< First event's time, last event's time, of all traces. While indexing: as packets claim.
    bool isComplete = false;
    std::shared_ptr<Symbolizer> symbolizer; ///< The experiment's. Null: addresses have no names.
};

} // namespace helio
