// Property: connections between hosts equal those computed from babeltrace2's text of packets and sockets.

#include "tests/app/cli/two_hosts.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace helio;

namespace {

QString fixture() { return QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small"); }

/// Fields of a packet's IP and TCP headers. `payload`: length of the TCP payload in bytes; `bytes`: length of the IP packet in bytes.
struct Numbers {
    qint64 sequence, payload, acknowledgement, flags, id, bytes;

    bool isSame(const Numbers& it) const
    {
        return std::tie(sequence, payload, acknowledgement, flags, id)
            == std::tie(it.sequence, it.payload, it.acknowledgement, it.flags, it.id);
    }
    /// True if this packet contains the other packet's last byte.
    bool holds(const Numbers& it) const
    {
        const qint64 last = it.sequence + it.payload - 1;
        return it.payload > 0 && sequence <= last && last < sequence + payload;
    }
};

/// Packets from the sender of a connection to its receiver, with their counts. Departures are from the sender's trace, arrivals
/// from the receiver's trace.
struct Sent {
    std::vector<Numbers> out, in; ///< Packets that this end sent, and packets from this end that arrived at the other end.

    qint64 packets = 0, bytes = 0, payload = 0, again = 0;
    bool hasFinished = false, hasReset = false;
    qint64 syn = 0; ///< Time at which the SYN packet was sent; 0 if it was not recorded.
    qint64 answer = 0; ///< Time at which the other end's answer to the SYN arrived.
    qint64 acknowledgement = 0; ///< Time at which the first packet without SYN was sent after `answer`; 0 if it was not recorded.
    qint64 next = -1; ///< Sequence number after the last sent byte. Numbers do not wrap around in this recording.
};

/// Reads the recorded TCP packets of the hosts. Returns the packets for each pair of sender and receiver; the key is, for example,
/// "10.0.2.2:1234 > 10.0.2.3:5432".
std::map<QByteArray, Sent> sentIn(const QString& folder, const QStringList& hosts)
{
    std::map<QByteArray, Sent> sent;
    for (const QString& host : hosts) {
        for (const QByteArray& line : babeltrace2({"--clock-seconds", "--no-delta", folder + '/' + host + "/kernel"}).out.split('\n')) {
            const bool isOut = line.contains(" net_dev_queue: ");
            if ((!isOut && !line.contains(" net_if_receive_skb: ")) || !line.contains("ack_seq"))
                continue;
            const QByteArray from = wire::address(line, "saddr") + ':' + QByteArray::number(wire::number(line, "source_port"));
            const QByteArray to = wire::address(line, "daddr") + ':' + QByteArray::number(wire::number(line, "dest_port"));
            const qint64 time = QByteArray(line.mid(1, line.indexOf(']') - 1)).replace(".", "").toLongLong();
            const qint64 flags = wire::number(line, "flags");
            const bool isSyn = flags & 2, isFin = flags & 1;
            const qint64 payload = wire::number(line, "tot_len") - 4 * wire::number(line, "ihl") - 4 * wire::number(line, "data_offset");
            Sent& it = sent[from + " > " + to];
            (isOut ? it.out : it.in)
                .push_back({wire::number(line, "seq"), payload, wire::number(line, "ack_seq"), flags, wire::number(line, "id"),
                            wire::number(line, "tot_len")});
            if (!isOut) {
                Sent& opener = sent[to + " > " + from];
                if (isSyn && (flags & 16) && opener.syn != 0 && opener.answer == 0)
                    opener.answer = time;
                continue;
            }
            ++it.packets;
            it.bytes += wire::number(line, "tot_len");
            it.payload += payload;
            it.hasFinished = it.hasFinished || isFin;
            it.hasReset = it.hasReset || (flags & 4);
            if (isSyn && !(flags & 16) && it.syn == 0)
                it.syn = time;
            if (!isSyn && it.answer != 0 && it.acknowledgement == 0)
                it.acknowledgement = time;
            const qint64 inSequence = payload + (isSyn || isFin ? 1 : 0);
            const qint64 next = wire::number(line, "seq") + inSequence;
            it.again += inSequence > 0 && it.next >= 0 && next <= it.next ? 1 : 0;
            it.next = std::max(it.next, next);
        }
    }
    return sent;
}

/// Adds packets that arrived, but whose sending was not recorded (for example at the recording's beginning), to the sent packets.
void addArrivals(Sent& sent)
{
    for (const Numbers& in : sent.in) {
        if (std::ranges::any_of(sent.out, [&](const Numbers& out) { return out.isSame(in) || out.holds(in); }))
            continue;
        ++sent.packets;
        sent.bytes += in.bytes;
        sent.payload += in.payload;
    }
}

QList<CsvRow> connections(const QStringList& arguments)
{
    return csvRows(heliograph(QStringList{"connections", "--format", "csv", "--quiet"} + arguments));
}

void compareWithText(const QString& folder, const QStringList& hosts)
{
    QStringList traces;
    for (const QString& host : hosts)
        traces << folder + '/' + host;
    auto sent = sentIn(folder, hosts);
    std::erase_if(sent, [](const auto& it) { return it.second.out.empty(); });
    for (auto& [way, it] : sent)
        addArrivals(it);
    std::size_t ends = 0;
    for (const CsvRow& row : connections(traces + QStringList{"--no-sync"})) {
        if (row["protocol"] != "tcp" || (row["from_host"].isEmpty() && row["to_host"].isEmpty()))
            continue;
        for (const bool isFrom : {true, false}) {
            const QByteArray side = isFrom ? "from_" : "to_";
            const auto found = sent.find(isFrom ? row["from"] + " > " + row["to"] : row["to"] + " > " + row["from"]);
            if (found == sent.end())
                continue; // Only arrivals were recorded in this direction, so the test has no expected values.
            const Sent& it = found->second;
            ++ends;
            QCOMPARE(row[side + "packets"].toLongLong(), it.packets);
            QCOMPARE(row[side + "bytes"].toLongLong(), it.bytes);
            QCOMPARE(row[side + "payload"].toLongLong(), it.payload);
            QCOMPARE(row[side + "retransmitted"].toLongLong(), it.again);
            if (it.hasReset)
                QCOMPARE(row["closed"], QByteArray("reset"));
            else if (!it.hasFinished)
                QVERIFY(row["closed"] != "fin");
            if (!isFrom || it.syn == 0)
                continue;
            QCOMPARE(row["syn_ns"].toLongLong(), it.syn);
            QCOMPARE(row["syn_ack_ns"], it.answer ? QByteArray::number(it.answer - it.syn) : QByteArray());
            QCOMPARE(row["ack_ns"], it.acknowledgement ? QByteArray::number(it.acknowledgement - it.answer) : QByteArray());
            QCOMPARE(row["handshake_ns"], it.acknowledgement ? QByteArray::number(it.acknowledgement - it.syn) : QByteArray());
        }
    }
    QCOMPARE(ends, sent.size());
}

} // namespace

class ConnectionsOutputTest : public QObject {
    Q_OBJECT

private slots:
    void countsAndHandshakesAreThoseOfTheText() { compareWithText(fixture(), {"web", "db"}); }

    void countsAndHandshakesOfThreeHostsAreThoseOfTheText()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        compareWithText(folder, {"client", "web", "db"});
    }

    /// Input: two users with one connection each. Property: each of their 40 requests has a connection to the database.
    void eachRequestHasAConnectionToTheDatabase()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        int users = 0, queries = 0;
        for (const CsvRow& row : connections({folder + "/client", folder + "/web", folder + "/db"})) {
            const bool isQuery = row["to"].endsWith(":5432");
            ++(isQuery ? queries : users);
            QCOMPARE(row["from_host"], QByteArray(isQuery ? "web" : "client"));
            QCOMPARE(row["to_host"], QByteArray(isQuery ? "db" : "web"));
            QCOMPARE(row["closed"], QByteArray("fin"));
            QCOMPARE(row["from_process"], QByteArray("python3"));
            QCOMPARE(row["from_known_by"], QByteArray("sent"));
            QVERIFY(row["handshake_ns"].toLongLong() > 0);
            QVERIFY(row["error_ns"].toLongLong() > 0 && row["from_p50_ns"].toLongLong() > 0);
            QVERIFY(row["from_p99_ns"].toLongLong() >= row["from_p50_ns"].toLongLong());
        }
        QCOMPARE(users, 2);
        QCOMPARE(queries, 80);
    }

    /// Input: a recording of the server only.
    void connectionsOfOneRecordedHostAreListed()
    {
        const auto rows = connections({fixture() + "/db"});
        QVERIFY(!rows.isEmpty());
        for (const CsvRow& row : rows) {
            QCOMPARE(row["to_host"], QByteArray("db"));
            QVERIFY(row["from_host"].isEmpty() && row["from_tid"].isEmpty() && row["from_process"].isEmpty());
            QVERIFY(row["from_p50_ns"].isEmpty() && row["to_p50_ns"].isEmpty() && row["error_ns"].isEmpty());
            QCOMPARE(row["from_matched"], QByteArray("0"));
        }
    }

    void windowsHoldTheirOwnPackets()
    {
        const auto all = connections({fixture()});
        qint64 begin = all.first()["begin_ns"].toLongLong(), end = 0, packets = 0, parts = 0;
        for (const CsvRow& row : all) {
            end = std::max(end, row["end_ns"].toLongLong() + 1);
            packets += row["from_packets"].toLongLong() + row["to_packets"].toLongLong();
        }
        const qint64 middle = begin + (end - begin) / 2;
        for (const auto& [from, to] : {std::pair(begin, middle), std::pair(middle, end)})
            for (const CsvRow& row : connections({fixture(), "--begin", QString::number(from), "--end", QString::number(to)})) {
                const qint64 own = row["from_packets"].toLongLong() + row["to_packets"].toLongLong();
                QVERIFY(own > 0);
                parts += own;
            }
        QCOMPARE(parts, packets);
    }

    void endsAreChosenByHostAndThread()
    {
        const auto all = connections({fixture()});
        QVERIFY(all.size() > 2);
        const auto isOfDb = [](const CsvRow& row) { return row["from_host"] == "db" || row["to_host"] == "db"; };
        const auto ofDb = std::ranges::count_if(all, isOfDb);
        // `all` has more connections, because the web server also has clients that were not recorded.
        QVERIFY(ofDb > 0 && ofDb < all.size());
        QCOMPARE(connections({fixture(), "--host", "db"}).size(), ofDb);
        const QByteArray tid = all.first()["from_tid"];
        const auto ofThread = connections({fixture(), "--thread", tid});
        QVERIFY(!ofThread.isEmpty());
        for (const CsvRow& row : ofThread)
            QVERIFY(row["from_tid"] == tid || row["to_tid"] == tid);
        const QString name = "tcp " + all.first()["from"] + " > " + all.first()["to"];
        QCOMPARE(connections({fixture(), "--filter", "name == \"" + name + "\""}).size(), 1);
        const ProgramResult unknown = heliograph({"connections", fixture(), "--filter", "handshake > 10ms"});
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains("--filter: \"handshake\" can only be used with events; other commands accept name, "), unknown.err);
        QCOMPARE(connections({fixture(), "--row", "tcp * > 10.0.2.3:5432"}).size(), ofDb);
    }

    void withoutPacketsItSaysWhatToRecord()
    {
        const ProgramResult none = heliograph({"connections", QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small"), "--quiet"});
        QCOMPARE(none.status, 2);
        QVERIFY(none.err.contains("net_dev_queue,net_if_receive_skb"));
        QCOMPARE(heliograph({"connections", fixture(), "--cpu", "1"}).status, 2);
    }
};

HELIO_TEST(ConnectionsOutputTest)
#include "tst_connections_output.moc"
