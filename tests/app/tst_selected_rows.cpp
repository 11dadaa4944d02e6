// Mapping of the selected row of one side to a row of the other side.

#include "app/gui/compare_window/selected_rows.h"
#include "core/query/rows/rows.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/compare/compare_context.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

/// Side A has three threads and a daemon, side B five threads; both have the same CPUs.
struct Made {
    ViewContext a, b;
    CompareContext context{a, b};
    SelectedRows selected{context};
    QSignalSpy remarks{&selected, &SelectedRows::remark};

    Made()
    {
        a.setTimeline(MadeTimeline::make(3, 1));
        b.setTimeline(MadeTimeline::make(5));
    }
    TrackRef row(Side side, std::string_view label) { return rowIn(*context.side(side).timeline(), label); }

    static TrackRef rowIn(const Timeline& timeline, std::string_view label)
    {
        for (const char* view : {"control-flow", "resources"})
            for (const Row& row : rows(timeline, view))
                if (row.label == label)
                    return row.ref;
        return {};
    }
};

} // namespace

class SelectedRowsTest : public QObject {
    Q_OBJECT

private slots:
    void theSameRowIsSelectedOnTheOtherSide()
    {
        Made it;
        it.a.time().setRow(it.row(Side::A, "worker-2"));
        QTRY_VERIFY(it.b.time().row() == it.row(Side::B, "worker-2"));
        it.b.time().setRow(it.row(Side::B, "CPU 1"));
        QTRY_VERIFY(it.a.time().row() == it.row(Side::A, "CPU 1"));
        QCOMPARE(it.remarks.size(), 0);
    }

    void aRowOfOneSideAloneIsReported()
    {
        Made it;
        it.a.time().setRow(it.row(Side::A, "worker-0"));
        QTRY_VERIFY(it.b.time().row() == it.row(Side::B, "worker-0"));
        it.b.time().setRow(it.row(Side::B, "worker-4"));
        QTRY_COMPARE(it.remarks.size(), 1);
        QCOMPARE(it.remarks.front().front().toString(), QString("Only in B"));
        QVERIFY(it.a.time().row() == it.row(Side::A, "worker-0"));
    }

    void sidesThatAreNotLinkedAreSelectedInOneByOne()
    {
        Made it;
        it.context.link().setLinked(false);
        it.a.time().setRow(it.row(Side::A, "worker-1"));
        it.b.time().setRow(it.row(Side::B, "worker-3"));
        QTest::qWait(50);
        QVERIFY(it.a.time().row() == it.row(Side::A, "worker-1") && it.b.time().row() == it.row(Side::B, "worker-3"));

        QVERIFY(it.selected.compareThreads());

        QVERIFY(it.context.subject(Side::A).thread == it.row(Side::A, "worker-1"));
        QVERIFY(it.context.subject(Side::B).thread == it.row(Side::B, "worker-3"));
    }

    void onlyThreadsAreCompared()
    {
        Made it;
        QVERIFY(!it.selected.compareThreads()); // The result is false, because no thread is selected.
        it.context.link().setLinked(false);
        it.a.time().setRow(it.row(Side::A, "worker-1"));
        it.b.time().setRow(it.row(Side::B, "CPU 0"));
        QVERIFY(!it.selected.compareThreads());
        QVERIFY(!it.context.comparesThreads());
    }

    void threadsThatAreWantedAreComparedOnceBothAreSelected()
    {
        Made it;
        it.context.link().setLinked(false);
        it.selected.setWantsThreads(true);
        it.a.time().setRow(it.row(Side::A, "worker-1"));
        QVERIFY(!it.context.comparesThreads());
        it.b.time().setRow(it.row(Side::B, "worker-2"));
        QVERIFY(it.context.comparesThreads());

        // Both threads of the comparison are chosen, so selecting a further row must not change the comparison.
        it.b.time().setRow(it.row(Side::B, "worker-3"));
        QVERIFY(it.context.subject(Side::B).thread == it.row(Side::B, "worker-2"));
    }
};

HELIO_TEST(SelectedRowsTest)
#include "tst_selected_rows.moc"
