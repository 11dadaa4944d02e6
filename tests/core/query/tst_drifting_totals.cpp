// Property: sums by state of a host with a drifting clock equal sums over its intervals in the experiment's time.

#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <random>

using namespace helio;

namespace {

void add(StateTotal& sum, Duration duration)
{
    sum.min = sum.count == 0 ? duration : std::min(sum.min, duration);
    sum.max = std::max(sum.max, duration);
    sum.total += duration;
    ++sum.count;
}

/// Opens the fixture with a clock for db that runs 1,000 ppm fast and, if bent, 500 ppm more in its second half. Errors are then larger
/// than rounding.
std::unique_ptr<Experiment> opened(const QTemporaryDir& stores, bool isBent)
{
    const auto first = test::openedTwoHosts(stores.path().toStdString());
    const TimeRange all = first->timeline()->range;
    const std::int64_t begin = nanoseconds(all.begin), length = all.duration().count();
    ClockOverride clock;
    clock.line = ClockLine{hostTime(begin), all.begin, ClockLine::PerOne / 1000};
    const auto point = [&](std::int64_t at, std::int64_t more) {
        return ClockPoint{hostTime(begin + at), timestamp(begin + at + more), {}};
    };
    clock.points = {point(0, 0), point(length / 2, length / 2000), point(length, length / 2000 + length * 3 / 4000)};
    if (!isBent)
        clock.points.clear();
    ClockSettings choice;
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
                apart += hasDriftingClock(timeline, row.ref);
                std::uniform_int_distribution<std::int64_t> moment(nanoseconds(row.life.begin), nanoseconds(row.life.end));
                for (int i = 0; i < 20; ++i) {
                    const auto [begin, end] = std::minmax({moment(random), moment(random)});
                    const TimeRange window = i == 0 ? timeline.range : TimeRange{timestamp(begin), timestamp(end)};
                    std::map<State, StateTotal> expected;
                    forEachRowInterval(timeline, row, window, [&](const Interval& it) { add(expected[it.state], it.range.duration()); });
                    for (const StateTotal& it : totals(timeline, row.ref, window)) {
                        const StateTotal& sum = expected[it.state];
                        QVERIFY(it.count > 0 && sum.count > 0);
                        QVERIFY2(std::chrono::abs(it.total - sum.total) <= Duration(std::int64_t(sum.count) + 4),
                                 qPrintable(QString("%1 and %2").arg(it.total.count()).arg(sum.total.count())));
                        // Tolerance for clocks with a bend: totals are computed as if the clock were linear in the time range, but its rate
                        // differs by up to 500 ppm.
                        const auto isNear = [&](Duration a, Duration b) {
                            return std::chrono::abs(a - b) <= Duration(2) + b * isBent / 1000;
                        };
                        QVERIFY(isNear(it.min, sum.min) && isNear(it.max, sum.max));
                        expected.erase(it.state);
                        ++compared;
                    }
                    QVERIFY(expected.empty());
                }
            }
        QVERIFY2(apart > 10 && compared > 500, qPrintable(QString("%1 %2").arg(apart).arg(compared)));
    }

    void theReferenceDoesNotRunApart()
    {
        const QTemporaryDir stores;
        const auto experiment = opened(stores, true);
        std::array<int, 2> hosts{};
        for (const Row& row : rows(*experiment->timeline(), "control-flow"))
            if (row.ref.isValid()) {
                QCOMPARE(hasDriftingClock(*experiment->timeline(), row.ref), row.host == 1);
                ++hosts[row.host];
            }
        QVERIFY(hosts[0] > 3 && hosts[1] > 3);
    }
};

HELIO_TEST(DriftingTotalsTest)

#include "tst_drifting_totals.moc"
