// Input: kmem:rss_stat events. Property: counter series of the resident memory of processes.

#include "tests/core/analyses/counters/counter_points.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

enum Sort { File, Anonymous, Swap, Shared };

class MemoryScript : public KernelScript {
public:
    MemoryScript& size(std::int64_t us, std::int64_t space, bool isOwn, int sort, std::int64_t bytes, int tid = 10, int pid = 10)
    {
        event(us * 1000, 0, "kmem_rss_stat",
              {{"$tid", tid},
               {"$pid", pid},
               {"$procname", ("p" + std::to_string(pid)).c_str()},
               {"mm_id", space},
               {"curr", int(isOwn)},
               {"member", sort},
               {"size", bytes}});
        return *this;
    }
    void measure() { run(-1, Gaps::ReportedAtBegin, analysisOf("memory")); }
};

} // namespace

class ResidentMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void eachSortOfEachAddressSpaceIsACurve()
    {
        MemoryScript s;
        s.size(1, 77, true, Anonymous, 4096).size(2, 77, true, Anonymous, 8192).size(3, 77, true, File, 12'288);
        s.size(4, 88, true, Shared, 4096, 21, 20).size(5, 77, true, Swap, 4096);
        s.measure();
        QCOMPARE(seriesOf(s.store()),
                 "mm:77/anonymous (p10 (10), resident-memory), mm:77/file (p10 (10), resident-memory), "
                 "mm:77/swap (p10 (10), resident-memory), mm:88/shared (p20 (20), resident-memory)");
        QCOMPARE(integersOf(s.store(), "mm:77/anonymous"), "1=4096 2=8192");
        QCOMPARE(integersOf(s.store(), "mm:77/file"), "3=12288");
        QCOMPARE(s.store().counters().series()[0].unit, "B");
    }

    /// Property: a thread that changes another process' memory size is not the owner of this memory.
    void anAddressSpaceIsItsOwners()
    {
        MemoryScript s;
        s.size(1, 77, false, Anonymous, 8192, 5, 5).size(2, 77, true, Anonymous, 4096).size(3, 88, false, Anonymous, 8192, 5, 5);
        s.measure();
        QCOMPARE(seriesOf(s.store()), "mm:77/anonymous (p10 (10), resident-memory), mm:88/anonymous (address space 88, resident-memory)");
        QCOMPARE(integersOf(s.store(), "mm:77/anonymous"), "1=8192 2=4096");
    }

    void sortsThatNobodyKnowsAreLeftOut()
    {
        MemoryScript s;
        s.size(1, 77, true, 4, 4096).size(2, 77, true, -1, 4096).size(3, 77, true, File, -4096);
        s.measure();
        QCOMPARE(seriesOf(s.store()), "mm:77/file (p10 (10), resident-memory)");
        QCOMPARE(integersOf(s.store(), "mm:77/file"), "3=-4096"); // A negative size is kept as recorded.
    }

    void otherEventsHaveNoSizes()
    {
        KernelScript s;
        s.event(1, 0, "kmem_kmalloc", {{"size", 5}}).event(2, 0, "rss_stat", {{"something", 5}});
        s.run(-1, KernelScript::Gaps::ReportedAtBegin, analysisOf("memory"));
        QCOMPARE(seriesOf(s.store()), "");
    }
};

HELIO_TEST(ResidentMemoryTest)
#include "tst_resident_memory.moc"
