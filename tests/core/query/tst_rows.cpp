#include "core/experiment/timeline.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_states.h"
#include "tests/support/made_timeline.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/simulated_scheduling.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <limits>
#include <tuple>

using namespace helio;
using helio::test::FakeTrace;

namespace {

constexpr std::array<std::string_view, 3> ThreadStates{"unknown", "running-user", "sleeping"};
constexpr std::array<std::string_view, 3> CpuStates{"unknown", "idle", "user"};
constexpr State Unknown{0};
constexpr State Second{1};
constexpr State Third{2};

Track track(std::string view, std::string kind, std::string key, TrackId parent, StateSetId set, int sortKey = 0)
{
    Track t;
    t.view = std::move(view);
    t.role = kind == "thread" ? TrackRole::Thread : kind == "cpu" ? TrackRole::Cpu : kind == "name" ? TrackRole::Name : TrackRole::Other;
    t.kind = std::move(kind);
    t.label = t.key = std::move(key);
    t.parent = parent;
    t.states = set;
    t.sortKey = sortKey;
    return t;
}

/// Makes a store from 0 to 1000 ns. Its tracks are threads a, b and c, CPU 0, and the name of thread a; thread b is a child of thread a.
std::shared_ptr<const Store> madeStore()
{
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    const StateSetId threads = *builder->stateSet(test::statesNamed("thread", ThreadStates));
    const StateSetId cpus = *builder->stateSet(test::statesNamed("cpu", CpuStates));
    const TrackId c = builder->addTrack(track("control-flow", "thread", "tid:3", NoTrack, threads, 3));
    const TrackId a = builder->addTrack(track("control-flow", "thread", "tid:1", NoTrack, threads, 1));
    const TrackId b = builder->addTrack(track("control-flow", "thread", "tid:2", a, threads, 2));
    Track nameTrack = track("", "name", "", a, threads);
    nameTrack.valueKind = ValueKind::Text;
    const TrackId name = builder->addTrack(nameTrack);
    const TrackId cpu = builder->addTrack(track("resources", "cpu", "cpu:0", NoTrack, cpus));
    builder->addTrack(track("control-flow", "thread", "tid:9", NoTrack, threads, 9)); // A thread without a lifetime.
    for (const TrackId t : {a, b, c})
        builder->set(hostTime(0), t, Unknown);
    builder->set(hostTime(0), cpu, Second);
    builder->set(hostTime(0), name, Unknown, static_cast<std::uint32_t>(builder->string("sh")));
    builder->set(hostTime(100), a, Second);
    builder->set(hostTime(100), cpu, Third);
    builder->set(hostTime(250), name, Unknown, static_cast<std::uint32_t>(builder->string("ls")));
    builder->set(hostTime(350), a, Third);
    builder->set(hostTime(350), cpu, Second);
    kernel::declareLinks(*builder);
    builder->link({LinkKind::Wakeup, a, b, hostTime(200), hostTime(200), 0, builder->string("timer")});
    builder->link({LinkKind::Migration, cpu, cpu, hostTime(300), hostTime(300), 0, StringId{}});
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(1000)};
    return *builder->finish(std::move(summary));
}

Timeline madeTimeline(int hosts)
{
    Timeline timeline;
    for (int i = 0; i < hosts; ++i) {
        TraceInfo info;
        info.name = "trace";
        const auto trace =
            std::make_shared<FakeTrace>(info, std::vector<std::string>{}, std::vector<std::vector<helio::test::FakeEvent>>{});
        addTrace(timeline, {madeStore(), trace, ClockTransform(Duration(10'000)), "host-" + std::to_string(i)});
    }
    return timeline;
}

std::vector<std::string> idsOf(const std::vector<Row>& all)
{
    std::vector<std::string> ids;
    for (const Row& row : all)
        ids.push_back(row.id);
    return ids;
}

} // namespace

class RowsTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: a row without states is shown if any row below it is; its lifetime covers those of the rows below.
    void groupsAreThereWithWhatHangsBelowThem()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const StateSetId set = *builder->stateSet(test::statesNamed("thread", ThreadStates));
        const auto group = [&](std::string key, TrackId parent) {
            Track it = track("nested", "group", std::move(key), parent, set);
            it.role = TrackRole::Group;
            return builder->addTrack(it);
        };
        const TrackId outer = group("outer", NoTrack);
        const TrackId inner = group("inner", outer);
        const TrackId empty = group("empty", outer);
        const TrackId first = builder->addTrack(track("nested", "row", "first", inner, set, 1));
        const TrackId second = builder->addTrack(track("nested", "row", "second", inner, set, 2));
        builder->addTrack(track("nested", "row", "never", empty, set));
        builder->set(hostTime(100), first, Second);
        builder->end(hostTime(200), first);
        builder->set(hostTime(300), second, Second);
        builder->end(hostTime(350), second);
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(1000)};
        Timeline timeline;
        addTrace(timeline, {*builder->finish(summary), std::make_shared<MadeTrace>()});

        const auto all = rows(timeline, "nested");

        QCOMPARE(idsOf(all), (std::vector<std::string>{"outer", "inner", "first", "second"}));
        QCOMPARE(all[1].parent, 0);
        QCOMPARE(all[2].parent, 1);
        for (const int i : {0, 1}) {
            QCOMPARE(nanoseconds(all[std::size_t(i)].life.begin), 100);
            QCOMPARE(nanoseconds(all[std::size_t(i)].life.end), 350);
        }
        QVERIFY(rowOf(timeline, {StoreIndex{0}, inner}).has_value());
        QVERIFY(!rowOf(timeline, {StoreIndex{0}, empty}).has_value());
    }

    void aValueIsWhatItsKindSays()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Track thread = track("control-flow", "thread", "worker", NoTrack, StateSetId{});
        thread.tid = 42;
        builder->addTrack(thread);
        builder->addTrack(track("resources", "cpu", "CPU 0", NoTrack, StateSetId{}));
        std::vector<TrackRef> refs;
        for (const ValueKind kind : {ValueKind::Track, ValueKind::Number, ValueKind::Integer, ValueKind::Real}) {
            Track it = track("", "any", "", NoTrack, StateSetId{});
            it.valueKind = kind;
            refs.push_back({StoreIndex{0}, builder->addTrack(it)});
        }
        const auto integer = [&](std::int64_t n) { return *builder->integer(n); };
        const auto real = [&](double n) { return *builder->real(n); };
        const std::vector<std::tuple<int, std::uint32_t, const char*>> expected{
            {0, 0, "worker (42)"},
            {0, 1, "CPU 0"},
            {0, 77, ""},
            {1, std::uint32_t(-5), "-5"},
            {2, integer(INT64_MIN), "-9223372036854775808"},
            {2, integer(1'000'000'000'000), "1000000000000"},
            {2, 77, ""},
            {3, real(0.1), "0.1"},
            {3, real(1.0 / 3), "0.3333333333333333"},
            {3, real(5e-324), "5e-324"},
            {3, real(std::numeric_limits<double>::quiet_NaN()), "NaN"},
            {3, real(-std::numeric_limits<double>::infinity()), "-Infinity"},
            {3, 77, ""},
        };
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(10)};
        Timeline timeline;
        addTrace(timeline, {*builder->finish(summary)});
        for (const auto& [row, value, text] : expected)
            QCOMPARE(valueText(timeline, refs[std::size_t(row)], value), std::string(text));
    }

    void rowsComeAsATreeWithChildrenAfterTheirParent()
    {
        const Timeline timeline = madeTimeline(1);
        const std::vector<Row> all = rows(timeline, "control-flow");

        QCOMPARE(idsOf(all), (std::vector<std::string>{"tid:1", "tid:2", "tid:3"}));
        QCOMPARE(all[0].parent, -1);
        QCOMPARE(all[1].parent, 0);
        QCOMPARE(all[2].parent, -1);
    }

    void aTrackAloneHasTheRowThatItsViewShows()
    {
        const Timeline timeline = madeTimeline(2);
        const auto tracks = timeline.stores[1].store->tracks();
        std::size_t shown = 0;
        for (const std::string_view view : {"control-flow", "resources"})
            for (const Row& row : rows(timeline, view)) {
                if (!row.ref.isValid())
                    continue;
                ++shown;
                const auto found = rowOf(timeline, row.ref);
                QVERIFY(found);
                QCOMPARE(found->ref, row.ref);
                QCOMPARE(found->id, row.id);
                QCOMPARE(found->host, row.host);
                QCOMPARE(found->life, row.life);
                QCOMPARE(viewOf(timeline, row.ref), view);
            }
        std::size_t rowsFound = 0;
        for (std::uint32_t i = 0; i < tracks.size(); ++i)
            rowsFound += rowOf(timeline, {StoreIndex{1}, TrackId{i}}).has_value();
        QCOMPARE(2 * rowsFound, shown); // Hidden attributes and tracks without a lifetime have no row, neither in a view nor from rowOf().
        QVERIFY(rows(timeline, "").empty());
        QVERIFY(!rowOf(timeline, TrackRef{}));
        QVERIFY(!rowOf(timeline, {StoreIndex{7}, TrackId{0}}));
    }

    void hostRowsAppearOnlyWithSeveralHosts()
    {
        const std::vector<Row> all = rows(madeTimeline(2), "resources");

        QCOMPARE(idsOf(all), (std::vector<std::string>{"host:host-0", "cpu:0", "host:host-1", "cpu:0"}));
        QCOMPARE(all[1].parent, 0);
        QCOMPARE(all[3].parent, 2);
        QVERIFY(!all[0].ref.isValid());
    }

    void timesAreTheExperiments()
    {
        const Timeline timeline = madeTimeline(1);
        const Row a = rows(timeline, "control-flow").front();

        const auto found = intervalAt(timeline, a.ref, timestamp(10'200));

        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().range, (TimeRange{timestamp(10'100), timestamp(10'350)}));
        QCOMPARE(stateName(timeline, a.ref, found.front().state), std::string_view("running-user"));
    }

    void everyNameHeldIsListed()
    {
        const Timeline timeline = madeTimeline(1);

        QCOMPARE(namesOf(timeline, rows(timeline, "control-flow").front().ref), (std::vector<std::string>{"sh", "ls", "tid:1"}));
    }

    void arrowsBelongToTheirViews()
    {
        const Timeline timeline = madeTimeline(1);
        const TimeRange all{timestamp(10'000), timestamp(11'000)};
        std::uint64_t total = 0;

        const std::vector<Arrow> flow = arrows(timeline, linkKindsInView(timeline, "control-flow"), all, 10, &total);

        QCOMPARE(flow.size(), std::size_t(1));
        QCOMPARE(total, std::uint64_t(1));
        QCOMPARE(flow.front().kind, LinkKind::Wakeup);
        QCOMPARE(flow.front().fromTime, timestamp(10'200));
        QCOMPARE(flow.front().detail, std::string("timer"));
        QCOMPARE(arrows(timeline, linkKindsInView(timeline, "resources"), all).front().kind, LinkKind::Migration);
    }

    void arrowsOfSeveralTracesComeInOneOrder()
    {
        Timeline timeline;
        for (int trace = 0; trace < 3; ++trace) {
            auto builder = makeMemoryStoreBuilder(hostTime(0));
            kernel::declareLinks(*builder);
            const TrackId track = builder->addTrack({});
            for (std::int64_t at = trace; at < 300; at += 3 + trace)
                builder->link({LinkKind::Wakeup, track, track, hostTime(at), hostTime(at), 0, {}});
            StoreSummary summary;
            summary.range = {hostTime(0), hostTime(300)};
            addTrace(timeline, {*builder->finish(summary)});
        }
        std::uint64_t total = 0;

        const auto all = arrows(timeline, linkKindsInView(timeline, "control-flow"), {timestamp(0), timestamp(300)}, 150, &total);

        QCOMPARE(all.size(), std::size_t(150));
        QCOMPARE(total, std::uint64_t(100 + 75 + 60));
        for (std::size_t i = 1; i < all.size(); ++i)
            QVERIFY(std::pair(all[i - 1].fromTime, all[i - 1].from.store) < std::pair(all[i].fromTime, all[i].from.store));
    }

    void theBusyShareCountsOnlyTimeOnTheCpu()
    {
        const Timeline timeline = madeTimeline(1);

        QCOMPARE(busyShare(timeline, rows(timeline, "control-flow").front().ref, timeline.range), 0.25);
        QCOMPARE(busyShare(timeline, rows(timeline, "resources").front().ref, timeline.range), 0.25);
        QCOMPARE(busyShare(timeline, rows(timeline, "resources").front().ref, {timestamp(10'100), timestamp(10'350)}), 1.0);
    }

    void cpuUseLiesInTheBucketsWhereItWas()
    {
        const std::vector<CpuUtilization> use = cpuUtilization(madeTimeline(1), 0, {timestamp(10'000), timestamp(11'000)}, 10);

        QCOMPARE(use[0].user, 0.0f);
        QVERIFY(std::abs(use[1].user - 1.0f) < 0.01f);
        QVERIFY(std::abs(use[2].user - 1.0f) < 0.01f);
        QVERIFY(std::abs(use[3].user - 0.5f) < 0.01f);
        QCOMPARE(use[4].user, 0.0f);
    }

    /// Property: a CPU of a host is counted once, whatever the number of recordings that contain it; all CPUs of all recordings count.
    void cpusOfSeveralRecordingsAreCountedOnce()
    {
        const QTemporaryDir folder;
        std::vector<std::filesystem::path> paths;
        for (const int cpus : {2, 3}) {
            const QString path = folder.filePath(QString::number(cpus));
            QVERIFY(test::writeScheduling(path, test::Simulation{.cpus = cpus}.events(), false));
            paths.emplace_back(path.toStdString());
        }
        const test::OpenedExperiment opened(paths);
        QCOMPARE(opened.timeline->hosts.size(), std::size_t(1));
        const std::vector<Row> all = cpus(*opened.timeline);
        QCOMPARE(all.size(), std::size_t(2 + 3));
        QCOMPARE(countCpus(all), std::size_t(3));
        QCOMPARE(hostFacts(*opened.timeline).at(0).cpus, 3u);
    }

    void aReferenceToNothingIsAnsweredWithNothing()
    {
        const Timeline timeline = madeTimeline(1);
        Spans found;

        spans(timeline, TrackRef{}, timeline.range, Duration(10), found);
        QVERIFY(found.spans.empty());
        QVERIFY(intervalAt(timeline, TrackRef{StoreIndex{7}, TrackId{0}}, timestamp(10'100)).empty());
        QVERIFY(statesOf(timeline, TrackRef{StoreIndex{}, TrackId{999}}).states.empty());
        QVERIFY(valueText(timeline, TrackRef{StoreIndex{}, TrackId{999}}, 1).empty());
    }
};

HELIO_TEST(RowsTest)
#include "tst_rows.moc"
