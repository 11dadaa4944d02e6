// Input: system calls whose events name their threads, without switches that tell which thread had the CPU. Property: a thread's calls
// are known, but not whether it had a CPU.

#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using helio::RecordingScope;
using helio::test::KernelScript;

namespace {

constexpr auto S = 1; // State of a thread that leaves its CPU: sleeping.

/// Writer of system calls as recorded by perf: each event names its thread.
class CallScript : public KernelScript {
public:
    CallScript& enter(std::int64_t time, int cpu, std::int64_t tid, const std::string& call)
    {
        event(time, cpu, "syscalls:sys_enter_" + call, {{"$tid", tid}});
        return *this;
    }
    CallScript& exit(std::int64_t time, int cpu, std::int64_t tid, const std::string& call)
    {
        event(time, cpu, "syscalls:sys_exit_" + call, {{"$tid", tid}, {"ret", 0}});
        return *this;
    }
    CallScript& leave(std::int64_t time, int cpu, std::int64_t prev, std::int64_t next, std::int64_t context)
    {
        event(time, cpu, "sched:sched_switch",
              {{"$tid", context}, {"prev_pid", prev}, {"prev_state", S}, {"next_pid", next}, {"prev_comm", "x"}, {"next_comm", "x"}});
        return *this;
    }
    CallScript& leave(std::int64_t time, int cpu, std::int64_t prev, std::int64_t next) { return leave(time, cpu, prev, next, prev); }
    CallScript& only(RecordingScope part)
    {
        of(std::move(part));
        return *this;
    }
};

const RecordingScope Of7{{7}, false, true};

} // namespace

class KernelCallsTest : public QObject {
    Q_OBJECT
private slots:
    void withoutSwitchesThreadsAreInTheirCallsAlone()
    {
        CallScript s;
        s.exit(0, 0, 7, "read").enter(10, 0, 7, "read").enter(12, 1, 8, "poll").exit(20, 1, 7, "read").enter(25, 1, 7, "write").run(30);
        COMPARE_STATES(s, "tid:7", "between-syscalls 0-10, in-syscall(read) 10-20, between-syscalls 20-25, in-syscall(write) 25-30");
        COMPARE_STATES(s, "tid:8", "unknown 0-12, in-syscall(poll) 12-30");
        COMPARE_STATES(s, "cpu:0", "unknown 0-30");
    }

    void switchesAreLackingButNotForEverything()
    {
        CallScript s;
        s.enter(0, 0, 7, "read").exit(10, 0, 7, "read").run(30);
        const auto lack = helio::test::analysisOf("kernel").missing(s).front();
        QCOMPARE(lack.anyOf, std::vector<std::string>{"sched_switch"});
        QCOMPARE(lack.consequence, std::string("threads have no states other than system calls"));
        QVERIFY(!lack.isEssential);
        QCOMPARE(lack.kinds, (std::vector<std::string>{"page-fault", "preemption"}));
        CallScript others;
        others.call(0, 0, "read").ret(10, 0, "read").run(20);
        QVERIFY(helio::test::analysisOf("kernel").missing(others).front().isEssential);
    }

    void whatComesAfterACallWhoseExitsAreNotRecordedIsNotKnown()
    {
        CallScript s;
        s.enter(0, 0, 7, "read").enter(10, 0, 7, "write").run(20);
        COMPARE_STATES(s, "tid:7", "unknown 0-20");
    }

    void withoutThreadsInTheirContextNobodyIsInACall()
    {
        CallScript s;
        s.call(0, 0, "read").ret(10, 0, "read").call(20, 0, "read").run(30);
        QVERIFY(!s.row("tid:7"));
        COMPARE_STATES(s, "cpu:0", "unknown 0-30");
    }

    void theIdleThreadAndThoseOfNoNamespaceMakeNoCalls()
    {
        CallScript s;
        s.enter(0, 0, 0, "read").exit(10, 0, 0, "read").run(20);
        QVERIFY(!s.row("tid:0"));
    }

    void whatWasLostMayHaveEndedACall()
    {
        CallScript s;
        s.enter(0, 0, 7, "read").enter(1, 1, 8, "poll").enter(2, 1, 9, "poll").loss(0, 10, 15);
        s.exit(20, 0, 7, "read");
        s.enter(30, 1, 8, "poll").run(40);
        COMPARE_STATES(s, "tid:7", "in-syscall(read) 0-10, unknown 10-20, between-syscalls 20-40");
        COMPARE_STATES(s, "tid:8", "unknown 0-1, in-syscall(poll) 1-10, unknown 10-30, in-syscall(poll) 30-40");
        COMPARE_STATES(s, "tid:9", "unknown 0-2, in-syscall(poll) 2-10, unknown 10-40");
    }

    void aCallThatBeginsInAGapIsNotKnown()
    {
        CallScript s;
        s.exit(0, 0, 7, "read").enter(12, 0, 7, "read").loss(0, 10, 15);
        s.exit(20, 0, 7, "read").enter(30, 0, 7, "read").run(40);
        COMPARE_STATES(s, "tid:7", "between-syscalls 0-10, unknown 10-20, between-syscalls 20-30, in-syscall(read) 30-40");
    }

    void whoLeftTheCpuInACallIsInItUntilItRunsAgain()
    {
        CallScript s;
        s.only(Of7).exit(0, 0, 7, "read").enter(10, 0, 7, "read").leave(15, 0, 7, 9).exit(30, 1, 7, "read").leave(40, 1, 7, 9);
        s.enter(50, 0, 7, "poll").leave(60, 0, 7, 9).run(70);
        COMPARE_STATES(s, "tid:7",
                       "running-user 0-10, running-syscall(read) 10-15, in-syscall(read) 15-30, running-user 30-40, "
                       "between-syscalls 40-50, running-syscall(poll) 50-60, in-syscall(poll) 60-70");
    }

    void offTheRecordedCpusItMayHaveMadeOtherCalls()
    {
        CallScript s;
        s.only({{}, false, false}).leave(0, 0, 0, 7).enter(10, 0, 7, "read").leave(15, 0, 7, 0).leave(25, 0, 0, 7);
        s.exit(30, 0, 7, "read").leave(40, 0, 7, 0).run(50);
        COMPARE_STATES(s, "tid:7",
                       "running 0-10, running-syscall(read) 10-15, unknown 15-25, running 25-30, running-user 30-40, "
                       "unknown 40-50");
    }

    void contextsOfAnotherNamespaceNameNobody()
    {
        CallScript s;
        s.only({{16}, false, true}).leave(0, 0, 7, 9, 16).enter(10, 0, 16, "read").exit(20, 0, 16, "read").leave(30, 0, 7, 9, 16).run(40);
        COMPARE_STATES(s, "tid:7", "unknown 0-40");
        COMPARE_STATES(s, "tid:16", "");
    }

    void aSwitchThatWasNotSeenHidesNoCall()
    {
        CallScript s;
        s.leave(0, 0, 9, 7).enter(10, 0, 7, "read").leave(15, 0, 7, 0).leave(20, 1, 9, 0).exit(30, 0, 7, "read").run(40);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-syscall(read) 10-15, in-syscall(read) 15-30, running-user 30-40");
    }

    void aCallThatEndedWhereItsThreadWasLastSeenHasEnded()
    {
        CallScript s;
        s.leave(0, 0, 9, 7).enter(10, 0, 7, "read").exit(20, 0, 7, "read").leave(30, 0, 8, 0).run(40);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-syscall(read) 10-20, running-user 20-21, unknown 21-40");
        COMPARE_STATES(s, "cpu:0", "running(x (7)) 0-10, syscall(x (7)) 10-20, user(x (7)) 20-21, unknown 21-30, idle 30-40");
    }

    /// Input: entry events without exits, as recorded by `perf record --filter 'ret < 0'`. Property: a call without an exit has no known
    /// end, and a later exit does not end it.
    void aCallWhoseExitWasNotRecordedIsNotTheNextOne()
    {
        CallScript alone;
        alone.enter(0, 0, 7, "read").enter(10, 0, 7, "read").exit(20, 0, 7, "read").enter(30, 0, 7, "read").enter(40, 0, 7, "rt_sigreturn");
        alone.run(50);
        COMPARE_STATES(alone, "tid:7",
                       "unknown 0-10, in-syscall(read) 10-20, between-syscalls 20-30, unknown 30-40, between-syscalls 40-50");

        CallScript part;
        part.only(Of7).exit(0, 0, 7, "read").enter(10, 0, 7, "read").leave(15, 0, 7, 9).enter(30, 0, 7, "read").exit(35, 0, 7, "read");
        part.run(40);
        COMPARE_STATES(part, "tid:7",
                       "running-user 0-10, running-syscall(read) 10-15, unknown 15-30, running-syscall(read) 30-35, running-user 35-40");

        CallScript all;
        all.leave(0, 0, 9, 7).enter(10, 0, 7, "read").enter(20, 0, 7, "read").exit(30, 0, 7, "read").leave(40, 0, 7, 0).run(50);
        COMPARE_STATES(all, "tid:7", "running 0-20, running-syscall(read) 20-30, running-user 30-40, sleeping 40-50");
        COMPARE_STATES(all, "cpu:0", "running(x (7)) 0-20, syscall(x (7)) 20-30, user(x (7)) 30-40, idle 40-50");
    }

    void anExitEndsNoOtherCall()
    {
        CallScript named;
        named.declare("syscalls:sys_exit_read", {{"$tid", 7}, {"ret", 0}});
        named.enter(0, 0, 7, "read").exit(10, 0, 7, "write").enter(20, 0, 7, "write").exit(30, 0, 7, "write").run(40);
        COMPARE_STATES(named, "tid:7", "unknown 0-10, between-syscalls 10-20, in-syscall(write) 20-30, between-syscalls 30-40");

        CallScript numbered;
        const auto raw = [&](std::int64_t at, const char* what, int number) {
            numbered.event(at, 0, std::string("raw_syscalls:sys_") + what, {{"$tid", 7}, {"id", number}});
        };
        raw(0, "enter", 0);
        raw(10, "exit", 1);
        raw(20, "enter", 0);
        raw(30, "exit", 0);
        raw(40, "enter", 1);
        raw(50, "exit", -1);
        numbered.run(60);
        COMPARE_STATES(numbered, "tid:7",
                       "unknown 0-10, between-syscalls 10-20, in-syscall(read) 20-30, between-syscalls 30-40, in-syscall(write) 40-50, "
                       "between-syscalls 50-60");
    }

    /// Input: 8,000 CPUs and 15,000 calls after a loss. Property: the search for events that were lost runs once for each thread, not for
    /// each call on each CPU.
    void manyCallsAfterALossAreKnown()
    {
        constexpr int Cpus = 8000, Calls = 15'000;
        CallScript s;
        for (int cpu = 0; cpu < Cpus; ++cpu)
            s.exit(cpu, cpu, 100 + cpu, "read");
        s.loss(0, Cpus, Cpus + 10);
        for (int i = 0; i < Calls; ++i) {
            s.enter(Cpus + 20 + 2 * i, 0, 7, "read");
            s.exit(Cpus + 21 + 2 * i, 0, 7, "read");
        }
        s.run();
        std::map<std::string, int> counts;
        for (std::size_t i = 0; i < s.store().tracks().size(); ++i)
            if (s.store().tracks()[i].key == "tid:7")
                for (const auto& it : s.store().intervals(helio::TrackId(i), {helio::hostTime(0), helio::hostTime(1'000'000)}))
                    ++counts[std::to_string(int(it.state))];
        QCOMPARE(counts["16"], Calls); // 16 is the number of the state "in-syscall".
        QCOMPARE(counts["0"], 1); // 0 is the number of the state "unknown", in which the thread is until its first call.
    }

    void aReturnFromASignalHandlerIsNoCall()
    {
        CallScript s;
        s.enter(0, 0, 7, "read").exit(10, 0, 7, "read").enter(20, 0, 7, "rt_sigreturn").enter(30, 0, 7, "read").exit(40, 0, 7, "read");
        s.run(50);
        COMPARE_STATES(s, "tid:7", "in-syscall(read) 0-10, between-syscalls 10-30, in-syscall(read) 30-40, between-syscalls 40-50");
    }
};

HELIO_TEST(KernelCallsTest)
#include "tst_kernel_calls.moc"
