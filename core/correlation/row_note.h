#pragma once

#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

/// What a relation says of one of its rows beside its states.
struct RowNote {
    /// What the row is to its source.
    enum class Source : std::uint8_t {
        Same, ///< The same.
        Inside, ///< It shows what a guest recorded, who does not know when it had no CPU, with that.
        Below, ///< It says more of it, and stands below it where it is a row of its view.
        About, ///< It says something else of it, in another view: neither stands for the other.
    };
    std::uint32_t trace = 0; ///< Index in the timeline: the trace whose numbers (tid, pid) it has.
    std::int32_t inner = -1; ///< The trace of what runs inside of it, as of a machine's; -1: nothing, or nothing known.
    TrackRef source{}; ///< The row of a trace which it shows again in its own states, or stands below. Not valid: none.
    Source is = Source::Same;
    std::string title{}; ///< What it is called where it stands without those above it: "vCPU 0 of web". Empty: its label.
    std::string known{}; ///< How it is known what it is: "hypercalls, kvm_exit". Empty: nothing is to be said of that.

    static constexpr const char* ByHand = "by hand"; ///< `known` where a person says it.
    bool isByHand() const { return known == ByHand; }
};

/// An attribute of a row in a relation's own store, which is kept in memory only: a track that is never drawn and has no intervals.
Track noteTrack(const RowNote& note, TrackId row, const std::string& rowKey);
/// Nothing: the track is another attribute.
std::optional<RowNote> readNote(const Track& track);

} // namespace helio
