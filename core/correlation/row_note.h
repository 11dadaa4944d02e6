#pragma once

#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// A note about a correlator's row: its origin and its relation to a row of a trace.
struct RowNote {
    /// The relation of the row to its source row.
    enum class Source : std::uint8_t {
        Same, ///< The row shows what the source row shows.
        Inside, ///< The row shows what a guest recorded, completed with the times in which the guest had no CPU.
        Below, ///< The row adds detail to the source row, and stands below it if that is a row of the same view.
        About, ///< The row says something else about the source row, in another view; neither replaces the other.
    };
    std::uint32_t trace = 0; ///< Index in the timeline of the trace whose thread and process numbers the row has.
    /// Index of the trace that was recorded inside the row, for example in a virtual machine; -1 if there is none, or it is unknown.
    std::int32_t inner = -1;
    TrackRef source{}; ///< The trace's row that this row shows again with its own states, or stands below; not valid if there is none.
    Source is = Source::Same;
    std::string title{}; ///< Name of the row without the rows above it, for example "vCPU 0 of web"; empty if the row's label suffices.
    std::string known{}; ///< Evidence for what the row is, for example "hypercalls, kvm_exit"; empty if there is nothing to say.

    static constexpr const char* ByHand = "by hand"; ///< Value of `known` if the user said what the row is.
    bool isByHand() const { return known == ByHand; }
};

/// Writes the note as an attribute of the row: a track without intervals that is never drawn, in a correlator's store in memory.
Track noteTrack(const RowNote& note, TrackId row, const std::string& rowKey);
/// Reads a note; empty if the track is another attribute.
std::optional<RowNote> readNote(const Track& track);

} // namespace helio
