// Fuzzer of the reader of ftrace's text format; decodes all events. No input may cause a crash, a hang, or more memory use than the size of
// the file justifies.

#include "tests/fuzz/fuzz_formats.h"

namespace helio {
extern const TraceFormat ftraceTextFormat;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    helio::openAndDecode(helio::ftraceTextFormat, helio::fuzzText(data, size));
    return 0;
}
