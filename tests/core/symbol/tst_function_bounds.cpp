#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

const std::string Fixtures = SYMBOL_FIXTURES;

Module moduleOf(const std::string& path)
{
    Module module;
    module.kind = Module::Kind::File;
    module.path = path;
    return module;
}

} // namespace

/// Property: in stripped files, the bounds of functions come from the unwind tables, which exceptions need.
class FunctionBoundsTest : public QObject {
    Q_OBJECT

private slots:
    void aFunctionOfAStrippedFileHasItsBeginAndSizeButNoName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("C") << "plainFunction";
        QTest::newRow("C++") << "_ZN4shopL8checkoutEi";
        QTest::newRow("main") << "main";
    }
    void aFunctionOfAStrippedFileHasItsBeginAndSizeButNoName()
    {
        QFETCH(QString, name);
        const auto symbolizer = Symbolizer::make();
        const Module nameless = moduleOf(Fixtures + "/shop-nameless");
        // Uses a separate symbolizer. A symbolizer shares symbols between files with the same build-id, so it would also know the names of
        // the stripped file.
        const auto known = Symbolizer::make()->find(moduleOf(Fixtures + "/shop"), name.toStdString());
        QVERIFY(known && known->size > 1);

        for (const std::uint64_t within : {std::uint64_t(0), known->size / 2, known->size - 1}) {
            const Symbol symbol = symbolizer->resolve(nameless, known->begin + within);
            QVERIFY(symbol.frames.empty());
            QVERIFY(symbol.problem != SymbolProblem::None);
            QCOMPARE(symbol.begin, known->begin);
            QCOMPARE(symbol.size, known->size);
        }
        const FunctionCode code = symbolizer->codeOf(nameless, known->begin + 1);
        QVERIFY(!code.instructions.empty());
        QCOMPARE(code.instructions.front().address, known->begin);
    }

    void whatLiesInNoFunctionHasNoBounds()
    {
        const auto symbolizer = Symbolizer::make();

        const Symbol symbol = symbolizer->resolve(moduleOf(Fixtures + "/shop-nameless"), 0);

        QVERIFY(symbol.frames.empty());
        QCOMPARE(symbol.size, std::uint64_t(0));
    }
};

HELIO_TEST(FunctionBoundsTest)
#include "tst_function_bounds.moc"
