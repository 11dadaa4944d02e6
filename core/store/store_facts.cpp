#include "core/store/store_facts.h"

#include "core/store/time_limits.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace helio {

StateSetId FactsBuilder::stateSet(std::string_view id, std::span<const std::string_view> states)
{
    assert(states.size() <= 32);
    const auto it = std::find_if(m_stateSets.begin(), m_stateSets.end(), [id](const StateSet& set) { return set.id == id; });
    if (it != m_stateSets.end())
        return StateSetId(static_cast<std::uint8_t>(it - m_stateSets.begin()));
    assert(m_stateSets.size() < std::numeric_limits<std::uint8_t>::max());
    m_stateSets.push_back({std::string(id), {states.begin(), states.end()}});
    return StateSetId(static_cast<std::uint8_t>(m_stateSets.size() - 1));
}

TrackId FactsBuilder::addTrack(Track track)
{
    track.life = {};
    track.intervals = 0;
    m_tracks.push_back(std::move(track));
    return TrackId(static_cast<std::uint32_t>(m_tracks.size() - 1));
}

void FactsBuilder::addLoss(const Loss& loss)
{
    m_losses.push_back(loss);
    m_lostEvents += loss.events;
    m_lostPackets += loss.packets;
}

Link FactsBuilder::limited(Link link)
{
    link.fromTime = hostTime(limitedTime(link.fromTime));
    link.toTime = hostTime(limitedTime(link.toTime));
    return link;
}

StoreFacts FactsBuilder::commonFacts() const
{
    StoreFacts facts;
    facts.stateSets = m_stateSets;
    facts.tracks.assign(m_tracks.begin(), m_tracks.end());
    facts.strings = m_strings.pool();
    facts.checkpoints = m_checkpoints;
    facts.losses = m_losses;
    facts.density = m_density.buckets();
    return facts;
}

StoreFacts FactsBuilder::factsUntil(HostTimestamp until) const
{
    StoreFacts facts = commonFacts();
    facts.knownUntil = until;
    facts.summary.range = {std::min(m_begin, until), until};
    facts.summary.events = m_density.events();
    facts.summary.lostEvents = m_lostEvents;
    facts.summary.lostPackets = m_lostPackets;
    return facts;
}

StoreFacts FactsBuilder::finalFacts(StoreSummary summary) const
{
    StoreFacts facts = commonFacts();
    facts.isComplete = true;
    facts.knownUntil = summary.range.end;
    facts.summary = std::move(summary);
    return facts;
}

} // namespace helio
