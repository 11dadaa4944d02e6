#include "core/relations/packets/packet_matching.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::packets;

namespace {

FlowKey flow(std::uint16_t fromPort, std::uint16_t toPort)
{
    FlowKey key;
    key.version = 4;
    key.protocol = 6;
    key.from = {10, 0, 0, 1};
    key.to = {10, 0, 0, 2};
    key.fromPort = fromPort;
    key.toPort = toPort;
    return key;
}

/// Packets of one flow between traces 0 and 1, of hosts of the same numbers; trace 2 is on host 0, too.
struct Recording {
    Sightings seen;
    std::uint32_t flowId = seen.flows.idOf(flow(1000, 80));

    Sighting& add(std::uint16_t trace, bool isOut, std::int64_t time, std::uint32_t sequence, std::uint16_t id = 1)
    {
        Sighting it;
        it.time = hostTime(time);
        it.flow = flowId;
        it.sequence = sequence;
        it.length = 140;
        it.headers = 40;
        it.id = id;
        it.trace = trace;
        it.isOut = isOut;
        it.hops = 64;
        seen.all.push_back(it);
        ++seen.events;
        return seen.all.back();
    }
    Transmissions match()
    {
        return matchPackets(std::move(seen), [](std::uint32_t trace) { return trace == 2 ? 0u : trace; }, {});
    }
};

} // namespace

class TestPacketMatching : public QObject {
    Q_OBJECT

private slots:
    void bothEndsOfAPacketBelongTogether()
    {
        Recording it;
        it.add(0, true, 100, 1);
        it.add(1, false, 5'000, 1); // Another clock.
        it.add(0, true, 200, 101);
        it.add(1, false, 5'100, 101);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(2));
        QCOMPARE(found.all[0].sent, hostTime(100));
        QCOMPARE(found.all[0].received, hostTime(5'000));
        QCOMPARE(found.all[0].fromTrace, 0u);
        QCOMPARE(found.all[0].toTrace, 1u);
        QCOMPARE(found.all[1].sequence, 101u);
        QCOMPARE(found.unmatched, std::uint64_t(0));
        QCOMPARE(found.ambiguous, std::uint64_t(0));
        QCOMPARE(textOf(found, found.all[0]), std::string("tcp 10.0.0.1:1000 > 10.0.0.2:80 seq 1 len 140"));
    }

    void lostOnesHaveNoOtherEnd()
    {
        Recording it;
        it.add(0, true, 100, 1);
        it.add(1, false, 100, 101);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.unmatched, std::uint64_t(2));
    }

    void whatIsSentAgainWithAnotherIdIsAnotherPacket()
    {
        Recording it;
        it.add(0, true, 100, 1, 7); // Lost on the way.
        it.add(0, true, 900, 1, 8);
        it.add(1, false, 950, 1, 8);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        QCOMPARE(found.all[0].sent, hostTime(900));
        QCOMPARE(found.counts[0].packets, std::uint64_t(2));
        QCOMPARE(found.counts[0].again, std::uint64_t(1));
        QCOMPARE(found.counts[0].payloadBytes, std::uint64_t(200));
    }

    void alikeOnesAreAmbiguous()
    {
        Recording it;
        it.add(0, true, 100, 1, 0);
        it.add(0, true, 900, 1, 0);
        it.add(1, false, 950, 1, 0);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.ambiguous, std::uint64_t(3));
    }

    void interfacesOfOneHostBelongTogetherInTheOrderOfTime()
    {
        Recording it;
        it.add(0, true, 100, 1); // A namespace's interface,
        it.add(0, false, 110, 1); // the bridge that it leads to,
        it.add(2, true, 120, 1); // and the host's own.
        it.add(1, false, 9'000, 1);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(2));
        QCOMPARE(found.all[0].received, hostTime(110));
        QCOMPARE(found.all[0].toTrace, 0u);
        QCOMPARE(found.all[1].sent, hostTime(120));
        QCOMPARE(found.all[1].toTrace, 1u);
        QCOMPARE(found.counts[0].packets, std::uint64_t(1));
    }

    void eachHopOfARouterIsItsOwn()
    {
        Recording it;
        it.add(0, true, 100, 1);
        it.add(1, false, 110, 1);
        it.add(1, true, 120, 1).hops = 63;
        it.add(3, false, 130, 1).hops = 63;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(2));
        QCOMPARE(found.all[1].fromTrace, 1u);
        QCOMPARE(found.all[1].toTrace, 3u);
    }

    void connectionOfOtherPortsIsAnother()
    {
        Recording it;
        it.add(0, true, 100, 1);
        it.add(1, false, 110, 1).flow = it.seen.flows.idOf(flow(1001, 80));
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.flows.size(), std::size_t(2));
    }

    void whoHasTheConnectionIsKnownFromItsOtherPackets()
    {
        Recording it;
        it.add(0, true, 100, 1).tid = 42;
        it.add(1, false, 110, 1).tid = 77;
        it.add(0, true, 200, 101);
        it.add(1, false, 210, 101);
        const std::uint32_t back = it.seen.flows.idOf(flow(1000, 80).back());
        it.add(1, true, 300, 5).flow = back;
        it.add(0, false, 310, 5).flow = back;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(3));
        QCOMPARE(found.all[1].sender, 42);
        QCOMPARE(found.all[1].receiver, 77);
        QCOMPARE(found.all[2].sender, 77);
        QCOMPARE(found.all[2].receiver, 42);
        QCOMPARE(found.flows[0].back, 1u);
        QCOMPARE(found.flows[1].back, 0u);
    }

    void addressesAreWrittenAsUsual()
    {
        FlowKey key;
        key.version = 6;
        key.protocol = 17;
        key.from[0] = 0xfe, key.from[1] = 0x80, key.from[15] = 1;
        key.to[15] = 1;
        key.fromPort = 5353;
        const Flow text = packets::textOf(key);
        QCOMPARE(text.protocol, std::string("udp"));
        QCOMPARE(text.from, std::string("[fe80::1]:5353"));
        QCOMPARE(text.to, std::string("::1"));
    }
};

HELIO_TEST(TestPacketMatching)
#include "tst_packet_matching.moc"
