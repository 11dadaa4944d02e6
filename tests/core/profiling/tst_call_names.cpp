// Names of a timeline's functions. Property: they are computed once for all users of the timeline.

#include "core/profiling/calls/call_names.h"
#include "tests/support/made_calls.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <thread>

using namespace helio;

class CallNamesTest : public QObject {
    Q_OBJECT

    const std::shared_ptr<const Timeline> m_timeline = MadeCalls::make();

private slots:
    void theNamesOfATimelineAreMadeOnce()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = callNamesOf(m_timeline, stop.get_token());
        std::vector<std::shared_ptr<const CallNames>> found(8);
        {
            std::vector<std::jthread> threads;
            for (auto& names : found)
                threads.emplace_back([&] { names = callNamesOf(m_timeline); });
        }
        for (const auto& names : found)
            QCOMPARE(names, found.front());
        QVERIFY(stopped != found.front());
        QCOMPARE(callNamesOf(m_timeline), found.front());
        const auto other = std::make_shared<const Timeline>(*m_timeline);
        const auto ofOther = callNamesOf(other);
        QVERIFY(ofOther != found.front());
        QCOMPARE(callNamesOf(m_timeline), found.front());
        QCOMPARE(ofOther->functions().size(), found.front()->functions().size());
    }

    void theNamesOfATimelineGoWithIt()
    {
        auto timeline = std::make_shared<const Timeline>(*m_timeline);
        std::weak_ptr<const CallNames> names = callNamesOf(timeline);
        QVERIFY(!names.expired());
        timeline.reset();
        callNamesOf(m_timeline);
        QVERIFY(names.expired());
    }
};

HELIO_TEST(CallNamesTest)
#include "tst_call_names.moc"
