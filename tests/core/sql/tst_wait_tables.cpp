#include "tests/support/opened_experiment.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using helio::test::queryRows;
using Rows = std::vector<std::string>;

/// Reasons of waits, and wake-ups of threads that did not wait, in a text of ftrace that is small enough to derive the rows by hand.
class WaitTablesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QFile file(m_folder.filePath("trace.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# tracer: nop\n#\n");
        const auto write = [&](const char* thread, int cpu, const char* flags, double time, const QString& text) {
            file.write(QString(" %1 [00%2] %3 %4: %5\n").arg(thread).arg(cpu).arg(flags).arg(time, 0, 'f', 6).arg(text).toUtf8());
        };
        const auto switchTo = [&](double time, int cpu, const char* from, const char* state, const char* to) {
            const auto id = [](const QString& thread, const QString& prefix) {
                return QString("%1_comm=%2 %1_pid=%3 %1_prio=120").arg(prefix, thread.section('-', 0, 0), thread.section('-', 1));
            };
            write(from, cpu, "d..2", time, "sched_switch: " + id(from, "prev") + " prev_state=" + state + " ==> " + id(to, "next"));
        };
        const QString woken = ": comm=a pid=7 prio=120 target_cpu=000";
        switchTo(1, 0, "idle-0", "R", "a-7");
        switchTo(1, 1, "idle-0", "R", "b-8");
        switchTo(2, 0, "a-7", "D", "idle-0");
        write("b-8", 1, "d..2", 3, "sched_waking" + woken);
        write("b-8", 1, "d..2", 3.000001, "sched_blocked_reason: pid=7 iowait=1 caller=folio_wait_bit+0x13d/0x2b0");
        write("b-8", 1, "d..2", 3.000002, "sched_wakeup" + woken);
        switchTo(3.5, 0, "idle-0", "R", "a-7");
        write("b-8", 1, "d..2", 4, "sched_waking" + woken); // Thread a runs.
        switchTo(4.5, 0, "a-7", "D", "idle-0");
        write("b-8", 1, "d..2", 5, "sched_waking" + woken);
        switchTo(5.5, 0, "idle-0", "R", "a-7");
        write("b-8", 1, "d..2", 5.7, "sched_waking" + woken);
        switchTo(6, 0, "a-7", "S", "idle-0");
        write("b-8", 1, "d..2", 7, "sched_blocked_reason: pid=7 iowait=0 caller=0xffffffff81000000"); // Thread a does not block.
        file.close();
        m_opened = std::make_unique<test::OpenedExperiment>(std::vector{std::filesystem::path(file.fileName().toStdString())});
        m_database = test::databaseOf(m_opened->timeline);
    }

    void blockedStatesHaveTheirReason()
    {
        QCOMPARE(rows("SELECT s.ts, state, io_wait, blocked_function FROM thread_state s JOIN thread USING (utid) WHERE name = 'a' "
                      "ORDER BY s.ts"),
                 (Rows{"1000000000|Running|-|-", "2000000000|D|1|folio_wait_bit", "3000000000|R|-|-", "3500000000|Running|-|-",
                       "4500000000|D|-|-", "5000000000|R|-|-", "5500000000|Running|-|-", "6000000000|S|-|-"}));
        QCOMPARE(rows("SELECT blocked_function FROM thread_state WHERE io_wait = 1"), Rows{"folio_wait_bit"});
    }
    void wakeupsOfThreadsThatDoNotSleepAreSpurious()
    {
        QCOMPARE(rows("SELECT w.id, w.ts, s.state, s.ts, w.irq_context, t.name, waker.name FROM spurious_sched_wakeup w "
                      "JOIN thread_state s ON s.id = thread_state_id JOIN thread t ON t.utid = w.utid "
                      "LEFT JOIN thread waker ON waker.utid = w.waker_utid ORDER BY w.ts"),
                 (Rows{"0|4000000000|Running|3500000000|0|a|b", "1|5700000000|Running|5500000000|0|a|b"}));
        QCOMPARE(rows("SELECT id, ts FROM spurious_sched_wakeup WHERE ts > 5000000000"), Rows{"1|5700000000"});
        QCOMPARE(rows("SELECT ts FROM spurious_sched_wakeup WHERE ts < 4000000000"), Rows{});
        QCOMPARE(rows("SELECT ts FROM spurious_sched_wakeup WHERE id = 1"), Rows{"5700000000"});
    }

private:
    Rows rows(const std::string& query) { return queryRows(*m_database, query); }

    QTemporaryDir m_folder;
    std::unique_ptr<test::OpenedExperiment> m_opened;
    std::unique_ptr<sql::Database> m_database;
};

HELIO_TEST(WaitTablesTest)
#include "tst_wait_tables.moc"
