#pragma once

#include "core/formats/perfetto/clocks.h"
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

/// Reads the events that applications record about themselves: packets with TrackEvent.
class TrackEventReader {
public:
    TrackEventReader(TrackEventWriter& writer, TrackTree& tree, DiagnosticLog& log)
        : m_writer(writer)
        , m_tree(tree)
        , m_log(log)
    {
    }

    /// Takes the facts of an event that must be known before the first event is stored: which counters have decimals.
    void prepare(std::string_view message, std::string_view trackEventDefaults);

    /// Returns the time that an event itself contains, in ns of the clock "monotonic"; nullopt if it contains none. Old writers recorded
    /// times there instead of in the packet.
    static std::optional<std::int64_t> ownTime(std::string_view message, PacketSequence& sequence);

    /// Stores an event and its counters and flows.
    void take(std::string_view message, PacketSequence& sequence, std::int64_t time, std::uint64_t offset);

private:
    /// Event of the old form, which is described by a phase of Chrome's JSON format (LegacyEvent).
    struct LegacyEvent {
        char phase = 0;
        std::optional<std::uint64_t> name;
        std::int64_t duration = 0; ///< In ns.
        std::string id; ///< Empty if not recorded.
        bool isLocalId = false;
        std::string_view scope;
        std::optional<std::uint64_t> bindId;
        bool bindsToEnclosing = false;
        std::uint32_t flowDirection = 0; ///< 1: into the event, 2: out of it, 3: both.
        std::uint32_t instantScope = 0; ///< 1: global, 2: process, 3: thread.
        std::int32_t pid = -1;
        std::int32_t tid = -1;
    };
    struct Event {
        std::uint32_t type = 0;
        std::optional<std::uint64_t> track;
        std::string categories;
        std::string_view name;
        std::optional<std::int64_t> integer; ///< Value of a counter.
        std::optional<double> real; ///< Value of a counter.
        std::vector<std::uint64_t> counterTracks;
        std::vector<std::int64_t> counterValues;
        std::vector<std::uint64_t> realCounterTracks;
        std::vector<double> realCounterValues;
        std::vector<std::uint64_t> flows;
        std::vector<std::uint64_t> endingFlows;
        std::optional<LegacyEvent> legacy;
        bool isSound = true;
    };
    /// Place of an asynchronous operation of the old form. Operations that reuse an id follow each other there.
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
    void addBoundFlow(const LegacyEvent& legacy, const TrackPosition& position, std::int64_t time);

    TrackEventWriter& m_writer;
    TrackTree& m_tree;
    DiagnosticLog& m_log;
    std::unordered_set<std::uint64_t> m_realCounters; ///< Tracks of counters with decimals.
    std::unordered_map<std::string, Operation> m_operations;
    std::string m_arguments; ///< Arguments of the current event; a member to reuse its memory.
};

} // namespace helio::perfetto
