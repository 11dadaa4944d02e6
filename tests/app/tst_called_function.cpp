// The function at the cursor, which several actions look for. Input: rows of sampled frames whose symbols are missing.

#include "app/gui/common/navigator.h"
#include "core/profiling/samples/sampled_code.h"
#include "core/query/rows/inlined_frames.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

/// A row of sampled frames. Its store names an inlined function, but the symbols from which that name came are no longer found.
struct FramesWithoutSymbols {
    FramesWithoutSymbols()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        Module program;
        program.path = "/nowhere/program";
        const ModuleId whole = builder->modules().add(program);
        const ModuleId inlined = builder->modules().add(makeInlinedPart(program));
        Track track;
        track.view = "sampled-stacks";
        track.key = "samples:1/1";
        track.states = *builder->stateSet({"sampled-stacks", {{"sampled"}}, {}});
        track.valueKind = ValueKind::Frame;
        const TrackId id = builder->addTrack(track);
        inlinedInCaller = builder->stacks().stack(builder->stacks().stack(NoStack, {whole, false, 0x100}), {inlined, false, 0x100});
        inlinedAlone = builder->stacks().stack(NoStack, {inlined, false, 0x200});
        builder->set(hostTime(0), id, State{}, std::uint32_t(inlinedInCaller));
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(100)};
        auto made = std::make_shared<Timeline>();
        addTrace(*made, {*builder->finish(summary)});
        row = {StoreIndex{}, id};
        timeline = std::move(made);
    }

    std::shared_ptr<const Timeline> timeline;
    TrackRef row;
    StackId inlinedInCaller{}, inlinedAlone{};
};

} // namespace

class CalledFunctionTest : public QObject {
    Q_OBJECT

private slots:
    void anInlinedFrameWithoutSymbolsHasNoFunction()
    {
        const FramesWithoutSymbols it;
        QVERIFY(!functionOfStack(*it.timeline, it.row.store, it.inlinedInCaller));
        QVERIFY(!functionOfStack(*it.timeline, it.row.store, it.inlinedAlone));
    }

    void aFunctionThatIsNotFoundIsReported()
    {
        const FramesWithoutSymbols it;
        ViewContext context;
        context.time().setFull(it.timeline->range);
        context.setTimeline(it.timeline);
        context.time().jump({.row = it.row, .cursor = timestamp(10)});
        Navigator navigator(context);
        QSignalSpy remarks(&navigator, &Navigator::remark);
        bool isTaken = false;
        navigator.findCalled([&](const SampledFunction&) { isTaken = true; });
        QTRY_COMPARE(remarks.count(), 1);
        QCOMPARE(remarks.front().front().toString(), QString("The function of this frame is unknown"));
        QVERIFY(!isTaken);
    }
};

HELIO_TEST(CalledFunctionTest)
#include "tst_called_function.moc"
