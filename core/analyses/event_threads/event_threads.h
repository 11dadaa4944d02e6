#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/context_cache.h"
#include "core/event_model/thread_fields.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace helio {

/// Threads of recordings without scheduler events (e.g. user-space traces), found in the contexts of the events.
///
/// Rows of the view control-flow: `tid:N`, or `pid:N` if only the process is known. `@NS` is appended if N is a number in the PID namespace
/// NS (its inode number) instead of the host's. The rows of a process's threads are children of its main thread's row. The states of the
/// threads are not recorded, so each row is `unknown` from the beginning to the end of the trace, in the state set "events".
///
/// An attribute track "events" of each row has a tick, an interval of 1 ns, for each event. The number of ticks in a time range is
/// therefore the number of events. If several events have the same time, each further tick begins at the end of the previous tick.
///
/// Cost: about 30 ns for each event, without the store.
class EventThreads final : public Analysis {
public:
    EventThreads(const Trace& trace, StateSink& sink);

    /// Returns true if the events of the trace identify their threads or processes.
    static bool hasThreads(const Trace& trace);

    void begin(HostTimestamp at) override { m_begin = at; }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { } ///< Lost events are ignored: the states of the threads are unknown anyway.
    void finish(HostTimestamp at) override;

private:
    /// Identity of the thread or process of an event.
    struct Id {
        std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace in which the ids are valid; 0 for the host's namespace.
        bool isProcess = false;
        std::int32_t number = -1;
        bool operator==(const Id&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Id& id) const
        {
            const auto low = static_cast<std::uint32_t>(id.number) | std::uint32_t(id.isProcess) << 31;
            return std::hash<std::uint64_t>()(std::uint64_t(id.pidNamespace) << 32 | low);
        }
    };
    struct Thread {
        TrackId row = NoTrack;
        TrackId ticks = NoTrack;
        TrackId names = NoTrack;
        HostTimestamp tickEnd;
        std::string name;
        std::int32_t pid = -1;
        /// Set and used by ContextCache only: changes whenever it reads this thread's fields from an event; 0 before the first event.
        std::uint64_t contextReadNumber = 0;
    };

    Thread* threadOf(const EventView& event);
    void tick(Thread& thread, const EventRecord& event);
    Thread& threadOf(Id id);
    void setName(HostTimestamp at, Thread& thread, std::string_view name);

    const Trace& m_trace;
    StateSink& m_sink;
    StateSetId m_states{};
    StateSetId m_tickStates{};
    HostTimestamp m_begin;
    /// PID of the process to which all events of the trace belong; -1 if they belong to several processes or the PID is unknown.
    std::int32_t m_pid = -1;
    std::vector<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type; indexed by EventTypeId.
    std::unordered_map<Id, Thread, Hash> m_threads;
    PerStreamCache<Id, Thread> m_last;
    /// Cache of the thread of each stream's last event. Constructed from m_fields, so it is nullopt until m_fields is filled.
    std::optional<ContextCache<Thread>> m_known;
};

} // namespace helio
