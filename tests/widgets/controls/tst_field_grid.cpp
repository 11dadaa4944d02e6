#include "tests/support/test_program.h"
#include "widgets/controls/field_grid.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QTest>

using namespace helio;

class FieldGridTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: a name wider than the dock, which is wrapped at any character. Property: copied text has no wraps.
    void aValueIsCopiedAsItIs_data()
    {
        QTest::addColumn<QString>("link");
        QTest::newRow("plain") << QString();
        QTest::newRow("link") << QString("there");
    }
    void aValueIsCopiedAsItIs()
    {
        QFETCH(QString, link);
        const QString name = "/usr/lib/debug/.build-id/0123456789abcdef0123456789abcdef01234567/of_one_word.debug";
        FieldGrid grid;
        grid.begin();
        grid.add("File", name, 0, link);
        grid.end();
        grid.show();
        QLabel* value = nullptr;
        for (QLabel* label : grid.findChildren<QLabel*>())
            if (label->accessibleName() == "File")
                value = label;
        QVERIFY(value && value->text().size() > name.size()); // The shown text has extra characters at which it may wrap.
        value->setFocus();
        value->setSelection(5, 60);
        QVERIFY(value->selectedText().contains(QChar(0x200b)));
        QTest::keyClick(value, Qt::Key_C, Qt::ControlModifier);
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.size() > 50 && name.mid(5).startsWith(copied), qPrintable(copied));
        value->setSelection(0, 0);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, {1, 1}, value->mapToGlobal(QPoint(1, 1)));
        QCoreApplication::sendEvent(value, &asked);
        auto* menu = value->findChild<QMenu*>();
        QVERIFY(menu);
        menu->actions().front()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), name);
    }

    /// Property: the long name of one line leaves room for the values of all lines.
    void aLongNameLeavesRoomForValues()
    {
        FieldGrid grid;
        grid.begin();
        grid.add("From", "+0.000 000 000 s");
        grid.add("profiling-heap_graph_flamegraph_matches_objects.pftrace", "18 events");
        grid.end();
        grid.resize(380, 100);
        grid.show();
        int checked = 0;
        for (const QLabel* label : grid.findChildren<QLabel*>())
            if (label->accessibleName() == "From" && ++checked)
                QVERIFY2(label->width() >= 200, qPrintable(QString::number(label->width())));
        QCOMPARE(checked, 1);
    }
};

HELIO_TEST(FieldGridTest)
#include "tst_field_grid.moc"
