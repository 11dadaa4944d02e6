// Summary of a thread: its lifetime, its total times, and the CPUs it ran on.

#include "core/experiment/experiment.h"
#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_summary.h"
#include "core/trace/fields/field_ref.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace helio;

namespace {

std::shared_ptr<const Timeline> opened(const QTemporaryDir& stores)
{
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    auto experiment = Experiment::open({SOURCE_DIR "/tests/fixtures/kernel-small"}, options);
    if (!experiment)
        qFatal("%s", experiment.error().what.c_str());
    (*experiment)->start();
    if (!(*experiment)->wait())
        qFatal("not read");
    return (*experiment)->timeline();
}

/// A trace with process records, which tell when programs began and ended.
class RecordedTrace : public MadeTrace {
public:
    explicit RecordedTrace(std::vector<ProcessRecord> records)
        : m_records(std::move(records))
    {
    }
    std::span<const ProcessRecord> processRecords() const override { return m_records; }

private:
    std::vector<ProcessRecord> m_records;
};

/// Recorded ends of thread 7, which exists from `begin` to `end` of a trace from 0 to 1000 ns.
RecordedEnds endsOf(std::int64_t begin, std::int64_t end, std::vector<ProcessRecord> records = {})
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track track;
    track.view = "control-flow";
    track.kind = "thread";
    track.role = TrackRole::Thread;
    track.key = "tid:7";
    track.tid = 7;
    track.states = *builder->stateSet(test::statesNamed("thread", {"unknown", "running-user"}));
    const TrackId thread = builder->addTrack(track);
    builder->set(hostTime(begin), thread, State{1});
    builder->end(hostTime(end), thread);
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(1000)};
    Timeline timeline;
    addTrace(timeline, {*builder->finish(summary), std::make_shared<RecordedTrace>(std::move(records))});
    return recordedEnds(timeline, {StoreIndex{}, thread});
}

ProcessRecord record(ProcessRecord::Kind kind, std::int64_t at, std::int32_t tid = 7)
{
    ProcessRecord made;
    made.kind = kind;
    made.time = hostTime(at);
    made.tid = tid;
    return made;
}

struct Ran {
    std::uint64_t intervals = 0;
    std::uint64_t migrations = 0;
    std::set<std::int32_t> cpus;
    std::int32_t last = -1;
};

/// Expected running times by TID, computed from the switches.
std::map<std::int64_t, Ran> ranBySwitches(const std::shared_ptr<const Timeline>& timeline)
{
    std::map<std::int64_t, Ran> all;
    EventCursor cursor(timeline, rangeOf(*timeline).begin);
    while (cursor.next()) {
        const EventView& event = cursor.event();
        if (event.type->name != "sched_switch")
            continue;
        Ran& ran = all[FieldRef(*event.type, Section::Payload, "next_tid").integer(event).value_or(-1)];
        ++ran.intervals;
        ran.migrations += ran.last >= 0 && ran.last != event.cpu();
        ran.last = event.cpu();
        ran.cpus.insert(event.cpu());
    }
    return all;
}

} // namespace

class ThreadLifeTest : public QObject {
    Q_OBJECT

private slots:
    void whereAThreadRanIsWhatTheSwitchesSay()
    {
        const QTemporaryDir stores;
        const auto timeline = opened(stores);
        const auto expected = ranBySwitches(timeline);
        int compared = 0;
        for (const Row& row : rows(*timeline, "control-flow")) {
            const auto life = threadSummary(*timeline, row.ref, rangeOf(*timeline));
            QVERIFY(life);
            const auto ran = expected.find(row.tid);
            // Not compared, because switches alone do not show when they ran: threads that ran before their first recorded switch, and
            // threads with reused TIDs.
            if (ran == expected.end() || row.life.begin == rangeOf(*timeline).begin || row.id.find('#') != std::string::npos)
                continue;
            std::uint64_t intervals = 0;
            std::set<std::int32_t> cpus;
            Duration total{};
            for (const auto& it : life->cpus) {
                intervals += it.intervals;
                total += it.total;
                cpus.insert(it.cpu);
            }
            QCOMPARE(intervals, ran->second.intervals);
            QCOMPARE(cpus, ran->second.cpus);
            QCOMPARE(life->migrations, ran->second.migrations);
            Duration onCpu{};
            for (const auto& state : life->states)
                if (state.kind.name.starts_with("running") || state.kind.name == "page-fault" || state.kind.name == "interrupted"
                    || state.kind.name == "exiting")
                    onCpu += state.total;
            QCOMPARE(total, onCpu);
            ++compared;
        }
        QVERIFY2(compared >= 3, qPrintable(QString::number(compared)));
    }

    void endsWithinTheTraceWereRecorded()
    {
        using Kind = ProcessRecord::Kind;
        const auto are = [](RecordedEnds ends, bool begin, bool end) { return ends.begin == begin && ends.end == end; };
        QVERIFY(are(endsOf(100, 900), true, true));
        QVERIFY(are(endsOf(0, 900), false, true));
        QVERIFY(are(endsOf(100, 1000), true, false));
        QVERIFY(are(endsOf(0, 1000), false, false));
        QVERIFY(are(endsOf(0, 1000, {record(Kind::Exec, 0), record(Kind::Exit, 1000)}), true, true));
        // Records of another process do not count.
        QVERIFY(are(endsOf(0, 1000, {record(Kind::Exec, 0, 8), record(Kind::Exit, 1000, 8)}), false, false));
        // The exec at 500 does not prove that the begin was recorded, because the process ran another program before.
        QVERIFY(are(endsOf(0, 1000, {record(Kind::Exec, 500)}), false, false));
    }

    void aThreadAndTheCpuItHasLeadToEachOther()
    {
        const QTemporaryDir stores;
        const auto timeline = opened(stores);
        int runs = 0;
        for (const Row& row : rows(*timeline, "control-flow"))
            for (const Interval& interval : intervals(*timeline, row.ref, rangeOf(*timeline))) {
                const TrackRef cpu = counterpartAt(*timeline, row.ref, interval.range.begin);
                const std::string_view state = stateName(*timeline, row.ref, interval.state);
                if (state == "running-user" || state == "running-syscall") {
                    QVERIFY(cpu.isValid());
                    QCOMPARE(rowOf(*timeline, cpu)->kind, std::string("cpu"));
                    QCOMPARE(counterpartAt(*timeline, cpu, interval.range.begin), row.ref);
                    ++runs;
                } else if (state == "sleeping" || state == "wait-cpu") {
                    QVERIFY(!cpu.isValid());
                }
            }
        QVERIFY(runs > 100);
    }

    void theEventsOfARowAreThoseOfItsThreadOrCpu()
    {
        const QTemporaryDir stores;
        Timeline timeline = *opened(stores);
        const auto threads = rows(timeline, "control-flow");
        const auto cpus = rows(timeline, "resources");
        QCOMPARE(eventsOf(timeline, threads[0].ref), "tid == " + std::to_string(threads[0].tid));
        QCOMPARE(eventsOf(timeline, cpus[0].ref), "cpu == " + std::to_string(cpus[0].cpu));
        timeline.hosts.push_back({"other", "other"});
        QCOMPARE(eventsOf(timeline, cpus[0].ref),
                 "cpu == " + std::to_string(cpus[0].cpu) + " && host == \"" + timeline.hosts[0].label + "\"");
        QVERIFY(Expression::parse(eventsOf(timeline, cpus[0].ref)));
        QVERIFY(!threadSummary(timeline, cpus[0].ref, rangeOf(timeline)));
    }
};

HELIO_TEST(ThreadLifeTest)
#include "tst_thread_life.moc"
