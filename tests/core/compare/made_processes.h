#pragma once

#include "tests/support/made_states.h"
#include "tests/support/made_timeline.h"

#include <map>
#include <string_view>

namespace helio {

/// Builder of a synthetic timeline of processes with given states.
class MadeProcesses {
public:
    enum : std::uint8_t { Unknown, User, Syscall, Preempted };
    static constexpr std::array<std::string_view, 4> States{"unknown", "running-user", "running-syscall", "preempted"};

    struct TimedState {
        std::uint8_t state;
        std::int64_t ns;
        const char* detail = "";
    };

    /// Adds a process: forked from "sh" 10 ns before it got its name. With `leader`, adds a thread of the process `leader` instead.
    void process(const char* name, int tid, std::int64_t begin, const std::vector<TimedState>& states, int leader = -1)
    {
        add(name, tid, begin, states, leader, NoTrack, "sh");
    }

    /// Adds a process that the process `parent` forked 10 ns before `begin`, with `name` from the fork on.
    void forked(const char* name, int tid, std::int64_t begin, const std::vector<TimedState>& states, int parent)
    {
        add(name, tid, begin, states, -1, m_tracks.at(parent), name);
    }

    Timeline finish()
    {
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(1'000'000)};
        auto store = m_builder->finish(summary);
        Timeline timeline;
        addTrace(timeline, {*store, std::make_shared<MadeTrace>(), {}, "made"});
        timeline.isComplete = true;
        return timeline;
    }

    static Timestamp at(std::int64_t ns) { return timestamp(ns); }

private:
    void add(const char* name, int tid, std::int64_t begin, const std::vector<TimedState>& states, int leader, TrackId parent,
             const char* inherited)
    {
        const StateSetId set = *m_builder->stateSet(test::statesNamed("thread", States));
        const StateSetId text = *m_builder->stateSet({"text", {{"value"}}, {}});
        Track track;
        track.view = "control-flow";
        track.kind = "thread";
        track.role = TrackRole::Thread;
        track.key = "tid:" + std::to_string(tid);
        track.label = name;
        track.states = set;
        track.valueKind = ValueKind::Text;
        track.pid = leader < 0 ? tid : leader;
        track.tid = tid;
        track.parent = parent;
        const TrackId id = m_tracks[tid] = m_builder->addTrack(track);
        Track held;
        held.kind = "name";
        held.role = TrackRole::Name;
        held.key = track.key + "/name";
        held.parent = id;
        held.states = text;
        held.valueKind = ValueKind::Text;
        const TrackId names = m_builder->addTrack(held);
        m_builder->set(hostTime(begin - 10), names, State{0}, std::uint32_t(m_builder->string(inherited)));
        if (std::string_view(name) != inherited)
            m_builder->set(hostTime(begin), names, State{0}, std::uint32_t(m_builder->string(name)));
        m_builder->set(hostTime(begin - 10), id, State{User});
        std::int64_t at = begin;
        for (const TimedState& timed : states) {
            m_builder->set(hostTime(at), id, State{timed.state}, std::uint32_t(m_builder->string(timed.detail)));
            at += timed.ns;
        }
        m_builder->end(hostTime(at), id);
        m_builder->end(hostTime(at), names);
    }

    std::unique_ptr<StoreBuilder> m_builder = makeMemoryStoreBuilder(hostTime(0));
    std::map<int, TrackId> m_tracks; ///< Rows of the threads, keyed by TID.
};

} // namespace helio
