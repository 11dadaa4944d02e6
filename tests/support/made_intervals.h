#pragma once

#include "tests/support/made_timeline.h"

#include <string>
#include <vector>

namespace helio {

/// A timeline of hosts with one thread each (TID 7, "worker") and segments of the kind "turns": turn i of host h begins at 1000 * i ns
/// and is (h + 1) * (i + 1) * 10 ns long. Even turns are named "even", odd turns "odd".
struct MadeIntervals {
    static constexpr int Turns = 40;

    static std::int64_t lengthOf(int host, int turn) { return std::int64_t(host + 1) * (turn + 1) * 10; }
    static TrackRef row(int host) { return {StoreIndex{std::uint32_t(host)}, TrackId{0}}; }

    /// Makes the timeline. If `hasEmptyKind` is true, each host also has an interval kind "breaks", before "turns". It has no intervals,
    /// and its event "break_begin" counts as not recorded.
    static std::shared_ptr<Timeline> make(const std::vector<std::string>& hosts, bool hasEmptyKind = false)
    {
        auto timeline = std::make_shared<Timeline>();
        for (int host = 0; host < int(hosts.size()); ++host)
            addTrace(*timeline, {storeOf(host, hasEmptyKind), std::make_shared<MadeTrace>(), {}, hosts[std::size_t(host)]});
        for (TimelineTrace& it : timeline->traces)
            if (hasEmptyKind)
                it.missing.push_back({.view = "turns",
                                      .anyOf = {"break_begin", "break_end"},
                                      .consequence = "breaks are not shown",
                                      .command = "record -e break_begin",
                                      .kinds = {"breaks"}});
        timeline->isComplete = true;
        return timeline;
    }

private:
    static std::shared_ptr<const Store> storeOf(int host, bool hasEmptyKind)
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Track thread;
        thread.view = "control-flow";
        thread.role = TrackRole::Thread;
        thread.key = "tid:7";
        thread.label = "worker";
        thread.tid = 7;
        thread.states = *builder->stateSet(test::statesNamed("thread", MadeTimeline::ThreadStates));
        const TrackId row = builder->addTrack(thread);
        builder->set(hostTime(0), row, State{MadeTimeline::User});
        if (hasEmptyKind)
            (void)*builder->segments().addKind({"breaks", "Breaks", "Break"});
        const auto turns = *builder->segments().addKind({"turns", "Turns", "Turn"});
        for (int i = 0; i < Turns; ++i) {
            HostSegment it;
            it.begin = hostTime(1000 * i);
            it.end = it.begin + Duration(lengthOf(host, i));
            it.name = builder->string(i % 2 == 0 ? "even" : "odd");
            it.track = row;
            it.kind = turns;
            builder->segments().add(it);
        }
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(50'000)};
        return *builder->finish(summary);
    }
};

} // namespace helio
