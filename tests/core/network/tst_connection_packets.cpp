// Packets of a connection. Input: synthetic packets.

#include "core/network/connection_packets.h"
#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

SentPacket sent(std::uint16_t trace, std::int64_t at, std::uint32_t sequence)
{
    SentPacket it;
    it.at = hostTime(at);
    it.trace = trace;
    it.sequence = sequence;
    it.length = 152;
    it.payload = 100;
    it.flags = 16;
    return it;
}

/// Facts of a trace that covers the range.
std::shared_ptr<const TraceFacts> covering(HostRange range)
{
    const auto builder = makeMemoryStoreBuilder(range.begin);
    StoreSummary summary;
    summary.range = range;
    return *builder->finish(summary);
}

/// A connection from client to web with four packets. The first arrives. The second is lost and retransmitted. The third is ambiguous,
/// because another packet equals it. The fourth has the opposite direction, and only its arrival was recorded.
std::shared_ptr<Timeline> madeTraffic()
{
    auto timeline = MadeHosts::make({{MadeHosts::Client, MadeHosts::Web, 100, 180}, {MadeHosts::Client, MadeHosts::Web, 300, 390}});
    auto messages = std::make_shared<Transmissions>(*timeline->relations[0]->messages);
    messages->flows = {{"tcp", "10.0.0.1:1000", "10.0.0.2:80", 1}, {"tcp", "10.0.0.2:80", "10.0.0.1:1000", 0}};
    messages->counts.resize(2);
    messages->connections = {{0, 1, true}};
    messages->sent = {sent(MadeHosts::Client, 100, 1), sent(MadeHosts::Client, 200, 101), sent(MadeHosts::Client, 300, 101),
                      sent(MadeHosts::Client, 400, 201), sent(MadeHosts::Client, 500, 1)};
    messages->sent[0].isMatched = messages->sent[2].isMatched = true;
    messages->sent[2].isRetransmission = true;
    messages->sent[3].isAmbiguous = true;
    messages->sent[4].flow = 1;
    messages->sent[4].isArrival = true;
    const std::pair<std::int64_t, std::int64_t> ways[] = {{100, 180}, {300, 390}};
    for (std::size_t i = 0; i < 2; ++i) {
        messages->all[i].sent = hostTime(ways[i].first);
        messages->all[i].received = hostTime(ways[i].second);
        messages->all[i].packet = i == 0 ? 0 : 2;
    }
    timeline->traces[MadeHosts::Web].facts = covering({hostTime(-1'000'000'000), hostTime(1'000'000'000)});
    messages->traces.resize(timeline->traces.size());
    for (TracePacketCounts& it : messages->traces)
        it.in = it.out = 5;
    auto relation = std::make_shared<Correlation>(*timeline->relations[0]);
    relation->messages = messages;
    timeline->relations[0] = relation;
    return timeline;
}

std::vector<ConnectionPacket> packetsOf(const Timeline& timeline)
{
    const auto connections = collectConnections(timeline, {Timestamp::min(), Timestamp::max()});
    return connections.size() == 1 ? packetsOf(timeline, connections[0]) : std::vector<ConnectionPacket>();
}

} // namespace

class ConnectionPacketsTest : public QObject {
    Q_OBJECT

private slots:
    void eachHasItsFate()
    {
        const auto packets = packetsOf(*madeTraffic());
        QCOMPARE(packets.size(), std::size_t(5));
        const PacketFate fates[] = {PacketFate::Arrived, PacketFate::Lost, PacketFate::Arrived, PacketFate::Ambiguous,
                                    PacketFate::DepartureUnknown};
        for (std::size_t i = 0; i < packets.size(); ++i) {
            QVERIFY2(packets[i].fate == fates[i], qPrintable(QString::number(i)));
            QCOMPARE(packets[i].isRetransmission, i == 2);
            QCOMPARE(packets[i].isReverse, i == 4);
            QCOMPARE(packets[i].latency().has_value(), i == 0 || i == 2);
            QCOMPARE(packets[i].length, 152U);
            QCOMPARE(packets[i].payload, 100U);
        }
        QCOMPARE(*packets[0].latency(), Duration(80));
        QCOMPARE(*packets[2].latency(), Duration(90));
        QCOMPARE(packets[0].error, MadeHosts::ClientError);
        QCOMPARE(packets[1].error, Duration::max());
        QCOMPARE(packets[2].sequence, 101U);
    }

    void whatNobodyRecordedIsNotLost()
    {
        const auto timeline = madeTraffic();
        auto messages = std::make_shared<Transmissions>(*timeline->relations[0]->messages);
        messages->traces[MadeHosts::Web].in = 0;
        auto relation = std::make_shared<Correlation>(*timeline->relations[0]);
        relation->messages = messages;
        timeline->relations[0] = relation;
        QVERIFY(packetsOf(*timeline)[1].fate == PacketFate::NotRecorded);
    }

    /// Property: a packet does not count as lost if the receiver's trace could not record it: the trace ends before the arrival, begins
    /// later, or lost events at that time.
    void whatCouldNotBeRecordedIsNotLost()
    {
        constexpr std::int64_t Second = 1'000'000'000;
        const auto fateWith = [](HostRange web) {
            const auto timeline = madeTraffic();
            timeline->traces[MadeHosts::Web].facts = covering(web);
            return packetsOf(*timeline)[1].fate;
        };
        QVERIFY(fateWith({hostTime(-Second), hostTime(Second)}) == PacketFate::Lost);
        QVERIFY(fateWith({hostTime(-Second), hostTime(150)}) == PacketFate::NotRecorded);
        QVERIFY(fateWith({hostTime(-Second), hostTime(Second / 10)}) == PacketFate::NotRecorded);
        QVERIFY(fateWith({hostTime(Second), hostTime(2 * Second)}) == PacketFate::NotRecorded);
    }

    void aConnectionThatIsGoneHasNone()
    {
        const auto timeline = madeTraffic();
        ConnectionFacts gone = collectConnections(*timeline, {Timestamp::min(), Timestamp::max()}).front();
        gone.connection = 7;
        QVERIFY(packetsOf(*timeline, gone).empty());
        gone.relation = 9;
        QVERIFY(packetsOf(*timeline, gone).empty());
    }
};

HELIO_TEST(ConnectionPacketsTest)
#include "tst_connection_packets.moc"
