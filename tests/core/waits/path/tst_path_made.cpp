// Input: synthetic traces with every kind of path segment.

#include "core/correlation/correlator.h"
#include "core/correlation/transmissions.h"
#include "core/virtualization/vcpu_preemption.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/wait_causes.h"
#include "made_path.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

using namespace helio;
using namespace helio::test;

namespace {

/// A script in which thread 7 has CPU 0, and thread 8 has CPU 1 and is in user space.
std::shared_ptr<KvmScript> twoThreads()
{
    auto script = std::make_shared<KvmScript>();
    script->stream(0, 0).stream(1, 0);
    script->sw(0, 0, 0, 0, 7).sw(0, 1, 0, 0, 8);
    script->call(1, 0, "getpid").call(1, 1, "getpid").ret(2, 0, "getpid").ret(2, 1, "getpid");
    return script;
}

/// A script in which thread 7 waits in a call from 10 to 30, and gets its CPU at 35.
class OneWait {
public:
    explicit OneWait(const char* call, int state = 1)
        : m_call(call)
    {
        script->call(8, 0, call).sw(10, 0, 7, state, 0);
    }
    /// Adds the switch to thread 7 at 35, and returns the path of thread 7 as text. The test must have added the events that end the wait.
    std::string path(std::int64_t begin = 5, std::int64_t end = 40)
    {
        script->sw(35, 0, 0, 0, 7).ret(38, 0, m_call);
        made.add(script, "host", 50);
        return pathOf(made.timeline(), 7, begin, end);
    }
    /// Expected path from 5 to 40, with `wait` as the lines for the wait from 10 to 30.
    QString around(const char* wait) const
    {
        return QString("running 7 on 0 5-8 (user)\nrunning 7 on 0 8-10 (%1)\n%2wait-cpu 7 on 0 30-35 (its CPU was idle)\n"
                       "running 7 on 0 35-38 (%1)\nrunning 7 on 0 38-40 (user)\n")
            .arg(QString::fromStdString(m_call), wait);
    }

    /// Adds the switch to thread 7 at 35, and returns the conclusion of thread 7's wait. Call it instead of path().
    std::string conclusion()
    {
        script->sw(35, 0, 0, 0, 7).ret(38, 0, m_call);
        made.add(script, "host", 50);
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        return explainWait(timeline, threadOf(*timeline, 7), timestamp(20)).conclusion;
    }

    std::shared_ptr<KvmScript> script = twoThreads();
    MadeMachines made;

private:
    std::string m_call;
};

/// Returns the timeline with a packet that thread 8 sent at 18 in a connection of thread 7, and that arrived at 20.
Timeline withPacket(const Timeline& timeline, bool wokeReceiver, const Flow& flow = {"tcp", "10.0.0.1:1", "10.0.0.2:2"})
{
    auto messages = std::make_shared<Transmissions>();
    messages->kind = "packet";
    messages->flows = {flow};
    Transmission& message = messages->all.emplace_back();
    message.length = 100;
    message.wokeReceiver = wokeReceiver;
    InterTraceLink link{LinkKind::Packet, threadOf(timeline, 8), threadOf(timeline, 7), timestamp(18), timestamp(20), {}, 0};
    std::vector<LinkKindInfo> kinds(std::size_t(LinkKind::Packet) + 1);
    kinds.back().id = "packet";
    auto relation = std::make_shared<Correlation>();
    relation->links = {std::move(kinds), {link}};
    relation->messages = messages;
    Timeline with = timeline;
    with.relations[with.correlatorRegistry->find("packets").value()] = relation;
    return with;
}

std::shared_ptr<KvmScript> host(const std::function<void(KvmScript&)>& write)
{
    auto script = twoThreads();
    write(*script);
    return script;
}

} // namespace

/// Compares a text with the expected one and reports a failure at the caller's line.
#define COMPARE_TEXT(found, expected) QCOMPARE(QString::fromStdString(found), QString(expected))

class PathMadeTest : public QObject {
    Q_OBJECT
private slots:
    void aTimer()
    {
        OneWait wait("clock_nanosleep");
        wait.script->event(29, 0, "timer_hrtimer_expire_entry", {{"now", 1}}).waking(30, 0, 7, 0).event(31, 0, "timer_hrtimer_expire_exit");
        COMPARE_TEXT(wait.path(), wait.around("timer 7 10-30 (clock_nanosleep)\n"));
    }

    void aLock()
    {
        OneWait wait("futex");
        wait.script->call(28, 1, "futex").waking(30, 1, 7, 0).ret(32, 1, "futex");
        COMPARE_TEXT(wait.path(),
                     wait.around("  running 8 on 1 10-28 (user)\n"
                                 "  running 8 on 1 28-30 (futex)\n"));
    }

    void aPipe()
    {
        OneWait wait("read");
        wait.script->call(28, 1, "write").waking(30, 1, 7, 0).ret(32, 1, "write");
        COMPARE_TEXT(wait.path(),
                     wait.around("  running 8 on 1 10-28 (user)\n"
                                 "  running 8 on 1 28-30 (write)\n"));
    }

    void aChildThatIsBornMeanwhile()
    {
        OneWait wait("wait4");
        wait.script->call(14, 1, "clone").fork(15, 1, 8, 9, 9).wake("sched_wakeup_new", 16, 1, 9, 1).ret(17, 1, "clone");
        wait.script->sw(20, 1, 8, 0, 9).ret(22, 1, "clone").event(28, 1, "sched_process_exit", {{"comm", "t9"}, {"tid", 9}, {"prio", 20}});
        wait.script->waking(30, 1, 7, 0).sw(33, 1, 9, 16, 8);
        COMPARE_TEXT(wait.path(),
                     wait.around("process 7 10-15 (wait4, ended by t9 (9))\n"
                                 "  wait-cpu 9 on 1 15-20 (behind t8 (8))\n"
                                 "  running 9 on 1 20-22 (clone)\n"
                                 "  running 9 on 1 22-28 (user)\n"
                                 "  running 9 on 1 28-30 (exiting)\n"));
    }

    void aDisk()
    {
        OneWait wait("fsync", 2);
        wait.script->irq(28, 1, "entry", 30, "virtio1-req.0").waking(30, 1, 7, 0).irq(31, 1, "exit", 30);
        COMPARE_TEXT(wait.path(), wait.around("disk 7 10-30 (fsync, ended by virtio1-req.0 on CPU 1)\n"));
    }

    void aNetwork()
    {
        OneWait wait("recvfrom");
        wait.script->softirq(28, 1, "entry", 3).waking(30, 1, 7, 0).softirq(31, 1, "exit", 3);
        COMPARE_TEXT(wait.path(), wait.around("network 7 10-30 (recvfrom, ended by NET_RX on CPU 1)\n"));
    }

    void aPacketsSender()
    {
        OneWait wait("recvfrom");
        wait.script->softirq(29, 1, "entry", 3).waking(30, 1, 7, 0).softirq(31, 1, "exit", 3);
        wait.path();
        COMPARE_TEXT(pathOf(withPacket(wait.made.timeline(), true), 7, 9, 35),
                     "running 7 on 0 9-10 (recvfrom)\n"
                     "  running 8 on 1 10-18 (user)\n"
                     "network 7 18-30 (tcp 10.0.0.1:1 > 10.0.0.2:2, sent by t8 (8))\n"
                     "wait-cpu 7 on 0 30-35 (its CPU was idle)\n");
    }

    void aPacketWithoutAddressesIsNamedByItsHosts()
    {
        OneWait wait("recvfrom");
        wait.script->softirq(29, 1, "entry", 3).waking(30, 1, 7, 0).softirq(31, 1, "exit", 3);
        wait.path();
        const Timeline timeline = withPacket(wait.made.timeline(), true, {"tcp", {}, {}});
        COMPARE_TEXT(pathOf(timeline, 7, 18, 30), "network 7 18-30 (tcp host > host, sent by t8 (8))\n");
    }

    /// Input: a packet that arrives during a wait, but for another thread. Property: the path ignores it.
    void unrelatedPacketDuringAWaitIsIgnored_data()
    {
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("expected");
        test::addRow("sleep", "clock_nanosleep", "timer 7 10-30 (clock_nanosleep)");
        test::addRow("lock", "futex", "blocked 7 10-30 (futex; ended by an interrupt on CPU 1 that was not recorded)");
        test::addRow("disk", "fsync", "blocked 7 10-30 (fsync; ended by an interrupt on CPU 1 that was not recorded)");
    }
    void unrelatedPacketDuringAWaitIsIgnored()
    {
        QFETCH(QString, call);
        QFETCH(QString, expected);
        const QByteArray name = call.toUtf8();
        OneWait wait(name.constData());
        wait.script->waking(30, 1, 7, 0);
        wait.path();
        COMPARE_TEXT(pathOf(withPacket(wait.made.timeline(), false), 7, 10, 30), expected + "\n");
    }

    /// Input: kernel threads that serve device interrupts, as on real-time kernels. Property: a thread that such a kernel thread wakes
    /// waited for the device.
    void interruptsThatThreadsServe_data()
    {
        QTest::addColumn<QString>("handler");
        QTest::addColumn<QString>("interrupt");
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("expected");
        test::addRow("network", "irq/30-eth0", "eth0", "recvfrom",
                     "network 7 10-30 (recvfrom, ended by eth0 on CPU 1, handled by irq/30-eth0 (9))");
        test::addRow("secondary", "irq/30-s-eth0", "", "recvfrom",
                     "network 7 10-30 (recvfrom, ended by eth0 on CPU 1, handled by irq/30-s-eth0 (9))");
        test::addRow("polled", "napi/eth0-8193", "", "recvfrom",
                     "network 7 10-30 (recvfrom, ended by eth0 on CPU 1, handled by napi/eth0-8193 (9))");
        test::addRow("disk", "irq/30-nvme0q1", "nvme0q1", "fsync",
                     "disk 7 10-30 (fsync, ended by nvme0q1 on CPU 1, handled by irq/30-nvme0q1 (9))");
        test::addRow("cut name", "irq/30-virtio1-", "virtio1-req.0", "fsync",
                     "disk 7 10-30 (fsync, ended by virtio1-req.0 on CPU 1, handled by irq/30-virtio1- (9))");
        test::addRow("cut name, no interrupt", "irq/30-virtio1-", "", "fsync",
                     "blocked 7 10-30 (fsync, ended by virtio1- on CPU 1, handled by irq/30-virtio1- (9))");
        test::addRow("sleep", "irq/30-eth0", "eth0", "clock_nanosleep", "timer 7 10-30 (clock_nanosleep)");
    }
    void interruptsThatThreadsServe()
    {
        QFETCH(QString, handler);
        QFETCH(QString, interrupt);
        QFETCH(QString, call);
        QFETCH(QString, expected);
        const QByteArray name = call.toUtf8(), device = interrupt.toUtf8(), thread = handler.toUtf8();
        OneWait wait(name.constData());
        if (!device.isEmpty())
            wait.script->irq(22, 1, "entry", 30, device.constData()).irq(23, 1, "exit", 30);
        wait.script->comes(25, 1, 8, "t8", 0, 9, thread.constData());
        wait.script->waking(30, 1, 7, 0);
        wait.script->comes(32, 1, 9, thread.constData(), 1, 8, "t8");
        wait.path();
        COMPARE_TEXT(pathOf(wait.made.timeline(), 7, 10, 30), expected + "\n");
    }

    void anotherCpusInterrupt()
    {
        OneWait wait("membarrier");
        wait.script->event(28, 1, "x86_irq_vectors_call_function_single_entry", {{"vector", 251}})
            .waking(30, 1, 7, 0)
            .event(31, 1, "x86_irq_vectors_call_function_single_exit", {{"vector", 251}});
        COMPARE_TEXT(wait.path(), wait.around("ipi 7 10-30 (membarrier, ended by call_function_single on CPU 1)\n"));
    }

    /// Input: a page fault that waits for data from a disk. Property: the wait is a disk segment between two page-fault segments of the
    /// path.
    void aPageFaultThatWaits()
    {
        const auto script = host([](KvmScript& s) {
            s.event(8, 0, "page_fault_entry", {{"address", 1}}).sw(10, 0, 7, 2, 0);
            s.irq(28, 1, "entry", 30, "nvme0q1").waking(30, 1, 7, 0).irq(31, 1, "exit", 30);
            s.sw(35, 0, 0, 0, 7).event(37, 0, "page_fault_exit", {{"address", 1}});
        });
        MadeMachines made;
        made.add(script, "host", 50);
        COMPARE_TEXT(pathOf(made.timeline(), 7, 5, 40),
                     "running 7 on 0 5-8 (user)\npage-fault 7 on 0 8-10\ndisk 7 10-30 (ended by nvme0q1 on CPU "
                     "1)\nwait-cpu 7 on 0 30-35 (its CPU was idle)\npage-fault 7 on 0 35-37\nrunning 7 on 0 37-40 (user)\n");
    }

    void whoHadTheCpu()
    {
        const auto script = host([](KvmScript& s) {
            s.sw(10, 0, 7, 256, 9).sw(16, 0, 9, 1, 0).sw(20, 0, 0, 0, 7); // Thread 7 is preempted.
            s.sw(25, 0, 7, 1, 9).waking(30, 1, 7, 0).sw(36, 0, 9, 256, 7); // Thread 7 sleeps and is woken.
        });
        MadeMachines made;
        made.add(script, "host", 50);
        COMPARE_TEXT(pathOf(made.timeline(), 7, 5, 40),
                     "running 7 on 0 5-10 (user)\npreempted 7 on 0 10-20 (behind t9 (9); part of the time its CPU was "
                     "idle)\nrunning 7 on 0 20-25 (user)\nblocked 7 25-30 (ended by an interrupt on CPU 1 that was not "
                     "recorded)\nwait-cpu 7 on 0 30-36 (behind t9 (9))\nrunning 7 on 0 36-40 (user)\n");
    }

    void anInterrupt()
    {
        const auto script = host([](KvmScript& s) {
            s.irq(10, 0, "entry", 30, "eth0").irq(14, 0, "exit", 30).softirq(14, 0, "entry", 3).softirq(20, 0, "exit", 3);
        });
        MadeMachines made;
        made.add(script, "host", 50);
        COMPARE_TEXT(pathOf(made.timeline(), 7, 5, 40),
                     "running 7 on 0 5-10 (user)\n"
                     "interrupted 7 on 0 10-14 (eth0)\n"
                     "interrupted 7 on 0 14-20 (NET_RX)\n"
                     "running 7 on 0 20-40 (user)\n");
    }

    /// Input: a vCPU that loses its CPU. In the guest's trace, its thread seems to run from 6 to 395.
    void aStolenCpu()
    {
        Both both;
        COMPARE_TEXT(pathOf(both.made.withRows(), 7, 190, 320, 1),
                     "running 7 on 0 190-205 (running)\n"
                     "stolen 7 205-300 (by vCPU 0 of b: t8 (8), t9 (9))\n"
                     "running 7 on 0 300-320 (running)\n");
        const auto timeline = std::make_shared<const Timeline>(both.made.withRows());
        const Why why = explainWait(timeline, threadOf(*timeline, 7, 1), timestamp(250));
        COMPARE_TEXT(why.conclusion, "Appeared to run, but for 95 ns its vCPU had no CPU: taken by vCPU 0 of b: t8 (8), t9 (9)");
        QCOMPARE(why.wait, (TimeRange{timestamp(205), timestamp(300)}));
        // The conclusion is empty, because the thread really ran at 200.
        QVERIFY(explainWait(timeline, threadOf(*timeline, 7, 1), timestamp(200)).conclusion.empty());
    }

    /// Property: the longest wait is found in every part of a row with more states than are read at once, and is cut at the ends of the
    /// range. Input: 40,000 waits of 3 ns and a longer one, in turn at the begin, in the middle and at the end.
    void theLongestWaitIsFoundInLongRows()
    {
        constexpr std::int64_t Waits = 40'000;
        for (const std::int64_t longer : {std::int64_t(0), Waits / 2 + 7, Waits - 1}) {
            auto script = std::make_shared<KvmScript>();
            std::int64_t at = 10, begin = 0, end = 0;
            script->sw(at, 0, 0, 0, 7);
            for (std::int64_t i = 0; i < Waits; ++i) {
                script->sw(at + 5, 0, 7, 1, 0).waking(at + 7, 0, 7, 0);
                begin = i == longer ? at + 5 : begin;
                at += i == longer ? 20 : 10;
                end = i == longer ? at : end;
                script->sw(at, 0, 0, 0, 7);
            }
            MadeMachines made;
            made.add(script, "host", at + 10);
            const Timeline timeline = made.timeline();
            const TrackRef thread = threadOf(timeline, 7);
            const TimeRange all{timestamp(0), timestamp(at + 10)};
            TimeRange expected;
            for (const Interval& it : intervals(timeline, thread, all))
                if (it.range.begin >= timestamp(begin) && it.range.end <= timestamp(end) && it.range.duration() > expected.duration())
                    expected = it.range;
            QVERIFY(expected.duration() > Duration(3));
            QCOMPARE(longestWait(timeline, thread, all), expected);
            const TimeRange part{expected.begin + Duration(2), expected.end};
            QCOMPARE(longestWait(timeline, thread, part), part);
            std::stop_source stop;
            stop.request_stop();
            QVERIFY(longestWait(timeline, thread, all, stop.get_token()).isEmpty());
        }
    }

    /// Property: the CPU that was idle longest while a vCPU waited is the one with the largest sum of idle time.
    void theIdleCpuOfAVcpuPreemptionHasTheMostIdleTime()
    {
        const auto nest = helio::test::host(); // CPU 2 is idle for 80 ns at once, CPU 3 for 30 and 70 ns.
        nest->sw(20, 2, 50, 1, 0).sw(100, 2, 0, 0, 50);
        nest->sw(30, 3, 51, 1, 0).sw(60, 3, 0, 0, 51).sw(210, 3, 51, 1, 0).sw(280, 3, 0, 0, 51);
        MadeMachines made;
        const auto hostTrace = made.add(nest, "nest", 400);
        made.addHypercall(hostTrace, 20, made.add(guest(7), "a", 400));
        const Timeline timeline = made.withRows();
        const auto machines = findVirtualMachines(timeline);
        QVERIFY(!machines.empty() && !machines.front().vcpus.empty());
        const TrackRef vcpu = machines.front().vcpus.front().thread;
        const TimeRange range{timestamp(0), timestamp(400)};
        std::map<std::int32_t, Duration> idle;
        for (const Row& row : cpus(timeline))
            if (row.trace == machines.front().hostTrace)
                for (const Interval& it : intervals(timeline, row.ref, range))
                    if (meaningOf(timeline, row.ref, it.state) == StateCategory::Rests)
                        idle[row.cpu] += it.range.clippedTo(range).duration();
        const auto most = std::ranges::max_element(idle, {}, [](const auto& it) { return it.second; });
        QVERIFY(most != idle.end());
        QCOMPARE(most->first, 3);
        const auto found = findVcpuPreemption(timeline, vcpu, range, range);
        QVERIFY(found.has_value());
        QCOMPARE(found->idleCpu, most->first);
        QCOMPARE(found->idleFor, most->second);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(findVcpuPreemption(timeline, vcpu, range, range, stop.get_token()).value_or(VcpuPreemption()).idleCpu, -1);
    }

    /// Property: the headline of a wait names the thread with the most time in total. Input: thread 8 runs three times, 50 ns in total. In
    /// the longest single step, 26 ns, thread 8 has no CPU.
    void theHeadlineOfAWaitNamesWhoHadMostOfIt()
    {
        auto script = std::make_shared<KvmScript>();
        script->dump(0, 7, 7, 1, 0, 5).dump(0, 8, 8, 1, 0, 5).dump(0, 9, 9, 1, 0, 5);
        script->sw(1, 0, 0, 0, 7).sw(1, 1, 0, 0, 8).call(5, 0, "futex").sw(10, 0, 7, 1, 0);
        script->sw(26, 1, 8, 0, 9).sw(40, 1, 9, 0, 8).sw(57, 1, 8, 0, 9).sw(83, 1, 9, 0, 8);
        script->call(98, 1, "futex").waking(100, 1, 7, 0).ret(101, 1, "futex").sw(102, 0, 0, 0, 7);
        MadeMachines made;
        made.add(script, "host", 200);
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        const Why why = explainWait(timeline, threadOf(*timeline, 7), timestamp(50));
        COMPARE_TEXT(why.main.who, "t8 (8)");
        QCOMPARE(why.main.total, Duration(90));
        QVERIFY(why.main.kind == PathKind::Running);
        QCOMPARE(why.main.ofActivity, Duration(50));
        QCOMPARE(why.steps[why.main.step].range.duration(), Duration(17));
        COMPARE_TEXT(why.conclusion, "futex waited 90 ns on t8 (8), which spent 50 ns (56 %) running");
        QCOMPARE(why.shorterConclusions.size(), std::size_t(3));
        COMPARE_TEXT(why.shorterConclusions[0], "Waited on t8 (8), which spent 50 ns (56 %) running");
        COMPARE_TEXT(why.shorterConclusions[1], "t8 (8) spent 50 ns (56 %) running");
        COMPARE_TEXT(why.shorterConclusions[2], "t8 (8): 50 ns");
    }

    void conclusionsAreSentences()
    {
        OneWait sleep("clock_nanosleep");
        sleep.script->event(29, 0, "timer_hrtimer_expire_entry", {{"now", 1}}).waking(30, 0, 7, 0);
        COMPARE_TEXT(sleep.conclusion(), "Slept for 20 ns in clock_nanosleep");
        OneWait lock("futex");
        lock.script->call(28, 1, "futex").waking(30, 1, 7, 0).ret(32, 1, "futex");
        COMPARE_TEXT(lock.conclusion(), "futex waited 20 ns on t8 (8), which spent 20 ns (100 %) running in user space");
        OneWait data("read");
        data.script->call(28, 1, "write").waking(30, 1, 7, 0).ret(32, 1, "write");
        COMPARE_TEXT(data.conclusion(), "read waited 20 ns for data or space from t8 (8), which spent 20 ns (100 %) running in user space");
        OneWait other("membarrier");
        other.script->event(28, 1, "x86_irq_vectors_call_function_single_entry", {{"vector", 251}}).waking(30, 1, 7, 0);
        other.script->event(31, 1, "x86_irq_vectors_call_function_single_exit", {{"vector", 251}});
        COMPARE_TEXT(other.conclusion(), "membarrier waited 20 ns for another CPU, ended by call_function_single on CPU 1");
        OneWait unknown("read", 2);
        COMPARE_TEXT(unknown.conclusion(), "read blocked for 25 ns, no wake-up was recorded");
    }

    /// Input: a log of strace. Property: the conclusion names the calls of the thread that was waited for, although the log does not tell
    /// when the thread had a CPU.
    void conclusionsOfLoggedCallsNameTheCalls()
    {
        const OpenedText opened("5 1700000000.000000 execve(\"/bin/sh\", [\"sh\"], 0x1 /* 3 vars */) = 0 <0.000100>\n"
                                "5 1700000000.001000 fork() = 9 <0.000100>\n"
                                "5 1700000000.002000 wait4(9,  <unfinished ...>\n"
                                "9 1700000000.002000 execve(\"/bin/uname\", [\"uname\"], 0x1 /* 3 vars */) = 0 <0.000100>\n"
                                "9 1700000000.003000 openat(AT_FDCWD, \"/a\", O_RDONLY) = 3 <0.004000>\n"
                                "9 1700000000.009000 exit_group(0) = ?\n"
                                "9 1700000000.010000 +++ exited with 0 +++\n"
                                "5 1700000000.010000 <... wait4 resumed>NULL, 0, NULL) = 9 <0.008000>\n",
                                "log.strace");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const Why why = explainWait(opened.timeline, threadOf(*opened.timeline, 5), timestamp(1'700'000'000'005'000'000));
        COMPARE_TEXT(why.conclusion,
                     "wait4 waited 8.000 ms for uname (9), which spent 4.000 ms (50 %) in openat and 2.900 ms (36 %) between system calls");
    }

    void conclusionsOfWaitsForACpu()
    {
        constexpr std::int64_t Ms = 1'000'000;
        auto script = twoThreads();
        script->dump(3, 7, 7, 1, 0, 5).dump(3, 8, 8, 1, 0, 5);
        script->sw(10, 0, 7, 256, 9).sw(16, 0, 9, 1, 0).sw(20, 0, 0, 0, 7).sw(25, 0, 7, 1, 9).waking(30, 1, 7, 0).sw(36, 0, 9, 256, 7);
        script->sw(40, 0, 7, 256, 0).sw(206 * Ms, 0, 0, 0, 7);
        MadeMachines made;
        made.add(script, "host", 207 * Ms);
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        const auto conclusionAt = [&](std::int64_t at) { return explainWait(timeline, threadOf(*timeline, 7), timestamp(at)).conclusion; };
        COMPARE_TEXT(conclusionAt(12), "Preempted for 10 ns, 6 ns (60 %) of it behind t9 (9)");
        COMPARE_TEXT(conclusionAt(33), "Runnable but not scheduled for 6 ns, 6 ns (100 %) of it behind t9 (9)");
        COMPARE_TEXT(conclusionAt(Ms), "Runnable but not scheduled for 206.000 ms while its CPU was mostly idle: probable CPU quota");
        COMPARE_TEXT(pathOf(*timeline, 7, 40, 206 * Ms), "throttled 7 40-206000000 (probable CPU quota)\n");
    }

    void partsOfAWaitAreSummedByThreadAndCause()
    {
        auto script = std::make_shared<KvmScript>();
        script->dump(0, 7, 7, 1, 0, 5).dump(0, 8, 8, 1, 0, 5).dump(0, 9, 9, 1, 0, 5);
        script->sw(1, 0, 0, 0, 7).sw(1, 1, 0, 0, 8).call(5, 0, "futex").sw(10, 0, 7, 1, 0);
        script->sw(26, 1, 8, 0, 9).sw(40, 1, 9, 0, 8).sw(57, 1, 8, 0, 9).sw(83, 1, 9, 0, 8);
        script->call(98, 1, "futex").waking(100, 1, 7, 0).ret(101, 1, "futex").sw(102, 0, 0, 0, 7);
        MadeMachines made;
        made.add(script, "host", 200);
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        const Why why = explainWait(timeline, threadOf(*timeline, 7), timestamp(50));
        std::string lines;
        Duration all{};
        for (const WaitPart& it : why.parts) {
            lines += threadWords(*timeline, it.row) + ' ' + std::string(wordOf(it.kind)) + ' ' + std::to_string(it.total.count()) + " ("
                + it.what + ") longest " + std::to_string(nanoseconds(it.longest.begin)) + '\n';
            all += it.total;
        }
        COMPARE_TEXT(lines,
                     "t8 (8) running 50 (running, futex) longest 40\n"
                     "t8 (8) preempted 40 (behind t9 (9)) longest 57\n");
        QCOMPARE(all, why.wait.duration());
    }

    void aShorterConclusionKeepsTheDuration()
    {
        Both both;
        const auto timeline = std::make_shared<const Timeline>(both.made.withRows());
        const Why why = explainWait(timeline, threadOf(*timeline, 7, 1), timestamp(250));
        QCOMPARE(why.shorterConclusions.size(), std::size_t(3));
        COMPARE_TEXT(why.shorterConclusions.back(), "Appeared to run, but for 95 ns its vCPU had no CPU");
    }

    void noWakeUp()
    {
        OneWait wait("read");
        COMPARE_TEXT(wait.path(),
                     "running 7 on 0 5-8 (user)\n"
                     "running 7 on 0 8-10 (read)\n"
                     "blocked 7 10-35 (read; no wake-up was recorded)\n"
                     "running 7 on 0 35-38 (read)\n"
                     "running 7 on 0 38-40 (user)\n");
    }

    void aBystander()
    {
        OneWait wait("read");
        wait.script->waking(30, 1, 7, 0);
        COMPARE_TEXT(wait.path(), wait.around("blocked 7 10-30 (read; ended by an interrupt on CPU 1 that was not recorded)\n"));
    }

    void anIdleCpuThatWakes()
    {
        OneWait wait("read");
        wait.script->sw(20, 1, 8, 1, 0).waking(30, 1, 7, 0);
        COMPARE_TEXT(wait.path(), wait.around("blocked 7 10-30 (read, ended by an unrecorded interrupt on CPU 1)\n"));
    }

    /// Input: thread 7 waits for data that thread 8 writes; before the write, thread 8 itself waits for a disk. Property: both waits' path
    /// segments add up to the path's range.
    void nestedWaitsAddUpToTheRange()
    {
        OneWait wait("read");
        wait.script->call(12, 1, "fsync").sw(14, 1, 8, 2, 0);
        wait.script->irq(20, 1, "entry", 30, "virtio1-req.0").waking(21, 1, 8, 1).irq(22, 1, "exit", 30).sw(24, 1, 0, 0, 8);
        wait.script->ret(26, 1, "fsync").call(28, 1, "write").waking(30, 1, 7, 0).ret(32, 1, "write");
        COMPARE_TEXT(wait.path(),
                     wait.around("  running 8 on 1 10-12 (user)\n"
                                 "  running 8 on 1 12-14 (fsync)\n"
                                 "  disk 8 14-21 (fsync, ended by virtio1-req.0 on CPU 1)\n"
                                 "  wait-cpu 8 on 1 21-24 (its CPU was idle)\n"
                                 "  running 8 on 1 24-26 (fsync)\n"
                                 "  running 8 on 1 26-28 (user)\n"
                                 "  running 8 on 1 28-30 (write)\n"));
    }

    void noDeeperThanAllowed()
    {
        OneWait wait("read");
        wait.script->call(28, 1, "write").waking(30, 1, 7, 0).ret(32, 1, "write");
        wait.path();
        PathLimits limits;
        limits.depth = 1;
        COMPARE_TEXT(pathOf(wait.made.timeline(), 7, 5, 40, 0, limits),
                     "running 7 on 0 5-8 (user)\nrunning 7 on 0 8-10 (read)\npipe 7 10-30 (read, data or space from t8 "
                     "(8) in write)\nwait-cpu 7 on 0 30-35 (its CPU was idle)\nrunning 7 on 0 35-38 (read)\nrunning 7 on "
                     "0 38-40 (user)\nnested waits were followed only 1 levels deep\n");
    }

    void noLongerThanAllowed()
    {
        OneWait wait("read");
        wait.path();
        PathLimits limits;
        limits.segments = 2;
        const CriticalPath path =
            criticalPath(wait.made.timeline(), threadOf(wait.made.timeline(), 7), {timestamp(5), timestamp(40)}, {}, limits);
        QCOMPARE(path.limits, (std::vector<std::string>{"the path has more than 2 segments and ends there: select a shorter range"}));
        QVERIFY(path.segments.size() <= 3);
    }

    /// Input: a chain of threads, each of which waits for the next one; the last thread wakes its predecessor, and so on. Property: the
    /// path stops at the allowed depth, without a stack overflow.
    void pathStopsAtTheDepthLimit()
    {
        constexpr int Threads = 3000;
        auto script = std::make_shared<KvmScript>();
        std::int64_t at = 10;
        script->sw(0, 0, 0, 0, 1);
        for (int tid = 1; tid < Threads; ++tid, at += 10)
            script->call(at, 0, "read").sw(at + 5, 0, tid, 1, tid + 1);
        for (int tid = Threads; tid > 1; --tid, at += 10)
            script->call(at, 0, "write").waking(at + 2, 0, tid - 1, 0).sw(at + 5, 0, tid, 1, tid - 1);
        MadeMachines made;
        made.add(script, "host", at + 100);
        PathLimits limits;
        limits.depth = Threads + 1;
        const TimeRange range{timestamp(10), timestamp(at)};
        const CriticalPath path = criticalPath(made.timeline(), threadOf(made.timeline(), 1), range, {}, limits);
        QVERIFY(path.limits.empty());
        QCOMPARE(std::ranges::max(path.segments, {}, &PathSegment::depth).depth, std::uint16_t(Threads - 1));
        QVERIFY(textOf(made.timeline(), path, range).find("broken") == std::string::npos);
        // The chain of 1000 threads exceeds the depth limit, and this limit is reported once.
        QCOMPARE(criticalPath(made.timeline(), threadOf(made.timeline(), 1), range).limits.size(), std::size_t(1));
    }

    /// Property: a search with a time limit returns exactly the first segments of the whole path.
    void limitedSearchReturnsTheBeginning()
    {
        auto script = std::make_shared<KvmScript>();
        std::int64_t at = 10;
        script->sw(0, 0, 0, 0, 7);
        for (; at < 40'000; at += 10)
            script->call(at, 0, "getpid").ret(at + 5, 0, "getpid");
        MadeMachines made;
        made.add(script, "host", at);
        const TrackRef thread = threadOf(made.timeline(), 7);
        const TimeRange range{timestamp(10), timestamp(at)};
        const CriticalPath whole = criticalPath(made.timeline(), thread, range);
        const CriticalPath part = criticalPath(made.timeline(), thread, range, {}, {.timeLimit = Duration(1)});
        QVERIFY(!whole.isPart && whole.segments.back().range.end == range.end);
        QVERIFY(part.isPart && !part.isStopped);
        QVERIFY(!part.segments.empty() && part.segments.size() < whole.segments.size());
        for (std::size_t i = 0; i < part.segments.size(); ++i)
            QCOMPARE(part.segments[i].range, whole.segments[i].range);
        QVERIFY(!criticalPath(made.timeline(), thread, range, {}, {.timeLimit = std::chrono::hours(1)}).isPart);
    }

    void aWindowThatEndsAmidAWait()
    {
        OneWait wait("read");
        wait.script->call(28, 1, "write").waking(30, 1, 7, 0).ret(32, 1, "write");
        COMPARE_TEXT(wait.path(9, 20),
                     "running 7 on 0 9-10 (read)\n"
                     "  running 8 on 1 10-20 (user)\n");
        COMPARE_TEXT(pathOf(wait.made.timeline(), 7, 20, 29),
                     "  running 8 on 1 20-28 (user)\n"
                     "  running 8 on 1 28-29 (write)\n");
    }

    /// Input: two threads that are each recorded as the waker of the other, at the same time.
    void aCircle()
    {
        auto script = std::make_shared<KvmScript>();
        script->sw(0, 0, 0, 0, 7).sw(0, 1, 0, 0, 8);
        script->sw(10, 0, 7, 1, 0).sw(10, 1, 8, 1, 0);
        script->sw(20, 2, 0, 0, 7).sw(20, 3, 0, 0, 8).sw(22, 4, 7, 1, 0).sw(22, 5, 8, 1, 0);
        script->waking(30, 3, 7, 0).waking(30, 2, 8, 1);
        script->sw(35, 0, 0, 0, 7).sw(35, 1, 0, 0, 8);
        MadeMachines made;
        made.add(script, "host", 50);
        COMPARE_TEXT(pathOf(made.timeline(), 7, 5, 40),
                     "running 7 on 0 5-10 (running)\nblocked 7 10-20 (no wake-up was recorded)\nrunning 7 on 2 20-21 "
                     "(running)\nunknown 7 21-22 (state not recorded)\nblocked 7 22-30 (ended by an unrecorded interrupt "
                     "on CPU 3)\nwait-cpu 7 on 0 30-35 (its CPU was idle)\nrunning 7 on 0 35-40 (running)\n");
    }

    void lostEvents()
    {
        const auto script = host([](KvmScript& s) { s.loss(0, 12, 20).sw(30, 0, 7, 1, 0).waking(34, 1, 7, 0).sw(36, 0, 0, 0, 7); });
        MadeMachines made;
        made.add(script, "host", 50);
        COMPARE_TEXT(pathOf(made.timeline(), 7, 5, 40),
                     "running 7 on 0 5-12 (user)\nunknown 7 12-20 (state not recorded)\nrunning 7 on 0 20-30 "
                     "(running)\nblocked 7 30-34 (ended by an interrupt on CPU 1 that was not recorded)\nwait-cpu 7 on 0 "
                     "34-36 (its CPU was idle)\nrunning 7 on 0 36-40 (running)\n");
    }

    /// Input: a wake-up from another CPU just before the thread leaves its CPU. It takes effect when the thread has left.
    void wakeUpDuringSwitchOutIsComplete()
    {
        const auto script = host([](KvmScript& s) {
            s.call(5, 0, "fsync").irq(7, 1, "entry", 30, "virtio1-req.0").waking(8, 1, 7, 0).irq(9, 1, "exit", 30);
            s.sw(10, 0, 7, 2, 0).wakeup(30, 0, 7, 0).sw(35, 0, 0, 0, 7).ret(38, 0, "fsync");
        });
        MadeMachines made;
        made.add(script, "host", 50);
        COMPARE_TEXT(pathOf(made.timeline(), 7, 5, 40),
                     "running 7 on 0 5-10 (fsync)\ndisk 7 10-30 (fsync, ended by virtio1-req.0 on CPU 1)\nwait-cpu 7 on 0 "
                     "30-35 (its CPU was idle)\nrunning 7 on 0 35-38 (fsync)\nrunning 7 on 0 38-40 (user)\n");
    }
};

HELIO_TEST(PathMadeTest)
#include "tst_path_made.moc"
