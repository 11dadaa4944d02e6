#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/links/link_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Encodes blocks of links. Its scratch memory is reused for each block.
class LinkEncoder {
public:
    struct Encoded {
        LinkBlockEntry block; ///< Directory entry of the block; offset, hash and length are not set.
        std::span<const std::byte> bytes; ///< Encoded block. Valid until the next call of encode().
        std::span<const std::uint32_t> tracks; ///< Tracks at the ends of the links, ascending. Valid until the next call of encode().
    };

    /// Encodes a block. Requires: 1 to LinkBlockLinks links of one kind, in any order.
    Encoded encode(std::span<const Link> links);

private:
    LinkBlockEntry summed(std::span<const Link> links);
    void touch(TrackId track)
    {
        const std::size_t place = placeIndex(track);
        if (place >= m_places.size() || m_places[place] == 0)
            addTrack(track);
    }
    void addTrack(TrackId track);
    // NoTrack has index 0, track n has index n + 1.
    static std::size_t placeIndex(TrackId track) { return static_cast<std::uint32_t>(track) + 1u; }
    std::uint32_t& placeOf(TrackId track) { return m_places[placeIndex(track)]; }

    std::vector<std::uint32_t> m_tracks;
    /// For each track, 1 + its position in m_tracks; 0 if m_tracks does not have the track. Indexed by placeIndex().
    std::vector<std::uint32_t> m_places;
    std::array<std::byte, format::LinkBlockLinks * 8 * MaxNumberBytes> m_bytes;
};

} // namespace helio
