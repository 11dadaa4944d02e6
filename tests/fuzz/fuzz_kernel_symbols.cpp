// Fuzzer of the readers of symbols as text: kallsyms, perf-PID.map and the output of nm, and of the demanglers. No input may cause a crash,
// a hang, or more memory use than the size of the text justifies.

#include "core/symbol/tables/demangler.h"
#include "core/symbol/tables/kernel_symbols.h"
#include "tests/fuzz/fuzz_input.h"

#include <cstdlib>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    for (const auto read : {kallsymsFrom, perfMapFrom, nmSymbolsFrom}) {
        const TextSymbols symbols = read(std::string(fuzzText(data, size)));
        std::uint64_t last = 0;
        for (const SymbolTable::Entry& entry : symbols.table.entries()) {
            if (entry.begin < last || entry.end < entry.begin)
                std::abort();
            last = entry.begin;
            if (const SymbolTable::Entry* found = symbols.table.find(entry.begin); found && found->begin > entry.begin)
                std::abort();
            (void)demangled(entry.name(), Demangling::Full);
            (void)symbols.table.named(entry.name());
        }
    }
    return 0;
}
