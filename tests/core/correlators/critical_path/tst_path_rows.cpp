// Rows, states and links that the critical path correlator makes.

#include "core/profiling/export/call_tree_text.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/views.h"
#include "core/waits/path/path_stacks.h"
#include "tests/core/correlators/critical_path/two_threads.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes the critical path correlator's result for the thread and range, and returns the timeline with this result added.
Timeline withPath(MadeMachines& made, TrackRef thread, TimeRange range)
{
    Timeline timeline = made.timeline();
    const auto place = *timeline.correlatorRegistry->find(PathRelation);
    auto found = timeline.correlatorRegistry->all()[place]->make(timeline, {thread, range}, {});
    if (!found)
        return timeline;
    const auto at = static_cast<std::size_t>(rowsOf(timeline, found->rows.front().trace, place));
    timeline.stores.resize(std::max(timeline.stores.size(), at + 1));
    timeline.stores[at] = {found->rows.front().trace, found->rows.front().store, true, true, true};
    timeline.relations[place] = std::make_shared<const Correlation>(std::move(*found));
    return timeline;
}

QString statesOfRow(const Timeline& timeline, const Row& row)
{
    QStringList all;
    for (const Interval& it : intervals(timeline, row.ref, {timestamp(-1000), timestamp(10'000)}))
        all << QString("%1(%2) %3-%4")
                   .arg(stateName(timeline, row.ref, it.state).data(), valueText(timeline, row.ref, it.value).c_str())
                   .arg(nanoseconds(it.range.begin))
                   .arg(nanoseconds(it.range.end));
    return all.join(", ");
}

} // namespace

class PathRowsTest : public QObject {
    Q_OBJECT

private slots:
    void eachThreadOfThePathHasARowInTheOrderThatItComesTo()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        const TrackRef thread = threadRow(made.timeline(), trace, 7, timestamp(50));
        const Timeline timeline = withPath(made, thread, {timestamp(10), timestamp(400)});
        const auto all = rows(timeline, PathRelation);
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].tid, 7);
        QCOMPARE(all[1].tid, 8);
        QCOMPARE(statesOfRow(timeline, all[0]),
                 QString("running(running, futex) 10-100, wait-cpu(its CPU was idle) 300-310, running(futex) 310-400"));
        QCOMPARE(noteOf(timeline, all[1].ref)->source, threadRow(timeline, trace, 8, timestamp(200)));
        // The path's row of the thread must not count as a mirror row (a row with the same contents as another row): views must not offer
        // it in place of the thread's own row.
        QVERIFY(!findMirrorRow(timeline, thread).isValid());
        QCOMPARE(findPathThread(timeline, all[0].ref, timestamp(50)), thread);
    }

    void linksLeadAlongIt()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        const TrackRef thread = threadRow(made.timeline(), trace, 7, timestamp(50));
        const Timeline timeline = withPath(made, thread, {timestamp(10), timestamp(400)});
        const auto all = rows(timeline, PathRelation);
        QStringList found;
        for (const Arrow& it : arrows(timeline, linkKindsInView(timeline, PathRelation), {timestamp(0), timestamp(500)}))
            found
                << QString("%1 > %2 at %3").arg(it.from == all[0].ref ? 7 : 8).arg(it.to == all[0].ref ? 7 : 8).arg(nanoseconds(it.toTime));
        QCOMPARE(found.join(", "), QString("7 > 8 at 100, 8 > 7 at 300"));
    }

    void itsStacksSayWhatLedWhere()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        const Timeline& timeline = made.timeline();
        const CriticalPath path = criticalPath(timeline, threadRow(timeline, trace, 7, timestamp(50)), {timestamp(95), timestamp(320)});
        std::string all;
        writeFolded(pathTree(timeline, path), WeightBy::Weight, [&](std::string_view text) {
            all += text;
            return true;
        });
        QCOMPARE(QString::fromStdString(all).trimmed().replace("\n", ", "),
                 QString("t7 (7);lock;t8 (8);blocked: no wake-up was recorded 20, t7 (7);lock;t8 (8);running: futex 10, "
                         "t7 (7);lock;t8 (8);running: running 170, t7 (7);running: futex 15, t7 (7);wait-cpu: its CPU was idle 10"));
    }

    /// Property: in stacks by command, threads with equal names share a frame, for example the threads that a server starts for its
    /// requests.
    void threadsOfOneNameAreOneInStacksOfCommands()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        const Timeline& timeline = made.timeline();
        const TrackRef thread = threadRow(timeline, trace, 7, timestamp(50));
        PathStacks stacks(timeline, PathStacks::Names::Commands);
        for (int i = 0; i < 2; ++i)
            stacks.add(criticalPath(timeline, thread, {timestamp(95), timestamp(320)}));
        QCOMPARE(stacks.total(), std::uint64_t(2 * 225));
        std::string all;
        writeFolded(stacks.tree(), WeightBy::Weight, [&](std::string_view text) {
            all += text;
            return true;
        });
        QVERIFY2(all.find("t7;lock;t8;running: running 340\n") != std::string::npos, all.c_str());
    }

    void noPathIsOfferedUntilOneIsAskedFor()
    {
        MadeMachines made;
        const auto trace = made.add(twoThreads(), "host", 500);
        const auto isOffered = [](const Timeline& timeline) {
            return std::ranges::any_of(offeredViews(timeline), [](const TrackView& view) { return view.id == PathRelation; });
        };
        QVERIFY(!isOffered(made.timeline()));
        QVERIFY(isOffered(withPath(made, threadRow(made.timeline(), trace, 7, timestamp(50)), {timestamp(10), timestamp(400)})));
    }
};

HELIO_TEST(PathRowsTest)
#include "tst_path_rows.moc"
