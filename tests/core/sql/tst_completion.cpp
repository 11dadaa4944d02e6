// Names that completion offers at the prompt and in the window.

#include "core/sql/completion.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

#include <random>

using namespace helio;

namespace {

sql::Schema madeSchema()
{
    sql::Schema schema;
    schema.tables = {{"sched", true, {{"ts", ""}, {"dur", ""}, {"utid", ""}, {"end_state", "TEXT"}}},
                     {"thread", false, {{"utid", "INTEGER"}, {"tid", "INTEGER"}, {"name", "TEXT"}}}};
    schema.functions = {"count", "extract_arg", "thread_state_at"};
    schema.modules = {"sched.states", "slices.with_context"};
    return schema;
}

/// Returns the names that fit at the mark "|", joined by blanks.
QString namesAt(std::string text, sql::FittingNames* all = nullptr)
{
    static const sql::Schema schema = madeSchema();
    const std::size_t position = text.find('|');
    text.erase(position, 1);
    const sql::FittingNames found = sql::findFittingNames(text, position, schema);
    QStringList names;
    for (const sql::FittingName& it : found.names)
        names << QString::fromStdString(it.name);
    if (all)
        *all = found;
    return names.join(' ');
}

} // namespace

class CompletionTest : public QObject {
    Q_OBJECT
private slots:
    void columnsOfTheStatementFitFirst()
    {
        QCOMPARE(namesAt("SELECT t.| FROM sched JOIN thread AS t USING (utid)"), QString("utid tid name"));
        QCOMPARE(namesAt("SELECT thread.ti| FROM sched, thread"), QString("tid utid")); // Names that begin so come first.
        QCOMPARE(namesAt("SELECT x.ti| FROM sched, thread t"), QString());
        QCOMPARE(namesAt("SELECT dur| FROM sched WHERE 1"), QString("dur"));
        QCOMPARE(namesAt("SELECT 1 FROM thread; SELECT name| FROM sched"), QString()); // Another statement.
        QCOMPARE(namesAt("SELECT name|"), QString("name")); // Columns of any table fit.
        QCOMPARE(namesAt("SELECT utid| FROM sched JOIN thread"), QString("utid")); // Both tables have it.
    }
    void tablesAndFunctionsFitAfterFrom()
    {
        QCOMPARE(namesAt("SELECT * FROM th|"), QString("thread thread_state_at"));
        QCOMPARE(namesAt("SELECT * FROM thread JOIN sch|"), QString("sched"));
        QVERIFY(namesAt("SELECT * FROM thread whe|").startsWith("WHERE"));
    }
    void modulesFitAfterInclude()
    {
        sql::FittingNames found;
        QCOMPARE(namesAt("SELECT 1; include perfetto module slices.w|", &found), QString("slices.with_context"));
        QCOMPARE(found.begin, std::string("SELECT 1; include perfetto module ").size());
        QCOMPARE(namesAt("INCLUDE PERFETTO MODULE |"), QString("sched.states slices.with_context"));
    }
    void nothingFitsInTextsAndComments()
    {
        for (const char* const text :
             {"SELECT 'th|", "SELECT 'th|read'", "-- th|", "/* th| */ SELECT", "SELECT 1 -- th|", "SELECT 12|", "SELECT /* a */ 'th|"})
            QVERIFY2(namesAt(text).isEmpty(), text);
        for (const char* const text : {"/* a */ th|", "-- a\nth|", "SELECT 1 - 2 / th|"})
            QVERIFY2(namesAt(text).startsWith("thread"), text);
    }
    void anyTextIsRead()
    {
        const std::vector<std::string> parts{"SELECT",   "FROM",    "JOIN",     "thread", ".",  ",",  ";", "'",
                                             "\"",       "--",      "/*",       "*/",     "\n", "AS", "t", "(",
                                             "\xc3\xa4", "INCLUDE", "PERFETTO", "MODULE", " ",  "1"};
        const sql::Schema schema = madeSchema();
        std::mt19937 random(11);
        for (int i = 0; i < 3'000; ++i) {
            std::string text;
            for (unsigned n = random() % 25; n > 0; --n)
                text += parts[random() % parts.size()] + (random() % 3 == 0 ? "" : " ");
            const std::size_t position = random() % (text.size() + 2);
            QVERIFY(sql::findFittingNames(text, position, schema).begin <= std::min(position, text.size()));
        }
    }
};

HELIO_TEST(CompletionTest)
#include "tst_completion.moc"
