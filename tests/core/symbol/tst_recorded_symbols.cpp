// Property: names, lines and instructions of a recorded program equal perf's output for the same recording.

#include "core/symbol/symbolizer.h"
#include "tests/support/perf_recording.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace helio;

namespace {

constexpr auto Collection = "solo-vs-parallel-perf";
constexpr auto MatinitPath = "/tmp/rec/perf1/bin/matinit";

std::shared_ptr<Symbolizer> symbolizerFor(const QString& folder) { return Symbolizer::make(recordingOptions(folder).symbols); }

Module fileModule(const std::string& path)
{
    Module module;
    module.kind = Module::Kind::File;
    module.path = path;
    return module;
}

Module kernelModule()
{
    Module module;
    module.kind = Module::Kind::Kernel;
    module.path = "[kernel.kallsyms]";
    return module;
}

QStringList linesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n') : QStringList();
}

/// A frame printed by perf script: "\t  27249 __libc_start_call_main+0x79 (/usr/lib/libc.so.6)".
struct Frame {
    quint64 address = 0;
    quint64 offset = 0;
    QString name;
    QString module;
};

QList<Frame> framesOf(const QString& path)
{
    static const QRegularExpression shape("^\\s+([0-9a-f]+) (\\S+)\\+0x([0-9a-f]+) \\((\\S+)\\)$");
    QList<Frame> frames;
    QSet<QString> seen;
    for (const QString& line : linesOf(path)) {
        const auto match = shape.match(line);
        if (!match.hasMatch() || seen.contains(line))
            continue;
        seen.insert(line);
        frames.append(
            {match.captured(1).toULongLong(nullptr, 16), match.captured(3).toULongLong(nullptr, 16), match.captured(2), match.captured(4)});
    }
    return frames;
}

/// Lists the frames whose function or offset differs from the output of perf script; empty if all agree.
QStringList differences(Symbolizer& symbolizer, const QList<Frame>& frames)
{
    QStringList different;
    for (const Frame& frame : frames) {
        const bool isKernel = frame.module == "[kernel.kallsyms]";
        const Module module = isKernel ? kernelModule() : fileModule(frame.module.toStdString());
        const Symbol symbol = symbolizer.resolve(module, frame.address, false);
        const QString name = symbol.frames.empty() ? QString("(none)") : QString::fromStdString(symbol.frames.back().function);
        if (name != frame.name || frame.address - symbol.begin != frame.offset)
            different << QString("%1 %2+0x%3 here %4+0x%5")
                             .arg(frame.address, 0, 16)
                             .arg(frame.name)
                             .arg(frame.offset, 0, 16)
                             .arg(name)
                             .arg(frame.address - symbol.begin, 0, 16);
    }
    return different;
}

} // namespace

class RecordedSymbolsTest : public QObject {
    Q_OBJECT

private slots:
    void kernelNamesArePerfs_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"solo", "parallel4", "solo-z", "parallel4-multi3"})
            QTest::newRow(name) << QString("text/%1.script.txt").arg(name);
    }
    void kernelNamesArePerfs()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        QFETCH(QString, file);
        const auto symbolizer = symbolizerFor(folder);
        QList<Frame> frames = framesOf(folder + "/" + file);
        frames.removeIf([](const Frame& frame) { return frame.module != "[kernel.kallsyms]"; });

        const QStringList different = differences(*symbolizer, frames);

        QVERIFY(frames.size() > 100);
        QVERIFY2(different.isEmpty(),
                 qPrintable(QString("%1 of %2: ").arg(different.size()).arg(frames.size()) + different.mid(0, 20).join('\n')));
    }

    void namesOfTheProgramArePerfs()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        const auto symbolizer = symbolizerFor(folder);
        QList<Frame> frames = framesOf(folder + "/text/parallel4.script.txt") + framesOf(folder + "/text/solo-dwarf.script.txt");
        frames.removeIf([](const Frame& frame) { return frame.module != MatinitPath; });

        const QStringList different = differences(*symbolizer, frames);

        QVERIFY(frames.size() > 100);
        QVERIFY2(different.isEmpty(), qPrintable(different.mid(0, 20).join('\n')));
    }

    void stubsOfFunctionsThatAreChosenAtStartAreNamed()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        const auto symbolizer = symbolizerFor(folder);
        const Module libm = fileModule("/usr/lib/x86_64-linux-gnu/libm.so.6");
        const auto nameOf = [&](std::uint64_t address) { return symbolizer->resolve(libm, address, false).frames.at(0).function; };

        // Expected names from objdump -d and readelf -r; <*ABS*+0x3f830@plt> is the PLT entry for the function chosen by the resolver at
        // 0x3f830.
        QCOMPARE(nameOf(0x10210), std::string("cosf@plt"));
        QCOMPARE(nameOf(0x10140), std::string("__log_finite@plt"));
    }

    void instructionsArePerfAnnotates_data()
    {
        QTest::addColumn<QString>("function");
        QTest::newRow("initprm_") << "initprm_";
        QTest::newRow("kvdw_") << "kvdw_";
    }
    void instructionsArePerfAnnotates()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        QFETCH(QString, function);
        static const QRegularExpression shape("^ +[0-9.]+ : +([0-9a-f]+): +(.+)$");
        const auto symbolizer = symbolizerFor(folder);
        const Module module = fileModule(MatinitPath);
        const auto found = symbolizer->find(module, function.toStdString());
        QVERIFY(found);

        const FunctionCode code = symbolizer->codeOf(module, found->begin);

        std::size_t count = 0;
        for (const QString& line : linesOf(folder + "/text/solo.annotate-" + function + ".txt")) {
            const auto match = shape.match(line);
            if (!match.hasMatch())
                continue;
            QVERIFY(count < code.instructions.size());
            const Instruction& instruction = code.instructions[count++];
            QCOMPARE(QString::number(instruction.address - found->begin + code.fileAddress, 16), match.captured(1));
            QCOMPARE(QString::fromStdString(instruction.text), match.captured(2));
        }
        QVERIFY(count > 50);
        QCOMPARE(code.instructions.size(), count);
        QVERIFY(code.noLinesReason.empty() && !code.lines.empty());
    }

    void linesArePerfs_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("solo") << "solo";
        QTest::newRow("parallel4") << "parallel4";
    }
    void linesArePerfs()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        QFETCH(QString, file);
        static const QRegularExpression frame("^\\s+([0-9a-f]+) \\S+ \\((\\S+)\\)$");
        const auto symbolizer = symbolizerFor(folder);
        const QStringList lines = linesOf(folder + "/text/" + file + ".script-srcline-head.txt");
        QSet<QString> seen;
        for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
            const auto match = frame.match(lines[i]);
            if (!match.hasMatch() || match.captured(2) != MatinitPath)
                continue;
            const Symbol symbol = symbolizer->resolve(fileModule(MatinitPath), match.captured(1).toULongLong(nullptr, 16));
            QVERIFY(!symbol.frames.empty());
            const SourceLine& source = symbol.frames[0].source;
            const QString place = QString("%1:%2").arg(QString::fromStdString(source.file).section('/', -1)).arg(source.line);
            if (lines[i + 1].contains(':') && !lines[i + 1].contains('[')) {
                QCOMPARE(place, lines[i + 1].trimmed());
                seen.insert(match.captured(1));
            }
        }
        QVERIFY(seen.size() > 40);
    }

    void aFileOfThisMachineIsNotTakenForTheRecordedOne()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        const auto symbolizer = symbolizerFor(folder);
        Module module = fileModule(MatinitPath);
        module.buildId = "0123456789012345678901234567890123456789";

        const ModuleSymbols summary = symbolizer->symbolsOf(module);

        QCOMPARE(summary.problem, SymbolProblem::WrongFile);
        QVERIFY(summary.explanation.find(module.buildId) != std::string::npos);
    }

    void aMillionNamesAreQuick()
    {
        HELIO_REQUIRE_TRACE(folder, Collection);
        const auto symbolizer = symbolizerFor(folder);
        const Module module = fileModule(MatinitPath);
        const auto found = symbolizer->find(module, "initprm_");
        QVERIFY(found);
        QBENCHMARK
        {
            for (int i = 0; i < 1000; ++i)
                symbolizer->resolve(module, found->begin + static_cast<std::uint64_t>(i % 64), false);
        }
    }
};

HELIO_TEST(RecordedSymbolsTest)
#include "tst_recorded_symbols.moc"
