// The line that shows running background work.

#include "core/profiling/samples/sample_stacks.h"
#include "tests/support/test_program.h"
#include "widgets/controls/work_line.h"

#include <QLabel>
#include <QTest>
#include <QToolButton>

using namespace helio;

namespace {

class NamedWork : public SharedQuery {
public:
    NamedWork()
        : SharedQuery(0, {}, nullptr)
    {
    }
    using SharedQuery::setWork;

private:
    void ask() override { }
};

} // namespace

class WorkLineTest : public QObject {
    Q_OBJECT

private slots:
    void aShareIsSaidWhereItIsKnown()
    {
        QCOMPARE(progressText("Finding names", 0.125), "Finding names, 12 %");
        QCOMPARE(progressText("Finding names", -1), "Finding names");
        QCOMPARE(progressText({}, 0.5), QString());
    }

    void whatIsDoneAtOnceIsNotShownAndWhatLastsIsUntilItEnds()
    {
        NamedWork work;
        WorkLine line(work);
        QStringList shown;
        connect(&line, &WorkLine::changed, this, [&] { shown << (line.isHidden() ? QString() : line.findChild<QLabel*>()->text()); });
        QVERIFY(line.isHidden());
        work.setWork("Finding names", nullptr);
        work.setWork({}, nullptr);
        QVERIFY(line.isHidden());

        const auto progress = std::make_shared<QueryProgress>();
        work.setWork("Finding names", progress);
        QVERIFY(line.isHidden());
        QTRY_VERIFY(!line.isHidden());
        QCOMPARE(shown.last(), "Finding names");
        progress->total = 4;
        progress->done = 1;
        QTRY_COMPARE(shown.last(), "Finding names, 25 %");
        work.setWork({}, nullptr);
        QVERIFY(line.isHidden());
        QCOMPARE(shown.last(), QString());
    }

    void itsButtonStopsTheWork()
    {
        NamedWork work;
        WorkLine line(work);
        QVERIFY(!line.findChild<QToolButton*>());
        bool isStopped = false;
        line.setStop([&] { isStopped = true; });
        line.findChild<QToolButton*>()->click();
        QVERIFY(isStopped);
    }
};

HELIO_TEST(WorkLineTest)
#include "tst_work_line.moc"
