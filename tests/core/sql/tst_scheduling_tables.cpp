#include "tests/support/made_scheduling.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using helio::test::MadeSchedulingEvent;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

/// The tables of the scheduler over a recording that is small enough to derive their rows by hand.
class SchedulingTablesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        using enum MadeSchedulingEvent::Kind;
        // Thread 100 runs, wakes 200 and sleeps; 200 runs, wakes 100 and is preempted by it; 100 sleeps again, and CPU 0 becomes idle.
        const std::vector<MadeSchedulingEvent> events{
            {1'000, 0, Switch, 0, 0, 100},   {2'000, 0, Wakeup, 200},         {3'000, 0, Switch, 100, 1, 200}, {4'000, 0, Wakeup, 100},
            {5'000, 0, Switch, 200, 0, 100}, {6'000, 0, Switch, 100, 1, 200}, {6'500, 0, Switch, 200, 1, 0},   {9'000, 0, Probe},
        };
        QVERIFY(test::writeScheduling(m_folder.filePath("made"), events, false));
        m_opened = std::make_unique<test::OpenedExperiment>(std::vector{std::filesystem::path(m_folder.filePath("made").toStdString())});
        m_database = test::databaseOf(m_opened->timeline);
    }

    void runsOnCpus()
    {
        const Rows expected{
            "1000|2000|0|t100|S|20", "3000|2000|0|t200|R+|20", "5000|1000|0|t100|S|20", "6000|500|0|t200|S|20", "6500|-1|0|swapper|-|-",
        };
        QCOMPARE(rows("SELECT ts, dur, cpu, name, end_state, priority FROM sched JOIN thread USING (utid) ORDER BY ts"), expected);
        QCOMPARE(rows("SELECT count(*), sum(ts_end - ts - dur) FROM sched"), Rows{"5|0"});
    }
    void statesOfThreads()
    {
        const Rows first{"1000|2000|Running|0|-", "3000|1000|S|-|-", "4000|1000|R|-|t200", "5000|1000|Running|0|-", "6000|-1|S|-|-"};
        const std::string query = "SELECT s.ts, dur, state, cpu, w.name FROM thread_state s JOIN thread t USING (utid) "
                                  "LEFT JOIN thread w ON w.utid = waker_utid WHERE t.name = ";
        QCOMPARE(rows(query + "'t100' ORDER BY s.ts"), first);
        const Rows second{"2000|1000|R|-|t100", "3000|2000|Running|0|-", "5000|1000|R+|-|-", "6000|500|Running|0|-", "6500|-1|S|-|-"};
        QCOMPARE(rows(query + "'t200' ORDER BY s.ts"), second);
    }
    void wakersAreStates()
    {
        QCOMPARE(
            rows("SELECT b.state, b.ts, b.dur, a.irq_context FROM thread_state a JOIN thread_state b ON b.id = a.waker_id ORDER BY a.ts"),
            (Rows{"Running|1000|2000|0", "Running|3000|2000|0"}));
    }
    void idsLeadBack()
    {
        for (const std::string table : {"sched", "thread_state"}) {
            const Rows all = rows("SELECT id, ts, dur, utid FROM " + table + " ORDER BY ts, utid");
            QVERIFY(all.size() >= 5);
            for (const std::string& row : all)
                QCOMPARE(rows("SELECT id, ts, dur, utid FROM " + table + " WHERE id = " + row.substr(0, row.find('|'))), Rows{row});
            QCOMPARE(rows("SELECT count(DISTINCT id) FROM " + table), Rows{std::to_string(all.size())});
            QCOMPARE(rows("SELECT id FROM " + table + " WHERE id = 1000000 OR id = -1"), Rows{});
        }
    }
    void idsDoNotDependOnTheRange()
    {
        for (const std::string table : {"sched", "thread_state"})
            QCOMPARE(rows("SELECT id, ts FROM " + table + " WHERE ts >= 4500 ORDER BY id"),
                     rows("SELECT id, ts FROM (SELECT id, ts FROM " + table + " LIMIT 1000) WHERE ts >= 4500 ORDER BY id"));
    }
    void threadsAndCpus()
    {
        QCOMPARE(rows("SELECT utid, tid, name FROM thread ORDER BY tid"), (Rows{"0|0|swapper", "1|100|t100", "2|200|t200"}));
        QCOMPARE(rows("SELECT ucpu, cpu, machine_id FROM cpu"), Rows{"0|0|0"});
        QCOMPARE(rows("SELECT num_cpus, release FROM machine"), Rows{"1|6.1.0"});
        QCOMPARE(rows("SELECT start_ts, end_ts FROM trace_bounds"), Rows{"1000|9000"});
        QCOMPARE(rows("SELECT trace_start(), trace_end(), trace_dur(), time_from_start(1500)"), Rows{"1000|9000|8000|500"});
    }
    void events()
    {
        QCOMPARE(rows("SELECT count(*) FROM event"), Rows{"8"});
        QCOMPARE(
            rows("SELECT e.id, ts, e.name, cpu, t.name FROM ftrace_event e LEFT JOIN thread t USING (utid) WHERE ts BETWEEN 2000 AND 4000"),
            (Rows{"1|2000|sched_wakeup|0|t100", "2|3000|sched_switch|0|t100", "3|4000|sched_wakeup|0|t200"}));
        QCOMPARE(rows("SELECT ts FROM event WHERE id = 5"), Rows{"6000"});
        QCOMPARE(rows("SELECT ts FROM event WHERE id IN (0, 7, 8)"), (Rows{"1000", "9000"}));
    }
    void argumentsOfEvents()
    {
        QCOMPARE(rows("SELECT extract_arg(arg_set_id, 'prev_tid'), extract_arg(arg_set_id, 'next_comm'), extract_arg(arg_set_id, 'none') "
                      "FROM event WHERE name = 'sched_switch' LIMIT 2"),
                 (Rows{"0|t100|-", "100|t200|-"}));
        QCOMPARE(rows("SELECT flat_key, int_value, string_value, value_type FROM args JOIN event USING (arg_set_id) WHERE event.id = 1"),
                 (Rows{"comm|-|t200|string", "tid|200|-|int", "prio|20|-|int", "target_cpu|0|-|int"}));
        QCOMPARE(rows("SELECT count(*) FROM args WHERE key = 'tid'"), Rows{"2"});
    }
    void pathsFollowTheWaker()
    {
        // Thread 100 sleeps from 3,000 until thread 200, which runs from then on, wakes it at 4,000, and waits for the CPU until 5,000.
        const Rows expected{"1000|2000|running|t100|0", "3000|1000|running|t200|1", "4000|1000|wait-cpu|t100|0",
                            "5000|1000|running|t100|0"};
        QCOMPARE(rows("SELECT ts, dur, kind, name, depth FROM critical_path((SELECT utid FROM thread WHERE tid = 100), 1000, 5000) "
                      "JOIN thread USING (utid) ORDER BY ts"),
                 expected);
        QCOMPARE(rows("SELECT ts, dur FROM critical_path((SELECT utid FROM thread WHERE tid = 100), 1500, 700)"), Rows{"1500|700"});
        QCOMPARE(rows("SELECT * FROM critical_path(0, 0, -1)"), Rows{}); // The idle thread has no states.
        QCOMPARE(rows("SELECT * FROM critical_path(1, 5000, 0) UNION ALL SELECT * FROM critical_path(77, 0, 9223372036854775807)"), Rows{});
        QCOMPARE(rows("SELECT c.ts, c.dur, depth, kind, words, is_explained FROM thread_state s, wait_cause(s.utid, s.ts) c "
                      "WHERE s.ts = 3000 AND s.state = 'S'"),
                 (Rows{"3000|1000|0|blocked|t100 (100) waited: ended by t200 (200)|1", "3000|1000|1|running|t200 (200) ran: running|0"}));
    }
    void statesOfRows()
    {
        QCOMPARE(rows("SELECT ts, dur, state FROM state_interval WHERE view = 'control-flow' AND row = 'tid:200' AND utid = 2"),
                 (Rows{"1000|1000|unknown", "2000|1000|wait-cpu", "3000|2000|running", "5000|1000|preempted", "6000|500|running",
                       "6500|-1|sleeping"}));
        QCOMPARE(rows("SELECT count(*) FROM state_interval WHERE view = 'none' OR row = 'tid:9'"), Rows{"0"});
        QCOMPARE(rows("SELECT min(certain) FROM sched_slice"), Rows{"1"});
    }
    void fieldsOfEvents()
    {
        QCOMPARE(rows("SELECT field(id, 'next_comm'), field(id, 'fields.next_tid'), field(id, 'tid') FROM event LIMIT 2"),
                 (Rows{"t100|100|-", "-|-|200"}));
    }
    void wakeupsAreLinks()
    {
        QCOMPARE(rows("SELECT ts, f.name, t.name, cpu FROM link JOIN thread f ON f.utid = from_utid JOIN thread t ON t.utid = to_utid "
                      "WHERE kind = 'wakeup' ORDER BY ts"),
                 (Rows{"2000|t100|t200|0", "4000|t200|t100|0"}));
    }

private:
    Rows rows(const std::string& query) { return queryRows(*m_database, query); }

    QTemporaryDir m_folder;
    std::unique_ptr<test::OpenedExperiment> m_opened;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(SchedulingTablesTest)
#include "tst_scheduling_tables.moc"
