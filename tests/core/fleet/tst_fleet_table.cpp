// The table of a fleet: its values are those of queries, expressions and conditions select the traces that SQL selects, and hostile
// catalogues neither crash nor show senseless numbers.

#include "core/fleet/fleet_details.h"
#include "core/fleet/fleet_filter.h"
#include "core/fleet/fleet_overview.h"
#include "core/fleet/fleet_table.h"
#include "tests/support/files.h"
#include "tests/support/made_catalogue.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <optional>
#include <stop_token>
#include <thread>

using namespace helio;
using fleet::FleetConditions;
using fleet::FleetTable;
using fleet::LatencyKind;
using test::fleetSummary;
using test::MadeFleet;
using Rows = std::vector<std::string>;

namespace {

FleetTable readTable(const MadeFleet& made)
{
    auto table = fleet::readFleet(made.path());
    if (!table)
        qFatal("%s", table.error().what.c_str());
    return std::move(*table);
}

/// Eight traces with different shares and latencies; the last two belong to one host, the last one has losses.
std::vector<fleet::TraceSummary> eightTraces()
{
    std::vector<fleet::TraceSummary> all;
    for (std::int64_t i = 1; i <= 8; ++i)
        all.push_back(fleetSummary(i, double(i) / 10, i * 1'000));
    all[2].tags = {{"workload", "search"}};
    all[3].findings.clear();
    all[4].latencies.clear();
    all[7].host = all[6].host;
    all[7].lostEvents = 12;
    return all;
}

/// Ids of the traces that fulfil the conditions.
std::vector<std::int64_t> idsOf(const FleetTable& table, const FleetConditions& conditions)
{
    const auto traces = fleet::filterFleet(table, conditions);
    if (!traces)
        qFatal("%s", traces.error().what.c_str());
    std::vector<std::int64_t> ids;
    for (const std::uint32_t i : *traces)
        ids.push_back(table.traces[i].id);
    return ids;
}

std::string errorOf(const Result<FleetTable>& result) { return result ? std::string() : result.error().what; }

} // namespace

class FleetTableTest : public QObject {
    Q_OBJECT

private slots:
    void valuesAreThoseOfQueries()
    {
        const MadeFleet made(eightTraces());
        const FleetTable table = readTable(made);
        Rows rows;
        for (const fleet::FleetTrace& it : table.traces) {
            const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
            const auto& latency = it.latency(LatencyKind::Scheduling);
            const auto* const first = it.findings.empty() ? nullptr : &it.findings.front();
            rows.push_back(std::to_string(it.id) + '|' + it.host + '|' + it.path + '|' + it.machine + '|' + it.kernel + '|'
                           + number(it.beginNs) + '|' + std::to_string(it.duration->count()) + '|' + number(it.events) + '|'
                           + number(it.lostEvents) + '|' + number(it.cpuBusyShare) + '|' + (first ? first->text : "-") + '|'
                           + (first ? std::to_string(first->share) : "-") + '|' + (latency ? std::to_string(latency->most.count()) : "-")
                           + '|' + (latency ? std::to_string(latency->count) : "-"));
        }
        QCOMPARE(rows,
                 made.ask("SELECT trace.id, trace.host, path, machine, kernel, trace.begin_ns, duration_ns, events, lost_events, "
                          "cpu_busy_share, text, share, max_ns, count FROM trace LEFT JOIN finding ON finding.trace_id = trace.id AND "
                          "rank = 1 LEFT JOIN digest ON digest.trace_id = trace.id AND kind = 'wakeup' AND digest.name = '' ORDER BY 1"));
        QCOMPARE(table.traces[0].findings.size(), std::size_t(2));
        QCOMPARE(table.withFindings(), std::size_t(7));
        QVERIFY(table.traces[7].hasLosses() && !table.traces[6].hasLosses());
    }

    void mergedLatenciesAreThoseOfTheView()
    {
        const MadeFleet made(eightTraces());
        const FleetTable table = readTable(made);
        const auto& merged = table.digest(LatencyKind::Scheduling);
        QCOMPARE(made.ask("SELECT count, total_ns, p99_ns, max_ns FROM fleet_latency WHERE kind = 'wakeup' AND name = ''"),
                 (Rows{std::to_string(merged.count()) + '|' + std::to_string(merged.total().count()) + '|'
                       + std::to_string(merged.percentile(99)->estimate.count()) + '|' + std::to_string(merged.most().count())}));
    }

    void shapesCountAllDurations()
    {
        const FleetTable table = readTable(MadeFleet({fleetSummary(1, 0.5, 40'000)}));
        const auto& latency = *table.traces[0].latency(LatencyKind::Scheduling);
        std::uint64_t sum = 0;
        for (const std::uint64_t count : latency.shape)
            sum += count;
        QCOMPARE(sum, latency.count);
        // The longest one, 40 ms, is alone in its octave: from 33.5 ms to 67.1 ms.
        const auto last = std::ranges::find_if(latency.shape.rbegin(), latency.shape.rend(), [](std::uint64_t it) { return it > 0; });
        const auto column = std::size_t(latency.shape.rend() - last) - 1;
        QCOMPARE(*last, std::uint64_t(1));
        QVERIFY(fleet::FleetLatency::columnBegin(column) <= latency.most && latency.most < fleet::FleetLatency::columnBegin(column + 1));
    }

    void expressionsSelectWhatQueriesSelect_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("condition");
        const auto row = [](const char* expression, const char* condition) { QTest::newRow(expression) << expression << condition; };
        const char* const first = "FROM finding WHERE trace_id = trace.id AND rank = 1";
        row("", "1");
        row("web-03", "host = 'web-03'");
        row("THROTTLED", "id <> 4");
        row("host == \"web-07\"", "host = 'web-07'");
        row("workload == \"checkout\"", "id <> 3");
        row("workload != \"checkout\"", "id = 3");
        row("search || web-01", "id IN (1, 3)");
        row("finder == \"slow-storage\" && !(host == \"web-01\")", "id NOT IN (1, 4)");
        row("finding =~ \"throttled [56] times\"", "id IN (5, 6)");
        row("subject contains \"fs\"", "id <> 4");
        row("lost_events > 0", "lost_events > 0");
        row("cpu_busy_share >= 0.2", "cpu_busy_share >= 0.2");
        row("duration == 10s", "duration_ns = 10000000000");
        row("time >= 1700000000000000005", "begin_ns >= 1700000000000000005");
        row("time <= +3ns", "begin_ns <= 1700000000000000004");
        row("events < 1003", "events < 1003");
        row("tag.x == 1 || web-02", "id = 2");
        const std::string share = std::string("(SELECT share ") + first + ") >= 0.5";
        QTest::newRow("share") << "share >= 0.5" << QString::fromStdString(share);
        const std::string explained = std::string("(SELECT explained_ns ") + first + ") < 2500000000";
        QTest::newRow("explained") << "explained < 2500ms" << QString::fromStdString(explained);
        row("wakeup > 3ms", "(SELECT max_ns FROM digest WHERE trace_id = trace.id AND kind = 'wakeup' AND name = '') > 3000000");
        row("wakeup.p99 == 99us", "id <> 5");
        row("syscall > 0", "0");
    }
    void expressionsSelectWhatQueriesSelect()
    {
        QFETCH(QString, expression);
        QFETCH(QString, condition);
        std::vector<fleet::TraceSummary> traces = eightTraces();
        traces[7].tags.emplace_back("tag.x", "2");
        const MadeFleet made(traces);
        FleetConditions conditions;
        conditions.expression = expression.toStdString();
        Rows ids;
        for (const std::int64_t id : idsOf(readTable(made), conditions))
            ids.push_back(std::to_string(id));
        QCOMPARE(ids, made.ask("SELECT id FROM trace WHERE " + condition.toStdString() + " ORDER BY id"));
    }

    void wrongExpressionsAreExplained()
    {
        const FleetTable table = readTable(MadeFleet(eightTraces()));
        const auto problem = [&](const char* expression) {
            const auto result = fleet::filterFleet(table, {.expression = expression});
            return result ? std::string() : result.error().what;
        };
        QCOMPARE(problem("host =="), std::string("column 8: expected a value after =="));
        QVERIFY(problem("workload == \"checkout\"").empty());
        QVERIFY(problem("wrkload == \"checkout\"").starts_with("no trace has a column or tag \"wrkload\""));
    }

    void conditionsSelectTraces()
    {
        const FleetTable table = readTable(MadeFleet(eightTraces()));
        using Ids = std::vector<std::int64_t>;
        QCOMPARE(idsOf(table, {.finder = "throttling"}), (Ids{1, 2, 3, 5, 6, 7, 8}));
        QCOMPARE(idsOf(table, {.host = "web-07"}), (Ids{7, 8}));
        QCOMPARE(idsOf(table, {.latency = Duration(6'000'000)}), (Ids{6, 7, 8}));
        QCOMPARE(idsOf(table, {.latency = Duration(1), .latencyKind = LatencyKind::SystemCall}), Ids());
        QCOMPARE(idsOf(table, {.hasFindings = true}), (Ids{1, 2, 3, 5, 6, 7, 8}));
        QCOMPARE(idsOf(table, {.isNewest = true}), (Ids{1, 2, 3, 4, 5, 6, 8}));
        QCOMPARE(idsOf(table, {.age = Duration(2)}), (Ids{6, 7, 8}));
        QCOMPARE(idsOf(table, {.expression = "web-07", .isNewest = true}), (Ids{8}));
    }

    void overviewsCountFindersAndHosts()
    {
        const MadeFleet made(eightTraces());
        const FleetTable table = readTable(made);
        const fleet::FleetOverview overview = fleet::computeOverview(table);
        QVERIFY(overview.kind == LatencyKind::Scheduling && overview.otherKind == LatencyKind::Block);
        Rows finders;
        for (const fleet::FinderCount& it : overview.finders)
            finders.push_back(it.finder + '|' + std::to_string(it.traces));
        QCOMPARE(finders, made.ask("SELECT finder, count(DISTINCT trace_id) FROM finding GROUP BY finder ORDER BY finder"));
        Rows hosts;
        for (const fleet::HostLatency& it : overview.hosts)
            hosts.push_back(it.name + '|' + std::to_string(it.traces) + '|' + (it.most ? std::to_string(it.most->count()) : "-"));
        QCOMPARE(hosts,
                 made.ask("SELECT host, count(DISTINCT trace.id), max(max_ns) FROM trace LEFT JOIN digest ON trace_id = trace.id AND "
                          "kind = 'wakeup' AND name = '' GROUP BY host ORDER BY host"));
        QCOMPARE(overview.hosts.front().heat, 1);
        QCOMPARE(overview.hosts[4].heat, 0); // The latencies of web-05 are unknown.
        QCOMPARE(overview.hosts.back().heat, fleet::HostLatency::MostHeat);
        QVERIFY(overview.hosts.back().isLowerBound);
        // Traces 5 (without latencies) and 8 (with losses) are not typical.
        QCOMPARE(overview.byLatency, (std::vector<std::uint32_t>{0, 1, 2, 3, 5, 6}));
    }

    void detailsAreThoseOfTheTrace()
    {
        std::vector<fleet::TraceSummary> traces = eightTraces();
        traces[1].moreFindings = 3;
        const MadeFleet made(traces);
        const auto details = fleet::readDetails(made.path(), 2, LatencyKind::Block);
        QVERIFY(details);
        QCOMPARE(details->findings.size(), std::size_t(2));
        QCOMPARE(details->findings[0].check, std::string("heliograph latency"));
        QCOMPARE(details->allFindings, std::int64_t(5));
        QCOMPARE(details->notes.size(), std::size_t(2));
        QVERIFY(details->notes[1].isProblem && !details->notes[0].isProblem);
        QCOMPARE(details->digest, traces[1].latencies[1].digest);
        const auto none = fleet::readDetails(made.path(), 99, LatencyKind::Block);
        QVERIFY(none && none->findings.empty() && none->digest.count() == 0);
    }

    void hostileValuesAreUnknown()
    {
        const MadeFleet made({fleetSummary(1, 0.5, 1'000), fleetSummary(2, 0.4, 2'000), fleetSummary(3, 0.3, 3'000)});
        made.change(test::HostileStatements);
        const FleetTable table = readTable(made);
        QCOMPARE(table.traces.size(), std::size_t(3));
        QCOMPARE(table.damaged, std::size_t(3)); // Two digests of trace 1, one of trace 2.
        const fleet::FleetTrace& first = table.traces[0];
        QVERIFY(!first.duration && !first.events && !first.cpuBusyShare && first.latencies == decltype(first.latencies)());
        QCOMPARE(first.name(), std::string("/traces/1"));
        QCOMPARE(first.findings[0].text.size(), FleetTable::MostText);
        QCOMPARE(first.findings[0].share, 0.0);
        QVERIFY(!table.traces[1].cpuBusyShare && !table.traces[1].lostEvents);
        QCOMPARE(table.traces[2].findings.size(), fleet::FleetTrace::MostFindings);
        QVERIFY(table.traces[2].tags.size() <= 100);
        QCOMPARE(table.traces[2].latency(LatencyKind::Scheduling)->most, Duration::max());
        const fleet::FleetOverview overview = fleet::computeOverview(table);
        QCOMPARE(overview.hosts.size(), std::size_t(3));
        for (const fleet::FleetTrace& it : table.traces)
            QVERIFY(fleet::readDetails(made.path(), it.id, LatencyKind::Scheduling));
        QVERIFY(fleet::filterFleet(table, {.expression = "wakeup > 1s && duration >= 0", .isNewest = true, .age = Duration(1)}));
    }

    /// Property: of a catalogue with changed or missing bytes, a table is read, or an error says why not.
    void damagedFilesAreErrors()
    {
        const MadeFleet made(eightTraces());
        QFile file(made.file());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const std::string damaged = (made.folder() + "/damaged.db").toStdString();
        std::size_t errors = 0;
        for (qsizetype i = 0; i < 400; ++i) {
            QByteArray changed = i < 100 ? bytes.left(bytes.size() * i / 100) : bytes;
            if (i >= 100)
                for (qsizetype k = 0; k < 40; ++k)
                    changed[(i * 7919 + k * 104'729) % changed.size()] = char(i * 31 + k * 17);
            test::writeFile(QString::fromStdString(damaged), changed);
            const auto table = fleet::readFleet(damaged);
            errors += table ? 0 : 1;
            if (!table)
                QVERIFY(!table.error().what.empty());
            (void)fleet::readDetails(damaged, 1, LatencyKind::Scheduling);
        }
        QVERIFY(errors > 100);
    }

    void otherFilesAreRefused()
    {
        const MadeFleet made(eightTraces());
        QVERIFY(fleet::isCatalogue(made.path()));
        QVERIFY(!fleet::isCatalogue(made.folder().toStdString()) && !fleet::isCatalogue(made.path() + "x"));
        const std::string text = (made.folder() + "/text.db").toStdString();
        test::writeFile(QString::fromStdString(text), QByteArray(5'000, 'x'));
        QVERIFY(!fleet::isCatalogue(text));
        QVERIFY(!errorOf(fleet::readFleet(text)).empty());
        made.change("PRAGMA user_version = 2");
        QVERIFY(fleet::isCatalogue(made.path()));
        QVERIFY(errorOf(fleet::readFleet(made.path())).find("a catalogue of version 2; this program uses version 1") != std::string::npos);
        made.change("PRAGMA application_id = 5");
        QVERIFY(!fleet::isCatalogue(made.path()));
        QVERIFY(errorOf(fleet::readFleet(made.path())).find("not a catalogue of traces") != std::string::npos);
    }

    void waitsForOtherProcessesStop()
    {
        const MadeFleet made(eightTraces());
        const auto other = sql::SharedDatabase::open(made.path(), sql::SharedDatabase::Access::Change);
        QVERIFY(other && (*other)->execute("BEGIN EXCLUSIVE"));
        std::stop_source source;
        std::optional<Error::Kind> kind;
        std::jthread reader([&] {
            const auto table = fleet::readFleet(made.path(), source.get_token());
            if (!table)
                kind = table.error().kind;
        });
        source.request_stop();
        reader.join();
        QVERIFY(kind == Error::Kind::Cancelled);
    }

    void readingStops()
    {
        const MadeFleet made(eightTraces());
        std::stop_source source;
        source.request_stop();
        const auto table = fleet::readFleet(made.path(), source.get_token());
        QVERIFY(!table && table.error().kind == Error::Kind::Cancelled);
        const auto traces = fleet::filterFleet(readTable(made), {}, source.get_token());
        QVERIFY(!traces && traces.error().kind == Error::Kind::Cancelled);
    }
};

HELIO_TEST(FleetTableTest)
#include "tst_fleet_table.moc"
