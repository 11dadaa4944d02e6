#include "core/sql/engine/call_table.h"
#include "core/sql/engine/database.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/engine/time_table.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>

using namespace helio;
using namespace helio::sql;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

namespace {

struct NumberRow {
    Timestamp ts;
};

/// A table with the numbers from 0 to `count` - 1, which remembers how many rows its queries read.
class Numbers final : public TimeTable<NumberRow> {
public:
    Numbers(std::int64_t count, std::int64_t& read)
        : m_count(count)
        , m_read(read)
    {
    }
    std::span<const Column> columns() const override
    {
        static constexpr std::array Columns{Column{"n", ColumnType::Integer, Search::Ordered, true}, Column{"square"}};
        return Columns;
    }
    double estimatedRows() const override { return static_cast<double>(m_count); }
    std::optional<std::uint64_t> exactRows() const override { return static_cast<std::uint64_t>(m_count); }

private:
    RowsByTime<NumberRow> rows(const Filter& filter) const override
    {
        const auto collect = [this](TimeRange part, std::vector<NumberRow>& out) {
            for (std::int64_t i = nanoseconds(part.begin); i < nanoseconds(part.end); ++i, ++m_read)
                out.push_back({timestamp(i)});
        };
        return {timesAllowed(filter, 0, {timestamp(0), timestamp(m_count)}),
                {timestamp(0), timestamp(m_count)},
                static_cast<std::uint64_t>(m_count),
                collect,
                filter.stop()};
    }
    void write(const NumberRow& row, int column, ValueSink sink) const override
    {
        const std::int64_t n = nanoseconds(row.ts);
        sink.integer(column == 0 ? n : n * n);
    }

    std::int64_t m_count;
    std::int64_t& m_read;
};

/// The table-valued function `multiples(n, count)`: the numbers n, 2 * n, ..., count * n.
std::unique_ptr<Table> makeMultiples()
{
    static constexpr std::array Arguments{argument("n"), argument("count")};
    std::vector<ListColumn<std::int64_t>> columns;
    columns.push_back({{"multiple"}, [](std::int64_t row, ValueSink sink) { sink.integer(row); }});
    const Column hidden{"negative", ColumnType::Integer, Search::None, false, ColumnRole::Hidden};
    columns.push_back({hidden, [](std::int64_t row, ValueSink sink) { sink.integer(-row); }});
    return std::make_unique<CallTable<std::int64_t>>(Arguments, std::move(columns), [](const Filter& filter) {
        std::vector<std::int64_t> rows;
        for (std::int64_t i = 1; i <= filter.equal(1).value_or(0); ++i)
            rows.push_back(i * filter.equal(0).value_or(0));
        return rows;
    });
}

} // namespace

class DatabaseTest : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        auto made = Database::create();
        QVERIFY(made);
        database = std::move(*made);
        read = 0;
        QVERIFY(database->addTable("numbers", std::make_unique<Numbers>(1'000'000, read)));
        QVERIFY(database->addTable("multiples", makeMultiples()));
        QVERIFY(database->addViews("CREATE VIEW evens AS SELECT n FROM numbers WHERE n % 2 = 0"));
    }

    void conditionsOnAnOrderedColumnLimitWhatIsRead()
    {
        QCOMPARE(queryRows(*database, "SELECT n, square FROM numbers WHERE n = 7"), Rows{"7|49"});
        QCOMPARE(read, 1);
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n > 3 AND n <= 5"), (Rows{"4", "5"}));
        QCOMPARE(read, 3);
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n >= 2.5 AND n < 4.5 ORDER BY n"), (Rows{"3", "4"}));
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n BETWEEN 9 AND 8"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n = NULL"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n < -9e99 OR n = 1e99"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n IN (3, 5)"), (Rows{"3", "5"}));
        QVERIFY(read < 100);
    }
    void textsAreComparedAsSqlDoes()
    {
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n = '12'"), Rows{"12"});
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers WHERE n = 'twelve'"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT count(*) FROM (SELECT n FROM numbers WHERE n < 'a' LIMIT 5)"), Rows{"5"});
    }
    void firstRowsComeWithoutReadingAll()
    {
        QCOMPARE(queryRows(*database, "SELECT n FROM numbers ORDER BY n LIMIT 2"), (Rows{"0", "1"}));
        QVERIFY2(read < 10'000, qPrintable(QString::number(read)));
    }
    void countingRowsReadsNone()
    {
        QCOMPARE(queryRows(*database, " select COUNT( * ) from Numbers ;"), Rows{"1000000"}); // Another case: SQLite counts.
        read = 0;
        QCOMPARE(queryRows(*database, "SELECT count(*) FROM numbers"), Rows{"1000000"});
        QCOMPARE(read, 0);
        QCOMPARE(queryRows(*database, "SELECT count(*) FROM numbers WHERE n < 10"), Rows{"10"});
    }
    void joinsSearchTheOrderedColumn()
    {
        const char* const query =
            "WITH wanted(w) AS (VALUES (10), (999999), (-1), (1000000)) SELECT w, square FROM wanted JOIN numbers ON n = w";
        QCOMPARE(queryRows(*database, query), (Rows{"10|100", "999999|999998000001"}));
        QCOMPARE(read, 2);
    }
    void callsOfFunctionsAreTables()
    {
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7, 3)"), (Rows{"7", "14", "21"}));
        QCOMPARE(queryRows(*database, "SELECT negative, count, n FROM multiples WHERE n = 7 AND count = 1"), Rows{"-7|1|7"});
        QCOMPARE(queryRows(*database, "SELECT multiple FROM multiples(2.0, 1)"), Rows{"2"});
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7, 0)"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7, NULL)"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT multiple FROM multiples WHERE n = 7 COLLATE NOCASE AND count = 1"), Rows{"7"});
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7, 2) WHERE n = 8"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT multiple FROM multiples WHERE n IN (3, 4) AND count = 2 ORDER BY multiple"),
                 (Rows{"3", "4", "6", "8"}));
        QCOMPARE(queryRows(*database, "SELECT name FROM pragma_table_list WHERE name = 'multiples'"), Rows{});
        QCOMPARE(queryRows(*database, "SELECT name, hidden FROM pragma_table_xinfo('multiples')"),
                 (Rows{"n|1", "count|1", "multiple|0", "negative|1"}));
    }
    void callsOfFunctionsMayDependOnOtherTables()
    {
        const Rows expected{"2|2", "3|3", "3|6"};
        QCOMPARE(queryRows(*database, "SELECT numbers.n, multiple FROM numbers, multiples(numbers.n, numbers.n - 1) WHERE numbers.n < 4"),
                 expected);
        QCOMPARE(
            queryRows(*database, "SELECT x.n, multiple FROM multiples m JOIN numbers x ON m.n = x.n AND count = x.n - 1 WHERE x.n < 4"),
            expected);
        QCOMPARE(queryRows(*database, "SELECT x.n, multiple FROM numbers x LEFT JOIN multiples(x.n, x.n - 1) WHERE x.n < 3"),
                 (Rows{"0|-", "1|-", "2|2"}));
        QCOMPARE(queryRows(*database, "SELECT n, (SELECT sum(multiple) FROM multiples(numbers.n, 3)) FROM numbers WHERE n BETWEEN 4 AND 5"),
                 (Rows{"4|24", "5|30"}));
        QCOMPARE(queryRows(*database, "SELECT b.multiple FROM multiples(2, 2) a, multiples(a.multiple, 2) b"), (Rows{"2", "4", "4", "8"}));
        QCOMPARE(queryRows(*database, "CREATE VIEW v AS SELECT multiple FROM multiples(5, 2); SELECT * FROM v"), (Rows{"5", "10"}));
    }
    void wrongCallsOfFunctionsAreErrors()
    {
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7)"),
                 Rows{"error: line 1, column 1: multiples(): the argument count is missing"});
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples"), Rows{"error: line 1, column 1: multiples(): the argument n is missing"});
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7, 'x')"),
                 Rows{"error: multiples(): the argument count must be an integer"});
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(7, 1.5)"),
                 Rows{"error: multiples(): the argument count must be an integer"});
        QVERIFY(queryRows(*database, "SELECT * FROM multiples(1, 2, 3, 4)").front().starts_with("error: "));
        QVERIFY(queryRows(*database, "SELECT * FROM multiples a, multiples b WHERE a.n = b.n AND b.count = a.count")
                    .front()
                    .starts_with("error: "));
        QVERIFY(queryRows(*database, "CREATE TABLE multiples(a)").front().find("Not allowed") != std::string::npos);
        QVERIFY(queryRows(*database, "CREATE VIRTUAL TABLE m USING multiples").front().starts_with("error: "));
        QCOMPARE(queryRows(*database, "SELECT * FROM multiples(1, 1)"), Rows{"1"});
    }
    void comparisonsWithNullReadNothing()
    {
        std::vector<ListColumn<int>> columns;
        columns.push_back({{"k", ColumnType::Integer, Search::Equal},
                           [this](const int& row, ValueSink sink) {
                               ++read;
                               sink.integer(row);
                           },
                           [](const int& row) { return std::int64_t{row}; }});
        const auto keys = [](const std::stop_token&) { return std::vector<int>{1, 2, 3, 4, 5}; };
        QVERIFY(database->addTable("keyed", std::make_unique<ListTable<int>>(std::move(columns), 5, keys)));
        read = 0;
        const char* const join = "SELECT k FROM (SELECT 3 AS x UNION ALL SELECT NULL) a CROSS JOIN keyed ON k = a.x";
        QCOMPARE(queryRows(*database, join), Rows{"3"});
        QVERIFY2(read <= 2, qPrintable(QString::number(read)));
    }
    void lastOfSeveralStatementsIsReturned()
    {
        QCOMPARE(queryRows(*database,
                           "CREATE TABLE t AS SELECT n FROM numbers WHERE n < 3; SELECT 1;\nSELECT sum(n) FROM t; -- end\n /* x */ ;"),
                 Rows{"3"});
        QCOMPARE(queryRows(*database, "DROP VIEW IF EXISTS v; CREATE VIEW v AS SELECT n FROM t; SELECT count(*) FROM v"), Rows{"3"});
        QCOMPARE(queryRows(*database, "INSERT INTO t VALUES (5); SELECT max(n) FROM v"), Rows{"5"});
        QCOMPARE(queryRows(*database, "  "), Rows{});
        QCOMPARE(queryRows(*database, "DROP TABLE t"), Rows{});
    }
    void errorsNameThePlace()
    {
        QCOMPARE(queryRows(*database, "SELECT 1;\nSELECT n,\n  squares FROM numbers"),
                 Rows{"error: line 3, column 3: no such column: squares"});
        QCOMPARE(queryRows(*database, "SELEC 1"), Rows{"error: line 1, column 1: near \"SELEC\": syntax error"});
        QVERIFY(queryRows(*database, "SELECT * FROM nowhere").front().find("no such table: nowhere") != std::string::npos);
    }

    void forbiddenStatements_data()
    {
        QTest::addColumn<QString>("statement");
        QTemporaryDir folder;
        for (const QString& statement : {QString("ATTACH '/tmp/x.db' AS x"),
                                         QString("ATTACH ':memory:' AS x"),
                                         QString("VACUUM INTO '/tmp/x.db'"),
                                         QString("DETACH main"),
                                         QString("PRAGMA journal_mode=WAL"),
                                         QString("PRAGMA temp_store_directory='/tmp'"),
                                         QString("PRAGMA writable_schema=1"),
                                         QString("PRAGMA hard_heap_limit=1"),
                                         QString("SELECT load_extension('/tmp/x.so')"),
                                         QString("DROP TABLE numbers"),
                                         QString("DROP VIEW evens"),
                                         QString("DELETE FROM numbers"),
                                         QString("INSERT INTO numbers VALUES (1, 1)"),
                                         QString("UPDATE numbers SET square = 1"),
                                         QString("ALTER TABLE numbers RENAME TO other"),
                                         QString("CREATE TEMP TABLE NUMBERS(n)"),
                                         QString("CREATE TEMP TABLE t(n); ALTER TABLE t RENAME TO numbers"),
                                         QString("CREATE TABLE t(n); ALTER TABLE main.t RENAME TO multiples"),
                                         QString("CREATE TABLE rename(n); ALTER TABLE rename RENAME TO 'Multiples'"),
                                         QString("CREATE TEMP VIEW evens AS SELECT 1"),
                                         QString("CREATE VIRTUAL TABLE f USING fts5(x)"),
                                         QString("CREATE VIRTUAL TABLE f USING heliograph_numbers"),
                                         QString("DELETE FROM sqlite_schema"),
                                         QString("UPDATE sqlite_schema SET sql = ''")})
            QTest::newRow(qPrintable(statement)) << statement;
    }
    void forbiddenStatements()
    {
        QFETCH(QString, statement);
        const Rows rows = queryRows(*database, statement.toStdString());
        QCOMPARE(rows.size(), 1u);
        QVERIFY2(rows.front().starts_with("error: "), rows.front().c_str());
        QVERIFY(!QFile::exists("/tmp/x.db"));
        QCOMPARE(queryRows(*database, "SELECT count(n), max(square) FROM numbers WHERE n < 4"), Rows{"4|9"});
        QCOMPARE(queryRows(*database, "SELECT count(*) FROM evens WHERE n < 4"), Rows{"2"});
    }

    void tablesOfTheUserAreRenamed()
    {
        QCOMPARE(queryRows(*database,
                           "CREATE TEMP TABLE t(a, b); ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME COLUMN a TO numbers;"
                           "ALTER TABLE u RENAME b TO multiples; INSERT INTO u VALUES (1, 2); SELECT numbers, multiples FROM u"),
                 Rows{"1|2"});
    }
    void optionalArgumentsMayBeNull()
    {
        static constexpr std::array Arguments{argument("n"), optionalArgument("factor")};
        std::vector<ListColumn<std::int64_t>> columns;
        columns.push_back({{"product"}, [](std::int64_t row, ValueSink sink) { sink.integer(row); }});
        const auto compute = [](const Filter& filter) { return std::vector{*filter.equal(0) * filter.equal(1).value_or(10)}; };
        QVERIFY(database->addTable("product", std::make_unique<CallTable<std::int64_t>>(Arguments, std::move(columns), compute)));
        QCOMPARE(queryRows(*database, "SELECT product FROM product(3)"), Rows{"30"});
        QCOMPARE(queryRows(*database, "SELECT product FROM product(3, NULL) WHERE product > 1"), Rows{"30"});
        std::string conditions = " WHERE product > 0";
        for (int i = 1; i < 20; ++i)
            conditions += " AND product > -" + std::to_string(i);
        QCOMPARE(queryRows(*database, "SELECT product FROM product(3, 2)" + conditions), Rows{"6"});
        QCOMPARE(queryRows(*database, "SELECT product FROM product(3)" + conditions), Rows{"30"});
        // SQLite would compare NULL with NULL, so that no row would be found.
        const Rows rows = queryRows(*database, "SELECT product FROM product(3, NULL)" + conditions);
        QVERIFY2(rows.front().find("more than 15 conditions beside the argument factor") != std::string::npos, rows.front().c_str());
    }
    void endlessQueriesEnd()
    {
        const std::string endless = "WITH RECURSIVE x(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM x) SELECT max(i) FROM x";
        QCOMPARE(queryRows(*database, endless, {.stop = {}, .time = std::chrono::milliseconds(50)}),
                 Rows{"error: The query took longer than its time limit"});
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(queryRows(*database, endless, {.stop = stop.get_token(), .time = {}}), Rows{"error: The query was cancelled"});
        QCOMPARE(queryRows(*database, "SELECT sum(n) FROM numbers", {.stop = stop.get_token(), .time = {}}),
                 Rows{"error: The query was cancelled"});
        QCOMPARE(queryRows(*database, "SELECT 1"), Rows{"1"});
    }
    void spansAreJoined()
    {
        const std::string make =
            "CREATE TABLE a(ts, dur, p, x); INSERT INTO a VALUES (0, 10, 1, 'a1'), (20, 10, 1, 'a2'), (0, 5, 2, 'a3'), "
            "(7, 0, 2, 'empty'), (1, 1, NULL, 'none'); "
            "CREATE TABLE b(ts, dur, p, y); INSERT INTO b VALUES (5, 20, 1, 'b1'), (0, 3, 3, 'b2'); ";
        const std::string query = " SELECT ts, dur, p, x, y FROM j";
        QCOMPARE(queryRows(*database, make + "CREATE VIRTUAL TABLE j USING SPAN_JOIN(a PARTITIONED p, b PARTITIONED p);" + query),
                 (Rows{"5|5|1|a1|b1", "20|5|1|a2|b1"}));
        QCOMPARE(
            queryRows(*database, "DROP TABLE j; CREATE VIRTUAL TABLE j USING span_left_join(a PARTITIONED p, b PARTITIONED p);" + query),
            (Rows{"0|5|1|a1|-", "5|5|1|a1|b1", "20|5|1|a2|b1", "25|5|1|a2|-", "0|5|2|a3|-"}));
        QCOMPARE(
            queryRows(*database, "DROP TABLE j; CREATE VIRTUAL TABLE j USING SPAN_OUTER_JOIN(a PARTITIONED p, b PARTITIONED p);" + query),
            (Rows{"0|5|1|a1|-", "5|5|1|a1|b1", "10|10|1|-|b1", "20|5|1|a2|b1", "25|5|1|a2|-", "0|5|2|a3|-", "0|3|3|-|b2"}));
        QCOMPARE(queryRows(*database, query + " WHERE p = 3"), Rows{"0|3|3|-|b2"});
        const std::string one = "CREATE TABLE c(ts, dur, z); INSERT INTO c VALUES (2, 22, 'c'); ";
        QCOMPARE(queryRows(*database,
                           one + "DROP TABLE j; CREATE VIRTUAL TABLE j USING SPAN_JOIN(a PARTITIONED p, c);"
                               + " SELECT ts, dur, p, x, z FROM j"),
                 (Rows{"2|8|1|a1|c", "20|4|1|a2|c", "2|3|2|a3|c"}));
        QCOMPARE(queryRows(*database, "DROP TABLE j; CREATE VIRTUAL TABLE j USING SPAN_JOIN(c, c); SELECT ts, dur, z, z_1 FROM j"),
                 Rows{"2|22|c|c"});
        // A join that reads itself through a view ends with an error.
        QCOMPARE(queryRows(*database,
                           "CREATE TABLE own(ts, dur); CREATE VIRTUAL TABLE selfish USING SPAN_JOIN(own, own); DROP TABLE own; "
                           "CREATE VIEW own AS SELECT ts, dur FROM selfish; SELECT * FROM selfish"),
                 Rows{"error: span joins are nested too deeply"});
        QCOMPARE(queryRows(*database,
                           "CREATE TABLE odd(ts, dur, \"a\"\", \"\"b\"); INSERT INTO odd VALUES (0, 9, 4); "
                           "CREATE VIRTUAL TABLE oddly USING SPAN_JOIN(odd, c); SELECT * FROM oddly"),
                 Rows{"2|7|4|c"});
        QCOMPARE(queryRows(*database,
                           "CREATE VIEW reals AS SELECT ts, dur, p * 1.0 AS p, y FROM b; DROP TABLE j; "
                           "CREATE VIRTUAL TABLE j USING SPAN_JOIN(a PARTITIONED p, reals PARTITIONED p); SELECT ts, x, y FROM j"),
                 (Rows{"5|a1|b1", "20|a2|b1"}));
        const Rows wrong = queryRows(*database, "CREATE VIRTUAL TABLE k USING SPAN_JOIN(a PARTITIONED q, b)");
        QVERIFY2(wrong.front().find("a has no column q") != std::string::npos, wrong.front().c_str());
        const Rows missing = queryRows(*database, "CREATE VIRTUAL TABLE k USING SPAN_JOIN(numbers, b)");
        QVERIFY2(missing.front().find("numbers has no column ts") != std::string::npos, missing.front().c_str());
    }
    void hugeValuesFail()
    {
        QVERIFY(queryRows(*database, "SELECT length(zeroblob(900000000))").front().find("too big") != std::string::npos);
        QVERIFY(queryRows(*database, "SELECT length(group_concat(hex(zeroblob(1000000)), '')) FROM numbers WHERE n < 100")
                    .front()
                    .find("too big")
                != std::string::npos);
    }
    void functionsComputeAndFail()
    {
        const auto half = [](std::span<const Value> values) -> Result<Value> {
            const auto* const number = std::get_if<std::int64_t>(&values[0]);
            if (!number)
                return Error{Error::Kind::Usage, "not an integer"};
            return Value(*number / 2);
        };
        QVERIFY(database->addFunction({"half", 1, half}));
        QCOMPARE(queryRows(*database, "SELECT half(n) FROM numbers WHERE n = 84"), Rows{"42"});
        QCOMPARE(queryRows(*database, "CREATE VIEW halves AS SELECT half(n) AS h FROM numbers WHERE n < 6; SELECT max(h) FROM halves"),
                 Rows{"2"});
        QCOMPARE(queryRows(*database, "SELECT half('x')"), Rows{"error: half(): not an integer"});
    }
    void quotedTextsAreLiterals()
    {
        QCOMPARE(queryRows(*database, "SELECT " + quoted("it's")), Rows{"it's"});
        QVERIFY(Database::isComplete("SELECT 1;"));
        QVERIFY(!Database::isComplete("SELECT ';"));
    }

private:
    std::unique_ptr<Database> database;
    std::int64_t read = 0;
};

HELIO_TEST(DatabaseTest)
#include "tst_database.moc"
