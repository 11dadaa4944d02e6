// Opens any bytes as a text of ftrace and decodes its events: no input may cause a crash, a hang, or memory use that the file's size does
// not bound.

#include "tests/fuzz/fuzz_formats.h"

namespace helio {
extern const TraceFormat ftraceTextFormat;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    helio::openAndDecode(helio::ftraceTextFormat, data, size);
    return 0;
}
