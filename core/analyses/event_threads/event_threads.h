#pragma once

#include "core/analysis/analysis.h"
#include "core/trace/field_ref.h"

#include <unordered_map>
#include <vector>

namespace helio {

/// The threads of recordings without scheduler events, as the contexts of their events name them: user-space traces and the like.
///
/// Rows of the view control-flow: `tid:N`, or `pid:N` where only the process is known. Nobody knows what they did, so each is `unknown`
/// from the trace's begin to its end, in the state set "events". An attribute "events" has a tick of 1 ns for each event, moved on by 1 ns
/// where several have one time: spans count them. A process's other threads hang below the thread that is its leader.
/// Cost: about 30 ns an event without the store.
class EventThreads final : public Analysis {
public:
    EventThreads(const Trace& trace, StateSink& sink);

    /// Whether any type's events name a thread or a process.
    static bool hasThreads(const Trace& trace);

    void begin(HostTimestamp at) override { m_begin = at; }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override {} ///< Nothing is known of the threads anyway.
    void finish(HostTimestamp at) override;

private:
    struct Fields {
        FieldRef tid;
        FieldRef pid;
        FieldRef name;
    };
    struct Thread {
        TrackId row = NoTrack;
        TrackId ticks = NoTrack;
        TrackId names = NoTrack;
        HostTimestamp tickEnd;
        std::string name;
        std::int32_t pid = -1;
    };

    static Fields fieldsOf(const EventType& type);
    void take(const EventView& event, const Fields& fields);
    Thread& threadOf(std::int32_t id, bool isProcess);
    void setName(HostTimestamp at, Thread& thread, std::string_view name);

    const Trace& m_trace;
    StateSink& m_sink;
    StateSetId m_states{};
    StateSetId m_tickStates{};
    HostTimestamp m_begin;
    std::int32_t m_pid = -1; ///< That the whole trace is of, where it says so.
    std::vector<Fields> m_fields; ///< By EventTypeId.
    std::unordered_map<std::int32_t, Thread> m_threads; ///< By tid; processes by -1 - pid.
};

} // namespace helio
