#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <sys/utsname.h>

using namespace helio;

namespace {

const QString Fixtures = SYMBOL_FIXTURES;

Module fileModule(const QString& path)
{
    Module module;
    module.kind = Module::Kind::File;
    module.path = path.toStdString();
    return module;
}

QString outputOf(const QString& program, const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted())
        return {};
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

/// A function printed by `nm -S`.
struct Function {
    quint64 address = 0;
    quint64 size = 0;
    QString name;
};

QList<Function> functionsOf(const QString& path)
{
    QList<Function> functions;
    for (const QString& line : outputOf("nm", {"-S", path}).split('\n')) {
        const QStringList parts = line.split(' ');
        if (parts.size() == 4 && QString("tTwW").contains(parts[2]) && !parts[3].startsWith("__hidden_alias"))
            functions.append({parts[0].toULongLong(nullptr, 16), parts[1].toULongLong(nullptr, 16), parts[3]});
    }
    return functions;
}

QString frameText(const QString& function, const QString& file, const QString& line)
{
    return QString("%1 %2:%3").arg(function, QDir::cleanPath(file), line);
}

/// Frames that addr2line prints for each address, innermost first: "function file:line".
QList<QStringList> addr2line(const QString& path, const QList<quint64>& addresses)
{
    QByteArray input;
    for (const quint64 address : addresses)
        input += "0x" + QByteArray::number(address, 16) + "\n";
    QList<QStringList> frames;
    QString function;
    for (const QString& line : outputOf("addr2line", {"-a", "-f", "-i", "-e", path}, input).split('\n', Qt::SkipEmptyParts)) {
        if (line.startsWith("0x")) {
            frames.append(QStringList());
            function.clear();
        } else if (function.isEmpty()) {
            function = line;
        } else {
            const QString place = line.section(" (disc", 0, 0);
            frames.back().append(frameText(function, place.section(':', 0, 0), place.section(':', 1).replace('?', '0')));
            function.clear();
        }
    }
    return frames;
}

/// Returns the frames of a symbol as text. The suffix ".cold" of a function's rarely executed part is removed, because addr2line prints the
/// function's name for that part.
QStringList framesOf(const Symbol& symbol)
{
    QStringList frames;
    for (const SymbolFrame& frame : symbol.frames)
        frames << frameText(QString::fromStdString(frame.linkageName).remove(".cold"),
                            QString::fromStdString(frame.source.file.empty() ? "??" : frame.source.file),
                            QString::number(frame.source.line));
    return frames;
}

std::string buildIdOf(const QString& path) { return (*ElfFile::open(path.toStdString()))->buildId(); }

std::uint64_t offsetOf(const QString& path, quint64 vaddr) { return *(*ElfFile::open(path.toStdString()))->offsetOfVaddr(vaddr); }

quint64 addressOf(const QString& name)
{
    for (const Function& function : functionsOf(Fixtures + "/shop"))
        if (function.name == name)
            return function.address;
    return 0;
}

/// Name of the fixture's plainFunction with the given options; `summary` receives the module's summary.
std::string plainName(const Module& module, SymbolOptions options, ModuleSymbols* summary = nullptr)
{
    const auto symbolizer = Symbolizer::make(std::move(options));
    const Symbol symbol = symbolizer->resolve(module, offsetOf(Fixtures + "/shop", addressOf("plainFunction")) + 4);
    if (summary)
        *summary = symbolizer->symbolsOf(module);
    return symbol.frames.empty() ? std::string(explanationOf(symbol.problem)) : symbol.frames.back().function;
}

void write(const QString& path, const QByteArray& text)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void copy(const QString& from, const QString& to)
{
    QDir().mkpath(QFileInfo(to).path());
    QVERIFY(QFile::copy(from, to));
}

} // namespace

class SymbolizerTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: texts of nm, with and without sizes. Property: a text that the user gives names addresses outside of all modules, and
    /// distances in the file with its name. Offsets in files are not named, because they differ from addresses.
    void textsOfNmNameAddresses()
    {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
                qFatal("cannot write");
            return file.fileName();
        };
        const QString fixed =
            write("calltree.nm",
                  "0000000000401139 T main\n                 U puts\n0000000000401150 0000000000000010 t helper(int, char)\n"
                  "0000000000401180 T _Z3fooi\n0000000000404000 D data\n0000000000401100 a absolute\nnot a symbol\n");
        const auto nameAt = [](const QString& text, const Module& module, std::uint64_t address) {
            SymbolOptions options;
            options.directories = {text.toStdString()};
            const Symbol symbol = Symbolizer::make(options)->resolve(module, address);
            return symbol.frames.empty() ? QString() : QString::fromStdString(symbol.frames.back().function);
        };
        const Module unknown;
        QCOMPARE(nameAt(fixed, unknown, 0x40113a), "main");
        QCOMPARE(nameAt(fixed, unknown, 0x40115f), "helper(int, char)");
        QCOMPARE(nameAt(fixed, unknown, 0x401160), "");
        QCOMPARE(nameAt(fixed, unknown, 0x401181), "foo");
        QCOMPARE(nameAt(fixed, unknown, 0x401138), "");

        Module program = fileModule("/nonexistent/calltree");
        QCOMPARE(nameAt(fixed, program, 0x113a), "");
        program.isLoadRelative = true;
        program.begin = 0x400000;
        QCOMPARE(nameAt(fixed, program, 0x113a), "main");
        const QString relative = write("libplug.so.sym", "0000000000001139 T main\n0000000000001150 T after\n");
        QCOMPARE(nameAt(relative, program, 0x113a), "");
        program.path = "/nonexistent/libplug.so";
        program.begin = 0x55550000;
        QCOMPARE(nameAt(relative, program, 0x113a), "main");
        QCOMPARE(nameAt(write("libplug.so.nm", "no symbols\n"), program, 0x113a), "");
        QCOMPARE(nameAt(write("libplug.so.elf",
                              QByteArray("\x7f"
                                         "ELF")
                                  + QByteArray(200, '\x90')),
                        program, 0x113a),
                 "");
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void framesAndLinesAreAddr2lines_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("DWARF 5") << "shop";
        QTest::newRow("DWARF 4") << "shop-dwarf4";
        QTest::newRow("compressed sections") << "shop-compressed";
    }
    void framesAndLinesAreAddr2lines()
    {
        QFETCH(QString, file);
        const QString path = Fixtures + "/" + file;
        const auto symbolizer = Symbolizer::make();
        QList<quint64> addresses;
        for (const Function& function : functionsOf(path))
            for (quint64 at = 0; at < function.size; ++at)
                addresses << function.address + at;
        const QList<QStringList> expected = addr2line(path, addresses);
        QCOMPARE(expected.size(), addresses.size());
        QVERIFY(addresses.size() > 200);

        bool hasInlined = false;
        for (qsizetype i = 0; i < addresses.size(); ++i) {
            const Symbol symbol = symbolizer->resolve(fileModule(path), offsetOf(path, addresses[i]));
            QVERIFY2(
                framesOf(symbol) == expected[i],
                qPrintable(QString("%1: %2 here %3").arg(addresses[i], 0, 16).arg(expected[i].join(" < "), framesOf(symbol).join(" < "))));
            hasInlined = hasInlined || symbol.frames.size() == 3;
        }
        QVERIFY(hasInlined);
    }

    void everyFunctionHasItsBeginAndSize()
    {
        const QString path = Fixtures + "/shop";
        const auto symbolizer = Symbolizer::make();
        for (const Function& function : functionsOf(path)) {
            const Symbol symbol = symbolizer->resolve(fileModule(path), offsetOf(path, function.address), false);
            QCOMPARE(symbol.frames.size(), 1U);
            QCOMPARE(QString::fromStdString(symbol.frames[0].linkageName), function.name);
            QCOMPARE(symbol.begin, offsetOf(path, function.address));
            QCOMPARE(symbol.size, std::uint64_t(function.size));
        }
    }

    void namesAreDemangledAndFound()
    {
        const auto symbolizer = Symbolizer::make();
        const auto found = symbolizer->find(fileModule(Fixtures + "/shop"), "shop::Basket<long>::sum");

        QVERIFY(found);
        QCOMPARE(found->frames[0].function, std::string("shop::Basket<long>::sum"));
        QCOMPARE(found->frames[0].linkageName, std::string("_ZNK4shop6BasketIlE3sumEl"));
        QVERIFY(!symbolizer->find(fileModule(Fixtures + "/shop"), "shop::Basket<int>::sum"));
    }

    void stubsForOtherFilesAreNamed()
    {
        const QString path = Fixtures + "/shop";
        const auto symbolizer = Symbolizer::make();
        static const QRegularExpression shape("^([0-9a-f]+) <(\\w+@plt)>:$", QRegularExpression::MultilineOption);
        auto stubs = shape.globalMatch(outputOf("objdump", {"-d", path}));
        int count = 0;
        for (; stubs.hasNext(); ++count) {
            const auto stub = stubs.next();
            const Symbol symbol = symbolizer->resolve(fileModule(path), offsetOf(path, stub.captured(1).toULongLong(nullptr, 16)), false);
            QVERIFY(!symbol.frames.empty());
            QCOMPARE(QString::fromStdString(symbol.frames[0].function), stub.captured(2));
        }
        QVERIFY(count >= 3);
    }

    void instructionsAndLinesAreObjdumps()
    {
        const QString path = Fixtures + "/shop";
        const auto symbolizer = Symbolizer::make();
        static const QRegularExpression shape("^ +([0-9a-f]+):\t(.+)$");
        QMap<quint64, QString> expected;
        for (const QString& line : outputOf("objdump", {"-d", "--no-show-raw-insn", "-C", path}).split('\n'))
            if (const auto match = shape.match(line); match.hasMatch())
                expected[match.captured(1).toULongLong(nullptr, 16)] =
                    match.captured(2).trimmed().replace("__hidden_alias", "plainFunction");
        for (const char* name : {"plainFunction", "main", "shop::Basket<long>::sum"}) {
            const auto found = symbolizer->find(fileModule(path), name);
            QVERIFY(found);
            const FunctionCode code = symbolizer->codeOf(fileModule(path), found->begin + 3);
            QVERIFY(!code.instructions.empty() && code.noCodeReason.empty() && code.noLinesReason.empty());
            std::uint64_t next = found->begin;
            for (const Instruction& instruction : code.instructions) {
                const QString text = expected.value(instruction.address - found->begin + code.fileAddress);
                // Not compared: references to libc's data, for which this file has no symbols.
                if (!text.contains("@@") && !text.contains("@GLIBC"))
                    QCOMPARE(QString::fromStdString(instruction.text).remove("(long) const"),
                             QString(text).remove("(long) const").remove("(int)"));
                QCOMPARE(instruction.address, next);
                next += instruction.size;
            }
            QCOMPARE(next, found->begin + found->size);
            for (const LineRange& line : code.lines) {
                const Symbol symbol = symbolizer->resolve(fileModule(path), line.begin);
                QCOMPARE(symbol.frames[0].source, line.source);
            }
            QCOMPARE(code.lines.front().begin, found->begin);
        }
    }

    void aStrippedFileHasTheNamesOfItsDebugLink()
    {
        copy(Fixtures + "/shop-stripped", m_folder->filePath("shop-stripped"));
        const Module module = fileModule(m_folder->filePath("shop-stripped"));
        QVERIFY(plainName(module, {}) != "shop::checkout");
        copy(Fixtures + "/.debug/shop.debug", m_folder->filePath(".debug/shop.debug"));
        ModuleSymbols summary;

        QCOMPARE(plainName(module, {}, &summary), std::string("plainFunction"));
        QVERIFY(summary.hasLines);
        QCOMPARE(QString::fromStdString(summary.debugFile.string()), m_folder->filePath(".debug/shop.debug"));
    }

    void aDebugFileOfAnotherBuildIsRefusedAndSaid()
    {
        copy(Fixtures + "/shop-stripped", m_folder->filePath("shop-stripped"));
        copy(Fixtures + "/other/shop", m_folder->filePath("shop.debug"));
        const Module module = fileModule(m_folder->filePath("shop-stripped"));
        ModuleSymbols summary;

        QCOMPARE(plainName(module, {}, &summary), std::string(explanationOf(SymbolProblem::NoSymbol)));
        QVERIFY(!summary.hasLines && summary.debugFile.empty());
        QVERIFY2(QString::fromStdString(summary.explanation).contains("from another build (has build-id"), summary.explanation.c_str());
    }

    void aFileOfAnotherBuildIsRefusedAndSaid()
    {
        Module module = fileModule(Fixtures + "/other/shop");
        module.buildId = buildIdOf(Fixtures + "/shop");
        ModuleSymbols summary;

        QCOMPARE(plainName(module, {}, &summary), std::string(explanationOf(SymbolProblem::WrongFile)));
        QCOMPARE(summary.problem, SymbolProblem::WrongFile);
        const QString text = QString::fromStdString(summary.explanation);
        QVERIFY2(text.contains(QString::fromStdString(module.buildId))
                     && text.contains(QString::fromStdString(buildIdOf(Fixtures + "/other/shop"))) && text.contains("--symbols"),
                 qPrintable(text));
    }

    void windowsShowAnExplanationWithoutPlaces()
    {
        Module module = fileModule("/nowhere/shop");
        module.buildId = buildIdOf(Fixtures + "/shop");
        ModuleSymbols summary;
        QCOMPARE(plainName(module, {}, &summary), std::string(explanationOf(SymbolProblem::NoFile)));
        const QString whole = QString::fromStdString(summary.explanation);
        QVERIFY2(whole.contains("Searched: ") && whole.contains("no /nowhere/shop"), qPrintable(whole));
        QCOMPARE(QString::fromStdString(withoutPlaces(summary.explanation)),
                 QString("/nowhere/shop was not found. Add a folder that contains it in File > Symbol paths."));
        QCOMPARE(withoutPlaces("a has no symbols"), std::string("a has no symbols"));
    }

    void aFileIsFoundBehindOneOfAnotherBuild_data()
    {
        QTest::addColumn<QString>("place");
        const QString id = QString::fromStdString(buildIdOf(Fixtures + "/shop"));
        QTest::newRow("by build-id") << ".build-id/" + id.left(2) + "/" + id.mid(2);
        QTest::newRow("debug information by build-id") << ".build-id/" + id.left(2) + "/" + id.mid(2) + ".debug";
        QTest::newRow("by name, deep below") << "a/b/c/shop";
        QTest::newRow("by build-id, under another name") << "a/shop-v1";
        QTest::newRow("debug information by build-id, under another name") << "a/shop-v1.debug";
        QTest::newRow("by its path") << "opt/app/shop";
    }
    void aFileIsFoundBehindOneOfAnotherBuild()
    {
        QFETCH(QString, place);
        const bool isDebug = place.endsWith(".debug");
        copy(Fixtures + (isDebug ? "/.debug/shop.debug" : "/shop"), m_folder->filePath(place));
        copy(Fixtures + "/other/shop", m_folder->filePath("0/shop"));
        Module module = fileModule("/opt/app/shop");
        module.buildId = buildIdOf(Fixtures + "/shop") + "00000000";
        SymbolOptions options;
        options.directories = {m_folder->path().toStdString()};
        ModuleSymbols summary;

        QCOMPARE(plainName(module, options, &summary), std::string("plainFunction"));
        QVERIFY(summary.isChecked && summary.hasLines);
        QCOMPARE(QString::fromStdString(summary.file.string()), m_folder->filePath(place));
    }

    void filesBesideTheRecordingAreFoundByTheirBuildId_data()
    {
        QTest::addColumn<QString>("place");
        const QString id = QString::fromStdString(buildIdOf(Fixtures + "/shop"));
        QTest::newRow("in its folder") << "shop";
        QTest::newRow("under another name") << "shop-v1";
        for (const char* folder : {"symbols", ".debug", "debug"})
            QTest::newRow(folder) << QString(folder) + "/shop";
        QTest::newRow("debug information") << ".debug/shop.debug";
        QTest::newRow("in a folder by build-id") << "symbols/.build-id/" + id.left(2) + "/" + id.mid(2);
        QTest::newRow("as perf archive packs it") << ".debug/.build-id/" + id.left(2) + "/" + id.mid(2) + "/elf";
    }
    void filesBesideTheRecordingAreFoundByTheirBuildId()
    {
        QFETCH(QString, place);
        const bool isDebug = place.endsWith(".debug");
        copy(Fixtures + (isDebug ? "/.debug/shop.debug" : "/shop"), m_folder->filePath(place));
        copy(Fixtures + "/other/shop", m_folder->filePath("0/shop"));
        Module module = fileModule("/opt/app/shop");
        module.buildId = buildIdOf(Fixtures + "/shop") + "00000000";
        SymbolOptions options;
        options.recordings = {m_folder->filePath("perf.data").toStdString()};
        const auto symbolizer = Symbolizer::make(options);
        const std::uint64_t address = offsetOf(Fixtures + "/shop", addressOf("plainFunction")) + 4;
        QVERIFY(symbolizer->filesBesideRecordings().empty());

        const Symbol symbol = symbolizer->resolve(module, address);

        QCOMPARE(symbol.frames.at(0).function, std::string("plainFunction"));
        QVERIFY(symbolizer->symbolsOf(module).isChecked);
        const auto files = symbolizer->filesBesideRecordings();
        QCOMPARE(files.size(), 1U);
        QCOMPARE(QString::fromStdString(files[0].string()), m_folder->filePath(place));
    }

    /// Input: beside the recording, a file with the recorded name but of another build, and the right file two folders below. Property:
    /// neither is used.
    void besideTheRecordingNoFileIsTakenByItsName()
    {
        copy(Fixtures + "/other/shop", m_folder->filePath("shop"));
        copy(Fixtures + "/shop", m_folder->filePath("symbols/deep/shop"));
        Module module = fileModule("/opt/app/shop");
        SymbolOptions options;
        options.recordings = {m_folder->filePath("perf.data").toStdString()};

        QCOMPARE(plainName(module, options), std::string(explanationOf(SymbolProblem::NoFile)));
        module.buildId = buildIdOf(Fixtures + "/shop");
        QCOMPARE(plainName(module, options), std::string(explanationOf(SymbolProblem::NoFile)));
    }

    /// Property: of a recording that is a folder, both that folder and the folder around it are searched.
    void aFolderIsARecordingToo()
    {
        QDir().mkpath(m_folder->filePath("session/kernel"));
        copy(Fixtures + "/shop", m_folder->filePath("symbols/shop"));
        Module module = fileModule("/opt/app/shop");
        module.buildId = buildIdOf(Fixtures + "/shop");
        SymbolOptions options;
        options.recordings = {m_folder->filePath("session/").toStdString()};
        QCOMPARE(plainName(module, options), std::string("plainFunction"));

        options.recordings = {m_folder->filePath("session/kernel").toStdString()};
        QCOMPARE(plainName(module, options), std::string(explanationOf(SymbolProblem::NoFile)));
        copy(Fixtures + "/shop", m_folder->filePath("session/kernel/shop"));
        QCOMPARE(plainName(module, options), std::string("plainFunction"));
    }

    /// Input: beside the recording a pipe, a broken link, a link to its own folder and a damaged file. Property: the search ends, and
    /// finds the file among them.
    void oddEntriesBesideTheRecordingAreSkipped()
    {
        const std::string folder = m_folder->path().toStdString();
        QCOMPARE(mkfifo((folder + "/a-pipe").c_str(), 0600), 0);
        std::filesystem::create_symlink("nowhere", folder + "/b-link");
        std::filesystem::create_directory_symlink(".", folder + "/symbols");
        write(m_folder->filePath("c-damaged"), "\177ELF and no more");
        copy(Fixtures + "/shop", m_folder->filePath("z"));
        Module module = fileModule("/opt/app/shop");
        module.buildId = buildIdOf(Fixtures + "/shop");
        SymbolOptions options;
        options.recordings = {folder + "/perf.data"};

        QCOMPARE(plainName(module, options), std::string("plainFunction"));
    }

    void aSysrootIsPutBeforeThePath()
    {
        copy(Fixtures + "/shop", m_folder->filePath("usr/bin/shop"));
        SymbolOptions options;
        options.sysroot = m_folder->path().toStdString();

        QCOMPARE(plainName(fileModule("/usr/bin/shop"), options), std::string("plainFunction"));
        QCOMPARE(plainName(fileModule("/usr/bin/shop"), {}), std::string(explanationOf(SymbolProblem::NoFile)));
    }

    void packedSymbolsAreRead()
    {
        if (!QFile::exists(Fixtures + "/shop-packed"))
            QSKIP("xz is not installed, so there is no file with packed symbols");
        ModuleSymbols summary;

        QCOMPARE(plainName(fileModule(Fixtures + "/shop-packed"), {}, &summary), std::string("plainFunction"));
        QVERIFY(!summary.hasLines && !summary.explanation.empty());
    }

    void theRunningKernelsPageIsNamed()
    {
        Module module;
        module.kind = Module::Kind::Vdso;
        module.path = "[vdso]";
        module.buildId = "00112233445566778899";

        QCOMPARE(Symbolizer::make()->resolve(module, 0x100).problem, SymbolProblem::NoFile);
    }

    /// Input: a vDSO without a build-id, as in a recording through a pipe. Property: the running kernel's vDSO is used if its release
    /// matches.
    void theRunningKernelsPageIsKnownByItsRelease()
    {
        if (!runningVdso())
            QSKIP("the running kernel has no such page");
        utsname running{};
        QCOMPARE(uname(&running), 0);
        Module module;
        module.kind = Module::Kind::Vdso;
        module.path = "[vdso]";
        module.release = running.release;
        QVERIFY(Symbolizer::make()->resolve(module, 0x10).problem != SymbolProblem::NoFile);

        module.release += "-other";

        QCOMPARE(Symbolizer::make()->resolve(module, 0x10).problem, SymbolProblem::NoFile);
    }

    void kernelNamesComeFromAGivenFile()
    {
        write(m_folder->filePath("kallsyms"),
              "ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t first_one\n"
              "ffffffff81000200 T second\nffffffff81000300 r data\nffffffffc0000000 t helper\t[snd]\nbroken\n");
        Module module;
        module.kind = Module::Kind::Kernel;
        SymbolOptions options;
        options.kallsyms = m_folder->filePath("kallsyms").toStdString();
        const auto symbolizer = Symbolizer::make(options);

        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000180).frames.at(0).function, std::string("first_one"));
        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000fff).frames.at(0).function, std::string("second"));
        QCOMPARE(symbolizer->resolve(module, 0xffffffff90000000).problem, SymbolProblem::NoSymbol);
        module.kind = Module::Kind::KernelModule;
        QCOMPARE(symbolizer->resolve(module, 0xffffffffc0000010).frames.at(0).function, std::string("helper"));
        module.kind = Module::Kind::Kernel;
        module.reference = 0xffffffffa1000000;
        module.referenceName = "_text";
        const Symbol moved = symbolizer->resolve(module, 0xffffffffa1000180);
        QCOMPARE(moved.frames.at(0).function, std::string("first_one"));
        QCOMPARE(moved.begin, std::uint64_t(0xffffffffa1000100));
    }

    void aGivenFileOfAnotherKernelIsNotUsed()
    {
        const auto symbolizer = givenKernel("ffffffff81000000 T _text\nffffffff81000100 t first_one\nffffffff81000900 T _etext\n");
        Module module;
        module.kind = Module::Kind::Kernel;
        module.reference = 0xffffffff81000000;
        module.release = "0.0.1-none";
        module.textSize = 0x900;
        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000180).frames.at(0).function, std::string("first_one"));
        QCOMPARE(symbolizer->doubtOf(module), std::string());

        module.textSize = 0x901;
        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000180).problem, SymbolProblem::NoKernelSymbols);
        const std::string why = symbolizer->symbolsOf(module).explanation;
        QVERIFY2(why.find("0x900 ") != std::string::npos && why.find("0x901.") != std::string::npos, why.c_str());
        module.kind = Module::Kind::KernelModule;
        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000180).problem, SymbolProblem::NoKernelSymbols);
    }

    void aGivenFileThatNothingProvesIsUsedWithADoubt()
    {
        const auto symbolizer = givenKernel("ffffffff81000000 T _text\nffffffff81000100 t first_one\nffffffff81000900 T _etext\n");
        Module module;
        module.kind = Module::Kind::Kernel;

        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000180).frames.at(0).function, std::string("first_one"));
        QVERIFY(symbolizer->doubtOf(module).find("was not recorded") != std::string::npos);
        QCOMPARE(symbolizer->symbolsOf(module).doubt, symbolizer->doubtOf(module));
    }

    void aGivenFileOfAnotherStartDoesNotNameModules()
    {
        const auto symbolizer = givenKernel("ffffffff81000000 T _text\nffffffff81000900 T _etext\nffffffffc0000000 t helper\t[snd]\n");
        Module module;
        module.kind = Module::Kind::KernelModule;
        module.textSize = 0x900;
        module.reference = 0xffffffff81000000;
        QCOMPARE(symbolizer->resolve(module, 0xffffffffc0000010).frames.at(0).function, std::string("helper"));

        module.reference = 0xffffffff91000000;
        QCOMPARE(symbolizer->resolve(module, 0xffffffffc0000010).problem, SymbolProblem::NoKernelSymbols);
    }

    void theRunningKernelIsTakenBeforeAGivenFile()
    {
        QFile notes("/sys/kernel/notes");
        QFile symbols("/proc/kallsyms");
        if (!notes.open(QIODevice::ReadOnly) || !symbols.open(QIODevice::ReadOnly))
            QSKIP("the running kernel does not tell its build-id and symbols here");
        const QByteArray all = notes.readAll();
        const qsizetype mark = all.indexOf(QByteArray("\4\0\0\0\24\0\0\0\3\0\0\0GNU\0", 16));
        std::uint64_t address = 0;
        for (QByteArray line = symbols.readLine(); !line.isEmpty() && address == 0; line = symbols.readLine())
            if (line.trimmed().endsWith(" _etext"))
                address = line.left(16).toULongLong(nullptr, 16);
        if (mark < 0 || address == 0)
            QSKIP("the running kernel has no build-id, or hides its symbols");
        const auto line = [](std::uint64_t at, const char* name) { return QByteArray::number(qulonglong(at), 16) + " T " + name + '\n'; };
        const auto symbolizer =
            givenKernel(line(address - 0x100, "_text") + line(address - 0x80, "wrong") + line(address + 0x800, "_etext"));
        Module module;
        module.kind = Module::Kind::Kernel;
        module.buildId = all.mid(mark + 16, 20).toHex().toStdString();

        // The running kernel's symbols must be used. The user's file is rejected, because nothing proves that it belongs to this kernel.
        QVERIFY(symbolizer->resolve(module, address - 1).frames.at(0).function != "wrong");
        QCOMPARE(symbolizer->doubtOf(module), std::string());
        module.textSize = 0x901;
        QVERIFY(symbolizer->resolve(module, address - 1).frames.at(0).function != "wrong");
        QVERIFY(symbolizer->doubtOf(module).find("another kernel") != std::string::npos);
    }

    void hiddenKernelAddressesAreSaid()
    {
        write(m_folder->filePath("kallsyms"), "0000000000000000 T _text\n0000000000000000 t other\n");
        Module module;
        module.kind = Module::Kind::Kernel;
        SymbolOptions options;
        options.kallsyms = m_folder->filePath("kallsyms").toStdString();
        const auto symbolizer = Symbolizer::make(options);

        QCOMPARE(symbolizer->resolve(module, 0x1000).problem, SymbolProblem::Hidden);
        QVERIFY(symbolizer->symbolsOf(module).explanation.find("kptr_restrict") != std::string::npos);
    }

    void anotherKernelIsNotTakenForTheRecordedOne()
    {
        Module module;
        module.kind = Module::Kind::Kernel;
        module.release = "0.0.1-none";
        const auto symbolizer = Symbolizer::make();

        QCOMPARE(symbolizer->resolve(module, 0xffffffff81000000).problem, SymbolProblem::NoKernelSymbols);
        QVERIFY(symbolizer->symbolsOf(module).explanation.find("0.0.1-none") != std::string::npos);
    }

    void codeCompiledAtRunTimeIsNamedByItsMap()
    {
        write(m_folder->filePath("maps/perf-77.map"), "7f0000001000 20 LazyCompile:~go app.js:3\n7f0000001020 10 next one\nnonsense\n");
        Module module;
        module.kind = Module::Kind::Anonymous;
        module.path = "//anon";
        module.pid = 77;
        SymbolOptions options;
        options.directories = {m_folder->path().toStdString()};
        const auto symbolizer = Symbolizer::make(options);

        QCOMPARE(symbolizer->resolve(module, 0x7f000000101f).frames.at(0).function, std::string("LazyCompile:~go app.js:3"));
        QCOMPARE(symbolizer->resolve(module, 0x7f0000001020).frames.at(0).function, std::string("next one"));
        QCOMPARE(symbolizer->resolve(module, 0x7f0000001030).problem, SymbolProblem::NoSymbol);
        module.pid = 78;
        QCOMPARE(symbolizer->resolve(module, 0x7f0000001020).problem, SymbolProblem::NoFile);
    }

    void aBuildIdIsNeverAPath()
    {
        Module module = fileModule("/nowhere/shop");
        module.buildId = "../../" + Fixtures.toStdString();
        SymbolOptions options;
        options.directories = {m_folder->path().toStdString()};

        QCOMPARE(plainName(module, options), std::string(explanationOf(SymbolProblem::NoFile)));
    }

private:
    std::shared_ptr<Symbolizer> givenKernel(const QByteArray& kallsyms)
    {
        write(m_folder->filePath("kallsyms"), kallsyms);
        SymbolOptions options;
        options.kallsyms = m_folder->filePath("kallsyms").toStdString();
        return Symbolizer::make(options);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HELIO_TEST(SymbolizerTest)
#include "tst_symbolizer.moc"
