// Sums by state of a host whose clock drifts, against its intervals on the axis.

#include "core/query/rows/interval_walk.h"
#include "core/query/rows/statistics.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace helio;

namespace {

/// Of the fixture; "db" runs 1,000 ppm fast, and from its middle on 500 more: what is left of that is no rounding.
std::unique_ptr<Experiment> opened(const QTemporaryDir& stores, bool isBent)
{
    const auto first = test::openedTwoHosts(stores.path().toStdString());
    const TimeRange all = first->timeline()->range;
    const std::int64_t begin = nanoseconds(all.begin), length = all.duration().count();
    GivenClock clock;
    clock.line = ClockLine{hostTime(begin), all.begin, ClockLine::PerOne / 1000};
    const auto point = [&](std::int64_t at, std::int64_t more) { return ClockPoint{hostTime(begin + at), timestamp(begin + at + more), {}}; };
    clock.points = {point(0, 0), point(length / 2, length / 2000), point(length, length / 2000 + length * 3 / 4000)};
    if (!isBent)
        clock.points.clear();
    ClockChoice choice;
    choice.reference = "web";
    choice.hosts["db"] = clock;
    return test::openedTwoHosts(stores.path().toStdString(), choice);
}

} // namespace

class DriftingTotalsTest : public QObject {
    Q_OBJECT

private slots:
    void sumsAreOfTheAxis_data()
    {
        QTest::addColumn<bool>("isBent");
        QTest::newRow("one line") << false;
        QTest::newRow("two lines") << true;
    }
    void sumsAreOfTheAxis()
    {
        QFETCH(bool, isBent);
        const QTemporaryDir stores;
        const auto experiment = opened(stores, isBent);
        const Timeline& timeline = *experiment->timeline();
        std::mt19937_64 random(3);
        std::size_t apart = 0, compared = 0;
        for (const char* view : {"control-flow", "resources"})
            for (const Row& row : rows(timeline, view)) {
                if (!row.ref.isValid() || row.intervals < 2)
                    continue;
                apart += runsApart(timeline, row.ref);
                std::uniform_int_distribution<std::int64_t> moment(nanoseconds(row.life.begin), nanoseconds(row.life.end));
                for (int i = 0; i < 20; ++i) {
                    const auto [begin, end] = std::minmax({moment(random), moment(random)});
                    const TimeRange window = i == 0 ? timeline.range : TimeRange{timestamp(begin), timestamp(end)};
                    std::map<State, std::pair<Duration, std::int64_t>> expected;
                    eachInterval(timeline, row, window, [&](const Interval& it) {
                        expected[it.state].first += it.range.duration();
                        ++expected[it.state].second;
                    });
                    for (const StateTotal& it : totals(timeline, row.ref, window)) {
                        const auto& [sum, count] = expected[it.state];
                        const std::int64_t off = std::abs((it.total - sum).count());
                        QVERIFY2(off <= count + 4, qPrintable(QString("%1 off of %2 in %3").arg(off).arg(sum.count()).arg(count)));
                        QVERIFY(it.max >= it.min && it.max <= it.total + Duration(2));
                        ++compared;
                    }
                }
            }
        QVERIFY2(apart > 10 && compared > 500, qPrintable(QString("%1 %2").arg(apart).arg(compared)));
    }

    /// On a bent clock, too, that which runs along as the axis does has what is stored.
    void ofTheReferenceTheyAreAsStored()
    {
        const QTemporaryDir stores;
        const auto experiment = opened(stores, true);
        for (const Row& row : rows(*experiment->timeline(), "control-flow"))
            if (row.ref.isValid() && row.host == 0)
                QVERIFY(!runsApart(*experiment->timeline(), row.ref));
    }
};

HELIO_TEST(DriftingTotalsTest)

#include "tst_drifting_totals.moc"
