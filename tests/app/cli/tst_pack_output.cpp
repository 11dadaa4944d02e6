// heliograph pack: what the packed index shows equals what the recording shows, in a cache that never saw the recording.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace helio;

namespace {

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class PackOutputTest : public QObject {
    Q_OBJECT

private slots:
    void packedIndexShowsTheSame_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::newRow("kernel") << QStringLiteral(SOURCE_DIR "/resources/samples/workers");
        QTest::newRow("losses") << QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small");
        QTest::newRow("user-space calls") << QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-callstack");
        QTest::newRow("counters") << QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-counters");
        QTest::newRow("samples") << QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");
        QTest::newRow("sampled scheduling") << QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/sched-g.data");
        QTest::newRow("text with names") << QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.script.txt");
    }
    void packedIndexShowsTheSame()
    {
        QFETCH(QString, trace);
        trace = copied(trace);
        const QString pack = m_folder.filePath("pack.heliostore");
        QFile::remove(pack);
        const ProgramResult packed = runIn("here", {"pack", trace, "-o", pack, "--quiet"});
        QVERIFY2(packed.status == 0 || QFile::exists(pack), packed.err.constData());
        QDir(m_folder.filePath("there")).removeRecursively();

        int filled = 0;
        for (const QStringList& command :
             {QStringList{"stats", "TRACE", "--view", "control-flow", "--format", "csv"},
              {"stats", "TRACE", "--view", "resources", "--format", "csv"},
              {"states", "TRACE", "--view", "control-flow", "--format", "csv"},
              {"states", "TRACE", "--view", "resources", "--format", "csv"},
              {"links", "TRACE", "--format", "csv"},
              {"tracks", "TRACE", "--format", "csv"},
              {"counters", "TRACE", "--format", "csv"},
              {"latency", "TRACE", "--of", "syscall", "--format", "csv"},
              {"latency", "TRACE", "--of", "wakeup", "--format", "csv"},
              {"flame", "TRACE", "--format", "folded"},
              {"vm", "TRACE", "--format", "csv"},
              {"findings", "TRACE"},
              {"sync", "TRACE"},
              {"sql", "TRACE", "SELECT name, count(*), sum(dur) FROM slice GROUP BY name ORDER BY name", "--format", "csv"}}) {
            const ProgramResult expected = runIn("here", filledIn(command, trace));
            const ProgramResult got = runIn("there", filledIn(command, pack));
            const QByteArray named = command.join(' ').toUtf8();
            QVERIFY2(withoutPaths(got.out, pack, trace) == withoutPaths(expected.out, trace, trace),
                     (named + "\nexpected:\n" + expected.out.left(1500) + "\ngot:\n" + got.out.left(1500) + got.err).constData());
            QVERIFY2(got.status == expected.status, (named + '\n' + expected.err + got.err).constData());
            filled += expected.out.count('\n') > 1;
        }
        QVERIFY2(filled >= 3, "the recording shows too little for a comparison");
    }

    void whatIsMissingIsSaid()
    {
        const QString pack = m_folder.filePath("named.heliostore");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", pack}).status, 0);

        const ProgramResult info = runIn("there", {"info", pack});
        QCOMPARE(info.status, 0);
        QVERIFY2(info.err.contains("is an index without its recording"), info.err.constData());
        QVERIFY(info.err.contains("The recording was " + sampleTrace().toUtf8()));
        const ProgramResult events = runIn("there", {"events", pack});
        QVERIFY2(events.err.contains("is an index without its recording"), events.err.constData());
        QVERIFY(events.out.isEmpty());
    }

    /// Property: an index without packets does not claim clocks that it cannot know, and gets them from a file.
    void clocksOfHostsComeFromAFile()
    {
        const QString trace = QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small");
        const QString pack = m_folder.filePath("hosts.heliostore"), clocks = m_folder.filePath("clocks.json");
        QCOMPARE(runIn("here", {"pack", trace, "-o", pack}).status, 0);
        test::writeFile(clocks, runIn("here", {"sync", trace, "--json"}).out);

        QVERIFY(runIn("there", {"sync", pack}).out.contains("cannot be related"));
        const QStringList states{"states", "TRACE", "--view", "control-flow", "--format", "csv"};
        const ProgramResult expected = runIn("here", filledIn(states, trace) << "--sync" << clocks);
        const ProgramResult got = runIn("there", filledIn(states, pack) << "--sync" << clocks);
        QVERIFY(expected.out.size() > 1000);
        QVERIFY2(got.out == expected.out, got.err.constData());
    }

    void callersThatCannotBeUnwoundAreNamed()
    {
        const QString pack = m_folder.filePath("dwarf.heliostore");
        QCOMPARE(runIn("here", {"pack", QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/dwarf.data"), "-o", pack}).status, 0);
        QVERIFY(runIn("there", {"flame", pack, "--format", "folded"}).err.contains("no fields, packets or callers of samples"));
    }

    void packingTwiceGivesTheSameBytes()
    {
        const QString first = m_folder.filePath("first.heliostore"), second = m_folder.filePath("second.heliostore");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", first}).status, 0);
        QCOMPARE(runIn("other", {"pack", sampleTrace(), "-o", second}).status, 0);
        QVERIFY(readFile(first) == readFile(second));
    }

    /// Property: a changed byte is an error that names the file, or changes nothing that is shown.
    void tamperedPacksAreRefused()
    {
        const QString pack = m_folder.filePath("tampered.heliostore");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", pack}).status, 0);
        const QByteArray bytes = readFile(pack);
        const QByteArray expected = runIn("here", {"stats", pack, "--view", "control-flow", "--format", "csv"}).out;
        int refused = 0;
        for (int i = 1; i < 24; ++i) {
            QByteArray changed = bytes;
            if (i % 4 == 0)
                changed.truncate(bytes.size() * i / 24);
            else
                changed[bytes.size() * i / 24] = char(~changed[bytes.size() * i / 24]);
            test::writeFile(pack, changed);
            const ProgramResult result = runIn("there", {"stats", pack, "--view", "control-flow", "--format", "csv"});
            QVERIFY(result.status >= 0);
            if (result.status != 0)
                QVERIFY2(result.err.contains("tampered.heliostore"), result.err.constData());
            else
                QCOMPARE(result.out, expected);
            refused += result.status != 0;
        }
        QVERIFY(refused >= 20);
    }

    /// Property: an index of another version is not shown as an empty one.
    void storesOfAnotherVersionAreNamed()
    {
        const QString pack = m_folder.filePath("whole.heliostore"), folder = m_folder.filePath("unpacked");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", pack}).status, 0);
        QVERIFY(QDir().mkpath(folder));
        QCOMPARE(runTool("tar", {"-xf", pack, "-C", folder}, plainEnvironment()).status, 0);
        QDirIterator it(folder, {"*.store"}, QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(it.hasNext());
        while (it.hasNext()) {
            const QString store = it.next();
            QByteArray bytes = readFile(store);
            bytes[8] = char(bytes[8] + 1); // The major version.
            test::writeFile(store, bytes);
        }

        const ProgramResult result = runIn("there", {"stats", folder, "--view", "control-flow"});

        QVERIFY(result.status != 0);
        QVERIFY2(result.err.contains("another version of Heliograph") && result.err.contains(sampleTrace().toUtf8()),
                 result.err.constData());
    }

    /// Property: an analysis whose store is missing is named, and everything else is shown.
    void missingStoresAreNamed()
    {
        const QString pack = m_folder.filePath("partial.heliostore"), folder = m_folder.filePath("partial");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", pack}).status, 0);
        QVERIFY(QDir().mkpath(folder));
        QCOMPARE(runTool("tar", {"-xf", pack, "-C", folder}, plainEnvironment()).status, 0);
        QStringList stores;
        for (QDirIterator it(folder, {"*.store"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
            stores << it.next();
        QVERIFY(stores.size() >= 3);
        int shown = 0;
        for (const QString& store : stores) {
            QVERIFY(QFile::rename(store, store + ".away"));
            const ProgramResult result = runIn("there", {"stats", folder, "--view", "control-flow", "--format", "csv"});
            QVERIFY2(!result.err.contains("cancelled"), result.err.constData());
            QVERIFY2(result.err.contains("lacks the results of") || result.err.contains("another version of Heliograph"),
                     result.err.constData());
            shown += result.out.count('\n') > 10;
            QVERIFY(QFile::rename(store + ".away", store));
        }
        QCOMPARE(shown, int(stores.size()) - 2); // Without the facts, nothing is shown; without the states of threads, no states.
    }

    /// Property: a damaged store in a folder of the user is never removed.
    void damagedStoresAreKept()
    {
        const QString pack = m_folder.filePath("kept.heliostore"), folder = m_folder.filePath("kept");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", pack}).status, 0);
        QVERIFY(QDir().mkpath(folder));
        QCOMPARE(runTool("tar", {"-xf", pack, "-C", folder}, plainEnvironment()).status, 0);
        for (QDirIterator it(folder, {"*.store"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
            const QString store = it.next();
            QByteArray bytes = readFile(store);
            for (qsizetype at = 2400; at < bytes.size() / 2; at += 64)
                bytes[at] = char(~bytes[at]);
            test::writeFile(store, bytes);
        }
        const auto countFiles = [&] {
            int files = 0;
            for (QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories); it.hasNext(); it.next())
                ++files;
            return files;
        };
        const int before = countFiles();
        for (const char* command : {"states", "links", "stats"})
            QVERIFY(runIn("there", {command, folder, "--view", "control-flow", "--format", "csv"}).status >= 0);
        QCOMPARE(countFiles(), before);
    }

    void packOfAPackIsThePack()
    {
        const QString first = m_folder.filePath("a.heliostore"), second = m_folder.filePath("b.heliostore");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", first}).status, 0);
        QCOMPARE(runIn("there", {"pack", first, "-o", second}).status, 0);
        QVERIFY(readFile(first) == readFile(second));
    }

    /// Property: two packs of one host open together, and one trace of a pack opens alone.
    void packsOpenTogetherAndInParts()
    {
        const QString kernel = m_folder.filePath("k.heliostore"), calls = m_folder.filePath("c.heliostore");
        QCOMPARE(runIn("here", {"pack", sampleTrace(), "-o", kernel}).status, 0);
        const QString ust = copied(QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-callstack"));
        QCOMPARE(runIn("here", {"pack", ust, "-o", calls}).status, 0);
        const QStringList tracks{"tracks", "--format", "csv"};
        const QByteArray both = runIn("there", tracks + QStringList{kernel, calls}).out;
        QVERIFY(both.size() > 1000);
        QCOMPARE(both, runIn("here", tracks + QStringList{copied(sampleTrace()), ust}).out);
        const ProgramResult part = runIn("there", {"stats", kernel + "/kernel", "--view", "control-flow", "--format", "csv"});
        QCOMPARE(part.out, runIn("here", {"stats", sampleTrace(), "--view", "control-flow", "--format", "csv"}).out);
    }

    void recordingsAreNotOverwritten()
    {
        const QString trace = m_folder.filePath("samples.data");
        QVERIFY(QFile::copy(QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data"), trace));
        const QByteArray before = readFile(trace);
        QVERIFY(runIn("here", {"pack", trace, "-o", trace}).status != 0);
        QVERIFY(readFile(trace) == before);
    }

private:
    static QStringList filledIn(QStringList command, const QString& trace)
    {
        command.replaceInStrings("TRACE", trace);
        return command << "--quiet";
    }

    /// Copies a recording to a folder without analyses beside it, and returns the path of the copy.
    QString copied(const QString& trace) const
    {
        const QString copy = m_folder.filePath("recordings/" + QFileInfo(trace).fileName());
        QDir().mkpath(m_folder.filePath("recordings"));
        if (!QFileInfo::exists(copy))
            test::copyTree(trace, copy);
        return copy;
    }

    /// Replaces the path of what was opened, which differs. Leaves out the line about the finders: the one of packets needs the recording.
    static QByteArray withoutPaths(QByteArray text, const QString& opened, const QString& trace)
    {
        QByteArrayList lines = text.split('\n');
        lines.removeIf([](const QByteArray& line) { return line.contains(" without a finding; not recorded"); });
        text = lines.join('\n');
        return text.replace((opened + '/' + QFileInfo(trace).fileName()).toUtf8(), "TRACE").replace(opened.toUtf8(), "TRACE");
    }

    /// Runs Heliograph with a cache of its own.
    ProgramResult runIn(const char* home, const QStringList& arguments) const
    {
        auto environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, m_folder.filePath(home));
        return runTool(HELIOGRAPH_PROGRAM, arguments, environment);
    }

    const QTemporaryDir m_folder;
};

HELIO_TEST(PackOutputTest)
#include "tst_pack_output.moc"
