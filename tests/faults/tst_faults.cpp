// File errors: while Heliograph indexes, reopens and exports, one system call on a file fails, each in turn. It must not crash or hang,
// must not print a wrong result as a right one, must say why it failed, and must not leave files that mislead a later run.
//
// Some of the calls are tried, spread over the run; with HELIOGRAPH_ALL_FAULTS set, all of them.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>

using namespace helio;

namespace {

constexpr int TriedCalls = 5; ///< Number of calls that fail in one run of the test, unless all are tried.
constexpr int Seconds = 60; ///< Time after which a run counts as hung.

/// A folder with a copy of a trace, the cache, and the output of Heliograph.
class Workplace {
public:
    Workplace() { test::copyTree(QStringLiteral(SOURCE_DIR "/resources/samples/workers"), path("trace")); }

    QString path(const QString& name) const { return m_folder.filePath(name); }

    struct Fault {
        long at = 0; ///< Number of the call that fails; 0 for none.
        QByteArray kind = "0"; ///< See fault_shim.cpp.
        bool stays = false;
    };
    struct Outcome {
        ProgramResult result;
        bool hasCrashed = false;
        bool hangs = false;
        long calls = 0;
    };

    /// Runs Heliograph with its cache and output in this folder.
    Outcome run(const QStringList& arguments, const Fault& fault) const
    {
        QProcessEnvironment environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, path("home"));
        environment.insert("LD_PRELOAD", FAULT_SHIM);
        environment.insert("FAULT_UNDER", path("trace") + ':' + path("home") + ':' + path("out"));
        environment.insert("FAULT_AT", QString::number(fault.at));
        environment.insert("FAULT_KIND", QString::fromLatin1(fault.kind));
        environment.insert("FAULT_COUNT", path("count"));
        if (fault.stays)
            environment.insert("FAULT_STAYS", "1");
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(HELIOGRAPH_PROGRAM, arguments);
        Outcome outcome;
        outcome.hangs = !process.waitForFinished(Seconds * 1000);
        if (outcome.hangs)
            process.kill();
        process.waitForFinished();
        outcome.hasCrashed = !outcome.hangs && process.exitStatus() == QProcess::CrashExit;
        outcome.result = {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        QFile count(path("count"));
        if (count.open(QIODevice::ReadOnly))
            outcome.calls = count.readAll().toLong();
        return outcome;
    }

    void forgetCache() const { QDir(path("home")).removeRecursively(); }
    void removeOutput() const { QDir(path("out")).removeRecursively(); }

    /// Returns the content of all files in the output folder, with their names. Hidden temporary folders do not count: where all calls
    /// fail, they cannot be removed.
    QByteArray output() const
    {
        QByteArray all;
        QStringList files;
        QDirIterator it(path("out"), QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            files << it.next();
        files.sort();
        for (const QString& name : files) {
            QFile file(name);
            if (file.open(QIODevice::ReadOnly))
                all += name.toUtf8() + '\n' + file.readAll();
        }
        return all;
    }

private:
    const QTemporaryDir m_folder;
};

} // namespace

class FaultsTest : public QObject {
    Q_OBJECT

private slots:
    void oneFailingCall_data()
    {
        QTest::addColumn<QString>("work");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<bool>("stays");
        const std::pair<const char*, QByteArray> kinds[] = {{"EIO", QByteArray::number(EIO)},       {"ENOSPC", QByteArray::number(ENOSPC)},
                                                            {"EACCES", QByteArray::number(EACCES)}, {"EINTR", QByteArray::number(EINTR)},
                                                            {"EMFILE", QByteArray::number(EMFILE)}, {"short", "short"}};
        for (const char* const work : {"index", "reopen", "export"})
            for (const auto& [name, kind] : kinds)
                for (const bool stays : {false, true})
                    if (!(stays && (kind == "short" || kind == QByteArray::number(EINTR))))
                        QTest::addRow("%s, %s%s", work, name, stays ? " from then on" : "") << QString(work) << kind << stays;
    }
    void oneFailingCall()
    {
        QFETCH(QString, work);
        QFETCH(QByteArray, kind);
        QFETCH(bool, stays);
        const Workplace place;
        const bool isExport = work == "export";
        const QStringList arguments = isExport
            ? QStringList{"export", place.path("trace"), "--to", "chrome-json", "-o", place.path("out/t.json"), "--quiet"}
            : QStringList{"stats", place.path("trace"), "--view", "control-flow", "--format", "csv", "--quiet"};
        const auto prepare = [&] {
            place.removeOutput();
            QDir().mkpath(place.path("out"));
            if (work == "index")
                place.forgetCache();
        };
        prepare();
        const auto reference = place.run(arguments, {});
        QCOMPARE(reference.result.status, 0);
        QVERIFY(reference.calls > 10);
        const QByteArray expected = isExport ? place.output() : reference.result.out;
        prepare();
        const long calls = place.run(arguments, {}).calls;
        const bool isAll = !qEnvironmentVariableIsEmpty("HELIOGRAPH_ALL_FAULTS");
        const long step = isAll ? 1 : std::max(1L, calls / TriedCalls);
        const long first = 1 + long(qHashBits(QTest::currentDataTag(), qstrlen(QTest::currentDataTag())) % ulong(step));
        for (long at = first; at <= calls; at += step) {
            const QByteArray context = work.toUtf8() + ", call " + QByteArray::number(at) + " of " + QByteArray::number(calls);
            prepare();
            const auto outcome = place.run(arguments, {at, kind, stays});
            QVERIFY2(!outcome.hasCrashed, context + ": crash\n" + outcome.result.err);
            QVERIFY2(!outcome.hangs, context + ": hang");
            const QByteArray got = isExport ? place.output() : outcome.result.out;
            if (outcome.result.status == 0)
                QVERIFY2(got == expected, context + ": a wrong result is printed as a right one\n" + outcome.result.err);
            else
                QVERIFY2(outcome.result.err.contains("heliograph: "), context + ": no message");
            // A stream that cannot be read is named; the rest is exported.
            const bool isPartOfTrace = outcome.result.err.contains("heliograph: " + place.path("trace").toUtf8());
            if (isExport && outcome.result.status != 0)
                QVERIFY2(got.isEmpty() || got == expected || isPartOfTrace, context + ": a part of a file is left");
            // Files that are left in the cache must not mislead a later run.
            place.removeOutput();
            QDir().mkpath(place.path("out"));
            const auto later = place.run(arguments, {});
            QVERIFY2(later.result.status == 0, context + ": a later run fails\n" + later.result.err);
            QVERIFY2((isExport ? place.output() : later.result.out) == expected, context + ": a later run gives another result");
        }
    }
};

HELIO_TEST(FaultsTest)
#include "tst_faults.moc"
