#include "core/symbol/files/elf_file.h"
#include "core/symbol/frames/call_frames.h"
#include "core/symbol/frames/frame_expression.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QMap>
#include <QProcess>
#include <QTest>

using namespace helio;

namespace {

constexpr const char* RegisterNames[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
                                         "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "ra"};

QString signedNumber(std::int64_t value) { return (value < 0 ? "" : "+") + QString::number(value); }

/// Writes a rule as readelf does.
QString textOf(const RegisterRule& rule, bool isCfa)
{
    using Kind = RegisterRule::Kind;
    if (isCfa)
        return rule.kind == Kind::ValueExpression ? QString("exp") : RegisterNames[rule.number] + signedNumber(rule.offset);
    switch (rule.kind) {
    case Kind::Unspecified:
    case Kind::Undefined: return "u";
    case Kind::SameValue: return "s";
    case Kind::AtOffset: return "c" + signedNumber(rule.offset);
    case Kind::ValueOffset: return "v" + signedNumber(rule.offset);
    case Kind::Register: return RegisterNames[rule.number];
    case Kind::AtExpression: return "exp";
    case Kind::ValueExpression: return "vexp";
    }
    return {};
}

/// Rows of one function as readelf prints them, by address.
struct ReadelfFunction {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    QStringList columns; ///< Names of registers, with "CFA" first.
    QMap<std::uint64_t, QStringList> rows;
};

QList<ReadelfFunction> readWithReadelf(const QString& path)
{
    QProcess readelf;
    readelf.start("readelf", {"-W", "--debug-dump=frames-interp", path});
    if (!readelf.waitForFinished(60'000))
        return {};
    QList<ReadelfFunction> functions;
    bool isFunction = false;
    QStringList columns;
    while (readelf.canReadLine()) {
        const QString line = QString::fromUtf8(readelf.readLine()).simplified();
        const QStringList words = line.split(' ', Qt::SkipEmptyParts);
        if (line.contains(" CIE ")) {
            isFunction = false;
        } else if (const qsizetype pc = line.indexOf(" pc="); pc >= 0) {
            isFunction = true;
            const QStringList range = line.mid(pc + 4).split("..");
            functions.push_back({range[0].toULongLong(nullptr, 16), range[1].toULongLong(nullptr, 16), {}, {}});
        } else if (words.value(0) == "LOC") {
            columns = words.mid(1);
        } else if (isFunction && words.size() == columns.size() + 1 && words[0].size() == 16) {
            functions.last().columns = columns;
            functions.last().rows[words[0].toULongLong(nullptr, 16)] = words.mid(1);
        }
    }
    return functions;
}

std::optional<std::uint64_t> evaluate(std::initializer_list<int> operations, const FrameRegisterValues& registers = {})
{
    std::vector<std::byte> bytes;
    for (const int operation : operations)
        bytes.push_back(static_cast<std::byte>(operation));
    const ReadMemory memory = [](std::uint64_t address) {
        return address == 0x1000 ? std::optional<std::uint64_t>(0x1122334455667788) : std::nullopt;
    };
    return valueOfExpression(bytes, 0x1000, 0x10, registers, memory);
}

} // namespace

class CallFramesTest : public QObject {
    Q_OBJECT

private slots:
    void rowsEqualThoseOfReadelf_data()
    {
        QTest::addColumn<QString>("path");
        const QString fixtures = SYMBOL_FIXTURES;
        QTest::newRow("a program") << fixtures + "/shop";
        QTest::newRow("C and C++") << fixtures + "/kinds";
        QTest::newRow("the C library") << "/lib/x86_64-linux-gnu/libc.so.6";
        QTest::newRow("a large C++ library") << "/usr/lib/x86_64-linux-gnu/libstdc++.so.6";
    }
    /// Oracle: readelf --debug-dump=frames-interp, for every row of every function.
    void rowsEqualThoseOfReadelf()
    {
        QFETCH(QString, path);
        if (!QFile::exists(path))
            QSKIP("this system has no such file");
        const auto file = ElfFile::open(path.toStdString());
        QVERIFY(file);
        if ((*file)->machine() != ElfMachine::X86_64)
            QSKIP("the file is of another processor than x86-64");
        const auto own = ehFramesOf(*file);
        const auto functions = readWithReadelf(path);
        QVERIFY(functions.size() > 5);
        QCOMPARE(qsizetype(own->frames.functions().size()), functions.size());
        for (const ReadelfFunction& function : functions) {
            const auto* found = own->frames.find(function.begin);
            QVERIFY2(found, qPrintable(QString::number(function.begin, 16)));
            QCOMPARE(found->begin, function.begin);
            QCOMPARE(found->end, function.end);
            for (auto expected = function.rows.begin(); expected != function.rows.end(); ++expected) {
                if (expected.key() >= function.end)
                    continue;
                const auto row = own->frames.rowAt(expected.key());
                QVERIFY2(row, qPrintable(QString::number(expected.key(), 16)));
                QStringList rules;
                for (const QString& column : function.columns) {
                    const auto number = std::ranges::find(RegisterNames, column) - std::begin(RegisterNames);
                    rules.push_back(column == "CFA" ? textOf(row->cfa, true) : textOf(row->registers[std::size_t(number)], false));
                }
                QVERIFY2(
                    rules == expected.value(),
                    qPrintable(QString::number(expected.key(), 16) + ": " + rules.join(' ') + " instead of " + expected.value().join(' ')));
            }
        }
    }

    /// Property: a copy without section headers, as some vDSOs are, has the same functions.
    void functionsAreFoundWithoutSectionHeaders()
    {
        const auto file = ElfFile::open(SYMBOL_FIXTURES "/shop");
        QVERIFY(file);
        std::vector<std::byte> bytes((*file)->bytes().begin(), (*file)->bytes().end());
        std::fill_n(bytes.begin() + 40, 8, std::byte{0}); // Offset of the section headers.
        std::fill_n(bytes.begin() + 60, 4, std::byte{0}); // Their number, and the index of the names.
        const auto bare = ElfFile::fromBytes(std::move(bytes), "bare");
        QVERIFY(bare && (*bare)->sections().empty());
        const auto expected = ehFramesOf(*file);
        const auto found = ehFramesOf(*bare);
        QVERIFY(expected->frames.functions().size() > 5);
        QCOMPARE(found->frames.functions().size(), expected->frames.functions().size());
        QCOMPARE((*bare)->buildId(), (*file)->buildId());
    }

    void expressionsAreComputed()
    {
        QCOMPARE(evaluate({0x06}), 0x1122334455667788u); // DW_OP_deref of the initial value.
        QCOMPARE(evaluate({0x94, 2}), 0x7788u); // DW_OP_deref_size
        QCOMPARE(evaluate({0x03, 0x08, 0, 0, 0, 0, 0, 0, 0}), 0x18u); // DW_OP_addr plus the bias.
        QCOMPARE(evaluate({0x23, 0x80, 0x01}), 0x1080u); // DW_OP_plus_uconst
        QCOMPARE(evaluate({0x35, 0x33, 0x1C}), 2u); // 5 - 3
        QCOMPARE(evaluate({0x09, 0xFE, 0x31, 0x26}), ~std::uint64_t{0}); // -2 >> 1, arithmetic.
        QCOMPARE(evaluate({0x31, 0x32, 0x33, 0x17}), 2u); // DW_OP_rot of 1 2 3 gives 3 1 2.
        QCOMPARE(evaluate({0x31, 0x28, 1, 0, 0x06, 0x35}), 5u); // DW_OP_bra over a DW_OP_deref.
        FrameRegisterValues registers;
        registers.set(7, 0x2000);
        QCOMPARE(evaluate({0x77, 0x78}, registers), 0x1FF8u); // DW_OP_breg7 -8
        // The procedure linkage table: (rip & 15) >= 11, shifted left by 3, plus rsp + 8.
        registers.set(16, 0x101B);
        QCOMPARE(evaluate({0x77, 8, 0x80, 0, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22}, registers), 0x2010u);
    }

    void damagedExpressionsHaveNoValue()
    {
        QVERIFY(!evaluate({0x13, 0x13})); // Nothing is left to drop.
        QVERIFY(!evaluate({0x13, 0x31, 0x06})); // Memory that is not known.
        QVERIFY(!evaluate({0x76, 0x00})); // A register that is not known.
        QVERIFY(!evaluate({0x31, 0x30, 0x1B})); // 1 / 0
        QVERIFY(!evaluate({0x2F, 0xFD, 0xFF})); // A loop without end.
        QVERIFY(!evaluate({0x0E, 1})); // A number that is cut off.
        QVERIFY(!evaluate({0xFF}));
    }
};

HELIO_TEST(CallFramesTest)
#include "tst_call_frames.moc"
