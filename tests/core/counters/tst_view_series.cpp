#include "core/counters/counters.h"
#include "core/query/rows/views.h"
#include "tests/support/dice.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }
std::vector<std::string> namesOf(const Timeline& timeline, std::span<const ViewSeries> series)
{
    return helio::namesOf(timeline, series, findSeriesOwners(timeline, series));
}
CounterValue whole(std::int64_t value) { return CounterValue::fromInteger(value); }

/// Makes two traces, the second one 10,000 ns later on the experiment's clock. Both have the same two series, of which one belongs to a
/// track.
std::shared_ptr<const Timeline> twoTraces()
{
    const auto fill = [](StoreBuilder& builder) {
        Track track;
        track.view = "resources";
        track.key = "cpu:7";
        track.label = "CPU 7";
        track.cpu = 7;
        track.states = *builder.stateSet(statesNamed("cpu", {"unknown"}));
        const TrackId cpu = builder.addTrack(track);
        builder.set(hostTime(0), cpu, State{0});
        addSeries(builder, "used", {{100, 5}, {200, 9}, {200, 7}});
        const auto ofCpu =
            *builder.counters().addSeries({"load", "cpu:7/busy", "Busy", "%", CounterSeries::Kind::Accumulating, CounterNumber::Real, cpu});
        builder.counters().addReal(ofCpu, hostTime(300), 0.1);
        (void)builder.counters().addSeries({"", "of no view", "Hidden"});
    };
    auto timeline = std::make_shared<Timeline>(*withCounters(fill, 2));
    timeline->traces[1].clock = ClockTransform(Duration(10'000));
    return timeline;
}

std::vector<SeriesPoint> pointsOf(const Timeline& timeline, CounterRef series, TimeRange range)
{
    std::vector<SeriesPoint> all;
    forEachPoint(timeline, series, range,
                 [&](std::span<const SeriesPoint> points) { all.insert(all.end(), points.begin(), points.end()); });
    return all;
}

} // namespace

class ViewSeriesTest : public QObject {
    Q_OBJECT

private slots:
    void aViewHasTheSeriesOfAllStoresThatNameIt()
    {
        const auto timeline = twoTraces();
        const auto all = viewSeries(*timeline, "load");

        QCOMPARE(all.size(), std::size_t(4));
        QCOMPARE(all[0].id, std::string("used"));
        QVERIFY(!all[0].track.isValid());
        QCOMPARE(all[1].unit, std::string("%"));
        QVERIFY(all[1].kind == CounterSeries::Kind::Accumulating && all[1].number == CounterNumber::Real);
        QCOMPARE(all[1].trace, 0u);
        QCOMPARE(all[3].trace, 1u);
        QCOMPARE(rowOf(*timeline, all[1]).id, std::string("cpu:7"));
        QCOMPARE(rowOf(*timeline, all[0]).id, std::string("used"));
        QCOMPARE(rowOf(*timeline, all[2]).host, 1u);
        QVERIFY(viewSeries(*timeline, "control-flow").empty());
        QVERIFY(viewSeries(*timeline, "").empty());
    }

    void namesThatAreAlikeSayOfWhatTheSeriesAre()
    {
        const auto timeline = twoTraces();
        const auto all = viewSeries(*timeline, "load");

        QCOMPARE(namesOf(*timeline, std::span(all).first(2)), (std::vector<std::string>{"Title of used", "Busy"}));
        QCOMPARE(namesOf(*timeline, all),
                 (std::vector<std::string>{"Title of used, host", "Busy, CPU 7, host", "Title of used, host-1", "Busy, CPU 7, host-1"}));
        // If a series has its CPU's name as its title, the CPU appears only once in the full name.
        std::vector<ViewSeries> ofCpus{all[1], all[3]};
        for (ViewSeries& it : ofCpus)
            it.title = "CPU 7";
        QCOMPARE(namesOf(*timeline, ofCpus), (std::vector<std::string>{"CPU 7, host", "CPU 7, host-1"}));
        const std::vector<ViewSeries> twice{all[0], all[0]};
        QCOMPARE(namesOf(*timeline, twice)[1], std::string("Title of used, used"));
    }

    void seriesOfOneHostSayOfWhichProgramTheyAre()
    {
        const auto timeline = std::make_shared<Timeline>(*twoTraces());
        for (std::uint32_t i = 0; i < 2; ++i) {
            TraceInfo info;
            info.environment = {{"procname", std::string("app")}, {"vpid", std::int64_t(100 + i)}};
            timeline->traces[i].trace =
                std::make_shared<FakeTrace>(info, std::vector<std::string>{"a"}, std::vector<std::vector<FakeEvent>>());
            timeline->traces[i].host = 0;
        }
        std::vector<ViewSeries> all = viewSeries(*timeline, "load");
        QCOMPARE(namesOf(*timeline, all),
                 (std::vector<std::string>{"Title of used, app (100)", "Busy, CPU 7, app (100)", "Title of used, app (101)",
                                           "Busy, CPU 7, app (101)"}));
        std::vector<ViewSeries> alike{all[0], all[0]}; // Equal names are replaced by the path of the series in the analysis' tree.
        alike[0].id = "load/C/0";
        alike[1].id = "load/C/1";
        QCOMPARE(namesOf(*timeline, alike), (std::vector<std::string>{"Title of used, C/0", "Title of used, C/1"}));
    }

    void timesAreTheExperiments()
    {
        const auto timeline = twoTraces();
        const CounterRef late = viewSeries(*timeline, "load")[2].ref;

        const auto all = pointsOf(*timeline, late, {at(10'100), at(10'201)});
        QVERIFY(all == (std::vector<SeriesPoint>{{at(10'100), whole(5)}, {at(10'200), whole(9)}, {at(10'200), whole(7)}}));
        QCOMPARE(pointsOf(*timeline, late, {at(10'101), at(10'200)}).size(), std::size_t(0));
        QVERIFY(!pointAt(*timeline, late, at(10'099)));
        QVERIFY(pointAt(*timeline, late, at(10'100)) == (SeriesPoint{at(10'100), whole(5)}));
        QVERIFY(pointAt(*timeline, late, at(20'000)) == (SeriesPoint{at(10'200), whole(7)}));
        QVERIFY(nextPoint(*timeline, late, at(10'099)) == (SeriesPoint{at(10'100), whole(5)}));
        QVERIFY(nextPoint(*timeline, late, at(10'100)) == (SeriesPoint{at(10'200), whole(9)}));
        QVERIFY(!nextPoint(*timeline, late, at(10'200)));
        QVERIFY(previousPoint(*timeline, late, at(10'200)) == (SeriesPoint{at(10'100), whole(5)}));
        QVERIFY(!previousPoint(*timeline, late, at(10'100)));
        QVERIFY(pointAt(*timeline, late, Timestamp::max()).has_value());
        QVERIFY(!pointAt(*timeline, late, Timestamp::min()));
        QVERIFY(knownUntil(*timeline, late) == Timestamp::max());
    }

    void columnsHoldAllPointsOfAWindow()
    {
        Dice dice(3);
        std::vector<std::pair<std::int64_t, std::int64_t>> points;
        for (std::int64_t time = 0; time < 4000; time += 1 + std::int64_t(dice.below(40)))
            points.emplace_back(time, std::int64_t(dice.below(1000)) - 300);
        const auto timeline = withCounters([&](StoreBuilder& builder) { addSeries(builder, "all", points); });
        const CounterRef series = viewSeries(*timeline, "load")[0].ref;

        for (const std::int64_t resolution : {1, 7, 50, 333}) {
            const TimeRange window{at(500), at(3100)};
            const SeriesColumns found = seriesColumns(*timeline, series, window, Duration(resolution));
            std::size_t next = 0;
            for (; points[next].first < 500; ++next) { }
            QVERIFY(found.before == (SeriesPoint{at(points[next - 1].first), whole(points[next - 1].second)}));
            for (const SeriesColumn& column : found.columns) {
                QCOMPARE(column.range.duration(), Duration(resolution));
                QVERIFY(column.first == (SeriesPoint{at(points[next].first), whole(points[next].second)}));
                std::int64_t least = INT64_MAX, most = INT64_MIN;
                for (std::uint64_t i = 0; i < column.count; ++i, ++next) {
                    QVERIFY(column.range.contains(at(points[next].first)));
                    least = std::min(least, points[next].second);
                    most = std::max(most, points[next].second);
                }
                QVERIFY(column.last == (SeriesPoint{at(points[next - 1].first), whole(points[next - 1].second)}));
                QVERIFY(column.least == whole(least) && column.most == whole(most));
            }
            QVERIFY(found.after == (SeriesPoint{at(points[next].first), whole(points[next].second)}));
            QVERIFY(points[next].first >= 3100);
        }
    }

    void whatIsNotThereHasNothing()
    {
        const auto timeline = twoTraces();
        for (const CounterRef series : {CounterRef{StoreIndex{99}, {}}, CounterRef{StoreIndex{0}, CounterSeriesId{5}}}) {
            QVERIFY(seriesColumns(*timeline, series, {at(0), at(100)}, Duration(1)).columns.empty());
            QVERIFY(!pointAt(*timeline, series, at(5)) && !nextPoint(*timeline, series, at(5)) && !previousPoint(*timeline, series, at(5)));
            QVERIFY(pointsOf(*timeline, series, {at(0), at(100)}).empty());
        }
    }

    void viewsAreListedWithTheirSeries()
    {
        const auto all = viewFacts(*twoTraces());
        const auto load = std::ranges::find(all, "load", &ViewFacts::id);
        QVERIFY(load != all.end());
        QVERIFY(load->shape == TrackView::Shape::Curves);
        QCOMPARE(load->rows, std::size_t(4));

        // A series that no analysis describes.
        const auto other = withCounters([](StoreBuilder& builder) { (void)builder.counters().addSeries({"found", "a", "A"}); });
        QVERIFY(viewDescription(*other, "found").shape == TrackView::Shape::Curves);
        QVERIFY(viewDescription(*other, "resources").shape == TrackView::Shape::Rows);
        const auto found = viewFacts(*other);
        QCOMPARE(std::ranges::find(found, "found", &ViewFacts::id)->rows, std::size_t(1));
        QCOMPARE(std::ranges::find(found, "load", &ViewFacts::id)->rows, std::size_t(0));
    }

    void valuesAreWrittenWithTheFewestDigits()
    {
        QCOMPARE(valueText(CounterNumber::Integer, whole(INT64_MIN)), std::string("-9223372036854775808"));
        QCOMPARE(valueText(CounterNumber::Real, CounterValue::fromReal(0.1)), std::string("0.1"));
        QCOMPARE(valueText(CounterNumber::Real, CounterValue::fromReal(5)), std::string("5"));
        QCOMPARE(valueText(CounterNumber::Real, CounterValue::fromReal(1e300)), std::string("1e+300"));
    }
};

HELIO_TEST(ViewSeriesTest)
#include "tst_view_series.moc"
