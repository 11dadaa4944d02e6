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

/// Counters that applications record (TrackEventDecoder): values of a process, thread, CPU or track, or of the whole trace.
///
/// Each owner has a track that no view shows: `process:PID`, `thread:TID`, `cpu:N`, `track:NUMBER` or `global`. Its series are
/// OWNER/NAME or OWNER/NAME/SERIES, levels in the view app-counters.
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
        std::uint32_t space = 0; ///< For threads: PID namespace.
        std::int64_t number = 0;
        auto operator<=>(const OwnerId&) const = default;
    };
    struct Owner {
        TrackId row = NoTrack;
        std::int32_t pid = -1;
        std::string name;
    };
    struct Series {
        std::optional<CounterSeriesId> id; ///< nullopt if there are too many series.
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
    std::unordered_map<std::string, Series> m_series; ///< Series by id.
    std::unordered_map<std::int32_t, std::string> m_processNames; ///< Recorded names of processes, by PID.
    std::unordered_map<std::int64_t, std::string> m_trackNames;
    std::string m_key; ///< Id of the current series; a member to reuse its memory.
    std::uint64_t m_rounded = 0; ///< Number of values that are not of their series' type.
    std::uint64_t m_dropped = 0; ///< Number of values without a series.
};

} // namespace helio
