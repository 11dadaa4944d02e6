// The Statistics dock: messages for an empty list, and the look of its bars.

#include "core/experiment/timeline.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/statistics/statistics_view.h"
#include "widgets/paint/state_bar.h"
#include "widgets/theme/themes.h"

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
