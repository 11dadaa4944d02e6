// Property: an export in Perfetto's format contains what the tables of SQL show, as read by Heliograph and by an independent decoder
// (decode_perfetto.py).

#include "core/export/export_format.h"
#include "core/export/perfetto/scheduler_packets.h"
#include "core/export/protobuf_text.h"
#include "core/export/recording/recording_walk.h"
#include "core/profiling/samples/stack_names.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/files.h"
#include "tests/support/made_perfetto.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/sample.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

namespace {

/// A recording, and what Heliograph reads from its export in Perfetto's format.
class Round {
public:
    explicit Round(std::shared_ptr<const Timeline> timeline, ExportSelection selection = {})
    {
        ExportRequest request;
        request.timeline = timeline;
        request.selection = std::move(selection);
        request.output = path().toStdString();
        const Status written = writeExport(*findExportFormat("perfetto"), request);
        if (!written)
            qFatal("%s", written.error().what.c_str());
        m_copy = std::make_unique<test::OpenedExperiment>(std::vector{request.output});
        m_before = test::databaseOf(timeline);
        m_after = test::databaseOf(m_copy->timeline);
    }

    QString path() const { return m_folder.filePath("out.perfetto-trace"); }
    Rows before(std::string_view query) const { return queryRows(*m_before, query); }
    Rows after(std::string_view query) const { return queryRows(*m_after, query); }

    /// Returns the lines of the independent decoder that begin with a word; an error message if it fails.
    Rows decoded(const char* word) const
    {
        QProcess process;
        process.start("python3", {QString(SOURCE_DIR) + "/tests/core/export/decode_perfetto.py", path()});
        if (!process.waitForFinished(60'000) || process.exitCode() != 0)
            return {"error: " + process.readAllStandardError().toStdString()};
        Rows lines;
        for (const QByteArray& line : process.readAllStandardOutput().split('\n'))
            if (line.startsWith(word))
                lines.push_back(line.toStdString());
        return lines;
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<test::OpenedExperiment> m_copy;
    std::unique_ptr<sql::Database> m_before;
    std::unique_ptr<sql::Database> m_after;
};

/// Compares two results, and shows the first row that differs.
void compare(const Rows& found, const Rows& expected)
{
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i)
        if (expected[i] != found[i])
            QFAIL(qPrintable(QString("row %1 of %2 (%3): %4 instead of %5")
                                 .arg(i)
                                 .arg(expected.size())
                                 .arg(found.size())
                                 .arg(QString::fromStdString(found[i]), QString::fromStdString(expected[i]))));
    QCOMPARE(found.size(), expected.size());
    QVERIFY(!expected.empty());
}

Rows sorted(Rows rows)
{
    std::ranges::sort(rows);
    return rows;
}

#define REQUIRE_PYTHON                                                                                                                     \
    if (QStandardPaths::findExecutable("python3").isEmpty())                                                                               \
    QSKIP("python3 is not installed")

const char* const SliceQuery =
    "SELECT 'slice ' || s.ts || ' ' || s.dur || ' ' || ifnull(s.name, '') || ' ' || ifnull(t.tid, -1) FROM slice "
    "s JOIN recorded_track r ON r.id = s.track_id LEFT JOIN thread t USING (utid)";

/// Builds the message of a track descriptor.
MadeMessage descriptor(std::uint64_t uuid) { return MadeMessage().number(1, std::int64_t(uuid)); }

/// Builds a Perfetto trace of track events on described tracks.
class MadeTracks {
public:
    MadeTracks() { m_trace.packet(MadeMessage().number(8, 1'000).number(10, 1).number(13, 1).message(60, descriptor(99).text(2, "root"))); }

    void process(std::uint64_t uuid, int pid, std::string_view name)
    {
        describe(descriptor(uuid).message(3, MadeMessage().number(1, pid).text(6, name)));
    }
    void thread(std::uint64_t uuid, int pid, int tid)
    {
        describe(descriptor(uuid).message(4, MadeMessage().number(1, pid).number(2, tid).text(5, "thread " + std::to_string(tid))));
    }
    void track(std::uint64_t uuid, std::uint64_t parent, std::string_view name)
    {
        describe(descriptor(uuid).text(2, name).number(5, std::int64_t(parent)));
    }
    void counter(std::uint64_t uuid, std::uint64_t parent, std::string_view name)
    {
        describe(descriptor(uuid).text(2, name).number(5, std::int64_t(parent)).message(8, MadeMessage()));
    }
    void begin(std::int64_t time, std::uint64_t track, std::string_view name, const MadeMessage& more = {})
    {
        add(time, track, 1, MadeMessage(more).text(23, name));
    }
    void end(std::int64_t time, std::uint64_t track, const MadeMessage& more = {}) { add(time, track, 2, more); }
    /// Adds an event without duration; `more` has its flows.
    void instant(std::int64_t time, std::uint64_t track, std::string_view name, const MadeMessage& more = {})
    {
        add(time, track, 3, MadeMessage(more).text(23, name));
    }
    void point(std::int64_t time, std::uint64_t track, std::int64_t value) { add(time, track, 4, MadeMessage().number(30, value)); }

    /// Writes the trace into a folder, and opens it.
    std::unique_ptr<test::OpenedExperiment> open(const QTemporaryDir& folder) const
    {
        const QString path = test::writeFile(folder.filePath("tracks.perfetto-trace"), m_trace.bytes());
        return std::make_unique<test::OpenedExperiment>(std::vector<std::filesystem::path>{path.toStdString()});
    }

private:
    void describe(const MadeMessage& track) { m_trace.packet(MadeMessage().number(10, 1).message(60, track)); }
    void add(std::int64_t time, std::uint64_t track, int type, const MadeMessage& more)
    {
        m_trace.packet(MadeMessage().number(8, time).number(10, 1).number(13, 2).message(
            11, MadeMessage(more).number(9, type).number(11, std::int64_t(track))));
    }

    MadePerfetto m_trace;
};

/// Returns two processes with counters and tracks of equal names.
MadeTracks twoProcesses()
{
    MadeTracks made;
    made.process(1, 10, "first");
    made.process(2, 20, "second");
    made.track(11, 1, "requests");
    made.track(12, 2, "requests");
    made.counter(21, 1, "memory");
    made.counter(22, 2, "memory");
    made.point(2'000, 21, 5);
    made.point(2'100, 22, 7);
    made.begin(2'200, 11, "slice of first");
    made.begin(2'300, 12, "slice of second");
    made.end(2'400, 11);
    made.end(2'500, 12);
    made.point(2'600, 21, 6);
    return made;
}

/// Returns a trace of a process with two threads: nested calls with arguments and categories, a call without an end, slices that overlap
/// on a track of their own, a flow, and a counter of integers and one of fractions.
QByteArray madeApplication()
{
    MadePerfetto trace;
    const auto add = [&](std::int64_t time, const MadeMessage& event) {
        trace.packet(MadeMessage().number(8, time).number(10, 1).number(13, 2).message(11, event));
    };
    const auto begin = [](int track, std::string_view name) { return MadeMessage().number(9, 1).number(11, track).text(23, name); };
    const auto end = [](int track) { return MadeMessage().number(9, 2).number(11, track); };
    trace.packet(MadeMessage().number(8, 1'000).number(10, 1).number(13, 1).message(
        60, descriptor(1).message(3, MadeMessage().number(1, 10).text(6, "app"))));
    for (const int tid : {11, 12})
        trace.packet(MadeMessage().number(10, 1).message(
            60,
            descriptor(std::uint64_t(tid))
                .message(4, MadeMessage().number(1, 10).number(2, tid).text(5, "thread " + std::to_string(tid)))));
    trace.packet(MadeMessage().number(10, 1).message(60, descriptor(30).text(2, "requests").number(5, 1)));
    trace.packet(MadeMessage().number(10, 1).message(60, descriptor(31).text(2, "requests").number(5, 1)));
    trace.packet(MadeMessage().number(10, 1).message(60, descriptor(40).text(2, "queue length").number(5, 1).message(8, MadeMessage())));
    trace.packet(MadeMessage().number(10, 1).message(60, descriptor(41).text(2, "load").message(8, MadeMessage().text(6, "%"))));
    const MadeMessage argument = MadeMessage().text(10, "size").number(4, 4'096);
    add(2'000, begin(11, "outer").text(22, "io").message(4, argument));
    add(2'000, begin(11, "inner").message(4, MadeMessage().text(10, "file").text(6, "a \"b\"\n")).fixed(47, 77));
    add(2'100, begin(30, "request 1"));
    add(2'200, begin(31, "request 2"));
    add(2'300, MadeMessage().number(9, 4).number(11, 40).number(30, 3));
    add(2'300, MadeMessage().number(9, 4).number(11, 41).real(44, 12.5));
    add(2'400, end(11));
    add(2'500, begin(12, "answer").fixed(48, 77));
    add(2'600, end(30));
    add(2'700, end(31));
    add(2'700, end(12));
    add(2'800, end(11));
    add(2'800, begin(11, "outer"));
    add(2'800, end(11));
    add(2'900, MadeMessage().number(9, 4).number(11, 40).number(30, -2));
    add(3'000, begin(12, "never ends"));
    add(3'500, begin(11, "last"));
    add(3'600, end(11));
    return trace.bytes();
}

} // namespace

class PerfettoExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        m_kernel = std::make_unique<Round>(timeline);
        const QString made = test::writeFile(m_folder.filePath("made.perfetto-trace"), madeApplication());
        m_made = std::make_unique<test::OpenedExperiment>(std::vector<std::filesystem::path>{made.toStdString()});
        m_application = std::make_unique<Round>(m_made->timeline);
    }

    void runsAreEqual()
    {
        // The state after a thread's last run is X in both, but the tables know it only from events of the exit.
        const char* const runs = "SELECT s.ts, s.dur, s.cpu, t.tid, nullif(s.end_state, 'X') FROM sched_slice s JOIN thread t USING (utid) "
                                 "ORDER BY s.ts, s.cpu";
        compare(m_kernel->after(runs), m_kernel->before(runs));
    }
    void statesAreEqual()
    {
        // States that only a list of the tracer's at the begin of the recording tells have no event.
        const char* const states = "SELECT s.ts, s.dur, s.state, t.tid, s.cpu FROM thread_state s JOIN thread t USING (utid) "
                                   "WHERE s.state IS NOT NULL ORDER BY s.ts, t.tid";
        compare(m_kernel->after(states), m_kernel->before(states));
    }
    void wakersAreEqual()
    {
        const char* const wakers = "SELECT s.ts, t.tid, w.tid FROM thread_state s JOIN thread t USING (utid) JOIN thread w ON w.utid = "
                                   "s.waker_utid WHERE s.state = 'R' ORDER BY s.ts, t.tid";
        compare(m_kernel->after(wakers), m_kernel->before(wakers));
    }
    void slicesOfTheKernelAreEqual()
    {
        compare(sorted(m_kernel->after(SliceQuery)), sorted(m_kernel->before(SliceQuery)));
        const char* const names =
            "SELECT DISTINCT r.name FROM slice s JOIN recorded_track r ON r.id = s.track_id WHERE utid >= 0 ORDER BY 1";
        compare(m_kernel->after(names), m_kernel->before(names));
    }
    void independentDecoderFindsTheSame()
    {
        REQUIRE_PYTHON;
        // The context switches tell the preemptions.
        compare(m_kernel->decoded("slice"), sorted(m_kernel->before(std::string(SliceQuery) + " WHERE r.type != 'preemption'")));
        const char* const runs = "SELECT 'run ' || s.ts || ' ' || s.dur || ' ' || s.cpu || ' ' || t.tid || ' ' || ifnull(s.end_state, '-') "
                                 "FROM sched_slice s JOIN thread t USING (utid)";
        compare(m_kernel->decoded("run"), sorted(m_kernel->before(runs)));
    }
    void factsOfTheKernelAreEqual()
    {
        const char* const machine = "SELECT sysname, release, version FROM machine";
        compare(m_kernel->after(machine), m_kernel->before(machine));
    }

    void slicesOfAnApplicationAreEqual()
    {
        compare(sorted(m_application->after(SliceQuery)), sorted(m_application->before(SliceQuery)));
        QCOMPARE(m_application->before(SliceQuery).size(), std::size_t(8));
        REQUIRE_PYTHON;
        compare(m_application->decoded("slice"), sorted(m_application->before(SliceQuery)));
        compare(m_application->decoded("flow"), Rows{"flow inner -> answer"});
        compare(m_application->decoded("point"),
                Rows{"point 2300 load 12.5", "point 2300 queue length 3.0", "point 2900 queue length -2.0"});
    }
    void depthsArgumentsAndFlowsAreEqual()
    {
        const char* const depths = "SELECT ts, name, depth, category FROM slice ORDER BY ts, depth";
        compare(m_application->after(depths), m_application->before(depths));
        const char* const arguments = "SELECT s.ts, s.name, a.key, a.string_value FROM slice s JOIN args a ON a.arg_set_id = s.arg_set_id "
                                      "ORDER BY s.ts, s.name, a.key";
        compare(m_application->after(arguments), m_application->before(arguments));
        const char* const flows = "SELECT o.name, i.name FROM flow JOIN slice o ON o.id = slice_out JOIN slice i ON i.id = slice_in";
        compare(m_application->after(flows), m_application->before(flows));
    }
    void countersAreEqual()
    {
        const char* const counters = "SELECT ts, name, value, unit FROM counters ORDER BY ts, name";
        compare(m_application->after(counters), m_application->before(counters));
    }
    void threadsAndProcessesAreEqual()
    {
        const char* const threads = "SELECT t.tid, t.name, p.pid, p.name FROM thread t LEFT JOIN process p USING (upid) WHERE t.tid > 0 "
                                    "ORDER BY t.tid";
        compare(m_application->after(threads), m_application->before(threads));
    }

    void samplesAreEqual()
    {
        REQUIRE_PYTHON;
        const test::OpenedExperiment profile({SOURCE_DIR "/tests/fixtures/perf/fp.data"});
        const Round round(profile.timeline);
        const Rows samples = round.decoded("sample");
        std::uint64_t expected = 0;
        SampleFilter filter;
        filter.kinds = {sampleKinds(*profile.timeline).front().kind.name};
        const StackProfile collected = collectSingleSamples(*profile.timeline, filter);
        expected = collected.samples;
        QVERIFY(expected > 5);
        QCOMPARE(samples.size(), std::size_t(expected));
        const StackNames names = nameStacks(collected, *profile.timeline);
        Rows lines;
        for (const CollectedStack& sample : collected.stacks) {
            std::string stack;
            for (std::uint32_t node = sample.node; node != 0; node = collected.nodes[node].parent)
                for (const NamedFrame& frame : names.framesOf(node))
                    stack = names.functions[std::size_t(frame.function)].label() + (stack.empty() ? "" : ";") + stack;
            lines.push_back("sample " + std::to_string(nanoseconds(sample.first)) + ' ' + filter.kinds.front() + ' '
                            + std::to_string(collected.threads[sample.thread].tid) + ' ' + stack);
        }
        compare(samples, sorted(lines));
    }

    void varyingWeightsAreCountsOfTheirCpu()
    {
        REQUIRE_PYTHON;
        const test::OpenedExperiment profile({SOURCE_DIR "/tests/fixtures/perf/events.data"});
        const auto kinds = sampleKinds(*profile.timeline);
        const auto varying = std::ranges::find_if(kinds, [](const SampleKindFacts& it) { return !it.kind.hasConstantPeriod(); });
        QVERIFY(varying != kinds.end());
        std::map<std::int32_t, std::uint64_t> expected;
        SampleFilter filter;
        filter.kinds = {varying->kind.name};
        for (const CollectedStack& sample : collectSingleSamples(*profile.timeline, filter).stacks)
            expected[sample.cpu] += sample.weight;
        std::map<std::int32_t, std::uint64_t> found;
        for (const std::string& line : Round(profile.timeline).decoded("count")) {
            const QStringList words = QString::fromStdString(line).split(' ');
            if (words[1].toStdString() == varying->kind.name)
                found[words[2].toInt()] = std::max<std::uint64_t>(found[words[2].toInt()], words[3].toULongLong());
        }
        QVERIFY(!expected.empty());
        QVERIFY(found == expected);
    }

    void tracksKeepTheirProcess()
    {
        QTemporaryDir folder;
        const auto made = twoProcesses().open(folder);
        const Round round(made->timeline);
        const char* const counters = "SELECT p.pid, t.name, c.ts, c.value FROM counter c JOIN process_counter_track t ON t.id = c.track_id "
                                     "JOIN process p USING (upid) ORDER BY c.ts";
        compare(round.before(counters), Rows{"10|memory|2000|5.000000", "20|memory|2100|7.000000", "10|memory|2600|6.000000"});
        compare(round.after(counters), round.before(counters));
        const char* const slices = "SELECT p.pid, p.name, t.name, s.name FROM slice s JOIN process_track t ON t.id = s.track_id "
                                   "JOIN process p USING (upid) ORDER BY s.ts";
        compare(round.before(slices), Rows{"10|first|requests|slice of first", "20|second|requests|slice of second"});
        compare(round.after(slices), round.before(slices));
    }
    void selectedProcessesKeepTheirTracks()
    {
        QTemporaryDir folder;
        const auto made = twoProcesses().open(folder);
        ExportSelection selection;
        selection.process = "second";
        const Round round(made->timeline, selection);
        compare(round.after("SELECT name FROM slice"), Rows{"slice of second"});
        compare(round.after("SELECT ts, value FROM counter"), Rows{"2100|7.000000"});
    }
    void flowsIntoEarlierSlicesAreKept()
    {
        QTemporaryDir folder;
        MadeTracks made;
        made.process(1, 10, "app");
        made.thread(11, 10, 11);
        made.thread(12, 10, 12);
        made.begin(2'000, 12, "server");
        made.begin(2'100, 12, "setup");
        made.end(2'200, 12);
        made.begin(2'500, 11, "request", MadeMessage().fixed(47, 77));
        made.end(2'600, 11);
        made.end(2'900, 12, MadeMessage().fixed(48, 77));
        const auto opened = made.open(folder);
        const Round round(opened->timeline);
        const char* const flows = "SELECT o.name, i.name FROM flow JOIN slice o ON o.id = slice_out JOIN slice i ON i.id = slice_in";
        compare(round.before(flows), Rows{"request|server"});
        compare(round.after(flows), round.before(flows));
        REQUIRE_PYTHON;
        compare(round.decoded("flow"), Rows{"flow request -> server"});
    }
    void countersHaveAValueAtTheBeginOfTheRange()
    {
        QTemporaryDir folder;
        const auto made = twoProcesses().open(folder);
        ExportSelection selection;
        selection.range = {timestamp(2'100), timestamp(2'700)};
        const Round round(made->timeline, selection);
        compare(round.after("SELECT ts, value FROM counter ORDER BY ts, value"), Rows{"2100|5.000000", "2100|7.000000", "2600|6.000000"});
    }
    void textsAreValidUtf8()
    {
        REQUIRE_PYTHON;
        std::string bytes;
        protozero::pbf_writer message(bytes);
        addText(message, 1, "a\xff\xc3");
        QCOMPARE(bytes, std::string("\x0a\x09") + "a\\xff\\xc3");
        QTemporaryDir folder;
        MadeTracks made;
        made.process(1, 10, "app");
        made.thread(11, 10, 11);
        made.begin(2'000, 11, "name \xff");
        made.end(2'100, 11);
        const auto opened = made.open(folder);
        compare(Round(opened->timeline).decoded("slice"), Rows{"slice 2000 100 name \\xff 11"});
    }
    void burstsAreReadInParts()
    {
        QTemporaryDir folder;
        MadeTracks made;
        made.process(1, 10, "app");
        made.counter(21, 1, "level");
        constexpr int Points = 300'000;
        made.point(1'000, 21, 1);
        for (int i = 0; i < Points; ++i)
            made.point(1'000'000'000'000 + i / 2, 21, i);
        const auto opened = made.open(folder);
        ExportRequest request;
        request.timeline = opened->timeline;
        const auto walk = RecordingWalk::open(request);
        QVERIFY(walk);
        class Counter final : public RecordingVisitor {
        public:
            void point(const WalkedPoint& point) override
            {
                isOrdered &= point.ts >= m_last;
                m_last = point.ts;
                ++all;
                most = std::max(most, ++m_inPart);
            }
            bool partEnded(std::int64_t end) override
            {
                isOrdered &= m_last < end;
                m_inPart = 0;
                return true;
            }
            int all = 0;
            int most = 0;
            bool isOrdered = true;

        private:
            int m_inPart = 0;
            std::int64_t m_last = 0;
        } counter;
        QVERIFY((*walk)->walk(counter, {}, 0, 1));
        QCOMPARE(counter.all, Points + 1);
        QVERIFY(counter.isOrdered);
        QVERIFY2(counter.most <= 131'072, qPrintable(QString::number(counter.most)));
    }
    void runsEndWithTheRange()
    {
        const auto timeline = test::sampleTimeline();
        const std::int64_t begin = nanoseconds(timeline->range.begin) + 500'000'000;
        ExportSelection selection;
        selection.range = {timestamp(begin), timestamp(begin + 50'000'000)};
        const Round round(timeline, selection);
        const std::string runs = "SELECT s.ts, s.dur, s.cpu, t.tid FROM sched_slice s JOIN thread t USING (utid) WHERE t.tid > 0";
        const std::string range =
            " AND s.ts < " + std::to_string(begin + 50'000'000) + " AND (s.dur < 0 OR s.ts + s.dur > " + std::to_string(begin) + ")";
        compare(round.after(runs + " ORDER BY s.ts, s.cpu"), round.before(runs + range + " ORDER BY s.ts, s.cpu"));
        REQUIRE_PYTHON;
        const std::string lines =
            "SELECT 'run ' || s.ts || ' ' || s.dur || ' ' || s.cpu || ' ' || t.tid || ' ' || ifnull(s.end_state, '-') "
            "FROM sched_slice s JOIN thread t USING (utid) WHERE t.tid > 0";
        Rows decoded = round.decoded("run");
        std::erase_if(decoded, [](const std::string& line) { return QString::fromStdString(line).section(' ', 4, 4) == "0"; });
        compare(decoded, sorted(round.before(lines + range)));
    }

    void selectedThreadsAndTimesOnly()
    {
        ExportSelection selection;
        selection.thread = 12;
        const Round thread(m_made->timeline, selection);
        compare(thread.after("SELECT name FROM slice ORDER BY ts"), Rows{"answer", "never ends"});
        ExportSelection times;
        times.range = {timestamp(2'650), timestamp(2'850)};
        const Round range(m_made->timeline, times);
        // Slices that overlap the range are whole.
        compare(range.after("SELECT ts, name FROM slice ORDER BY ts, name"),
                Rows{"2000|outer", "2200|request 2", "2500|answer", "2800|outer"});
    }
    void rowsOfAViewAreStates()
    {
        ExportSelection selection;
        selection.view = "resources";
        const Round round(test::sampleTimeline(), selection);
        const Rows names = round.after("SELECT DISTINCT name FROM slice ORDER BY name");
        QVERIFY2(std::ranges::find(names, "idle") != names.end(), names.empty() ? "" : names.front().c_str());
        compare(round.after("SELECT count(*) FROM sched_slice"), Rows{"0"});
    }

    void unknownStatesGetANumberOfNoKernel()
    {
        QCOMPARE(prevStateOf("R"), 0);
        QCOMPARE(prevStateOf("S"), 1);
        QCOMPARE(prevStateOf("R+"), 0x100);
        QCOMPARE(prevStateOf(""), 0x200);
    }

    void hostsStaySynchronized()
    {
        const std::filesystem::path hosts = SOURCE_DIR "/tests/fixtures/two-hosts-small";
        const test::OpenedExperiment opened({hosts / "web", hosts / "db"});
        const Round round(opened.timeline);
        compare(round.before("SELECT count(*), sum(is_synchronized) FROM host"), Rows{"2|2"});
        compare(round.after("SELECT count(*), sum(is_synchronized), max(clock_offset_ns) FROM host"), Rows{"2|2|0"});
        const char* const runs = "SELECT s.ts, s.dur, s.cpu, t.tid, t.machine_id FROM sched_slice s JOIN thread t USING (utid) "
                                 "WHERE t.tid > 0 ORDER BY s.ts, t.machine_id, s.cpu";
        compare(round.after(runs), round.before(runs));
        ExportSelection selection;
        selection.host = opened.timeline->hosts[1].label;
        const Round single(opened.timeline, selection);
        compare(single.after("SELECT count(*), sum(is_synchronized) FROM host"), Rows{"1|1"});
        compare(single.after("SELECT count(*) FROM sched_slice JOIN thread USING (utid) WHERE tid > 0"),
                single.before("SELECT count(*) FROM sched_slice JOIN thread USING (utid) WHERE tid > 0 AND machine_id = 1"));
    }
    void onlySchedulerEventsAreMissing()
    {
        class Losses final : public RecordingVisitor {
        public:
            void loss(const WalkedLoss&) override { ++count; }
            bool partEnded(std::int64_t) override { return true; }
            int count = 0;
        };
        const auto lossesOf = [](std::shared_ptr<const Timeline> timeline) {
            ExportRequest request;
            request.timeline = std::move(timeline);
            Losses losses;
            const auto walk = RecordingWalk::open(request);
            return walk && (*walk)->walk(losses, {}, 0, 1) ? losses.count : -1;
        };
        QVERIFY(lossesOf(test::timelineOf("tests/fixtures/lossy-small/kernel")) > 0);
        // A trace without context switches.
        QTemporaryDir folder;
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/discarded-events.golden").unpackTo(folder.path().toStdString());
        const test::OpenedExperiment other({std::filesystem::path(folder.path().toStdString())});
        QVERIFY(queryRows(*test::databaseOf(other.timeline), "SELECT count(*) FROM loss") != Rows{"0"});
        QCOMPARE(lossesOf(other.timeline), 0);
    }
    void lossesStayLosses()
    {
        const auto timeline = test::timelineOf("tests/fixtures/lossy-small/kernel");
        if (!timeline)
            QSKIP("the fixture has another layout");
        const Round round(timeline);
        // Losses that adjoin or overlap are merged.
        const char* const lost = "SELECT sum(dur > 1) > 5, min(ts), max(ts + dur) FROM loss";
        compare(round.after(lost), round.before(lost));
        // No thread runs on a CPU where the recording does not know which one does.
        // A loss lasts at least 1 ns, by which a run after it begins later.
        const char* const runs = "SELECT s.ts + s.dur, s.cpu, t.tid FROM sched_slice s JOIN thread t USING (utid) ORDER BY "
                                 "s.ts + s.dur, s.cpu";
        compare(round.after(runs), round.before(runs));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Round> m_kernel;
    std::unique_ptr<test::OpenedExperiment> m_made;
    std::unique_ptr<Round> m_application;
};

HELIO_TEST(PerfettoExportTest)
#include "tst_perfetto_export.moc"
