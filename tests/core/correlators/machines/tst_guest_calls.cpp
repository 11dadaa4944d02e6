// Durations of a guest's functions. Property: time in which the vCPU did not run does not count.

#include "core/event_model/call_stacks.h"
#include "core/profiling/calls/call_durations.h"
#include "core/profiling/calls/call_facts.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/state_causes.h"
#include "core/virtualization/steal_time_clock.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::uint64_t Outer = 0x100, Inner = 0x200; ///< Addresses of the two functions.

/// Makes the calls of thread 7: the outer function, from 50 to 350, calls the inner one from 210 to 320. The vCPU does not run from 205
/// to 300.
std::shared_ptr<const Store> callsOfSeven()
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    SegmentKind kind{"call", "Calls", "Function", "Self", "ns"};
    kind.hasFrames = true;
    kind.areCalls = true;
    const SegmentKindId calls = *builder->segments().addKind(kind);
    const StateSetId states = *builder->stateSet(calls::callStates());
    Track thread;
    thread.view = "call-stack";
    thread.key = "calls:7";
    thread.label = "t7";
    thread.role = TrackRole::Group;
    thread.tid = 7;
    thread.pid = 7;
    thread.parent = NoTrack;
    thread.states = states;
    const TrackId row = builder->addTrack(thread);
    const StackId outer = builder->stacks().stack(NoStack, {ModuleId{}, false, Outer});
    const StackId inner = builder->stacks().stack(outer, {ModuleId{}, false, Inner});
    const auto add = [&](int depth, std::int64_t begin, std::int64_t end, std::int64_t self, StackId stack) {
        Track of = thread;
        of.key += "/" + std::to_string(depth);
        of.label = std::to_string(depth);
        of.role = TrackRole::Other;
        of.kind = "depth";
        of.valueKind = ValueKind::Frame;
        of.parent = row;
        builder->segments().add({hostTime(begin), hostTime(end), self, static_cast<StringId>(stack), builder->addTrack(of), calls});
    };
    add(1, 50, 350, 190, outer);
    add(2, 210, 320, 110, inner);
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(400)};
    return *builder->finish(summary);
}

struct Guests {
    Both both;
    const Timeline& timeline;
    Guests()
        : timeline((both.made.addStore(1, callsOfSeven()), both.made.withRows()))
    {
    }
};

/// Returns the self times of functions as text: "outer 190 inner 110". For the time that a function spent in a state, the state follows the
/// function's name after a slash.
QString weightsOf(const Timeline& timeline, const char* kind)
{
    SampleFilter filter;
    filter.kinds = {kind};
    const StackProfile profile = collectStacks(timeline, filter);
    std::map<QString, std::uint64_t> sums;
    for (const CollectedStack& stack : profile.stacks) {
        QString name;
        for (std::uint32_t node = stack.node; node != 0; node = profile.nodes[node].parent) {
            const CollectedNode& it = profile.nodes[node];
            if (it.text == 0) {
                name = (it.frame.address == Outer ? "outer" : "inner") + name;
                break;
            }
            name = "/" + QString::fromStdString(profile.texts[it.text].words) + name;
        }
        sums[name] += stack.weight;
    }
    QStringList all;
    for (const auto& [name, ns] : sums)
        if (ns > 0)
            all << name + ' ' + QString::number(ns);
    return all.join(", ");
}

} // namespace

class GuestCallsTest : public QObject {
    Q_OBJECT

private slots:
    void theFlameGraphHasTheirTimeAsRecordedAndAsItWas()
    {
        const Guests guests;
        QCOMPARE(weightsOf(guests.timeline, "call"), QString("inner 110, outer 190"));
        QCOMPARE(weightsOf(guests.timeline, "call:cpu"), QString("inner 110, outer 190"));
        QCOMPARE(weightsOf(guests.timeline, "call:ran"), QString("inner 20, outer 185"));
        QCOMPARE(weightsOf(guests.timeline, "call:states"),
                 QString("inner/running 20, inner/stolen/vm:b/vcpu:0 t8 (8), t9 (9) 90, "
                         "outer/running 185, outer/stolen/vm:b/vcpu:0 t8 (8), t9 (9) 5"));
    }

    void withoutMachinesNothingIsStolen()
    {
        MadeMachines made;
        made.addStore(made.add(guest(7), "a", 400), callsOfSeven());
        const Timeline& timeline = made.timeline();
        QStringList names;
        for (const CallKind& it : callKinds(timeline))
            names << QString::fromStdString(it.facts.kind.name);
        QCOMPARE(names.join(' '), QString("call call:cpu call:states"));
    }

    void functionsHaveTheirTimesAsTheirKindWeighs()
    {
        const Guests guests;
        const auto onCpu = [&](const char* kind) {
            SampleFilter filter;
            filter.kinds = {kind};
            Duration sum{};
            for (const CallDurations& it : callDurations(guests.timeline, filter, true))
                sum += it.onCpu.value();
            return sum.count();
        };
        QCOMPARE(onCpu("call:cpu"), 300 + 110);
        QCOMPARE(onCpu("call:ran"), 205 + 20);
    }

    void aCallSaysWhatWasStolenOfIt()
    {
        const Guests guests;
        int seen = 0;
        forEachSegment(guests.timeline, "call", {Timestamp::min(), Timestamp::max()}, [&](const Segment& call) {
            const CallTime time = callTime(guests.timeline, call);
            const bool isOuter = lengthOf(call.range).count() == 300;
            QCOMPARE(time.onCpu->count(), isOuter ? 300 : 110);
            QCOMPARE(time.stolen.count(), isOuter ? 95 : 90);
            QCOMPARE(time.states.size(), std::size_t(2));
            QCOMPARE(QString::fromStdString(time.states[isOuter ? 1 : 0].state.name), QString("stolen"));
            ++seen;
        });
        QCOMPARE(seen, 2);
    }

    /// Input: thread 9 of the guest is woken at 150 and gets the guest's CPU at 350. From 205 to 300, the vCPU does not run. Property: this
    /// part of the thread's wait for a CPU is steal time.
    void aWaitForACpuIsStolenOfWhereTheVcpuWasAway()
    {
        MadeMachines made;
        const auto of = made.add(host(), "nest", 400);
        auto inside = std::make_shared<KvmScript>();
        inside->sw(6, 0, 0, 0, 7);
        inside->waking(150, 0, 9, 0);
        inside->sw(350, 0, 7, 0, 9);
        inside->sw(395, 0, 9, 1, 0);
        const auto guest = made.add(inside, "a", 400);
        made.addHypercall(of, 20, guest);
        const Timeline& timeline = made.withRows();
        const TrackRef waiter = threadRow(timeline, guest, 9, timestamp(360));
        StealTimeClock clock(timeline);
        QCOMPARE(clock.ofWait(waiter, {timestamp(150), timestamp(350)}), Duration(95));
        QCOMPARE(clock.ofWait(waiter, {timestamp(250), timestamp(350)}), Duration(50));
        QCOMPARE(clock.ofThread(waiter, {timestamp(150), timestamp(395)}), Duration(0));
        QCOMPARE(clock.ofThread(threadRow(timeline, guest, 7, timestamp(10)), {timestamp(6), timestamp(350)}), Duration(95));
    }
};

HELIO_TEST(GuestCallsTest)
#include "tst_guest_calls.moc"
