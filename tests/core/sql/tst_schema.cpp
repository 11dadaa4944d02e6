// Names of tables and columns for completion, and the rows of the timeline that ids refer to.

#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "core/sql/row_locator.h"
#include "core/sql/schema.h"
#include "tests/support/sample.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace helio;

class SchemaTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
        m_database = test::databaseOf(m_timeline);
    }

    void columnsAreThoseOfSelectAll()
    {
        const auto schema = sql::readSchema(*m_database);
        QVERIFY(schema);
        QVERIFY(schema->tables.size() > 20);
        for (const sql::SchemaTable& table : schema->tables) {
            class Names final : public sql::RowReceiver {
            public:
                void columns(std::span<const std::string> names) override { found.assign(names.begin(), names.end()); }
                bool row(std::span<const sql::Value>) override { return false; }
                std::vector<std::string> found;
            } names;
            QVERIFY2(m_database->run("SELECT * FROM \"" + table.name + "\" LIMIT 0", names), table.name.c_str());
            std::vector<std::string> listed;
            for (const sql::SchemaColumn& column : table.columns)
                listed.push_back(column.name);
            QCOMPARE(listed, names.found);
        }
    }
    void viewsTypesAndFunctionsAreListed()
    {
        const auto schema = sql::readSchema(*m_database);
        QVERIFY(schema);
        const auto find = [&](const char* name) {
            const auto found = std::ranges::find(schema->tables, name, &sql::SchemaTable::name);
            return found == schema->tables.end() ? sql::SchemaTable() : *found;
        };
        QVERIFY(find("sched").isView);
        QVERIFY(!find("thread_state").isView);
        const auto columns = find("thread").columns;
        QCOMPARE(std::ranges::find(columns, "name", &sql::SchemaColumn::name)->type, std::string("TEXT"));
        QCOMPARE(std::ranges::find(columns, "tid", &sql::SchemaColumn::name)->type, std::string("INTEGER"));
        QVERIFY(std::ranges::binary_search(schema->functions, "extract_arg"));
        QVERIFY(std::ranges::binary_search(schema->functions, "count"));
        QVERIFY(std::ranges::binary_search(schema->functions, "ancestor_slice"));
        QVERIFY(!std::ranges::binary_search(schema->functions, "load_extension")); // Not allowed.
        QVERIFY(std::ranges::binary_search(schema->modules, "slices.with_context"));
        QVERIFY(std::ranges::none_of(schema->tables, [](const auto& it) { return it.name.starts_with("sqlite_"); }));
    }
    void tablesOfTheUserAreListed()
    {
        QCOMPARE(test::queryRows(*m_database, "CREATE TABLE mine(a, b TEXT)"), std::vector<std::string>());
        const auto schema = sql::readSchema(*m_database);
        QVERIFY(schema);
        QVERIFY(std::ranges::count(schema->tables, "mine", &sql::SchemaTable::name) == 1);
    }
    void describedColumnsExist()
    {
        QCOMPARE(sql::describeColumn("thread_state", "STATE"), sql::describeColumn("thread_state", "state"));
        QVERIFY(!sql::describeColumn("thread_state", "waker_utid").empty());
        QVERIFY(sql::describeColumn("sched", "dur").starts_with("Duration in ns"));
        QVERIFY(sql::describeColumn("thread", "no_such_column").empty());
    }
    void idsLeadToTheRowsOfTheTimeline()
    {
        const sql::RowLocator locator(m_timeline);
        std::set<std::string> expected;
        for (const Row& row : threads(*m_timeline))
            expected.insert(row.label + '|' + std::to_string(row.tid));
        std::size_t found = 0;
        for (const std::string& line : test::queryRows(*m_database, "SELECT utid, name, tid FROM thread WHERE utid != 0")) {
            const std::size_t bar = line.find('|');
            const TrackRef row = locator.threadRow(std::stoll(line.substr(0, bar)));
            if (!row.isValid())
                continue;
            const auto all = threads(*m_timeline);
            const auto its = std::ranges::find(all, row, &Row::ref);
            QVERIFY(its != all.end());
            QCOMPARE(its->label + '|' + std::to_string(its->tid), line.substr(bar + 1));
            ++found;
        }
        QVERIFY(found > 5);
        QVERIFY(!locator.threadRow(0).isValid()); // The idle thread has no row.
        QVERIFY(!locator.threadRow(-1).isValid());
        QVERIFY(!locator.threadRow(1'000'000).isValid());
        for (const Row& cpu : cpus(*m_timeline))
            QCOMPARE(locator.cpuRow(cpu.cpu), cpu.ref);
        QVERIFY(!locator.cpuRow(77).isValid());
    }
    void tracksLeadToTheRowsOfTheirThreads()
    {
        const sql::RowLocator locator(m_timeline);
        const auto lines = test::queryRows(*m_database, "SELECT id, utid FROM thread_track WHERE type = 'syscall'");
        QVERIFY(lines.size() > 3);
        for (const std::string& line : lines) {
            const std::size_t bar = line.find('|');
            QCOMPARE(locator.trackRow(std::stoll(line.substr(0, bar))), locator.threadRow(std::stoll(line.substr(bar + 1))));
        }
        QVERIFY(!locator.trackRow(-1).isValid());
        QVERIFY(!locator.trackRow(1'000'000'000).isValid());
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(SchemaTest)
#include "tst_schema.moc"
