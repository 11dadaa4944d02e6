// A ratio of counters in the window: added by a right click, kept by a session. Property: its values equal those computed from perf
// script's samples.

#include "app/gui/common/session_file.h"
#include "app/gui/main_window/main_window.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/curves/curve_graph.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/timeline/panels/ratio_dialog.h"
#include "widgets/timeline/panels/time_area.h"

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace helio;

namespace {

const QString Group = SOURCE_DIR "/tests/fixtures/perf/group.data";

struct Opened {
    MainWindow window;

    Opened(const QString& trace, const QTemporaryDir& stores)
    {
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        window.setExperimentOptions(options);
        window.resize(1280, 800);
        window.show();
        window.open({trace});
        if (!QTest::qWaitFor([&] { return window.session().state() == Session::State::Ready; }, 60'000))
            qFatal("not read");
    }
    CurvesPanel* panel() { return qobject_cast<CurvesPanel*>(window.findChild<TimeArea*>()->panel("counters-thread")); }
    QStringList names()
    {
        QStringList names;
        for (const NamedSeries& it : panel()->graph()->series())
            names << it.name;
        return names;
    }
};

} // namespace

class RatiosWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aRightClickAddsARatioAndASessionKeepsIt()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("a.heliograph");
        QStringList names;
        {
            Opened it(Group, folder);
            it.panel()->setCollapsed(false);
            QTRY_COMPARE(it.names().size(), 2);
            CurveGraph* graph = it.panel()->graph();
            QTRY_VERIFY(graph->height() > 20);
            QTest::mouseClick(graph, Qt::RightButton, {}, QPoint(graph->width() - 30, 10));
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            const auto lines = menu->actions();
            const auto add = std::ranges::find(lines, QStringLiteral("Add ratio…"), &QAction::text);
            QVERIFY(add != lines.end());
            menu->close();
            (*add)->trigger();
            auto* dialog = it.window.findChild<RatioDialog*>();
            QVERIFY(dialog);
            QCOMPARE(dialog->findChild<QLineEdit*>()->text(), "page-faults / cpu-clock");
            QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
            QTRY_COMPARE(it.names().size(), 3);
            names = it.names();
            QCOMPARE(names.front(), "page-faults / cpu-clock");
            QVERIFY(saveSession(it.window.sessionState(), path));
        }
        Opened again(path, folder);
        QTRY_COMPARE(again.names(), names);
    }

    /// Property: at any zoom, the value of each interval of the curve is the quotient of the counts that perf script prints for that
    /// interval.
    void itIsWhatPerfCounted()
    {
        const QTemporaryDir folder;
        Opened it(Group, folder);
        // Points (time, total) of each event; totals are interpolated between samples.
        std::map<std::string, std::vector<std::pair<std::int64_t, double>>> totals;
        for (const PrintedSample& sample : readPerfScript(SOURCE_DIR "/tests/fixtures/perf/group.script.txt")) {
            auto& points = totals[sample.event];
            points.emplace_back(sample.time, (points.empty() ? 0 : points.back().second) + double(sample.period));
        }
        const std::int64_t offset = openPerfData(Group.toStdString())->info().clock.offset;
        const auto counted = [&](const char* event, TimeRange range) {
            const auto at = [&, &points = totals[event]](Timestamp time) {
                const std::int64_t ns = time.time_since_epoch().count() - offset;
                const auto next = std::ranges::lower_bound(points, ns, {}, [](const auto& point) { return point.first; });
                if (next == points.begin() || next->first == ns)
                    return next->second;
                const auto before = std::prev(next);
                return before->second + (next->second - before->second) * double(ns - before->first) / double(next->first - before->first);
            };
            return at(range.end) - at(range.begin);
        };
        const auto timeline = it.window.context().timeline();
        const std::vector formulas{*CounterFormula::parse("page-faults / cpu-clock")};
        const auto series = namedSeries(*timeline, "counters-thread", Theme(), formulas);
        QVERIFY(series.front().ratio);
        const auto first = std::max(totals["page-faults"].front().first, totals["cpu-clock"].front().first) + offset;
        const auto last = std::min(totals["page-faults"].back().first, totals["cpu-clock"].back().first) + offset;
        for (const int columns : {1, 3, 20, 700, 20'000}) {
            const CurveData known =
                fetchCurve(*timeline, series.front(), timeline->range, timeline->range.duration() / columns + Duration(1));
            QVERIFY(!known.ratio->empty());
            Timestamp at = timestamp(first);
            for (const RatioInterval& interval : *known.ratio) {
                const double faults = counted("page-faults", interval.range), clock = counted("cpu-clock", interval.range) / 1e9;
                QVERIFY2(std::abs(interval.counted[0] - faults) <= 1e-6 && std::abs(interval.counted[1] - clock) <= 1e-9
                             && std::abs(interval.value - faults / clock) <= 1e-6 * std::max(1.0, faults / clock),
                         qPrintable(QString("%1: %2, not %3").arg(columns).arg(interval.value).arg(faults / clock)));
                // The intervals are contiguous: cpu-clock, the divisor, grows at all times, so the quotient is always defined.
                QCOMPARE(interval.range.begin, at);
                at = interval.range.end;
            }
            QCOMPARE(at, timestamp(last));
        }
    }
};

HELIO_TEST(RatiosWindowTest)
#include "tst_ratios_window.moc"
