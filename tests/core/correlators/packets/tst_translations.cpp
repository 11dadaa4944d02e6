// Input: connections whose addresses are translated on the way (NAT), for example those of containers.

#include "made_ways.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::packets;
using namespace helio::test;

namespace {

constexpr bool Out = true, In = false;
constexpr std::uint16_t Near = 0, Far = 1, NearAlso = 2; ///< Indexes of the traces; NearAlso is a second trace of the first host.
constexpr std::int64_t Remote = 3'000'000'000; ///< Lead of host Far's clock, in ns.
constexpr std::uint16_t Syn = 2, Ack = 16;

FlowKey flow(std::array<std::uint8_t, 4> from, std::uint16_t fromPort, std::array<std::uint8_t, 4> to, std::uint16_t toPort,
             Protocol protocol = Protocol::Tcp)
{
    FlowKey key;
    key.version = 4;
    key.protocol = static_cast<std::uint8_t>(protocol);
    std::ranges::copy(from, key.from.begin());
    std::ranges::copy(to, key.to.begin());
    key.fromPort = fromPort;
    key.toPort = toPort;
    return key;
}

const FlowKey Inside = flow({172, 17, 0, 2}, 40'000, {10, 0, 0, 9}, 80);
const FlowKey Outside = flow({10, 0, 0, 1}, 50'001, {10, 0, 0, 9}, 80);

/// A connection from a container to the other host, with packets in both directions.
struct Masqueraded : MadeTransits {
    explicit Masqueraded(const FlowKey& insideKey = Inside, const FlowKey& outsideKey = Outside, bool seesTranslation = true)
        : inside(flowOf(insideKey))
        , outside(flowOf(outsideKey))
        , insideBack(flowOf(insideKey.back()))
        , outsideBack(flowOf(outsideKey.back()))
        , sees(seesTranslation)
    {
    }

    void there(std::int64_t time, std::uint32_t sequence, std::uint16_t flags = Ack, std::uint32_t acknowledgement = 70'000)
    {
        if (sees)
            send(time, sequence,
                 {{Near, "eth0", Out, 0, 64, inside, 42},
                  {Near, "veth1", In, 2'000, 64, inside},
                  {Near, "docker0", In, 3'000, 64, inside},
                  {Near, "ens3", Out, 6'000, 63, outside},
                  {Far, "ens3", In, Remote + 100'000, 63, outside, 77}},
                 flags, acknowledgement);
        else
            send(time, sequence, {{Near, "ens3", Out, 0, 64, inside, 42}, {Far, "ens3", In, Remote + 100'000, 62, outside, 77}}, flags,
                 acknowledgement);
    }

    void back(std::int64_t time, std::uint32_t sequence, std::uint16_t flags = Ack, std::uint32_t acknowledgement = 1'001)
    {
        if (sees)
            send(time, sequence,
                 {{Far, "ens3", Out, Remote, 64, outsideBack, 77},
                  {Near, "ens3", In, 100'000, 64, outsideBack},
                  {Near, "docker0", Out, 103'000, 63, insideBack},
                  {Near, "veth1", Out, 104'000, 63, insideBack},
                  {Near, "eth0", In, 107'000, 63, insideBack, 42}},
                 flags, acknowledgement);
        else
            send(time, sequence, {{Far, "ens3", Out, Remote, 64, outsideBack, 77}, {Near, "ens3", In, 100'000, 62, insideBack, 42}}, flags,
                 acknowledgement);
    }

    void wholeConnection()
    {
        there(1'000, 1'000, Syn, 0);
        back(300'000, 70'000, Syn | Ack);
        there(600'000, 1'001);
        there(700'000, 1'101);
        back(900'000, 70'001);
    }

    std::uint32_t inside, outside, insideBack, outsideBack;
    bool sees;
};

} // namespace

class TranslationsTest : public QObject {
    Q_OBJECT

private slots:
    void aTranslatedConnectionIsOne_data()
    {
        QTest::addColumn<bool>("sees");
        QTest::addColumn<int>("memory");
        for (const bool sees : {true, false})
            for (const MadeMemory memory : {MadeMemory::None, MadeMemory::Same, MadeMemory::Other})
                QTest::addRow("%s, memory %d", sees ? "by a traced host" : "by another one", int(memory)) << sees << int(memory);
    }
    void aTranslatedConnectionIsOne()
    {
        QFETCH(bool, sees);
        QFETCH(int, memory);
        Masqueraded it(Inside, Outside, sees);
        it.memory = MadeMemory(memory);
        it.wholeConnection();
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(5));
        QCOMPARE(found.unmatched, std::uint64_t(0));
        QCOMPARE(found.connections.size(), std::size_t(1));
        const Flow& flow = found.flows[found.connections[0].flow];
        // Address inside the container, from which the sending thread opened the connection.
        QCOMPARE(flow.from, std::string("172.17.0.2:40000"));
        QCOMPARE(flow.to, std::string("10.0.0.9:80"));
        QVERIFY(flow.translated != NoFlow);
        QCOMPARE(found.flows[flow.translated].from, std::string("10.0.0.1:50001"));
        QCOMPARE(found.flows[flow.translated].to, std::string("10.0.0.9:80"));
        const Flow& back = found.flows[flow.back];
        QCOMPARE(back.to, std::string("172.17.0.2:40000"));
        QCOMPARE(found.flows[back.translated].to, std::string("10.0.0.1:50001"));
        for (const Transmission& message : found.all)
            QVERIFY(message.fromTrace == Near ? message.sender == 42 && message.receiver == 77
                                              : message.sender == 77 && message.receiver == 42);
    }

    void aPublishedPortIsTranslated() // Input: a packet from outside to a container, which arrives with another destination address.
    {
        MadeTransits it;
        const FlowKey known = flow({10, 0, 0, 9}, 50'000, {10, 0, 0, 1}, 8080), own = flow({10, 0, 0, 9}, 50'000, {172, 17, 0, 2}, 80);
        const std::uint32_t there = it.flowOf(known), inside = it.flowOf(own), back = it.flowOf(known.back()),
                            insideBack = it.flowOf(own.back());
        for (std::uint32_t i = 0; i < 3; ++i) {
            it.send(1'000 + 1'000'000 * i, 1'001 + 100 * i,
                    {{Far, "ens3", Out, Remote, 64, there},
                     {Near, "ens3", In, 100'000, 64, there},
                     {Near, "docker0", Out, 103'000, 63, inside},
                     {Near, "eth0", In, 107'000, 63, inside, 42}});
            it.send(500'000 + 1'000'000 * i, 5'001 + 100 * i,
                    {{Near, "eth0", Out, 0, 64, insideBack, 42},
                     {Near, "veth1", In, 2'000, 64, insideBack},
                     {Near, "ens3", Out, 6'000, 63, back},
                     {Far, "ens3", In, Remote + 100'000, 63, back}});
        }
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(6));
        QCOMPARE(found.connections.size(), std::size_t(1));
        QVERIFY(found.flows[there].translated != NoFlow);
        QCOMPARE(found.flows[found.flows[there].translated].to, std::string("172.17.0.2:80"));
        // No handshake was recorded, so the opener is unknown: either of the two flows may be listed as the opener's.
        QVERIFY(found.connections[0].flow == there || found.connections[0].back == there);
        QCOMPARE(found.flows[inside].translated, NoFlow);
    }

    void singlePacketsAreNoEvidence()
    {
        Masqueraded it(Inside, Outside, false);
        it.there(1'000, 1'001);
        it.back(300'000, 70'001);
        const Transmissions found = it.match();
        QVERIFY(found.all.empty());
        QCOMPARE(found.connections.size(), std::size_t(2));
    }

    void whichOfTwoConnectionsWasTranslatedIsNotGuessed()
    {
        Masqueraded it(Inside, Outside, false);
        const std::uint32_t alike = it.flowOf(flow({172, 17, 0, 3}, 40'000, {10, 0, 0, 9}, 80));
        it.wholeConnection();
        for (const std::uint32_t sequence : {1'000u, 1'001u, 1'101u}) {
            const auto same = std::ranges::find_if(
                it.seen.all, [&](const PacketObservation& s) { return s.sequence == sequence && s.flow == it.inside; });
            PacketObservation copy = *same;
            copy.flow = alike;
            copy.time += Duration(10'000);
            it.seen.all.push_back(copy);
        }
        const Transmissions found = it.match();
        for (const Flow& each : found.flows)
            QCOMPARE(each.translated, NoFlow);
    }

    /// Input: two connections that begin with equal sequence numbers, both observed on both hosts. Property: neither is a translation of
    /// the other.
    void connectionsWithTheSameNumbersAreTwo()
    {
        MadeTransits it;
        const std::uint32_t a = it.flowOf(Inside), b = it.flowOf(Outside);
        for (std::uint32_t i = 0; i < 5; ++i)
            for (const std::uint32_t flow : {a, b})
                it.send(1'000 + 1'000'000 * i + (flow == b ? 20'000 : 0), 1 + 100 * i,
                        {{Near, "ens3", Out, 0, 64, flow}, {Far, "ens3", In, Remote, 64, flow}});
        for (PacketObservation& seen : it.seen.all)
            seen.id = 0;
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(10));
        for (const Flow& each : found.flows)
            QCOMPARE(each.translated, NoFlow);
    }

    void datagramsAreFollowedThroughTheHostThatTranslates()
    {
        const auto udp = [](FlowKey key) {
            key.protocol = static_cast<std::uint8_t>(Protocol::Udp);
            return key;
        };
        // UDP packets are matched only by their addresses in kernel memory. They are found only if the host that translates the addresses
        // was traced.
        for (const bool sees : {true, false}) {
            Masqueraded it(udp(Inside), udp(Outside), sees);
            for (std::int64_t i = 0; i < 3; ++i) {
                it.there(1'000 + 2'000'000 * i, 0, 0, 0);
                it.back(1'000'000 + 2'000'000 * i, 0, 0, 0);
            }
            const Transmissions found = it.match();
            QCOMPARE(found.all.size(), std::size_t(sees ? 6 : 0));
            QCOMPARE(found.flows[it.inside].translated, sees ? it.outside : NoFlow);
        }
    }

    /// Input: masquerading to a port below the service's (`--to-ports`). Property: the connection has the addresses that the host which
    /// opened it uses, whichever trace is read first.
    void aLowMasqueradedPortIsNoService_data()
    {
        QTest::addColumn<int>("protocol");
        QTest::addColumn<bool>("isOutsideFirst");
        for (const Protocol protocol : {Protocol::Tcp, Protocol::Udp})
            for (const bool isOutsideFirst : {true, false})
                QTest::addRow("%d, %s first", int(protocol), isOutsideFirst ? "outside" : "inside") << int(protocol) << isOutsideFirst;
    }
    void aLowMasqueradedPortIsNoService()
    {
        QFETCH(int, protocol);
        QFETCH(bool, isOutsideFirst);
        const FlowKey inside = flow({172, 17, 0, 2}, 50'802, {10, 0, 0, 9}, 9001, Protocol(protocol));
        const FlowKey outside = flow({10, 0, 0, 1}, 3182, {10, 0, 0, 9}, 9001, Protocol(protocol));
        Masqueraded it(isOutsideFirst ? outside : inside, isOutsideFirst ? inside : outside);
        if (isOutsideFirst) {
            std::swap(it.inside, it.outside);
            std::swap(it.insideBack, it.outsideBack);
        }
        const bool isTcp = Protocol(protocol) == Protocol::Tcp;
        for (std::uint32_t i = 0; i < 3; ++i) {
            it.back(1'000 + 2'000'000 * i, isTcp ? 70'001 + 100 * i : 0, isTcp ? Ack : 0, isTcp ? 1'001 : 0);
            it.there(1'000'000 + 2'000'000 * i, isTcp ? 1'001 + 100 * i : 0, isTcp ? Ack : 0, isTcp ? 70'000 : 0);
        }
        const Transmissions found = it.match();
        QCOMPARE(found.connections.size(), std::size_t(1));
        QCOMPARE(found.flows[it.inside].translated, it.outside);
        QCOMPARE(found.flows[it.outside].translated, NoFlow);
    }

    void aDatagramWithoutAnswerIsFollowedHoweverSlow()
    {
        MadeTransits it;
        const std::uint32_t inside = it.flowOf(flow({172, 17, 0, 2}, 40'000, {10, 0, 0, 9}, 514, Protocol::Udp));
        const std::uint32_t outside = it.flowOf(flow({10, 0, 0, 1}, 40'000, {10, 0, 0, 9}, 514, Protocol::Udp));
        it.send(1'000, 0,
                {{Near, "eth0", Out, 0, 64, inside, 42},
                 {Near, "veth1", In, 2'000, 64, inside},
                 {Near, "ens3", Out, 1'536'000, 63, outside},
                 {Far, "ens3", In, Remote + 1'700'000, 63, outside}},
                0, 0);
        const Transmissions found = it.match();
        QCOMPARE(found.flows[inside].translated, outside);
        QCOMPARE(found.all.size(), std::size_t(1));
    }

    void translationsOfTwoHostsFollowEachOther()
    {
        MadeTransits it;
        const FlowKey first = Inside, second = Outside, third = flow({10, 0, 0, 1}, 50'001, {172, 17, 0, 5}, 8080);
        const std::uint32_t a = it.flowOf(first), b = it.flowOf(second), c = it.flowOf(third);
        for (std::uint32_t i = 0; i < 4; ++i)
            it.send(1'000 + 1'000'000 * i, 1'000 + 100 * i,
                    {{Near, "eth0", Out, 0, 64, a, 42},
                     {Near, "veth1", In, 2'000, 64, a},
                     {NearAlso, "ens3", Out, 6'000, 63, b},
                     {Far, "ens3", In, Remote + 100'000, 63, b},
                     {Far, "docker0", Out, Remote + 104'000, 62, c},
                     {Far, "eth0", In, Remote + 107'000, 62, c, 77}},
                    i == 0 ? Syn : Ack, i == 0 ? 0 : 70'000);
        const Transmissions found = it.match();
        QCOMPARE(found.all.size(), std::size_t(4));
        QCOMPARE(found.connections.size(), std::size_t(1));
        QCOMPARE(found.connections[0].flow, a);
        QCOMPARE(found.flows[a].translated, b);
        QCOMPARE(found.flows[b].translated, c);
    }
};

HELIO_TEST(TranslationsTest)
#include "tst_translations.moc"
