// Input: synthetic traces of containers' packets in LTTng 2.13's layout. Property: the command "connections" finds the connections, and the
// command "sync" finds the clocks.

#include "tests/app/cli/made_network_trace.h"
#include "tests/app/cli/made_packet_trace.h"
#include "tests/app/cli/two_hosts.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

constexpr qint64 Begin = 1'700'000'000'000'000'000, Ahead = 3'000'000'000, Way = 150'000;
constexpr quint16 Syn = 2, Push = 8, Ack = 16, Fin = 1;

using Address = std::array<quint8, 4>;
constexpr Address Container{172, 17, 0, 2}, Host{10, 0, 0, 1}, Server{10, 0, 0, 9};

/// An observation of a packet on an interface of the host "docker" or "server".
struct Step {
    bool isFar;
    const char* device;
    bool isOut;
    qint64 after;
    quint8 hops;
    bool isTranslated;
};

const std::vector<Step> There{{false, "eth0", true, 0, 64, false},
                              {false, "veth5c2e", false, 3'000, 64, false},
                              {false, "docker0", false, 5'000, 64, false},
                              {false, "ens3", true, 9'000, 63, true},
                              {true, "ens3", false, Way, 63, true}};
const std::vector<Step> Back{{true, "ens3", true, 0, 64, true},
                             {false, "ens3", false, Way, 64, true},
                             {false, "docker0", true, Way + 4'000, 63, false},
                             {false, "veth5c2e", true, Way + 5'000, 63, false},
                             {false, "eth0", false, Way + 9'000, 63, false}};

class Traffic {
public:
    bool isMasqueraded = false;
    bool isV6 = false;

    void send(qint64 at, bool isReverse, quint32 sequence, quint32 acknowledgement, quint16 flags, quint16 payload)
    {
        ++m_number;
        for (const Step& step : isReverse ? Back : There) {
            MadeNetworkEvent it;
            const bool isOther = step.isTranslated && isMasqueraded;
            it.time = Begin + at + step.after + (step.isFar ? Ahead : 0);
            it.isOut = step.isOut;
            it.device = step.device;
            it.memory = 0xffff'8880'0000'0000 + 0x100 * m_number + (step.isFar ? 0x1000'0000 : 0);
            it.from = isOther ? Host : Container;
            it.fromPort = isOther ? 50'001 : 40'000;
            it.to = Server;
            it.toPort = 80;
            if (isReverse) {
                std::swap(it.from, it.to);
                std::swap(it.fromPort, it.toPort);
            }
            it.sequence = sequence;
            it.acknowledgement = acknowledgement;
            it.flags = flags;
            it.payload = payload;
            it.id = quint16(isV6 ? 0 : m_number);
            it.hops = step.hops;
            it.isV6 = isV6;
            (step.isFar ? m_far : m_near).push_back(it);
        }
    }

    /// Adds ten requests with answers; one answer is retransmitted.
    void talk()
    {
        send(0, false, 1'000, 0, Syn, 0);
        send(400'000, true, 9'000, 1'001, Syn | Ack, 0);
        send(800'000, false, 1'001, 9'001, Ack, 0);
        for (quint32 i = 0; i < 10; ++i) {
            const qint64 at = 2'000'000 + qint64(i) * 5'000'000;
            send(at, false, 1'001 + 100 * i, 9'001 + 300 * i, Push | Ack, 100);
            send(at + 1'000'000, true, 9'001 + 300 * i, 1'101 + 100 * i, Push | Ack, 300);
        }
        send(260'000'000, true, 9'001 + 300 * 9, 1'101 + 100 * 9, Push | Ack, 300);
        send(300'000'000, false, 2'001, 12'001, Fin | Ack, 0);
    }

    bool write(const QString& folder)
    {
        for (auto* events : {&m_near, &m_far})
            std::ranges::stable_sort(*events, {}, &MadeNetworkEvent::time);
        return writeNetworkTrace(folder, "docker", 1, m_near) && writeNetworkTrace(folder, "server", 2, m_far);
    }

private:
    std::vector<MadeNetworkEvent> m_near;
    std::vector<MadeNetworkEvent> m_far;
    quint64 m_number = 0;
};

QList<CsvRow> connections(const QStringList& traces)
{
    return csvRows(heliograph(QStringList{"connections", "--format", "csv", "--quiet"} + traces));
}

} // namespace

class NetworkOutputTest : public QObject {
    Q_OBJECT

private slots:
    void packetsOfContainersMatchWithOtherHosts_data()
    {
        QTest::addColumn<bool>("isMasqueraded");
        QTest::addColumn<bool>("isV6");
        QTest::newRow("bridge") << false << false;
        QTest::newRow("masquerading") << true << false;
        QTest::newRow("bridge, IPv6") << false << true;
        QTest::newRow("masquerading, IPv6") << true << true;
    }
    void packetsOfContainersMatchWithOtherHosts()
    {
        QFETCH(bool, isMasqueraded);
        QFETCH(bool, isV6);
        const QTemporaryDir folder;
        Traffic traffic;
        traffic.isMasqueraded = isMasqueraded;
        traffic.isV6 = isV6;
        traffic.talk();
        QVERIFY(traffic.write(folder.path()));
        const QStringList traces{folder.filePath("docker"), folder.filePath("server")};

        const auto lines = connections(traces);
        QCOMPARE(lines.size(), 1);
        const CsvRow& line = lines[0];
        QCOMPARE(line["from"], isV6 ? QByteArray("[fd00::ac11:2]:40000") : QByteArray("172.17.0.2:40000"));
        QCOMPARE(line["to"], isV6 ? QByteArray("[fd00::a00:9]:80") : QByteArray("10.0.0.9:80"));
        const QByteArray outside = isV6 ? "[fd00::a00:1]:50001" : "10.0.0.1:50001";
        QCOMPARE(line["from_translated"], isMasqueraded ? outside : QByteArray());
        QCOMPARE(line["to_translated"], QByteArray());
        QCOMPARE(line["from_host"], QByteArray("docker"));
        QCOMPARE(line["to_host"], QByteArray("server"));
        QCOMPARE(line["from_packets"], QByteArray("13"));
        QCOMPARE(line["to_packets"], QByteArray("12"));
        QCOMPARE(line["to_retransmitted"], QByteArray("1"));
        QCOMPARE(line["from_matched"], QByteArray("13"));
        // With IPv6, fewer packets are matched: IPv6 packets have no id that distinguishes a retransmission from the original packet.
        QCOMPARE(line["to_matched"], isV6 ? QByteArray("10") : QByteArray("12"));
        QCOMPARE(line["closed"], QByteArray("half-closed"));

        const ProgramResult sync = heliograph(QStringList{"sync", "--quiet"} + traces);
        QVERIFY2(sync.out.contains(isV6 ? "from 23 packets" : "from 25 packets"), sync.out.constData());
        QVERIFY2(sync.out.contains("server: 2.999"), sync.out.constData());
        const ProgramResult info = heliograph(QStringList{"info"} + traces);
        QCOMPARE(info.out.contains("connections cross address translation"), isMasqueraded);
    }

    void socketsAreConnectionsWhereAddressesAreNotRecorded()
    {
        const QTemporaryDir folder;
        std::vector<MadePacketEvent> a, b;
        for (quint32 i = 0; i < 20; ++i) {
            const qint64 at = Begin + i * 1'000'000;
            const quint64 here = 0xffff'8800'0000'1000 + 0x800 * (i % 2), there = 0xffff'8800'0000'9000 + 0x800 * (i % 2);
            a.push_back({at, true, 1'000 + i, 0, 16, here});
            b.push_back({at + 200'000, false, 1'000 + i, 0, 16, there});
            b.push_back({at + 300'000, true, 7'000 + i, 0, 16, there});
            a.push_back({at + 500'000, false, 7'000 + i, 0, 16, here});
        }
        QVERIFY(writePacketTrace(folder.path(), "a", 1, a) && writePacketTrace(folder.path(), "b", 2, b));
        const QStringList traces{folder.filePath("a"), folder.filePath("b")};
        const auto lines = connections(traces);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0]["from"], QByteArray("socket 0xffff880000001000"));
        QCOMPARE(lines[0]["to"], QByteArray("socket 0xffff880000009000"));
        for (const CsvRow& line : lines) {
            QCOMPARE(line["from_host"], QByteArray("a"));
            QCOMPARE(line["to_host"], QByteArray("b"));
            QCOMPARE(line["from_packets"], QByteArray("10"));
            QCOMPARE(line["to_packets"], QByteArray("10"));
            QVERIFY(line["from_bytes"].isEmpty() && line["to_payload"].isEmpty() && line["from_retransmitted"].isEmpty());
            QVERIFY(line["error_ns"].toLongLong() > 0);
        }
        QVERIFY(heliograph(QStringList{"info"} + traces).out.contains("identified by kernel sockets"));
    }

    void connectionsThatNothingTellsApartAreNotListed()
    {
        const QTemporaryDir folder;
        QVERIFY(writePacketTrace(folder.path(), "a", 1, {{Begin, true, 1'000}, {Begin + 1'000, true, 1'001}}));
        QVERIFY(writePacketTrace(folder.path(), "b", 2, {{Begin, false, 1'000}, {Begin + 1'000, false, 1'001}}));
        const ProgramResult none = heliograph({"connections", "--quiet", folder.filePath("a"), folder.filePath("b")});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("addresses were not recorded"), none.err.constData());
    }
};

HELIO_TEST(NetworkOutputTest)
#include "tst_network_output.moc"
