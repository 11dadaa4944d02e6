// What the Statistics dock says where it lists nothing.

#include "core/experiment/timeline.h"
#include "tests/support/made_scheduling.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/views/statistics/statistics_view.h"

#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace helio;

class StatisticsViewTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsNotReadYetIsNotCalledUnknown()
    {
        auto timeline = std::make_shared<Timeline>();
        timeline->traces.resize(1); // Without a store.
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
        QTRY_VERIFY(says("not read to its end"));

        auto read = std::make_shared<Timeline>(*timeline);
        read->isComplete = true;
        context.setTimeline(read);
        QTRY_VERIFY(says("Nothing is known of threads here: "));
        QVERIFY(!says("not read to its end"));
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
        for (int row = 0; row < model.rowCount(); ++row) // Before the first event of a CPU its frequency is unknown.
            QVERIFY(model.index(row, StatisticsModel::Nominal).data().toString().startsWith(QChar(0x2265)));

        opened(other);
        QTRY_VERIFY(table->isColumnHidden(StatisticsModel::Nominal));
    }
};

HELIO_TEST(StatisticsViewTest)
#include "tst_statistics_view.moc"
