#include "core/experiment/index_scheduler.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

using namespace helio;
using Task = IndexScheduler::Task;

namespace {

/// Next task as text: "open 1"; "none" if no task is ready.
QString taken(IndexScheduler& order, std::optional<Task>* task = nullptr)
{
    const auto found = order.take();
    if (task)
        *task = found;
    if (!found)
        return "none";
    constexpr const char* Words[] = {"open", "index", "derive", "relate"};
    return QString("%1 %2").arg(Words[std::size_t(found->kind)]).arg(found->index);
}

} // namespace

class WorkOrderTest : public QObject {
    Q_OBJECT

private slots:
    void allIsOpenedThenIndexedThenDerived()
    {
        IndexScheduler order(2, 0);
        QStringList all;
        for (std::optional<Task> task;;) {
            const QString text = taken(order, &task);
            if (!task)
                break;
            all << text;
            order.done(*task, true);
        }
        QCOMPARE(all.join(", "), QString("open 0, open 1, index 0, index 1, derive 0, derive 1"));
        QVERIFY(!order.mayUnlockTasks());
    }

    void whatCannotGoOnIsLeft()
    {
        IndexScheduler order(2, 0);
        order.done(*order.take(), false);
        order.done(*order.take(), true);
        std::optional<Task> task;
        QCOMPARE(taken(order, &task), QString("index 1"));
        order.done(*task, false);
        QCOMPARE(taken(order), QString("none"));
    }

    void runningTaskMayUnlockMoreTasks()
    {
        IndexScheduler order(1, 0);
        const Task open = *order.take();
        QCOMPARE(taken(order), QString("none"));
        QVERIFY(order.mayUnlockTasks());
        order.done(open, true);
        const Task index = *order.take();
        QVERIFY(order.mayUnlockTasks()); // The finished index will unlock the task that derives data from it.
        order.done(index, true);
        const Task derive = *order.take();
        QVERIFY(!order.mayUnlockTasks()); // The last task unlocks no further task.
        order.done(derive, true);
        QCOMPARE(taken(order), QString("none"));
    }

    void nothingIsDerivedWhileATraceIsIndexed()
    {
        IndexScheduler order(2, 1);
        order.done(*order.take(), true);
        order.done(*order.take(), true);
        const Task first = *order.take();
        const Task second = *order.take();
        order.done(first, true);
        QCOMPARE(taken(order), QString("none"));
        QVERIFY(order.mayUnlockTasks());
        order.done(second, false);
        QCOMPARE(taken(order), QString("derive 0"));
    }

    void relationsComeLastAndOneByOne()
    {
        IndexScheduler order(2, 2);
        order.done(*order.take(), true); // Trace 0 was opened.
        order.done(*order.take(), false); // Trace 1 could not be opened.
        const Task index = *order.take();
        QCOMPARE(taken(order), QString("none"));
        order.done(index, false);
        std::optional<Task> first;
        QCOMPARE(taken(order, &first), QString("relate 0"));
        QCOMPARE(taken(order), QString("none"));
        order.done(*first, false);
        QCOMPARE(taken(order), QString("relate 1"));
        QCOMPARE(taken(order), QString("none"));
    }

    void whatIsPreferredComesFirst()
    {
        IndexScheduler order(3, 0);
        order.prefer({2, 7, 1});
        QCOMPARE(taken(order), QString("open 2"));
        QCOMPARE(taken(order), QString("open 1"));
        QCOMPARE(taken(order), QString("open 0"));
    }
};

HELIO_TEST(WorkOrderTest)
#include "tst_work_order.moc"
