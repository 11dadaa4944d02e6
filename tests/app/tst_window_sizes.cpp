// The main window at all sizes and scales: no control is out of reach, and docks keep their sizes.

#include "core/query/rows/rows.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/dock_area.h"
#include "widgets/timeline/panels/time_area.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLineEdit>
#include <QProcess>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace helio;

namespace {

constexpr QSize Sizes[] = {{1024, 700}, {1280, 800}, {1366, 768}, {1440, 900}, {1920, 1080}, {2560, 1440}, {3840, 2160}};

bool isControl(const QWidget& it)
{
    return qobject_cast<const QAbstractButton*>(&it) || qobject_cast<const QLineEdit*>(&it) || qobject_cast<const QComboBox*>(&it);
}

/// Returns the part of a widget in which its children can be seen. In a scroll area, the part is unlimited in each direction in which the
/// user can scroll.
QRect reachOf(const QWidget& it)
{
    constexpr int Far = 1'000'000;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(it.parentWidget());
    QRect reach = it.rect();
    if (!area || area->viewport() != &it)
        return reach;
    if (area->verticalScrollBar()->maximum() > 0)
        reach.adjust(0, -Far, 0, Far);
    if (area->horizontalScrollBar()->maximum() > 0)
        reach.adjust(-Far, 0, Far, 0);
    return reach;
}

/// Returns the controls that are visible and enabled, but cut by the window or a part of it; one line for each control.
QString cutControls(const QWidget& window)
{
    QStringList cut;
    for (const QWidget* control : window.findChildren<QWidget*>()) {
        if (!control->isVisible() || !control->isEnabled() || control->window() != &window || !isControl(*control))
            continue;
        QRect rect = control->rect();
        for (const QWidget* at = control; at != &window; at = at->parentWidget()) {
            rect.translate(at->pos());
            const QRect reach = reachOf(*at->parentWidget());
            if (reach.contains(rect)) {
                if (reach != at->parentWidget()->rect())
                    break; // The control is reachable, because it is in a scroll area and the user can scroll to it.
            } else {
                const QString name = control->accessibleName().isEmpty() ? control->toolTip() : control->accessibleName();
                cut << QString("%1 \"%2\" %3,%4 %5x%6 in %7 %8x%9")
                           .arg(control->metaObject()->className(), name)
                           .arg(rect.x())
                           .arg(rect.y())
                           .arg(rect.width())
                           .arg(rect.height())
                           .arg(at->parentWidget()->metaObject()->className())
                           .arg(at->parentWidget()->width())
                           .arg(at->parentWidget()->height());
                break;
            }
        }
    }
    return cut.join('\n');
}

} // namespace

class WindowSizesTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: a control that is cut is not reported if the user can scroll to it.
    void cutControlsAreFound()
    {
        QWidget window;
        window.resize(200, 100);
        auto* inside = new QLineEdit(&window);
        inside->setGeometry(10, 10, 50, 20);
        auto* area = new QScrollArea(&window);
        area->setGeometry(0, 40, 120, 60);
        auto* page = new QWidget;
        page->resize(100, 400);
        (new QLineEdit(page))->setGeometry(0, 300, 50, 20);
        area->setWidget(page);
        window.show();
        QCoreApplication::processEvents();
        QCOMPARE(cutControls(window), QString());
        inside->move(180, 10);
        QVERIFY(cutControls(window).startsWith("QLineEdit"));
    }

    void everyControlIsInTheWindow()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        window.show();
        QStringList cut;
        for (const QSize& size : Sizes) {
            window.resize(size);
            QTest::qWait(20);
            if (window.size() != size)
                cut << QString("The window is %1x%2 instead of %3x%4")
                           .arg(window.width())
                           .arg(window.height())
                           .arg(size.width())
                           .arg(size.height());
            for (const QString& view : window.docks().views()) {
                window.docks().show(view, false);
                QCoreApplication::processEvents();
                QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
                if (const QString found = cutControls(window); !found.isEmpty())
                    cut << QString("%1x%2, %3:\n%4").arg(size.width()).arg(size.height()).arg(view, found);
            }
            window.docks().setSideShown(false);
        }
        for (const QString& it : cut)
            qWarning("%s", qPrintable(it));
        QVERIFY(cut.isEmpty());
    }

    void theLabelColumnLeavesRoomForTheTimeArea()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        window.show();
        TimeAxis& axis = window.findChild<TimeArea*>()->axis();
        for (const auto& [size, width] : {std::pair(QSize(1024, 700), 180),
                                          {QSize(1099, 800), 180},
                                          {QSize(1100, 800), 224},
                                          {QSize(1280, 800), 224},
                                          {QSize(1360, 800), 300},
                                          {QSize(1920, 1080), 300}}) {
            window.resize(size);
            QTRY_COMPARE(axis.labelWidth(), width);
        }
        axis.setLabelWidth(260); // Set the width of the labels like the user. It must then stay the same at all window sizes.
        for (const QSize& size : Sizes) {
            window.resize(size);
            QTest::qWait(20);
            QCOMPARE(axis.labelWidth(), 260);
        }
    }

    void everyControlIsInTheWindowAtOtherScales_data()
    {
        QTest::addColumn<QString>("scale");
        for (const char* scale : {"1.5", "2"})
            QTest::newRow(scale) << scale;
    }
    void everyControlIsInTheWindowAtOtherScales()
    {
        QFETCH(QString, scale);
        QProcess other;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_SCALE_FACTOR", scale);
        other.setProcessEnvironment(environment);
        other.start(QCoreApplication::applicationFilePath(), {"tst_window_sizes", "everyControlIsInTheWindow"});
        QVERIFY(other.waitForFinished(120'000));
        if (other.exitCode() != 0)
            qWarning("%s", other.readAllStandardOutput().constData());
        QCOMPARE(other.exitCode(), 0);
    }

    /// Property: docks keep their sizes whatever view is in front and however much the view contains.
    void docksKeepTheirSizes()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        window.resize(1920, 1080);
        window.show();
        QTest::qWait(50);
        const auto places = [&] {
            QStringList all;
            for (const DockArea* area : window.findChildren<DockArea*>()) {
                const QRect rect(area->mapTo(&window, QPoint()), area->size());
                all << QString("%1: %2,%3 %4x%5")
                           .arg(area->accessibleName())
                           .arg(rect.x())
                           .arg(rect.y())
                           .arg(rect.width())
                           .arg(rect.height());
            }
            return all.join('\n');
        };
        const QString before = places();
        const auto timeline = window.context().timeline();
        int rows = 0;
        for (const QString& view : window.docks().views()) {
            window.docks().show(view, false);
            QTest::qWait(30);
            QVERIFY2(places() == before, qPrintable(view + ": " + places() + "\nbefore: " + before));
        }
        for (const Row& row : helio::rows(*timeline, "control-flow")) {
            if (!row.ref.isValid() || ++rows > 6)
                continue;
            window.context().time().setRow(row.ref);
            window.context().time().setCursor(row.life.begin + row.life.duration() / 2);
            QTest::qWait(60);
            QCOMPARE(places(), before);
        }
    }
};

HELIO_TEST(WindowSizesTest)
#include "tst_window_sizes.moc"
