#pragma once

#include "core/store/track.h"

#include <compare>
#include <cstdint>
#include <functional>

namespace helio {

/// Index of a store in Timeline::stores.
enum class StoreIndex : std::uint32_t {};

/// A track of one of the timeline's stores. The reference stays valid when a new timeline is published.
struct TrackRef {
    StoreIndex store{};
    TrackId track = NoTrack;
    auto operator<=>(const TrackRef&) const = default;
    bool isValid() const { return track != NoTrack; }
};

struct TrackRefHash {
    std::size_t operator()(TrackRef ref) const
    {
        return std::hash<std::uint64_t>()(std::uint64_t(ref.store) << 32 | std::uint32_t(ref.track));
    }
};

} // namespace helio
