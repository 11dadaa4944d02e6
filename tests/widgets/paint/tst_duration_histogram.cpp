// Histograms of durations, tested by their pixels.

#include "tests/support/test_program.h"
#include "widgets/paint/duration_histogram.h"
#include "widgets/theme/themes.h"

#include <QHelpEvent>
#include <QImage>
#include <QTest>
#include <QToolTip>

using namespace helio;

namespace {

HistogramSeries shown(std::vector<std::int64_t> lengths, const char* color, double parts = 1)
{
    return {summarizeDurations(std::move(lengths)), parts, QString::fromLatin1(color),
            QStringLiteral("%1 times as ") + QLatin1String(color)};
}

QImage drawn(const std::vector<HistogramSeries>& lengths, bool isLogarithmic = false)
{
    DurationHistogram histogram;
    histogram.resize(400, 200);
    histogram.setHistograms(lengths);
    histogram.setLogarithmic(isLogarithmic);
    return histogram.grab().toImage();
}

int differenceOf(const QColor& a, const QColor& b)
{
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

/// True if the pixel belongs to a line of the colour. Tolerance: lines are anti-aliased. The paler area below a line does not count.
bool isNear(const QColor& pixel, const QColor& color)
{
    return differenceOf(pixel, color) < differenceOf(theme().color("surface.panel"), color) * 2 / 5;
}

/// y of the topmost pixel of a colour in a column; -1 if there is none.
int topOf(const QImage& image, int x, const QColor& color)
{
    for (int y = 8; y < image.height(); ++y)
        if (isNear(image.pixelColor(x, y), color))
            return y;
    return -1;
}

} // namespace

class LengthHistogramTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsDrawnOfNothing()
    {
        const QImage none = drawn({});
        QCOMPARE(drawn({shown({}, "compare.a")}), none);
        QCOMPARE(none.pixelColor(200, 100).rgb(), theme().color("surface.panel").rgb());
    }

    void oneThingIsDrawnInItsColourAsATwiceAsHighOneIs()
    {
        // Input: 4 values of 1 us and 2 of 1 ms. Property: the second bar is half as high. Both bars are a quarter octave wide, with an
        // octave of space on both sides.
        const QImage image = drawn({shown({1'000, 1'000, 1'000, 1'000, 1'000'000, 1'000'000}, "compare.a")});
        const QColor color = theme().color("compare.a");
        const int area = 400 - 44 - 12;
        const std::size_t first = DurationDistribution::bucketOf(Duration(1'000)) - 4;
        const std::size_t end = DurationDistribution::bucketOf(Duration(1'000'000)) + 1 + 4;
        const auto middle = [&](std::int64_t ns) {
            return 44 + int((double(DurationDistribution::bucketOf(Duration(ns)) - first) + 0.5) / double(end - first) * area);
        };
        const int high = topOf(image, middle(1'000), color);
        const int low = topOf(image, middle(1'000'000), color);
        QVERIFY(std::abs(high - 10) <= 1);
        QVERIFY(std::abs(low - (10 + (200 - 10 - 22) / 2)) <= 1);
        // There are no values near 30 µs, so the curve is at the baseline.
        QCOMPARE(topOf(image, middle(30'000), color), topOf(image, 48, color));
        QVERIFY(topOf(drawn({shown({1'000, 1'000, 1'000, 1'000, 1'000'000, 1'000'000}, "compare.a")}, true), middle(1'000'000), color)
                < low);
    }

    void heightsAreOfOnePart()
    {
        const std::vector<std::int64_t> once{1'000, 2'000, 2'000};
        std::vector<std::int64_t> thrice;
        for (int i = 0; i < 3; ++i)
            thrice.insert(thrice.end(), once.begin(), once.end());
        QCOMPARE(drawn({shown(thrice, "compare.a", 3)}), drawn({shown(once, "compare.a")}));
        QVERIFY(drawn({shown(thrice, "compare.a", 3), shown(once, "compare.b")})
                != drawn({shown(thrice, "compare.a"), shown(once, "compare.b")}));
    }

    void twoThingsShareOneScale()
    {
        const QImage both = drawn({shown({1'000, 1'000}, "compare.a"), shown({1'000'000}, "compare.b")});
        const auto lengthAt = [&](int height, int from, int to, const char* color) {
            int points = 0;
            for (int x = from; x < to; ++x)
                points += isNear(both.pixelColor(x, height), theme().color(color))
                    || isNear(both.pixelColor(x, height - 1), theme().color(color));
            return points;
        };
        // A's values are small, so A's line is on the left. It has full height, because A's values are the most frequent ones.
        QVERIFY(lengthAt(10, 46, 200, "compare.a") >= 5);
        QVERIFY(lengthAt(94, 200, 386, "compare.b") >= 5); // The line on the right is B's, which has half as many values as A.
        QVERIFY(lengthAt(94, 46, 200, "compare.b") == 0);
        QVERIFY(lengthAt(10, 200, 386, "compare.b") <= 3); // Only B's median line reaches this height. It is at most 3 pixels wide.
    }

    void aTipNamesHowOftenEachHadThoseLengths()
    {
        DurationHistogram histogram;
        histogram.resize(400, 200);
        histogram.setHistograms({shown({1'024, 1'030, 1'050}, "compare.a"), shown({1'024}, "compare.b")});
        histogram.show();
        QVERIFY(QTest::qWaitForWindowExposed(&histogram));
        const QPoint middle(44 + (400 - 44 - 12) / 2, 100); // Centre of the only bucket.
        QHelpEvent event(QEvent::ToolTip, middle, histogram.mapToGlobal(middle));
        QCoreApplication::sendEvent(&histogram, &event);
        QVERIFY2(QToolTip::text().endsWith(": 3 times as compare.a, 1 times as compare.b"), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }
};

HELIO_TEST(LengthHistogramTest)
#include "tst_duration_histogram.moc"
