#include "tests/support/opened_text.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

/// The tables of slices over a trace of Chrome that is small enough to derive their rows by hand.
class SliceTablesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_opened = std::make_unique<OpenedText>(R"([{"ph":"M","pid":5,"tid":7,"name":"thread_name","args":{"name":"main"}},
{"ph":"X","pid":5,"tid":7,"ts":10,"dur":10,"tdur":4,"cat":"net","name":"outer","args":{"url":"x","size":12}},
{"ph":"X","pid":5,"tid":7,"ts":10,"dur":6,"name":"inner"},
{"ph":"X","pid":5,"tid":7,"ts":12,"dur":2,"name":"leaf"},
{"ph":"X","pid":5,"tid":7,"ts":30,"dur":5,"name":"later"},
{"ph":"s","pid":5,"tid":7,"ts":13,"id":1,"cat":"f","name":"flow"},
{"ph":"f","pid":5,"tid":7,"ts":31,"id":1,"cat":"f","name":"flow","bp":"e"},
{"ph":"s","pid":5,"tid":7,"ts":15,"id":2,"cat":"f","name":"flow"},
{"ph":"f","pid":5,"tid":7,"ts":30,"id":2,"cat":"f","name":"flow","bp":"e"},
{"ph":"C","pid":5,"tid":7,"ts":11,"name":"memory","args":{"kB":3}},
{"ph":"C","pid":5,"tid":7,"ts":33,"name":"memory","args":{"kB":7}}])",
                                                "trace.json");
        m_database = test::databaseOf(m_opened->timeline);
    }

    void slicesNest()
    {
        QCOMPARE(rows("SELECT s.ts, s.dur, s.name, s.depth, p.name, thread.name FROM slice s LEFT JOIN slice p ON p.id = s.parent_id "
                      "JOIN thread_track t ON t.id = s.track_id JOIN thread USING (utid) ORDER BY s.ts, s.depth"),
                 (Rows{"10000|10000|outer|0|-|main", "10000|6000|inner|1|outer|main", "12000|2000|leaf|2|inner|main",
                       "30000|5000|later|0|-|main"}));
        QCOMPARE(rows("SELECT count(*), count(DISTINCT track_id) FROM slice"), Rows{"4|1"});
        QCOMPARE(rows("SELECT tid, name FROM thread WHERE utid > 0"), Rows{"7|main"});
    }
    void callersComeBeforeTheirCalls() { QCOMPARE(rows("SELECT name FROM slice LIMIT 2"), (Rows{"outer", "inner"})); }
    void idsLeadBack()
    {
        for (const std::string& row : rows("SELECT id, name, ts FROM slice"))
            QCOMPARE(rows("SELECT id, name, ts FROM slice WHERE id = " + row.substr(0, row.find('|'))), Rows{row});
    }
    void functionsFollowTheNesting()
    {
        QCOMPARE(rows("SELECT a.* FROM slice, ancestor_slice(slice.id) a WHERE slice.name = 'leaf'"),
                 rows("SELECT * FROM slice WHERE name IN ('outer', 'inner') ORDER BY depth"));
        QCOMPARE(rows("SELECT d.* FROM slice, descendant_slice(slice.id) d WHERE slice.name = 'outer'"),
                 rows("SELECT * FROM slice WHERE name IN ('inner', 'leaf') ORDER BY depth"));
        QCOMPARE(rows("SELECT name FROM ancestor_slice(-1) UNION ALL SELECT name FROM descendant_slice(99)"), Rows{});
        QCOMPARE(rows("SELECT name, (SELECT count(*) FROM ancestor_slice(slice.id)), (SELECT count(*) FROM descendant_slice(slice.id)) "
                      "FROM slice"),
                 (Rows{"outer|0|2", "inner|1|1", "leaf|2|0", "later|0|0"}));
    }
    void stackIdsAreThoseOfNames()
    {
        QCOMPARE(rows("SELECT count(DISTINCT stack_id), min(stack_id) > 0, max(stack_id) < 1 << 53 FROM slice"), Rows{"4|1|1"});
        QCOMPARE(rows("SELECT name FROM slice s WHERE parent_stack_id = ifnull((SELECT stack_id FROM slice WHERE id = s.parent_id), 0)"),
                 (Rows{"outer", "inner", "leaf", "later"}));
    }
    void stacksLeadToCallersAndCalls()
    {
        const std::string stackOf = "(SELECT stack_id FROM slice WHERE name = ";
        QCOMPARE(rows("SELECT name FROM ancestor_slice_by_stack(" + stackOf + "'leaf')) ORDER BY depth"), (Rows{"outer", "inner"}));
        QCOMPARE(rows("SELECT name FROM descendant_slice_by_stack(" + stackOf + "'outer'))"), (Rows{"inner", "leaf"}));
        QCOMPARE(rows("SELECT name FROM descendant_slice_by_stack(" + stackOf + "'inner')) WHERE ts > 11000"), Rows{"leaf"});
        QCOMPARE(rows("SELECT name FROM ancestor_slice_by_stack(0) UNION ALL SELECT name FROM descendant_slice_by_stack(0)"), Rows{});
    }
    void flowsAreFollowed()
    {
        const std::string query = "SELECT s.name, o.name, i.name FROM slice s, {}_flow(s.id) JOIN slice o ON o.id = slice_out "
                                  "JOIN slice i ON i.id = slice_in ORDER BY s.ts, s.depth, o.name";
        const auto follow = [&](const std::string& direction) {
            std::string text = query;
            return rows(text.replace(text.find("{}"), 2, direction));
        };
        QCOMPARE(follow("directly_connected"), (Rows{"inner|inner|later", "leaf|leaf|later", "later|inner|later", "later|leaf|later"}));
        QCOMPARE(follow("following"),
                 (Rows{"outer|inner|later", "outer|leaf|later", "inner|inner|later", "inner|leaf|later", "leaf|leaf|later"}));
        QCOMPARE(follow("preceding"), (Rows{"later|inner|later", "later|leaf|later"}));
    }
    void flowsAreFollowedThroughManySlices()
    {
        // A long slice of thread 1 with slices in it, each of which sends a flow to a slice of thread 2 and gets one back.
        std::string text = R"([{"ph":"X","pid":5,"tid":1,"ts":0,"dur":100000,"name":"long"})";
        const auto add = [&](const std::string& event) { text += ",\n{\"pid\":5,\"cat\":\"f\"," + event + "}"; };
        constexpr int Count = 300;
        for (int i = 0; i < Count; ++i) {
            const auto at = [i](int offset) { return std::to_string(10 + i * 100 + offset); };
            const auto id = [i](int number) { return std::to_string(i * 2 + number); };
            add(R"("ph":"X","tid":1,"name":"call","dur":50,"ts":)" + at(0));
            add(R"("ph":"X","tid":2,"name":"work","dur":20,"ts":)" + at(20));
            add(R"("ph":"s","tid":1,"name":"go","id":)" + id(0) + R"(,"ts":)" + at(5));
            add(R"("ph":"f","bp":"e","tid":2,"name":"go","id":)" + id(0) + R"(,"ts":)" + at(21));
            add(R"("ph":"s","tid":2,"name":"back","id":)" + id(1) + R"(,"ts":)" + at(25));
            add(R"("ph":"f","bp":"e","tid":1,"name":"back","id":)" + id(1) + R"(,"ts":)" + at(45));
        }
        const OpenedText opened(QByteArray::fromStdString(text + "]"), "trace.json");
        const auto database = test::databaseOf(opened.timeline);
        const auto count = [&](const std::string& function, const std::string& slice) {
            return queryRows(*database,
                             "SELECT count(*), count(DISTINCT slice_out), count(DISTINCT slice_in) FROM " + function
                                 + "((SELECT id FROM slice WHERE name = '" + slice + "' ORDER BY ts LIMIT 1))");
        };
        QCOMPARE(queryRows(*database, "SELECT count(*), count(slice_out), count(slice_in) FROM flow"), Rows{"600|600|600"});
        QCOMPARE(count("following_flow", "long"), Rows{"600|600|600"});
        QCOMPARE(count("following_flow", "call"), Rows{"2|2|2"});
        QCOMPARE(count("preceding_flow", "long"), Rows{"0|0|0"});
        QCOMPARE(count("preceding_flow", "call"), Rows{"2|2|2"}); // From the call to the work and back.
        QCOMPARE(count("directly_connected_flow", "work"), Rows{"2|2|2"});
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(queryRows(*database, "SELECT * FROM slice, following_flow(slice.id)", {.stop = stop.get_token(), .time = {}}),
                 Rows{"error: The query was cancelled"});
        QCOMPARE(count("following_flow", "long"), Rows{"600|600|600"});
    }
    void tracksAreLaidOut()
    {
        const std::string all = "(SELECT group_concat(DISTINCT track_id) FROM slice)";
        QCOMPARE(rows("SELECT name, layout_depth FROM experimental_slice_layout(" + all + ")"),
                 (Rows{"outer|0", "inner|1", "leaf|2", "later|0"}));
        QCOMPARE(rows("SELECT name FROM experimental_slice_layout WHERE filter_track_ids = " + all + " AND ts > 20000"), Rows{"later"});
        QCOMPARE(rows("SELECT name FROM experimental_slice_layout('no track, -5, 99999')"), Rows{});
    }
    void slicesHaveWhatTheTraceRecords()
    {
        QCOMPARE(rows("SELECT name, category, thread_dur FROM slice WHERE ts = 10000"), (Rows{"outer|net|4000", "inner|-|-"}));
        QVERIFY(!rows("SELECT key FROM args JOIN slice USING (arg_set_id) WHERE slice.name = 'outer'").empty());
    }
    void flowsConnectSlices()
    {
        QCOMPARE(rows("SELECT o.name, i.name FROM flow JOIN slice o ON o.id = slice_out JOIN slice i ON i.id = slice_in ORDER BY o.name"),
                 (Rows{"inner|later", "leaf|later"}));
    }
    void countersHaveTheirValues()
    {
        QCOMPARE(rows("SELECT ts, CAST(value AS INTEGER) FROM counters ORDER BY ts"), (Rows{"11000|3", "33000|7"}));
        QCOMPARE(rows("SELECT count(DISTINCT track_id), count(DISTINCT id) FROM counter"), Rows{"1|2"});
        QCOMPARE(rows("SELECT CAST(value AS INTEGER) FROM counter WHERE ts > 20000"), Rows{"7"});
    }

private:
    Rows rows(const std::string& query) { return queryRows(*m_database, query); }

    std::unique_ptr<OpenedText> m_opened;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(SliceTablesTest)
#include "tst_slice_tables.moc"
