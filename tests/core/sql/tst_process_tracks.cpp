#include "tests/support/opened_text.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

/// Tracks that belong to a process and to none of its threads, in a trace of Chrome.
class ProcessTracksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_opened = std::make_unique<OpenedText>(R"([{"ph":"M","pid":5,"tid":7,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":5,"name":"process_name","args":{"name":"browser"}},
{"ph":"X","pid":5,"tid":7,"ts":10,"dur":10,"name":"call"},
{"ph":"b","pid":5,"tid":7,"ts":12,"id":"0x1","cat":"net","name":"request"},
{"ph":"e","pid":5,"tid":7,"ts":40,"id":"0x1","cat":"net","name":"request"},
{"ph":"i","pid":5,"tid":7,"ts":15,"name":"of process","s":"p"},
{"ph":"i","pid":5,"tid":7,"ts":16,"name":"of all","s":"g"},
{"ph":"i","pid":5,"tid":7,"ts":17,"name":"of thread"},
{"ph":"C","pid":5,"ts":11,"name":"memory","args":{"kB":3}},
{"ph":"C","pid":9,"ts":33,"name":"memory","args":{"kB":7}}])",
                                                "trace.json");
        m_database = test::databaseOf(m_opened->timeline);
    }

    void slicesOfProcesses()
    {
        QCOMPARE(rows("SELECT s.ts, s.dur, s.name, pid, p.name FROM slice s JOIN process_track t ON t.id = s.track_id "
                      "JOIN process p USING (upid) ORDER BY s.ts"),
                 (Rows{"12000|28000|request|5|browser", "15000|0|of process|5|browser"}));
        QCOMPARE(rows("SELECT s.name FROM slice s JOIN thread_track t ON t.id = s.track_id ORDER BY s.ts"), (Rows{"call", "of thread"}));
    }
    void instantsAreSlices()
    {
        QCOMPARE(rows("SELECT ts, instant.name, track.name FROM instant JOIN track ON track.id = track_id ORDER BY ts"),
                 (Rows{"15000|of process|Instants", "16000|of all|Global instants", "17000|of thread|Instants"}));
        for (const std::string& row : rows("SELECT id, name, ts, track_id FROM slice"))
            QCOMPARE(rows("SELECT id, name, ts, track_id FROM slice WHERE id = " + row.substr(0, row.find('|'))), Rows{row});
        QCOMPARE(rows("SELECT count(*), count(DISTINCT id) FROM slice"), Rows{"5|5"});
        QCOMPARE(rows("SELECT name, count(*), sum(dur) FROM slice GROUP BY name ORDER BY name"),
                 (Rows{"call|1|10000", "of all|1|0", "of process|1|0", "of thread|1|0", "request|1|28000"}));
    }
    void countersOfProcesses()
    {
        QCOMPARE(rows("SELECT c.ts, CAST(c.value AS INTEGER), t.name, pid FROM counter c JOIN process_counter_track t ON t.id = c.track_id "
                      "JOIN process p USING (upid) ORDER BY c.ts"),
                 (Rows{"11000|3|memory: kB|5", "33000|7|memory: kB|9"}));
        QCOMPARE(rows("SELECT count(*) FROM thread_counter_track UNION ALL SELECT count(*) FROM cpu_counter_track"), (Rows{"0", "0"}));
    }
    void eachProcessIsOnce() { QCOMPARE(rows("SELECT pid, count(*) FROM process GROUP BY pid ORDER BY pid"), (Rows{"0|1", "5|1", "9|1"})); }

private:
    Rows rows(const std::string& query) { return queryRows(*m_database, query); }

    std::unique_ptr<OpenedText> m_opened;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(ProcessTracksTest)
#include "tst_process_tracks.moc"
