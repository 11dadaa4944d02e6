#include "core/store/assembly/store_facts.h"

#include "core/store/time_limits.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace helio {

std::span<const TrackId> StoreBase::childrenOf(TrackId track) const
{
    const auto index = static_cast<std::size_t>(track);
    if (index >= m_facts.tracks.size())
        return {};
    std::call_once(m_hasChildren, [this] { findChildren(); });
    return std::span(m_children).subspan(m_firstChild[index], m_firstChild[index + 1] - m_firstChild[index]);
}

void StoreBase::findChildren() const
{
    const auto& tracks = m_facts.tracks;
    m_firstChild.assign(tracks.size() + 1, 0);
    const auto forEachChild = [&](const auto& visit) {
        for (std::size_t i = 0; i < tracks.size(); ++i)
            if (const auto parent = static_cast<std::size_t>(tracks[i].parent); parent < tracks.size())
                visit(parent, TrackId{static_cast<std::uint32_t>(i)});
    };
    forEachChild([&](std::size_t parent, TrackId) { ++m_firstChild[parent + 1]; });
    std::partial_sum(m_firstChild.begin(), m_firstChild.end(), m_firstChild.begin());
    m_children.resize(m_firstChild.back());
    std::vector<std::uint32_t> next = m_firstChild;
    forEachChild([&](std::size_t parent, TrackId child) { m_children[next[parent]++] = child; });
}

namespace {

std::uint64_t numbered(TrackRole role, std::int32_t number) { return std::uint64_t(role) << 32 | static_cast<std::uint32_t>(number); }

} // namespace

std::span<const TrackId> StoreBase::tracksOf(TrackRole role, std::int32_t number) const
{
    std::call_once(m_hasNumbers, [this] { findNumbers(); });
    const auto [first, last] = std::ranges::equal_range(m_numbers, numbered(role, number));
    return std::span(m_numbered).subspan(static_cast<std::size_t>(first - m_numbers.begin()), static_cast<std::size_t>(last - first));
}

void StoreBase::findNumbers() const
{
    const auto numberOf = [](const Track& track) { return track.tid >= 0 ? track.tid : track.cpu; };
    const auto keyOf = [&](TrackId id) {
        const Track& track = m_facts.tracks[static_cast<std::size_t>(id)];
        return numbered(track.role, numberOf(track));
    };
    for (std::uint32_t i = 0; i < m_facts.tracks.size(); ++i)
        if (numberOf(m_facts.tracks[i]) >= 0)
            m_numbered.push_back(TrackId{i});
    std::ranges::stable_sort(m_numbered, {}, keyOf);
    m_numbers.reserve(m_numbered.size());
    for (const TrackId id : m_numbered)
        m_numbers.push_back(keyOf(id));
}

Result<StateSetId> StoreBuilderBase::stateSet(const StateSet& set)
{
    const auto refused = [&set](const std::string& why) { return Error{Error::Kind::Unsupported, "states \"" + set.id + "\": " + why}; };
    if (set.states.size() > MostStates)
        return refused(std::to_string(set.states.size()) + ", but a track has at most " + std::to_string(MostStates));
    const auto it = std::ranges::find(m_stateSets, set.id, &StateSet::id);
    if (it != m_stateSets.end())
        return StateSetId(static_cast<std::uint8_t>(it - m_stateSets.begin()));
    if (m_stateSets.size() == std::numeric_limits<std::uint8_t>::max())
        return refused("too many kinds of states for one store");
    m_stateSets.push_back(set);
    return StateSetId(static_cast<std::uint8_t>(m_stateSets.size() - 1));
}

Result<State> StoreBuilderBase::addState(StateSetId id, const StateKind& state)
{
    StateSet& set = m_stateSets[static_cast<std::size_t>(id)];
    if (set.states.size() == MostStates)
        return Error{Error::Kind::Unsupported, "states \"" + set.id + "\": a track has at most " + std::to_string(MostStates)};
    set.states.push_back(state);
    return State(static_cast<std::uint8_t>(set.states.size() - 1));
}

Result<LinkKind> StoreBuilderBase::linkKind(const LinkKindInfo& info, LinkKind known)
{
    if (info.id.empty())
        return Error{Error::Kind::Unsupported, "a kind of links has no id"};
    auto place = static_cast<std::size_t>(known);
    if (known == LinkKind::FirstOwn) {
        m_linkKinds.resize(std::max(m_linkKinds.size(), place));
        const auto it = std::ranges::find(m_linkKinds, info.id, &LinkKindInfo::id);
        place = static_cast<std::size_t>(it - m_linkKinds.begin());
    }
    if (place >= MostLinkKinds)
        return Error{Error::Kind::Unsupported,
                     "links \"" + info.id + "\": a store holds at most this many kinds: " + std::to_string(MostLinkKinds)};
    m_linkKinds.resize(std::max(m_linkKinds.size(), place + 1));
    m_linkKinds[place] = info;
    return LinkKind{static_cast<std::uint8_t>(place)};
}

TrackId StoreBuilderBase::addTrack(Track track)
{
    track.life = {};
    track.intervals = 0;
    m_recorder.addTrack();
    m_tracks.push_back(std::move(track));
    return TrackId(static_cast<std::uint32_t>(m_tracks.size() - 1));
}

Result<std::uint32_t> StoreBuilderBase::numberOf(std::uint64_t bits)
{
    if (const auto value = m_numbers.intern(bits))
        return *value;
    return Error{Error::Kind::Unsupported, "a store holds at most this many different numbers: " + std::to_string(MostNumbers)};
}

std::vector<Boundary> StoreBuilderBase::boundariesUntil(HostTimestamp until, std::size_t track) const
{
    const auto row = m_recorder[track].all();
    std::vector<Boundary> all(row.begin(), row.end());
    const std::int64_t end = limitedTime(until);
    if (all.back().key != GapKey && all.back().begin < end)
        all.push_back({end, GapKey});
    return all;
}

void StateSink::putInFullRow(HostTimestamp at, TrackId track, std::uint64_t key)
{
    makeRoom(static_cast<std::uint32_t>(track), m_recorder[static_cast<std::size_t>(track)]);
    m_recorder.put(at, track, key);
}

void StateSink::putNewIntervalInFullRow(HostTimestamp at, TrackId track, std::uint64_t key)
{
    makeRoom(static_cast<std::uint32_t>(track), m_recorder[static_cast<std::size_t>(track)]);
    m_recorder.putNewInterval(at, track, key);
}

void StoreBuilderBase::endAll(HostTimestamp at)
{
    for (std::uint32_t track = 0; track < m_recorder.size(); ++track)
        end(at, TrackId{track});
}

void StoreBuilderBase::addLoss(const Loss& loss)
{
    m_losses.push_back(loss);
    m_lostEvents += loss.events;
    m_lostPackets += loss.packets;
}

Link StoreBuilderBase::limited(Link link)
{
    link.fromTime = hostTime(limitedTime(link.fromTime));
    link.toTime = hostTime(limitedTime(link.toTime));
    return link;
}

StoreFacts StoreBuilderBase::commonFacts() const
{
    StoreFacts facts;
    facts.stateSets = m_stateSets;
    facts.linkKinds = m_linkKinds;
    facts.tracks.assign(m_tracks.begin(), m_tracks.end());
    facts.strings = m_strings.pool();
    facts.numbers = m_numbers.pool();
    facts.checkpoints = m_checkpoints;
    facts.losses = m_losses;
    facts.density = m_density.buckets();
    facts.stacks = m_stacks.picture();
    facts.modules = m_modules.all();
    facts.samples = m_samples.picture(m_stacks.nodes());
    return facts;
}

StoreFacts StoreBuilderBase::factsUntil(HostTimestamp until) const
{
    StoreFacts facts = commonFacts();
    facts.knownUntil = until;
    facts.summary.range = {std::min(m_begin, until), until};
    facts.summary.events = m_density.events();
    facts.summary.lostEvents = m_lostEvents;
    facts.summary.lostPackets = m_lostPackets;
    return facts;
}

StoreFacts StoreBuilderBase::finalFacts(StoreSummary summary) const
{
    StoreFacts facts = commonFacts();
    facts.isComplete = true;
    facts.knownUntil = summary.range.end;
    facts.summary = std::move(summary);
    return facts;
}

} // namespace helio
