// Input: recordings by perf in which switches are missing. Property: system calls equal those computed from the output of `perf script`.

#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"
#include "core/query/segments/composite_states.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/printed_events.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

using namespace helio;

namespace {

/// Beginning and end in ns since the first event, TID, and the call's name (its number if events have no names).
using Call = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;

struct Printed {
    std::vector<Call> calls;
    bool areNamed = false;
    std::optional<std::int64_t> begin; ///< Time of the first event, as printed.
};

/// Returns the calls that the query should find in the printed recording at `path`: one from each entry to the next exit of the same
/// thread. `hasLast`: true if a call whose exit is the last event of the recording is included.
Printed printedBy(const QString& path, bool hasLast)
{
    static const QRegularExpression numbered("^NR (\\d+)");
    static const QString enters = "syscalls:sys_enter";
    Printed printed;
    std::map<std::int64_t, std::pair<std::int64_t, std::string>> open; // Calls without an exit so far, by TID.
    std::int64_t last = 0;
    eachPrintedEvent(path, [&](const PrintedEvent& event) {
        last = event.at;
        if (!printed.begin)
            printed.begin = last;
        if (event.name.startsWith(enters + '_')) {
            printed.areNamed = true;
            open[event.tid] = {last - *printed.begin, event.name.mid(enters.size() + 1).toStdString()};
        } else if (event.name == "raw_" + enters) {
            open[event.tid] = {last - *printed.begin, numbered.match(event.fields).captured(1).toStdString()};
        } else if (const auto begun = event.name.contains("syscalls:sys_exit") ? open.extract(event.tid) : decltype(open)::node_type()) {
            printed.calls.emplace_back(begun.mapped().first, last - *printed.begin, event.tid, begun.mapped().second);
        }
    });
    if (!hasLast)
        std::erase_if(printed.calls, [&](const Call& call) { return std::get<1>(call) == last - printed.begin.value_or(0); });
    std::ranges::sort(printed.calls);
    return printed;
}

/// Returns the system calls that the query finds, sorted. If `areNamed` is true, the calls have the names of system calls; otherwise the
/// names are empty.
std::vector<Call> foundIn(const test::OpenedExperiment& opened, bool areNamed)
{
    const Timeline& timeline = *opened.timeline;
    const auto run = findCompositeState(timeline, "syscall");
    std::vector<Call> calls;
    if (!run)
        return calls;
    CompositeStateNames names(timeline, *run);
    const TimeRange all = opened.timeline->range;
    forEachCompositeState(timeline, *run, rowsWithComposite(timeline, *run), all,
                          [&](const Row& row, TimeRange range, std::uint32_t value) {
                              calls.emplace_back((range.begin - all.begin).count(), (range.end - all.begin).count(), row.tid,
                                                 areNamed ? std::string(names.of(row, value)) : std::string());
                          });
    std::ranges::sort(calls);
    return calls;
}

} // namespace

class PerfCallsTest : public QObject {
    Q_OBJECT

private slots:
    void allCallsAreThoseThatPerfPrints_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("calls");
        QTest::addColumn<bool>("hasLast");
        QTest::newRow("no switches at all") << "calls" << 42 << true;
        QTest::newRow("of a program's threads, so no switches to them") << "calls-part" << 125 << false;
        QTest::newRow("of all threads, but no switches from the idle ones") << "calls-all" << 44 << false;
    }

    void allCallsAreThoseThatPerfPrints()
    {
        QFETCH(QString, name);
        QFETCH(int, calls);
        QFETCH(bool, hasLast);
        const QString path = SOURCE_DIR "/tests/fixtures/perf/" + name;
        Printed printed = printedBy(path + ".calls.txt", hasLast);
        QCOMPARE(int(printed.calls.size()), calls);
        if (!printed.areNamed)
            for (Call& call : printed.calls)
                std::get<3>(call).clear();
        const test::OpenedExperiment opened({(path + ".data").toStdString()});
        const auto found = foundIn(opened, printed.areNamed);
        std::vector<Call> onlyOne;
        std::ranges::set_symmetric_difference(printed.calls, found, std::back_inserter(onlyOne));
        for (const auto& [begin, end, tid, what] : onlyOne)
            qWarning("only in one: %s of %lld, %lld-%lld", what.c_str(), (long long)tid, (long long)begin, (long long)end);
        QVERIFY(onlyOne.empty());
    }

    /// Property: a thread in a call is not idle, so that its row stays when sleeping threads are hidden.
    void threadInACallIsNotIdle()
    {
        const test::OpenedExperiment opened({SOURCE_DIR "/tests/fixtures/perf/calls.data"});
        std::vector<TrackRef> threads;
        for (const Row& row : rows(*opened.timeline, "control-flow"))
            threads.push_back(row.ref);
        const auto uses = rowUtilizations(*opened.timeline, threads, opened.timeline->range);
        QCOMPARE(uses.size(), 5U);
        for (const RowUtilization& use : uses)
            QVERIFY(!use.isInactive && use.busy == 0);
    }
};

HELIO_TEST(PerfCallsTest)
#include "tst_perf_calls.moc"
