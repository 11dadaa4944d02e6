// Fuzzer of the reader of recording presets (JSON). No input may cause a crash, a hang, or more memory use than the size of the text
// justifies.

#include "core/recording/preset.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    (void)helio::readPreset("fuzzed", helio::fuzzText(data, size));
    return 0;
}
