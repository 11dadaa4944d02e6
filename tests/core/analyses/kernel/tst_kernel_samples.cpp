// What the kernel's analysis makes of samples: ticks on rows, and stacks in the store.

#include "tests/support/indexed.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

constexpr std::uint16_t Kernel = 1;
constexpr std::uint16_t User = 2;

std::shared_ptr<const Store> indexed(const MadePerfData& made)
{
    QTemporaryDir folder;
    QFile file(folder.filePath("perf.data"));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write");
    file.write(made.file());
    file.close();
    const auto trace = openPerfData(folder.filePath("perf.data").toStdString());
    if (!trace)
        qFatal("cannot open");
    const auto result = test::indexed(*trace, {&test::analysisOf("kernel")});
    if (!result)
        qFatal("%s", result.error().what.c_str());
    return result->stores.front();
}

TrackId trackOf(const Store& store, std::string_view key)
{
    for (std::uint32_t i = 0; i < store.tracks().size(); ++i)
        if (store.tracks()[i].key == key)
            return TrackId{i};
    return NoTrack;
}

/// How many ticks of a kind a row shows in all, at a resolution.
std::uint64_t ticks(const Store& store, std::string_view row, std::string_view kind, Duration resolution)
{
    std::uint64_t count = 0;
    for (const TrackId child : store.childrenOf(trackOf(store, row))) {
        if (store.tracks()[static_cast<std::size_t>(child)].kind != kind)
            continue;
        HostSpans spans;
        store.spans(child, {hostTime(0), hostTime(1'000'000)}, resolution, spans);
        for (const HostSpan& span : spans.spans)
            count += span.count;
    }
    return count;
}

} // namespace

class KernelSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void ticksCountSamplesAtAnyZoom()
    {
        MadePerfData made;
        made.addAttribute({});
        for (const std::uint64_t at : {1000, 1000, 1000, 1001, 50'000})
            made.addSample(0x1000, 10, 11, at, 1, 7, User);
        made.addSample(0xffff1000, 10, 11, 60'000, 1, 7, Kernel);
        made.addSample(0x1000, 20, 20, 70'000, 0, 7, User);

        const auto store = indexed(made);

        for (const std::int64_t resolution : {1, 10, 1000, 100'000}) {
            QCOMPARE(ticks(*store, "tid:11", "samples-user", Duration(resolution)), std::uint64_t(5));
            QCOMPARE(ticks(*store, "tid:11", "samples-kernel", Duration(resolution)), std::uint64_t(1));
            QCOMPARE(ticks(*store, "cpu:1", "samples-user", Duration(resolution)), std::uint64_t(5));
            QCOMPARE(ticks(*store, "cpu:0", "samples-user", Duration(resolution)), std::uint64_t(1));
        }
    }

    void sampledThreadsLiveFromTheirForkToTheirExit()
    {
        constexpr std::uint32_t Comm = 3, Exit = 4, Fork = 7;
        MadePerfData made;
        made.addAttribute({});
        const auto life = [&](std::uint32_t type, std::uint32_t pid, std::uint32_t parent, std::uint64_t at) {
            made.add(type, 0, made.trailer(made.make().u32(pid).u32(parent).u32(pid).u32(parent).u64(at), parent, parent, at, 0));
        };
        made.addSample(0x1000, 10, 10, 1000, 0, 7, User);
        made.add(Comm, 0, made.trailer(made.make().u32(10).u32(10).text("shell"), 10, 10, 1100, 0));
        life(Fork, 20, 10, 2000);
        made.addSample(0x1000, 20, 20, 3000, 0, 7, User);
        life(Exit, 20, 10, 4000);
        made.addSample(0x1000, 20, 20, 4100, 0, 7, Kernel); // On its way out.
        life(Fork, 20, 10, 6000); // The number again.
        made.add(Comm, 0, made.trailer(made.make().u32(20).u32(20).text("second"), 20, 20, 6100, 0));
        made.addSample(0x1000, 20, 20, 7000, 0, 7, User);
        made.addSample(0x1000, 10, 10, 9000, 0, 7, User);

        const auto store = indexed(made);

        const auto lifeOf = [&](std::string_view key) { return store->tracks()[static_cast<std::size_t>(trackOf(*store, key))].life; };
        const auto labelOf = [&](std::string_view key) { return store->tracks()[static_cast<std::size_t>(trackOf(*store, key))].label; };
        QCOMPARE(lifeOf("tid:10"), (HostRange{hostTime(1000), hostTime(9000)}));
        QCOMPARE(lifeOf("tid:20"), (HostRange{hostTime(2000), hostTime(4101)}));
        QCOMPARE(lifeOf("tid:20#2"), (HostRange{hostTime(6000), hostTime(9000)}));
        QCOMPARE(labelOf("tid:20"), std::string("shell"));
        QCOMPARE(labelOf("tid:20#2"), std::string("second"));
        QCOMPARE(ticks(*store, "tid:20", "samples-user", Duration(1)), std::uint64_t(1));
        QCOMPARE(ticks(*store, "tid:20", "samples-kernel", Duration(1)), std::uint64_t(1));
        QCOMPARE(ticks(*store, "tid:20#2", "samples-user", Duration(1)), std::uint64_t(1));
    }

    void aSampleHasItsThreadPeriodAndMode()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(0x1000, 10, 11, 1000, 1, 7, User);
        made.addSample(0x2000, 0, 0, 2000, 0, 9, Kernel);

        const auto store = indexed(made);

        std::vector<HostSample> all;
        store->samples().visit(SampleKindId{}, {hostTime(0), hostTime(10'000)},
                               [&](std::span<const HostSample> part) { all.insert(all.end(), part.begin(), part.end()); });
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].thread, trackOf(*store, "tid:11"));
        QCOMPARE(all[0].weight, std::uint64_t(7));
        QCOMPARE(all[0].mode, CodeMode::User);
        QCOMPARE(all[0].cpu, 1);
        QVERIFY(!all[0].isIdle);
        QVERIFY(all[1].isIdle);
        QCOMPARE(all[1].thread, NoTrack);
        QCOMPARE(all[1].event, std::uint64_t(1));
        const StackNode& node = store->stacks().nodes()[static_cast<std::size_t>(all[0].stack)];
        QCOMPARE(node.frame().address, std::uint64_t(0x1000)); // Nothing was mapped there.
        QCOMPARE(node.frame().module, UnknownModule);
        QCOMPARE(node.parent(), NoStack);
    }

    /// A chain without a user part makes no use of the calls that the processor kept of user code.
    void callsThatAreNotUsedDoNotSayWhetherAStackIsWhole_data()
    {
        QTest::addColumn<int>("chain");
        QTest::addColumn<int>("calls");
        QTest::addColumn<bool>("hasUser");
        QTest::addColumn<bool>("isCut");
        QTest::newRow("a full chain") << 127 << 2 << false << true;
        QTest::newRow("full calls") << 5 << 32 << false << false;
        QTest::newRow("a full chain whose user part is the calls") << 127 << 2 << true << false;
        QTest::newRow("full calls as the user part") << 5 << 32 << true << true;
    }
    void callsThatAreNotUsedDoNotSayWhetherAStackIsWhole()
    {
        QFETCH(int, chain);
        QFETCH(int, calls);
        QFETCH(bool, hasUser);
        QFETCH(bool, isCut);
        constexpr std::uint64_t Callchain = 0x20, BranchStack = 0x800, InKernel = -128ull, InUser = -512ull, CallStack = 1 << 11;
        MadePerfData made;
        MadeAttribute attribute;
        attribute.sampleType |= Callchain | BranchStack;
        attribute.branchType = CallStack;
        made.addAttribute(attribute);
        MadeBytes body = made.make().u64(0x100).u32(7).u32(7).u64(100).u32(0).u32(0).u64(1).u64(std::uint64_t(chain)).u64(InKernel);
        for (int i = 1; i < chain; ++i)
            body.u64(hasUser && i == 3 ? InUser : 0xffffffff81000000 + std::uint64_t(i));
        body.u64(std::uint64_t(calls));
        for (int i = 0; i < calls; ++i)
            body.u64(0x400 + std::uint64_t(i)).u64(0x300).u64(0);
        made.add(9, Kernel, body);
        std::vector<bool> cut;
        indexed(made)->samples().visit(SampleKindId{}, {hostTime(0), hostTime(10'000)}, [&](std::span<const HostSample> part) {
            for (const HostSample& sample : part)
                cut.push_back(sample.isCut);
        });
        QCOMPARE(cut, std::vector<bool>{isCut});
    }
};

HELIO_TEST(KernelSamplesTest)
#include "tst_kernel_samples.moc"
