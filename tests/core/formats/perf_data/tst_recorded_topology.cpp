// CPU topology. Input: feature sections of perf.data.

#include "tests/support/made_recording.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

using Lists = std::vector<std::string_view>;

MadeBytes listsOf(const MadeBytes& empty, const Lists& lists)
{
    MadeBytes bytes = empty;
    bytes.u32(lists.size());
    for (const std::string_view it : lists)
        bytes.counted(it);
    return bytes;
}

struct Cache {
    int level;
    std::string_view type;
    std::string_view cpus;
};

MadePerfData recording(const Lists& packages, const Lists& cores, const Lists& nodes, const std::vector<Cache>& caches,
                       ByteOrder order = ByteOrder::Little)
{
    MadePerfData made(order);
    made.addAttribute({});
    made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
    // The reader uses the position of the hostname's bit to find out whether the recorded bit set of features consists of words of 32 or 64
    // bits. The recording therefore contains a hostname.
    made.addFeature(3, made.make().counted("box"));
    made.addFeature(13, listsOf(made.make(), packages).raw(listsOf(made.make(), cores).bytes).u32(0).u32(0));
    MadeBytes memory = made.make().u32(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        memory.u32(10 * i).u64(1 << 20).u64(1 << 19).counted(nodes[i]);
    made.addFeature(14, memory);
    MadeBytes of = made.make().u32(1).u32(caches.size());
    for (const Cache& it : caches)
        of.u32(std::uint64_t(it.level)).u32(64).u32(1024).u32(8).counted(it.type).counted("512K").counted(it.cpus);
    made.addFeature(20, of);
    return made;
}

MadePerfData twoPackages(ByteOrder order = ByteOrder::Little)
{
    return recording({"0-3", "4,6"}, {"0-1", "2-3", "4,6"}, {"0-1", "2-3", "4,6"},
                     {{1, "Data", "0-1"}, {2, "Unified", "0-1"}, {2, "Unified", "2,3"}, {3, "Unified", "0-3"}, {2, "Instruction", "0-3"}},
                     order);
}

const std::vector<CpuLocation> TwoPackages{
    {0, 0, 1, 3, 0, 0}, {1, 0, 1, 3, 0, 0}, {2, 1, 2, 3, 0, 10}, {3, 1, 2, 3, 0, 10}, {4, 2, -1, -1, 1, 20}, {}, {6, 2, -1, -1, 1, 20}};

CpuTopology topologyIn(const MadePerfData& made)
{
    const auto trace = openedRecording(made);
    const CpuTopology* const topology = trace->topology();
    return topology ? *topology : CpuTopology();
}

} // namespace

class RecordedTopologyTest : public QObject {
    Q_OBJECT

private slots:
    void coresCachesPackagesAndNodesAreKnown_data()
    {
        QTest::addColumn<bool>("isBig");
        QTest::newRow("little endian") << false;
        QTest::newRow("big endian") << true;
    }
    void coresCachesPackagesAndNodesAreKnown()
    {
        QFETCH(bool, isBig);
        const CpuTopology topology = topologyIn(twoPackages(isBig ? ByteOrder::Big : ByteOrder::Little));
        QVERIFY(topology.cpus == TwoPackages);
        QVERIFY(topology.hasCaches);
        QCOMPARE(topology.distance(0, 1), CpuDistance::SameCore);
        QCOMPARE(topology.distance(0, 2), CpuDistance::SameL3);
        QCOMPARE(topology.distance(0, 6), CpuDistance::OtherPackage);
    }

    void whatNoMachineHasSaysNothing_data()
    {
        QTest::addColumn<QByteArray>("list");
        for (const char* list : {"1-0", "0-65536", "0-4294967295", "99999999999", "x", "-1", "1-", "3,2", "0-5,5", " 0", ","})
            QTest::newRow(list) << QByteArray(list);
    }
    void whatNoMachineHasSaysNothing()
    {
        QFETCH(QByteArray, list);
        const CpuTopology topology = topologyIn(recording({list.constData()}, {}, {}, {}));
        const bool isPartRight = list == "3,2" || list == "0-5,5"; // Elements before the invalid element are used.
        QCOMPARE(topology.isEmpty(), !isPartRight);
        QVERIFY(!topology.hasCaches);
    }

    /// Property: the parser limits the number of CPU numbers that it reads from all lists together, so that the cost does not grow with the
    /// file.
    void manyListsOfAllCpusEndSoon()
    {
        const Lists lists(20'000, "0-65535");
        const CpuTopology topology = topologyIn(recording(lists, {}, {}, {}));
        QCOMPARE(topology.cpus.size(), std::size_t(65'536));
        QVERIFY(topology.cpus.front().package < 20);
    }

    void aPipeThatRepeatsItIsListenedToOnce()
    {
        MadePerfData made;
        made.addAttribute({});
        const auto add = [&made](std::string_view list, int times) {
            const MadeBytes packages = listsOf(made.make().u64(13), Lists(std::size_t(times), list));
            made.add(80, 0, made.make().raw(packages.bytes).u32(0));
        };
        add("0-1", 1);
        for (int i = 0; i < 20'000; ++i)
            add("0-65535", 9); // All repetitions must be ignored: reading their CPU lists would take minutes.
        made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);

        const auto trace = openedRecording(made.pipe());
        QVERIFY(trace->topology());
        QCOMPARE(trace->topology()->cpus.size(), std::size_t(2));
    }

    void whatIsCutIsLeftOut()
    {
        const MadePerfData whole = twoPackages();
        MadeBytes bytes = listsOf(whole.make(), {"0-3", "4,6"});
        for (qsizetype size = 0; size < bytes.bytes.size(); ++size) {
            MadePerfData made;
            made.addAttribute({});
            made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
            made.addFeature(13, made.make().raw(bytes.bytes.left(size)));
            const CpuTopology topology = topologyIn(made);
            QCOMPARE(topology.cpus.size(), size < 4 + 4 + 64 ? std::size_t(0) : std::size_t(4));
        }
    }

    void whereNothingIsRecordedNothingIsKnown()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
        QVERIFY(!openedRecording(made)->topology());
    }
};

HELIO_TEST(RecordedTopologyTest)
#include "tst_recorded_topology.moc"
