#include "core/correlators/packets/matched_ends.h"

#include <algorithm>

namespace helio::packets {

MatchedEnds::MatchedEnds(const std::vector<PacketObservation>& observations)
    : m_observations(observations)
    , m_isMatched(observations.size())
    , m_isKnown(observations.size())
    , m_isAmbiguous(observations.size())
    , m_sentOf(observations.size(), NoPacket)
{
}

void MatchedEnds::match(std::uint32_t out, std::uint32_t in, bool isPart)
{
    m_matches.push_back({out, in, isPart});
    m_isMatched[out] = m_isMatched[in] = true;
    m_whole += isPart ? 0 : 1;
}

std::span<const MatchedEnds::Match> MatchedEnds::wholeMatches(std::uint32_t begin, std::uint32_t end) const
{
    const auto whole = std::span(m_matches).first(m_whole);
    const auto firstFrom = [&](std::uint32_t place) {
        return std::partition_point(whole.begin(), whole.end(), [place](const Match& it) { return it.out < place; });
    };
    return {firstFrom(begin), firstFrom(end)};
}

void MatchedEnds::assignToNextSent(std::span<const PacketObservation> observations)
{
    for (const PacketObservation& it : observations)
        m_sentOf[placeOf(it)] = static_cast<std::uint32_t>(m_sent.size());
}

} // namespace helio::packets
