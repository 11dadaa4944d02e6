// Tests the list of unfreed memory in the Latency dock.

#include "tests/core/analyses/heap/heap_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/docks/durations/leaks_view.h"

#include <QHeaderView>
#include <QTest>
#include <QTreeView>

using namespace helio;
using namespace helio::test;

namespace {

/// Input: f allocates 7 and 5 bytes and g 900 bytes, which are never freed; h frees its block.
struct Looked {
    ViewContext context;
    LeaksView view{context};

    Looked()
    {
        HeapScript s;
        s.call(100, 1, "f");
        s.malloc(110, 1, 7, 0x1000).malloc(120, 1, 5, 0x2000);
        s.ret(130, 1, "f").call(140, 1, "g");
        s.malloc(150, 1, 900, 0x3000);
        s.ret(160, 1, "g").call(170, 1, "h");
        s.malloc(180, 1, 100, 0x4000).free(190, 1, 0x4000);
        s.ret(200, 1, "h");
        s.run(300);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
        timeline->stores.push_back({0, s.sharedStore()});
        context.time().setFull({timestamp(0), timestamp(1000)});
        context.setTimeline(timeline);
        view.resize(900, 300);
        view.show();
    }
    QStringList lines() const
    {
        QStringList all;
        for (int row = 0; row < view.table().rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < 4; ++column)
                cells << view.table().index(row, column).data().toString();
            all << cells.join(' ');
        }
        return all;
    }
};

} // namespace

class LeaksViewTest : public QObject {
    Q_OBJECT

private slots:
    void functionsAreListedByTheBytesThatTheyNeverFreed()
    {
        Looked it;
        QTRY_COMPARE(it.view.table().rowCount(), 2);
        QCOMPARE(it.lines(), QStringList({"900 1 g prog.py:7", "12 2 f prog.py:7"}));
        QCOMPARE(it.view.scope(), "3 blocks, 912 B allocated in the whole trace");
    }

    void theTableTakesTheWholeWidth()
    {
        Looked it;
        QTRY_COMPARE(it.view.table().rowCount(), 2);
        auto* lines = it.view.findChild<QTreeView*>();
        QTRY_COMPARE(lines->header()->length(), lines->viewport()->width());
    }

    void aLineLeadsToTheFirstBlock()
    {
        Looked it;
        QTRY_COMPARE(it.view.table().rowCount(), 2);
        auto* lines = it.view.findChild<QTreeView*>();
        emit lines->clicked(it.view.table().index(1, 0));
        QCOMPARE(it.context.time().cursor(), timestamp(110));
        QVERIFY(it.context.time().row().isValid());
    }

    void theSelectedRangeCounts()
    {
        Looked it;
        QTRY_COMPARE(it.view.table().rowCount(), 2);
        it.context.time().setSelection({timestamp(115), timestamp(145)});
        QTRY_COMPARE(it.lines(), QStringList({"5 1 f prog.py:7"}));
        QCOMPARE(it.view.scope(), "1 block, 5 B allocated in the selected range");
    }
};

HELIO_TEST(LeaksViewTest)
#include "tst_leaks_view.moc"
