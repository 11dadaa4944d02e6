// Highlighted ranges of all rows while a critical path is shown.

#include "core/query/rows/rows.h"
#include "core/query/rows/state_causes.h"
#include "core/waits/path/path_highlight.h"
#include "tests/core/correlators/critical_path/two_threads.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

QString textOf(const std::vector<TimeRange>& ranges)
{
    QStringList all;
    for (const TimeRange& it : ranges)
        all << QString("%1-%2").arg(nanoseconds(it.begin)).arg(nanoseconds(it.end));
    return all.join(", ");
}

struct Lit {
    MadeMachines made;
    TrackRef waiter, holder;
    HighlightMask light;

    Lit()
    {
        const auto trace = made.add(twoThreads(), "host", 500);
        const Timeline& timeline = made.timeline();
        waiter = threadRow(timeline, trace, 7, timestamp(50));
        holder = threadRow(timeline, trace, 8, timestamp(200));
        light = highlightPath(timeline, PathRequest{waiter, {timestamp(10), timestamp(400)}});
    }
    QString of(TrackRef row) const
    {
        const auto found = light.rows.find(row);
        return found == light.rows.end() ? QString("dark") : textOf(found->second);
    }
};

} // namespace

class PathLightTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: the waiter's row is highlighted for the whole path, including the time in which it waits for the lock's holder. The
    /// holder's row is highlighted only during that wait.
    void threadsAreLitWhereTheyAreOnThePath()
    {
        Lit it;
        QCOMPARE(it.of(it.waiter), QString("10-400"));
        QCOMPARE(it.of(it.holder), QString("100-300"));
    }

    void cpusAreLitWhereItRan()
    {
        Lit it;
        QStringList all;
        for (const Row& row : rows(it.made.timeline(), "resources"))
            if (row.role == TrackRole::Cpu)
                all << QString("%1: %2").arg(row.cpu).arg(it.of(row.ref));
        QCOMPARE(all.join("; "), QString("0: 10-100, 310-400; 1: 120-300"));
    }

    void oneWalksFromStretchToStretch()
    {
        Lit it;
        QStringList all;
        for (const HighlightMask::Step& step : it.light.steps)
            all << QString("%1 at %2").arg(step.row == it.waiter ? 7 : 8).arg(nanoseconds(step.range.begin));
        QCOMPARE(all.join(", "), QString("7 at 10, 8 at 100, 8 at 120, 7 at 300, 7 at 310"));
        QVERIFY(it.light.isIn(it.waiter.store));
        QVERIFY(!it.light.isIn(StoreIndex{77}));
    }

    /// Property: without the result of the critical path correlator, which contains the path's links, no arrows are highlighted.
    void noPathHasNoArrows()
    {
        Lit it;
        QVERIFY(it.light.arrows.empty());
    }
};

HELIO_TEST(PathLightTest)
#include "tst_path_light.moc"
