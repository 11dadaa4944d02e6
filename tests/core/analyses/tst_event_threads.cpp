// Input: recordings without scheduler events. Property: their threads are known from the contexts of events.

#include "core/experiment/experiment.h"
#include "core/query/events/event_counts.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/made_timeline.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <regex>

using namespace helio;

namespace {

using test::KernelScript;

/// Returns a timeline with a kernel trace and the user-space trace `user` of one host.
Timeline withKernel(const std::shared_ptr<KernelScript>& user)
{
    user->run(-1, KernelScript::Gaps::ReportedAtBegin, test::analysisOf("event-threads"));
    auto kernel = std::make_shared<KernelScript>();
    kernel->sw(0, 0, 0, 0, 7).sw(50, 0, 7, 1, 8).sw(100, 0, 8, 1, 0).run();
    Timeline timeline;
    for (const auto& trace : {kernel, user})
        addTrace(timeline, {trace->sharedStore(), trace});
    timeline.range = {timestamp(0), timestamp(100)};
    timeline.isComplete = true;
    return timeline;
}

QString keysOf(const Timeline& timeline)
{
    QStringList keys;
    for (const Row& row : rows(timeline, "control-flow"))
        if (row.ref.isValid())
            keys << QString::fromStdString(row.id);
    return keys.join(' ');
}

std::shared_ptr<const Timeline> opened(const std::vector<std::filesystem::path>& paths, const QTemporaryDir& stores)
{
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    auto experiment = Experiment::open(paths, options);
    if (!experiment)
        qFatal("%s", experiment.error().what.c_str());
    (*experiment)->start();
    if (!(*experiment)->wait())
        qFatal("not read");
    return (*experiment)->timeline();
}

/// Expected number of events of each TID, counted by libbabeltrace2.
std::map<std::int32_t, std::uint64_t> countsByOracle(const std::filesystem::path& path)
{
    static const std::regex tid("(?:^| )_?vtid=(\\d+)");
    std::map<std::int32_t, std::uint64_t> counts;
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
        if (entry.path().filename() == "metadata")
            folders.push_back(entry.path().parent_path());
    BabeltraceOracle oracle(folders);
    for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
        std::smatch match;
        const std::string context = kind == BabeltraceOracle::Kind::Event ? oracle.contextText() : std::string();
        if (std::regex_search(context, match, tid))
            ++counts[std::stoi(match[1])];
    }
    return counts;
}

const std::filesystem::path Fixtures = SOURCE_DIR "/tests/fixtures";

} // namespace

class EventThreadsTest : public QObject {
    Q_OBJECT

private slots:
    void everyThreadOfAUserSpaceTraceHasARowWithATickForEachOfItsEvents()
    {
        const QTemporaryDir stores;
        const auto path = Fixtures / "ust-callstack" / "ust";
        const auto timeline = opened({path}, stores);
        const auto expected = countsByOracle(path);
        QVERIFY(!expected.empty());

        std::map<std::int32_t, std::uint64_t> found;
        for (const Row& row : rows(*timeline, "control-flow")) {
            QCOMPARE(row.kind, std::string("thread"));
            QVERIFY(isEventThread(*timeline, row.ref));
            QCOMPARE(row.life, rangeOf(*timeline));
            QVERIFY2(row.label != row.id, row.id.c_str());
            found[row.tid] = eventsIn(*timeline, row.ref, {row.life.begin, row.life.end + std::chrono::seconds(1)});
        }
        QCOMPARE(found, expected);
        QVERIFY(rows(*timeline, "resources").empty());
    }

    void whereAKernelTraceNamesTheThreadsTheirEventsAreTicksOnItsRows()
    {
        HELIO_REQUIRE_TRACE(kernel, "ust-callstack", "callstack-fast/kernel");
        HELIO_REQUIRE_TRACE(user, "ust-callstack", "callstack-fast/ust");
        const QTemporaryDir stores;
        const auto alone = opened({kernel.toStdString()}, stores);
        const auto both = opened({kernel.toStdString(), user.toStdString()}, stores);

        std::vector<std::string> expected, found;
        for (const Row& row : rows(*alone, "control-flow"))
            expected.push_back(row.id);
        std::uint64_t events = 0;
        for (const Row& row : rows(*both, "control-flow")) {
            found.push_back(row.id);
            events += eventsIn(*both, row.ref, rangeOf(*both));
        }
        QCOMPARE(found, expected);
        std::uint64_t all = 0;
        for (const auto& [tid, count] : countsByOracle(user.toStdString()))
            all += count;
        QCOMPARE(events, all);
    }

    void perProcessTracesOfOneHostStandTogether()
    {
        const QTemporaryDir stores;
        const auto timeline = opened({Fixtures / "ust-per-pid"}, stores);
        QVERIFY(timeline->traces.size() > 1);
        const auto all = rows(*timeline, "control-flow");
        QVERIFY(all.size() >= timeline->traces.size());
        for (const Row& row : all) {
            QVERIFY2(row.kind == "thread", row.kind.c_str());
            QVERIFY(row.pid > 0); // The PID comes from the trace's environment.
        }
    }

    void aContainersThreadIsNotTheHostsOfTheSameNumber()
    {
        constexpr std::int64_t Initial = 0xeffffffc, Container = 0xf0000123;
        auto user = std::make_shared<KernelScript>();
        user->event(10, 0, "work", {{"$vpid", 7}, {"$vtid", 7}, {"$pid_ns", Initial}});
        user->event(20, 0, "work", {{"$vpid", 8}, {"$vtid", 8}, {"$pid_ns", Container}});
        user->event(30, 0, "work", {{"$vpid", 7}, {"$vtid", 7}, {"$pid_ns", Container}});
        user->event(40, 0, "work", {{"$vpid", 7}, {"$vtid", 9}, {"$pid_ns", Container}});
        const Timeline timeline = withKernel(user);
        QCOMPARE(keysOf(timeline), QString("tid:7 tid:8 tid:7@4026532131 tid:9@4026532131 tid:8@4026532131"));
        const auto events = [&](const char* key) {
            for (const Row& row : rows(timeline, "control-flow"))
                if (row.id == key)
                    return int(eventsIn(timeline, row.ref, timeline.range));
            return -1;
        };
        QCOMPARE(events("tid:7"), 1);
        QCOMPARE(events("tid:8"), 0);
        QCOMPARE(events("tid:7@4026532131"), 1);
    }

    void withoutANamespaceAThreadIsTheHosts()
    {
        auto user = std::make_shared<KernelScript>();
        user->event(10, 0, "work", {{"$vpid", 7}, {"$vtid", 7}}).event(20, 0, "work", {{"$vpid", 7}, {"$vtid", 9}});
        const Timeline timeline = withKernel(user);
        QCOMPARE(keysOf(timeline), QString("tid:7 tid:8 tid:9"));
        for (const Row& row : rows(timeline, "control-flow"))
            if (row.id == "tid:7")
                QCOMPARE(eventsIn(timeline, row.ref, timeline.range), 1u);
    }

    void leadersOfEachOtherStandBesideEachOther()
    {
        auto user = std::make_shared<KernelScript>();
        user->event(10, 0, "work", {{"$vpid", 21}, {"$vtid", 20}}).event(20, 0, "work", {{"$vpid", 20}, {"$vtid", 21}});
        const Timeline timeline = withKernel(user);
        QCOMPARE(keysOf(timeline), QString("tid:7 tid:8 tid:20 tid:21"));
        for (const Track& track : user->store().tracks())
            QVERIFY(track.kind != "thread" || track.parent == NoTrack);
    }

    void aThreadRestsWhereItHasNoEvents()
    {
        const QTemporaryDir stores;
        const auto timeline = opened({Fixtures / "ust-callstack" / "ust"}, stores);
        const auto all = rows(*timeline, "control-flow");
        std::vector<TrackRef> refs;
        for (const Row& row : all)
            refs.push_back(row.ref);
        const TimeRange range = rangeOf(*timeline);
        for (const RowUtilization& use : rowUtilizations(*timeline, refs, {range.begin, range.end + Duration(100)}))
            QVERIFY(!use.isInactive);
        for (const RowUtilization& use : rowUtilizations(*timeline, refs, {range.begin - Duration(1000), range.begin}))
            QVERIFY(use.isInactive);
    }

    void eventsAreCountedByName()
    {
        const QTemporaryDir stores;
        const auto timeline = opened({Fixtures / "ust-callstack" / "ust"}, stores);
        std::uint64_t sum = 0;
        const auto counts = eventCounts(*timeline);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            QVERIFY(i == 0 || counts[i].second <= counts[i - 1].second);
            sum += counts[i].second;
        }
        QCOMPARE(sum, timeline->traces[0].facts->summary().events);
    }
};

HELIO_TEST(EventThreadsTest)
#include "tst_event_threads.moc"
