// Throttled threads: runnable threads that are kept off idle CPUs. Input: synthetic traces, and recordings, compared with libbabeltrace2's
// events.

#include "kernel_run.h"
#include "kernel_script.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace helio;
using helio::test::KernelScript;

namespace {

constexpr int R = 0;
constexpr int S = 1;
constexpr std::int64_t Ms = 1'000'000;

using Span = std::pair<std::int64_t, std::int64_t>;

/// States with times in ms.
std::string inMs(const std::string& states)
{
    std::string text, digits;
    const auto flush = [&] {
        text += digits.size() > 6 ? digits.substr(0, digits.size() - 6) : digits;
        digits.clear();
    };
    for (const char c : states) {
        if (c >= '0' && c <= '9') {
            digits += c;
            continue;
        }
        flush();
        text += c;
    }
    flush();
    return text;
}

/// Reference implementation: collects all switches, wake-ups and migrations first, and evaluates each time in which no thread of a process
/// ran.
class Reference {
public:
    explicit Reference(const QString& folder)
    {
        BabeltraceOracle oracle({folder.toStdString()});
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next())
            if (kind == BabeltraceOracle::Kind::Event) {
                m_end = oracle.time();
                take(oracle, oracle.time(), oracle.cpu(), oracle.name());
            }
        for (auto& [cpu, idle] : m_idle)
            if (idle.since >= 0)
                idle.ranges.emplace_back(idle.since, m_end);
        for (auto& [tid, thread] : m_threads) {
            if (thread.running >= 0)
                thread.runs.emplace_back(thread.running, m_end);
            if (thread.wait)
                endWait(thread, m_end);
        }
    }

    /// Throttled times of each thread.
    std::map<std::int64_t, std::vector<Span>> throttled() const
    {
        std::map<std::int64_t, std::vector<std::int64_t>> processes;
        for (const auto& [tid, thread] : m_threads)
            if (thread.pid > 0 && !m_kernelThreads.contains(tid))
                processes[thread.pid].push_back(tid);
        std::map<std::int64_t, std::vector<Span>> found;
        for (const auto& [pid, tids] : processes)
            for (const Span& quiet : quietTimes(tids))
                addThrottled(tids, quiet, found);
        return found;
    }

private:
    struct Place {
        std::int64_t cpu, since, enqueued;
    };
    struct Wait {
        std::int64_t begin = 0, end = 0;
        std::vector<Place> places;
    };
    struct Thread {
        std::int64_t pid = -1, born = 0, running = -1;
        std::optional<Wait> wait;
        std::vector<Wait> waits;
        std::vector<Span> runs;
    };
    struct Idle {
        std::int64_t since = -1;
        std::vector<Span> ranges;
    };

    void take(const BabeltraceOracle& event, std::int64_t at, std::int64_t cpu, const std::string& name)
    {
        const auto number = [&](const char* field) { return event.payloadNumber(field); };
        if (name == "sched_switch") {
            const std::int64_t prev = number("prev_tid"), next = number("next_tid"), state = number("prev_state");
            Idle& idle = m_idle[cpu];
            if (prev == 0 && idle.since >= 0)
                idle.ranges.emplace_back(std::exchange(idle.since, -1), at);
            if (next == 0)
                idle.since = at;
            if (Thread& thread = m_threads[prev]; prev != 0) {
                thread.runs.emplace_back(std::max<std::int64_t>(0, thread.running), at);
                thread.running = -1;
                if (state == 0 || state == 256)
                    thread.wait = Wait{at, 0, {{cpu, at, at}}};
            }
            if (Thread& thread = m_threads[next]; next != 0) {
                endWait(thread, at);
                thread.running = at;
            }
        } else if (name == "sched_waking" || name == "sched_wakeup" || name == "sched_wakeup_new") {
            enqueue(at, number("tid"), number("target_cpu"));
        } else if (name == "sched_migrate_task") {
            if (m_threads[number("tid")].wait)
                enqueue(at, number("tid"), number("dest_cpu"));
        } else if (name == "sched_process_fork") {
            Thread& child = m_threads[number("child_tid")];
            child = {};
            child.pid = number("child_pid");
            child.born = at;
            enqueue(at, number("child_tid"), cpu);
            if (number("parent_tid") == 2)
                m_kernelThreads.insert(number("child_tid"));
        } else if (name == "lttng_statedump_process_state") {
            Thread& thread = m_threads[number("tid")];
            thread.pid = thread.pid > 0 ? thread.pid : number("pid");
            if (number("type") == 1)
                m_kernelThreads.insert(number("tid"));
        }
    }

    void enqueue(std::int64_t at, std::int64_t tid, std::int64_t cpu)
    {
        Thread& thread = m_threads[tid];
        if (thread.running >= 0)
            return;
        if (!thread.wait)
            thread.wait = Wait{at, 0, {}};
        std::vector<Place>& places = thread.wait->places;
        if (!places.empty() && places.back().cpu == cpu)
            places.back().enqueued = at + Ms;
        else
            places.push_back({cpu, at, at + Ms});
    }

    static void endWait(Thread& thread, std::int64_t at)
    {
        if (!thread.wait)
            return;
        thread.wait->end = at;
        thread.waits.push_back(*thread.wait);
        thread.wait.reset();
    }

    /// Times in which none of the threads ran, from the earliest of their forks (Thread::born) on; a thread without a fork event counts
    /// from 0.
    std::vector<Span> quietTimes(const std::vector<std::int64_t>& tids) const
    {
        std::vector<Span> runs;
        for (const std::int64_t tid : tids) {
            const Thread& thread = m_threads.at(tid);
            runs.insert(runs.end(), thread.runs.begin(), thread.runs.end());
            runs.emplace_back(thread.born, thread.born);
        }
        std::ranges::sort(runs);
        std::vector<Span> quiet;
        std::int64_t until = runs.front().second;
        for (const Span& run : runs) {
            if (run.first > until)
                quiet.emplace_back(until, run.first);
            until = std::max(until, run.second);
        }
        if (until < m_end)
            quiet.emplace_back(until, m_end);
        return quiet;
    }

    void addThrottled(const std::vector<std::int64_t>& tids, const Span& quiet, std::map<std::int64_t, std::vector<Span>>& found) const
    {
        bool isProven = false;
        std::vector<std::pair<std::int64_t, Span>> all;
        for (const std::int64_t tid : tids)
            for (const Wait& wait : m_threads.at(tid).waits) {
                const Span part{std::max(wait.begin, quiet.first), std::min(wait.end, quiet.second)};
                if (part.second - part.first < 10 * Ms)
                    continue;
                std::int64_t idle = 0;
                bool isPassedOver = false;
                for (std::size_t i = 0; i < wait.places.size(); ++i) {
                    const Place& place = wait.places[i];
                    const std::int64_t end = i + 1 < wait.places.size() ? wait.places[i + 1].since : part.second;
                    const auto cpu = m_idle.find(place.cpu);
                    for (const Span& range : cpu != m_idle.end() ? cpu->second.ranges : std::vector<Span>()) {
                        const std::int64_t from = std::max({range.first, part.first, place.since});
                        idle += std::max<std::int64_t>(0, std::min({range.second, part.second, end}) - from);
                        isPassedOver |= range.first >= place.enqueued && range.first < std::min(end, part.second);
                    }
                }
                if (idle <= (part.second - part.first) / 2)
                    continue;
                isProven |= isPassedOver;
                all.emplace_back(tid, part);
            }
        if (isProven)
            for (const auto& [tid, part] : all)
                found[tid].push_back(part);
    }

    std::map<std::int64_t, Thread> m_threads;
    std::set<std::int64_t> m_kernelThreads;
    std::map<std::int64_t, Idle> m_idle; ///< Idle times of the CPUs.
    std::int64_t m_end = 0;
};

/// Throttled times of each thread according to the kernel analysis.
std::map<std::int64_t, std::vector<Span>> throttledIn(const test::KernelRun& run)
{
    std::map<std::int64_t, std::vector<Span>> found;
    for (std::size_t i = 0; i < run.store->tracks().size(); ++i)
        if (run.track(i).kind == "thread")
            for (const HostInterval& it : run.intervals(i))
                if (run.state(i, it) == "throttled")
                    found[run.track(i).tid].emplace_back(nanoseconds(it.range.begin), nanoseconds(it.range.end));
    return found;
}

/// One line for each throttled time: thread, begin and end.
QStringList linesOf(const std::map<std::int64_t, std::vector<Span>>& throttled)
{
    QStringList lines;
    for (const auto& [tid, spans] : throttled)
        for (const Span& span : spans)
            lines << QString("%1 %2 %3").arg(tid).arg(span.first).arg(span.second);
    return lines;
}

/// Two threads of process 7 on two CPUs: 7 runs on CPU 0 and 8 on CPU 1 from 10 ms on; 9 is another process.
KernelScript twoThreads()
{
    KernelScript s;
    s.dump(0, 7, 7, 1, 0, 5).dump(0, 9, 9, 1, 0, 5).sw(1 * Ms, 0, 0, R, 7).fork(2 * Ms, 0, 7, 8, 7);
    s.sw(10 * Ms, 1, 0, R, 8);
    return s;
}

} // namespace

class KernelThrottledTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: the throttled part of a wait begins where the last thread of the process loses its CPU, and ends where the first one gets
    /// a CPU.
    void aWaitIsThrottledWhileNoThreadOfTheProcessRuns()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 0, 7, R, 0).sw(25 * Ms, 1, 8, R, 0).sw(60 * Ms, 1, 0, R, 8).sw(63 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")),
                 std::string("waiting 0-1, running 1-20, preempted 20-25, throttled 25-60, wait-cpu 60-63, running 63-70"));
        QCOMPARE(inMs(s.states("tid:8")), std::string("wait-cpu 2-10, running 10-25, throttled 25-60, running 60-70"));
    }

    void aRunningSiblingPreventsIt()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 0, 7, R, 0).sw(60 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, preempted 20-60, running 60-70"));
    }

    void aBusyCpuPreventsIt()
    {
        KernelScript s = twoThreads();
        // CPU 0 is busy for half of the time of thread 7.
        s.sw(20 * Ms, 0, 7, R, 0).sw(20 * Ms, 1, 8, S, 0).sw(30 * Ms, 0, 0, R, 9).sw(50 * Ms, 0, 9, S, 0).sw(60 * Ms, 0, 0, R, 7);
        s.run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, preempted 20-60, running 60-70"));
    }

    void aShortWaitIsNone()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, R, 0).sw(30 * Ms - 1, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, preempted 20-29, running 29-70"));
        KernelScript longer = twoThreads();
        longer.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, R, 0).sw(30 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(longer.states("tid:7")), std::string("waiting 0-1, running 1-20, throttled 20-30, running 30-70"));
    }

    /// Input: an idle CPU that takes long to run the thread that was woken there, like a vCPU that its host does not run.
    void aSlowCpuIsNotThrottled()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, S, 0).waking(30 * Ms, 1, 7, 0).sw(60 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, sleeping 20-30, wait-cpu 30-60, running 60-70"));
        // CPU 0 runs thread 9, and then idles again although thread 7 still waits for a CPU.
        KernelScript passed = twoThreads();
        passed.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, S, 0).waking(30 * Ms, 1, 7, 0).sw(32 * Ms, 0, 0, R, 9).sw(33 * Ms, 0, 9, S, 0);
        passed.sw(60 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(passed.states("tid:7")), std::string("waiting 0-1, running 1-20, sleeping 20-30, throttled 30-60, running 60-70"));
    }

    void lostEventsThrottleNothing()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, R, 0).loss(1, 54 * Ms, 55 * Ms).sw(60 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, preempted 20-60, running 60-70"));
    }

    void aMigratedThreadCountsTheIdleTimeOfBothCpus()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, R, 0);
        s.event(40 * Ms, 1, "sched_migrate_task", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}, {"orig_cpu", 0}, {"dest_cpu", 1}});
        s.sw(41 * Ms, 0, 0, R, 9).sw(60 * Ms, 1, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, throttled 20-60, running 60-70"));
    }

    void aWaitAtTheEndIsThrottled()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 1, 8, S, 0).sw(20 * Ms, 0, 7, R, 0).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:7")), std::string("waiting 0-1, running 1-20, throttled 20-70"));
    }

    void aWakeupTwiceMakesTheWholeWaitUnknown()
    {
        KernelScript s = twoThreads();
        s.sw(20 * Ms, 1, 8, R, 0).sw(20 * Ms, 0, 7, S, 0).waking(21 * Ms, 1, 7, 0).sw(60 * Ms, 1, 0, R, 8).waking(62 * Ms, 1, 7, 0);
        s.sw(65 * Ms, 0, 0, R, 7).run(70 * Ms);
        QCOMPARE(inMs(s.states("tid:8")), std::string("wait-cpu 2-10, running 10-20, throttled 20-60, running 60-70"));
        QCOMPARE(inMs(s.states("tid:7")),
                 std::string("waiting 0-1, running 1-20, sleeping 20-21, unknown 21-62, wait-cpu 62-65, running 65-70"));
    }

    void threadsOfRecordingsAreThrottledAsTheirEventsSay()
    {
        HELIO_REQUIRE_TRACE(path, "disks");
        const auto run = test::runKernel(path);
        const auto found = throttledIn(run);
        QCOMPARE(linesOf(found), linesOf(Reference(ctfFolders(path).front()).throttled()));
        std::size_t count = 0;
        for (const auto& [tid, spans] : found) {
            QCOMPARE(run.track(static_cast<std::size_t>(run.find("tid:" + std::to_string(tid)))).pid,
                     200); // Only process 200, which reads from the disks, has a CPU quota.
            count += spans.size();
        }
        QCOMPARE(found.size(), 10U);
        QCOMPARE(count, 401U);
    }

    void noThreadWithoutAQuotaIsThrottled_data()
    {
        QTest::addColumn<QString>("collection");
        for (const char* name : {"lttng-kernel", "host-guest", "two-hosts", "mpi-imbalance", "ust-callstack", "heap"})
            QTest::newRow(name) << name;
    }
    void noThreadWithoutAQuotaIsThrottled()
    {
        QFETCH(QString, collection);
        HELIO_REQUIRE_TRACE(path, collection);
        std::size_t read = 0;
        for (const QString& folder : ctfFolders(path)) {
            if (!test::openKernelTrace(folder))
                continue;
            const auto run = test::runKernel(folder);
            ++read;
            QVERIFY2(throttledIn(run).empty(), qPrintable(folder));
        }
        QVERIFY(read > 0);
    }
};

HELIO_TEST(KernelThrottledTest)
#include "tst_kernel_throttled.moc"
