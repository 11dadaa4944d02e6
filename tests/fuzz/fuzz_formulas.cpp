// Fuzzer of the formulas over counters. No input may cause a crash or a hang.

#include "core/counters/formula.h"
#include "tests/fuzz/fuzz_input.h"

#include <vector>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto formula = CounterFormula::parse(fuzzText(data, size));
    if (!formula)
        return 0;
    const std::vector<int> powers(formula->names().size(), 1);
    (void)formula->power(powers);
    for (const double number : {0.0, 1e300, -3.0})
        (void)formula->value(std::vector<double>(formula->names().size(), number));
    for (const std::string& name : formula->names())
        (void)isNamed("cycles:u", name);
    return 0;
}
