// Paths in recordings: a recording of unknown origin names files of the user. Heliograph may open the programs and debug information that
// it names, but no other file, never shows contents of a file that is no program, and never waits for a pipe.

#include "tests/app/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/perf_builder.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/stat.h>

using namespace helio;
using namespace helio::test;

namespace {

constexpr const char* Secret = "TOP SECRET CONTENTS";

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class OpenedFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* name : {"notes.txt", "libprivate.so", "jit-77.dump", "perf-77.map", "main.c"})
            writeFile(privatePath(name), QByteArray(Secret) + '\n');
        QCOMPARE(::mkfifo(privatePath("pipe.so").toUtf8().constData(), 0600), 0);
    }

    void recordingsOpenNoOtherFiles_data()
    {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<QStringList>("allowed");

        const QStringList none;
        const auto row = [&](const char* name, const QString& file, const QByteArray& bytes, const QStringList& allowed) {
            const QString path = m_folder.path() + "/recordings/" + file;
            writeFile(path, bytes);
            QTest::newRow(name) << path << allowed;
        };
        // perf names programs and jitdump files by their paths.
        row("perf.data", "perf.data", perfData(), {"libprivate.so", "pipe.so", "jit-77.dump"});
        row("perf script", "perf.script.txt",
            "prog 77/77 [000] 5.000001: 10 cycles: \n\t 401000 main+0x10 (" + privatePath("libprivate.so").toUtf8()
                + ")\n\t 402000 start+0x1 (" + privatePath("pipe.so").toUtf8() + ")\n\n",
            none);
        row("strace", "strace.log",
            "77 1700000000.000001 openat(AT_FDCWD, \"" + privatePath("notes.txt").toUtf8()
                + "\", O_RDONLY) = 3 <0.000010>\n77 1700000000.000100 execve(\"" + privatePath("libprivate.so").toUtf8()
                + "\", [\"x\"], 0x7ffc /* 3 vars */) = 0 <0.000010>\n77 1700000000.000200 +++ exited with 0 +++\n",
            none);
        row("callgrind", "callgrind.out.77",
            "# callgrind format\nversion: 1\ncreator: made\npid: 77\ncmd: x\npositions: line\nevents: Ir\nob="
                + privatePath("libprivate.so").toUtf8() + "\nfl=" + privatePath("main.c").toUtf8() + "\nfn=main\n1 10\n",
            {"main.c"});
        row("chrome", "chrome.json",
            R"([{"ph":"X","pid":77,"tid":77,"ts":1,"dur":5,"name":"load","args":{"file":")" + privatePath("notes.txt").toUtf8()
                + R"("}},{"ph":"X","pid":77,"tid":77,"ts":9,"dur":5,"name":"next"}])",
            none);
        row("folded", "stacks.folded", privatePath("notes.txt").toUtf8() + ";" + privatePath("main.c").toUtf8() + " 5\n", none);
    }
    void recordingsOpenNoOtherFiles()
    {
        QFETCH(QString, recording);
        QFETCH(QStringList, allowed);

        QSet<QString> opened;
        bool hasOpened = false;
        for (const QStringList& arguments : {QStringList{"info", recording},
                                             {"events", recording},
                                             {"flame", recording, "--by", "lines"},
                                             {"flame", recording},
                                             {"annotate", recording, "main"},
                                             {"sql", recording, "SELECT * FROM module"},
                                             {"report", recording, "-o", m_folder.path() + "/report.html"}}) {
            const ProgramResult result = run(arguments);
            const QByteArray command = arguments.join(' ').toUtf8();
            QVERIFY2(result.status >= 0, (command + " crashed or did not end:\n" + result.err).constData());
            hasOpened |= result.status == 0;
            QVERIFY2(!(result.out + result.err).contains(Secret), (command + "\n" + result.out + result.err).constData());
            for (const QByteArray& line : readFile(m_folder.path() + "/log").split('\n'))
                if (const qsizetype at = line.indexOf(' '); at > 0)
                    opened << QString::fromUtf8(line.mid(line.indexOf(' ', at + 1) + 1)).remove(m_folder.path() + "/private/");
        }
        QVERIFY2(hasOpened, "no command could read the recording");
        QVERIFY(!readFile(m_folder.path() + "/report.html").contains(Secret));
        if (recording.endsWith("perf.data")) // Otherwise, nothing was watched.
            QVERIFY(opened.contains("libprivate.so"));
        for (const QString& file : opened)
            QVERIFY2(allowed.contains(file), qPrintable(file + " was opened"));
    }

private:
    QString privatePath(const char* name) const { return m_folder.path() + "/private/" + name; }

    /// Returns a recording with samples in files of the folder.
    QByteArray perfData() const
    {
        MadePerfData recording;
        recording.addAttribute({});
        recording.add(3, 0, recording.trailer(recording.make().u32(77).u32(77).text("prog"), 77, 77, 1000, 0));
        std::uint64_t address = 0x400000;
        for (const char* name : {"libprivate.so", "pipe.so", "jit-77.dump"}) {
            const QByteArray path = privatePath(name).toUtf8();
            recording.add(1, 2,
                          recording.trailer(recording.make().u32(77).u32(77).u64(address).u64(0x1000).u64(0).text(path.constData()), 77, 77,
                                            1001, 0));
            recording.addSample(address + 0x10, 77, 77, 2000 + address, 0, 1);
            address += 0x1000;
        }
        return recording.file();
    }

    /// Runs Heliograph and writes to the file "log" which files in the folder "private" it opens.
    ProgramResult run(const QStringList& arguments) const
    {
        QProcessEnvironment environment = plainEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, m_folder.path() + "/home");
        environment.insert("LD_PRELOAD", FAULT_SHIM);
        environment.insert("FAULT_UNDER", m_folder.path() + "/private");
        environment.insert("FAULT_CALLS", "open,fopen,fopen64,opendir");
        environment.insert("FAULT_LOG", m_folder.path() + "/log");
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(HELIOGRAPH_PROGRAM, arguments);
        const bool hasEnded = process.waitForFinished(60'000);
        if (!hasEnded)
            process.kill();
        process.waitForFinished();
        return {hasEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    const QTemporaryDir m_folder;
};

} // namespace

HELIO_TEST(OpenedFiles)

#include "tst_opened_files.moc"
