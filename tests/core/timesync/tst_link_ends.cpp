// Sending and receiving threads of network packets, if an end of the packet's link is on a CPU's row and no event names the thread.

#include "core/network/connections.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/timesync/link_ends.h"
#include "core/timesync/link_times.h"
#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;

class LinkEndsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_experiment = test::openedTwoHosts(m_stores.path().toStdString());
        m_timeline = m_experiment->timeline();
        m_packets = arrows(*m_timeline, linkKindsInView(*m_timeline, "resources"), {Timestamp::min(), Timestamp::max()});
        std::erase_if(m_packets, [](const Arrow& arrow) { return arrow.message == NoMessage; });
        QVERIFY(m_packets.size() >= 63);
    }

    void atACpuItIsSaidWhatThatDidAndWhoseItIs()
    {
        std::size_t told = 0;
        for (const Arrow& arrow : m_packets) {
            const Transmission& message = *messageOf(*m_timeline, arrow);
            const auto ends = linkEnds(*m_timeline, arrow);
            QVERIFY(!ends[0].context.state.empty() && !ends[1].context.state.empty());
            if (message.sender > 0) {
                QCOMPARE(ends[0].tid, message.sender);
                QCOMPARE(ends[0].isSocketOwner, ends[0].thread != ends[0].occupant);
            }
            if (message.receiver > 0)
                QCOMPARE(ends[1].tid, message.receiver);
            for (const LinkEnd& end : ends)
                if (end.thread.isValid()) {
                    QCOMPARE(rowOf(*m_timeline, end.thread)->tid, end.tid);
                    ++told;
                }
        }
        QCOMPARE(told, 2 * m_packets.size()); // All packets have a thread at both ends.
    }

    /// Property: if no event names the receiving thread, the arrow's end shows the CPU's state and the thread that accepted the connection.
    /// This also holds if the packet never woke the thread and the thread never sent a packet.
    void whereNoEventSaysWhoItIsTheSocketsThread()
    {
        auto timeline = MadeHosts::make({{MadeHosts::Client, MadeHosts::Web, 1'000, 3'000, true, false}});
        auto relation = std::make_shared<Correlation>(*timeline->relations[0]);
        auto messages = std::make_shared<Transmissions>(*relation->messages);
        messages->all[0].packet = 0;
        messages->all[0].sender = 1;
        messages->all[0].sent = hostTime(1'000);
        messages->all[0].received = hostTime(3'000);
        messages->counts.resize(1);
        messages->connections.push_back({0});
        SentPacket sent;
        sent.at = hostTime(1'000);
        sent.thread = 1;
        sent.trace = MadeHosts::Client;
        sent.isMatched = true;
        messages->sent.push_back(sent);
        messages->calls.push_back({hostTime(4'000), MadeHosts::Web, 1, SocketCall::Kind::Accept, "10.0.0.1:1000"});
        relation->messages = messages;
        timeline->relations[0] = relation;
        const auto all = arrows(*timeline, linkKindsInView(*timeline, "control-flow"), {timestamp(0), timestamp(10'000)});
        QCOMPARE(all.size(), std::size_t(1));
        QVERIFY(hasNoThread(*timeline, all[0].to));
        const auto ends = linkEnds(*timeline, all[0]);
        QVERIFY(ends[0].context.state.empty() && ends[0].tid < 0); // The sender's end is at a thread's row, so linkEnds() adds no context.
        QCOMPARE(ends[1].context.state, std::string(MadeTimeline::CpuStates[2]));
        QCOMPARE(ends[1].tid, 1);
        QVERIFY(ends[1].thread == MadeHosts::thread(MadeHosts::Web));
        QVERIFY(ends[1].isSocketOwner);
        messages = std::make_shared<Transmissions>(*messages);
        messages->calls.clear();
        relation = std::make_shared<Correlation>(*relation);
        relation->messages = messages;
        timeline->relations[0] = relation;
        QVERIFY(linkEnds(*timeline, all[0])[1].tid < 0); // Without the accept call, the receiving thread is unknown.
        QVERIFY(!linkEnds(*timeline, all[0])[1].context.state.empty());
    }

    void atAThreadThereIsNothingMoreToSay()
    {
        for (const Arrow& arrow : arrows(*m_timeline, linkKindsInView(*m_timeline, "control-flow"), {Timestamp::min(), Timestamp::max()}))
            if (arrow.message != NoMessage && !hasNoThread(*m_timeline, arrow.from) && !hasNoThread(*m_timeline, arrow.to))
                for (const LinkEnd& end : linkEnds(*m_timeline, arrow))
                    QVERIFY(end.context.state.empty() && end.tid < 0);
    }

private:
    QTemporaryDir m_stores;
    std::unique_ptr<Experiment> m_experiment;
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<Arrow> m_packets;
};

HELIO_TEST(LinkEndsTest)
#include "tst_link_ends.moc"
