#include "core/analyses/kernel/model.h"
#include "tests/support/test_program.h"

#include <QTest>

using helio::HostRange;
using helio::hostTime;
using helio::HostTimestamp;
using helio::kernel::Gaps;

namespace {

HostRange range(std::int64_t begin, std::int64_t end) { return {hostTime(begin), hostTime(end)}; }

} // namespace

class KernelGapsTest : public QObject {
    Q_OBJECT
private slots:
    void noGapIsOpenBeforeThereIsOne()
    {
        const Gaps gaps;
        QVERIFY(gaps.isEmpty());
        QVERIFY(!gaps.isOpenAt(hostTime(0)));
        QCOMPARE(gaps.firstAfter(hostTime(0)), HostTimestamp::max());
    }

    void gapsThatOverlapAreOneAndThoseThatMeetAreTwo()
    {
        Gaps gaps;
        QVERIFY(gaps.add(range(10, 40)));
        QVERIFY(!gaps.add(range(20, 30)));
        QVERIFY(gaps.isOpenAt(hostTime(39)));
        QVERIFY(!gaps.isOpenAt(hostTime(40)));
        QVERIFY(gaps.add(range(40, 50)));
        QCOMPARE(gaps.count(), 2U);
    }

    void theFirstGapThatMayHideSomethingEndsAfterIt()
    {
        Gaps gaps;
        gaps.add(range(10, 20));
        gaps.add(range(30, 40));
        QCOMPARE(gaps.firstAfter(hostTime(5)), hostTime(10));
        QCOMPARE(gaps.firstAfter(hostTime(15)), hostTime(10));
        QCOMPARE(gaps.firstAfter(hostTime(20)), hostTime(30));
        QCOMPARE(gaps.firstAfter(hostTime(40)), HostTimestamp::max());
    }

    void ofVeryManyGapsTheOldestAreForgottenButStillCounted()
    {
        Gaps gaps;
        for (int i = 0; i < 5000; ++i)
            gaps.add(range(10 * i, 10 * i + 5));
        QCOMPARE(gaps.count(), 5000U);
        QCOMPARE(gaps.beginOf(4999), hostTime(49990));
        QCOMPARE(gaps.beginOf(4600), hostTime(46000));
        QCOMPARE(gaps.beginOf(0), HostTimestamp::min());
    }
};

HELIO_TEST(KernelGapsTest)
#include "tst_kernel_gaps.moc"
