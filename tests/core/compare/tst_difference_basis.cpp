// Bases of a comparison: which kinds of samples of two sides can be subtracted.

#include "core/compare/difference_basis.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using Per = DifferenceBasis::Per;
using Origin = SampleKind::Origin;

namespace {

const SampleKind clockKind{"cpu-clock", "ns", Origin::Event, true};
const SampleKind taskClock{"task-clock", "ns", Origin::Event, true};
const SampleKind cycles{"cycles", "", Origin::Event, false};
const SampleKind misses{"cache-misses", "", Origin::Event, false};
const SampleKind first{"first", "", Origin::Counted, false};
const SampleKind second{"second", "", Origin::Counted, false};

bool canCompare(Per per, const SampleKind& a, const SampleKind& b) { return DifferenceBasis{per, 1, 1}.canCompare(a, b); }

} // namespace

class DifferenceBasisTest : public QObject {
    Q_OBJECT

private slots:
    void whatCountsTheSameCompares()
    {
        QVERIFY(canCompare(Per::Run, clockKind, taskClock));
        QVERIFY(canCompare(Per::Run, cycles, cycles));
        // These kinds are comparable although their names differ: both come from columns of numbers in text files, which name no unit.
        QVERIFY(canCompare(Per::Run, first, second));
    }

    void unlikeCountersCompareByTheirSharesAlone()
    {
        for (const auto& [a, b] : {std::pair(misses, cycles), std::pair(cycles, clockKind), std::pair(first, cycles)}) {
            for (const Per per : {Per::Run, Per::Samples, Per::Unit})
                QVERIFY(!canCompare(per, a, b));
            QVERIFY(canCompare(Per::Share, a, b));
        }
    }

    void sharesAreComparedWhereNothingElseFits()
    {
        const auto per = [](const SampleKind& a, bool hasTimesA, const SampleKind& b, bool hasTimesB) {
            return DifferenceBasis::fitting(a, hasTimesA, b, hasTimesB).per;
        };
        QCOMPARE(per(clockKind, true, taskClock, true), Per::Run);
        QCOMPARE(per(first, false, second, false), Per::Run);
        QCOMPARE(per(first, false, clockKind, true), Per::Share);
        // Only one side is divided into runs, so the sides are compared by their shares.
        QCOMPARE(per(first, false, first, true), Per::Share);
        QCOMPARE(per(misses, true, cycles, true), Per::Share);
    }
};

HELIO_TEST(DifferenceBasisTest)
#include "tst_difference_basis.moc"
