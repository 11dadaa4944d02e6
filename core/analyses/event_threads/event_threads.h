#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/known_contexts.h"
#include "core/event_model/last_of_stream.h"
#include "core/event_model/thread_fields.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace helio {

/// The threads of recordings without scheduler events, as the contexts of their events name them: user-space traces and the like.
///
/// Rows of the view control-flow: `tid:N`, or `pid:N` where only the process is known; with `@NS` behind it where N is of the PID namespace
/// NS (its inode number), not the host's. Nobody knows what they did, so each is `unknown` from the trace's begin to its end, in the state
/// set "events". An attribute "events" has a tick of 1 ns for each event, moved on by 1 ns where several have one time: spans count them. A
/// process's other threads hang below the thread that is its leader. Cost: about 30 ns an event without the store.
class EventThreads final : public Analysis {
public:
    EventThreads(const Trace& trace, StateSink& sink);

    /// Whether any type's events name a thread or a process.
    static bool hasThreads(const Trace& trace);

    void begin(HostTimestamp at) override { m_begin = at; }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { } ///< Nothing is known of the threads anyway.
    void finish(HostTimestamp at) override;

private:
    /// Who is meant.
    struct Id {
        std::uint32_t pidNamespace = 0; ///< 0: the host's.
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
        std::uint64_t contextRead = 0; ///< As KnownContexts wants it.
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
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<ThreadFields> m_fields; ///< By EventTypeId.
    std::unordered_map<Id, Thread, Hash> m_threads;
    LastOfStream<Id, Thread> m_last;
    std::optional<KnownContexts<Thread>> m_known; ///< Once m_fields are there.
};

} // namespace helio
