// Tests of the check whether the timeline of reopened traces may replace the current timeline.

#include "core/experiment/timeline.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class TimelineChangeTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_whole = test::sampleTimeline();
        QVERIFY(m_whole);
        m_kernel = placeOfKind("kernel");
        QVERIFY(m_whole->stores[m_kernel].store);
    }

    void equalTimelineMayReplace() { QVERIFY(containsAllOf(*m_whole, *m_whole)); }

    void timelineWithoutAStoreMayNotReplace()
    {
        Timeline less = *m_whole;
        less.stores[m_kernel].store = nullptr;
        QVERIFY(!containsAllOf(less, *m_whole));
        QVERIFY(containsAllOf(*m_whole, less));
    }

    void timelineWithoutFactsMayNotReplace()
    {
        Timeline less = *m_whole;
        less.traces[0].facts = nullptr;
        QVERIFY(!containsAllOf(less, *m_whole));
    }

    void anAnalysisThatIsOffIsNotMissed()
    {
        Timeline less = *m_whole;
        less.stores[m_kernel].store = nullptr;
        auto analyses = std::make_shared<Analyses>(*m_whole->analyses);
        analyses->switchOff("kernel");
        less.analyses = analyses;
        QVERIFY(containsAllOf(less, *m_whole));
    }

    void timelineOfOtherTracesMayNotReplace()
    {
        Timeline none = *m_whole;
        none.traces.clear();
        QVERIFY(!containsAllOf(none, *m_whole));
    }

private:
    std::size_t placeOfKind(std::string_view id) const
    {
        const auto all = m_whole->analyses->all();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i]->id() == id)
                return placeOf(*m_whole, 0, i);
        return 0;
    }

    std::shared_ptr<const Timeline> m_whole;
    std::size_t m_kernel = 0;
};

HELIO_TEST(TimelineChangeTest)

#include "tst_timeline_change.moc"
