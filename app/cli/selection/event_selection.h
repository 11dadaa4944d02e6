#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/trace/fields/field_ref.h"

#include <memory>
#include <vector>

namespace helio {

/// True if the selection needs an indexed trace: it asks for the thread that an event belongs to.
bool needsStates(const SelectionOptions& options);

/// Selects events by --filter, --cpu, --thread, --process, --row and --host. Threads: to be used by one thread at a time. Ownership: the
/// timeline outlives it.
class EventSelection {
public:
    EventSelection(const SelectionOptions& options, const Timeline& timeline);

    bool selects(std::uint32_t trace, const EventView& event, Timestamp time);

    /// True if every event is selected.
    bool isAll() const { return m_isAll; }

private:
    /// A thread of a selected row.
    struct Thread {
        std::uint32_t host;
        std::int32_t tid;
        TimeRange life;
    };
    struct PerTrace {
        bool isOfHost = true;
        std::unique_ptr<EventMatcher> filter;
        std::unique_ptr<EventThreadResolver> threads;
        std::vector<FieldRef> processNames; ///< Indexed by event type: its context field `procname`.
    };
    bool isOfThreads(PerTrace& per, std::uint32_t host, const EventView& event, Timestamp time) const;

    const SelectionOptions& m_options;
    const Timeline& m_timeline;
    std::vector<PerTrace> m_traces;
    std::vector<Thread> m_threads; ///< Sorted by (host, tid).
    bool m_concernsThreads = false;
    bool m_isAll = false;
};

} // namespace helio
