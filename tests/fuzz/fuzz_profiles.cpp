// Fuzzer of the readers of profiles (pprof, .cpuprofile, speedscope, Gecko, Callgrind). No input may cause a crash, a hang, or more memory
// use than the size of the input justifies.

#include "core/formats/profiles/callgrind_reader.h"
#include "core/formats/profiles/cpuprofile_reader.h"
#include "core/formats/profiles/gecko_reader.h"
#include "core/formats/profiles/pprof_reader.h"
#include "core/formats/profiles/speedscope_reader.h"

#include <cstdint>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)(profiles::isPprof(text) || profiles::isCpuProfile(text) || profiles::isSpeedscope(text) || profiles::isGecko(text)
           || profiles::isCallgrind(text));
    for (const auto read :
         {profiles::readPprof, profiles::readCpuProfile, profiles::readSpeedscope, profiles::readGecko, profiles::readCallgrind}) {
        SampleRecording recording("fuzzed");
        (void)read(text, recording, {});
        recording.finish();
    }
    return 0;
}
