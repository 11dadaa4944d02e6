#include "core/correlators/packets/packet_matching.h"

#include "core/correlators/packets/interface_chains.h"
#include "core/correlators/packets/packet_parts.h"
#include "core/correlators/packets/sent_packets.h"
#include "core/correlators/packets/socket_threads.h"
#include "core/correlators/packets/translations.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

namespace helio::packets {
namespace {

/// Returns true if `a` comes before `b` in this order: by packet; within a packet from the sender to the receiver (more remaining hops
/// first); then by host and time.
bool isBefore(const PacketObservation& a, const PacketObservation& b)
{
    if (packetOf(a) != packetOf(b))
        return packetOf(a) < packetOf(b);
    return std::tuple(b.hops, a.host, a.time, !a.isOut, a.trace) < std::tuple(a.hops, b.host, b.time, !b.isOut, b.trace);
}

/// Sorts the observations in the order of isBefore(). First moves the observations of each flow together, without a second array, so that
/// sorting needs only half the comparisons.
void sortByPacket(std::vector<PacketObservation>& all, std::size_t flows)
{
    std::vector<std::size_t> ends(flows);
    for (const PacketObservation& it : all)
        ++ends[it.flow];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::size_t> next(flows);
    for (std::size_t flow = 1; flow < flows; ++flow)
        next[flow] = ends[flow - 1];
    for (std::size_t flow = 0, begin = 0; flow < flows; begin = ends[flow++]) {
        while (next[flow] < ends[flow])
            if (const std::uint32_t its = all[next[flow]].flow; its == flow)
                ++next[flow];
            else
                std::swap(all[next[flow]], all[next[its]++]);
        std::ranges::sort(all.begin() + std::ptrdiff_t(begin), all.begin() + std::ptrdiff_t(ends[flow]), isBefore);
    }
}

/// Returns the end of the run of equal observations that begins at `begin`.
template <typename IsSame> std::size_t endOf(std::span<const PacketObservation> all, std::size_t begin, const IsSame& isSame)
{
    std::size_t end = begin + 1;
    while (end < all.size() && isSame(all[begin], all[end]))
        ++end;
    return end;
}

/// Reduces the observations of each packet to its departure from and its arrival at each host (see joinInterfaces()). The observations must
/// be in the order of isBefore(), and stay in this order.
void keepEnds(PacketObservations& observations)
{
    std::vector<PacketObservation>& all = observations.all;
    std::vector<PacketObservation> ofPacket, ends;
    std::size_t kept = 0;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
        end = endOf(all, begin, [](const PacketObservation& a, const PacketObservation& b) { return packetOf(a) == packetOf(b); });
        ofPacket.assign(all.begin() + std::ptrdiff_t(begin), all.begin() + std::ptrdiff_t(end));
        std::ranges::sort(ofPacket, {},
                          [](const PacketObservation& it) { return std::tuple(it.host, it.time, -it.hops, !it.isOut, it.trace); });
        ends.clear();
        for (std::size_t first = 0, behind = 0; first < ofPacket.size(); first = behind) {
            behind = endOf(ofPacket, first, [](const PacketObservation& a, const PacketObservation& b) { return a.host == b.host; });
            joinInterfaces(std::span(ofPacket).subspan(first, behind - first), observations.flows.all()[ofPacket[first].flow], ends);
        }
        std::ranges::sort(ends, isBefore);
        std::ranges::copy(ends, all.begin() + std::ptrdiff_t(kept));
        kept += ends.size();
    }
    all.erase(all.begin() + std::ptrdiff_t(kept), all.end());
}

/// Matches the ends of packets, one packet or one group of identical packets at a time.
class Matching {
public:
    explicit Matching(MatchedEnds& ends)
        : m_ends(ends)
    {
    }

    /// Matches the departures and arrivals of one packet. Must be called for the packets in the order of their observations.
    void match(std::span<const PacketObservation> ends)
    {
        for (std::size_t begin = 0; begin < ends.size();) {
            const std::size_t end =
                endOf(ends, begin, [](const PacketObservation& a, const PacketObservation& b) { return a.hops == b.hops; });
            matchHop(ends.subspan(begin, end - begin), begin == 0);
            matchRouted();
            if (begin == 0)
                noteSent(ends);
            begin = end;
        }
        m_routedDeparture = nullptr;
    }

    /// Returns the packets without a recorded departure, each with all its observations. Some of them may be parts of packets whose
    /// departure was recorded.
    const std::vector<std::span<const PacketObservation>>& arrivals() const { return m_arrivals; }
    std::uint64_t ambiguous() const { return m_ambiguous; }

private:
    void matchHop(std::span<const PacketObservation> ends, bool isFirst)
    {
        m_out.clear();
        m_in.clear();
        m_leaving.clear();
        for (std::size_t begin = 0; begin < ends.size();) {
            const std::size_t end =
                endOf(ends, begin, [](const PacketObservation& a, const PacketObservation& b) { return a.host == b.host; });
            matchWithin(ends.subspan(begin, end - begin));
            if (isFirst)
                takeLeaving(ends.subspan(begin, end - begin));
            begin = end;
        }
        if (m_out.size() == 1 && m_in.size() == 1 && m_out[0]->host != m_in[0]->host)
            m_ends.match(m_ends.placeOf(*m_out[0]), m_ends.placeOf(*m_in[0]));
        else if (!matchBridged())
            noteUnmatched();
    }

    /// Matches a packet that was bridged by hosts between its sender and its receiver. Bridging keeps the number of remaining hops; the
    /// packet leaves each host on its way once and arrives at the next host. Returns false, and matches nothing, if no host forwarded the
    /// packet or if several routes through the hosts are possible.
    bool matchBridged()
    {
        constexpr std::size_t MostHosts = 8;
        const auto isOfOneHost = [](const auto& side) {
            return std::ranges::any_of(
                side, [&](const PacketObservation* it) { return std::ranges::count(side, it->host, &PacketObservation::host) > 1; });
        };
        if (m_out.size() != m_in.size() || m_out.size() > MostHosts || isOfOneHost(m_out) || isOfOneHost(m_in)
            || std::ranges::none_of(m_out, &PacketObservation::isPassedOn))
            return false;
        std::vector<const PacketObservation*> out = m_out, in = m_in;
        std::vector<std::pair<const PacketObservation*, const PacketObservation*>> pairs;
        for (std::size_t i = 0; i < out.size();) {
            const auto isOther = [&](const PacketObservation* it) { return it->host != out[i]->host; };
            if (std::ranges::count_if(in, isOther) != 1) {
                ++i;
                continue;
            }
            const auto its = std::ranges::find_if(in, isOther);
            pairs.emplace_back(out[i], *its);
            in.erase(its);
            out.erase(out.begin() + std::ptrdiff_t(i));
            i = 0;
        }
        if (!out.empty())
            return false;
        for (const auto& [from, to] : pairs)
            m_ends.match(m_ends.placeOf(*from), m_ends.placeOf(*to));
        return true;
    }

    void noteUnmatched()
    {
        const bool areAmbiguous = !m_out.empty() && !m_in.empty();
        m_ambiguous += areAmbiguous ? m_out.size() + m_in.size() : 0;
        for (const auto* side : {&m_out, &m_in})
            for (const PacketObservation* it : *side)
                if (areAmbiguous)
                    m_ends.setAmbiguous(m_ends.placeOf(*it));
                else
                    m_ends.addLoose(m_ends.placeOf(*it));
    }

    /// Matches a departure with an arrival that has fewer remaining hops, because routers that were not traced forwarded the packet.
    /// Matches only if there is a single unmatched departure and a single unmatched arrival.
    void matchRouted()
    {
        const auto isOne = [](const std::vector<const PacketObservation*>& side, const std::vector<const PacketObservation*>& other) {
            return side.size() == 1 && other.empty();
        };
        if (m_routedDeparture && isOne(m_in, m_out) && m_in[0]->host != m_routedDeparture->host)
            m_ends.match(m_ends.placeOf(*m_routedDeparture), m_ends.placeOf(*m_in[0]));
        if (!m_out.empty() || !m_in.empty())
            m_routedDeparture = isOne(m_out, m_in) && !m_routedDeparture ? m_out[0] : nullptr;
    }

    /// Matches a departure with an arrival on the same host. Collects the departures and arrivals without a match in m_out and m_in.
    void matchWithin(std::span<const PacketObservation> ends)
    {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].isOut && i + 1 < ends.size() && !ends[i + 1].isOut) {
                m_ends.match(m_ends.placeOf(ends[i]), m_ends.placeOf(ends[i + 1]));
                ++i;
            } else {
                (ends[i].isOut ? m_out : m_in).push_back(&ends[i]);
            }
        }
    }

    void takeLeaving(std::span<const PacketObservation> ends)
    {
        for (const PacketObservation& it : ends)
            if (it.isOut && !it.isPassedOn)
                m_leaving.push_back(m_ends.placeOf(it));
    }

    void noteSent(std::span<const PacketObservation> ends)
    {
        if (m_leaving.empty()) {
            m_arrivals.push_back(ends);
            return;
        }
        m_ends.assignToNextSent(ends);
        for (const std::uint32_t place : m_leaving)
            m_ends.addSent(place);
    }

    MatchedEnds& m_ends;
    std::vector<const PacketObservation*> m_out; ///< Departures without a matching arrival on their own host.
    std::vector<const PacketObservation*> m_in;
    /// The only unmatched departure of this packet with more remaining hops than the observations that are being matched; nullptr if there
    /// is no such departure, or several.
    const PacketObservation* m_routedDeparture = nullptr;
    /// Indices of the observations in which the current packet leaves its sender; observations of hosts that forward the packet are left
    /// out.
    std::vector<std::uint32_t> m_leaving;
    /// All observations of each packet without a recorded departure; one element for each packet.
    std::vector<std::span<const PacketObservation>> m_arrivals;
    std::uint64_t m_ambiguous = 0;
};

/// Matches TCP packets that were divided or combined on their way, so that the packet at an end is a part of the packet at the other end.
/// Processes one flow after another.
void matchAllParts(const PacketObservations& observations, MatchedEnds& ends, const std::stop_token& stop)
{
    const auto& loose = ends.loose();
    const auto flowOf = [&](std::uint32_t place) { return ends.at(place).flow; };
    for (std::size_t begin = 0; begin < loose.size() && !stop.stop_requested();) {
        const std::uint32_t flow = flowOf(loose[begin]);
        std::vector<std::uint32_t> places;
        for (; begin < loose.size() && flowOf(loose[begin]) == flow; ++begin)
            if (ends.at(loose[begin]).payload() > 0)
                places.push_back(loose[begin]);
        const FlowKey& key = observations.flows.all()[flow];
        const auto isOut = [&](std::uint32_t place) { return ends.at(place).isOut; };
        const auto leaving = std::ranges::count_if(places, isOut);
        if (key.version == 0 || Protocol(key.protocol) != Protocol::Tcp || leaving == 0 || leaving == std::ssize(places))
            continue;
        matchParts(std::ranges::equal_range(observations.all, flow, {}, &PacketObservation::flow), places, ends, stop);
    }
}

/// Drops observations without addresses if every trace with such observations also recorded whole headers in both directions, because the
/// observations are then duplicates.
void dropHeaderless(PacketObservations& observations)
{
    const auto& flows = observations.flows.all();
    const auto isBare = [&](const PacketObservation& it) { return flows[it.flow].version == 0; };
    // Bit mask by trace: 1 if whole headers of departures were recorded, 2 if whole headers of arrivals were.
    std::vector<int> known(observations.traces.size());
    std::vector<bool> hasBare(observations.traces.size());
    for (const PacketObservation& it : observations.all)
        if (isBare(it))
            hasBare[it.trace] = true;
        else
            known[it.trace] |= it.isOut ? 1 : 2;
    for (std::size_t trace = 0; trace < known.size(); ++trace)
        if (hasBare[trace] && known[trace] != 3)
            return;
    if (std::ranges::count(hasBare, true) > 0)
        std::erase_if(observations.all, isBare);
}

void addFlows(const PacketObservations& observations, const std::vector<std::uint32_t>& translated, Transmissions& messages)
{
    for (const FlowKey& key : observations.flows.all()) {
        messages.flows.push_back(textOf(key));
        if (isNamed(key))
            messages.flows.back().back = observations.flows.find(key.back());
    }
    for (std::size_t flow = 0; flow < translated.size(); ++flow)
        messages.flows[flow].translated = translated[flow];
    messages.counts.resize(messages.flows.size());
}

} // namespace

Transmissions matchPackets(PacketObservations observations, const std::function<std::uint32_t(std::uint32_t)>& hostOf,
                           const std::stop_token& stop)
{
    Transmissions messages;
    messages.kind = "packet";
    messages.plural = "packets";
    messages.observations = observations.events;
    messages.calls = std::move(observations.calls);
    for (PacketObservation& it : observations.all) {
        it.host = static_cast<std::uint16_t>(hostOf(it.trace));
        if (it.trace >= observations.traces.size())
            observations.traces.resize(it.trace + 1u);
    }
    observations.isLossy.resize(observations.traces.size());
    dropHeaderless(observations);
    const std::vector<std::uint32_t> translated = joinTranslated(observations, stop);
    sortByPacket(observations.all, observations.flows.all().size());
    keepEnds(observations);
    MatchedEnds ends(observations.all);
    Matching matching(ends);
    const std::span<const PacketObservation> all = observations.all;
    for (std::size_t begin = 0; begin < all.size() && !stop.stop_requested();) {
        const std::size_t end =
            endOf(all, begin, [](const PacketObservation& a, const PacketObservation& b) { return packetOf(a) == packetOf(b); });
        matching.match(all.subspan(begin, end - begin));
        begin = end;
    }
    matchAllParts(observations, ends, stop);
    findSocketFlows(observations, ends);
    addFlows(observations, translated, messages);
    for (const std::span<const PacketObservation> arrival : matching.arrivals())
        if (const std::uint32_t place = ends.placeOf(arrival.front()); !ends.isMatched(place) && !ends.isKnown(place)) {
            ends.assignToNextSent(arrival);
            ends.addSent(place);
        }
    messages.traces = std::move(observations.traces);
    for (const TracePacketCounts& it : messages.traces)
        messages.unnamed += it.unnamed;
    messages.ambiguous = matching.ambiguous();
    messages.unmatched =
        static_cast<std::uint64_t>(std::ranges::count_if(ends.loose(), [&](std::uint32_t place) { return !ends.isMatched(place); }));
    addSent(ends, observations.isLossy, messages, stop);
    findSocketThreads(messages);
    return messages;
}

} // namespace helio::packets
