#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace helio::packets {

/// What is found of sightings while they are matched; they are named by their places. One thread; the sightings outlive it and stay in
/// their order.
class MatchedEnds {
public:
    explicit MatchedEnds(const std::vector<Sighting>& sightings);

    const Sighting& at(std::uint32_t place) const { return m_sightings[place]; }

    /// They belong together. `isPart`: one is a piece of the other.
    void match(std::uint32_t out, std::uint32_t in, bool isPart = false);
    bool isMatched(std::uint32_t place) const { return m_isMatched[place]; }
    /// It came in, and its bytes were seen to leave, whether or not it is clear with which packet.
    void setKnown(std::uint32_t place) { m_isKnown[place] = true; }
    bool isKnown(std::uint32_t place) const { return m_isKnown[place]; }

    /// Several are alike, so that nobody knows which is its other end.
    void setAmbiguous(std::uint32_t place) { m_isAmbiguous[place] = true; }
    bool isAmbiguous(std::uint32_t place) const { return m_isAmbiguous[place]; }

    /// A packet that its sender let go, or, of an arrival, that only came in.
    void addSent(std::uint32_t place) { m_sent.push_back(place); }
    /// All these sightings are of the packet that is added next.
    void areOfNextSent(std::span<const Sighting> sightings);

    struct Match {
        std::uint32_t out;
        std::uint32_t in;
        bool isPart;
    };
    const std::vector<Match>& matches() const { return m_matches; }
    /// Those of whole packets that left from one place on, up to another. Requires: both are where packets begin.
    std::span<const Match> wholeOnes(std::uint32_t begin, std::uint32_t end) const;
    const std::vector<std::uint32_t>& sent() const { return m_sent; }
    /// Its place in sent(); NoPacket: of none.
    std::uint32_t sentOf(std::uint32_t place) const { return m_sentOf[place]; }

    /// Ends without another one: those of TCP with bytes of the stream may have it in parts.
    void addLoose(std::uint32_t place) { m_loose.push_back(place); }
    const std::vector<std::uint32_t>& loose() const { return m_loose; }

    std::uint32_t placeOf(const Sighting& sighting) const { return static_cast<std::uint32_t>(&sighting - m_sightings.data()); }

private:
    const std::vector<Sighting>& m_sightings;
    std::vector<Match> m_matches; ///< Whole ones first.
    std::size_t m_whole = 0;
    std::vector<bool> m_isMatched; ///< By place.
    std::vector<bool> m_isKnown; ///< By place.
    std::vector<bool> m_isAmbiguous; ///< By place.
    std::vector<std::uint32_t> m_sent;
    std::vector<std::uint32_t> m_sentOf; ///< By place.
    std::vector<std::uint32_t> m_loose;
};

} // namespace helio::packets
