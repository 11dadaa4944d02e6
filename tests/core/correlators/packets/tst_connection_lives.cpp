// Input: successive connections that use the same pair of ports. Property: they are told apart.

#include "core/correlators/packets/sent_packets.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace helio;
using namespace helio::packets;

namespace {

constexpr std::uint32_t Apart = 1'000'003; ///< Distance between the initial sequence numbers of successive connections, modulo 2^32.

Transmissions oneFlow()
{
    Transmissions messages;
    messages.flows.push_back({"tcp", "10.0.0.1:1000", "10.0.0.2:80"});
    return messages;
}

void add(Transmissions& messages, std::uint32_t sequence, std::uint32_t payload, TcpFlag flag, bool isArrival = false)
{
    SentPacket it;
    it.sequence = sequence;
    it.payload = payload;
    it.flags = static_cast<std::uint16_t>(flag);
    it.isArrival = isArrival;
    messages.sent.push_back(it);
}

} // namespace

class ConnectionLivesTest : public QObject {
    Q_OBJECT

private slots:
    void eachPacketIsOfTheNearestOfThousands()
    {
        constexpr std::uint32_t Lives = 4'000;
        Transmissions messages = oneFlow();
        for (std::uint32_t life = 0; life < Lives; ++life)
            add(messages, life * Apart, 0, TcpFlag::Syn);
        std::mt19937 random(1);
        std::vector<std::uint32_t> of, sent(Lives, 1);
        for (int i = 0; i < 20'000; ++i) {
            of.push_back(random() % Lives);
            add(messages, of.back() * Apart + sent[of.back()], 10, TcpFlag::Acknowledge);
            sent[of.back()] += 10;
        }
        // These packets arrive. Their sequence numbers lie within the data that their connection sent before, so each packet must be
        // assigned to the connection that sent this data.
        for (int i = 0; i < 20'000; ++i) {
            of.push_back(random() % Lives);
            add(messages, of.back() * Apart + random() % sent[of.back()], 10, TcpFlag::Acknowledge, true);
        }
        findConnections(messages);
        QCOMPARE(messages.connections.size(), std::size_t(Lives));
        for (std::size_t i = 0; i < of.size(); ++i)
            QCOMPARE(messages.sent[Lives + i].connection, messages.sent[of[i]].connection);
        QVERIFY(std::ranges::none_of(messages.sent, &SentPacket::isRetransmission));
    }

    void aHandshakeThatIsSentAgainIsTheSame()
    {
        Transmissions messages = oneFlow();
        for (const std::uint32_t first : {5u, 900'000u, 5u, 900'000u})
            add(messages, first, 0, TcpFlag::Syn);
        findConnections(messages);
        QCOMPARE(messages.connections.size(), std::size_t(2));
        QVERIFY(messages.sent[2].isRetransmission && messages.sent[2].connection == messages.sent[0].connection);
    }

    void whatIsStoppedEnds()
    {
        Transmissions messages = oneFlow();
        add(messages, 5, 0, TcpFlag::Syn);
        std::stop_source stop;
        stop.request_stop();
        findConnections(messages, stop.get_token());
        QVERIFY(messages.connections.empty());
    }
};

HELIO_TEST(ConnectionLivesTest)
#include "tst_connection_lives.moc"
