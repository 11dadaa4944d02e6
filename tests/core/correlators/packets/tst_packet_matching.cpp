#include "tests/core/correlators/packets/made_packets.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::packets;
using test::MadePackets;
using test::tcpFlow;

class TestPacketMatching : public QObject {
    Q_OBJECT

private slots:
    void bothEndsOfAPacketBelongTogether()
    {
        MadePackets it;
        it.add(0, true, 100, 1);
        it.add(1, false, 5'000, 1); // 5'000 is a time on host 1's clock, which differs from host 0's clock.
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
        MadePackets it;
        it.add(0, true, 100, 1);
        it.add(1, false, 100, 101);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.unmatched, std::uint64_t(2));
    }

    void routersThatAreNotTracedLeaveFewerHops()
    {
        MadePackets it;
        it.add(0, true, 100, 1);
        it.add(1, false, 5'000, 1).hops = 63;
        it.add(0, true, 200, 101); // This packet passes a traced router, and untraced ones before and after it.
        it.add(3, false, 210, 101).hops = 62;
        it.add(3, true, 220, 101).hops = 61;
        it.add(1, false, 5'100, 101).hops = 60;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(3));
        QCOMPARE(found.unmatched, std::uint64_t(0));
        QVERIFY(found.all[0].fromTrace == 0 && found.all[0].toTrace == 1 && found.all[0].received == hostTime(5'000));
        QVERIFY(found.all[1].fromTrace == 0 && found.all[1].toTrace == 3);
        QVERIFY(found.all[2].fromTrace == 3 && found.all[2].toTrace == 1);
    }

    void whichOfSeveralCameByARouterIsNotGuessed()
    {
        MadePackets it;
        it.add(0, true, 100, 1); // This packet is sent twice. The hop count at the receiver does not tell which of the two arrived.
        it.add(2, true, 900, 1);
        it.add(1, false, 950, 1).hops = 63;
        it.add(0, true, 1'100, 101);
        it.add(1, false, 1'950, 101).hops = 65; // This arrival is impossible: the hop limit cannot grow on the way.
        it.add(0, true, 2'100, 201);
        it.add(2, false, 2'950, 201).hops = 63; // This arrival is impossible: the packet would arrive on the host that sent it.
        const Transmissions found = it.match();
        QCOMPARE(std::ranges::count_if(found.all, [](const Transmission& message) { return message.toTrace == 1; }), 0);
    }

    void whatIsSentAgainWithAnotherIdIsAnotherPacket()
    {
        MadePackets it;
        it.add(0, true, 100, 1, 7); // This packet is lost on the way.
        it.add(0, true, 900, 1, 8);
        it.add(1, false, 950, 1, 8);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        QCOMPARE(found.all[0].sent, hostTime(900));
        QCOMPARE(found.counts[0].packets, std::uint64_t(2));
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(1));
        QCOMPARE(found.counts[0].payloadBytes, std::uint64_t(200));
    }

    void alikeOnesAreAmbiguous()
    {
        MadePackets it;
        it.add(0, true, 100, 1, 0);
        it.add(0, true, 900, 1, 0);
        it.add(1, false, 950, 1, 0);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.ambiguous, std::uint64_t(3));
        QCOMPARE(found.sent.size(), std::size_t(2));
        QVERIFY(found.sent[0].isAmbiguous && found.sent[1].isAmbiguous);
        QVERIFY(!found.sent[0].isMatched && found.plural == "packets");
    }

    void interfacesOfOneHostBelongTogetherInTheOrderOfTime()
    {
        MadePackets it;
        it.add(0, true, 100, 1); // The packet leaves an interface inside a network namespace.
        // The packet arrives at the host's bridge, outside the network namespace: the first transit, within the host.
        it.add(0, false, 110, 1);
        it.add(2, true, 120, 1); // The packet leaves the host's network interface: the second transit, to trace 1.
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
        MadePackets it;
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
        MadePackets it;
        it.add(0, true, 100, 1);
        it.add(1, false, 110, 1).flow = it.seen.flows.idOf(tcpFlow(1001, 80));
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.connections.size(), std::size_t(2));
    }

    void whoHasTheConnectionIsKnownFromItsOtherPackets()
    {
        MadePackets it;
        it.add(0, true, 100, 1).tid = 42;
        it.add(1, false, 110, 1).tid = 77;
        it.add(0, true, 200, 101);
        it.add(1, false, 210, 101);
        const std::uint32_t back = it.seen.flows.idOf(tcpFlow(1000, 80).back());
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

    /// Property: a thread woken during a packet's arrival is not its receiver if the wake-up was a coincidence.
    void chanceWakeUpsOwnNoConnection()
    {
        MadePackets it;
        const std::uint32_t back = it.back();
        // Handshake packet, sent by thread 42. The receiving kernel answers it without waking a thread, so thread 7 below is woken by
        // coincidence.
        it.addControlPacket(0, true, 100, 1, 2).tid = 42;
        it.addControlPacket(1, false, 110, 1, 2).tid = 7;
        it.add(0, true, 200, 101).tid = 42;
        it.add(1, false, 210, 101).tid = 7; // Thread 7 is woken by coincidence again.
        it.add(0, true, 300, 201).tid = 42;
        it.add(1, false, 310, 201).tid = 203;
        for (const std::uint32_t sequence : {5u, 105u}) {
            it.add(1, true, 400 + sequence, sequence).flow = back;
            it.seen.all.back().tid = sequence == 5 ? 203 : -1;
            it.add(0, false, 410 + sequence, sequence).flow = back;
            it.seen.all.back().tid = sequence == 5 ? 42 : 8;
        }
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(5));
        for (const Transmission& message : found.all) {
            QCOMPARE(message.sender, message.fromTrace == 0 ? 42 : 203);
            QCOMPARE(message.receiver, message.toTrace == 0 ? 42 : 203);
        }
    }

    /// Input: a host on which no thread sends. Property: the receiver of all packets is the thread that most packets wake; if too few
    /// packets wake a thread, the receiver is unknown (-1).
    void mostWokenThreadOwnsTheSocket()
    {
        MadePackets it;
        for (int i = 0; i < 5; ++i) {
            it.add(0, true, 100 * i + 100, 1 + 100 * i);
            it.add(1, false, 100 * i + 110, 1 + 100 * i).tid = i == 1 ? 7 : 77;
        }
        for (const Transmission& message : it.match().all)
            QCOMPARE(message.receiver, 77);
        MadePackets rare;
        for (int i = 0; i < 5; ++i) {
            rare.add(0, true, 100 * i + 100, 1 + 100 * i);
            rare.add(1, false, 100 * i + 110, 1 + 100 * i).tid = i == 1 ? 7 : -1;
        }
        for (const Transmission& message : rare.match().all)
            QCOMPARE(message.receiver, -1);
    }

    /// Input: eth0.100 and eth0, or a bridge and its port. Property: observations of one address in kernel memory are one packet.
    void interfacesOnTopOfEachOtherAreOne()
    {
        MadePackets it;
        it.add(0, true, 100, 1).buffer = 77;
        it.add(0, true, 3'000, 1).buffer = 77;
        it.add(1, false, 9'000, 1).buffer = 5;
        it.add(1, false, 9'500, 1).buffer = 5;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        QCOMPARE(found.all[0].sent, hostTime(3'000)); // Time of the later of the two departures.
        QCOMPARE(found.all[0].received, hostTime(9'000)); // Time of the earlier of the two arrivals.
        QCOMPARE(found.ambiguous, std::uint64_t(0));
        QCOMPARE(found.counts[0].packets, std::uint64_t(1));
    }

    /// Property: a much later observation at the same address in memory is another packet, a retransmission.
    void laterOnesInTheSameMemoryAreOthers()
    {
        MadePackets it;
        it.add(0, true, 100, 1).buffer = 77;
        it.add(0, true, 200'000'000, 1).buffer = 77;
        it.add(1, false, 9'000, 1);
        const Transmissions found = it.match();
        QCOMPARE(found.ambiguous, std::uint64_t(3));
        QCOMPARE(found.counts[0].packets, std::uint64_t(2));
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(1));
    }

    void whatARouterPassesOnIsSentOnce()
    {
        MadePackets it;
        it.add(0, true, 100, 1);
        it.add(1, false, 110, 1);
        it.add(1, true, 120, 1).hops = 63;
        it.add(3, false, 130, 1).hops = 63;
        const Transmissions found = it.match();
        QCOMPARE(found.counts[0].packets, std::uint64_t(1));
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(0));
        QCOMPARE(found.counts[0].matched, std::uint64_t(1));
        QCOMPARE(found.sent.size(), std::size_t(1));
        QCOMPARE(found.all[0].packet, 0u);
        QCOMPARE(found.all[1].packet, 0u);
    }

    void oneSideAloneHasNoMatchButItsCounts()
    {
        MadePackets it;
        it.add(0, true, 100, 1);
        it.add(0, true, 200, 101);
        it.add(0, false, 300, 9).flow = it.back();
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.unmatched, std::uint64_t(3));
        QCOMPARE(found.counts[0].payloadBytes, std::uint64_t(200));
        QCOMPARE(found.counts[1].packets, std::uint64_t(1));
        QCOMPARE(found.traces[0].matched, std::uint64_t(0));
        QVERIFY(found.sent[2].isArrival);
    }

    void translatedAddressesAreOthers()
    {
        MadePackets it;
        it.add(0, true, 100, 1);
        FlowKey key = tcpFlow(40'000, 80);
        key.from = {192, 0, 2, 1};
        it.add(1, false, 110, 1).flow = it.seen.flows.idOf(key);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.unmatched, std::uint64_t(2));
    }

    /// Input: two network namespaces of one host with equal addresses. Property: distant sequence numbers are separate connections.
    void sameAddressesInTwoNamespacesAreTwoConnections()
    {
        MadePackets it;
        const std::uint16_t syn = 2, ack = 16;
        it.addControlPacket(0, true, 100, 1'000, syn);
        it.addControlPacket(1, false, 110, 1'000, syn);
        it.addControlPacket(0, true, 120, 900'000'000, syn);
        it.addControlPacket(1, false, 130, 900'000'000, syn);
        for (const std::uint32_t sequence : {1'001u, 900'000'001u, 1'101u, 900'000'101u}) {
            it.add(0, true, 200 + sequence % 1000, sequence).flags = ack;
            it.add(1, false, 300 + sequence % 1000, sequence).flags = ack;
        }
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(6));
        QCOMPARE(found.connections.size(), std::size_t(2));
        QCOMPARE(std::ranges::count(found.sent, 0u, &SentPacket::connection), 3);
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(0));
    }

    void portsThatAreUsedAgainAreAnotherConnection()
    {
        MadePackets it;
        const std::uint16_t fin = 1, syn = 2, ack = 16;
        it.addControlPacket(0, true, 100, 4'000'000'000, syn);
        it.addControlPacket(1, true, 110, 70, syn | ack, 4'000'000'001).flow = it.back();
        it.add(0, true, 120, 4'000'000'001).flags = ack;
        it.addControlPacket(0, true, 130, 4'000'000'101, fin | ack, 71);
        it.addControlPacket(0, true, 200, 5'000,
                            syn); // This packet opens a new connection. It is no retransmission, although its sequence number is lower.
        it.addControlPacket(0, true, 1'000'200, 5'000, syn);
        it.addControlPacket(1, true, 1'000'210, 4'000'000'000, syn | ack, 5'001).flow = it.back();
        it.add(0, true, 1'000'220, 5'001).flags = ack;
        const Transmissions found = it.match();
        QCOMPARE(found.connections.size(), std::size_t(2));
        QVERIFY(found.connections[0].isOpened && found.connections[1].isOpened);
        QCOMPARE(found.connections[0].flow, 0u);
        QCOMPARE(std::ranges::count(found.sent, 0u, &SentPacket::connection), 4);
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(1));
        QCOMPARE(found.counts[1].retransmissions, std::uint64_t(0));
    }

    void whoOpensIsKnownFromItsHandshake()
    {
        MadePackets it;
        const std::uint32_t back = it.back();
        // The answer to the opening packet (SYN and ACK). It is listed first, although it was sent later.
        it.addControlPacket(0, true, 110, 70, 2 | 16, 1'001);
        it.addControlPacket(1, true, 100, 1'000, 2).flow = back; // The opening packet, on the opposite flow.
        const Transmissions found = it.match();
        QCOMPARE(found.connections.size(), std::size_t(1));
        QCOMPARE(found.connections[0].flow, back);
        QCOMPARE(found.connections[0].back, 0u);
    }

    /// Input: a handshake whose answer was not recorded. Property: its packets belong to one connection.
    void aConnectionWithHalfAHandshakeIsOne()
    {
        MadePackets it;
        it.addControlPacket(0, true, 100, 1'000, 2);
        it.add(0, true, 200, 1'001).flags = 16;
        it.add(1, true, 210, 70).flow = it.back();
        const Transmissions found = it.match();
        QCOMPARE(found.connections.size(), std::size_t(1));
    }

    void numbersThatGoRoundAreNoNewConnection()
    {
        MadePackets it;
        std::uint32_t sequence = 0xffff0000;
        it.addControlPacket(0, true, 1, sequence++, 2);
        for (int i = 0; i < 100; ++i, sequence += 60'000'000) { // Sends 6 GB, so that the 32-bit sequence numbers wrap around.
            it.addBytes(0, true, 100 + i, sequence, 60'000'000).flags = 16;
            it.addBytes(1, false, 200 + i, sequence, 60'000'000).flags = 16;
        }
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(100));
        QCOMPARE(found.connections.size(), std::size_t(1));
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(0));
    }

    /// Input: inet_sock_local_out and -in events beside net_dev_queue and net_if_receive_skb. Property: each packet counts once, although
    /// it is observed twice at each end.
    void bareSightingsBesideWholeOnesSayNothingMore()
    {
        MadePackets it;
        const std::uint32_t bare = it.seen.flows.idOf({0, 6, 0, 0, {}, {}});
        for (const std::uint16_t trace : {0, 1}) {
            for (const bool isOut : {true, false}) {
                const std::uint32_t sequence = (trace == 0) == isOut ? 1 : 2;
                it.add(trace, isOut, 100 + trace * 10 + !isOut, sequence).flow = sequence == 1 ? 0 : it.back();
                it.add(trace, isOut, 105 + trace * 10 + !isOut, sequence).flow = bare;
            }
        }
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(2));
        for (const Transmission& message : found.all)
            QVERIFY(message.flow != bare);
    }

    /// Property: packets with different recorded socket pointers belong to different connections. A pointer identifies a socket only
    /// together with its host, because sockets of two hosts may have equal pointers.
    void socketsTellConnectionsApart()
    {
        MadePackets it;
        const std::uint32_t bare = it.seen.flows.idOf({0, 6, 0, 0, {}, {}});
        it.seen.sockets = {0xffff88003b1a0000, 0xffff88003b1a0800};
        const auto add = [&](std::uint16_t trace, bool isOut, std::int64_t time, std::uint32_t sequence, std::uint32_t socket) {
            PacketObservation& seen = it.add(trace, isOut, time, sequence);
            seen.flow = bare;
            seen.length = seen.headers = 0;
            seen.socket = socket;
        };
        for (std::uint32_t i = 0; i < 3; ++i)
            for (const std::uint32_t socket : {1u, 2u}) {
                add(0, true, 100 + 100 * i + socket, 1'000 * socket + i, socket);
                add(1, false, 150 + 100 * i + socket, 1'000 * socket + i, 3 - socket);
                add(1, true, 160 + 100 * i + socket, 5'000 * socket + i, 3 - socket);
                add(0, false, 170 + 100 * i + socket, 5'000 * socket + i, socket);
            }
        add(0, true, 900, 99, 1); // A lost packet whose socket is known.
        add(0, true, 910, 98, 0); // This packet's socket is unknown, so it is not counted.
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(12));
        QCOMPARE(found.connections.size(), std::size_t(2));
        QCOMPARE(found.sent.size(), std::size_t(13));
        const Flow& flow = found.flows[found.connections[0].flow];
        QCOMPARE(flow.protocol, std::string("tcp"));
        QCOMPARE(flow.from, std::string("socket 0xffff88003b1a0000"));
        QCOMPARE(flow.to, std::string("socket 0xffff88003b1a0800"));
        QCOMPARE(found.counts[found.connections[0].flow].packets, std::uint64_t(4));
        QCOMPARE(found.counts[found.connections[0].back].packets, std::uint64_t(3));
    }

    void packetsWithoutAddressesAndSocketsAreOfNoConnection()
    {
        MadePackets it;
        const std::uint32_t bare = it.seen.flows.idOf({0, 6, 0, 0, {}, {}});
        it.add(0, true, 100, 1).flow = bare;
        it.add(1, false, 110, 1).flow = bare;
        it.add(0, true, 120, 2).flow = bare;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        QVERIFY(found.sent.empty() && found.connections.empty());
        QCOMPARE(found.all[0].packet, NoPacket);
    }

    void bareSightingsAloneMatch()
    {
        MadePackets it;
        const std::uint32_t bare = it.seen.flows.idOf({0, 6, 0, 0, {}, {}});
        it.add(0, true, 100, 1).flow = bare;
        it.add(1, false, 110, 1).flow = bare;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        QCOMPARE(found.flows[bare].protocol, std::string("tcp"));
    }

    /// Input: thousands of equal packets. Property: all are reported as ambiguous, in a short time.
    void thousandsSentAgainAreCounted()
    {
        MadePackets it;
        for (int i = 0; i < 20'000; ++i)
            it.add(0, true, 100 + std::int64_t(i) * 2'000'000, 1);
        it.add(1, false, 50, 1);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.ambiguous, std::uint64_t(20'001));
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(19'999));
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
