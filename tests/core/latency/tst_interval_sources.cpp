// Property: every source of intervals keeps the promises of IntervalSource. Input: all sources of real recordings.

#include "core/latency/intervals/interval_source.h"
#include "core/query/rows/facts.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace helio;

namespace {

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

using Found = std::tuple<Timestamp, Timestamp, TrackRef, std::string>;

std::vector<Found> intervalsOf(const IntervalSource& source, const IntervalRequest& request = {})
{
    std::vector<Found> all;
    source.forEach(request, [&](const SourceInterval& it) { all.emplace_back(it.range.begin, it.range.end, it.row.ref, it.name); }, {});
    return all;
}

std::vector<Found> sorted(std::vector<Found> all)
{
    std::ranges::sort(all);
    return all;
}

/// Returns the interval sources that a recording offers, and in addition a source for a state and a source for a pair of events.
IntervalSources allSources(const std::shared_ptr<const Timeline>& timeline)
{
    IntervalSources all = intervalSources(timeline);
    for (const char* id : {"state:blocked", "sched_waking(tid) -> sched_switch(next_tid)"})
        if (auto source = findIntervalSource(timeline, id); source && *source)
            all.push_back(std::move(*source));
    return all;
}

} // namespace

class IntervalSourcesTest : public QObject {
    Q_OBJECT

private slots:
    void sourcesKeepTheirPromises_data()
    {
        QTest::addColumn<QStringList>("traces");
        QTest::addColumn<int>("kinds");
        QTest::newRow("kernel") << QStringList{"kernel-small"} << 10;
        QTest::newRow("calls") << QStringList{"ust-callstack"} << 1;
        QTest::newRow("packets") << QStringList{"two-hosts-small/db", "two-hosts-small/web"} << 10;
    }
    void sourcesKeepTheirPromises()
    {
        QFETCH(QStringList, traces);
        QFETCH(int, kinds);
        std::vector<std::filesystem::path> paths;
        for (const QString& it : traces)
            paths.emplace_back((Fixtures + it).toStdString());
        const test::OpenedExperiment opened(paths);
        const TimeRange whole = rangeOf(*opened.timeline);
        const TimeRange part{whole.begin + whole.duration() / 4, whole.begin + whole.duration() / 2};
        std::set<std::string> ids;
        std::size_t count = 0;

        for (const auto& source : allSources(opened.timeline)) {
            const std::string& id = source->kind().id;
            QVERIFY2(ids.insert(id).second, id.c_str());
            const auto all = intervalsOf(*source);
            count += all.size();
            QVERIFY2(std::ranges::is_sorted(all, {}, [](const Found& it) { return std::get<0>(it); }), id.c_str());
            QVERIFY2(sorted(intervalsOf(*source, {.order = IntervalOrder::ByRow})) == sorted(all), id.c_str());

            std::vector<Found> inPart;
            std::ranges::copy_if(all, std::back_inserter(inPart), [&](const Found& it) {
                return std::get<0>(it) >= part.begin && std::get<0>(it) < part.end && std::get<1>(it) <= part.end;
            });
            QVERIFY2(sorted(intervalsOf(*source, {.range = part})) == sorted(inPart), id.c_str());

            if (const auto rows = source->rows(); !rows.empty()) {
                std::vector<Found> byRow;
                for (const Row& row : rows) {
                    const std::vector<Row> one{row};
                    std::ranges::copy(intervalsOf(*source, {.rows = &one}), std::back_inserter(byRow));
                }
                QVERIFY2(sorted(byRow) == sorted(all), id.c_str());
            }
        }

        QVERIFY2(int(ids.size()) >= kinds, qPrintable(QString::number(ids.size())));
        QVERIFY(count > 100);
    }

    void rowsAreAskedOnceAndLeftOut()
    {
        const test::OpenedExperiment opened({(Fixtures + "kernel-small").toStdString()});

        for (const auto& source : allSources(opened.timeline)) {
            const std::string& id = source->kind().id;
            std::map<std::tuple<TrackRef, std::int32_t, std::int32_t>, int> asked;
            std::set<const Row*> accepted;
            const auto accepts = [&](const Row& row) {
                accepted.insert(&row);
                ++asked[{row.ref, row.tid, row.cpu}];
                return row.tid % 2 == 0;
            };
            std::set<const Row*> taken;
            source->forEach({.accepts = accepts},
                            [&](const SourceInterval& it) {
                                QVERIFY(it.row.tid % 2 == 0);
                                QVERIFY(accepted.contains(&it.row));
                                taken.insert(&it.row);
                            },
                            {});
            for (const auto& [row, times] : asked)
                QVERIFY2(times == 1, id.c_str());
            QVERIFY(taken.size() <= asked.size());
            QVERIFY(intervalsOf(*source, {.accepts = [](const Row&) { return false; }}).empty());
        }
    }

    void anUnknownIdHasNoSource()
    {
        const test::OpenedExperiment opened({(Fixtures + "kernel-small").toStdString()});
        for (const char* id : {"", "nothing", "state:", "state:nothing"}) {
            const auto source = findIntervalSource(opened.timeline, id);
            QVERIFY2(source && !*source, id);
        }
        const auto pair = findIntervalSource(opened.timeline, "sched_waking(nothing) -> sched_switch(next_tid)");
        QVERIFY(!pair);
        QCOMPARE(pair.error().kind, Error::Kind::Usage);
    }
};

HELIO_TEST(IntervalSourcesTest)
#include "tst_interval_sources.moc"
