#include "tests/support/test_program.h"
#include "widgets/controls/folding_layout.h"
#include "widgets/controls/pill.h"

#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QToolButton>

using namespace helio;

namespace {

/// Line of controls like the line above a flame graph: title, pills, search field and menu button.
struct Made {
    QWidget window;
    FoldingLayout* line = new FoldingLayout;
    ElidingLabel* title = makeElidingLabel(60, 12, 600, "text.primary");
    std::vector<Pill*> pills;
    QLineEdit* field = new QLineEdit;
    QToolButton* more = new QToolButton;

    Made()
    {
        window.setLayout(line);
        title->setText("All samples of a process with a long name");
        line->addWidget(title);
        for (const char* text : {"cpu-clock:ppp", "Top-down", "By module", "Options", "All threads"}) {
            pills.push_back(new Pill(text));
            line->addWidget(pills.back());
            line->setFolding(pills.back());
        }
        pills.front()->setMenu([](QMenu* menu) { menu->addAction("page-faults"); });
        pills.back()->setCheckable(true);
        line->addStretch(1);
        line->addField(field, 110, 240);
        line->addWidget(more);
        line->setMore(more, true);
    }
    QStringList folded() const
    {
        QMenu menu;
        line->fillFolded(menu);
        QStringList texts;
        for (const QAction* action : menu.actions())
            if (!action->isSeparator())
                texts << action->text();
        return texts;
    }
    void resize(int width)
    {
        window.resize(width, 40);
        QCoreApplication::processEvents();
    }
};

} // namespace

class FoldingLineTest : public QObject {
    Q_OBJECT

private slots:
    void whatDoesNotFitIsInTheMenuAndNothingIsCut()
    {
        Made it;
        it.window.show();
        int most = 0;
        for (const int width : {1200, 900, 700, 500, 420, 380}) {
            it.resize(width);
            QVERIFY(it.line->minimumSize().width() <= 380);
            const QStringList folded = it.folded();
            for (Pill* pill : it.pills) {
                QVERIFY2(pill->isVisible() != folded.contains(pill->text()), qPrintable(pill->text()));
                QVERIFY(pill->isHidden() || pill->width() == pill->sizeHint().width());
            }
            for (const QWidget* part : it.window.findChildren<QWidget*>())
                QVERIFY2(part->isHidden() || part->parentWidget() != &it.window || part->geometry().right() < width,
                         qPrintable(QString::number(width)));
            QVERIFY(it.field->width() >= 110);
            QVERIFY(folded.size() >= most); // A narrower line hides at least as many parts as a wider line.
            most = int(folded.size());
        }
        QVERIFY(most > 2);
        it.resize(1200);
        QCOMPARE(it.folded(), QStringList());
    }

    void theLastPillFoldsFirst()
    {
        Made it;
        it.window.show();
        it.resize(620);
        const QStringList folded = it.folded();
        QVERIFY(!folded.isEmpty());
        QVERIFY(folded.contains("All threads") && !folded.contains("cpu-clock:ppp"));
    }

    void aFoldedSwitchIsSwitchedByTheMenu()
    {
        Made it;
        it.window.show();
        it.resize(420);
        QMenu menu;
        it.line->fillFolded(menu);
        for (QAction* action : menu.actions())
            if (action->text() == "All threads") {
                QVERIFY(action->isCheckable() && !action->isChecked());
                action->trigger();
            }
        QVERIFY(it.pills.back()->isChecked());
    }

    void whatIsNotToBeShownIsNowhere()
    {
        Made it;
        it.window.show();
        it.resize(420);
        it.line->setShown(it.pills.back(), false);
        QCoreApplication::processEvents();
        QVERIFY(!it.folded().contains("All threads"));
        it.resize(1400);
        QVERIFY(it.pills.back()->isHidden());
        it.line->setShown(it.pills.back(), true);
        QTRY_VERIFY(it.pills.back()->isVisible());
    }
};

HELIO_TEST(FoldingLineTest)
#include "tst_folding_line.moc"
