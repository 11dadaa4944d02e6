// Input: packets that the sender's network card split or the receiver's merged.

#include "tests/core/correlators/packets/made_packets.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

using namespace helio;
using namespace helio::packets;
using test::MadePackets;

class TestPacketPieces : public QObject {
    Q_OBJECT

private slots:
    void piecesOfACutPacketAreItsWay()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 4'000);
        it.addBytes(1, false, 5'000, 1'000, 1'448);
        it.addBytes(1, false, 5'010, 2'448, 1'448);
        it.addBytes(1, false, 5'020, 3'896, 1'104);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(3));
        for (const Transmission& message : found.all) {
            QVERIFY(message.isPart && message.boundsClocks);
            QCOMPARE(message.sent, hostTime(100));
            QCOMPARE(message.packet, 0u);
        }
        QCOMPARE(found.all[1].received, hostTime(5'010));
        QCOMPARE(found.all[1].sequence, 2'448u);
        QCOMPARE(found.all[1].length, 1'488u);
        QCOMPARE(found.unmatched, std::uint64_t(0));
        // Counts are numbers of sent packets, not of the three parts in which the packet arrived.
        QCOMPARE(found.counts[0].packets, std::uint64_t(1));
        QCOMPARE(found.counts[0].payloadBytes, std::uint64_t(4'000));
        QCOMPARE(found.counts[0].matched, std::uint64_t(1));
    }

    void allOfAJoinedPacketCameInWithIt()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 1'448);
        it.addBytes(0, true, 110, 2'448, 1'448);
        it.addBytes(0, true, 120, 3'896, 1'104);
        it.addBytes(1, false, 5'000, 1'000, 4'000);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(3));
        QCOMPARE(found.all[2].sent, hostTime(120));
        for (const Transmission& message : found.all) {
            QVERIFY(message.isPart);
            QCOMPARE(message.received, hostTime(5'000));
        }
        QCOMPARE(found.counts[0].packets, std::uint64_t(3));
    }

    void cutAndJoinedElsewhereIsFoundByLastBytes()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 0, 3'000);
        it.addBytes(0, true, 200, 3'000, 3'000);
        it.addBytes(1, false, 5'000, 0, 2'000);
        it.addBytes(1, false, 5'100, 2'000, 2'000); // This received packet contains bytes of both sent packets.
        it.addBytes(1, false, 5'200, 4'000, 2'000);
        const Transmissions found = it.match();
        std::vector<std::pair<std::int64_t, std::int64_t>> ways;
        for (const Transmission& message : found.all)
            ways.emplace_back(nanoseconds(message.sent), nanoseconds(message.received));
        const std::vector<std::pair<std::int64_t, std::int64_t>> expected{{100, 5'000}, {100, 5'100}, {200, 5'100}, {200, 5'200}};
        QCOMPARE(ways, expected);
    }

    /// Input: the last part of a split packet is lost and retransmitted as a packet of its own. Property: the retransmission is matched
    /// with its own arrival and does not count as a part.
    void whatWasSentAgainIsLeftAlone()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 3'000);
        it.addBytes(1, false, 5'000, 1'000, 2'000);
        it.addBytes(0, true, 900, 3'000, 1'000);
        it.addBytes(1, false, 5'900, 3'000, 1'000);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(2));
        QCOMPARE(found.all[0].received, hostTime(5'000));
        QVERIFY(found.all[0].isPart);
        QCOMPARE(found.all[1].sent, hostTime(900));
        QVERIFY(!found.all[1].isPart);
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(1));
    }

    /// Input: the last part of a split packet is late and also retransmitted; both arrive. Property: the late part and the retransmission
    /// are each matched with their own departure.
    void whatCameInTwiceHasBothItsWays()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 3'000);
        it.addBytes(0, true, 900, 3'000, 1'000).id = 9;
        it.addBytes(1, false, 5'000, 1'000, 2'000);
        it.addBytes(1, false, 5'010, 3'000, 1'000).id = 8;
        it.addBytes(1, false, 5'020, 3'000, 1'000).id = 9;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(3));
        QCOMPARE(found.all[1].received, hostTime(5'010));
        QCOMPARE(found.all[1].sent, hostTime(100));
        QCOMPARE(found.counts[0].packets, std::uint64_t(2));
    }

    void bytesThatWereSentTwiceAreNobodys()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 3'000);
        it.addBytes(0, true, 900, 1'000, 2'500);
        it.addBytes(1, false, 5'000, 1'000, 1'000);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.unmatched, std::uint64_t(3));
        QCOMPARE(found.counts[0].packets, std::uint64_t(2)); // The arrival is not counted as a third packet.
    }

    void otherAcknowledgementsAreOtherPackets()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 3'000).acknowledgement = 5;
        it.addBytes(1, false, 5'000, 1'000, 1'000).acknowledgement = 6;
        QVERIFY(it.match().all.empty());
    }

    /// Property: if the sender lost events, its split and merged packets give no bounds on the clocks' offset, because an earlier
    /// departure of the bytes may be lost.
    void sendersThatLostEventsSayNothingOfClocks()
    {
        MadePackets it;
        it.addBytes(0, true, 100, 1'000, 2'000);
        it.addBytes(1, false, 5'000, 1'000, 1'000);
        it.addBytes(1, false, 5'010, 2'000, 1'000);
        it.seen.isLossy = {true, false};
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(2));
        QVERIFY(!found.all[0].boundsClocks && !found.all[1].boundsClocks);
    }

    void datagramsHaveNoPieces()
    {
        MadePackets it;
        FlowKey key = test::tcpFlow(53, 53);
        key.protocol = 17;
        it.flowId = it.seen.flows.idOf(key);
        it.addBytes(0, true, 100, 0, 3'000);
        it.addBytes(1, false, 5'000, 0, 1'000);
        QVERIFY(it.match().all.empty());
    }

    /// Input: a stream of 12 GB, split and merged at random. Property: each matched transit is one that the test's network performed.
    void longStreamsGoRoundTheNumbers()
    {
        std::mt19937_64 random(7);
        MadePackets it;
        const std::uint32_t first = 0xf0000000;
        constexpr std::int64_t All = 12'000'000'000;
        const auto sentAt = [](std::int64_t byte) { return byte / 1'000; };
        // Position of each packet's last byte in the stream, when sent (`sentEnds`) and when received (`receivedEnds`).
        std::vector<std::int64_t> sentEnds, receivedEnds;
        const auto cut = [&](std::vector<std::int64_t>& ends) {
            for (std::int64_t end = 0; end < All;)
                ends.push_back(end = std::min<std::int64_t>(All, end + 1'000'000 + std::int64_t(random() % 30'000'000)));
        };
        cut(sentEnds);
        cut(receivedEnds);
        std::int64_t begin = 0;
        for (const std::int64_t end : sentEnds) {
            it.addBytes(0, true, sentAt(begin), first + std::uint32_t(begin), std::uint32_t(end - begin));
            begin = end;
        }
        begin = 0;
        for (const std::int64_t end : receivedEnds) {
            it.addBytes(1, false, 77'000'000 + sentAt(end), first + std::uint32_t(begin), std::uint32_t(end - begin));
            begin = end;
        }
        const Transmissions found = it.match();
        QVERIFY(found.all.size() >= sentEnds.size() && found.all.size() >= receivedEnds.size());
        for (const Transmission& message : found.all) {
            const std::int64_t wayTime = nanoseconds(message.received) - 77'000'000 - nanoseconds(message.sent);
            QVERIFY(wayTime >= 0 && wayTime <= 80'000);
        }
        QCOMPARE(found.unmatched, std::uint64_t(0));
        QCOMPARE(found.connections.size(), std::size_t(1));
    }
};

HELIO_TEST(TestPacketPieces)
#include "tst_packet_pieces.moc"
