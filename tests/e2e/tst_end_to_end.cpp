// Runs the built program on its own X server with real mouse and key input, and checks its JSON reports (app/gui/meters/report.h).

#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
constexpr int Patience = 20'000; ///< Time limit for a reaction, in ms.

struct Range {
    qint64 begin = 0;
    qint64 end = 0;
    qint64 length() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

} // namespace

class EndToEndTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* tool : {"Xvfb", "xdotool"})
            if (QStandardPaths::findExecutable(tool).isEmpty())
                QSKIP(qPrintable(QString("%1 is absent: skipping the whole test").arg(tool)));
        if (!QFile::exists(Sample))
            QSKIP("the sample trace is absent: skipping the whole test");
        QVERIFY(startServer());
        startProgram();
        QTRY_VERIFY_WITH_TIMEOUT(now("state").toString() == "ready" && now("rows").toInt() > 0 && now("events").toInteger() > 0, Patience);
    }

    void cleanupTestCase()
    {
        for (QProcess* process : {&m_program, &m_server}) {
            process->terminate();
            if (process->state() != QProcess::NotRunning && !process->waitForFinished(5000))
                process->kill();
            process->waitForFinished(2000);
        }
    }

    void theWholeExperimentIsShown()
    {
        QVERIFY(now("complete").toBool());
        QVERIFY(range("visible") == range("full"));
        QCOMPARE(now("problem").toString(), QString());
    }

    void keysZoomAndFitReturns()
    {
        focusPanels();
        const Range full = range("full");

        key("plus");
        QTRY_VERIFY(range("visible").length() < full.length());
        key("w");
        QTRY_VERIFY(range("visible").length() < full.length() * 6 / 10);
        const Range near = range("visible");
        key("d");
        QTRY_VERIFY(range("visible").begin > near.begin);
        const Range place = range("visible");
        key("f");
        QTRY_VERIFY(range("visible") == full);
        key("f");
        QTRY_VERIFY(range("visible") == place);
        key("ctrl+0");
        QTRY_VERIFY(range("visible") == full);
    }

    void aClickSetsTheCursorAndTheRowAndArrowKeysStepThroughItsStates()
    {
        const QString before = now("cursor").toString();

        click(700, 160);
        QTRY_VERIFY(now("cursor").toString() != before);
        QTRY_VERIFY(!now("row").toString().isEmpty());

        const qint64 at = now("cursor").toString().toLongLong();
        key("Right");
        QTRY_VERIFY(now("cursor").toString().toLongLong() > at);
        key("Left");
        key("Left");
        QTRY_VERIFY(now("cursor").toString().toLongLong() <= at);
    }

    void aDragSelectsAndZShowsTheSelection()
    {
        xdotool({"mousemove", "600", "160", "mousedown", "1", "mousemove", "700", "160", "mousemove", "800", "160", "mouseup", "1"});
        // Zooms to the selection. The window may report its state in the middle of the drag, but its report after this key proves that the
        // drag has ended.
        key("z");
        QTRY_VERIFY(range("selection").length() > 0 && range("visible") == range("selection"));
        key("alt+Left");
        QTRY_VERIFY(range("visible") == range("full"));
        key("Escape");
        QTRY_COMPARE(range("selection").length(), 0);
    }

    void theWheelZoomsAtThePointer()
    {
        xdotool({"mousemove", "700", "160", "keydown", "ctrl", "click", "4", "click", "4", "keyup", "ctrl"});
        QTRY_VERIFY(range("visible").length() < range("full").length());
        key("f");
        QTRY_VERIFY(range("visible") == range("full"));
    }

    void goToTimeMovesTheCursor()
    {
        key("ctrl+g");
        QTRY_COMPARE(now("focus").toString(), QString("omnibox"));
        write("+0.5s");
        key("Return");
        QTRY_COMPARE(now("cursor").toString().toLongLong(), range("full").begin + 500'000'000);
    }

    void aBookmarkIsPut()
    {
        focusPanels();
        key("m");
        QTRY_COMPARE(now("bookmarks").toInt(), 1);
    }

    void aSearchFindsWhatTheCommandLineCounts()
    {
        key("ctrl+f");
        write("name == \"sched_switch\"");
        key("Return");

        QTRY_VERIFY_WITH_TIMEOUT(now("searched").toBool() && now("hits").toInteger() > 0, Patience);
        QProcess count;
        count.start(HELIOGRAPH_PROGRAM, {"events", Sample, "--filter", "name == \"sched_switch\"", "--count"});
        QVERIFY(count.waitForFinished(Patience));
        QCOMPARE(now("hits").toInteger(), count.readAllStandardOutput().trimmed().toLongLong());
        key("F3");
        QTRY_VERIFY(now("hit").toInteger() >= 0);
        const qint64 hit = now("hit").toInteger();
        key("F3");
        QTRY_COMPARE(now("hit").toInteger(), hit + 1);
        key("shift+F3");
        QTRY_COMPARE(now("hit").toInteger(), hit);
    }

    void theEventTableFollowsTheCursorAndKeysMoveInIt()
    {
        key("ctrl+6");
        // The preceding test left the cursor on a search hit; the table has scrolled to this event.
        QTRY_COMPARE(now("eventTime").toString(), now("cursor").toString());
        const qint64 row = now("eventRow").toInteger();
        const QString cursor = now("cursor").toString();

        key("Down");
        key("Down");

        QTRY_COMPARE(now("eventRow").toInteger(), row + 2);
        QTRY_VERIFY(now("cursor").toString() != cursor);
    }

    void thePaletteChangesTheTheme()
    {
        for (const char* name : {"Dark", "Light"}) {
            key("ctrl+k");
            QTRY_COMPARE(now("focus").toString(), QString("omnibox"));
            write(QString(">%1").arg(name));
            key("Return");
            QTRY_COMPARE(now("theme").toString(), QString(name).toLower());
        }
    }

    void ctrlQEndsTheProgram()
    {
        key("ctrl+q");
        QVERIFY(m_program.waitForFinished(Patience));
        QCOMPARE(m_program.exitCode(), 0);
    }

private:
    bool startServer()
    {
        m_server.start("Xvfb", {"-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp"});
        QByteArray number;
        while (!number.endsWith('\n') && m_server.waitForReadyRead(Patience))
            number += m_server.readAllStandardOutput();
        m_display = ":" + number.trimmed();
        return number.endsWith('\n');
    }

    QProcessEnvironment environment() const
    {
        auto env = QProcessEnvironment::systemEnvironment();
        env.insert("DISPLAY", m_display);
        env.insert("QT_QPA_PLATFORM", "xcb");
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
            env.insert(name, m_folder.filePath(name));
        env.remove("DBUS_SESSION_BUS_ADDRESS");
        env.insert("HELIOGRAPH_REPORT", m_folder.filePath("report"));
        return env;
    }

    void startProgram()
    {
        m_program.setProcessEnvironment(environment());
        m_program.setProcessChannelMode(QProcess::ForwardedChannels);
        m_program.start(HELIOGRAPH_PROGRAM, {Sample});
        QVERIFY(m_program.waitForStarted(Patience));
        // Sets the focus explicitly, because a server without a window manager focuses no window.
        xdotool({"search", "--sync", "--onlyvisible", "--name", "Heliograph", "windowfocus"});
    }

    /// Runs one xdotool command. The program handles its input events in order, so tests need no pause between keys.
    void xdotool(const QStringList& arguments)
    {
        QProcess tool;
        tool.setProcessEnvironment(environment());
        tool.start("xdotool", arguments);
        QVERIFY2(tool.waitForFinished(Patience) && tool.exitCode() == 0, tool.readAllStandardError());
    }
    void key(const QString& name) { xdotool({"key", name}); }
    void write(const QString& text) { xdotool({"type", "--delay", "5", text}); }
    void click(int x, int y) { xdotool({"mousemove", QString::number(x), QString::number(y), "click", "1"}); }
    void focusPanels() { click(800, 160); }

    /// Last complete line of the program's report, parsed.
    QJsonObject state() const
    {
        QFile file(m_folder.filePath("report"));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        QByteArray all = file.readAll();
        all.truncate(all.lastIndexOf('\n'));
        return QJsonDocument::fromJson(all.mid(all.lastIndexOf('\n') + 1)).object();
    }
    QJsonValue now(const char* member) const { return state()[QLatin1StringView(member)]; }
    Range range(const char* member) const
    {
        const QJsonArray ends = now(member).toArray();
        return {ends.at(0).toString().toLongLong(), ends.at(1).toString().toLongLong()};
    }

    QTemporaryDir m_folder;
    QProcess m_server;
    QProcess m_program;
    QString m_display;
};

HELIO_TEST(EndToEndTest)
#include "tst_end_to_end.moc"
