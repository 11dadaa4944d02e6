// Property: waits for kernel locks are stored as samples, with the stacks at which the waits began.

#include "core/analyses/sampling/off_cpu.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_recording.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace helio;
using namespace helio::test;

namespace {

/// Test analysis: passes contention events to sampling::LockWaits. Each event counts as a sample, numbered from 1; the event's context has
/// the TID.
class Waits final : public Analysis {
public:
    Waits(const Trace& trace, StateSink& sink)
        : m_trace(trace)
        , m_waits(sink.samples())
    {
    }
    void begin(HostTimestamp) override { }
    void onEvents(const EventRun& run) override
    {
        for (const EventRecord& record : run.records) {
            const EventType& type = m_trace.eventTypes()[record.type];
            const EventView event{&record, &type, run.packet, run.stream};
            HostSample sample;
            sample.time = record.time;
            sample.event = ++m_events;
            sample.cpu = event.cpu();
            const auto tid = FieldRef(type, Section::EventContext, "tid").integerOr(event, -1);
            if (const auto fields = sampling::ContentionFields::of(type))
                m_waits.take(sample, static_cast<std::int32_t>(tid), *fields, event);
        }
    }
    void onLoss(const Loss&) override { m_waits.forget(); }
    void finish(HostTimestamp) override { }

private:
    const Trace& m_trace;
    sampling::LockWaits m_waits;
    std::uint64_t m_events = 0;
};

class WaitsKind final : public AnalysisKind {
public:
    std::string_view id() const override { return "waits"; }
    int version() const override { return 1; }
    std::span<const TrackView> views() const override { return {}; }
    bool appliesTo(const Trace&) const override { return true; }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<Waits>(input.trace, sink);
    }
};

class ContentionScript : public KernelScript {
public:
    ContentionScript& begin(std::int64_t at, int tid, std::int64_t lock, int cpu = 0)
    {
        return add(at, cpu, tid, lock, "lock:contention_begin");
    }
    ContentionScript& end(std::int64_t at, int tid, std::int64_t lock, int cpu = 0)
    {
        return add(at, cpu, tid, lock, "lock:contention_end");
    }

    /// Samples as text, sorted by the waits' ends: "lock-wait 10+5 of event 1".
    QStringList sampleLines()
    {
        run(1'000, Gaps::ReportedAtBegin, WaitsKind());
        const SampleSet& samples = store().samples();
        QStringList all;
        for (std::uint32_t kind = 0; kind < samples.kinds().size(); ++kind)
            samples.visit(SampleKindId(kind), {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSample> some) {
                for (const HostSample& it : some)
                    all << QString("%1 %2+%3 of event %4")
                               .arg(samples.kinds()[kind].name.c_str())
                               .arg(nanoseconds(it.time))
                               .arg(it.weight)
                               .arg(it.event);
            });
        return all;
    }

private:
    ContentionScript& add(std::int64_t at, int cpu, int tid, std::int64_t lock, const char* name)
    {
        event(at, cpu, name, {{"$tid", tid}, {"lock_addr", lock}});
        return *this;
    }
};

} // namespace

class LockWaitsTest : public QObject {
    Q_OBJECT

private slots:
    void aWaitHasTheStackThatItBeganWith()
    {
        ContentionScript s;
        s.begin(10, 7, 0xa).begin(12, 8, 0xa).end(15, 7, 0xa).begin(16, 8, 0xb).end(18, 8, 0xb).end(30, 8, 0xa);
        QCOMPARE(s.sampleLines(), QStringList({"lock-wait 10+5 of event 1", "lock-wait 16+2 of event 4", "lock-wait 12+18 of event 2"}));
    }

    /// Property: a thread that first spins for a lock and then sleeps has one wait.
    void aWaitGoesOnWhereItBeginsOnceMore()
    {
        ContentionScript s;
        s.begin(10, 7, 0xa).begin(14, 7, 0xa).end(20, 7, 0xa).end(25, 7, 0xa);
        QCOMPARE(s.sampleLines(), QStringList("lock-wait 10+10 of event 1"));
    }

    void idleThreadsWaitEachForItself()
    {
        ContentionScript s;
        s.begin(10, 0, 0xa, 0).begin(12, 0, 0xa, 3).end(15, 0, 0xa, 0).end(20, 0, 0xa, 3);
        QCOMPARE(s.sampleLines(), QStringList({"lock-wait 10+5 of event 1", "lock-wait 12+8 of event 2"}));
    }

    void whatIsNotKnownIsNone()
    {
        ContentionScript s;
        s.end(5, 7, 0xa).begin(10, 7, 0xa).loss(0, 20, 30);
        s.end(40, 7, 0xa); // Ignored: the wait began before the lost events.
        // Ignored: threads with TID 0 are idle threads, and the wait begins on CPU 0 but ends on CPU 1.
        s.begin(50, 0, 0xa, 0).end(55, 0, 0xa, 1);
        s.begin(60, 7, 0xa); // This wait does not end in the trace.
        QCOMPARE(s.sampleLines(), QStringList());
        QVERIFY(s.store().samples().kinds().empty());
    }

    /// Property: in a recording, the samples of kind "lock-wait" equal the waits that the lock analysis finds. Another test compares those
    /// waits with perf's counts.
    void recordedOnesAreThoseOfTheLocks()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/perflock-contention.data");
        const auto trace = openPerfData(path.toStdString());
        QVERIFY(trace);
        const auto stores = storesOf(*trace, {"sampling", "locks"});
        using Waits = std::multiset<std::tuple<HostTimestamp, std::uint64_t, std::int32_t>>;
        Waits sampled, known;
        const SampleSet& samples = stores[0]->samples();
        const auto kind = std::ranges::find(samples.kinds(), "lock-wait", &SampleKind::name);
        QVERIFY(kind != samples.kinds().end());
        const HostRange all{HostTimestamp::min(), HostTimestamp::max()};
        samples.visit(SampleKindId(kind - samples.kinds().begin()), all, [&](std::span<const HostSample> some) {
            for (const HostSample& it : some)
                sampled.emplace(it.time, it.weight, stores[0]->tracks()[std::size_t(it.thread)].tid);
        });
        stores[1]->segments().visit(SegmentKindId{0}, all, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                if (it.length() > Duration(0))
                    known.emplace(it.begin, it.length().count(), stores[1]->tracks()[std::size_t(it.track)].tid);
        });
        QVERIFY(sampled.size() > 1000);
        QVERIFY(sampled == known);
    }
};

HELIO_TEST(LockWaitsTest)

#include "tst_lock_waits.moc"
