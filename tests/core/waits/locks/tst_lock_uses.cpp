// Statistics of locks and of the threads that made others wait for them. Input: synthetic waits.

#include "core/event_model/segment_fields.h"
#include "core/query/rows/row_lookup.h"
#include "core/waits/locks/lock_contention.h"
#include "core/waits/locks/lock_stat.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

constexpr TimeRange All{timestamp(0), timestamp(1'000)};

class WaitScript : public KernelScript {
public:
    WaitScript& wait(std::int64_t from, std::int64_t to, int tid, std::int64_t lock)
    {
        m_events.insert({{from, tid}, [=, this] {
                             event(from, 0, "lock:contention_begin", {{"$tid", tid}, {"lock_addr", lock}, {"flags", 32}});
                         }});
        m_events.insert({{to, tid}, [=, this] { event(to, 0, "lock:contention_end", {{"$tid", tid}, {"lock_addr", lock}, {"ret", 0}}); }});
        return *this;
    }
    WaitScript& mutex(std::int64_t at, int tid, const char* what, const char* name)
    {
        m_events.insert({{at, tid}, [=, this] {
                             event(at, 0, std::string("lttng_ust_pthread:pthread_mutex_") + what,
                                   {{"$vpid", 1}, {"$vtid", tid}, {"$procname", name}, {"mutex", 16}, {"status", 0}});
                         }});
        return *this;
    }
    std::shared_ptr<const Timeline> timeline()
    {
        for (const auto& [at, add] : m_events)
            add();
        run(1'000, Gaps::ReportedAtBegin, analysisOf("locks"));
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
        timeline->stores.push_back({0, sharedStore()});
        return timeline;
    }

private:
    std::multimap<std::pair<std::int64_t, int>, std::function<void()>> m_events; ///< Events to write, by time and thread.
};

QString textOf(const LockContention& it)
{
    const auto range = [](TimeRange r) { return QString("%1-%2").arg(nanoseconds(r.begin)).arg(nanoseconds(r.end)); };
    return QString("%1: %2 waits of %3, longest %4, by %5, %6 at once since %7, crowded %8, convoy %9")
               .arg(it.name.c_str())
               .arg(it.waits)
               .arg(it.waited.count())
               .arg(range(it.longest))
               .arg(it.threads)
               .arg(it.mostAtOnce)
               .arg(nanoseconds(it.mostAt))
               .arg(it.crowded.count())
               .arg(range(it.convoy))
        + QString(", %1 holds of %2, longest %3").arg(it.holds).arg(it.held.count()).arg(it.longestHold.count())
        + (it.workWaits > 0 ? QString(", %1 for work of %2").arg(it.workWaits).arg(it.waitedForWork.count()) : QString());
}

QString textOf(const LockCulprit& it)
{
    return QString("%1 %2 %3 %4 times, %5")
        .arg(it.who.c_str(), it.did == LockCulprit::Evidence::Held ? "held" : "woke", it.lock.c_str())
        .arg(it.times)
        .arg(it.causedWait.count());
}

template <typename Each> QStringList linesOf(const std::vector<Each>& all)
{
    QStringList lines;
    for (const Each& it : all)
        lines << textOf(it);
    return lines;
}

} // namespace

class LockUsesTest : public QObject {
    Q_OBJECT

private slots:
    void howManyWaitAtOnce()
    {
        WaitScript s;
        // Threads 1, 2 and 3 wait at once from 25 to 28; two or more threads wait from 20 to 30.
        s.wait(10, 40, 1, 0xa).wait(20, 30, 2, 0xa).wait(25, 28, 3, 0xa);
        s.wait(50, 60, 2, 0xa).wait(60, 80, 1, 0xa); // One wait ends when the other begins.
        s.wait(90, 100, 1, 0xa).wait(95, 120, 2, 0xa).wait(98, 110, 3, 0xa); // Two or more threads wait from 95 to 110.
        s.wait(5, 8, 4, 0xb);
        QCOMPARE(
            linesOf(computeLockContention(*s.timeline(), {All})),
            QStringList(
                {"0xa mutex: 8 waits of 120, longest 10-40, by 3, 3 at once since 25, crowded 25, convoy 95-110, 0 holds of 0, longest 0",
                 "0xb mutex: 1 waits of 3, longest 5-8, by 1, 1 at once since 5, crowded 0, convoy 0-0, 0 holds of 0, longest 0"}));
    }

    void aClassOfALockStatTextFindsTheRowOfThatName()
    {
        WaitScript s;
        s.wait(10, 40, 1, 0xa).wait(20, 30, 2, 0xab).mutex(50, 1, "lock_req", "a").mutex(60, 1, "lock_acq", "a");
        const auto timeline = s.timeline();
        const auto labelOf = [&](const char* name) {
            const TrackRef row = findLockRow(*timeline, name);
            const auto found = row.isValid() ? rowOf(*timeline, row) : std::nullopt;
            return found ? QString::fromStdString(found->label) : QString();
        };
        QCOMPARE(labelOf("0xa"), "0xa mutex");
        QCOMPARE(labelOf("0xab-W"), "0xab mutex");
        QCOMPARE(labelOf("0xab mutex-R"), "0xab mutex");
        // None of these names finds a row. 0x10 is an address in a program, not a kernel lock.
        for (const char* unknownName : {"", "0x", "0xabc", "mutex", "-W", "0x10", "&mm->mmap_lock-W"})
            QCOMPARE(labelOf(unknownName), QString());
    }

    void thoseOfAWindowThatAreAccepted()
    {
        WaitScript s;
        s.wait(10, 40, 1, 0xa).wait(20, 30, 2, 0xa).wait(25, 28, 3, 0xa);
        const auto timeline = s.timeline();
        const LockSelection inside{{timestamp(15), timestamp(100)}};
        QCOMPARE(
            linesOf(computeLockContention(*timeline, inside)),
            QStringList(
                "0xa mutex: 2 waits of 13, longest 20-30, by 2, 2 at once since 25, crowded 3, convoy 25-28, 0 holds of 0, longest 0"));
        const LockSelection some{All, [&](const Segment& it) { return it.range.duration() == Duration(3); }};
        QCOMPARE(linesOf(computeLockContention(*timeline, some)),
                 QStringList(
                     "0xa mutex: 1 waits of 3, longest 25-28, by 1, 1 at once since 25, crowded 0, convoy 0-0, 0 holds of 0, longest 0"));
    }

    void whoHeldItMeanwhile()
    {
        WaitScript s;
        s.mutex(10, 1, "lock_acq", "main").mutex(20, 2, "lock_req", "b").mutex(30, 1, "unlock", "main").mutex(31, 2, "lock_acq", "b");
        s.mutex(35, 1, "lock_req", "renamed").mutex(40, 2, "unlock", "b").mutex(41, 1, "lock_acq", "renamed");
        s.mutex(50, 2, "lock_req", "b").mutex(55, 1, "unlock", "renamed").mutex(56, 2, "lock_acq", "b").mutex(60, 2, "unlock", "b");
        const auto timeline = s.timeline();
        QCOMPARE(linesOf(lockCulprits(*timeline, {All})),
                 QStringList({"renamed (1) held 0x10 of main (1) 2 times, 15", "b (2) held 0x10 of main (1) 1 times, 5"}));
        const auto uses = computeLockContention(*timeline, {All});
        QCOMPARE(uses.size(), std::size_t(1));
        QCOMPARE(uses.front().holds, std::uint64_t(4));
        QCOMPARE(uses.front().held, Duration(20 + 9 + 14 + 4));
        QCOMPARE(uses.front().longestHold, Duration(20));
    }

    void whoEndedTheWait()
    {
        KernelScript s;
        s.dump(1, 1, 1, 0, 0, 5).dump(1, 2, 1, 0, 0, 5).sw(2, 1, 0, 0, 1).sw(2, 2, 0, 0, 2);
        for (int i = 0; i < 2; ++i) {
            const int at = 100 * i;
            s.event(at + 10, 1, "syscall_entry_futex", {{"uaddr", 64}, {"op", 128}})
                .event(at + 20, 2, "syscall_entry_futex", {{"uaddr", 64}, {"op", 129}});
            s.event(at + 21, 2, "syscall_exit_futex", {{"ret", 1}}).event(at + 25 + i, 1, "syscall_exit_futex", {{"ret", 0}});
        }
        s.run(1'000, KernelScript::Gaps::ReportedAtBegin, analysisOf("futexes"));
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
        timeline->stores.push_back({0, s.sharedStore()});
        QCOMPARE(linesOf(lockCulprits(*timeline, {All})), QStringList("t2 (2) woke 0x40 futex of t1 (1) 2 times, 31"));
        QVERIFY(hasLocks(*timeline));
        QVERIFY(!hasLocks(*MadeTimeline::make(3)));
    }

    /// Property: waits for a condition or the like add to no figure of contention, and do not decide the order of the locks. Input: the
    /// values that glibc expects in a condition (0) and in a contended mutex (2).
    void waitsForWorkAreNoContention()
    {
        KernelScript s;
        for (int tid = 1; tid <= 3; ++tid)
            s.dump(1, tid, 1, 0, 0, 5).sw(2, tid, 0, 0, tid);
        const auto wait = [&](std::int64_t from, std::int64_t to, int tid, std::int64_t address, int expected) {
            s.event(from, tid, "syscall_entry_futex", {{"uaddr", address}, {"op", 128}, {"val", expected}});
            s.event(to, tid, "syscall_exit_futex", {{"ret", -110}});
        };
        wait(10, 500, 1, 64, 0);
        wait(510, 700, 1, 72, 0);
        wait(710, 720, 1, 72, 2);
        wait(730, 735, 2, 72, 2);
        s.run(1'000, KernelScript::Gaps::ReportedAtBegin, analysisOf("futexes"));
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
        timeline->stores.push_back({0, s.sharedStore()});
        QCOMPARE(linesOf(computeLockContention(*timeline, {All})),
                 QStringList({"0x48 futex of t1 (1): 2 waits of 15, longest 710-720, by 2, 1 at once since 710, crowded 0, convoy 0-0, 0 "
                              "holds of 0, longest 0, 1 for work of 190",
                              "0x40 futex of t1 (1): 0 waits of 0, longest 0-0, by 0, 0 at once since 0, crowded 0, convoy 0-0, 0 holds of "
                              "0, longest 0, 1 for work of 490"}));
        QStringList keys;
        for (const Row& row : rows(*timeline, "locks"))
            if (row.kind == "futex")
                keys << QString::fromStdString(row.id);
        QCOMPARE(keys, QStringList({"futex:1/0x48", "futex:1/0x40"}));
    }

    void fieldsAreReadAsTheyWereWritten()
    {
        QCOMPARE(fieldOf("a=1;b=x\\;y\\=z\\\\;c=3", "b"), "x;y=z\\");
        QCOMPARE(fieldOf("a=1;b=x\\;y\\=z\\\\;c=3", "c"), "3");
        QCOMPARE(fieldOf("a=1;b=", "b"), "");
        QVERIFY(!fieldOf("a=1;b=x\\;c=3", "c") && !fieldOf("", "c") && !fieldOf("a=b=c\\", "c"));
    }
};

HELIO_TEST(LockUsesTest)

#include "tst_lock_uses.moc"
