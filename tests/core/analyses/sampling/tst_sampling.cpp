// The sampling analysis. Input: synthetic samples. Results: sampled threads, tick marks of samples on their rows, and stacks in the store.

#include "tests/support/made_recording.h"
#include "tests/support/made_timeline.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

std::shared_ptr<const Store> indexed(const MadePerfData& made) { return storesOf(*openedRecording(made), {"sampling"}).front(); }

TrackId trackOf(const Store& store, std::string_view key)
{
    for (std::uint32_t i = 0; i < store.tracks().size(); ++i)
        if (store.tracks()[i].key == key)
            return TrackId{i};
    return NoTrack;
}

/// Returns the number of samples that the tick marks of a kind stand for below the row `row`, queried at a resolution.
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

class SamplingTest : public QObject {
    Q_OBJECT

private slots:
    void ticksCountSamplesAtAnyZoom()
    {
        MadePerfData made;
        made.addAttribute({});
        for (const std::uint64_t at : {1000, 1000, 1000, 1001, 50'000})
            made.addSample(0x1000, 10, 11, at, 1, 7, InUser);
        made.addSample(0xffff1000, 10, 11, 60'000, 1, 7, InKernel);
        made.addSample(0x1000, 20, 20, 70'000, 0, 7, InUser);

        const auto store = indexed(made);

        for (const std::int64_t resolution : {1, 10, 1000, 100'000}) {
            QCOMPARE(ticks(*store, "tid:11", "samples-user", Duration(resolution)), std::uint64_t(5));
            QCOMPARE(ticks(*store, "tid:11", "samples-kernel", Duration(resolution)), std::uint64_t(1));
            QCOMPARE(ticks(*store, "cpu:1", "samples-user", Duration(resolution)), std::uint64_t(5));
            QCOMPARE(ticks(*store, "cpu:0", "samples-user", Duration(resolution)), std::uint64_t(1));
        }
    }

    /// Property: all samples of a TID are on one track, even if the TID was reused: the sampling analysis alone cannot tell the threads
    /// apart.
    void allLivesOfATidAreOneTrack()
    {
        const auto store = indexed(makeReusedTidRecording());

        const auto threads = store->tracksOf(TrackRole::SampledThread, 20);
        QCOMPARE(threads.size(), std::size_t(1));
        const Track& track = store->tracks()[static_cast<std::size_t>(threads.front())];
        QCOMPARE(track.view, std::string());
        QCOMPARE(track.pid, 20);
        QCOMPARE(store->tracksOf(TrackRole::SampledThread, 10).size(), std::size_t(1));
        QCOMPARE(store->tracksOf(TrackRole::SampledCpu, 0).size(), std::size_t(1));
        QCOMPARE(ticks(*store, "tid:20", "samples-user", Duration(1)), std::uint64_t(2));
        QCOMPARE(ticks(*store, "tid:20", "samples-kernel", Duration(1)), std::uint64_t(1));
        QCOMPARE(ticks(*store, "cpu:0", "samples-user", Duration(1)), std::uint64_t(5));
    }

    void aRecordingWithoutSamplesIsNotAnalysed()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
        QVERIFY(analysisOf("sampling").appliesTo(*openedRecording(made)));
        QVERIFY(!analysisOf("sampling").appliesTo(MadeTrace()));
        QVERIFY(analysisOf("sampling").needs().empty());
    }

    void tracepointsThatWereSampledSayNothingOfTimesOffTheCpu_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("hasTimes");
        QTest::newRow("sampled") << "sched-sampled.data" << false;
        QTest::newRow("all recorded") << "sched-every.data" << true;
    }
    void tracepointsThatWereSampledSayNothingOfTimesOffTheCpu()
    {
        QFETCH(QString, file);
        QFETCH(bool, hasTimes);
        HELIO_REQUIRE_TRACE(path, "perf-cases", file);
        const auto trace = openPerfData(path.toStdString());
        QVERIFY(trace);

        const auto store = storesOf(*trace, {"sampling"}).front();

        const auto isOffCpu = [](const SampleKind& kind) { return kind.origin == SampleKind::Origin::OffCpu; };
        QCOMPARE(std::ranges::any_of(store->samples().kinds(), isOffCpu), hasTimes);
    }

    void aSampleHasItsThreadPeriodAndMode()
    {
        MadePerfData made;
        made.addAttribute({});
        made.addSample(0x1000, 10, 11, 1000, 1, 7, InUser);
        made.addSample(0x2000, 0, 0, 2000, 0, 9, InKernel);

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
        QCOMPARE(node.frame().address, std::uint64_t(0x1000)); // Nothing was mapped at this address.
        QCOMPARE(node.frame().module, UnknownModule);
        QCOMPARE(node.parent(), NoStack);
    }

    /// Property: a stack counts as cut if the recorded chain from which it is made has the maximum length. This is the call chain that the
    /// kernel recorded, or the processor's call records (LBR) if they replace the user part of the call chain.
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
        constexpr std::uint64_t Callchain = 0x20, BranchStack = 0x800, CallStack = 1 << 11;
        MadePerfData made;
        MadeAttribute attribute;
        attribute.sampleType |= Callchain | BranchStack;
        attribute.branchType = CallStack;
        made.addAttribute(attribute);
        MadeBytes body =
            made.make().u64(0x100).u32(7).u32(7).u64(100).u32(0).u32(0).u64(1).u64(std::uint64_t(chain)).u64(callchain::Kernel);
        for (int i = 1; i < chain; ++i)
            body.u64(hasUser && i == 3 ? callchain::User : 0xffffffff81000000 + std::uint64_t(i));
        body.u64(std::uint64_t(calls));
        for (int i = 0; i < calls; ++i)
            body.u64(0x400 + std::uint64_t(i)).u64(0x300).u64(0);
        made.add(9, InKernel, body);
        std::vector<bool> cut;
        indexed(made)->samples().visit(SampleKindId{}, {hostTime(0), hostTime(10'000)}, [&](std::span<const HostSample> part) {
            for (const HostSample& sample : part)
                cut.push_back(sample.isCut);
        });
        QCOMPARE(cut, std::vector<bool>{isCut});
    }
};

HELIO_TEST(SamplingTest)
#include "tst_sampling.moc"
