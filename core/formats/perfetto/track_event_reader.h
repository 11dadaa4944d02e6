#pragma once

#include "core/formats/perfetto/clocks.h"
#include "core/formats/perfetto/complete_slices.h"
#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/sequence.h"
#include "core/formats/perfetto/track_tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio::perfetto {

/// Reads the events that applications record about themselves: packets with a TrackEvent message.
class TrackEventReader {
public:
    TrackEventReader(TrackEventWriter& writer, TrackTree& tree, DiagnosticLog& log)
        : m_writer(writer)
        , m_tree(tree)
        , m_log(log)
        , m_complete(writer, tree, log)
    {
    }

    /// Finds the counters in a TrackEvent message whose values have decimals, and complete events of the old form. Must be called for all
    /// track events before the first take().
    void prepare(std::string_view message, std::string_view trackEventDefaults);

    /// Returns the time inside a TrackEvent message in ns of CLOCK_MONOTONIC; nullopt if the message contains none. Old writers recorded
    /// the time there instead of in the packet.
    static std::optional<std::int64_t> ownTime(std::string_view message, PacketSequence& sequence);

    /// Stores a track event, its counters and its flows. `time` is the time of the event in ns; `offset` is the packet's offset in the
    /// file.
    void take(std::string_view message, PacketSequence& sequence, std::int64_t time, std::uint64_t offset);

    /// Stores the complete events. Must be called after the last take().
    void finish() { m_complete.store(); }

private:
    /// Content of a TrackEvent.LegacyEvent message: an event of the old form, whose kind is a phase letter of Chrome's JSON format.
    struct LegacyEvent {
        char phase = 0;
        std::optional<std::uint64_t> name;
        std::optional<std::int64_t> duration; ///< Duration of the slice in us.
        std::string id; ///< ID of the asynchronous operation or of the flow; empty if not recorded.
        bool isLocalId = false;
        std::string_view scope;
        std::optional<std::uint64_t> bindId;
        bool bindsToEnclosing = false;
        /// Direction of the flow with the ID `bindId`: 1 is into the event, 2 is out of it, 3 is both; 0 if not recorded.
        std::uint32_t flowDirection = 0;
        std::uint32_t instantScope = 0; ///< Scope of an instant: 1 is global, 2 is the process, 3 is the thread; 0 if not recorded.
        std::int32_t pid = -1;
        std::int32_t tid = -1;
    };
    struct Event {
        std::uint32_t type = 0;
        std::optional<std::uint64_t> track;
        std::string categories;
        std::string_view name;
        std::optional<std::int64_t> integer; ///< Value of a counter event; nullopt if the value is not an integer.
        std::optional<double> real; ///< Value of a counter event; nullopt if the value is not a decimal number.
        std::vector<std::uint64_t> counterTracks;
        std::vector<std::int64_t> counterValues;
        std::vector<std::uint64_t> realCounterTracks;
        std::vector<double> realCounterValues;
        std::vector<std::uint64_t> flows;
        std::vector<std::uint64_t> endingFlows;
        std::optional<LegacyEvent> legacy;
        bool isSound = true;
    };
    /// Track and nest number (TrackPlace::nest) of the asynchronous operations of the old form that have the same ID. Operations that reuse
    /// the ID follow each other on the track.
    struct Operation {
        std::int64_t track = 0;
        std::int64_t nest = 0;
    };

    static LegacyEvent legacyFrom(std::string_view message);
    Event eventFrom(std::string_view message, const PacketSequence& sequence);
    void addCounters(const Event& event, PacketSequence& sequence, std::int64_t time);
    void addCounter(std::uint64_t track, std::string_view name, std::optional<std::int64_t> integer, double real, PacketSequence& sequence,
                    std::int64_t time);
    void addFlows(const Event& event, const TrackPosition& position, std::int64_t time);
    void takeLegacy(const Event& event, const TrackPosition& position, std::string_view message, PacketSequence& sequence,
                    std::int64_t time);
    void takeOperation(const Event& event, const TrackPosition& position, std::int64_t time);
    void takeLegacyCounter(const Event& event, const TrackPosition& position, std::string_view message, const PacketSequence& sequence,
                           std::int64_t time);
    void noteSlice(const TrackPlace& place, std::int64_t time, bool isBegin)
    {
        if (m_hasComplete)
            m_complete.note(place, time, isBegin);
    }
    void takeState(const Event& event, const TrackPosition& position, std::int64_t time);
    void takeComplete(const Event& event, const TrackPlace& place, std::int64_t time);
    static std::vector<SliceFlow> flowsOf(const Event& event);

    TrackEventWriter& m_writer;
    TrackTree& m_tree;
    DiagnosticLog& m_log;
    CompleteSlices m_complete;
    bool m_hasComplete = false; ///< True if the trace has complete events of the old form (phase X).
    std::unordered_set<std::uint64_t> m_realCounters; ///< IDs of the tracks of counters whose values have decimals.
    std::unordered_set<std::uint64_t> m_tracksInState; ///< IDs of the tracks whose last state has a name and has not ended.
    std::unordered_map<std::string, Operation> m_operations;
    std::string m_arguments; ///< JSON text of the current event's arguments. It is a member so that its memory is reused.
};

} // namespace helio::perfetto
