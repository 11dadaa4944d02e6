#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/compare/durations/durations_model.h"

#include <QTest>

using namespace helio;

namespace {

ComparedDurations made(const char* state, const char* detail, std::uint64_t timesA, std::uint64_t timesB, std::int64_t medianB)
{
    ComparedDurations it;
    it.state = test::threadState(state);
    it.detail = detail;
    it.a.count = timesA;
    it.b.count = timesB;
    it.b.median = Duration(medianB);
    return it;
}

} // namespace

class DurationsModelTest : public QObject {
    Q_OBJECT

private slots:
    void aColumnSortsByItsOwnSide()
    {
        DurationsModel model;
        model.setDurations({made("preempted", "", 5, 1, 300), made("wait-cpu", "", 2, 9, 100), made("running-syscall", "read", 3, 4, 900)});
        QCOMPARE(model.at(0).state.name, "preempted"); // States keep the order in which they were given.

        model.sort(DurationsModel::TimesB, Qt::DescendingOrder);
        QCOMPARE(model.at(0).state.name, "wait-cpu");
        model.sort(DurationsModel::TimesA, Qt::AscendingOrder);
        QCOMPARE(model.at(0).state.name, "wait-cpu");
        model.sort(DurationsModel::MedianB, Qt::DescendingOrder);
        QCOMPARE(model.at(0).detail, "read");
        QCOMPARE(model.find(made("preempted", "", 0, 0, 0)), 1);
        QCOMPARE(model.find(made("preempted", "x", 0, 0, 0)), -1);
    }

    void whatNeverHappenedHasNoLength()
    {
        DurationsModel model;
        model.setDurations({made("wait-cpu", "", 0, 1, 7)});
        QCOMPARE(model.index(0, DurationsModel::TimesA).data().toString(), "0");
        QCOMPARE(model.index(0, DurationsModel::MedianA).data().toString(), QStringLiteral("\u2013"));
        QCOMPARE(model.index(0, DurationsModel::MedianB).data().toString(), "7 ns");
        QVERIFY(model.csv().contains("state,wait-cpu,\"\",0,1,0,7,"));
    }
};

HELIO_TEST(DurationsModelTest)
#include "tst_durations_model.moc"
