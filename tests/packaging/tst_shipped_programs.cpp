// Properties of each program that the packages contain: hardened by compiler and linker, and without traces of the folder that it was built
// in. packaging/reproduce compares whole packages; packaging/shipped.cmake has the flags.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QStringList shippedPrograms() { return QDir(QFileInfo(HELIOGRAPH_PROGRAM).path()).entryList({"heliograph*"}, QDir::Files, QDir::Name); }

QString pathOf(const QString& program) { return QFileInfo(HELIOGRAPH_PROGRAM).path() + '/' + program; }

QByteArray readElf(const QStringList& options, const QString& program)
{
    auto environment = plainEnvironment();
    environment.insert("LC_ALL", "C");
    return runTool("readelf", options + QStringList{"-W", pathOf(program)}, environment).out;
}

bool isSanitizedBuild(const QString& program) { return readElf({"--dyn-syms"}, program).contains("__asan_init"); }

bool isDebugBuild() { return QByteArrayLiteral(BUILD_TYPE) == "Debug"; }

/// Names of the functions that the program imports, without versions.
QSet<QByteArray> importedFunctions(const QString& program)
{
    QSet<QByteArray> names;
    static const QRegularExpression imported(R"(UND (\w+))");
    for (const auto& match : imported.globalMatch(QString::fromLatin1(readElf({"--dyn-syms"}, program))))
        names << match.captured(1).toLatin1();
    return names;
}

} // namespace

class ShippedProgramsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("readelf").isEmpty())
            QSKIP("readelf is missing: the whole test is left out");
        QVERIFY(shippedPrograms().size() >= 3);
        if (isSanitizedBuild("heliograph"))
            QSKIP("built with sanitizers: the whole test is left out");
    }

    void programsAreHardened_data() { listPrograms(); }
    void programsAreHardened()
    {
        QFETCH(QString, program);
        const QByteArray header = readElf({"-h"}, program), segments = readElf({"-l"}, program), dynamic = readElf({"-d"}, program);

        QVERIFY2(header.contains("DYN (Position-Independent Executable file)"), "the program is loaded at a fixed address");
        QVERIFY2(segments.contains("GNU_RELRO"), "relocated data stay writable");
        QVERIFY2(dynamic.contains("BIND_NOW") || QRegularExpression("FLAGS_1.*NOW").match(dynamic).hasMatch(),
                 "the addresses of functions stay writable");
        QVERIFY2(QRegularExpression("GNU_STACK .* RW +0x").match(segments).hasMatch(), "the stack is executable");
        QVERIFY2(!dynamic.contains("TEXTREL"), "code is relocated");
        QVERIFY2(!dynamic.contains("RPATH") && !dynamic.contains("RUNPATH"), "libraries are searched in folders that the build named");
        for (const QByteArray& line : segments.split('\n'))
            QVERIFY2(!line.contains("LOAD") || !line.contains("RWE"), "memory is writable and executable");
    }

    void programsCheckTheirStacksAndBuffers_data() { listPrograms(); }
    void programsCheckTheirStacksAndBuffers()
    {
        QFETCH(QString, program);
        const QSet<QByteArray> imported = importedFunctions(program);

        QVERIFY2(imported.contains("__stack_chk_fail"), "overwritten stacks are not noticed");
        // Only programs that copy to buffers of known size import functions that check them: the helpers have none.
        const bool checksBuffers =
            std::ranges::any_of(imported, [](const QByteArray& name) { return name.endsWith("_chk") && name != "__longjmp_chk"; });
        if (program == "heliograph" && !isDebugBuild())
            QVERIFY2(checksBuffers, "no function of the C library checks buffers");
    }

    void shippedSourcesAreCompiledWithChecks()
    {
        QFile file(BUILD_DIR "/compile_commands.json");
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("there is no compile_commands.json");
        const QStringList flags{"-fstack-protector-strong", "-fstack-clash-protection", "-Werror=format-security"};
        int found = 0;
        for (const auto& value : QJsonDocument::fromJson(file.readAll()).array()) {
            const QString command = value.toObject()["command"].toString(), source = value.toObject()["file"].toString();
            if (!command.contains(QRegularExpression(" -o (app|core|widgets)/")))
                continue;
            ++found;
            for (const QString& flag : flags)
                QVERIFY2(command.contains(flag), qPrintable(source + ": " + flag));
            QVERIFY2(isDebugBuild() || command.contains("-D_FORTIFY_SOURCE=3"), qPrintable(source));
        }
        QVERIFY(found > 100);
    }

    void programsContainNoFolderOfTheBuild_data() { listPrograms(); }
    void programsContainNoFolderOfTheBuild()
    {
        QFETCH(QString, program);
        if (isDebugBuild())
            QSKIP("debuggers need absolute paths");
        QFile file(pathOf(program));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll(); // With debug information.

        for (const QByteArray& folder : {QByteArray(SOURCE_DIR), QByteArray(BUILD_DIR)}) {
            const qsizetype at = bytes.indexOf(folder);
            QVERIFY2(at < 0, at < 0 ? "" : QByteArray(bytes.constData() + at).left(200).constData());
        }
    }

    /// All formats after the first contain the time of each file.
    void resourcesContainNoTimes()
    {
        int found = 0;
        for (QDirIterator it(BUILD_DIR "/widgets/helio_widgets_autogen", {"qrc_*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext(); ++found) {
            QFile resources(it.next());
            QVERIFY(resources.open(QIODevice::ReadOnly));
            QVERIFY2(resources.readAll().contains("int version = 1;"), qPrintable(resources.fileName()));
        }
        QVERIFY(found > 0);
    }

    void sourcesNameNoTimeOfTheBuild()
    {
        const ProgramResult found =
            runTool("grep", {"-rnwE", "__DATE__|__TIME__|__TIMESTAMP__", SOURCE_DIR "/core", SOURCE_DIR "/widgets", SOURCE_DIR "/app"},
                    plainEnvironment());

        QCOMPARE(found.out, QByteArray());
    }

private:
    static void listPrograms()
    {
        QTest::addColumn<QString>("program");
        for (const QString& program : shippedPrograms())
            QTest::newRow(qPrintable(program)) << program;
    }
};

HELIO_TEST(ShippedProgramsTest)
#include "tst_shipped_programs.moc"
