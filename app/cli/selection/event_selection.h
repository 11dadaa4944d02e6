#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/trace/fields/field_ref.h"

#include <memory>
#include <vector>

namespace helio {

/// True if the selection needs an indexed trace, because it depends on the threads of events.
bool needsStates(const SelectionOptions& options);

/// Selects events by --filter, --cpu, --thread, --process, --row and --host.
/// Threads: to be used by one thread at a time.
/// Ownership: the timeline outlives the object.
class EventSelection {
public:
    EventSelection(const SelectionOptions& options, const Timeline& timeline);

    bool selects(std::uint32_t trace, const EventView& event, Timestamp time);

    bool isAll() const { return m_isAll; }

private:
    /// A thread whose events are selected because its row is selected.
    struct Thread {
        std::uint32_t host;
        std::int32_t tid;
        TimeRange life;
    };
    struct PerTrace {
        bool isOfHost = true;
        std::unique_ptr<EventMatcher> filter;
        std::unique_ptr<EventThreadResolver> threads;
        std::vector<FieldRef> processNames; ///< Context field `procname` of each event type, indexed by event type.
    };
    bool isOfThreads(PerTrace& per, std::uint32_t host, const EventView& event, Timestamp time) const;

    const SelectionOptions& m_options;
    const Timeline& m_timeline;
    std::vector<PerTrace> m_traces;
    std::vector<Thread> m_threads; ///< Threads of the selected rows, sorted by (host, tid).
    bool m_concernsThreads = false;
    bool m_isAll = false;
};

} // namespace helio
