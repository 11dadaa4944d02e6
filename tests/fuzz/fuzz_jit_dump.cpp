// Fuzzer of the reader of jitdump files; looks up the names of all code in the file. No input may cause a crash, a hang, or more memory use
// than the size of the file justifies.

#include "core/formats/perf_data/jit_dump.h"

#include <cstdint>
#include <cstdlib>

using namespace helio;
using namespace helio::perf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto dump = readJitDump(std::as_bytes(std::span(data, size)));
    if (!dump)
        return 0;
    if (dump->names->textBytes() > 32 * size + 1024)
        std::abort();
    for (const JitCode& code : dump->code)
        for (const std::uint64_t number : {code.number, code.number + code.size - 1})
            if (dump->names->at(number).offset > size)
                std::abort();
    return 0;
}
