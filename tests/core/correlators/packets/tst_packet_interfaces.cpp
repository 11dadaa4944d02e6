// Input: packets that pass several interfaces of their hosts, for example those of containers and virtual machines.

#include "made_ways.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::packets;
using namespace helio::test;

namespace {

constexpr bool Out = true, In = false;
constexpr std::uint16_t Near = 0, Far = 1; ///< Traces of two hosts, sender and receiver.
constexpr std::int64_t Remote = 3'000'000'000; ///< Lead of host Far's clock, in ns.

/// Adds a packet from a container, through a bridge, to the other host.
void leaveBridge(MadeTransits& it, std::int64_t time, std::uint32_t sequence, std::uint8_t routed = 1)
{
    const auto hops = static_cast<std::uint8_t>(64 - routed);
    it.send(time, sequence,
            {{Near, "eth0", Out, 0, 64, 0, 42},
             {Near, "veth1", In, 3'000, 64},
             {Near, "docker0", In, 5'000, 64},
             {Near, "ens3", Out, 9'000, hops},
             {Far, "ens3", In, Remote + 200'000, hops}});
}

} // namespace

class PacketInterfacesTest : public QObject {
    Q_OBJECT

private slots:
    void memories_data()
    {
        QTest::addColumn<int>("memory");
        QTest::addColumn<int>("routed");
        QTest::addColumn<int>("id");
        for (const MadeMemory memory : {MadeMemory::None, MadeMemory::Same, MadeMemory::Other})
            for (const int routed : {0, 1})
                for (const int id : {0, 1})
                    QTest::addRow("memory %d, %d hops less, id %d", int(memory), routed, id) << int(memory) << routed << id;
    }

    void aPacketThatLeavesAContainerIsOneWay_data() { memories_data(); }
    void aPacketThatLeavesAContainerIsOneWay()
    {
        QFETCH(int, memory);
        QFETCH(int, routed);
        QFETCH(int, id);
        MadeTransits it;
        it.memory = MadeMemory(memory);
        it.id = std::uint16_t(id);
        for (std::uint32_t i = 0; i < 5; ++i)
            leaveBridge(it, 1'000 + 1'000'000 * i, 1 + 100 * i, std::uint8_t(routed));
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(5));
        QCOMPARE(found.counts[0].packets, std::uint64_t(5));
        QCOMPARE(found.counts[0].retransmissions, std::uint64_t(0));
        QCOMPARE(found.counts[0].matched, std::uint64_t(5));
        QCOMPARE(found.unmatched, std::uint64_t(0));
        QCOMPARE(found.ambiguous, std::uint64_t(0));
        QCOMPARE(found.traces[Near].matched, std::uint64_t(5));
        QCOMPARE(found.all[0].sent, hostTime(10'000)); // The packet is sent when it leaves the last interface of its host, ens3.
        QCOMPARE(found.all[0].sender, 42); // The sender is the thread that ran at the first interface, eth0.
        QCOMPARE(found.all[0].received, hostTime(1'000 + Remote + 200'000));
        QVERIFY(found.all[0].fromTrace == Near && found.all[0].toTrace == Far);
    }

    void aPacketThatReachesAContainerIsOneWay_data() { memories_data(); }
    void aPacketThatReachesAContainerIsOneWay()
    {
        QFETCH(int, memory);
        QFETCH(int, routed);
        QFETCH(int, id);
        MadeTransits it;
        it.memory = MadeMemory(memory);
        it.id = std::uint16_t(id);
        const auto hops = std::uint8_t(64 - routed);
        it.send(1'000, 1,
                {{Near, "ens3", Out, 0, 64, 0, 42},
                 {Far, "ens3", In, Remote, 64},
                 {Far, "docker0", Out, Remote + 2'000, hops},
                 {Far, "veth1", Out, Remote + 3'000, hops},
                 {Far, "eth0", In, Remote + 7'000, hops, 0, 77}});
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        // The packet is received when it arrives at the first interface of its host, ens3.
        QCOMPARE(found.all[0].received, hostTime(1'000 + Remote));
        QCOMPARE(found.all[0].receiver, 77); // The receiver is the thread that was woken at the last interface, eth0.
        QVERIFY(found.all[0].wokeReceiver);
        QCOMPARE(found.unmatched, std::uint64_t(0));
    }

    void containersOfOneHostTalkToEachOther_data() { memories_data(); }
    void containersOfOneHostTalkToEachOther()
    {
        QFETCH(int, memory);
        QFETCH(int, routed); // 1 if the host routes the packet between two bridges.
        QFETCH(int, id);
        MadeTransits it;
        it.memory = MadeMemory(memory);
        it.id = std::uint16_t(id);
        const auto hops = std::uint8_t(64 - routed);
        for (std::uint32_t i = 0; i < 3; ++i)
            it.send(1'000 + 20'000 * i, 1 + 100 * i,
                    {{Near, "eth0", Out, 0, 64, 0, 42},
                     {Near, "veth1", In, 2'000, 64},
                     {Near, "veth2", Out, 4'000, hops},
                     {Near, "eth0", In, 6'000, hops, 0, 77}});
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(3));
        QCOMPARE(found.counts[0].packets, std::uint64_t(3));
        QCOMPARE(found.all[0].sent, hostTime(1'000));
        QCOMPARE(found.all[0].received, hostTime(7'000));
        QVERIFY(found.all[0].sender == 42 && found.all[0].receiver == 77);
    }

    // Input: packets that a thread sends through a macvlan interface on top of the network card ens3. The events are in the order of the
    // kernel's calls.
    void interfacesOnTopOfOneCardAreOneWay()
    {
        MadeTransits it;
        it.memory = MadeMemory::None;
        it.send(1'000, 1, {{Near, "macvlan0", Out, 0, 64, 0, 42}, {Near, "ens3", Out, 2'000, 64}, {Far, "ens3", In, Remote, 64, 0, 77}});
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(1));
        QCOMPARE(found.all[0].sent, hostTime(3'000));
        QCOMPARE(found.all[0].sender, 42);
    }

    /// Input: a packet and its retransmission. Property: they are two packets. IPv6 packets have no identification that distinguishes a
    /// retransmission from the original packet, so that both stay ambiguous.
    void aPacketThatIsSentAgainIsAnother_data() { memories_data(); }
    void aPacketThatIsSentAgainIsAnother()
    {
        QFETCH(int, memory);
        QFETCH(int, routed);
        QFETCH(int, id);
        // Delays in ns of a fast retransmission, of a retransmission after a probe, and of a retransmission after a time-out.
        for (const std::int64_t later : {30'000ll, 2'000'000ll, 250'000'000ll}) {
            MadeTransits it;
            it.memory = MadeMemory(memory);
            for (int i = 0; i < 2; ++i) {
                it.id = std::uint16_t(id > 0 ? id + i : 0);
                leaveBridge(it, 1'000 + later * i, 1, std::uint8_t(routed));
            }
            const Transmissions found = it.match();
            QCOMPARE(found.counts[0].packets, std::uint64_t(2));
            QCOMPARE(found.counts[0].retransmissions, std::uint64_t(1));
            QCOMPARE(found.all.size(), std::size_t(id > 0 ? 2 : 0));
            QCOMPARE(found.ambiguous, std::uint64_t(id > 0 ? 0 : 4));
        }
    }

    // Input: four datagrams of equal length at the same address in kernel memory. Property: they count as four packets.
    void alikePacketsOfOneInterfaceAreSeveral()
    {
        MadeTransits it;
        it.id = 0;
        for (int i = 0; i < 4; ++i)
            it.send(1'000 + 5'000 * i, 1, {{Near, "lo", Out, 0, 64, 0, 42}, {Near, "lo", In, 1'000, 64, 0, 77}});
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(4));
        QCOMPARE(found.counts[0].packets, std::uint64_t(4));
    }

    void hostsInterfaceMayHaveTheNameOfAContainers()
    {
        // With 64, the host bridges the packet. With 63, the host routes the packet, which reduces the hop limit by 1.
        for (const std::uint8_t hops : {64, 63}) {
            MadeTransits it;
            it.send(1'000, 1,
                    {{Near, "eth0", Out, 0, 64, 0, 42},
                     {Near, "veth1", In, 2'000, 64},
                     {Near, "eth0", Out, 4'000, hops},
                     {Far, "eth0", In, Remote, hops}});
            const Transmissions found = it.match();
            QCOMPARE(found.all.size(), std::size_t(1));
            QCOMPARE(found.counts[0].packets, std::uint64_t(1));
            QCOMPARE(found.all[0].sent, hostTime(5'000));
        }
    }

    /// Input: network cards split outgoing packets and merge incoming packets. Property: each part is matched between sender and receiver,
    /// although the sender observes each packet at three interfaces.
    void piecesMatchThroughInterfaces()
    {
        MadeTransits it;
        const auto through = [&](std::int64_t time, std::uint32_t sequence, std::uint32_t payload) {
            std::int64_t after = 0;
            for (const auto& [device, isOut, hops] :
                 {std::tuple("eth0", Out, 64), std::tuple("veth1", In, 64), std::tuple("ens3", Out, 63)}) {
                PacketObservation& seen = it.addBytes(Near, isOut, time + after, sequence, payload);
                seen.device = it.deviceOf(device);
                seen.hops = std::uint8_t(hops);
                after += 2'000;
            }
        };
        through(1'000, 1, 2'800);
        for (const std::uint32_t sequence : {1u, 1'401u}) {
            it.addBytes(Far, In, Remote + sequence, sequence, 1'400).hops = 63;
            it.seen.all.back().device = it.deviceOf("ens3");
        }
        through(1'000'000, 2'801, 1'400);
        through(1'020'000, 4'201, 1'400);
        it.addBytes(Far, In, Remote + 1'000'000, 2'801, 2'800).hops = 63;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(4));
        for (const Transmission& message : found.all)
            QVERIFY(message.isPart && message.fromTrace == Near && message.toTrace == Far);
        QCOMPARE(found.counts[0].packets, std::uint64_t(3));
    }

    /// Input: a host that only bridges its guests' packets, without reducing the hop limit. Property: the packets are matched from host to
    /// host, through the bridging host.
    void hostsThatOnlyBridgeAreOnTheWay()
    {
        constexpr std::uint16_t Bridge = 3;
        MadeTransits it;
        for (std::uint32_t i = 0; i < 3; ++i)
            it.send(1'000 + 1'000'000 * i, 1 + 100 * i,
                    {{Near, "ens3", Out, 0, 64, 0, 42},
                     {Bridge, "vnet0", In, 50'000, 64},
                     {Bridge, "eno1", Out, 53'000, 64},
                     {Far, "ens3", In, Remote, 64, 0, 77}});
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(6));
        QCOMPARE(found.counts[0].packets, std::uint64_t(3));
        QCOMPARE(found.ambiguous, std::uint64_t(0));
        for (const Transmission& message : found.all)
            QVERIFY(message.fromTrace == Near ? message.toTrace == Bridge : message.fromTrace == Bridge && message.toTrace == Far);
    }

    // Input: a bridge that copies a broadcast to each port. Property: all three observations of the broadcast are ambiguous.
    void broadcastCopiesAreNoTransit()
    {
        FlowKey key = tcpFlow(5353, 5353);
        key.protocol = std::uint8_t(Protocol::Udp);
        key.to = {224, 0, 0, 251};
        MadeTransits it;
        it.memory = MadeMemory::Other;
        const std::uint32_t flow = it.flowOf(key);
        it.send(1'000, 1, {{Near, "ens3", Out, 0, 64, flow}, {Near, "veth2", Out, 2'000, 64, flow}, {Far, "ens3", In, Remote, 64, flow}});
        QCOMPARE(it.match().ambiguous, std::uint64_t(3));
    }
};

HELIO_TEST(PacketInterfacesTest)
#include "tst_packet_interfaces.moc"
