#include "core/symbol/code/disassembler.h"
#include "core/symbol/tables/demangler.h"
#include "core/symbol/tables/symbol_table.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

std::vector<Instruction> read(ElfMachine machine, const char* hex, std::uint64_t at = 0x1000)
{
    const QByteArray bytes = QByteArray::fromHex(hex);
    const auto code = std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    return Disassembler::make(machine)->read(code, at, [](std::uint64_t address) { return address == 0x1010 ? "there" : ""; });
}

} // namespace

class DisassemblerTest : public QObject {
    Q_OBJECT

private slots:
    void textIsObjdumps_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("size by letter") << QByteArray("c745fc00000000") << "movl   $0x0,-0x4(%rbp)";
        QTest::newRow("size by register") << QByteArray("8b45fc") << "mov    -0x4(%rbp),%eax";
        QTest::newRow("sign extended") << QByteArray("4883e4f0") << "and    $0xfffffffffffffff0,%rsp";
        QTest::newRow("displacement of zero") << QByteArray("0f1f4400 00") << "nopl   0x0(%rax,%rax,1)";
        QTest::newRow("padding") << QByteArray("66662e0f1f840000000000") << "data16 cs nopw 0x0(%rax,%rax,1)";
        QTest::newRow("string") << QByteArray("f348ab") << "rep stos %rax,%es:(%rdi)";
        QTest::newRow("x87") << QByteArray("dee9") << "fsubrp %st,%st(1)";
        QTest::newRow("relative to itself") << QByteArray("488d0509000000") << "lea    0x9(%rip),%rax        # 1010 <there>";
    }
    void textIsObjdumps()
    {
        QFETCH(QByteArray, bytes);
        QTEST(QString::fromStdString(read(ElfMachine::X86_64, bytes.constData()).at(0).text), "text");
    }

    void jumpsAndCallsHaveTargets()
    {
        const auto code = read(ElfMachine::X86_64, "740e e809000000 eb07 ffd0 c3");

        QCOMPARE(code.size(), 5U);
        QVERIFY(code[0].kind == Instruction::Kind::ConditionalJump && code[0].target == 0x1010);
        QVERIFY(code[1].kind == Instruction::Kind::Call && code[1].target == 0x1010);
        QCOMPARE(code[1].text, std::string("call   1010 <there>"));
        QVERIFY(code[2].kind == Instruction::Kind::Jump && code[2].target == 0x1010);
        QVERIFY(code[3].kind == Instruction::Kind::Call && code[3].target == 0);
        QVERIFY(code[4].kind == Instruction::Kind::Return);
    }

    void aarch64IsRead()
    {
        const auto code = read(ElfMachine::AArch64, "fd7bbfa9 03000094 40000054 c0035fd6");

        QCOMPARE(code.size(), 4U);
        QCOMPARE(code[0].text, std::string("stp\tx29, x30, [sp, #-0x10]!"));
        QVERIFY(code[1].kind == Instruction::Kind::Call && code[1].target == 0x1010);
        QCOMPARE(code[1].text, std::string("bl\t1010 <there>"));
        QVERIFY(code[2].kind == Instruction::Kind::ConditionalJump && code[2].target == 0x1010);
        QVERIFY(code[3].kind == Instruction::Kind::Return);
    }

    void whatIsNotKnownDoesNotHideWhatFollows()
    {
        const auto code = read(ElfMachine::X86_64, "c5fb93c0 c3 06 90"); // kmovd %k0,%eax; ret; an invalid byte; nop

        QCOMPARE(code.size(), 4U);
        QCOMPARE(code[1].text, std::string("ret"));
        QCOMPARE(code[2].text, std::string("(bad)"));
        QCOMPARE(code[3].text, std::string("nop"));
    }

    void namesAreDemangledAsPerfDoes()
    {
        QCOMPARE(demangled("_ZNSt6vectorIiSaIiEE9push_backERKi"), std::string("std::vector<int, std::allocator<int> >::push_back"));
        QCOMPARE(demangled("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"), std::string("core::fmt::Write::write_fmt"));
        QCOMPARE(demangled("_Z3fooi@plt", Demangling::Full), std::string("foo(int)@plt"));
        QCOMPARE(demangled("main"), std::string("main"));
        QCOMPARE(demangled("_Z"), std::string("_Z"));
    }

    void amongSymbolsAtOneAddressPerfsIsKept()
    {
        using Binding = SymbolTable::Binding;
        SymbolTable table;
        table.add(0x100, 0, "label", Binding::Global);
        table.add(0x100, 16, "weak", Binding::Weak);
        table.add(0x100, 16, "__strong", Binding::Global);
        table.add(0x100, 16, "strong", Binding::Global);
        table.add(0x104, 4, "inner", Binding::Local);
        table.add(0x200, 0, "open", Binding::Local);
        table.finish();

        QCOMPARE(table.find(0x102)->name(), std::string_view("strong"));
        QCOMPARE(table.find(0x105)->name(), std::string_view("inner"));
        QCOMPARE(table.find(0x10f)->name(), std::string_view("strong"));
        QVERIFY(!table.find(0x110));
        QVERIFY(!table.find(0xff));
        QCOMPARE(table.nearest(0x110)->name(), std::string_view("inner"));
        QCOMPARE(table.find(0x300)->name(), std::string_view("open"));
    }
};

HELIO_TEST(DisassemblerTest)
#include "tst_disassembler.moc"
