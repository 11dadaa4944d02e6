// Property of SharedQuery: it works only while a view of its results is visible.

#include "core/profiling/samples/sample_stacks.h"
#include "tests/support/gate.h"
#include "tests/support/test_program.h"
#include "widgets/async/shared_query.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

using namespace helio;

namespace {

/// Counts its queries and results. If `gate` is set, the next query waits until the gate is open.
class Counting : public SharedQuery {
public:
    Counting()
        : SharedQuery(1, {1'000'000, 0}, nullptr)
    {
    }
    ~Counting() override
    {
        if (gate)
            gate->open();
    }
    using SharedQuery::cancel;
    using SharedQuery::isBusy;
    using SharedQuery::isOld;
    using SharedQuery::queueQuery;
    using SharedQuery::soon;

    int asked = 0;
    int came = 0;
    bool isNeeded = false; ///< True if results are needed without a visible view.
    test::Gate* gate = nullptr;
    std::shared_ptr<QueryProgress> progress = std::make_shared<QueryProgress>();

private:
    void ask() override
    {
        ++asked;
        setWork("Counting", progress);
        post([this, gate = this->gate](std::stop_token) -> LatestTask::Delivery {
            if (gate)
                gate->pass();
            return [this] { ++came; };
        });
    }
    bool isWatched() const override { return isNeeded || SharedQuery::isWatched(); }
};

/// Waits long enough for a due query to start.
void wait()
{
    bool isLater = false;
    QTimer::singleShot(20, [&] { isLater = true; });
    QTRY_VERIFY(isLater);
}

} // namespace

class WatchedWorkTest : public QObject {
    Q_OBJECT

private slots:
    void whatNobodyLooksAtIsDoneOnceItIsShown()
    {
        Counting work;
        QWidget view;
        work.serve(&view);
        work.soon();
        wait();
        QCOMPARE(work.asked, 0);
        view.show();
        QTRY_COMPARE(work.came, 1);
        view.hide();
        view.show(); // The view starts no query, because nothing has changed since the last one.
        wait();
        QCOMPARE(work.asked, 1);
        view.hide();
        work.soon();
        wait();
        QCOMPARE(work.asked, 1);
        QVERIFY(work.isOld());
        view.show();
        QTRY_COMPARE(work.came, 2);
        QVERIFY(!work.isOld());
    }

    void oneVisibleViewOfSeveralIsEnough()
    {
        Counting work;
        QWidget hidden;
        auto shown = std::make_unique<QWidget>();
        work.serve(&hidden);
        work.serve(shown.get());
        shown->show();
        QTRY_COMPARE(work.came, 1);
        work.soon();
        QTRY_COMPARE(work.came, 2);
        shown.reset();
        work.soon();
        wait();
        QCOMPARE(work.asked, 2);
    }

    void whatIsNeededOtherwiseIsDoneUnseen()
    {
        Counting work;
        work.isNeeded = true;
        work.soon();
        QTRY_COMPARE(work.came, 1);
    }

    void aViewHiddenBeforeTheQuestionIsAskedGetsItWhenItIsShownAgain()
    {
        Counting work;
        QWidget view;
        work.serve(&view);
        view.show();
        view.hide();
        wait();
        QCOMPARE(work.asked, 0);
        view.show();
        QTRY_COMPARE(work.came, 1);
    }

    void whatWasReadFurtherMeanwhileComesAfterARestOrWhenAViewIsShown()
    {
        test::Gate gate;
        Counting work;
        work.gate = &gate;
        QWidget view, other;
        work.serve(&view);
        work.serve(&other);
        view.show();
        QTRY_COMPARE(work.asked, 1);
        work.queueQuery();
        other.show(); // The second view does not cancel the running query.
        other.hide();
        wait();
        QCOMPARE(work.asked, 1);
        gate.open();
        QTRY_COMPARE(work.came, 1);
        wait();
        QCOMPARE(work.asked, 1);
        other.show();
        QTRY_COMPARE(work.came, 2);
    }

    void theWorkHasANameAndAShareUntilItIsDone()
    {
        test::Gate gate;
        Counting work;
        work.gate = &gate;
        QSignalSpy changes(&work, &SharedQuery::workChanged);
        QCOMPARE(work.work(), QString());
        work.isNeeded = true;
        work.soon();
        QTRY_COMPARE(work.work(), "Counting");
        QCOMPARE(changes.count(), 1);
        QVERIFY(work.workShare() < 0);
        work.progress->total = 8;
        work.progress->done = 2;
        QCOMPARE(work.workShare(), 0.25);
        work.progress->done = 9;
        QCOMPARE(work.workShare(), 1.0);
        gate.open();
        QTRY_COMPARE(work.came, 1);
        QCOMPARE(work.work(), QString());
        QCOMPARE(changes.count(), 2);
        QVERIFY(work.workShare() < 0);
    }

    void whatIsCancelledEndsAtOnceAndDoesNotCome()
    {
        test::Gate gate;
        Counting work;
        work.gate = &gate;
        work.isNeeded = true;
        work.soon();
        QTRY_COMPARE(work.asked, 1);
        work.cancel();
        QVERIFY(work.work().isEmpty() && !work.isBusy());
        gate.open();
        wait();
        QCOMPARE(work.came, 0);
    }
};

HELIO_TEST(WatchedWorkTest)
#include "tst_shared_query.moc"
