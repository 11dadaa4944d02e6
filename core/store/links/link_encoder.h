#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/links/link_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Writes blocks of links. Keeps its scratch memory from one to the next.
class LinkEncoder {
public:
    struct Encoded {
        LinkBlockEntry block; ///< All but its place and hash.
        std::span<const std::byte> bytes; ///< Until the next call.
        std::span<const std::uint32_t> tracks; ///< Those it touches, ascending. Until the next call.
    };

    /// Requires: 1 to LinkBlockLinks links, in any order, all of one kind.
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
    static std::size_t placeIndex(TrackId track) { return static_cast<std::uint32_t>(track) + 1u; } // NoTrack's is the first
    std::uint32_t& placeOf(TrackId track) { return m_places[placeIndex(track)]; }

    std::vector<std::uint32_t> m_tracks;
    std::vector<std::uint32_t> m_places; ///< By track + 1: in m_tracks + 1; 0: not in it.
    std::array<std::byte, format::LinkBlockLinks * 8 * MaxNumberBytes> m_bytes;
};

} // namespace helio
