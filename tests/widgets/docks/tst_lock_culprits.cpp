// The dock of threads that made others wait for locks, and the tooltips of locks. Input: futex calls and mutex events.

#include "core/analysis/analyses.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/table_lines.h"
#include "tests/support/test_program.h"
#include "widgets/docks/durations/lock_culprits_view.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Thread 1 waits for a contended mutex from 100 to 200, until thread 2 wakes it; thread 4 waits for a condition from 120 to 300.
/// `condition`: address of the condition; the mutex is at 0x40.
std::shared_ptr<const Timeline> contended(std::int64_t condition = 0x48)
{
    KernelScript s;
    s.dump(1, 1, 1, 0, 0, 5).dump(1, 2, 1, 0, 0, 5).dump(1, 4, 1, 0, 0, 5);
    for (int thread : {1, 2, 4})
        s.sw(2, thread, 0, 0, thread);
    const auto enter = [&](std::int64_t at, int thread, int op, std::int64_t address, int value) {
        s.event(at, thread, "syscall_entry_futex", {{"uaddr", address}, {"op", op}, {"val", value}, {"uaddr2", 0}});
    };
    const auto leave = [&](std::int64_t at, int thread, int ret) { s.event(at, thread, "syscall_exit_futex", {{"ret", ret}}); };
    enter(100, 1, 128, 0x40, 2);
    enter(120, 4, 137, condition, 0);
    enter(195, 2, 129, 0x40, 1);
    leave(196, 2, 1);
    leave(200, 1, 0);
    enter(290, 2, 129, condition, 1);
    leave(291, 2, 1);
    leave(300, 4, 0);
    s.run(1'000, KernelScript::Gaps::ReportedAtBegin, analysisOf("futexes"));
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    timeline->stores.push_back({0, s.sharedStore()});
    return timeline;
}

/// Returns the track with a key in the last store of the timeline; an invalid one if there is none.
TrackRef trackOf(const Timeline& timeline, std::string_view key)
{
    const auto tracks = timeline.stores.back().store->tracks();
    const auto found = std::ranges::find(tracks, key, &Track::key);
    return found == tracks.end() ? TrackRef() : TrackRef{StoreIndex(timeline.stores.size() - 1), TrackId(found - tracks.begin())};
}

} // namespace

class LockCulpritsTest : public QObject {
    Q_OBJECT

private slots:
    void aLineForEachCulprit()
    {
        ViewContext context;
        LockCulpritsView view(context);
        view.resize(900, 200);
        view.show();
        const auto timeline = contended();
        context.time().setFull({timestamp(0), timestamp(1'000)});
        context.setTimeline(timeline);
        QTRY_COMPARE(test::linesOf(view.table()), QStringList({"t2 (2)|100 ns|1|100 ns|ended the waits|0x40 futex of t1 (1)"}));
        QCOMPARE(view.scope(), QString("100 ns of waiting in the whole trace"));
        QCOMPARE(view.shownCommand().words, QStringList({"locks", "--culprits"}));
        const NavigableCell& cell = view.table().cell(view.table().index(0, 0));
        QVERIFY(cell.place.row.isValid());
        QCOMPARE(cell.place.at, timestamp(100));

        view.list(LockCulpritsView::Shown::Locks);
        QCOMPARE(test::linesOf(view.table()),
                 QStringList({"0x40 futex of t1 (1)|100 ns|1|100 ns|1|0 s|0 s", "0x48 futex of t1 (1)|0 s|0|0 s|0|0 s|180 ns"}));
        QCOMPARE(view.scope(), QString("100 ns of waiting in the whole trace"));
        QCOMPARE(view.shownCommand().words, QStringList({"locks"}));

        view.list(LockCulpritsView::Shown::Culprits);
        context.time().setSelection({timestamp(250), timestamp(400)});
        QTRY_COMPARE(view.scope(), QString("No thread waited for a lock in the selected range."));
        QVERIFY(test::linesOf(view.table()).isEmpty());
    }

    void tooltipsSayWhoWaitsAndWhoHolds()
    {
        const auto timeline = contended();
        const auto tipOf = [&](const char* key, std::int64_t at) {
            TipRequest request;
            request.timeline = timeline;
            request.at = timestamp(at);
            request.theme = theme();
            request.track = trackOf(*timeline, key);
            const auto tip = tipFor(request);
            return tip ? tip->title + " / " + tip->cause : QString();
        };
        QCOMPARE(tipOf("futex:1/0x40/tid:1", 150),
                 QString("Waiting for lock (futex) / t1 (1) waits for the lock until t2 (2) releases it."));
        QCOMPARE(tipOf("futex:1/0x40", 150), QString("Contended / t1 (1) waits for the lock until t2 (2) releases it."));
        QCOMPARE(tipOf("futex:1/0x48/tid:4", 150), QString("Waiting for work (futex) / t4 (4) waits for work, woken by t2 (2)."));
    }

    void waitersForWorkAreNotCountedAsWaitersForTheLock()
    {
        // Thread 1 waits for the contended mutex, thread 4 for a condition at the same address.
        const auto timeline = contended(0x40);
        TipRequest request;
        request.timeline = timeline;
        request.at = timestamp(150);
        request.theme = theme();
        request.track = trackOf(*timeline, "futex:1/0x40");
        const auto tip = tipFor(request);
        QVERIFY(tip);
        QCOMPARE(tip->cause, QString("t1 (1) waits for the lock until t2 (2) releases it."));
        using Fact = std::pair<QString, QString>;
        const std::vector<Fact> facts(tip->facts.begin(), tip->facts.end());
        QVERIFY(std::ranges::find(facts, Fact("Waiting", "t1 (1)")) != facts.end());
        QVERIFY(std::ranges::find(facts, Fact("Waiting for work", "t4 (4)")) != facts.end());
    }
};

HELIO_TEST(LockCulpritsTest)
#include "tst_lock_culprits.moc"
