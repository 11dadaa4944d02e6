// Property: an export in Perfetto's format contains what the tables of SQL show, as read by Heliograph and by an independent decoder
// (decode_perfetto.py).

#include "core/export/export_format.h"
#include "core/export/perfetto/scheduler_packets.h"
#include "core/profiling/samples/stack_names.h"
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
        const std::string copied = std::string(SliceQuery) + " WHERE r.type = 'async'";
        compare(sorted(m_kernel->after(copied)), sorted(m_kernel->before(SliceQuery)));
    }
    void independentDecoderFindsTheSame()
    {
        REQUIRE_PYTHON;
        compare(m_kernel->decoded("slice"), sorted(m_kernel->before(SliceQuery)));
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
