// Input: real recordings. Property: at each sample's time, the rows show exactly the sample's stack.

#include "core/correlation/correlator_registry.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/sampled_code.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/related/related.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/inlined_frames.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "tests/support/made_recording.h"
#include "tests/support/made_timeline.h"
#include "tests/support/opened_text.h"
#include "tests/support/perf_recording.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::string_view View = "sampled-stacks";

/// Rows of each thread's stack depths, outermost first, by the thread's key.
std::map<std::string, std::vector<TrackRef>> depthsOf(const Timeline& timeline)
{
    std::map<std::string, std::vector<TrackRef>> found;
    for (const Row& row : rows(timeline, View))
        if (row.valueKind == ValueKind::Frame)
            found[row.id.substr(0, row.id.find('/'))].push_back(row.ref);
    return found;
}

/// Functions that the rows show at a time; "?" for a frame without a name.
std::string shownAt(const Timeline& timeline, const std::vector<TrackRef>& depths, Timestamp at)
{
    std::string all;
    for (const TrackRef row : depths)
        for (const Interval& it : intervalAt(timeline, row, at)) {
            const std::string name = frameText(timeline, row.store, StackId{it.value});
            all += (name.starts_with("0x") || name.find("+0x") != std::string::npos ? "?" : name) + ';';
        }
    return all;
}

std::string expectedOf(const StackProfile& profile, const StackNames& names, std::uint32_t node)
{
    std::string all;
    for (; node != 0; node = profile.nodes[node].parent)
        for (const NamedFrame& frame : names.framesOf(node)) {
            const std::string& name = names.functions[static_cast<std::size_t>(frame.function)].name;
            all = (name.empty() ? "?" : name) + ';' + all;
        }
    return all;
}

/// Compares the rows with every sample; returns the number of samples compared.
std::size_t compareWithSamples(const Timeline& timeline)
{
    SampleFilter filter;
    filter.kinds = {cpuTimeKind(timeline)->name};
    const StackProfile profile = collectSingleSamples(timeline, filter);
    const StackNames names = nameStacks(profile, timeline);
    const auto depths = depthsOf(timeline);
    // Stack of the first sample of each thread at each time. If a thread has several samples at the same time, the rows show only the first
    // of them.
    std::map<std::pair<std::uint32_t, Timestamp>, std::uint32_t> first;
    for (const CollectedStack& it : profile.stacks)
        first.emplace(std::pair(it.thread, it.first), it.node);
    std::size_t compared = 0;
    for (const auto& [key, node] : first) {
        const SampledThread& thread = profile.threads[key.first];
        const auto found = depths.find("samples:" + std::to_string(thread.tid));
        if (thread.tid <= 0 || found == depths.end())
            continue;
        ++compared;
        const std::string shown = shownAt(timeline, found->second, key.second);
        const std::string expected = expectedOf(profile, names, node);
        if (shown != expected)
            qFatal("at %lld of %d: %s, not %s", static_cast<long long>(nanoseconds(key.second)), thread.tid, shown.c_str(),
                   expected.c_str());
    }
    return compared;
}

} // namespace

class SampledStacksTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: a recording without call chains. Property: a stack is the running function alone, and if a TID is reused, each thread with
    /// this TID has its own rows.
    void eachLifeOfAThreadHasRowsOfItsOwn()
    {
        const auto trace = openedRecording(makeReusedTidRecording());
        const auto stores = storesOf(*trace, {"kernel", "sampling"});
        Timeline timeline;
        addTrace(timeline, {stores.front(), trace});
        timeline.stores.push_back({0, stores[1], true});
        const auto kind = CorrelatorRegistry::builtin()->all()[*CorrelatorRegistry::builtin()->find(View)];
        QVERIFY(kind->appliesTo(timeline));
        const auto found = kind->make(timeline, {}, {});
        QVERIFY(found);
        QCOMPARE(found->rows.size(), std::size_t(1));
        QStringList shown;
        for (const Track& it : found->rows.front().store->tracks())
            shown << QString("%1 %2 %3").arg(it.key.c_str(), it.label.c_str()).arg(it.intervals);
        shown.sort();
        QCOMPARE(shown,
                 (QStringList{"pid:10 shell 0", "pid:20 second 0", "samples:10 shell 0", "samples:10/1 1 3", "samples:20 shell 0",
                              "samples:20#2 second 0", "samples:20#2/1 1 1", "samples:20/1 1 2"}));
    }

    /// Input: profiles with times that have no kind of CPU time. Property: their threads have rows, and each sample covers its own time,
    /// also the last one, with which the trace ends.
    void profilesWithTimesHaveRows_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("bars");
        QTest::addColumn<qint64>("end");
        const auto row = [](const char* title, const char* name, QByteArray text, const QStringList& bars, qint64 end) {
            QTest::newRow(title) << name << text.replace('\'', '"') << bars << end;
        };
        row("speedscope", "a.json",
            "{'$schema':'https://www.speedscope.app/file-format-schema.json','shared':{'frames':[{'name':'a'},{'name':'b'}]},'profiles':["
            "{'type':'sampled','name':'one','unit':'nanoseconds','startValue':0,'endValue':60,'samples':[[0],[0,1],[0]],'weights':[10,20,"
            "30]},"
            "{'type':'sampled','name':'two','unit':'nanoseconds','startValue':10,'endValue':15,'samples':[[1]],'weights':[5]}]}",
            {"samples:one/1 a 0-60", "samples:one/2 b 10-30", "samples:two/1 b 10-15"}, 60);
        row(".cpuprofile", "a.cpuprofile",
            "{'nodes':[{'id':1,'callFrame':{'functionName':'main'}}],'startTime':1,'endTime':9,'samples':[1,1],'timeDeltas':[1,3]}",
            {"samples:JavaScript/1 main 2000-9000"}, 9000);
        row("Firefox", "profile.json",
            "{'meta':{'startTime':0,'interval':2,'preprocessedProfileVersion':48},'threads':[{'name':'worker','pid':7,'tid':8,"
            "'stringArray':['f'],'samples':{'stack':[0,0],'time':[10,12]},'stackTable':{'prefix':[null],'frame':[0]},"
            "'frameTable':{'func':[0]},'funcTable':{'name':[0]}}]}",
            {"samples:8/1 f 10000000-12000001"}, 12'000'000);
    }
    void profilesWithTimesHaveRows()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(QStringList, bars);
        QFETCH(qint64, end);
        const OpenedText opened(text, name);
        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(qint64(nanoseconds(opened.facts().summary().range.end)), end);
        const auto with = withShownRows(*opened.timeline);
        QVERIFY(with && *with);
        QStringList shown;
        for (const auto& [thread, depths] : depthsOf(**with))
            for (std::size_t depth = 0; depth < depths.size(); ++depth)
                for (const Interval& it : intervals(**with, depths[depth], {Timestamp::min(), Timestamp::max()}))
                    shown << QString("%1/%2 %3 %4-%5")
                                 .arg(thread.c_str())
                                 .arg(depth + 1)
                                 .arg(frameText(**with, depths[depth].store, StackId{it.value}).c_str())
                                 .arg(nanoseconds(it.range.begin))
                                 .arg(nanoseconds(it.range.end));
        QCOMPARE(shown, bars);
    }

    /// Input: a thread that was renamed between samples, and after the last one. Property: its rows have its last name, as in Control
    /// flow.
    void rowsHaveTheLastNameAsControlFlowHas()
    {
        constexpr std::uint32_t Comm = 3;
        MadePerfData made;
        made.addAttribute({});
        const auto rename = [&](const char* name, std::uint64_t at) {
            made.add(Comm, 0, made.trailer(made.make().u32(10).u32(10).text(name), 10, 10, at, 0));
        };
        rename("perf-exec", 900);
        made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
        rename("pipe", 1100);
        made.addSample(0x1000, 10, 10, 2000, 0, 7, InUser);
        rename("main", 2100);
        made.addSample(0x1000, 10, 11, 3000, 0, 7, InUser);
        const auto trace = openedRecording(made);
        const auto stores = storesOf(*trace, {"kernel", "sampling"});
        Timeline timeline;
        addTrace(timeline, {stores.front(), trace});
        timeline.stores.push_back({0, stores[1], true});
        const auto found = CorrelatorRegistry::builtin()->all()[*CorrelatorRegistry::builtin()->find(View)]->make(timeline, {}, {});
        QVERIFY(found);
        std::map<std::string, std::string> labels;
        for (const Track& it : found->rows.front().store->tracks())
            labels[it.key] = it.label;
        for (const char* row : {"pid:10", "samples:10"}) {
            const auto label = labels.find(row);
            QVERIFY2(label != labels.end(), row);
            QCOMPARE(QString::fromStdString(label->second), QString("main"));
        }
    }

    /// Property: the rows show the addresses that perf script prints. Function names are unknown, because the binaries are missing, so each
    /// address counts as a function.
    void atEachSampleTheRowsSayWhatPerfScriptPrints()
    {
        const auto base = timelineOf("tests/fixtures/perf/fp.data");
        const auto with = withShownRows(*base);
        QVERIFY(with && *with);
        const auto depths = depthsOf(**with);
        QFile script(QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.script.txt"));
        QVERIFY(script.open(QIODevice::ReadOnly));
        static const QRegularExpression head(QStringLiteral("\\d+/(\\d+) +(\\d+)\\.(\\d{9}):"));
        int samples = 0;
        for (const QString& text : QString::fromUtf8(script.readAll()).split("\n\n", Qt::SkipEmptyParts)) {
            QStringList lines = text.split('\n', Qt::SkipEmptyParts);
            const auto match = head.match(lines.takeFirst());
            QVERIFY(match.hasMatch());
            const Timestamp at = timestamp(match.captured(2).toLongLong() * 1'000'000'000 + match.captured(3).toLongLong());
            QStringList shown;
            for (const TrackRef row : depths.at("samples:" + match.captured(1).toStdString()))
                for (const Interval& it : intervalAt(**with, row, at))
                    // Functions that were inlined in a library of this machine have no address of their own.
                    if (!isInlinedFrame(**with, row.store, StackId{it.value}))
                        shown.push_front(QString::number(storeAt(**with, row.store).stacks().nodes()[it.value].frame().address, 16));
            for (QString& line : lines)
                line = line.trimmed();
            QCOMPARE(shown, lines);
            ++samples;
        }
        QCOMPARE(samples, 8);
    }

    /// Input: hot() is inlined into first(), where perf script counts 23 samples, and into second(), where it counts 46; addr2line -i names
    /// both functions at each address. Property: inlined functions are frames of their own, which are the functions of the flame graph.
    void inlinedFunctionsAreFramesOfTheirOwn()
    {
        const std::filesystem::path folder = SOURCE_DIR "/tests/fixtures/names";
        QTemporaryDir stores;
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        options.symbols.directories = {folder};
        auto opened = Experiment::open({folder / "inl.data"}, options);
        QVERIFY(opened);
        (*opened)->start();
        QVERIFY((*opened)->wait());
        const auto with = withShownRows(*(*opened)->timeline());
        QVERIFY(with && *with);
        const Timeline& timeline = **with;
        SampleFilter filter;
        filter.kinds = {cpuTimeKind(timeline)->name};
        const StackProfile profile = collectSingleSamples(timeline, filter);
        const StackNames names = nameStacks(profile, timeline);
        const auto depths = depthsOf(timeline);
        QCOMPARE(depths.size(), std::size_t(1));
        std::map<std::string, int> counts;
        for (const CollectedStack& sample : profile.stacks) {
            std::string shown;
            std::vector<const SampledFunction*> expected;
            for (std::uint32_t node = sample.node; node != 0; node = profile.nodes[node].parent)
                for (const NamedFrame& frame : names.framesOf(node))
                    expected.insert(expected.begin(), &names.functions[static_cast<std::size_t>(frame.function)]);
            std::size_t depth = 0;
            for (const TrackRef row : depths.begin()->second)
                for (const Interval& it : intervalAt(timeline, row, sample.first)) {
                    const StackId stack{it.value};
                    const auto function = functionOfStack(timeline, row.store, stack);
                    QVERIFY(function && depth < expected.size());
                    QVERIFY(identityOf(*function) == identityOf(*expected[depth++]));
                    if (frameModuleText(timeline, row.store, stack) != "inl")
                        continue;
                    const std::string_view state = stateName(timeline, row, it.state);
                    QCOMPARE(isInlinedFrame(timeline, row.store, stack), state == "sampled-inlined");
                    shown += frameText(timeline, row.store, stack) + (state == "sampled-inlined" ? " (inlined);" : ";");
                }
            QCOMPARE(depth, expected.size());
            ++counts[shown];
        }
        QCOMPARE(counts, (std::map<std::string, int>{{"first;hot (inlined);", 23}, {"second;hot (inlined);", 46}}));
    }

    void atEachSampleTheRowsSayItsStack_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"solo", "parallel4", "parallel4-multi3", "solo-dwarf", "solo-noa"})
            QTest::newRow(name) << name;
    }
    void atEachSampleTheRowsSayItsStack()
    {
        if (realTrace(PerfRecording::Collection).isEmpty())
            QSKIP("the real traces are not here");
        QFETCH(QString, name);
        const PerfRecording recording(name);
        const auto with = withShownRows(*recording.timeline);
        QVERIFY(with && *with);
        readFrameNames(**with, View);
        const std::size_t compared = compareWithSamples(**with);
        QVERIFY2(compared > 100, qPrintable(QString::number(compared)));
        QVERIFY(rows(*recording.timeline, View).empty()); // The rows exist only after a request.
    }
};

HELIO_TEST(SampledStacksTest)
#include "tst_sampled_stacks.moc"
