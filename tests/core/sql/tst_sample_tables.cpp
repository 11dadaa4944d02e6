// Property: the tables of samples and stacks give the same sums as the function table, for every format that has samples.

#include "core/profiling/samples/function_table.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/perf_recording.h"
#include "tests/support/real_traces.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace helio;
using helio::test::databaseOf;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

namespace {

/// Samples and weight by function; code without a name has the name "-".
using Sums = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;

/// Returns the sums of one kind of samples as the views of samples show them.
std::pair<Sums, Sums> shownSums(const Timeline& timeline, const std::string& kind)
{
    SampleFilter filter;
    filter.kinds = {kind};
    const StackProfile profile = collectStacks(timeline, filter);
    const StackNames names = nameStacks(profile, timeline);
    FunctionTableOptions options;
    options.byComm = options.byModule = false;
    options.tree.base = CallTreeOptions::Base::None;
    const FunctionTable table = buildFunctionTable(profile, names, options);
    std::pair<Sums, Sums> sums;
    const std::uint64_t divisor = profile.kind.divisor();
    for (const FunctionRow& row : table.rows) {
        const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
        const std::string name = function.name.empty() ? "-" : function.label();
        for (auto [sum, into] : {std::pair(&row.self, &sums.first), std::pair(&row.total, &sums.second)}) {
            if (sum->weight == 0 && sum->samples == 0)
                continue;
            auto& [samples, weight] = (*into)[name];
            samples += sum->samples / divisor;
            weight += sum->weight / divisor;
        }
    }
    return sums;
}

Sums sumsOf(const Rows& rows)
{
    Sums sums;
    for (const std::string& row : rows) {
        const QStringList cells = QString::fromStdString(row).split('|');
        // A name may contain the separator.
        const QString name = cells.mid(0, cells.size() - 2).join('|');
        auto& [samples, weight] = sums[name.toStdString()];
        samples += static_cast<std::uint64_t>(cells[cells.size() - 2].toDouble());
        weight += static_cast<std::uint64_t>(cells.last().toDouble());
    }
    return sums;
}

/// Sums by the innermost function, with those that were inlined.
Sums selfSums(sql::Database& database, const std::string& kind)
{
    return sumsOf(queryRows(database,
                            "SELECT symbol.name, coalesce(sum(samples), count(*)), sum(weight) FROM sample "
                            "JOIN stack_profile_callsite AS site ON site.id = callsite_id "
                            "JOIN stack_profile_frame AS frame ON frame.id = site.frame_id "
                            "LEFT JOIN stack_profile_symbol AS symbol ON symbol.id = frame.symbol_set_id "
                            "WHERE event = "
                                + sql::quoted(kind) + " GROUP BY 1"));
}

/// Sums by all functions of the stacks, each stack once.
Sums totalSums(sql::Database& database, const std::string& kind)
{
    return sumsOf(queryRows(database,
                            "CREATE TABLE taken AS SELECT callsite_id, coalesce(sum(samples), count(*)) AS samples, sum(weight) AS weight "
                            "FROM sample WHERE event = "
                                + sql::quoted(kind)
                                + " AND callsite_id IS NOT NULL GROUP BY 1;"
                                  "CREATE TABLE named AS WITH RECURSIVE chain(leaf, site) AS (SELECT callsite_id, callsite_id FROM taken "
                                  "UNION ALL SELECT leaf, parent_id FROM chain JOIN stack_profile_callsite ON id = site "
                                  "WHERE parent_id IS NOT NULL) SELECT DISTINCT leaf, symbol.name AS name FROM chain "
                                  "JOIN stack_profile_callsite AS c ON c.id = site JOIN stack_profile_frame AS f ON f.id = c.frame_id "
                                  "LEFT JOIN stack_profile_symbol AS symbol ON symbol.symbol_set_id = f.symbol_set_id;"
                                  "SELECT name, sum(samples), sum(weight) FROM named JOIN taken ON callsite_id = leaf "
                                  "WHERE name IS NOT NULL GROUP BY 1"));
}

/// Returns the folder with recordings of other formats; one that does not exist if they are absent.
QString formatFolder(const QString& format)
{
    const QString file = sharedFile("formats/profiles/simple.cpuprofile");
    return file.isEmpty() ? "/absent" : QFileInfo(file).dir().filePath("../" + format);
}

/// Compares the tables with the function table, for each kind of samples.
void compareWithFunctions(const std::shared_ptr<const Timeline>& timeline)
{
    for (const SampleKindFacts& facts : sampleKinds(*timeline)) {
        if (areCalls(facts.kind) || facts.samples == 0)
            continue;
        const auto database = databaseOf(timeline);
        auto [self, total] = shownSums(*timeline, facts.kind.name);
        const Sums found = selfSums(*database, facts.kind.name);
        const Sums foundTotal = totalSums(*database, facts.kind.name);
        total.erase("-"); // One function for each address, but a stack counts once for each function.
        for (const auto& [name, sum] : self)
            if (!found.contains(name) || found.at(name) != sum)
                qWarning() << facts.kind.name.c_str() << name.c_str() << sum
                           << (found.contains(name) ? found.at(name) : std::pair<std::uint64_t, std::uint64_t>());
        QCOMPARE(found, self);
        for (const auto& [name, sum] : total)
            if (!foundTotal.contains(name) || foundTotal.at(name) != sum)
                qWarning() << facts.kind.name.c_str() << "total" << name.c_str() << sum
                           << (foundTotal.contains(name) ? foundTotal.at(name) : std::pair<std::uint64_t, std::uint64_t>());
        QCOMPARE(foundTotal, total);
    }
}

/// Compares experimental_flamegraph() with the call tree of all recorded samples.
void compareFlameGraph(const std::shared_ptr<const Timeline>& timeline)
{
    const auto database = databaseOf(timeline);
    SampleFilter filter;
    for (const std::string& kind : queryRows(*database, "SELECT DISTINCT event FROM sample WHERE role = 'recorded'"))
        filter.kinds.push_back(kind);
    const std::string all = "experimental_flamegraph('perf', NULL, NULL, NULL, NULL, NULL)";
    if (filter.kinds.empty()) {
        QCOMPARE(queryRows(*database, "SELECT * FROM " + all), Rows{});
        return;
    }
    const StackProfile profile = collectStacks(*timeline, filter);
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    const CallTree tree = buildCallTree(profile, nameStacks(profile, *timeline), options);
    std::multiset<std::string> nodes;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        const CallNode& node = tree.nodes[i];
        const std::string caller = node.parent == 0 ? "-" : tree.functionOf(node.parent).label();
        nodes.insert(std::to_string(node.depth - 1) + '|' + caller + '|' + tree.functionOf(i).label() + '|'
                     + std::to_string(node.self.samples / profile.kind.divisor()) + '|'
                     + std::to_string(node.total.samples / profile.kind.divisor()));
    }
    const Rows found = queryRows(*database,
                                 "SELECT f.depth, p.name, f.name, f.count, f.cumulative_count FROM " + all + " f LEFT JOIN " + all
                                     + " p ON p.id = f.parent_id");
    QCOMPARE(std::multiset<std::string>(found.begin(), found.end()), nodes);
    // The sums over all processes are those of samples with a known process.
    QCOMPARE(queryRows(*database, "SELECT sum(f.count) FROM process p, experimental_flamegraph('perf', NULL, NULL, p.upid, NULL, NULL) f"),
             queryRows(*database,
                       "SELECT CASE WHEN count(*) > 0 THEN coalesce(sum(samples), count(*)) END FROM sample WHERE role = 'recorded' AND "
                       "callsite_id IS NOT NULL AND utid IS NOT NULL "
                       "AND utid NOT IN (SELECT id FROM host)"));
}

void compareTables(const std::shared_ptr<const Timeline>& timeline)
{
    compareWithFunctions(timeline);
    compareFlameGraph(timeline);
    const auto database = databaseOf(timeline);
    const Rows all = queryRows(*database, "SELECT * FROM sample ORDER BY id");
    std::uint64_t stored = 0;
    for (const TimelineStore& store : timeline->stores)
        stored += store.store ? store.store->samples().count() : 0;
    QCOMPARE(all.size(), stored);
    QCOMPARE(queryRows(*database, "SELECT count(*), count(DISTINCT id), max(id) - min(id) FROM sample"),
             Rows{std::to_string(stored) + '|' + std::to_string(stored) + '|' + (stored ? std::to_string(stored - 1) : "-")});
    for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 20)
        QCOMPARE(queryRows(*database, "SELECT * FROM sample WHERE id = " + std::to_string(i)), Rows{all[i]});
    QCOMPARE(queryRows(*database,
                       "SELECT count(*) FROM stack_profile_callsite c LEFT JOIN stack_profile_callsite p ON p.id = c.parent_id "
                       "WHERE p.depth IS NOT c.depth - 1 AND (c.depth > 0 OR c.parent_id IS NOT NULL)"),
             Rows{"0"});
    QCOMPARE(queryRows(*database,
                       "SELECT count(*) FROM stack_profile_frame f LEFT JOIN stack_profile_mapping m ON m.id = f.mapping "
                       "WHERE m.id IS NULL"),
             Rows{"0"});
    QCOMPARE(queryRows(*database, "SELECT count(*) FROM sample LEFT JOIN stack_sample_session s ON s.id = session_id WHERE s.id IS NULL"),
             Rows{"0"});
}

} // namespace

class SampleTablesTest : public QObject {
    Q_OBJECT
private slots:
    void fixturesOfPerf_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(SOURCE_DIR "/tests/fixtures/perf");
        for (const QString& name : folder.entryList({"*.data"}))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void fixturesOfPerf()
    {
        QFETCH(QString, path);
        compareTables(test::OpenedExperiment({path.toStdString()}).timeline);
    }

    void recordingsOfOtherFormats_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"profiles", "chrome-json", "kutrace", "perfetto"}) {
            const QDir dir(formatFolder(folder));
            for (const QString& name : dir.entryList(QDir::Files))
                QTest::newRow(qPrintable(name)) << dir.filePath(name);
        }
        if (!QDir(formatFolder("profiles")).exists())
            QTest::newRow("none") << QString();
    }
    void recordingsOfOtherFormats()
    {
        QFETCH(QString, path);
        if (path.isEmpty())
            QSKIP("the recordings of other formats are absent");
        if (!Experiment::open({path.toStdString()}, {}))
            return; // Not a recording.
        compareTables(test::OpenedExperiment({path.toStdString()}).timeline);
    }

    void sessionsAndLosses()
    {
        HELIO_REQUIRE_TRACE(path, "perf-cases", "lost.data");
        const test::OpenedExperiment opened({path.toStdString()});
        const auto database = databaseOf(opened.timeline);
        QCOMPARE(queryRows(*database, "SELECT id, perf_session_id, instr(cmdline, 'record') > 0 FROM perf_session"), Rows{"0|0|1"});
        QCOMPARE(queryRows(*database, "SELECT source, timebase_unit FROM stack_sample_session"), Rows{"linux.perf|ns"});
        // The numbers of samples and of lost records are those that perf prints.
        QCOMPARE(queryRows(*database, "SELECT count(*) FROM perf_sample"), Rows{"18759"});
        QCOMPARE(queryRows(*database, "SELECT sum(value) FROM stats WHERE name = 'perf_cpu_lost_records' AND severity = 'data_loss'"),
                 Rows{"1149"});
    }

    void flameGraphsOfAPart()
    {
        const test::OpenedExperiment opened({SOURCE_DIR "/tests/fixtures/perf/fp.data"});
        const auto database = databaseOf(opened.timeline);
        const Rows middle =
            queryRows(*database, "SELECT ts FROM perf_sample ORDER BY ts LIMIT 1 OFFSET (SELECT count(*) / 2 FROM perf_sample)");
        const std::string time = middle.at(0);
        for (const std::string comparison : {">=", "<", ">", "<=", "="})
            QCOMPARE(queryRows(*database,
                               "SELECT coalesce(sum(count), 0) FROM experimental_flamegraph('perf', NULL, '" + comparison + time
                                   + "', NULL, NULL, NULL)"),
                     queryRows(*database, "SELECT count(*) FROM perf_sample WHERE callsite_id IS NOT NULL AND ts " + comparison + time));
        const std::string focused = "experimental_flamegraph('perf', NULL, NULL, NULL, NULL, 'START_CALL')";
        QCOMPARE(queryRows(*database, "SELECT name, depth, count, cumulative_count, parent_id FROM " + focused),
                 (Rows{"__libc_start_call_main|0|0|3|-", "demo+0x1300|1|0|3|0", "demo+0x11f9|2|2|2|1", "demo+0x11e5|2|1|1|1"}));
        QCOMPARE(queryRows(*database,
                           "SELECT count(*) FROM " + focused + " f LEFT JOIN " + focused
                               + " p ON p.id = f.parent_id WHERE f.parent_id IS NOT NULL AND (p.id IS NULL OR p.depth + 1 != f.depth)"),
                 Rows{"0"});
        QCOMPARE(queryRows(*database, "SELECT * FROM experimental_flamegraph('native', 1, NULL, 1, NULL, NULL)"),
                 Rows{"error: experimental_flamegraph(): profile_type must be 'perf': heap profiles are not supported"});
        QCOMPARE(queryRows(*database, "SELECT * FROM experimental_flamegraph('perf', NULL, '~5', NULL, NULL, NULL)"),
                 Rows{"error: experimental_flamegraph(): \"~5\" is no integer"});
        QCOMPARE(queryRows(*database, "SELECT * FROM experimental_flamegraph"),
                 Rows{"error: line 1, column 1: experimental_flamegraph(): the argument profile_type is missing"});
    }

    void recordingsWithSymbols_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"solo", "solo-dwarf", "parallel4-sched", "parallel4-multi3"})
            QTest::newRow(name) << name;
    }
    void recordingsWithSymbols()
    {
        if (realTrace(PerfRecording::Collection).isEmpty())
            QSKIP(qPrintable(missingTrace(PerfRecording::Collection)));
        QFETCH(QString, name);
        compareTables(PerfRecording(name).timeline);
    }
};

HELIO_TEST(SampleTablesTest)
#include "tst_sample_tables.moc"
