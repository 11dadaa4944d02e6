#pragma once

#include "core/analysis/analysis.h"
#include "core/event_model/running_threads.h"
#include "core/event_model/thread_fields.h"
#include "core/event_model/track_event_decoder.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio {

/// Analysis of the counters that applications record about themselves (see TrackEventDecoder). A counter belongs to an owner: a process, a
/// thread, a CPU, a track or the whole trace.
///
/// Each owner has a track of its own, which no view shows: `process:PID`, `thread:TID`, `cpu:N`, `track:NUMBER` or `global`. The counter
/// series in the view app-counters have the ids OWNER/NAME or OWNER/NAME/SERIES, where OWNER is the key of the owner's track. A counter
/// keeps its value until the next one.
class TrackCounters final : public Analysis {
public:
    static constexpr std::string_view View = "app-counters";

    TrackCounters(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_decoder.isCounterOrName(type) || m_running.isSwitch(type); }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { } ///< Lost events are ignored: a counter keeps its last value.
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct OwnerId {
        TrackScope scope = TrackScope::Global;
        std::uint32_t space = 0; ///< PID namespace of the thread; 0 for all other owners.
        std::int64_t number = 0;
        auto operator<=>(const OwnerId&) const = default;
    };
    struct Owner {
        TrackId row = NoTrack;
        std::int32_t pid = -1;
        std::string name;
    };
    struct Series {
        std::optional<CounterSeriesId> id; ///< Id of the series in the store; nullopt if the store has too many series already.
        CounterNumber number = CounterNumber::Integer;
    };

    void take(const EventView& view);
    void takeCounter(const EventView& view, const TrackEvent& event);
    Owner& ownerOf(const EventView& view, const TrackEvent& event);
    Series& seriesOf(const Owner& owner, const TrackEvent& event);

    const Trace& m_trace;
    StateSink& m_sink;
    TrackEventDecoder m_decoder;
    RunningThreads m_running;
    std::vector<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type; indexed by EventTypeId.
    std::map<OwnerId, Owner> m_owners;
    std::unordered_map<std::string, Series> m_series; ///< Series of all counters, keyed by OWNER/NAME or OWNER/NAME/SERIES.
    std::unordered_map<std::int32_t, std::string> m_processNames; ///< Recorded names of processes, keyed by PID.
    std::unordered_map<std::int64_t, std::string> m_trackNames;
    std::string m_key; ///< Id of the current series, OWNER/NAME or OWNER/NAME/SERIES; a member only to reuse its memory.
    std::uint64_t m_rounded = 0; ///< Number of values that were rounded: real numbers in a series whose first value is an integer.
    std::uint64_t m_dropped = 0; ///< Number of values that were dropped because there are too many series.
};

} // namespace helio
