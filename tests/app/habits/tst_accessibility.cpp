// Properties for screen readers and the keyboard: every control has a name, timelines say row, state and time.

#include "app/gui/common/guide_window.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/common/open_dialog.h"
#include "app/gui/common/symbols_dialog.h"
#include "core/query/rows/rows.h"
#include "tests/app/exports/open_window.h"
#include "tests/app/habits/controls.h"
#include "tests/support/open_comparison.h"
#include "tests/support/test_program.h"
#include "widgets/docks/durations/event_pair_dialog.h"
#include "widgets/profiling/source_paths_dialog.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/ratio_dialog.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTabBar>
#include <QTextEdit>
#include <QTreeView>

using namespace helio;
using namespace helio::test;

namespace {

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

/// True if the widget takes input of the user.
bool isControl(const QWidget& widget)
{
    if (isPart(widget))
        return false;
    return widget.focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QLineEdit*>(&widget)
        || qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget)
        || qobject_cast<const QAbstractSlider*>(&widget) || qobject_cast<const QAbstractItemView*>(&widget)
        || qobject_cast<const QTextEdit*>(&widget) || qobject_cast<const QPlainTextEdit*>(&widget) || qobject_cast<const QTabBar*>(&widget);
}

QString accessibleText(QWidget& widget, QAccessible::Text kind)
{
    QAccessibleInterface* it = QAccessible::queryAccessibleInterface(&widget);
    return it ? it->text(kind).trimmed() : QString();
}

/// Returns the visible controls in a widget that have no accessible name. Hidden buttons may get their texts when they are shown.
QStringList nameless(QWidget& root)
{
    QStringList found;
    QList<QWidget*> all = root.findChildren<QWidget*>();
    all.prepend(&root);
    for (QWidget* widget : all)
        if (widget->isVisible() && isControl(*widget) && accessibleText(*widget, QAccessible::Name).isEmpty())
            found << widgetPath(*widget);
    return found;
}

/// Appends what a screen reader would read wrongly in a part of the accessible tree: markup, nameless pictures, choices without a
/// description, and labels that are also the name of the value beside them.
void appendFaultsOfReading(const QAccessibleInterface& it, QStringList& faults)
{
    static const QRegularExpression markup("<(p|br|table|td|a|b)[ >]");
    if (it.state().invisible)
        return;
    auto* const widget = qobject_cast<QWidget*>(it.object());
    for (const QAccessible::Text kind : {QAccessible::Name, QAccessible::Description})
        if (const QString text = it.text(kind); text.contains(markup) || text.contains("helio::"))
            faults << "markup or a name of code: " + text;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        if (!label->pixmap().isNull() && it.text(QAccessible::Name).isEmpty())
            faults << "picture without a name: " + widgetPath(*label);
        for (const QLabel* value : label->parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
            if (value != label && value->isVisible() && !label->text().isEmpty() && value->accessibleName() == label->text())
                faults << "read twice: " + label->text();
    }
    if (qobject_cast<const QComboBox*>(widget) && it.text(QAccessible::Description).isEmpty() && it.relations().isEmpty())
        faults << "choice without a description: " + widgetPath(*widget);
    for (int i = 0; i < it.childCount(); ++i)
        if (const QAccessibleInterface* child = it.child(i))
            appendFaultsOfReading(*child, faults);
}

QStringList faultsOfReading(const QAccessibleInterface& tree)
{
    QStringList faults;
    appendFaultsOfReading(tree, faults);
    return faults;
}

} // namespace

class AccessibilityTest : public QObject {
    Q_OBJECT

private slots:
    void everyControlOfTheMainWindowHasAName_data()
    {
        QTest::addColumn<QStringList>("traces");
        test::addRow("sample", QStringList{Sample});
        test::addRow("two hosts", QStringList{Fixtures + "two-hosts-small/web", Fixtures + "two-hosts-small/db"});
        test::addRow("samples", QStringList{Fixtures + "perf/fp.data"});
        test::addRow("calls", QStringList{Fixtures + "ust-callstack"});
        test::addRow("lock statistics", QStringList{Fixtures + "lock_stat_0.4.txt"});
    }
    void everyControlOfTheMainWindowHasAName()
    {
        QFETCH(QStringList, traces);
        test::OwnHome home;
        MainWindow window;
        window.resize(1440, 900);
        window.show();
        window.open(traces);
        (void)QTest::qWaitFor([&] { return window.session().state() == Session::State::Ready; }, 20'000);
        for (TimePanel* panel : window.findChild<TimeArea*>()->panels()->panels())
            panel->header()->openFilter();
        QStringList found;
        for (const QString& view : window.docks().views()) {
            window.docks().show(view);
            QTest::qWait(50);
            for (const QString& path : nameless(window))
                if (!found.contains(path))
                    found << path;
        }
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void everyControlOfTheEmptyWindowHasAName()
    {
        test::OwnHome home;
        MainWindow window;
        window.show();
        const QStringList found = nameless(window);
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void everyControlOfTheComparisonHasAName()
    {
        test::OpenComparison it({Sample}, {Sample});
        QVERIFY(it.isReady());
        for (const char* const id : {"view.differences", "view.why-slower"})
            it.action(id)->trigger();
        const QStringList found = nameless(it.window);
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void everyControlOfTheDialogsHasAName()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        const auto check = [](QWidget& dialog) {
            dialog.show();
            const QStringList found = nameless(dialog);
            QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
            QVERIFY2(!dialog.windowTitle().isEmpty(), dialog.metaObject()->className());
        };
        SymbolsDialog symbols({}, &it.window);
        check(symbols);
        SourcePathsDialog sources(it.window.context(), {}, &it.window);
        check(sources);
        RatioDialog ratio({}, {}, &it.window);
        check(ratio);
        EventPairDialog pair({{"a", {"x"}}, {"b", {"x"}}}, {}, &it.window);
        check(pair);
        it.trigger("help.habits");
        check(*it.window.findChild<HelpSheet*>());
        if (it.window.actions().at("help.guide").isEnabled()) {
            it.trigger("help.guide");
            check(*it.window.findChild<GuideWindow*>());
        }
    }

    void screenReadersReadEveryTextOnceAndWithoutMarkup()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        const auto timeline = it.window.context().timeline();
        TimeWindow& time = it.window.context().time();
        for (const Row& row : rows(*timeline, "control-flow"))
            if (row.ref.isValid() && row.tid > 0)
                time.jump({.row = row.ref, .cursor = time.full().begin + time.full().duration() / 2});
        QStringList found;
        for (const char* view : {"details", "legend", "statistics", "durations", "waited_for"}) {
            it.window.docks().show(view);
            QTest::qWait(300);
            found += faultsOfReading(*QAccessible::queryAccessibleInterface(&it.window));
        }
        found.removeDuplicates();
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void theStatesOfARowAreReadInWordsOfTheWindow()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.window.docks().show("statistics");
        auto* const table = it.window.docks().view("statistics")->findChild<QTreeView*>();
        QVERIFY(table);
        QTRY_VERIFY(table->model()->rowCount() > 0);
        QStringList all;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            all << table->model()->index(0, column).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(all.join(u' ').contains("user ") && !all.join(u' ').contains("running-user"), qPrintable(all.join(u' ')));
    }

    void theHeaderOfAPanelSaysWhetherThePanelIsOpen()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimePanel& panel = *it.area().rowsPanel("control-flow");
        QAccessibleInterface* header = QAccessible::queryAccessibleInterface(panel.header());
        QVERIFY(header);
        QCOMPARE(header->role(), QAccessible::Button);
        QVERIFY(header->state().expanded && !header->state().collapsed);
        header->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(panel.isCollapsed());
        QVERIFY(header->state().collapsed && !header->state().expanded);
    }

    void aTimelineSaysRowStateAndTime()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimeGraph& graph = *it.area().rowsPanel("control-flow")->graph();
        QTRY_VERIFY(graph.rows().count() > 2);
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&graph);
        QVERIFY(list);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->text(QAccessible::Name), QString("Control flow"));
        QCOMPARE(list->childCount(), graph.rows().count());
        QCOMPARE(list->text(QAccessible::Description), QString("%1 rows, none is selected").arg(graph.rows().count()));
        int row = 0;
        while (!graph.rows()[row].ref.isValid())
            ++row;
        QAccessibleInterface* item = list->child(row);
        QVERIFY(item && item->isValid());
        QCOMPARE(item->role(), QAccessible::ListItem);
        QCOMPARE(item->parent(), list);
        QCOMPARE(list->indexOfChild(item), row);
        QVERIFY(!item->state().selected);
        item->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(it.window.context().time().row(), graph.rows()[row].ref);
        QVERIFY(item->state().selected);
        graph.setFocus();
        QCOMPARE(list->focusChild(), item);

        const Timestamp cursor = it.window.context().time().full().begin + it.window.context().time().full().duration() / 2;
        it.window.context().time().setCursor(cursor);
        const auto state = intervalAt(*it.window.context().timeline(), graph.rows()[row].ref, cursor);
        QVERIFY(!state.empty());
        const QString name = item->text(QAccessible::Name);
        QVERIFY2(name.startsWith(graph.rows()[row].name), qPrintable(name));
        QVERIFY2(name.contains(timeText(state[0].range.begin, it.window.context().timeFormat())), qPrintable(name));
        QVERIFY2(name.endsWith(durationText(state[0].range.duration())), qPrintable(name));
        QCOMPARE(list->text(QAccessible::Description), "Selected: " + name);
        const QRect rect = item->rect();
        QCOMPARE(list->childAt(rect.center().x(), rect.center().y()), item);
    }
};

HELIO_TEST(AccessibilityTest)
#include "tst_accessibility.moc"
