// Property: functions with the same name are told apart by other properties of their symbols.

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/symbol/tables/symbol_table.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace helio;

namespace {

/// The program "kinds" from the fixtures, which has functions with equal names, and access to the symbols and inlined frames of its
/// functions.
class Kinds {
public:
    Kinds()
    {
        m_file = *ElfFile::open(std::filesystem::path(SYMBOL_FIXTURES) / "kinds");
        addElfSymbols(m_table, m_file, false);
        m_table.finish();
        m_module.kind = Module::Kind::File;
        m_module.path = m_file->path().string();
    }

    /// Symbols with the linkage name, sorted by address.
    std::vector<Symbol> symbols(std::string_view linkageName, bool wantsLines)
    {
        std::vector<Symbol> found;
        for (const SymbolTable::Entry* entry : m_table.named(linkageName))
            found.push_back(m_symbolizer->resolve(m_module, *m_file->offsetOfVaddr(entry->begin), wantsLines));
        return found;
    }

    /// Inlined frames at all addresses of a function.
    std::vector<SymbolFrame> inlinedIn(std::string_view linkageName)
    {
        std::vector<SymbolFrame> frames;
        for (const SymbolTable::Entry* entry : m_table.named(linkageName))
            for (std::uint64_t at = entry->begin; at < entry->end; ++at)
                for (const SymbolFrame& frame : m_symbolizer->resolve(m_module, *m_file->offsetOfVaddr(at)).frames)
                    if (frame.isInlined)
                        frames.push_back(frame);
        return frames;
    }

private:
    std::shared_ptr<const ElfFile> m_file;
    SymbolTable m_table;
    Module m_module;
    std::shared_ptr<Symbolizer> m_symbolizer = Symbolizer::make();
};

std::set<std::string> unitsOf(const std::vector<SymbolFrame>& frames, std::string_view function)
{
    std::set<std::string> units;
    for (const SymbolFrame& frame : frames)
        if (frame.function == function)
            units.insert(frame.unit);
    return units;
}

} // namespace

class FunctionUnitsTest : public QObject {
    Q_OBJECT

private slots:
    void symbolsOfOneNameHaveTheirFiles()
    {
        Kinds kinds;
        for (const bool wantsLines : {false, true}) {
            std::set<std::string> units;
            for (const Symbol& symbol : kinds.symbols("_ZL3mixi", wantsLines))
                units.insert(symbol.frames.back().unit);
            QCOMPARE(units, (std::set<std::string>{"kinds_a.cpp", "kinds_b.cpp"}));
        }
        QCOMPARE(kinds.symbols("_ZN4shop4bothEi", true).front().frames.back().unit, std::string());
    }

    void lambdasAreNamedBelowTheirFunctionAndToldApartByTheirLines()
    {
        Kinds kinds;
        const auto units = unitsOf(kinds.inlinedIn("_ZN4shop4bothEi"), "shop::both::{lambda}::operator()");
        QCOMPARE(units, (std::set<std::string>{"kinds_a.cpp:32", "kinds_a.cpp:33"}));
    }

    void anInlinedFunctionWithoutASymbolHasItsDeclaration()
    {
        Kinds kinds;
        for (const char* caller : {"_ZN4shop4Till3addEi", "_Z8runOtheri"})
            QCOMPARE(unitsOf(kinds.inlinedIn(caller), "spin"), (std::set<std::string>{"kinds.h:6"}));
    }

    void inlinedCopiesOfASymbolAreTheSymbols()
    {
        Kinds kinds;
        const Symbol own = kinds.symbols("_ZN4shop4tickEi", true).front();
        const auto copies = kinds.inlinedIn("_ZN4shop4bothEi");
        const auto copy = std::ranges::find(copies, "shop::tick", &SymbolFrame::function);
        QVERIFY(copy != copies.end());
        QCOMPARE(copy->linkageName, own.frames.back().linkageName);
        QCOMPARE(copy->unit, own.frames.back().unit);
    }
};

HELIO_TEST(FunctionUnitsTest)
#include "tst_function_units.moc"
