#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/timegraph/lanes/thread_colors.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

using namespace helio;

class ThreadColorsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        const auto all = rows(*m_timeline, "resources");
        const auto row = std::ranges::find(all, "cpu-thread", &Row::kind);
        QVERIFY(row != all.end());
        m_track = row->ref;
        m_set = statesOf(*m_timeline, m_track);
    }

    void aThreadHasOneColourAndItsNeighboursOthers()
    {
        std::map<std::uint32_t, State> seen;
        std::set<State> colors;
        for (const Span& span : split(Duration(1)).spans) {
            if (span.state < State(m_set.states.size()))
                continue; // idle, unknown
            QCOMPARE(span.count, 1u);
            QCOMPARE(seen.try_emplace(span.value, span.state).first->second, span.state);
            colors.insert(span.state);
        }
        QVERIFY(seen.size() > 4);
        QVERIFY(colors.size() > 3);
    }

    void noShareIsLostOrMade()
    {
        const Duration pixel = rangeOf(*m_timeline).duration() / 200;
        Spans plain;
        spans(*m_timeline, m_track, rangeOf(*m_timeline), pixel, plain);
        const Spans colored = split(pixel);

        QCOMPARE(colored.spans.size(), plain.spans.size());
        int folded = 0;
        for (std::size_t i = 0; i < plain.spans.size(); ++i) {
            const Span& a = plain.spans[i];
            const Span& b = colored.spans[i];
            QCOMPARE(b.range, a.range);
            QCOMPARE(std::popcount(b.mask), std::popcount(a.mask));
            if (a.count > 1) {
                QCOMPARE(sumOf(colored, b), sumOf(plain, a));
                ++folded;
            }
        }
        QVERIFY(folded > 10);
    }

    void everyStateGivenHasALook()
    {
        const StateLooks looks = looksByThread(Theme::make(Theme::Kind::Dark), m_set);
        for (const Span& span : split(Duration(1'000'000)).spans)
            QVERIFY(std::size_t(span.state) < looks.size());
        QVERIFY(looks.back().color != looks[looks.size() - 2].color);
    }

private:
    Spans split(Duration resolution) const
    {
        Spans found;
        spans(*m_timeline, m_track, rangeOf(*m_timeline), resolution, found);
        splitByThread(*m_timeline, m_track, found);
        return found;
    }

    static int sumOf(const Spans& all, const Span& span)
    {
        const auto first = all.shares.begin() + std::ptrdiff_t(span.firstShare);
        return std::accumulate(first, first + std::popcount(span.mask), 0);
    }

    std::shared_ptr<const Timeline> m_timeline;
    TrackRef m_track;
    StateSet m_set;
};

HELIO_TEST(ThreadColorsTest)
#include "tst_thread_colors.moc"
