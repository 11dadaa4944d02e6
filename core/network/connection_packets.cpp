#include "core/network/connection_packets.h"

#include "core/network/clock_path.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

namespace helio {
namespace {

/// Finds the rows of threads by host and tid.
class ThreadRowIndex {
public:
    explicit ThreadRowIndex(const Timeline& timeline)
    {
        for (const Row& row : threads(timeline))
            m_rows[{row.host, row.tid}].push_back({row.life.begin, row.ref});
    }

    TrackRef find(std::uint32_t host, std::int32_t tid, Timestamp at) const
    {
        TrackRef ref;
        if (const auto found = m_rows.find({host, tid}); tid > 0 && found != m_rows.end())
            for (const auto& [begin, it] : found->second)
                if (!ref.isValid() || begin <= at)
                    ref = it;
        return ref;
    }

private:
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<std::pair<Timestamp, TrackRef>>> m_rows;
};

std::string textOf(const Transmissions& messages, const SentPacket& it)
{
    Transmission message;
    message.flow = it.flow;
    message.sequence = it.sequence;
    message.length = it.length;
    return textOf(messages, message) + (it.isRetransmission ? " retransmission" : "");
}

/// Time ranges in which the hosts recorded arriving packets.
class RecordedRanges {
public:
    RecordedRanges(const Timeline& timeline, const Transmissions& messages)
        : m_steps(timeline)
        , m_losses(losses(timeline, timeline.range))
    {
        for (std::uint32_t trace = 0; trace < messages.traces.size(); ++trace)
            if (messages.traces[trace].in > 0)
                m_traces.push_back({trace, timeline.traces[trace].host, coveredBy(timeline.traces[trace])});
    }

    /// True if host `to` was recording when a packet that left host `from` at `left` would have arrived.
    bool wouldRecord(std::uint32_t from, std::uint32_t to, Timestamp left) const
    {
        if (to == ConnectionEnd::NoHost)
            return false;
        const Duration error = m_steps.errorBetween(from, to, left);
        const Duration widening = error == Duration::max() ? Duration{} : error;
        const TimeRange when{left - widening, left + widening + MostUnderWay};
        return std::ranges::any_of(m_traces, [&](const Covered& it) {
            return it.host == to && it.range.begin <= when.begin && when.end <= it.range.end && !lost(it.trace, when);
        });
    }

private:
    /// Assumed maximum transit time: Linux retransmits an unacknowledged packet after this time at the earliest (TCP_RTO_MIN).
    static constexpr Duration MostUnderWay = std::chrono::milliseconds(200);

    struct Covered {
        std::uint32_t trace;
        std::uint32_t host;
        TimeRange range;
    };

    /// Returns the time range that the trace recorded; a range with all possible times if unknown.
    static TimeRange coveredBy(const TimelineTrace& it)
    {
        const HostRange own = it.facts && it.facts->isComplete() ? it.facts->summary().range : it.claimed;
        return own.begin < own.end ? it.clock(own) : TimeRange{Timestamp::min(), Timestamp::max()};
    }

    bool lost(std::uint32_t trace, TimeRange when) const
    {
        return std::ranges::any_of(
            m_losses, [&](const LossRange& it) { return it.trace == trace && it.range.begin <= when.end && when.begin <= it.range.end; });
    }

    const ClockPath m_steps;
    const std::vector<LossRange> m_losses;
    std::vector<Covered> m_traces;
};

ConnectionPacket packetOf(const Transmissions& messages, const SentPacket& it, std::uint32_t flowBack)
{
    const std::string& protocol = messages.flows[it.flow].protocol;
    ConnectionPacket packet;
    packet.isReverse = it.flow == flowBack;
    packet.isRetransmission = it.isRetransmission;
    packet.hasSequence = protocol.empty() || protocol == "tcp";
    packet.sequence = it.sequence;
    packet.acknowledgement = it.acknowledgement;
    packet.flags = it.flags;
    packet.length = it.length;
    packet.payload = it.payload;
    packet.error = Duration::max();
    packet.text = textOf(messages, it);
    return packet;
}

/// Returns the fate of a packet with only one recorded end. `isRecorded`: true if the receiver's host would have recorded the
/// arrival.
PacketFate fateAlone(const SentPacket& it, bool isRecorded)
{
    if (it.isAmbiguous)
        return PacketFate::Ambiguous;
    return it.isArrival ? PacketFate::DepartureUnknown : isRecorded ? PacketFate::Lost : PacketFate::NotRecorded;
}

} // namespace

std::string_view wordOf(PacketFate fate)
{
    switch (fate) {
    case PacketFate::Arrived: return "arrived";
    case PacketFate::Lost: return "lost";
    case PacketFate::Ambiguous: return "ambiguous";
    case PacketFate::NotRecorded: return "not recorded";
    case PacketFate::DepartureUnknown: return "not seen to leave";
    }
    return "";
}

/// The packets and messages of a correlation, sorted by connection and by packet.
class ConnectionPackets::Index {
public:
    Index(const Timeline& timeline, const Transmissions& messages)
        : m_timeline(timeline)
        , m_messages(messages)
        , m_rows(timeline)
        , m_steps(timeline)
        , m_recorded(timeline, messages)
        , m_packets(messages.sent.size())
        , m_matches(messages.all.size())
    {
        std::iota(m_packets.begin(), m_packets.end(), 0u);
        std::ranges::stable_sort(m_packets, {}, [&](std::uint32_t i) { return messages.sent[i].connection; });
        std::iota(m_matches.begin(), m_matches.end(), 0u);
        std::ranges::stable_sort(m_matches, {}, [&](std::uint32_t i) { return messages.all[i].packet; });
    }

    std::vector<std::uint32_t> numbersOf(const ConnectionFacts& connection, const std::stop_token& stop) const
    {
        if (connection.connection >= m_messages.connections.size())
            return {};
        const auto own = std::ranges::equal_range(m_packets, connection.connection, {},
                                                  [this](std::uint32_t i) { return m_messages.sent[i].connection; });
        std::vector<std::uint32_t> numbers(own.begin(), own.end());
        if (!stop.stop_requested())
            std::ranges::stable_sort(numbers, {}, [this](std::uint32_t i) { return timeOf(i); });
        return numbers;
    }

    /// Returns a packet, with the message that it is matched with.
    ConnectionPacket packet(const ConnectionFacts& connection, std::uint32_t index) const
    {
        const Connection& whole = m_messages.connections[connection.connection];
        // Flow from `connection.to` to `connection.from`. If no handshake was recorded, whole.flow may have this direction.
        const std::uint32_t flowBack = m_messages.flows[whole.flow].from == connection.from.address ? whole.back : whole.flow;
        const SentPacket& it = m_messages.sent[index];
        const TimelineTrace& trace = m_timeline.traces[it.trace];
        const Timestamp at = timeOf(index);
        ConnectionPacket packet = packetOf(m_messages, it, flowBack);
        packet.fate = fateAlone(it, m_recorded.wouldRecord(trace.host, (packet.isReverse ? connection.from : connection.to).host, at));
        (it.isArrival ? packet.received : packet.sent) = at;
        (it.isArrival ? packet.to : packet.from) = m_rows.find(trace.host, it.thread, at);
        for (const std::uint32_t match :
             std::ranges::equal_range(m_matches, index, {}, [this](std::uint32_t i) { return m_messages.all[i].packet; }))
            addMatch(match, packet);
        return packet;
    }

private:
    /// Returns the time of a packet: of its departure, or of its arrival if that alone was recorded.
    Timestamp timeOf(std::uint32_t index) const
    {
        const SentPacket& it = m_messages.sent[index];
        return m_timeline.traces[it.trace].clock(it.at);
    }

    void addMatch(std::uint32_t index, ConnectionPacket& packet) const
    {
        const Transmission& it = m_messages.all[index];
        const TimelineTrace& from = m_timeline.traces[it.fromTrace];
        const TimelineTrace& to = m_timeline.traces[it.toTrace];
        const Timestamp received = to.clock(it.received);
        if (!packet.from.isValid())
            packet.from = m_rows.find(from.host, it.sender, from.clock(it.sent));
        if (packet.received && received < *packet.received)
            return;
        packet.received = received;
        packet.fate = PacketFate::Arrived;
        packet.error = m_steps.errorBetween(from.host, to.host, packet.sent.value_or(received));
        packet.message = index;
        packet.to = m_rows.find(to.host, it.receiver, received);
    }

    const Timeline& m_timeline;
    const Transmissions& m_messages;
    const ThreadRowIndex m_rows;
    const ClockPath m_steps;
    const RecordedRanges m_recorded;
    std::vector<std::uint32_t> m_packets; ///< Indices into Transmissions::sent, by connection.
    std::vector<std::uint32_t> m_matches; ///< Indices into Transmissions::all, by packet.
};

ConnectionPackets::ConnectionPackets(const Timeline& timeline, std::uint32_t relation)
{
    if (relation < timeline.relations.size() && timeline.relations[relation] && timeline.relations[relation]->messages)
        m_index = std::make_unique<const Index>(timeline, *timeline.relations[relation]->messages);
}

ConnectionPackets::~ConnectionPackets() = default;

std::vector<ConnectionPacket> ConnectionPackets::of(const ConnectionFacts& connection, const std::stop_token& stop) const
{
    std::vector<ConnectionPacket> packets;
    for (const std::uint32_t number : numbersOf(connection, stop)) {
        if (stop.stop_requested())
            break;
        packets.push_back(packet(connection, number));
    }
    return packets;
}

std::vector<std::uint32_t> ConnectionPackets::numbersOf(const ConnectionFacts& connection, const std::stop_token& stop) const
{
    return m_index ? m_index->numbersOf(connection, stop) : std::vector<std::uint32_t>();
}

ConnectionPacket ConnectionPackets::packet(const ConnectionFacts& connection, std::uint32_t number) const
{
    return m_index->packet(connection, number);
}

std::vector<ConnectionPacket> packetsOf(const Timeline& timeline, const ConnectionFacts& connection, const std::stop_token& stop)
{
    return ConnectionPackets(timeline, connection.relation).of(connection, stop);
}

} // namespace helio
