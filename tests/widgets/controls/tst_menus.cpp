#include "tests/support/test_program.h"
#include "widgets/controls/menus.h"

#include <QMenu>
#include <QTest>
#include <QTextDocument>

using namespace helio;

class MenusTest : public QObject {
    Q_OBJECT

private slots:
    void aMenuIsFilledEachTimeItOpens()
    {
        QWidget parent;
        int chosen = 0;
        QMenu* menu = makeMenu(&parent, [&](QMenu* it) {
            for (int i = 0; i < 2; ++i)
                addExclusiveAction(it, QString::number(i), i == chosen, [&chosen, i] { chosen = i; });
        });
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(menu->actions()[0]->isChecked());

        menu->actions()[1]->trigger();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        QVERIFY(menu->actions()[1]->isChecked() && !menu->actions()[0]->isChecked());
    }

    void aTipBreaksItsLinesAndSaysWhatItSaid()
    {
        for (const QString& text : {QString("a < b && \"c\"\n/home/file.xml"), QString("word ").repeated(40) + "\n<c>"}) {
            const QString tip = wrapTooltip(text);
            QVERIFY(Qt::mightBeRichText(tip)); // The tip is rich text, because Qt wraps only rich text in tooltips.
            QTextDocument shown;
            shown.setHtml(tip);
            QCOMPARE(shown.toPlainText().simplified(), text.simplified());
            shown.adjustSize(); // Computes the layout as a tooltip does.
            QVERIFY2(shown.size().width() < 420, qPrintable(QString::number(shown.size().width())));
        }
    }
};

HELIO_TEST(MenusTest)
#include "tst_menus.moc"
