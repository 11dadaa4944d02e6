// Fuzzer of the reader of trace.dat files; decodes all events. No input may cause a crash, a hang, or more memory use than the size of the
// file justifies.

#include "tests/fuzz/fuzz_formats.h"

namespace helio {
extern const TraceFormat traceDatFormat;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    helio::openAndDecode(helio::traceDatFormat, data, size);
    return 0;
}
