#include "core/correlators/packets/translations.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace helio::packets {
namespace {

/// Evidence that two flows are one flow before and after an address translation: the packets that they share.
struct Evidence {
    std::uint32_t packets = 0;
    /// Number of shared packets that the host kept in the same buffer (skbaddr): it recorded them before and after the translation.
    std::uint32_t inSameMemory = 0;
    /// Order in which the shared packets have the two flows on their way. Positive: the first flow is nearer to the sender. Negative: the
    /// second flow is nearer to the sender. 0: unknown.
    std::int32_t order = 0;
};

/// Returns a hash of all fields that address translation does not change.
std::uint64_t contentOf(const PacketObservation& it, const FlowKey& flow)
{
    std::uint64_t hash = std::uint64_t(flow.version) << 8 | flow.protocol;
    for (const std::uint64_t word :
         {std::uint64_t(it.sequence) << 32 | it.acknowledgement, std::uint64_t(it.length) << 32 | std::uint32_t(it.flags) << 16 | it.id}) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

class Translations {
public:
    Translations(PacketObservations& observations, const std::stop_token& stop)
        : m_observations(observations)
        , m_stop(stop)
    {
        findAlike();
        addFlows();
    }

    /// Finds packets that a host forwards from one of its interfaces to another.
    void findOnHosts()
    {
        for (const std::span<const std::uint32_t> alike : m_alike)
            for (std::size_t begin = 0, end = 0; begin < alike.size() && !m_stop.stop_requested(); begin = end) {
                for (end = begin + 1; end < alike.size() && at(alike[end]).host == at(alike[begin]).host;)
                    ++end;
                comparePassedOn(alike.subspan(begin, end - begin));
            }
        decide();
    }

    void findBetweenHosts()
    {
        m_common.clear();
        for (const std::span<const std::uint32_t> alike : m_alike)
            if (isTcp(at(alike.front()).flow) && !m_stop.stop_requested())
                compareHosts(alike);
        decide();
    }

    std::vector<std::uint32_t> apply()
    {
        for (PacketObservation& it : m_observations.all)
            it.flow = flowOfOpener(it.flow);
        std::vector<std::uint32_t> next(m_beforeTranslation.size(), NoFlow);
        for (std::uint32_t flow = 0; flow < m_beforeTranslation.size(); ++flow)
            if (m_beforeTranslation[flow] != flow)
                next[m_beforeTranslation[flow]] = flow;
        return next;
    }

private:
    const PacketObservation& at(std::uint32_t place) const { return m_observations.all[place]; }
    const FlowKey& keyOf(std::uint32_t flow) const { return m_observations.flows.all()[flow]; }
    bool isTcp(std::uint32_t flow) const { return Protocol(keyOf(flow).protocol) == Protocol::Tcp; }
    std::uint32_t backOf(std::uint32_t flow) const { return m_observations.flows.find(keyOf(flow).back()); }

    /// Returns the flow as the connection's opener sees it.
    std::uint32_t flowOfOpener(std::uint32_t flow) const
    {
        while (m_beforeTranslation[flow] != flow)
            flow = m_beforeTranslation[flow];
        return flow;
    }

    /// Groups the observations with recorded addresses by contentOf(), i.e. by the fields that address translation keeps. Keeps only groups
    /// with several flows, because only these can show a translation. Sorts each group by host and time.
    void findAlike()
    {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
        for (std::uint32_t place = 0; place < m_observations.all.size(); ++place)
            if (const FlowKey& key = keyOf(at(place).flow); key.version != 0)
                all.emplace_back(contentOf(at(place), key), place);
        std::ranges::sort(all);
        std::vector<std::size_t> begins;
        for (std::size_t begin = 0, end = 0; begin < all.size() && !m_stop.stop_requested(); begin = end) {
            bool areSeveral = false;
            for (end = begin + 1; end < all.size() && all[end].first == all[begin].first; ++end)
                areSeveral = areSeveral || at(all[end].second).flow != at(all[begin].second).flow;
            if (!areSeveral)
                continue;
            begins.push_back(m_places.size());
            for (std::size_t i = begin; i < end; ++i)
                m_places.push_back(all[i].second);
        }
        begins.push_back(m_places.size());
        for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
            const auto alike = std::span(m_places).subspan(begins[i], begins[i + 1] - begins[i]);
            std::ranges::sort(alike, {}, [&](std::uint32_t place) { return std::tuple(at(place).host, at(place).time, place); });
            m_alike.push_back(alike);
        }
    }

    /// Adds the opposite direction of each flow, because either both directions are translated or neither is.
    void addFlows()
    {
        for (const std::uint32_t place : m_places) {
            const PacketObservation& it = at(place);
            m_observations.flows.idOf(FlowKey(keyOf(it.flow)).back());
            if (isTcp(it.flow) && it.has(TcpFlag::Syn) && !it.has(TcpFlag::Acknowledge))
                m_opened.insert(it.flow);
            HostTimestamp& first = m_firstSeen.try_emplace({it.host, it.flow}, it.time).first->second;
            first = std::min(first, it.time);
        }
        m_beforeTranslation.resize(m_observations.flows.all().size());
        std::iota(m_beforeTranslation.begin(), m_beforeTranslation.end(), 0u);
    }

    /// Counts a packet that was seen with the flows `from` and `to`, as evidence that they are one flow before and after a translation.
    /// `order`: 1 if the packet had the flow `from` first, -1 if it had `to` first, 0 if unknown. The packet is also evidence for the
    /// opposite flows. Packets in the opposite direction have these in reverse order: the opposite of `to`, then the opposite of `from`.
    void addEvidence(std::uint32_t from, std::uint32_t to, std::uint16_t host, bool isSameMemory, std::int32_t order)
    {
        for (const auto& [a, b, sign] : {std::tuple(from, to, 1), std::tuple(to, from, -1), std::tuple(backOf(from), backOf(to), -1),
                                         std::tuple(backOf(to), backOf(from), 1)}) {
            Evidence& it = m_common[{host, a}][b];
            ++it.packets;
            it.inSameMemory += isSameMemory ? 1 : 0;
            it.order += sign * order;
        }
    }

    /// Counts packets that a host received with one flow and forwarded with another flow, as evidence of an address translation. `alike`:
    /// observations with equal content on that host, in time order.
    void comparePassedOn(std::span<const std::uint32_t> alike)
    {
        const bool isTcpPacket = isTcp(at(alike.front()).flow);
        for (std::size_t i = 1; i < alike.size(); ++i) {
            const PacketObservation& last = at(alike[i - 1]);
            const PacketObservation& next = at(alike[i]);
            const bool isNear = next.time - last.time < LongestStep, isRouted = next.hops + 1 == last.hops;
            const bool isSame = last.buffer != 0 && last.buffer == next.buffer && last.trace == next.trace;
            const bool isForwarded =
                !last.isOut && next.isOut && next.hops <= last.hops && isNear && (isTcpPacket ? isSame || isRouted : isSame && isRouted);
            if (isForwarded && last.flow != next.flow && next.flow != backOf(last.flow))
                addEvidence(last.flow, next.flow, last.host, isSame, 1);
        }
    }

    /// Counts packets that have one flow on some hosts and another flow on other hosts, as evidence of an address translation. Packets that
    /// have a third flow on some host are ignored.
    void compareHosts(std::span<const std::uint32_t> alike)
    {
        const PacketObservation* first = &at(alike.front());
        const PacketObservation* other = nullptr;
        std::set<std::uint16_t> hosts, othersHosts;
        const std::uint32_t flow = flowOfOpener(first->flow);
        for (const std::uint32_t place : alike) {
            const PacketObservation& it = at(place);
            const bool isFirst = flowOfOpener(it.flow) == flow;
            if (!isFirst && (flowOfOpener(it.flow) == backOf(flow) || (other && flowOfOpener(it.flow) != flowOfOpener(other->flow))))
                return;
            (isFirst ? hosts : othersHosts).insert(it.host);
            const PacketObservation*& nearest = isFirst ? first : other;
            if (!nearest || isNearer(it, *nearest))
                nearest = &it;
        }
        if (!other || std::ranges::any_of(hosts, [&](std::uint16_t host) { return othersHosts.contains(host); }))
            return;
        addEvidence(flow, flowOfOpener(other->flow), 0, false, isNearer(*first, *other) ? 1 : isNearer(*other, *first) ? -1 : 0);
    }

    /// Returns true if observation `a` is nearer to the sender than `b`, which is an observation of the same packet on another host.
    static bool isNearer(const PacketObservation& a, const PacketObservation& b)
    {
        return std::pair(a.hops, a.isOut) > std::pair(b.hops, b.isOut);
    }

    /// True if the evidence is enough to treat the two flows as one: three shared packets, or two shared packets that stayed in their
    /// kernel buffers. If both flows have the same sender or the same receiver, one packet that stayed in its buffer is enough, because a
    /// connection may consist of a single datagram.
    bool isEnough(std::uint32_t flow, std::uint32_t other, const Evidence& it) const
    {
        const FlowKey &a = keyOf(flow), &b = keyOf(other);
        const bool keepsAnEnd = (a.from == b.from && a.fromPort == b.fromPort) || (a.to == b.to && a.toPort == b.toPort);
        return it.packets >= 3 || it.inSameMemory >= (keepsAnEnd ? 1u : 2u);
    }

    void decide()
    {
        for (const auto& [flow, partners] : m_common) {
            const auto& [other, evidence] = *partners.begin();
            const auto back = m_common.find({flow.first, other});
            if (partners.size() == 1 && back != m_common.end() && back->second.size() == 1 && flow.second < other
                && isEnough(flow.second, other, evidence))
                join(flow.second, other, evidence.order, flow.first);
        }
    }

    /// Returns true if the sender of the flow opened the connection. `near` and `far`: the flow as its sender and its receiver see it.
    /// `host`: the host that translates the flow.
    bool isOfOpener(std::uint32_t near, std::uint32_t far, std::uint16_t host) const
    {
        const auto isOpened = [&](std::uint32_t a, std::uint32_t b) { return m_opened.contains(a) || m_opened.contains(b); };
        const bool isThere = isOpened(near, far);
        if (isThere || isOpened(backOf(near), backOf(far)))
            return isThere;
        // Compare the port of the sender before all translations with the port of the receiver after all translations: the ports that the
        // two programs use show which of them opened the connection.
        const std::uint16_t from = keyOf(near).fromPort, to = keyOf(far).toPort;
        const auto first = [&](std::uint32_t a, std::uint32_t b) {
            const auto timeOf = [&](std::uint32_t flow) {
                const auto found = m_firstSeen.find({host, flow});
                return found == m_firstSeen.end() ? HostTimestamp::max() : found->second;
            };
            return std::min(timeOf(a), timeOf(b));
        };
        return isOpenerByPorts(from, to).value_or(isTcp(near) ? from >= to : first(near, far) <= first(backOf(near), backOf(far)));
    }

    /// Records that address translation turns one of the two flows into the other. `order` says which flow is nearer to the sender: `flow`
    /// if it is positive, `other` if it is negative; 0 if unknown. `host` is the host that sees both flows.
    void join(std::uint32_t flow, std::uint32_t other, std::int32_t order, std::uint16_t host)
    {
        const bool isForward = order >= 0 ? isOfOpener(flow, other, host) : isOfOpener(other, flow, host);
        if ((order >= 0) != isForward)
            std::swap(flow, other);
        setNearer(other, flow);
        setNearer(backOf(other), backOf(flow));
    }

    void setNearer(std::uint32_t flow, std::uint32_t nearer)
    {
        if (m_beforeTranslation[flow] == flow && flowOfOpener(nearer) != flow)
            m_beforeTranslation[flow] = nearer;
    }

    PacketObservations& m_observations;
    const std::stop_token& m_stop;
    std::vector<std::uint32_t> m_places; ///< Indices in m_observations.all of the observations in m_alike, ordered by contentOf().
    /// Groups of observations with equal content: parts of m_places, each sorted by host and time.
    std::vector<std::span<const std::uint32_t>> m_alike;
    /// For each flow: the flow before its last address translation, which is one step nearer to the connection's opener; the flow itself if
    /// it is not translated. Indexed by flow.
    std::vector<std::uint32_t> m_beforeTranslation;
    std::set<std::uint32_t> m_opened; ///< Flows whose first handshake packet was seen.
    /// Time of a flow's first packet on a host, keyed by host and flow.
    std::map<std::pair<std::uint16_t, std::uint32_t>, HostTimestamp> m_firstSeen;
    /// Evidence that two flows are one flow before and after a translation. Keyed by host and first flow, then by second flow. The host saw
    /// both flows; the key has host 0 if the flows were seen on different hosts.
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::map<std::uint32_t, Evidence>> m_common;
};

} // namespace

std::vector<std::uint32_t> joinTranslated(PacketObservations& observations, const std::stop_token& stop)
{
    Translations translations(observations, stop);
    translations.findOnHosts();
    translations.findBetweenHosts();
    return translations.apply();
}

} // namespace helio::packets
