#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

// Input: two recordings with equal paths and sizes, but different content. Property: each has its own results, in any order of opening,
// although both use one cache.

using namespace helio;

namespace {

void overwrite(const QString& path, qint64 at, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite) || !file.seek(at) || file.write(bytes) != bytes.size())
        qFatal("cannot write to %s", qPrintable(path));
}

/// Runs the program with a cache that exists as long as this object.
class Cache {
public:
    QByteArray numbers(const QString& trace) const { return ask({"info", "--json", trace}) + stats(trace); }
    QByteArray stats(const QString& trace) const { return ask({"stats", trace, "--view", "control-flow"}); }
    QByteArray ask(const QStringList& arguments) const
    {
        auto environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, m_home.path());
        return runTool(HELIOGRAPH_PROGRAM, arguments, environment).out;
    }

private:
    QTemporaryDir m_home;
};

} // namespace

class RecordingIdentityTest : public QObject {
    Q_OBJECT

private slots:
    void recordingsWithOtherContentsKeepTheirNumbers_data()
    {
        QTest::addColumn<QString>("whole");
        QTest::addColumn<QString>("changed");
        const auto add = [this](const char* name, const QString& source, const QString& file, qint64 at, const QByteArray& bytes) {
            const QString whole = test::copyTree(source, m_folder.filePath(QString(name) + "/whole"));
            const QString changed = test::copyTree(source, m_folder.filePath(QString(name) + "/changed"));
            overwrite(changed + file, at, bytes);
            QTest::newRow(name) << whole << changed;
        };
        const QString kernel = SOURCE_DIR "/tests/fixtures/kernel-small/kernel";
        add("CTF, events damaged", kernel, "/chan_0", 30'000, QByteArray(8192, '\xaa'));
        add("CTF, one field", kernel, "/chan_1", 20'000, QByteArray(1, '\x01'));
        add("perf.data", SOURCE_DIR "/tests/fixtures/perf/sched.data", "", 8'000, QByteArray(4096, '\0'));
    }

    void recordingsWithOtherContentsKeepTheirNumbers()
    {
        QFETCH(const QString, whole);
        QFETCH(const QString, changed);
        const QByteArray ofWhole = Cache().numbers(whole);
        const QByteArray ofChanged = Cache().numbers(changed);
        QVERIFY(!ofWhole.isEmpty() && !ofChanged.isEmpty());
        QVERIFY(Cache().stats(whole) != Cache().stats(changed)); // Check that this test can fail: the output depends on the contents.

        const Cache wholeFirst;
        QCOMPARE(wholeFirst.numbers(whole), ofWhole);
        QCOMPARE(wholeFirst.numbers(changed), ofChanged);
        QCOMPARE(wholeFirst.numbers(whole), ofWhole);

        const Cache changedFirst;
        QCOMPARE(changedFirst.numbers(changed), ofChanged);
        QCOMPARE(changedFirst.numbers(whole), ofWhole);
        QCOMPARE(changedFirst.numbers(changed), ofChanged);
    }

    void twoRecordingsOfOneProcessKeepTheirNumbers()
    {
        const QString source = SOURCE_DIR "/tests/fixtures/kernel-small/kernel";
        const QString whole = test::copyTree(source, m_folder.filePath("together/whole"));
        const QString changed = test::copyTree(source, m_folder.filePath("together/changed"));
        overwrite(changed + "/chan_0", 30'000, QByteArray(8192, '\xaa'));
        const QByteArray ofWhole = Cache().ask({"info", "--json", whole});
        const QByteArray ofChanged = Cache().ask({"info", "--json", changed});
        QVERIFY(!ofWhole.isEmpty() && ofWhole.count('\n') == ofChanged.count('\n'));

        const auto eventsOf = [](const QByteArray& info) { return numbersAfter(info, "\"events\":"); };
        QCOMPARE(eventsOf(Cache().ask({"info", "--json", whole, changed})), eventsOf(ofWhole) + eventsOf(ofChanged));
        QCOMPARE(eventsOf(Cache().ask({"info", "--json", changed, whole})), eventsOf(ofChanged) + eventsOf(ofWhole));
        QVERIFY(eventsOf(ofWhole) != eventsOf(ofChanged));
    }

    void aFileRepairedInPlaceIsReadAnew_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<qint64>("at");
        QTest::newRow("small") << QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small/kernel/") << qint64(30'000);
        const QString large = realTrace("big-kernel");
        if (!large.isEmpty())
            QTest::newRow("large") << ctfFolders(large).value(0) + '/' << qint64(3'000'000);
    }

    void aFileRepairedInPlaceIsReadAnew()
    {
        QFETCH(const QString, source);
        QFETCH(const qint64, at);
        const QString trace = test::copyTree(source, m_folder.filePath("repaired"));
        const QString path = trace + "/chan_0";
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.seek(at));
        const QByteArray whole = file.read(8192);
        file.close();
        const Cache cache;
        const QByteArray before = cache.ask({"info", "--json", trace});
        overwrite(path, at, QByteArray(whole.size(), '\xaa'));
        QVERIFY(cache.ask({"info", "--json", trace}) != before);
        overwrite(path, at, whole);
        QCOMPARE(cache.ask({"info", "--json", trace}), before);
        QDir(trace).removeRecursively();
    }

private:
    /// Returns the number after each occurrence of `key` in the text, in order.
    static QList<QByteArray> numbersAfter(const QByteArray& text, const QByteArray& key)
    {
        QList<QByteArray> numbers;
        for (qsizetype at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
            QByteArray number;
            for (qsizetype i = at + key.size(); i < text.size() && (text[i] == ' ' || (text[i] >= '0' && text[i] <= '9')); ++i)
                number += text[i];
            numbers << number.trimmed();
        }
        return numbers;
    }

    QTemporaryDir m_folder;
};

HELIO_TEST(RecordingIdentityTest)
#include "tst_recording_identity.moc"
