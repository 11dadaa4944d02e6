#pragma once

#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// A note about a correlator's row: where the row comes from, and how it relates to a row of a trace.
struct RowNote {
    /// Relation of the correlator's row to its source row.
    enum class Source : std::uint8_t {
        Same, ///< The row shows the same data as the source row.
        Inside, ///< The row shows states that a guest recorded, completed with the times in which the guest had no CPU.
        Below, ///< The row adds detail to the source row. It is placed below the source row if both are in the same view.
        About, ///< The row shows another property of the source row, in another view; neither row replaces the other.
    };
    std::uint32_t trace = 0; ///< Index in the timeline of the trace to which the row's PID and TID belong.
    /// Index of the guest's trace if the row is of a virtual machine or a vCPU; -1 if unknown, not traced, or a row of another kind.
    std::int32_t inner = -1;
    TrackRef source{}; ///< The source row: a row of a trace; not valid if the row has no source.
    Source kind = Source::Same;
    std::string title{}; ///< Name of the row among its siblings, for example "vCPU 0 of web"; empty if the row's label is sufficient.
    std::string known{}; ///< Evidence that identifies the row, for example "hypercalls, kvm_exit"; empty if not known.

    static constexpr const char* ByHand = "by hand"; ///< Value of `known` if the user identified the row.
    bool isByHand() const { return known == ByHand; }
};

/// Encodes the note as a track without intervals, whose parent is `row`. Views do not show the track. It is written to the in-memory
/// store of the correlator that made `row`.
Track noteTrack(const RowNote& note, TrackId row, const std::string& rowKey);
/// Decodes a note from a track; nullopt if the track is not a note.
std::optional<RowNote> readNote(const Track& track);

} // namespace helio
