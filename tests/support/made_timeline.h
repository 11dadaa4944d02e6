#pragma once

#include "core/experiment/timeline.h"
#include "tests/support/made_states.h"
#include "tests/support/made_trace.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace helio {

/// A trace for addTrace(), with its facts and a store.
struct MadeTimelineTrace {
    std::shared_ptr<const Store> store{};
    std::shared_ptr<const Trace> trace{};
    ClockTransform clock{};
    std::string host = "host";
    std::shared_ptr<const TraceFacts> facts{}; ///< Facts of the trace; nullptr to use the store's facts.
};

/// Returns the only store of a timeline that has exactly one.
inline const Store& singleStore(const Timeline& timeline)
{
    const auto found = std::ranges::find_if(timeline.stores, [](const TimelineStore& it) { return it.store != nullptr; });
    return *found->store;
}

/// Appends the trace to the timeline, and its host unless a host of that name exists. Extends the timeline's range to include the store's
/// range.
inline void addTrace(Timeline& timeline, MadeTimelineTrace piece)
{
    auto host = std::ranges::find(timeline.hosts, piece.host, &TimelineHost::id);
    if (host == timeline.hosts.end())
        host = timeline.hosts.insert(host, {piece.host, piece.host});
    if (!piece.facts)
        piece.facts = piece.store;
    if (piece.facts) {
        const TimeRange own = piece.clock(piece.facts->summary().range);
        timeline.range =
            timeline.traces.empty() ? own : TimeRange{std::min(timeline.range.begin, own.begin), std::max(timeline.range.end, own.end)};
    }
    TimelineTrace& trace = timeline.traces.emplace_back();
    trace.trace = std::move(piece.trace);
    trace.facts = std::move(piece.facts);
    timeline.stores.push_back({static_cast<std::uint32_t>(timeline.traces.size() - 1), std::move(piece.store), true});
    trace.clock = piece.clock;
    trace.host = static_cast<std::uint32_t>(host - timeline.hosts.begin());
}

/// A synthetic timeline with two CPUs and threads that wake each other. Times are in ns and begin at 0.
struct MadeTimeline {
    enum State : std::uint8_t { Unknown, User, Syscall, Sleeping, WaitCpu, Preempted };
    static constexpr std::array<std::string_view, 6> ThreadStates{"unknown",  "running-user", "running-syscall",
                                                                  "sleeping", "wait-cpu",     "preempted"};
    static constexpr std::array<std::string_view, 4> CpuStates{"unknown", "idle", "user", "syscall"};

    /// Makes the timeline. `threads` threads repeat until 4000 ns: 100 ns asleep, 50 ns waiting, 200 ns user, 50 ns in "read"; thread i
    /// begins at i * 10 ns. After these rows come `resting` threads that sleep all the time, except that the last one runs in the last 50
    /// ns.
    static std::shared_ptr<const Timeline> make(int threads, int resting = 0)
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const StateSetId set = *builder->stateSet(test::statesNamed("thread", ThreadStates));
        const StateSetId cpuSet = *builder->stateSet(test::statesNamed("cpu", CpuStates));
        const StateSetId numbers = *builder->stateSet({"number", {{"value", StateCategory::None, {"freq", "", ""}}}, {}});
        const StringId read = builder->string("read");
        for (int cpu = 0; cpu < 2; ++cpu) {
            Track track;
            track.view = "resources";
            track.kind = "cpu";
            track.role = TrackRole::Cpu;
            track.key = "cpu:" + std::to_string(cpu);
            track.label = "CPU " + std::to_string(cpu);
            track.states = cpuSet;
            track.cpu = cpu;
            const TrackId id = builder->addTrack(track);
            builder->set(hostTime(0), id, helio::State{1});
            builder->set(hostTime(1000), id, helio::State{2});
            Track frequency;
            frequency.view = "resources";
            frequency.kind = "frequency";
            frequency.key = track.key + "/frequency";
            frequency.parent = id;
            frequency.states = numbers;
            frequency.valueKind = ValueKind::Number;
            frequency.band = TrackDrawing::Line;
            frequency.cpu = cpu;
            const TrackId speed = builder->addTrack(frequency);
            builder->set(hostTime(0), speed, helio::State{0}, 1'000'000);
            builder->set(hostTime(2000), speed, helio::State{0}, 4'000'000);
        }
        kernel::declareLinks(*builder);
        TrackId previous = NoTrack;
        for (int i = 0; i < threads; ++i) {
            Track track;
            track.view = "control-flow";
            track.kind = "thread";
            track.role = TrackRole::Thread;
            track.key = "tid:" + std::to_string(100 + i);
            track.label = "worker-" + std::to_string(i);
            track.states = set;
            track.valueKind = ValueKind::Text;
            track.tid = 100 + i;
            track.sortKey = i;
            const TrackId id = builder->addTrack(track);
            for (int at = i * 10 % 100; at < 4000; at += 400) {
                builder->set(hostTime(at), id, helio::State{Sleeping});
                builder->set(hostTime(at + 100), id, helio::State{WaitCpu});
                if (previous != NoTrack)
                    builder->link({LinkKind::Wakeup, previous, id, hostTime(at + 100), hostTime(at + 100), 0, {}});
                builder->set(hostTime(at + 150), id, helio::State{User});
                builder->set(hostTime(at + 350), id, helio::State{Syscall}, std::uint32_t(read));
            }
            previous = id;
        }
        for (int i = 0; i < resting; ++i) {
            Track track;
            track.view = "control-flow";
            track.kind = "thread";
            track.role = TrackRole::Thread;
            track.key = "tid:" + std::to_string(900 + i);
            track.label = "daemon-" + std::to_string(i);
            track.states = set;
            track.tid = 900 + i;
            track.sortKey = 900 + i;
            const TrackId id = builder->addTrack(track);
            builder->set(hostTime(0), id, helio::State{Sleeping});
            if (i + 1 == resting)
                builder->set(hostTime(3950), id, helio::State{User});
        }
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(4000)};
        auto timeline = std::make_shared<Timeline>();
        addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>()});
        timeline->isComplete = true;
        return timeline;
    }
};

} // namespace helio
