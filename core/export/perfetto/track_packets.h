#pragma once

#include "core/export/perfetto/packet_writer.h"
#include "core/export/recording/recording_walk.h"
#include "core/export/recording/slice_lanes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace helio {

/// Writes processes, threads, slices, counters and states of rows as tracks with track events.
class TrackPackets {
public:
    /// Ownership: `walk` and `writer` must outlive the object. `sequences` has a sequence for each host.
    TrackPackets(const RecordingWalk& walk, PacketWriter& writer, std::vector<PacketSequence>& sequences);

    /// Writes the names of all processes and threads.
    void writeThings();
    void add(const WalkedSlice& slice);
    void add(const WalkedPoint& point);
    void add(const WalkedState& state);
    /// Writes the ends of all slices that end before `end`.
    void flush(std::int64_t end);

private:
    /// Names and texts that the sequence of a host refers to by numbers.
    struct HostTexts {
        InternedTexts names{perfetto_field::EventNames};
        InternedTexts categories{perfetto_field::EventCategories};
        InternedTexts annotations{perfetto_field::AnnotationNames};
    };
    /// Tracks to which the slices of a track or the states of a row are written.
    struct Place {
        std::uint32_t host = 0;
        std::uint64_t parent = 0; ///< uuid of the track of the thread or process; 0 for none.
        std::string name;
        std::vector<std::uint64_t> lanes{}; ///< uuid of each lane.
        /// Flows that end with each open slice of each lane, the outermost slice first.
        std::vector<std::vector<std::vector<std::uint64_t>>> flowsAtEnds{};
        SliceLanes open{};
    };

    void writeProcessTree(std::uint32_t host);
    std::uint64_t trackOfProcess(std::int64_t upid);
    std::uint64_t trackOfThread(std::int64_t utid);
    std::uint64_t parentOf(const WalkedTrack& track);
    Place& placeOfTrack(std::size_t track);
    Place& placeOfRow(std::size_t row);
    std::uint64_t laneOf(Place& place, std::size_t lane);
    std::uint64_t open(Place& place, std::int64_t ts, std::optional<std::int64_t> end, std::int64_t depth,
                       std::vector<std::uint64_t> flowsAtEnd);
    void writeEnd(Place& place, std::size_t lane, std::int64_t time);
    template <typename Fields>
    void writeEvent(std::uint32_t host, std::int64_t time, std::uint64_t track, std::uint32_t type, const Fields& fields);
    void appendName(std::uint32_t host, protozero::pbf_writer& event, const std::string& name, std::string& interned);
    void appendArgument(std::uint32_t host, std::string& event, const WalkedArgument& argument, std::string& interned);

    const RecordingWalk& m_walk;
    PacketWriter& m_writer;
    std::vector<PacketSequence>& m_sequences;
    std::vector<HostTexts> m_texts;
    std::map<std::size_t, Place> m_places; ///< Places by index of the track, or of the row if a view is exported.
    std::unordered_map<std::int64_t, std::uint64_t> m_threadTracks; ///< uuids of the tracks of threads, by utid.
    std::unordered_map<std::int64_t, std::uint64_t> m_processTracks; ///< uuids of the tracks of processes, by upid.
    std::unordered_map<std::size_t, std::uint64_t> m_counters; ///< uuids of counters, by index of the track.
    std::unordered_set<std::uint64_t> m_leftFlows; ///< Flows whose begin is written, but not their end.
    std::uint64_t m_nextUuid = 1;
};

} // namespace helio
