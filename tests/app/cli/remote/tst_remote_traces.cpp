// Traces on another machine: what Heliograph shows of ssh://HOST/PATH equals what it shows of the trace itself, over connections that break
// and with servers that lie. A script stands for ssh and runs the command on this machine.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/real_traces.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace helio;

namespace {

/// Runs what ssh would run on the other machine, in a cache of its own. LIMIT cuts the first connection after as many bytes of requests.
const QByteArray SshScript = R"(#!/bin/sh
printf '%s\n' "$*" >> "$PLACE/ssh.log"
while [ "$1" != -- ]; do shift; done
XDG_CACHE_HOME=$PLACE/there
export XDG_CACHE_HOME
cd "$PLACE"
if [ -n "$LIMIT" ] && mkdir "$PLACE/limited" 2>/dev/null; then
    dd bs=1 count="$LIMIT" 2>/dev/null | sh -c "$3"
    exit 255
fi
[ -z "$ONCE" ] || exit 255
exec tee -a "$PLACE/requests.log" | sh -c "$3"
)";

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QStringList Statistics{"stats", "TRACE", "--view", "control-flow", "--format", "csv"};

QStringList filledIn(QStringList command, const QString& trace)
{
    command.replaceInStrings("TRACE", trace);
    return command << "--quiet"
                   << "--no-sync"; // Packets, from which clocks are aligned, are not in the index.
}

} // namespace

class RemoteTracesTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir().mkpath(path("bin")));
        writeProgram("bin/ssh", SshScript);
        m_environment = plainEnvironment();
        m_environment.insert("PATH", path("bin") + ':' + m_environment.value("PATH"));
        m_environment.insert("PLACE", m_folder->path());
        m_environment.insert("HELIOGRAPH_REMOTE", HELIOGRAPH_PROGRAM);
    }

    void remoteTraceShowsTheSame_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::newRow("kernel") << QStringLiteral(SOURCE_DIR "/resources/samples/workers");
        QTest::newRow("losses") << QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small");
        QTest::newRow("user-space calls") << QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-callstack");
        QTest::newRow("counters") << QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-counters");
        QTest::newRow("samples") << QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");
        QTest::newRow("several traces") << QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small");
    }
    void remoteTraceShowsTheSame()
    {
        QFETCH(QString, trace);
        const QString copy = copied(trace);
        int filled = 0;
        for (const QStringList& command :
             {Statistics,
              QStringList{"states", "TRACE", "--view", "resources", "--format", "csv"},
              {"links", "TRACE", "--format", "csv"},
              {"tracks", "TRACE", "--format", "csv"},
              {"counters", "TRACE", "--format", "csv"},
              {"latency", "TRACE", "--of", "syscall", "--format", "csv"},
              {"flame", "TRACE", "--format", "folded"},
              {"sql", "TRACE", "SELECT name, count(*), sum(dur) FROM slice GROUP BY name ORDER BY name", "--format", "csv"}}) {
            const ProgramResult expected = run("here", filledIn(command, copy));
            const ProgramResult got = run("mirror", filledIn(command, remote(copy)));
            const QByteArray named = command.join(' ').toUtf8();
            QVERIFY2(withoutPaths(got.out, remote(copy)) == withoutPaths(expected.out, copy),
                     (named + "\nexpected:\n" + expected.out.left(1500) + "\ngot:\n" + got.out.left(1500) + got.err).constData());
            QVERIFY2(got.status == expected.status, (named + '\n' + expected.err + got.err).constData());
            filled += expected.out.count('\n') > 1;
        }
        QVERIFY2(filled >= 2, "the recording shows too little for a comparison");
    }

    /// Property: what holds for the script that stands for ssh holds for ssh itself.
    void realSshServersAreReached()
    {
        const SshServer server(path("bin"), {"db1"});
        if (!server.runs())
            QSKIP("sshd is not installed, or does not run here");
        const QString copy = copied(sampleTrace());
        const ProgramResult expected = run("here", filledIn(Statistics, copy));
        QVERIFY(expected.out.count('\n') > 10);
        // A session of ssh has another environment, so HELIOGRAPH_REMOTE names a script that sets its cache.
        writeProgram("bin/there", "#!/bin/sh\nXDG_CACHE_HOME=" + path("there").toUtf8() + " exec " HELIOGRAPH_PROGRAM " \"$@\"\n");
        m_environment.insert("HELIOGRAPH_REMOTE", path("bin/there"));
        const ProgramResult got = run("mirror", filledIn(Statistics, remote(copy)));
        QCOMPARE(got.err, expected.err);
        QCOMPARE(got.out, expected.out);
        QCOMPARE(got.status, 0);
        const ProgramResult none = run("mirror", {"info", remote(path("none"))});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.err.contains("db1: ") && none.err.contains("no such file or folder"), none.err.constData());
        const ProgramResult unknown = run("mirror", {"info", "ssh://no-such-host.invalid/trace"});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("no-such-host.invalid: "), unknown.err.constData());
    }

    void whatIsMissingIsSaid()
    {
        const ProgramResult info = run("mirror", {"info", remote(copied(sampleTrace()))});
        QVERIFY2(info.status == 0, info.err.constData());
        QVERIFY2(info.err.contains("is read from the index on db1"), info.err.constData());
    }

    /// Property: bytes that were fetched are not fetched again, and are the same.
    void fetchedBytesAreKept()
    {
        const QStringList command = filledIn(Statistics, remote(copied(sampleTrace())));
        const ProgramResult first = run("mirror", command);
        QVERIFY(first.out.count('\n') > 10);
        const auto before = readFile(path("requests.log")).count("\"read\"");
        QVERIFY(before > 0);
        QFile::remove(path("requests.log"));
        const ProgramResult second = run("mirror", command);
        QCOMPARE(second.out, first.out);
        QCOMPARE(readFile(path("requests.log")).count("\"read\""), 0);
    }

    /// Property: a kept copy that was damaged on the disk is fetched again.
    void damagedCopiesAreFetchedAgain()
    {
        const QStringList command = filledIn(Statistics, remote(copied(sampleTrace())));
        const QByteArray expected = run("mirror", command).out;
        int damaged = 0;
        for (QDirIterator it(path("mirror"), QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
            const QString file = it.next();
            if (!QFile::exists(file + ".pieces"))
                continue;
            QByteArray bytes = readFile(file);
            bytes[bytes.size() / 2] = char(~bytes[bytes.size() / 2]);
            test::writeFile(file, bytes);
            ++damaged;
        }
        QVERIFY(damaged >= 3);
        const ProgramResult result = run("mirror", command);
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.out, expected);
    }

    /// Property: a connection that breaks at any point is made again, and nothing is missing.
    void brokenConnectionsAreMadeAgain_data()
    {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {100, 250, 400, 600, 900, 1'500, 3'000})
            QTest::addRow("after %d bytes", bytes) << bytes;
    }
    void brokenConnectionsAreMadeAgain()
    {
        QFETCH(int, bytes);
        const QString copy = copied(sampleTrace());
        const ProgramResult expected = run("here", filledIn(Statistics, copy));
        m_environment.insert("LIMIT", QString::number(bytes));
        const ProgramResult got = run("mirror", filledIn(Statistics, remote(copy)));
        QVERIFY(QFileInfo::exists(path("limited")));
        if (got.status == 0) { // If it broke before the traces were open, the error is said, see errorsNameTheHost().
            QCOMPARE(got.out, expected.out);
        } else {
            QVERIFY2(got.err.contains("db1"), got.err.constData());
        }
    }

    /// Property: numbers are never given as whole if bytes are missing.
    void lostConnectionsAreSaid_data()
    {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {700, 1'200})
            QTest::addRow("after %d bytes", bytes) << bytes;
    }
    void lostConnectionsAreSaid()
    {
        QFETCH(int, bytes);
        m_environment.insert("LIMIT", QString::number(bytes));
        m_environment.insert("ONCE", "1");
        const QStringList command{"states", remote(copied(sampleTrace())), "--view", "control-flow", "--format", "csv"};
        const ProgramResult got = run("mirror", command);
        QVERIFY(QFileInfo::exists(path("limited")));
        QVERIFY2(got.status == 1, got.err.constData());
        QVERIFY2(got.err.contains(": db1") || got.err.contains("so the output is incomplete"), got.err.constData());
    }

    void indexesThatChangedAreOpenedAnew()
    {
        const QString copy = copied(sampleTrace());
        const QByteArray before = run("mirror", filledIn(Statistics, remote(copy))).out;
        QVERIFY(QDir(copy).removeRecursively());
        test::copyTree(QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small"), copy);
        const ProgramResult after = run("mirror", filledIn(Statistics, remote(copy)));
        QVERIFY(after.out != before);
        QCOMPARE(after.out, run("here", filledIn(Statistics, copy)).out);
    }

    void severalProcessesOpenTheSame()
    {
        const QStringList command = filledIn(Statistics, remote(copied(sampleTrace())));
        const QByteArray expected = run("here", filledIn(Statistics, copied(sampleTrace()))).out;
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < 3; ++i) {
            processes.push_back(std::make_unique<QProcess>());
            processes.back()->setProcessEnvironment(environmentOf("mirror"));
            processes.back()->start(HELIOGRAPH_PROGRAM, command);
        }
        for (const auto& it : processes) {
            QVERIFY(it->waitForFinished(300'000));
            QCOMPARE(it->readAllStandardOutput(), expected);
        }
    }

    void pathsMayHaveAnyCharacters()
    {
        const QString copy = path("it's \"a\" $(trace) %20;");
        test::copyTree(sampleTrace(), copy);
        const QByteArray expected = run("here", filledIn(Statistics, copy)).out;
        QVERIFY(expected.count('\n') > 10);
        QCOMPARE(run("mirror", filledIn(Statistics, remote(copy))).out, expected);
        QCOMPARE(run("mirror", filledIn(Statistics, "ssh://me@db1/~/" + QFileInfo(copy).fileName())).out, expected);
    }

    void addressesAreChecked_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no path") << "ssh://db1" << QByteArray("the path is missing");
        QTest::newRow("no host") << "ssh:///trace" << QByteArray("the host is missing");
        QTest::newRow("option") << "ssh://-oProxyCommand=touch${IFS}x/trace" << QByteArray("this is no name of a host");
        QTest::newRow("option behind a user") << "ssh://me@-oProxyCommand=x/trace" << QByteArray("this is no name of a host");
        QTest::newRow("two users") << "ssh://me@db1@db2/trace" << QByteArray("this is no name of a host");
        QTest::newRow("command in the host") << "ssh://`id`/trace" << QByteArray("this is no name of a host");
        QTest::newRow("command in the user") << "ssh://$(id)@db1/trace" << QByteArray("this is no name of a host");
        QTest::newRow("blank") << "ssh://a b/trace" << QByteArray("this is no name of a host");
    }
    void addressesAreChecked()
    {
        QFETCH(QString, address);
        QFETCH(QByteArray, message);
        const ProgramResult result = run("mirror", {"info", address});
        QVERIFY(result.status > 0);
        QVERIFY2(result.err.contains(message) && result.err.contains(address.toUtf8()), result.err.constData());
        QVERIFY2(!QFile::exists(path("ssh.log")), "ssh was started");
    }

    void portsAndUsersArePassedOn()
    {
        run("mirror", {"info", "ssh://me@db1:2222/nothing"});
        const QByteArray log = readFile(path("ssh.log"));
        QVERIFY2(log.contains(" -- ssh://me@db1:2222 "), log.constData());
        run("mirror", {"info", "ssh://me@db2/nothing"});
        QVERIFY2(readFile(path("ssh.log")).contains(" -- me@db2 "), log.constData());
    }

    /// Property: each failure is one clear message with the host, and status 1.
    void errorsNameTheHost_data()
    {
        QTest::addColumn<QByteArray>("ssh"); // Script for ssh; empty for the usual one.
        QTest::addColumn<QByteArray>("program"); // Script for Heliograph on the other machine; empty for the usual one.
        QTest::addColumn<QByteArray>("message");
        const QByteArray version = "read request\necho '{\"id\":1,\"result\":{\"version\":\"" + versionText() + "\"}}'\n";
        const auto listing = [&](const QByteArray& files) {
            return version + "read request; echo '{\"id\":1,\"result\":{\"trace\":1,\"status\":0}}'\n"
                + "read request; echo '{\"id\":1,\"result\":{\"traces\":[" + files + "]}}'\n";
        };
        const QByteArray good = R"({"name":"t","files":[{"name":"index-1","bytes":8,"hash":"1","first":[[0,8]]}]})";
        const QByteArray ask = "read request\nid=${request#*:}; id=${id%%,*}\n";

        QTest::newRow("refused") << QByteArray("echo 'ssh: connect to host db1 port 22: Connection refused' >&2; exit 255") << QByteArray()
                                 << QByteArray("Connection refused");
        QTest::newRow("silent end") << QByteArray("read -r line; exit 7") << QByteArray()
                                    << QByteArray("the connection ended with status 7");
        QTest::newRow("not installed") << QByteArray("while [ \"$1\" != -- ]; do shift; done; exec sh -c \"$3\"") << QByteArray("none")
                                       << QByteArray("heliograph is not installed there");
        QTest::newRow("greeting") << QByteArray("echo Welcome to db1; sleep 1") << QByteArray() << QByteArray("A shell may print text");
        QTest::newRow("other version") << QByteArray() << QByteArray("read request; echo '{\"id\":1,\"result\":{\"version\":\"0.0.1\"}}'")
                                       << QByteArray("has Heliograph 0.0.1");
        QTest::newRow("error") << QByteArray()
                               << QByteArray("read request; echo '{\"id\":1,\"error\":{\"kind\":\"full\",\"message\":\"no room\"}}'")
                               << QByteArray("db1: no room");
        QTest::newRow("no list") << QByteArray() << listing("").replace("\"traces\":[]", "\"x\":1") << QByteArray("it has no traces");
        QTest::newRow("empty list") << QByteArray() << listing("") << QByteArray("it has no traces");
        QTest::newRow("path as a name") << QByteArray() << listing(QByteArray(good).replace("index-1", "../../up"))
                                        << QByteArray("an unusable name");
        QTest::newRow("hidden name") << QByteArray() << listing(QByteArray(good).replace("index-1", ".lock"))
                                     << QByteArray("an unusable name");
        QTest::newRow("huge file") << QByteArray() << listing(QByteArray(good).replace("\"bytes\":8", "\"bytes\":18446744073709551615"))
                                   << QByteArray("an unusable name or size");
        QTest::newRow("range outside") << QByteArray() << listing(QByteArray(good).replace("[0,8]", "[8,1]"))
                                       << QByteArray("a range is outside");
        QTest::newRow("twice") << QByteArray()
                               << listing(R"({"name":"t","files":[{"name":"a","bytes":1,"hash":"","first":[]},)"
                                          R"({"name":"a","bytes":1,"hash":"","first":[]}]})")
                               << QByteArray("it has a file twice");
        QTest::newRow("deep") << QByteArray() << version + "read request; echo '" + QByteArray(100'000, '[') + "'"
                              << QByteArray("answers something else");
        QTest::newRow("no base64") << QByteArray()
                                   << listing(good) + ask + "echo \"{\\\"id\\\":$id,\\\"result\\\":{\\\"data\\\":\\\"*\\\"}}\"; sleep 2"
                                   << QByteArray("invalid base64");
        QTest::newRow("not compressed") << QByteArray()
                                        << listing(good) + ask
                + "echo \"{\\\"id\\\":$id,\\\"result\\\":{\\\"data\\\":\\\"AAAA\\\"}}\"; sleep 2"
                                        << QByteArray("db1: ");
        QTest::newRow("no data") << QByteArray() << listing(good) + ask + "echo \"{\\\"id\\\":$id,\\\"result\\\":{}}\"; sleep 2"
                                 << QByteArray("db1: ");
        QTest::newRow("unasked") << QByteArray() << listing(good) + "read request; echo '{\"id\":77,\"result\":{\"data\":\"\"}}'; sleep 2"
                                 << QByteArray("answers what was not asked");
        QTest::newRow("damaged description") << QByteArray()
                                             << listing(good) + ask
                + "echo \"{\\\"id\\\":$id,\\\"result\\\":{\\\"data\\\":\\\"KLUv/QRYQQAASEVMSU9JRFiyjqZR\\\"}}\"; sleep 2"
                                             << QByteArray("ssh://db1/trace");
    }
    void errorsNameTheHost()
    {
        QFETCH(QByteArray, ssh);
        QFETCH(QByteArray, program);
        QFETCH(QByteArray, message);
        if (!ssh.isEmpty())
            writeProgram("bin/ssh", "#!/bin/sh\n" + ssh + '\n');
        if (program == "none") {
            m_environment.remove("HELIOGRAPH_REMOTE");
            m_environment.insert("HOME", path("home"));
            m_environment.insert("PATH", path("bin") + ":/usr/bin:/bin");
        } else if (!program.isEmpty()) {
            writeProgram("bin/liar", "#!/bin/sh\n" + program + '\n');
            m_environment.insert("HELIOGRAPH_REMOTE", path("bin/liar"));
        }
        const QStringList before = filesIn(m_folder->path());
        const ProgramResult result = run("mirror", {"info", "ssh://db1/trace"});
        QVERIFY2(result.status == 1, result.err.constData());
        QVERIFY2(result.err.contains(message), result.err.constData());
        QVERIFY2(result.err.contains("db1"), result.err.constData());
        for (const QString& file : filesIn(m_folder->path()))
            QVERIFY2(before.contains(file) || file.startsWith(path("mirror")) || file.endsWith(".log"), qPrintable(file));
    }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    static QString remote(const QString& trace) { return "ssh://db1" + trace; }

    static QByteArray versionText() { return heliograph({"--version"}).out.trimmed().split(' ').last(); }

    static QStringList filesIn(const QString& folder)
    {
        QStringList files;
        for (QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();)
            files << it.next();
        return files;
    }

    void writeProgram(const QString& name, const QByteArray& text) const
    {
        test::writeFile(path(name), text);
        QFile(path(name)).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    /// Copies a recording to a folder without analyses beside it, and returns the path of the copy.
    QString copied(const QString& trace) const
    {
        const QString copy = path("recordings/" + QFileInfo(trace).fileName());
        QDir().mkpath(path("recordings"));
        if (!QFileInfo::exists(copy))
            test::copyTree(trace, copy);
        return copy;
    }

    static QByteArray withoutPaths(QByteArray text, const QString& opened) { return text.replace(opened.toUtf8(), "TRACE"); }

    QProcessEnvironment environmentOf(const char* home) const
    {
        auto environment = m_environment;
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, path(home));
        return environment;
    }

    /// Runs Heliograph with a cache of its own.
    ProgramResult run(const char* home, const QStringList& arguments) const
    {
        return runTool(HELIOGRAPH_PROGRAM, arguments, environmentOf(home));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QProcessEnvironment m_environment;
};

HELIO_TEST(RemoteTracesTest)
#include "tst_remote_traces.moc"
