#include "core/network/clock_path.h"
#include "core/network/connection_packets.h"
#include "core/network/packet_transits.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio::sql {
namespace {

enum PacketColumn : int {
    PacketTs,
    PacketDur,
    PacketKind,
    PacketConnection,
    PacketReverse,
    PacketFateText,
    PacketFromUtid,
    PacketToUtid,
    PacketFromHost,
    PacketToHost,
    PacketSequence,
    PacketAcknowledgement,
    PacketFlags,
    PacketLength,
    PacketPayload,
    PacketRetransmission,
    PacketError,
    PacketDetail
};

constexpr std::array PacketColumns{
    Column{"ts"},
    Column{"dur"},
    Column{"kind", ColumnType::Text},
    Column{"connection_id", ColumnType::Integer, Search::Equal},
    Column{"is_reverse"},
    Column{"fate", ColumnType::Text},
    Column{"from_utid"},
    Column{"to_utid"},
    Column{"from_host_id"},
    Column{"to_host_id"},
    Column{"sequence"},
    Column{"acknowledgement"},
    Column{"flags", ColumnType::Text},
    Column{"length"},
    Column{"payload"},
    Column{"is_retransmission"},
    Column{"error_ns"},
    Column{"detail", ColumnType::Text},
};

/// A packet of a connection, or a message that belongs to no listed connection.
struct PacketRow {
    ConnectionPacket packet;
    std::string kind;
    std::optional<std::int64_t> connection;
    std::optional<std::uint32_t> fromHost;
    std::optional<std::uint32_t> toHost;
    std::int32_t fromTid = -1; ///< TID of the sender of a message that belongs to no connection; -1 if unknown.
    std::int32_t toTid = -1;
};

/// Packets of network connections, connection after connection and in the order of time within a connection, and after them the messages
/// without a connection, e.g. packets without recorded addresses and hypercalls.
class PacketTable final : public Table {
public:
    explicit PacketTable(const Recording& recording)
        : m_recording(recording)
    {
    }

    std::span<const Column> columns() const override { return PacketColumns; }
    double estimatedRows() const override
    {
        std::size_t packets = 0;
        for (const auto& relation : m_recording.timeline().relations)
            if (relation && relation->messages)
                packets += relation->messages->sent.size() + relation->messages->all.size();
        return static_cast<double>(packets);
    }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<PacketRows>(*this); }

private:
    class PacketRows final : public Cursor {
    public:
        explicit PacketRows(const PacketTable& table)
            : m_table(table)
        {
        }

        void start(const Filter& filter) override
        {
            const auto& connections = m_table.m_recording.connections->all(filter.stop());
            const IntegerRange wanted = filter.range(PacketConnection);
            const auto count = static_cast<std::int64_t>(connections.size());
            m_stop = filter.stop();
            m_nextConnection = static_cast<std::size_t>(std::clamp<std::int64_t>(wanted.lowest, 0, count));
            m_endConnection = static_cast<std::size_t>(std::clamp<std::int64_t>(wanted.highest, -1, count - 1) + 1);
            // Messages outside of connections have no id, which fulfils no condition.
            m_relation =
                wanted.lowest > std::numeric_limits<std::int64_t>::min() || wanted.highest < std::numeric_limits<std::int64_t>::max()
                ? m_table.m_recording.timeline().relations.size()
                : 0;
            m_message = 0;
            m_connection = nullptr;
            m_packets.clear();
            m_nextPacket = 0;
            m_rows.clear();
            m_at = 0;
            m_number = 0;
            readIfAtEnd();
        }
        bool isAtEnd() const override { return m_at >= m_rows.size(); }
        void next() override
        {
            ++m_at;
            ++m_number;
            readIfAtEnd();
        }
        std::int64_t rowId() const override { return m_number; }
        void write(int column, ValueSink sink) override { m_table.write(m_rows[m_at], column, sink); }

    private:
        static constexpr std::size_t MostRows = 1'024; ///< Number of packets or messages that are read at a time.

        void readIfAtEnd()
        {
            while (m_at >= m_rows.size() && !m_stop.stop_requested()) {
                m_rows.clear();
                m_at = 0;
                if (m_nextPacket < m_packets.size())
                    readPackets();
                else if (m_nextConnection < m_endConnection)
                    startConnection(m_nextConnection++);
                else if (m_relation < m_table.m_recording.timeline().relations.size())
                    readMessages();
                else
                    return;
            }
        }

        void startConnection(std::size_t id)
        {
            m_connection = &m_table.m_recording.connections->all(m_stop)[id];
            m_packets = m_table.packetsIn(m_connection->relation).numbersOf(*m_connection, m_stop);
            m_nextPacket = 0;
        }

        void readPackets()
        {
            const ConnectionPackets& packets = m_table.packetsIn(m_connection->relation);
            for (; m_nextPacket < m_packets.size() && m_rows.size() < MostRows; ++m_nextPacket) {
                PacketRow row;
                row.packet = packets.packet(*m_connection, m_packets[m_nextPacket]);
                row.kind = m_table.kindOf(m_connection->relation, row.packet.message);
                row.connection = static_cast<std::int64_t>(m_nextConnection) - 1;
                row.fromHost = hostOf(row.packet.isReverse ? m_connection->to : m_connection->from);
                row.toHost = hostOf(row.packet.isReverse ? m_connection->from : m_connection->to);
                m_rows.push_back(std::move(row));
            }
        }

        void readMessages()
        {
            const auto& relation = m_table.m_recording.timeline().relations[m_relation];
            const std::size_t count = relation && relation->messages ? relation->messages->all.size() : 0;
            for (; m_message < count && m_rows.size() < MostRows; ++m_message)
                if (const auto row = m_table.lonelyMessage(static_cast<std::uint32_t>(m_relation), m_message))
                    m_rows.push_back(*row);
            if (m_message >= count) {
                ++m_relation;
                m_message = 0;
            }
        }

        static std::optional<std::uint32_t> hostOf(const ConnectionEnd& end)
        {
            return end.host == ConnectionEnd::NoHost ? std::nullopt : std::optional(end.host);
        }

        const PacketTable& m_table;
        std::stop_token m_stop;
        std::size_t m_nextConnection = 0; ///< Index of the connection after m_connection.
        std::size_t m_endConnection = 0;
        const ConnectionFacts* m_connection = nullptr; ///< Connection whose packets are read; nullptr before the first one.
        std::vector<std::uint32_t> m_packets; ///< Numbers of its packets.
        std::size_t m_nextPacket = 0; ///< Index in m_packets of the packet to read next.
        std::size_t m_relation = 0; ///< Correlation whose messages follow the connections.
        std::size_t m_message = 0; ///< Index of the next message in it.
        std::vector<PacketRow> m_rows; ///< Some packets of the connection, or some of the other messages.
        std::size_t m_at = 0;
        std::int64_t m_number = 0;
    };

    const ConnectionPackets& packetsIn(std::uint32_t relation) const
    {
        if (!m_packets || m_relation != relation)
            m_packets = std::make_unique<ConnectionPackets>(m_recording.timeline(), relation);
        m_relation = relation;
        return *m_packets;
    }

    /// Returns the kind of a packet as `heliograph latency` names it; the kind of whole packets if `message` is nullopt.
    std::string kindOf(std::uint32_t relation, std::optional<std::uint32_t> message) const
    {
        const Transmissions& messages = *m_recording.timeline().relations[relation]->messages;
        return messages.kind + (message && messages.all[*message].isPart ? "-part" : "");
    }

    /// Returns a message as a row; nullopt if it is listed as the packet of a connection.
    std::optional<PacketRow> lonelyMessage(std::uint32_t relation, std::size_t index) const
    {
        const Timeline& timeline = m_recording.timeline();
        const Transmissions& messages = *timeline.relations[relation]->messages;
        const Transmission& it = messages.all[index];
        if (it.packet < messages.sent.size())
            return {};
        const TimelineTrace& from = timeline.traces[it.fromTrace];
        const TimelineTrace& to = timeline.traces[it.toTrace];
        PacketRow row;
        row.kind = kindOf(relation, static_cast<std::uint32_t>(index));
        row.fromHost = from.host;
        row.toHost = to.host;
        row.fromTid = it.sender;
        row.toTid = it.receiver;
        row.packet.sent = from.clock(it.sent);
        row.packet.received = to.clock(it.received);
        row.packet.message = static_cast<std::uint32_t>(index);
        row.packet.hasSequence = messages.flows[it.flow].protocol.empty() || messages.flows[it.flow].protocol == "tcp";
        row.packet.sequence = it.sequence;
        row.packet.acknowledgement = it.acknowledgement;
        row.packet.flags = it.flags;
        row.packet.length = it.length;
        row.packet.error = m_clocks.errorBetween(from.host, to.host, *row.packet.sent);
        row.packet.text = textOf(messages, it);
        return row;
    }

    void write(const PacketRow& row, int column, ValueSink sink) const
    {
        const ConnectionPacket& packet = row.packet;
        const auto orNull = [&sink](const auto& value) {
            if (value)
                sink.integer(*value);
        };
        switch (column) {
        case PacketTs: return sink.integer(nanoseconds(packet.at()));
        case PacketDur:
            if (const auto latency = packet.latency())
                sink.integer(latency->count());
            return;
        case PacketKind: return sink.text(row.kind);
        case PacketConnection: return orNull(row.connection);
        case PacketReverse:
            if (row.connection)
                sink.integer(packet.isReverse ? 1 : 0);
            return;
        case PacketFateText: return sink.text(wordOf(packet.fate));
        case PacketFromUtid: return writeThread(row, true, sink);
        case PacketToUtid: return writeThread(row, false, sink);
        case PacketFromHost: return orNull(row.fromHost);
        case PacketToHost: return orNull(row.toHost);
        case PacketSequence:
            if (packet.hasSequence)
                sink.integer(packet.sequence);
            return;
        case PacketAcknowledgement:
            if (packet.hasSequence)
                sink.integer(packet.acknowledgement);
            return;
        case PacketFlags: return sink.textOrNull(tcpFlagsText(packet.flags));
        case PacketLength: return sink.id(packet.length > 0 ? std::int64_t{packet.length} : -1);
        case PacketPayload: return row.connection ? sink.integer(packet.payload) : sink.null();
        case PacketRetransmission: return row.connection ? sink.integer(packet.isRetransmission ? 1 : 0) : sink.null();
        case PacketError:
            if (packet.latency() && packet.error != Duration::max())
                sink.integer(packet.error.count());
            return;
        case PacketDetail: return sink.textOrNull(packet.text);
        default: return;
        }
    }

    void writeThread(const PacketRow& row, bool isSender, ValueSink sink) const
    {
        const auto& time = isSender ? row.packet.sent : row.packet.received;
        const Timestamp at = time.value_or(row.packet.at());
        if (const TrackRef thread = isSender ? row.packet.from : row.packet.to; thread.isValid()) {
            if (const auto utid = m_recording.things->threadOf(thread, at))
                sink.integer(*utid);
            return;
        }
        const auto host = isSender ? row.fromHost : row.toHost;
        const std::int32_t tid = isSender ? row.fromTid : row.toTid;
        if (const auto utid = host && tid > 0 ? m_recording.things->threadWithTid(*host, tid, at) : std::nullopt)
            sink.integer(*utid);
    }

    Recording m_recording;
    const ClockPath m_clocks{m_recording.timeline()};
    mutable std::unique_ptr<ConnectionPackets> m_packets; ///< Packets of the correlation m_relation; null before the first query.
    mutable std::uint32_t m_relation = 0;
};

} // namespace

extern const TableFactory packetTable;
const TableFactory packetTable{
    "packet", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<PacketTable>(recording); }};

} // namespace helio::sql
