#pragma once

#include "core/correlators/packets/packet_reading.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace helio::packets {

/// The state of the packet matching: matched pairs of observations, ambiguous observations, and sent packets. Observations are identified
/// by their indices in the vector given to the constructor.
/// Ownership: the caller keeps that vector alive and unchanged.
/// Threads: used by one thread at a time.
class MatchedEnds {
public:
    explicit MatchedEnds(const std::vector<PacketObservation>& observations);

    const PacketObservation& at(std::uint32_t place) const { return m_observations[place]; }

    /// Records that the departure `out` and the arrival `in` are of the same packet. `isPart`: true if one of them is a part of the other.
    void match(std::uint32_t out, std::uint32_t in, bool isPart = false);
    bool isMatched(std::uint32_t place) const { return m_isMatched[place]; }
    /// Records that at least one recorded departure contains the bytes of the arrival `place`. If several departures contain these bytes,
    /// it is unknown which of them belongs to the arrival.
    void setDepartureSeen(std::uint32_t place) { m_isKnown[place] = true; }
    bool isKnown(std::uint32_t place) const { return m_isKnown[place]; }

    /// Marks the departure or arrival `place` as ambiguous: several observations with equal fields could be the opposite end of its packet.
    void setAmbiguous(std::uint32_t place) { m_isAmbiguous[place] = true; }
    bool isAmbiguous(std::uint32_t place) const { return m_isAmbiguous[place]; }

    /// Adds a packet to sent(). `place`: index of the observation of the packet's departure, or of its arrival if the departure was not
    /// recorded.
    void addSent(std::uint32_t place) { m_sent.push_back(place); }
    /// Assigns the observations to the packet that the next call of addSent() adds.
    void assignToNextSent(std::span<const PacketObservation> observations);

    struct Match {
        std::uint32_t out;
        std::uint32_t in;
        bool isPart;
    };
    const std::vector<Match>& matches() const { return m_matches; }
    /// Returns the matches of whole packets whose departures have the indices `begin` to `end` (exclusive). Requires: matches were added in
    /// the order of their departures.
    std::span<const Match> wholeMatches(std::uint32_t begin, std::uint32_t end) const;
    const std::vector<std::uint32_t>& sent() const { return m_sent; }
    /// Returns the index in sent() of an observation's packet; NoPacket if the observation has none.
    std::uint32_t sentOf(std::uint32_t place) const { return m_sentOf[place]; }

    /// Adds the departure or arrival `place`, for which no observation of the opposite end was found. If it is a TCP packet with payload,
    /// matchPackets() compares parts of packets next, because the packet may have been split or merged on its way.
    void addLoose(std::uint32_t place) { m_loose.push_back(place); }
    const std::vector<std::uint32_t>& loose() const { return m_loose; }

    std::uint32_t placeOf(const PacketObservation& observation) const
    {
        return static_cast<std::uint32_t>(&observation - m_observations.data());
    }

private:
    const std::vector<PacketObservation>& m_observations;
    std::vector<Match> m_matches; ///< All matches so far; the matches of whole packets come first.
    std::size_t m_whole = 0;
    std::vector<bool> m_isMatched; ///< True if the observation is matched; indexed by observation.
    /// True for an arrival whose bytes a recorded departure contains (setDepartureSeen()); indexed by observation.
    std::vector<bool> m_isKnown;
    /// True if several observations could be the opposite end of the packet (setAmbiguous()); indexed by observation.
    std::vector<bool> m_isAmbiguous;
    std::vector<std::uint32_t> m_sent;
    std::vector<std::uint32_t> m_sentOf; ///< Index in m_sent of the observation's packet; NoPacket if it has none. Indexed by observation.
    std::vector<std::uint32_t> m_loose;
};

} // namespace helio::packets
