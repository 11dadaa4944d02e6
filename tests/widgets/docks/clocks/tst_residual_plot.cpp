#include "tests/support/test_program.h"
#include "widgets/docks/clocks/residual_plot.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr Timestamp Begin = timestamp(1'700'000'000'000'000'000);

/// Makes residuals of 100 packets, one per ms, in alternating directions. The distance of packet i is 10 + i µs. Packet 50 is an outlier
/// with a distance of 3 s.
std::shared_ptr<const Residuals> made()
{
    auto residuals = std::make_shared<Residuals>();
    residuals->host = 1;
    for (int i = 0; i < 100; ++i) {
        const bool isArrival = i % 2 == 0;
        const Duration distance = 10us + i * 1us;
        residuals->points.push_back({Begin + i * 1ms, isArrival ? -distance : distance, isArrival, false, std::uint32_t(i)});
    }
    residuals->points[50].isOutlier = true;
    residuals->points[50].signedTransit = 3s;
    residuals->all = residuals->points.size();
    for (int i = 0; i <= 10; ++i)
        residuals->bounds.push_back({Begin + i * 10ms, 10us + std::abs(i - 4) * 1us});
    return residuals;
}

struct Plotted {
    Plotted()
    {
        plot.resize(600, 300);
        plot.setResiduals(made(), "db", "web");
        plot.show();
    }
    QPoint placeOf(int point) const { return plot.scale().placeOf(residuals->points[std::size_t(point)]).toPoint(); }
    void wheel(QPointF at, int turned, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        QWheelEvent event(at, plot.mapToGlobal(at), {}, {0, turned}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot, &event);
    }

    std::shared_ptr<const Residuals> residuals = made();
    ResidualPlot plot;
};

} // namespace

class ResidualPlotTest : public QObject {
    Q_OBJECT

private slots:
    void packetsToTheHostLieAboveThoseFromIt()
    {
        const Plotted it;
        const double zero = it.plot.scale().yOf({});
        QVERIFY(it.placeOf(0).y() < zero); // The point lies above the zero line, because this packet arrived at the host.
        QVERIFY(it.placeOf(1).y() > zero);
        QVERIFY(it.placeOf(0).x() < it.placeOf(98).x());
    }

    void anOutlierDoesNotPressTheOthersTogether()
    {
        const Plotted it;
        QVERIFY(it.plot.scale().most() < Duration(200us));
        QVERIFY(it.plot.scale().isCut(it.residuals->points[50]));
        QVERIFY(it.plot.rect().contains(it.placeOf(50))); // An outlier is drawn at the edge, where it can be selected.
        QTest::mouseClick(&const_cast<ResidualPlot&>(it.plot), Qt::LeftButton, {}, it.placeOf(50));
        QCOMPARE(it.plot.selected(), std::optional<std::size_t>(50));
    }

    void aClickOnADotChoosesItAndBesideItNothing()
    {
        Plotted it;
        const QSignalSpy chosen(&it.plot, &ResidualPlot::chosen);
        QTest::mouseClick(&it.plot, Qt::LeftButton, {}, it.placeOf(20));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toULongLong(), 20ull);
        QTest::mouseClick(&it.plot, Qt::LeftButton, {}, it.plot.scale().area().topLeft().toPoint() + QPoint(3, 3));
        QVERIFY(!it.plot.selected());
        QCOMPARE(chosen.size(), 1);
    }

    void theWheelZoomsAtThePointerAndADoubleClickShowsAll()
    {
        Plotted it;
        const TimeRange all = it.plot.window();
        const QPointF at = it.placeOf(20);
        const Timestamp under = it.plot.scale().times().timeAt(at.x() - it.plot.scale().area().left());
        it.wheel(at, 240);
        QVERIFY(it.plot.window().duration() < all.duration());
        const double after = it.plot.scale().xOf(under);
        QVERIFY(std::abs(after - at.x()) < 1.5);
        const Duration before = it.plot.scale().most();
        it.wheel(at, 120, Qt::ControlModifier);
        QVERIFY(it.plot.scale().most() < before);
        QTest::mouseDClick(&it.plot, Qt::LeftButton, {}, QPointF(it.plot.scale().area().center().x(), it.plot.scale().yOf({})).toPoint());
        QVERIFY(it.plot.window() == all);
        it.wheel(at, -1200); // Zooming out stops at the whole range.
        QVERIFY(it.plot.window() == all);
    }

    void keysGoFromPacketToPacket()
    {
        Plotted it;
        const QSignalSpy chosen(&it.plot, &ResidualPlot::chosen);
        QTest::keyClick(&it.plot, Qt::Key_Right);
        QCOMPARE(it.plot.selected(), std::optional<std::size_t>(0));
        QTest::keyClick(&it.plot, Qt::Key_Right);
        QTest::keyClick(&it.plot, Qt::Key_End);
        QCOMPARE(it.plot.selected(), std::optional<std::size_t>(99));
        QTest::keyClick(&it.plot, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(&it.plot, Qt::Key_Escape);
        QVERIFY(!it.plot.selected());
    }

    void whatIsInViewStaysWhenTheSamePacketsComeAgain()
    {
        Plotted it;
        it.wheel(it.placeOf(20), 480);
        const TimeRange window = it.plot.window();
        it.plot.setResiduals(made(), "db", "web");
        QVERIFY(it.plot.window() == window);
        auto others = std::make_shared<Residuals>(*made());
        others->host = 0;
        it.plot.setResiduals(others, "web", "db");
        QVERIFY(it.plot.window() == timesOf(*others));
    }

    void theNarrowestPlaceIsFound()
    {
        const auto residuals = made();
        const auto narrowest = findNarrowestBound(*residuals);
        QVERIFY(narrowest);
        QVERIFY(narrowest->at == Begin + 40ms);
        QCOMPARE(narrowest->error, Duration(10us));
        QVERIFY(!findNarrowestBound({}));
    }

    void aTipSaysHowLongAPacketWasUnderWay()
    {
        const Plotted it;
        const QString text = it.plot.tipOf(20);
        QVERIFY2(text.contains(QString::fromUtf8("web \u2192 db")) && text.contains(QString::fromUtf8("30.000 \u00b5s"))
                     && text.contains("in transit"),
                 qPrintable(text));
        QVERIFY(it.plot.tipOf(50).contains("Excluded"));
    }

    void distancesAreRound()
    {
        const auto ticks = distanceTicks({-430us, 430us});
        QCOMPARE(ticks.size(), std::size_t(5));
        QCOMPARE(ticks.front(), Duration(-400us));
        QCOMPARE(ticks[2], Duration());
        QVERIFY(distanceTicks({Duration(-1), Duration(1)}).size() <= 5);
        QVERIFY(distanceTicks({-Duration::max() / 4, Duration::max() / 4}).size() <= 5);
        const auto far = distanceTicks({50s + 130us, 50s + 790us});
        QCOMPARE(far.front(), Duration(50s + 200us));
        QCOMPARE(far.back(), Duration(50s + 600us));
        const auto below = distanceTicks({-50s - 790us, -50s - 130us});
        QCOMPARE(below.front(), Duration(-50s - 600us));
        QCOMPARE(below.back(), Duration(-50s - 200us));
    }

    /// Input: a clock set by the user that is 50 s off. Property: the plot's range follows the packets, which would otherwise lie in one
    /// line at the edge.
    void aClockThatIsFarOffStillShowsItsPackets()
    {
        for (const Duration off : {Duration(50s), Duration(-50s)}) {
            auto set = std::make_shared<Residuals>(*made());
            set->isOfClockOverride = true;
            set->bounds.clear();
            for (Residual& it : set->points)
                it.signedTransit += off;
            ResidualPlot plot;
            plot.resize(600, 300);
            plot.setResiduals(set, "db", "web");
            plot.show();
            const DistanceRange range = plot.scale().distances();
            QVERIFY(!range.contains(Duration{}));
            QVERIFY(range.high - range.low < Duration(2ms));
            QVERIFY(std::ranges::count_if(set->points, [&](const Residual& it) { return !plot.scale().isCut(it); }) > 80);
            const double first = plot.scale().placeOf(set->points[0]).y(), last = plot.scale().placeOf(set->points[99]).y();
            QVERIFY(std::abs(first - last) > 50);
            QVERIFY(!plot.grab().isNull());
            // The clock now counts as found from packets, not as set by the user. For a found clock, the range always contains 0.
            set->isOfClockOverride = false;
            QVERIFY(computeDistanceRange(*set, plot.window()).contains(Duration{}));
        }
    }

    void nothingToShowIsNoDivisionByIt()
    {
        ResidualPlot plot;
        plot.resize(600, 300);
        plot.setResiduals(nullptr, {}, {});
        auto one = std::make_shared<Residuals>();
        one->points.push_back({Begin, Duration(-5), true, false, 0});
        one->all = 1;
        plot.setResiduals(one, "db", "web");
        plot.grab();
        plot.resize(10, 10);
        plot.grab();
        QVERIFY(!plot.scale().isValid());
    }
};

HELIO_TEST(ResidualPlotTest)
#include "tst_residual_plot.moc"
