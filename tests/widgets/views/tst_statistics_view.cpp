// What the Statistics dock says where it lists nothing.

#include "core/experiment/timeline.h"
#include "tests/support/test_program.h"
#include "widgets/views/statistics/statistics_view.h"

#include <QLabel>
#include <QTest>

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
            return std::ranges::any_of(view.findChildren<QLabel*>(), [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
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
};

HELIO_TEST(StatisticsViewTest)
#include "tst_statistics_view.moc"
