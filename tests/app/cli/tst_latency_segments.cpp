// Output of latency for segments. Input: segments that a synthetic analysis adds to two traces with different clocks.

#include "app/cli/command.h"
#include "app/cli/commands/latency_options.h"
#include "tests/app/cli/given.h"
#include "tests/app/cli/latency_lines.h"
#include "tests/support/made_analysis.h"
#include "tests/support/test_program.h"

#include <QTemporaryFile>
#include <QTest>

#include <cstdio>
#include <unistd.h>

using namespace helio;

namespace {

/// Test analysis: makes a segment of each event. Segment n (from 0) of a trace is (n % 97) * 13 ns long; every fifth has no row.
class EventLengths final : public Analysis {
public:
    explicit EventLengths(StateSink& sink)
        : m_sink(sink)
        , m_kind(*sink.segments().addKind({"steps", "Steps", "Third", "Number; n"}))
    {
        Track track;
        track.view = "made";
        track.key = "all events";
        track.cpu = 2;
        track.states = *sink.stateSet({"made", {{"there"}}, {}});
        m_row = sink.addTrack(std::move(track));
    }
    void begin(HostTimestamp at) override { m_sink.set(at, m_row, State{}); }
    void onEvents(const EventRun& run) override
    {
        for (const EventRecord& record : run.records) {
            const std::string name = std::to_string(m_count % 3);
            m_sink.segments().add({record.time, record.time + Duration(m_count % 97 * 13), m_count, m_sink.string(name),
                                   m_count % 5 == 0 ? NoTrack : m_row, m_kind});
            ++m_count;
        }
    }
    void onLoss(const Loss&) override { }
    void finish(HostTimestamp) override { }

private:
    StateSink& m_sink;
    SegmentKindId m_kind;
    TrackId m_row{};
    std::int64_t m_count = 0;
};

class EventLengthsKind final : public test::MadeKind {
public:
    std::unique_ptr<Analysis> make(const AnalysisInput&, StateSink& sink) const override { return std::make_unique<EventLengths>(sink); }
};

QString twoHosts() { return QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small"); }

/// Runs the command in this process, which knows the synthetic analysis, and returns its output.
ProgramResult latencyHere(const std::vector<std::string>& arguments)
{
    static const QTemporaryDir stores;
    std::vector<std::string> all{twoHosts().toStdString(),    "--quiet", "--format", "csv", "--offset", "web/kernel=-77777", "--store-dir",
                                 stores.path().toStdString(), "--of",    "steps"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    LatencyOptions options;
    if (const auto done = test::give(options, std::move(all)); !done)
        return {ExitUsage, {}, QByteArray::fromStdString(done.error().what)};
    const auto analyses = std::make_shared<Analyses>();
    if (!analyses->add(std::make_shared<EventLengthsKind>()))
        return {};
    options.table.reading.experiment.analyses = analyses;
    QTemporaryFile file;
    if (!file.open())
        return {};
    std::fflush(stdout);
    const int before = ::dup(STDOUT_FILENO);
    ::dup2(file.handle(), STDOUT_FILENO);
    const int status = runLatency(options);
    std::fflush(stdout);
    ::dup2(before, STDOUT_FILENO);
    ::close(before);
    file.seek(0);
    return {status, file.readAll(), {}};
}

/// Returns the expected segments, sorted by time, then by trace. They come from the output of `heliograph events`.
TimedIntervals stepsFromEvents()
{
    TimedIntervals all;
    QMap<QByteArray, qint64> counts;
    for (const CsvRow& it : csvRows(heliograph({"events", twoHosts(), "--offset", "web/kernel=-77777", "--format", "csv", "--quiet"}))) {
        const qint64 n = counts[it["trace"]]++;
        const qint64 begin = it["time_ns"].toLongLong();
        all << TimedInterval{begin, begin + n % 97 * 13, QByteArray::number(n % 3), n % 5 == 0 ? "" : "all events", it["trace"]};
    }
    std::ranges::stable_sort(all, {}, [](const TimedInterval& it) { return qMakePair(it.begin, it.trace); });
    return all;
}

} // namespace

class LatencySegmentsTest : public QObject {
    Q_OBJECT

private slots:
    void segmentsOfTwoTracesAreOnOneAxis()
    {
        const TimedIntervals all = stepsFromEvents();
        QVERIFY(all.size() > 1000);
        const ProgramResult summary = latencyHere({});
        QCOMPARE(summary.status, 0);
        QCOMPARE(summary.lines().mid(1), summaryOf(all));

        const auto list = csvRows(latencyHere({"--list"}));
        QCOMPARE(list.size(), all.size());
        QMap<QByteArray, qint64> counts;
        for (qsizetype i = 0; i < list.size(); ++i) {
            QCOMPARE(list[i]["begin_ns"].toLongLong(), all[i].begin);
            QCOMPARE(list[i]["duration_ns"].toLongLong(), all[i].length());
            QCOMPARE(list[i]["kind"], QByteArray("steps"));
            QCOMPARE(list[i]["name"], all[i].name);
            QCOMPARE(list[i]["trace"], all[i].trace);
            QCOMPARE(list[i]["row"], all[i].row);
            QCOMPARE(list[i]["cpu"], QByteArray(all[i].row.isEmpty() ? "" : "2"));
            QCOMPARE(list[i]["fields"], "Number\\; n=" + QByteArray::number(counts[all[i].trace]++));
        }
    }

    void segmentsAreChosenLikeRows()
    {
        const auto compare = [](const std::vector<std::string>& arguments, const auto& isLeft) {
            TimedIntervals left = stepsFromEvents();
            const auto all = left.size();
            erase_if(left, [&](const TimedInterval& it) { return !isLeft(it); });
            QVERIFY(!left.isEmpty() && left.size() < all);
            QCOMPARE(latencyHere(arguments).lines().mid(1), summaryOf(left));
        };
        compare({"--filter", "name == \"1\" && duration >= 500ns && cpu == 2"},
                [](const TimedInterval& it) { return it.name == "1" && it.length() >= 500 && !it.row.isEmpty(); });
        compare({"--filter", "name != \"1\" && host == \"web\""},
                [](const TimedInterval& it) { return it.name != "1" && it.trace == "1"; });
        compare({"--host", "web"}, [](const TimedInterval& it) { return it.trace == "1"; });
        compare({"--view", "made"}, [](const TimedInterval& it) { return !it.row.isEmpty(); });
        const TimedIntervals all = stepsFromEvents();
        compare({"--begin", std::to_string(all[300].begin), "--end", std::to_string(all[900].end)},
                [&](const TimedInterval& it) { return it.begin >= all[300].begin && it.begin < all[900].end && it.end <= all[900].end; });
    }
};

HELIO_TEST(LatencySegmentsTest)
#include "tst_latency_segments.moc"
