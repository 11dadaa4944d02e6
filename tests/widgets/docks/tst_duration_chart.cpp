// The histogram of durations, tested by its pixels.

#include "tests/support/test_program.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/theme/themes.h"

#include <QTest>

using namespace helio;

namespace {

/// Returns the first and the last line of pixels in which two charts differ, in their upper left part (46 × 40 pixels). The first is above
/// the last if the charts differ.
std::pair<int, int> changed(const QImage& a, const QImage& b)
{
    std::pair<int, int> lines(1000, -1);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 46; ++x)
            if (a.pixel(x, y) != b.pixel(x, y))
                lines = {std::min(lines.first, y), y};
    return lines;
}

QImage shown(std::uint64_t most, const QString& title)
{
    DurationChart chart;
    chart.resize(500, 150);
    chart.setWords("1 time", "%1 times", title);
    DurationDistribution lengths;
    lengths.count = most;
    lengths.median = lengths.p99 = Duration(150);
    chart.setBuckets({{Duration(100), Duration(200), most}}, lengths, true);
    return chart.grab().toImage();
}

} // namespace

class DurationChartTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsCountedStandsAboveTheCounts()
    {
        for (const std::uint64_t most : {6ull, 523ull, 1063ull}) {
            const QImage whole = shown(most, "times (gyp)"), bare = shown(most, {});
            const auto title = changed(whole, bare), count = changed(bare, shown(most * 7, {}));
            QVERIFY(title.second >= 0 && count.second >= 0);
            QCOMPARE_LT(title.second, count.first);
        }
    }
};

HELIO_TEST(DurationChartTest)
#include "tst_duration_chart.moc"
