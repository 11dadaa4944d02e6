#include "core/latency/intervals/intervals.h"
#include "core/query/events/event_counts.h"
#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/composite_states.h"
#include "tests/support/sample.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <set>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

/// The tables over a real recording, compared with the queries that the window uses.
class TablesOfSampleTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        m_database = test::databaseOf(m_timeline);
    }

    void runningTimesEqualTheStatesOfThreads()
    {
        std::map<std::string, std::int64_t> expected;
        for (const Row& row : threads(*m_timeline))
            for (const StateTotal& total : totals(*m_timeline, row.ref, rangeOf(*m_timeline)))
                if (isOnCpu(meaningOf(*m_timeline, row.ref, total.state)))
                    expected[row.label + '|' + std::to_string(row.tid)] += total.total.count();
        Rows lines;
        for (const auto& [thread, time] : expected)
            lines.push_back(thread + '|' + std::to_string(time));
        QVERIFY(lines.size() > 5);
        const Rows found = rows("SELECT name || '|' || tid AS n, sum(CASE WHEN dur < 0 THEN trace_end() - s.ts ELSE dur END) "
                                "FROM thread_state s JOIN thread USING (utid) WHERE state = 'Running' GROUP BY n ORDER BY n");
        QCOMPARE(found, lines);
    }
    void idleThreadsAreMarked()
    {
        QCOMPARE(rows("SELECT utid FROM thread WHERE is_idle"), Rows{"0"});
        QCOMPARE(rows("SELECT count(*) FROM thread WHERE is_idle IS NOT (tid = 0)"), Rows{"0"});
    }
    void systemCallsHaveTheFieldsOfTheirEvents()
    {
        const std::string calls = "(SELECT slice.ts, dur, slice.name, arg_set_id, utid FROM slice JOIN thread_track t ON t.id = track_id "
                                  "WHERE t.type = 'syscall') AS s";
        const Rows entries = rows("SELECT s.ts, s.name, a.key, a.display_value FROM " + calls
                                  + " JOIN event e ON e.ts = s.ts AND e.utid = s.utid AND e.name = 'syscall_entry_' || substr(s.name, 5) "
                                    "JOIN args a ON a.arg_set_id = e.arg_set_id WHERE a.key NOT GLOB 'context.*' ORDER BY 1, 2, 3");
        QVERIFY(entries.size() > 50);
        const Rows results =
            rows("SELECT s.ts, s.name, a.key, a.display_value FROM " + calls
                 + " JOIN event e ON e.ts = s.ts + s.dur AND e.utid = s.utid AND e.name = 'syscall_exit_' || substr(s.name, 5) "
                   "JOIN args a ON a.arg_set_id = e.arg_set_id WHERE a.key = 'ret' ORDER BY 1, 2");
        QVERIFY(results.size() > 50);
        const Rows found = rows("SELECT s.ts, s.name, key, display_value FROM " + calls + " JOIN args USING (arg_set_id) ORDER BY 1, 2, 3");
        const std::set<std::string> all(found.begin(), found.end());
        for (const Rows& expected : {entries, results})
            for (const std::string& line : expected)
                QVERIFY2(all.contains(line), line.c_str());
        QCOMPARE(rows("SELECT count(category) FROM " + calls + " JOIN slice USING (arg_set_id)"), Rows{"0"});
    }
    void clocksAreRead()
    {
        // The offset is that of the clock in the file `metadata` of the sample.
        QCOMPARE(
            rows("SELECT r.ts - r.clock_value, r.clock_value - m.clock_value, r.clock_name, m.clock_id "
                 "FROM clock_snapshot r JOIN clock_snapshot m USING (snapshot_id) WHERE r.clock_id = 1 AND m.clock_name = 'MONOTONIC'"),
            (Rows{"0|1795260691934888984|REALTIME|3", "0|1795260691934888984|REALTIME|3"}));
        QCOMPARE(rows("SELECT ts - trace_start(), trace_end() - ts, count(DISTINCT id) FROM clock_snapshot GROUP BY snapshot_id"),
                 (Rows{"0|" + rows("SELECT trace_dur()").at(0) + "|2", rows("SELECT trace_dur()").at(0) + "|0|2"}));
    }
    void metadataHasTheNamesOfTheField()
    {
        QCOMPARE(rows("SELECT name, str_value FROM metadata WHERE name IN ('system_name', 'hostname', 'trace_type') ORDER BY name"),
                 (Rows{"hostname|kern2", "system_name|Linux", "trace_type|ctf"}));
        QCOMPARE(rows("SELECT count(*) - count(DISTINCT id) FROM metadata"), Rows{"0"});
    }
    void runsOnCpusFillTheRecording()
    {
        // Each CPU runs one thread or another from its first switch to the end, because the sample has no lost events.
        const Rows gaps = rows("SELECT count(*) FROM (SELECT ts, lag(ts + dur) OVER (PARTITION BY cpu ORDER BY ts) AS before FROM sched) "
                               "WHERE before IS NOT NULL AND before != ts");
        QCOMPARE(gaps, Rows{"0"});
    }
    void everyRunIsARunningState()
    {
        const Rows unmatched =
            rows("SELECT count(*) FROM sched s LEFT JOIN thread_state t ON t.utid = s.utid AND t.ts = s.ts "
                 "AND t.state = 'Running' WHERE s.utid != 0 AND s.ts > (SELECT min(ts) + 1000000 FROM sched) AND t.id IS NULL");
        QCOMPARE(unmatched, Rows{"0"});
    }
    void slicesEqualCompositeStates()
    {
        bool hasAny = false;
        for (const CompositeState& state : compositeStates(*m_timeline)) {
            std::uint64_t count = 0;
            std::int64_t total = 0;
            forEachCompositeState(
                *m_timeline, state, rowsWithComposite(*m_timeline, state), rangeOf(*m_timeline),
                [&](const Row&, TimeRange range, std::uint32_t) {
                    ++count;
                    total += range.duration().count();
                },
                {}, RunOrder::ByRow);
            const std::string query = "SELECT count(*), ifnull(sum(dur), 0) FROM slice JOIN track ON track.id = track_id WHERE type = ";
            const std::string ofPreemptions = "SELECT count(*), sum(dur) FROM thread_state WHERE state = 'R+' AND dur >= 0";
            QCOMPARE(rows(state.id == "preemption" ? ofPreemptions : query + sql::quoted(state.id)),
                     Rows{std::to_string(count) + '|' + std::to_string(total)});
            hasAny |= count > 100;
        }
        QVERIFY(hasAny);
    }
    void idsOfSlicesLeadBack()
    {
        const Rows all = rows("SELECT id, ts, dur, track_id, name FROM slice");
        QVERIFY(all.size() > 100);
        QCOMPARE(rows("SELECT count(DISTINCT id) FROM slice"), Rows{std::to_string(all.size())});
        for (std::size_t i = 0; i < all.size(); i += all.size() / 50)
            QCOMPARE(rows("SELECT id, ts, dur, track_id, name FROM slice WHERE id = " + all[i].substr(0, all[i].find('|'))), Rows{all[i]});
        const std::string middle = "(SELECT ts FROM slice LIMIT 1 OFFSET " + std::to_string(all.size() / 2) + ")";
        QCOMPARE(rows("SELECT id, name FROM slice WHERE ts >= " + middle + " ORDER BY ts, id"),
                 rows("SELECT id, name FROM (SELECT id, name, ts FROM slice LIMIT 10000000) WHERE ts >= " + middle + " ORDER BY ts, id"));
    }
    void eventsEqualTheEventTable()
    {
        EventTable table(m_timeline);
        QCOMPARE(rows("SELECT count(*) FROM event"), Rows{std::to_string(table.size())});
        QCOMPARE(rows("SELECT count(id) FROM event"), Rows{std::to_string(table.size())});
        const Rows found = rows("SELECT id, ts, name FROM event WHERE id BETWEEN 1000 AND 1099");
        const std::vector<EventRow> expected = table.rows(1'000, 100);
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(found[i],
                     std::to_string(expected[i].index) + '|' + std::to_string(nanoseconds(expected[i].time)) + '|' + expected[i].name);
    }
    void everyTableCanBeRead()
    {
        for (const std::string& name : rows("SELECT name FROM pragma_table_list WHERE name NOT LIKE 'sqlite%' ORDER BY name")) {
            const Rows found = rows("SELECT * FROM " + name + " LIMIT 3");
            QVERIFY2(found.empty() || !found.front().starts_with("error"), (name + ": " + (found.empty() ? "" : found.front())).c_str());
        }
    }
    void documentedQueriesOfPerfettoRun()
    {
        // Documented queries: CPU time by process, and threads by time in each state.
        const Rows busiest = rows("SELECT process.name, sum(dur) AS cpu_time FROM sched JOIN thread USING (utid) JOIN process USING (upid) "
                                  "WHERE utid != 0 AND dur >= 0 GROUP BY upid ORDER BY cpu_time DESC LIMIT 3");
        QCOMPARE(busiest.size(), 3u);
        const Rows states = rows("SELECT state, count(*) FROM thread_state GROUP BY state ORDER BY state");
        QVERIFY(states.size() >= 3);
    }

private:
    Rows rows(const std::string& query) { return queryRows(*m_database, query); }

    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(TablesOfSampleTest)
#include "tst_tables_of_sample.moc"
