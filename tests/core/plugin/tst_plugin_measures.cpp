#include "core/plugin/plugin_analysis.h"
#include "core/trace/process/recorded_names.h"
#include "tests/support/fake_trace.h"
#include "tests/support/indexed.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

constexpr HostRange Always{HostTimestamp::min(), HostTimestamp::max()};

std::vector<std::shared_ptr<const AnalysisKind>> kindsOf(const char* name)
{
    const auto kinds = loadPlugin(std::string(PLUGINS "/") + name + ".so");
    if (!kinds)
        qFatal("%s", kinds.error().what.c_str());
    return *kinds;
}

/// Store of a trace with the numbers 5 at 10 ns, 20 at 30 and 7 at 60; at 40 it has an event of another type.
std::shared_ptr<const Store> measured()
{
    const test::FakeTrace trace({}, {"tick", "tock"}, {{{10, 5, 0, 2}, {30, 20, 0, 3}, {40, 99, 1, 2}, {60, 7, 0, 2}}});
    const auto kind = kindsOf("measures").front();
    const auto made = test::indexed(trace, {kind.get()});
    if (!made)
        qFatal("not indexed");
    return made->stores.front();
}

QString text(std::string_view it) { return QString::fromUtf8(it.data(), qsizetype(it.size())); }

QString pointsOf(const Store& store, CounterSeriesId series)
{
    QStringList all;
    const CounterNumber kind = store.counters().series()[std::size_t(series)].number;
    store.counters().visit(series, Always, [&](std::span<const CounterPoint> part) {
        for (const CounterPoint& it : part)
            all << QString("%1 %2").arg(nanoseconds(it.time)).arg(it.value.number(kind));
    });
    return all.join(", ");
}

/// Frames of a stack as text, innermost first.
QString stackOf(const Store& store, StackId stack)
{
    QStringList all;
    for (; stack != NoStack; stack = store.stacks().nodes()[std::size_t(stack)].parent()) {
        const StackFrame frame = store.stacks().nodes()[std::size_t(stack)].frame();
        const Module& module = store.modules()[std::size_t(frame.module)];
        const QString place = module.names ? text(module.names->at(frame.address).function)
                                           : QString::number(frame.address, 16) + (frame.isReturnAddress ? " returned to" : "");
        all << place + " in " + text(module.path);
    }
    return all.join(" < ");
}

QString samplesOf(const Store& store, SampleKindId kind)
{
    QStringList all;
    store.samples().visit(kind, Always, [&](std::span<const HostSample> part) {
        for (const HostSample& it : part) {
            const QString thread =
                it.thread == NoTrack ? QString(it.isIdle ? "idle" : "-") : QString::number(store.tracks()[std::size_t(it.thread)].tid);
            all << QString("%1 %2 event %3 thread %4 cpu %5 %6")
                       .arg(nanoseconds(it.time))
                       .arg(it.weight)
                       .arg(it.event)
                       .arg(thread)
                       .arg(it.cpu)
                       .arg(stackOf(store, it.stack));
        }
    });
    return all.join(", ");
}

} // namespace

class PluginMeasuresTest : public QObject {
    Q_OBJECT

private slots:
    void countersHoldIntegersAndReals()
    {
        const auto store = measured();
        const auto series = store->counters().series();
        QCOMPARE(series.size(), std::size_t(3));
        QCOMPARE(series[0],
                 (CounterSeries{"measures", "level", "Level", "B", CounterSeries::Kind::Gauge, CounterNumber::Integer, NoTrack}));
        QCOMPARE(series[1],
                 (CounterSeries{"measures", "half", "Half of it", "", CounterSeries::Kind::Gauge, CounterNumber::Real, NoTrack}));
        QCOMPARE(series[2], (CounterSeries{"", "total", "Total", "", CounterSeries::Kind::Accumulating, CounterNumber::Integer, NoTrack}));
        QCOMPARE(pointsOf(*store, CounterSeriesId{0}), QString("10 5, 30 20, 60 7"));
        QCOMPARE(pointsOf(*store, CounterSeriesId{1}), QString("10 2.5, 30 10, 60 3.5"));
        QCOMPARE(pointsOf(*store, CounterSeriesId{2}), QString("10 5, 30 25, 60 32"));
    }

    void samplesHaveStacksOfNamesAndOfAddresses()
    {
        const auto store = measured();
        const auto kinds = store->samples().kinds();
        QCOMPARE(kinds.size(), std::size_t(2));
        QCOMPARE(text(kinds[0].name + ' ' + kinds[0].unit), QString("steps B"));
        QVERIFY(!kinds[0].isTime && kinds[0].origin == SampleKind::Origin::Event);
        QCOMPARE(text(kinds[1].name + ' ' + kinds[1].unit), QString("busy ns"));
        QVERIFY(kinds[1].isTime);
        QCOMPARE(samplesOf(*store, SampleKindId{0}),
                 QString("10 5 event 0 thread 7 cpu 2 step in /lib/made.so < main in /bin/made, "
                         "30 20 event 1 thread 7 cpu 3 step in /lib/made.so < main in /bin/made, "
                         "60 7 event 3 thread 7 cpu 2 step in /lib/made.so < main in /bin/made"));
        QCOMPARE(samplesOf(*store, SampleKindId{1}),
                 QString("10 1000 event 0 thread idle cpu -1 1234 returned to in /bin/made, "
                         "30 1000 event 1 thread idle cpu -1 1234 returned to in /bin/made, "
                         "60 1000 event 3 thread idle cpu -1 1234 returned to in /bin/made"));
        const auto threads = store->tracksOf(TrackRole::SampledThread, 7);
        QCOMPARE(threads.size(), std::size_t(1));
        QCOMPARE(store->tracks()[std::size_t(threads[0])].pid, 5);
    }

    void segmentsHaveValues()
    {
        const auto store = measured();
        QCOMPARE(store->segments().kinds()[0], (SegmentKind{"leaps", "Leaps", "From", "Height", "m"}));
        QStringList all;
        store->segments().visit(SegmentKindId{0}, Always, [&](std::span<const HostSegment> part) {
            for (const HostSegment& it : part)
                all << QString("%1-%2 %3 %4")
                           .arg(nanoseconds(it.begin))
                           .arg(nanoseconds(it.end))
                           .arg(text(store->text(it.name)))
                           .arg(it.value);
        });
        QCOMPARE(all.join(", "), QString("10-10 low 5, 10-30 low 15, 30-60 high -13"));
    }

    /// Input: a plug-in that passes series, samples and stacks with invalid ids, and times that go back.
    void wildMeasuresDoNoHarm()
    {
        const test::FakeTrace trace({}, {"tick"}, {{{10, 5, 0}, {30, 20, 0}}});
        const auto kind = kindsOf("hostile").front();
        const auto made = test::indexed(trace, {kind.get()});
        QVERIFY(made);
        const Store& store = *made->stores.front();
        // The value that is not finite is dropped; points before the first point's time are moved to this time.
        QCOMPARE(pointsOf(store, CounterSeriesId{0}).count(','), 2);
        QCOMPARE(samplesOf(store, SampleKindId{0}),
                 QString("9 9 event 0 thread 9 cpu 9  in , 9 18446744073709551615 event 0 thread 7 cpu -1 , "
                         "9 18446744073709551615 event 1 thread 7 cpu -1 "));
    }

    void viewsAndTitlesAreAsTheyAreSaid()
    {
        const auto kinds = kindsOf("measures");
        QCOMPARE(kinds.size(), std::size_t(2));
        const TrackView& view = kinds[0]->views()[0];
        QVERIFY(view.shape == TrackView::Shape::Curves);
        QCOMPARE(text(view.one + ' ' + view.many + ' ' + view.nothing), QString("measure counters Nothing was measured."));
        const auto titleOf = [](const AnalysisKind& kind) { return text(static_cast<const PluginAnalysisKind&>(kind).title()); };
        QCOMPARE(titleOf(*kinds[0]), QString("Measures"));
        QCOMPARE(titleOf(*kinds[1]), QString("measures-not"));
        QCOMPARE(titleOf(*kindsOf("numbers").front()), QString("All numbers"));
    }
};

HELIO_TEST(PluginMeasuresTest)
#include "tst_plugin_measures.moc"
