#include "core/formats/perf_data/jit_dump.h"
#include "core/trace/merged_events.h"
#include "core/trace/process/address_spaces.h"
#include "tests/support/dice.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace helio;
using namespace helio::perf;
using Made = MadePerfData;

namespace {

constexpr std::uint64_t Code = 0x7f0000001000;
constexpr std::uint64_t Moved = 0x7f0000008000;

/// Builds a jitdump file, record by record.
class MadeDump {
public:
    explicit MadeDump(ByteOrder order = ByteOrder::Little, std::uint64_t flags = 0, std::uint32_t pid = 10)
        : m_order(order)
        , bytes(MadeBytes(order).u32(0x4a695444).u32(1).u32(40).u32(62).u32(0).u32(pid).u64(500).u64(flags).bytes)
    {
    }

    MadeDump& load(std::uint64_t time, std::uint64_t address, std::uint64_t size, const QByteArray& name)
    {
        return add(0, time,
                   make()
                       .u32(10)
                       .u32(11)
                       .u64(address)
                       .u64(address)
                       .u64(size)
                       .u64(m_functions++)
                       .raw(name + '\0')
                       .raw(QByteArray(int(size), '\x90')));
    }
    MadeDump& move(std::uint64_t time, std::uint64_t from, std::uint64_t to, std::uint64_t size)
    {
        return add(1, time, make().u32(10).u32(11).u64(to).u64(from).u64(to).u64(size).u64(0));
    }
    struct Line {
        std::uint64_t address;
        int line;
        QByteArray file;
    };
    MadeDump& lines(std::uint64_t address, const std::vector<Line>& lines)
    {
        MadeBytes body = make().u64(address).u64(lines.size());
        for (const Line& it : lines)
            body.u64(it.address).u32(std::uint64_t(it.line)).u32(0).raw(it.file + '\0');
        return add(2, 0, body);
    }
    MadeDump& close() { return add(3, 9000, make()); }
    MadeDump& unwinding() { return add(4, 600, make().u64(8).u64(8).u64(8).u64(1)); }
    MadeDump& add(std::uint32_t type, std::uint64_t time, const MadeBytes& body)
    {
        bytes += make().u32(type).u32(std::uint64_t(body.bytes.size()) + 16).u64(time).raw(body.bytes).bytes;
        return *this;
    }
    MadeBytes make() const { return MadeBytes(m_order); }

private:
    ByteOrder m_order;
    std::uint64_t m_functions = 0;

public:
    QByteArray bytes;
};

std::span<const std::byte> spanOf(const QByteArray& bytes)
{
    return std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size())));
}

QString textOf(const RecordedName& name)
{
    const auto text = [](std::string_view view) { return QString::fromUtf8(view.data(), qsizetype(view.size())); };
    QString all = text(name.function) + '+' + QString::number(qulonglong(name.offset.value_or(0)), 16);
    return name.line == 0 ? all : all + ' ' + text(name.file) + ':' + QString::number(name.line);
}

/// Returns a line "TIME ADDRESS SIZE: NAME, NAME" for each piece of code; the names are those of its first and last byte.
QStringList codeOf(const JitDump& dump)
{
    QStringList all;
    for (const JitCode& it : dump.code)
        all << QString("%1 %2 %3: %4, %5")
                   .arg(it.time)
                   .arg(it.address, 0, 16)
                   .arg(it.size)
                   .arg(textOf(dump.names->at(it.number)), textOf(dump.names->at(it.number + it.size - 1)));
    return all;
}

} // namespace

class JitDumpTest : public QObject {
    Q_OBJECT

private:
    /// Returns the function names of three samples at address `at`, taken at 1000, 2000 and 3000 ns. `dump`: content of the jitdump file;
    /// empty for no file. `clock`: perf_event_attr::clockid of the samples; 0 for perf's default clock. `addMore` adds further records.
    QStringList namesOfSamples(
        const QByteArray& dump, std::int32_t clock, std::uint64_t at = Code + 4, const std::function<void(Made&)>& addMore = [](Made&) {})
    {
        Made made;
        MadeAttribute attribute;
        if (clock > 0)
            attribute.flags |= 1ull << 25; // Sets perf_event_attr::use_clockid.
        made.addAttribute(attribute);
        addMap(made, 800, 0x1000, "/nonexistent/jit-10.dump");
        addMore(made);
        for (const std::uint64_t time : {1000, 2000, 3000})
            made.addSample(at, 10, 11, time, 0, 1);
        QByteArray bytes = made.file();
        bytes[104 + 92] = char(clock); // Sets perf_event_attr::clockid.
        write("perf.data", bytes);
        if (dump.isEmpty())
            QFile::remove(m_folder.filePath("jit-10.dump"));
        else
            write("jit-10.dump", dump);
        std::string error;
        m_trace = openPerfData(m_folder.filePath("perf.data").toStdString(), &error);
        if (!m_trace)
            return {QString::fromStdString(error)};
        AddressSpaces spaces(m_trace->modules());
        auto records = m_trace->processRecords();
        MergedEvents events(*m_trace);
        QStringList names;
        while (events.next()) {
            for (; !records.empty() && records.front().time <= events.event().time(); records = records.subspan(1))
                spaces.take(records.front());
            const ModuleAddress place = spaces.find(10, at);
            const Module& module = m_trace->modules()[std::size_t(place.module)];
            names << (module.names ? textOf(module.names->at(place.address)) : QString::fromStdString(module.path));
        }
        return names;
    }

    static void addMap(Made& made, std::uint64_t time, std::uint64_t address, std::string_view path)
    {
        made.add(10, 2,
                 made.trailer(made.make().u32(10).u32(10).u64(address).u64(0x1000).u64(0).u64(0).u64(0).u64(0).u32(5).u32(2).text(path), 10,
                              10, time, 0));
    }
    static void addExec(Made& made, std::uint64_t time)
    {
        made.add(3, 1 << 13, made.trailer(made.make().u32(10).u32(10).text("program"), 10, 10, time, 0));
    }

    void write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
    }

    QString kinds() const
    {
        QStringList all;
        for (const Diagnostic& it : m_trace->diagnostics())
            all << QString::fromStdString(it.kind);
        return all.join(' ');
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;

private slots:
    void allRecordsAreReadInEitherByteOrder()
    {
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            MadeDump made(order);
            made.unwinding().lines(Code, {{Code + 4, 7, "a.js"}, {Code + 2, 5, "b.js"}, {Code + 6, 8, "\xff"}, {Code + 99, 1, "no.js"}});
            made.load(900, Code, 8, "first").load(1500, Code, 8, "second").move(2500, Code, Moved, 8).close().load(9100, Code, 8, "late");

            const auto dump = readJitDump(spanOf(made.bytes));

            QVERIFY(dump);
            QCOMPARE(dump->pid, 10u);
            QVERIFY(dump->isMonotonic && dump->diagnostics.empty());
            QCOMPARE(codeOf(*dump),
                     (QStringList{"900 7f0000001000 8: first+0, first+7 b.js:8", "1500 7f0000001000 8: second+0, second+7",
                                  "2500 7f0000008000 8: second+0, second+7"}));
            QCOMPARE(textOf(dump->names->at(dump->code[0].number + 5)), "first+5 a.js:7");
        }
    }

    void codeIsNamedByTheTimeOfTheSample()
    {
        MadeDump dump;
        dump.load(900, Code, 8, "first").load(1500, Code, 8, "second").move(2500, Code, Moved, 8);
        QCOMPARE(namesOfSamples(dump.bytes, 1), (QStringList{"first+4", "second+4", "second+4"}));
        QCOMPARE(kinds(), "");
        QCOMPARE(namesOfSamples(dump.bytes, 1, Moved + 1), (QStringList{"", "", "second+1"}));
        const std::string identity = m_trace->info().identity;
        dump.load(2600, Moved, 8, "third");
        QCOMPARE(namesOfSamples(dump.bytes, 1, Moved + 1).last(), "third+1");
        QVERIFY(m_trace->info().identity != identity); // Names from the jitdump file are part of the recording's identity.
    }

    void withoutACommonClockTheLastCodeNamesAll()
    {
        MadeDump dump;
        dump.load(900, Code, 8, "first").load(1500, Code, 8, "second");
        QCOMPARE(namesOfSamples(dump.bytes, 0), (QStringList{"second+4", "second+4", "second+4"}));
        QCOMPARE(kinds(), "jitdump-clock");
        MadeDump ticks(ByteOrder::Little, 1);
        ticks.load(900, Code, 8, "first");
        QCOMPARE(namesOfSamples(ticks.bytes, 1).first(), "first+4");
        QCOMPARE(kinds(), "jitdump-clock");
    }

    /// Property: the code of a program is named from its jitdump until its next exec, also where anonymous memory is mapped over it later.
    /// A jitdump contains only the code of the last program that wrote it.
    void compiledCodeStaysUntilTheExec()
    {
        MadeDump dump;
        dump.load(900, Code, 8, "first");
        for (const std::int32_t clock : {0, 1}) {
            const auto names = [&](const std::function<void(Made&)>& addMore) {
                return namesOfSamples(dump.bytes, clock, Code + 4, addMore);
            };
            QCOMPARE(names([](Made& made) {
                         addExec(made, 700);
                         addMap(made, 850, Code, "//anon");
                         addMap(made, 1500, Code, "//anon");
                     }),
                     (QStringList{"first+4", "first+4", "first+4"}));
            QCOMPARE(names([](Made& made) {
                         addExec(made, 1500);
                         addMap(made, 1600, Code, "//anon");
                         addMap(made, 2500, Code, "/bin/other");
                     }),
                     (QStringList{"first+4", "//anon", "/bin/other"}));
            QCOMPARE(names([](Made& made) { addMap(made, 1500, Code, "/bin/other"); }),
                     (QStringList{"first+4", "/bin/other", "/bin/other"}));
        }
        QCOMPARE(namesOfSamples(dump.bytes, 0, Code + 4,
                                [](Made& made) {
                                    addExec(made, 1500);
                                    addMap(made, 1600, 0x1000, "/nonexistent/jit-10.dump");
                                }),
                 (QStringList{"", "first+4", "first+4"}));
    }

    void aDumpThatIsMissingOrOfAnotherProcessIsSaid()
    {
        namesOfSamples({}, 1);
        QCOMPARE(kinds(), "no-jitdump");
        MadeDump other(ByteOrder::Little, 0, 77);
        other.load(900, Code, 8, "first");
        QCOMPARE(namesOfSamples(other.bytes, 1).first(), "");
        QCOMPARE(kinds(), "bad-jitdump");
        namesOfSamples("not a dump", 1);
        QCOMPARE(kinds(), "bad-jitdump");
    }

    void damageIsReportedAndTheRestIsRead()
    {
        MadeDump dump;
        dump.move(800, Code, Moved, 8); // A move of code that no record loaded.
        dump.add(0, 850, dump.make().u32(10).u32(11).u64(Code).u64(Code).u64(1u << 30).u64(0).raw(QByteArray("huge\0", 5)));
        dump.add(9, 860, dump.make()).load(900, Code, 8, "good");
        const auto read = readJitDump(spanOf(dump.bytes));
        QVERIFY(read);
        QCOMPARE(codeOf(*read), QStringList("900 7f0000001000 8: good+0, good+7"));
        QCOMPARE(read->diagnostics.size(), std::size_t(3));
        const auto cut = readJitDump(spanOf(dump.bytes.chopped(1)));
        QVERIFY(cut && cut->code.empty() && cut->diagnostics.back().kind == "truncated-record");
        for (qsizetype size = 0; size < 40; ++size)
            QVERIFY(!readJitDump(spanOf(dump.bytes.left(size))));

        Dice dice(7);
        for (int i = 0; i < 3000; ++i) {
            QByteArray bytes = dump.bytes;
            for (int k = 0; k < 4; ++k)
                bytes[int(dice.below(std::uint64_t(bytes.size())))] = char(dice.below(256));
            const auto any = readJitDump(spanOf(bytes));
            QVERIFY(!any || any->code.size() <= 5);
        }
    }

    void onlyNamesOfDumpsAreRecognized()
    {
        QCOMPARE(pidOfJitDump("/tmp/jit-12.dump"), std::optional<std::int32_t>(12));
        QCOMPARE(pidOfJitDump("jit-0.dump"), std::optional<std::int32_t>(0));
        for (const char* name : {"jit-.dump", "jit-1x.dump", "jit--1.dump", "ajit-1.dump", "jit-1.dump.gz", "jit-99999999999.dump", ""})
            QVERIFY2(!pidOfJitDump(name), name);
    }
};

HELIO_TEST(JitDumpTest)
#include "tst_jit_dump.moc"
