#include "core/sql/dialect/sums.h"
#include "tests/support/sample.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

namespace {

const sql::SumTable Numbers{{"n", "all_n"}, "n_sums", {"k", "name"}, {"id", "v"}, "v", "num", "tot", "lo", "hi"};

/// Returns the query with the sums; empty if there is none.
std::string rewritten(const std::string& query)
{
    sql::MappedText text;
    text.appendCopy(query, 0);
    const auto result = sql::useSums(text, Numbers);
    return result ? result->text() : std::string();
}

/// Returns names and rows of a query's result.
Rows headedRows(sql::Database& database, const std::string& query)
{
    class Names final : public sql::RowReceiver {
    public:
        void columns(std::span<const std::string> names) override { all.assign(names.begin(), names.end()); }
        bool row(std::span<const sql::Value>) override { return false; }
        Rows all;
    };
    Names names;
    (void)database.run(query, names);
    Rows rows = queryRows(database, query);
    rows.insert(rows.begin(), names.all.begin(), names.all.end());
    return rows;
}

} // namespace

/// Queries that are answered from sums of slices, beside the same queries that read each slice.
class SliceTotalsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        m_database = test::databaseOf(m_timeline);
    }

    void sumsReplaceRows()
    {
        QCOMPARE(rewritten("SELECT name, count(*) FROM n GROUP BY name"),
                 std::string("SELECT name, ifnull(sum(\"n\".\"num\"), 0)  AS \"count(*)\" FROM \"n_sums\" AS \"n\" GROUP BY name"));
        QCOMPARE(rewritten("select sum(x.v) / 2 s from all_n as x where name = 'a' order by s"),
                 std::string("select sum(\"x\".\"tot\") / 2 s from \"n_sums\" AS \"x\" where name = 'a' order by s"));
        for (const char* query : {"SELECT min(v), max(v), avg(v), total(v) FROM n",
                                  "SELECT upper(name), sum(v) / 1e6 AS ms FROM n GROUP BY 1 HAVING count(*) > 3",
                                  "SELECT t.x, count(*) FROM n JOIN t ON t.k = n.k GROUP BY t.x ORDER BY count(*) DESC LIMIT 3;",
                                  "SELECT count(*) 'how many' FROM n a LEFT JOIN t USING (k)"})
            QVERIFY2(!rewritten(query).empty(), query);
    }
    void otherQueriesReadRows()
    {
        for (const char* query : {"SELECT name FROM n",
                                  "SELECT * FROM n",
                                  "SELECT n.*, count(*) FROM n",
                                  "SELECT id, count(*) FROM n",
                                  "SELECT count(v) FROM n",
                                  "SELECT count(DISTINCT name) FROM n",
                                  "SELECT name, sum(v) OVER () FROM n",
                                  "SELECT sum(v + 1) FROM n",
                                  "SELECT min(v, 3) FROM n",
                                  "SELECT count(*) FROM n WHERE id > 3",
                                  "SELECT count(*) FROM n WHERE k = 3",
                                  "SELECT count(*) FROM t JOIN n USING (k)",
                                  "SELECT count(*) FROM n JOIN n AS m USING (k)",
                                  "SELECT count(*) FROM n, all_n",
                                  "SELECT count(*) FROM n UNION SELECT 1",
                                  "SELECT (SELECT count(*) FROM n)",
                                  "SELECT count(*) FROM n WHERE random() > 0",
                                  "SELECT json_group_array(name), count(*) FROM n",
                                  "SELECT count(*), sum(t.x) FROM n JOIN t USING (k)",
                                  "WITH a AS (SELECT 1) SELECT count(*) FROM n",
                                  "SELECT count(*) FROM other",
                                  "SELECT count(*) num FROM n",
                                  "SELECT name AS lo, count(*) FROM n GROUP BY lo",
                                  "SELECT sum(v) IS NOT NULL FROM n",
                                  "SELECT count(*), n.rowid FROM n",
                                  "EXPLAIN SELECT count(*) FROM n",
                                  "INSERT INTO n SELECT count(*) FROM n",
                                  "SELECT count(*) FROM",
                                  "SELECT count(*) FROM n RIGHT JOIN t USING (k)",
                                  "SELECT count(*) FILTER (WHERE name = 'a') FROM n",
                                  "SELECT sum(v FROM n",
                                  ""})
            QVERIFY2(rewritten(query).empty(), query);
    }
    void resultsAreThoseOfTheRows_data()
    {
        QTest::addColumn<QString>("query");
        for (const char* query :
             {"SELECT name, count(*), sum(dur) FROM %1 GROUP BY name ORDER BY name",
              "SELECT count(*), sum(dur), min(dur), max(dur) FROM %1", "SELECT COUNT( * ) FROM %1 WHERE name GLOB 'sys_*'",
              "SELECT count(*), sum(dur), total(dur) FROM %1 WHERE name = 'nothing'",
              "SELECT name AS n, sum(dur) / count(*) mean, round(avg(dur)) FROM %1 GROUP BY n HAVING count(*) > 2 ORDER BY 2 DESC, 1",
              "SELECT thread.name, slice.name, count(*), max(slice.dur) FROM %1 JOIN thread_track ON thread_track.id = slice.track_id "
              "JOIN thread USING (utid) GROUP BY 1, 2 ORDER BY 1, 2",
              "SELECT track.type, count(*) AS slices, sum(dur) FROM %1 JOIN track ON track.id = track_id GROUP BY 1 ORDER BY 1",
              "SELECT length(name), count(*) FROM %1 GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3"})
            QTest::newRow(query) << query;
    }
    void resultsAreThoseOfTheRows()
    {
        QFETCH(QString, query);
        const Rows expected = headedRows(*m_database, query.arg("(SELECT * FROM slice) AS slice").toStdString());
        QVERIFY(expected.size() > 1);
        QVERIFY2(!expected.back().starts_with("error"), expected.back().c_str());
        QCOMPARE(headedRows(*m_database, query.arg("slice").toStdString()), expected);
    }
    void totalsHaveEachSliceOnce()
    {
        QCOMPARE(queryRows(*m_database, "SELECT sum(slices), sum(total_dur), min(shortest_dur), max(longest_dur) FROM slice_totals"),
                 queryRows(*m_database, "SELECT count(*), sum(dur), min(dur), max(dur) FROM (SELECT * FROM slice)"));
    }
    void longQueriesReadRows()
    {
        std::string query = "SELECT sum(v)";
        for (int i = 0; i < 100'000; ++i)
            query += ",sum(v)";
        QVERIFY(rewritten((query + " FROM n").c_str()).empty());
    }
    void errorsAreThoseOfTheQuery()
    {
        QCOMPARE(queryRows(*m_database, "SELECT count(*),\n missing FROM slice"), Rows{"error: line 2, column 2: no such column: missing"});
        // The sums have no column dur, so that only the query as it was written is ambiguous.
        const Rows ambiguous = queryRows(*m_database,
                                         "SELECT slice.name, sum(dur) FROM slice JOIN thread_track t ON t.id = slice.track_id "
                                         "JOIN thread_state USING (utid) GROUP BY 1");
        QCOMPARE(ambiguous.size(), std::size_t(1));
        QVERIFY2(ambiguous.front().find("ambiguous column name: dur") != std::string::npos, ambiguous.front().c_str());
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(SliceTotalsTest)
#include "tst_slice_totals.moc"
