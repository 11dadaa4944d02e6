// Throttled processes, which wait while CPUs are idle. Input: synthetic processes, and a recording, compared with libbabeltrace2's events.

#include "core/experiment/experiment.h"
#include "core/latency/intervals/intervals.h"
#include "core/latency/periods/periodicity.h"
#include "core/latency/throttling/throttled.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/made_timeline.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

using namespace helio;

namespace {

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};
constexpr std::int64_t Ms = 1'000'000;

/// A throttled interval: begin and end in ms, a thread of the process, most waiting threads at once, ms with an idle CPU.
using Span = std::tuple<std::int64_t, std::int64_t, std::int32_t, std::uint32_t, std::int64_t>;

std::vector<Span> spansOf(const Timeline& timeline, TimeRange window = Always)
{
    std::vector<Span> all;
    forEachThrottled(timeline, window, [&](const Row& row, const ThrottledInterval& it) {
        all.emplace_back(nanoseconds(it.range.begin) / Ms, nanoseconds(it.range.end) / Ms, row.tid, it.waiting, it.idle / Duration(Ms));
    });
    return all;
}

/// Builder of rows with states. The test writes the times at which states begin, in ms, as "10 user, 20 wait-cpu".
class Made {
public:
    Made()
        : m_builder(makeMemoryStoreBuilder(hostTime(0)))
        , m_threads(*m_builder->stateSet(test::statesNamed("thread", ThreadNames)))
        , m_cpus(*m_builder->stateSet(test::statesNamed("cpu", CpuNames)))
    {
    }

    enum State : std::uint8_t { Unknown, User, Sleeping, WaitCpu, Preempted };
    enum CpuState : std::uint8_t { CpuUnknown, Idle, Busy };

    void thread(std::int32_t pid, std::int32_t tid, const std::vector<std::pair<int, State>>& states)
    {
        Track track;
        track.view = "control-flow";
        track.kind = "thread";
        track.role = TrackRole::Thread;
        track.key = "tid:" + std::to_string(tid);
        track.label = "thread " + std::to_string(tid);
        track.states = m_threads;
        track.pid = pid;
        track.tid = tid;
        add(track, states);
    }
    void cpu(std::int32_t number, const std::vector<std::pair<int, CpuState>>& states)
    {
        Track track;
        track.view = "resources";
        track.kind = "cpu";
        track.role = TrackRole::Cpu;
        track.key = "cpu:" + std::to_string(number);
        track.label = track.key;
        track.states = m_cpus;
        track.cpu = number;
        add(track, states);
    }
    std::shared_ptr<const Timeline> timeline()
    {
        auto timeline = std::make_shared<Timeline>();
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(1000 * Ms)};
        addTrace(*timeline, {*m_builder->finish(summary), std::make_shared<MadeTrace>()});
        timeline->isComplete = true;
        return timeline;
    }

private:
    static constexpr std::array<std::string_view, 5> ThreadNames{"unknown", "running-user", "sleeping", "wait-cpu", "preempted"};
    static constexpr std::array<std::string_view, 3> CpuNames{"unknown", "idle", "user"};

    template <typename OwnState> void add(const Track& track, const std::vector<std::pair<int, OwnState>>& states)
    {
        const TrackId id = m_builder->addTrack(track);
        for (const auto& [at, state] : states)
            m_builder->set(hostTime(at * Ms), id, helio::State{state});
    }

    std::unique_ptr<StoreBuilder> m_builder;
    StateSetId m_threads;
    StateSetId m_cpus;
};

/// Reference implementation of the search for throttled intervals. After each scheduler event, it knows the states of the process's threads
/// and of the CPUs.
class Derived {
public:
    Derived(const std::vector<std::filesystem::path>& folders, std::int64_t process)
        : m_process(process)
    {
        BabeltraceOracle oracle(folders);
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next())
            if (kind == BabeltraceOracle::Kind::Event && std::string_view(oracle.name()).starts_with("sched_"))
                take(oracle, oracle.name());
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;

private:
    enum class Is { Running, Waiting, Else };

    void take(const BabeltraceOracle& event, const std::string& name)
    {
        account(event.time());
        if (name == "sched_process_fork" && event.payloadNumber("child_pid") == m_process)
            m_threads[event.payloadNumber("child_tid")] = Is::Waiting; // A new thread is runnable immediately.
        if (name == "sched_switch") {
            if (const auto out = m_threads.find(event.payloadNumber("prev_tid")); out != m_threads.end())
                out->second = event.payloadNumber("prev_state") == 0 ? Is::Waiting : Is::Else;
            if (const auto in = m_threads.find(event.payloadNumber("next_tid")); in != m_threads.end())
                in->second = Is::Running;
            m_idle[event.cpu()] = event.payloadNumber("next_tid") == 0;
        }
        if (name == "sched_waking" || name == "sched_wakeup" || name == "sched_wakeup_new")
            if (const auto woken = m_threads.find(event.payloadNumber("tid")); woken != m_threads.end() && woken->second == Is::Else)
                woken->second = Is::Waiting;
    }

    /// Adds the time since the preceding event to the current state. Does nothing if the preceding event has the same time.
    void account(std::int64_t now)
    {
        const auto count = [&](Is what) { return std::ranges::count_if(m_threads, [&](const auto& it) { return it.second == what; }); };
        if (now == m_last)
            return;
        const bool isKept = count(Is::Running) == 0 && count(Is::Waiting) > 0;
        if (isKept && m_begin < 0)
            m_begin = m_last;
        if (isKept && std::ranges::any_of(m_idle, [](const auto& it) { return it.second; }))
            m_idleTime += now - m_last;
        if (!isKept && m_begin >= 0) {
            if (m_last - m_begin >= 10 * Ms && 2 * m_idleTime > m_last - m_begin)
                spans.emplace_back(m_begin, m_last);
            m_begin = -1;
            m_idleTime = 0;
        }
        m_last = now;
    }

    std::int64_t m_process;
    std::map<std::int64_t, Is> m_threads;
    std::map<std::int64_t, bool> m_idle;
    std::int64_t m_last = 0;
    std::int64_t m_begin = -1;
    std::int64_t m_idleTime = 0;
};

} // namespace

class ThrottledTest : public QObject {
    Q_OBJECT

private slots:
    void aProcessIsKeptWhereNoneOfItsThreadsRuns()
    {
        Made made;
        made.cpu(0, {{0, Made::Busy}, {100, Made::Idle}, {900, Made::Busy}});
        made.cpu(1, {{0, Made::Busy}});
        made.thread(
            10, 10,
            {{0, Made::User}, {150, Made::Preempted}, {400, Made::User}, {500, Made::Sleeping}, {700, Made::WaitCpu}, {720, Made::User}});
        made.thread(10, 11, {{0, Made::Sleeping}, {200, Made::WaitCpu}, {401, Made::Sleeping}});
        made.thread(20, 20, {{0, Made::User}, {300, Made::Sleeping}}); // A thread of another process, which does not wait.
        QCOMPARE(spansOf(*made.timeline()), (std::vector<Span>{{150, 400, 10, 2, 250}, {700, 720, 10, 1, 20}}));
    }

    /// Property: a wait belongs to a throttled interval of its own process if they overlap.
    void aWaitIsThrottledWithItsProcess()
    {
        Made made;
        made.cpu(0, {{0, Made::Idle}});
        made.thread(10, 10, {{0, Made::User}, {150, Made::Preempted}, {400, Made::User}});
        made.thread(10, 11, {{0, Made::Sleeping}, {200, Made::WaitCpu}, {401, Made::Sleeping}});
        made.thread(20, 20, {{0, Made::User}, {300, Made::Sleeping}});
        const auto timeline = made.timeline();
        const auto nameIn = [&](std::int32_t tid, std::int64_t begin, std::int64_t end) {
            for (const Row& row : threads(*timeline))
                if (row.tid == tid)
                    return findThrottledProcess(*timeline, row.ref, {timestamp(begin * Ms), timestamp(end * Ms)}).value_or("none");
            return std::string("no such thread");
        };
        QCOMPARE(nameIn(10, 150, 400), std::string("thread 10 (10)"));
        QCOMPARE(nameIn(11, 200, 401), std::string("thread 10 (10)"));
        QCOMPARE(nameIn(11, 401, 500), std::string("none"));
        QCOMPARE(nameIn(20, 300, 400), std::string("none"));
    }

    void busyCpusThrottleNoThread()
    {
        Made made;
        made.cpu(0, {{0, Made::Busy}, {200, Made::Idle}, {250, Made::Busy}});
        // Thread 10 is not throttled, because a CPU was idle for only a quarter of its wait.
        made.thread(10, 10, {{0, Made::User}, {100, Made::Preempted}, {300, Made::User}});
        // Thread 20 is throttled, because a CPU was idle for more than half of its wait.
        made.thread(20, 20, {{0, Made::User}, {180, Made::Preempted}, {260, Made::User}});
        // Thread 30 is not throttled, because its wait is shorter than 10 ms.
        made.thread(30, 30, {{0, Made::User}, {210, Made::Preempted}, {215, Made::User}});
        QCOMPARE(spansOf(*made.timeline()), (std::vector<Span>{{180, 260, 20, 1, 50}}));
    }

    void aSiblingThatTakesTheCpuAtOnceEndsNothing()
    {
        Made made;
        made.cpu(0, {{0, Made::Idle}});
        made.thread(10, 10, {{0, Made::User}, {100, Made::Preempted}, {200, Made::User}, {300, Made::Sleeping}});
        made.thread(10, 11, {{0, Made::Preempted}, {100, Made::User}, {200, Made::Preempted}, {300, Made::User}});
        QVERIFY(spansOf(*made.timeline()).empty());
    }

    /// Property: an interval that is not entirely inside the time range and the recording is not returned, because its duration is unknown.
    void windowHasIntervalsThatLieInIt()
    {
        Made made;
        made.cpu(0, {{0, Made::Idle}});
        made.thread(10, 10, {{0, Made::Preempted}, {100, Made::User}, {200, Made::WaitCpu}, {300, Made::User}, {900, Made::Preempted}});
        const auto timeline = made.timeline();
        QCOMPARE(spansOf(*timeline), (std::vector<Span>{{200, 300, 10, 1, 100}}));
        QCOMPARE(spansOf(*timeline, {timestamp(150 * Ms), timestamp(350 * Ms)}).size(), 1U);
        QVERIFY(spansOf(*timeline, {timestamp(250 * Ms), timestamp(350 * Ms)}).empty());
        QVERIFY(spansOf(*timeline, {timestamp(150 * Ms), timestamp(250 * Ms)}).empty());
    }

    void whereNothingIsKnownOfCpusThereIsNoKind()
    {
        Made made;
        made.thread(10, 10, {{0, Made::User}, {100, Made::Preempted}, {300, Made::User}});
        const auto timeline = made.timeline();
        QVERIFY(!canDetectThrottling(*timeline));
        QVERIFY(spansOf(*timeline).empty());
        Made withCpu;
        withCpu.cpu(0, {{0, Made::Idle}});
        withCpu.thread(10, 10, {{0, Made::User}, {100, Made::Preempted}, {300, Made::User}});
        const auto known = withCpu.timeline();
        QVERIFY(canDetectThrottling(*known));
        const auto lines = durationStats(known, {std::string(ThrottledKind)});
        QCOMPARE(lines.size(), 1U);
        QCOMPARE(lines[0].name, std::string("thread 10 (10)")); // Name and PID: processes of one name are told apart.
        QCOMPARE(lines[0].lengths.total, Duration(200 * Ms));
    }

    /// Input: a recording of a process with a CPU quota of 100 ms in each 250 ms. Property: the throttled intervals equal those of the
    /// reference implementation, and their period is 250 ms.
    void aQuotaOfARecordingIsSeen()
    {
        HELIO_REQUIRE_TRACE(path, "disks");
        std::vector<std::filesystem::path> folders;
        for (const QString& folder : ctfFolders(path))
            folders.emplace_back(folder.toStdString());
        constexpr std::int32_t Readers = 200;
        const auto derived = Derived(folders, Readers).spans;

        QTemporaryDir store;
        ExperimentOptions options;
        options.storeDirectory = store.path().toStdString();
        auto experiment = Experiment::open({path.toStdString()}, options);
        QVERIFY2(experiment, experiment ? "" : experiment.error().what.c_str());
        (*experiment)->start();
        QVERIFY((*experiment)->wait());
        const auto timeline = (*experiment)->timeline();
        std::vector<std::pair<std::int64_t, std::int64_t>> found;
        PeriodicityDetector periods;
        Duration total{};
        forEachThrottled(*timeline, Always, [&](const Row& row, const ThrottledInterval& it) {
            if (row.tid != Readers)
                return;
            found.emplace_back(nanoseconds(it.range.begin), nanoseconds(it.range.end));
            periods.add(it.range);
            if (it.range.duration() > Duration(100 * Ms))
                total += it.range.duration();
        });
        QCOMPARE(found, derived);
        const auto areLong = std::ranges::count_if(found, [](const auto& it) { return it.second - it.first > 100 * Ms; });
        QCOMPARE(areLong, 40); // The kernel counted the same number of throttled periods.
        QCOMPARE(total / areLong / std::chrono::microseconds(1), 207'622);
        const auto repeats = periods.find();
        QVERIFY(!repeats.empty());
        QVERIFY2(std::abs(repeats[0].found.period - 249.96e6) < 0.2e6, qPrintable(QString::number(repeats[0].found.period)));
        QVERIFY(repeats[0].found.share > 0.9);
    }
};

HELIO_TEST(ThrottledTest)
#include "tst_throttled.moc"
