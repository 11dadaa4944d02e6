#include "core/symbol/tables/symbol_table.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class SymbolTableTest : public QObject {
    Q_OBJECT

private slots:
    void aLabelInsideAFunctionContainsNothing()
    {
        SymbolTable table;
        table.add(0x100, 0x40, "function", SymbolTable::Binding::Local);
        table.add(0x110, 0, "label", SymbolTable::Binding::Global);
        table.add(0x150, 0, "free", SymbolTable::Binding::Local);
        table.add(0x170, 0x10, "last", SymbolTable::Binding::Local);
        table.finish();
        const auto nameAt = [&](std::uint64_t address) { return std::string(table.find(address) ? table.find(address)->name() : ""); };
        QCOMPARE(nameAt(0x110), std::string("function"));
        QCOMPARE(nameAt(0x13f), std::string("function"));
        QCOMPARE(nameAt(0x140), std::string());
        QCOMPARE(nameAt(0x16f), std::string("free"));
        QCOMPARE(std::string(table.nearest(0x112)->name()), std::string("label")); // A label: target of calls and jumps.
    }
};

HELIO_TEST(SymbolTableTest)
#include "tst_symbol_table.moc"
