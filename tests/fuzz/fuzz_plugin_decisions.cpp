// Fuzzer of the file with the user's decisions about plug-ins: what was read and written must be read again. No input may cause a crash or
// a hang.

#include "core/plugin/plugin_decisions.h"
#include "tests/fuzz/fuzz_input.h"

#include <cstdlib>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    const PluginDecisions decisions(folder.write("plugins", fuzzText(data, size)));
    auto all = decisions.all();
    if (size % 8 != 0) // Writing takes longer.
        return 0;
    const PluginDecision added{PluginDecision::Kind::Forbidden, "00", "a\tb\\\n"};
    all["/new\tone"] = added;
    if (!decisions.set("/new\tone", added))
        std::abort();
    if (decisions.all().size() != all.size() || decisions.all()["/new\tone"].hash != added.hash)
        std::abort();
    return 0;
}
