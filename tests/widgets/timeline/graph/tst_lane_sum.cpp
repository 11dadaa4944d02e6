#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"

#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

Timestamp at(Duration t) { return Timestamp(t); }

Span pure(Duration from, Duration to, std::uint8_t state) { return {{at(from), at(to)}, to - from, 1, 0, 1U << state, 0, State{state}}; }

/// Shares of a state by column; -1 where the state does not occur.
std::vector<int> sharesOf(const Spans& spans, std::uint8_t state, std::size_t columns, Duration column)
{
    std::vector<int> shares(columns, -1);
    for (const Span& span : spans.spans) {
        if (!(span.mask >> state & 1U))
            continue;
        const auto before = std::size_t(std::popcount(span.mask & ((1U << state) - 1)));
        shares[std::size_t(span.range.begin.time_since_epoch() / column)] = spans.shares[span.firstShare + before];
    }
    return shares;
}

} // namespace

class LaneSumTest : public QObject {
    Q_OBJECT

private slots:
    void sharesAddUpColumnByColumnToTheWholeAtMost()
    {
        LaneSum sum({at(0ns), at(50ns)}, 10ns);
        sum.add({{pure(0ns, 25ns, 1)}, {}}, 0);
        sum.add({{pure(5ns, 10ns, 1), pure(20ns, 40ns, 1), pure(40ns, 45ns, 2)}, {}}, 0);
        Spans out;
        sum.take(out);

        QCOMPARE(sharesOf(out, 1, 5, 10ns), (std::vector<int>{255, 255, 255, 255, -1}));
        QCOMPARE(sharesOf(out, 2, 5, 10ns), (std::vector<int>{-1, -1, -1, -1, 128}));
    }

    void foldedSpansBringTheirShares()
    {
        Span folded = pure(0ns, 20ns, 3);
        folded.count = 9;
        folded.mask = 1U << 1 | 1U << 3;
        LaneSum sum({at(0ns), at(20ns)}, 10ns);
        sum.add({{folded}, {51, 102}}, 0);
        sum.add({{folded}, {51, 102}}, 0);
        Spans out;
        sum.take(out);

        QCOMPARE(sharesOf(out, 1, 2, 10ns), (std::vector<int>{102, 102}));
        QCOMPARE(sharesOf(out, 3, 2, 10ns), (std::vector<int>{204, 204}));
    }

    void rowsOfSeveralLooksAreKeptApart()
    {
        LaneSum sum({at(0ns), at(10ns)}, 10ns);
        sum.add({{pure(0ns, 10ns, 1)}, {}}, 0);
        sum.add({{pure(0ns, 5ns, 1)}, {}}, SecondKindStates);
        sum.add({{pure(0ns, 5ns, 31)}, {}}, SecondKindStates); // This call has no effect, because no state has this index.
        Spans out;
        sum.take(out);

        QCOMPARE(out.spans.size(), std::size_t(1));
        QCOMPARE(out.spans[0].mask, 1U << 1 | 1U << (SecondKindStates + 1));
        QCOMPARE(sharesOf(out, SecondKindStates + 1, 1, 10ns), (std::vector<int>{128}));
    }

    void stretchesWithoutARowAreGaps()
    {
        LaneSum sum({at(0ns), at(30ns)}, 10ns);
        sum.add({{pure(10ns, 20ns, 0)}, {}}, 0);
        Spans out;
        sum.take(out);

        QCOMPARE(out.spans.size(), std::size_t(1));
        QCOMPARE(out.spans[0].range, (TimeRange{at(10ns), at(20ns)}));
    }
};

HELIO_TEST(LaneSumTest)
#include "tst_lane_sum.moc"
