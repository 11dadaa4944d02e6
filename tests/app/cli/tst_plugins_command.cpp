// Plug-ins from a new user's view: the example is built from the installed files, copied to the folder, allowed, and its results are
// printed.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace helio;

namespace {

/// A temporary home folder with a folder for plug-ins. Runs Heliograph with this home folder.
class Home {
public:
    Home() { QDir(m_folder.path()).mkpath("data/heliograph/plugins"); }

    QString path(const QString& name = {}) const { return m_folder.filePath(name); }
    QString plugin(const QString& name) const { return path("data/heliograph/plugins/" + name); }
    void put(const QString& file) const
    {
        const QString place = plugin(QFileInfo(file).fileName());
        QFile::remove(place);
        if (!QFile::copy(file, place))
            qFatal("%s cannot be copied", qPrintable(file));
    }

    ProgramResult heliograph(const QStringList& arguments) const
    {
        auto environment = plainEnvironment();
        environment.insert("XDG_CACHE_HOME", path("cache"));
        environment.insert("XDG_DATA_HOME", path("data"));
        environment.insert("XDG_CONFIG_HOME", path("config"));
        return runTool(HELIOGRAPH_PROGRAM, arguments, environment);
    }
    QList<CsvRow> table(const QStringList& arguments) const
    {
        return csvRows(heliograph(arguments + QStringList{"--format", "csv", "--quiet"}));
    }
    QList<CsvRow> plugins() const { return csvRows(heliograph({"plugins", "--format", "csv"})); }

private:
    const QTemporaryDir m_folder;
};

/// Runs a tool; returns its output if it fails, else an empty text.
QByteArray run(const QString& tool, const QStringList& arguments)
{
    const ProgramResult answer = runTool(tool, arguments, plainEnvironment());
    return answer.status == 0 ? QByteArray() : tool.toUtf8() + ' ' + arguments.join(' ').toUtf8() + '\n' + answer.out + answer.err;
}

qsizetype eventsOf(const Home& home, const QString& filter)
{
    return home.heliograph({"events", sampleTrace(), "--filter", filter, "--count", "--quiet"}).out.trimmed().toLongLong();
}

} // namespace

class PluginsCommandTest : public QObject {
    Q_OBJECT

private slots:
    void theExampleIsBuiltAllowedAndSeen()
    {
        const Home home;
        const QString prefix = home.path("usr"), source = home.path("usr/share/heliograph/examples/plugin"), build = home.path("build");
        QCOMPARE(run(CMAKE_PROGRAM, {"--install", BUILD_DIR, "--component", "plugin", "--prefix", prefix}), QByteArray());
        QCOMPARE(run(CMAKE_PROGRAM,
                     {"-S", source, "-B", build, "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror"}),
                 QByteArray());
        QCOMPARE(run(CMAKE_PROGRAM, {"--build", build}), QByteArray());
        home.put(build + "/turns.so");

        const ProgramResult before = home.heliograph({"views", sampleTrace(), "--format", "csv"});
        QVERIFY2(before.err.contains("turns.so is not loaded: awaiting your permission"), before.err.constData());
        QVERIFY(!before.out.contains("turns"));
        QCOMPARE(home.heliograph({"plugins", "allow", "turns.so"}).status, 0);
        const auto listed = home.plugins();
        QCOMPARE(listed.size(), 1);
        QCOMPARE(listed[0]["file"], QFileInfo(home.plugin("turns.so")).canonicalFilePath().toUtf8());
        QCOMPARE(listed[0]["id"] + ' ' + listed[0]["label"] + ' ' + listed[0]["state"], QByteArray("turns Turns on CPUs loaded"));
        const auto views = home.table({"views", sampleTrace()});
        const auto own = std::ranges::find_if(views, [](const CsvRow& view) { return view["id"] == "turns"; });
        QVERIFY(own != views.end());
        QCOMPARE((*own)["rows"], QByteArray("4"));

        // Expected value of the plug-in's counter: the number of switches to a thread other than the idle thread.
        const qsizetype turns = eventsOf(home, "name == \"sched_switch\" && next_tid != 0");
        QVERIFY(turns > 100);
        qsizetype ofCounters = 0;
        QHash<QByteArray, qsizetype> last;
        for (const CsvRow& point : home.table({"counters", sampleTrace(), "--view", "turn-counts"}))
            last[point["series"]] = point["value"].toLongLong();
        for (const qsizetype count : last)
            ofCounters += count;
        QCOMPARE(ofCounters, turns);
        QCOMPARE(home.table({"latency", sampleTrace(), "--of", "turns", "--list"}).size(), turns);
        const qsizetype wakings = eventsOf(home, "name == \"sched_waking\"");
        qsizetype ofSamples = 0;
        for (const CsvRow& row : home.table({"flame", sampleTrace(), "--event", "wake-ups", "--table"}))
            ofSamples += row["self_samples"].toLongLong();
        QCOMPARE(ofSamples, wakings);
        QVERIFY(!home.table({"links", sampleTrace(), "--view", "turns"}).isEmpty());
        qint64 running = 0;
        for (const CsvRow& row : home.table({"stats", sampleTrace(), "--view", "turns"}))
            running += row["state"] == "runs" ? row["total_ns"].toLongLong() : 0;
        qint64 inTurns = 0;
        for (const CsvRow& row : home.table({"latency", sampleTrace(), "--of", "turns"}))
            inTurns += row["total_ns"].toLongLong();
        QCOMPARE(running, inTurns);
    }

    void oneThatEndsTheProgramAtWorkIsNotLoadedAgainByItself()
    {
        const Home home;
        home.put(PLUGINS "/traps.so");
        QCOMPARE(home.heliograph({"plugins", "allow", "traps.so"}).status, 0);
        QVERIFY(home.heliograph({"views", sampleTrace()}).status < 0); // The status is negative, because a signal ended the process.
        QCOMPARE(home.plugins()[0]["state"], QByteArray("crashed"));
        const ProgramResult next = home.heliograph({"views", sampleTrace()});
        QCOMPARE(next.status, 0);
        QVERIFY2(next.err.contains("traps.so is not loaded: heliograph crashed while loading or running it"), next.err.constData());
        QCOMPARE(home.heliograph({"plugins", "allow", "traps.so"}).status, 0); // The user can allow the plug-in again.
        QVERIFY(home.heliograph({"views", sampleTrace()}).status < 0);
    }

    void filesAreListedWithTheirStatesAndReasons()
    {
        const Home home;
        for (const char* name : {"aborts", "measures", "newer", "no_plugin", "numbers"})
            home.put(QString(PLUGINS "/%1.so").arg(name));
        QCOMPARE(home.heliograph({"plugins", "allow", "measures.so"}).status, 0);
        QCOMPARE(home.heliograph({"plugins", "forbid", "numbers.so"}).status, 0);
        const ProgramResult refused = home.heliograph({"plugins", "allow", "newer.so", "no_plugin.so"});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("newer.so: it has no analysis for version 1 of the plug-in interface"), refused.err.constData());
        QVERIFY2(refused.err.contains("no_plugin.so: not a plug-in: it has no function heliograph_analysis()"), refused.err.constData());
        // The status is negative, because a signal ended the process.
        QVERIFY(home.heliograph({"plugins", "allow", "aborts.so"}).status < 0);

        QStringList all;
        for (const CsvRow& row : home.plugins())
            all << QFileInfo(QString(row["file"])).baseName() + ',' + row["id"] + ',' + row["label"] + ',' + row["state"] + ','
                    + row["reason"];
        QCOMPARE(all,
                 (QStringList{"aborts,,,crashed,heliograph crashed while loading or running it; it is not loaded again "
                              "automatically",
                              "measures,measures,Measures,loaded,", "measures,measures-not,measures-not,loaded,",
                              "newer,,,unusable,it has no analysis for version 1 of the plug-in interface",
                              "no_plugin,,,unusable,not a plug-in: it has no function heliograph_analysis()",
                              "numbers,,,forbidden,it was forbidden"}));
    }

    void commandsSayWhatTheyLeaveOutButForWhatWasForbidden()
    {
        const Home home;
        for (const char* name : {"aborts", "numbers", "measures"})
            home.put(QString(PLUGINS "/%1.so").arg(name));
        home.heliograph({"plugins", "allow", "aborts.so"});
        home.heliograph({"plugins", "forbid", "numbers.so"});
        const ProgramResult answer = home.heliograph({"info", sampleTrace()});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.err.contains("aborts.so is not loaded: heliograph crashed while loading"), answer.err.constData());
        QVERIFY2(answer.err.contains("measures.so is not loaded: awaiting your permission"), answer.err.constData());
        QVERIFY2(!answer.err.contains("numbers"), answer.err.constData());
        QVERIFY(home.heliograph({"info", sampleTrace(), "--quiet"}).err.isEmpty());
    }

    /// Input: a plug-in named by --plugin, and an older version in the folder. Property: the plug-in named by --plugin is used.
    void theOneThatIsNamedCountsMore()
    {
        const Home home;
        home.put(PLUGINS "/numbers.so");
        QCOMPARE(home.heliograph({"plugins", "allow", "numbers.so"}).status, 0);
        const auto views = home.table({"views", sampleTrace(), "--plugin", PLUGINS "/numbers.so"});
        QCOMPARE(std::ranges::count_if(views, [](const CsvRow& view) { return view["id"] == "numbers"; }), 1);
    }

    void wrongUsageIsSaid()
    {
        const Home home;
        QCOMPARE(home.heliograph({"plugins", "allow"}).status, 2);
        QCOMPARE(home.heliograph({"plugins", "eat", "it"}).status, 2);
        QCOMPARE(home.heliograph({"plugins", "allow", PLUGINS "/numbers.so"}).status, 2);
        QCOMPARE(home.heliograph({"plugins", "allow", "nowhere.so"}).status, 1);
        QVERIFY(home.heliograph({"plugins"}).out.contains(home.path("data/heliograph/plugins").toUtf8()));
    }
};

HELIO_TEST(PluginsCommandTest)
#include "tst_plugins_command.moc"
