#include "core/relations/packets/packet_matching.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <span>
#include <tuple>

namespace helio::packets {
namespace {

auto keyOf(const Sighting& it) { return std::tie(it.flow, it.sequence, it.acknowledgement, it.length, it.flags, it.id, it.hops); }

/// Ends of one packet, or of several that are alike.
class Ends {
public:
    Ends(std::vector<Transmission>& messages, const std::function<std::uint32_t(std::uint32_t)>& hostOf)
        : m_messages(messages)
        , m_hostOf(hostOf)
    {
    }

    /// In the order of hosts, and of time there.
    void match(std::span<const Sighting> ends)
    {
        m_out.clear();
        m_in.clear();
        for (std::size_t begin = 0; begin < ends.size();) {
            const std::uint32_t host = m_hostOf(ends[begin].trace);
            std::size_t end = begin;
            while (end < ends.size() && m_hostOf(ends[end].trace) == host)
                ++end;
            matchWithin(ends.subspan(begin, end - begin));
            noteSent(ends.subspan(begin, end - begin));
            begin = end;
        }
        if (!ends.empty() && std::ranges::none_of(ends, &Sighting::isOut))
            m_sent.push_back(&ends.front()); // Its way out was not recorded.
        if (m_out.size() == 1 && m_in.size() == 1 && m_hostOf(m_out[0]->trace) != m_hostOf(m_in[0]->trace))
            add(*m_out[0], *m_in[0]);
        else if (m_out.empty() || m_in.empty())
            m_unmatched += m_out.size() + m_in.size();
        else
            m_ambiguous += m_out.size() + m_in.size();
    }

    /// Each packet as it first went out, or where that was not recorded, came in.
    std::vector<const Sighting*> takeSent() { return std::move(m_sent); }
    std::uint64_t unmatched() const { return m_unmatched; }
    std::uint64_t ambiguous() const { return m_ambiguous; }

private:
    /// Leaves those that have no other end on the host.
    void matchWithin(std::span<const Sighting> ends)
    {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].isOut && i + 1 < ends.size() && !ends[i + 1].isOut) {
                add(ends[i], ends[i + 1]);
                ++i;
            } else {
                (ends[i].isOut ? m_out : m_in).push_back(&ends[i]);
            }
        }
    }

    /// What a host passes on from one of its interfaces to the next, or has got from another, is not sent anew.
    void noteSent(std::span<const Sighting> ends)
    {
        if (!ends.front().isOut)
            return;
        for (std::size_t i = 0; i < ends.size(); ++i)
            if (ends[i].isOut && (i == 0 || ends[i - 1].isOut))
                m_sent.push_back(&ends[i]);
    }

    void add(const Sighting& out, const Sighting& in)
    {
        Transmission message;
        message.flow = out.flow;
        message.fromTrace = out.trace;
        message.toTrace = in.trace;
        message.fromCpu = out.cpu;
        message.toCpu = in.cpu;
        message.sent = out.time;
        message.received = in.time;
        message.sender = out.tid;
        message.receiver = in.tid;
        message.sequence = out.sequence;
        message.acknowledgement = out.acknowledgement;
        message.length = out.length;
        message.flags = out.flags;
        m_messages.push_back(message);
    }

    std::vector<Transmission>& m_messages;
    const std::function<std::uint32_t(std::uint32_t)>& m_hostOf;
    std::vector<const Sighting*> m_out;
    std::vector<const Sighting*> m_in;
    std::vector<const Sighting*> m_sent;
    std::uint64_t m_unmatched = 0;
    std::uint64_t m_ambiguous = 0;
};

/// The greatest sequence number that a flow has sent, as it goes round 2^32.
bool isAfter(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) > 0; }

struct SentSoFar {
    bool isBegun = false;
    std::uint32_t next = 0; ///< The sequence number behind all of it.
};

bool has(const Sighting& it, TcpFlag flag) { return (it.flags & static_cast<std::uint16_t>(flag)) != 0; }

void count(const Sighting& it, bool isTcp, SentSoFar& sent, FlowCounts& counts)
{
    const std::uint32_t payload = it.length > it.headers ? it.length - it.headers : 0;
    ++counts.packets;
    counts.bytes += it.length;
    counts.payloadBytes += payload;
    const std::uint32_t inSequence = payload + (has(it, TcpFlag::Syn) || has(it, TcpFlag::Fin) ? 1 : 0);
    if (!isTcp || it.length == 0 || inSequence == 0)
        return;
    const std::uint32_t next = it.sequence + inSequence;
    if (sent.isBegun && !isAfter(next, sent.next))
        ++counts.again;
    else
        sent = {true, next};
}

/// What each flow sent.
void countFlows(std::vector<const Sighting*> sent, Transmissions& messages)
{
    std::ranges::sort(sent, [](const Sighting* a, const Sighting* b) { return std::tie(a->flow, a->time) < std::tie(b->flow, b->time); });
    std::vector<SentSoFar> soFar(messages.flows.size());
    for (const Sighting* it : sent)
        count(*it, messages.flows[it->flow].protocol == "tcp", soFar[it->flow], messages.counts[it->flow]);
}

/// Ends of whom no event says which thread it was are of the thread that has the connection there.
void addOwners(Transmissions& messages)
{
    const auto connectionOf = [&](const Transmission& message) { return std::min(message.flow, messages.flows[message.flow].back); };
    struct Owner {
        std::uint32_t connection;
        std::uint32_t trace;
        auto operator<=>(const Owner&) const = default;
    };
    std::map<Owner, std::int32_t> owners;
    const auto pass = [&](auto&& range) {
        for (Transmission& message : range) {
            if (messages.flows[message.flow].from.empty())
                continue; // Nobody knows which connection it is of.
            const std::uint32_t connection = connectionOf(message);
            const auto take = [&](std::uint32_t trace, std::int32_t& tid) {
                std::int32_t& owner = owners.try_emplace({connection, trace}, -1).first->second;
                (tid > 0 ? owner : tid) = tid > 0 ? tid : owner;
            };
            take(message.fromTrace, message.sender);
            take(message.toTrace, message.receiver);
        }
    };
    pass(messages.all);
    owners.clear();
    pass(messages.all | std::views::reverse);
}

} // namespace

Transmissions matchPackets(Sightings sightings, const std::function<std::uint32_t(std::uint32_t)>& hostOf, const std::stop_token& stop)
{
    Transmissions messages;
    messages.sightings = sightings.events;
    messages.unnamed = sightings.unnamed;
    for (const FlowKey& key : sightings.flows.all()) {
        messages.flows.push_back(textOf(key));
        if (key.version != 0)
            messages.flows.back().back = sightings.flows.find(key.back());
    }
    messages.counts.resize(messages.flows.size());
    std::ranges::sort(sightings.all, [&](const Sighting& a, const Sighting& b) {
        if (keyOf(a) != keyOf(b))
            return keyOf(a) < keyOf(b);
        const std::uint32_t hostA = hostOf(a.trace);
        const std::uint32_t hostB = hostOf(b.trace);
        return std::tuple(hostA, a.time, !a.isOut, a.trace) < std::tuple(hostB, b.time, !b.isOut, b.trace);
    });
    Ends ends(messages.all, hostOf);
    for (std::size_t begin = 0; begin < sightings.all.size() && !stop.stop_requested();) {
        std::size_t end = begin + 1;
        while (end < sightings.all.size() && keyOf(sightings.all[end]) == keyOf(sightings.all[begin]))
            ++end;
        ends.match({sightings.all.data() + begin, end - begin});
        begin = end;
    }
    countFlows(ends.takeSent(), messages);
    messages.unmatched = ends.unmatched();
    messages.ambiguous = ends.ambiguous();
    std::ranges::sort(messages.all, [](const Transmission& a, const Transmission& b) {
        return std::tie(a.fromTrace, a.sent, a.flow, a.sequence, a.received)
            < std::tie(b.fromTrace, b.sent, b.flow, b.sequence, b.received);
    });
    for (const Transmission& message : messages.all)
        ++messages.counts[message.flow].matched;
    addOwners(messages);
    return messages;
}

} // namespace helio::packets
