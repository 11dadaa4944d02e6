#include "core/sql/dialect/tokens.h"
#include "core/sql/engine/created_functions.h"
#include "core/sql/engine/database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace helio;
using namespace helio::sql;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

namespace {

Rows error(const std::string& what) { return {"error: " + what}; }

} // namespace

class DialectTest : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        auto made = Database::create();
        QVERIFY(made);
        database = std::move(*made);
        QCOMPARE(run("CREATE TABLE numbers AS WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 10) SELECT n FROM n"),
                 Rows{});
    }

    void tokensAreThoseOfSqlite()
    {
        const auto tokens = [](std::string_view text) {
            Rows all;
            TokenReader reader(text);
            while (const auto token = reader.next())
                all.emplace_back(token->text);
            return all;
        };
        QCOMPARE(tokens("a--x\n+ /* ; */b;"), (Rows{"a", "+", "b", ";"}));
        QCOMPARE(tokens("'it''s' \"a\"\"b\" `c` [d e] x'00' X'1'"), (Rows{"'it''s'", "\"a\"\"b\"", "`c`", "[d e]", "x'00'", "X'1'"}));
        QCOMPARE(tokens("1.5e-3+.5 0x1F 1e 7-3"), (Rows{"1.5e-3", "+", ".5", "0x1F", "1e", "7", "-", "3"}));
        QCOMPARE(tokens("$a:b@c?1 ? m!(x)"), (Rows{"$a", ":b", "@c", "?1", "?", "m", "!", "(", "x", ")"}));
        QCOMPARE(tokens("'open"), Rows{"'open"});
        QCOMPARE(tokens("/* open"), Rows{});
        QCOMPARE(tokens("[open"), Rows{"[open"});
        QCOMPARE(tokens("ä1$ é"), (Rows{"ä1$", "é"}));
        QCOMPARE(nameIn({TokenKind::QuotedWord, "\"a\"\"b\"", 0}), std::string("a\"b"));
        QCOMPARE(nameIn({TokenKind::QuotedWord, "[a b]", 0}), std::string("a b"));
    }
    void argumentsAreComparedAgain()
    {
        std::string query = "CREATE PERFETTO FUNCTION f(x INT) RETURNS TABLE(y INT) AS SELECT $x AS y; SELECT y FROM f(3) WHERE y > 0";
        for (int i = 1; i < 20; ++i) // SQLite compares the arguments of a call again if there are more than 15 conditions.
            query += " AND y > -" + std::to_string(i);
        QCOMPARE(run(query), Rows{"3"});
    }
    void tablesAndViewsAreCreated()
    {
        QCOMPARE(run("CREATE PERFETTO TABLE t AS SELECT n, n * n AS square FROM numbers; SELECT sum(square) FROM t"), Rows{"385"});
        QCOMPARE(run("create perfetto view v(n INT, double LONG) as select n, 2 * n AS double FROM numbers; SELECT max(double) FROM v"),
                 Rows{"20"});
        QCOMPARE(run("CREATE OR REPLACE PERFETTO TABLE t AS SELECT n FROM t WHERE n > 8; SELECT * FROM t"), (Rows{"9", "10"}));
        QCOMPARE(run("CREATE OR REPLACE PERFETTO VIEW v AS SELECT 3; SELECT * FROM v"), Rows{"3"});
        QCOMPARE(run("CREATE PERFETTO TABLE \"a name\"(\"the n\" INT) AS SELECT n AS \"the n\" FROM t LIMIT 1; SELECT * FROM \"a name\""),
                 Rows{"9"});
        QCOMPARE(run("\n CREATE PERFETTO TABLE t AS SELECT 1"), error("line 2, column 2: table \"t\" already exists"));
        QCOMPARE(
            run("CREATE PERFETTO INDEX i ON t(n); CREATE OR REPLACE PERFETTO INDEX i ON t(n); SELECT count(*) FROM pragma_index_list('t')"),
            Rows{"1"});
        QCOMPARE(run("DROP PERFETTO INDEX i ON t; DROP PERFETTO TABLE t; DROP PERFETTO VIEW IF EXISTS v; DROP PERFETTO VIEW IF EXISTS v"),
                 Rows{});
        QCOMPARE(run("DROP PERFETTO VIEW v"), error("line 1, column 1: nothing to drop is named v"));
        QCOMPARE(run("SELECT * FROM t"), error("line 1, column 15: no such table: t"));
    }
    void failedReplacementKeepsTheTable()
    {
        QCOMPARE(run("CREATE PERFETTO TABLE t AS SELECT n FROM numbers WHERE n < 3"), Rows{});
        QCOMPARE(run("CREATE OR REPLACE PERFETTO TABLE t AS SELECT abs(-9223372036854775807 - n) AS n FROM t"), error("integer overflow"));
        QCOMPARE(run("SELECT * FROM t; "), (Rows{"1", "2"}));
        QCOMPARE(run("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%new%'"), Rows{"0"});
    }
    void failedReplacementKeepsTheOldObject()
    {
        QCOMPARE(run("CREATE PERFETTO VIEW v AS SELECT n FROM numbers WHERE n < 3"), Rows{});
        QVERIFY(run("CREATE OR REPLACE PERFETTO VIEW v AS SELECT ?1").front().starts_with("error: "));
        QCOMPARE(run("SELECT * FROM v"), (Rows{"1", "2"}));
        QVERIFY(run("CREATE OR REPLACE PERFETTO VIEW v AS SELECT n FROM v").front().starts_with("error: ")); // The new view reads itself.
        QCOMPARE(run("SELECT * FROM v"), (Rows{"1", "2"}));
        QCOMPARE(run("CREATE PERFETTO INDEX i ON numbers(n)"), Rows{});
        QVERIFY(run("CREATE OR REPLACE PERFETTO INDEX i ON numbers(missing)").front().starts_with("error: "));
        QCOMPARE(run("SELECT name FROM pragma_index_list('numbers')"), Rows{"i"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION f(x INT) RETURNS INT AS SELECT $x + 1"), Rows{});
        QVERIFY(run("CREATE OR REPLACE PERFETTO FUNCTION f(x INT) RETURNS INT AS SELECT wrong").front().starts_with("error: "));
        QCOMPARE(run("SELECT f(1)"), Rows{"2"});
        QVERIFY(run("CREATE PERFETTO FUNCTION add(x INT) RETURNS INT AS SELECT wrong").front().starts_with("error: "));
        QCOMPARE(run("ALTER TABLE numbers ADD COLUMN m; SELECT count(*) FROM numbers"), Rows{"10"});
    }
    void createdTablesAreInTheTransactionOfTheUser()
    {
        QCOMPARE(run("BEGIN; CREATE PERFETTO TABLE t AS SELECT 1 AS a; CREATE OR REPLACE PERFETTO TABLE t AS SELECT 2 AS a; COMMIT;"
                     "SELECT a FROM t"),
                 Rows{"2"});
        QCOMPARE(run("BEGIN; CREATE OR REPLACE PERFETTO TABLE t AS SELECT 3 AS a; ROLLBACK; SELECT a FROM t"), Rows{"2"});
    }
    void declaredColumnsMustBeSelected()
    {
        QCOMPARE(run("CREATE PERFETTO TABLE t(a INT, b STRING) AS SELECT 1 AS b, 2 AS c, 3 AS d"),
                 error("line 1, column 1: declared, but not selected: a; selected, but not declared: c, d"));
        QCOMPARE(run("CREATE PERFETTO TABLE t(\n  a INT, b WHAT) AS SELECT 1"), error("line 2, column 12: unknown type: WHAT"));
        QCOMPARE(run("CREATE PERFETTO TABLE t(a INT, A INT) AS SELECT 1"), error("line 1, column 32: the name occurs twice: A"));
        QCOMPARE(
            run("CREATE PERFETTO VIEW v(a JOINID(thread.id), b TIMESTAMP, c ARGSETID) AS SELECT 1 AS a, 2 AS b, 3 AS c; SELECT * FROM v"),
            Rows{"1|2|3"});
        QCOMPARE(run("CREATE PERFETTO TABLE t AS DELETE FROM numbers"), error("line 1, column 28: expected a SELECT"));
    }
    void scalarFunctionsAreCalled()
    {
        QCOMPARE(run("CREATE PERFETTO FUNCTION one() RETURNS INT AS SELECT 1; SELECT one() + one()"), Rows{"2"});
        QCOMPARE(
            run("CREATE PERFETTO FUNCTION plus(x INT, y INT) RETURNS INT AS SELECT $x + $y; SELECT plus(n, 10) FROM numbers WHERE n < 3"),
            (Rows{"11", "12"}));
        QCOMPARE(run("CREATE PERFETTO FUNCTION find(x INT) RETURNS INT AS SELECT n FROM numbers WHERE n = $x; SELECT find(3), find(77)"),
                 Rows{"3|-"});
        QCOMPARE(run("SELECT plus(NULL, 1)"), Rows{"-"});
        QCOMPARE(run("SELECT plus(1, 'x')"), error("plus(): argument y must be INT, not a text"));
        QCOMPARE(run("SELECT plus(1)"), error("line 1, column 8: wrong number of arguments to function plus()"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION half(x DOUBLE) RETURNS DOUBLE AS SELECT $x / 2; SELECT half(3)"), Rows{"1.500000"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION text(x INT) RETURNS STRING AS SELECT $x; SELECT text(3)"),
                 error("text(): the result must be STRING, not an integer"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION all_n() RETURNS INT AS SELECT n FROM numbers; SELECT all_n()"),
                 error("all_n(): the function found more than one row"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION two() RETURNS INT AS SELECT 1, 2"),
                 error("line 1, column 47: the SELECT of a function that returns a value must have one column"));
        QCOMPARE(run("SELECT two()"), error("line 1, column 8: no such function: two"));
    }
    void functionsAreReplacedAndDropped()
    {
        QCOMPARE(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS SELECT 1"), Rows{});
        QCOMPARE(run("CREATE PERFETTO FUNCTION g() RETURNS INT AS SELECT f() + 1; SELECT g()"), Rows{"2"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS SELECT 2"),
                 error("line 1, column 1: the function f exists already; use CREATE OR REPLACE to replace it"));
        QCOMPARE(run("CREATE OR REPLACE PERFETTO FUNCTION f() RETURNS INT AS SELECT 5; SELECT g()"), Rows{"6"});
        QCOMPARE(run("CREATE OR REPLACE PERFETTO FUNCTION f() RETURNS INT AS SELECT missing"),
                 error("line 1, column 63: no such column: missing"));
        QCOMPARE(run("SELECT g()"), Rows{"6"});
        QCOMPARE(run("CREATE OR REPLACE PERFETTO FUNCTION f(x INT) RETURNS TABLE(y INT) AS SELECT $x AS y; SELECT y FROM f(3)"), Rows{"3"});
        QCOMPARE(run("SELECT g()"), error("g(): no such function: f"));
        QCOMPARE(run("DROP PERFETTO FUNCTION f; SELECT * FROM f(3)"), error("line 1, column 41: no such table: f"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION count(x INT) RETURNS INT AS SELECT 1"),
                 error("line 1, column 1: a function is named count already"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION Numbers() RETURNS TABLE(x INT) AS SELECT 1 AS x"),
                 error("line 1, column 1: a table is named Numbers already"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION span_join() RETURNS TABLE(x INT) AS SELECT 1 AS x"),
                 error("line 1, column 1: a module is named span_join already"));
    }
    void keywordsAreNamesWhereTheyCanBe()
    {
        QCOMPARE(run("CREATE PERFETTO FUNCTION add(x INT, y INT) RETURNS INT AS SELECT $x + $y; SELECT add(1, add(2, 3)), 'add(1)'"),
                 Rows{"6|add(1)"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION first(x INT) RETURNS INT AS SELECT add($x, 1); SELECT first(1)"), Rows{"2"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION values(x INT) RETURNS INT AS SELECT 1"),
                 error("line 1, column 1: values is a keyword of SQL, and cannot be the name of a function"));
    }
    void tableFunctionsAreRead()
    {
        QCOMPARE(run("CREATE PERFETTO FUNCTION above(n INT) RETURNS TABLE(n LONG, square LONG) AS\n"
                     "SELECT n * n AS square, n FROM numbers WHERE n > $n;\n"
                     "SELECT n, square FROM above(8)"),
                 (Rows{"9|81", "10|100"}));
        QCOMPARE(run("SELECT * FROM above(9)"), Rows{"10|100"});
        QCOMPARE(run("SELECT numbers.n, count(*) FROM numbers JOIN above(numbers.n) AS a GROUP BY 1 HAVING count(*) > 7"),
                 (Rows{"1|9", "2|8"}));
        QCOMPARE(run("SELECT (SELECT sum(square) FROM above(numbers.n)) FROM numbers WHERE n >= 9"), (Rows{"100", "-"}));
        QCOMPARE(run("SELECT * FROM above"), error("line 1, column 1: above(): argument n is missing"));
        QCOMPARE(run("SELECT * FROM above('x')"), error("above(): argument n must be INT, not a text"));
        QCOMPARE(run("SELECT * FROM above(1, 2)"), error("line 1, column 1: too many arguments on above() - max 1"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION wrong() RETURNS TABLE(a INT) AS SELECT 1 AS b"),
                 error("line 1, column 1: declared, but not selected: a; selected, but not declared: b"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION typed() RETURNS TABLE(a STRING) AS SELECT n AS a FROM numbers; SELECT a FROM typed()"),
                 error("typed(): the column a must be STRING, not an integer"));
        QCOMPARE(run("CREATE VIEW through AS SELECT * FROM above(7); SELECT sum(n) FROM through"), Rows{"27"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION empty() RETURNS TABLE(a INT) AS SELECT 1 AS a WHERE 0; SELECT count(*) FROM empty()"),
                 Rows{"0"});
    }
    void recursionEnds()
    {
        QCOMPARE(run("CREATE PERFETTO FUNCTION factorial(n INT) RETURNS INT AS SELECT iif($n < 2, 1, $n * factorial($n - 1)); SELECT "
                     "factorial(20)"),
                 Rows{"2432902008176640000"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION endless(n INT) RETURNS INT AS SELECT endless($n + 1); SELECT endless(1)"),
                 error("endless(): more than 200 functions call each other"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION rows(n INT) RETURNS TABLE(x INT) AS SELECT x FROM rows($n + 1); SELECT * FROM rows(1)"),
                 error("rows(): more than 200 functions call each other"));
        QCOMPARE(run("SELECT factorial(5)"), Rows{"120"});
    }
    void functionsStopAtTheTimeLimit()
    {
        RunLimits limits;
        limits.time = std::chrono::milliseconds(100);
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(queryRows(*database,
                           "CREATE PERFETTO FUNCTION tree(n INT) RETURNS INT AS SELECT iif($n = 0, 1, tree($n - 1) + tree($n - 1));"
                           "SELECT tree(60)",
                           limits),
                 error("The query took longer than its time limit"));
        QVERIFY(clock.elapsed() < 10'000);
        QCOMPARE(run("SELECT tree(3)"), Rows{"8"});
    }
    void functionsCannotDoWhatQueriesCannot()
    {
        QVERIFY(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS ATTACH 'x' AS y").front().starts_with("error: "));
        QVERIFY(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS DELETE FROM numbers RETURNING n").front().starts_with("error: "));
        QVERIFY(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS SELECT load_extension('x')").front().starts_with("error: "));
        QVERIFY(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS SELECT 1; CREATE VIRTUAL TABLE t USING f").front().starts_with("error: "));
        QCOMPARE(run("CREATE PERFETTO FUNCTION g(x INT) RETURNS INT AS SELECT $y"), error("line 1, column 57: no such argument: $y"));
        QCOMPARE(run("SELECT count(*) FROM numbers"), Rows{"10"});
    }
    void macrosAreExpanded()
    {
        QCOMPARE(run("CREATE PERFETTO MACRO two() RETURNS Expr AS (SELECT 2); SELECT two!() + two!()"), Rows{"4"});
        QCOMPARE(run("CREATE PERFETTO MACRO twice(x Expr) RETURNS Expr AS ($x + $x); SELECT twice!(n * 10), 'twice!(1)' FROM numbers WHERE "
                     "n = 1"),
                 Rows{"20|twice!(1)"});
        QCOMPARE(run("SELECT twice!(twice!(two!()))"), Rows{"8"});
        QCOMPARE(
            run("CREATE PERFETTO MACRO total(t TableOrSubquery, c ColumnName) RETURNS TableOrSubquery AS (SELECT sum($c) AS s FROM $t);"
                "SELECT s FROM total!((SELECT n, 1 FROM numbers WHERE n IN (1, 2)), n)"),
            Rows{"3"});
        QCOMPARE(run("CREATE PERFETTO MACRO four(x Expr) RETURNS Expr AS twice!(twice!($x)); SELECT four!(3)"), Rows{"12"});
        QCOMPARE(run("CREATE PERFETTO FUNCTION f(x INT) RETURNS INT AS SELECT twice!($x); SELECT f(4)"), Rows{"8"});
        QCOMPARE(run("SELECT 1 WHERE 2 !=(3)"), Rows{"1"});
    }
    void wrongMacrosAreReported()
    {
        QCOMPARE(run("CREATE PERFETTO MACRO twice(x Expr) RETURNS Expr AS ($x + $x)"), Rows{});
        QCOMPARE(run("CREATE PERFETTO MACRO twice(x Expr) RETURNS Expr AS 1"),
                 error("line 1, column 1: the macro twice exists already; use CREATE OR REPLACE to replace it"));
        QCOMPARE(run("SELECT\n twice!(1, 2)"), error("line 2, column 2: the macro twice takes 1 arguments, not 2"));
        QCOMPARE(run("SELECT twice!()"), error("line 1, column 8: the macro twice takes 1 arguments, not 0"));
        QCOMPARE(run("SELECT none!(1)"), error("line 1, column 8: no such macro: none"));
        QCOMPARE(run("SELECT twice!(1"), error("line 1, column 14: the parenthesis is not closed"));
        QCOMPARE(run("SELECT 1,\n twice!(missing)"), error("line 2, column 9: no such column: missing"));
        QCOMPARE(run("CREATE PERFETTO MACRO bad() RETURNS Expr AS missing; SELECT 1 +\n  bad!()"),
                 error("line 2, column 3, in macro bad: no such column: missing"));
        QCOMPARE(run("CREATE PERFETTO MACRO endless() RETURNS Expr AS 1 + endless!(); SELECT endless!()"),
                 error("line 1, column 72, in macro endless: macros are nested too deeply"));
        QCOMPARE(run("DROP PERFETTO MACRO bad; SELECT bad!()"), error("line 1, column 33: no such macro: bad"));
    }
    void macrosCannotFillTheMemory()
    {
        std::string statements = "CREATE PERFETTO MACRO m0(x Expr) RETURNS Expr AS $x + $x;";
        std::string nothing = "CREATE PERFETTO MACRO e0() RETURNS Expr AS /* nothing */;";
        for (int i = 1; i < 40; ++i) {
            const std::string before = "m" + std::to_string(i - 1) + "!";
            statements +=
                "CREATE PERFETTO MACRO m" + std::to_string(i) + "(x Expr) RETURNS Expr AS " + before + "($x) + " + before + "($x);";
        }
        QElapsedTimer clock;
        clock.start();
        const Rows rows = run(statements + "SELECT m39!(1)");
        QVERIFY2(rows.front().find("too m") != std::string::npos, rows.front().c_str());
        QVERIFY(clock.elapsed() < 20'000);
    }
    void errorsNameTheOriginalPlace()
    {
        QCOMPARE(run("CREATE PERFETTO TABLE t AS\nSELECT n,\n  wrong FROM numbers"), error("line 3, column 3: no such column: wrong"));
        QCOMPARE(run("CREATE OR REPLACE PERFETTO VIEW t(a INT) AS\nSELECT 1 AS a\nFROM nowhere"),
                 error("line 3, column 6: no such table: nowhere"));
        QCOMPARE(run("SELECT 1;\n\nCREATE PERFETTO FUNCTION f(x INT) RETURNS INT AS\n  SELEC $x"),
                 error("line 4, column 3: near \"SELEC\": syntax error"));
        QCOMPARE(run("CREATE PERFETTO THING x"), error("line 1, column 17: expected TABLE, VIEW, FUNCTION, MACRO or INDEX, not THING"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION f(x INT RETURNS"), error("line 1, column 34: expected ), not RETURNS"));
        QCOMPARE(run("CREATE PERFETTO FUNCTION f() RETURNS INT AS"),
                 error("line 1, column 44: expected SELECT before the end of the statement"));
        QCOMPARE(run(std::string("SELECT 1\0", 9)), error("line 1, column 9: a zero byte"));
    }
    void failedModulesChangeNothing()
    {
        const QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QVERIFY(QDir(folder.path()).mkpath("mine"));
            QFile file(folder.filePath(name + ".sql"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("mine/inner", "CREATE PERFETTO FUNCTION g() RETURNS INT AS SELECT 7; CREATE VIEW w AS SELECT 8;");
        write("mine/outer", R"(
            CREATE TABLE plain AS SELECT 1;
            DELETE FROM numbers WHERE n > 3;
            CREATE OR REPLACE PERFETTO TABLE t AS SELECT 2 AS a;
            CREATE OR REPLACE PERFETTO FUNCTION f() RETURNS TABLE(x INT) AS SELECT 3 AS x;
            CREATE OR REPLACE PERFETTO MACRO m() RETURNS Expr AS 4;
            DROP PERFETTO VIEW v;
            CREATE PERFETTO FUNCTION add(x INT) RETURNS INT AS SELECT $x;
            INCLUDE PERFETTO MODULE mine.inner;
            SELECT wrong;)");
        write("ending", "CREATE TABLE plain AS SELECT 1; COMMIT;");
        ModuleLibrary modules;
        QVERIFY(modules.addFolder(folder.path().toStdString()));
        database->setModules(modules);
        QCOMPARE(run("CREATE PERFETTO TABLE t AS SELECT 20 AS a; CREATE PERFETTO VIEW v AS SELECT 50;"
                     "CREATE PERFETTO FUNCTION f() RETURNS INT AS SELECT 30; CREATE PERFETTO MACRO m() RETURNS Expr AS 40"),
                 Rows{});
        const std::string names = "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema ORDER BY 1)";
        const Rows before = run(names);
        QCOMPARE(run("INCLUDE PERFETTO MODULE mine.outer"), error("module mine.outer, line 10, column 20: no such column: wrong"));
        QCOMPARE(run(names), before);
        QCOMPARE(run("SELECT count(*), a, f(), m!() FROM numbers, t"), Rows{"10|20|30|40"});
        QCOMPARE(run("SELECT g()"), error("line 1, column 8: no such function: g"));
        QVERIFY(run("INCLUDE PERFETTO MODULE mine.*").front().starts_with("error: module mine.outer")); // The first one ran.
        QVERIFY(run("INCLUDE PERFETTO MODULE ending").front().starts_with("error: "));
        QCOMPARE(run(names), before);
        QCOMPARE(run("INCLUDE PERFETTO MODULE mine.inner; SELECT * FROM w WHERE g() = 7"), Rows{"8"});
        QCOMPARE(run("BEGIN; COMMIT; SELECT 1"), Rows{"1"});
    }
    void otherStatementsStayWhatTheyAre()
    {
        QCOMPARE(
            run("CREATE TABLE log(x);\n"
                "CREATE TRIGGER on_insert AFTER INSERT ON numbers BEGIN INSERT INTO log VALUES (new.n); INSERT INTO log VALUES (0); END;\n"
                "INSERT INTO numbers VALUES (77); SELECT group_concat(x) FROM log"),
            Rows{"77,0"});
        QCOMPARE(run("EXPLAIN QUERY PLAN SELECT 1").size(), std::size_t{1});
        QCOMPARE(run(";;SELECT ';', 2;; -- ;\n;"), Rows{";|2"});
    }
    void anyTextIsRead()
    {
        const std::vector<std::string> parts{"CREATE", "PERFETTO", "OR", "REPLACE", "MACRO", "FUNCTION", "TABLE",   "m",
                                             "!",      "(",        ")",  ",",       "$x",    "AS",       "RETURNS", "Expr",
                                             "INT",    "SELECT",   "1",  ";",       "'",     "\"",       "--",      "/*",
                                             "*/",     "\n",       "f",  "x",       "DROP",  "INCLUDE",  "MODULE",  "*",
                                             ".",      "[",        "]",  "TRIGGER", "BEGIN", "END",      "\xff",    "IF EXISTS"};
        std::mt19937 random(47);
        for (int i = 0; i < 3'000; ++i) {
            std::string text;
            for (unsigned n = 1 + random() % 30; n > 0; --n)
                text += parts[random() % parts.size()] + (random() % 4 == 0 ? "" : " ");
            run(text);
        }
        QCOMPARE(run("SELECT count(*) > 0 FROM pragma_function_list"), Rows{"1"});
    }

private:
    Rows run(std::string_view statements) { return queryRows(*database, statements); }

    std::unique_ptr<Database> database;
};

HELIO_TEST(DialectTest)
#include "tst_dialect.moc"
