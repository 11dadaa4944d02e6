#include "core/correlators/packets/sent_packets.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

namespace helio::packets {
namespace {

bool has(const SentPacket& it, TcpFlag flag) { return (it.flags & static_cast<std::uint16_t>(flag)) != 0; }

/// Returns the signed distance from one sequence number to another, with wrap-around at 2^32.
std::int32_t stepTo(std::uint32_t from, std::uint32_t to) { return static_cast<std::int32_t>(to - from); }

/// One direction of one connection, from its first to its last packet.
struct DirectedConnection {
    /// Initial sequence number of the side that opened the connection. Both directions of a connection have this number, which identifies
    /// the connection. nullopt if no handshake was recorded.
    std::optional<std::uint32_t> openerSequence;
    /// Initial sequence number of this direction; nullopt if its part of the handshake was not recorded.
    std::optional<std::uint32_t> first;
    std::uint32_t next = 0; ///< Sequence number after the last byte that was sent so far in this direction.
    bool isBegun = false;
    std::vector<std::uint32_t> packets; ///< Indices in Transmissions::sent of the packets in this direction.
};

/// Connections that used the same addresses and ports one after another, in one direction. Sequence numbers tell them apart.
class DirectedConnections {
public:
    explicit DirectedConnections(Transmissions& messages)
        : m_messages(messages)
    {
    }

    void take(std::uint32_t place)
    {
        SentPacket& it = m_messages.sent[place];
        const std::size_t number = has(it, TcpFlag::Syn) ? openedBy(it) : nearestTo(it.sequence);
        DirectedConnection& connection = m_all[number];
        const std::uint32_t inSequence = it.payload + (has(it, TcpFlag::Syn) || has(it, TcpFlag::Fin) ? 1 : 0);
        const std::uint32_t next = it.sequence + inSequence;
        it.isRetransmission = inSequence > 0 && connection.isBegun && stepTo(connection.next, next) <= 0;
        if (!connection.isBegun || stepTo(connection.next, next) > 0)
            setNext(number, next);
        connection.isBegun = true;
        connection.packets.push_back(place);
    }

    /// Adds a packet whose departure was not recorded. Such a packet does not count in the search for retransmissions.
    void takeArrival(std::uint32_t place)
    {
        const std::uint32_t sequence = m_messages.sent[place].sequence;
        const std::size_t holder = holderOf(sequence);
        m_all[holder < m_all.size() ? holder : nearestTo(sequence)].packets.push_back(place);
    }

    std::vector<DirectedConnection> takeAll() { return std::move(m_all); }

private:
    std::size_t openedBy(const SentPacket& it)
    {
        const std::uint32_t openerSequence = has(it, TcpFlag::Acknowledge) ? it.acknowledgement - 1 : it.sequence;
        const auto [known, isNew] = m_opened.try_emplace({openerSequence, it.sequence}, m_all.size());
        if (isNew)
            add({openerSequence, it.sequence, it.sequence, false, {}});
        return known->second;
    }

    /// Returns the index of the DirectedConnection whose next sequence number is nearest to `sequence`; the lowest index if several are
    /// equally near.
    std::size_t nearestTo(std::uint32_t sequence)
    {
        if (m_all.empty())
            add({});
        if (m_all.size() == 1)
            return 0;
        auto above = m_byNext.lower_bound({sequence, 0});
        if (above == m_byNext.end()) // Sequence numbers wrap around: the lowest number follows the highest number.
            above = m_byNext.begin();
        const std::uint32_t below = (above == m_byNext.begin() ? *m_byNext.rbegin() : *std::prev(above)).first;
        const auto under = m_byNext.lower_bound({below, 0}); // First element of m_byNext with the sequence number `below`.
        const auto rank = [&](const auto& it) { return std::pair(std::llabs(stepTo(it.first, sequence)), it.second); };
        return std::min(rank(*above), rank(*under)).second;
    }

    /// Returns the lowest index in m_all of a DirectedConnection that has already sent the byte `sequence`; m_all.size() if none is found.
    /// Searches the MostSteps elements with the lowest DirectedConnection::next from `sequence` on.
    std::size_t holderOf(std::uint32_t sequence) const
    {
        constexpr std::size_t MostSteps = 64;
        std::size_t found = m_all.size();
        const auto take = [&](std::size_t number) {
            const DirectedConnection& connection = m_all[number];
            if (stepTo(connection.first.value_or(connection.next), sequence) >= 0 && stepTo(sequence, connection.next) >= 0)
                found = std::min(found, number);
        };
        if (m_all.size() == 1)
            take(0);
        auto it = m_byNext.lower_bound({sequence, 0});
        for (std::size_t step = 0; step < std::min(MostSteps, m_byNext.size()); ++step) {
            if (it == m_byNext.end())
                it = m_byNext.begin();
            take((it++)->second);
        }
        return found;
    }

    void add(DirectedConnection connection)
    {
        m_all.push_back(std::move(connection));
        if (m_all.size() == 2)
            m_byNext.insert({m_all[0].next, 0});
        if (m_all.size() > 1)
            m_byNext.insert({m_all.back().next, m_all.size() - 1});
    }

    void setNext(std::size_t number, std::uint32_t next)
    {
        if (m_all.size() > 1) {
            m_byNext.erase({m_all[number].next, number});
            m_byNext.insert({next, number});
        }
        m_all[number].next = next;
    }

    Transmissions& m_messages;
    std::vector<DirectedConnection> m_all;
    /// Indices in m_all, keyed by DirectedConnection::openerSequence and DirectedConnection::first.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> m_opened;
    /// Pairs of DirectedConnection::next and an index into m_all, with which a DirectedConnection is found by sequence number. Empty while
    /// there is only one DirectedConnection.
    std::set<std::pair<std::uint32_t, std::size_t>> m_byNext;
};

/// Numbers the connections of a flow and its opposite flow. DirectedConnection objects with the same handshake belong to one connection.
class Numbering {
public:
    explicit Numbering(Transmissions& messages)
        : m_messages(messages)
    {
    }

    void take(std::uint32_t flow, const std::vector<DirectedConnection>& there, std::uint32_t back,
              const std::vector<DirectedConnection>& here)
    {
        m_flow = flow;
        m_back = back;
        for (const auto& [way, directions] : {std::pair(flow, &there), std::pair(back, &here)})
            for (const DirectedConnection& direction : *directions)
                if (direction.openerSequence)
                    number(direction, known(*direction.openerSequence, direction.first == direction.openerSequence ? way : other(way)));
        for (const auto& [directions, others] : {std::pair(&there, &here), std::pair(&here, &there)})
            for (const DirectedConnection& direction : *directions)
                if (!direction.openerSequence)
                    number(direction, withoutHandshake(*directions, *others));
    }

private:
    std::uint32_t other(std::uint32_t way) const { return way == m_flow ? m_back : m_flow; }

    void number(const DirectedConnection& direction, std::uint32_t connection)
    {
        for (const std::uint32_t place : direction.packets)
            m_messages.sent[place].connection = connection;
    }

    std::uint32_t add()
    {
        m_messages.connections.push_back({m_flow, m_back, false});
        return static_cast<std::uint32_t>(m_messages.connections.size() - 1);
    }

    std::uint32_t known(std::uint32_t openerSequence, std::uint32_t opener)
    {
        const auto [known, isNew] = m_known.try_emplace(openerSequence, 0);
        if (isNew)
            known->second = add();
        Connection& it = m_messages.connections[known->second];
        it.isOpened = true;
        if (opener == it.back && opener != NoFlow)
            std::swap(it.flow, it.back);
        return known->second;
    }

    /// Returns the connection for packets in one direction (`directions`) without a recorded handshake. This is the last connection with a
    /// handshake in the opposite direction (`others`) only. If there is none, returns a connection for all packets from before the first
    /// recorded handshake.
    std::uint32_t withoutHandshake(const std::vector<DirectedConnection>& directions, const std::vector<DirectedConnection>& others)
    {
        std::set<std::uint32_t> openerSequences;
        for (const DirectedConnection& it : directions)
            if (it.openerSequence)
                openerSequences.insert(*it.openerSequence);
        for (const DirectedConnection& other : others | std::views::reverse)
            if (other.openerSequence && !openerSequences.contains(*other.openerSequence))
                return m_known.at(*other.openerSequence);
        if (!m_early)
            m_early = add();
        return *m_early;
    }

    Transmissions& m_messages;
    std::uint32_t m_flow = NoFlow;
    std::uint32_t m_back = NoFlow;
    std::map<std::uint32_t, std::uint32_t> m_known; ///< Connections, keyed by the opener's initial sequence number.
    std::optional<std::uint32_t> m_early;
};

/// Returns the index in Transmissions::sent of each flow's first packet, and as last element the total number of packets.
std::vector<std::uint32_t> beginsOf(const Transmissions& messages)
{
    std::vector<std::uint32_t> begins(messages.flows.size() + 1);
    for (const SentPacket& it : messages.sent)
        ++begins[it.flow + 1];
    for (std::size_t i = 1; i < begins.size(); ++i)
        begins[i] += begins[i - 1];
    return begins;
}

bool isTcp(const Transmissions& messages, std::uint32_t flow)
{
    return messages.flows[flow].protocol == "tcp" && !messages.flows[flow].from.empty();
}

std::vector<DirectedConnection> livesOf(Transmissions& messages, std::uint32_t flow, std::uint32_t begin, std::uint32_t end)
{
    if (begin == end)
        return {};
    if (!isTcp(messages, flow)) {
        DirectedConnection all;
        for (std::uint32_t place = begin; place < end; ++place)
            all.packets.push_back(place);
        return {std::move(all)};
    }
    DirectedConnections directions(messages);
    for (std::uint32_t place = begin; place < end; ++place)
        if (messages.sent[place].isArrival && !messages.sent[begin].isArrival)
            // Transmissions::sent lists all departures of a flow before its arrivals. All connections that have departures are known by
            // now, so assign the arrival to one of them.
            directions.takeArrival(place);
        else
            directions.take(place);
    return directions.takeAll();
}

SentPacket sentPacketOf(const PacketObservation& it)
{
    SentPacket packet;
    packet.at = it.time;
    packet.flow = it.flow;
    packet.sequence = it.sequence;
    packet.acknowledgement = it.acknowledgement;
    packet.length = it.length;
    packet.payload = it.payload();
    packet.thread = it.tid;
    packet.trace = it.trace;
    packet.flags = it.flags;
    packet.isArrival = !it.isOut;
    return packet;
}

/// Lists the packets with a known connection in `sent`, in the order of Transmissions::sent. Returns for each element of ends.sent() its
/// index in `sent`; NoPacket if it is not listed.
std::vector<std::uint32_t> listPackets(const MatchedEnds& ends, const std::vector<Flow>& flows, std::vector<SentPacket>& sent)
{
    const auto& places = ends.sent();
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < places.size(); ++i)
        if (!flows[ends.at(places[i]).flow].from.empty())
            order.push_back(i);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const PacketObservation& first = ends.at(places[a]);
        const PacketObservation& second = ends.at(places[b]);
        return std::tuple(first.flow, !first.isOut, first.time, places[a]) < std::tuple(second.flow, !second.isOut, second.time, places[b]);
    });
    std::vector<std::uint32_t> to(places.size(), NoPacket);
    sent.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        to[order[i]] = i;
        sent.push_back(sentPacketOf(ends.at(places[order[i]])));
        sent.back().isAmbiguous = ends.isAmbiguous(places[order[i]]);
    }
    return to;
}

Transmission messageOf(const MatchedEnds& ends, const MatchedEnds::Match& match)
{
    const PacketObservation& out = ends.at(match.out);
    const PacketObservation& in = ends.at(match.in);
    const PacketObservation& named = match.isPart && in.length < out.length ? in : out;
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
    message.sequence = named.sequence;
    message.acknowledgement = named.acknowledgement;
    message.length = named.length;
    message.flags = named.flags;
    message.isPart = match.isPart;
    return message;
}

/// True if the sending and receiving times of a match bound the difference of the two clocks. False if one end is only a part of a packet
/// and the sender's trace lost events: the bytes may have left earlier in a packet whose event was lost, and the matched departure may be a
/// retransmission that left after the arrival.
bool boundsClocks(const MatchedEnds& ends, const MatchedEnds::Match& match, const std::vector<bool>& isLossy)
{
    return !match.isPart || !isLossy[ends.at(match.out).trace];
}

void countPackets(Transmissions& messages)
{
    for (const SentPacket& it : messages.sent) {
        FlowCounts& counts = messages.counts[it.flow];
        ++counts.packets;
        counts.bytes += it.length;
        counts.payloadBytes += it.payload;
        counts.retransmissions += it.isRetransmission ? 1 : 0;
        counts.matched += it.isMatched ? 1 : 0;
    }
}

} // namespace

void findConnections(Transmissions& messages, const std::stop_token& stop)
{
    const std::vector<std::uint32_t> begins = beginsOf(messages);
    for (std::uint32_t flow = 0; flow < messages.flows.size() && !stop.stop_requested(); ++flow) {
        const std::uint32_t back = messages.flows[flow].back;
        if (back < flow) // The flow was already handled together with its opposite flow.
            continue;
        const bool isBoth = back != NoFlow && back != flow;
        const auto there = livesOf(messages, flow, begins[flow], begins[flow + 1]);
        const auto here = isBoth ? livesOf(messages, back, begins[back], begins[back + 1]) : std::vector<DirectedConnection>();
        Numbering(messages).take(flow, there, isBoth ? back : NoFlow, here);
    }
}

void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages, const std::stop_token& stop)
{
    const std::vector<std::uint32_t> to = listPackets(ends, messages.flows, messages.sent);
    messages.all.reserve(ends.matches().size());
    for (const MatchedEnds::Match& match : ends.matches()) {
        Transmission message = messageOf(ends, match);
        message.boundsClocks = boundsClocks(ends, match, isLossy);
        const std::uint32_t packet = ends.sentOf(match.out);
        if (packet != NoPacket && to[packet] != NoPacket) {
            message.packet = to[packet];
            messages.sent[message.packet].isMatched = true;
        }
        messages.all.push_back(message);
        for (const PacketObservation* end : {&ends.at(match.out), &ends.at(match.in)})
            if (ends.at(match.out).host != ends.at(match.in).host)
                ++messages.traces[end->trace].matched;
    }
    std::ranges::sort(messages.all, [](const Transmission& a, const Transmission& b) {
        return std::tie(a.fromTrace, a.sent, a.flow, a.sequence, a.received)
            < std::tie(b.fromTrace, b.sent, b.flow, b.sequence, b.received);
    });
    findConnections(messages, stop);
    countPackets(messages);
}

} // namespace helio::packets
