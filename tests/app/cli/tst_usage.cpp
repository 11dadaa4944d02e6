#include "app/cli/command_line.h"
#include "core/base/version.h"
#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class UsageTest : public QObject {
    Q_OBJECT

private slots:
    void helpAndVersionAreAnswered()
    {
        const ProgramResult version = heliograph({"--version"});
        const ProgramResult help = heliograph({"--help"});
        const ProgramResult commandHelp = heliograph({"states", "--help"});

        QCOMPARE(version.status, 0);
        QCOMPARE(version.out, QByteArray("heliograph ") + helio::version() + '\n');
        QCOMPARE(help.status, 0);
        for (const char* command : {"info", "index", "events", "tracks", "states", "stats", "latency", "heap", "links", "render"})
            QVERIFY2(help.out.contains(command), command);
        QCOMPARE(commandHelp.status, 0);
        for (const char* option : {"--begin", "--end", "--row", "--filter", "--process", "--thread", "--cpu", "--host", "--format",
                                   "--json", "--offset", "--no-sync", "--jobs", "--store-dir", "--quiet", "--view"})
            QVERIFY2(commandHelp.out.contains(option), option);
    }

    void theUsageLineNamesTheCommandFirst()
    {
        QVERIFY(heliograph({"--help"}).out.contains("heliograph COMMAND [OPTIONS] TRACE..."));
        QVERIFY(!heliograph({"--help"}).out.contains("SUBCOMMAND]"));
        QVERIFY(heliograph({"states", "--help"}).out.contains("Usage: heliograph states [OPTIONS]"));
    }

    void flagsMayStandBeforeTheCommand()
    {
        const ProgramResult before = heliograph({"--quiet", "--no-sync", "info", sampleTrace()});
        QCOMPARE(before.status, 0);
        QCOMPARE(before.out, heliograph({"info", sampleTrace(), "--no-sync", "--quiet"}).out);
    }

    void wrongUsageIsSaidWithStatus2_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        test::addRow("no trace", QStringList{"info"}, QByteArray("heliograph: info: a TRACE is missing"));
        test::addRow("no view", QStringList{"states", sampleTrace()}, QByteArray("heliograph: states: --view is missing"));
        test::addRow("unknown view", QStringList{"states", sampleTrace(), "--view", "elsewhere"},
                     QByteArray("there is no view \"elsewhere\" here"));
        const QString hosts = SOURCE_DIR "/tests/fixtures/two-hosts-small/";
        const QStringList noHost{hosts + "web", hosts + "db", "--host", "nobody"};
        const QByteArray hostsThere = "--host: no host is named \"nobody\"; there are: web, db";
        test::addRow("events of no host", QStringList{"events"} + noHost, hostsThere);
        test::addRow("states of no host", QStringList{"states", "--view", "resources"} + noHost, hostsThere);
        test::addRow("latency of no host", QStringList{"latency", "--of", "wakeup"} + noHost, hostsThere);
        test::addRow("connections of no host", QStringList{"connections"} + noHost, hostsThere);
        test::addRow("info of no host", QStringList{"info"} + noHost, hostsThere);
        test::addRow("no buckets", QStringList{"latency", sampleTrace(), "--of", "wakeup", "--histogram", "--buckets", "0"},
                     QByteArray("--buckets: must be at least 1"));
        test::addRow("wake-ups of CPUs", QStringList{"latency", sampleTrace(), "--of", "wakeup", "--view", "resources"},
                     QByteArray("\"wakeup\" needs threads, but the view resources has none"));
        test::addRow("no plug-in", QStringList{"states", sampleTrace(), "--view", "numbers", "--plugin", PLUGINS "/no_plugin.so"},
                     QByteArray("no_plugin.so: not a plug-in: it has no function heliograph_analysis()"));
        test::addRow("plug-in twice",
                     QStringList{"views", sampleTrace(), "--plugin", PLUGINS "/numbers.so", "--plugin", PLUGINS "/numbers.so"},
                     QByteArray("analysis \"numbers\": the name is already used"));
        test::addRow("unknown option", QStringList{"events", sampleTrace(), "--sideways"}, QByteArray("--sideways"));
        test::addRow("unknown window option", QStringList{"--sideways"}, QByteArray("--sideways"));
        test::addRow("option before the command", QStringList{"--jobs", "1", "info", sampleTrace()}, QByteArray("the command comes first"));
        test::addRow("format", QStringList{"events", sampleTrace(), "--format", "xml"}, QByteArray("\"xml\" is not a format"));
        test::addRow("format of info", QStringList{"info", sampleTrace(), "--format", "csv"},
                     QByteArray("\"csv\" is not a format of info; supported: text and json"));
        test::addRow("format of sync", QStringList{"sync", sampleTrace(), "--format", "csv"},
                     QByteArray("\"csv\" is not a format of sync; supported: text and json"));
        test::addRow("format of flame", QStringList{"flame", sampleTrace(), "--format", "nonsense"},
                     QByteArray("supported: text, table, csv, json, folded, svg and speedscope"));
        const QStringList compare{"compare", "--a", sampleTrace(), "--b", sampleTrace()};
        test::addRow("format of compare", compare + QStringList{"--format", "speedscope"},
                     QByteArray("is not a format of compare; supported: text, table, csv, json, folded and svg"));
        test::addRow("format of durations", compare + QStringList{"--durations", "--format", "svg"},
                     QByteArray("\"svg\" is not a format of compare --durations; supported: text, csv and json"));
        test::addRow("format of a picture", QStringList{"render", sampleTrace(), "--view", "resources", "-o", "x.png", "--format", "csv"},
                     QByteArray("--format"));
        test::addRow("durations of functions", compare + QStringList{"--durations", "--functions"},
                     QByteArray("cannot be combined with --functions"));
        test::addRow("contradiction", QStringList{"events", sampleTrace(), "--format", "csv", "--json"}, QByteArray("contradicts it"));
        test::addRow("time", QStringList{"events", sampleTrace(), "--begin", "noon"}, QByteArray("--begin: \"noon\" is not a time"));
        test::addRow("end before begin", QStringList{"events", sampleTrace(), "--begin", "+2s", "--end", "+1s"},
                     QByteArray("--end is before --begin"));
        test::addRow("filter", QStringList{"events", sampleTrace(), "--filter", "cpu =="},
                     QByteArray("--filter: column 7: expected a value"));
        test::addRow("thread", QStringList{"events", sampleTrace(), "--thread", "main"}, QByteArray("--thread"));
        test::addRow("offset", QStringList{"info", sampleTrace(), "--offset", "5"}, QByteArray("is not TRACE=NANOSECONDS"));
        test::addRow("offset of nothing", QStringList{"info", sampleTrace(), "--offset", "web=5"}, QByteArray("no trace is named \"web\""));
        test::addRow("size", QStringList{"render", sampleTrace(), "--view", "resources", "-o", "x.png", "--size", "9"},
                     QByteArray("\"9\" is not WIDTHxHEIGHT"));
        test::addRow("no file", QStringList{"render", sampleTrace(), "--view", "resources"}, QByteArray("-o FILE is missing"));
        test::addRow("time of the window", QStringList{sampleTrace(), "--at", "noon"}, QByteArray("--at: \"noon\" is not a time"));
        test::addRow("position without traces", QStringList{"--at", "+1s"}, QByteArray("a TRACE is missing"));
        test::addRow("position of a comparison", QStringList{"--compare", sampleTrace(), "--row", "x", "--", sampleTrace()},
                     QByteArray("not valid with --compare"));
    }
    void wrongUsageIsSaidWithStatus2()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);

        const ProgramResult answer = heliograph(arguments);

        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains(said), answer.err.constData());
        QVERIFY2(answer.err.startsWith("heliograph: "), answer.err.constData());
        QVERIFY(answer.out.isEmpty());
    }

    /// Property: an option that takes one value does not consume the arguments after it.
    void aFolderOfSymbolsIsOneArgument_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command :
             {"info", "index", "events", "tracks", "states", "stats", "latency", "heap", "links", "compare", "flame", "annotate", "render"})
            QTest::newRow(command) << command;
        QTest::newRow("window") << QString();
    }
    void aFolderOfSymbolsIsOneArgument()
    {
        QFETCH(QString, command);
        QStringList arguments{"--help"};
        if (!command.isEmpty())
            arguments.prepend(command);
        const ProgramResult help = heliograph(arguments);
        QVERIFY2(help.out.contains("--symbols PATH "), help.out);
        for (const char* misleading : {"PATH ...", "TRACE=NS ...", "PATTERN ...", "TRACE... ..."})
            QVERIFY2(!help.out.contains(misleading), misleading);
        const qsizetype at = help.out.indexOf("--symbols PATH");
        QVERIFY(help.out.mid(at, 200).simplified().contains("(repeatable)"));
        if (command == "info" || command == "tracks") {
            const QTemporaryDir one, other;
            const ProgramResult two = heliograph({command, "--symbols", one.path(), "--symbols", other.path(), sampleTrace(), "--quiet"});
            QCOMPARE(two.status, 0);
            QVERIFY(!two.out.isEmpty());
        }
    }

    void unusableInputIsSaidWithStatus1_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"info", "index", "events", "tracks"})
            QTest::newRow(command) << command;
    }
    void unusableInputIsSaidWithStatus1()
    {
        QFETCH(QString, command);
        const QTemporaryDir empty;

        const ProgramResult missing = heliograph({command, "/nowhere/at/all"});
        const ProgramResult nothing = heliograph({command, empty.path()});

        QCOMPARE(missing.status, 1);
        QVERIFY2(missing.err.startsWith("heliograph: /nowhere/at/all: no such file or folder"), missing.err.constData());
        QVERIFY(missing.out.isEmpty());
        QCOMPARE(nothing.status, 1);
        QVERIFY2(nothing.err.startsWith("heliograph: " + empty.path().toUtf8() + ": "), nothing.err.constData());
    }

    void whatCanBeReadIsShownBesideWhatCannot()
    {
        const ProgramResult answer = heliograph({"events", sampleTrace(), "/nowhere/at/all", "--count"});

        QCOMPARE(answer.status, 1);
        QCOMPARE(answer.out, heliograph({"events", sampleTrace(), "--count"}).out);
        QVERIFY(answer.err.contains("/nowhere/at/all: no such file or folder"));
    }

    void aWindowWithoutADisplayIsSaid()
    {
        auto environment = plainEnvironment();
        environment.remove("QT_QPA_PLATFORM");
        const ProgramResult answer = runTool(HELIOGRAPH_PROGRAM, {sampleTrace()}, environment);

        QCOMPARE(answer.status, 1);
        QVERIFY2(answer.err.startsWith("heliograph: cannot open a window: there is no display"), answer.err.constData());
    }

    /// Property: qtArguments() removes the window's own arguments. Qt has an option --plugin too and would take Heliograph's --plugin
    /// otherwise.
    void qtGetsNoneOfTheWindowsArguments()
    {
        std::vector<std::string> words{"heliograph", "--plugin", PLUGINS "/numbers.so", "-platform", "offscreen", "trace", "-style"};
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        QStringList ofQt;
        for (const char* word : qtArguments(int(argv.size()), argv.data()))
            ofQt << word;
        QCOMPARE(ofQt, (QStringList{"heliograph", "-platform", "offscreen", "-style"}));
        const WindowArguments arguments = windowArguments(int(argv.size()), argv.data());
        QCOMPARE(arguments.traces, std::vector<std::filesystem::path>{"trace"});
        QVERIFY(arguments.experiment.analyses);
        QVERIFY(arguments.experiment.analyses->find("numbers"));
    }

    void aFullDiskIsNotSuccess()
    {
        auto environment = plainEnvironment();
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setStandardOutputFile("/dev/full");
        process.start(HELIOGRAPH_PROGRAM, {"events", sampleTrace()});
        QVERIFY(process.waitForFinished());

        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("standard output: "));
    }
};

HELIO_TEST(UsageTest)
#include "tst_usage.moc"
