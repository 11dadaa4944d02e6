#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace helio;

namespace {

const QString Sample = SOURCE_DIR "/resources/samples/workers";
const QByteArray ControlC = "\x03";
const QByteArray ControlD = "\x04";
const QByteArray Up = "\x1b[A";

/// The program at a pseudo terminal.
class Terminal {
public:
    Terminal(const QStringList& arguments, const QString& home)
        : m_master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC))
    {
        ::grantpt(m_master);
        ::unlockpt(m_master);
        const QByteArray name = ::ptsname(m_master);
        auto environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"})
            environment.insert(place, home);
        environment.insert("TERM", "xterm");
        m_process.setProcessEnvironment(environment);
        m_process.setChildProcessModifier([name] {
            ::setsid();
            const int terminal = ::open(name.constData(), O_RDWR);
            ::ioctl(terminal, TIOCSCTTY, 0);
            for (int i = 0; i < 3; ++i)
                ::dup2(terminal, i);
        });
        m_process.start(HELIOGRAPH_PROGRAM, arguments);
        m_process.waitForStarted();
    }
    ~Terminal()
    {
        if (m_process.state() != QProcess::NotRunning)
            m_process.kill();
        m_process.waitForFinished();
        ::close(m_master);
    }

    void type(const QByteArray& keys) { QCOMPARE(::write(m_master, keys.constData(), size_t(keys.size())), qint64(keys.size())); }

    /// Waits until the program printed `text` since the last call. Returns what it printed, up to and with the text; empty if it did not.
    QByteArray waitFor(const QByteArray& text)
    {
        QElapsedTimer time;
        time.start();
        for (;;) {
            if (const qsizetype at = m_printed.indexOf(text); at >= 0) {
                const QByteArray found = m_printed.left(at + text.size());
                m_printed.remove(0, found.size());
                return found;
            }
            pollfd wait{m_master, POLLIN, 0};
            char bytes[4096];
            if (::poll(&wait, 1, 1'000) > 0)
                if (const auto count = ::read(m_master, bytes, sizeof bytes); count > 0)
                    m_printed += QByteArray(bytes, count);
            if (time.elapsed() > 120'000) {
                qWarning("waited for %s, got %s", text.constData(), m_printed.toPercentEncoding(" \r\n").constData());
                return {};
            }
        }
    }

    /// Returns the exit code; -1 if the program does not end within two minutes, or by itself. Repeats the end of the input: libedit takes
    /// a key as text that is typed while it changes the terminal's mode, and then Ctrl+D ends the input only of an empty line.
    int exitCode()
    {
        for (int i = 0; i < 1'200 && !m_process.waitForFinished(100); ++i) {
            if (i % 10 == 9) [[maybe_unused]]
                const auto typed = ::write(m_master, "\x15\x04", 2); // Ctrl+U empties the line.
            char bytes[4096]; // A full terminal would stop the program.
            pollfd wait{m_master, POLLIN, 0};
            if (::poll(&wait, 1, 0) > 0) [[maybe_unused]]
                const auto count = ::read(m_master, bytes, sizeof bytes);
        }
        const bool hasEnded = m_process.state() == QProcess::NotRunning && m_process.exitStatus() == QProcess::NormalExit;
        return hasEnded ? m_process.exitCode() : -1;
    }

private:
    int m_master;
    QProcess m_process;
    QByteArray m_printed;
};

QStringList prompt() { return {"sql", Sample, "--interactive", "--format", "csv"}; }

} // namespace

class SqlPromptTest : public QObject {
    Q_OBJECT

private slots:
    void statementsAreEditedAndRun()
    {
        Terminal terminal(prompt(), m_home.path());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT 6 * 7x\x7f AS answer;\r"); // The x is deleted.
        QVERIFY(!terminal.waitFor("answer\r\r\n42\r\r\n").isEmpty());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT 2\r");
        QVERIFY(!terminal.waitFor("...> ").isEmpty());
        terminal.type("AS two;\r");
        QVERIFY(!terminal.waitFor("two\r\r\n2\r\r\n").isEmpty());
        terminal.type("SELECT\rwrong;\r");
        QVERIFY(!terminal.waitFor("heliograph: line 2, column 1: no such column: wrong").isEmpty());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type(ControlD);
        QCOMPARE(terminal.exitCode(), 0);
    }
    void tabCompletes()
    {
        Terminal terminal(prompt(), m_home.path());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT start_ts > 0 AS yes FROM trace_b\t;\r");
        QVERIFY(!terminal.waitFor("ounds ;").isEmpty()); // libedit moves the cursor before what it inserts.
        QVERIFY(!terminal.waitFor("yes\r\r\n1\r\r\n").isEmpty());
        terminal.type("SELECT t.is_m\t = 1 AS main FROM thread AS t LIMIT 0;\r"); // The table is not known yet.
        QVERIFY(!terminal.waitFor("no such column: t.is_m").isEmpty());
        terminal.type("WITH x AS (SELECT 1 FROM thread AS t WHERE t.is_m\t = 1) sel\t 9 AS nine;\r");
        QVERIFY(!terminal.waitFor("nine\r\r\n9\r\r\n").isEmpty());
        terminal.type("INCLUDE PERFETTO MODULE slices.w\t; SELECT count(*) > 0 AS found FROM thread_slice;\r");
        QVERIFY(!terminal.waitFor("ith_context ;").isEmpty());
        QVERIFY(!terminal.waitFor("found\r\r\n1\r\r\n").isEmpty());
        terminal.type("SELECT slice_to\t");
        QVERIFY(!terminal.waitFor("tals ").isEmpty());
        terminal.type(ControlC);
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT s\t\t");
        QVERIFY(!terminal.waitFor("sched_slice").isEmpty());
        terminal.type(ControlC);
        terminal.type(".mod\t\r");
        QVERIFY(!terminal.waitFor("time.conversion").isEmpty());
    }
    void controlCKeepsThePrompt()
    {
        Terminal terminal(prompt(), m_home.path());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT 1,\rgarbage" + ControlC);
        QVERIFY(!terminal.waitFor("^C").isEmpty());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT 5 AS five;\r");
        QVERIFY(!terminal.waitFor("five\r\r\n5\r\r\n").isEmpty());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n;\r");
        QTest::qWait(500);
        terminal.type(ControlC);
        QVERIFY(!terminal.waitFor("heliograph: The query was cancelled").isEmpty());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type("SELECT 6 AS six;\r");
        QVERIFY(!terminal.waitFor("six\r\r\n6\r\r\n").isEmpty());
    }
    void historyIsKept()
    {
        QTemporaryDir home;
        {
            Terminal terminal(prompt(), home.path());
            QVERIFY(!terminal.waitFor("sql> ").isEmpty());
            terminal.type("SELECT 'kept'\r AS word;\r");
            QVERIFY(!terminal.waitFor("word\r\r\nkept\r\r\n").isEmpty());
            terminal.type(".quit\r");
            QCOMPARE(terminal.exitCode(), 0);
        }
        const QFileInfo file(home.filePath("heliograph/sql_history"));
        QVERIFY(file.exists());
        QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther), QFile::Permissions());
        Terminal terminal(prompt(), home.path());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type(Up + Up + "\r"); // .quit is the last entry.
        QVERIFY(!terminal.waitFor("word\r\r\nkept\r\r\n").isEmpty());
    }
    void commandsPrintWhatTheySay()
    {
        Terminal terminal(prompt(), m_home.path());
        QVERIFY(!terminal.waitFor("sql> ").isEmpty());
        terminal.type(".timer on\rSELECT 3 AS three;\r");
        QVERIFY(!terminal.waitFor("three\r\r\n3\r\r\n").isEmpty());
        QVERIFY(!terminal.waitFor("Time: ").isEmpty());
        terminal.type(".tables\r");
        QVERIFY(!terminal.waitFor("thread_state,virtual").isEmpty());
        terminal.type(".schema trace_bounds\r");
        QVERIFY(!terminal.waitFor("start_ts,INTEGER").isEmpty());
        terminal.type(".explain SELECT * FROM thread WHERE utid = 1\r");
        QVERIFY(!terminal.waitFor("VIRTUAL TABLE INDEX").isEmpty());
        terminal.type(".help\r");
        QVERIFY(!terminal.waitFor(".timer on|off").isEmpty());
    }

private:
    QTemporaryDir m_home;
};

HELIO_TEST(SqlPromptTest)
#include "tst_sql_prompt.moc"
