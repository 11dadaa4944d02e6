// The Statistics dock: messages for an empty list, and the look of its bars.

#include "core/experiment/timeline.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/opened_text.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/statistics/statistics_view.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <set>

using namespace helio;

namespace {

/// Returns the largest difference between two colours in a channel (red, green or blue), 0 to 255.
int difference(const QColor& a, const QColor& b)
{
    return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
}

} // namespace

class StatisticsViewTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsNotReadYetIsNotCalledUnknown()
    {
        auto timeline = std::make_shared<Timeline>();
        timeline->traces.resize(1); // A trace without a store.
        timeline->range = {timestamp(0), timestamp(1000)};
        ViewContext context;
        StatisticsView view(context);
        view.resize(400, 300);
        view.show();
        const auto says = [&](const QString& words) {
            return std::ranges::any_of(view.findChildren<QLabel*>(),
                                       [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
        };

        context.time().setFull(timeline->range);
        context.setTimeline(timeline);
        QTRY_VERIFY(says("not been read completely"));

        auto read = std::make_shared<Timeline>(*timeline);
        read->isComplete = true;
        context.setTimeline(read);
        QTRY_VERIFY(says("No scheduling events or samples of threads were recorded here"));
        QVERIFY(!says("not been read completely"));
    }

    /// Property: a profile without times, and slices without thread states, are said to be shown elsewhere, in place of an empty table.
    void anEmptyTableSaysWhatIsThereInstead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("words");
        test::addRow("profile", QByteArray("main;work 3\nmain;rest 1\n"), QStringList{"This file has no times", "The flame graph"});
        test::addRow("slices", QByteArray(R"([{"ph":"X","pid":1,"tid":2,"ts":2,"dur":9,"name":"outer"}])"),
                     QStringList{"have no state data. Chrome JSON cannot record them.", "perf record",
                                 "\nThe Functions dock sums their slices and calls."});
    }
    void anEmptyTableSaysWhatIsThereInstead()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QStringList, words);
        const OpenedText opened(text, "recording");
        QVERIFY2(opened.timeline, opened.error.c_str());
        ViewContext context;
        StatisticsView view(context);
        view.resize(400, 300);
        view.show();
        context.time().setFull(opened.timeline->range);
        context.setTimeline(opened.timeline);
        const auto* const table = view.findChild<QTreeView*>();
        QTRY_VERIFY(!table->isVisible());
        for (const QString& word : words) {
            const auto says = [&](const QLabel* label) { return label->isVisible() && label->text().contains(word); };
            QVERIFY2(std::ranges::any_of(view.findChildren<QLabel*>(), says), qPrintable(word));
        }
    }

    /// Input: a log of system calls, which has no times on a CPU. Property: threads are sorted by their time in calls, which is shown.
    void threadsOfALogOfCallsAreSortedByTimeInCalls()
    {
        const OpenedText opened("1 1700000000.000000 getpid() = 1 <0.000100>\n"
                                "2 1700000000.001000 getpid() = 2 <0.000300>\n"
                                "1 1700000000.002000 getpid() = 1 <0.000100>\n"
                                "2 1700000000.003000 getpid() = 2 <0.000300>\n",
                                "calls.strace");
        QVERIFY2(opened.timeline, opened.error.c_str());
        ViewContext context;
        StatisticsView view(context);
        view.resize(600, 300);
        view.show();
        context.time().setFull(opened.timeline->range);
        context.setTimeline(opened.timeline);
        const QAbstractItemModel& model = *view.findChild<QTreeView*>()->model();
        QTRY_COMPARE(model.rowCount(), 2);
        QCOMPARE(model.headerData(StatisticsModel::OnCpu, Qt::Horizontal).toString(), QString("In calls"));
        QCOMPARE(model.index(0, StatisticsModel::Tid).data().toString(), QString("2"));
        QCOMPARE(model.index(0, StatisticsModel::OnCpu).data().toString(), durationText(std::chrono::microseconds(600)));
        QCOMPARE(model.index(1, StatisticsModel::OnCpu).data().toString(), durationText(std::chrono::microseconds(200)));
    }

    void timesAtANominalFrequencyHaveAColumnWhereFrequenciesWereRecorded()
    {
        const QTemporaryDir folder;
        QVERIFY(test::writeScheduling(folder.filePath("kernel"), test::madeScheduling(3000, 9)));
        const auto made = test::timelineOf(qPrintable(folder.filePath("kernel"))), other = test::sampleTimeline();
        QVERIFY(made && other);
        ViewContext context;
        StatisticsView view(context);
        view.resize(500, 300);
        view.show();
        const auto* const table = view.findChild<QTreeView*>();
        const auto opened = [&](const std::shared_ptr<const Timeline>& timeline) {
            context.time().setFull(timeline->range);
            context.setTimeline(timeline);
        };

        opened(made);
        QTRY_VERIFY(!table->isColumnHidden(StatisticsModel::Nominal));
        const QAbstractItemModel& model = *table->model();
        QVERIFY(model.rowCount() > 0);
        // Each time begins with "≥", because the frequency of a CPU is unknown before its first frequency event.
        for (int row = 0; row < model.rowCount(); ++row)
            QVERIFY(model.index(row, StatisticsModel::Nominal).data().toString().startsWith(QChar(0x2265)));

        opened(other);
        QTRY_VERIFY(table->isColumnHidden(StatisticsModel::Nominal));
    }

    /// Input: a recording of system calls without switches, in which a thread is in a call with a CPU, in a call without one, or unknown.
    /// Property: states that are hatched in the rows are hatched in the bars.
    void statesThatAreHatchedInTheRowsAreHatchedInTheBars()
    {
        const auto timeline = test::timelineOf("tests/fixtures/perf/calls-part.data");
        QVERIFY(timeline);
        ViewContext context;
        StatisticsView view(context);
        view.resize(600, 400);
        view.show();
        context.time().setFull(timeline->range);
        context.setTimeline(timeline);
        auto* const table = view.findChild<QTreeView*>();
        const auto* const model = qobject_cast<const StatisticsModel*>(table->model());
        QTRY_VERIFY(model->rowCount() > 0);

        const QImage picture = table->viewport()->grab().toImage();
        std::set<std::string> hatched;
        for (int row = 0; row < model->rowCount(); ++row)
            for (const auto& part : model->line(row).parts) {
                const StateAppearance look = theme().lookOf(*part.state);
                if (look.drawing != BarPattern::Hatched || part.total * 5 < model->line(row).covered)
                    continue;
                hatched.insert(part.state->name);
                const QRect cell = table->visualRect(model->index(row, StatisticsModel::Share));
                const auto columns = [&](const QColor& color) {
                    int count = 0;
                    for (int x = cell.left(); x <= cell.right(); ++x)
                        count += difference(picture.pixelColor(x, cell.center().y()), color) <= 1;
                    return count;
                };
                QCOMPARE_GE(columns(look.color), 4);
                QCOMPARE_GE(columns(mixed(theme().color("surface.panel"), look.color, HatchTint)), 6);
            }
        QVERIFY(hatched.contains("unknown"));
    }
};

HELIO_TEST(StatisticsViewTest)
#include "tst_statistics_view.moc"
