#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace helio::packets {

/// Result of matching so far: which observations are matched, and with which others. Observations are identified by their indices in the
/// vector given to the constructor.
/// Ownership: that vector outlives this object and keeps its order.
/// Threads: used by one thread at a time.
class MatchedEnds {
public:
    explicit MatchedEnds(const std::vector<PacketObservation>& sightings);

    const PacketObservation& at(std::uint32_t place) const { return m_sightings[place]; }

    /// Records that an observation that goes out and one that comes in are of the same packet. `isPart`: one of them is a part of the
    /// other.
    void match(std::uint32_t out, std::uint32_t in, bool isPart = false);
    bool isMatched(std::uint32_t place) const { return m_isMatched[place]; }
    /// Records that the bytes of a packet that came in were seen to leave, even if it is not clear with which packet.
    void setKnown(std::uint32_t place) { m_isKnown[place] = true; }
    bool isKnown(std::uint32_t place) const { return m_isKnown[place]; }

    /// Records that several ends are alike, so that the other end is unknown.
    void setAmbiguous(std::uint32_t place) { m_isAmbiguous[place] = true; }
    bool isAmbiguous(std::uint32_t place) const { return m_isAmbiguous[place]; }

    /// Adds a packet at the observation where its sender sent it, or, if only its arrival was seen, where it came in.
    void addSent(std::uint32_t place) { m_sent.push_back(place); }
    /// Assigns all these observations to the packet that the next addSent() adds.
    void assignToNextSent(std::span<const PacketObservation> sightings);

    struct Match {
        std::uint32_t out;
        std::uint32_t in;
        bool isPart;
    };
    const std::vector<Match>& matches() const { return m_matches; }
    /// Matches of whole packets that left at the observations from `begin` to `end`. Requires: both are the first observation of a packet.
    std::span<const Match> wholeMatches(std::uint32_t begin, std::uint32_t end) const;
    const std::vector<std::uint32_t>& sent() const { return m_sent; }
    /// Index in sent() of the packet of an observation; NoPacket if there is none.
    std::uint32_t sentOf(std::uint32_t place) const { return m_sentOf[place]; }

    /// Adds an end without a whole match. For TCP packets with payload, its other end may be in parts.
    void addLoose(std::uint32_t place) { m_loose.push_back(place); }
    const std::vector<std::uint32_t>& loose() const { return m_loose; }

    std::uint32_t placeOf(const PacketObservation& observation) const
    {
        return static_cast<std::uint32_t>(&observation - m_sightings.data());
    }

private:
    const std::vector<PacketObservation>& m_sightings;
    std::vector<Match> m_matches; ///< Matches of whole packets first.
    std::size_t m_whole = 0;
    std::vector<bool> m_isMatched; ///< Indexed like the observations.
    std::vector<bool> m_isKnown; ///< Indexed like the observations.
    std::vector<bool> m_isAmbiguous; ///< Indexed like the observations.
    std::vector<std::uint32_t> m_sent;
    std::vector<std::uint32_t> m_sentOf; ///< Indexed like the observations.
    std::vector<std::uint32_t> m_loose;
};

} // namespace helio::packets
