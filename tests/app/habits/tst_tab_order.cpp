// Properties of the Tab key: it reaches every control of the windows and dialogs, leaves each of them again, and follows the layout.

#include "app/gui/common/guide_window.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/common/symbols_dialog.h"
#include "core/query/rows/rows.h"
#include "tests/app/exports/open_window.h"
#include "tests/app/habits/controls.h"
#include "tests/support/open_comparison.h"
#include "tests/support/test_program.h"
#include "widgets/code/code_pane.h"
#include "widgets/controls/dock_area.h"
#include "widgets/docks/durations/event_pair_dialog.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/profiling/source_paths_dialog.h"
#include "widgets/timeline/graph/panel_header.h"
#include "widgets/timeline/graph/time_body.h"
#include "widgets/timeline/panels/ratio_dialog.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QButtonGroup>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTextEdit>
#include <QWindow>

#include <algorithm>
#include <utility>

using namespace helio;
using namespace helio::test;

namespace {

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

/// Number of key presses after which one control has swallowed the Tab key. A label or a page takes one press for each of its links.
constexpr int MostPresses = 500;

bool hasLinks(const QWidget& widget)
{
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return label && label->text().contains("<a ");
}

/// True if the button is one of several that exclude each other, and not the chosen one: arrow keys lead to it from there.
bool isOtherChoice(const QWidget& widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button && !button->isChecked() && (button->autoExclusive() || (button->group() && button->group()->exclusive()));
}

/// True if the user operates the widget, so that Tab must reach it.
bool isOperated(const QWidget& widget)
{
    const bool isOne = qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QLineEdit*>(&widget)
        || qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget)
        || qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QTabBar*>(&widget)
        || qobject_cast<const QTextEdit*>(&widget) || qobject_cast<const QPlainTextEdit*>(&widget) || hasLinks(widget)
        || qobject_cast<const TimeBody*>(&widget) || qobject_cast<const FlameView*>(&widget) || qobject_cast<const CodePane*>(&widget)
        || (widget.focusPolicy() & Qt::TabFocus);
    return isOne && !isPart(widget) && widget.isVisible() && widget.isEnabled() && !widget.size().isEmpty() && !isOtherChoice(widget);
}

QList<QWidget*> operatedIn(const QWidget& window)
{
    QList<QWidget*> found;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->window() == &window && isOperated(*widget))
            found << widget;
    return found;
}

/// Waits until background work no longer adds or removes controls.
void waitForControls(const QWidget& window)
{
    QList<QWidget*> before;
    (void)QTest::qWaitFor(
        [&] {
            const QList<QWidget*> now = operatedIn(window);
            QTest::qWait(200);
            return std::exchange(before, now) == now;
        },
        10'000);
}

/// Area of a widget in the coordinates of one of its ancestors.
QRect areaIn(const QWidget& ancestor, const QWidget& widget) { return {widget.mapTo(&ancestor, QPoint()), widget.size()}; }

/// True if a part of the widget is inside of all its ancestors.
bool isInView(const QWidget& widget)
{
    QRect seen = widget.rect();
    for (const QWidget* it = &widget; !it->isWindow() && !seen.isEmpty(); it = it->parentWidget())
        seen = seen.translated(it->pos()) & it->parentWidget()->rect();
    return !seen.isEmpty();
}

/// Returns what is wrong with the step of the focus from one control to the next; empty if it follows the layout.
QString faultOfStep(const QWidget& from, const QWidget& to)
{
    if (from.isAncestorOf(&to))
        return {};
    if (to.isAncestorOf(&from))
        return "goes back to the container";
    const QWidget* common = from.parentWidget();
    while (!common->isAncestorOf(&to))
        common = common->parentWidget();
    const auto partWith = [common](const QWidget* it) {
        while (it->parentWidget() != common)
            it = it->parentWidget();
        return it;
    };
    const QRect before = areaIn(*common, *partWith(&from));
    const QRect after = areaIn(*common, *partWith(&to));
    const bool isAbove = after.bottom() < before.top() && after.left() < before.right();
    const bool isInRow = after.top() <= before.center().y() && before.center().y() <= after.bottom();
    return isAbove ? "goes up" : isInRow && after.right() < before.left() ? "goes left" : QString();
}

/// Walk of the focus through a window, with Tab and back with Shift+Tab, and the faults found on the way.
class TabWalk {
public:
    explicit TabWalk(QWidget& window)
        : m_window(window)
    {
        QApplication::setActiveWindow(&window);
        waitForControls(window);
        const QList<QWidget*> expected = operatedIn(window);
        const QList<QWidget*> there = walk(Qt::Key_Tab);
        QList<QWidget*> back = walk(Qt::Key_Backtab);
        if (!m_faults.isEmpty())
            return;
        for (QWidget* widget : expected)
            if (!there.contains(widget) && isOperated(*widget))
                m_faults << "not reached: " + widgetPath(*widget);
        for (qsizetype i = 1; i < there.size(); ++i)
            if (const QString fault = faultOfStep(*there[i - 1], *there[i]); !fault.isEmpty())
                m_faults << fault + ": from " + widgetPath(*there[i - 1]) + " to " + widgetPath(*there[i]);
        std::ranges::reverse(back);
        std::rotate(back.begin(), std::ranges::find(back, there.front()), back.end());
        if (back != there)
            m_faults << "Shift+Tab is not the reverse of Tab";
    }

    const QStringList& faults() const { return m_faults; }

private:
    /// Presses the key until the focus is at the first control again. Returns the controls that got the focus, from the first one in the
    /// layout.
    QList<QWidget*> walk(Qt::Key key)
    {
        QList<QWidget*> stops;
        for (int presses = 0; presses < MostPresses; ++presses) {
            QTest::keyClick(m_window.windowHandle(), key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
            QWidget* const now = QApplication::focusWidget();
            if (!now || now->window() != &m_window) {
                m_faults << "the focus left the window";
                return stops;
            }
            if (!stops.isEmpty() && stops.last() == now)
                continue;
            if (stops.contains(now)) {
                if (now != stops.front())
                    m_faults << "the focus runs in a circle at " + widgetPath(*now);
                return fromTop(stops);
            }
            stops << now;
            presses = 0;
            look(*now);
        }
        if (stops.size() != 1 || operatedIn(m_window).size() > 1)
            m_faults << "the focus does not leave " + widgetPath(*stops.last());
        return stops;
    }

    /// Rotates a circle of stops so that the one that is first in the window begins it.
    QList<QWidget*> fromTop(QList<QWidget*> stops) const
    {
        const auto place = [this](const QWidget* it) {
            const QWidget* shown = it; // A control in a scrolled area counts as being where the area is.
            for (const QWidget* around = it; around != &m_window; around = around->parentWidget())
                shown = qobject_cast<const QScrollArea*>(around) ? around : shown;
            const QPoint corner = shown->mapTo(&m_window, QPoint());
            constexpr int Row = 32; // Controls of the header line differ in height.
            return std::pair(corner.y() / Row, corner.x());
        };
        std::rotate(stops.begin(), std::ranges::min_element(stops, {}, place), stops.end());
        return stops;
    }

    /// Notes what is wrong with a control that has the focus.
    void look(const QWidget& widget)
    {
        if (widget.size().isEmpty())
            m_faults << "has no size: " + widgetPath(widget);
        else if (!isInView(widget))
            m_faults << "is out of view: " + widgetPath(widget);
        if (qobject_cast<const QLabel*>(&widget) && !hasLinks(widget))
            m_faults << "is a label without a link: " + widgetPath(widget);
    }

    QWidget& m_window;
    QStringList m_faults;
};

QStringList faultsIn(QWidget& window) { return TabWalk(window).faults(); }

/// Selects a thread of the traces and a time in the middle, so that the cards of the Details dock have contents.
void selectRow(MainWindow& window)
{
    const auto timeline = window.context().timeline();
    TimeWindow& time = window.context().time();
    if (!timeline)
        return;
    for (const Row& row : rows(*timeline, "control-flow"))
        if (row.ref.isValid() && row.tid > 0) {
            time.jump({.row = row.ref, .cursor = time.full().begin + time.full().duration() / 2});
            return;
        }
}

} // namespace

class TabOrderTest : public QObject {
    Q_OBJECT

private slots:
    void tabReachesEveryControlOfTheMainWindow_data()
    {
        QTest::addColumn<QStringList>("traces");
        QTest::addColumn<QSize>("size");
        test::addRow("sample", QStringList{Sample}, QSize(1440, 900));
        test::addRow("sample in a small window", QStringList{Sample}, QSize(1024, 600));
        test::addRow("two hosts", QStringList{Fixtures + "two-hosts-small/web", Fixtures + "two-hosts-small/db"}, QSize(1440, 900));
        test::addRow("samples", QStringList{Fixtures + "perf/fp.data"}, QSize(1440, 900));
        test::addRow("calls", QStringList{Fixtures + "ust-callstack"}, QSize(1440, 900));
        test::addRow("lock statistics", QStringList{Fixtures + "lock_stat_0.4.txt"}, QSize(1440, 900));
    }
    void tabReachesEveryControlOfTheMainWindow()
    {
        QFETCH(QStringList, traces);
        QFETCH(QSize, size);
        test::OwnHome home;
        MainWindow window;
        (void)test::openIn(window, traces, size); // Lock statistics have no timeline.
        selectRow(window);
        QStringList found;
        for (const QString& view : window.docks().views()) {
            if (window.docks().view(view)->window() != &window)
                continue; // The view is a popup, which closes when the window gets the focus.
            window.docks().show(view);
            for (const QString& fault : faultsIn(window))
                if (!found.contains(fault))
                    found << fault;
        }
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void tabReachesEveryControlOfTheEmptyWindow()
    {
        test::OwnHome home;
        MainWindow window;
        window.show();
        const QStringList found = faultsIn(window);
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void tabReachesEveryControlOfTheComparison()
    {
        test::OpenComparison it({Sample}, {Sample});
        QVERIFY(it.isReady());
        CompareWindow& window = it.window;
        QStringList found;
        for (DockArea* dock : window.findChildren<DockArea*>())
            for (const QString& page : dock->pages()) {
                dock->setCurrent(page);
                for (const QString& fault : faultsIn(window))
                    if (!found.contains(fault))
                        found << fault;
            }
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void tabReachesEveryControlOfTheDialogs()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        QStringList found;
        const auto check = [&](QWidget& dialog) {
            dialog.show();
            for (const QString& fault : faultsIn(dialog))
                found << dialog.windowTitle() + ": " + fault;
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
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void tabFollowsPanelsThatTheUserMoved()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        const auto panels = it.area().panels()->panels();
        QVERIFY(panels.size() >= 2);
        emit panels.front()->moveRequested(1);
        const QStringList found = faultsIn(it.window);
        QVERIFY2(found.isEmpty(), qPrintable('\n' + found.join('\n')));
    }

    void aSubtitleWithoutRoomIsNoStop()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.area().axis().setLabelWidth(0);
        waitForControls(it.window);
        for (const auto* button : it.window.findChildren<QAbstractButton*>())
            QVERIFY2(!button->isVisible() || (button->width() > 1 && button->height() > 1), qPrintable(widgetPath(*button)));
    }
};

HELIO_TEST(TabOrderTest)
#include "tst_tab_order.moc"
